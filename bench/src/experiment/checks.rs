//! Second opinions on a comparison, which change nothing that it reports.

use serde::Serialize;

use super::block::Block;
use super::summary::{Comparison, Summary};
use crate::statistics::bootstrap::{bca, replicates};

/// Seeds from which the bootstrap is worth asking; below it covers less than the t interval does.
const ENOUGH_SEEDS: usize = 30;

/// Seeds beyond which the two agree anyway, and the jackknife would take minutes.
const TOO_MANY_SEEDS: usize = 4000;

/// Bootstrap replicates.
const RESAMPLES: usize = 4000;

/// Widths that differ by more are worth a warning.
const WIDTHS_DIFFER: f64 = 0.2;

/// Blocks from which the speed of searches is followed through the run.
const ENOUGH_BLOCKS: usize = 8;

/// A speed that changed by more changed what a budget in time buys.
const DRIFTED: f64 = 0.2;

/// The BCa interval of the difference, beside t.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BcaCheck {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Its width over that of the t interval.
    pub width_ratio: f64,
    /// Replicates, drawn by a fixed seed.
    pub resamples: usize,
}

/// The second opinions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Checks {
    /// BCa, with 30 to 4,000 seeds that were not stopped by the data.
    pub bca: Option<BcaCheck>,
    /// What they object to.
    pub warnings: Vec<String>,
}

/// Asks for second opinions on the summary of these blocks. `resumed` is how many seeds were in the log
/// before the run.
#[must_use]
pub fn checks(
    comparison: &Comparison,
    blocks: &[Block],
    summary: &Summary,
    resumed: usize,
) -> Checks {
    let bca = bca_check(summary);
    let mut warnings = Vec::new();
    if comparison.clock {
        warnings.extend((0..2).filter_map(|arm| drift(blocks, arm)));
    }
    if let Some(check) = bca.filter(|c| (c.width_ratio - 1.0).abs() > WIDTHS_DIFFER) {
        warnings.push(format!(
            "the BCa bootstrap interval is {:.0} % {} than that of t: the seeds are skewed or few; \
             play more",
            100.0 * (check.width_ratio - 1.0).abs(),
            if check.width_ratio > 1.0 {
                "wider"
            } else {
                "narrower"
            }
        ));
    }
    if resumed > 0 && resumed < summary.seeds && summary.stop.is_none() {
        warnings.push(format!(
            "{resumed} seeds were in the log before: if you went on because of what they said, the t \
             interval is not valid; decide with --stop instead"
        ));
    }
    Checks { bca, warnings }
}

fn bca_check(summary: &Summary) -> Option<BcaCheck> {
    let seeds = &summary.per_seed;
    if summary.stop.is_some() || !(ENOUGH_SEEDS..=TOO_MANY_SEEDS).contains(&seeds.len()) {
        return None;
    }
    let width = summary.difference.high? - summary.difference.low?;
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let drawn = replicates(seeds, RESAMPLES, 1, mean).ok()?;
    let parts = bca(seeds, &drawn, summary.difference.level, mean).ok()??;
    Some(BcaCheck {
        low: parts.interval.low,
        high: parts.interval.high,
        width_ratio: parts.interval.width() / width,
        resamples: RESAMPLES,
    })
}

/// Whether searches with a budget in time ran faster or slower in the later half of the seeds.
fn drift(blocks: &[Block], arm: usize) -> Option<String> {
    if blocks.len() < ENOUGH_BLOCKS {
        return None;
    }
    let (early, late) = blocks.split_at(blocks.len() / 2);
    let speed = |half: &[Block]| {
        let tallies = || half.iter().map(|block| &block.arms[arm]);
        let simulations: u64 = tallies().map(|t| t.simulations).sum();
        let seconds: f64 = tallies().map(|t| t.times.seconds()).sum();
        (simulations > 0 && seconds > 0.0).then(|| simulations as f64 / seconds)
    };
    let ratio = speed(late)? / speed(early)?;
    ((ratio - 1.0).abs() > DRIFTED).then(|| {
        format!(
            "{} ran {:.0} % as many simulations a second in the later half of the seeds as in the \
             earlier: the load of the machine changed what a budget in time buys",
            ["a", "b"][arm],
            100.0 * ratio
        )
    })
}
