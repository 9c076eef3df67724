//! How a child is chosen: the exploration term.

use crate::math::Counts;
use crate::rng::{Draw, SimRng};

/// How a child is chosen. `q` is its mean over the scale, `n` its visits, `N` the selections over all
/// children or, over sampled worlds, how often this one was available; `c` is
/// [`TreeSettings::exploration`](crate::search::TreeSettings::exploration).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Selector {
    /// `q + c sqrt(ln N / n)` (Auer, Cesa-Bianchi & Fischer 2002).
    #[default]
    Ucb1,
    /// `q + c sqrt(ln N / n min(1/4, V))` with `V` the variance of the returns over the scale plus
    /// `sqrt(2 ln N / n)` (UCB1-Tuned, ibid. section 4). `c = 1` is the paper's.
    Ucb1Tuned,
    /// `q + c P sqrt(N) / (1 + n)` with the prior `P` (Rosin 2011; Silver et al. 2016). Priors are
    /// divided by their sum over the children that are legal here.
    Puct,
    /// A draw from the normal distribution around `n q / (n + 1)` with standard deviation
    /// `c / sqrt(n + 1)` (Thompson sampling with normal priors, Agrawal & Goyal 2013). `c = 1` is the
    /// paper's, for returns of scale 1.
    Thompson,
    /// The best mean, or any child with this probability.
    EpsilonGreedy {
        /// How often any child is taken, 0 to 1.
        epsilon: f64,
    },
}

/// A child as its selector sees it.
pub(super) struct Arm {
    /// Mean over the scale.
    pub(super) q: f64,
    /// Selections.
    pub(super) n: u32,
    /// Variance of the returns over the scale, squared.
    pub(super) variance: f64,
    /// Prior probability among the siblings.
    pub(super) prior: f64,
    /// `N`.
    pub(super) total: u32,
}

impl Selector {
    /// What an arm is worth trying.
    #[inline]
    pub(super) fn score(self, arm: &Arm, c: f64, counts: Counts, rng: &mut SimRng) -> f64 {
        match self {
            Self::Ucb1 => arm.q + c * counts.sqrt_ln(arm.total) * counts.inverse(arm.n).1,
            Self::Ucb1Tuned => {
                let ratio = counts.sqrt_ln(arm.total) * counts.inverse(arm.n).1;
                let most = arm.variance + std::f64::consts::SQRT_2 * ratio;
                arm.q + c * ratio * most.clamp(0.0, 0.25).sqrt()
            }
            Self::Puct => {
                let total = f64::from(arm.total.max(1));
                arm.q + c * arm.prior * total.sqrt() / (1.0 + f64::from(arm.n))
            }
            Self::Thompson => {
                let n = f64::from(arm.n);
                arm.q * n / (n + 1.0) + c / (n + 1.0).sqrt() * normal(rng)
            }
            Self::EpsilonGreedy { .. } => arm.q,
        }
    }

    /// Whether an untried child has an exploration term: elsewhere its urgency is all it is worth.
    pub(super) const fn explores_untried(self) -> bool {
        matches!(self, Self::Puct | Self::Thompson)
    }
}

/// A draw from the standard normal distribution (Box & Muller 1958).
fn normal(rng: &mut SimRng) -> f64 {
    let radius = (-2.0 * libm::log(1.0 - rng.unit())).sqrt();
    radius * libm::cos(std::f64::consts::TAU * rng.unit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Seed;

    fn arm(q: f64, n: u32) -> Arm {
        Arm {
            q,
            n,
            variance: 0.04,
            prior: 0.3,
            total: 50,
        }
    }

    #[test]
    fn scores_are_the_formulas() {
        let mut rng = Seed(1).simulation(0);
        let mut score = |s: Selector, c| s.score(&arm(0.4, 7), c, Counts::new(), &mut rng);
        let ln = libm::log(50.0);
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
        near(score(Selector::Ucb1, 0.7), 0.4 + 0.7 * (ln / 7.0).sqrt());
        // The variance bound is above a quarter, as it is for so few visits.
        near(
            score(Selector::Ucb1Tuned, 1.0),
            0.4 + (ln / 7.0 * 0.25).sqrt(),
        );
        near(
            score(Selector::Puct, 2.0),
            0.4 + 2.0 * 0.3 * 50_f64.sqrt() / 8.0,
        );
        near(score(Selector::EpsilonGreedy { epsilon: 0.1 }, 2.0), 0.4);
        let many = Arm {
            n: 4_000_000,
            ..arm(0.4, 0)
        };
        let tuned = Selector::Ucb1Tuned.score(&many, 1.0, Counts::new(), &mut rng);
        let variance = 0.04 + (2.0 * ln / 4e6).sqrt();
        near(tuned, 0.4 + (ln / 4e6 * variance).sqrt());
    }

    /// T-UC5: two arms are each on top as often as the difference of two normal draws says.
    #[test]
    fn thompson_samples_the_posterior() {
        let (a, b) = (arm(0.5, 9), arm(0.3, 3));
        let draws = 40_000;
        let wins = (0..draws)
            .filter(|&i| {
                let mut rng = Seed(5).simulation(i);
                let s = Selector::Thompson;
                let first = s.score(&a, 1.0, Counts::new(), &mut rng);
                first > s.score(&b, 1.0, Counts::new(), &mut rng)
            })
            .count() as f64;
        // Means 0.45 and 0.225, variances 1/10 and 1/4.
        let z = (0.45 - 0.225) / 0.35_f64.sqrt();
        let p = 0.5 * libm::erfc(-z / std::f64::consts::SQRT_2);
        let error = (p * (1.0 - p) / f64::from(draws as u32)).sqrt();
        assert!((wins / f64::from(draws as u32) - p).abs() < 5.0 * error);
    }
}
