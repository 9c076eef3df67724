//! How many positions a depth-first search looks at, by pruning, table and order.
//!
//! ```text
//! cargo run --release -p classics --example depth_table
//! ```

use std::time::Instant;

use classics::{ConnectFour, Pig};
use search_core::budget::Budget;
use search_core::plugin::Plugin;
use search_core::rng::Seed;
use search_core::search::{Expectimax, ExpectimaxSettings, Pruning, Searcher};

fn rows<P: Plugin>(game: &P, position: &str, depth: u32) -> Result<(), String> {
    let view = game
        .parse_observation(position)
        .map_err(|e| e.to_string())?;
    println!("{} at `{position}`, depth {depth}", P::NAME);
    let plain = ExpectimaxSettings {
        depth,
        pruning: Pruning::None,
        table: 0,
        deepening: false,
        order_by_evaluation: false,
        ..ExpectimaxSettings::default()
    };
    let pruned = |pruning| ExpectimaxSettings { pruning, ..plain };
    let star2 = pruned(Pruning::Star2);
    let ordered = ExpectimaxSettings {
        order_by_evaluation: true,
        ..star2
    };
    let table = 1 << 18;
    let variants = [
        ("none", plain),
        ("none, table", ExpectimaxSettings { table, ..plain }),
        ("star1", pruned(Pruning::Star1)),
        ("star2", star2),
        ("star2, ordered", ordered),
        (
            "star2, ordered, table",
            ExpectimaxSettings { table, ..ordered },
        ),
        (
            "star2, ordered, table, deepening",
            ExpectimaxSettings {
                table,
                deepening: true,
                ..ordered
            },
        ),
    ];
    let mut value = None;
    for (name, settings) in variants {
        let parts = game.depth_first().ok_or("no parts")?;
        let mut search = Expectimax::new(settings, parts);
        let started = Instant::now();
        let decision = search.search(game, &view, &Budget::default(), Seed(1));
        let decision = decision.map_err(|e| e.to_string())?;
        let took = started.elapsed().as_secs_f64() * 1e3;
        let nodes = search.report().ok_or("no report")?.nodes;
        println!(
            "  {name:<34} {:>9} positions {:>9} leaves {took:>8.1} ms",
            nodes.visited, nodes.leaves
        );
        let mean = decision.chosen().mean;
        let first = *value.get_or_insert(mean);
        if (mean - first).abs() > 1e-12 {
            return Err(format!("{name} gives {mean} instead of {first}"));
        }
    }
    Ok(())
}

fn main() -> Result<(), String> {
    rows(&Pig::default(), "scores=40,62 player=0 total=11", 6)?;
    rows(&ConnectFour, "4453", 7)
}
