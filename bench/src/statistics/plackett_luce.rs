//! Plackett-Luce strengths from the orders in which players finished.
//!
//! The winner is drawn in proportion to `e^theta`, the second from those that are left, and so on:
//! `P(order) = prod_i e^theta_i / sum_{j >= i} e^theta_j` (Plackett 1975; Luce 1959). Two players make
//! it Bradley and Terry's model. Fitted to all orders together, it does not depend on which came
//! first, so shards of a tournament merge exactly, which sequential ratings do not
//! ([`openskill`](super::openskill)).
//!
//! The likelihood is concave, and its maximum unique up to a constant, exactly when no group of
//! players always finished ahead of the rest (Hunter, "MM algorithms for generalized Bradley-Terry
//! models", Annals of Statistics 32, 2004, assumption 1). A ridge makes it unique always. There are
//! no ties in the model.

use libm::{exp, log};
use serde::Serialize;

use super::bootstrap::Resampler;
use super::error::{StatError, require_count};
use super::moments::Moments;

/// Newton steps; it takes about five.
const STEPS: u32 = 100;

/// An order of players, the best first; not all need take part.
pub type Order = Vec<usize>;

/// Fitted strengths.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Strengths {
    /// The strength of each player on the scale of logarithms of odds; they sum to 0.
    pub theta: Vec<f64>,
    /// The logarithm of the likelihood, without the ridge.
    pub log_likelihood: f64,
}

/// The strengths of `players` that make `orders` most likely, less `ridge / 2` times the sum of
/// their squares. Newton's method with halved steps.
///
/// # Errors
/// [`StatError::NotAnOrder`], [`StatError::TooFew`] for no player,
/// [`StatError::OutOfRange`] for a ridge that is negative or not finite, and
/// [`StatError::NotConnected`] when without a ridge the strengths are infinite.
pub fn plackett_luce(players: usize, orders: &[Order], ridge: f64) -> Result<Strengths, StatError> {
    require_count("a ranking", 1, players)?;
    if !(ridge.is_finite() && ridge >= 0.0) {
        return Err(StatError::OutOfRange {
            name: "ridge",
            value: ridge,
            domain: "the numbers from 0",
        });
    }
    for (index, order) in orders.iter().enumerate() {
        let mut seen = vec![false; players];
        for &player in order {
            if player >= players || std::mem::replace(&mut seen[player], true) {
                return Err(StatError::NotAnOrder { index, player });
            }
        }
    }
    if ridge == 0.0 && !connected(players, orders) {
        return Err(StatError::NotConnected);
    }
    Ok(fit(players, orders, ridge))
}

fn fit(players: usize, orders: &[Order], ridge: f64) -> Strengths {
    let mut theta = vec![0.0; players];
    let mut surface = Surface::at(&theta, orders, ridge);
    for _ in 0..STEPS {
        let step = solve(surface.curvature.clone(), surface.gradient.clone());
        // What the step gains, twice; its square is about what is left after it.
        let gain: f64 = step.iter().zip(&surface.gradient).map(|(s, g)| s * g).sum();
        let mut scale = 1.0;
        let next = loop {
            let candidate: Vec<f64> = theta
                .iter()
                .zip(&step)
                .map(|(t, s)| t + scale * s)
                .collect();
            let there = Surface::at(&candidate, orders, ridge);
            // Near the top the heights differ by rounding alone.
            let rounding = 1e-10 * (1.0 + surface.height.abs());
            if there.height >= surface.height - rounding || scale < 1e-9 {
                break (candidate, there);
            }
            scale *= 0.5;
        };
        (theta, surface) = next;
        if gain < 1e-16 {
            break;
        }
    }
    let mean = theta.iter().sum::<f64>() / players as f64;
    theta.iter_mut().for_each(|t| *t -= mean);
    Strengths {
        theta,
        log_likelihood: surface.log_likelihood,
    }
}

/// The penalised likelihood, its gradient, and minus its second derivative, made regular in the
/// direction in which all strengths move alike.
struct Surface {
    height: f64,
    log_likelihood: f64,
    gradient: Vec<f64>,
    curvature: Vec<Vec<f64>>,
}

