//! Planning: how many seeds an effect needs, and what a run could have seen.

use super::distribution::{noncentral_t_two_sided, normal_quantile, student_t_critical};
use super::error::{StatError, require_open_unit};
use serde::Serialize;

/// Smallest effect that is planned for: below it the number of seeds is beyond
/// any experiment and the arithmetic loses its digits.
const LEAST_EFFECT: f64 = 1e-5;

/// The number of seeds a paired t test needs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SeedsNeeded {
    /// Real-valued solution, at least 2.
    pub exact: f64,
    /// Seeds to play: `exact` rounded up.
    pub seeds: u64,
}

/// Power of the two-sided paired t test at level `alpha` for a true effect of
/// `d_z` standard deviations per seed and `seeds` (>= 2, may be fractional)
/// seeds. Noncentral t with `seeds - 1` degrees of freedom and noncentrality
/// `d_z sqrt(seeds)`; both tails count.
///
/// # Errors
///
/// [`StatError::OutOfRange`] for an argument outside its domain.
pub fn paired_power(d_z: f64, seeds: f64, alpha: f64) -> Result<f64, StatError> {
    require_open_unit("alpha", alpha)?;
    require(d_z.is_finite(), "d_z", d_z, "finite numbers")?;
    require(
        seeds >= 2.0 && seeds.is_finite(),
        "seeds",
        seeds,
        "[2, inf)",
    )?;
    let freedom = seeds - 1.0;
    let critical = student_t_critical(alpha, freedom);
    Ok(noncentral_t_two_sided(
        critical,
        freedom,
        d_z.abs() * seeds.sqrt(),
    ))
}

/// Seeds at which the two-sided paired t test at level `alpha` reaches
/// `power` for a true effect `d_z` (mean over standard deviation of the block
/// scores; `|d_z| >= 1e-5`).
///
/// # Errors
///
/// [`StatError::OutOfRange`] for an argument outside its domain; `power` must
/// lie above `alpha`, which a test reaches without any effect.
pub fn seeds_needed(d_z: f64, alpha: f64, power: f64) -> Result<SeedsNeeded, StatError> {
    require_open_unit("power", power)?;
    require_open_unit("alpha", alpha)?;
    require(power > alpha, "power", power, "(alpha, 1)")?;
    require(
        d_z.is_finite() && d_z.abs() >= LEAST_EFFECT,
        "d_z",
        d_z,
        "|d_z| >= 1e-5",
    )?;
    let (mut low, mut high) = (2.0, 2.0);
    while paired_power(d_z, high, alpha)? < power {
        low = high;
        high *= 2.0;
    }
    // Power grows with the number of seeds, so halving always closes in.
    while high - low > 1e-9 * high {
        let middle = 0.5 * (low + high);
        if paired_power(d_z, middle, alpha)? < power {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(SeedsNeeded {
        exact: high,
        seeds: high.ceil() as u64,
    })
}

/// The smallest true difference that a design with standard error `se` (in the
/// unit of the data, from `n` >= 2 seeds) detects with probability `power`:
/// `(t_{1 - alpha / 2, n - 1} + z_power) * se`.
///
/// # Errors
///
/// [`StatError::OutOfRange`] for an argument outside its domain.
pub fn smallest_detectable_difference(
    se: f64,
    n: u64,
    alpha: f64,
    power: f64,
) -> Result<f64, StatError> {
    require_open_unit("alpha", alpha)?;
    require_open_unit("power", power)?;
    require(n >= 2, "n", n as f64, "[2, inf)")?;
    require(se >= 0.0 && se.is_finite(), "se", se, "[0, inf)")?;
    Ok((student_t_critical(alpha, (n - 1) as f64) + normal_quantile(power)) * se)
}

fn require(
    holds: bool,
    name: &'static str,
    value: f64,
    domain: &'static str,
) -> Result<(), StatError> {
    if holds {
        Ok(())
    } else {
        Err(StatError::OutOfRange {
            name,
            value,
            domain,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn power_reaches_its_target_at_the_seeds_named() {
        let needed = seeds_needed(0.5, 0.05, 0.8).unwrap();
        let at = |seeds: u64| paired_power(0.5, seeds as f64, 0.05).unwrap();
        assert!(at(needed.seeds) >= 0.8 && at(needed.seeds - 1) < 0.8);
    }

    /// At hundreds of seeds a wrong number of degrees of freedom hides in the
    /// tolerance of the golden rows; here it does not. Reference: mpmath.
    #[test]
    fn power_of_small_designs() {
        for (d_z, seeds, want) in [
            (1.0, 10.0, 0.803_096_856_632),
            (0.5, 5.0, 0.140_516_689_990),
        ] {
            let got = paired_power(d_z, seeds, 0.05).unwrap();
            assert!((got - want).abs() < 1e-8, "{d_z} {seeds}: {got}");
        }
    }

    #[test]
    fn the_sign_of_the_effect_does_not_matter() {
        assert_eq!(seeds_needed(0.4, 0.05, 0.9), seeds_needed(-0.4, 0.05, 0.9));
    }

    #[test]
    fn a_huge_effect_still_needs_two_seeds_and_a_tiny_one_ends() {
        assert_eq!(seeds_needed(1e6, 0.05, 0.8).unwrap().seeds, 2);
        let tiny = seeds_needed(1e-4, 0.05, 0.8).unwrap().exact;
        // Normal theory: (1.959964 + 0.841621)^2 / d_z^2 = 7.8489e8.
        assert!((tiny / 7.848_879_7e8 - 1.0).abs() < 1e-5, "{tiny}");
    }

    #[test]
    fn smallest_difference_by_hand() {
        let got = smallest_detectable_difference(2.0, 5, 0.05, 0.8).unwrap();
        assert!((got - 2.0 * (2.776_445_105_197_8 + 0.841_621_233_572_9)).abs() < 1e-9);
    }

    #[test]
    fn bad_arguments_are_errors() {
        assert!(seeds_needed(0.0, 0.05, 0.8).is_err());
        assert!(seeds_needed(f64::NAN, 0.05, 0.8).is_err());
        assert!(seeds_needed(0.2, 0.05, 0.04).is_err());
        assert!(smallest_detectable_difference(1.0, 1, 0.05, 0.8).is_err());
        assert!(smallest_detectable_difference(-1.0, 5, 0.05, 0.8).is_err());
    }
}
