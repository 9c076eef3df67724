//! Game-agnostic Monte Carlo search.
//!
//! A game implements [`game::Game`]; one with hidden hands adds a [`observation::Determinizer`].
//! Every searcher then works on it:
//!
//! ```
//! use rand::Rng;
//! use search_core::budget::Budget;
//! use search_core::game::{Game, Player, Returns, Turn};
//! use search_core::rng::Seed;
//! use search_core::search::{Searcher, Uct};
//!
//! /// Take one to three from a heap; who takes the last wins.
//! struct Nim;
//!
//! impl Game for Nim {
//!     type State = (u32, usize); // heap, player to move
//!     type Action = u32;
//!     type Chance = std::convert::Infallible;
//!     type Observation = Self::State; // perfect information
//!     fn num_players(&self) -> usize { 2 }
//!     fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> (u32, usize) { (21, 0) }
//!     fn turn(&self, s: &(u32, usize)) -> Turn {
//!         if s.0 == 0 { Turn::Terminal } else { Turn::Player(Player::new(s.1)) }
//!     }
//!     fn legal_actions(&self, s: &(u32, usize), out: &mut Vec<u32>) {
//!         out.clear();
//!         out.extend(1..=s.0.min(3));
//!     }
//!     fn apply(&self, s: &mut (u32, usize), a: u32) { *s = (s.0 - a, 1 - s.1); }
//!     fn returns(&self, s: &(u32, usize)) -> Returns {
//!         Returns::zero_sum(if s.1 == 1 { 1.0 } else { -1.0 })
//!     }
//!     fn return_bounds(&self) -> std::ops::RangeInclusive<f64> { -1.0..=1.0 }
//!     fn observe(&self, s: &(u32, usize), _: Player) -> (u32, usize) { *s }
//! }
//!
//! let decision = Uct::default().search(&Nim, &(21, 0), &Budget::simulations(5_000), Seed(1))?;
//! assert_eq!(decision.action, 1); // leaves a multiple of four
//! # Ok::<(), search_core::decision::SearchError>(())
//! ```
//!
//! | to | see |
//! |---|---|
//! | write a game | [`game`], [`observation`], [`dealing`], [`testing`] |
//! | search | [`search`]: flat Monte Carlo, UCT, PIMC, ISMCTS in four forms, rollout improvement, expectimax |
//! | weigh worlds | [`inference`]: by what the others did; [`weights`] |
//! | play out | [`rollout`], [`policy`] |
//! | estimate who wins | [`estimate`]: rollouts that do not throw for what can be computed |
//! | store trees | [`tree`]: indexed arena, `bumpalo`, `typed-arena`, boxes |
//! | drive a game by name | [`plugin`], [`expr`], [`agent`] |
//!
//! The same seed gives the same bits, on any number of threads: [`rng`] says how.

pub mod agent;
pub mod budget;
pub mod calibration;
pub mod dealing;
pub mod decision;
pub mod estimate;
pub mod expr;
pub mod game;
pub mod inference;
mod math;
pub mod observation;
mod order;
pub mod parallel;
pub mod plugin;
pub mod policy;
pub mod rng;
pub mod rollout;
pub mod search;
pub mod testing;
pub mod tree;
pub mod weights;
