//! The record of one seed: every seating of one deal. Everything reported is computed from these.

use serde::{Deserialize, Serialize};

use search_core::agent::Substitute;

use super::match_driver::{Made, MatchOutcome};
use super::schedule::{Schedule, seating_text};
use super::times::Times;

/// One match of a block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchRow {
    /// Who sat where, `ABB`.
    pub seats: String,
    /// The score of each seat: the mean return over the rounds.
    pub scores: Vec<f64>,
    /// The auxiliary metrics of each seat, the mean over the rounds that ended; empty when none did.
    pub metrics: Vec<Vec<f64>>,
    /// A fingerprint of everything that happened.
    pub history: String,
    /// Rounds stopped at the game's limit of turns.
    pub cut_off: u32,
}

/// What one arm did in a block.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// Decisions asked of it.
    pub decisions: u64,
    /// Decisions made by a substitute because it failed.
    pub failures: u64,
    /// Decisions made by a substitute because it was late.
    pub timeouts: u64,
    /// Decisions that would not come out the same again.
    pub unrepeatable: u64,
    /// Why it first failed.
    pub first_failure: Option<String>,
    /// Simulations of its searches.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub simulations: u64,
    /// How long decisions took.
    pub times: Times,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "the shape that serde wants"
)]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Tally {
    /// Counts one decision.
    pub fn count<A>(&mut self, made: &Made<A>, noted: Option<String>) {
        self.decisions += 1;
        match made.substitute {
            Some(Substitute::Failure) => {
                self.failures += 1;
                if self.first_failure.is_none() {
                    self.first_failure = made.reason.clone().or(noted);
                }
            }
            Some(Substitute::Timeout) => self.timeouts += 1,
            None => {}
        }
        self.unrepeatable += u64::from(!made.deterministic);
        self.times.add(made.elapsed);
    }

    /// Adds what was counted later.
    pub fn merge(&mut self, later: &Self) {
        self.decisions += later.decisions;
        self.failures += later.failures;
        self.timeouts += later.timeouts;
        self.unrepeatable += later.unrepeatable;
        self.simulations = self.simulations.saturating_add(later.simulations);
        if self.first_failure.is_none() {
            self.first_failure.clone_from(&later.first_failure);
        }
        self.times.merge(&later.times);
    }

    /// Whether the counts can belong to the same decisions.
    fn adds_up(&self) -> bool {
        let substitutes = self.failures.checked_add(self.timeouts);
        substitutes.is_some_and(|n| n <= self.decisions)
            && self.unrepeatable <= self.decisions
            && self.times.count() == Some(self.decisions)
    }

    /// Decisions that were not its own.
    #[must_use]
    pub fn fallbacks(&self) -> u64 {
        self.failures + self.timeouts
    }
}

/// Every seating of one seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// The seed.
    pub seed: u64,
    /// A fingerprint of the deal.
    pub deal: String,
    /// The matches in the order of the schedule.
    pub matches: Vec<MatchRow>,
    /// What A and B did.
    pub arms: [Tally; 2],
}

impl Block {
    /// The row of one finished match.
    #[must_use]
    pub fn row(seats: String, outcome: MatchOutcome) -> MatchRow {
        MatchRow {
            seats,
            scores: outcome.scores,
            metrics: outcome.metrics,
            history: outcome.history,
            cut_off: outcome.cut_off,
        }
    }

    /// Whether the seatings led to different play.
    #[must_use]
    pub fn diverged(&self) -> bool {
        self.matches
            .iter()
            .any(|m| m.history != self.matches[0].history)
    }

    /// What a complete block of this schedule must have and this one has not.
    ///
    /// # Errors
    /// The first thing that is missing.
    pub fn validate(&self, schedule: &Schedule, metrics: usize) -> Result<(), String> {
        let wanted: Vec<String> = schedule
            .seatings()
            .iter()
            .map(|s| seating_text(s))
            .collect();
        let found: Vec<&str> = self.matches.iter().map(|m| m.seats.as_str()).collect();
        if wanted != found {
            return Err(format!("matches {found:?} where the design has {wanted:?}"));
        }
        for row in &self.matches {
            let finite = row
                .scores
                .iter()
                .chain(row.metrics.iter().flatten())
                .all(|x| x.is_finite());
            let widths = row.scores.len() == schedule.players()
                && (row.metrics.is_empty() || row.metrics.len() == schedule.players())
                && row.metrics.iter().all(|m| m.len() == metrics);
            if !finite || !widths {
                return Err(format!(
                    "match {} does not have {} finite scores with {metrics} metrics each",
                    row.seats,
                    schedule.players()
                ));
            }
        }
        match self.arms.iter().position(|arm| !arm.adds_up()) {
            None => Ok(()),
            Some(arm) => Err(format!(
                "the counts of {} do not add up: as many times as decisions, and no more failures \
                 and time-outs than those; repair or remove the line",
                ["a", "b"][arm]
            )),
        }
    }
}
