//! Sums over simulations: [`Totals`].

use crate::game::{Player, Returns};

/// Sums over simulations.
#[derive(Clone, Copy)]
pub(super) struct Totals {
    pub(super) visits: u64,
    pub(super) sums: Returns,
    /// Of the squares of the returns of the player at the root.
    squares: f64,
}

impl Totals {
    pub(super) fn new(players: usize) -> Self {
        Self {
            visits: 0,
            sums: Returns::splat(players, 0.0),
            squares: 0.0,
        }
    }

    /// The mean for a player; minus infinity without visits.
    pub(super) fn mean(&self, player: Player) -> f64 {
        if self.visits == 0 {
            return f64::NEG_INFINITY;
        }
        self.sums.of(player) / self.visits as f64
    }

    /// Standard error of that mean for the player at the root; not a number below two visits.
    pub(super) fn std_error(&self, player: Player) -> f64 {
        let n = self.visits as f64;
        let mean = self.sums.of(player) / n;
        let variance = (self.squares / n - mean * mean).max(0.0) * n / (n - 1.0);
        (variance / n).sqrt()
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.visits += other.visits;
        self.squares += other.squares;
        for p in (0..self.sums.len()).map(Player::new) {
            self.sums.set(p, self.sums.of(p) + other.sums.of(p));
        }
    }

    /// Adds the same returns `visits` times.
    pub(super) fn add_returns(&mut self, returns: &Returns, visits: u64, root: Player) {
        let n = visits as f64;
        self.visits += visits;
        self.squares += n * returns.of(root).powi(2);
        for p in (0..self.sums.len()).map(Player::new) {
            self.sums.set(p, self.sums.of(p) + n * returns.of(p));
        }
    }
}
