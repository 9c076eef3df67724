//! PIMC: perfect-information Monte Carlo, or determinized UCT.
//!
//! Levy 1989; Ginsberg 2001 (GIB). Samples worlds, searches each as if everything were known, and
//! puts the answers together. Where one action must do for all worlds it errs in a known way
//! (*strategy fusion*, Frank & Basin 1998): it believes it may later choose differently in worlds
//! it will not be able to tell apart. More worlds do not cure that.
//!
//! What it may know: the searcher's own observation; inside each world, everything.

use std::time::{Duration, Instant};

use crate::budget::{Budget, Progress, StopReason};
use crate::decision::{Decision, SearchError};
use crate::game::Game;
use crate::observation::Determinizer;
use crate::rng::Seed;
use crate::rollout::{LeafEvaluator, Rollout};
use crate::search::chance::Chance;
use crate::search::kernel::Children;
use crate::search::key::GameKey;
use crate::search::root::RootStatistics;
use crate::search::rule::Plain;
use crate::search::tree_search::{Parallel, TreeSettings, run};
use crate::search::worlds::{Known, Root, Sampled, Worlds};
use crate::search::{FinalChoice, Searcher};
use crate::tree::{Indexed, Storage};

/// Worlds searched side by side at most.
const MOST_AT_ONCE: usize = 1024;

/// How the answers of the worlds are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Aggregate {
    /// The action with the best mean over all simulations of all worlds, each world weighing the
    /// same (Ginsberg).
    #[default]
    Mean,
    /// The action chosen in most worlds.
    Vote,
    /// The action with most visits over all worlds (Cowling).
    Visits,
}

/// Settings of [`Pimc`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PimcSettings {
    /// Worlds; they share the budget's simulations.
    pub worlds: u32,
    /// How the answers are put together.
    pub aggregate: Aggregate,
    /// Settings of the search in each world; its threads search worlds side by side.
    pub search: TreeSettings,
}

impl Default for PimcSettings {
    fn default() -> Self {
        Self {
            worlds: 40,
            aggregate: Aggregate::Mean,
            search: TreeSettings::default(),
        }
    }
}

/// Perfect-information Monte Carlo with UCT in each world.
#[derive(Debug, Clone)]
pub struct Pimc<G: Game, D, E = Rollout, S = Indexed<GameKey<G>>> {
    /// The settings.
    pub settings: PimcSettings,
    /// Which outcomes of chance are followed inside a world: drawn ones by default.
    pub chance: Chance<G>,
    /// Where worlds come from.
    pub determinizer: D,
    /// What values a leaf.
    pub evaluator: E,
    storages: Vec<Vec<S>>,
}

impl<G: Game, D: Determinizer<G>> Pimc<G, D> {
    /// With random rollouts, on the default storage.
    #[must_use]
    pub fn new(settings: PimcSettings, determinizer: D) -> Self {
        Self::with(settings, determinizer, Rollout::default())
    }
}

impl<G: Game, D: Determinizer<G>, E: LeafEvaluator<G>, S: Storage<GameKey<G>>> Pimc<G, D, E, S> {
    /// With this leaf evaluator.
    #[must_use]
    pub fn with(settings: PimcSettings, determinizer: D, evaluator: E) -> Self {
        Self {
            settings,
            chance: Chance::Sampled,
            determinizer,
            evaluator,
            storages: Vec::new(),
        }
    }
}

/// Samples a world and searches it.
fn search_world<G: Game, E: LeafEvaluator<G>, S: Storage<GameKey<G>>>(
    (settings, chance): (&TreeSettings, Chance<G>),
    (game, worlds, evaluator): (&G, &impl Worlds<G>, &E),
    storages: &mut Vec<S>,
    root: &Root<G::Action>,
    budget: &Budget,
    seed: Seed,
) -> Result<RootStatistics<G>, SearchError> {
    let mut state = worlds.scratch(game);
    let weight = worlds.load(game, &mut seed.child("world").simulation(0), &mut state);
    if weight != 0.0 {
        return Err(SearchError::WeightedWorlds { log_weight: weight });
    }
    root.agrees(game, &state)?;
    let settings = TreeSettings {
        parallel: Parallel::Serial,
        threads: 1,
        ..*settings
    };
    let known = Known(&state);
    let worlds: &dyn Worlds<G> = &known;
    let parts = (game, &worlds, evaluator);
    run(
        &settings,
        parts,
        (&Plain(settings.ucb(game)?), Children::Block(chance)),
        storages,
        root,
        budget,
        seed,
    )
}

