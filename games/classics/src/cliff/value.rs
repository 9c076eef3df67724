//! What an aim is worth, and the best one, in closed form.

use std::f64::consts::{SQRT_2, TAU};

use super::Cliff;

/// Density of the standard normal distribution.
fn density(z: f64) -> f64 {
    libm::exp(-0.5 * z * z) / TAU.sqrt()
}

/// The standard normal distribution function.
fn cumulative(z: f64) -> f64 {
    0.5 * libm::erfc(-z / SQRT_2)
}

/// The mean pay of one shot with this aim: with `u = (1 - a) / sigma` and `v = -a / sigma`,
/// `a (P(u) - P(v)) + sigma (p(v) - p(u)) - fall (1 - P(u))`, the mean of a truncated normal.
#[must_use]
pub fn value(game: &Cliff, aim: f64) -> f64 {
    let sigma = game.sigma();
    if sigma == 0.0 {
        return game.pays(aim);
    }
    let (u, v) = ((1.0 - aim) / sigma, -aim / sigma);
    aim * (cumulative(u) - cumulative(v)) + sigma * (density(v) - density(u))
        - game.fall() * cumulative(-u)
}

/// The aim with the highest [`value`], to the last digits: where `P(u) - P(v) = (1 + fall) p(u) / sigma`.
#[must_use]
pub fn best_aim(game: &Cliff) -> f64 {
    let sigma = game.sigma();
    if sigma == 0.0 {
        return 1.0;
    }
    let slope = |aim: f64| {
        let (u, v) = ((1.0 - aim) / sigma, -aim / sigma);
        cumulative(u) - cumulative(v) - (1.0 + game.fall()) * density(u) / sigma
    };
    // The value rises at 0 and falls at the edge, for every noise and fall in range.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cliff::CliffOptions;

    /// The mean over the density, by the midpoint rule.
    fn integral(game: &Cliff, aim: f64) -> f64 {
        let steps = 200_000;
        let width = 16.0 * game.sigma() / f64::from(steps);
        (0..steps)
            .map(|i| {
                let x = aim - 8.0 * game.sigma() + (f64::from(i) + 0.5) * width;
                let z = (x - aim) / game.sigma();
                game.pays(x) * (-0.5 * z * z).exp() / (TAU.sqrt() * game.sigma()) * width
            })
            .sum()
    }

    #[test]
    fn the_value_is_the_integral_and_the_best_aim_its_maximum() {
        for (sigma, fall) in [(0.02, 0.0), (0.1, 1.0), (0.25, 10.0)] {
            let game = Cliff::new(&CliffOptions {
                sigma,
                fall,
                ..CliffOptions::default()
            })
            .unwrap();
            for aim in [-0.1, 0.0, 0.4, 0.83, 0.99, 1.2] {
                let (exact, summed) = (value(&game, aim), integral(&game, aim));
                assert!(
                    (exact - summed).abs() < 1e-4,
                    "{sigma} {aim}: {exact} {summed}"
                );
            }
            let best = best_aim(&game);
            let grid = (0..=2_000).map(|i| value(&game, f64::from(i) / 2_000.0));
            assert!(grid.fold(f64::MIN, f64::max) <= value(&game, best));
            assert!(best < 1.0 - sigma, "{sigma}: {best}");
        }
    }
}
