//! Flat Monte Carlo: every root action is played out in the same worlds with the same luck.
//!
//! No tree: the value of an action is that of playing on by the rollout policy, which for a random
//! policy is the *mean* over the opponent's replies where a tree search would converge to the
//! best. The allocation is even, or sequential halving (Karnin, Koren & Somekh 2013), which spends
//! an equal share of the budget a round and keeps the better half.
//!
//! What it may know: the searcher's own observation.

use crate::budget::Budget;
use crate::decision::{Decision, SearchError};
use crate::game::Game;
use crate::observation::Determinizer;
use crate::policy::{RolloutPolicy, UniformRandom};
use crate::rng::Seed;
use crate::search::Searcher;
use crate::search::arms::{Arms, CommonNumbers};
use crate::search::meter::Meter;
use crate::search::worlds::{Root, Sampled, Worlds};

/// How the simulations are divided among the root actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Allocation {
    /// The same number for each.
    #[default]
    Even,
    /// Sequential halving. Needs a budget in simulations.
    SequentialHalving,
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
        // Under halving only the survivors have seen every world.
        let finalists = match self.settings.allocation {
            Allocation::Even => {
                arms.pull_evenly(budget)?;
                (0..root.legal.len()).collect()
            }
            Allocation::SequentialHalving => halve(&mut arms, budget)?,
        };
        let best = arms.table.ranked(&finalists)[0];
        worlds.report(&mut arms.effort);
        Ok(arms.decide(root.legal[best]))
    }
}

/// Sequential halving over common worlds: `ceil(log2 k)` rounds of `T / rounds` simulations, shared
/// by the survivors; the last round takes what integer division left over. Returns the arms of the
/// last round, among which the best is chosen: not those with the most visits, since what is left
/// over may go to some of them only.
fn halve<G: Game, W: Worlds<G>, P: RolloutPolicy<G>>(
    arms: &mut Arms<'_, G, W, P>,
    budget: &Budget,
) -> Result<Vec<usize>, SearchError> {
    let total = budget.simulations.ok_or(SearchError::NeedsSimulations {
        method: "sequential halving",
    })?;
    let mut live: Vec<usize> = (0..arms.root.legal.len()).collect();
    let rounds = u64::from(usize::BITS - (live.len().max(2) - 1).leading_zeros());
    let mut meter = Meter::new(budget, budget.simulations, budget.time, true);
    let mut next_world = 0;
    let mut stop = None;
    for round in 0..rounds {
        let arms_left = live.len() as u64;
        let (worlds, extra) = if round + 1 == rounds {
            let left = total - arms.effort.simulations;
            (left / arms_left, (left % arms_left) as usize)
        } else {
            let share = total / (arms_left * rounds);
            // A budget below one world a round tries what it can and drops the rest.
            let left = (total - arms.effort.simulations).min(arms_left) as usize;
            (share, if share == 0 { left } else { 0 })
        };
        stop = arms.pull(&live, next_world, worlds, extra, &mut meter)?;
        next_world += worlds + u64::from(extra > 0);
        if stop.is_some() || round + 1 == rounds {
            break;
        }
        live = arms.table.ranked(&live);
        live.truncate(live.len().div_ceil(2));
        live.sort_unstable();
    }
    arms.stopped(stop);
    Ok(live)
}