impl Surface {
    fn at(theta: &[f64], orders: &[Order], ridge: f64) -> Self {
        let n = theta.len();
        let mut curvature = vec![vec![1.0 / n as f64; n]; n];
        let mut gradient: Vec<f64> = theta.iter().map(|t| -ridge * t).collect();
        for (i, row) in curvature.iter_mut().enumerate() {
            row[i] += ridge;
        }
        let mut log_likelihood = 0.0;
        for order in orders {
            for place in 0..order.len().saturating_sub(1) {
                let left = &order[place..];
                let most = left.iter().map(|i| theta[*i]).fold(f64::MIN, f64::max);
                let weights: Vec<f64> = left.iter().map(|i| exp(theta[*i] - most)).collect();
                let total: f64 = weights.iter().sum();
                log_likelihood += theta[left[0]] - most - log(total);
                gradient[left[0]] += 1.0;
                for (i, w) in left.iter().zip(&weights) {
                    let p = w / total;
                    gradient[*i] -= p;
                    curvature[*i][*i] += p;
                    for (j, v) in left.iter().zip(&weights) {
                        curvature[*i][*j] -= p * v / total;
                    }
                }
            }
        }
        let penalty = 0.5 * ridge * theta.iter().map(|t| t * t).sum::<f64>();
        Self {
            height: log_likelihood - penalty,
            log_likelihood,
            gradient,
            curvature,
        }
    }
}

/// Solves a positive definite system by elimination.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for pivot in 0..n {
        let (above, below) = matrix.split_at_mut(pivot + 1);
        let row = &above[pivot];
        for (offset, other) in below.iter_mut().enumerate() {
            let factor = other[pivot] / row[pivot];
            for (x, y) in other[pivot..].iter_mut().zip(&row[pivot..]) {
                *x -= factor * y;
            }
            right[pivot + 1 + offset] -= factor * right[pivot];
        }
    }
    for pivot in (0..n).rev() {
        let known: f64 = (pivot + 1..n).map(|j| matrix[pivot][j] * right[j]).sum();
        right[pivot] = (right[pivot] - known) / matrix[pivot][pivot];
    }
    right
}

/// Whether everybody was ahead of somebody who was ahead of … everybody: the graph of who finished
/// ahead of whom is strongly connected.
fn connected(players: usize, orders: &[Order]) -> bool {
    // Neighbours in an order are enough: being ahead is passed on.
    let pairs = || orders.iter().flat_map(|order| order.windows(2));
    let reaches_all = |reversed: bool| {
        let mut next = vec![Vec::new(); players];
        for pair in pairs() {
            let (from, to) = if reversed {
                (pair[1], pair[0])
            } else {
                (pair[0], pair[1])
            };
            next[from].push(to);
        }
        let mut seen = vec![false; players];
        let mut stack = vec![0];
        seen[0] = true;
        while let Some(player) = stack.pop() {
            for &other in &next[player] {
                if !std::mem::replace(&mut seen[other], true) {
                    stack.push(other);
                }
            }
        }
        seen.iter().all(|s| *s)
    };
    reaches_all(false) && reaches_all(true)
}

/// Standard errors of strengths.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StrengthErrors {
    /// One a player.
    pub se: Vec<f64>,
    /// Resamples on which the strengths were finite; the errors are of these.
    pub used: usize,
}

