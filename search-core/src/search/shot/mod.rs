//! SHOT: sequential halving applied to trees (Cazenave 2015).
//!
//! The budget of a position is shared by its actions in rounds, each half as many actions as the one
//! before, and an action's share is the budget of the position after it, down to a budget of one, which
//! is a rollout. Only positions with a budget of two or more are remembered.
//!
//! Halving minimises *simple* regret: what the chosen action lacks. Used inside a tree it has a price:
//! the mean of a position counts the replies that were discarded as well, and of two replies each gets
//! half of the budget, however large it is. Values of positions with few replies therefore stay closer
//! to those of random play than UCT's do.
//!
//! What it may know: everything. The halves of one position are of one position: with hidden
//! information they would be means over worlds that the players could not tell apart, so the searcher
//! takes a state, and works as a [`Searcher`] for games whose observation is the state. Chance is
//! played: a position before a draw draws as often as its budget says, and equal outcomes search on
//! together.

mod subtree;
mod totals;

use std::marker::PhantomData;
use std::time::Instant;

use crate::budget::{Budget, StopReason};
use crate::decision::{Candidate, Decision, Effort, SearchError};
use crate::game::Game;
use crate::rng::Seed;
use crate::rollout::{LeafEvaluator, Rollout};
use crate::search::Searcher;
use crate::search::flat::rounds;
use crate::search::meter::Meter;
use crate::search::tree_search::Share;
use crate::search::worlds::{Known, Root};

use subtree::{Rules, Subtree};
use totals::Totals;

/// Settings of [`Shot`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShotSettings {
    /// Threads, which search the positions after different actions side by side; the result does not
    /// depend on them.
    pub threads: usize,
    /// Decide at once, without a simulation, when there is one legal action.
    pub skip_forced: bool,
}

impl Default for ShotSettings {
    fn default() -> Self {
        Self {
            threads: 1,
            skip_forced: false,
        }
    }
}

/// Sequential halving in a tree, for games of perfect information. Needs a budget in simulations, of
/// which it uses every one; a position where the game is over uses its whole share at once.
#[derive(Debug, Clone)]
pub struct Shot<G: Game, E = Rollout> {
    /// The settings.
    pub settings: ShotSettings,
    /// What values a position with a budget of one: a random rollout by default.
    pub evaluator: E,
    game: PhantomData<fn(G)>,
}

impl<G: Game> Default for Shot<G> {
    fn default() -> Self {
        Self::new(ShotSettings::default())
    }
}

impl<G: Game> Shot<G> {
    /// With random rollouts.
    #[must_use]
    pub fn new(settings: ShotSettings) -> Self {
        Self::with(settings, Rollout::default())
    }
}

impl<G: Game, E: LeafEvaluator<G>> Shot<G, E> {
    /// With this evaluator.
    #[must_use]
    pub fn with(settings: ShotSettings, evaluator: E) -> Self {
        Self {
            settings,
            evaluator,
            game: PhantomData,
        }
    }

    /// Searches a state that is known in full.
    ///
    /// # Errors
    /// See [`SearchError`].
    pub fn search_state(
        &mut self,
        game: &G,
        state: &G::State,
        budget: &Budget,
        seed: Seed,
    ) -> Result<Decision<G::Action>, SearchError> {
        if budget.is_empty() {
            return Err(SearchError::EmptyBudget);
        }
        let total = budget
            .simulations
            .ok_or(SearchError::NeedsSimulations { method: "SHOT" })?;
        let root = Root::look(game, &Known(state), seed)?;
        let effort = Effort {
            deterministic: true,
            worlds: 1,
            effective_sample_size: 1.0,
            ..Effort::default()
        };
        let mut search = Halving {
            arms: Arm::of_all(&root.legal, budget, game, state, seed),
            rules: Rules {
                game,
                evaluator: &self.evaluator,
                player: root.player,
            },
            threads: self.settings.threads,
            budget,
            started: Instant::now(),
            effort,
        };
        if self.settings.skip_forced && root.legal.len() == 1 {
            search.effort.stop = StopReason::Settled;
            return Ok(search.decide(0));
        }
        let best = search.run(total)?;
        Ok(search.decide(best))
    }
}

impl<G, E> Searcher<G> for Shot<G, E>
where
    G: Game<Observation = <G as Game>::State>,
    E: LeafEvaluator<G>,
{
    fn search(
        &mut self,
        game: &G,
        observation: &G::Observation,
        budget: &Budget,
        seed: Seed,
    ) -> Result<Decision<G::Action>, SearchError> {
        self.search_state(game, observation, budget, seed)
    }
}

/// An action at the root, with the tree behind it.
struct Arm<G: Game> {
    action: G::Action,
    tree: Subtree<G>,
    totals: Totals,
    /// What it is to spend next, and why it did not.
    share: u64,
    stopped: Option<StopReason>,
    error: Option<SearchError>,
}

