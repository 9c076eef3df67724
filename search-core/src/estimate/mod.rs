//! Estimating how a position will end.
//!
//! Where the probability that the coming turn ends the game can be computed, throwing for it is a
//! waste: [`Rollouts`] add the probability and go on with what is left. [`Survival`] is the
//! interface that a game implements for that, [`Equity`] the estimate with its interval.
//!
//! ```
//! use rand::Rng;
//! use search_core::estimate::{Absorption, Rollouts, Survival};
//! use search_core::game::{Game, Player, Returns, Turn};
//! use search_core::rng::{Seed, SimRng};
//!
//! /// Two throw a die in turn; who throws a six first wins.
//! struct FirstSix;
//!
//! /// Who is to throw, and who has won.
//! type State = (usize, Option<usize>);
//!
//! impl Game for FirstSix {
//!     type State = State;
//!     type Action = u8;
//!     type Chance = u8;
//!     type Observation = State;
//!     fn num_players(&self) -> usize { 2 }
//!     fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> State { (0, None) }
//!     fn turn(&self, s: &State) -> Turn {
//!         if s.1.is_some() { Turn::Terminal } else { Turn::Chance }
//!     }
//!     fn legal_actions(&self, _: &State, out: &mut Vec<u8>) { out.clear(); }
//!     fn apply(&self, _: &mut State, _: u8) {}
//!     fn returns(&self, s: &State) -> Returns {
//!         Returns::zero_sum(if s.1 == Some(0) { 1.0 } else { -1.0 })
//!     }
//!     fn return_bounds(&self) -> std::ops::RangeInclusive<f64> { -1.0..=1.0 }
//!     fn observe(&self, s: &State, _: Player) -> State { *s }
//! }
//!
//! struct Throwing;
//!
//! impl Survival<FirstSix> for Throwing {
//!     type Memory = ();
//!     fn absorption(&self, _: &FirstSix, s: &State, _: &mut ()) -> Absorption {
//!         let returns = Returns::zero_sum(if s.0 == 0 { 1.0 } else { -1.0 });
//!         Absorption { probability: 1.0 / 6.0, returns }
//!     }
//!     fn survive(&self, _: &FirstSix, s: &mut State, _: &mut (), _: &mut SimRng) -> f64 {
//!         s.0 = 1 - s.0;
//!         0.0
//!     }
//! }
//!
//! // Nothing here depends on what is thrown but the end: one rollout gives 6/11.
//! let rollouts = Rollouts { rollouts: 64, ..Rollouts::default() };
//! let equity = rollouts.estimate(&FirstSix, &Throwing, &(0, None), Seed(1), &mut |_| {})?;
//! assert!((equity.wins[0] - 6.0 / 11.0).abs() < 1e-5);
//! assert_eq!(equity.variance_reduction, f64::INFINITY);
//! # Ok::<(), search_core::estimate::EstimateError>(())
//! ```

mod equity;
mod pool;
mod rollouts;
mod source;
mod survival;
mod tally;
#[cfg(test)]
mod tests;

pub use equity::{ControlReport, Equity, Verdict};
pub use pool::{JointMoments, Moments};
pub use rollouts::{BATCH, Control, EstimateError, LEAST, Mode, Rollouts};
pub use source::{EquitySource, SharedEquity};
pub use survival::{Absorption, Survival};
pub use tally::{Sample, Tally};
