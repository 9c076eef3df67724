//! Foundation.
pub mod agent;
pub mod budget;
pub mod decision;
pub mod expr;
pub mod game;
mod math;
pub mod observation;
mod parallel;
pub mod plugin;
pub mod policy;
pub mod rng;
pub mod rollout;
pub mod search;
pub mod tree;
