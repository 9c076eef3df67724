//! Elo: a mean score between 0 and 1 on the scale of chess ratings.

use libm::{log, log10, sqrt};
use serde::Serialize;

use super::distribution::{normal_cdf, normal_quantile};
use super::error::{StatError, require_count, require_open_unit};

/// A score as a difference in Elo.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Elo {
    /// `-400 log10(1 / score - 1)`, logistic Elo.
    pub elo: f64,
    /// Lower end of the interval: the Elo of the lower end of the normal interval of the score,
    /// minus infinity when that is not above 0.
    pub low: f64,
    /// Upper end, infinite when the score's is not below 1.
    pub high: f64,
    /// Likelihood of superiority: the normal probability that the expected score is above 1/2.
    pub los: f64,
    /// Normalised Elo, `(score - 1/2) / sd * 800 / ln 10`: the difference in units of the standard
    /// deviation of a game, which says how many games it takes to see it.
    pub normalized: f64,
}

/// The Elo of a mean `score` in (0, 1) over `n` independent observations whose standard deviation
/// is `sd` (> 0); `confidence` in (0, 1) for the interval.
///
/// Games on one deal are not independent: give the number of *seeds* and the deviation of their
/// block scores.
///
/// # Errors
/// [`StatError::OutOfRange`], [`StatError::TooFew`] for `n` = 0.
pub fn elo(score: f64, n: u64, sd: f64, confidence: f64) -> Result<Elo, StatError> {
    require_open_unit("score", score)?;
    require_open_unit("confidence", confidence)?;
    require_count("Elo", 1, usize::from(n > 0))?;
    if !(sd.is_finite() && sd > 0.0) {
        return Err(StatError::OutOfRange {
            name: "sd",
            value: sd,
            domain: "the positive numbers",
        });
    }
    let error = sd / sqrt(n as f64);
    let reach = normal_quantile(0.5 * (1.0 + confidence)) * error;
    Ok(Elo {
        elo: of_score(score),
        low: of_score((score - reach).max(0.0)),
        high: of_score((score + reach).min(1.0)),
        los: normal_cdf((score - 0.5) / error),
        normalized: (score - 0.5) / sd * 800.0 / log(10.0),
    })
}

fn of_score(score: f64) -> f64 {
    -400.0 * log10(1.0 / score - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_to_one_is_four_hundred() {
        let result = elo(10.0 / 11.0, 100, 0.3, 0.95).unwrap();
        assert!((result.elo - 400.0).abs() < 1e-9);
        assert!(result.low < 400.0 && 400.0 < result.high && result.los > 0.999);
        let even = elo(0.5, 100, 0.3, 0.95).unwrap();
        assert_eq!((even.elo, even.los, even.normalized), (0.0, 0.5, 0.0));
        assert!((even.low + even.high).abs() < 1e-9);
    }

    #[test]
    fn an_interval_beyond_all_scores_is_infinite() {
        let result = elo(0.9, 4, 0.5, 0.95).unwrap();
        assert_eq!(result.high, f64::INFINITY);
        assert!(result.low.is_finite());
        for (score, n, sd) in [(0.0, 1, 0.5), (1.0, 1, 0.5), (0.5, 0, 0.5), (0.5, 1, 0.0)] {
            assert!(elo(score, n, sd, 0.95).is_err());
        }
    }
}
