//! A position to which a script leads, as text; and what an agent chooses there.

use std::time::Duration;

use search_core::plugin::Plugin;
use serde::Serialize;

use crate::agents::Built;
use crate::error::Result;
use crate::experiment::capture::standing::{Script, Standing, stand};
use crate::experiment::capture::watch::chosen;
use crate::experiment::capture::{Chosen, Step};
use crate::experiment::match_driver::{Point, settle};

/// A position in which a player is to move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StandingReport {
    /// The round, from 0.
    pub round: u32,
    /// Who is to move, from 0.
    pub seat: usize,
    /// Turns of the round before it.
    pub ply: u32,
    /// Decisions of that seat in that round before it.
    pub ordinal: u64,
    /// What that player sees, where the game has a notation for it.
    pub observation: Option<String>,
    /// What that player sees, for a person.
    pub picture: String,
    /// The legal actions.
    pub actions: Vec<String>,
    /// The fingerprint of the state.
    pub seen: String,
}

/// What an agent chose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The choice.
    pub chosen: Chosen,
    /// Why a substitute decided, when it did and said so.
    pub reason: Option<String>,
    /// The actions asked about, as the game writes them.
    pub texts: Vec<String>,
    /// Whether it would come out the same again.
    pub deterministic: bool,
}

pub(super) fn report<P: Plugin>(game: &P, script: &Script<'_>) -> Result<StandingReport> {
    let standing: Standing<P> = stand(game, script)?;
    let here = |step: &&Step| step.round() == standing.round;
    Ok(StandingReport {
        round: standing.round,
        seat: standing.seat.index(),
        ply: u32::try_from(script.steps.iter().filter(here).count()).unwrap_or(u32::MAX),
        ordinal: standing.progress.decisions[standing.seat.index()],
        observation: game.format_observation(&standing.observation),
        picture: game.picture(&standing.observation),
        actions: standing
            .legal
            .iter()
            .map(|a| game.format_action(*a))
            .collect(),
        seen: standing.seen,
    })
}

pub(super) fn answer<P: Plugin>(
    game: &P,
    script: &Script<'_>,
    mut built: Built<P>,
    texts: &[&str],
) -> Result<Answer> {
    let standing = stand(game, script)?;
    let texts: Result<Vec<String>> = texts
        .iter()
        .map(|text| Ok(game.format_action(standing.action(game, text)?)))
        .collect();
    let texts = texts?;
    let (seen, legal) = (&standing.observation, &standing.legal);
    let outcome = built.agent.decide(game, seen, legal, standing.seed);
    let point = Point {
        round: standing.round,
        seat: standing.seat,
        observation: seen,
        legal,
        seed: standing.seed,
    };
    let made = settle(game, &point, outcome, Duration::ZERO);
    let noted = made.substitute.and_then(|_| built.note.take());
    Ok(Answer {
        chosen: chosen(game, seen, &made),
        reason: made.reason.or(noted),
        texts,
        deterministic: made.deterministic,
    })
}
