//! The searchers over a continuum of actions by name, for the games that have one.

use std::sync::Arc;

use search_core::agent::{Agent, SearchAgent};
use search_core::budget::Budget;
use search_core::expr::{Expr, ExprError, Settings};
use search_core::observation::Determinizer;
use search_core::plugin::Plugin;
use search_core::rollout::Rollout;
use search_core::search::continuous::ContinuousActions;
use search_core::search::{
    KrUct, KrUctSettings, Rave, Searcher, Smoothed, SmoothedSettings, UctPw, Widening,
    WideningSettings,
};

use super::known_state::{Known, SearchState};
use super::searchers::{Player, ROLLOUT, SearcherInfo, final_choice, non_negative, rollout_policy};
use super::setup::{Setup, within};

/// As in the paper on KR-UCT.
const SIMULATIONS: u64 = 1600;
/// Five shots with their noise, as there.
const TURNS: u32 = 10;

const SIMS: (&str, &str) = ("sims", "simulations a decision (1600)");
const TURNS_KEY: (&str, &str) = (
    "turns",
    "turns of a rollout, chance's included, or all (10)",
);
const PW: (&str, &str) = (
    "k",
    "at most k N^alpha children after N visits; inf for no limit (1)",
);
const ALPHA: (&str, &str) = ("alpha", "exponent of it, 0 to 1 (0.5)");
const C: (&str, &str) = ("c", "exploration constant, on returns / scale (0.7)");
const FINAL: (&str, &str) = ("final", "robust (most visits), max (best mean) or secure");
const K_CHANCE: (&str, &str) = ("k_chance", "k of outcomes at chance turns (1)");
const ALPHA_CHANCE: (&str, &str) = ("alpha_chance", "alpha of outcomes (0.5)");

/// What is written about them.
pub(super) const ROWS: [SearcherInfo; 4] = [
    SearcherInfo {
        name: "kr-uct",
        about: "KR-UCT: tree search that shares returns between alike actions; continuous actions only",
        keys: &[
            SIMS,
            ("c", "exploration constant, on returns / scale (1)"),
            ("tau", "an added action is at least this much alike (0.02)"),
            ("tries", "executions tried for one that is added (10)"),
            ("lcb", "constant of the lower bound at the end (0.001)"),
            PW,
            ALPHA,
            ROLLOUT,
            TURNS_KEY,
        ],
        example: "kr-uct(sims=1600)",
    },
    SearcherInfo {
        name: "uct-pw",
        about: "UCT with double progressive widening; continuous actions only",
        keys: &[
            SIMS,
            C,
            PW,
            ALPHA,
            K_CHANCE,
            ALPHA_CHANCE,
            FINAL,
            ROLLOUT,
            TURNS_KEY,
        ],
        example: "uct-pw(sims=1600)",
    },
    SearcherInfo {
        name: "rave-pw",
        about: "uct-pw with RAVE: actions of later turns count as if played first",
        keys: &[
            SIMS,
            C,
            (
                "bias",
                "b of RAVE's weight m / (n + m + b n m); inf for none (0.1)",
            ),
            ("amaf", "alike (weighted by the kernel) or same"),
            PW,
            ALPHA,
            K_CHANCE,
            ALPHA_CHANCE,
            FINAL,
            ROLLOUT,
            TURNS_KEY,
        ],
        example: "rave-pw(sims=1600)",
    },
    SearcherInfo {
        name: "smoothed",
        about: "flat Monte Carlo smoothed over the execution noise, no tree; continuous actions only",
        keys: &[
            SIMS,
            ("lcb", "constant of the lower bound at the end (0)"),
            ROLLOUT,
            TURNS_KEY,
        ],
        example: "smoothed(sims=1600)",
    },
];

/// Whether this is one of them.
pub(super) fn is_one(name: &str) -> bool {
    ROWS.iter().any(|row| row.name == name)
}

/// The agent of this name.
pub(super) fn construct<P: Plugin>(
    name: &str,
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
) -> Result<Box<dyn Agent<P>>, ExprError> {
    if !P::Determinizer::PERFECT_INFORMATION {
        return Err(ExprError::Other(format!(
            "`{name}` sees everything and {} hides something: use `ismcts`, `pimc`, `flat` or `rollout`",
            P::NAME
        )));
    }
    let missing = || {
        ExprError::Other(format!(
            "`{name}` is for continuous actions, and the legal actions of {} are all there are: use `uct`, `flat` or `rollout`",
            P::NAME
        ))
    };
    // Known when this is compiled: nothing below is made for other games.
    if !P::HAS_CONTINUOUS_ACTIONS {
        return Err(missing());
    }
    let actions = setup.game.continuous_actions().ok_or_else(missing)?;
    let evaluator = rollout(setup, settings)?;
    match name {
        "kr-uct" => {
            let searcher = KrUct::new(kernel_regression(setup, settings)?, actions, evaluator);
            Ok(known(searcher, setup))
        }
        "smoothed" => {
            let own = SmoothedSettings {
                lower_bound: non_negative(settings, "lcb", 0.0)?,
                threads: setup.threads.get(),
                skip_forced: setup.skip_forced(),
            };
            Ok(known(Smoothed::new(own, actions, evaluator), setup))
        }
        _ => widening(name, setup, settings, actions, evaluator),
    }
}

