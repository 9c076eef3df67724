//! The statistics that a comparison needs, in one place.

use statrs::distribution::{Beta, ContinuousCDF, StudentsT};

/// Mean, standard error and interval of a few numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TInterval {
    pub(super) mean: f64,
    pub(super) variance: f64,
    pub(super) standard_error: f64,
    /// None when there is one number, or all are equal.
    pub(super) bounds: Option<(f64, f64)>,
}

/// Sample mean and variance (Welford; 0 for one number).
pub(super) fn mean_variance(x: &[f64]) -> (f64, f64) {
    let (mut mean, mut m2) = (0.0, 0.0);
    for (i, &value) in x.iter().enumerate() {
        let delta = value - mean;
        mean += delta / (i + 1) as f64;
        m2 += delta * (value - mean);
    }
    let variance = if x.len() > 1 {
        m2 / (x.len() - 1) as f64
    } else {
        0.0
    };
    (mean, variance)
}

/// The t interval of the mean.
pub(super) fn t_interval(x: &[f64], level: f64) -> TInterval {
    let (mean, variance) = mean_variance(x);
    let standard_error = (variance / x.len() as f64).sqrt();
    let quantile = StudentsT::new(0.0, 1.0, (x.len() - 1) as f64)
        .ok()
        .map(|t| t.inverse_cdf(0.5 + 0.5 * level));
    let bounds = quantile.filter(|_| variance > 0.0).map(|q| {
        let half = q * standard_error;
        (mean - half, mean + half)
    });
    TInterval {
        mean,
        variance,
        standard_error,
        bounds,
    }
}

/// How many times more seeds independent deals would need: the sum of the variances of the parts
/// over the variance of their sum. With the parts `a` and `-b` this is (Var a + Var b)/Var(a - b).
/// None when the sum does not vary.
pub(super) fn pairing_factor(parts: &[Vec<f64>]) -> Option<f64> {
    let seeds = parts.first().map_or(0, Vec::len);
    let sums: Vec<f64> = (0..seeds)
        .map(|s| parts.iter().map(|part| part[s]).sum())
        .collect();
    let together = mean_variance(&sums).1;
    let apart: f64 = parts.iter().map(|part| mean_variance(part).1).sum();
    // What is left of a sum that cancels is rounding.
    (together > 1e-12 * apart).then(|| apart / together)
}

/// The upper end of the one-sided 95 % Clopper-Pearson interval for `count` of `n`.
pub(super) fn clopper_pearson_upper(count: u64, n: u64) -> f64 {
    if n == 0 || count >= n {
        return 1.0;
    }
    Beta::new((count + 1) as f64, (n - count) as f64).map_or(1.0, |beta| beta.inverse_cdf(0.95))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        let t = t_interval(&[1.0, 2.0, 3.0, 4.0, 5.0], 0.95);
        let (low, high) = t.bounds.unwrap();
        assert!((low - 1.036_756_838_522_442_8).abs() < 1e-9);
        assert!((high - 4.963_243_161_477_557).abs() < 1e-9);
        assert_eq!(t_interval(&[2.0], 0.95).bounds, None);
        assert_eq!(t_interval(&[2.0, 2.0], 0.95).bounds, None);
        assert!((clopper_pearson_upper(0, 100) - (1.0 - 0.05_f64.powf(0.01))).abs() < 1e-9);
    }

    #[test]
    fn the_factor_of_two_arms_is_the_usual_one() {
        let a = [1.5, 2.0, 2.5, 2.0, 1.75, 2.25];
        let b = [2.5, 2.75, 2.5, 3.0, 2.25, 2.75];
        let minus_b = b.iter().map(|x| -x).collect();
        let factor = pairing_factor(&[a.to_vec(), minus_b]).unwrap();
        assert!((factor - 1.35).abs() < 0.005, "{factor}");
        assert_eq!(
            pairing_factor(&[a.to_vec(), a.iter().map(|x| -x).collect()]),
            None
        );
    }
}
