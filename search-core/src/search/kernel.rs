//! The one tree search behind UCT and information-set MCTS.
//!
//! What differs between them is where a simulation's world comes from ([`Worlds`]) and which
//! children a node has: with a known state every legal action at once, in a shuffled block
//! ([`Children::Block`]), and chance nodes as the settings say; with sampled worlds those met so far, one added a simulation, each with
//! its availability ([`Children::Available`]).
//!
//! A batch of simulations is selected one after the other, evaluated on any number of threads, and
//! backed up in order. The result depends on the size of the batch, never on the threads; a batch
//! of one is the serial search. A simulation counts as in flight for those selected after it, not
//! for itself.

use std::time::Duration;

use crate::budget::{Budget, StopReason};
use crate::decision::{Effort, SearchError};
use crate::game::{Game, ListOutcomes, Player, Turn};
use crate::parallel::Crew;
use crate::rng::{Draw, Seed, SimRng};
use crate::rollout::{Ending, Evaluation, LeafEvaluator};
use crate::search::chance::{self, Chance};
use crate::search::key::GameKey;
use crate::search::meter::Meter;
use crate::search::root::{Arm, RootStatistics, usable};
use crate::search::selection::{Available, Ucb};
use crate::search::worlds::Worlds;
use crate::tree::{EdgeKey, Snapshot, Tree, TreeVisitor};

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
pub(crate) struct Kernel<'a, G: Game, W, E> {
    pub(crate) game: &'a G,
    pub(crate) worlds: &'a W,
    pub(crate) evaluator: &'a E,
    pub(crate) children: Children<G>,
    /// Who is to move at the root of every world.
    pub(crate) player: Player,
    pub(crate) ucb: Ucb,
    pub(crate) budget: &'a Budget,
    /// This tree's share of the budget.
    pub(crate) simulations: Option<u64>,
    pub(crate) time: Option<Duration>,
    pub(crate) seed: Seed,
    /// Index of this tree's first simulation.
    pub(crate) first: u64,
    pub(crate) batch: usize,
    pub(crate) threads: usize,
    pub(crate) reports: bool,
    pub(crate) snapshot: bool,
}

/// An edge on the way down; nobody chose the root and the chance edges.
struct Step<I> {
    id: I,
    chooser: Option<Player>,
}

/// A simulation between selection and backup.
struct Leaf<G: Game> {
    world: G::State,
    rng: SimRng,
    legal: Vec<G::Action>,
    evaluation: Option<Evaluation>,
}

/// Room for this many legal actions is there from the beginning.
const ROOM: usize = 256;

/// Memory of the selection, kept between simulations.
struct Scratch<G: Game, I> {
    paths: Vec<Path<I>>,
    available: Vec<Available<I>>,
    seen: Vec<bool>,
    keys: Vec<GameKey<G>>,
    outcomes: Vec<(G::Chance, f64)>,
}

struct Path<I> {
    steps: Vec<Step<I>>,
    /// Position of the first edge among the root's children.
    root_ordinal: u32,
}

impl<G: Game, W: Worlds<G>, E: LeafEvaluator<G>> TreeVisitor<GameKey<G>> for Kernel<'_, G, W, E> {
    type Output = Result<RootStatistics<G>, SearchError>;

    fn visit<T: Tree<GameKey<G>>>(self, tree: &mut T) -> Self::Output {
        // Which thread does it does not matter: a leaf brings its own generator.
        let value = |leaf: &mut Leaf<G>| leaf.evaluation = Some(self.value(leaf));
        let run = |crew: &Crew<'_, Leaf<G>>| self.run(tree, crew);
        crate::parallel::with_crew(self.threads, self.batch.max(1), &value, run)
    }
}

