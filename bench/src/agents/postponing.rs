//! The relatives of PIMC by name: EPIMC and αμ.

use search_core::agent::{Agent, SearchAgent};
use search_core::budget::Budget;
use search_core::expr::{ExprError, Settings};
use search_core::observation::Determinizer;
use search_core::plugin::Plugin;
use search_core::search::{AlphaMu, AlphaMuSettings, Epimc, EpimcSettings, Side};

use super::inference::{INFER, INFER_EPS, POOL, worlds};
use super::searchers::{ROLLOUT, SearcherInfo, nothing_hidden, pimc_parts};
use super::setup::{Setup, within};

/// What is written about them.
pub(super) const ROWS: &[SearcherInfo] = &[
    SearcherInfo {
        name: "epimc",
        about: "EPIMC: PIMC whose first decisions are shared by all worlds that look alike",
        keys: &[
            ("worlds", "worlds a decision (40)"),
            ("sims", "simulations in each world (50)"),
            (
                "depth",
                "decisions made without seeing the world; 1 is pimc (2)",
            ),
            (
                "c",
                "exploration constant of UCB1, on returns / scale (0.7)",
            ),
            (
                "fpu",
                "first-play urgency: inf, or parent-K (K return scales)",
            ),
            ("final", "robust (most visits), max (best mean) or secure"),
            ROLLOUT,
            INFER,
            INFER_EPS,
            POOL,
        ],
        example: "epimc(worlds=40, sims=50, depth=2)",
    },
    SearcherInfo {
        name: "alpha-mu",
        about: "alpha-mu: plans that win in most worlds, against others who see all; public moves, won or lost",
        keys: &[
            ("worlds", "worlds a decision, at most 128 (20)"),
            (
                "depth",
                "own decisions planned for all worlds together; 1 is PIMC (2)",
            ),
            ("side", "alone, or pairs (every other seat)"),
            ("win", "a return above this is a win (0)"),
            (
                "nodes",
                "positions looked at before it plays the best so far (1000000)",
            ),
            INFER,
            INFER_EPS,
            POOL,
        ],
        example: "alpha-mu(worlds=20, depth=2)",
    },
];

/// Settings of other searchers that do nothing for αμ.
pub(super) const IDLE: (&[&str], &str) = (
    &["sims", "bytes", "parallel", "trees", "batch", "threads"],
    "positions are searched to the end, not sampled: leave it out and give `worlds`, `depth`, and `nodes` or `time`",
);

/// The agent of this name; `None` for another.
pub(super) fn construct<P: Plugin>(
    name: &str,
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
) -> Result<Option<Box<dyn Agent<P>>>, ExprError> {
    if matches!(name, "epimc" | "alpha-mu") && P::Determinizer::PERFECT_INFORMATION {
        return Err(nothing_hidden::<P>(name));
    }
    // Known when this is compiled: nothing below is made for games that hide nothing.
    if P::Determinizer::PERFECT_INFORMATION {
        return Ok(None);
    }
    match name {
        "epimc" => epimc(setup, settings).map(Some),
        "alpha-mu" => alpha_mu(setup, settings).map(Some),
        _ => Ok(None),
    }
}

fn epimc<P: Plugin>(
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
) -> Result<Box<dyn Agent<P>>, ExprError> {
    let knowledge = setup.game.knowledge().ok_or_else(|| {
        ExprError::Other(format!(
            "`epimc` must know what players see, and {} does not say: use `ismcts` or `pimc`",
            P::NAME
        ))
    })?;
    let depth = within(settings, "depth", u64::from(u32::MAX))?.map_or(2, |n| n as u32);
    let (pimc, evaluator, budget) = pimc_parts(setup, settings)?;
    let determinizer = worlds(setup, settings)?;
    let settings = EpimcSettings { depth, pimc };
    let searcher: Epimc<P, _, _> = Epimc::with(settings, knowledge, determinizer, evaluator);
    Ok(Box::new(SearchAgent { searcher, budget }))
}

/// Positions looked at a decision.
const POSITIONS: u64 = 1_000_000;

fn alpha_mu<P: Plugin>(
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
) -> Result<Box<dyn Agent<P>>, ExprError> {
    if !setup.game.public_actions() {
        return Err(ExprError::Other(format!(
            "`alpha-mu` is for games in which everybody sees every move, and {} does not say that it is one: use `ismcts`, `pimc` or `epimc`",
            P::NAME
        )));
    }
    let default = AlphaMuSettings::default();
    let small = |n: Option<u64>, default| n.map_or(default, |n| n as u32);
    let own = AlphaMuSettings {
        worlds: small(within(settings, "worlds", 128)?, default.worlds),
        depth: small(within(settings, "depth", 64)?, default.depth),
        side: match settings.choice("side", &["alone", "pairs"])? {
            "pairs" => Side::Pairs,
            _ => Side::Alone,
        },
        won_above: settings.get("win", default.won_above)?,
        skip_forced: setup.skip_forced(),
        ..default
    };
    let searcher: AlphaMu<P, _> =
        AlphaMu::new(own, worlds(setup, settings)?, setup.game.state_key());
    let budget = Budget {
        simulations: None,
        nodes: match (setup.budget.nodes, setup.budget.time) {
            (None, None) => Some(POSITIONS),
            (given, _) => given,
        },
        ..setup.budget.clone()
    };
    Ok(Box::new(SearchAgent { searcher, budget }))
}
