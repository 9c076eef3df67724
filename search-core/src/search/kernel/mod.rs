//! The one tree search behind UCT and information-set MCTS.
//!
//! What differs between them is where a simulation's world comes from ([`Worlds`]), which
//! children a node has: with a known state every legal action at once, in a shuffled block
//! ([`Children::Block`]), and chance nodes as the settings say; with sampled worlds those met so far, one added a simulation, each with
//! its availability ([`Children::Available`]); and what is known of them beside their counters, and
//! how it guides a simulation ([`Rule`]).
//!
//! A batch of simulations is selected one after the other, evaluated on any number of threads, and
//! backed up in order. The result depends on the size of the batch, never on the threads; a batch
//! of one is the serial search. A simulation counts as in flight for those selected after it, not
//! for itself.

mod backup;
mod descent;
mod one_pass;
mod places;

use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use crate::budget::{Budget, StopReason};
use crate::decision::{Effort, SearchError};
use crate::game::{Game, Player, Returns};
use crate::parallel::Crew;
use crate::rng::{SimRng, Streams};
use crate::rollout::{Ending, Evaluation, LeafEvaluator};
use crate::search::chance::Chance;
use crate::search::key::GameKey;
use crate::search::meter::Meter;
use crate::search::root::{Arm, RootStatistics};
use crate::search::rule::Rule;
use crate::search::selection::Available;
use crate::search::worlds::Worlds;
use crate::tree::{Snapshot, Tree, TreeVisitor};
pub(crate) use one_pass::one_pass;
pub(crate) use places::Places;

use backup::{backup, mark};

/// Which children a node has.
pub(crate) enum Children<G: Game> {
    /// All legal actions from the second visit on; at chance nodes the outcomes met or all.
    Block(Chance<G>),
    /// The actions and outcomes met so far in worlds that passed through. Each world has its own
    /// probabilities, so there are no shares to keep to.
    Available,
}

impl<G: Game> Clone for Children<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Children<G> {}

/// One tree search, ready to run on a tree of any storage.
pub(crate) struct Kernel<'a, G: Game, W, E, R> {
    pub(crate) game: &'a G,
    pub(crate) worlds: &'a W,
    pub(crate) evaluator: &'a E,
    pub(crate) children: Children<G>,
    /// Who is to move at the root of every world.
    pub(crate) player: Player,
    pub(crate) rule: &'a R,
    pub(crate) budget: &'a Budget,
    /// This tree's share of the budget.
    pub(crate) simulations: Option<u64>,
    pub(crate) time: Option<Duration>,
    pub(crate) streams: Streams,
    /// Index of this tree's first simulation.
    pub(crate) first: u64,
    pub(crate) batch: usize,
    pub(crate) threads: usize,
    pub(crate) reports: bool,
    pub(crate) snapshot: bool,
}

/// An edge on the way down; nobody chose the root and the chance edges.
pub(crate) struct Step<I> {
    pub(crate) id: I,
    pub(crate) chooser: Option<Player>,
}

/// A simulation between selection and backup.
pub(crate) struct Leaf<G: Game> {
    pub(crate) world: G::State,
    pub(crate) rng: SimRng,
    pub(crate) legal: Vec<G::Action>,
    /// Who played what in the rollout, for rules that ask.
    pub(crate) played: Vec<(Player, G::Action)>,
    /// The move that led to where the tree was left, for rules that ask.
    pub(crate) arrived: Option<(Player, G::Action)>,
    /// The value of the node where the tree was left, where that is certain.
    pub(crate) known: Option<Returns>,
    evaluation: Option<Evaluation>,
}

/// Room for this many legal actions is there from the beginning.
const ROOM: usize = 256;

/// Memory of the selection, kept between simulations.
struct Scratch<G: Game, I, M> {
    available: Vec<Available<I>>,
    places: Places<G::Action>,
    seen: Vec<bool>,
    keys: Vec<GameKey<G>>,
    outcomes: Vec<(G::Chance, f64)>,
    /// What the rule remembers.
    memory: M,
}

