//! Running mean and variance, their merge, and the law of total variance.
//!
//! Update: Welford (1962). Merge: Chan, Golub and LeVeque (1979). Both avoid
//! the cancellation of "sum of squares minus square of sum". Neither is
//! associative in floating point, so workers' results must be merged in seed
//! order, or the moments taken at the end with [`Moments::of`], which gives
//! the same bits for any order of the observations.

use super::error::{StatError, require_finite};
use super::sum::exact_sum;
use serde::{Deserialize, Serialize};

/// Count, mean and sum of squared deviations of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Moments {
    count: u64,
    mean: f64,
    m2: f64,
}

impl Moments {
    /// The moments of no observation.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Moments from stored parts: the number of observations, their mean, and
    /// `m2`, the sum of squared deviations from the mean.
    ///
    /// # Errors
    ///
    /// [`StatError::OutOfRange`] if `mean` is not finite, or `m2` is negative
    /// or not finite.
    pub fn from_parts(count: u64, mean: f64, m2: f64) -> Result<Self, StatError> {
        if !mean.is_finite() {
            return Err(StatError::OutOfRange {
                name: "mean",
                value: mean,
                domain: "finite numbers",
            });
        }
        if !(m2.is_finite() && m2 >= 0.0) {
            return Err(StatError::OutOfRange {
                name: "m2",
                value: m2,
                domain: "[0, inf)",
            });
        }
        Ok(Self { count, mean, m2 })
    }

    /// The moments of `values` in two passes with exact sums: the same bits
    /// for any order, and accurate whatever the offset of the data.
    ///
    /// # Errors
    ///
    /// [`StatError::NotFinite`] for a NaN or an infinity,
    /// [`StatError::Overflow`] if a sum leaves the range of doubles.
    pub fn of(values: &[f64]) -> Result<Self, StatError> {
        require_finite(values)?;
        let Some(&first) = values.first() else {
            return Ok(Self::new());
        };
        let count = values.len() as u64;
        // Equal values: the rounded mean may differ from them by one unit, and
        // a spread of one unit must not pass for information.
        if values.iter().all(|&value| value == first) {
            return Self::from_parts(count, first, 0.0);
        }
        let n = values.len() as f64;
        let mean = exact_sum(values.iter().copied())? / n;
        let squares = exact_sum(values.iter().map(|value| (value - mean).powi(2)))?;
        // The mean was rounded; take out the square of that error.
        let error = exact_sum(values.iter().map(|value| value - mean))?;
        Self::from_parts(count, mean, (squares - error * error / n).max(0.0))
    }

    /// Adds one observation (Welford): `n += 1; d = x - m; m += d / n;
    /// m2 += d (x - m)`.
    pub fn push(&mut self, value: f64) {
        self.count += 1;
        let delta = value - self.mean;
        self.mean += delta / self.count as f64;
        self.m2 += delta * (value - self.mean);
    }

    /// The moments of both samples together (Chan): `m = m_a + d n_b / n;
    /// m2 = m2_a + m2_b + d^2 n_a n_b / n` with `d = m_b - m_a`.
    #[must_use]
    pub fn merge(&self, other: &Self) -> Self {
        if other.count == 0 {
            return *self;
        }
        if self.count == 0 {
            return *other;
        }
        let count = self.count + other.count;
        let (left, right, all) = (self.count as f64, other.count as f64, count as f64);
        let delta = other.mean - self.mean;
        Self {
            count,
            mean: self.mean + delta * right / all,
            m2: self.m2 + other.m2 + delta * delta * left * right / all,
        }
    }

    /// Number of observations.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Mean; 0 for no observation.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Sum of squared deviations from the mean.
    #[must_use]
    pub fn m2(&self) -> f64 {
        self.m2
    }

    /// Sample variance, `m2 / (n - 1)`; `None` below two observations.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        (self.count > 1).then(|| self.m2 / (self.count - 1) as f64)
    }

    /// Population variance, `m2 / n`; `None` without observations.
    #[must_use]
    pub fn population_variance(&self) -> Option<f64> {
        (self.count > 0).then(|| self.m2 / self.count as f64)
    }

    /// Sample standard deviation; `None` below two observations.
    #[must_use]
    pub fn standard_deviation(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }

    /// Standard error of the mean, `s / sqrt(n)`; `None` below two.
    #[must_use]
    pub fn standard_error(&self) -> Option<f64> {
        self.variance()
            .map(|variance| (variance / self.count as f64).sqrt())
    }
}

/// The variance of grouped data, split by the law of total variance:
/// `population variance = within + between`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct VarianceSplit {
    /// Moments of all observations together.
    pub total: Moments,
    /// Mean of the variances inside groups: `sum(m2_g) / n`.
    pub within: f64,
    /// Variance of the group means: `sum(n_g (m_g - m)^2) / n`. A standard
    /// deviation pooled over cells must include it.
    pub between: f64,
    /// `sum(m2_g) / (n - k)` over the `k` groups that are not empty; `None`
    /// when each group holds one observation.
    pub pooled_within: Option<f64>,
}

