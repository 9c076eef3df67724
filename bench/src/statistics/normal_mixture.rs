//! The normal-mixture boundary: how far a sum of sub-Gaussian increments may ever stray.
//!
//! For a martingale `S_t` whose increments are 1-sub-Gaussian with intrinsic time `v_t`,
//! `P(exists t: |S_t| >= u(v_t)) <= alpha` with
//! `u(v) = sqrt((v + rho) (ln(1 + v / rho) + 2 ln(1 / alpha)))` (Robbins 1970; Howard, Ramdas,
//! McAuliffe & Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence sequences", Annals
//! of Statistics 49, 2021, equation 14). `rho` is chosen so that the boundary is tight where it
//! matters.
//!
//! Observations in a range of width `w` are sub-Gaussian with `v_t = t w^2 / 4` (Hoeffding). That
//! bound knows nothing of the variance: where the spread is far smaller than the range, the
//! [empirical-Bernstein sequence](super::confidence_sequence) is narrower.

use libm::{log, log1p, sqrt};

use super::error::{StatError, require_open_unit};

/// The two-sided boundary.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NormalMixture {
    rho: f64,
}

impl NormalMixture {
    /// The boundary that is close to the tightest at the intrinsic time `v_opt` (> 0) for the error
    /// probability `alpha_opt` in (0, 1): `rho = v / (2 ln(1/a) + ln(1 + 2 ln(1/a)))`.
    ///
    /// # Errors
    /// [`StatError::OutOfRange`] for either.
    pub fn tight_at(v_opt: f64, alpha_opt: f64) -> Result<Self, StatError> {
        require_open_unit("alpha_opt", alpha_opt)?;
        require_time("v_opt", v_opt, v_opt > 0.0)?;
        let twice = -2.0 * log(alpha_opt);
        Ok(Self {
            rho: v_opt / (twice + log1p(twice)),
        })
    }

    /// What `|S|` stays below at all intrinsic times at once with probability `1 - alpha`, read at
    /// the time `v` (>= 0). The unit is that of the sum.
    ///
    /// # Errors
    /// [`StatError::OutOfRange`] for `v` or `alpha`.
    pub fn boundary(&self, v: f64, alpha: f64) -> Result<f64, StatError> {
        require_open_unit("alpha", alpha)?;
        require_time("v", v, v >= 0.0)?;
        Ok(sqrt(
            (v + self.rho) * (log1p(v / self.rho) - 2.0 * log(alpha)),
        ))
    }
}

fn require_time(name: &'static str, value: f64, allowed: bool) -> Result<(), StatError> {
    if allowed && value.is_finite() {
        return Ok(());
    }
    Err(StatError::OutOfRange {
        name,
        value,
        domain: "the positive numbers",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The boundary is where the mixture of `exp(l S - l^2 v / 2)` over `l ~ N(0, 1 / rho)`
    /// reaches `1 / alpha`: that integral, by the trapezoidal rule.
    #[test]
    fn at_the_boundary_the_mixture_reaches_the_threshold() {
        let mixture = NormalMixture::tight_at(50.0, 0.05).unwrap();
        for (v, alpha) in [(1.0, 0.05), (50.0, 0.05), (700.0, 0.01)] {
            let s = mixture.boundary(v, alpha).unwrap();
            let (steps, reach) = (40_000_i32, 12.0 / mixture.rho.sqrt());
            let width = reach / f64::from(steps);
            let density = |l: f64| {
                (mixture.rho / std::f64::consts::TAU).sqrt()
                    * (l * s - 0.5 * l * l * (v + mixture.rho)).exp()
            };
            let sum: f64 = (-steps..=steps)
                .map(|i| density(f64::from(i) * width))
                .sum();
            assert!(
                (sum * width * alpha - 1.0).abs() < 1e-6,
                "{v}: {}",
                sum * width
            );
        }
    }

    #[test]
    fn it_is_tightest_near_the_time_it_was_made_for() {
        let at = |v_opt: f64| {
            NormalMixture::tight_at(v_opt, 0.05)
                .unwrap()
                .boundary(100.0, 0.05)
        };
        let tight = at(100.0).unwrap();
        for other in [5.0, 30.0, 300.0, 2000.0] {
            assert!(at(other).unwrap() > tight, "{other}");
        }
    }

    #[test]
    fn bad_settings_are_errors() {
        assert!(NormalMixture::tight_at(0.0, 0.05).is_err());
        assert!(NormalMixture::tight_at(1.0, 1.0).is_err());
        let mixture = NormalMixture::tight_at(1.0, 0.5).unwrap();
        assert!(mixture.boundary(-1.0, 0.05).is_err());
        assert!(mixture.boundary(f64::NAN, 0.05).is_err());
        assert!(mixture.boundary(1.0, 0.0).is_err());
    }
}