struct Path<I> {
    steps: Vec<Step<I>>,
    /// Position of the first edge among the root's children.
    root_ordinal: u32,
}

impl<I> Path<I> {
    fn new() -> Self {
        Self {
            steps: Vec::with_capacity(64),
            root_ordinal: 0,
        }
    }
}

impl<G, W, E, R> TreeVisitor<GameKey<G>, R::Extra> for Kernel<'_, G, W, E, R>
where
    G: Game,
    W: Worlds<G>,
    E: LeafEvaluator<G>,
    R: Rule<G>,
{
    type Output = Result<RootStatistics<G>, SearchError>;

    fn visit<T: Tree<GameKey<G>, R::Extra>>(self, tree: &mut T) -> Self::Output {
        // Which thread does it does not matter: a leaf brings its own generator.
        let shown = RwLock::new(self.rule.memory());
        let value = |leaf: &mut Leaf<G>| {
            let memory = shown.read().unwrap_or_else(PoisonError::into_inner);
            leaf.evaluation = Some(self.value(leaf, &memory));
        };
        let run = |crew: &Crew<'_, Leaf<G>>| self.run(tree, crew, &shown);
        crate::parallel::with_crew(self.threads, self.batch.max(1), &value, run)
    }
}

impl<G, W, E, R> Kernel<'_, G, W, E, R>
where
    G: Game,
    W: Worlds<G>,
    E: LeafEvaluator<G>,
    R: Rule<G>,
{
    fn run<T: Tree<GameKey<G>, R::Extra>>(
        &self,
        tree: &mut T,
        crew: &Crew<'_, Leaf<G>>,
        shown: &RwLock<R::Memory>,
    ) -> Result<RootStatistics<G>, SearchError> {
        let batch = self.batch.max(1);
        let mut leaves: Vec<Leaf<G>> = (0..batch).map(|_| self.leaf()).collect();
        let mut paths: Vec<Path<T::Id>> = (0..batch).map(|_| Path::new()).collect();
        let mut scratch = Scratch {
            available: Vec::with_capacity(ROOM),
            places: Places::default(),
            seen: Vec::with_capacity(ROOM),
            keys: Vec::with_capacity(ROOM),
            outcomes: Vec::new(),
            memory: self.rule.memory(),
        };
        let mut meter = Meter::new(self.budget, self.simulations, self.time, self.reports);
        let mut tally = Tally::default();
        tally.effort.inherited = u64::from(tree.edge(tree.root()).visits());
        let mut done = 0_u64;
        tally.effort.stop = loop {
            if let Some(reason) = meter.stop(done, tree.len() as u64 - 1) {
                break reason;
            }
            if self.rule.is_settled(tree, &scratch.memory) {
                break StopReason::Settled;
            }
            if batch == 1 {
                let (leaf, path) = (&mut leaves[0], &mut paths[0]);
                let index = self.first + done;
                self.select(tree, (leaf, path), &mut scratch, index, &mut tally.effort)?;
                // What is known is left where it is: the backup waits for it.
                let evaluation;
                let (returns, ending) = match &leaf.known {
                    Some(known) => (known, Ending::Terminal),
                    None => {
                        evaluation = self.value(leaf, &scratch.memory);
                        (&evaluation.returns, evaluation.ending)
                    }
                };
                let memory = &mut scratch.memory;
                self.back_up(tree, memory, path, leaf, (returns, ending), &mut tally)?;
                done += 1;
                continue;
            }
            let n = batch.min(usize::try_from(meter.most() - done).unwrap_or(batch));
            for (i, (leaf, path)) in leaves[..n].iter_mut().zip(&mut paths).enumerate() {
                let index = self.first + done + i as u64;
                self.select(tree, (leaf, path), &mut scratch, index, &mut tally.effort)?;
                mark(tree, path, true);
            }
            swap(shown, &mut scratch.memory);
            crew.run(&mut leaves, n);
            swap(shown, &mut scratch.memory);
            for (leaf, path) in leaves[..n].iter().zip(&paths) {
                mark(tree, path, false);
                if let Some(evaluation) = &leaf.evaluation {
                    let (memory, value) = (&mut scratch.memory, evaluation);
                    let value = (&value.returns, value.ending);
                    self.back_up(tree, memory, path, leaf, value, &mut tally)?;
                }
            }
            done += n as u64;
        };
        Ok(self.finish(tree, &scratch.memory, tally, done))
    }
}

