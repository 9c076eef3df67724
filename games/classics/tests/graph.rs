//! UCT on the graph of positions, in games whose positions and values are known.

use std::collections::BTreeSet;

use classics::{ConnectFour, TicTacToe};
use search_core::budget::Budget;
use search_core::game::{Game, Turn};
use search_core::plugin::Plugin;
use search_core::rng::Seed;
use search_core::search::{GraphSettings, GraphUct, Searcher, Sharing, TreeSettings, Uct};
use serde_json::Value;

const WAYS: [Sharing; 3] = [Sharing::Edges, Sharing::Nodes, Sharing::Recomputed];

/// T-TR2: searched everywhere, the graph of tic-tac-toe has its 5,478 positions, each once.
#[test]
fn t_tr2_tic_tac_toe_has_5478_positions() {
    let game = TicTacToe;
    let start = game.initial_state(&mut Seed(0).stream());
    let mut seen = BTreeSet::new();
    let (mut stack, mut legal) = (vec![start], Vec::new());
    while let Some(board) = stack.pop() {
        if !seen.insert(board) {
            continue;
        }
        game.legal_actions(&board, &mut legal);
        for &action in &legal {
            let mut next = board;
            game.apply(&mut next, action);
            stack.push(next);
        }
    }
    assert_eq!(seen.len(), 5_478);
    for sharing in WAYS {
        let settings = GraphSettings {
            exploration: 100.0,
            sharing,
            ..GraphSettings::default()
        };
        let mut graph = GraphUct::new(settings, game.state_key().unwrap());
        let decision = graph
            .search(&game, &start, &Budget::simulations(400_000), Seed(1))
            .unwrap();
        assert_eq!(graph.positions(), 5_478, "{sharing:?}");
        // A decision has an edge for every empty cell.
        let decisions = seen.iter().filter(|b| game.turn(b) != Turn::Terminal);
        let edges: usize = decisions
            .map(|board| {
                game.legal_actions(board, &mut legal);
                legal.len()
            })
            .sum();
        assert_eq!(decision.effort.edges, edges as u64);
    }
}

#[test]
fn t_tr2_tic_tac_toe_is_a_draw() {
    let game = TicTacToe;
    let start = game.initial_state(&mut Seed(0).stream());
    for sharing in WAYS {
        let settings = GraphSettings {
            sharing,
            ..GraphSettings::default()
        };
        let mut graph = GraphUct::new(settings, game.state_key().unwrap());
        let decision = graph
            .search(&game, &start, &Budget::simulations(100_000), Seed(1))
            .unwrap();
        let mean = decision.chosen().mean;
        println!("{sharing:?}: {mean:.4}");
        assert!(mean.abs() < 0.1, "{sharing:?}: {mean}");
    }
}

/// Share of the hard positions of connect four in which the choice keeps the value, and edges.
fn kept(searcher: &mut dyn Searcher<ConnectFour>, simulations: u64, seeds: u64) -> (f64, f64) {
    let game = ConnectFour;
    let (mut kept, mut asked, mut edges) = (0, 0_u32, 0);
    for line in include_str!("data/connect4_hard.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        if row["kind"] == "header" {
            continue;
        }
        let position = game
            .parse_observation(row["moves"].as_str().unwrap())
            .unwrap();
        let value = row["score"].as_i64().unwrap().signum();
        let budget = Budget::simulations(simulations);
        for seed in 0..seeds {
            let decision = searcher
                .search(&game, &position, &budget, Seed(seed))
                .unwrap();
            let score = &row["move_scores"][decision.action.index()];
            kept += u32::from(score.as_i64().unwrap().signum() == value);
            edges += decision.effort.edges;
            asked += 1;
        }
    }
    let n = f64::from(asked);
    (f64::from(kept) / n, edges as f64 / n)
}

fn graph(sharing: Sharing) -> GraphUct<ConnectFour> {
    let settings = GraphSettings {
        sharing,
        ..GraphSettings::default()
    };
    GraphUct::new(settings, ConnectFour.state_key().unwrap())
}

#[test]
fn connect_four_hard_positions_keep_their_value_on_the_graph() {
    for sharing in WAYS {
        let (kept, _) = kept(&mut graph(sharing), 1_000, 3);
        println!("{sharing:?}: {kept:.3}");
        // A wrong sign falls below 0.7, a random move keeps 0.275.
        assert!(kept >= 0.9, "{sharing:?}: {kept}");
    }
}

/// The table of `docs/src/algorithms.md`, by
/// `cargo test --release -p classics --test graph -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement of a minute"]
fn move_quality_on_tree_and_graph() {
    for simulations in [300, 1_000, 10_000] {
        let seeds = if simulations > 5_000 { 5 } else { 25 };
        let mut tree = Uct::<ConnectFour>::new(TreeSettings::default());
        let (share, edges) = kept(&mut tree, simulations, seeds);
        println!("{simulations} simulations, tree: {share:.4}, {edges:.0} edges");
        for sharing in WAYS {
            let (share, edges) = kept(&mut graph(sharing), simulations, seeds);
            println!("{simulations} simulations, {sharing:?}: {share:.4}, {edges:.0} edges");
        }
    }
}
