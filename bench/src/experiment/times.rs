//! Decision times as a histogram that merges exactly and stays small.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Buckets a doubling of the time: each is 4.4 % wide.
const PER_DOUBLING: f64 = 16.0;

/// Counts of decision times in logarithmic buckets.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Times(BTreeMap<u16, u64>);

impl Times {
    /// Counts one decision.
    pub fn add(&mut self, elapsed: Duration) {
        let nanoseconds = (elapsed.as_nanos() as f64).max(1.0);
        let bucket = (nanoseconds.log2() * PER_DOUBLING) as u16;
        *self.0.entry(bucket).or_default() += 1;
    }

    /// Adds the counts of another histogram.
    pub fn merge(&mut self, other: &Self) {
        for (bucket, count) in &other.0 {
            *self.0.entry(*bucket).or_default() += count;
        }
    }

    /// How many decisions were counted; none when that is more than there can be.
    #[must_use]
    pub fn count(&self) -> Option<u64> {
        let mut counts = self.0.values();
        counts.try_fold(0_u64, |sum, count| sum.checked_add(*count))
    }

    /// The sum of all times in seconds, within 2.2 %.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.0
            .iter()
            .map(|(bucket, count)| middle(*bucket) * *count as f64)
            .sum()
    }

    /// The time in seconds below which this share of the decisions stayed, within 2.2 %; `NaN`
    /// without any.
    #[must_use]
    pub fn quantile(&self, share: f64) -> f64 {
        let total: u64 = self.0.values().sum();
        let rank = ((share * total as f64).ceil() as u64).clamp(1, total.max(1));
        let mut seen = 0;
        for (bucket, count) in &self.0 {
            seen += count;
            if seen >= rank {
                return middle(*bucket);
            }
        }
        f64::NAN
    }
}

/// The middle of a bucket, in seconds.
fn middle(bucket: u16) -> f64 {
    ((f64::from(bucket) + 0.5) / PER_DOUBLING).exp2() * 1e-9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_within_a_bucket() {
        let mut times = Times::default();
        assert!(times.quantile(0.5).is_nan());
        for ms in 1..=1000 {
            times.add(Duration::from_millis(ms));
        }
        for (share, seconds) in [(0.5, 0.5), (0.99, 0.99), (1.0, 1.0)] {
            let ratio = times.quantile(share) / seconds;
            assert!((ratio - 1.0).abs() < 0.045, "{share}: {ratio}");
        }
        assert!((times.seconds() / 500.5 - 1.0).abs() < 0.022);
    }

    #[test]
    fn merging_is_counting_together() {
        let (mut one, mut two, mut both) = (Times::default(), Times::default(), Times::default());
        for (i, ns) in [1_u64, 50, 999, 12_345, 7_000_000].into_iter().enumerate() {
            let part = if i % 2 == 0 { &mut one } else { &mut two };
            part.add(Duration::from_nanos(ns));
            both.add(Duration::from_nanos(ns));
        }
        one.merge(&two);
        assert_eq!(one, both);
    }
}
