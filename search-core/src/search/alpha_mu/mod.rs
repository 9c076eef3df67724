//! αμ: plans that hold in many worlds at once, for games that are won or lost.
//!
//! Cazenave & Ventos 2019/2021 ("The αμ Search Algorithm for the Game of Bridge"). A fixed set of worlds
//! is searched together. A position is not worth a number but a *Pareto front* of sets of worlds: each set
//! is what one plan wins, the same plan in every world. At a decision of the searching side the front is
//! the union of its actions' fronts; at a decision of the others, who are taken to see the world, it has
//! the worlds that survive whatever they do, for every combination of one set an action. Sets contained
//! in others are dropped. That cures what PIMC suffers from: *strategy fusion*, since a set belongs to one
//! plan, and *non-locality*, since a plan that is not the best here may be the only one that goes with the
//! rest of the front (Frank & Basin 1998).
//!
//! `depth` (the paper's M) counts the side's own decisions. After that each world is solved as if everything
//! were visible, so depth 1 is PIMC with a perfect solver. More decisions can only take worlds away, so what
//! was found at a smaller depth is a bound: the search deepens step by step, leaves decisions of the others
//! that cannot beat what the decision above has already (*early cut*), and ends an iteration at the root with
//! the first action that is still worth as much as the best was before (*root cut*).
//!
//! The moves must be public, and there must be no chance turns below the root. With more than two players
//! the side plays against all others in league.
//!
//! What it may know: the searcher's own observation; what the others may know: everything.

mod engine;
mod front;
mod solver;

pub use solver::{Halt, ProofSearch, Question, Side, WorldSolver};

use crate::budget::{Budget, StopReason};
use crate::decision::{Candidate, Decision, Effort, SearchError};
use crate::game::Game;
use crate::observation::Determinizer;
use crate::rng::Seed;
use crate::search::Searcher;
use crate::search::expectimax::StateKey;
use crate::search::worlds::{Root, Sampled, Worlds};
use engine::Engine;
use front::Front;

/// Worlds are bits of a number.
const MOST_WORLDS: u32 = 128;
/// Each decision of the side is a level of recursion, and those of the others between.
const MOST_DEPTH: u32 = 64;

/// Settings of [`AlphaMu`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AlphaMuSettings {
    /// Worlds, 1 to 128.
    pub worlds: u32,
    /// Decisions of the side that are planned for all worlds together, the root's included, 1 to 64.
    pub depth: u32,
    /// Who plays with the player to move.
    pub side: Side,
    /// A world is won when the return of the player to move is above this.
    pub won_above: f64,
    /// Early cut and root cut; the choice is as good without, and dearer.
    pub cuts: bool,
    /// Decide at once, without a search, when there is one legal action.
    pub skip_forced: bool,
}

impl Default for AlphaMuSettings {
    fn default() -> Self {
        Self {
            worlds: 20,
            depth: 2,
            side: Side::Alone,
            won_above: 0.0,
            cuts: true,
            skip_forced: false,
        }
    }
}

/// αμ search with a determinizer and a solver of worlds.
///
/// In its decisions a candidate's mean is the *share of worlds won* by the best plan that begins with it,
/// and its visits are the worlds; a candidate that a cut left out has what it had at the depth before.
/// Simulations are positions looked at, and the depth of the effort is the last one searched in full.
/// When the budget ends before depth 1, the worlds of the actions that were not reached count as lost, and
/// as truncated.
#[derive(Debug, Clone)]
pub struct AlphaMu<G: Game, D, W = ProofSearch<G>> {
    /// The settings.
    pub settings: AlphaMuSettings,
    /// Where worlds come from.
    pub determinizer: D,
    /// Who wins a world when everything is visible.
    pub solver: W,
    key: Option<StateKey<G>>,
}

