//! Settings and parallel modes that UCT and information-set MCTS share.

use std::time::Duration;

use crate::budget::Budget;
use crate::decision::SearchError;
use crate::game::Game;
use crate::math::Counts;
use crate::rng::{Seed, Streams};
use crate::rollout::LeafEvaluator;
use crate::search::kernel::{Children, Kernel};
use crate::search::key::GameKey;
use crate::search::root::{FinalChoice, RootStatistics};
use crate::search::rule::Rule;
use crate::search::selection::{FirstPlayUrgency, Ucb};
use crate::search::worlds::{Root, Worlds};
use crate::tree::{EdgeKey, Limits, Storage};

/// How one search uses several threads. The result depends on the mode and its number, never on
/// the threads, [`Parallel::Shared`] apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Parallel {
    /// One simulation after the other.
    #[default]
    Serial,
    /// Independent trees with their share of the budget each, merged in order at the root.
    Root {
        /// How many trees.
        trees: u32,
    },
    /// One tree; simulations are selected in batches and evaluated together. Worth it where a
    /// rollout takes tens of microseconds; a batch of one is the serial search.
    Batch {
        /// How many simulations are in flight at once.
        size: u32,
    },
    /// One tree in which every thread runs whole simulations; those in flight keep the others away
    /// (WU-UCT, Liu et al. 2020). Results are not reproducible with more than one thread, and every
    /// decision says so. The tree is of a storage of its own, 40 bytes an edge with a 4-byte key.
    Shared,
}

/// Settings of a tree search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TreeSettings {
    /// `c` of UCB1, on returns divided by [`Game::return_scale`]. Default 0.7.
    pub exploration: f64,
    /// The value of an untried child. Information-set searches always try it first.
    pub urgency: FirstPlayUrgency,
    /// Which action is played in the end.
    pub final_choice: FinalChoice,
    /// How several threads are used.
    pub parallel: Parallel,
    /// Threads; 1 by default.
    pub threads: usize,
    /// Decide at once, without a simulation, when there is one legal action.
    pub skip_forced: bool,
    /// Keep a copy of the tree for inspection; the first tree under [`Parallel::Root`].
    pub keep_tree: bool,
}

impl Default for TreeSettings {
    fn default() -> Self {
        Self {
            exploration: 0.7,
            urgency: FirstPlayUrgency::Infinite,
            final_choice: FinalChoice::Robust,
            parallel: Parallel::Serial,
            threads: 1,
            skip_forced: false,
            keep_tree: false,
        }
    }
}

impl Parallel {
    pub(crate) fn check(self) -> Result<(), SearchError> {
        let bad = |name, value: u32, expected| {
            Err(SearchError::BadSetting {
                name,
                value: value.to_string(),
                expected,
            })
        };
        let most = u32::from(u16::MAX);
        match self {
            Self::Root { trees } if trees == 0 || trees > most => {
                bad("trees", trees, "1 to 65535 trees")
            }
            Self::Batch { size } if size == 0 || size > most => {
                bad("batch", size, "1 to 65535 simulations in flight")
            }
            _ => Ok(()),
        }
    }
}

impl TreeSettings {
    pub(crate) fn check(&self) -> Result<(), SearchError> {
        not_negative("exploration", self.exploration)?;
        self.final_choice.check()?;
        self.parallel.check()
    }

    pub(crate) fn ucb<G: Game>(&self, game: &G) -> Result<Ucb, SearchError> {
        Ok(Ucb {
            exploration: self.exploration,
            inverse_scale: inverse_scale(game)?,
            urgency: self.urgency,
            counts: Counts::new(),
        })
    }
}

/// That a setting is a number, 0 or more.
pub(crate) fn not_negative(name: &'static str, value: f64) -> Result<(), SearchError> {
    if value.is_finite() && value >= 0.0 {
        return Ok(());
    }
    Err(SearchError::BadSetting {
        name,
        value: value.to_string(),
        expected: "a number, 0 or more",
    })
}

