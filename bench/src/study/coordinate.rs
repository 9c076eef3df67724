//! Coordinate descent: one setting at a time, every value on all tuning seeds, until a whole sweep
//! over the settings moves nothing.
//!
//! An axis without values tries 0, half and double of the present value, and goes on from there.

use search_core::expr::Expr;

use super::Study;
use super::axis::{self, Axis};
use super::effect::{Effect, effect};
use super::evaluate::Evaluator;
use super::tune::{Accept, Fate, Found, Plan, Spent, Trial, axes_with_present};
use crate::error::Result;
use crate::experiment::summary::Summary;

/// Where the descent is.
struct Descent<'a, 's> {
    study: &'a Study<'a>,
    plan: &'a Plan,
    spent: &'s mut Spent,
    agent: Expr,
    summary: Summary,
    trials: Vec<Trial>,
}

/// Descends from the agent as it is.
pub(super) fn search(
    study: &Study<'_>,
    plan: &Plan,
    spent: &mut Spent,
    evaluator: &mut Evaluator<'_>,
) -> Result<Found> {
    let mut axes = axes_with_present(study)?;
    for (axis, present) in &axes {
        // An axis that cannot be moved is said at once, not in the middle of the night.
        axis.clone().filled(present.as_ref())?;
    }
    let mut descent = Descent {
        study,
        plan,
        spent,
        agent: study.agent.clone(),
        summary: evaluator.evaluate(study.game, &study.agent, &study.tuning)?,
        trials: Vec::new(),
    };
    let ended = loop {
        let mut moved = false;
        let mut exhausted = false;
        for (axis, present) in &mut axes {
            match descent.along(axis, present, evaluator)? {
                Along::Moved => moved = true,
                Along::Stayed => {}
                Along::Exhausted => {
                    exhausted = true;
                    break;
                }
            }
        }
        match (exhausted, moved) {
            (true, _) => break "the evaluations were used up",
            (false, false) => break "a whole sweep over the settings moved nothing",
            (false, true) => {}
        }
    };
    Ok(Found {
        agent: descent.agent,
        trials: descent.trials,
        ended,
    })
}

enum Along {
    Moved,
    Stayed,
    Exhausted,
}

/// Values to try from where an axis is.
fn candidates(axis: &Axis, present: Option<&Expr>) -> Vec<Expr> {
    let present_number = present.and_then(axis::number);
    let is_present = |value: &Expr| {
        Some(value) == present || axis::number(value).is_some_and(|n| Some(n) == present_number)
    };
    let mut values = match (axis.values.is_empty(), present_number) {
        (false, _) => axis.values.clone(),
        (true, Some(0.0)) => [0.1, 0.5, 1.0].map(axis::value).to_vec(),
        (true, Some(n)) => [0.0, 0.5 * n, 2.0 * n].map(axis::value).to_vec(),
        (true, None) => Vec::new(),
    };
    values.retain(|value| !is_present(value));
    values
}

impl Descent<'_, '_> {
    /// Tries the values of one axis and moves to the best that is accepted.
    fn along(
        &mut self,
        axis: &Axis,
        present: &mut Option<Expr>,
        evaluator: &mut Evaluator<'_>,
    ) -> Result<Along> {
        let mut best: Option<(usize, Expr, Expr, Summary)> = None;
        let mut exhausted = false;
        for value in candidates(axis, present.as_ref()) {
            let agent = axis::with(&self.agent, &axis.key, &value)?;
            let change = format!("{}={value}", axis.key);
            if self.study.game.check_agent(&agent).is_err() {
                self.note(change, f64::NAN, None, Fate::Refused);
                continue;
            }
            if self.spent.evaluations >= self.plan.evaluations as f64 {
                exhausted = true;
                break;
            }
            self.spent.count(&agent);
            let summary = evaluator.evaluate(self.study.game, &agent, &self.study.tuning)?;
            let gained = effect(&summary.per_seed, &self.summary.per_seed, evaluator.level);
            let fate = if summary.interpretable {
                fate(&gained)
            } else {
                Fate::Refused
            };
            let wanted = match self.plan.accept {
                Accept::Interval => gained.is_gain(),
                Accept::Mean => gained.mean > 0.0,
            };
            let score = summary.difference.mean;
            let is_better = best
                .as_ref()
                .is_none_or(|(.., found)| score > found.difference.mean);
            self.note(change, score, Some(gained), fate);
            if wanted && summary.interpretable && is_better {
                best = Some((self.trials.len() - 1, value, agent, summary));
            }
        }
        let Some((trial, value, agent, summary)) = best else {
            return Ok(if exhausted {
                Along::Exhausted
            } else {
                Along::Stayed
            });
        };
        self.trials[trial].fate = Fate::Accepted;
        *present = Some(value);
        (self.agent, self.summary) = (agent, summary);
        Ok(if exhausted {
            Along::Exhausted
        } else {
            Along::Moved
        })
    }

    fn note(&mut self, change: String, score: f64, effect: Option<Effect>, fate: Fate) {
        self.trials.push(Trial {
            evaluation: self.spent.evaluations as u64,
            change,
            score,
            effect,
            fate,
        });
    }
}

/// What is said of a value that is not taken.
fn fate(gained: &Effect) -> Fate {
    if gained.seeds_that_differ == 0 {
        Fate::Alike
    } else if gained.high.is_some_and(|high| high < 0.0) {
        Fate::Rejected
    } else {
        Fate::Undecided
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_axis_halves_and_doubles() {
        let axis: Axis = "w".parse().unwrap();
        let texts = |present: &str| {
            let present: Expr = present.parse().unwrap();
            let found = candidates(&axis, Some(&present));
            found.iter().map(Expr::to_string).collect::<Vec<_>>()
        };
        assert_eq!(texts("0.6"), ["0", "0.3", "1.2"]);
        assert_eq!(texts("0"), ["0.1", "0.5", "1"]);
        let fixed: Axis = "w=0,0.60,1".parse().unwrap();
        let present: Expr = "0.6".parse().unwrap();
        assert_eq!(candidates(&fixed, Some(&present)).len(), 2);
    }
}
