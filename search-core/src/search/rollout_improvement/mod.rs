//! The rollout algorithm: one step of policy improvement by simulation.
//!
//! Tesauro & Galperin 1996; Bertsekas, Tsitsiklis & Wu 1997. Each candidate action is played, the
//! searching player then follows the *base policy* and the others their *opponent model*, each
//! seeing only their own observation; the action with the best mean over common worlds is played
//! if it beats the base policy's own choice by more than the gate asks.
//!
//! The improvement theorem needs exact values, opponents that really follow the model, and a base
//! policy that is consistent along a line of play; with few worlds the best of many noisy means is
//! biased upward, which is what the gate is for.
//!
//! Rollouts may stop after some turns and be valued by an evaluator (*truncated* rollouts), candidates
//! may drop out as soon as they are clearly worse ([`PairedStop`]), and the base policy may itself be
//! such a search ([`nested`]).

mod nested;
mod propose;
mod race;

use std::sync::Arc;
use std::time::Instant;

use crate::budget::Budget;
use crate::decision::{Decision, SearchError};
use crate::game::Game;
use crate::observation::Determinizer;
use crate::policy::{Evaluator, Observing, Policy};
use crate::rng::Seed;
use crate::search::Searcher;
use crate::search::arms::{Arms, BySeat, CommonNumbers, Horizon, Table};
use crate::search::tree_search::not_negative;
use crate::search::worlds::{Root, Sampled};

pub use nested::nested;
pub use propose::{AllLegal, PickOf, Proposer};
pub use race::PairedStop;

/// Settings of [`RolloutImprovement`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RolloutSettings {
    /// Worlds in which every candidate is played; a smaller budget in simulations comes first.
    pub samples: u64,
    /// The base policy's choice is kept unless the paired gain exceeds this many of its standard
    /// errors. With 0 any positive gain switches.
    pub gate: f64,
    /// With more proposals than this, the best so many of a first pass over a quarter of the
    /// samples go on.
    pub most_candidates: Option<usize>,
    /// Candidates that are clearly worse drop out before `samples` worlds.
    pub stop: Option<PairedStop>,
    /// Rollouts stop after so many turns, chance's included, and are valued by the evaluator.
    pub max_turns: Option<u32>,
    /// What the candidates have in common.
    pub numbers: CommonNumbers,
    /// Threads; the result does not depend on them.
    pub threads: usize,
}

impl Default for RolloutSettings {
    fn default() -> Self {
        Self {
            samples: 32,
            gate: 0.0,
            most_candidates: None,
            stop: None,
            max_turns: None,
            numbers: CommonNumbers::EventKeyed,
            threads: 1,
        }
    }
}

impl RolloutSettings {
    fn check(&self) -> Result<(), SearchError> {
        // An infinite gate keeps the base policy's choice.
        if self.gate != f64::INFINITY {
            not_negative("gate", self.gate)?;
        }
        self.stop.map_or(Ok(()), PairedStop::check)
    }
}

/// Rollout improvement of a base policy against an opponent model.
pub struct RolloutImprovement<G: Game, D, B, O> {
    /// The settings.
    pub settings: RolloutSettings,
    /// Where worlds come from.
    pub determinizer: D,
    /// How the searching player goes on.
    pub base: B,
    /// How everybody else plays.
    pub opponents: O,
    /// Who names candidates besides the base policy.
    pub proposers: Vec<Box<dyn Proposer<G>>>,
    /// What values a rollout that was stopped before the end of the game; without one it is
    /// [`Game::cut_off_returns`]. Such rollouts are counted as truncated.
    pub evaluator: Option<Arc<dyn Evaluator<G>>>,
}

impl<G: Game, D: Determinizer<G>, B: Policy<G>, O: Policy<G>> RolloutImprovement<G, D, B, O> {
    /// Compares all legal actions.
    #[must_use]
    pub fn new(settings: RolloutSettings, determinizer: D, base: B, opponents: O) -> Self {
        Self {
            settings,
            determinizer,
            base,
            opponents,
            proposers: vec![Box::new(AllLegal)],
            evaluator: None,
        }
    }

    /// The base policy's choice first, then the proposals in their order.
    fn candidates(
        &self,
        game: &G,
        observation: &G::Observation,
        legal: &[G::Action],
        seed: Seed,
    ) -> Vec<G::Action> {
        let mut rng = seed.child("base").simulation(0);
        let base = self.base.choose(game, observation, legal, &mut rng);
        let mut proposals = vec![base];
        for (i, proposer) in self.proposers.iter().enumerate() {
            let seed = seed.index(i as u64);
            proposer.propose(game, observation, legal, seed, &mut proposals);
        }
        let mut candidates: Vec<G::Action> = Vec::new();
        for action in proposals {
            if legal.binary_search(&action).is_ok() && !candidates.contains(&action) {
                candidates.push(action);
            }
        }
        candidates
    }
}

