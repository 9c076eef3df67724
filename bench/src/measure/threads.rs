//! What two threads bring in the parallel modes, and what they cost.
//!
//! The clock on the wall shows the speed-up that this machine gave at this minute; processor time a
//! simulation shows what the mode itself costs, whatever else the machine does.

use std::time::Instant;

use search_core::expr::Expr;
use serde::Serialize;

use super::{Extent, median, timed};
use crate::error::Result;
use crate::game::{CandidateRow, OpenGame, SearchRequest};
use crate::registry::Registry;

/// One search with so many threads.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The game.
    pub game: &'static str,
    /// The search.
    pub agent: String,
    /// Threads.
    pub threads: usize,
    /// Simulations of a search.
    pub simulations: u64,
    /// Seconds of a search on the wall.
    pub wall_seconds: f64,
    /// Seconds of a search on processors.
    pub processor_seconds: f64,
    /// Times as fast on the wall as the same with one thread.
    pub speed_up: f64,
    /// Processor time a simulation, as a multiple of that with one thread.
    pub processor_ratio: f64,
    /// Whether it found what it finds with one thread.
    pub same_result: bool,
}

/// Searches: the game, the agent without its number of simulations, and that number.
const SEARCHES: [(&str, &str, u64); 6] = [
    ("connect-four", "uct(sims=N)", 400_000),
    (
        "connect-four",
        "uct(sims=N, parallel=root, trees=2)",
        400_000,
    ),
    (
        "connect-four",
        "uct(sims=N, parallel=batch, batch=32)",
        400_000,
    ),
    ("lexio", "ismcts(sims=N, rollout=easy)", 20_000),
    (
        "lexio",
        "ismcts(sims=N, rollout=easy, parallel=root, trees=2)",
        20_000,
    ),
    (
        "lexio",
        "ismcts(sims=N, rollout=easy, parallel=batch, batch=64)",
        20_000,
    ),
];

const THREADS: [usize; 2] = [1, 2];

/// One run: wall and processor seconds, and what was found.
type Run = (f64, f64, Vec<CandidateRow>);

fn run(game: &dyn OpenGame, agent: &Expr, threads: usize) -> Result<Run> {
    let request = SearchRequest {
        position: None,
        agent,
        seed: 0,
        threads,
        keep_tree: false,
        draw: false,
    };
    let start = Instant::now();
    let (report, processor) = timed(|| game.search(&request));
    let wall = start.elapsed().as_secs_f64().max(1e-9);
    Ok((wall, processor, report?.candidates))
}

/// Measures each search with one thread and with two, in turns.
///
/// # Errors
/// When a search fails.
pub fn measure(extent: Extent<'_>) -> Result<Vec<Row>> {
    // Games of one's own are not asked for what these searches need.
    let registry = Registry::standard();
    let mut rows = Vec::new();
    for (name, agent, simulations) in SEARCHES {
        let simulations = extent.simulations(simulations);
        let text = agent.replace("sims=N", &format!("sims={simulations}"));
        if !extent.wants(&format!("{name}/{text}")) {
            continue;
        }
        let game = registry.open(name)?;
        let agent: Expr = text.parse()?;
        let mut runs: [Vec<Run>; THREADS.len()] = Default::default();
        for _ in 0..extent.turns() {
            for (threads, runs) in THREADS.into_iter().zip(&mut runs) {
                runs.push(run(&*game, &agent, threads)?);
            }
        }
        let found = runs[0][0].2.clone();
        let seconds = |runs: &[Run]| {
            let wall = median(runs.iter().map(|r| r.0).collect());
            (wall, median(runs.iter().map(|r| r.1).collect()))
        };
        let one = seconds(&runs[0]);
        for (threads, runs) in THREADS.into_iter().zip(&runs) {
            let (wall, processor) = seconds(runs);
            rows.push(Row {
                game: name,
                agent: text.clone(),
                threads,
                simulations,
                wall_seconds: wall,
                processor_seconds: processor,
                speed_up: one.0 / wall,
                processor_ratio: processor / one.1,
                same_result: runs.iter().all(|r| r.2 == found),
            });
        }
    }
    Ok(rows)
}
