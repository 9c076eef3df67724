//! The keys of `uct` and `ismcts` beyond UCB1: the same search with everything that may guide it.

use std::sync::Arc;

use search_core::agent::Agent;
use search_core::expr::{Expr, ExprError, Settings};
use search_core::observation::Determinizer;
use search_core::plugin::Plugin;
use search_core::policy::{Evaluator, Priors, Softened};
use search_core::rollout::Rollout;
use search_core::search::{
    AllMovesAsFirst, Backup, Chance, FirstPlayUrgency, Learning, Mcts, MctsSettings, Parallel,
    Selector, TreeSettings, Widening,
};
use search_core::tree::Indexed;

use super::continuous::{factors, positive_or_infinite};
use super::inference::Worlds;
use super::searchers::{Player, non_negative, searching};
use super::setup::{Setup, within};

/// What guides a search, key by key.
pub(super) const KEYS: [(&str, &str); 19] = [
    (
        "select",
        "ucb1, tuned (UCB1-Tuned), puct, thompson or greedy",
    ),
    ("epsilon", "of greedy: how often any child is taken (0.1)"),
    (
        "prior",
        "a named agent whose choice is likely: the order of children, and the P of puct",
    ),
    (
        "prior_eps",
        "how much of the probability every action shares (0.25)",
    ),
    (
        "expand",
        "visits that a node needs before it has children (1)",
    ),
    (
        "k",
        "widening: at most k N^alpha children of a decision (inf)",
    ),
    ("alpha", "see k (0.5)"),
    (
        "k_chance",
        "widening of chance nodes whose outcomes are drawn (inf)",
    ),
    ("alpha_chance", "see k_chance (0.5)"),
    (
        "bias",
        "progressive bias, times the heuristic or the prior (0)",
    ),
    ("history", "progressive history (0)"),
    (
        "rave",
        "all moves as first: b of the weight m / (n + m + b n m)",
    ),
    (
        "grave",
        "visits of the node whose AMAF table is used (0: its own, RAVE)",
    ),
    ("learn", "what rollouts learn: none, mast or lgr"),
    (
        "mast_eps",
        "how often a rollout's own policy plays in spite of mast (0.2)",
    ),
    (
        "minimax",
        "weight of the heuristic's values backed up by the best child (0)",
    ),
    (
        "heuristic",
        "yes: the game's evaluation, for bias and minimax (with minimax)",
    ),
    (
        "solver",
        "true: keep proven values; perfect information, chance=explicit",
    ),
    ("backup", "maxn, paranoid, or teams such as 0+2"),
];

/// What a search is made of beside its settings.
pub(super) type Parts<P> = (Worlds<P>, Chance<P>, Rollout<Player<P>>);

/// Whether settings ask for more than UCB1.
pub(super) fn asked(settings: &Settings<'_>) -> bool {
    KEYS.iter().any(|(key, _)| settings.has(key))
}

/// The agent that these settings ask for.
///
/// # Errors
/// When a setting cannot be used.
pub(super) fn construct<P: Plugin>(
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
    tree: TreeSettings,
    (worlds, chance, evaluator): Parts<P>,
) -> Result<Box<dyn Agent<P>>, ExprError> {
    if setup.parallel == Parallel::Shared {
        let reason = "threads share plain counters alone: use root or batch with these keys";
        return Err(settings.bad("parallel", &Expr::word("shared"), reason.into()));
    }
    let facts = Facts {
        name: P::NAME,
        perfect_information: P::Determinizer::PERFECT_INFORMATION,
        players: setup.game.num_players(),
    };
    let given = read(&facts, settings, tree)?;
    let wants = settings.choice("heuristic", &["no", "yes"])? == "yes" || given.minimax > 0.0;
    let heuristic = if wants {
        Some(evaluation(setup, settings)?)
    } else {
        None
    };
    let mut mcts: Mcts<P, _, _> = Mcts::with(given, worlds, evaluator, Indexed::default());
    mcts.chance = chance;
    mcts.heuristic = heuristic;
    mcts.priors = priors(setup, settings)?;
    Ok(searching(mcts, setup))
}

/// What the settings ask of a game. What reads them is not compiled for every game.
struct Facts {
    name: &'static str,
    perfect_information: bool,
    players: usize,
}

