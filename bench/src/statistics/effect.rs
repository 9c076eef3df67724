//! Effect sizes of two independent samples. Report raw units first; for
//! paired seeds the effect is [`d_z`](super::paired::Paired::d_z).

use super::distribution::hedges_factor;
use super::error::{StatError, require_count, require_finite};
use super::moments::Moments;
use super::quantile::mid_ranks;
use serde::Serialize;

/// Ordinal and standardised effect sizes of sample `a` against sample `b`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TwoSampleEffect {
    /// Mann and Whitney's U of `a`: pairs in which `a` is larger, ties as half.
    pub u: f64,
    /// Vargha and Delaney's A12 (2000): `u / (n_a n_b)`, the probability that
    /// a value of `a` exceeds one of `b`; 0.5 is no effect.
    pub a12: f64,
    /// Cliff's delta: `2 a12 - 1`, in `[-1, 1]`.
    pub cliffs_delta: f64,
    /// Cohen's d: difference of means in pooled standard deviations; `None`
    /// without spread or below three values in all.
    pub cohen_d: Option<f64>,
    /// Hedges' exact small-sample factor J with `n_a + n_b - 2` degrees of
    /// freedom; `None` below four values in all.
    pub hedges_j: Option<f64>,
    /// Hedges' g, `cohen_d * J` (Hedges 1981).
    pub hedges_g: Option<f64>,
}

/// Effect sizes of `a` against `b`; positive when `a` tends to be larger.
///
/// # Errors
///
/// [`StatError::TooFew`] when a sample is empty, [`StatError::NotFinite`] and
/// [`StatError::Overflow`] for bad values.
pub fn two_sample_effect(a: &[f64], b: &[f64]) -> Result<TwoSampleEffect, StatError> {
    for sample in [a, b] {
        require_count("an effect size", 1, sample.len())?;
        require_finite(sample)?;
    }
    let (left, right) = (a.len() as f64, b.len() as f64);
    let ranks = mid_ranks(&[a, b].concat());
    // Ranks are multiples of 1/2, so this sum is exact.
    let rank_sum: f64 = ranks[..a.len()].iter().sum();
    let u = rank_sum - left * (left + 1.0) / 2.0;
    let a12 = u / (left * right);
    let cohen_d = cohen_d(&Moments::of(a)?, &Moments::of(b)?);
    let freedom = left + right - 2.0;
    let hedges_j = (freedom > 1.0).then(|| hedges_factor(freedom));
    Ok(TwoSampleEffect {
        u,
        a12,
        cliffs_delta: 2.0 * a12 - 1.0,
        cohen_d,
        hedges_j,
        hedges_g: cohen_d.zip(hedges_j).map(|(d, j)| d * j),
    })
}

/// `(mean a - mean b) / s` with `s^2` pooled over `n_a + n_b - 2`.
fn cohen_d(a: &Moments, b: &Moments) -> Option<f64> {
    let freedom = (a.count() + b.count())
        .checked_sub(2)
        .filter(|&df| df > 0)?;
    let variance = (a.m2() + b.m2()) / freedom as f64;
    (variance > 0.0).then(|| (a.mean() - b.mean()) / variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complete_separation_and_complete_ties() {
        let apart = two_sample_effect(&[3.0, 4.0], &[1.0, 2.0]).unwrap();
        assert_eq!((apart.u, apart.a12, apart.cliffs_delta), (4.0, 1.0, 1.0));
        let tied = two_sample_effect(&[1.0, 1.0], &[1.0, 1.0, 1.0]).unwrap();
        assert_eq!((tied.a12, tied.cliffs_delta), (0.5, 0.0));
        assert_eq!((tied.cohen_d, tied.hedges_g), (None, None));
    }

    #[test]
    fn hedges_factor_at_two_and_at_many_degrees_of_freedom() {
        // J(2) = 1 / Gamma(1/2); for large v, J = 1 - 3 / (4 v) to first order.
        assert!((hedges_factor(2.0) - 0.564_189_583_547_756_3).abs() < 1e-13);
        assert!((hedges_factor(1e7) - (1.0 - 0.75e-7)).abs() < 1e-13);
    }

    #[test]
    fn tiny_samples_have_no_standardised_effect() {
        let effect = two_sample_effect(&[1.0], &[0.0]).unwrap();
        assert_eq!(
            (effect.a12, effect.cohen_d, effect.hedges_j),
            (1.0, None, None)
        );
        assert!(two_sample_effect(&[], &[0.0]).is_err());
    }
}
