//! The searchers, one file an algorithm.

mod alpha_mu;
mod arms;
mod chance;
pub mod continuous;
mod epimc;
pub mod expectimax;
mod flat;
mod graph;
mod growing;
mod gumbel;
mod ismcts;
mod kernel;
mod kernel_regression;
mod key;
mod mcts;
mod meter;
mod multi_observer;
mod pimc;
mod redealing;
mod reuse;
mod rollout_improvement;
mod root;
mod rule;
mod search_policy;
mod selection;
mod shared;
mod shot;
mod smoothed;
mod tree_search;
mod uct;
mod widening;
mod worlds;

pub use alpha_mu::{AlphaMu, AlphaMuSettings, Halt, ProofSearch, Question, Side, WorldSolver};
pub use arms::CommonNumbers;
pub use chance::Chance;
pub use epimc::{Epimc, EpimcSettings, Knowledge};
pub use expectimax::{Expectimax, ExpectimaxSettings, Pruning};
pub use flat::{Allocation, Flat, FlatSettings};
pub use graph::{GraphSettings, GraphUct, Sharing};
pub use gumbel::{Gumbel, GumbelSettings};
pub use ismcts::Ismcts;
pub use kernel_regression::{KrUct, KrUctSettings};
pub use key::GameKey;
pub use mcts::{AllMovesAsFirst, Backup, Learning, Mcts, MctsSettings, Noted, Selector};
pub use multi_observer::{MoIsmcts, ObservedKey, Observers};
pub use pimc::{Aggregate, Pimc, PimcSettings};
pub use redealing::RisMcts;
pub use rollout_improvement::{
    AllLegal, PairedStop, PickOf, Proposer, RolloutImprovement, RolloutSettings, nested,
};
pub use root::FinalChoice;
pub use search_policy::SearchPolicy;
pub use selection::FirstPlayUrgency;
pub use shot::{Shot, ShotSettings};
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
