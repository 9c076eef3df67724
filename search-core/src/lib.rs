//! Foundation.
pub mod agent;
pub mod budget;
pub mod dealing;
pub mod decision;
pub mod expr;
pub mod game;
pub mod observation;
pub mod plugin;
pub mod policy;
pub mod rng;
pub mod search;
