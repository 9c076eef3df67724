//! Shots by name: what a player calls for, turned into a release on the ice of the game.
//!
//! [`paths`] says where a stone goes on an empty sheet, [`aim`] what happens where it meets another,
//! [`named`] puts both together and [`describe()`] names what a shot does.

pub mod aim;
pub mod describe;
pub mod named;
pub mod paths;

pub use describe::describe;
pub use named::{Carrier, Shot};
pub use paths::{Aim, Paths};