/// Standard errors by bootstrap over seeds: `blocks` holds the orders of each seed, drawn together.
/// Give a ridge when a resample might leave a player unbeaten.
///
/// # Errors
/// As [`plackett_luce`], and [`StatError::TooFew`] below two seeds, or when fewer than two resamples
/// have finite strengths.
pub fn strength_errors(
    players: usize,
    blocks: &[Vec<Order>],
    ridge: f64,
    resamples: usize,
    seed: u64,
) -> Result<StrengthErrors, StatError> {
    require_count("a bootstrap", 2, blocks.len())?;
    plackett_luce(players, &blocks.concat(), ridge)?;
    let mut draws = Resampler(seed);
    let mut columns = vec![Vec::new(); players];
    for _ in 0..resamples {
        let drawn = (0..blocks.len()).flat_map(|_| blocks[draws.index(blocks.len())].clone());
        let orders: Vec<Order> = drawn.collect();
        if let Ok(fitted) = plackett_luce(players, &orders, ridge) {
            for (column, theta) in columns.iter_mut().zip(fitted.theta) {
                column.push(theta);
            }
        }
    }
    let used = columns[0].len();
    require_count("a set of bootstrap replicates", 2, used)?;
    let deviation =
        |column: &Vec<f64>| Ok(Moments::of(column)?.standard_deviation().unwrap_or(0.0));
    let se: Result<Vec<f64>, StatError> = columns.iter().map(deviation).collect();
    Ok(StrengthErrors { se: se?, used })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orders(players: usize, count: u64) -> Vec<Order> {
        let mut draws = Resampler(5);
        (0..count)
            .map(|_| {
                // Low numbers are drawn early more often.
                let mut left: Vec<usize> = (0..players).collect();
                let mut order = Vec::new();
                while !left.is_empty() {
                    let pick = draws.index(left.len()).min(draws.index(left.len()));
                    order.push(left.remove(pick));
                }
                order
            })
            .collect()
    }

    /// Hunter's MM iteration, another way to the same maximum.
    fn by_mm(players: usize, orders: &[Order]) -> Vec<f64> {
        let mut gamma = vec![1.0; players];
        for _ in 0..4000 {
            let (mut wins, mut paid) = (vec![0.0; players], vec![0.0; players]);
            for order in orders {
                for place in 0..order.len() - 1 {
                    let left = &order[place..];
                    let total: f64 = left.iter().map(|i| gamma[*i]).sum();
                    wins[left[0]] += 1.0;
                    left.iter().for_each(|i| paid[*i] += 1.0 / total);
                }
            }
            gamma = wins.iter().zip(&paid).map(|(w, p)| w / p).collect();
        }
        let logs: Vec<f64> = gamma.iter().map(|g: &f64| g.ln()).collect();
        let mean = logs.iter().sum::<f64>() / players as f64;
        logs.iter().map(|l| l - mean).collect()
    }

    #[test]
    fn newton_and_mm_find_the_same_maximum() {
        let orders = orders(5, 60);
        let fitted = plackett_luce(5, &orders, 0.0).unwrap();
        for (a, b) in fitted.theta.iter().zip(by_mm(5, &orders)) {
            assert!((a - b).abs() < 1e-9, "{a} {b}");
        }
        assert!(fitted.theta[0] > fitted.theta[4]);
    }

    #[test]
    fn the_order_of_the_games_does_not_matter() {
        let mut orders = orders(4, 40);
        let first = plackett_luce(4, &orders, 0.1).unwrap();
        orders.reverse();
        let second = plackett_luce(4, &orders, 0.1).unwrap();
        for (a, b) in first.theta.iter().zip(&second.theta) {
            assert!((a - b).abs() < 1e-12);
        }
    }

    #[test]
    fn infinite_strengths_need_a_ridge() {
        // 2 never beat anybody.
        let orders = vec![vec![0, 1, 2], vec![1, 0, 2]];
        assert_eq!(plackett_luce(3, &orders, 0.0), Err(StatError::NotConnected));
        let fitted = plackett_luce(3, &orders, 0.5).unwrap();
        assert!(fitted.theta[2] < -0.5 && fitted.theta.iter().sum::<f64>().abs() < 1e-12);
        // Somebody who never played is neither good nor bad.
        let fitted = plackett_luce(4, &orders, 0.5).unwrap();
        assert!(fitted.theta[3].abs() < 1e-9, "{:?}", fitted.theta);
        // A hard case for undamped steps: many wins, a tiny ridge.
        let wins = vec![vec![0, 1]; 1000];
        let gap = plackett_luce(2, &wins, 1e-6).unwrap();
        // 1000 / (1 + e^2t) = ridge t at the maximum.
        let t = gap.theta[0];
        assert!(
            (1000.0 / (1.0 + (2.0 * t).exp()) / (1e-6 * t) - 1.0).abs() < 1e-6,
            "{t}"
        );
    }

    #[test]
    fn errors_shrink_with_the_root_of_the_seeds() {
        let blocks = |n: u64| -> Vec<Vec<Order>> {
            orders(3, 2 * n).chunks(2).map(<[Order]>::to_vec).collect()
        };
        let se = |n| strength_errors(3, &blocks(n), 0.0, 200, 1).unwrap();
        let (few, many) = (se(50), se(800));
        let ratio = few.se[0] / many.se[0];
        assert!((3.0..5.3).contains(&ratio), "{ratio}");
        assert_eq!(se(50), few);
        assert_eq!(few.used, 200);
    }

    #[test]
    fn bad_input_is_an_error() {
        assert!(plackett_luce(0, &[], 1.0).is_err());
        assert!(plackett_luce(2, &[], -1.0).is_err());
        assert!(plackett_luce(2, &[], 0.0).is_err());
        let twice = plackett_luce(2, &[vec![0, 0]], 1.0);
        assert_eq!(
            twice,
            Err(StatError::NotAnOrder {
                index: 0,
                player: 0
            })
        );
        assert!(plackett_luce(2, &[vec![0, 2]], 1.0).is_err());
        assert!(strength_errors(2, &[vec![vec![0, 1]]], 1.0, 10, 1).is_err());
    }
}
