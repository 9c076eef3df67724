//! What the heap holds: the counting allocator itself, and searches that are told how much to take.
//! One test, since the allocator counts for the whole process.

use classics::ConnectFour;
use search_core::budget::Budget;
use search_core::game::Game;
use search_core::rng::Seed;
use search_core::rollout::Rollout;
use search_core::search::{GameKey, Searcher, TreeSettings, Uct};
use search_core::tree::{Boxed, Bump, Indexed, Storage, Typed};
use searchlab::measure::heap::{self, Counting, Heap};

#[global_allocator]
static HEAP: Counting = Counting;

fn weigh<T>(work: impl FnOnce() -> T) -> (T, Heap) {
    let (result, heap) = heap::measure(work);
    (result, heap.expect("this process counts"))
}

fn the_counter_counts() {
    let (kept, heap) = weigh(|| {
        drop(std::hint::black_box(vec![1_u8; 10_000]));
        let mut kept = Vec::<u8>::with_capacity(1_000);
        // Growing counts as what it grows by, not as old and new at once.
        kept.reserve_exact(3_000);
        std::hint::black_box(kept)
    });
    assert_eq!((heap.live, heap.peak), (3_000, 10_000));
    // What was there before does not count, nor does giving it back.
    let ((), heap) = weigh(|| drop(kept));
    assert_eq!((heap.live, heap.peak), (0, 0));
    assert_eq!(weigh(|| ()).1.peak, 0);
}

/// The bytes of the tree as the search reports them, and the peak of the heap.
fn capped<S: Storage<GameKey<ConnectFour>>>(
    storage: S,
    bytes: u64,
    simulations: u64,
) -> (u64, u64) {
    let state = ConnectFour.initial_state(&mut Seed(0).simulation(0));
    let budget = Budget::simulations(simulations).with_bytes(bytes);
    let (effort, heap) = weigh(|| {
        let mut uct = Uct::with(TreeSettings::default(), Rollout::random(), storage);
        let decision = uct.search(&ConnectFour, &state, &budget, Seed(1));
        decision.expect("a decision").effort
    });
    assert!(effort.refused_expansions > 0, "the cap was not reached");
    (effort.bytes, heap.peak)
}

/// What a search holds beside its tree: buffers for paths, actions and children.
const BUFFERS: u64 = 64_000;

#[test]
fn a_byte_cap_holds_for_the_whole_heap() {
    the_counter_counts();
    // Tables that are made once a process are made here.
    capped(Typed, 1_000, 100);
    for (cap, simulations) in [(500_000, 20_000), (20_000_000, 400_000)] {
        let (tree, peak) = capped(Indexed::default(), cap, simulations);
        assert!(tree <= cap && tree + 256 > cap, "{tree} of {cap}");
        assert!(peak <= cap + BUFFERS, "{peak} of {cap}");
    }
    // Arenas double their chunks.
    let cap = 500_000;
    for (tree, peak) in [
        capped(Bump::default(), cap, 20_000),
        capped(Typed, cap, 20_000),
        capped(Boxed, cap, 20_000),
    ] {
        assert!(tree <= cap && tree + 1_024 > cap, "{tree} of {cap}");
        assert!(peak <= 3 * cap + BUFFERS, "{peak} of {cap}");
    }
}
