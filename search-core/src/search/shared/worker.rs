//! What one thread does to a tree that it shares.

use std::sync::atomic::Ordering;

use super::Shared;
use crate::budget::StopReason;
use crate::decision::{Effort, SearchError};
use crate::game::{Game, Player, Turn};
use crate::rng::{Draw, SimRng};
use crate::rollout::{Ending, Evaluation, LeafEvaluator};
use crate::search::key::GameKey;
use crate::search::meter::Meter;
use crate::search::root::usable;
use crate::search::selection::Available;
use crate::search::worlds::Worlds;
use crate::tree::EdgeKey;
use crate::tree::shared::{NotMade, SharedTree};

/// Room for this many legal actions is there from the beginning.
const ROOM: usize = 256;

/// Memory of one thread, and what it counts.
pub(super) struct Worker<G: Game> {
    world: G::State,
    rng: SimRng,
    legal: Vec<G::Action>,
    path: Vec<Step>,
    /// Position of the first edge among the root's children.
    root_ordinal: u32,
    available: Vec<Available<u32>>,
    seen: Vec<bool>,
    keys: Vec<GameKey<G>>,
    reports: bool,
    pub(super) done: u64,
    pub(super) effort: Effort,
    /// Sums of squares of the root's children, in their order.
    pub(super) squares: Vec<f64>,
    pub(super) error: Option<SearchError>,
}

/// An edge on the way down; nobody chose the root and the chance edges.
struct Step {
    id: u32,
    chooser: Option<Player>,
}

impl<G: Game> Worker<G> {
    pub(super) fn new(game: &G, worlds: &impl Worlds<G>, reports: bool) -> Self {
        Self {
            world: worlds.scratch(game),
            rng: SimRng::new(0),
            legal: Vec::with_capacity(ROOM),
            path: Vec::with_capacity(64),
            root_ordinal: 0,
            available: Vec::with_capacity(ROOM),
            seen: Vec::with_capacity(ROOM),
            keys: Vec::with_capacity(ROOM),
            reports,
            done: 0,
            effort: Effort::default(),
            squares: Vec::new(),
            error: None,
        }
    }

    /// Notes that children were not made.
    #[cold]
    fn not_made(&mut self, why: NotMade) {
        match why {
            NotMade::Full => self.effort.refused_expansions += 1,
            NotMade::Taken => self.effort.lost_expansions += 1,
        }
    }

    /// One of the legal actions that have no edge yet, each with equal probability.
    fn untried(&mut self) -> G::Action {
        self.seen.clear();
        self.seen.resize(self.legal.len(), false);
        for known in &self.available {
            self.seen[known.position as usize] = true;
        }
        let untried = self.legal.len() - self.available.len();
        let nth = self.rng.below(untried as u32) as usize;
        let unseen = self
            .legal
            .iter()
            .zip(&self.seen)
            .filter(|(_, seen)| !**seen);
        unseen
            .map(|(action, _)| *action)
            .nth(nth)
            .unwrap_or(self.legal[0])
    }
}

/// Tells the other threads to end when this one fails or panics.
struct StopAll<'a>(&'a std::sync::atomic::AtomicBool);

impl Drop for StopAll<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

