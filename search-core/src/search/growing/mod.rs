//! Search in trees whose nodes get more children as they are visited: what kernel regression and
//! progressive widening share. What differs is a [`Rule`].
//!
//! As in the search behind UCT, a simulation stops at the first node not visited before; a batch is
//! selected one after the other, evaluated on any number of threads, and backed up in order.

#[cfg(test)]
mod tests;
mod tree;

pub(crate) use tree::{Child, GrowingTree};

use std::time::Duration;

use crate::budget::{Budget, StopReason};
use crate::decision::{Effort, SearchError};
use crate::game::{Game, Player, Turn};
use crate::parallel::Crew;
use crate::rng::{Seed, SimRng};
use crate::rollout::{Ending, Evaluation, LeafEvaluator};
use crate::search::continuous::ContinuousActions;
use crate::search::key::GameKey;
use crate::search::meter::Meter;
use crate::search::root::{Arm, RootStatistics, usable};
use crate::search::tree_search::{Parallel, Share};
use crate::tree::EdgeKey;

/// The tree of one search.
pub(crate) type RuleTree<G, R> = GrowingTree<GameKey<G>, <R as Rule<G>>::Extra>;

/// How a tree grows and which child is followed.
pub(crate) trait Rule<G: Game>: Sync {
    /// What is kept on an edge beside the plain counters.
    type Extra: Copy + Default + Send;
    /// Memory of the selection.
    type Scratch: Default;

    /// The child to follow at a player's turn, added first if need be. `None` when a node has none and
    /// there is no room for any.
    fn choose(
        &self,
        tree: &mut RuleTree<G, Self>,
        at: u32,
        leaf: &mut Leaf<G>,
        memory: &mut Memory<G, Self>,
    ) -> Option<u32>
    where
        Self: Sized;

    /// The child to follow at a chance turn that is not played exactly.
    fn draw(
        &self,
        tree: &mut RuleTree<G, Self>,
        at: u32,
        leaf: &mut Leaf<G>,
        memory: &mut Memory<G, Self>,
    ) -> Option<u32>
    where
        Self: Sized;

    /// How actions are played without their execution noise, if they are.
    fn exactly(&self) -> Option<&dyn ContinuousActions<G>>;

    /// Adds a simulation to what the rule keeps of the edge `step`, after the plain counters.
    fn record(&self, tree: &mut RuleTree<G, Self>, step: usize, leaf: &Leaf<G>, value: f64)
    where
        Self: Sized;

    /// Whether the states on the way down, and who played what, are wanted for [`Rule::record`].
    fn remembers(&self) -> bool {
        false
    }
}

/// An edge on the way down; nobody chooses an outcome of chance.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    pub(crate) node: u32,
    pub(crate) position: u32,
    pub(crate) chooser: Option<Player>,
}

/// A simulation between selection and backup.
pub(crate) struct Leaf<G: Game> {
    pub(crate) world: G::State,
    pub(crate) rng: SimRng,
    pub(crate) legal: Vec<G::Action>,
    pub(crate) path: Vec<Step>,
    /// The states before each step, if the rule remembers them.
    pub(crate) states: Vec<G::State>,
    /// Who played what, in the tree and after it, if the rule remembers it.
    pub(crate) played: Vec<(Player, G::Action)>,
    evaluation: Option<Evaluation>,
}

/// Memory of a search, and what it counts.
pub(crate) struct Memory<G: Game, R: Rule<G>> {
    pub(crate) keys: Vec<GameKey<G>>,
    pub(crate) scratch: R::Scratch,
    pub(crate) effort: Effort,
}

/// How a search is spread, and the rule that it follows.
#[derive(Clone, Copy)]
pub(crate) struct Plan<'a, G: Game, R, E> {
    pub(crate) game: &'a G,
    pub(crate) state: &'a G::State,
    pub(crate) rule: &'a R,
    pub(crate) evaluator: &'a E,
    pub(crate) parallel: Parallel,
    pub(crate) threads: usize,
}

/// What one tree is given of the whole.
struct Part<'a> {
    budget: &'a Budget,
    simulations: Option<u64>,
    time: Option<Duration>,
    seed: Seed,
    first: u64,
    reports: bool,
}

/// What one tree knows about the root, and the tree.
type Grown<G, R> = (RootStatistics<G>, RuleTree<G, R>);
/// What several trees know about the root; the tree if there is one.
type Merged<G, R> = (RootStatistics<G>, Option<RuleTree<G, R>>);

/// A tree of a parallel search, to be grown.
struct Job<G: Game, R: Rule<G>> {
    number: u64,
    grown: Option<Result<Grown<G, R>, SearchError>>,
}

