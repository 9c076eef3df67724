//! KR-UCT: tree search that shares what it learns between alike actions.
//!
//! Yee, Lisý & Bowling 2016. A node keeps executed actions `b` with their visits `n_b` and mean returns
//! `v_b`. What is known of an action is the kernel regression over all of them,
//! `E(v|a) = sum K(a,b) n_b v_b / sum K(a,b) n_b`, and how much is known is the mass
//! `W(a) = sum K(a,b) n_b`, where `K` is the density of the execution noise. Actions are played exactly:
//! the noise is in the regression, and in the choice of the actions that are added near good ones.
//! Rollouts after the tree are noisy.
//!
//! What it may know: everything.

pub(crate) mod regression;
pub(crate) mod rule;

use std::sync::Arc;

use crate::budget::Budget;
use crate::decision::{Decision, SearchError};
use crate::game::Game;
use crate::rng::Seed;
use crate::rollout::{LeafEvaluator, Rollout};
use crate::search::Searcher;
use crate::search::continuous::ContinuousActions;
use crate::search::growing::Plan;
use crate::search::root::RootStatistics;
use crate::search::tree_search::{Parallel, inverse_scale, not_negative};
use crate::search::widening::Widening;
use crate::search::worlds::{Known, Root};

use regression::{Estimate, Executed, Sums, candidate, choose};
use rule::{KernelRule, RootSums};

/// Settings of [`KrUct`]. The defaults are those of the paper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KrUctSettings {
    /// `C` of the upper bound `E + C sqrt(ln sum W / W)`, on returns divided by
    /// [`Game::return_scale`]. Default 1.
    pub exploration: f64,
    /// `C` of the lower bound by which the action to play is chosen. Default 0.001.
    pub lower_bound: f64,
    /// When an action may be added: while there are no more than `k N^a` of them, and whenever the game
    /// is over after the one that would be followed, which has nothing more to tell.
    pub widening: Widening,
    /// An added action is at least this much like the one that it is near. Default 0.02.
    pub threshold: f64,
    /// Executions tried for one that is added, of which that with the least mass is. Default 10.
    pub tries: u32,
    /// How several threads are used.
    pub parallel: Parallel,
    /// Threads; the result does not depend on them.
    pub threads: usize,
    /// Decide at once, without a simulation, when there is one legal action.
    pub skip_forced: bool,
}

impl Default for KrUctSettings {
    fn default() -> Self {
        Self {
            exploration: 1.0,
            lower_bound: 0.001,
            widening: Widening::ROOT,
            threshold: 0.02,
            tries: 10,
            parallel: Parallel::Serial,
            threads: 1,
            skip_forced: false,
        }
    }
}

impl KrUctSettings {
    fn check(&self) -> Result<(), SearchError> {
        self.widening.check()?;
        not_negative("exploration", self.exploration)?;
        not_negative("lower_bound", self.lower_bound)?;
        not_negative("threshold", self.threshold)
    }
}

/// KR-UCT over a game of perfect information.
///
/// In its decisions the mean of a candidate is the kernel regression `E`, its standard error that of
/// `E`, and its visits its own exact executions.
#[derive(Clone)]
pub struct KrUct<G: Game, E = Rollout> {
    /// The settings.
    pub settings: KrUctSettings,
    /// The continuum.
    pub actions: Arc<dyn ContinuousActions<G>>,
    /// What values a leaf.
    pub evaluator: E,
}

impl<G: Game, E: LeafEvaluator<G>> KrUct<G, E> {
    /// With this leaf evaluator.
    pub fn new(
        settings: KrUctSettings,
        actions: Arc<dyn ContinuousActions<G>>,
        evaluator: E,
    ) -> Self {
        Self {
            settings,
            actions,
            evaluator,
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
        let settings = self.settings;
        settings.check()?;
        let root = Root::look(game, &Known(state), seed)?;
        let rule = KernelRule {
            game,
            actions: &*self.actions,
            settings,
            inverse_scale: inverse_scale(game)?,
        };
        let (statistics, tree) = if settings.skip_forced && root.legal.len() == 1 {
            (RootStatistics::settled(), None)
        } else {
            let plan = Plan {
                game,
                state,
                rule: &rule,
                evaluator: &self.evaluator,
                parallel: settings.parallel,
                threads: settings.threads,
            };
            plan.run(budget, seed)?
        };
        let known = tree.map_or_else(Vec::new, |tree| rule::root_sums::<G>(&tree));
        Ok(self.decide(game, state, &root, &statistics, known))
    }

    /// The decision over all that is legal or was executed. `known` are the sums of a single tree;
    /// without them, they are added up anew over the trees.
    fn decide(
        &self,
        game: &G,
        state: &G::State,
        root: &Root<G::Action>,
        statistics: &RootStatistics<G>,
        mut known: RootSums<G::Action>,
    ) -> Decision<G::Action> {
        let tried = statistics.arms.iter().filter(|arm| arm.visits > 0);
        let executed: Vec<Executed<G::Action>> = tried.map(Executed::from).collect();
        known.sort_unstable_by_key(|(action, _)| *action);
        let mut actions: Vec<G::Action> = root.legal.clone();
        actions.extend(executed.iter().map(|b| b.action));
        actions.sort_unstable();
        actions.dedup();
        let estimates: Vec<Estimate<G::Action>> = actions
            .into_iter()
            .map(|action| {
                let sums = match known.binary_search_by_key(&action, |(action, _)| *action) {
                    Ok(found) => known[found].1,
                    Err(_) => Sums::of(&executed, |b| self.actions.kernel(game, state, action, b)),
                };
                let own = executed.iter().find(|b| b.action == action);
                Estimate {
                    action,
                    visits: own.map_or(0, |own| own.visits),
                    sums,
                }
            })
            .collect();
        let (scale, k) = (game.return_scale(), self.settings.lower_bound);
        let chosen = choose(&estimates, scale, k, |estimate| estimate.visits > 0);
        let total = estimates.iter().map(|estimate| estimate.visits).sum();
        let simulations = statistics.effort.simulations;
        Decision {
            action: chosen.unwrap_or(root.legal[0]),
            candidates: estimates
                .iter()
                .map(|estimate| candidate(estimate, total, simulations))
                .collect(),
            effort: statistics.effort.clone(),
        }
    }
}

impl<G, E> Searcher<G> for KrUct<G, E>
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
