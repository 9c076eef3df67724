//! Simulations in flight together: the same tree on every storage, and panics that arrive.

use crate::common::{Climb, Nim, NimState, Redeal, climb_position};
use search_core::budget::Budget;
use search_core::game::{Game, Player};
use search_core::rng::{Seed, SimRng};
use search_core::rollout::{Evaluation, LeafEvaluator, Rollout};
use search_core::search::{GameKey, Ismcts, Parallel, Searcher, TreeSettings, Uct};
use search_core::tree::{Boxed, Bump, Indexed, Snapshot, Storage, Typed};

fn settings(size: u32, threads: usize) -> TreeSettings {
    TreeSettings {
        parallel: Parallel::Batch { size },
        threads,
        keep_tree: true,
        ..TreeSettings::default()
    }
}

fn tree_on<S: Storage<GameKey<Climb>>>(
    size: u32,
    threads: usize,
    storage: S,
) -> Snapshot<GameKey<Climb>> {
    let game = Climb {
        players: 3,
        hand: 5,
    };
    let state = climb_position(&game, 8, 1);
    let view = game.observe(&state, Player::new(state.mover as usize));
    let mut search = Ismcts::with(settings(size, threads), Redeal, Rollout::random(), storage);
    search
        .search(&game, &view, &Budget::simulations(3_001), Seed(2))
        .unwrap();
    search.tree().unwrap().clone()
}

/// Identifiers stay valid while simulations are in flight: a storage that moved siblings as it grew
/// was once silently wrong here.
#[test]
fn batches_give_the_same_tree_on_every_storage_and_any_number_of_threads() {
    for size in [2, 16, 64] {
        let expected = tree_on(size, 1, Indexed::default());
        assert!(expected.nodes.iter().all(|node| node.in_flight == 0));
        for threads in [2, 3, 7] {
            assert_eq!(tree_on(size, threads, Indexed::default()), expected);
            assert_eq!(tree_on(size, threads, Boxed), expected);
            assert_eq!(tree_on(size, threads, Bump::default()), expected);
            assert_eq!(tree_on(size, threads, Typed), expected);
        }
    }
}

/// Panics at a heap of 3.
struct Bomb;

impl LeafEvaluator<Nim> for Bomb {
    fn evaluate(
        &self,
        game: &Nim,
        world: &mut NimState,
        rng: &mut SimRng,
        legal: &mut Vec<u32>,
    ) -> Evaluation {
        assert!(world.heap != 3, "planted");
        Rollout::random().evaluate(game, world, rng, legal)
    }
}

#[test]
fn a_panic_of_an_evaluator_ends_the_search() {
    for parallel in [Parallel::Batch { size: 16 }, Parallel::Shared] {
        let result = std::panic::catch_unwind(|| {
            let game = Nim {
                players: 2,
                heap: 12,
            };
            let settings = TreeSettings {
                parallel,
                ..settings(16, 3)
            };
            let mut uct = Uct::with(settings, Bomb, Indexed::default());
            let root = NimState { heap: 12, mover: 0 };
            uct.search(&game, &root, &Budget::simulations(u64::MAX), Seed(1))
        });
        assert!(result.is_err());
    }
}