impl<G: Game, R: Rule<G>, E: LeafEvaluator<G>> Plan<'_, G, R, E> {
    /// Grows one tree, or those of a parallel search and merges what they know. The tree is that of a
    /// search with a single one.
    pub(crate) fn run(&self, budget: &Budget, seed: Seed) -> Result<Merged<G, R>, SearchError> {
        self.parallel.check()?;
        if self.parallel == Parallel::Shared {
            return Err(SearchError::BadSetting {
                name: "parallel",
                value: "shared".into(),
                expected: "serial, root or batch: trees that grow with their visits are not shared",
            });
        }
        let trees = match self.parallel {
            Parallel::Root { trees } => {
                u64::from(trees).min(budget.simulations.unwrap_or(u64::MAX))
            }
            _ => 1,
        };
        let share = Share::of(budget, trees, self.threads.max(1) as u64);
        let mut jobs: Vec<Job<G, R>> = (0..trees)
            .map(|number| Job {
                number,
                grown: None,
            })
            .collect();
        crate::parallel::for_each(self.threads, &mut jobs, &|job| {
            let number = job.number;
            let simulations = budget.simulations;
            let part = Part {
                budget,
                simulations: simulations.map(|n| share.end(n, number) - share.start(n, number)),
                time: share.time,
                seed,
                first: simulations.map_or(number << 40, |n| share.start(n, number)),
                reports: number == 0,
            };
            let threads = if trees > 1 { 1 } else { self.threads.max(1) };
            job.grown = Some(self.grow(&part, GrowingTree::new(share.limits), threads));
        });
        let mut merged = RootStatistics::empty();
        let mut only = None;
        for result in jobs.into_iter().filter_map(|job| job.grown) {
            let (statistics, tree) = result?;
            merged.merge(statistics);
            only = (trees == 1).then_some(tree);
        }
        Ok((merged, only))
    }

    fn grow(
        &self,
        part: &Part<'_>,
        tree: RuleTree<G, R>,
        threads: usize,
    ) -> Result<Grown<G, R>, SearchError> {
        let batch = match self.parallel {
            Parallel::Batch { size } => size as usize,
            _ => 1,
        };
        // Which thread does it does not matter: a leaf brings its own generator.
        let evaluate = |leaf: &mut Leaf<G>| self.evaluate(leaf);
        crate::parallel::with_crew(threads, batch, &evaluate, |crew| {
            self.grow_with(crew, part, tree, batch)
        })
    }

    fn grow_with(
        &self,
        crew: &Crew<'_, Leaf<G>>,
        part: &Part<'_>,
        mut tree: RuleTree<G, R>,
        batch: usize,
    ) -> Result<Grown<G, R>, SearchError> {
        let mut leaves: Vec<Leaf<G>> = (0..batch).map(|_| self.leaf()).collect();
        let mut memory = Memory {
            keys: Vec::new(),
            scratch: R::Scratch::default(),
            effort: Effort::default(),
        };
        let mut meter = Meter::new(part.budget, part.simulations, part.time, part.reports);
        let mut done = 0_u64;
        memory.effort.stop = loop {
            if let Some(reason) = meter.stop(done, tree.edges()) {
                break reason;
            }
            let n = batch.min(usize::try_from(meter.most() - done).unwrap_or(batch));
            for (i, leaf) in leaves[..n].iter_mut().enumerate() {
                leaf.rng = part.seed.simulation(part.first + done + i as u64);
                self.select(&mut tree, leaf, &mut memory);
            }
            crew.run(&mut leaves, n);
            for leaf in &leaves[..n] {
                self.back_up(&mut tree, leaf, &mut memory.effort)?;
            }
            done += n as u64;
        };
        Ok((self.root_statistics(&tree, memory.effort, done), tree))
    }

    fn leaf(&self) -> Leaf<G> {
        Leaf {
            world: self.state.clone(),
            rng: SimRng::new(0),
            legal: Vec::new(),
            path: Vec::with_capacity(64),
            states: Vec::new(),
            played: Vec::new(),
            evaluation: None,
        }
    }

    /// Descends from the root to where the simulation leaves the tree.
    fn select(&self, tree: &mut RuleTree<G, R>, leaf: &mut Leaf<G>, memory: &mut Memory<G, R>) {
        leaf.world.clone_from(self.state);
        leaf.path.clear();
        leaf.played.clear();
        let mut at = 0;
        loop {
            let turn = self.game.turn(&leaf.world);
            let node = tree.node_mut(at);
            node.arrivals += 1;
            node.ended = turn == Turn::Terminal;
            // A node other than the root is a leaf until its second visit.
            if node.ended || at != 0 && node.arrivals == 1 {
                return;
            }
            if self.rule.remembers() {
                self.remember(leaf);
            }
            let (chooser, found) = match turn {
                Turn::Player(player) => (Some(player), self.rule.choose(tree, at, leaf, memory)),
                _ => (None, self.rule.draw(tree, at, leaf, memory)),
            };
            let Some(position) = found else {
                memory.effort.refused_expansions += 1;
                return;
            };
            self.play(tree.child(at, position).key, chooser, leaf);
            leaf.path.push(Step {
                node: at,
                position,
                chooser,
            });
            at = tree.descend(at, position);
        }
    }

    fn remember(&self, leaf: &mut Leaf<G>) {
        match leaf.states.get_mut(leaf.path.len()) {
            Some(state) => state.clone_from(&leaf.world),
            None => leaf.states.push(leaf.world.clone()),
        }
    }

    fn play(&self, key: GameKey<G>, chooser: Option<Player>, leaf: &mut Leaf<G>) {
        let action = match key {
            EdgeKey::Action(action) => action,
            EdgeKey::Chance(outcome) => return self.game.apply_chance(&mut leaf.world, outcome),
        };
        if self.rule.remembers() {
            leaf.played.extend(chooser.map(|player| (player, action)));
        }
        self.game.apply(&mut leaf.world, action);
        if let Some(actions) = self.rule.exactly() {
            play_exactly(self.game, actions, &mut leaf.world);
        }
    }

    fn evaluate(&self, leaf: &mut Leaf<G>) {
        let Leaf {
            world, rng, legal, ..
        } = leaf;
        leaf.evaluation = Some(if self.rule.remembers() {
            let played = &mut leaf.played;
            self.evaluator
                .evaluate_noting(self.game, world, rng, legal, played)
        } else {
            self.evaluator.evaluate(self.game, world, rng, legal)
        });
    }

    /// Adds a simulation to every edge on its path: to each the return of the player who chose it.
    fn back_up(
        &self,
        tree: &mut RuleTree<G, R>,
        leaf: &Leaf<G>,
        effort: &mut Effort,
    ) -> Result<(), SearchError> {
        let Some(evaluation) = &leaf.evaluation else {
            return Ok(());
        };
        let first = leaf
            .path
            .first()
            .map(|step| tree.child(step.node, step.position).key);
        check(evaluation, first.and_then(EdgeKey::action))?;
        effort.truncated_rollouts += u64::from(evaluation.ending == Ending::CutOff);
        effort.depth = effort.depth.max(leaf.path.len() as u32);
        for (i, step) in leaf.path.iter().enumerate() {
            let child = &mut tree.children_mut(step.node)[step.position as usize];
            child.visits += 1;
            if let Some(player) = step.chooser {
                let value = evaluation.returns.of(player);
                child.sum += value;
                child.squares += value * value;
                self.rule.record(tree, i, leaf, value);
            }
        }
        Ok(())
    }

    fn root_statistics(
        &self,
        tree: &RuleTree<G, R>,
        mut effort: Effort,
        done: u64,
    ) -> RootStatistics<G> {
        effort.simulations = done;
        effort.worlds = 1;
        effort.effective_sample_size = 1.0;
        effort.edges = tree.edges();
        effort.bytes = tree.bytes();
        effort.deterministic = effort.stop == StopReason::Simulations;
        let arms = tree.children(0).iter().filter_map(|child| {
            Some(Arm {
                bounds: None,
                action: child.key.action()?,
                visits: u64::from(child.visits),
                sum: child.sum,
                sum_of_squares: child.squares,
                availability: done,
            })
        });
        RootStatistics {
            arms: arms.collect(),
            effort,
            snapshot: None,
        }
    }
}

