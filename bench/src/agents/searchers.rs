//! The built-in searchers by name: one row of [`SEARCHERS`] and one arm of `construct` each.
//!
//! The shared keys are read before: `setup.budget`, `setup.parallel`, `setup.threads`. Keys that
//! nobody asked for are refused by the caller, which also covers the agent with a fallback.

use search_core::agent::{Agent, SearchAgent};
use search_core::budget::Budget;
use search_core::decision::SearchError;
use search_core::expr::{Expr, ExprError, Settings};
use search_core::observation::Determinizer;
use search_core::plugin::{Plugin, SharedPolicy};
use search_core::policy::{Observing, RolloutPolicy, UniformRandom};
use search_core::rollout::Rollout;
use search_core::search::{
    Aggregate, Chance, FinalChoice, FirstPlayUrgency, Ismcts, Pimc, PimcSettings, Searcher,
    TreeSettings, Uct,
};
use search_core::tree::Indexed;

use super::inference::{INFER, INFER_EPS, POOL, Worlds, worlds};
use super::known_state::Known;
use super::setup::{Setup, within};
use super::{continuous, expectimax, flat_family, guided, observers, postponing, sharing};

/// What is written about a searcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct SearcherInfo {
    /// Its name in expressions.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// Its own keys, each with a line about it; the shared ones come on top.
    pub keys: &'static [(&'static str, &'static str)],
    /// An expression that works as printed.
    pub example: &'static str,
}

pub(super) const C: (&str, &str) = (
    "c",
    "exploration constant of UCB1, on returns / scale (0.7)",
);
pub(super) const FPU: (&str, &str) = (
    "fpu",
    "first-play urgency: inf, or parent-K (K return scales)",
);
pub(super) const FINAL: (&str, &str) = (
    "final",
    "robust (most visits), max (best mean), secure, or by chance with tau-1 (visits ^ 1/tau)",
);
const CHANCE: (&str, &str) = (
    "chance",
    "outcomes followed in the tree: sampled, explicit (each in its share), or open (none kept)",
);
pub(super) const ROLLOUT: (&str, &str) =
    ("rollout", "who plays the rollouts: random or a named agent");

/// The keys of a tree search, and those that guide it.
const fn guided_keys<const N: usize, const M: usize>(
    own: [(&'static str, &'static str); N],
) -> [(&'static str, &'static str); M] {
    let mut keys = [("", ""); M];
    let mut i = 0;
    while i < M {
        keys[i] = if i < N { own[i] } else { guided::KEYS[i - N] };
        i += 1;
    }
    keys
}

/// The searchers that there are.
pub const SEARCHERS: &[SearcherInfo] = &[
    SearcherInfo {
        name: "uct",
        about: "UCT: tree search with everything visible; games of perfect information only",
        keys: &guided_keys::<6, { 6 + guided::KEYS.len() }>([
            C,
            FPU,
            FINAL,
            CHANCE,
            ROLLOUT,
            sharing::REUSE,
        ]),
        example: "uct(sims=2000, c=0.7)",
    },
    SearcherInfo {
        name: "ismcts",
        about: "SO-ISMCTS: one tree over sampled worlds, with availability counts",
        keys: &guided_keys::<8, { 8 + guided::KEYS.len() }>([
            C,
            FPU,
            FINAL,
            observers::MOVES,
            ROLLOUT,
            INFER,
            INFER_EPS,
            POOL,
        ]),
        example: "ismcts(sims=2000)",
    },
    SearcherInfo {
        name: "pimc",
        about: "PIMC: samples worlds and searches each as if everything were visible",
        keys: &[
            ("worlds", "worlds a decision (40)"),
            ("sims", "simulations in each world (50)"),
            ("aggregate", "mean, vote or visits"),
            C,
            FPU,
            ("final", "whose vote a world casts: robust, max or secure"),
            CHANCE,
            ROLLOUT,
            INFER,
            INFER_EPS,
            POOL,
        ],
        example: "pimc(worlds=40, sims=50)",
    },
    flat_family::ROWS[0],
    flat_family::ROWS[1],
    flat_family::ROWS[2],
    SearcherInfo {
        name: "expectimax",
        about: "expectimax: depth-first with alpha-beta and star pruning; everything visible, two players",
        keys: expectimax::KEYS,
        example: "expectimax(depth=3, nodes=100000)",
    },
    SearcherInfo {
        name: "minimax",
        about: "minimax: alpha-beta, deepening ply by ply; everything visible, no chance, two players",
        keys: expectimax::MINIMAX_KEYS,
        example: "minimax(depth=8)",
    },
    observers::ROWS[0],
    observers::ROWS[1],
    continuous::ROWS[0],
    continuous::ROWS[1],
    continuous::ROWS[2],
    continuous::ROWS[3],
    postponing::ROWS[0],
    postponing::ROWS[1],
    sharing::ROWS[0],
];

