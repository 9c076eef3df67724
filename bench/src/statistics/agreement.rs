//! Agreement of two orders (tuning against held-out, one game against
//! another).

use super::error::{StatError, require_count, require_finite, require_same_length};
use super::moments::Moments;
use super::quantile::mid_ranks;
use serde::Serialize;

/// Rank correlations of two columns.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RankAgreement {
    /// Kendall's tau-b, which corrects for ties; `None` when a column is
    /// constant.
    pub kendall_tau_b: Option<f64>,
    /// Spearman's rho: Pearson correlation of mid-ranks; `None` as above.
    pub spearman: Option<f64>,
}

/// Rank correlations of `a[i]` with `b[i]`, in time quadratic in the length.
///
/// # Errors
///
/// [`StatError::LengthMismatch`], [`StatError::TooFew`] below two values,
/// [`StatError::NotFinite`].
pub fn rank_agreement(a: &[f64], b: &[f64]) -> Result<RankAgreement, StatError> {
    require_same_length(a.len(), b.len())?;
    require_count("a rank correlation", 2, a.len())?;
    require_finite(a)?;
    require_finite(b)?;
    Ok(RankAgreement {
        kendall_tau_b: kendall_tau_b(a, b),
        spearman: spearman(&mid_ranks(a), &mid_ranks(b))?,
    })
}

/// `(concordant - discordant) / sqrt(pairs untied in a * pairs untied in b)`.
fn kendall_tau_b(a: &[f64], b: &[f64]) -> Option<f64> {
    let (mut balance, mut untied_a, mut untied_b) = (0i64, 0i64, 0i64);
    for i in 0..a.len() {
        for j in 0..i {
            let (left, right) = (order(a[i], a[j]), order(b[i], b[j]));
            balance += left * right;
            untied_a += left * left;
            untied_b += right * right;
        }
    }
    let scale = (untied_a as f64).sqrt() * (untied_b as f64).sqrt();
    (scale > 0.0).then(|| balance as f64 / scale)
}

/// -1, 0 or 1 as `x` is below, equal to or above `y`.
fn order(x: f64, y: f64) -> i64 {
    i64::from(x > y) - i64::from(x < y)
}

fn spearman(a: &[f64], b: &[f64]) -> Result<Option<f64>, StatError> {
    let (left, right) = (Moments::of(a)?, Moments::of(b)?);
    let products: f64 = a
        .iter()
        .zip(b)
        .map(|(a, b)| (a - left.mean()) * (b - right.mean()))
        .sum();
    let scale = left.m2().sqrt() * right.m2().sqrt();
    Ok((scale > 0.0).then(|| products / scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_order_reversed_order_and_no_order() {
        let up = [1.0, 2.0, 3.0];
        let same = rank_agreement(&up, &[10.0, 20.0, 40.0]).unwrap();
        assert!((same.kendall_tau_b.unwrap() - 1.0).abs() < 1e-15);
        let reversed = rank_agreement(&up, &[3.0, 2.0, 1.0]).unwrap();
        assert!((reversed.spearman.unwrap() + 1.0).abs() < 1e-15);
        let none = rank_agreement(&up, &[5.0; 3]).unwrap();
        assert_eq!((none.kendall_tau_b, none.spearman), (None, None));
    }

    #[test]
    fn ties_shrink_the_denominator() {
        // 2 concordant pairs of 3; one pair tied in b: 2 / sqrt(3 * 2).
        let tied = rank_agreement(&[1.0, 2.0, 3.0], &[1.0, 1.0, 2.0]).unwrap();
        assert!((tied.kendall_tau_b.unwrap() - 2.0 / 6f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn bad_columns_are_errors() {
        assert!(rank_agreement(&[1.0], &[1.0]).is_err());
        assert!(rank_agreement(&[1.0, 2.0], &[1.0]).is_err());
    }
}
