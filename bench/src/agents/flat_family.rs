//! The searchers without a tree, and SHOT, by name: `flat`, `shot` and `rollout`.

use std::sync::Arc;

use search_core::agent::{Agent, SearchAgent};
use search_core::expr::{Expr, ExprError, Settings};
use search_core::observation::Determinizer;
use search_core::plugin::{Plugin, SharedPolicy};
use search_core::policy::{Evaluator, Priors, Softened, UniformPriors, UniformRandom};
use search_core::rollout::Rollout;
use search_core::search::{
    AllLegal, Allocation, CommonNumbers, Flat, FlatSettings, Gumbel, GumbelSettings, PairedStop,
    PickOf, RolloutImprovement, RolloutSettings, Shot, ShotSettings, nested,
};

use super::inference::{INFER, INFER_EPS, POOL, Worlds, worlds};
use super::known_state::Known;
use super::searchers::{ROLLOUT, SearcherInfo, non_negative, rollout_policy, searching};
use super::setup::{MOST_SIMULATIONS, Setup, within};

const NUMBERS: (&str, &str) = (
    "numbers",
    "keyed (common, by event), running or independent",
);

/// What is written about them.
pub(super) const ROWS: [SearcherInfo; 3] = [
    SearcherInfo {
        name: "flat",
        about: "flat Monte Carlo: every action in the same worlds with the same luck, no tree",
        keys: &[
            (
                "allocation",
                "even, halving (sequential halving), ocba, or gumbel (halving from priors)",
            ),
            ("warm_up", "ocba: simulations of each action before (8)"),
            ("considered", "gumbel: most actions tried (16)"),
            (
                "c_visit",
                "gumbel: visits added to the weight of values (50)",
            ),
            (
                "c_scale",
                "gumbel: weight of values, on returns / scale (1)",
            ),
            (
                "priors",
                "gumbel: a named agent whose choice is likely (random: all alike)",
            ),
            (
                "epsilon",
                "gumbel: probability shared by all actions (0.25)",
            ),
            NUMBERS,
            ROLLOUT,
            INFER,
            INFER_EPS,
            POOL,
        ],
        example: "flat(sims=1000, allocation=halving)",
    },
    SearcherInfo {
        name: "shot",
        about: "SHOT: sequential halving at every level of a tree; games of perfect information only",
        keys: &[ROLLOUT],
        example: "shot(sims=2000)",
    },
    SearcherInfo {
        name: "rollout",
        about: "rollout improvement: tries each action, then everybody follows a policy",
        keys: &[
            ("base", "how the player goes on (the game's first agent)"),
            ("opponents", "how the others play (as base)"),
            ("samples", "worlds a candidate (32)"),
            (
                "candidates",
                "all, own (what base and opponents would play) or the best N",
            ),
            (
                "gate",
                "standard errors of gain needed to leave base's choice (0)",
            ),
            ("stop", "none, or paired (drop what is clearly worse)"),
            ("z", "paired: standard errors that are clear (3)"),
            ("first_look", "paired: worlds before the first look (8)"),
            ("turns", "turns of a rollout, chance's included (all)"),
            (
                "value",
                "of rollouts that stop: evaluation (the game's), or cut-off (the rules')",
            ),
            (
                "level",
                "1, or 2 to 4: base is itself a rollout search of that level less one (1)",
            ),
            (
                "inner",
                "level: worlds a candidate of the inner searches (4)",
            ),
            NUMBERS,
            INFER,
            INFER_EPS,
            POOL,
        ],
        example: "rollout(samples=16, gate=1)",
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
    match name {
        "shot" => shot(setup, settings),
        "rollout" => rollout_improvement(setup, settings),
        _ => flat(setup, settings),
    }
}

/// Refuses keys that would do nothing here.
fn idle(settings: &mut Settings<'_>, keys: &[&'static str], advice: &str) -> Result<(), ExprError> {
    for &key in keys {
        if let Some(value) = settings.expr(key) {
            return Err(settings.bad(key, value, advice.into()));
        }
    }
    Ok(())
}

fn common_numbers(settings: &mut Settings<'_>) -> Result<CommonNumbers, ExprError> {
    Ok(
        match settings.choice("numbers", &["keyed", "running", "independent"])? {
            "running" => CommonNumbers::Running,
            "independent" => CommonNumbers::Independent,
            _ => CommonNumbers::EventKeyed,
        },
    )
}

fn flat<P: Plugin>(
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
) -> Result<Box<dyn Agent<P>>, ExprError> {
    let Some(allocation) = allocation(settings, setup.budget.simulations.is_some())? else {
        return gumbel(setup, settings);
    };
    let searcher = Flat {
        settings: FlatSettings {
            allocation,
            numbers: common_numbers(settings)?,
            threads: setup.threads.get(),
            skip_forced: setup.skip_forced(),
        },
        determinizer: worlds(setup, settings)?,
        policy: rollout_policy(setup, settings)?,
    };
    Ok(searching(searcher, setup))
}

