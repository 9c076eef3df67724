//! Sample quantiles and mid-ranks.

use super::error::{StatError, require_count, require_finite};

/// Sample quantile of Hyndman and Fan's **type 7** (1996; the default of numpy
/// and R): linear interpolation between order statistics at `(n - 1) p`.
/// `values` in any order, `p` in `[0, 1]`; the unit is that of the values.
///
/// Type 7 never leaves the range of the sample, so a p99 of fewer than 100
/// values lies just under their maximum: print `n` beside it.
///
/// # Errors
///
/// [`StatError::TooFew`] for no value, [`StatError::NotFinite`],
/// [`StatError::OutOfRange`] for `p`.
pub fn quantile(values: &[f64], p: f64) -> Result<f64, StatError> {
    require_finite(values)?;
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    quantile_of_sorted(&sorted, p)
}

/// As [`quantile`] for values that are sorted in increasing order, without
/// copying them.
///
/// # Errors
///
/// As [`quantile`], except that the values are not checked.
pub fn quantile_of_sorted(sorted: &[f64], p: f64) -> Result<f64, StatError> {
    require_count("a quantile", 1, sorted.len())?;
    if !(0.0..=1.0).contains(&p) {
        return Err(StatError::OutOfRange {
            name: "p",
            value: p,
            domain: "[0, 1]",
        });
    }
    let position = (sorted.len() - 1) as f64 * p;
    let below = position.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    let (low, high) = (sorted[below], sorted[above]);
    Ok(low + (position - below as f64) * (high - low))
}

/// Median, type 7.
///
/// # Errors
///
/// As [`quantile`].
pub fn p50(values: &[f64]) -> Result<f64, StatError> {
    quantile(values, 0.5)
}

/// 99th percentile, type 7.
///
/// # Errors
///
/// As [`quantile`].
pub fn p99(values: &[f64]) -> Result<f64, StatError> {
    quantile(values, 0.99)
}

/// Ranks from 1, tied values sharing the mean of their ranks. The values must
/// be finite.
#[must_use]
pub fn mid_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    // `total_cmp` would part 0.0 from -0.0, which are a tie.
    order.sort_by(|&a, &b| (values[a] + 0.0).total_cmp(&(values[b] + 0.0)));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    for tie in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let rank = start as f64 + (tie.len() + 1) as f64 / 2.0;
        for &index in tie {
            ranks[index] = rank;
        }
        start += tie.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_seven_interpolates_between_order_statistics() {
        let values = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(p50(&values), Ok(2.5));
        assert!((p99(&values).unwrap() - 3.97).abs() < 1e-12);
        assert_eq!(quantile(&values, 0.0), Ok(1.0));
        assert_eq!(quantile(&values, 1.0), Ok(4.0));
        assert_eq!(p99(&[5.0]), Ok(5.0));
    }

    #[test]
    fn bad_input_is_an_error() {
        assert!(quantile(&[], 0.5).is_err());
        assert!(quantile(&[1.0], 1.1).is_err());
        assert!(quantile(&[1.0], f64::NAN).is_err());
        assert!(quantile(&[f64::NAN], 0.5).is_err());
    }

    #[test]
    fn ties_share_their_mean_rank() {
        assert_eq!(mid_ranks(&[3.0, 1.0, 3.0, 2.0]), [3.5, 1.0, 3.5, 2.0]);
        assert_eq!(mid_ranks(&[0.0, -0.0]), [1.5, 1.5]);
        assert!(mid_ranks(&[]).is_empty());
    }
}
