//! Evaluators of the rows about sequential statistics.

use serde::Deserialize;
use serde_json::{Value, json};

use super::super::betting::Betting;
use super::super::confidence_sequence::EmpiricalBernstein;
use super::super::interval::Interval;
use super::super::moments::Moments;
use super::super::normal_mixture::NormalMixture;
use super::super::pentanomial::{EloModel, elo_llr};
use super::super::sequential::{empirical_llr, normal_llr, normal_profile_llr, wald_bounds};
use super::kinds::{Evaluate, read, reject};

pub(super) const EVALUATORS: &[(&str, Evaluate)] = &[
    ("statistics/betting_wealth", betting_wealth),
    ("statistics/confseq_betting", confseq_betting),
    ("statistics/confseq_eb", confseq_eb),
    ("statistics/gsprt", gsprt),
    ("statistics/normal_mixture", normal_mixture),
    ("statistics/sprt_bounds", sprt_bounds),
    ("statistics/sprt_llr", sprt_llr),
];

/// The looks that rows of this length are read at: their `expect` says which, and they are all of
/// the same series, the last at the end.
fn looks(length: usize) -> impl Iterator<Item = usize> {
    [1, 5, 10, 30]
        .into_iter()
        .filter(move |n| *n < length)
        .chain([length])
}

/// The ends of a sequence at its looks.
fn ends_at_looks(
    x: &[f64],
    mut push: impl FnMut(f64) -> Result<Interval, String>,
) -> Result<Vec<Value>, String> {
    let mut ends = Vec::with_capacity(x.len());
    for value in x {
        ends.push(push(*value)?);
    }
    let at: Vec<usize> = looks(x.len()).collect();
    let low: Vec<f64> = at.iter().map(|n| ends[n - 1].low).collect();
    let high: Vec<f64> = at.iter().map(|n| ends[n - 1].high).collect();
    Ok(vec![json!({"at": at, "lower": low, "upper": high})])
}

#[derive(Deserialize)]
struct Bernstein {
    x: Vec<f64>,
    alpha: f64,
    truncation: f64,
    running_intersection: bool,
}

fn confseq_eb(input: &Value) -> Result<Vec<Value>, String> {
    let row: Bernstein = read(input)?;
    require("running_intersection", row.running_intersection)?;
    let mut sequence = EmpiricalBernstein::new(row.alpha, row.truncation).map_err(reject)?;
    ends_at_looks(&row.x, |x| {
        sequence.push(x).map_err(reject)?;
        Ok(sequence.interval())
    })
}

#[derive(Deserialize)]
struct Hedged {
    x: Vec<f64>,
    alpha: f64,
    theta: f64,
    trunc_scale: f64,
    #[serde(default)]
    m: f64,
}

impl Hedged {
    /// Half the wealth on each side, half of it at stake: no other form is built.
    fn sequence(&self) -> Result<Betting, String> {
        require(
            "theta and trunc_scale of 1/2",
            [self.theta, self.trunc_scale] == [0.5; 2],
        )?;
        Betting::new(self.alpha).map_err(reject)
    }
}

fn confseq_betting(input: &Value) -> Result<Vec<Value>, String> {
    let row: Hedged = read(input)?;
    let mut sequence = row.sequence()?;
    ends_at_looks(&row.x, |x| {
        sequence.push(x).map_err(reject)?;
        Ok(sequence.interval())
    })
}

fn betting_wealth(input: &Value) -> Result<Vec<Value>, String> {
    let row: Hedged = read(input)?;
    let mut sequence = row.sequence()?;
    let mut wealth = Vec::with_capacity(row.x.len());
    for x in &row.x {
        sequence.push(*x).map_err(reject)?;
        wealth.push(sequence.log_wealth(row.m));
    }
    let at: Vec<usize> = looks(row.x.len()).collect();
    let wealth: Vec<f64> = at.iter().map(|n| wealth[n - 1]).collect();
    Ok(vec![json!({"at": at, "log_wealth": wealth})])
}

#[derive(Deserialize)]
struct Mixture {
    v: f64,
    alpha: f64,
    v_opt: f64,
    alpha_opt: f64,
    two_sided: bool,
}

fn normal_mixture(input: &Value) -> Result<Vec<Value>, String> {
    let row: Mixture = read(input)?;
    require("two_sided", row.two_sided)?;
    let mixture = NormalMixture::tight_at(row.v_opt, row.alpha_opt).map_err(reject)?;
    let boundary = mixture.boundary(row.v, row.alpha).map_err(reject)?;
    Ok(vec![json!({"boundary": boundary})])
}

#[derive(Deserialize)]
struct Errors {
    alpha: f64,
    beta: f64,
}

fn sprt_bounds(input: &Value) -> Result<Vec<Value>, String> {
    let row: Errors = read(input)?;
    let bounds = wald_bounds(row.alpha, row.beta).map_err(reject)?;
    Ok(vec![json!({"lower": bounds.lower, "upper": bounds.upper})])
}

fn five_percent() -> f64 {
    0.05
}

#[derive(Deserialize)]
struct Lattice {
    counts_low_to_high: Vec<f64>,
    elo0: f64,
    elo1: f64,
    model: String,
    zero_regularization: f64,
    #[serde(default = "five_percent")]
    alpha: f64,
    #[serde(default = "five_percent")]
    beta: f64,
}

fn sprt_llr(input: &Value) -> Result<Vec<Value>, String> {
    let row: Lattice = read(input)?;
    let model = match row.model.as_str() {
        "normalized" => EloModel::Normalized,
        "logistic" => EloModel::Logistic,
        other => return Err(format!("model {other} is not built")),
    };
    let counts = &row.counts_low_to_high;
    let llr = elo_llr(counts, row.elo0, row.elo1, model, row.zero_regularization);
    let llr = llr.map_err(reject)?;
    let bounds = wald_bounds(row.alpha, row.beta).map_err(reject)?;
    Ok(vec![
        json!({"llr": llr, "lower": bounds.lower, "upper": bounds.upper}),
    ])
}

#[derive(Deserialize)]
struct Margins {
    x: Vec<f64>,
    mu0: f64,
    mu1: f64,
}

fn gsprt(input: &Value) -> Result<Vec<Value>, String> {
    let Margins { x, mu0, mu1 } = read(input)?;
    let moments = Moments::of(&x).map_err(reject)?;
    Ok(vec![json!({
        "n": moments.count(), "mean": moments.mean(), "var_pop": moments.population_variance(),
        "llr_empirical_likelihood": empirical_llr(&x, mu0, mu1).map_err(reject)?,
        "llr_normal_known_var": normal_llr(&x, mu0, mu1).map_err(reject)?,
        "llr_normal_profile_var": normal_profile_llr(&x, mu0, mu1).map_err(reject)?,
    })])
}

/// Refuses a row that asks for a form that is not built.
fn require(what: &str, holds: bool) -> Result<(), String> {
    if holds {
        Ok(())
    } else {
        Err(format!("only rows with {what} can be computed"))
    }
}
