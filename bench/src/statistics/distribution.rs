//! Distribution functions that the intervals and tests need.
//!
//! `statrs` supplies the log-gamma and inverse error functions. Its error
//! function loses digits in the tails. Its quantile of t is off in the sixth
//! digit at 1e5 degrees of freedom, in the second at 1e7, and does not return
//! at 1e8; the plan for a tiny effect gets there. Both are therefore computed
//! here, and the incomplete beta in [`beta`](super::beta).

use super::beta::{HALF_LN_2PI, beta_prefactor, beta_regularized_pair, stirling_error};
use statrs::function::erf::erfc_inv;
use std::f64::consts::SQRT_2;

/// Standard normal distribution function.
#[must_use]
pub fn normal_cdf(z: f64) -> f64 {
    if z.is_nan() {
        return z;
    }
    let size = z.abs();
    let density = (-0.5 * z * z - HALF_LN_2PI).exp();
    if size < 2.0 {
        // Phi(z) = 1/2 + phi(z) (z + z^3 / 3 + z^5 / (3 5) + ...)
        let (mut sum, mut term, mut odd) = (0.0, z, 1.0);
        while sum + term != sum {
            sum += term;
            odd += 2.0;
            term *= z * z / odd;
        }
        return 0.5 + density * sum;
    }
    // Mills' ratio as a continued fraction; 60 terms are exact from 2 on.
    let below = (1..=60)
        .rev()
        .fold(size, |rest, k| size + f64::from(k) / rest);
    let tail = if size > 39.0 { 0.0 } else { density / below };
    if z < 0.0 { tail } else { 1.0 - tail }
}

/// Standard normal quantile; infinite at 0 and 1, NaN outside `[0, 1]`.
#[must_use]
pub fn normal_quantile(p: f64) -> f64 {
    if p <= 0.0 || p >= 1.0 {
        return match p {
            0.0 => f64::NEG_INFINITY,
            1.0 => f64::INFINITY,
            _ => f64::NAN,
        };
    }
    // Newton steps take the approximation of `statrs` to full precision.
    let mut z = -SQRT_2 * erfc_inv(2.0 * p);
    for _ in 0..2 {
        let step = (normal_cdf(z) - p) / (-0.5 * z * z - HALF_LN_2PI).exp();
        if step.is_finite() {
            z -= step;
        }
    }
    z
}

/// Two-sided p value of a Student t statistic: `P(|T| >= |t|)` with `freedom`
/// degrees of freedom (> 0). NaN for a NaN argument.
#[must_use]
pub fn student_t_two_sided(t: f64, freedom: f64) -> f64 {
    if t.is_nan() || freedom.is_nan() || freedom <= 0.0 {
        return f64::NAN;
    }
    let square = t * t;
    // Both arguments of the beta are formed directly: `1 - x` would cancel.
    let x = freedom / (freedom + square);
    let y = if square.is_infinite() {
        1.0
    } else {
        square / (freedom + square)
    };
    beta_regularized_pair(0.5 * freedom, 0.5, x, y)
}

/// The critical value of a two-sided Student t test or interval: the `t` with
/// `P(|T| >= t) = alpha`, for `alpha` in (0, 1) and `freedom` > 0; NaN
/// outside.
#[must_use]
pub fn student_t_critical(alpha: f64, freedom: f64) -> f64 {
    if !(alpha > 0.0 && alpha < 1.0 && freedom > 0.0) {
        return f64::NAN;
    }
    // The tails of t are heavier than the normal ones, so this is a lower end.
    let (mut low, mut high) = (0.0, f64::INFINITY);
    let mut t = normal_quantile(1.0 - 0.5 * alpha).max(1e-8);
    for _ in 0..200 {
        let square = t * t;
        let (x, y) = (freedom / (freedom + square), square / (freedom + square));
        let excess = beta_regularized_pair(0.5 * freedom, 0.5, x, y) - alpha;
        if excess > 0.0 {
            low = t;
        } else {
            high = t;
        }
        // The derivative of the two-sided tail is -2 f(t).
        let slope = 2.0 * beta_prefactor(0.5 * freedom, 0.5, x, y) / t;
        let newton = t + excess / slope;
        let next = if newton > low && newton < high && newton < 4.0 * t {
            newton
        } else if high.is_finite() {
            0.5 * (low + high)
        } else {
            4.0 * t
        };
        let done = (next - t).abs() <= 2.0 * f64::EPSILON * t;
        t = next;
        if done {
            break;
        }
    }
    t
}

/// Hedges' small-sample factor `Gamma(v / 2) / (sqrt(v / 2) Gamma((v - 1) / 2))`
/// for `freedom` v > 1, arranged so that the log-gammas do not cancel.
pub(crate) fn hedges_factor(freedom: f64) -> f64 {
    let x = 0.5 * freedom;
    let log = -(x - 1.0) * (-0.5 / x).ln_1p() - 0.5 + stirling_error(x) - stirling_error(x - 0.5);
    log.exp()
}