/// One world's work.
struct World<'a, G: Game, S> {
    index: u64,
    storages: &'a mut Vec<S>,
    result: Option<Result<RootStatistics<G>, SearchError>>,
}

impl<G, D, E, S> Searcher<G> for Pimc<G, D, E, S>
where
    G: Game,
    D: Determinizer<G>,
    E: LeafEvaluator<G>,
    S: Storage<GameKey<G>>,
{
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
        if self.settings.worlds == 0 {
            return Err(SearchError::BadSetting {
                name: "worlds",
                value: "0".into(),
                expected: "1 or more worlds",
            });
        }
        let mut source = Sampled::to_weigh(game, &self.determinizer, observation)?;
        let root = Root::look(game, &source, seed)?;
        if self.settings.search.skip_forced && root.legal.len() == 1 {
            let statistics = RootStatistics::<G>::settled();
            return Ok(statistics.decide(&root, game.return_scale(), FinalChoice::Robust, seed));
        }
        source.weigh(game, budget, seed)?;
        let count = u64::from(self.settings.worlds).min(budget.simulations.unwrap_or(u64::MAX));
        let most = usize::try_from(count).unwrap_or(usize::MAX);
        let threads = self
            .settings
            .search
            .threads
            .clamp(1, most.min(MOST_AT_ONCE));
        let mut storages = std::mem::take(&mut self.storages);
        storages.resize_with(storages.len().max(threads), Vec::new);
        let mut results = Vec::new();
        let started = Instant::now();
        let settings = (&self.settings.search, self.chance);
        let parts = (game, &source, &self.evaluator);
        // As many worlds at a time as there are threads, each with its own memory.
        let mut next = 0;
        let mut stop = None;
        while next < count {
            let mut batch: Vec<_> = storages
                .iter_mut()
                .take(threads.min((count - next) as usize))
                .zip(next..)
                .map(|(storages, index)| World {
                    index,
                    storages,
                    result: None,
                })
                .collect();
            // What is left of the time, for this batch and each after it.
            let rounds = u32::try_from((count - next).div_ceil(threads as u64));
            let time = budget
                .time
                .map(|time| time.saturating_sub(started.elapsed()) / rounds.unwrap_or(u32::MAX));
            next += batch.len() as u64;
            crate::parallel::for_each(threads, &mut batch, &|world| {
                let share = share(budget, world.index, count, time);
                let seed = seed.index(world.index);
                let result = search_world(settings, parts, world.storages, &root, &share, seed);
                world.result = Some(result);
            });
            results.extend(batch.into_iter().filter_map(|world| world.result));
            report(budget, &results);
            if budget
                .cancel
                .as_ref()
                .is_some_and(|flag| flag.is_cancelled())
            {
                stop = Some(StopReason::Cancelled);
                break;
            }
            // A world takes one simulation at least, so their shares may come to more than the time.
            if next < count && budget.time.is_some_and(|time| started.elapsed() >= time) {
                stop = Some(StopReason::Time);
                break;
            }
        }
        self.storages = storages;
        let results = results.into_iter().collect::<Result<Vec<_>, _>>()?;
        let mut decision = self.aggregate(results, &root, game.return_scale(), seed);
        source.report(&mut decision.effort);
        if let Some(stop) = stop.filter(|_| next < count) {
            decision.effort.stop = stop;
            decision.effort.deterministic = false;
        }
        Ok(decision)
    }
}

