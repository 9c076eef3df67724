//! Studies of one agent's settings, for any game: ablation and sweeps ([`grid`]), tuning
//! ([`tune`]), and what a choice is worth on seeds that had no part in it ([`held_out`]).
//!
//! Every variant plays the same seeds against the same opponent; the effect of a change is paired
//! over seeds ([`mod@effect`]). What was chosen because it came out best is worth less than it seems:
//! tuning and held-out seeds may not overlap, and the held-out seeds are used for one choice only,
//! which the log of the study remembers ([`log`]).

pub mod axis;
pub mod coordinate;
pub mod effect;
pub mod evaluate;
pub mod file;
pub mod grid;
pub mod held_out;
pub mod log;
pub mod ntbea;
pub mod tune;

use std::collections::BTreeMap;

use search_core::expr::Expr;
use serde::Serialize;

use crate::error::Result;
use crate::experiment::seeds::SeedRange;
use crate::experiment::summary::{Difference, Fallbacks, Summary};
use crate::game::OpenGame;
use effect::Effect;

/// What is studied.
pub struct Study<'a> {
    /// The game.
    pub game: &'a dyn OpenGame,
    /// Games of which the held-out seeds are played too, each a cell of its own; the study's own
    /// game where there is none.
    pub cells: Vec<&'a dyn OpenGame>,
    /// The agent as it is.
    pub agent: Expr,
    /// What is varied.
    pub axes: Vec<axis::Axis>,
    /// The seeds that choices are made on.
    pub tuning: SeedRange,
    /// The seeds that only a final choice sees.
    pub held_out: Option<SeedRange>,
}

/// The present value of each setting of an agent: as written, or the default.
///
/// # Errors
/// When the agent cannot be used.
pub fn present_values(
    game: &dyn OpenGame,
    agent: &Expr,
) -> Result<impl Fn(&str) -> Option<Expr> + use<>> {
    let parameters = game.parameters(agent)?;
    let agent = agent.clone();
    Ok(move |key: &str| {
        let given = axis::given(&agent, key).cloned();
        given.or_else(|| {
            let parameter = parameters.iter().find(|p| p.key == key)?;
            parameter.value.clone().map(Expr::word)
        })
    })
}

/// An agent with changed settings, and how it did on the tuning seeds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The settings that were changed, with their values.
    pub values: BTreeMap<String, String>,
    /// The whole agent.
    pub agent: String,
    /// Its score minus the opponent's.
    pub score: Difference,
    /// Its score minus the unchanged agent's; none for that one itself.
    pub effect: Option<Effect>,
    /// Its auxiliary metrics.
    pub metrics: BTreeMap<String, f64>,
    /// Decisions that were not its own.
    pub fallbacks: Fallbacks,
    /// Whether the figures say something about the agents.
    pub interpretable: bool,
    /// Whether the same command gives the same bits again.
    pub deterministic: bool,
}

impl Row {
    fn new(values: BTreeMap<String, String>, summary: &Summary, base: Option<&Summary>) -> Self {
        let level = summary.difference.level;
        let effect = base.map(|base| effect::effect(&summary.per_seed, &base.per_seed, level));
        Self {
            values,
            agent: summary.a.clone(),
            score: summary.difference.clone(),
            effect,
            metrics: summary.arms.a.metrics.clone(),
            fallbacks: summary.arms.a.fallbacks.clone(),
            interpretable: summary.interpretable,
            deterministic: summary.deterministic,
        }
    }

    /// The mean effect, minus infinity where there is nothing to go by.
    fn gain(&self) -> f64 {
        let mean = self.effect.as_ref().map_or(0.0, |e| e.mean);
        if self.interpretable && mean.is_finite() {
            mean
        } else {
            f64::NEG_INFINITY
        }
    }
}

#[cfg(test)]
mod tests;
