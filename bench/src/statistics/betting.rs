//! The hedged betting confidence sequence: every mean that nobody could have got rich against.
//!
//! Against each candidate mean `m` two gamblers bet on the next observation, one that it lies above
//! `m` and one that it lies below. If `m` is the mean neither bet is favourable, and by Ville's
//! inequality the wealth ever reaches `1 / alpha` with probability at most `alpha`. The sequence
//! keeps the `m` against which `max(K+ / 2, K- / 2) < 1 / alpha` (Waudby-Smith & Ramdas, JRSS B
//! 86, 2024, section 4.1, "hedged capital"), with the bets of
//! [`confidence_sequence`](super::confidence_sequence) cut off where half the wealth is at stake.
//!
//! It is narrower than the empirical-Bernstein sequence, and needs every past observation to
//! compute its ends.

use libm::{log, log1p};

use super::confidence_sequence::{Plugin, require_unit};
use super::error::{StatError, require_open_unit};
use super::interval::Interval;

/// What a gambler may lose on one observation, as a share of his wealth.
const STAKE: f64 = 0.5;

/// Halvings that take an interval of width 1 to one double.
const HALVINGS: u32 = 60;

/// The sequence of observations in `[0, 1]`.
#[derive(Debug, Clone)]
pub struct Betting {
    alpha: f64,
    plugin: Plugin,
    /// The bet and the observation, from the first on.
    played: Vec<(f64, f64)>,
    kept: Interval,
}

impl Betting {
    /// The sequence of error probability `alpha` in (0, 1).
    ///
    /// # Errors
    /// [`StatError::OutOfRange`] for `alpha`.
    pub fn new(alpha: f64) -> Result<Self, StatError> {
        require_open_unit("alpha", alpha)?;
        Ok(Self {
            alpha,
            plugin: Plugin::new(),
            played: Vec::new(),
            kept: Interval {
                low: 0.0,
                high: 1.0,
            },
        })
    }

    /// Takes the next observation, in the order in which they come.
    ///
    /// # Errors
    /// [`StatError::OutOfRange`] outside `[0, 1]`; nothing is taken then.
    pub fn push(&mut self, x: f64) -> Result<(), StatError> {
        require_unit(x)?;
        self.played
            .push((self.plugin.bet(log(2.0 / self.alpha)), x));
        self.plugin.push(x);
        self.shrink();
        Ok(())
    }

    /// The interval now: the intersection of those after every observation. `low > high` when they
    /// contradict each other.
    #[must_use]
    pub fn interval(&self) -> Interval {
        self.kept
    }

    /// The logarithm of the hedged wealth `max(K+ / 2, K- / 2)` against the mean `m` in `[0, 1]`;
    /// at `ln(1 / alpha)` that mean is rejected.
    #[must_use]
    pub fn log_wealth(&self, m: f64) -> f64 {
        self.log_capital_above(m).max(self.log_capital_below(m)) - log(2.0)
    }

    /// `ln K+`, of the gambler who bets that observations lie above `m`. It falls as `m` grows.
    fn log_capital_above(&self, m: f64) -> f64 {
        log_capital(self.played.iter().copied(), m)
    }

    /// `ln K-`: the same of `1 - x` against `1 - m`.
    fn log_capital_below(&self, m: f64) -> f64 {
        log_capital(self.played.iter().map(|(bet, x)| (*bet, 1.0 - x)), 1.0 - m)
    }

    /// Moves the ends to where the wealth is just below the threshold.
    fn shrink(&mut self) {
        let rich = log(2.0 / self.alpha);
        if self.log_capital_above(self.kept.low) >= rich {
            self.kept.low = edge(self.kept.low, 1.0, |m| self.log_capital_above(m) >= rich);
        }
        if self.log_capital_below(self.kept.high) >= rich {
            self.kept.high = edge(self.kept.high, 0.0, |m| self.log_capital_below(m) >= rich);
        }
    }
}

/// The hedged wealth against one mean, in constant time an observation: a test of that mean which may
/// be looked at any time.
#[derive(Debug, Clone, Copy)]
pub struct Wealth {
    mean: f64,
    log_threshold: f64,
    plugin: Plugin,
    /// `ln K+` and `ln K-`.
    sides: [f64; 2],
    most: f64,
}

impl Wealth {
    /// The test of `mean` in `[0, 1]` at the error probability `alpha` in (0, 1).
    ///
    /// # Errors
    /// [`StatError::OutOfRange`] for either.
    pub fn new(mean: f64, alpha: f64) -> Result<Self, StatError> {
        require_unit(mean)?;
        require_open_unit("alpha", alpha)?;
        Ok(Self {
            mean,
            log_threshold: log(2.0 / alpha),
            plugin: Plugin::new(),
            sides: [0.0; 2],
            most: 0.0,
        })
    }

