//! Agents by name, searches over them included, as policies: a part of what the laboratory reads.

use lexio::{Lexio, UniformDeal};
use search_core::budget::Budget;
use search_core::expr::{Expr, Settings};
use search_core::plugin::{Plugin, SharedPolicy};
use search_core::policy::{Observing, Softened};
use search_core::rollout::Rollout;
use search_core::search::{
    FirstPlayUrgency, Mcts, MctsSettings, RolloutImprovement, RolloutSettings, SearchPolicy,
    Selector, TreeSettings,
};
use search_core::tree::Indexed;
use std::sync::Arc;

pub(crate) type Failure = Box<dyn std::error::Error>;

/// The agent of this text: one of the game's own, or `rollout(…)` or `ismcts(…)` over them.
pub(crate) fn policy(game: &Lexio, text: &str) -> Result<SharedPolicy<Lexio>, Failure> {
    of_expr(game, &text.parse()?)
}

fn of_expr(game: &Lexio, expr: &Expr) -> Result<SharedPolicy<Lexio>, Failure> {
    let mut settings = expr.settings();
    let policy = match expr.name.as_str() {
        "rollout" => rollout(game, &mut settings)?,
        "ismcts" => ismcts(game, &mut settings)?,
        name => game
            .agent(name, &mut settings)?
            .ok_or_else(|| format!("{name} is no agent"))?,
    };
    settings.finish()?;
    Ok(policy)
}

fn inner(
    game: &Lexio,
    settings: &mut Settings<'_>,
    key: &'static str,
) -> Result<Option<SharedPolicy<Lexio>>, Failure> {
    settings.expr(key).map(|e| of_expr(game, e)).transpose()
}

fn rollout(game: &Lexio, settings: &mut Settings<'_>) -> Result<SharedPolicy<Lexio>, Failure> {
    let base = inner(game, settings, "base")?.ok_or("rollout needs base")?;
    let opponents = inner(game, settings, "opponents")?.unwrap_or_else(|| Arc::clone(&base));
    let own = RolloutSettings {
        samples: settings.get("samples", 32)?,
        gate: settings.get("gate", 0.0)?,
        most_candidates: settings.optional("candidates")?,
        ..RolloutSettings::default()
    };
    let make = move || RolloutImprovement::new(own, UniformDeal, base.clone(), opponents.clone());
    Ok(Arc::new(SearchPolicy::new(Budget::default(), make)?))
}

fn ismcts(game: &Lexio, settings: &mut Settings<'_>) -> Result<SharedPolicy<Lexio>, Failure> {
    let sims = settings.get("sims", 1000)?;
    let plays = inner(game, settings, "rollout")?.ok_or("ismcts needs rollout")?;
    let prior = inner(game, settings, "prior")?;
    let epsilon = settings.get("prior_eps", 0.25)?;
    let puct = settings.choice("select", &["ucb1", "puct"])? == "puct";
    let own = MctsSettings {
        tree: TreeSettings {
            exploration: settings.get("c", 0.7)?,
            urgency: match puct {
                true => FirstPlayUrgency::ParentMinus(0.0),
                false => FirstPlayUrgency::Infinite,
            },
            ..TreeSettings::default()
        },
        selector: match puct {
            true => Selector::Puct,
            false => Selector::Ucb1,
        },
        expand_after: settings.get("expand", 1)?,
        ..MctsSettings::default()
    };
    let make = move || {
        let evaluator = Rollout::with_policy(Observing(plays.clone()));
        let mut mcts: Mcts<Lexio, _, _> =
            Mcts::with(own, UniformDeal, evaluator, Indexed::default());
        mcts.priors = prior
            .clone()
            .map(|policy| Arc::new(Softened { policy, epsilon }) as _);
        mcts
    };
    Ok(Arc::new(SearchPolicy::new(
        Budget::simulations(sims),
        make,
    )?))
}
