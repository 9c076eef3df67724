//! The online Plackett-Luce update of OpenSkill, for cross-checks with ratings made elsewhere.
//!
//! After every game each player's normal belief `(mu, sigma)` moves (Weng & Lin, "A Bayesian
//! approximation method for online ranking", JMLR 12, 2011, algorithm 4). The result depends on the
//! *order* of the games, so it can be neither merged nor resumed exactly; and a tie is not modelled:
//! of five players with two joint winners, the winners end below the third. Take
//! [`plackett_luce`](super::plackett_luce) for a ranking.

use libm::{exp, sqrt};
use serde::Serialize;

use super::error::{StatError, require_count, require_same_length};

/// A belief about a player's strength.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Belief {
    /// Its mean.
    pub mu: f64,
    /// Its standard deviation, above 0.
    pub sigma: f64,
}

/// The constants of the update.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Constants {
    /// The standard deviation of a performance.
    pub beta: f64,
    /// The least factor by which a variance shrinks.
    pub kappa: f64,
    /// What a standard deviation grows by before a game, in squares.
    pub tau: f64,
}

impl Default for Constants {
    /// Those of OpenSkill for beliefs of 25 with deviation 25/3.
    fn default() -> Self {
        Self {
            beta: 25.0 / 6.0,
            kappa: 1e-4,
            tau: 25.0 / 300.0,
        }
    }
}

/// The beliefs after one game in which player `i` took the place `ranks[i]`, the lowest the best.
///
/// # Errors
/// [`StatError::TooFew`] below two players, [`StatError::LengthMismatch`],
/// [`StatError::NotFinite`] naming a player whose belief is not usable.
pub fn update(
    players: &[Belief],
    ranks: &[u32],
    constants: &Constants,
) -> Result<Vec<Belief>, StatError> {
    require_count("a game", 2, players.len())?;
    require_same_length(players.len(), ranks.len())?;
    let unusable = |b: &Belief| !(b.mu.is_finite() && b.sigma.is_finite() && b.sigma > 0.0);
    if let Some(index) = players.iter().position(unusable) {
        return Err(StatError::NotFinite { index });
    }
    let Constants { beta, kappa, tau } = *constants;
    let variances: Vec<f64> = players
        .iter()
        .map(|b| b.sigma * b.sigma + tau * tau)
        .collect();
    let scale = sqrt(variances.iter().map(|v| v + beta * beta).sum());
    // Only ratios matter, so the greatest is taken out.
    let most = players.iter().map(|b| b.mu).fold(f64::MIN, f64::max);
    let weights: Vec<f64> = players.iter().map(|b| exp((b.mu - most) / scale)).collect();
    let seats = 0..players.len();
    // The draw of the place of q is among all that did no better.
    let sums: Vec<f64> = seats
        .clone()
        .map(|q| {
            seats
                .clone()
                .filter(|s| ranks[*s] >= ranks[q])
                .map(|s| weights[s])
                .sum()
        })
        .collect();
    let tied = |q: usize| ranks.iter().filter(|r| **r == ranks[q]).count() as f64;
    let moved = seats.clone().map(|i| {
        let (mut gain, mut loss) = (0.0, 0.0);
        for q in seats.clone().filter(|q| ranks[*q] <= ranks[i]) {
            let share = weights[i] / sums[q];
            gain += (f64::from(u8::from(q == i)) - share) / tied(q);
            loss += share * (1.0 - share) / tied(q);
        }
        let variance = variances[i];
        let shrink = loss * variance / (scale * scale) * sqrt(variance) / scale;
        Belief {
            mu: players[i].mu + gain * variance / scale,
            sigma: sqrt(variance * (1.0 - shrink).max(kappa)),
        }
    });
    Ok(moved.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEW: Belief = Belief {
        mu: 25.0,
        sigma: 25.0 / 3.0,
    };

    #[test]
    fn winners_rise_losers_fall_and_everybody_is_known_better() {
        let after = update(&[NEW; 3], &[1, 2, 3], &Constants::default()).unwrap();
        assert!(after[0].mu > after[1].mu && after[1].mu > after[2].mu);
        assert!(after.iter().all(|b| b.sigma < NEW.sigma));
        // Equal beliefs: what one gains the others lose.
        let sum: f64 = after.iter().map(|b| b.mu).sum();
        assert!((sum - 75.0).abs() < 1e-9);
    }

    #[test]
    fn the_order_of_the_games_matters() {
        let play = |games: &[[u32; 2]]| {
            games.iter().fold([NEW; 2].to_vec(), |beliefs, ranks| {
                update(&beliefs, ranks, &Constants::default()).unwrap()
            })
        };
        assert_ne!(
            play(&[[1, 2], [1, 2], [2, 1]]),
            play(&[[2, 1], [1, 2], [1, 2]])
        );
    }

    #[test]
    fn bad_input_is_an_error() {
        let constants = Constants::default();
        assert!(update(&[NEW], &[1], &constants).is_err());
        assert!(update(&[NEW; 2], &[1], &constants).is_err());
        let broken = Belief {
            mu: f64::NAN,
            ..NEW
        };
        assert!(update(&[NEW, broken], &[1, 2], &constants).is_err());
    }
}
