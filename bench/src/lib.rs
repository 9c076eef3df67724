//! The laboratory: compares search algorithms across games, with honest intervals.
//!
//! A binary with a game of one's own is three lines:
//!
//! ```no_run
//! # use searchlab::Registry;
//! fn main() -> std::process::ExitCode {
//!     searchlab::main(Registry::standard()) // or Registry::new().with::<MyGame>()
//! }
//! ```
//!
//! | module | what it holds |
//! |---|---|
//! | [`registry`] | games, agents and answer checkers by name |
//! | [`game`] | the object-safe face of a game, and the adapter that gives it to every plugin |
//! | [`agents`] | `"ismcts(sims=2000, c=0.7)"` to an agent, for any game |
//! | [`experiment`] | duplicate designs, the match driver, comparisons and their summaries |
//! | [`study`] | ablation, sweeps and tuning of an agent's settings |
//! | [`statistics`] | intervals, clusters, proportions, power |
//! | [`measure`] | speed and memory on this machine |
//! | [`store`] | results on disk, resumable |
//! | [`conform`] | files of known answers |
//! | [`cli`] | the command line, one file a verb |

pub mod agents;
pub mod cli;
pub mod conform;
mod error;
pub mod experiment;
pub mod game;
mod lines;
pub mod measure;
mod options;
pub mod registry;
pub mod statistics;
pub mod store;
pub mod study;

pub use conform::{Held, Outcome};
pub use error::{Error, Result};
pub use registry::Registry;

/// Runs the command line on the process's arguments, input and output.
#[must_use]
pub fn main(registry: Registry) -> std::process::ExitCode {
    let mut console = cli::Console::process();
    let code = cli::run(&registry, std::env::args_os(), &mut console);
    // The registry lives as long as the process.
    drop(registry);
    std::process::ExitCode::from(code)
}
