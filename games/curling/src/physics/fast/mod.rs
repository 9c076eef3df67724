//! The physics of `fcv1` from event to event, by the closed forms of its friction law.
//!
//! A stone runs along a known curve until it touches another, leaves or loses its spin; so a shot is a
//! few look-ups instead of thousands of steps. The law is that of [`crate::physics::fcv1`] without its
//! steps and its single precision.

mod events;
mod impulse;
pub(crate) mod motion;
mod shot;

use crate::board::{Board, Point, Stone};
use crate::physics::friction::Table;
use crate::physics::{Delivered, Recorder, Simulator, inverse};
use crate::release::{Release, Spin};

/// The model.
#[derive(Debug, Clone)]
pub struct Fast {
    table: Table,
}

impl Default for Fast {
    fn default() -> Self {
        Self::new()
    }
}

impl Fast {
    /// The model; makes its tables, a few milliseconds' work.
    #[must_use]
    pub fn new() -> Self {
        Self {
            table: Table::new(),
        }
    }

    /// Whether no stone can be faster than the tables know, in a shot that begins like this: impulses
    /// give no energy, that of the spin included.
    fn knows(&self, release: Release) -> bool {
        let rim = release.omega * crate::geometry::STONE_RADIUS;
        let energy = release.vx * release.vx + release.vy * release.vy + 0.5 * rim * rim;
        let top = self.table.top_speed() - 0.01;
        energy < top * top
    }
}

impl Simulator for Fast {
    /// A release faster than 7.99 m/s, energy of the spin included, or not finite is not thrown: the
    /// stone is out, and the result is marked `cut_short`.
    fn deliver<R: Recorder>(
        &self,
        board: &mut Board,
        stone: Stone,
        release: Release,
        recorder: &mut R,
    ) -> Delivered {
        if !self.knows(release) {
            board.remove(stone);
            return Delivered {
                removed: 1 << stone.index(),
                cut_short: true,
                ..Delivered::default()
            };
        }
        shot::throw(self.table.path(), board, stone, release, recorder)
    }

    fn stop_at(&self, target: Point, spin: Spin) -> Option<Release> {
        inverse::aim(&self.table, target, 0.0, spin, self.max_speed())
    }

    fn pass_through(&self, target: Point, speed: f64, spin: Spin) -> Option<Release> {
        inverse::aim(&self.table, target, speed, spin, self.max_speed())
    }

    fn stopping_point(&self, release: Release) -> Point {
        inverse::stopping_point(&self.table, release)
    }

    fn max_speed(&self) -> f64 {
        4.0
    }
}

#[cfg(test)]
mod tests;