/// How worlds are shared out; `None` for gumbel, which is a searcher of its own.
fn allocation(settings: &mut Settings<'_>, counted: bool) -> Result<Option<Allocation>, ExprError> {
    let word = settings.choice("allocation", &["even", "halving", "ocba", "gumbel"])?;
    if matches!(word, "halving" | "gumbel") && !counted {
        return Err(settings.bad(
            "allocation",
            &Expr::word(word),
            "divides a number of simulations: give sims as well as time".into(),
        ));
    }
    if word != "ocba" {
        idle(
            settings,
            &["warm_up"],
            "only allocation=ocba warms up: leave it out",
        )?;
    }
    if word == "gumbel" {
        return Ok(None);
    }
    let own = ["considered", "c_visit", "c_scale", "priors", "epsilon"];
    idle(
        settings,
        &own,
        "only allocation=gumbel has priors: leave it out",
    )?;
    let allocation = match word {
        "halving" => Allocation::SequentialHalving,
        "ocba" => match within(settings, "warm_up", MOST_SIMULATIONS)? {
            Some(1) => {
                let expected = "expected at least 2: one value says nothing of how values vary";
                return Err(settings.bad("warm_up", &Expr::word("1"), expected.into()));
            }
            Some(warm_up) => Allocation::Ocba { warm_up },
            None => Allocation::OCBA,
        },
        _ => Allocation::Even,
    };
    Ok(Some(allocation))
}

fn gumbel<P: Plugin>(
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
) -> Result<Box<dyn Agent<P>>, ExprError> {
    let default = GumbelSettings::default();
    let considered = within(settings, "considered", u64::from(u32::MAX))?;
    let own = GumbelSettings {
        considered: considered.map_or(default.considered, |n| n as u32),
        c_visit: non_negative(settings, "c_visit", default.c_visit)?,
        c_scale: non_negative(settings, "c_scale", default.c_scale)?,
        numbers: common_numbers(settings)?,
        threads: setup.threads.get(),
        skip_forced: setup.skip_forced(),
    };
    let searcher = Gumbel {
        settings: own,
        determinizer: worlds(setup, settings)?,
        policy: rollout_policy(setup, settings)?,
        priors: priors(setup, settings)?,
    };
    Ok(searching(searcher, setup))
}

/// What a named agent would play is likely, and everything possible; without one all are alike.
fn priors<P: Plugin>(
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
) -> Result<Arc<dyn Priors<P>>, ExprError> {
    let random = settings.expr("priors").is_none_or(|e| e.name == "random");
    let named = setup.policy(settings, "priors")?.filter(|_| !random);
    let Some(policy) = named else {
        let advice = "without priors there is nothing to soften: give priors, or leave it out";
        idle(settings, &["epsilon"], advice)?;
        return Ok(Arc::new(UniformPriors));
    };
    let epsilon: f64 = settings.get("epsilon", 0.25)?;
    if !(0.0..=1.0).contains(&epsilon) {
        let given = Expr::word(epsilon.to_string());
        return Err(settings.bad("epsilon", &given, "expected a number from 0 to 1".into()));
    }
    Ok(Arc::new(Softened { policy, epsilon }))
}

fn shot<P: Plugin>(
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
) -> Result<Box<dyn Agent<P>>, ExprError> {
    if !P::Determinizer::PERFECT_INFORMATION {
        return Err(ExprError::Other(format!(
            "`shot` sees everything and {} hides something: use `ismcts`, `pimc`, `flat` or `rollout`",
            P::NAME
        )));
    }
    if setup.budget.simulations.is_none() {
        return Err(ExprError::Other(
            "`shot` divides a number of simulations: give sims as well as time".into(),
        ));
    }
    let own = ShotSettings {
        threads: setup.threads.get(),
        skip_forced: setup.skip_forced(),
    };
    let evaluator = Rollout::with_policy(rollout_policy(setup, settings)?);
    let searcher = Known::new(setup.game.determinizer(), Shot::with(own, evaluator));
    Ok(searching(searcher, setup))
}

