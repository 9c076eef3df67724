//! The weights of the outcomes of a candidate, and all candidates' expectations at once.
//!
//! The weights are a product of one factor across and one along the sheet, so two one-dimensional
//! passes over a table of outcomes give every candidate's value: `O(|U| (wx + wy))` for windows of
//! `wx` and `wy`, where candidate by candidate it were `O(|M| wx wy)`.

use serde::{Deserialize, Serialize};

use crate::board::Point;
use crate::game::Curling;
use crate::lattice::grid::{Grid, Lattice, Spread};

/// How an outcome of the lattice is weighted. Always divided by the sum over the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mass {
    /// By the density of the noise there.
    #[default]
    Density,
    /// By the probability of the cell around it: nearer to the true noise where neighbours are more than
    /// a standard deviation apart (at two apart, an error of 0.012 to 0.043 instead of 0.018 to 0.059).
    Cell,
}

/// The weights. Across, every row of outcomes has its own; along, every row of candidates.
#[derive(Debug, Clone)]
pub(super) struct Kernel {
    across: Vec<Vec<f64>>,
    along: Vec<Vec<f64>>,
    takeouts: Vec<f64>,
}

impl Kernel {
    /// Half widths of the windows: across, along, and of the take-outs.
    pub(super) fn halves(&self) -> (usize, usize, usize) {
        let half = |weights: &[f64]| weights.len() / 2;
        (
            half(&self.across[0]),
            half(&self.along[0]),
            half(&self.takeouts),
        )
    }
}

/// The kernel of a lattice whose first row of candidates is at `first`, and whose take-outs stop at
/// `beyond`.
pub(super) fn of(game: &Curling, grid: &Grid, first: f64, rows: usize, beyond: f64) -> Kernel {
    let spread = |y: f64| match grid.spread {
        Spread::Game => game
            .noise()
            .spread_at(game.model(), Point::new(0.0, y as f32)),
        Spread::Fixed(across, along) => (across, along),
        Spread::None => (0.0, 0.0),
    };
    let y = |j: f64| first - j * grid.along;
    let steps = |sigma: f64, step: f64| {
        if sigma > 0.0 {
            libm::round(grid.window * sigma / step).max(1.0) as usize
        } else {
            0
        }
    };
    let last = rows as f64 - 1.0;
    let widest = |pick: fn((f64, f64)) -> f64| pick(spread(y(0.0))).max(pick(spread(y(last))));
    let hy = steps(widest(|s| s.1), grid.along);
    let hx = steps(widest(|s| s.0), grid.across);
    let beside = spread(beyond).0;
    let ht = steps(beside, grid.takeouts);
    let row = |j: usize| y(j as f64 - hy as f64);
    Kernel {
        across: (0..rows + 2 * hy)
            .map(|j| weights(grid, spread(row(j)).0, grid.across, hx))
            .collect(),
        along: (0..rows)
            .map(|j| weights(grid, spread(y(j as f64)).1, grid.along, hy))
            .collect(),
        takeouts: weights(grid, beside, grid.takeouts, ht),
    }
}

fn weights(grid: &Grid, sigma: f64, step: f64, half: usize) -> Vec<f64> {
    if half == 0 || sigma <= 0.0 {
        let mut only = vec![0.0; 2 * half + 1];
        only[half] = 1.0;
        return only;
    }
    let cdf = |x: f64| 0.5 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2);
    let mut weights: Vec<f64> = (0..=2 * half)
        .map(|i| (i as f64 - half as f64) * step / sigma)
        .map(|u| match grid.mass {
            Mass::Density => libm::exp(-0.5 * u * u),
            Mass::Cell => {
                let wide = 0.5 * step / sigma;
                cdf(u + wide) - cdf(u - wide)
            }
        })
        .collect();
    let total: f64 = weights.iter().sum();
    for weight in &mut weights {
        *weight /= total;
    }
    weights
}

impl Lattice {
    /// Every candidate's expectation of `values`, one for every shot. `sums` is memory.
    ///
    /// # Panics
    /// If `values` is not as long as [`Lattice::shots`].
    pub fn expect(&self, values: &[f64], sums: &mut Vec<f64>, out: &mut Vec<f64>) {
        assert_eq!(values.len(), self.shots().len());
        let (hx, hy, ht) = self.kernel.halves();
        let (width, height) = (self.columns + 2 * hx, self.rows + 2 * hy);
        out.clear();
        for turn in values.chunks_exact(width * height + self.row + 2 * ht) {
            let (draws, takeouts) = turn.split_at(width * height);
            sums.clear();
            for (line, weights) in draws.chunks_exact(width).zip(&self.kernel.across) {
                sums.extend(
                    line.windows(weights.len())
                        .map(|window| dot(window, weights)),
                );
            }
            for (j, weights) in self.kernel.along.iter().enumerate() {
                let start = out.len();
                out.resize(start + self.columns, 0.0);
                let lines = sums[j * self.columns..].chunks_exact(self.columns);
                for (line, weight) in lines.zip(weights) {
                    for (sum, value) in out[start..].iter_mut().zip(line) {
                        *sum += weight * value;
                    }
                }
            }
            let row = takeouts.windows(self.kernel.takeouts.len());
            out.extend(row.map(|window| dot(window, &self.kernel.takeouts)));
        }
    }

    /// The outcomes of candidate `m` with their probabilities: numbers of shots, row by row.
    pub fn outcomes(&self, m: usize, out: &mut Vec<(usize, f64)>) {
        let (hx, hy, ht) = self.kernel.halves();
        let width = self.columns + 2 * hx;
        let centre = self.meant_index(m);
        let k = m % self.per_turn();
        out.clear();
        if k >= self.rows * self.columns {
            let weights = self.kernel.takeouts.iter().enumerate();
            out.extend(weights.map(|(i, w)| (centre + i - ht, *w)));
            return;
        }
        let row = k / self.columns;
        for (b, along) in self.kernel.along[row].iter().enumerate() {
            let start = centre + b * width - hy * width - hx;
            let across = self.kernel.across[row + b].iter().enumerate();
            out.extend(across.map(|(a, w)| (start + a, w * along)));
        }
    }
}

fn dot(values: &[f64], weights: &[f64]) -> f64 {
    values
        .iter()
        .zip(weights)
        .fold(0.0, |sum, (v, w)| sum + v * w)
}
