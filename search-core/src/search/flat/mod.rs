//! Flat Monte Carlo: every root action is played out in the same worlds with the same luck.
//!
//! No tree: the value of an action is that of playing on by the rollout policy, which for a random
//! policy is the *mean* over the opponent's replies where a tree search would converge to the
//! best. The allocation is even; or sequential halving (Karnin, Koren & Somekh 2013), which spends
//! an equal share of the budget a round and keeps the better half; or OCBA (Chen, Lin, Yücesan & Chick
//! 2000), which looks longest at what is hard to tell from the best. With priors see
//! [`Gumbel`](crate::search::Gumbel).
//!
//! What it may know: the searcher's own observation.

mod halving;
mod ocba;

use crate::budget::Budget;
use crate::decision::{Decision, SearchError};
use crate::game::Game;
use crate::observation::Determinizer;
use crate::policy::{RolloutPolicy, UniformRandom};
use crate::rng::Seed;
use crate::search::Searcher;
use crate::search::arms::{Arms, CommonNumbers, Table};
use crate::search::worlds::{Root, Sampled};

pub(crate) use halving::{halve, rounds};

/// How the simulations are divided among the root actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Allocation {
    /// The same number for each.
    #[default]
    Even,
    /// Sequential halving. Needs a budget in simulations.
    SequentialHalving,
    /// Optimal computing budget allocation.
    Ocba {
        /// Simulations of every action before anything is concluded, 2 or more; as far as they take no
        /// more than half of the budget.
        warm_up: u64,
    },
}

impl Allocation {
    /// OCBA with the usual warm-up of 8.
    pub const OCBA: Self = Self::Ocba { warm_up: 8 };
}

/// Settings of [`Flat`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlatSettings {
    /// How the simulations are divided.
    pub allocation: Allocation,
    /// What the actions have in common.
    pub numbers: CommonNumbers,
    /// Threads; the result does not depend on them.
    pub threads: usize,
    /// Decide at once, without a simulation, when there is one legal action.
    pub skip_forced: bool,
}

impl Default for FlatSettings {
    fn default() -> Self {
        Self {
            allocation: Allocation::Even,
            numbers: CommonNumbers::EventKeyed,
            threads: 1,
            skip_forced: false,
        }
    }
}

/// Flat Monte Carlo with a determinizer and a rollout policy.
#[derive(Debug, Clone)]
pub struct Flat<D, P = UniformRandom> {
    /// The settings.
    pub settings: FlatSettings,
    /// Where worlds come from.
    pub determinizer: D,
    /// Who plays the rollouts.
    pub policy: P,
}

impl<D> Flat<D> {
    /// With random rollouts.
    pub const fn new(settings: FlatSettings, determinizer: D) -> Self {
        Self {
            settings,
            determinizer,
            policy: UniformRandom,
        }
    }
}

impl<G: Game, D: Determinizer<G>, P: RolloutPolicy<G>> Searcher<G> for Flat<D, P> {
    fn search(
        &mut self,
        game: &G,
        observation: &G::Observation,
        budget: &Budget,
        seed: Seed,
    ) -> Result<Decision<G::Action>, SearchError> {
        if budget.is_empty() {
            return Err(SearchError::EmptyBudget);
        }
        if let Allocation::Ocba { warm_up } = self.settings.allocation
            && warm_up < 2
        {
            return Err(SearchError::BadSetting {
                name: "warm_up",
                value: warm_up.to_string(),
                expected: "2 or more: one value says nothing of how values vary",
            });
        }
        let mut worlds = Sampled::to_weigh(game, &self.determinizer, observation)?;
        let root = Root::look(game, &worlds, seed)?;
        let forced = self.settings.skip_forced && root.legal.len() == 1;
        if !forced {
            worlds.weigh(game, budget, seed)?;
        }
        let parts = (game, &worlds, &self.policy);
        let mut arms = Arms::new(parts, &root, &root.legal, seed);
        arms.numbers = self.settings.numbers;
        arms.threads = self.settings.threads;
        if forced {
            arms.settled();
            return Ok(arms.decide(root.legal[0]));
        }
        let all: Vec<usize> = (0..root.legal.len()).collect();
        let best = match self.settings.allocation {
            Allocation::Even => {
                arms.pull_evenly(budget)?;
                arms.table.ranked(&all)[0]
            }
            Allocation::SequentialHalving => {
                let total = budget.simulations.ok_or(SearchError::NeedsSimulations {
                    method: "sequential halving",
                })?;
                // Only the survivors have seen every world.
                let rank = |table: &Table, live: &[usize]| table.ranked(live);
                let finalists = halve(&mut arms, all, total, budget, &rank)?;
                arms.table.ranked(&finalists)[0]
            }
            Allocation::Ocba { warm_up } => ocba::allocate(&mut arms, warm_up, budget)?,
        };
        worlds.report(&mut arms.effort);
        Ok(arms.decide(root.legal[best]))
    }
}