/// What returns are multiplied by in selection.
pub(crate) fn inverse_scale<G: Game>(game: &G) -> Result<f64, SearchError> {
    let scale = game.return_scale();
    if scale.is_finite() && scale > 0.0 {
        return Ok(1.0 / scale);
    }
    Err(SearchError::BadSetting {
        name: "return_scale",
        value: scale.to_string(),
        expected: "a positive number from the game's rules",
    })
}

/// Runs one tree search, or the trees of a parallel one, and merges them.
pub(crate) fn run<G, W, E, R, S>(
    settings: &TreeSettings,
    (game, worlds, evaluator): (&G, &W, &E),
    (rule, children): (&R, Children<G>),
    storages: &mut Vec<S>,
    root: &Root<G::Action>,
    budget: &Budget,
    seed: Seed,
) -> Result<RootStatistics<G>, SearchError>
where
    G: Game,
    W: Worlds<G>,
    E: LeafEvaluator<G>,
    R: Rule<G>,
    S: Storage<GameKey<G>, R::Extra>,
{
    settings.check()?;
    if settings.skip_forced && root.legal.len() == 1 {
        return Ok(RootStatistics::settled());
    }
    if settings.parallel == Parallel::Shared {
        // Of any kind: compiled once, whatever the worlds and the rule.
        let worlds: &dyn Worlds<G> = worlds;
        let parts = (game, &worlds, evaluator);
        return crate::search::shared::run(settings, parts, children, root, budget, seed);
    }
    let trees = match settings.parallel {
        Parallel::Root { trees } => u64::from(trees).min(budget.simulations.unwrap_or(u64::MAX)),
        _ => 1,
    };
    storages.resize_with(storages.len().max(trees as usize), S::default);
    let share = Share::of(budget, trees, settings.threads.max(1) as u64);
    let mut jobs: Vec<_> = storages[..trees as usize]
        .iter_mut()
        .zip(0..trees)
        .map(|(storage, tree)| (storage, tree, None))
        .collect();
    let inner_threads = if trees > 1 {
        1
    } else {
        settings.threads.max(1)
    };
    crate::parallel::for_each(settings.threads, &mut jobs, &|(storage, tree, result)| {
        let kernel = Kernel {
            game,
            worlds,
            evaluator,
            children,
            player: root.player,
            rule,
            budget,
            simulations: budget
                .simulations
                .map(|n| share.end(n, *tree) - share.start(n, *tree)),
            time: share.time,
            streams: Streams::of(seed),
            first: match budget.simulations {
                Some(n) => share.start(n, *tree),
                // Far apart, since nobody knows how far each will come.
                None => *tree << 40,
            },
            batch: match settings.parallel {
                Parallel::Batch { size } => size as usize,
                _ => 1,
            },
            threads: inner_threads,
            reports: *tree == 0,
            snapshot: settings.keep_tree && *tree == 0,
        };
        let placeholder = EdgeKey::Action(root.legal[0]);
        *result = Some(storage.with(placeholder, share.limits, kernel));
    });
    let mut merged = RootStatistics::empty();
    for (_, _, result) in jobs {
        if let Some(statistics) = result {
            merged.merge(statistics?);
        }
    }
    Ok(merged)
}

/// One tree's share of a budget.
pub(crate) struct Share {
    trees: u64,
    pub(crate) limits: Limits,
    pub(crate) time: Option<Duration>,
}

impl Share {
    pub(crate) fn of(budget: &Budget, trees: u64, threads: u64) -> Self {
        // Trees that wait for a thread must leave time to those after them.
        let rounds = trees.div_ceil(threads.min(trees).max(1)).max(1);
        Self {
            trees,
            limits: Limits {
                edges: budget.nodes.map(|n| n / trees),
                bytes: budget.bytes.map(|n| n / trees),
            },
            time: budget
                .time
                .map(|t| t / u32::try_from(rounds).unwrap_or(u32::MAX)),
        }
    }

    /// First simulation of a tree when there are `n` in all.
    pub(crate) fn start(&self, n: u64, tree: u64) -> u64 {
        (u128::from(n) * u128::from(tree) / u128::from(self.trees)) as u64
    }

    pub(crate) fn end(&self, n: u64, tree: u64) -> u64 {
        self.start(n, tree + 1)
    }
}
