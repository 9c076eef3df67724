//! Two bots on the same seeds: what pairing (common random numbers) buys.

use super::distribution::student_t_critical;
use super::error::{StatError, require_count, require_same_length};
use super::interval::{Interval, MeanInterval, interval_of_moments};
use super::moments::Moments;
use super::sum::exact_sum;
use serde::Serialize;

/// A paired comparison `a - b`, one pair per seed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Paired {
    /// The mean difference with its t interval: the headline.
    pub difference: MeanInterval,
    /// Sample covariance of the pairs, divisor `n - 1`.
    pub covariance: Option<f64>,
    /// Pearson correlation of the pairs; `None` when a column is constant.
    pub correlation: Option<f64>,
    /// What the same scores would say had the deals been independent.
    pub unpaired: Option<Unpaired>,
    /// `(Var a + Var b) / Var(a - b)`: how many times more seeds independent
    /// deals would need for the same standard error. Below 1 pairing hurts.
    /// Noisy at 32 seeds: print it with
    /// [`crn_factor_interval`](super::bootstrap::crn_factor_interval). `None`
    /// when the differences do not vary.
    pub crn_factor: Option<f64>,
    /// Share of seeds that pairing saves, `1 - 1 / crn_factor`; `None` when
    /// neither column varies.
    pub seeds_saved: Option<f64>,
    /// Standardised effect per seed, `mean / sd` of the differences.
    pub d_z: Option<f64>,
}

/// Welch's comparison of the two columns as independent samples.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Unpaired {
    /// `sqrt(Var a / n + Var b / n)`.
    pub se: f64,
    /// Welch-Satterthwaite degrees of freedom; `None` when `se` is 0.
    pub df: Option<f64>,
    /// t interval of the difference; `None` when `se` is 0.
    pub interval: Option<Interval>,
}

/// Compares `a` with `b`, where `a[i]` and `b[i]` come from the same seed.
/// `confidence` in (0, 1) applies to both intervals.
///
/// # Errors
///
/// [`StatError::LengthMismatch`] for columns of different length,
/// [`StatError::TooFew`] for empty ones, and those of
/// [`mean_interval`](super::interval::mean_interval).
pub fn paired(a: &[f64], b: &[f64], confidence: f64) -> Result<Paired, StatError> {
    require_same_length(a.len(), b.len())?;
    require_count("a paired comparison", 1, a.len())?;
    let (left, right) = (Moments::of(a)?, Moments::of(b)?);
    let gaps: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    let difference = interval_of_moments(&Moments::of(&gaps)?, confidence)?;
    let covariance = covariance(a, b, &left, &right)?;
    let spreads = left.variance().zip(right.variance());
    let correlation = covariance.zip(spreads).and_then(|(covariance, (va, vb))| {
        (va > 0.0 && vb > 0.0).then(|| covariance / (va.sqrt() * vb.sqrt()))
    });
    let (crn_factor, seeds_saved) = match (spreads, difference.variance) {
        (Some((va, vb)), Some(vd)) => (
            crn_factor(va, vb, vd),
            (va + vb > 0.0).then(|| 1.0 - vd / (va + vb)),
        ),
        _ => (None, None),
    };
    let d_z = difference
        .sd
        .filter(|&sd| sd > 0.0)
        .map(|sd| difference.mean / sd);
    Ok(Paired {
        difference,
        covariance,
        correlation,
        unpaired: spreads
            .map(|spreads| welch(difference.mean, spreads, left.count() as f64, confidence)),
        crn_factor,
        seeds_saved,
        d_z,
    })
}

/// `(va + vb) / vd`, or `None` when the differences do not vary.
pub(crate) fn crn_factor(va: f64, vb: f64, vd: f64) -> Option<f64> {
    (vd > 0.0).then(|| (va + vb) / vd)
}

/// Sample covariance from exact sums around the means.
fn covariance(
    a: &[f64],
    b: &[f64],
    left: &Moments,
    right: &Moments,
) -> Result<Option<f64>, StatError> {
    if a.len() < 2 {
        return Ok(None);
    }
    let products = a
        .iter()
        .zip(b)
        .map(|(a, b)| (a - left.mean()) * (b - right.mean()));
    Ok(Some(exact_sum(products)? / (a.len() - 1) as f64))
}

/// Welch's standard error, degrees of freedom and interval for two samples of
/// `n` observations each.
fn welch(mean: f64, (va, vb): (f64, f64), n: f64, confidence: f64) -> Unpaired {
    let (ea, eb) = (va / n, vb / n);
    let se = (ea + eb).sqrt();
    let df = (se > 0.0).then(|| (ea + eb).powi(2) * (n - 1.0) / (ea * ea + eb * eb));
    let interval =
        df.map(|df| Interval::around(mean, student_t_critical(1.0 - confidence, df) * se));
    Unpaired { se, df, interval }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_bot_twice_has_no_factor() {
        let scores = [1.0, 2.0, 4.0];
        let result = paired(&scores, &scores, 0.95).unwrap();
        assert_eq!(result.difference.se, Some(0.0));
        assert_eq!(result.difference.interval, None);
        assert_eq!((result.crn_factor, result.d_z), (None, None));
        assert_eq!(result.seeds_saved, Some(1.0));
        assert!((result.correlation.unwrap() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn one_pair_gives_a_mean_only() {
        let result = paired(&[1.0], &[0.5], 0.95).unwrap();
        assert_eq!(result.difference.mean, 0.5);
        assert_eq!(result.unpaired, None);
        assert_eq!((result.covariance, result.crn_factor), (None, None));
    }

    #[test]
    fn constant_columns_have_no_correlation() {
        let result = paired(&[1.0, 1.0], &[2.0, 3.0], 0.95).unwrap();
        assert_eq!(result.correlation, None);
        assert_eq!(result.crn_factor, Some(1.0));
    }

    #[test]
    fn columns_must_match() {
        assert_eq!(
            paired(&[1.0], &[1.0, 2.0], 0.95),
            Err(StatError::LengthMismatch { left: 1, right: 2 })
        );
        assert!(paired(&[], &[], 0.95).is_err());
    }
}
