//! Bootstrap over seeds: percentile, basic and BCa intervals, and an interval
//! of the CRN factor.
//!
//! The bootstrap is a check, not a rescue: below about 30 seeds it covers less
//! than the t interval. Resampling is driven by an explicit seed, so a report
//! can be reproduced to the bit.

use super::distribution::{normal_cdf, normal_quantile};
use super::error::{
    StatError, require_count, require_finite, require_open_unit, require_same_length,
};
use super::interval::Interval;
use super::moments::Moments;
use super::paired::crn_factor;
use super::quantile::quantile_of_sorted;
use serde::Serialize;

/// Draws of whole seeds with replacement (SplitMix64, Steele et al. 2014).
#[derive(Debug, Clone)]
pub(super) struct Resampler(pub(super) u64);

impl Resampler {
    fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// An index below `bound` (> 0); the bias of the multiply-shift is below
    /// `bound / 2^64`.
    pub(super) fn index(&mut self, bound: usize) -> usize {
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }
}

/// Sorted bootstrap replicates of `statistic`, each from as many values drawn
/// with replacement as there are. `seed` fixes every draw. Replicates on which
/// the statistic is not finite are left out.
///
/// # Errors
///
/// [`StatError::TooFew`] below two values or without resamples,
/// [`StatError::NotFinite`] for bad values.
pub fn replicates(
    values: &[f64],
    resamples: usize,
    seed: u64,
    statistic: impl Fn(&[f64]) -> f64,
) -> Result<Vec<f64>, StatError> {
    require_count("a bootstrap", 2, values.len())?;
    require_count("a set of bootstrap replicates", 1, resamples)?;
    require_finite(values)?;
    let mut draws = Resampler(seed);
    let mut sample = vec![0.0; values.len()];
    let mut results = Vec::with_capacity(resamples);
    for _ in 0..resamples {
        for slot in &mut sample {
            *slot = values[draws.index(values.len())];
        }
        results.push(statistic(&sample));
    }
    Ok(sorted_finite(results))
}

/// Percentile interval: the central `confidence` of sorted replicates, by
/// type 7 quantiles.
///
/// # Errors
///
/// [`StatError::TooFew`] without replicates, [`StatError::OutOfRange`] for a
/// confidence outside (0, 1).
pub fn percentile_interval(sorted: &[f64], confidence: f64) -> Result<Interval, StatError> {
    require_open_unit("confidence", confidence)?;
    let tail = 0.5 * (1.0 - confidence);
    Ok(Interval {
        low: quantile_of_sorted(sorted, tail)?,
        high: quantile_of_sorted(sorted, 1.0 - tail)?,
    })
}

/// A bias-corrected and accelerated interval with its parts (Efron 1987).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bca {
    /// The statistic on the sample.
    pub estimate: f64,
    /// Bias correction: normal quantile of the share of replicates below the
    /// estimate, ties as half.
    pub z0: f64,
    /// Acceleration, from the jackknife.
    pub acceleration: f64,
    /// Adjusted lower and upper probability.
    pub probabilities: [f64; 2],
    /// Type 7 quantiles of the replicates at those probabilities.
    pub interval: Interval,
}

/// BCa interval of `statistic` from sorted `replicates` of it. `None` when all
/// replicates lie on one side of the estimate, or the adjusted probabilities
/// leave (0, 1): then BCa is not defined.
///
/// # Errors
///
/// [`StatError::TooFew`] below two values or without replicates,
/// [`StatError::OutOfRange`] for a confidence outside (0, 1),
/// [`StatError::NotFinite`].
pub fn bca(
    values: &[f64],
    replicates: &[f64],
    confidence: f64,
    statistic: impl Fn(&[f64]) -> f64,
) -> Result<Option<Bca>, StatError> {
    require_open_unit("confidence", confidence)?;
    require_count("a BCa interval", 2, values.len())?;
    require_count("a set of bootstrap replicates", 1, replicates.len())?;
    require_finite(values)?;
    let estimate = statistic(values);
    let below = replicates.iter().filter(|&&r| r < estimate).count();
    let tied = replicates.iter().filter(|&&r| r == estimate).count();
    let z0 = normal_quantile((below as f64 + 0.5 * tied as f64) / replicates.len() as f64);
    let acceleration = jackknife_acceleration(values, statistic);
    let tail = 0.5 * (1.0 - confidence);
    let adjusted = |p: f64| {
        let shifted = z0 + normal_quantile(p);
        normal_cdf(z0 + shifted / (1.0 - acceleration * shifted))
    };
    let probabilities = [adjusted(tail), adjusted(1.0 - tail)];
    if !z0.is_finite() || probabilities.iter().any(|p| !(0.0..=1.0).contains(p)) {
        return Ok(None);
    }
    Ok(Some(Bca {
        estimate,
        z0,
        acceleration,
        probabilities,
        interval: Interval {
            low: quantile_of_sorted(replicates, probabilities[0])?,
            high: quantile_of_sorted(replicates, probabilities[1])?,
        },
    }))
}

