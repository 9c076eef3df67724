//! Tuning: a better setting found on the tuning seeds, and held against the seeds held out.

use std::collections::HashSet;
use std::str::FromStr;

use search_core::expr::Expr;
use serde::Serialize;

use super::axis::{self, Axis};
use super::effect::Effect;
use super::evaluate::{Evaluator, Progress};
use super::held_out::{HeldOut, hold_out};
use super::{Row, Study, coordinate, ntbea, present_values};
use crate::error::{Error, Result};

/// How a better setting is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// One setting at a time, each value on all tuning seeds ([`coordinate`]).
    Coordinate,
    /// The N-tuple bandit evolutionary algorithm, a few seeds a trial ([`ntbea`]).
    Ntbea,
}

impl FromStr for Method {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "coordinate" => Ok(Self::Coordinate),
            "ntbea" => Ok(Self::Ntbea),
            _ => Err(format!("`{text}` is no method; coordinate or ntbea")),
        }
    }
}

/// When a step of the coordinate descent is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Accept {
    /// When the interval of its effect is above 0.
    Interval,
    /// When its mean effect is above 0: follows luck too, and finds more.
    Mean,
}

impl FromStr for Accept {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "interval" => Ok(Self::Interval),
            "mean" => Ok(Self::Mean),
            _ => Err(format!("`{text}` accepts nothing; interval or mean")),
        }
    }
}

/// How long and how to tune.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Plan {
    /// How.
    pub method: Method,
    /// How often an agent may play all tuning seeds, the unchanged one included.
    pub evaluations: u64,
    /// When a step is taken.
    pub accept: Accept,
    /// Seeds of one trial of the bandit.
    pub trial_seeds: usize,
    /// Seed of the bandit's random numbers.
    pub seed: u64,
}

/// What became of one thing tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It is the agent from here on.
    Accepted,
    /// It is worse.
    Rejected,
    /// It cannot be told from the agent so far, or another value was better.
    Undecided,
    /// It scores the same on every seed.
    Alike,
    /// The agent refuses it, or its figures are withheld.
    Refused,
}

/// One thing that was tried.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trial {
    /// The evaluation, from 1.
    pub evaluation: u64,
    /// What was changed, `c=0.5`.
    pub change: String,
    /// Its score minus the opponent's.
    pub score: f64,
    /// Its score minus that of the agent so far.
    pub effect: Option<Effect>,
    /// What became of it.
    pub fate: Fate,
}

/// What a search for better settings found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The agent.
    pub agent: Expr,
    /// What was tried.
    pub trials: Vec<Trial>,
    /// Why it ended.
    pub ended: &'static str,
}

/// What tuning says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TuneReport {
    /// The game.
    pub game: String,
    /// The opponent.
    pub against: String,
    /// The unit of the score.
    pub unit: String,
    /// The tuning seeds.
    pub tuning: String,
    /// How it was tuned.
    pub plan: Plan,
    /// The agent as it was.
    pub base: Row,
    /// The agent that was found, with its effect on the tuning seeds.
    pub best: Row,
    /// How often an agent played all tuning seeds.
    pub evaluations: f64,
    /// Why the search ended.
    pub ended: &'static str,
    /// Everything that was tried.
    pub trials: Vec<Trial>,
    /// Both on the held-out seeds.
    pub held_out: Option<HeldOut>,
    /// What a careful reader would object to.
    pub warnings: Vec<String>,
}

/// Counts evaluations, each agent once.
#[derive(Debug, Default)]
pub(super) struct Spent {
    seen: HashSet<String>,
    pub(super) evaluations: f64,
}

impl Spent {
    /// Counts an agent; whether it is a new one.
    pub(super) fn count(&mut self, agent: &Expr) -> bool {
        let is_new = self.seen.insert(agent.to_string());
        self.evaluations += f64::from(u8::from(is_new));
        is_new
    }
}

/// Looks for better settings on the tuning seeds, and plays what was found on the held-out seeds.
///
/// # Errors
/// When the agent or a setting cannot be used, or playing fails.
pub fn run(study: &Study<'_>, plan: &Plan, evaluator: &mut Evaluator<'_>) -> Result<TuneReport> {
    if study.axes.is_empty() {
        return Err(Error::input("nothing to tune: name settings with --keys"));
    }
    if plan.evaluations < 2 {
        return Err(Error::input(
            "at least 2 evaluations: the agent as it is, and another",
        ));
    }
    let base = evaluator.evaluate(study.game, &study.agent, &study.tuning)?;
    let mut spent = Spent::default();
    spent.count(&study.agent);
    let found = match plan.method {
        Method::Coordinate => coordinate::search(study, plan, &mut spent, evaluator)?,
        Method::Ntbea => ntbea::search(study, plan, &mut spent, evaluator)?,
    };
    let best = evaluator.evaluate(study.game, &found.agent, &study.tuning)?;
    let values = study.axes.iter().filter_map(|axis| {
        let value = axis::given(&found.agent, &axis.key)?;
        let changed = axis::given(&study.agent, &axis.key) != Some(value);
        changed.then(|| (axis.key.clone(), value.to_string()))
    });
    let best = Row::new(values.collect(), &best, Some(&base));
    let held_out = match &study.held_out {
        Some(seeds) if found.agent != study.agent => {
            let effect = best.effect.clone();
            Some(hold_out(study, seeds, &found.agent, effect, evaluator)?)
        }
        Some(_) => {
            (evaluator.watch)(Progress::Note(
                "nothing better was found: the held-out seeds were not used",
            ));
            None
        }
        None => None,
    };
    let facts = study.game.facts();
    Ok(TuneReport {
        game: facts.game.clone(),
        against: evaluator.against.to_string(),
        unit: facts.unit.clone(),
        tuning: study.tuning.to_string(),
        plan: *plan,
        warnings: warnings(study, base.interpretable, &best, evaluator),
        base: Row::new(std::collections::BTreeMap::new(), &base, None),
        best,
        evaluations: spent.evaluations,
        ended: found.ended,
        trials: found.trials,
        held_out,
    })
}

fn warnings(
    study: &Study<'_>,
    interpretable: bool,
    best: &Row,
    evaluator: &Evaluator<'_>,
) -> Vec<String> {
    let mut warnings = Vec::new();
    let unchanged = study.agent.to_string();
    if !interpretable || !best.interpretable {
        warnings.push("figures are withheld: a substitute decided too often".into());
    }
    match &study.held_out {
        None if best.agent == unchanged => {}
        None => warnings.push(
            "the gain on tuning seeds is too good: it was chosen there. Give --held-out for a claim"
                .into(),
        ),
        Some(_) if !evaluator.log.is_kept() => warnings.push(
            "that the held-out seeds were used is remembered nowhere: give --out or a --study".into(),
        ),
        Some(_) => {}
    }
    warnings
}

/// The axes, each with the present value of its setting.
pub(super) fn axes_with_present(study: &Study<'_>) -> Result<Vec<(Axis, Option<Expr>)>> {
    let present = present_values(study.game, &study.agent)?;
    let each = study.axes.iter().map(|axis| {
        let value = present(&axis.key);
        (axis.clone(), value)
    });
    Ok(each.collect())
}
