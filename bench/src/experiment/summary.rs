//! What a comparison says, computed from its blocks and from nothing else.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;
use serde_json::Value;

use super::block::{Block, Tally};
use super::digest::digest;
use super::pairing::pairing_factor;
use super::schedule::{Arm, Direction, Schedule};
use super::seeds::SeedRange;
use super::sequential::{AnyTime, Sequential};
use super::warnings;
use crate::statistics::interval::mean_interval;
use crate::statistics::proportion::Proportion;

/// Above this share of decisions made by a substitute, a difference is not the agent's.
pub const FALLBACK_LIMIT: f64 = 0.01;

/// What is compared.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The game as an expression.
    pub game: String,
    /// Every option of the game, defaults included.
    pub options: Value,
    /// The candidate as an expression.
    pub a: String,
    /// The other as an expression.
    pub b: String,
    /// The unit of the score.
    pub unit: String,
    /// Names of the auxiliary metrics.
    pub metrics: Vec<String>,
    /// Who sits where.
    pub schedule: Schedule,
    /// The seeds.
    pub seeds: SeedRange,
    /// The level of the intervals.
    pub level: f64,
    /// Whether an agent reads the clock.
    pub clock: bool,
}

/// A difference with its interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// The mean over the seeds of a's score minus b's.
    pub mean: f64,
    /// The lower end; none when no interval can be given.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The level.
    pub level: f64,
    /// How the interval was made, or why there is none.
    pub method: &'static str,
    /// The standard error of the mean, 0 when every seed gives the same.
    pub standard_error: f64,
    /// Degrees of freedom.
    pub degrees_of_freedom: usize,
}

/// One direction of the design apart.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ByDirection {
    /// In words.
    pub name: &'static str,
    /// The difference there.
    #[serde(flatten)]
    pub difference: Difference,
}

/// Decisions that were not the arm's own, out of `of`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fallbacks {
    /// It failed.
    pub failure: u64,
    /// It was late.
    pub timeout: u64,
    /// Out of so many decisions.
    pub of: u64,
    /// The share.
    pub rate: f64,
    /// The upper end of the one-sided 95 % Clopper-Pearson interval of the share.
    pub upper: f64,
    /// Why it first failed.
    pub first_failure: Option<String>,
}

/// Quantiles of the decision time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Seconds {
    /// The median.
    pub p50: f64,
    /// 99 of 100 decisions were faster.
    pub p99: f64,
}

/// One arm.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArmSummary {
    /// The mean score.
    pub score: f64,
    /// The mean of each auxiliary metric.
    pub metrics: BTreeMap<String, f64>,
    /// Decisions asked of it.
    pub decisions: u64,
    /// How many of them were not its own.
    pub fallbacks: Fallbacks,
    /// How long they took.
    pub seconds_per_decision: Seconds,
}

/// Both arms.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Arms {
    /// The candidate.
    pub a: ArmSummary,
    /// The other.
    pub b: ArmSummary,
}

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// The game.
    pub game: String,
    /// The candidate.
    pub a: String,
    /// The other.
    pub b: String,
    /// The unit of the score.
    pub unit: String,
    /// Seeds played: the number of observations.
    pub seeds: usize,
    /// Matches played.
    pub matches: usize,
    /// a's score minus b's.
    pub difference: Difference,
    /// The same for every seed, in the order of the seeds.
    pub per_seed: Vec<f64>,
    /// What each arm did.
    pub arms: Arms,
    /// How many times more seeds independent deals would need.
    pub variance_reduction: Option<f64>,
    /// Whether the difference says something about the agents.
    pub interpretable: bool,
    /// Whether the same command gives the same bits again.
    pub deterministic: bool,
    /// Every option of the game.
    pub options: Value,
    /// The range of the seeds.
    pub seed_range: String,
    /// The design in words.
    pub design: String,
    /// The directions of the design apart.
    pub directions: Vec<ByDirection>,
    /// Deals that differ from each other.
    pub distinct_deals: usize,
    /// Blocks that differ from each other in any way.
    pub distinct_blocks: usize,
    /// Blocks in which not every seating led to the same play.
    pub divergent_blocks: usize,
    /// Rounds stopped at the game's limit of turns.
    pub cut_off_rounds: u64,
    /// The interval that is valid at any time, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub any_time: Option<AnyTime>,
    /// The sequential test, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sequential: Option<Sequential>,
    /// The rule by which the data could stop the run, where there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<String>,
    /// What a careful reader would object to.
    pub warnings: Vec<String>,
    /// Hash of everything above except the times.
    pub digest: String,
}