/// `sum(d^3) / (6 (sum d^2)^{3/2})` with `d = mean(m_(.)) - m_(i)` over the
/// leave-one-out statistics; 0 when they do not vary.
fn jackknife_acceleration(values: &[f64], statistic: impl Fn(&[f64]) -> f64) -> f64 {
    let mut rest = values[1..].to_vec();
    let mut without = Vec::with_capacity(values.len());
    for (index, &value) in values.iter().enumerate() {
        without.push(statistic(&rest));
        if let Some(slot) = rest.get_mut(index) {
            *slot = value;
        }
    }
    let centre = without.iter().sum::<f64>() / without.len() as f64;
    let power_sum = |power| {
        without
            .iter()
            .map(|m| (centre - m).powi(power))
            .sum::<f64>()
    };
    let squares: f64 = power_sum(2);
    if squares > 0.0 {
        power_sum(3) / (6.0 * squares.powf(1.5))
    } else {
        0.0
    }
}

/// Percentile bootstrap interval of the CRN factor of [`paired`], resampling
/// seeds (pairs). `None` when more than a tenth of the resamples have
/// differences without spread, so that the factor is undefined on them.
///
/// # Errors
///
/// [`StatError::LengthMismatch`], [`StatError::TooFew`] below two seeds or
/// without resamples, [`StatError::OutOfRange`] for the confidence,
/// [`StatError::NotFinite`], [`StatError::Overflow`].
///
/// [`paired`]: super::paired::paired
pub fn crn_factor_interval(
    a: &[f64],
    b: &[f64],
    confidence: f64,
    resamples: usize,
    seed: u64,
) -> Result<Option<Interval>, StatError> {
    require_open_unit("confidence", confidence)?;
    require_same_length(a.len(), b.len())?;
    require_count("a bootstrap", 2, a.len())?;
    require_count("a set of bootstrap replicates", 1, resamples)?;
    require_finite(a)?;
    require_finite(b)?;
    let mut draws = Resampler(seed);
    let mut columns = [const { Vec::new() }; 3];
    let mut factors = Vec::with_capacity(resamples);
    for _ in 0..resamples {
        columns.iter_mut().for_each(Vec::clear);
        for _ in a {
            let pick = draws.index(a.len());
            columns[0].push(a[pick]);
            columns[1].push(b[pick]);
            columns[2].push(a[pick] - b[pick]);
        }
        let mut variances = [0.0; 3];
        for (variance, column) in variances.iter_mut().zip(&columns) {
            *variance = Moments::of(column)?.variance().unwrap_or(0.0);
        }
        factors.extend(crn_factor(variances[0], variances[1], variances[2]));
    }
    let factors = sorted_finite(factors);
    if factors.len() * 10 < resamples * 9 {
        return Ok(None);
    }
    percentile_interval(&factors, confidence).map(Some)
}

fn sorted_finite(mut values: Vec<f64>) -> Vec<f64> {
    values.retain(|value| value.is_finite());
    values.sort_by(f64::total_cmp);
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(values: &[f64]) -> f64 {
        values.iter().sum::<f64>() / values.len() as f64
    }

    #[test]
    fn a_seed_fixes_the_replicates() {
        let values = [1.0, 2.0, 4.0, 8.0];
        let draw = |seed| replicates(&values, 200, seed, mean).unwrap();
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }

    #[test]
    fn the_spread_of_replicated_means_is_the_standard_error() {
        let values: Vec<f64> = (0..40).map(|i| f64::from(i * i % 17)).collect();
        let drawn = replicates(&values, 20_000, 3, mean).unwrap();
        let spread = Moments::of(&drawn).unwrap().standard_deviation().unwrap();
        let population = Moments::of(&values).unwrap().population_variance().unwrap();
        assert!((spread / (population / 40.0).sqrt() - 1.0).abs() < 0.02);
    }

    #[test]
    fn bca_is_undefined_when_all_replicates_lie_on_one_side() {
        let values = [1.0, 2.0, 3.0];
        assert_eq!(bca(&values, &[5.0, 6.0], 0.95, mean), Ok(None));
    }

    #[test]
    fn the_factor_of_a_shared_deal_is_well_above_one() {
        let a: Vec<f64> = (0..32).map(|i| f64::from(i * 7 % 13)).collect();
        let b: Vec<f64> = (0..32)
            .map(|i| f64::from(i * 7 % 13) + f64::from(i % 3))
            .collect();
        let interval = crn_factor_interval(&a, &b, 0.95, 2000, 1).unwrap().unwrap();
        assert!(interval.low > 5.0 && interval.low < interval.high);
        assert_eq!(crn_factor_interval(&a, &a, 0.95, 100, 1), Ok(None));
    }

    #[test]
    fn bad_input_is_an_error() {
        assert!(replicates(&[1.0], 10, 1, mean).is_err());
        assert!(replicates(&[1.0, 2.0], 0, 1, mean).is_err());
        assert!(percentile_interval(&[], 0.95).is_err());
        assert!(crn_factor_interval(&[1.0, 2.0], &[1.0], 0.95, 10, 1).is_err());
    }
}
