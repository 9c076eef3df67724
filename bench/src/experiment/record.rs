//! The record of a match that `play` writes and `replay` reads: lines of JSON, the head first, then the
//! events, then the result.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::capture::Step;
use super::capture::file::check_schema;
use crate::game::{Event, GameFacts, PlayReport};

/// The version of the format: since 2 every turn has the fingerprint of what was seen before it.
pub const SCHEMA: u32 = 2;

/// The `kind` of the first line.
pub const KIND: &str = "match";

/// The first line: what is played, by whom, with which seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// Always `match`.
    pub kind: String,
    /// The version of the format.
    pub schema: u32,
    /// The version of the program.
    pub version: String,
    /// The game as an expression.
    pub game: String,
    /// Every option, defaults included.
    pub options: Value,
    /// Players.
    pub players: usize,
    /// Rounds of a match.
    pub rounds: u32,
    /// The unit of the score.
    pub unit: String,
    /// Auxiliary metrics.
    pub metrics: Vec<String>,
    /// Whether everybody sees every action and chance outcome as it happens.
    pub public_actions: bool,
    /// The agents in the order of the seats.
    pub agents: Vec<String>,
    /// The seed.
    pub seed: u64,
}

impl Head {
    /// The head of a match.
    #[must_use]
    pub fn new(facts: &GameFacts, agents: Vec<String>, seed: u64) -> Self {
        let facts = facts.clone();
        Self {
            kind: KIND.into(),
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION").into(),
            game: facts.game,
            options: facts.options,
            players: facts.players,
            rounds: facts.rounds,
            unit: facts.unit,
            metrics: facts.metrics,
            public_actions: facts.public_actions,
            agents,
            seed,
        }
    }
}

/// The last line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// Always `match_end`.
    pub kind: String,
    /// How it went.
    pub result: PlayReport,
}

impl End {
    /// The end of a match.
    #[must_use]
    pub fn new(result: PlayReport) -> Self {
        Self {
            kind: "match_end".into(),
            result,
        }
    }
}

/// A record.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The first line.
    pub head: Head,
    /// What happened.
    pub events: Vec<Event>,
    /// The last line; none when the match was interrupted.
    pub result: Option<PlayReport>,
}

impl Record {
    /// Reads the lines of a record. A last line without its end is left out: whoever wrote it was stopped.
    ///
    /// # Errors
    /// When a line is not one of a record, by its number, or the format is of another version.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut lines = text.split_inclusive('\n').enumerate().filter_map(|(i, l)| {
            let whole = l.ends_with('\n') || serde_json::from_str::<Value>(l).is_ok();
            (whole && !l.trim().is_empty()).then_some((i + 1, l))
        });
        let first = lines.next().map_or("", |(_, line)| line);
        let head = read_head(first).map_err(|e| format!("line 1: {e}"))?;
        let (mut events, mut result) = (Vec::new(), None);
        for (number, line) in lines {
            let at = |e: String| format!("line {number}: {e}");
            if result.is_some() {
                return Err(at("it comes after the end of the match".into()));
            }
            let row: Value =
                serde_json::from_str(line).map_err(|e| at(format!("not a line of JSON: {e}")))?;
            let not = |e: serde_json::Error| at(format!("not an event of a match: {e}"));
            if row.get("kind").and_then(Value::as_str) == Some("match_end") {
                let end: End = serde_json::from_value(row).map_err(not)?;
                result = Some(end.result);
            } else {
                events.push(serde_json::from_value(row).map_err(not)?);
            }
        }
        Ok(Self {
            head,
            events,
            result,
        })
    }

    /// The turns.
    #[must_use]
    pub fn steps(&self) -> Vec<Step> {
        self.events.iter().filter_map(step).collect()
    }
}

/// An event as a turn, when it is one.
#[must_use]
pub fn step(event: &Event) -> Option<Step> {
    match event {
        Event::Decision {
            round,
            seat,
            action,
            seen,
            ..
        } => Some(Step::Decision {
            round: *round,
            seat: *seat,
            action: action.clone(),
            seen: seen.clone(),
        }),
        Event::Chance {
            round,
            outcome,
            seen,
            ..
        } => Some(Step::Chance {
            round: *round,
            outcome: outcome.clone(),
            seen: seen.clone(),
        }),
        Event::RoundStart { .. } | Event::RoundEnd { .. } => None,
    }
}

fn read_head(line: &str) -> Result<Head, String> {
    let value: Value = serde_json::from_str(line).map_err(|e| format!("not JSON: {e}"))?;
    if value.get("kind").and_then(Value::as_str) != Some(KIND) {
        return Err(format!(
            "not the head of a recorded match: its kind is not `{KIND}`"
        ));
    }
    check_schema(&value, SCHEMA)?;
    serde_json::from_value(value).map_err(|e| format!("not the head of a recorded match: {e}"))
}