/// World `index`'s part of the budget.
fn share(budget: &Budget, index: u64, count: u64, time: Option<Duration>) -> Budget {
    let before = |n: u64, i: u64| (u128::from(n) * u128::from(i) / u128::from(count)) as u64;
    Budget {
        simulations: budget
            .simulations
            .map(|n| before(n, index + 1) - before(n, index)),
        time,
        progress: None,
        ..budget.clone()
    }
}

/// Tells the budget's listener how far the worlds have come together.
fn report<G: Game>(budget: &Budget, results: &[Result<RootStatistics<G>, SearchError>]) {
    if let Some(callback) = &budget.progress {
        let efforts = || results.iter().flatten().map(|r| &r.effort);
        callback(Progress {
            simulations: efforts().map(|e| e.simulations).sum(),
            of: budget.simulations,
            edges: efforts().map(|e| e.edges).max().unwrap_or(0),
        });
    }
}

impl<G: Game, D, E, S> Pimc<G, D, E, S> {
    fn aggregate(
        &self,
        results: Vec<RootStatistics<G>>,
        root: &Root<G::Action>,
        scale: f64,
        seed: Seed,
    ) -> Decision<G::Action> {
        let worlds = results.len() as u64;
        let inner = self.settings.search.final_choice;
        let choice = match self.settings.aggregate {
            Aggregate::Mean => FinalChoice::Max,
            Aggregate::Visits | Aggregate::Vote => FinalChoice::Robust,
        };
        let mut votes = vec![0_u64; root.legal.len()];
        let mut means: Vec<Vec<f64>> = vec![Vec::new(); root.legal.len()];
        let mut merged = RootStatistics::empty();
        let mut stop = StopReason::Simulations;
        let mut largest = (0, 0);
        for (world, result) in (0..).zip(results) {
            let decision = result.decide(root, scale, inner, seed.index(world));
            for (i, candidate) in decision.candidates.iter().enumerate() {
                votes[i] += u64::from(candidate.action == decision.action);
                if candidate.visits > 0 {
                    means[i].push(candidate.mean);
                }
            }
            if result.effort.stop != StopReason::Simulations {
                stop = result.effort.stop;
            }
            largest.0 = result.effort.edges.max(largest.0);
            largest.1 = result.effort.bytes.max(largest.1);
            merged.merge(result);
        }
        // A world's tree makes room for the next one's: the caps hold for each of them.
        (merged.effort.edges, merged.effort.bytes) = largest;
        merged.effort.stop = stop;
        merged.effort.worlds = worlds;
        merged.effort.effective_sample_size = worlds as f64;
        let mut decision = merged.decide(root, scale, choice, seed);
        for (candidate, means) in decision.candidates.iter_mut().zip(&means) {
            // Worlds are the independent unit: the standard error is over their means.
            (candidate.mean, candidate.std_error) = mean_and_error(means);
            candidate.availability = worlds;
        }
        let best = |rank: &dyn Fn(usize) -> f64| {
            (0..root.legal.len())
                .filter(|&i| decision.candidates[i].visits > 0)
                .max_by(|&a, &b| {
                    let (ca, cb) = (&decision.candidates[a], &decision.candidates[b]);
                    rank(a)
                        .total_cmp(&rank(b))
                        .then(ca.mean.total_cmp(&cb.mean))
                        .then(ca.visits.cmp(&cb.visits))
                        .then(b.cmp(&a))
                })
        };
        let chosen = match self.settings.aggregate {
            Aggregate::Mean => best(&|i| decision.candidates[i].mean),
            Aggregate::Vote => best(&|i| votes[i] as f64),
            Aggregate::Visits => best(&|i| decision.candidates[i].visits as f64),
        };
        if let Some(chosen) = chosen {
            decision.action = root.legal[chosen];
        }
        if self.settings.aggregate == Aggregate::Vote {
            for (candidate, votes) in decision.candidates.iter_mut().zip(&votes) {
                candidate.policy = *votes as f64 / worlds as f64;
            }
        }
        decision
    }
}

fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    (mean, (squares / (n - 1.0) / n).sqrt())
}
