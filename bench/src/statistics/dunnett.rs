//! Dunnett's test: several arms, each against one control.
//!
//! The `k` statistics share the control's mean, so they are correlated, and the level of the family
//! is that of a `k`-variate t: less is lost than by correcting `k` separate tests (Dunnett, "A
//! multiple comparison procedure for comparing several treatments with a control", JASA 50, 1955).
//!
//! It assumes independent groups and one variance for all. Arms that were played on the *same
//! seeds* are neither: for them take the paired differences and Holm's adjustment
//! ([`multiple`](super::multiple)), the default of this laboratory.

use libm::sqrt;
use serde::Serialize;

use super::distribution::{normal_cdf, over_normal, over_scales};
use super::error::{StatError, require_count};
use super::moments::Moments;

/// Panels of the integral over the scale: smooth there, so this is plenty.
const PANELS: i32 = 256;

/// Dunnett's two-sided test.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Dunnett {
    /// Each arm's mean minus the control's over its standard error, from the pooled variance.
    pub t: Vec<f64>,
    /// The probability, without any effect, that the greatest of the `|t|` is at least this one.
    pub p: Vec<f64>,
    /// The variance within the groups, pooled.
    pub variance: f64,
    /// Its degrees of freedom: observations minus groups.
    pub freedom: u64,
}

/// Compares each of `arms` with `control`. None when nothing varies within any group.
///
/// # Errors
/// [`StatError::TooFew`] for no arm, an empty group, or no more observations than groups;
/// [`StatError::NotFinite`] and [`StatError::Overflow`] for bad values.
pub fn dunnett(control: &[f64], arms: &[&[f64]]) -> Result<Option<Dunnett>, StatError> {
    require_count("Dunnett's test", 1, arms.len())?;
    let base = Moments::of(control)?;
    let groups: Result<Vec<Moments>, StatError> = arms.iter().map(|a| Moments::of(a)).collect();
    let groups = groups?;
    let all = || std::iter::once(&base).chain(&groups);
    for group in all() {
        require_count(
            "a group of Dunnett's test",
            1,
            usize::from(group.count() > 0),
        )?;
    }
    let observations: u64 = all().map(Moments::count).sum();
    let freedom = observations.saturating_sub(groups.len() as u64 + 1);
    require_count(
        "the pooled variance",
        1,
        usize::try_from(freedom).unwrap_or(usize::MAX),
    )?;
    let variance = all().map(Moments::m2).sum::<f64>() / freedom as f64;
    if variance <= 0.0 {
        return Ok(None);
    }
    let control_n = base.count() as f64;
    let t: Vec<f64> = groups
        .iter()
        .map(|g| {
            let error = sqrt(variance * (1.0 / g.count() as f64 + 1.0 / control_n));
            (g.mean() - base.mean()) / error
        })
        .collect();
    let shares: Vec<f64> = groups
        .iter()
        .map(|g| g.count() as f64 / (g.count() as f64 + control_n))
        .collect();
    let p = t
        .iter()
        .map(|t| beyond(t.abs(), &shares, freedom as f64))
        .collect();
    Ok(Some(Dunnett {
        t,
        p,
        variance,
        freedom,
    }))
}

