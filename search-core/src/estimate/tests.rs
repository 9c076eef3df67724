//! Rollouts against the exact values of a small duel, and kernels and coefficients that are wrong.

mod duel;
mod run;
mod truth;

use super::{Equity, Rollouts};
use crate::rng::Seed;
use duel::{Duel, Shooting, Stand};

/// What is estimated, with the last look.
fn estimate(rollouts: &Rollouts, game: Duel, process: &Shooting, from: Stand, seed: u64) -> Equity {
    rollouts
        .estimate(&game, process, &from, Seed(seed), &mut |_| {})
        .unwrap()
}

fn sum(e: &Equity) -> f64 {
    e.wins[0] + e.wins[1] + e.drawn + e.undecided
}