fn read(
    facts: &Facts,
    settings: &mut Settings<'_>,
    tree: TreeSettings,
) -> Result<MctsSettings, ExprError> {
    let selector = selector(settings)?;
    let urgency = if !settings.has("fpu") && selector == Selector::Puct {
        FirstPlayUrgency::ParentMinus(0.0)
    } else {
        tree.urgency
    };
    let expand = within(settings, "expand", u64::from(u32::MAX - 1))?;
    Ok(MctsSettings {
        tree: TreeSettings { urgency, ..tree },
        selector,
        expand_after: expand.map_or(1, |n| n as u32),
        actions: limit(settings, ["k", "alpha"])?,
        outcomes: limit(settings, ["k_chance", "alpha_chance"])?,
        bias: non_negative(settings, "bias", 0.0)?,
        history: non_negative(settings, "history", 0.0)?,
        amaf: amaf(settings)?,
        learning: learning(settings)?,
        minimax: share(settings, "minimax", 0.0)?,
        solver: solver(facts, settings)?,
        backup: backup(facts.players, settings)?,
    })
}

fn selector(settings: &mut Settings<'_>) -> Result<Selector, ExprError> {
    let names = ["ucb1", "tuned", "puct", "thompson", "greedy"];
    let selector = match settings.choice("select", &names)? {
        "tuned" => Selector::Ucb1Tuned,
        "puct" => Selector::Puct,
        "thompson" => Selector::Thompson,
        "greedy" => Selector::EpsilonGreedy {
            epsilon: share(settings, "epsilon", 0.1)?,
        },
        _ => Selector::Ucb1,
    };
    Ok(selector)
}

/// A limit to the number of children; none unless one of its keys is given.
fn limit(settings: &mut Settings<'_>, keys: [&'static str; 2]) -> Result<Widening, ExprError> {
    if !keys.iter().any(|key| settings.has(key)) {
        return Ok(Widening::NONE);
    }
    factors(settings, keys)
}

fn amaf(settings: &mut Settings<'_>) -> Result<Option<AllMovesAsFirst>, ExprError> {
    let reference = within(settings, "grave", u64::from(u32::MAX))?;
    if !settings.has("rave") && reference.is_none() {
        return Ok(None);
    }
    Ok(Some(AllMovesAsFirst {
        bias: positive_or_infinite(settings, "rave", 1e-3, true)?,
        reference: reference.map_or(0, |n| n as u32),
    }))
}

fn learning(settings: &mut Settings<'_>) -> Result<Learning, ExprError> {
    Ok(match settings.choice("learn", &["none", "mast", "lgr"])? {
        "mast" => Learning::Mast {
            epsilon: share(settings, "mast_eps", 0.2)?,
        },
        "lgr" => Learning::LastGoodReply,
        _ => Learning::Nothing,
    })
}

fn solver(facts: &Facts, settings: &mut Settings<'_>) -> Result<bool, ExprError> {
    let solver = settings.get("solver", false)?;
    if solver && !facts.perfect_information {
        let reason = format!(
            "{} hides something: a proof in one world is none",
            facts.name
        );
        return Err(settings.bad("solver", &Expr::word("true"), reason));
    }
    Ok(solver)
}

fn backup(players: usize, settings: &mut Settings<'_>) -> Result<Backup, ExprError> {
    let Some(expr) = settings.expr("backup") else {
        return Ok(Backup::MaxN);
    };
    let team = |text: &str| {
        text.split('+').try_fold(0_u8, |team, seat| {
            let seat = seat.parse::<usize>().ok().filter(|seat| *seat < players)?;
            Some(team | 1 << seat)
        })
    };
    match expr.name.as_str() {
        "maxn" => Ok(Backup::MaxN),
        "paranoid" => Ok(Backup::Paranoid),
        text => team(text).map(Backup::Coalition).ok_or_else(|| {
            let expected = format!(
                "expected maxn, paranoid, or the seats of one team such as 0+2, from 0 to {}",
                players - 1
            );
            settings.bad("backup", expr, expected)
        }),
    }
}

/// A number from 0 to 1.
fn share(settings: &mut Settings<'_>, key: &'static str, default: f64) -> Result<f64, ExprError> {
    let value: f64 = settings.get(key, default)?;
    if (0.0..=1.0).contains(&value) {
        return Ok(value);
    }
    let given = Expr::word(value.to_string());
    Err(settings.bad(key, &given, "expected a number from 0 to 1".into()))
}

fn priors<P: Plugin>(
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
) -> Result<Option<Arc<dyn Priors<P>>>, ExprError> {
    let Some(policy) = setup.policy(settings, "prior")? else {
        return Ok(None);
    };
    let epsilon = share(settings, "prior_eps", 0.25)?;
    Ok(Some(Arc::new(Softened { policy, epsilon })))
}

/// The game's evaluation of positions.
fn evaluation<P: Plugin>(
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
) -> Result<Arc<dyn Evaluator<P>>, ExprError> {
    setup
        .game
        .depth_first()
        .map(|game| game.evaluator)
        .ok_or_else(|| {
            let reason = format!("{} has no evaluation of positions: leave it out", P::NAME);
            let key = if settings.has("heuristic") {
                "heuristic"
            } else {
                "minimax"
            };
            settings.bad(key, &Expr::word("yes"), reason)
        })
}
