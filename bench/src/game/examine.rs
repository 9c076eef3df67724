//! The contracts of a game held against the game itself: what `doctor` asks of each.

mod brute_force;
mod sampler;
#[cfg(test)]
mod tests;

use std::time::Duration;

use cpu_time::ProcessTime;
use search_core::plugin::Plugin;
use search_core::rng::Seed;
use search_core::testing::{check_contract, check_notation};
use serde::Serialize;

use crate::conform::caught;

/// What can be examined of one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Examination {
    /// Turns, legal actions, copies, returns and the length of random games.
    Contract,
    /// That what is written is read back.
    Notation,
    /// That a sampled world shows the player the same observation, with the same player to move and the
    /// same legal actions.
    Sampler,
    /// That worlds are sampled with their probabilities, against deals thrown until they fit.
    BruteForce,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", content = "says", rename_all = "snake_case")]
pub enum Finding {
    /// It holds: what was looked at.
    Passed(String),
    /// It does not: the first thing that is wrong.
    Failed(String),
    /// There is nothing to look at, and why.
    Skipped(String),
}

/// How much of an examination.
#[derive(Debug, Clone, Copy)]
pub struct Scope {
    /// Processor time for random games; at least one is played.
    pub time: Duration,
    /// Deals that brute force throws.
    pub deals: usize,
}

pub(super) fn examine<P: Plugin>(game: &P, what: Examination, scope: Scope) -> Finding {
    let determinizer = game.determinizer();
    let finding = caught(|| match what {
        Examination::Contract => {
            let games = while_time(scope, |seed| {
                check_contract(game, 2, seed);
                Ok(2)
            });
            said(games, "random games")
        }
        Examination::Notation => {
            let games = while_time(scope, |seed| {
                check_notation(game, 1, seed);
                Ok(1)
            });
            said(games, "random games")
        }
        Examination::Sampler => {
            let worlds = while_time(scope, |seed| sampler::check(game, &determinizer, seed));
            said(worlds, "sampled worlds")
        }
        Examination::BruteForce => brute_force::check(game, &determinizer, scope.deals),
    });
    finding.unwrap_or_else(Finding::Failed)
}

fn said(count: Result<u64, String>, of: &str) -> Finding {
    match count {
        Ok(0) => Finding::Skipped(format!("no {of}")),
        Ok(count) => Finding::Passed(format!("{count} {of}")),
        Err(what) => Finding::Failed(what),
    }
}

/// Works with the seeds 0, 1, 2, … until the time is used up, or 500 of them, and adds up what came out.
/// A failure names its seed, so the number of seeds that fit into the time decides nothing else.
fn while_time(
    scope: Scope,
    mut work: impl FnMut(Seed) -> Result<u64, String>,
) -> Result<u64, String> {
    let started = ProcessTime::now();
    let mut total = 0;
    for seed in 0..500 {
        total += work(Seed(seed))?;
        if started.elapsed() >= scope.time {
            break;
        }
    }
    Ok(total)
}

/// What a player sees, as text that differs when the observations do.
fn text<P: Plugin>(game: &P, observation: &P::Observation) -> String {
    let notation = game.format_observation(observation).unwrap_or_default();
    notation + "\n" + &game.picture(observation)
}