/// The scores or one metric of one block: match and seat to value.
type Get<'a> = &'a dyn Fn(usize, usize) -> Option<f64>;

/// The means of A and of B over the seats of one direction. Seat by seat, the mean of an arm is a
/// running mean, so that equal values have exactly that mean and equal agents differ by exactly 0.
fn arm_means(schedule: &Schedule, direction: &Direction, get: Get<'_>) -> Option<[f64; 2]> {
    let mut sums = [0.0; 2];
    let mut seats = 0_u32;
    for seat in 0..schedule.players() {
        let mut means = [0.0; 2];
        let mut counts = [0_u32; 2];
        for index in direction.matches.clone() {
            let arm = schedule.seatings()[index][seat].index();
            if let Some(value) = get(index, seat) {
                counts[arm] += 1;
                means[arm] += (value - means[arm]) / f64::from(counts[arm]);
            }
        }
        if counts[0] > 0 && counts[1] > 0 {
            sums[0] += means[0];
            sums[1] += means[1];
            seats += 1;
        }
    }
    (seats > 0).then(|| sums.map(|sum| sum / f64::from(seats)))
}

/// The scores of one block.
struct BlockScores {
    /// A's mean and B's in each direction.
    directions: Vec<[f64; 2]>,
    /// What each match adds to the block score.
    parts: Vec<f64>,
}

impl BlockScores {
    fn new(schedule: &Schedule, block: &Block) -> Self {
        let get = |index: usize, seat: usize| Some(block.matches[index].scores[seat]);
        let of = |d| arm_means(schedule, d, &get).unwrap_or([f64::NAN; 2]);
        Self {
            directions: schedule.directions().iter().map(of).collect(),
            parts: parts(schedule, block),
        }
    }

    fn arm(&self, arm: Arm) -> f64 {
        let sum: f64 = self.directions.iter().map(|d| d[arm.index()]).sum();
        sum / self.directions.len() as f64
    }

    fn difference(&self) -> f64 {
        let sum: f64 = self.directions.iter().map(|d| d[0] - d[1]).sum();
        sum / self.directions.len() as f64
    }
}

/// What one block says of a's score minus b's.
pub(super) fn block_difference(schedule: &Schedule, block: &Block) -> f64 {
    BlockScores::new(schedule, block).difference()
}

/// The block score as a sum over matches, which says what it would vary by if every match had a
/// deal of its own.
fn parts(schedule: &Schedule, block: &Block) -> Vec<f64> {
    let directions = schedule.directions();
    let mut parts = vec![0.0; block.matches.len()];
    for direction in directions {
        let seats = |arm| {
            let seatings = &schedule.seatings()[direction.matches.clone()];
            seatings.iter().flatten().filter(|s| **s == arm).count() as f64
        };
        let shares = [1.0 / seats(Arm::A), -1.0 / seats(Arm::B)];
        for index in direction.matches.clone() {
            let seating = &schedule.seatings()[index];
            let scores = &block.matches[index].scores;
            let weighted = seating
                .iter()
                .zip(scores)
                .map(|(s, x)| shares[s.index()] * x);
            parts[index] = weighted.sum::<f64>() / directions.len() as f64;
        }
    }
    parts
}

fn difference(values: &[f64], level: f64) -> Difference {
    let t = mean_interval(values, level).ok();
    let interval = t.as_ref().and_then(|t| t.interval);
    let method = match (values.len(), &interval) {
        (_, Some(_)) => "t over seeds",
        (1, None) => "no interval: one seed",
        (_, None) => "no interval: every seed gives the same difference",
    };
    Difference {
        mean: t.as_ref().map_or(f64::NAN, |t| t.mean),
        low: interval.as_ref().map(|i| i.low),
        high: interval.as_ref().map(|i| i.high),
        level,
        method,
        standard_error: t.and_then(|t| t.se).unwrap_or(0.0),
        degrees_of_freedom: values.len() - 1,
    }
}

/// The upper end of the one-sided 95 % Clopper-Pearson interval for `count` of `n`.
fn upper_bound(count: u64, n: u64) -> f64 {
    Proportion::new(count, n)
        .and_then(|p| p.upper_bound(0.95))
        .unwrap_or(1.0)
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut mean, mut n) = (0.0, 0_u32);
    for value in values {
        n += 1;
        mean += (value - mean) / f64::from(n);
    }
    if n == 0 { f64::NAN } else { mean }
}

