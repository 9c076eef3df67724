//! The bots that search, by name. Both plan a whole turn and then play its micro-moves.

use search_core::agent::{Agent, PlannedTurns};
use search_core::budget::Budget;
use search_core::expr::{Expr, ExprError, Settings};
use search_core::search::{Expectimax, ExpectimaxSettings};

use super::equity_guided::{EquityGuided, Style};
use super::evaluation::Evaluation;
use super::whole_turns::{WholeTurns, depth_first};
use crate::game::DiceChess;
use crate::survival::{Policy, PolicyProcess};

/// The searching bots by name, each with a line about it.
pub const AGENTS: [(&str, &str); 2] = [
    (
        "selective",
        "expectimax of `depth` (2) turns over the best `candidates` (30) turns and `replies` (20): a heuristic; `nodes`, `time`",
    ),
    (
        "equity-guided",
        "of the best `candidates` (6) turns the one with the best `rollouts` (64) of `plies` (6) by `policy` (rough; greedy, capture-aware, random)",
    ),
];

/// The agent of this name.
///
/// # Errors
/// When a setting cannot be used.
pub fn agent(
    name: &str,
    settings: &mut Settings<'_>,
    budget: &Budget,
) -> Result<Option<Box<dyn Agent<DiceChess>>>, ExprError> {
    match name {
        "selective" => selective(settings, budget).map(Some),
        "equity-guided" => equity_guided(settings, budget).map(Some),
        _ => Ok(None),
    }
}

fn selective(
    settings: &mut Settings<'_>,
    budget: &Budget,
) -> Result<Box<dyn Agent<DiceChess>>, ExprError> {
    let depth = positive(
        settings,
        "depth",
        2,
        u64::from(ExpectimaxSettings::MAX_DEPTH),
    )?;
    let candidates = positive(settings, "candidates", 30, MOST)?;
    let replies = positive(settings, "replies", 20, MOST)?;
    let expand = WholeTurns {
        root_order: Some(Evaluation::default()),
        root_candidates: Some(candidates as usize),
        reply_candidates: Some(replies as usize),
    };
    let search = ExpectimaxSettings {
        depth: depth as u32,
        // As far as two turns ahead nothing comes up twice.
        table: if depth < 3 { 0 } else { 1 << 18 },
        skip_forced: true,
        ..ExpectimaxSettings::default()
    };
    let planner = Expectimax::new(search, depth_first(Evaluation::default(), expand));
    let budget = Budget {
        nodes: budget.nodes.or(budget.simulations),
        simulations: None,
        ..budget.clone()
    };
    Ok(Box::new(PlannedTurns::expectimax(planner, budget)))
}

/// No bound that anybody would want to reach.
const MOST: u64 = 1_000_000;

fn equity_guided(
    settings: &mut Settings<'_>,
    budget: &Budget,
) -> Result<Box<dyn Agent<DiceChess>>, ExprError> {
    let usual = EquityGuided::default();
    let styles = ["rough", "greedy", "capture-aware", "random"];
    let style = match settings.choice("policy", &styles)? {
        "greedy" => Style::Process(PolicyProcess::new(Policy::Greedy).with_draws()),
        "capture-aware" => Style::Process(PolicyProcess::new(Policy::CaptureAware).with_draws()),
        "random" => Style::Process(PolicyProcess::new(Policy::Random).with_draws()),
        _ => Style::Rough,
    };
    let planner = EquityGuided {
        rollouts: positive(settings, "rollouts", usual.rollouts, MOST)?,
        candidates: positive(settings, "candidates", usual.candidates as u64, MOST)? as usize,
        plies: positive(settings, "plies", u64::from(usual.plies), 5000)? as u32,
        style,
        ..usual
    };
    Ok(Box::new(PlannedTurns::new(planner, budget.clone())))
}

/// A number from 1 to `most`.
fn positive(
    settings: &mut Settings<'_>,
    key: &'static str,
    default: u64,
    most: u64,
) -> Result<u64, ExprError> {
    let value: u64 = settings.get(key, default)?;
    if (1..=most).contains(&value) {
        return Ok(value);
    }
    let given = Expr::word(value.to_string());
    Err(settings.bad(key, &given, format!("expected 1 to {most}")))
}
