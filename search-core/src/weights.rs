//! Importance weights of sampled worlds: [`Weights`], and the pool that searches draw them for
//! ([`Pool`]).
//!
//! A world drawn from another distribution than the wanted one counts for the ratio of the two
//! probabilities. Searches do not carry such weights along: they draw a pool of worlds, weigh it, and
//! resample it to equal weights (*sampling-importance-resampling*, Rubin 1987; Gordon, Salmond &
//! Smith 1993), so that whatever compares actions over common worlds goes on as before.
//!
//! Estimates with normalised weights are biased by the order of `1 / n` (Owen 2013, section 9.2).

use thiserror::Error;

/// No world of a pool has a weight that can be used.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error(
    "none of {worlds} sampled worlds has a usable weight (log weight {log_weight}): allow more worlds, or likelihoods above 0"
)]
pub struct NoWeight {
    /// How many worlds there are.
    pub worlds: usize,
    /// The largest log weight, or the first that is not a number or infinitely large.
    pub log_weight: f64,
}

/// How many worlds a search draws beforehand when they come with weights, and when it distrusts the
/// weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pool {
    /// Worlds drawn and weighed; no more than the search has simulations.
    pub worlds: u32,
    /// The least effective sample size, as a share of the worlds, 0 to 1. Where it is less the weights
    /// are flattened ([`Weights::tempered`]), which the effort says; 0 never does.
    pub least: f64,
}

impl Default for Pool {
    /// 256 worlds, flattened below a tenth.
    fn default() -> Self {
        Self {
            worlds: 256,
            least: 0.1,
        }
    }
}

/// Normalised weights.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    weights: Vec<f64>,
    effective: f64,
    exponent: f64,
}

/// Halvings in the search for an exponent: it is then as exact as a number can be.
const HALVINGS: u32 = 60;

impl Weights {
    /// The weights with these natural logarithms, which need not be normalised. Minus infinity is
    /// weight 0.
    ///
    /// # Errors
    /// [`NoWeight`] when all are 0, or one is not a number or infinite, or there are none.
    pub fn from_logs(logs: &[f64]) -> Result<Self, NoWeight> {
        let bad = logs.iter().find(|l| l.is_nan() || **l == f64::INFINITY);
        let largest = logs.iter().fold(f64::NEG_INFINITY, |m, l| m.max(*l));
        if bad.is_some() || largest == f64::NEG_INFINITY {
            return Err(NoWeight {
                worlds: logs.len(),
                log_weight: *bad.unwrap_or(&largest),
            });
        }
        Ok(Self::raised(logs, largest, 1.0))
    }

