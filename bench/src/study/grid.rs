//! Ablation and sweeps: every variant of a list on the same seeds.

use std::collections::BTreeMap;

use search_core::expr::Expr;
use serde::Serialize;

use super::axis::{self, Axis};
use super::effect::{Effect, adjust_family, effect};
use super::evaluate::{Evaluator, Progress};
use super::held_out::{HeldOut, hold_out};
use super::{Row, Study};
use crate::error::{Error, Result};
use crate::experiment::seeds::SeedRange;
use crate::experiment::summary::Summary;

/// More variants than this are no table.
const MOST_VARIANTS: usize = 1000;

/// An agent to try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// What was changed.
    pub values: BTreeMap<String, String>,
    /// The agent.
    pub agent: Expr,
}

/// A variant that the agent refuses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// What was to be changed.
    pub values: BTreeMap<String, String>,
    /// Why it cannot be.
    pub why: String,
}

/// A jump between 0 and a value too small to weigh much: there the setting decides ties, and is no weight.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Step {
    /// The setting.
    pub key: String,
    /// The small value.
    pub small: f64,
    /// The largest value.
    pub large: f64,
    /// The score at 0 minus the score at the small value.
    pub jump: Effect,
    /// The score at the small value minus the score at the largest.
    pub rest: Effect,
}

/// What an ablation or a sweep says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GridReport {
    /// `ablate` or `sweep`.
    pub verb: &'static str,
    /// The game.
    pub game: String,
    /// The opponent.
    pub against: String,
    /// The unit of the score.
    pub unit: String,
    /// The tuning seeds.
    pub tuning: String,
    /// The agent as it is.
    pub base: Row,
    /// The variants, in the order given.
    pub rows: Vec<Row>,
    /// Variants that the agent refuses.
    pub skipped: Vec<Skipped>,
    /// Settings that act as tie-breaks.
    pub steps: Vec<Step>,
    /// Effects that are adjusted together.
    pub family: usize,
    /// The best variant on the held-out seeds.
    pub held_out: Option<HeldOut>,
    /// What a careful reader would object to.
    pub warnings: Vec<String>,
}

/// One variant a setting: that setting at 0.
///
/// # Errors
/// When a setting cannot be reached.
pub fn ablations(agent: &Expr, axes: &[Axis]) -> Result<Vec<Variant>> {
    let zero = axis::value(0.0);
    let variant = |axis: &Axis| {
        Ok(Variant {
            values: BTreeMap::from([(axis.key.clone(), zero.to_string())]),
            agent: axis::with(agent, &axis.key, &zero)?,
        })
    };
    axes.iter().map(variant).collect()
}

/// Every combination of values.
///
/// # Errors
/// When there are too many, or a setting cannot be reached.
pub fn combinations(agent: &Expr, axes: &[Axis]) -> Result<Vec<Variant>> {
    let count = axes
        .iter()
        .try_fold(1_usize, |n, axis| n.checked_mul(axis.values.len()))
        .filter(|n| *n <= MOST_VARIANTS);
    if count.is_none() {
        return Err(Error::input(format!(
            "more than {MOST_VARIANTS} combinations: sweep fewer settings at a time, or tune"
        )));
    }
    let start = Variant {
        values: BTreeMap::new(),
        agent: agent.clone(),
    };
    axes.iter().try_fold(vec![start], |variants, axis| {
        let mut longer = Vec::new();
        for variant in &variants {
            for value in &axis.values {
                let mut next = variant.clone();
                next.values.insert(axis.key.clone(), value.to_string());
                next.agent = axis::with(&variant.agent, &axis.key, value)?;
                longer.push(next);
            }
        }
        Ok(longer)
    })
}

/// Plays the unchanged agent and every variant on the tuning seeds, and the best variant on the
/// held-out seeds where there are any.
///
/// # Errors
/// When the unchanged agent or no variant can be used, or playing fails.
pub fn run(
    verb: &'static str,
    study: &Study<'_>,
    variants: Vec<Variant>,
    evaluator: &mut Evaluator<'_>,
) -> Result<GridReport> {
    let (variants, skipped) = usable(study, variants)?;
    let base = evaluator.evaluate(study.game, &study.agent, &study.tuning)?;
    let mut summaries = Vec::new();
    for variant in &variants {
        summaries.push(evaluator.evaluate(study.game, &variant.agent, &study.tuning)?);
    }
    let pairs = variants.iter().zip(&summaries);
    let mut rows: Vec<Row> = pairs
        .map(|(v, s)| Row::new(v.values.clone(), s, Some(&base)))
        .collect();
    adjust_family(rows.iter_mut().filter_map(|row| row.effect.as_mut()));
    let steps = steps(&study.axes, &variants, &summaries, &base);
    let held_out = match &study.held_out {
        Some(seeds) => best_held_out(study, seeds, &variants, &rows, evaluator)?,
        None => None,
    };
    let facts = study.game.facts();
    let family = rows.iter().filter(|row| effect_of(row).is_some()).count();
    Ok(GridReport {
        verb,
        game: facts.game.clone(),
        against: evaluator.against.to_string(),
        unit: facts.unit.clone(),
        tuning: study.tuning.to_string(),
        warnings: warnings(study, &base, &rows, evaluator),
        base: Row::new(BTreeMap::new(), &base, None),
        rows,
        skipped,
        steps,
        family,
        held_out,
    })
}

fn effect_of(row: &Row) -> Option<f64> {
    row.effect.as_ref().and_then(|e| e.p)
}

