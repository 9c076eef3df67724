//! A search gives the same tree on every storage: the same edges in the same order with the same
//! statistics, and the same decision.

use classics::kuhn::KuhnDeals;
use classics::leduc::LeducDeals;
use classics::{ConnectFour, KuhnPoker, LeducPoker};
use lexio::{Lexio, UniformDeal};
use search_core::budget::Budget;
use search_core::game::{Game, Turn};
use search_core::observation::Determinizer;
use search_core::rng::Seed;
use search_core::rollout::Rollout;
use search_core::search::{Ismcts, Parallel, Searcher, TreeSettings, Uct};
use search_core::tree::{Boxed, Bump, Indexed, Typed};

const PARALLEL: [Parallel; 3] = [
    Parallel::Serial,
    Parallel::Batch { size: 8 },
    Parallel::Root { trees: 3 },
];

fn settings(parallel: Parallel) -> TreeSettings {
    TreeSettings {
        parallel,
        threads: 2,
        keep_tree: true,
        ..TreeSettings::default()
    }
}

/// The decision, and the checksum and the size of the tree.
fn outcome<G: Game>(
    game: &G,
    simulations: u64,
    nodes: Option<u64>,
    mut searcher: impl Searcher<G>,
) -> (String, u64, usize) {
    let state = game.initial_state(&mut Seed(4).simulation(0));
    let Turn::Player(player) = game.turn(&state) else {
        unreachable!("a player begins")
    };
    let view = game.observe(&state, player);
    let budget = Budget {
        nodes,
        ..Budget::simulations(simulations)
    };
    let mut decision = searcher.search(game, &view, &budget, Seed(6)).unwrap();
    // What the storages differ in.
    decision.effort.bytes = 0;
    let tree = searcher.tree().unwrap();
    (format!("{decision:?}"), tree.checksum, tree.nodes.len())
}

/// Compares the outcomes of `$new(storage)`, a macro since each storage is another type.
macro_rules! same_on_all {
    ($game:expr, $simulations:expr, $nodes:expr, |$storage:ident| $new:expr) => {{
        let indexed = {
            let $storage = Indexed::default();
            outcome($game, $simulations, $nodes, $new)
        };
        assert!(indexed.2 > 5, "a tree to speak of");
        {
            let $storage = Bump::default();
            assert_eq!(outcome($game, $simulations, $nodes, $new), indexed);
        }
        {
            let $storage = Typed;
            assert_eq!(outcome($game, $simulations, $nodes, $new), indexed);
        }
        {
            let $storage = Boxed;
            assert_eq!(outcome($game, $simulations, $nodes, $new), indexed);
        }
    }};
}

#[test]
fn uct_builds_the_same_tree_on_all() {
    for parallel in PARALLEL {
        for nodes in [None, Some(1_000)] {
            same_on_all!(&ConnectFour, 20_000, nodes, |storage| Uct::with(
                settings(parallel),
                Rollout::random(),
                storage
            ));
        }
    }
}

fn ismcts<G: Game, D: Determinizer<G> + Copy>(game: &G, determinizer: D, simulations: u64) {
    for parallel in PARALLEL {
        for nodes in [None, Some(30)] {
            same_on_all!(game, simulations, nodes, |storage| Ismcts::with(
                settings(parallel),
                determinizer,
                Rollout::random(),
                storage
            ));
        }
    }
}

#[test]
fn ismcts_builds_the_same_tree_on_all() {
    ismcts(&KuhnPoker, KuhnDeals, 3_000);
    ismcts(&LeducPoker, LeducDeals, 3_000);
    ismcts(&Lexio::for_players(3).unwrap(), UniformDeal, 2_000);
}