    /// The same, raised to the greatest exponent in `[0, 1]` with which the effective sample size is at
    /// least the share `least` of the number of weights; 0, which is equal weights where they are not 0,
    /// when there is no such exponent.
    ///
    /// # Errors
    /// As [`Weights::from_logs`].
    pub fn tempered(logs: &[f64], least: f64) -> Result<Self, NoWeight> {
        let weights = Self::from_logs(logs)?;
        let wanted = least * logs.len() as f64;
        if weights.effective >= wanted {
            return Ok(weights);
        }
        let largest = logs.iter().fold(f64::NEG_INFINITY, |m, l| m.max(*l));
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if Self::raised(logs, largest, middle).effective >= wanted {
                low = middle;
            } else {
                high = middle;
            }
        }
        Ok(Self::raised(logs, largest, low))
    }

    fn raised(logs: &[f64], largest: f64, exponent: f64) -> Self {
        let raise = |log: &f64| match *log {
            f64::NEG_INFINITY => 0.0,
            log => libm::exp((log - largest) * exponent),
        };
        let mut weights: Vec<f64> = logs.iter().map(raise).collect();
        let sum: f64 = weights.iter().sum();
        let squares: f64 = weights.iter().map(|w| w * w).sum();
        for weight in &mut weights {
            *weight /= sum;
        }
        Self {
            weights,
            effective: sum * sum / squares,
            exponent,
        }
    }

    /// They sum to 1.
    #[must_use]
    pub fn as_slice(&self) -> &[f64] {
        &self.weights
    }

    /// `(Σw)² / Σw²` (Kong 1992): how many equally weighted worlds are worth as much. The number of
    /// weights exactly when they are equal.
    #[must_use]
    pub fn effective_sample_size(&self) -> f64 {
        self.effective
    }

    /// What the weights were raised to; 1 unless they were flattened.
    #[must_use]
    pub fn exponent(&self) -> f64 {
        self.exponent
    }

    /// The self-normalised estimate of an expectation: the weighted mean of one value a world. Values
    /// beyond the number of weights are ignored.
    #[must_use]
    pub fn mean(&self, values: impl IntoIterator<Item = f64>) -> f64 {
        let pairs = self.weights.iter().zip(values);
        // What cannot happen does not count, whatever its value.
        pairs.filter(|(w, _)| **w > 0.0).map(|(w, v)| w * v).sum()
    }

    /// Replaces the content of `out` with `n` indices, each as often as its share of `n`, rounded up or
    /// down: systematic resampling (Kitagawa 1996). `offset` is uniform in `[0, 1)`; an index of weight 0
    /// never comes.
    pub fn resample(&self, n: usize, offset: f64, out: &mut Vec<u32>) {
        out.clear();
        let last = self.weights.iter().rposition(|w| *w > 0.0).unwrap_or(0);
        let (mut index, mut reached) = (0, self.weights[0]);
        for i in 0..n {
            let ticket = (i as f64 + offset) / n as f64;
            while ticket >= reached && index < last {
                index += 1;
                reached += self.weights[index];
            }
            out.push(index as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Draw, Seed};

    /// T-DT9: as many as there are, exactly, when the weights are equal.
    #[test]
    fn t_dt9_equal_weights_are_worth_their_number() {
        for n in [1, 2, 3, 7, 100, 256] {
            for log in [-800.0, 0.0, 3.5] {
                let weights = Weights::from_logs(&vec![log; n]).unwrap();
                assert_eq!(weights.effective_sample_size(), n as f64);
                let mut picks = Vec::new();
                weights.resample(n, 0.5, &mut picks);
                assert!(picks.iter().copied().eq(0..n as u32), "{n}");
            }
        }
        let weights = Weights::from_logs(&[0.0, f64::NEG_INFINITY, -libm::log(3.0)]).unwrap();
        // (1 + 1/3)^2 / (1 + 1/9)
        assert!((weights.effective_sample_size() - 1.6).abs() < 1e-12);
        assert!((weights.mean([1.0, f64::NAN, -1.0]) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn resampling_rounds_every_share() {
        let mut rng = Seed(1).simulation(0);
        let mut picks = Vec::new();
        for round in 0..200 {
            let logs: Vec<f64> = (0..20)
                .map(|_| match rng.below(4) {
                    0 => f64::NEG_INFINITY,
                    _ => -9.0 * rng.unit(),
                })
                .chain([0.0])
                .collect();
            let weights = Weights::from_logs(&logs).unwrap();
            let n = 1 + rng.below(300) as usize;
            weights.resample(n, rng.unit(), &mut picks);
            assert_eq!(picks.len(), n);
            for (i, weight) in (0..).zip(weights.as_slice()) {
                let count = picks.iter().filter(|p| **p == i).count() as f64;
                let share = weight * n as f64;
                assert!(
                    (count - share).abs() < 1.0 + 1e-9,
                    "{round}: {count} of {share}"
                );
                assert!(*weight > 0.0 || count == 0.0);
            }
        }
    }

    #[test]
    fn flattening_stops_where_it_is_enough() {
        let logs: Vec<f64> = (0..100).map(|i| -f64::from(i)).collect();
        let plain = Weights::from_logs(&logs).unwrap();
        assert!(plain.effective_sample_size() < 3.0);
        assert_eq!(Weights::tempered(&logs, 0.0).unwrap(), plain);
        let flat = Weights::tempered(&logs, 0.1).unwrap();
        assert!((flat.effective_sample_size() - 10.0).abs() < 0.01);
        assert!((0.0..1.0).contains(&flat.exponent()));
        // Order is kept, and a weight of 0 stays 0.
        assert!(flat.as_slice().is_sorted_by(|a, b| a >= b));
        let mut few = vec![f64::NEG_INFINITY; 50];
        (few[3], few[4]) = (-1.0, -700.0);
        let few = Weights::tempered(&few, 0.5).unwrap();
        assert_eq!((few.as_slice()[3], few.as_slice()[4]), (0.5, 0.5));
        assert_eq!(few.effective_sample_size(), 2.0);
    }

    #[test]
    fn weights_that_cannot_be_used_are_refused() {
        let none = f64::NEG_INFINITY;
        assert!(Weights::from_logs(&[]).is_err());
        let error = Weights::from_logs(&[none, none]).unwrap_err();
        assert_eq!((error.worlds, error.log_weight), (2, none));
        assert!(Weights::tempered(&[none], 0.1).is_err());
        assert!(
            Weights::from_logs(&[0.0, f64::NAN])
                .unwrap_err()
                .log_weight
                .is_nan()
        );
        assert!(Weights::from_logs(&[0.0, f64::INFINITY]).is_err());
    }
}
