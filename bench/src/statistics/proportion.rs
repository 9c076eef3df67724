//! Rates: `k` events in `n` trials (fallbacks, illegal moves, divergences).
//!
//! Wilson for display, Clopper-Pearson for gates (it never covers less than
//! it says). A rate of 0 is never printed without its `n`: the one-sided upper
//! bound says what `n` clean trials can exclude.

use super::beta::beta_quantile;
use super::distribution::normal_quantile;
use super::error::{StatError, require_open_unit};
use super::interval::Interval;
use serde::Serialize;

/// A count of events in a number of independent trials.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Proportion {
    events: u64,
    trials: u64,
}

impl Proportion {
    /// `events` in `trials`.
    ///
    /// # Errors
    ///
    /// [`StatError::TooFew`] without trials, [`StatError::OutOfRange`] for
    /// more events than trials.
    pub fn new(events: u64, trials: u64) -> Result<Self, StatError> {
        if trials == 0 {
            return Err(StatError::TooFew {
                what: "a rate",
                needed: 1,
                got: 0,
            });
        }
        if events > trials {
            return Err(StatError::OutOfRange {
                name: "events",
                value: events as f64,
                domain: "[0, trials]",
            });
        }
        Ok(Self { events, trials })
    }

    /// Number of events.
    #[must_use]
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Number of trials: print it beside every rate.
    #[must_use]
    pub fn trials(&self) -> u64 {
        self.trials
    }

    /// `events / trials`.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.events as f64 / self.trials as f64
    }

    /// Wilson's score interval (1927).
    ///
    /// # Errors
    ///
    /// [`StatError::OutOfRange`] for a confidence outside (0, 1).
    pub fn wilson(&self, confidence: f64) -> Result<Interval, StatError> {
        require_open_unit("confidence", confidence)?;
        let z = normal_quantile(0.5 + 0.5 * confidence);
        let (n, p) = (self.trials as f64, self.rate());
        let shrink = 1.0 + z * z / n;
        let centre = (p + z * z / (2.0 * n)) / shrink;
        let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt() / shrink;
        Ok(Interval {
            low: (centre - half).max(0.0),
            high: (centre + half).min(1.0),
        })
    }

    /// Clopper and Pearson's exact interval (1934).
    ///
    /// # Errors
    ///
    /// As [`wilson`](Self::wilson).
    pub fn clopper_pearson(&self, confidence: f64) -> Result<Interval, StatError> {
        require_open_unit("confidence", confidence)?;
        let tail = 0.5 * (1.0 - confidence);
        Ok(Interval {
            low: self.exact_lower(tail),
            high: self.exact_upper(tail),
        })
    }

    /// Jeffreys' interval: central quantiles of Beta(k + 1/2, n - k + 1/2).
    /// Its ends are not moved to 0 or 1 when `k` is 0 or `n`.
    ///
    /// # Errors
    ///
    /// As [`wilson`](Self::wilson).
    pub fn jeffreys(&self, confidence: f64) -> Result<Interval, StatError> {
        require_open_unit("confidence", confidence)?;
        let tail = 0.5 * (1.0 - confidence);
        let a = self.events as f64 + 0.5;
        let b = (self.trials - self.events) as f64 + 0.5;
        Ok(Interval {
            low: beta_quantile(tail, a, b),
            // The mirrored quantile keeps full precision near 1.
            high: 1.0 - beta_quantile(tail, b, a),
        })
    }

    /// Exact one-sided upper bound: with this confidence the rate is below it.
    /// Without events it is `1 - (1 - confidence)^(1/n)`.
    ///
    /// # Errors
    ///
    /// As [`wilson`](Self::wilson).
    pub fn upper_bound(&self, confidence: f64) -> Result<f64, StatError> {
        require_open_unit("confidence", confidence)?;
        Ok(self.exact_upper(1.0 - confidence))
    }

    /// `3 / n`, the rule of three for the 95 % one-sided upper bound; `None`
    /// when there were events.
    #[must_use]
    pub fn rule_of_three(&self) -> Option<f64> {
        (self.events == 0).then(|| 3.0 / self.trials as f64)
    }

    /// Lower Clopper-Pearson limit with probability `tail` below it.
    fn exact_lower(&self, tail: f64) -> f64 {
        if self.events == 0 {
            return 0.0;
        }
        let others = (self.trials - self.events) as f64;
        beta_quantile(tail, self.events as f64, others + 1.0)
    }

    /// Upper Clopper-Pearson limit with probability `tail` above it.
    fn exact_upper(&self, tail: f64) -> f64 {
        if self.events == self.trials {
            return 1.0;
        }
        if self.events == 0 {
            return -(tail.ln() / self.trials as f64).exp_m1();
        }
        let others = (self.trials - self.events) as f64;
        beta_quantile(1.0 - tail, self.events as f64 + 1.0, others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_counts_are_errors() {
        assert!(Proportion::new(0, 0).is_err());
        assert!(Proportion::new(3, 2).is_err());
        assert!(Proportion::new(1, 2).unwrap().wilson(1.0).is_err());
    }

    #[test]
    fn events_and_non_events_mirror_each_other() {
        for (events, trials) in [(0, 7), (1, 7), (40, 2_000_000), (7, 7)] {
            let some = Proportion::new(events, trials).unwrap();
            let rest = Proportion::new(trials - events, trials).unwrap();
            for interval in [
                Proportion::wilson,
                Proportion::clopper_pearson,
                Proportion::jeffreys,
            ] {
                let (one, other) = (
                    interval(&some, 0.95).unwrap(),
                    interval(&rest, 0.95).unwrap(),
                );
                assert!((one.low - (1.0 - other.high)).abs() < 1e-12);
                assert!((one.high - (1.0 - other.low)).abs() < 1e-12);
                assert!(one.low <= one.high && one.low >= 0.0 && one.high <= 1.0);
            }
        }
    }

    #[test]
    fn the_exact_interval_is_the_widest_of_ends() {
        let rate = Proportion::new(13, 20).unwrap();
        let exact = rate.clopper_pearson(0.95).unwrap();
        assert!(exact.width() > rate.wilson(0.95).unwrap().width());
        assert!(rate.upper_bound(0.975).unwrap() - exact.high < 1e-12);
        assert_eq!(rate.rule_of_three(), None);
    }
}
