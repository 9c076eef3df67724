//! The sequential test of chess engines: scores on a lattice, hypotheses in Elo.
//!
//! One entry is a game (loss, draw, win: trinomial) or a pair of games on one opening with the sides
//! changed (0 to 2 points in halves: pentanomial). It is the test of
//! [`sequential`](super::sequential) with the hypotheses stated otherwise, and is here for
//! comparison with fishtest, fastchess and OpenBench: for two players the block *is* the pair.
//!
//! Logistic Elo fixes the mean score, `1 / (1 + 10^(-elo / 400))`. Normalised Elo fixes the mean in
//! units of the standard deviation of one game, `(score - 1/2) / sd = elo ln(10) / 800`, so that a
//! test takes as long whatever the share of draws (Van den Bergh, "Normalized Elo", 2019).

use libm::{log, pow, sqrt};

use super::error::{StatError, require_count};
use super::likelihood::{log_ratio, tilt};

/// What a hypothesis in Elo says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EloModel {
    /// The mean score.
    Logistic,
    /// The mean score in units of the standard deviation of a game.
    Normalized,
}

/// The most rounds of the fixed point for normalised Elo; it takes a dozen.
const ROUNDS: u32 = 500;

/// The LLR of `elo1` against `elo0`. `counts` are entries by score, from no point to all points:
/// three for games, five for pairs of games. An empty cell counts as `zero` entries (1e-3 is usual),
/// without which a score that never came leaves some hypotheses without a likelihood.
///
/// None when a hypothesis lies outside the counted scores, or the fit does not settle: wait.
///
/// # Errors
/// [`StatError::TooFew`] for fewer than two cells, [`StatError::OutOfRange`] for counts that are
/// negative, not finite or all 0.
pub fn elo_llr(
    counts: &[f64],
    elo0: f64,
    elo1: f64,
    model: EloModel,
    zero: f64,
) -> Result<Option<f64>, StatError> {
    require_count("a lattice of scores", 2, counts.len())?;
    let counts: Vec<f64> = counts
        .iter()
        .map(|&n| if n == 0.0 { zero } else { n })
        .collect();
    let total: f64 = counts.iter().sum();
    let bad = counts.iter().find(|n| !(n.is_finite() && **n >= 0.0));
    if let Some(&value) = bad.or((total <= 0.0).then_some(&total)) {
        return Err(StatError::OutOfRange {
            name: "a count",
            value,
            domain: "the positive numbers",
        });
    }
    let last = (counts.len() - 1) as f64;
    let scored = counts.iter().enumerate();
    let shares: Vec<(f64, f64)> = scored.map(|(i, n)| (i as f64 / last, n / total)).collect();
    let fit = |elo: f64| match model {
        EloModel::Logistic => log_ratio(&shares, 1.0 / (1.0 + pow(10.0, -elo / 400.0))),
        // An entry of g games has a standard deviation smaller by sqrt(g) than a game.
        EloModel::Normalized => {
            log_ratio_normalized(&shares, elo * log(10.0) / 800.0 * sqrt(0.5 * last))
        }
    };
    Ok(fit(elo1)
        .zip(fit(elo0))
        .map(|(one, zero)| total * (one - zero)))
}

