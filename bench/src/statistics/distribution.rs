//! Distribution functions that the intervals and tests need.
//!
//! `statrs` supplies the gamma and error functions and starting points. Its
//! incomplete beta stops after 140 terms without a word and its prefactor
//! loses digits as the parameters grow, which a count of fallbacks among
//! millions of decisions would reach; the incomplete beta is therefore
//! evaluated here, with Loader's saddle-point prefactor (2000, "Fast and
//! accurate computation of binomial probabilities") and Lentz's continued
//! fraction. Relative error is below 1e-12 for parameters up to 1e6.

use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::function::erf::{erfc, erfc_inv};
use statrs::function::gamma::ln_gamma;
use std::f64::consts::{PI, SQRT_2};

/// Half of ln(2 pi).
const HALF_LN_2PI: f64 = 0.918_938_533_204_672_8;

/// Standard normal distribution function.
#[must_use]
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * erfc(-z / SQRT_2)
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
    // One Newton step takes the rational approximation to full precision.
    let z = -SQRT_2 * erfc_inv(2.0 * p);
    let density = (-0.5 * z * z - HALF_LN_2PI).exp();
    if density > 0.0 {
        z - (normal_cdf(z) - p) / density
    } else {
        z
    }
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
    let inside = alpha > 0.0 && alpha < 1.0 && freedom > 0.0;
    let Some(distribution) = StudentsT::new(0.0, 1.0, freedom).ok().filter(|_| inside) else {
        return f64::NAN;
    };
    let mut t = distribution.inverse_cdf(1.0 - 0.5 * alpha);
    // `statrs` stops at about 1e-9; two Newton steps on the tail probability,
    // whose derivative is -2 f(t), reach the precision of the beta function.
    for _ in 0..2 {
        let square = t * t;
        let (x, y) = (freedom / (freedom + square), square / (freedom + square));
        let slope = 2.0 * beta_prefactor(0.5 * freedom, 0.5, x, y) / t;
        let step = (student_t_two_sided(t, freedom) - alpha) / slope;
        if !step.is_finite() {
            break;
        }
        t += step;
    }
    t
}

/// Regularised incomplete beta function `I_x(a, b)`: the distribution function
/// of Beta(a, b). `a`, `b` > 0 and `x` in `[0, 1]`; NaN outside.
#[must_use]
pub fn beta_regularized(a: f64, b: f64, x: f64) -> f64 {
    if !(a > 0.0 && b > 0.0 && (0.0..=1.0).contains(&x)) {
        return f64::NAN;
    }
    beta_regularized_pair(a, b, x, 1.0 - x)
}

/// `I_x(a, b)` with `y = 1 - x` given apart, so that neither tail cancels.
fn beta_regularized_pair(a: f64, b: f64, x: f64, y: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if y <= 0.0 {
        return 1.0;
    }
    let front = beta_prefactor(a, b, x, y);
    // The fraction converges fast below the mean; above it, use the mirror.
    if x <= (a + 1.0) / (a + b + 2.0) {
        front * beta_fraction(a, b, x) / a
    } else {
        1.0 - front * beta_fraction(b, a, y) / b
    }
}

/// The `x` with `I_x(a, b) = p`: quantile of Beta(a, b). NaN outside the
/// domain.
#[must_use]
pub fn beta_quantile(p: f64, a: f64, b: f64) -> f64 {
    if !((0.0..=1.0).contains(&p) && a > 0.0 && b > 0.0) {
        return f64::NAN;
    }
    if p == 0.0 || p == 1.0 {
        return p;
    }
    let (mut low, mut high) = (0.0, 1.0);
    let mut x = a / (a + b);
    // Newton inside a bracket that halves when a step leaves it. Doubles near
    // zero need up to 1074 halvings; ordinary cases take about ten steps.
    for _ in 0..1200 {
        let excess = beta_regularized(a, b, x) - p;
        if excess == 0.0 {
            break;
        }
        if excess > 0.0 {
            high = x;
        } else {
            low = x;
        }
        let density = beta_prefactor(a, b, x, 1.0 - x) / (x * (1.0 - x));
        let newton = x - excess / density;
        let next = if newton > low && newton < high {
            newton
        } else {
            0.5 * (low + high)
        };
        let done = (next - x).abs() <= 2.0 * f64::EPSILON * x;
        x = next;
        if done {
            break;
        }
    }
    x
}

/// `x^a y^b / B(a, b)`, by Loader's saddle-point form.
fn beta_prefactor(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let n = a + b;
    let log = stirling_error(n)
        - stirling_error(a)
        - stirling_error(b)
        - deviance(a, n * x)
        - deviance(b, n * y);
    log.exp() * (a * b / (2.0 * PI * n)).sqrt()
}

/// `ln Gamma(n + 1)` minus Stirling's formula for it.
fn stirling_error(n: f64) -> f64 {
    if n <= 15.0 {
        return ln_gamma(n + 1.0) - (n + 0.5) * n.ln() + n - HALF_LN_2PI;
    }
    let square = n * n;
    (1.0 / 12.0
        - (1.0 / 360.0
            - (1.0 / 1260.0 - (1.0 / 1680.0 - 1.0 / (1188.0 * square)) / square) / square)
            / square)
        / n
}

