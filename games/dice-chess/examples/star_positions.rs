//! How many positions expectimax looks at in dice chess, by pruning, order, table and depth. The value is
//! the same in every row of a block, and checked to be.
//!
//! ```text
//! cargo run --release -p dice-chess --example star_positions
//! ```

use std::time::Instant;

use dice_chess::DiceChess;
use search_core::budget::Budget;
use search_core::plugin::Plugin;
use search_core::rng::Seed;
use search_core::search::{Expectimax, ExpectimaxSettings, Pruning, Searcher};

const POSITIONS: [(&str, &str, u32); 5] = [
    (
        "opening",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNB",
        2,
    ),
    (
        "endgame",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 PRK",
        2,
    ),
    ("two knights", "4k3/2N5/8/8/8/8/2n5/4K3 w - - 0 1 PPK", 2),
    ("K+R v K", "7k/8/8/8/8/8/8/R3K3 w - - 0 1 PRK", 3),
    ("K v K", "8/8/4k3/8/4K3/8/8/8 w - - 0 1 PPK", 3),
];

fn settings(depth: u32) -> [(&'static str, ExpectimaxSettings); 5] {
    let none = ExpectimaxSettings {
        depth,
        pruning: Pruning::None,
        table: 0,
        deepening: false,
        order_by_evaluation: false,
        ..ExpectimaxSettings::default()
    };
    let star1 = ExpectimaxSettings {
        pruning: Pruning::Star1,
        order_by_evaluation: true,
        ..none
    };
    let star2 = ExpectimaxSettings {
        pruning: Pruning::Star2,
        ..star1
    };
    let table = 1 << 18;
    [
        ("no pruning", none),
        ("no pruning, table", ExpectimaxSettings { table, ..none }),
        ("star1, ordered", star1),
        ("star2, ordered", star2),
        (
            "star2, ordered, table, deepening",
            ExpectimaxSettings {
                table,
                deepening: true,
                ..star2
            },
        ),
    ]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = DiceChess::default();
    for (name, dfen, depth) in POSITIONS {
        let view = game.parse_observation(dfen)?;
        println!("{name}, depth {depth}: {dfen}");
        let mut first: Option<(f64, f64)> = None;
        for (variant, settings) in settings(depth) {
            let parts = game.depth_first().ok_or("no depth-first search")?;
            let mut search = Expectimax::new(settings, parts);
            let started = Instant::now();
            let decision = search.search(&game, &view, &Budget::default(), Seed(1))?;
            let took = started.elapsed().as_secs_f64() * 1e3;
            let nodes = search.report().ok_or("no report")?.nodes;
            let value = decision.chosen().mean;
            let looked = nodes.visited as f64;
            let (all, expected) = *first.get_or_insert((looked, value));
            if (value - expected).abs() > 1e-12 {
                return Err(format!("{variant} gives {value} instead of {expected}").into());
            }
            println!(
                "  {variant:<34}{looked:>10} positions {:>6.1} % {took:>9.1} ms",
                100.0 * looked / all
            );
        }
    }
    Ok(())
}
