//! What a choice is worth on seeds that had no part in it.

use search_core::expr::Expr;
use serde::Serialize;

use super::Study;
use super::effect::{Effect, effect};
use super::evaluate::Evaluator;
use super::log::HeldOutUse;
use crate::error::{Error, Result};
use crate::experiment::seeds::SeedRange;
use crate::experiment::summary::Difference;

/// One game of the held-out run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cell {
    /// The game.
    pub game: String,
    /// The chosen agent's score minus the opponent's.
    pub chosen: Difference,
    /// The unchanged agent's.
    pub unchanged: Difference,
    /// The chosen agent's score minus the unchanged agent's.
    pub effect: Effect,
    /// Whether the figures say something about the agents.
    pub interpretable: bool,
}

/// The held-out run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HeldOut {
    /// The seeds.
    pub seeds: String,
    /// The agent that was chosen.
    pub chosen: String,
    /// One cell a game.
    pub cells: Vec<Cell>,
    /// What the tuning seeds said of the same change.
    pub on_tuning: Option<f64>,
    /// By how much that was too good, in the study's own game: tuning minus held-out.
    pub shrinkage: Option<f64>,
}

/// Refuses held-out seeds that are tuning seeds too.
///
/// # Errors
/// Naming the seeds that are both.
pub fn disjoint(tuning: &SeedRange, held_out: &SeedRange) -> Result<()> {
    let (t, h) = (tuning.seeds(), held_out.seeds());
    let (start, end) = (t.start.max(h.start), t.end.min(h.end));
    if start < end {
        return Err(Error::input(format!(
            "tuning seeds {tuning} and held-out seeds {held_out} share {start}..{end}: what was tuned on \
             a seed says nothing on it; choose ranges that do not overlap"
        )));
    }
    Ok(())
}

/// Plays the chosen and the unchanged agent on the held-out seeds, in every cell.
///
/// # Errors
/// When the seeds were used for another choice, or playing fails.
pub fn hold_out(
    study: &Study<'_>,
    seeds: &SeedRange,
    chosen: &Expr,
    on_tuning: Option<Effect>,
    evaluator: &mut Evaluator<'_>,
) -> Result<HeldOut> {
    let own = [study.game];
    let games = if study.cells.is_empty() {
        &own[..]
    } else {
        &study.cells
    };
    evaluator.log.use_held_out(HeldOutUse {
        seeds: seeds.to_string(),
        games: games.iter().map(|g| g.facts().game.clone()).collect(),
        agent: chosen.to_string(),
        base: study.agent.to_string(),
        against: evaluator.against.to_string(),
    })?;
    let mut cells = Vec::new();
    for game in games {
        let new = evaluator.evaluate(*game, chosen, seeds)?;
        let old = evaluator.evaluate(*game, &study.agent, seeds)?;
        cells.push(Cell {
            game: game.facts().game.clone(),
            effect: effect(&new.per_seed, &old.per_seed, evaluator.level),
            interpretable: new.interpretable && old.interpretable,
            chosen: new.difference,
            unchanged: old.difference,
        });
    }
    let on_tuning = on_tuning.map(|e| e.mean);
    let own = study.game.facts();
    let here = cells.iter().find(|c| c.game == own.game);
    let shrinkage = on_tuning.zip(here).map(|(t, cell)| t - cell.effect.mean);
    Ok(HeldOut {
        seeds: seeds.to_string(),
        chosen: chosen.to_string(),
        cells,
        on_tuning,
        shrinkage,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_may_not_overlap() {
        let range = |text: &str| text.parse::<SeedRange>().unwrap();
        assert!(disjoint(&range("0..64"), &range("64..128")).is_ok());
        assert!(disjoint(&range("100..200"), &range("0..100")).is_ok());
        let error = disjoint(&range("0..64"), &range("60..128")).unwrap_err();
        assert!(error.to_string().contains("60..64"), "{error}");
    }
}