/// The searcher of this name; `None` for a name without an arm.
///
/// # Errors
/// When a setting cannot be used.
pub(super) fn construct<P: Plugin>(
    name: &str,
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
) -> Result<Option<Box<dyn Agent<P>>>, ExprError> {
    refuse_idle(name, settings)?;
    let determinizer = setup.game.determinizer();
    let agent = match name {
        "uct" => {
            if !P::Determinizer::PERFECT_INFORMATION {
                return Err(ExprError::Other(format!(
                    "`uct` sees everything and {} hides something: use `ismcts`, `pimc`, `flat` or `rollout`",
                    P::NAME
                )));
            }
            let tree = tree_settings(setup, settings)?;
            let chance = chance(setup, settings)?;
            let evaluator = Rollout::with_policy(rollout_policy(setup, settings)?);
            if guided::asked(settings) {
                let parts = (Worlds::Plain(determinizer), chance, evaluator);
                return guided::construct(setup, settings, tree, parts).map(Some);
            }
            let mut uct = Uct::with(tree, evaluator, Indexed::default());
            uct.chance = chance;
            match sharing::keeps_tree(setup, settings)? {
                Some(key) => searching(sharing::Reusing::new(determinizer, uct, key), setup),
                None => searching(Known::new(determinizer, uct), setup),
            }
        }
        "ismcts" if settings.choice("moves", &["seen", "hidden"])? == "hidden" => {
            observers::construct(name, setup, settings)?
        }
        "ismcts" => {
            let tree = tree_settings(setup, settings)?;
            let evaluator = Rollout::with_policy(rollout_policy(setup, settings)?);
            let source = worlds(setup, settings)?;
            if guided::asked(settings) {
                let parts = (source, Chance::Sampled, evaluator);
                return guided::construct(setup, settings, tree, parts).map(Some);
            }
            let searcher = Ismcts::with(tree, source, evaluator, Indexed::default());
            searching(searcher, setup)
        }
        "pimc" => pimc(setup, settings)?,
        name if flat_family::is_one(name) => flat_family::construct(name, setup, settings)?,
        "expectimax" | "minimax" => expectimax::construct(name, setup, settings)?,
        name if observers::is_one(name) => observers::construct(name, setup, settings)?,
        name if continuous::is_one(name) => continuous::construct(name, setup, settings)?,
        "graph-uct" => sharing::graph(setup, settings)?,
        _ => return postponing::construct(name, setup, settings),
    };
    Ok(Some(agent))
}

/// Why a search for hidden information is not for this game.
pub(super) fn nothing_hidden<P: Plugin>(name: &str) -> ExprError {
    ExprError::Other(format!(
        "`{name}` is for games that hide something, and {} hides nothing: use `uct`, `flat` or `rollout`",
        P::NAME
    ))
}

