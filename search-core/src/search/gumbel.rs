//! Planning with Gumbel noise at the root (Danihelka, Guez, Schrittwieser & Silver 2022).
//!
//! `m` actions are drawn from the priors without replacement, by the `m` highest `g + logit` with a
//! Gumbel-distributed `g` an action (section 3.1); sequential halving finds the best of them by
//! `g + logit + sigma(q)` (section 3.3). Where `q` is exact, what is played is at least as good as what
//! the same noise would have drawn from the priors alone, with as few as two simulations.
//!
//! `q` is the mean of rollouts over worlds common to all actions, as in flat Monte Carlo. What it may
//! know: the searcher's own observation.

use crate::budget::Budget;
use crate::decision::{Decision, SearchError};
use crate::game::Game;
use crate::observation::Determinizer;
use crate::policy::{Priors, RolloutPolicy, UniformPriors, UniformRandom, normalise_priors};
use crate::rng::{Draw, Seed};
use crate::search::Searcher;
use crate::search::arms::{Arms, CommonNumbers, Table};
use crate::search::flat::halve;
use crate::search::tree_search::{inverse_scale, not_negative};
use crate::search::worlds::{Root, Sampled};

/// Settings of [`Gumbel`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GumbelSettings {
    /// At most so many actions are tried (`m` of the paper), 1 or more. Default 16.
    pub considered: u32,
    /// `c_visit` of the paper: visits by which the weight of values against priors begins. Default 50.
    pub c_visit: f64,
    /// `c_scale` of the paper, on returns divided by [`Game::return_scale`]. Default 1.
    pub c_scale: f64,
    /// What the actions have in common.
    pub numbers: CommonNumbers,
    /// Threads; the result does not depend on them.
    pub threads: usize,
    /// Decide at once, without a simulation, when there is one legal action.
    pub skip_forced: bool,
}

impl Default for GumbelSettings {
    fn default() -> Self {
        Self {
            considered: 16,
            c_visit: 50.0,
            c_scale: 1.0,
            numbers: CommonNumbers::EventKeyed,
            threads: 1,
            skip_forced: false,
        }
    }
}

impl GumbelSettings {
    fn check(&self) -> Result<(), SearchError> {
        not_negative("c_visit", self.c_visit)?;
        not_negative("c_scale", self.c_scale)?;
        if self.considered == 0 {
            return Err(SearchError::BadSetting {
                name: "considered",
                value: "0".into(),
                expected: "1 action or more",
            });
        }
        Ok(())
    }
}

/// Gumbel planning with a determinizer, a rollout policy and priors. Needs a budget in simulations.
///
/// Of the decision: a candidate's `policy` is the improved policy of section 4, the softmax of
/// `logit + sigma(q)` with the mean of the tried actions, weighted by their priors, in place of a `q`
/// that is missing (appendix D without the network's own value). The action played is drawn from the
/// priors with the noise of the seed, and then improved: it need not have the highest policy.
#[derive(Debug, Clone)]
pub struct Gumbel<D, P = UniformRandom, Q = UniformPriors> {
    /// The settings.
    pub settings: GumbelSettings,
    /// Where worlds come from.
    pub determinizer: D,
    /// Who plays the rollouts.
    pub policy: P,
    /// How likely each action is before it is tried.
    pub priors: Q,
}

impl<D> Gumbel<D> {
    /// With random rollouts and uniform priors.
    pub const fn new(settings: GumbelSettings, determinizer: D) -> Self {
        Self {
            settings,
            determinizer,
            policy: UniformRandom,
            priors: UniformPriors,
        }
    }
}

