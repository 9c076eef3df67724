//! What a second thread is worth in each parallel mode, on connect four: with plain rollouts, and
//! with a leaf that takes as many of them as asked for.
//!
//! ```text
//! cargo run --release -p classics --example threads -- 300
//! ```

use std::time::Instant;

use classics::ConnectFour;
use classics::connect_four::Position;
use search_core::budget::Budget;
use search_core::game::Returns;
use search_core::rng::{Seed, SimRng};
use search_core::rollout::{Ending, Evaluation, LeafEvaluator, Rollout};
use search_core::search::{Parallel, Searcher, TreeSettings, Uct};
use search_core::tree::Indexed;

/// The mean of so many rollouts.
struct Rollouts(u32);

impl LeafEvaluator<ConnectFour> for Rollouts {
    fn evaluate(
        &self,
        game: &ConnectFour,
        world: &mut Position,
        rng: &mut SimRng,
        legal: &mut Vec<classics::connect_four::Column>,
    ) -> Evaluation {
        let mut sum = 0.0;
        for _ in 0..self.0 {
            let mut copy = *world;
            let value = Rollout::random().evaluate(game, &mut copy, rng, legal);
            sum += value.returns[0];
        }
        Evaluation {
            returns: Returns::zero_sum(sum / f64::from(self.0)),
            ending: Ending::Terminal,
        }
    }
}

/// Seconds of processor time of all threads so far; hundredths are what Linux tells.
fn processor() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks: f64 = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
    Some(ticks / 100.0)
}

/// Wall-clock and processor microseconds a simulation.
fn measure(parallel: Parallel, threads: usize, rollouts: u32, simulations: u64) -> (f64, f64) {
    let settings = TreeSettings {
        parallel,
        threads,
        ..TreeSettings::default()
    };
    let mut uct = Uct::with(settings, Rollouts(rollouts), Indexed::default());
    let budget = Budget::simulations(simulations);
    let (before, started) = (processor(), Instant::now());
    let decision = uct.search(&ConnectFour, &Position::default(), &budget, Seed(1));
    let wall = started.elapsed().as_secs_f64();
    assert!(decision.is_ok_and(|d| d.effort.simulations == simulations));
    let spent = processor().zip(before).map_or(f64::NAN, |(a, b)| a - b);
    let each = 1e6 / simulations as f64;
    (wall * each, spent * each)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let heavy = std::env::args().nth(1).and_then(|n| n.parse().ok());
    let modes = [
        ("serial", Parallel::Serial, 1),
        ("shared, 1 thread", Parallel::Shared, 1),
        ("shared, 2 threads", Parallel::Shared, 2),
        ("batch of 32, 1 thread", Parallel::Batch { size: 32 }, 1),
        ("batch of 32, 2 threads", Parallel::Batch { size: 32 }, 2),
        ("2 trees, 2 threads", Parallel::Root { trees: 2 }, 2),
    ];
    for rollouts in [1, heavy.unwrap_or(300)] {
        let simulations = 2_000_000 / u64::from(rollouts.max(1)) + 10_000;
        println!("{rollouts} rollouts a leaf, {simulations} simulations, medians of 5:");
        let mut figures = vec![(Vec::new(), Vec::new()); modes.len()];
        for _ in 0..5 {
            for ((_, parallel, threads), (wall, spent)) in modes.iter().zip(&mut figures) {
                let (w, s) = measure(*parallel, *threads, rollouts, simulations);
                wall.push(w);
                spent.push(s);
            }
        }
        for ((name, ..), (wall, spent)) in modes.iter().zip(figures) {
            let (wall, spent) = (median(wall), median(spent));
            println!("  {name:<24} {wall:8.3} us wall, {spent:8.3} us of processor");
        }
    }
}
