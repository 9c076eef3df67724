//! Positions in which two agents decide differently, kept whole.
//!
//! One agent plays, the other only decides on the same observations with the same random numbers, so
//! one line of play shows where they differ ([`watch`]). Each such position is kept with everything
//! that led to it ([`Step`]) and can be stood in again ([`standing`]); what the choice was worth is
//! found by playing on from it both ways ([`continuation`]). [`run`] does it for many seeds and keeps
//! the worst, [`mod@file`] is how they are stored.

pub mod continuation;
pub mod file;
pub mod run;
pub mod standing;
pub mod watch;

use search_core::expr::Expr;
use serde::{Deserialize, Serialize};

use crate::error::Result;
use standing::Script;

/// One turn of a match: what was done, and a fingerprint of what all players together saw before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Step {
    /// A player moved.
    Decision {
        /// The round, from 0.
        round: u32,
        /// The seat, from 0.
        seat: usize,
        /// The action.
        action: String,
        /// The fingerprint before it.
        seen: String,
    },
    /// Chance drew an outcome.
    Chance {
        /// The round, from 0.
        round: u32,
        /// The outcome.
        outcome: String,
        /// The fingerprint before it.
        seen: String,
    },
}

impl Step {
    /// The round, from 0.
    #[must_use]
    pub fn round(&self) -> u32 {
        match self {
            Self::Decision { round, .. } | Self::Chance { round, .. } => *round,
        }
    }

    /// The fingerprint before it.
    #[must_use]
    pub fn seen(&self) -> &str {
        match self {
            Self::Decision { seen, .. } | Self::Chance { seen, .. } => seen,
        }
    }
}

/// Who takes part.
#[derive(Debug, Clone, PartialEq)]
pub struct Cast {
    /// Who plays in the seat that is watched.
    pub a: Expr,
    /// Who decides there too, without playing.
    pub b: Expr,
    /// Who plays in the other seats.
    pub others: Expr,
    /// Who plays on in every seat, to see what a choice was worth.
    pub by: Expr,
}

/// What one agent chose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chosen {
    /// The action.
    pub action: String,
    /// What it means there, where the game says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// `failure` or `timeout` when it is a substitute's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub substitute: Option<String>,
}

/// A decision in which a and b differed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Divergence {
    /// The round, from 0.
    pub round: u32,
    /// Turns of that round before it, chance events included.
    pub ply: u32,
    /// Decisions of that seat in that round before it.
    pub ordinal: u64,
    /// Turns of the match before it.
    pub steps: usize,
    /// What that seat saw, where the game has a notation for it.
    pub observation: Option<String>,
    /// The fingerprint of the state.
    pub seen: String,
    /// What was played.
    pub a: Chosen,
    /// What b would have played.
    pub b: Chosen,
}

/// One match with one seat watched.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// The seed.
    pub seed: u64,
    /// The seat that was watched.
    pub seat: usize,
    /// Every turn.
    pub steps: Vec<Step>,
    /// What each round brought that seat.
    pub returns: Vec<f64>,
    /// Decisions of that seat.
    pub decisions: u64,
    /// How many of them a substitute made for a, and for b.
    pub substitutes: [u64; 2],
    /// Decisions that would not come out the same again.
    pub unrepeatable: u64,
    /// Those in which a and b differed.
    pub divergences: Vec<Divergence>,
}

/// A game with a cast. Types are erased here, once a match.
pub trait Watcher {
    /// Plays the match of `seed` with a in `seat` and watches that seat.
    ///
    /// # Errors
    /// When the rules of the game break their contract.
    fn watch(&mut self, seed: u64, seat: usize) -> Result<Trace>;

    /// What the round brings the player to move after the one action and after the other, in `count`
    /// continuations with the same random numbers each.
    ///
    /// # Errors
    /// When the script does not replay, or an action is not legal there.
    fn weigh(
        &mut self,
        script: &Script<'_>,
        actions: [&str; 2],
        count: u32,
    ) -> Result<Vec<[f64; 2]>>;
}