impl<G: Game, D: Determinizer<G>> AlphaMu<G, D> {
    /// With a search for a proof to the end of the game; `key`, equal for states from which the game goes on
    /// in the same way, lets it and the plans meet positions again.
    #[must_use]
    pub fn new(settings: AlphaMuSettings, determinizer: D, key: Option<StateKey<G>>) -> Self {
        let solver = ProofSearch::new(key);
        let key = solver.key();
        Self {
            settings,
            determinizer,
            solver,
            key,
        }
    }
}

impl<G: Game, D: Determinizer<G>, W: WorldSolver<G>> AlphaMu<G, D, W> {
    /// With this solver.
    #[must_use]
    pub const fn with_solver(settings: AlphaMuSettings, determinizer: D, solver: W) -> Self {
        Self {
            settings,
            determinizer,
            solver,
            key: None,
        }
    }

    fn check(&self) -> Result<(), SearchError> {
        let bad = |name, value: String, expected| SearchError::BadSetting {
            name,
            value,
            expected,
        };
        let AlphaMuSettings {
            worlds,
            depth,
            won_above,
            ..
        } = self.settings;
        if !(1..=MOST_WORLDS).contains(&worlds) {
            return Err(bad("worlds", worlds.to_string(), "1 to 128 worlds"));
        }
        if !(1..=MOST_DEPTH).contains(&depth) {
            return Err(bad("depth", depth.to_string(), "1 to 64 decisions"));
        }
        if won_above.is_nan() {
            return Err(bad("won_above", won_above.to_string(), "a return"));
        }
        Ok(())
    }
}

impl<G: Game, D: Determinizer<G>, W: WorldSolver<G>> Searcher<G> for AlphaMu<G, D, W> {
    fn search(
        &mut self,
        game: &G,
        observation: &G::Observation,
        budget: &Budget,
        seed: Seed,
    ) -> Result<Decision<G::Action>, SearchError> {
        let limited = budget.simulations.is_some() || budget.time.is_some();
        if limited && budget.is_empty() || budget.nodes == Some(0) {
            return Err(SearchError::EmptyBudget);
        }
        self.check()?;
        let settings = self.settings;
        let mut source = Sampled::to_weigh(game, &self.determinizer, observation)?;
        let root = Root::look(game, &source, seed)?;
        let mut deepening = Deepening::new(&root, settings.worlds);
        if settings.skip_forced && root.legal.len() == 1 {
            deepening.effort.stop = StopReason::Settled;
            return Ok(deepening.decide());
        }
        // Positions are not worlds: the pool need not be small because the budget is.
        source.weigh(game, &Budget::default(), seed)?;
        let mut worlds = Vec::new();
        for index in 0..u64::from(settings.worlds) {
            let mut world = source.scratch(game);
            let mut rng = seed.index(index).child("world").simulation(0);
            let weight = source.load(game, &mut rng, &mut world);
            if weight != 0.0 {
                return Err(SearchError::WeightedWorlds { log_weight: weight });
            }
            root.agrees(game, &world)?;
            worlds.push(world);
        }
        let question = Question::new(root.player, settings.side, settings.won_above, budget);
        let mut engine = Engine::new(game, &mut self.solver, question, worlds);
        (engine.cuts, engine.key) = (settings.cuts, self.key);
        deepening.run(&mut engine, settings.depth)?;
        source.report(&mut deepening.effort);
        Ok(deepening.decide())
    }
}

/// What is known of the root's actions, depth by depth.
struct Deepening<'r, A> {
    root: &'r Root<A>,
    worlds: u32,
    /// Worlds won by each action.
    won: Vec<u32>,
    /// Whether it was searched at all.
    tried: Vec<bool>,
    best: usize,
    effort: Effort,
}

impl<'r, A: Copy + Ord> Deepening<'r, A> {
    fn new(root: &'r Root<A>, worlds: u32) -> Self {
        let actions = root.legal.len();
        Self {
            root,
            worlds,
            won: vec![0; actions],
            tried: vec![false; actions],
            best: 0,
            effort: Effort {
                deterministic: true,
                ..Effort::default()
            },
        }
    }

