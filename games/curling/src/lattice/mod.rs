//! Expectimax over a lattice of shots with the noise summed out (Katoh, Iizuka & Yamamoto 2016).
//!
//! Candidates are the points of a rectangle over the house and the guards, for both turns, and a row of
//! take-outs that would stop beyond the sheet. The outcomes that noise makes of a candidate are again
//! shots of the lattice with a margin around it. So every shot is simulated once a position, and each
//! candidate's value is a weighted sum over its neighbours.

pub mod agent;
pub mod grid;
mod kernel;
mod report;
pub mod search;
pub mod table;
mod takeouts;

#[cfg(test)]
mod agent_tests;
#[cfg(test)]
mod tests;

pub use agent::{AGENTS, LatticeAgent, LatticeSettings, agent};
pub use grid::{Grid, Lattice, Shot, Spread};
pub use kernel::Mass;
pub use report::REPORTED;
pub use search::{Found, Limits, Replies, search};