impl<G: Game, W: Worlds<G>, E: LeafEvaluator<G>> Kernel<'_, G, W, E> {
    fn run<T: Tree<GameKey<G>>>(
        &self,
        tree: &mut T,
        crew: &Crew<'_, Leaf<G>>,
    ) -> Result<RootStatistics<G>, SearchError> {
        let batch = self.batch.max(1);
        let mut leaves: Vec<Leaf<G>> = (0..batch).map(|_| self.leaf()).collect();
        let mut scratch = Scratch {
            paths: (0..batch)
                .map(|_| Path {
                    steps: Vec::with_capacity(64),
                    root_ordinal: 0,
                })
                .collect(),
            available: Vec::with_capacity(ROOM),
            seen: Vec::with_capacity(ROOM),
            keys: Vec::with_capacity(ROOM),
            outcomes: Vec::new(),
        };
        let mut meter = Meter::new(self.budget, self.simulations, self.time, self.reports);
        let mut effort = Effort {
            inherited: u64::from(tree.edge(tree.root()).visits()),
            ..Effort::default()
        };
        let mut root_squares: Vec<f64> = Vec::new();
        let mut done = 0_u64;
        effort.stop = loop {
            if let Some(reason) = meter.stop(done, tree.len() as u64 - 1) {
                break reason;
            }
            let n = batch.min(usize::try_from(meter.most() - done).unwrap_or(batch));
            for (i, leaf) in leaves[..n].iter_mut().enumerate() {
                self.select(tree, leaf, &mut scratch, i, done, &mut effort)?;
                if n > 1 {
                    mark(tree, &scratch.paths[i], true);
                }
            }
            if n == 1 {
                let evaluation = self.value(&mut leaves[0]);
                let path = &scratch.paths[0];
                backup::<G, T>(tree, path, &evaluation, &mut root_squares, &mut effort)?;
            } else {
                crew.run(&mut leaves, n);
                for (leaf, path) in leaves[..n].iter().zip(&scratch.paths) {
                    mark(tree, path, false);
                    if let Some(evaluation) = &leaf.evaluation {
                        backup::<G, T>(tree, path, evaluation, &mut root_squares, &mut effort)?;
                    }
                }
            }
            done += n as u64;
        };
        Ok(self.finish(tree, effort, done, &root_squares))
    }
}

