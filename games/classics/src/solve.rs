//! Exact solutions to check searches against.
//!
//! * [`BackwardInduction`]: every game of perfect information small enough to visit every state;
//!   max^n for more than two players, expectation at chance turns, or uniformly random play.
//! * [`ConnectFourSolver`]: alpha-beta with a transposition table; in practice from ply 12 or so.
//! * [`PigSolution`]: two-player Pig, whose states form cycles, to 1e-12.
//! * [`EwnSolution`]: EinStein würfelt nicht on 3x3 and 4x4 boards, in a dense table.
//! * [`GameTree`]: every history of a small game with hidden information, its information sets, the
//!   value of any [`Profile`] of strategies, exact [best responses](GameTree::best_response) and
//!   [exploitability](GameTree::nash_conv), [`cfr_plus`] for equilibria, [`value_bounds`] for a value
//!   between two proven bounds, [`pure_values`] for pure strategies, [`pimc_values`] and [`pimc_profile`] for what perfect-information Monte Carlo converges to,
//!   [`iimc_profile`] for imperfect-information Monte Carlo, and [`Bcd`] for how well that may do.

mod bcd;
mod behaviour;
mod bounds;
mod cfr;
mod connect_four;
mod ewn;
mod induction;
mod pig;
mod pure;
mod response;
mod tree;

pub use bcd::{Bcd, sampled_bcd};
pub use behaviour::{BadBehaviour, Behaviour, FromFn, Uniform};
pub use bounds::{ValueBounds, value_bounds};
pub use cfr::cfr_plus;
pub use connect_four::ConnectFourSolver;
pub(crate) use connect_four::completes_four;
pub use ewn::EwnSolution;
pub use induction::{BackwardInduction, Play};
pub use pig::PigSolution;
pub use pure::{PureValues, iimc_profile, pimc_profile, pimc_values, pure_values};
pub use response::BestResponse;
pub use tree::{GameTree, InfoSet, InfoSetIndex, Profile, TooLarge};

use search_core::game::Game;

/// The states in which play may start, with their probabilities: what
/// [`Game::initial_state`] draws from.
pub trait InitialStates: Game {
    /// Every initial state once, with a positive probability; the probabilities sum to 1.
    fn initial_states(&self) -> Vec<(Self::State, f64)>;
}