/// Power of a two-sided t test: `P(|T| > critical)` for a noncentral t with
/// `freedom` >= 1 and the given noncentrality.
///
/// `T = (Z + noncentrality) / S` with `S^2 = chi^2 / freedom`; the normal
/// probability is integrated over the density of `S` by Simpson's rule, which
/// is good to 1e-8 here because the integrand is smooth and vanishes at the
/// ends.
#[must_use]
pub fn noncentral_t_two_sided(critical: f64, freedom: f64, noncentrality: f64) -> f64 {
    let within = over_scales(freedom, 2048, |s| {
        normal_cdf(critical * s - noncentrality) - normal_cdf(-critical * s - noncentrality)
    });
    (1.0 - within).clamp(0.0, 1.0)
}

/// The mean of `f(S)` where `freedom S^2` is chi-square with `freedom` >= 1, by Simpson's rule on an
/// even number of `panels`.
pub(super) fn over_scales(freedom: f64, panels: i32, f: impl Fn(f64) -> f64) -> f64 {
    let half = 0.5 * freedom;
    // ln of the density of S at 1, by Stirling's form: plain log-gammas would
    // cancel at large `freedom`.
    let at_one = (2.0f64).ln() + 0.5 * half.ln() - HALF_LN_2PI - stirling_error(half);
    let reach = 10.0 / (2.0 * freedom).sqrt();
    let (low, high) = ((1.0 - reach).max(0.0), 1.0 + reach);
    let width = (high - low) / f64::from(panels);
    let inside = |s: f64| {
        let (offset, log_s) = (s - 1.0, s.max(f64::MIN_POSITIVE).ln());
        let shape = if s < 0.5 {
            freedom * log_s + half * (1.0 - s * s)
        } else {
            half * (2.0 * offset.ln_1p() - offset * (2.0 + offset))
        };
        let density = (at_one + shape - log_s).exp();
        density * f(s)
    };
    let mut sum = inside(low) + inside(high);
    for panel in 1..panels {
        let weight = if panel % 2 == 1 { 4.0 } else { 2.0 };
        sum += weight * inside(low + f64::from(panel) * width);
    }
    sum * width / 3.0
}

/// The mean of `f(Z)` for a standard normal `Z`, by the trapezoidal rule with this step, which is
/// exact to the last digits for smooth `f` as wide as a few steps.
pub(super) fn over_normal(step: f64, f: impl Fn(f64) -> f64) -> f64 {
    let steps = (8.5 / step).ceil() as i32;
    let inside = |z: f64| (-0.5 * z * z - HALF_LN_2PI).exp() * f(z);
    let sum: f64 = (-steps..=steps).map(|i| inside(f64::from(i) * step)).sum();
    sum * step
}

/// `P(Q > q)` of a chi-square `Q` with `freedom` (> 0); 1 for `q <= 0`.
#[must_use]
pub fn chi_square_upper(q: f64, freedom: f64) -> f64 {
    if q <= 0.0 {
        return 1.0;
    }
    statrs::function::gamma::checked_gamma_ur(0.5 * freedom, 0.5 * q).unwrap_or(f64::NAN)
}

/// `P(F > f)` of an F variable with `above` and `below` degrees of freedom (> 0); 1 for `f <= 0`.
#[must_use]
pub fn f_upper(f: f64, above: f64, below: f64) -> f64 {
    if f <= 0.0 {
        return 1.0;
    }
    let x = below / (below + above * f);
    let y = if f.is_infinite() {
        1.0
    } else {
        above * f / (below + above * f)
    };
    beta_regularized_pair(0.5 * below, 0.5 * above, x, y)
}

/// `P(range <= q)` of `k` >= 2 independent standard normal numbers: the studentized range with
/// infinitely many degrees of freedom.
#[must_use]
pub fn normal_range_cdf(q: f64, k: u32) -> f64 {
    if q <= 0.0 {
        return 0.0;
    }
    let rest = k.saturating_sub(1);
    let within = |z: f64| {
        let share = normal_cdf(z) - normal_cdf(z - q);
        (0..rest).fold(1.0, |product, _| product * share)
    };
    (f64::from(k) * over_normal(0.05, within)).min(1.0)
}

