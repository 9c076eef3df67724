//! What a comparison that was watched reports beside its fixed-n figures.

use serde::Serialize;
use serde_json::Value;

use super::digest::digest;
use super::stop::StopRule;
use super::summary::Summary;
use super::watch::Watch;
use crate::statistics::confidence_sequence::AnyTimeInterval;
use crate::statistics::sequential::Decision;

/// How a t interval is called when the data decided where to stop.
pub const NOT_AFTER_A_STOP: &str = "t over seeds; not valid after a data-dependent stop";

/// An interval of the difference that is valid at any time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AnyTime {
    /// The lower end; none when the looks contradict each other.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// It covers the difference at all looks together with this probability.
    pub level: f64,
    /// How it was made.
    pub method: &'static str,
    /// The range of the block scores, known beforehand.
    pub range: [f64; 2],
    /// Whether that range was declared for this run; else it follows from the rules of the game.
    pub declared: bool,
    /// Looks: one after every seed.
    pub looks: u64,
    /// Block scores outside the range, which counted as its nearer end.
    pub clipped: u64,
}

/// The sequential test of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sequential {
    /// The difference under H0.
    pub h0: f64,
    /// The difference under H1.
    pub h1: f64,
    /// The nominal probability of accepting H1 under H0.
    pub alpha: f64,
    /// The nominal probability of accepting H0 under H1.
    pub beta: f64,
    /// The logarithm of the likelihood ratio; none while a hypothesis lies outside the data.
    pub llr: Option<f64>,
    /// At or below it H0 is accepted.
    pub lower: f64,
    /// At or above it H1 is accepted.
    pub upper: f64,
    /// What was accepted; none when the seeds were used up before.
    pub decision: Option<Decision>,
    /// Seeds until then.
    pub seeds_used: u64,
}

impl AnyTime {
    fn of(sequence: &AnyTimeInterval, level: f64, declared: bool) -> Self {
        let range = sequence.range();
        // A score outside what the rules promise refutes the promise.
        let trusted = declared || sequence.clipped() == 0;
        let interval = sequence.interval().filter(|_| trusted);
        Self {
            low: interval.map(|i| i.low),
            high: interval.map(|i| i.high),
            level,
            method: AnyTimeInterval::METHOD,
            range: [range.low(), range.high()],
            declared,
            looks: sequence.looks(),
            clipped: sequence.clipped(),
        }
    }
}

/// Adds what the watch knows to the summary of the blocks that it took, and takes the fixed-n
/// intervals back where a rule read the data. `declared` says that the range was given for this run.
#[must_use]
pub fn watched(mut summary: Summary, watch: &Watch, declared: bool) -> Summary {
    let level = summary.difference.level;
    summary.any_time = watch.any_time().map(|s| AnyTime::of(s, level, declared));
    summary.sequential = watch.test().map(|test| {
        let (h, bounds) = (test.hypotheses(), test.hypotheses().bounds());
        Sequential {
            h0: h.h0(),
            h1: h.h1(),
            alpha: h.alpha(),
            beta: h.beta(),
            llr: test.llr(),
            lower: bounds.lower,
            upper: bounds.upper,
            decision: test.decision(),
            seeds_used: watch.seeds(),
        }
    });
    summary.stop = watch.rule().map(|rule| rule.to_string());
    if watch.rule().is_some() {
        let directions = summary.directions.iter_mut().map(|d| &mut d.difference);
        for difference in std::iter::once(&mut summary.difference).chain(directions) {
            if difference.low.is_some() {
                difference.method = NOT_AFTER_A_STOP;
            }
        }
    }
    if let Some(clipped) = summary.any_time.as_ref().and_then(clipping) {
        summary.warnings.push(clipped);
    }
    if watch.rule() == Some(StopRule::Interval)
        && summary.any_time.as_ref().is_none_or(|a| a.low.is_none())
    {
        summary.interpretable = false;
    }
    summary.digest = String::new();
    let object = serde_json::to_value(&summary).unwrap_or(Value::Null);
    summary.digest = digest(&object);
    summary
}

fn clipping(any_time: &AnyTime) -> Option<String> {
    let [low, high] = any_time.range;
    let AnyTime { clipped, looks, .. } = any_time;
    if any_time.low.is_none() && (any_time.declared || *clipped == 0) {
        return Some(
            "the any-time intervals of different looks contradict each other: the difference \
             drifted, or an event rarer than one in twenty happened"
                .into(),
        );
    }
    match (clipped, any_time.declared) {
        (0, _) => None,
        (_, true) => Some(format!(
            "{clipped} of {looks} block scores lie outside the declared range {low}..{high} and \
             count as its nearer end: the any-time interval is one of the clipped scores"
        )),
        (_, false) => Some(format!(
            "{clipped} of {looks} block scores lie outside {low}..{high}, which the rules of the \
             game promise as bounds: there is no any-time interval"
        )),
    }
}
