//! T-DE1: the same bits for 1, 2, 3, 7 and 16 threads, in every mode of every searcher, twice in
//! one process; and a batch of one is the serial search.

use crate::common::{Climb, Nim, NimState, Redeal, climb_position};
use search_core::budget::Budget;
use search_core::game::{Game, Player};
use search_core::policy::UniformRandom;
use search_core::rng::Seed;
use search_core::search::{
    Aggregate, Allocation, Flat, FlatSettings, Gumbel, GumbelSettings, Ismcts, PairedStop,
    Parallel, Pimc, PimcSettings, RolloutImprovement, RolloutSettings, Searcher, TreeSettings, Uct,
    nested,
};
use std::sync::Arc;

/// What a search says, bit for bit, for a number of threads.
fn report(kind: &str, threads: usize) -> String {
    let game = Climb {
        players: 3,
        hand: 5,
    };
    let state = climb_position(&game, 3, 2);
    let view = game.observe(&state, Player::new(state.mover as usize));
    let budget = Budget::simulations(2_011);
    let tree = |parallel| TreeSettings {
        parallel,
        threads,
        keep_tree: true,
        ..TreeSettings::default()
    };
    let flat = |allocation| FlatSettings {
        allocation,
        threads,
        ..FlatSettings::default()
    };
    let seed = Seed(77);
    let decision = match kind {
        "serial" => Ismcts::new(tree(Parallel::Serial), Redeal).search(&game, &view, &budget, seed),
        "root" => Ismcts::new(tree(Parallel::Root { trees: 5 }), Redeal)
            .search(&game, &view, &budget, seed),
        "batch" => {
            let mut search = Ismcts::new(tree(Parallel::Batch { size: 13 }), Redeal);
            let decision = search.search(&game, &view, &budget, seed);
            return format!("{decision:?} {:?}", search.tree().unwrap().checksum);
        }
        "pimc" => {
            let settings = PimcSettings {
                worlds: 11,
                aggregate: Aggregate::Vote,
                search: tree(Parallel::Serial),
            };
            Pimc::new(settings, Redeal).search(&game, &view, &budget, seed)
        }
        "flat" => Flat::new(flat(Allocation::Even), Redeal).search(&game, &view, &budget, seed),
        "halving" => Flat::new(flat(Allocation::SequentialHalving), Redeal)
            .search(&game, &view, &budget, seed),
        "rollout" => {
            let settings = RolloutSettings {
                samples: 301,
                threads,
                ..RolloutSettings::default()
            };
            RolloutImprovement::new(settings, Redeal, UniformRandom, UniformRandom)
                .search(&game, &view, &budget, seed)
        }
        "ocba" => Flat::new(flat(Allocation::OCBA), Redeal).search(&game, &view, &budget, seed),
        "gumbel" => {
            let settings = GumbelSettings {
                threads,
                ..GumbelSettings::default()
            };
            Gumbel::new(settings, Redeal).search(&game, &view, &budget, seed)
        }
        "paired" | "nested" => {
            let level = if kind == "nested" { 2 } else { 1 };
            let few = RolloutSettings {
                samples: 5,
                ..RolloutSettings::default()
            };
            let base = nested(level, few, &Redeal, None, Arc::new(UniformRandom)).unwrap();
            let settings = RolloutSettings {
                samples: if level == 2 { 15 } else { 301 },
                stop: Some(PairedStop {
                    z: 1.0,
                    first_look: 7,
                }),
                threads,
                ..RolloutSettings::default()
            };
            RolloutImprovement::new(settings, Redeal, Arc::clone(&base), base)
                .search(&game, &view, &budget, seed)
        }
        _ => unreachable!(),
    };
    format!("{decision:?}")
}

const KINDS: [&str; 11] = [
    "serial", "root", "batch", "pimc", "flat", "halving", "ocba", "gumbel", "rollout", "paired",
    "nested",
];

#[test]
fn t_de1_threads_do_not_matter() {
    for kind in KINDS {
        let one = report(kind, 1);
        for threads in [1, 2, 3, 7, 16] {
            assert_eq!(report(kind, threads), one, "{kind} on {threads} threads");
        }
    }
}

