//! The shots of a lattice: [`Grid`] says how it is laid, [`Lattice`] is it.

use crate::board::Point;
use crate::evaluation::TAKEOUT_DISTANCE;
use crate::game::Curling;
use crate::geometry::{STONE_RADIUS, TEE};
use crate::lattice::kernel::{self, Kernel, Mass};
use crate::lattice::takeouts;
use crate::physics::Simulator;
use crate::release::{Release, Spin};

/// The standard deviations (across, along) of where a stone stops.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Spread {
    /// That of the game's noise, row by row.
    Game,
    /// The same everywhere, in metres.
    Fixed(f64, f64),
    /// None: every shot goes as meant.
    None,
}

/// How a lattice is laid. Lengths in metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    /// Between neighbours across the sheet.
    pub across: f64,
    /// Between neighbours along it.
    pub along: f64,
    /// Between neighbours in the row of the take-outs.
    pub takeouts: f64,
    /// How far the row of the take-outs is moved to the right for a counter-clockwise turn (to the left
    /// for the other); `None` so far that its middle passes over the tee.
    pub shift: Option<f64>,
    /// The noise that is summed over.
    pub spread: Spread,
    /// Standard deviations to either side that are summed over.
    pub window: f64,
    /// The weights within the window.
    pub mass: Mass,
    /// Whether only some rows are simulated and stand for their neighbours: [`Lattice::thinned`].
    pub thin: bool,
}

impl Grid {
    /// The paper's: a radius apart, for noise of a radius both ways.
    pub const PAPER: Self = Self {
        across: STONE_RADIUS,
        along: STONE_RADIUS,
        takeouts: 0.5 * STONE_RADIUS,
        shift: None,
        spread: Spread::Fixed(STONE_RADIUS, STONE_RADIUS),
        window: 3.0,
        mass: Mass::Density,
        thin: false,
    };

    /// For the noise of Digital Curling 3, 0.069 x 0.262 m at the tee: neighbours a bit more than one
    /// standard deviation apart, as in the paper. Against throwing with the noise itself, a candidate's
    /// value (from -1 to 1) is off by 0.006 to 0.015 (root mean square) on boards of 0 to 4 stones, with
    /// no bias beyond 0.001; at half the distances by 0.002 to 0.005, at twice by 0.013 to 0.043.
    pub const DC3: Self = Self {
        across: 0.5 * STONE_RADIUS,
        along: 2.0 * STONE_RADIUS,
        spread: Spread::Game,
        ..Self::PAPER
    };

    /// The same lattice with everything so many times as far apart.
    #[must_use]
    pub fn coarser(self, factor: f64) -> Self {
        Self {
            across: self.across * factor,
            along: self.along * factor,
            takeouts: self.takeouts * factor,
            ..self
        }
    }
}

/// Half the width of the targets, and how far they reach behind the tee and in front of it.
const HALF_WIDTH: f64 = 13.0 * STONE_RADIUS;
const BEHIND: f64 = 17.0 * STONE_RADIUS;
const IN_FRONT: f64 = 41.0 * STONE_RADIUS;
/// Length of the row of take-outs.
const ROW: f64 = 71.0 * 0.5 * STONE_RADIUS;
/// Up to here in front of the tee every second row of a thinned lattice is kept, beyond every third.
const DENSE: f64 = 20.0 * STONE_RADIUS;

/// One shot of a lattice: where it would stop on an empty sheet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shot {
    /// The target.
    pub target: Point,
    /// The turn.
    pub spin: Spin,
    /// The throw; `None` where the ice knows none: then the stone counts as lost.
    pub release: Option<Release>,
}

/// A rectangle of draws and a row of take-outs for each turn, with a margin that noise may reach. All
/// that can happen (`U`) is numbered turn by turn, row by row from the back, left to right, the take-outs
/// after the draws; the candidates (`M`) likewise without the margin.
#[derive(Debug, Clone)]
pub struct Lattice {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) row: usize,
    pub(super) kernel: Kernel,
    shots: Vec<Shot>,
    /// The shot whose result stands for each.
    source: Vec<u32>,
    simulated: Vec<u32>,
}

impl Lattice {
    /// The lattice for a game's ice and noise.
    ///
    /// # Panics
    /// If a spacing or the window is not positive and finite, or the lattice has over a million shots.
    #[must_use]
    pub fn new(game: &Curling, grid: &Grid) -> Self {
        for length in [grid.across, grid.along, grid.takeouts, grid.window] {
            assert!(length > 0.01 && length.is_finite(), "{length} in {grid:?}");
        }
        let steps = |length: f64, step: f64| (length / step + 1e-6) as usize;
        let (side, behind) = (steps(HALF_WIDTH, grid.across), steps(BEHIND, grid.along));
        let (columns, rows) = (2 * side + 1, behind + steps(IN_FRONT, grid.along) + 1);
        let row = steps(ROW, grid.takeouts) + 1;
        let first = TEE + behind as f64 * grid.along;
        let kernel = kernel::of(game, grid, first, rows, TEE + TAKEOUT_DISTANCE);
        let mut lattice = Self {
            rows,
            columns,
            row,
            kernel,
            shots: Vec::new(),
            source: Vec::new(),
            simulated: Vec::new(),
        };
        lattice.lay(game, grid, behind, side);
        lattice.thin(grid, behind);
        lattice
    }