impl<G, D, B, O> Searcher<G> for RolloutImprovement<G, D, B, O>
where
    G: Game,
    D: Determinizer<G>,
    B: Policy<G>,
    O: Policy<G>,
{
    fn search(
        &mut self,
        game: &G,
        observation: &G::Observation,
        budget: &Budget,
        seed: Seed,
    ) -> Result<Decision<G::Action>, SearchError> {
        self.settings.check()?;
        let limited = budget.simulations.is_some() || budget.time.is_some();
        if limited && budget.is_empty() || self.settings.samples == 0 {
            return Err(SearchError::EmptyBudget);
        }
        let mut worlds = Sampled::to_weigh(game, &self.determinizer, observation)?;
        let root = Root::look(game, &worlds, seed)?;
        let mut candidates = self.candidates(game, observation, &root.legal, seed);
        let failure = self.base.failure().or_else(|| self.opponents.failure());
        if let Some(error) = failure {
            return Err(error);
        }
        if candidates.is_empty() {
            return Err(SearchError::NoActions {
                player: root.player.index(),
            });
        }
        if candidates.len() > 1 {
            let samples = self.settings.samples;
            let most = budget.simulations.map_or(samples, |n| n.min(samples));
            worlds.weigh(game, &Budget::simulations(most), seed)?;
        }
        let policy = BySeat {
            me: root.player,
            own: &Observing(&self.base),
            others: &Observing(&self.opponents),
        };
        let parts = (game, &worlds, &policy);
        let base = candidates[0];
        let new_arms = |actions: &[G::Action], seed| {
            let mut arms = Arms::new(parts, &root, actions, seed);
            arms.numbers = self.settings.numbers;
            arms.threads = self.settings.threads;
            arms.horizon = Horizon {
                turns: self.settings.max_turns,
                evaluator: self.evaluator.as_deref(),
            };
            arms
        };
        if candidates.len() == 1 {
            let mut arms = new_arms(&candidates, seed);
            arms.settled();
            return Ok(arms.decide(base));
        }
        let started = Instant::now();
        let (mut spent, mut truncated) = (0, 0);
        if let Some(most) = self.settings.most_candidates
            && candidates.len() > most.max(2)
        {
            let mut arms = new_arms(&candidates, seed.child("screen"));
            let share = capped(
                budget,
                candidates.len(),
                self.settings.samples.div_ceil(4),
                4,
            );
            arms.pull_evenly(&share)?;
            spent = arms.effort.simulations;
            truncated = arms.effort.truncated_rollouts;
            let all: Vec<usize> = (1..candidates.len()).collect();
            let kept = arms.table.ranked(&all);
            let kept = kept.iter().take(most.max(2) - 1).map(|&i| candidates[i]);
            candidates = std::iter::once(base).chain(kept).collect();
        }
        let mut arms = new_arms(&candidates, seed);
        let mut rest = capped(budget, candidates.len(), self.settings.samples, 1);
        if let Some(total) = budget.simulations {
            rest.simulations = rest.simulations.map(|n| n.min(total - spent));
        }
        rest.time = rest.time.map(|t| t.saturating_sub(started.elapsed()));
        let mut live: Vec<usize> = (0..candidates.len()).collect();
        if rest.simulations != Some(0) {
            match self.settings.stop {
                Some(stop) => live = stop.race(&mut arms, self.settings.samples, &rest)?,
                None => arms.pull_evenly(&rest)?,
            }
        }
        arms.effort.simulations += spent;
        arms.effort.truncated_rollouts += truncated;
        let chosen = arms.actions[self.settings.choose(&arms.table, &live)];
        worlds.report(&mut arms.effort);
        Ok(arms.decide(chosen))
    }
}

/// `samples` worlds for each candidate, or `1 / part` of the budget if that is less.
fn capped(budget: &Budget, candidates: usize, samples: u64, part: u32) -> Budget {
    let wanted = samples.saturating_mul(candidates as u64);
    let allowed = budget.simulations.map_or(u64::MAX, |n| n / u64::from(part));
    Budget {
        simulations: Some(wanted.min(allowed)),
        time: budget.time.map(|time| time / part),
        ..budget.clone()
    }
}

impl RolloutSettings {
    /// The best candidate that is left, if it passes the gate against the base policy's choice, the first.
    fn choose(&self, table: &Table, live: &[usize]) -> usize {
        let challengers: Vec<usize> = live.iter().copied().filter(|&arm| arm > 0).collect();
        let Some(&best) = table.ranked(&challengers).first() else {
            return 0;
        };
        // One world alone has no standard error: it passes no gate but 0.
        let needed = |error: f64| {
            if self.gate > 0.0 {
                self.gate * error
            } else {
                0.0
            }
        };
        match table.difference(best, 0) {
            Some(gain) if gain.mean > 0.0 && gain.mean > needed(gain.std_error) => best,
            _ => 0,
        }
    }
}