impl<G: Game, W: Worlds<G>, E: LeafEvaluator<G>> Kernel<'_, G, W, E> {
    fn leaf(&self) -> Leaf<G> {
        Leaf {
            world: self.worlds.scratch(self.game),
            rng: SimRng::new(0),
            legal: Vec::with_capacity(ROOM),
            evaluation: None,
        }
    }

    /// Loads the world of simulation `done + i` and descends to where it leaves the tree.
    fn select<T: Tree<GameKey<G>>>(
        &self,
        tree: &mut T,
        leaf: &mut Leaf<G>,
        scratch: &mut Scratch<G, T::Id>,
        i: usize,
        done: u64,
        effort: &mut Effort,
    ) -> Result<(), SearchError> {
        leaf.rng = self.seed.simulation(self.first + done + i as u64);
        let weight = self.worlds.load(self.game, &mut leaf.rng, &mut leaf.world);
        if weight != 0.0 {
            return Err(SearchError::WeightedWorlds { log_weight: weight });
        }
        let mut path = std::mem::take(&mut scratch.paths[i].steps);
        path.clear();
        let mut at = tree.root();
        path.push(Step {
            id: at,
            chooser: None,
        });
        loop {
            // A node other than the root is a leaf until its second visit.
            if path.len() > 1 && tree.edge(at).selections() == 0 {
                break;
            }
            let turn = self.game.turn(&leaf.world);
            if path.len() == 1 && turn != Turn::Player(self.player) {
                let player = self.player.index();
                return Err(SearchError::MixedWorlds { player });
            }
            let step = match turn {
                Turn::Terminal => break,
                Turn::Chance => match self.children {
                    Children::Block(Chance::Explicit(list)) => {
                        let found = self.quota_step(tree, at, list, leaf, scratch, effort)?;
                        found.map(|(id, ordinal)| (id, ordinal, None))
                    }
                    _ => self.chance_step(tree, at, leaf, effort),
                },
                Turn::Player(player) => {
                    let found = match self.children {
                        Children::Block(_) => {
                            self.block_step(tree, at, path.len() == 1, leaf, scratch, effort)
                        }
                        Children::Available => self.available_step(tree, at, leaf, scratch, effort),
                    };
                    found.map(|(id, ordinal)| (id, ordinal, Some(player)))
                }
            };
            let Some((id, ordinal, chooser)) = step else {
                break;
            };
            match tree.edge(id).key() {
                EdgeKey::Action(action) => self.game.apply(&mut leaf.world, action),
                EdgeKey::Chance(outcome) => self.game.apply_chance(&mut leaf.world, outcome),
            }
            if path.len() == 1 {
                scratch.paths[i].root_ordinal = ordinal;
            }
            path.push(Step { id, chooser });
            at = id;
        }
        scratch.paths[i].steps = path;
        Ok(())
    }

    /// Follows what chance draws, remembering each outcome met.
    fn chance_step<T: Tree<GameKey<G>>>(
        &self,
        tree: &mut T,
        at: T::Id,
        leaf: &mut Leaf<G>,
        effort: &mut Effort,
    ) -> Option<(T::Id, u32, Option<Player>)> {
        let outcome = self.game.sample_chance(&leaf.world, &mut leaf.rng);
        let key = EdgeKey::Chance(outcome);
        let mut last = None;
        let mut count = 0;
        for (child, edge) in tree.children(at) {
            if edge.key() == key {
                return Some((child, count, None));
            }
            last = Some(child);
            count += 1;
        }
        let child = tree.append_child(at, last, key);
        effort.refused_expansions += u64::from(child.is_none());
        child.map(|id| (id, count, None))
    }

    /// Follows the outcome most behind its share, listing all of them first.
    fn quota_step<T: Tree<GameKey<G>>>(
        &self,
        tree: &mut T,
        at: T::Id,
        list: ListOutcomes<G>,
        leaf: &mut Leaf<G>,
        scratch: &mut Scratch<G, T::Id>,
        effort: &mut Effort,
    ) -> Result<Option<(T::Id, u32)>, SearchError> {
        if !tree.has_children(at) {
            list(self.game, &leaf.world, &mut scratch.outcomes);
            chance::check(&scratch.outcomes)?;
            // Ties go to the first: in one fixed order every thin node would see the same outcomes.
            leaf.rng.shuffle(&mut scratch.outcomes);
            let keys = scratch.outcomes.iter().map(|&(o, _)| EdgeKey::Chance(o));
            scratch.keys.clear();
            scratch.keys.extend(keys);
            if !tree.add_children(at, &scratch.keys) {
                effort.refused_expansions += 1;
                return Ok(None);
            }
            for ((_, edge), (_, p)) in tree.children(at).zip(&scratch.outcomes) {
                edge.set_probability(*p);
            }
        }
        Ok(chance::most_behind(tree, at))
    }

    /// Chooses among all legal actions, making their edges first.
    #[inline]
    fn block_step<T: Tree<GameKey<G>>>(
        &self,
        tree: &mut T,
        at: T::Id,
        is_root: bool,
        leaf: &mut Leaf<G>,
        scratch: &mut Scratch<G, T::Id>,
        effort: &mut Effort,
    ) -> Option<(T::Id, u32)> {
        if !tree.has_children(at) {
            self.game.legal_actions(&leaf.world, &mut leaf.legal);
            scratch.keys.clear();
            scratch
                .keys
                .extend(leaf.legal.iter().map(|&a| EdgeKey::Action(a)));
            leaf.rng.shuffle(&mut scratch.keys);
            if !tree.add_children(at, &scratch.keys) {
                effort.refused_expansions += 1;
                return None;
            }
        }
        // The visit that made a node did not choose a child.
        let total = tree.edge(at).selections() - u32::from(!is_root);
        self.ucb.select(tree, at, total, &mut leaf.rng)
    }

    /// Chooses among the actions legal in this world: one without an edge if there is any.
    #[inline]
    fn available_step<T: Tree<GameKey<G>>>(
        &self,
        tree: &mut T,
        at: T::Id,
        leaf: &mut Leaf<G>,
        scratch: &mut Scratch<G, T::Id>,
        effort: &mut Effort,
    ) -> Option<(T::Id, u32)> {
        self.game.legal_actions(&leaf.world, &mut leaf.legal);
        scratch.available.clear();
        let (mut last, mut count) = (None, 0);
        for (child, edge) in tree.children(at) {
            last = Some(child);
            if let EdgeKey::Action(action) = edge.key()
                && let Ok(position) = leaf.legal.binary_search(&action)
            {
                scratch.available.push(Available {
                    id: child,
                    ordinal: count,
                    position: position as u32,
                });
                // The other children belong to other worlds.
                if scratch.available.len() == leaf.legal.len() {
                    break;
                }
            }
            count += 1;
        }
        if scratch.available.len() < leaf.legal.len() {
            let untried = untried(leaf, scratch);
            if let Some(child) = tree.append_child(at, last, EdgeKey::Action(untried)) {
                tree.edge(child).record_availability();
                for other in &scratch.available {
                    tree.edge(other.id).record_availability();
                }
                return Some((child, count));
            }
            effort.refused_expansions += 1;
        }
        self.ucb
            .select_available(tree, at, &scratch.available, &mut leaf.rng)
    }

    #[inline]
    fn value(&self, leaf: &mut Leaf<G>) -> Evaluation {
        self.evaluator
            .evaluate(self.game, &mut leaf.world, &mut leaf.rng, &mut leaf.legal)
    }

    fn finish<T: Tree<GameKey<G>>>(
        &self,
        tree: &T,
        mut effort: Effort,
        done: u64,
        squares: &[f64],
    ) -> RootStatistics<G> {
        effort.simulations = done;
        effort.worlds = match self.children {
            Children::Block(_) => 1,
            Children::Available => done,
        };
        effort.effective_sample_size = effort.worlds as f64;
        effort.edges = tree.len() as u64 - 1;
        effort.bytes = tree.bytes() as u64;
        effort.deterministic = effort.stop == StopReason::Simulations;
        let arms = tree
            .children(tree.root())
            .enumerate()
            .filter_map(|(i, (_, edge))| {
                Some(Arm {
                    action: edge.key().action()?,
                    visits: u64::from(edge.visits()),
                    sum: edge.sum(),
                    sum_of_squares: squares.get(i).copied().unwrap_or(0.0),
                    availability: match self.children {
                        Children::Block(_) => done,
                        Children::Available => u64::from(edge.availability()),
                    },
                })
            });
        RootStatistics {
            arms: arms.collect(),
            effort,
            snapshot: self.snapshot.then(|| Snapshot::of(tree)),
        }
    }
}

