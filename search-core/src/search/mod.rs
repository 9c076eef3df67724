//! The searchers, one file an algorithm.

use crate::budget::Budget;
use crate::decision::{Decision, SearchError};
use crate::game::Game;
use crate::rng::Seed;

/// Decides from an observation within a budget.
pub trait Searcher<G: Game> {
    /// Searches for the player who made `observation` and is to move.
    ///
    /// The result is a function of the arguments and the searcher's settings: memory kept between
    /// calls (an arena, say) never changes it.
    ///
    /// # Errors
    /// See [`SearchError`].
    fn search(
        &mut self,
        game: &G,
        observation: &G::Observation,
        budget: &Budget,
        seed: Seed,
    ) -> Result<Decision<G::Action>, SearchError>;
}