    /// Takes the next observation, in the order in which they come.
    ///
    /// # Errors
    /// [`StatError::OutOfRange`] outside `[0, 1]`; nothing is taken then.
    pub fn push(&mut self, x: f64) -> Result<(), StatError> {
        require_unit(x)?;
        let bet = self.plugin.bet(self.log_threshold);
        self.plugin.push(x);
        self.sides[0] += log_gain(bet, x, self.mean);
        self.sides[1] += log_gain(bet, 1.0 - x, 1.0 - self.mean);
        self.most = self.most.max(self.sides[0]).max(self.sides[1]);
        Ok(())
    }

    /// Whether the mean was rejected at any look: whether it is outside of [`Betting::interval`].
    #[must_use]
    pub fn rejects(&self) -> bool {
        self.most >= self.log_threshold
    }
}

/// `ln(1 + min(bet, STAKE / m) (x - m))`. At m = 0 a bet of any size is safe, and is taken as it is.
fn log_gain(bet: f64, x: f64, m: f64) -> f64 {
    log1p(bet.min(STAKE / m) * (x - m))
}

/// The sum of the gains against `m`.
fn log_capital(played: impl Iterator<Item = (f64, f64)>, m: f64) -> f64 {
    played.map(|(bet, x)| log_gain(bet, x, m)).sum()
}

/// Where `rejected` ends between `inside`, where it holds, and `outside`.
fn edge(mut inside: f64, mut outside: f64, rejected: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..HALVINGS {
        let middle = 0.5 * (inside + outside);
        if rejected(middle) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    outside
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::confidence_sequence::{EmpiricalBernstein, TRUNCATION};

    fn values(n: u32) -> Vec<f64> {
        (0..n)
            .map(|i| f64::from(i * 29 % 61) / 100.0 + 0.1)
            .collect()
    }

    #[test]
    fn the_ends_are_where_the_wealth_reaches_the_threshold() {
        let mut sequence = Betting::new(0.05).unwrap();
        for x in values(150) {
            sequence.push(x).unwrap();
        }
        let Interval { low, high } = sequence.interval();
        assert!(
            0.25 < low && low < 0.4 && 0.4 < high && high < 0.55,
            "{low} {high}"
        );
        let threshold = 20.0_f64.ln();
        // The ends of the intersection are rejected now, or were at an earlier look.
        assert!(sequence.log_wealth(0.5 * (low + high)) < threshold);
        for grid in 0..=100 {
            let m = f64::from(grid) / 100.0;
            if sequence.log_wealth(m) >= threshold {
                assert!(m < low || m > high, "{m} is rejected and kept");
            }
        }
    }

    #[test]
    fn the_wealth_against_one_mean_is_the_interval_at_that_mean() {
        for m in [0.0, 0.2, 0.33, 0.37, 0.41, 0.45, 1.0] {
            let mut wealth = Wealth::new(m, 0.05).unwrap();
            let mut sequence = Betting::new(0.05).unwrap();
            for x in values(120) {
                wealth.push(x).unwrap();
                sequence.push(x).unwrap();
                let outside = !sequence.interval().contains(m);
                assert_eq!(wealth.rejects(), outside, "{m}");
            }
        }
        // What was once rejected stays so, though later observations speak for it.
        let mut wealth = Wealth::new(0.5, 0.05).unwrap();
        for x in std::iter::repeat_n(0.9, 40).chain(std::iter::repeat_n(0.3, 300)) {
            wealth.push(x).unwrap();
        }
        assert!(wealth.rejects() && wealth.sides[0] < 0.0);
        assert!(Wealth::new(1.5, 0.05).is_err() && Wealth::new(0.5, 0.0).is_err());
    }

    #[test]
    fn it_is_narrower_than_empirical_bernstein() {
        let mut betting = Betting::new(0.05).unwrap();
        let mut bernstein = EmpiricalBernstein::new(0.05, TRUNCATION).unwrap();
        for (n, x) in values(400).into_iter().enumerate() {
            betting.push(x).unwrap();
            bernstein.push(x).unwrap();
            if n >= 10 {
                assert!(
                    betting.interval().width() <= bernstein.interval().width(),
                    "{n}"
                );
            }
        }
    }

    #[test]
    fn extreme_observations_are_no_trouble() {
        for x in [0.0, 1.0] {
            let mut sequence = Betting::new(0.05).unwrap();
            for _ in 0..1000 {
                sequence.push(x).unwrap();
            }
            let interval = sequence.interval();
            assert!(
                interval.contains(x) && interval.width() < 0.02,
                "{interval:?}"
            );
        }
        let mut sequence = Betting::new(0.05).unwrap();
        assert!(sequence.push(-0.1).is_err() && sequence.push(f64::NAN).is_err());
        assert!(Betting::new(1.0).is_err());
    }
}