/// Splits the variance of `groups` into within and between. Empty groups are
/// ignored; `None` when all are empty.
#[must_use]
pub fn split_variance(groups: &[Moments]) -> Option<VarianceSplit> {
    let total = groups
        .iter()
        .fold(Moments::new(), |sum, group| sum.merge(group));
    if total.count == 0 {
        return None;
    }
    let n = total.count as f64;
    let within: f64 = groups.iter().map(|group| group.m2).sum();
    let between = spread_of_means(groups, n);
    let filled = groups.iter().filter(|group| group.count > 0).count() as u64;
    let freedom = total.count - filled;
    Some(VarianceSplit {
        total,
        within: within / n,
        between,
        pooled_within: (freedom > 0).then(|| within / freedom as f64),
    })
}

/// `sum(n_g (m_g - m)^2) / n`, around the mean of one group instead of zero:
/// with a large common offset the rounding of `m` itself would dominate.
fn spread_of_means(groups: &[Moments], n: f64) -> f64 {
    let mut filled = groups.iter().filter(|group| group.count > 0).peekable();
    let origin = filled.peek().map_or(0.0, |group| group.mean);
    let offsets: Vec<(f64, f64)> = filled
        .map(|group| (group.count as f64, group.mean - origin))
        .collect();
    let centre = offsets.iter().map(|(size, gap)| size * gap).sum::<f64>() / n;
    offsets
        .iter()
        .map(|(size, gap)| size * (gap - centre).powi(2))
        .sum::<f64>()
        / n
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pushed(values: &[f64]) -> Moments {
        let mut moments = Moments::new();
        values.iter().for_each(|&value| moments.push(value));
        moments
    }

    fn close(left: f64, right: f64) -> bool {
        (left - right).abs() <= 1e-12 * (1.0 + left.abs().max(right.abs()))
    }

    /// Merges `parts` in the order that `picks` says: any binary tree.
    fn merge_in_a_tree(mut parts: Vec<Moments>, picks: &[usize]) -> Moments {
        let mut turn = 0;
        while parts.len() > 1 {
            let pick = picks[turn % picks.len()];
            let left = parts.swap_remove(pick % parts.len());
            let right = parts.swap_remove((pick / 7) % parts.len());
            parts.push(left.merge(&right));
            turn += 1;
        }
        parts.pop().unwrap_or_default()
    }

    #[test]
    fn equal_values_have_no_spread_at_all() {
        // Their exact sum divided by three is not 0.1 again.
        let moments = Moments::of(&[0.1, 0.1, 0.1]).unwrap();
        assert_eq!((moments.mean(), moments.variance()), (0.1, Some(0.0)));
    }

    #[test]
    fn small_samples_have_no_variance() {
        assert_eq!(Moments::of(&[]).unwrap().population_variance(), None);
        assert_eq!(Moments::of(&[2.0]).unwrap().variance(), None);
        assert_eq!(
            Moments::of(&[2.0]).unwrap().population_variance(),
            Some(0.0)
        );
        assert!(split_variance(&[Moments::new()]).is_none());
    }

    #[test]
    fn bad_parts_are_errors() {
        assert!(Moments::from_parts(2, f64::NAN, 1.0).is_err());
        assert!(Moments::from_parts(2, 0.0, -1.0).is_err());
        assert_eq!(
            Moments::of(&[0.0, f64::INFINITY]),
            Err(StatError::NotFinite { index: 1 })
        );
    }

    proptest! {
        #[test]
        fn a_merge_in_any_tree_equals_one_pass(
            values in prop::collection::vec(-100.0..100.0f64, 1..80),
            width in 1..9usize,
            picks in prop::collection::vec(0..10_000usize, 1..40),
        ) {
            let parts = values.chunks(width).map(pushed).collect();
            let merged = merge_in_a_tree(parts, &picks);
            let one_pass = pushed(&values);
            let exact = Moments::of(&values).unwrap();
            prop_assert_eq!(merged.count(), one_pass.count());
            for other in [one_pass, exact] {
                prop_assert!(close(merged.mean(), other.mean()));
                prop_assert!(close(merged.m2(), other.m2()));
            }
        }

        #[test]
        fn variance_is_within_plus_between(
            groups in prop::collection::vec(
                prop::collection::vec(-10.0..10.0f64, 0..6), 1..8),
        ) {
            let parts: Vec<_> = groups.iter().map(|group| pushed(group)).collect();
            let Some(split) = split_variance(&parts) else { return Ok(()) };
            let whole = pushed(&groups.concat()).population_variance().unwrap();
            prop_assert!(close(split.within + split.between, whole));
        }

        #[test]
        fn the_order_of_observations_leaves_no_trace(
            mut values in prop::collection::vec(-10.0..10.0f64, 0..40),
        ) {
            let before = Moments::of(&values).unwrap();
            values.reverse();
            prop_assert_eq!(before, Moments::of(&values).unwrap());
        }
    }
}