impl<G: Game, W: Worlds<G>, E: LeafEvaluator<G>> Shared<'_, G, W, E> {
    /// Runs simulations until the budget is spent.
    pub(super) fn work(&self, worker: &mut Worker<G>) {
        let _guard = StopAll(&self.stop);
        let budget = self.budget;
        let mut meter = Meter::new(budget, budget.simulations, budget.time, worker.reports);
        loop {
            let begun = self.next.load(Ordering::Relaxed).min(meter.most());
            if begun > 0 && self.stopped() {
                return;
            }
            if let Some(reason) = meter.stop(begun, u64::from(self.tree.len()) - 1) {
                worker.effort.stop = reason;
                if reason != StopReason::Simulations {
                    self.stop.store(true, Ordering::Relaxed);
                }
                return;
            }
            // Nobody else has this number: there are never more simulations than asked for.
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= meter.most() {
                return;
            }
            if let Err(error) = self.simulate(worker, number) {
                worker.error = Some(error);
                self.stop.store(true, Ordering::Relaxed);
                return;
            }
            worker.done += 1;
        }
    }

    fn simulate(&self, worker: &mut Worker<G>, number: u64) -> Result<(), SearchError> {
        worker.rng = self.seed.simulation(number);
        let weight = self
            .worlds
            .load(self.game, &mut worker.rng, &mut worker.world);
        if weight != 0.0 {
            return Err(SearchError::WeightedWorlds { log_weight: weight });
        }
        if self.game.turn(&worker.world) != Turn::Player(self.player) {
            let player = self.player.index();
            return Err(SearchError::MixedWorlds { player });
        }
        self.descend(worker);
        let Worker {
            world, rng, legal, ..
        } = worker;
        let evaluation = self.evaluator.evaluate(self.game, world, rng, legal);
        self.back_up(worker, &evaluation)
    }

    /// Descends from the root to where the simulation leaves the tree, counted as in flight on every
    /// edge that it passes.
    fn descend(&self, worker: &mut Worker<G>) {
        worker.path.clear();
        let (mut at, mut chooser) = (SharedTree::<GameKey<G>>::ROOT, None);
        loop {
            let before = self.tree.edge(at).begin().total();
            let is_root = worker.path.is_empty();
            worker.path.push(Step { id: at, chooser });
            // A node other than the root is a leaf until its second visit.
            if !is_root && before == 0 {
                return;
            }
            let found = match self.game.turn(&worker.world) {
                Turn::Terminal => return,
                Turn::Chance => {
                    chooser = None;
                    self.chance_step(at, worker)
                }
                Turn::Player(player) => {
                    chooser = Some(player);
                    if self.available {
                        self.available_step(at, worker)
                    } else {
                        // The visit that made a node did not choose a child.
                        self.block_step(at, before - u32::from(!is_root), worker)
                    }
                }
            };
            let Some((id, ordinal)) = found else {
                return;
            };
            match self.tree.edge(id).key() {
                Some(EdgeKey::Action(action)) => self.game.apply(&mut worker.world, action),
                Some(EdgeKey::Chance(outcome)) => {
                    self.game.apply_chance(&mut worker.world, outcome);
                }
                None => return,
            }
            if is_root {
                worker.root_ordinal = ordinal;
            }
            at = id;
        }
    }

    /// Follows what chance draws, remembering each outcome met.
    fn chance_step(&self, at: u32, worker: &mut Worker<G>) -> Option<(u32, u32)> {
        let outcome = self.game.sample_chance(&worker.world, &mut worker.rng);
        let key = EdgeKey::Chance(outcome);
        let (mut last, mut count) = (None, 0);
        for (child, edge) in self.tree.children(at) {
            if edge.key() == Some(key) {
                return Some((child, count));
            }
            last = Some(child);
            count += 1;
        }
        match self.tree.append_child(at, last, key) {
            Ok(child) => Some((child, count)),
            Err(why) => {
                worker.not_made(why);
                None
            }
        }
    }

    /// Chooses among all legal actions, making their edges first.
    #[inline]
    fn block_step(&self, at: u32, total: u32, worker: &mut Worker<G>) -> Option<(u32, u32)> {
        if !self.tree.is_expanded(at) {
            self.game.legal_actions(&worker.world, &mut worker.legal);
            worker.keys.clear();
            let actions = worker.legal.iter().map(|&a| EdgeKey::Action(a));
            worker.keys.extend(actions);
            worker.rng.shuffle(&mut worker.keys);
            match self.tree.add_children(at, &worker.keys) {
                Ok(()) => {}
                Err(NotMade::Full) => {
                    worker.not_made(NotMade::Full);
                    return None;
                }
                // They may be there already.
                Err(NotMade::Taken) => {}
            }
        }
        let found = self.ucb.select(&self.tree, at, total, &mut worker.rng);
        if found.is_none() {
            worker.not_made(NotMade::Taken);
        }
        found
    }

    /// Chooses among the actions legal in this world: one without an edge if there is any.
    #[inline]
    fn available_step(&self, at: u32, worker: &mut Worker<G>) -> Option<(u32, u32)> {
        self.game.legal_actions(&worker.world, &mut worker.legal);
        worker.available.clear();
        let (mut last, mut count) = (None, 0);
        for (child, edge) in self.tree.children(at) {
            last = Some(child);
            if let Some(EdgeKey::Action(action)) = edge.key()
                && let Ok(position) = worker.legal.binary_search(&action)
            {
                worker.available.push(Available {
                    id: child,
                    ordinal: count,
                    position: position as u32,
                });
                // The other children belong to other worlds.
                if worker.available.len() == worker.legal.len() {
                    break;
                }
            }
            count += 1;
        }
        if worker.available.len() < worker.legal.len() {
            let untried = worker.untried();
            match self.tree.append_child(at, last, EdgeKey::Action(untried)) {
                Ok(child) => {
                    self.tree.edge(child).record_availability();
                    for other in &worker.available {
                        self.tree.edge(other.id).record_availability();
                    }
                    return Some((child, count));
                }
                Err(why) => worker.not_made(why),
            }
        }
        let available = &worker.available;
        self.ucb
            .select_available(&self.tree, at, available, &mut worker.rng)
    }

    /// Adds the simulation to every edge on its path: to each the return of the player who chose it.
    fn back_up(&self, worker: &mut Worker<G>, evaluation: &Evaluation) -> Result<(), SearchError> {
        let returns = &evaluation.returns;
        if let Some(player) = returns.iter().position(|value| !usable(*value)) {
            let first = worker.path.get(1).and_then(|s| self.tree.edge(s.id).key());
            return Err(SearchError::NonFiniteReturn {
                player,
                value: returns[player],
                action: format!("{:?}", first.and_then(EdgeKey::action)),
            });
        }
        match evaluation.ending {
            Ending::Terminal => {}
            Ending::CutOff => worker.effort.truncated_rollouts += 1,
            Ending::Stuck(player) => {
                let player = player.index();
                return Err(SearchError::NoActions { player });
            }
        }
        worker.effort.depth = worker.effort.depth.max(worker.path.len() as u32 - 1);
        for step in &worker.path {
            let value = step.chooser.map(|player| returns.of(player));
            self.tree.edge(step.id).record(value);
        }
        if let Some(player) = worker.path.get(1).and_then(|step| step.chooser) {
            let ordinal = worker.root_ordinal as usize;
            if worker.squares.len() <= ordinal {
                worker.squares.resize(ordinal + 1, 0.0);
            }
            worker.squares[ordinal] += returns.of(player) * returns.of(player);
        }
        Ok(())
    }
}