    fn lay(&mut self, game: &Curling, grid: &Grid, behind: usize, side: usize) {
        let model = game.model();
        let (hx, hy, ht) = self.kernel.halves();
        let middle = grid.shift.unwrap_or_else(|| takeouts::shift(model));
        for spin in Spin::BOTH {
            let mut add = |x: f64, y: f64| {
                let target = Point::new(x as f32, y as f32);
                let release = model.stop_at(target, spin);
                self.shots.push(Shot {
                    target,
                    spin,
                    release,
                });
            };
            for j in 0..self.rows + 2 * hy {
                let y = TEE + (behind as f64 + hy as f64 - j as f64) * grid.along;
                for i in 0..self.columns + 2 * hx {
                    add((i as f64 - (hx + side) as f64) * grid.across, y);
                }
            }
            for i in 0..self.row + 2 * ht {
                let from_middle = i as f64 - ht as f64 - 0.5 * (self.row - 1) as f64;
                let x = spin.sign() * middle + from_middle * grid.takeouts;
                add(x, TEE + TAKEOUT_DISTANCE);
            }
        }
    }

    /// Chooses what is simulated. Thinned, every second row near the house and every third among the
    /// guards, with which the paper's 2145 draws a turn become 957 and its 4458 shots 2082; the figure
    /// with the paper's own pattern is lost.
    fn thin(&mut self, grid: &Grid, behind: usize) {
        let (hx, hy, ht) = self.kernel.halves();
        let (width, height) = (self.columns + 2 * hx, self.rows + 2 * hy);
        let dense = (DENSE / grid.along + 1e-6) as usize + behind + hy;
        let kept: Vec<usize> = (0..height)
            .filter(|&j| match j.checked_sub(dense) {
                _ if !grid.thin => true,
                None | Some(0) => (dense - j).is_multiple_of(2),
                Some(beyond) => beyond.is_multiple_of(3),
            })
            .collect();
        let nearest = |j: usize| {
            kept.iter()
                .copied()
                .min_by_key(|k| k.abs_diff(j))
                .unwrap_or(j)
        };
        let per_turn = width * height + self.row + 2 * ht;
        for turn in 0..2 {
            let base = turn * per_turn;
            for j in 0..height {
                let from = base + nearest(j) * width;
                self.source.extend((from..from + width).map(|i| i as u32));
            }
            self.source
                .extend((base + width * height..base + per_turn).map(|i| i as u32));
        }
        let own = |i: &u32| self.source[*i as usize] == *i;
        self.simulated = (0..self.shots.len() as u32).filter(own).collect();
    }

    /// All that can happen, `U`.
    #[must_use]
    pub fn shots(&self) -> &[Shot] {
        &self.shots
    }

    /// The numbers of those shots that are simulated.
    #[must_use]
    pub fn simulated(&self) -> &[u32] {
        &self.simulated
    }

    /// The shot whose result stands for shot `i`.
    #[must_use]
    pub fn source(&self, i: usize) -> usize {
        self.source[i] as usize
    }

    /// Whether some shots stand for others.
    #[must_use]
    pub fn thinned(&self) -> bool {
        self.simulated.len() < self.shots.len()
    }

    /// How many candidates there are, `M`.
    #[must_use]
    pub fn len(&self) -> usize {
        2 * self.per_turn()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn per_turn(&self) -> usize {
        self.rows * self.columns + self.row
    }

    /// The shot that candidate `m` means.
    #[must_use]
    pub fn meant(&self, m: usize) -> &Shot {
        &self.shots[self.meant_index(m)]
    }

    /// Its number among all shots.
    #[must_use]
    pub fn meant_index(&self, m: usize) -> usize {
        let (hx, hy, ht) = self.kernel.halves();
        let (width, height) = (self.columns + 2 * hx, self.rows + 2 * hy);
        let (turn, k) = (m / self.per_turn(), m % self.per_turn());
        let base = turn * (width * height + self.row + 2 * ht);
        match k.checked_sub(self.rows * self.columns) {
            Some(i) => base + width * height + ht + i,
            None => base + (k / self.columns + hy) * width + k % self.columns + hx,
        }
    }

    /// The candidates next to candidate `m`: of the same turn, in the eight directions.
    pub fn neighbours(&self, m: usize) -> impl Iterator<Item = usize> + '_ {
        let (base, k) = (m / self.per_turn() * self.per_turn(), m % self.per_turn());
        let draws = self.rows * self.columns;
        let (start, rows, columns) = if k < draws {
            (0, self.rows, self.columns)
        } else {
            (draws, 1, self.row)
        };
        let (j, i) = ((k - start) / columns, (k - start) % columns);
        let near = |at: usize, of: usize| at.saturating_sub(1)..=(at + 1).min(of - 1);
        near(j, rows)
            .flat_map(move |y| near(i, columns).map(move |x| base + start + y * columns + x))
            .filter(move |&other| other != m)
    }
}