/// `P(max |T_i| >= c)` where `T_i = (sqrt(1 - l_i) X_i - sqrt(l_i) Z) / S`: each arm's own noise `X`
/// and the control's `Z`, with `shares` `l_i = n_i / (n_i + n_0)`, over the pooled scale `S`.
///
/// Given `Z` and `S` the statistics are independent, which leaves two integrals.
#[must_use]
fn beyond(c: f64, shares: &[f64], freedom: f64) -> f64 {
    // The narrower an arm's own noise is beside the control's, the finer the steps.
    let sharpest = shares
        .iter()
        .map(|l| sqrt((1.0 - l) / l))
        .fold(f64::INFINITY, f64::min);
    let step = (0.25 * sharpest).clamp(1e-4, 0.1);
    let within = over_scales(freedom, PANELS, |s| {
        over_normal(step, |z| {
            let each = shares.iter().map(|l| {
                let (own, common) = (sqrt(1.0 - l), sqrt(*l));
                normal_cdf((common * z + c * s) / own) - normal_cdf((common * z - c * s) / own)
            });
            each.product()
        })
    });
    (1.0 - within).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::distribution::student_t_two_sided;

    #[test]
    fn one_arm_is_students_t() {
        for (t, n, m, freedom) in [(2.1, 5.0, 5.0, 8.0), (0.7, 30.0, 3.0, 31.0)] {
            let want = student_t_two_sided(t, freedom);
            let got = beyond(t, &[n / (n + m)], freedom);
            assert!((got - want).abs() < 1e-7, "{t}: {got} {want}");
        }
    }

    /// Beside a huge control the arms are independent; beside a tiny one they are all alike.
    #[test]
    fn the_size_of_the_control_decides_how_alike_the_arms_are() {
        let alone = 2.0 * normal_cdf(-2.0);
        let independent = 1.0 - (1.0 - alone).powi(3);
        let got = beyond(2.0, &[1e-9; 3], 1e7);
        assert!((got - independent).abs() < 1e-4, "{got} {independent}");
        let got = beyond(2.0, &[0.999; 3], 1e7);
        assert!((got - alone).abs() < 1e-2, "{got} {alone}");
    }

    /// Dunnett (1964, table II): two-sided critical values at 5 % for equal groups.
    #[test]
    fn the_tabulated_critical_values_have_their_level() {
        for (arms, freedom, critical) in [
            (2, 10.0, 2.57),
            (3, 10.0, 2.76),
            (3, 20.0, 2.54),
            (9, 10.0, 3.24),
            (2, 1e6, 2.21),
            (9, 1e6, 2.69),
        ] {
            let p = beyond(critical, &vec![0.5; arms], freedom);
            assert!((p - 0.05).abs() < 0.0012, "{arms} arms, {freedom}: {p}");
        }
    }

    /// The definition by simulation: groups of unequal size without any effect.
    #[test]
    fn the_level_holds_by_simulation() {
        let sizes = [4_u32, 9, 3, 6];
        let mut state = 99_u64;
        let mut normal = || {
            (0..12).fold(-6.0, |sum, _| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                sum + (state >> 11) as f64 / (1_u64 << 53) as f64
            })
        };
        let mut small = 0;
        for _ in 0..4000 {
            let groups: Vec<Vec<f64>> = sizes
                .iter()
                .map(|n| (0..*n).map(|_| normal()).collect())
                .collect();
            let means: Vec<f64> = groups
                .iter()
                .map(|g| g.iter().sum::<f64>() / g.len() as f64)
                .collect();
            let squares = groups.iter().zip(&means);
            let squares: f64 = squares
                .map(|(g, m)| g.iter().map(|x| (x - m).powi(2)).sum::<f64>())
                .sum();
            let variance = squares / 18.0;
            let largest = (1..4)
                .map(|i| {
                    let error = variance * (1.0 / f64::from(sizes[i]) + 1.0 / f64::from(sizes[0]));
                    (means[i] - means[0]).abs() / error.sqrt()
                })
                .fold(0.0, f64::max);
            // 2.5 is near the 5 % point; its exact level is what is checked.
            small += u32::from(largest >= 2.5);
        }
        let shares = [9.0 / 13.0, 3.0 / 7.0, 0.6];
        let level = beyond(2.5, &shares, 18.0);
        let sigma = (level * (1.0 - level) / 4000.0).sqrt();
        let rate = f64::from(small) / 4000.0;
        assert!((rate - level).abs() < 5.0 * sigma, "{rate} {level}");
    }

    #[test]
    fn bad_input_is_an_error() {
        assert!(dunnett(&[1.0, 2.0], &[]).is_err());
        assert!(dunnett(&[], &[&[1.0, 2.0]]).is_err());
        assert!(dunnett(&[1.0], &[&[1.0]]).is_err());
        assert!(dunnett(&[1.0, f64::NAN], &[&[1.0, 2.0]]).is_err());
        assert_eq!(dunnett(&[1.0, 1.0], &[&[2.0, 2.0]]), Ok(None));
    }
}