/// Shows the rollouts of a batch what the rule remembers, or takes it back.
fn swap<M>(shown: &RwLock<M>, memory: &mut M) {
    let mut shown = shown.write().unwrap_or_else(PoisonError::into_inner);
    std::mem::swap(&mut *shown, memory);
}

/// What a search counts as it goes.
#[derive(Default)]
struct Tally {
    effort: Effort,
    /// Sums of squared returns of the root's children, in their order.
    root_squares: Vec<f64>,
}

impl<G, W, E, R> Kernel<'_, G, W, E, R>
where
    G: Game,
    W: Worlds<G>,
    E: LeafEvaluator<G>,
    R: Rule<G>,
{
    fn leaf(&self) -> Leaf<G> {
        Leaf {
            world: self.worlds.scratch(self.game),
            rng: SimRng::new(0),
            legal: Vec::with_capacity(ROOM),
            played: Vec::new(),
            arrived: None,
            known: None,
            evaluation: None,
        }
    }

    #[inline]
    fn value(&self, leaf: &mut Leaf<G>, memory: &R::Memory) -> Evaluation {
        match leaf.known {
            Some(returns) => Evaluation {
                returns,
                ending: Ending::Terminal,
            },
            None => self.rule.evaluate(self.game, self.evaluator, leaf, memory),
        }
    }

    /// Adds a simulation to the tree.
    #[inline]
    fn back_up<T: Tree<GameKey<G>, R::Extra>>(
        &self,
        tree: &mut T,
        memory: &mut R::Memory,
        path: &Path<T::Id>,
        leaf: &Leaf<G>,
        (returns, ending): (&Returns, Ending),
        tally: &mut Tally,
    ) -> Result<(), SearchError> {
        backup(self.rule, tree, path, (returns, ending), tally)?;
        self.rule.learn(tree, memory, &path.steps, leaf, returns);
        Ok(())
    }

    fn finish<T: Tree<GameKey<G>, R::Extra>>(
        &self,
        tree: &T,
        memory: &R::Memory,
        tally: Tally,
        done: u64,
    ) -> RootStatistics<G> {
        let Tally {
            mut effort,
            root_squares: squares,
        } = tally;
        effort.simulations = done;
        effort.worlds = match self.children {
            Children::Block(_) => 1,
            Children::Available => done,
        };
        effort.effective_sample_size = effort.worlds as f64;
        effort.edges = tree.len() as u64 - 1;
        effort.bytes = (tree.bytes() + self.rule.bytes(memory)) as u64;
        effort.deterministic = matches!(effort.stop, StopReason::Simulations | StopReason::Settled);
        let arms = tree
            .children(tree.root())
            .enumerate()
            .filter_map(|(i, (id, edge))| {
                Some(Arm {
                    action: edge.key().action()?,
                    visits: u64::from(edge.visits()),
                    sum: edge.sum(),
                    sum_of_squares: squares.get(i).copied().unwrap_or(0.0),
                    availability: match self.children {
                        Children::Block(_) => done,
                        Children::Available => u64::from(edge.availability()),
                    },
                    bounds: self.rule.bounds(tree, memory, id, self.player),
                })
            });
        RootStatistics {
            arms: arms.collect(),
            effort,
            snapshot: self.snapshot.then(|| Snapshot::of(tree)),
        }
    }
}
