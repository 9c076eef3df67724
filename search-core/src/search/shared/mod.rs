//! One tree that several threads search at once ([`Parallel::Shared`](super::Parallel::Shared)).
//!
//! Each thread runs whole simulations. One that is on its way counts for the others in `N` and `n` of
//! UCB1 and not in the mean (WU-UCT, Liu et al. 2020), which keeps them apart without a virtual loss:
//! `mean / scale + c sqrt(ln(N + O) / (n + o))` with `O` and `o` simulations in flight. A number is
//! drawn for each simulation, so that there are exactly as many as were asked for; which thread meets
//! which state of the tree is left to chance, so that results differ from run to run. One thread
//! alone gives what the serial search gives.

mod selection;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::budget::{Budget, StopReason};
use crate::decision::{Effort, SearchError};
use crate::game::{Game, Player};
use crate::math::Counts;
use crate::rng::Seed;
use crate::rollout::LeafEvaluator;
use crate::search::chance::Chance;
use crate::search::kernel::Children;
use crate::search::key::GameKey;
use crate::search::root::{Arm, RootStatistics};
use crate::search::tree_search::{TreeSettings, inverse_scale};
use crate::search::worlds::{Root, Worlds};
use crate::tree::shared::SharedTree;
use crate::tree::{EdgeKey, Indexed, Limits, Snapshot, Storage, Tree, TreeVisitor};
use selection::Ucb;
use worker::Worker;

/// What all threads of a search see.
struct Shared<'a, G: Game, W, E> {
    game: &'a G,
    worlds: &'a W,
    evaluator: &'a E,
    /// Whether a node has the actions met so far, each in some world, and not all at once.
    available: bool,
    /// Who is to move at the root of every world.
    player: Player,
    ucb: Ucb,
    seed: Seed,
    budget: &'a Budget,
    tree: SharedTree<GameKey<G>>,
    /// The number of the next simulation.
    next: AtomicU64,
    /// Raised when no thread should begin another one.
    stop: AtomicBool,
}

/// Runs a search on one tree with the threads that the settings give.
pub(crate) fn run<G: Game, W: Worlds<G>, E: LeafEvaluator<G>>(
    settings: &TreeSettings,
    (game, worlds, evaluator): (&G, &W, &E),
    children: Children<G>,
    root: &Root<G::Action>,
    budget: &Budget,
    seed: Seed,
) -> Result<RootStatistics<G>, SearchError> {
    let available = match children {
        Children::Available => true,
        Children::Block(Chance::Sampled) => false,
        Children::Block(Chance::OpenLoop) => return Err(no_shares("open")),
        Children::Block(Chance::Explicit(_)) => return Err(no_shares("explicit")),
    };
    let shared = Shared {
        game,
        worlds,
        evaluator,
        available,
        player: root.player,
        ucb: Ucb {
            exploration: settings.exploration,
            inverse_scale: inverse_scale(game)?,
            urgency: settings.urgency,
            counts: Counts::new(),
        },
        seed,
        budget,
        tree: SharedTree::new(Limits {
            edges: budget.nodes,
            bytes: budget.bytes,
        }),
        next: AtomicU64::new(0),
        stop: AtomicBool::new(false),
    };
    let most = budget.simulations.unwrap_or(u64::MAX);
    let threads = settings.threads.clamp(1, crate::parallel::MOST_THREADS) as u64;
    let mut workers: Vec<Worker<G>> = (0..threads.min(most).max(1))
        .map(|number| Worker::new(game, worlds, number == 0))
        .collect();
    crate::parallel::for_each(workers.len(), &mut workers, &|worker| shared.work(worker));
    shared.finish(workers, settings.keep_tree, root)
}

#[cold]
fn no_shares(chance: &str) -> SearchError {
    SearchError::BadSetting {
        name: "chance",
        value: chance.into(),
        expected: "sampled in a tree that threads share: outcomes cannot be kept to their shares there",
    }
}

impl<G: Game, W: Worlds<G>, E: LeafEvaluator<G>> Shared<'_, G, W, E> {
    /// What the threads have found, in the order of their numbers.
    fn finish(
        &self,
        workers: Vec<Worker<G>>,
        keep_tree: bool,
        root: &Root<G::Action>,
    ) -> Result<RootStatistics<G>, SearchError> {
        let mut effort = Effort::default();
        let mut squares: Vec<f64> = Vec::new();
        for worker in workers {
            if let Some(error) = worker.error {
                return Err(error);
            }
            effort.simulations += worker.done;
            effort.truncated_rollouts += worker.effort.truncated_rollouts;
            effort.refused_expansions += worker.effort.refused_expansions;
            effort.lost_expansions += worker.effort.lost_expansions;
            effort.depth = effort.depth.max(worker.effort.depth);
            // One thread's reason ends the search for all.
            if worker.effort.stop != StopReason::Simulations {
                effort.stop = worker.effort.stop;
            }
            squares.resize(squares.len().max(worker.squares.len()), 0.0);
            for (sum, square) in squares.iter_mut().zip(worker.squares) {
                *sum += square;
            }
        }
        let done = effort.simulations;
        effort.worlds = if self.available { done } else { 1 };
        effort.effective_sample_size = effort.worlds as f64;
        effort.edges = u64::from(self.tree.len()) - 1;
        effort.bytes = self.tree.bytes();
        effort.deterministic = false;
        Ok(RootStatistics {
            arms: self.arms(&squares, done),
            effort,
            snapshot: keep_tree.then(|| self.snapshot(root)),
        })
    }

    fn arms(&self, squares: &[f64], done: u64) -> Vec<Arm<G::Action>> {
        let children = self.tree.children(SharedTree::<GameKey<G>>::ROOT);
        let arms = children.enumerate().filter_map(|(ordinal, (_, edge))| {
            Some(Arm {
                bounds: None,
                action: edge.key().and_then(EdgeKey::action)?,
                visits: u64::from(edge.selections().visits),
                sum: edge.sum(),
                sum_of_squares: squares.get(ordinal).copied().unwrap_or(0.0),
                availability: if self.available {
                    u64::from(edge.availability())
                } else {
                    done
                },
            })
        });
        arms.collect()
    }

    fn snapshot(&self, root: &Root<G::Action>) -> Snapshot<GameKey<G>> {
        let placeholder = EdgeKey::Action(root.legal[0]);
        Indexed::default().with(placeholder, Limits::default(), Copied(&self.tree))
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Looks at a shared tree as at any other.
struct Copied<'a, K>(&'a SharedTree<K>);

impl<K: Copy + std::hash::Hash + 'static> TreeVisitor<K> for Copied<'_, K> {
    type Output = Snapshot<K>;

    fn visit<T: Tree<K>>(self, tree: &mut T) -> Snapshot<K> {
        self.0.copy_to(tree);
        Snapshot::of(tree)
    }
}
