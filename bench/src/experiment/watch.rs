//! A comparison while it runs: the difference so far, and whether to stop.
//!
//! Blocks finish in any order, but a sequential statistic depends on the order in which it takes
//! them. Here block `k` is taken only when all before it are there, so that what is shown, and the
//! seed at which a run stops, do not depend on the number of threads.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

use super::block::Block;
use super::schedule::Schedule;
use super::stop::StopRule;
use super::summary::{Comparison, block_difference};
use crate::error::{Error, Result};
use crate::statistics::confidence_sequence::{AnyTimeInterval, KnownRange};
use crate::statistics::interval::Interval;
use crate::statistics::moments::Moments;
use crate::statistics::sequential::{Decision, Gsprt};

/// What a watch needs of a block.
#[derive(Debug, Clone, Copy)]
struct Taken {
    difference: f64,
    fallbacks: u64,
    decisions: u64,
}

/// Follows the blocks of a comparison in the order of their seeds.
#[derive(Debug, Clone)]
pub struct Watch {
    schedule: Schedule,
    level: f64,
    rule: Option<StopRule>,
    /// The seeds that are still to be taken.
    left: Range<u64>,
    waiting: BTreeMap<u64, Taken>,
    moments: Moments,
    any_time: Option<AnyTimeInterval>,
    test: Option<Gsprt>,
    fallbacks: u64,
    decisions: u64,
    stopped: bool,
}

/// What is known after the seeds taken so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// Seeds taken.
    pub seeds: u64,
    /// The mean difference; not a number before the first seed.
    pub mean: f64,
    /// Its standard error, from the second seed on.
    pub standard_error: Option<f64>,
    /// The any-time interval, where a range is known.
    pub any_time: Option<Interval>,
    /// The LLR and its bounds, where a test runs; no LLR while a hypothesis lies outside the data.
    pub llr: Option<(Option<f64>, f64, f64)>,
    /// Decisions made by a substitute.
    pub fallbacks: u64,
    /// All decisions.
    pub decisions: u64,
}

impl Watch {
    /// A watch over the seeds of a comparison. `range` is that of the block scores.
    ///
    /// # Errors
    /// When the rule needs a range and there is none, or the level cannot be used.
    pub fn new(
        comparison: &Comparison,
        rule: Option<StopRule>,
        range: Option<KnownRange>,
    ) -> Result<Self> {
        if rule == Some(StopRule::Interval) && range.is_none() {
            return Err(Error::input(
                "an any-time interval needs a range that the scores of a block cannot leave; \
                 declare one with --range LO..HI",
            ));
        }
        let sequence = |range| AnyTimeInterval::new(range, comparison.level);
        let any_time = range.map(sequence).transpose();
        Ok(Self {
            schedule: comparison.schedule.clone(),
            level: comparison.level,
            rule,
            left: comparison.seeds.seeds(),
            waiting: BTreeMap::new(),
            moments: Moments::new(),
            any_time: any_time.map_err(|e| Error::input(e.to_string()))?,
            test: match rule {
                Some(StopRule::Test(hypotheses)) => Some(Gsprt::new(hypotheses)),
                _ => None,
            },
            fallbacks: 0,
            decisions: 0,
            stopped: false,
        })
    }

    /// Takes a block that is finished, and every later one that waited for it. `Break` from the seed
    /// on at which the rule stops: what comes then is not taken.
    ///
    /// # Errors
    /// When a score is not finite.
    pub fn take(&mut self, block: &Block) -> Result<ControlFlow<()>> {
        let taken = Taken {
            difference: block_difference(&self.schedule, block),
            fallbacks: block.arms.iter().map(|arm| arm.fallbacks()).sum(),
            decisions: block.arms.iter().map(|arm| arm.decisions).sum(),
        };
        if !taken.difference.is_finite() {
            let seed = block.seed;
            return Err(Error::Failed(format!("seed {seed}: a score is not finite")));
        }
        self.waiting.insert(block.seed, taken);
        while !self.stopped && !self.left.is_empty() {
            let Some(next) = self.waiting.remove(&self.left.start) else {
                break;
            };
            self.left.start += 1;
            self.count(next)?;
        }
        Ok(if self.stopped {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    }

    fn count(&mut self, taken: Taken) -> Result<()> {
        let failed = |e: crate::statistics::StatError| Error::Failed(e.to_string());
        self.fallbacks += taken.fallbacks;
        self.decisions += taken.decisions;
        self.moments.push(taken.difference);
        if let Some(sequence) = &mut self.any_time {
            sequence.push(taken.difference).map_err(failed)?;
        }
        if let Some(test) = &mut self.test {
            test.push(taken.difference).map_err(failed)?;
            if self.left.is_empty() {
                test.look();
            }
        }
        self.stopped = match self.rule {
            None => false,
            Some(StopRule::Interval) => self.any_time.is_some_and(|s| s.excludes(0.0)),
            Some(StopRule::Test(_)) => self.decision().is_some(),
        };
        Ok(())
    }

    /// How many seeds were taken, in order.
    #[must_use]
    pub fn seeds(&self) -> u64 {
        self.moments.count()
    }

    /// The first seed that was not taken.
    #[must_use]
    pub fn next_seed(&self) -> u64 {
        self.left.start
    }

    /// The level of the any-time interval.
    #[must_use]
    pub fn level(&self) -> f64 {
        self.level
    }

    /// Whether the rule stopped the run.
    #[must_use]
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// The rule.
    #[must_use]
    pub fn rule(&self) -> Option<StopRule> {
        self.rule
    }

    /// The any-time interval, where a range is known.
    #[must_use]
    pub fn any_time(&self) -> Option<&AnyTimeInterval> {
        self.any_time.as_ref()
    }

    /// The test, where one runs.
    #[must_use]
    pub fn test(&self) -> Option<&Gsprt> {
        self.test.as_ref()
    }

    fn decision(&self) -> Option<Decision> {
        self.test.as_ref().and_then(Gsprt::decision)
    }

    /// What is known now.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let seeds = self.seeds();
        let bounds = |test: &Gsprt| {
            let bounds = test.hypotheses().bounds();
            (test.llr(), bounds.lower, bounds.upper)
        };
        Progress {
            seeds,
            mean: if seeds > 0 {
                self.moments.mean()
            } else {
                f64::NAN
            },
            standard_error: self.moments.standard_error(),
            any_time: self.any_time.and_then(|s| s.interval()),
            llr: self.test.as_ref().map(bounds),
            fallbacks: self.fallbacks,
            decisions: self.decisions,
        }
    }
}