impl<G: Game> Arm<G> {
    fn of_all(
        legal: &[G::Action],
        budget: &Budget,
        game: &G,
        state: &G::State,
        seed: Seed,
    ) -> Vec<Self> {
        let limits = Share::of(budget, legal.len() as u64, 1).limits;
        let arms = legal.iter().zip(0..).map(|(&action, i)| {
            let mut start = state.clone();
            game.apply(&mut start, action);
            Self {
                action,
                tree: Subtree::new(start, limits, seed.index(i)),
                totals: Totals::new(game.num_players()),
                share: 0,
                stopped: None,
                error: None,
            }
        });
        arms.collect()
    }
}

/// Sequential halving at the root, the arms of a round side by side.
struct Halving<'a, G: Game, E> {
    arms: Vec<Arm<G>>,
    rules: Rules<'a, G, E>,
    threads: usize,
    budget: &'a Budget,
    started: Instant,
    effort: Effort,
}

impl<G: Game, E: LeafEvaluator<G>> Halving<'_, G, E> {
    /// Spends the budget; returns the arm to play.
    fn run(&mut self, total: u64) -> Result<usize, SearchError> {
        let mut meter = Meter::new(self.budget, Some(total), self.budget.time, true);
        let mut live: Vec<usize> = (0..self.arms.len()).collect();
        let rounds = rounds(live.len());
        let mut level = 0;
        let mut stop = None;
        while live.len() > 1 && stop.is_none() {
            level += (total / (live.len() as u64 * rounds)).max(1);
            self.rank(&mut live);
            let mut left = total - self.effort.simulations;
            for &arm in &live {
                let arm = &mut self.arms[arm];
                arm.share = level.saturating_sub(arm.totals.visits).min(left);
                left -= arm.share;
            }
            stop = self.spend(&mut meter)?;
            self.rank(&mut live);
            live.truncate(live.len().div_ceil(2));
        }
        self.rank(&mut live);
        if stop.is_none() {
            // What integer division left over is for the best.
            self.arms[live[0]].share = total - self.effort.simulations;
            stop = self.spend(&mut meter)?;
        }
        self.effort.stop = stop.unwrap_or(StopReason::Simulations);
        self.effort.deterministic = self.effort.stop == StopReason::Simulations;
        Ok(live[0])
    }

    /// From the best mean to the worst, those without visits last.
    fn rank(&self, live: &mut [usize]) {
        let mean = |arm: usize| self.arms[arm].totals.mean(self.rules.player);
        crate::order::best_first(live, &mean);
    }

    /// Lets every arm spend its share. Returns why it stopped, unless because all was spent.
    fn spend(&mut self, meter: &mut Meter<'_>) -> Result<Option<StopReason>, SearchError> {
        let (rules, budget) = (&self.rules, self.budget);
        let elapsed = self.started.elapsed();
        let time = budget.time.map(|t| t.saturating_sub(elapsed));
        let mut jobs: Vec<_> = self.arms.iter_mut().filter(|arm| arm.share > 0).collect();
        crate::parallel::for_each(self.threads, &mut jobs, &|arm| {
            let mut meter = Meter::new(budget, None, time, false);
            let spent = arm.tree.spend(rules, arm.share, &mut meter);
            match spent {
                Ok((totals, stopped)) => {
                    arm.totals.add(&totals);
                    arm.stopped = stopped;
                }
                Err(error) => arm.error = Some(error.told(arm.action)),
            }
            arm.share = 0;
        });
        let mut stop = None;
        for arm in &mut self.arms {
            if let Some(error) = arm.error.take() {
                return Err(error);
            }
            stop = stop.or(arm.stopped);
        }
        self.effort.simulations = self.arms.iter().map(|arm| arm.totals.visits).sum();
        let edges = self.arms.iter().map(|arm| arm.tree.edges()).sum();
        // Tells of progress as well.
        let metered = meter.stop(self.effort.simulations, edges);
        Ok(stop.or(metered.filter(|&reason| reason != StopReason::Simulations)))
    }

    /// The decision for an arm, with what it took.
    fn decide(self, chosen: usize) -> Decision<G::Action> {
        let mut effort = self.effort;
        for arm in &self.arms {
            arm.tree.add_effort(&mut effort);
        }
        let player = self.rules.player;
        let action = self.arms[chosen].action;
        let candidates = self.arms.iter().map(|arm| {
            let visits = arm.totals.visits;
            Candidate {
                action: arm.action,
                visits,
                mean: if visits > 0 {
                    arm.totals.mean(player)
                } else {
                    f64::NAN
                },
                std_error: arm.totals.std_error(player),
                availability: effort.simulations,
                policy: f64::from(u8::from(arm.action == action)),
                proven: None,
                versus_chosen: None,
            }
        });
        Decision {
            action,
            candidates: candidates.collect(),
            effort,
        }
    }
}