/// Hedges' small-sample factor `Gamma(v / 2) / (sqrt(v / 2) Gamma((v - 1) / 2))`
/// for `freedom` v > 1, arranged so that the log-gammas do not cancel.
pub(crate) fn hedges_factor(freedom: f64) -> f64 {
    let x = 0.5 * freedom;
    let log = -(x - 1.0) * (-0.5 / x).ln_1p() - 0.5 + stirling_error(x) - stirling_error(x - 0.5);
    log.exp()
}

/// Loader's deviance term `x ln(x / m) + m - x`, without cancellation at
/// `x = m`.
fn deviance(x: f64, m: f64) -> f64 {
    if (x - m).abs() >= 0.1 * (x + m) {
        return x * (x / m).ln() + m - x;
    }
    let v = (x - m) / (x + m);
    let mut sum = (x - m) * v;
    let mut term = 2.0 * x * v;
    for odd in 1..1000 {
        term *= v * v;
        let next = sum + term / f64::from(2 * odd + 1);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

/// Continued fraction of the incomplete beta function by Lentz's method; the
/// number of terms grows as the root of the larger parameter.
fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    let guard = |value: f64| {
        if value.abs() < 1e-300 { 1e-300 } else { value }
    };
    let mut c = 1.0;
    let mut d = 1.0 / guard(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for step in 1..100_000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for coefficient in [even, odd] {
            d = 1.0 / guard(1.0 + coefficient * d);
            c = guard(1.0 + coefficient / c);
            change = c * d;
            fraction *= change;
        }
        // Rounding can hold the last change one or two units from 1 for ever.
        if (change - 1.0).abs() <= 4.0 * f64::EPSILON {
            break;
        }
    }
    fraction
}

/// Power of a two-sided t test: `P(|T| > critical)` for a noncentral t with
/// `freedom` >= 1 and the given noncentrality.
///
/// `T = (Z + noncentrality) / S` with `S^2 = chi^2 / freedom`; the normal
/// probability is integrated over the density of `S` by Simpson's rule, which
/// is good to 1e-9 here because the integrand is smooth and vanishes at the
/// ends.
#[must_use]
pub fn noncentral_t_two_sided(critical: f64, freedom: f64, noncentrality: f64) -> f64 {
    const PANELS: i32 = 1024;
    let half = 0.5 * freedom;
    // ln of the density of S at 1, by Stirling's form: plain log-gammas would
    // cancel at large `freedom`.
    let at_one = (2.0f64).ln() + 0.5 * half.ln() - HALF_LN_2PI - stirling_error(half);
    let reach = 10.0 / (2.0 * freedom).sqrt();
    let (low, high) = ((1.0 - reach).max(0.0), 1.0 + reach);
    let width = (high - low) / f64::from(PANELS);
    let inside = |s: f64| {
        let (offset, log_s) = (s - 1.0, s.max(f64::MIN_POSITIVE).ln());
        let shape = if s < 0.5 {
            freedom * log_s + half * (1.0 - s * s)
        } else {
            half * (2.0 * offset.ln_1p() - offset * (2.0 + offset))
        };
        let density = (at_one + shape - log_s).exp();
        let central =
            normal_cdf(critical * s - noncentrality) - normal_cdf(-critical * s - noncentrality);
        density * central
    };
    let mut sum = inside(low) + inside(high);
    for panel in 1..PANELS {
        let weight = if panel % 2 == 1 { 4.0 } else { 2.0 };
        sum += weight * inside(low + f64::from(panel) * width);
    }
    (1.0 - sum * width / 3.0).clamp(0.0, 1.0)
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
            (2.0, 1.0, 0.295_167_235_300_866_55),
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
    fn incomplete_beta_with_small_and_with_huge_parameters() {
        for (a, b, x, want) in [
            (0.5, 0.5, 0.3, 0.369_010_119_565_545_4),
            (3329.5, 3754.5, 0.46, 0.045_721_503_069_804_09),
            (1.0, 2300.0, 1e-5, 0.022_737_628_612_651_34),
            (0.01, 3.0, 0.2, 0.995_087_118_231_316),
            (40.0, 1e6, 2e-5, 5.323_480_988_820_177e-5),
            (640.0, 1.0, 0.994, 0.021_246_432_323_615_055),
            (2e5, 2.2e5, 0.4755, 0.185_135_440_617_686_5),
            (5e5, 5e5, 0.5008, 0.945_200_777_515_157_5),
        ] {
            let got = beta_regularized(a, b, x);
            assert_close(got, want, 1e-11, &format!("I_{x}({a}, {b})"));
            let back = beta_quantile(want, a, b);
            assert_close(back, x, 1e-11, &format!("quantile of Beta({a}, {b})"));
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
            beta_regularized(0.0, 1.0, 0.5),
            beta_regularized(1.0, 1.0, 1.5),
            beta_quantile(f64::NAN, 1.0, 1.0),
            normal_quantile(-0.1),
            normal_quantile(f64::NAN),
        ] {
            assert!(value.is_nan());
        }
    }
}
