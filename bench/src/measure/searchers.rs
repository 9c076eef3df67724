//! Every searcher with the expression that its description gives.

use search_core::expr::Expr;
use serde::Serialize;

use super::{Extent, median, timed};
use crate::agents::searchers::SEARCHERS;
use crate::error::{Error, Result};
use crate::game::{OpenGame, SearchRequest};
use crate::registry::Registry;

/// One searcher.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// What was asked.
    pub agent: &'static str,
    /// Of which game; none when no game of the registry has what it needs.
    pub game: Option<String>,
    /// Simulations of a decision, or what this searcher counts as one.
    pub simulations: Option<u64>,
    /// Edges of its tree.
    pub edges: Option<u64>,
    /// Processor milliseconds of a decision.
    pub decision_ms: Option<f64>,
    /// Simulations a processor second.
    pub simulations_per_second: Option<f64>,
}

/// Games on which a searcher is tried first: small, and each with what some searchers need.
const FIRST: [&str; 4] = ["leduc-poker", "connect-four", "pig", "cliff"];

/// The first game that takes this agent.
fn game_for(registry: &Registry, agent: &Expr) -> Result<Option<Box<dyn OpenGame>>> {
    let names: Vec<&str> = registry.games().map(crate::game::GameEntry::name).collect();
    let first = FIRST.into_iter().filter(|name| names.contains(name));
    let others = names.iter().copied().filter(|name| !FIRST.contains(name));
    for name in first.chain(others) {
        let game = registry.open(name)?;
        if game.check_agent(agent).is_ok() {
            return Ok(Some(game));
        }
    }
    Ok(None)
}

/// Asks each for the first decision of seed 0.
///
/// # Errors
/// When one fails.
pub fn measure(registry: &Registry, extent: Extent<'_>) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for info in SEARCHERS.iter().filter(|info| extent.wants(info.example)) {
        let agent: Expr = info.example.parse()?;
        rows.push(match game_for(registry, &agent)? {
            Some(game) => row(info.example, &agent, &*game, extent)?,
            None => Row {
                agent: info.example,
                game: None,
                simulations: None,
                edges: None,
                decision_ms: None,
                simulations_per_second: None,
            },
        });
    }
    Ok(rows)
}

fn row(text: &'static str, agent: &Expr, game: &dyn OpenGame, extent: Extent<'_>) -> Result<Row> {
    let request = SearchRequest {
        position: None,
        agent,
        seed: 0,
        threads: 1,
        keep_tree: false,
        draw: false,
    };
    let (mut times, mut spent, mut effort) = (Vec::new(), 0.0, None);
    while times.is_empty() || spent < extent.time().as_secs_f64() {
        let (report, seconds) = timed(|| game.search(&request));
        let about = |e| Error::Failed(format!("{text} on {}: {e}", game.facts().game));
        effort = report.map_err(about)?.effort;
        times.push(seconds);
        spent += seconds;
    }
    let seconds = median(times);
    let simulations = effort.as_ref().map(|e| e.simulations);
    Ok(Row {
        agent: text,
        game: Some(game.facts().game.clone()),
        simulations,
        edges: effort.as_ref().map(|e| e.edges),
        decision_ms: Some(1000.0 * seconds),
        simulations_per_second: simulations.map(|n| n as f64 / seconds),
    })
}