fn kernel_regression<P: Plugin>(
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
) -> Result<KrUctSettings, ExprError> {
    let default = KrUctSettings::default();
    let tries = within(settings, "tries", 10_000)?;
    Ok(KrUctSettings {
        exploration: non_negative(settings, "c", default.exploration)?,
        lower_bound: non_negative(settings, "lcb", default.lower_bound)?,
        widening: factors(settings, ["k", "alpha"])?,
        threshold: non_negative(settings, "tau", default.threshold)?,
        tries: tries.map_or(default.tries, |n| n as u32),
        parallel: setup.parallel,
        threads: setup.threads.get(),
        skip_forced: setup.skip_forced(),
    })
}

fn widening<P: Plugin>(
    name: &str,
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
    actions: Arc<dyn ContinuousActions<P>>,
    evaluator: Rollout<Player<P>>,
) -> Result<Box<dyn Agent<P>>, ExprError> {
    let default = WideningSettings::default();
    let rave = match name {
        "rave-pw" => Some(Rave {
            bias: positive_or_infinite(settings, "bias", 0.1, true)?,
            alike: settings.choice("amaf", &["alike", "same"])? == "alike",
        }),
        _ => None,
    };
    let own = WideningSettings {
        exploration: non_negative(settings, "c", default.exploration)?,
        actions: factors(settings, ["k", "alpha"])?,
        outcomes: factors(settings, ["k_chance", "alpha_chance"])?,
        rave,
        final_choice: final_choice(settings)?,
        parallel: setup.parallel,
        threads: setup.threads.get(),
        skip_forced: setup.skip_forced(),
    };
    Ok(known(UctPw::new(own, actions, evaluator), setup))
}

pub(super) fn factors(
    settings: &mut Settings<'_>,
    keys: [&'static str; 2],
) -> Result<Widening, ExprError> {
    let factor = positive_or_infinite(settings, keys[0], Widening::ROOT.factor, false)?;
    let exponent = settings.get(keys[1], Widening::ROOT.exponent)?;
    if (0.0..=1.0).contains(&exponent) {
        return Ok(Widening { factor, exponent });
    }
    let given = Expr::word(exponent.to_string());
    Err(settings.bad(keys[1], &given, "expected a number from 0 to 1".into()))
}

/// A number above 0, or 0 as well, or `inf`.
pub(super) fn positive_or_infinite(
    settings: &mut Settings<'_>,
    key: &'static str,
    default: f64,
    zero: bool,
) -> Result<f64, ExprError> {
    let value: f64 = settings.get(key, default)?;
    if value > 0.0 || zero && value == 0.0 {
        return Ok(value);
    }
    let expected = if zero {
        "expected a number, 0 or more, or inf"
    } else {
        "expected a number above 0, or inf"
    };
    Err(settings.bad(key, &Expr::word(value.to_string()), expected.into()))
}

/// Rollouts of so many turns; what comes after is the game's estimate, and counted.
fn rollout<P: Plugin>(
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
) -> Result<Rollout<Player<P>>, ExprError> {
    let policy = rollout_policy(setup, settings)?;
    let all = settings.expr("turns").is_some_and(|e| e.name == "all");
    let max_turns = if all {
        None
    } else {
        let turns = within(settings, "turns", u64::from(u32::MAX))?;
        Some(turns.map_or(TURNS, |n| n as u32))
    };
    Ok(Rollout {
        max_turns,
        ..Rollout::with_policy(policy)
    })
}

/// An agent that searches the one world that there is.
fn known<P: Plugin, S: SearchState<P> + Send + 'static>(
    searcher: S,
    setup: &Setup<'_, P>,
) -> Box<dyn Agent<P>>
where
    Known<P, S>: Searcher<P>,
{
    let budget = Budget {
        simulations: match (setup.simulations, setup.budget.time) {
            (None, None) => Some(SIMULATIONS),
            (given, _) => given,
        },
        ..setup.budget.clone()
    };
    Box::new(SearchAgent {
        searcher: Known::new(setup.game.determinizer(), searcher),
        budget,
    })
}
