//! Empirical likelihood: how well data fit a hypothesis about their mean, with no assumption about
//! their distribution (Owen, "Empirical Likelihood", 2001, chapter 2).
//!
//! Among all distributions on the observed values with the mean `mu`, the most likely one has
//! `p_i = w_i / (1 + theta (x_i - mu))`, where `w_i` is the share of `x_i` in the data and `theta`
//! solves `sum w_i (x_i - mu) / (1 + theta (x_i - mu)) = 0`. The left side falls from plus to minus
//! infinity on `(-1 / (max - mu), -1 / (min - mu))`, so the root exists exactly when `mu` lies
//! strictly between the least and the greatest value, and a bracket always finds it.

use libm::log1p;

/// Distinct values and their shares, which sum to 1.
pub(super) type Shares = [(f64, f64)];

/// Steps of the solver: a bracket of doubles is exhausted well before.
const STEPS: u32 = 300;

/// The root of `sum w phi / (1 + theta phi)` over pairs of `phi` and `w`; none unless `phi` takes
/// both signs.
pub(super) fn tilt(pairs: &(impl Iterator<Item = (f64, f64)> + Clone)) -> Option<f64> {
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    for (phi, weight) in pairs.clone() {
        if weight > 0.0 {
            least = least.min(phi);
            most = most.max(phi);
        }
    }
    if !(least < 0.0 && most > 0.0) {
        return None;
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let (mut theta, mut last_step) = (0.0_f64, high - low);
    for _ in 0..STEPS {
        let (mut value, mut slope) = (0.0, 0.0);
        for (phi, weight) in pairs.clone() {
            let ratio = phi / (1.0 + theta * phi);
            value += weight * ratio;
            slope -= weight * ratio * ratio;
        }
        if value > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        let newton = theta - value / slope;
        // Newton's step where it stays inside and halves at least, else the bracket is halved.
        let fast = (newton - theta).abs() <= 0.5 * last_step.abs();
        let next = if newton > low && newton < high && fast {
            newton
        } else {
            0.5 * (low + high)
        };
        last_step = next - theta;
        if last_step.abs() <= 2.0 * f64::EPSILON * theta.abs() {
            return Some(next);
        }
        theta = next;
    }
    Some(theta)
}

/// The logarithm of the likelihood ratio per observation of the mean `mu` against no hypothesis,
/// `-sum w ln(1 + theta (x - mu))`; none when no distribution on these values has that mean.
pub(super) fn log_ratio(shares: &Shares, mu: f64) -> Option<f64> {
    let centred = shares.iter().map(|(x, weight)| (x - mu, *weight));
    let theta = tilt(&centred)?;
    Some(
        -centred
            .map(|(d, weight)| weight * log1p(theta * d))
            .sum::<f64>(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_values_the_likelihood_is_that_of_a_coin() {
        // Heads with probability q have the mean q: sum w ln(p / w) in closed form.
        let shares = [(0.0, 0.7), (1.0, 0.3)];
        for q in [1e-6_f64, 0.2, 0.3, 0.9, 1.0 - 1e-6] {
            let exact = 0.7 * ((1.0 - q) / 0.7).ln() + 0.3 * (q / 0.3).ln();
            let got = log_ratio(&shares, q).unwrap();
            assert!(
                (got - exact).abs() < 1e-12 * exact.abs().max(1e-3),
                "{q}: {got} {exact}"
            );
        }
    }

    #[test]
    fn the_tilted_distribution_has_the_mean_and_sums_to_one() {
        let shares: Vec<(f64, f64)> = (0..50_u32)
            .map(|i| (f64::from(i * i % 37) - 11.3, 1.0 / 50.0))
            .collect();
        for mu in [-11.2, -3.0, 0.0, 5.5, 24.6] {
            let theta = tilt(&shares.iter().map(|(x, w)| (x - mu, *w))).unwrap();
            let p = shares
                .iter()
                .map(|(x, w)| (x, w / (1.0 + theta * (x - mu))));
            let (mut total, mut mean) = (0.0, 0.0);
            for (x, p) in p {
                assert!(p > 0.0);
                total += p;
                mean += p * x;
            }
            assert!((total - 1.0).abs() < 1e-9, "{mu}: {total}");
            assert!((mean - mu).abs() < 1e-9, "{mu}: {mean}");
        }
    }

    /// fastchess#877: a mean that the data cannot have must end the solver at once.
    #[test]
    fn a_mean_outside_the_data_has_no_solution() {
        let shares = [(0.25, 0.5), (0.75, 0.5)];
        for mu in [-1.0, 0.25, 0.75, 3.0, f64::NAN, f64::INFINITY] {
            assert_eq!(log_ratio(&shares, mu), None, "{mu}");
        }
        assert_eq!(log_ratio(&[(0.5, 1.0)], 0.5), None);
        assert_eq!(log_ratio(&[], 0.5), None);
    }

    #[test]
    fn means_at_the_very_edge_are_solved() {
        let shares = [(0.0, 0.999_999), (1.0, 1e-6)];
        for mu in [1e-300, 1e-12, 1.0 - 1e-12] {
            let ratio = log_ratio(&shares, mu).unwrap();
            assert!(ratio.is_finite() && ratio <= 0.0, "{mu}: {ratio}");
        }
    }
}
