//! Other crates, each with an adapter to our games.

pub mod dewaeq;
pub mod negamax;
pub mod pacman;
pub mod zxqfl;
