//! The laboratory on a small game of the tests. One binary: every game that is plugged in costs a
//! compilation of all searchers.

mod agents;
mod analysis;
mod bench;
mod commands;
#[path = "../common/mod.rs"]
mod common;
mod compare;
mod counting;
mod dice_chess;
mod driver;
mod equity;
mod postponing;
mod refusals;
mod searchers;
mod store;
mod studies;
