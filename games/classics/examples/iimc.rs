//! Playouts of perfect-information Monte Carlo, and playouts of those, exactly, in synthetic trees (Furtak &
//! Buro 2013):
//!
//! `cargo run --release -p classics --example iimc -- TREES LEVELS`
//!
//! Level 0 is PIMC with all worlds. Level *n* takes the action that is best on average over all worlds when
//! from then on everybody plays level *n* - 1, each from the own information (imperfect-information Monte
//! Carlo). A second line begins with random play instead. Exploitability is the mean over both seats of what a
//! best response takes, and over TREES (100) trees of depth 8 with 8 types, with a 95 % interval.

use classics::Synthetic;
use classics::solve::{GameTree, Profile, iimc_profile, pimc_profile};
use classics::synthetic::SyntheticOptions;
use std::error::Error;

/// Correlation, bias and disambiguation: the point that is like Hearts first, then less to be learnt on the
/// way, then leaves that are hardly correlated.
const POINTS: [[f64; 3]; 5] = [
    [0.9, 0.8, 0.6],
    [0.9, 0.8, 0.3],
    [0.9, 0.8, 0.0],
    [0.5, 0.5, 0.6],
    [0.5, 0.5, 0.3],
];

fn tree(point: [f64; 3], seed: u64) -> Result<GameTree<Synthetic>, Box<dyn Error>> {
    let [correlation, bias, disambiguation] = point;
    let game = Synthetic::new(SyntheticOptions {
        correlation,
        bias,
        disambiguation,
        seed,
        ..SyntheticOptions::default()
    })?;
    Ok(GameTree::new(&game, 100_000)?)
}

/// The exploitability of a profile and of those made of it, level by level.
fn levels(tree: &GameTree<Synthetic>, first: Profile, levels: usize) -> Vec<f64> {
    let mut profile = first;
    let mut exploited = vec![tree.exploitability(&profile)];
    for _ in 0..levels {
        profile = iimc_profile(tree, &profile);
        exploited.push(tree.exploitability(&profile));
    }
    exploited
}

fn show(what: &str, trees: &[Vec<f64>]) {
    let n = trees.len() as f64;
    let mut line = format!("{what:<28}");
    for level in 0..trees[0].len() {
        let values = || trees.iter().map(|levels| levels[level]);
        let mean = values().sum::<f64>() / n;
        let squares: f64 = values().map(|v| (v - mean) * (v - mean)).sum();
        let within = 1.96 * (squares / (n - 1.0) / n).sqrt();
        line += &format!("  {mean:.3} ± {within:.3}");
    }
    println!("{line}");
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let mut number = |default| words.next().map_or(Ok(default), |text| text.parse::<u64>());
    let (count, most) = (number(100)?, number(5)? as usize);
    if count < 2 {
        return Err("give two trees at least".into());
    }
    println!("correlation, bias, disambiguation: exploitability at level 0, 1, ... {most}");
    for point in POINTS {
        let trees: Vec<GameTree<Synthetic>> = (0..count)
            .map(|seed| tree(point, seed))
            .collect::<Result<_, _>>()?;
        let name = format!("{point:?}");
        let from = |first: fn(&GameTree<Synthetic>) -> Profile| -> Vec<Vec<f64>> {
            trees.iter().map(|t| levels(t, first(t), most)).collect()
        };
        show(&format!("{name} PIMC"), &from(pimc_profile));
        show(&format!("{name} random"), &from(GameTree::uniform));
    }
    Ok(())
}