fn arm_summary(
    comparison: &Comparison,
    arm: Arm,
    blocks: &[&Block],
    scores: &[BlockScores],
) -> ArmSummary {
    let mut tally = Tally::default();
    for block in blocks {
        tally.merge(&block.arms[arm.index()]);
    }
    let metric = |k: usize| {
        let per_block = blocks.iter().filter_map(|block| {
            let get = |i: usize, seat: usize| block.matches[i].metrics.get(seat).map(|m| m[k]);
            let schedule = &comparison.schedule;
            let each = schedule.directions().iter();
            let means = each.filter_map(|d| arm_means(schedule, d, &get));
            let value = mean(means.map(|m| m[arm.index()]));
            value.is_finite().then_some(value)
        });
        mean(per_block)
    };
    let names = comparison.metrics.iter().enumerate();
    ArmSummary {
        score: mean(scores.iter().map(|s| s.arm(arm))),
        metrics: names.map(|(k, name)| (name.clone(), metric(k))).collect(),
        decisions: tally.decisions,
        seconds_per_decision: Seconds {
            p50: tally.times.quantile(0.5),
            p99: tally.times.quantile(0.99),
        },
        fallbacks: Fallbacks {
            failure: tally.failures,
            timeout: tally.timeouts,
            of: tally.decisions,
            rate: tally.fallbacks() as f64 / tally.decisions.max(1) as f64,
            upper: upper_bound(tally.fallbacks(), tally.decisions),
            first_failure: tally.first_failure,
        },
    }
}

/// What the blocks say, whatever their order.
///
/// # Panics
/// Without any block.
#[must_use]
pub fn summarise(comparison: &Comparison, blocks: &[Block]) -> Summary {
    assert!(!blocks.is_empty(), "a comparison has at least one seed");
    let mut blocks: Vec<&Block> = blocks.iter().collect();
    blocks.sort_by_key(|b| b.seed);
    let schedule = &comparison.schedule;
    let scores: Vec<BlockScores> = blocks
        .iter()
        .map(|b| BlockScores::new(schedule, b))
        .collect();
    let per_seed: Vec<f64> = scores.iter().map(BlockScores::difference).collect();
    let [a, b] = Arm::BOTH.map(|arm| arm_summary(comparison, arm, &blocks, &scores));
    let over_limit = |arm: &ArmSummary| arm.fallbacks.rate > FALLBACK_LIMIT;
    let difference_of = |d: usize| {
        let values: Vec<f64> = scores
            .iter()
            .map(|s| s.directions[d][0] - s.directions[d][1])
            .collect();
        difference(&values, comparison.level)
    };
    let named = schedule.directions().iter().enumerate();
    let mut summary = Summary {
        game: comparison.game.clone(),
        a: comparison.a.clone(),
        b: comparison.b.clone(),
        unit: comparison.unit.clone(),
        seeds: blocks.len(),
        matches: blocks.iter().map(|b| b.matches.len()).sum(),
        difference: difference(&per_seed, comparison.level),
        interpretable: !over_limit(&a) && !over_limit(&b),
        arms: Arms { a, b },
        variance_reduction: pairing_factor(&columns(&scores)),
        deterministic: blocks
            .iter()
            .all(|b| b.arms.iter().all(|t| t.unrepeatable == 0)),
        options: comparison.options.clone(),
        seed_range: comparison.seeds.to_string(),
        design: schedule.in_words(),
        directions: named
            .map(|(d, direction)| ByDirection {
                name: direction.name,
                difference: difference_of(d),
            })
            .collect(),
        distinct_deals: distinct(blocks.iter().map(|b| &b.deal)),
        distinct_blocks: distinct(blocks.iter().map(|b| {
            let histories: Vec<&String> = b.matches.iter().map(|m| &m.history).collect();
            (&b.deal, histories)
        })),
        divergent_blocks: blocks.iter().filter(|b| b.diverged()).count(),
        cut_off_rounds: blocks
            .iter()
            .flat_map(|b| &b.matches)
            .map(|m| u64::from(m.cut_off))
            .sum(),
        per_seed,
        any_time: None,
        sequential: None,
        stop: None,
        warnings: Vec::new(),
        digest: String::new(),
    };
    summary.interpretable &= !warnings::self_match_differs(&summary);
    summary.warnings = warnings::all(comparison, &summary);
    summary.digest = digest(&serde_json::to_value(&summary).unwrap_or_default());
    summary
}

/// The parts of the block scores, one column a match.
fn columns(scores: &[BlockScores]) -> Vec<Vec<f64>> {
    let matches = scores.first().map_or(0, |s| s.parts.len());
    (0..matches)
        .map(|k| scores.iter().map(|s| s.parts[k]).collect())
        .collect()
}

fn distinct<T: std::hash::Hash + Eq>(items: impl Iterator<Item = T>) -> usize {
    items.collect::<HashSet<T>>().len()
}