/// Plays the chance turn after an action as if there were no noise.
pub(crate) fn play_exactly<G: Game>(
    game: &G,
    actions: &dyn ContinuousActions<G>,
    world: &mut G::State,
) {
    if game.turn(world) == Turn::Chance && actions.is_execution(game, world) {
        let outcome = actions.exactly(game, world);
        game.apply_chance(world, outcome);
    }
}

/// Refuses what cannot be added up, and rules that break their contract.
pub(crate) fn check<A: Copy + std::fmt::Debug>(
    evaluation: &Evaluation,
    first: Option<A>,
) -> Result<(), SearchError> {
    let returns = &evaluation.returns;
    if let Some(player) = returns.iter().position(|value| !usable(*value)) {
        return Err(SearchError::NonFiniteReturn {
            player,
            value: returns[player],
            action: format!("{first:?}"),
        });
    }
    match evaluation.ending {
        Ending::Stuck(player) => Err(SearchError::NoActions {
            player: player.index(),
        }),
        _ => Ok(()),
    }
}

/// Gives a childless node its legal actions in random order. `false` when they do not fit.
pub(crate) fn list<G: Game, R: Rule<G>>(
    game: &G,
    tree: &mut RuleTree<G, R>,
    at: u32,
    leaf: &mut Leaf<G>,
    memory: &mut Memory<G, R>,
) -> bool {
    use crate::rng::Draw;
    game.legal_actions(&leaf.world, &mut leaf.legal);
    memory.keys.clear();
    memory
        .keys
        .extend(leaf.legal.iter().map(|&a| EdgeKey::Action(a)));
    leaf.rng.shuffle(&mut memory.keys);
    tree.add_block(at, memory.keys.iter().copied())
}

/// Follows what chance draws, remembering each outcome met.
pub(crate) fn draw_any<G: Game, R: Rule<G>>(
    game: &G,
    tree: &mut RuleTree<G, R>,
    at: u32,
    leaf: &mut Leaf<G>,
) -> Option<u32> {
    let key = EdgeKey::Chance(game.sample_chance(&leaf.world, &mut leaf.rng));
    match tree.children(at).iter().position(|child| child.key == key) {
        Some(position) => Some(position as u32),
        None => tree.push(at, key, 0),
    }
}