fn rollout_improvement<P: Plugin>(
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
) -> Result<Box<dyn Agent<P>>, ExprError> {
    let first: SharedPolicy<P> = match setup.game.agents().first() {
        Some((name, _)) => setup.named(&Expr::word(*name))?,
        None => Arc::new(UniformRandom),
    };
    let base = setup.policy(settings, "base")?.unwrap_or(first);
    let (own_only, own) = rollout_settings(settings, setup.threads.get())?;
    let (max_turns, evaluator) = horizon(setup, settings)?;
    let own = RolloutSettings { max_turns, ..own };
    let base = improved(setup, settings, base, max_turns, evaluator.as_ref())?;
    let opponents = setup
        .policy(settings, "opponents")?
        .unwrap_or_else(|| Arc::clone(&base));
    let determinizer = worlds(setup, settings)?;
    let mut searcher = RolloutImprovement::new(own, determinizer, base, Arc::clone(&opponents));
    searcher.evaluator = evaluator;
    searcher.proposers = if own_only {
        vec![Box::new(PickOf(opponents))]
    } else {
        vec![Box::new(AllLegal)]
    };
    let mut budget = setup.budget.clone();
    // The samples say how much is done; simulations only where they were asked for.
    budget.simulations = setup.simulations;
    Ok(Box::new(SearchAgent { searcher, budget }))
}

/// What does not depend on the game, and whether only what the policies would play is compared.
fn rollout_settings(
    settings: &mut Settings<'_>,
    threads: usize,
) -> Result<(bool, RolloutSettings), ExprError> {
    let default = RolloutSettings::default();
    let samples = within(settings, "samples", MOST_SIMULATIONS)?.unwrap_or(default.samples);
    let (own_only, most_candidates) = candidates(settings)?;
    let own = RolloutSettings {
        samples,
        gate: non_negative(settings, "gate", default.gate)?,
        most_candidates,
        stop: paired_stop(settings)?,
        numbers: common_numbers(settings)?,
        threads,
        ..default
    };
    Ok((own_only, own))
}

/// Whether only what the policies would play is compared, and how many at most.
fn candidates(settings: &mut Settings<'_>) -> Result<(bool, Option<usize>), ExprError> {
    let given = settings.expr("candidates");
    let text = given.map_or("all", |e| e.name.as_str());
    match (text, text.parse::<usize>()) {
        ("all", _) => Ok((false, None)),
        ("own", _) => Ok((true, None)),
        (_, Ok(n)) if n >= 2 => Ok((false, Some(n))),
        _ => {
            let given = given.cloned().unwrap_or_else(|| Expr::word(text));
            let expected = "expected all, own, or a number from 2 up";
            Err(settings.bad("candidates", &given, expected.into()))
        }
    }
}

fn paired_stop(settings: &mut Settings<'_>) -> Result<Option<PairedStop>, ExprError> {
    if settings.choice("stop", &["none", "paired"])? == "none" {
        let advice = "nothing drops out without stop=paired: leave it out";
        return idle(settings, &["z", "first_look"], advice).map(|()| None);
    }
    let default = PairedStop::default();
    let first_look = within(settings, "first_look", MOST_SIMULATIONS)?;
    if first_look == Some(1) {
        let expected = "expected at least 2: one world has no standard error";
        return Err(settings.bad("first_look", &Expr::word("1"), expected.into()));
    }
    Ok(Some(PairedStop {
        z: non_negative(settings, "z", default.z)?,
        first_look: first_look.unwrap_or(default.first_look),
    }))
}

/// Where rollouts stop, and what values them there.
type Horizon<P> = (Option<u32>, Option<Arc<dyn Evaluator<P>>>);

fn horizon<P: Plugin>(
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
) -> Result<Horizon<P>, ExprError> {
    let Some(turns) = settings.optional::<u32>("turns")? else {
        let advice =
            "only rollouts that stop before the end are valued: give turns, or leave it out";
        return idle(settings, &["value"], advice).map(|()| (None, None));
    };
    let given = settings.expr("value").cloned();
    let word = settings.choice("value", &["evaluation", "cut-off"])?;
    let evaluator = setup.game.depth_first().map(|game| game.evaluator);
    match (word, evaluator, given) {
        ("evaluation", None, Some(given)) => {
            let reason = format!(
                "{} gives no evaluation of positions: leave it out, or write cut-off",
                P::NAME
            );
            Err(settings.bad("value", &given, reason))
        }
        ("evaluation", evaluator, _) => Ok((Some(turns), evaluator)),
        _ => Ok((Some(turns), None)),
    }
}

/// The base policy of the level that is asked for.
fn improved<P: Plugin>(
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
    base: SharedPolicy<P>,
    max_turns: Option<u32>,
    evaluator: Option<&Arc<dyn Evaluator<P>>>,
) -> Result<SharedPolicy<P>, ExprError> {
    let level = within(settings, "level", 4)?.unwrap_or(1) as u32;
    if level == 1 {
        let advice = "there are no inner searches on level 1: give level, or leave it out";
        idle(settings, &["inner"], advice)?;
        return Ok(base);
    }
    let inner = RolloutSettings {
        samples: within(settings, "inner", MOST_SIMULATIONS)?.unwrap_or(4),
        max_turns,
        ..RolloutSettings::default()
    };
    let plain = Worlds::Plain(setup.game.determinizer());
    nested(level, inner, &plain, evaluator, base)
        .map_err(|error| ExprError::Other(error.to_string()))
}