impl<G, D, P, Q> Searcher<G> for Gumbel<D, P, Q>
where
    G: Game,
    D: Determinizer<G>,
    P: RolloutPolicy<G>,
    Q: Priors<G>,
{
    fn search(
        &mut self,
        game: &G,
        observation: &G::Observation,
        budget: &Budget,
        seed: Seed,
    ) -> Result<Decision<G::Action>, SearchError> {
        self.settings.check()?;
        if budget.is_empty() {
            return Err(SearchError::EmptyBudget);
        }
        let method = "Gumbel planning";
        let total = budget
            .simulations
            .ok_or(SearchError::NeedsSimulations { method })?;
        let scale = self.settings.c_scale * inverse_scale(game)?;
        let worlds = Sampled::new(game, &self.determinizer, observation)?;
        let root = Root::look(game, &worlds, seed)?;
        let parts = (game, &worlds, &self.policy);
        let mut arms = Arms::new(parts, &root, &root.legal, seed);
        arms.numbers = self.settings.numbers;
        arms.threads = self.settings.threads;
        if self.settings.skip_forced && root.legal.len() == 1 {
            arms.settled();
            return Ok(arms.decide(root.legal[0]));
        }
        let mut priors = Vec::new();
        self.priors
            .priors(game, observation, &root.legal, &mut priors);
        let usable = normalise_priors(&mut priors, root.legal.len());
        arms.effort.unusable_priors = u64::from(!usable);
        let rule = Rule::new(&priors, self.settings.c_visit, scale, seed);
        let most = total.min(u64::from(self.settings.considered)) as usize;
        let considered = rule.considered(most);
        let finalists = halve(&mut arms, considered, total, budget, &|table, live| {
            rule.ranked(table, live)
        })?;
        let best = rule.ranked(&arms.table, &finalists)[0];
        let improved = rule.improved(&priors, &arms.table);
        let mut decision = arms.decide(root.legal[best]);
        for (candidate, policy) in decision.candidates.iter_mut().zip(improved) {
            candidate.policy = policy;
        }
        Ok(decision)
    }
}

/// How actions are ranked.
struct Rule {
    logits: Vec<f64>,
    /// Gumbel noise and logit of each action.
    noisy: Vec<f64>,
    c_visit: f64,
    /// On returns as they are.
    c_scale: f64,
}

impl Rule {
    fn new(priors: &[f64], c_visit: f64, c_scale: f64, seed: Seed) -> Self {
        let mut rng = seed.child("gumbel").simulation(0);
        // `libm`, since the platform's logarithm may differ in the last bit. The logarithm of 0 is
        // minus infinity, below every other.
        let logits: Vec<f64> = priors.iter().map(|&p| libm::log(p)).collect();
        let mut gumbel = || -libm::log(-libm::log(rng.unit().max(f64::EPSILON / 4.0)));
        let noisy = logits.iter().map(|logit| logit + gumbel()).collect();
        Self {
            logits,
            noisy,
            c_visit,
            c_scale,
        }
    }

    /// The arms with the highest noisy logits, `most` at most, ascending. None whose prior is 0.
    fn considered(&self, most: usize) -> Vec<usize> {
        let possible = |&arm: &usize| self.noisy[arm] > f64::NEG_INFINITY;
        let mut arms: Vec<usize> = (0..self.noisy.len()).filter(possible).collect();
        crate::order::best_first(&mut arms, &|arm| self.noisy[arm]);
        arms.truncate(most);
        arms.sort_unstable();
        arms
    }

    /// `sigma(q)` of the paper, equation 8, for the mean return `q`.
    fn sigma(&self, table: &Table, q: f64) -> f64 {
        let most = table.visits.iter().max().copied().unwrap_or(0);
        (self.c_visit + most as f64) * self.c_scale * q
    }

    /// The arms of `live` from the best `g + logit + sigma(q)` to the worst, those not visited last.
    fn ranked(&self, table: &Table, live: &[usize]) -> Vec<usize> {
        let score = |arm: usize| {
            if table.visits[arm] == 0 {
                return f64::NEG_INFINITY;
            }
            self.noisy[arm] + self.sigma(table, table.mean(arm))
        };
        let mut ranked = live.to_vec();
        let noisy = |arm: usize| self.noisy[arm];
        crate::order::sort_by(&mut ranked, &|a, b| {
            score(b)
                .total_cmp(&score(a))
                .then(noisy(b).total_cmp(&noisy(a)))
                .then(a.cmp(&b))
        });
        ranked
    }

    /// The softmax of `logit + sigma(completed q)`.
    fn improved(&self, priors: &[f64], table: &Table) -> Vec<f64> {
        let visited = || (0..priors.len()).filter(|&arm| table.visits[arm] > 0);
        let weight: f64 = visited().map(|arm| priors[arm]).sum();
        let mixed = visited()
            .map(|arm| priors[arm] * table.mean(arm))
            .sum::<f64>()
            / weight;
        let scores = (0..priors.len()).map(|arm| {
            let tried = table.visits[arm] > 0;
            let q = if tried { table.mean(arm) } else { mixed };
            self.logits[arm] + self.sigma(table, q)
        });
        let scores: Vec<f64> = scores.collect();
        let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut policy: Vec<f64> = scores.iter().map(|s| libm::exp(s - most)).collect();
        let sum: f64 = policy.iter().sum();
        for p in &mut policy {
            *p /= sum;
        }
        policy
    }
}