/// The variants that the agent accepts.
fn usable(study: &Study<'_>, variants: Vec<Variant>) -> Result<(Vec<Variant>, Vec<Skipped>)> {
    let (mut good, mut skipped) = (Vec::new(), Vec::new());
    for variant in variants {
        match study.game.check_agent(&variant.agent) {
            Ok(()) => good.push(variant),
            Err(error) => skipped.push(Skipped {
                values: variant.values,
                why: first_line(&error.to_string()),
            }),
        }
    }
    match (good.is_empty(), skipped.first()) {
        (true, Some(first)) => Err(Error::input(format!(
            "no variant can be used: {}",
            first.why
        ))),
        (true, None) => Err(Error::input("nothing to vary: name a setting with --keys")),
        _ => Ok((good, skipped)),
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().into()
}

fn best_held_out(
    study: &Study<'_>,
    seeds: &SeedRange,
    variants: &[Variant],
    rows: &[Row],
    evaluator: &mut Evaluator<'_>,
) -> Result<Option<HeldOut>> {
    let best = rows
        .iter()
        .zip(variants)
        .filter(|(row, _)| row.gain() > 0.0)
        .reduce(|best, next| {
            if next.0.gain() > best.0.gain() {
                next
            } else {
                best
            }
        });
    let Some((row, variant)) = best else {
        (evaluator.watch)(Progress::Note(
            "nothing came out better than the agent as it is: the held-out seeds were not used",
        ));
        return Ok(None);
    };
    hold_out(study, seeds, &variant.agent, row.effect.clone(), evaluator).map(Some)
}

/// The settings with a step at 0, each looked at with all others as they are.
fn steps(axes: &[Axis], variants: &[Variant], summaries: &[Summary], base: &Summary) -> Vec<Step> {
    axes.iter()
        .filter_map(|axis| {
            let mut points: Vec<(f64, &Summary)> = Vec::new();
            for (variant, summary) in variants.iter().zip(summaries) {
                let alone = variant.values.len() == 1;
                let text = variant.values.get(&axis.key).filter(|_| alone);
                let number = text.and_then(|t| axis::number(&Expr::word(t.clone())));
                points.extend(number.map(|n| (n, summary)));
            }
            step(&axis.key, &points, base.difference.level)
        })
        .collect()
}

/// A step of one setting: from 0 to a value of a tenth of the largest or less the score changes at least
/// ten times as much for its size as from there to the largest, and by a quarter of the whole or more.
fn step(key: &str, points: &[(f64, &Summary)], level: f64) -> Option<Step> {
    let zero = points.iter().find(|(value, _)| *value == 0.0)?;
    let others = || points.iter().filter(|(value, _)| *value != 0.0);
    let small = others().min_by(|a, b| a.0.abs().total_cmp(&b.0.abs()))?;
    let same_sign = |value: f64| value.signum() == small.0.signum();
    let large = others()
        .filter(|(value, _)| same_sign(*value))
        .max_by(|a, b| a.0.abs().total_cmp(&b.0.abs()))?;
    if small.0.abs() > 0.1 * large.0.abs() {
        return None;
    }
    let jump = effect(&zero.1.per_seed, &small.1.per_seed, level);
    let rest = effect(&small.1.per_seed, &large.1.per_seed, level);
    let far = (large.0 - small.0).abs() / small.0.abs();
    let (near, beyond) = (jump.mean.abs(), rest.mean.abs());
    let is_step = jump.excludes_zero() && near * far >= 10.0 * beyond && 3.0 * near >= beyond;
    is_step.then(|| Step {
        key: key.into(),
        small: small.0,
        large: large.0,
        jump,
        rest,
    })
}

fn warnings(
    study: &Study<'_>,
    base: &Summary,
    rows: &[Row],
    evaluator: &Evaluator<'_>,
) -> Vec<String> {
    let mut warnings = Vec::new();
    if !base.interpretable {
        warnings.push("the figures of the unchanged agent are withheld: nothing follows".into());
    }
    for row in rows.iter().filter(|row| !row.interpretable) {
        warnings.push(format!("{}: its figures are withheld", row.agent));
    }
    if study.tuning.len() < 8 {
        let seeds = study.tuning.len();
        warnings.push(format!(
            "only {seeds} tuning seeds: an interval needs 8, better 32"
        ));
    }
    if !base.deterministic {
        warnings.push("an agent is not repeatable (a clock, or threads that race): another run gives other figures".into());
    }
    if study.held_out.is_some() && !evaluator.log.is_kept() {
        warnings.push(
            "that the held-out seeds were used is remembered nowhere: give --out or a --study"
                .into(),
        );
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axes(texts: &[&str]) -> Vec<Axis> {
        texts.iter().map(|t| t.parse().unwrap()).collect()
    }

    #[test]
    fn variants_are_listed_in_order() {
        let agent: Expr = "hard(w=1)".parse().unwrap();
        let grid = combinations(&agent, &axes(&["w=0,2", "v=5,6"])).unwrap();
        let texts: Vec<String> = grid.iter().map(|v| v.agent.to_string()).collect();
        assert_eq!(
            texts,
            [
                "hard(w=0, v=5)",
                "hard(w=0, v=6)",
                "hard(w=2, v=5)",
                "hard(w=2, v=6)"
            ]
        );
        let zeros = ablations(&agent, &axes(&["w", "v"])).unwrap();
        assert_eq!(zeros[1].agent.to_string(), "hard(w=1, v=0)");
        let ten = "w=1,2,3,4,5,6,7,8,9,10";
        let many = axes(&[ten, &ten.replace('w', "v"), &ten.replace('w', "u"), "t=1,2"]);
        assert!(combinations(&agent, &many).is_err());
    }
}
