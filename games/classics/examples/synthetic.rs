//! What perfect-information Monte Carlo loses in synthetic trees, exactly, by leaf correlation, bias and
//! disambiguation (Long, Sturtevant, Buro & Furtak 2010):
//!
//! `cargo run --release -p classics --example synthetic -- TREES ITERATIONS`
//!
//! For each kind of tree, as a mean over TREES (20) of depth 8 with 8 types a player: what the first player
//! gives up by playing like perfect-information Monte Carlo (with all worlds), and at random, when the
//! second player plays an equilibrium strategy (CFR+, ITERATIONS, 100); and how much a best response takes
//! from the game value when both do (exploitability).

use classics::solve::{GameTree, Profile, cfr_plus, pimc_profile};
use classics::{Synthetic, synthetic::SyntheticOptions};
use search_core::game::Player;

/// Means over trees.
#[derive(Default)]
struct Row {
    pimc: f64,
    random: f64,
    exploitability: f64,
    solved: f64,
}

fn row(options: SyntheticOptions, trees: u32, iterations: u32) -> Result<Row, String> {
    let mut row = Row::default();
    for seed in 0..trees {
        let options = SyntheticOptions {
            seed: seed.into(),
            ..options
        };
        let game = Synthetic::new(options).map_err(|e| e.to_string())?;
        let tree = GameTree::new(&game, 100_000).map_err(|e| e.to_string())?;
        let nash = cfr_plus(&tree, iterations);
        let first = Player::new(0);
        let value = tree.value(&nash).of(first);
        let loss = |profile: &Profile| {
            let mixed = tree.with_player(&nash, first, profile);
            (value - tree.value(&mixed).of(first)) / f64::from(trees)
        };
        let pimc = pimc_profile(&tree);
        row.pimc += loss(&pimc);
        row.random += loss(&tree.uniform());
        row.exploitability += tree.exploitability(&pimc) / f64::from(trees);
        row.solved += tree.exploitability(&nash) / f64::from(trees);
    }
    Ok(row)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u32>());
    let trees = numbers.next().transpose()?.unwrap_or(20);
    let iterations = numbers.next().transpose()?.unwrap_or(100);
    println!(
        "correlation bias disambiguation | PIMC loses, random loses, exploitability of PIMC (of CFR+)"
    );
    let grid = [0.1, 0.5, 0.9].into_iter().flat_map(|correlation| {
        let biases = [0.5, 0.8].into_iter();
        biases.flat_map(move |bias| [0.0, 0.3, 0.6, 1.0].map(|d| (correlation, bias, d)))
    });
    for (correlation, bias, disambiguation) in grid {
        let options = SyntheticOptions {
            correlation,
            bias,
            disambiguation,
            ..SyntheticOptions::default()
        };
        let row = row(options, trees, iterations)?;
        println!(
            "{correlation:>11} {bias:>4} {disambiguation:>14} | {:>10.3} {:>13.3} {:>11.3} ({:.3})",
            row.pimc, row.random, row.exploitability, row.solved
        );
    }
    Ok(())
}
