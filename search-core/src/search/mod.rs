//! The searchers, one file an algorithm.

mod arms;
mod chance;
pub mod continuous;
pub mod expectimax;
mod flat;
mod graph;
mod growing;
mod ismcts;
mod kernel;
mod kernel_regression;
mod key;
mod meter;
mod pimc;
mod reuse;
mod rollout_improvement;
mod root;
mod selection;
mod shared;
mod smoothed;
mod tree_search;
mod uct;
mod widening;
mod worlds;

pub use arms::CommonNumbers;
pub use chance::Chance;
pub use expectimax::{Expectimax, ExpectimaxSettings, Pruning};
pub use flat::{Allocation, Flat, FlatSettings};
pub use graph::{GraphSettings, GraphUct, Sharing};
pub use ismcts::Ismcts;
pub use kernel_regression::{KrUct, KrUctSettings};
pub use key::GameKey;
pub use pimc::{Aggregate, Pimc, PimcSettings};
pub use rollout_improvement::{AllLegal, PickOf, Proposer, RolloutImprovement, RolloutSettings};
pub use root::FinalChoice;
pub use selection::FirstPlayUrgency;
pub use smoothed::{Smoothed, SmoothedSettings};
pub use tree_search::{Parallel, TreeSettings};
pub use uct::Uct;
pub use widening::{Rave, UctPw, Widening, WideningSettings};

use crate::budget::Budget;
use crate::decision::{Decision, SearchError};
use crate::game::Game;
use crate::rng::Seed;
use crate::tree::Snapshot;

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

    /// The tree of the last search, for searchers that have one and were told to keep it.
    fn tree(&self) -> Option<&Snapshot<GameKey<G>>> {
        None
    }
}