    fn run<G: Game<Action = A>, W: WorldSolver<G>>(
        &mut self,
        engine: &mut Engine<'_, '_, G, W>,
        most: u32,
    ) -> Result<(), SearchError> {
        self.effort.stop = StopReason::Depth;
        for depth in 1..=most {
            engine.stopped_short = false;
            match self.iterate(engine, depth) {
                Ok(()) => self.effort.depth = depth,
                Err(Halt::Error(error)) => return Err(error),
                Err(Halt::Budget(stop)) => {
                    self.effort.stop = stop;
                    break;
                }
            }
            let settled = self.won[self.best] == 0 || !engine.stopped_short;
            if settled {
                self.effort.stop = StopReason::Settled;
                break;
            }
        }
        let untried = self.tried.iter().filter(|t| !**t).count() as u64;
        if self.effort.depth == 0 {
            let tried = (0..self.won.len()).filter(|&i| self.tried[i]);
            let best = tried.max_by_key(|&i| (self.won[i], u32::MAX - i as u32));
            self.best = best.unwrap_or(0);
            self.effort.truncated_rollouts = untried * u64::from(self.worlds);
            if untried == self.won.len() as u64 {
                // Nothing is known: an agent takes that for no decision at all.
                self.effort.refused_expansions = untried;
            }
        }
        self.effort.simulations = engine.question.positions;
        self.effort.edges = engine.len() as u64;
        self.effort.worlds = u64::from(self.worlds);
        self.effort.effective_sample_size = self.effort.worlds as f64;
        let timed = matches!(self.effort.stop, StopReason::Time | StopReason::Cancelled);
        self.effort.deterministic = !timed;
        Ok(())
    }

    /// Searches all actions to one depth, the best so far first.
    fn iterate<G: Game<Action = A>, W: WorldSolver<G>>(
        &mut self,
        engine: &mut Engine<'_, '_, G, W>,
        depth: u32,
    ) -> Result<(), Halt> {
        let all = u128::MAX >> (128 - self.worlds);
        let promised = self.won[self.best];
        let mut order: Vec<usize> = (0..self.won.len()).collect();
        let rank = |i: usize| (i != self.best, u32::MAX - self.won[i], i);
        crate::order::sort_by(&mut order, &|a, b| rank(a).cmp(&rank(b)));
        let mut front = Front::empty();
        let mut best: Option<usize> = None;
        for i in order {
            // What an action was worth with fewer decisions in advance is more than it is now.
            let hopeless = best.is_some_and(|b| self.tried[i] && self.won[i] <= self.won[b]);
            if engine.cuts && depth > 1 && hopeless {
                continue;
            }
            let offered = engine.root_action(self.root.legal[i], depth, all, &front)?;
            self.won[i] = offered.most();
            self.tried[i] = true;
            front.or(&offered);
            if best.is_none_or(|b| self.won[i] > self.won[b]) {
                best = Some(i);
            }
            let kept = self.won[i] == promised && depth > 1 || self.won[i] == self.worlds;
            if engine.cuts && kept {
                break;
            }
        }
        self.best = best.unwrap_or(self.best);
        Ok(())
    }

    /// The decision, with an entry for every legal action.
    fn decide(self) -> Decision<A> {
        let legal = &self.root.legal;
        let n = f64::from(self.worlds);
        let candidates = legal.iter().zip(self.won.iter().zip(&self.tried));
        let candidates = candidates
            .enumerate()
            .map(|(i, (&action, (&won, &tried)))| {
                let mean = f64::from(won) / n;
                Candidate {
                    action,
                    visits: if tried { u64::from(self.worlds) } else { 0 },
                    mean: if tried { mean } else { f64::NAN },
                    std_error: if tried {
                        (mean * (1.0 - mean) / (n - 1.0)).sqrt()
                    } else {
                        f64::NAN
                    },
                    availability: u64::from(self.worlds),
                    policy: f64::from(u8::from(i == self.best)),
                    proven: None,
                    versus_chosen: None,
                }
            });
        Decision {
            action: legal[self.best],
            candidates: candidates.collect(),
            effort: self.effort,
        }
    }
}