/// One of the legal actions that have no edge yet, each with equal probability.
#[inline]
fn untried<G: Game, I>(leaf: &mut Leaf<G>, scratch: &mut Scratch<G, I>) -> G::Action {
    let legal = &leaf.legal;
    scratch.seen.clear();
    scratch.seen.resize(legal.len(), false);
    for known in &scratch.available {
        scratch.seen[known.position as usize] = true;
    }
    let untried = legal.len() - scratch.available.len();
    let nth = leaf.rng.below(untried as u32) as usize;
    let unseen = legal.iter().zip(&scratch.seen).filter(|(_, seen)| !**seen);
    unseen
        .map(|(action, _)| *action)
        .nth(nth)
        .unwrap_or(legal[0])
}

/// Counts the path of a simulation as in flight, or no longer.
fn mark<K: Copy + 'static, T: Tree<K>>(tree: &T, path: &Path<T::Id>, begins: bool) {
    for step in &path.steps {
        tree.edge(step.id).set_in_flight(begins);
    }
}

#[cold]
fn non_finite<G: Game, T: Tree<GameKey<G>>>(
    tree: &T,
    path: &Path<T::Id>,
    player: usize,
    value: f64,
) -> SearchError {
    let first = path.steps.get(1).map(|step| tree.edge(step.id).key());
    SearchError::NonFiniteReturn {
        player,
        value,
        action: format!("{:?}", first.and_then(EdgeKey::action)),
    }
}

/// Adds one simulation to every edge on its path: to each the return of the player who chose it.
#[inline]
fn backup<G: Game, T: Tree<GameKey<G>>>(
    tree: &T,
    path: &Path<T::Id>,
    evaluation: &Evaluation,
    root_squares: &mut Vec<f64>,
    effort: &mut Effort,
) -> Result<(), SearchError> {
    let returns = &evaluation.returns;
    if let Some(player) = returns.iter().position(|value| !usable(*value)) {
        return Err(non_finite::<G, T>(tree, path, player, returns[player]));
    }
    match evaluation.ending {
        Ending::Terminal => {}
        Ending::CutOff => effort.truncated_rollouts += 1,
        Ending::Stuck(player) => {
            let player = player.index();
            return Err(SearchError::NoActions { player });
        }
    }
    effort.depth = effort.depth.max(path.steps.len() as u32 - 1);
    for step in &path.steps {
        let edge = tree.edge(step.id);
        match step.chooser {
            Some(player) => edge.record(returns.of(player)),
            None => edge.record_visit(),
        }
    }
    if let Some(Step {
        chooser: Some(player),
        ..
    }) = path.steps.get(1)
    {
        let ordinal = path.root_ordinal as usize;
        if root_squares.len() <= ordinal {
            root_squares.resize(ordinal + 1, 0.0);
        }
        let value = returns.of(*player);
        root_squares[ordinal] += value * value;
    }
    Ok(())
}
