//! Digital curling: shots with execution noise, three models of the ice, and the bots that play on it.

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
