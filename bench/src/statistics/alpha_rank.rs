//! Alpha-rank: how often each strategy prevails in an evolving population, cycles included.
//!
//! A population of `m` plays one strategy; now and then a mutant appears, and replaces it or dies
//! out. Which strategy is found in the long run is the stationary distribution of that chain
//! (Omidshafiei et al., "alpha-Rank: Multi-Agent Evaluation by Evolution", Scientific Reports 9,
//! 2019), here for one population under the local selection model, where a mutant `r` among `s` is
//! imitated by its payoff in a match against `s`: its probability of fixation is
//! `(1 - e^-u) / (1 - e^-mu)` with `u = alpha (M[r][s] - M[s][r])`, and `1 / m` at `u = 0`.
//!
//! A one-dimensional rating hides that A beats B beats C beats A; this shows it, as three equal
//! shares. Print the pairwise matrix beside it.

use libm::{exp, expm1};

use super::error::{StatError, require_count, require_finite, require_same_length};

/// The stationary distribution over strategies.
///
/// `payoff[r][s]` is what `r` gets against `s`; `alpha` (>= 0) is how strongly payoff counts: 0 makes
/// all equal, large values leave the strategies that nothing beats; `population` (>= 2) is `m`.
///
/// # Errors
/// [`StatError::TooFew`] for no strategy or a population below two, [`StatError::LengthMismatch`]
/// when the matrix is not square, [`StatError::NotFinite`], [`StatError::OutOfRange`] for `alpha`.
pub fn alpha_rank(payoff: &[Vec<f64>], alpha: f64, population: u32) -> Result<Vec<f64>, StatError> {
    require_count("alpha-rank", 1, payoff.len())?;
    require_count("a population", 2, population as usize)?;
    if !(alpha.is_finite() && alpha >= 0.0) {
        return Err(StatError::OutOfRange {
            name: "alpha",
            value: alpha,
            domain: "the numbers from 0",
        });
    }
    let strategies = payoff.len();
    for row in payoff {
        require_same_length(strategies, row.len())?;
        require_finite(row)?;
    }
    let mut rates = vec![vec![0.0; strategies]; strategies];
    for (s, row) in rates.iter_mut().enumerate() {
        for (r, rate) in row.iter_mut().enumerate().filter(|(r, _)| *r != s) {
            *rate = fixation(alpha * (payoff[r][s] - payoff[s][r]), f64::from(population));
        }
    }
    Ok(stationary(rates))
}

/// `(1 - e^-u) / (1 - e^-mu)` without cancellation, and never 0.
fn fixation(u: f64, m: f64) -> f64 {
    let chance = if u.abs() < 1e-14 {
        1.0 / m
    } else if u > 0.0 {
        expm1(-u) / expm1(-m * u)
    } else {
        // Both grow: e^((m - 1) u) (1 - e^u) / (1 - e^mu).
        exp((m - 1.0) * u) * expm1(u) / expm1(m * u)
    };
    // A rate of 0 would leave the chain in pieces.
    chance.max(1e-90)
}

/// The stationary distribution of a chain from its off-diagonal rates, by elimination without
/// subtraction (Grassmann, Taksar & Heyman 1985): small shares keep their digits.
fn stationary(mut rates: Vec<Vec<f64>>) -> Vec<f64> {
    let n = rates.len();
    for last in (1..n).rev() {
        let (rest, row) = rates.split_at_mut(last);
        let row = &row[0];
        let out: f64 = row[..last].iter().sum();
        for from in rest.iter_mut() {
            from[last] /= out;
            let through = from[last];
            for (to, rate) in row[..last].iter().enumerate() {
                from[to] += through * rate;
            }
        }
    }
    let mut shares = vec![1.0; n];
    for last in 1..n {
        shares[last] = (0..last).map(|from| shares[from] * rates[from][last]).sum();
        // Only proportions matter, and they may lie far apart.
        let largest = shares[..=last]
            .iter()
            .fold(0.0, |m: f64, share| m.max(*share));
        shares[..=last]
            .iter_mut()
            .for_each(|share| *share /= largest);
    }
    let total: f64 = shares.iter().sum();
    shares.iter().map(|share| share / total).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_strategies_balance() {
        // Two states: the shares are as the rates into them.
        for (win, alpha) in [(0.5, 3.0), (0.6, 1.0), (0.9, 2.0)] {
            let payoff = [vec![0.5, win], vec![1.0 - win, 0.5]];
            let shares = alpha_rank(&payoff, alpha, 10).unwrap();
            let u: f64 = alpha * (2.0 * win - 1.0);
            // The ratio of the two fixation probabilities is e^((m - 1) u).
            let ratio = (9.0 * u).exp();
            assert!(
                (shares[0] / shares[1] / ratio - 1.0).abs() < 1e-10,
                "{shares:?}"
            );
        }
    }

    #[test]
    fn the_distribution_is_stationary() {
        let payoff = [
            vec![0.5, 0.6, 0.55, 0.2],
            vec![0.4, 0.5, 0.7, 0.9],
            vec![0.45, 0.3, 0.5, 0.5],
            vec![0.8, 0.1, 0.5, 0.5],
        ];
        let shares = alpha_rank(&payoff, 2.0, 7).unwrap();
        for state in 0..4 {
            let rate = |from: usize, to: usize| {
                let u = 2.0 * (payoff[to][from] - payoff[from][to]);
                // The definition: 1 / (1 + sum e^-lu).
                1.0 / (0..7).map(|l| (-f64::from(l) * u).exp()).sum::<f64>()
            };
            let others = || (0..4).filter(|s| *s != state);
            let into: f64 = others().map(|s| shares[s] * rate(s, state)).sum();
            let out: f64 = others().map(|s| shares[state] * rate(state, s)).sum();
            assert!((into - out).abs() < 1e-12, "{state}: {into} {out}");
        }
    }

    #[test]
    fn extremes_are_numbers() {
        let payoff = [vec![0.0, 1.0], vec![-1.0, 0.0]];
        for alpha in [0.0, 1e3, 1e9] {
            let shares = alpha_rank(&payoff, alpha, 50).unwrap();
            assert!(shares.iter().all(|s| s.is_finite()), "{alpha}: {shares:?}");
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
        // A ladder: each beats all below it.
        let ladder: Vec<Vec<f64>> = (0..12)
            .map(|r| (0..12).map(|s| f64::from(r - s)).collect())
            .collect();
        let shares = alpha_rank(&ladder, 1e6, 50).unwrap();
        assert!((shares[11] - 1.0).abs() < 1e-12, "{shares:?}");
        assert_eq!(alpha_rank(&[vec![0.5]], 1.0, 50).unwrap(), [1.0]);
    }

    #[test]
    fn bad_input_is_an_error() {
        assert!(alpha_rank(&[], 1.0, 50).is_err());
        assert!(alpha_rank(&[vec![0.0, 1.0]], 1.0, 50).is_err());
        assert!(alpha_rank(&[vec![f64::NAN]], 1.0, 50).is_err());
        assert!(alpha_rank(&[vec![0.5]], -1.0, 50).is_err());
        assert!(alpha_rank(&[vec![0.5]], 1.0, 1).is_err());
    }
}