#[test]
fn t_de1_uct_batches_and_trees_do_not_depend_on_threads() {
    let game = Nim {
        players: 3,
        heap: 17,
    };
    let state = NimState { heap: 17, mover: 2 };
    for parallel in [Parallel::Batch { size: 32 }, Parallel::Root { trees: 8 }] {
        let run = |threads| {
            let settings = TreeSettings {
                parallel,
                threads,
                ..TreeSettings::default()
            };
            let decision =
                Uct::new(settings).search(&game, &state, &Budget::simulations(9_999), Seed(5));
            format!("{:?}", decision.unwrap())
        };
        for threads in [2, 3, 7, 16] {
            assert_eq!(run(threads), run(1));
        }
    }
}

#[test]
fn a_batch_of_one_is_the_serial_search() {
    let game = Climb {
        players: 3,
        hand: 5,
    };
    let state = climb_position(&game, 8, 1);
    let view = game.observe(&state, Player::new(state.mover as usize));
    let run = |parallel| {
        let settings = TreeSettings {
            parallel,
            keep_tree: true,
            ..TreeSettings::default()
        };
        let mut search = Ismcts::new(settings, Redeal);
        search
            .search(&game, &view, &Budget::simulations(3_000), Seed(2))
            .unwrap();
        search.tree().unwrap().clone()
    };
    assert_eq!(run(Parallel::Batch { size: 1 }), run(Parallel::Serial));
}

/// Trap 38: nothing stays in flight.
#[test]
fn batched_trees_keep_their_sums() {
    // Batching on storage that moves siblings was once silently wrong while looking deterministic:
    // visits must still add up, and nothing may stay in flight.
    let game = Climb {
        players: 4,
        hand: 4,
    };
    for size in [2, 5, 16, 64] {
        let state = climb_position(&game, 1, 1);
        let view = game.observe(&state, Player::new(state.mover as usize));
        let settings = TreeSettings {
            parallel: Parallel::Batch { size },
            threads: 3,
            keep_tree: true,
            ..TreeSettings::default()
        };
        let mut search = Ismcts::new(settings, Redeal);
        let decision = search
            .search(&game, &view, &Budget::simulations(5_000), Seed(2))
            .unwrap();
        let tree = search.tree().unwrap();
        let mut sums = vec![0_u32; tree.nodes.len()];
        for node in &tree.nodes[1..] {
            sums[node.parent as usize] += node.visits;
            assert!(node.visits <= node.availability);
        }
        assert_eq!(sums[0], 5_000);
        assert_eq!(tree.nodes.len() as u64 - 1, decision.effort.edges);
        for (node, sum) in tree.nodes.iter().zip(&sums).skip(1) {
            assert_eq!(node.in_flight, 0);
            // Its first visits, as many as were in flight together, may all have ended here.
            assert!(*sum <= node.visits.saturating_sub(1));
            assert!(sum + size >= node.visits || *sum == 0);
        }
    }
}

#[test]
fn memory_kept_between_searches_does_not_matter() {
    let game = Nim {
        players: 2,
        heap: 15,
    };
    let budget = Budget::simulations(3_000);
    let mut kept = Uct::default();
    for heap in [15, 9, 4, 15] {
        let state = NimState { heap, mover: 0 };
        let fresh = Uct::default()
            .search(&game, &state, &budget, Seed(3))
            .unwrap();
        assert_eq!(kept.search(&game, &state, &budget, Seed(3)).unwrap(), fresh);
    }
}

/// Trap 39.
#[test]
fn results_by_seed_are_frozen() {
    // A change here changes every stored result: it belongs in the changelog.
    let game = Nim {
        players: 3,
        heap: 10,
    };
    let state = NimState { heap: 10, mover: 0 };
    let decision = Uct::default()
        .search(&game, &state, &Budget::simulations(1_000), Seed(42))
        .unwrap();
    let visits: Vec<u64> = decision.candidates.iter().map(|c| c.visits).collect();
    assert_eq!(visits, [249, 304, 447]);
}