/// `sum w ln(p / w)` of the likeliest `p` with `(mean - 1/2) / sd = t`.
///
/// At the solution `p = w / (1 + theta phi)` with
/// `phi = x - 1/2 - t sd (1 + ((mean - x) / sd)^2) / 2`, mean and standard deviation being those of
/// `p` itself: a fixed point, from the data's own distribution on.
fn log_ratio_normalized(shares: &[(f64, f64)], t: f64) -> Option<f64> {
    let mut p: Vec<f64> = shares.iter().map(|(_, weight)| *weight).collect();
    for _ in 0..ROUNDS {
        let moment = |f: &dyn Fn(f64) -> f64| -> f64 {
            shares.iter().zip(&p).map(|((x, _), p)| p * f(*x)).sum()
        };
        let mean = moment(&|x| x);
        let deviation = sqrt(moment(&|x| (x - mean) * (x - mean)));
        let phi = move |x: f64| {
            let z = (mean - x) / deviation;
            x - 0.5 - 0.5 * t * deviation * (1.0 + z * z)
        };
        let theta = tilt(&shares.iter().map(move |(x, weight)| (phi(*x), *weight)))?;
        let mut change = 0.0_f64;
        for ((x, weight), p) in shares.iter().zip(&mut p) {
            let next = weight / (1.0 + theta * phi(*x));
            change = change.max((next - *p).abs());
            *p = next;
        }
        if change < 1e-13 {
            let fitted = shares.iter().zip(&p).filter(|((_, w), _)| *w > 0.0);
            return Some(fitted.map(|((_, w), p)| w * log(p / w)).sum());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three cells, two constraints: one free number, so the fit is a search in one dimension.
    #[test]
    fn the_fixed_point_is_the_greatest_likelihood() {
        let shares = [(0.0, 0.3), (0.5, 0.45), (1.0, 0.25)];
        for t in [-0.2_f64, 0.02, 0.15] {
            let got = log_ratio_normalized(&shares, t).unwrap();
            let mut best = f64::NEG_INFINITY;
            for step in 1..200_000 {
                // With draws of probability d and mean 1/2 + m: variance (1 - d) / 4 - m^2.
                let d = f64::from(step) / 200_000.0;
                let m = t * ((1.0 - d) / 4.0 / (1.0 + t * t)).sqrt();
                let (win, loss) = ((1.0 - d) / 2.0 + m, (1.0 - d) / 2.0 - m);
                if win > 0.0 && loss > 0.0 {
                    let parts = [(0.3, loss), (0.45, d), (0.25, win)];
                    best = best.max(parts.iter().map(|(w, p)| w * f64::ln(p / w)).sum());
                }
            }
            assert!((got - best).abs() < 1e-9, "{t}: {got} {best}");
        }
    }

    #[test]
    fn pairs_of_independent_games_say_what_the_games_say() {
        // 10,000 games in 5,000 pairs, the pairs as often as independence has it.
        let p = [0.2, 0.55, 0.25];
        let pairs: Vec<f64> = (0..5)
            .map(|sum| {
                let ways = (0..3).filter(|i| (0..3).contains(&(sum - i)));
                let chance = ways.map(|i: i32| p[i as usize] * p[(sum - i) as usize]);
                5000.0 * chance.sum::<f64>()
            })
            .collect();
        let games = p.map(|p| 10_000.0 * p);
        for model in [EloModel::Logistic, EloModel::Normalized] {
            let llr = |counts: &[f64]| elo_llr(counts, 0.0, 5.0, model, 1e-3).unwrap().unwrap();
            let (one, two) = (llr(&games), llr(&pairs));
            assert!(
                (one - two).abs() < 0.01 * one.abs(),
                "{model:?}: {one} {two}"
            );
        }
    }

    #[test]
    fn one_sided_results_end() {
        for counts in [[0.0, 0.0, 4250.0], [4250.0, 0.0, 0.0], [0.0, 99.0, 0.0]] {
            for model in [EloModel::Logistic, EloModel::Normalized] {
                let llr = elo_llr(&counts, 0.0, 10.0, model, 1e-3).unwrap();
                assert!(llr.is_none_or(f64::is_finite), "{counts:?} {model:?}");
                elo_llr(&counts, 0.0, 10.0, model, 0.0).unwrap();
            }
        }
        assert!(elo_llr(&[1.0], 0.0, 1.0, EloModel::Logistic, 0.0).is_err());
        assert!(elo_llr(&[-1.0, 2.0], 0.0, 1.0, EloModel::Logistic, 0.0).is_err());
        assert!(elo_llr(&[0.0, 0.0], 0.0, 1.0, EloModel::Logistic, 0.0).is_err());
    }
}