/// Refuses settings of other searchers that would do nothing for this one.
fn refuse_idle(name: &str, settings: &mut Settings<'_>) -> Result<(), ExprError> {
    if let Some(value) = settings.expr("chance")
        && !matches!(name, "uct" | "pimc")
    {
        let reason = match name {
            "ismcts" | "mo-ismcts" | "ris-mcts" => {
                "its worlds differ in what may happen and how likely it is, so that no shares could be kept; `uct` and `pimc` have it"
            }
            "shot" => "outcomes are drawn, and equal ones searched together: leave it out",
            "epimc" => "its worlds share decisions and differ in what may happen: leave it out",
            "kr-uct" => "actions are played exactly in the tree: leave it out",
            "graph-uct" => {
                "outcomes are drawn on the graph: leave it out; `uct` and `pimc` have it"
            }
            "uct-pw" | "rave-pw" => "outcomes are widened too: give k_chance and alpha_chance",
            _ => "there is no tree here: leave it out",
        };
        return Err(settings.bad("chance", value, reason.into()));
    }
    let (keys, advice): (&[&'static str], &str) = match name {
        "flat" | "rollout" | "smoothed" => (
            &["nodes", "bytes", "parallel", "trees", "batch"],
            "there is no tree here: leave it out; `threads` works without it",
        ),
        "shot" => (
            &["parallel", "trees", "batch"],
            "what follows different actions is searched side by side: leave it out and give `threads`",
        ),
        "pimc" | "epimc" => (
            &["parallel", "trees", "batch"],
            "worlds are searched side by side: leave it out and give `threads`",
        ),
        "expectimax" | "minimax" => expectimax::IDLE,
        "alpha-mu" => postponing::IDLE,
        "graph-uct" => sharing::IDLE,
        _ => return sharing::refuse(name, settings),
    };
    for &key in keys {
        if let Some(value) = settings.expr(key) {
            return Err(settings.bad(key, value, advice.into()));
        }
    }
    Ok(())
}

/// An agent that searches with the budget of the setup: what an arm of `construct` returns.
pub fn searching<P: Plugin, S: Searcher<P> + Send + 'static>(
    searcher: S,
    setup: &Setup<'_, P>,
) -> Box<dyn Agent<P>> {
    let budget = setup.budget.clone();
    Box::new(SearchAgent { searcher, budget })
}

/// The keys that every tree search reads.
pub(super) fn tree_settings<P: Plugin>(
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
) -> Result<TreeSettings, ExprError> {
    let default = TreeSettings::default();
    Ok(TreeSettings {
        exploration: non_negative(settings, "c", default.exploration)?,
        urgency: urgency(settings)?,
        final_choice: final_choice(settings)?,
        parallel: setup.parallel,
        threads: setup.threads.get(),
        skip_forced: setup.skip_forced(),
        keep_tree: setup.keep_tree(),
    })
}

/// Which outcomes of chance a search with a known state follows.
fn chance<P: Plugin>(
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
) -> Result<Chance<P>, ExprError> {
    match settings.choice("chance", &["sampled", "explicit", "open"])? {
        "sampled" => return Ok(Chance::Sampled),
        "open" => return Ok(Chance::OpenLoop),
        _ => {}
    }
    setup.game.list_outcomes().map(Chance::Explicit).ok_or_else(|| {
        let reason = format!(
            "{} does not list the outcomes of its chance turns with their probabilities: leave it out, or write sampled",
            P::NAME
        );
        settings.bad("chance", &Expr::word("explicit"), reason)
    })
}

pub(super) fn final_choice(settings: &mut Settings<'_>) -> Result<FinalChoice, ExprError> {
    let Some(expr) = settings.expr("final") else {
        return Ok(FinalChoice::Robust);
    };
    let tau = expr
        .name
        .strip_prefix("tau-")
        .and_then(|t| t.parse::<f64>().ok());
    match (expr.name.as_str(), tau) {
        ("robust", _) => Ok(FinalChoice::Robust),
        ("max", _) => Ok(FinalChoice::Max),
        ("secure", _) => Ok(FinalChoice::Secure { k: 1.0 }),
        (_, Some(tau)) if tau.is_finite() && tau > 0.0 => Ok(FinalChoice::Temperature { tau }),
        _ => {
            let expected = "expected robust, max, secure, or tau-1 and the like";
            Err(settings.bad("final", expr, expected.into()))
        }
    }
}

pub(super) fn non_negative(
    settings: &mut Settings<'_>,
    key: &'static str,
    default: f64,
) -> Result<f64, ExprError> {
    let value: f64 = settings.get(key, default)?;
    if value >= 0.0 && value.is_finite() {
        return Ok(value);
    }
    let given = Expr::word(value.to_string());
    Err(settings.bad(key, &given, "expected a number, 0 or more".into()))
}

