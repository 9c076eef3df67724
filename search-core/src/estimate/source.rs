//! The object-safe face of a process: [`EquitySource`].

use std::sync::Arc;

use super::equity::Equity;
use super::rollouts::{EstimateError, Rollouts};
use super::survival::Survival;
use crate::game::Game;
use crate::rng::Seed;

/// A [`Survival`] process behind a pointer. Every process is one.
pub trait EquitySource<G: Game>: Send + Sync {
    /// What the two players are called.
    fn players(&self) -> [&'static str; 2];

    /// [`Rollouts::estimate`] of this process.
    ///
    /// # Errors
    /// As there.
    fn estimate(
        &self,
        game: &G,
        state: &G::State,
        rollouts: &Rollouts,
        seed: Seed,
        look: &mut dyn FnMut(&Equity),
    ) -> Result<Equity, EstimateError>;
}

impl<G: Game, P: Survival<G>> EquitySource<G> for P {
    fn players(&self) -> [&'static str; 2] {
        self.labels()
    }

    fn estimate(
        &self,
        game: &G,
        state: &G::State,
        rollouts: &Rollouts,
        seed: Seed,
        look: &mut dyn FnMut(&Equity),
    ) -> Result<Equity, EstimateError> {
        rollouts.estimate(game, self, state, seed, look)
    }
}

/// A process by name, as [`Plugin::survival`](crate::plugin::Plugin::survival) gives it.
pub type SharedEquity<G> = Arc<dyn EquitySource<G>>;