/// The `q` with [`normal_range_cdf`]`(q, k) = p`, for `p` in (0, 1); NaN outside.
#[must_use]
pub fn normal_range_quantile(p: f64, k: u32) -> f64 {
    if !(p > 0.0 && p < 1.0) {
        return f64::NAN;
    }
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if normal_range_cdf(middle, k) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(got: f64, want: f64, relative: f64, what: &str) {
        assert!(
            (got - want).abs() <= relative * want.abs(),
            "{what}: got {got:e}, want {want:e}"
        );
    }

    // Reference values: mpmath 40 digits.

    #[test]
    fn two_sided_t_probabilities() {
        for (t, freedom, want) in [
            (2.0, 1.0, 0.295_167_235_300_866_5),
            (98.835_399_958_135_61, 127.0, 5.412_048_118_567_783e-122),
            (1e-3, 30.0, 0.999_208_735_766_485_1),
            (-3.0, 2.5, 0.072_576_095_549_031_84),
            (4.0, 100_000.0, 6.338_799_755_719_534e-5),
            (1.96, 1e6, 0.049_996_067_585_269_79),
        ] {
            let got = student_t_two_sided(t, freedom);
            assert_close(got, want, 1e-11, &format!("t = {t}, df = {freedom}"));
        }
        assert_eq!(student_t_two_sided(0.0, 5.0), 1.0);
        assert_eq!(student_t_two_sided(f64::INFINITY, 5.0), 0.0);
    }

    #[test]
    fn critical_values_of_t() {
        for (alpha, freedom, want) in [
            (0.05, 1.0, 12.706_204_736_174_704),
            (0.05, 2.0, 4.302_652_729_749_464),
            (0.05, 100_000.0, 1.959_987_707_534_61),
            (0.001, 7.0, 5.407_882_520_861_725),
            (0.5, 3.0, 0.764_892_328_404_345_3),
            (1e-6, 12.0, 9.084_692_934_131_268),
        ] {
            let got = student_t_critical(alpha, freedom);
            assert_close(got, want, 1e-12, &format!("alpha {alpha}, df {freedom}"));
        }
    }

    #[test]
    fn normal_functions() {
        for (z, want) in [
            (-8.0, 6.220_960_574_271_784e-16),
            (-3.3, 4.834_241_423_837_774e-4),
            (0.1, 0.539_827_837_277_029),
            (5.0, 0.999_999_713_348_428_1),
        ] {
            assert_close(normal_cdf(z), want, 1e-13, &format!("Phi({z})"));
        }
        for (p, want) in [
            (1e-10, -6.361_340_902_404_056),
            (0.025, -1.959_963_984_540_054),
            (0.8, 0.841_621_233_572_914_4),
            (0.999, 3.090_232_306_167_813),
        ] {
            assert_close(normal_quantile(p), want, 1e-13, &format!("quantile {p}"));
        }
        assert_eq!(normal_quantile(0.0), f64::NEG_INFINITY);
        assert_eq!(normal_quantile(1.0), f64::INFINITY);
    }

    #[test]
    fn without_noncentrality_the_power_is_the_level() {
        for freedom in [1.0, 2.0, 7.5, 40.0, 3000.0] {
            let critical = student_t_critical(0.05, freedom);
            let got = noncentral_t_two_sided(critical, freedom, 0.0);
            assert_close(got, 0.05, 1e-7, &format!("df {freedom}"));
        }
    }

    #[test]
    fn outside_the_domain_is_nan_and_never_a_panic() {
        for value in [
            student_t_two_sided(f64::NAN, 3.0),
            student_t_two_sided(1.0, 0.0),
            student_t_critical(0.0, 3.0),
            student_t_critical(0.05, f64::NAN),
            normal_quantile(-0.1),
            normal_quantile(f64::NAN),
        ] {
            assert!(value.is_nan());
        }
    }

    #[test]
    fn upper_tails_of_chi_square_and_f() {
        // Chi-square with two degrees of freedom is exponential; F(1, v) is the square of a t.
        for q in [0.1_f64, 3.0, 40.0] {
            assert_close(
                chi_square_upper(q, 2.0),
                (-0.5 * q).exp(),
                1e-12,
                "chi-square",
            );
        }
        for t in [0.3_f64, 2.0, 11.0] {
            let want = student_t_two_sided(t, 7.0);
            assert_close(f_upper(t * t, 1.0, 7.0), want, 1e-12, "F");
        }
        assert_eq!(
            (chi_square_upper(0.0, 3.0), f_upper(-1.0, 2.0, 3.0)),
            (1.0, 1.0)
        );
        assert_eq!(f_upper(f64::INFINITY, 2.0, 3.0), 0.0);
    }

    #[test]
    fn the_range_of_normal_numbers() {
        // Of two numbers the range is |N(0, 2)|; further values are those of Demsar (2006, table
        // 5a), q / sqrt(2) at 5 %.
        for q in [0.5, 2.0, 4.0] {
            let want = 2.0 * normal_cdf(q / SQRT_2) - 1.0;
            assert_close(normal_range_cdf(q, 2), want, 1e-12, "range of two");
        }
        for (k, want) in [(2, 1.960), (3, 2.343), (5, 2.728), (7, 2.949), (10, 3.164)] {
            let got = normal_range_quantile(0.95, k) / SQRT_2;
            assert!((got - want).abs() < 0.0011, "k = {k}: {got}");
        }
        assert!(normal_range_quantile(1.0, 3).is_nan());
    }
}