pub(super) fn urgency(settings: &mut Settings<'_>) -> Result<FirstPlayUrgency, ExprError> {
    let Some(expr) = settings.expr("fpu") else {
        return Ok(FirstPlayUrgency::Infinite);
    };
    let text = expr.name.as_str();
    let loss = text
        .strip_prefix("parent-")
        .and_then(|k| k.parse::<f64>().ok());
    match loss {
        _ if text == "inf" => Ok(FirstPlayUrgency::Infinite),
        Some(loss) if loss.is_finite() => Ok(FirstPlayUrgency::ParentMinus(loss)),
        _ => Err(settings.bad(
            "fpu",
            expr,
            "expected inf, or parent-0.2 and the like".into(),
        )),
    }
}

/// Who plays a rollout: random, or a named policy that sees only its own observation.
pub(super) fn rollout_policy<P: Plugin>(
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
) -> Result<Player<P>, ExprError> {
    let random = settings.expr("rollout").is_none_or(|e| e.name == "random");
    let named = setup.policy(settings, "rollout")?;
    Ok(match named {
        Some(policy) if !random => Player::Named(Observing(policy)),
        _ => Player::Random,
    })
}

/// A rollout policy chosen at run time; random play stays free of indirection.
#[derive(Clone)]
pub(super) enum Player<P: Plugin> {
    Random,
    Named(Observing<SharedPolicy<P>>),
}

impl<P: Plugin> RolloutPolicy<P> for Player<P> {
    #[inline]
    fn choose_in_world(
        &self,
        game: &P,
        world: &P::State,
        player: search_core::game::Player,
        legal: &[P::Action],
        rng: &mut search_core::rng::SimRng,
    ) -> P::Action {
        match self {
            Self::Random => UniformRandom.choose_in_world(game, world, player, legal, rng),
            Self::Named(policy) => policy.choose_in_world(game, world, player, legal, rng),
        }
    }

    #[inline]
    fn reads_legal(&self) -> bool {
        match self {
            Self::Random => true,
            Self::Named(policy) => RolloutPolicy::<P>::reads_legal(policy),
        }
    }

    fn failure(&self) -> Option<SearchError> {
        match self {
            Self::Random => None,
            Self::Named(policy) => RolloutPolicy::<P>::failure(policy),
        }
    }
}

/// What each world came to is kept until all are searched.
const MOST_WORLDS: u32 = 1_000_000;

/// What PIMC and its relatives have in common: settings, evaluator, and what a decision may spend.
pub(super) fn pimc_parts<P: Plugin>(
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
) -> Result<(PimcSettings, Rollout<Player<P>>, Budget), ExprError> {
    let worlds = within(settings, "worlds", u64::from(MOST_WORLDS))?;
    let worlds = worlds.map_or(40, |n| u32::try_from(n).unwrap_or(MOST_WORLDS));
    let search = tree_settings(setup, settings)?;
    let evaluator = Rollout::with_policy(rollout_policy(setup, settings)?);
    let mut budget = setup.budget.clone();
    // `sims` is per world here, as everywhere that worlds x simulations is written.
    let per_world = match (setup.simulations, budget.time) {
        (None, Some(_)) => None,
        (given, _) => Some(given.unwrap_or(50)),
    };
    budget.simulations = per_world.map(|n| n.saturating_mul(u64::from(worlds)));
    let settings = PimcSettings {
        worlds,
        search,
        ..PimcSettings::default()
    };
    Ok((settings, evaluator, budget))
}

fn pimc<P: Plugin>(
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
) -> Result<Box<dyn Agent<P>>, ExprError> {
    let aggregate = match settings.choice("aggregate", &["mean", "vote", "visits"])? {
        "vote" => Aggregate::Vote,
        "visits" => Aggregate::Visits,
        _ => Aggregate::Mean,
    };
    let (own, evaluator, budget) = pimc_parts(setup, settings)?;
    let own = PimcSettings { aggregate, ..own };
    let mut searcher: Pimc<P, _, _> = Pimc::with(own, worlds(setup, settings)?, evaluator);
    searcher.chance = chance(setup, settings)?;
    Ok(Box::new(SearchAgent { searcher, budget }))
}
