//! `expectimax` and `minimax` by name, for the games that have what a depth-first search needs.

use search_core::agent::{Agent, PlannedTurns};
use search_core::budget::Budget;
use search_core::expr::{Expr, ExprError, Settings};
use search_core::observation::Determinizer;
use search_core::plugin::Plugin;
use search_core::search::{Expectimax, ExpectimaxSettings, Pruning};

use super::setup::{Setup, within};

/// Largest table: 2^24 entries are 671 MB, and every agent of every thread has one.
const MOST_LOG2_ENTRIES: u32 = 24;

/// Shared settings that would do nothing, and what to give instead.
pub(super) const IDLE: (&[&str], &str) = (
    &["sims", "bytes", "parallel", "trees", "batch", "threads"],
    "a depth-first search looks at positions one by one: give depth, and nodes or time; table is its memory",
);

/// The keys of its own, each with a line about it.
pub(super) const KEYS: &[(&str, &str)] = &[
    ("depth", "turns to look ahead, 1 to 100 (2)"),
    (
        "prune",
        "star2, star1 or none; the value is the same (star2)",
    ),
    (
        "table",
        "transposition table of 2^N entries of 40 bytes; 0 for none (18)",
    ),
    ("nodes", "most positions a decision"),
];

/// The keys of `minimax`.
pub(super) const MINIMAX_KEYS: &[(&str, &str)] = &[
    ("depth", "plies to look ahead, 1 to 100 (100)"),
    KEYS[2],
    (
        "nodes",
        "most positions a decision (100000 unless depth or time is given)",
    ),
];

/// Positions a decision of `minimax` when nothing else would end it.
const MINIMAX_NODES: u64 = 100_000;

/// The searchers that can do without an evaluation.
fn others<P: Plugin>() -> &'static str {
    if P::Determinizer::PERFECT_INFORMATION {
        "`uct`, `flat` or `rollout`"
    } else {
        "`ismcts`, `pimc`, `flat` or `rollout`"
    }
}

/// The agent: it plans a turn and plays it action by action.
pub(super) fn construct<P: Plugin>(
    name: &str,
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
) -> Result<Box<dyn Agent<P>>, ExprError> {
    let is_minimax = name == "minimax";
    let players = setup.game.num_players();
    if players > 2 {
        return Err(ExprError::Other(format!(
            "`{name}` is for one or two players, and this game of {} has {players}: use {}",
            P::NAME,
            others::<P>()
        )));
    }
    let missing = || {
        ExprError::Other(format!(
            "`{name}` needs everything visible and an evaluation of positions, which {} does not give: use {}",
            P::NAME,
            others::<P>()
        ))
    };
    // Known when this is compiled: nothing below is made for games that hide something.
    if !P::Determinizer::PERFECT_INFORMATION {
        return Err(missing());
    }
    let parts = setup.game.depth_first().ok_or_else(missing)?;
    if is_minimax && parts.outcomes.is_some() {
        return Err(ExprError::Other(format!(
            "`minimax` is for games without chance, and {} has chance turns: use `expectimax`",
            P::NAME
        )));
    }
    let default = ExpectimaxSettings {
        depth: if is_minimax {
            ExpectimaxSettings::MAX_DEPTH
        } else {
            2
        },
        ..ExpectimaxSettings::default()
    };
    let endless = is_minimax
        && !settings.has("depth")
        && setup.budget.nodes.is_none()
        && setup.budget.time.is_none();
    let most = u64::from(ExpectimaxSettings::MAX_DEPTH);
    let depth = within(settings, "depth", most)?.map_or(default.depth, |depth| depth as u32);
    let pruning = if is_minimax {
        default.pruning
    } else {
        match settings.choice("prune", &["star2", "star1", "none"])? {
            "star1" => Pruning::Star1,
            "none" => Pruning::None,
            _ => Pruning::Star2,
        }
    };
    let table = match settings.optional::<u32>("table")? {
        None => default.table,
        Some(0) => 0,
        Some(n) if n <= MOST_LOG2_ENTRIES => 1 << n,
        Some(n) => {
            let expected = format!(
                "expected 0 to {MOST_LOG2_ENTRIES}: 2^N entries of 40 bytes in every agent of every thread"
            );
            return Err(settings.bad("table", &Expr::word(n.to_string()), expected));
        }
    };
    let settings = ExpectimaxSettings {
        depth,
        pruning,
        table,
        // At an analysis the value of every action is wanted.
        exact_root: !setup.skip_forced(),
        skip_forced: setup.skip_forced(),
        ..default
    };
    let budget = Budget {
        simulations: None,
        nodes: setup.budget.nodes.or(endless.then_some(MINIMAX_NODES)),
        ..setup.budget.clone()
    };
    let search = Expectimax::new(settings, parts);
    Ok(Box::new(PlannedTurns::expectimax(search, budget)))
}
