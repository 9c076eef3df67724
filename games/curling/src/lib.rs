//! Digital curling: shots with execution noise, three models of the ice, and the bots that play on it.
//!
//! ```
//! use curling::{Action, Curling, CurlingOptions, Point, Simulator, Spin, State, Stone, Team};
//! use search_core::game::Game;
//!
//! let game = Curling::new(CurlingOptions::default())?;
//! // A draw to the tee, thrown exactly on an empty sheet ...
//! let draw = game.model().stop_at(Point::TEE, Spin::Ccw).expect("within a player's speed");
//! let (board, _, _) = game.throw(&State::start(Team::Team1), draw, &mut ());
//! let stone = board.get(Stone::of(Team::Team0, 0)).expect("in play");
//! assert!(stone.from_tee() < 1e-4);
//!
//! // ... and as a player throws it: chance draws the noise.
//! let mut state = State::start(Team::Team1);
//! game.apply(&mut state, Action::shot(draw));
//! let noise = game.sample_chance(&state, &mut search_core::rng::Seed(1).stream());
//! game.apply_chance(&mut state, noise);
//! assert_eq!(state.shot, 1);
//! # Ok::<(), search_core::plugin::PluginError>(())
//! ```

pub mod action;
pub mod board;
pub mod bots;
pub mod candidates;
pub mod continuous;
pub mod evaluation;
pub mod explain;
pub mod game;
pub mod geometry;
pub mod golden;
pub mod json;
pub mod lattice;
pub mod noise;
pub mod notation;
pub mod options;
pub mod physics;
pub mod picture;
pub mod plugin;
pub mod protocol;
pub mod release;
pub mod rules;
pub mod shots;
pub mod state;
pub mod svg;
pub mod trace;
pub mod win_table;

pub use action::Action;
pub use board::{Board, Point, Stone, Team};
pub use game::Curling;
pub use options::CurlingOptions;
pub use physics::{Ice, Model, Simulator};
pub use release::{Release, Spin};
pub use state::{Phase, State, Verdict};
