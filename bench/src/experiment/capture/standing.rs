//! Back to a position by everything that led to it, checked turn by turn.

use std::ops::ControlFlow;

use search_core::agent::Choice;
use search_core::decision::SearchError;
use search_core::game::{Player, is_legal};
use search_core::plugin::Plugin;
use search_core::rng::Seed;

use super::Step;
use crate::error::{Error, Result};
use crate::experiment::match_driver::{Host, Point, Progress, Stop, fingerprint, play_match};

/// The seed of a match and its turns up to a position.
#[derive(Debug, Clone, Copy)]
pub struct Script<'a> {
    /// The seed.
    pub seed: u64,
    /// The turns.
    pub steps: &'a [Step],
}

/// A position in which a player is to move: the truth, and what that player knows.
pub struct Standing<P: Plugin> {
    /// The round, from 0.
    pub round: u32,
    /// How far the round has come.
    pub progress: Progress,
    /// The truth.
    pub state: P::State,
    /// Who is to move.
    pub seat: Player,
    /// What that player knows.
    pub observation: P::Observation,
    /// That player's legal actions.
    pub legal: Vec<P::Action>,
    /// The seed of the decision.
    pub seed: Seed,
    /// The fingerprint of the state.
    pub seen: String,
}

impl<P: Plugin> Standing<P> {
    /// The legal action that a text means here.
    ///
    /// # Errors
    /// When it means none, with what would be right.
    pub fn action(&self, game: &P, text: &str) -> Result<P::Action> {
        let action = game.parse_action(text, &self.legal)?;
        if is_legal(game, &self.observation, &self.legal, action) {
            return Ok(action);
        }
        Err(Error::input(format!("`{text}` is not legal there")))
    }
}

/// Plays a script and stops where it ends.
///
/// # Errors
/// When a turn of the script is not what the game makes of it, or nobody is to move at its end.
pub fn stand<P: Plugin>(game: &P, script: &Script<'_>) -> Result<Standing<P>> {
    let mut host = Scripted {
        steps: script.steps,
        next: 0,
        before: None,
        standing: None,
        broken: None,
    };
    let outcome = play_match(game, script.seed, &mut host);
    if let Some(what) = host.broken {
        return Err(Error::Failed(format!(
            "it does not replay: turn {}: {what}",
            host.next
        )));
    }
    match (outcome, host.standing) {
        (_, Some(standing)) => Ok(standing),
        (Err(Stop::Rules(what)), None) => Err(Error::Failed(format!("{}: {what}", P::NAME))),
        (_, None) => Err(Error::Failed(format!(
            "it does not replay: the match is over before turn {}",
            script.steps.len()
        ))),
    }
}

/// Everybody does what the script says.
struct Scripted<'a, P: Plugin> {
    steps: &'a [Step],
    next: usize,
    before: Option<(P::State, Progress)>,
    standing: Option<Standing<P>>,
    /// The first thing that is not as it is written.
    broken: Option<String>,
}

impl<P: Plugin> Scripted<'_, P> {
    fn scripted(&self, game: &P, point: &Point<'_, P>, step: &Step) -> Result<P::Action, String> {
        let Step::Decision { seat, action, .. } = step else {
            return Err(format!(
                "seat {} is to move, and chance is in the file",
                point.seat.index()
            ));
        };
        if *seat != point.seat.index() {
            return Err(format!(
                "seat {} is to move, and seat {seat} is in the file",
                point.seat.index()
            ));
        }
        let parsed = game.parse_action(action, point.legal);
        let parsed = parsed.map_err(|e| e.to_string())?;
        let same = game.format_action(parsed) == *action;
        if same && is_legal(game, point.observation, point.legal, parsed) {
            return Ok(parsed);
        }
        Err(format!("`{action}` is not a legal action there"))
    }

    fn due(&self) -> Option<&Step> {
        self.steps.get(self.next)
    }
}

/// What is wrong with the turn that begins, if something is.
pub(crate) fn misplaced(step: &Step, round: u32, seen: &str) -> Option<String> {
    if step.round() != round {
        return Some(format!(
            "it belongs to round {}, and the match is in round {round}",
            step.round()
        ));
    }
    (step.seen() != seen).then(|| {
        format!(
            "what the players see is not what they saw then (fingerprint {seen}, not {}): the rules or \
             the deal have changed, or the file",
            step.seen()
        )
    })
}

impl<P: Plugin> Host<P> for Scripted<'_, P> {
    fn turn_begins(&mut self, game: &P, round: u32, state: &P::State, progress: &Progress) {
        if self.broken.is_some() {
            return;
        }
        match self.due() {
            Some(step) => self.broken = misplaced(step, round, &fingerprint(game, state)),
            None => self.before = Some((state.clone(), *progress)),
        }
    }

    fn decide(
        &mut self,
        game: &P,
        point: &Point<'_, P>,
    ) -> ControlFlow<(), Result<Choice<P::Action>, SearchError>> {
        if self.broken.is_some() {
            return ControlFlow::Break(());
        }
        let Some(step) = self.due() else {
            let before = self.before.take();
            self.standing = before.map(|(state, progress)| Standing {
                round: point.round,
                progress,
                seen: fingerprint(game, &state),
                state,
                seat: point.seat,
                observation: point.observation.clone(),
                legal: point.legal.to_vec(),
                seed: point.seed,
            });
            return ControlFlow::Break(());
        };
        match self.scripted(game, point, step) {
            Ok(action) => {
                self.next += 1;
                ControlFlow::Continue(Ok(Choice::plain(action)))
            }
            Err(what) => {
                self.broken = Some(what);
                ControlFlow::Break(())
            }
        }
    }

    fn drawn(&mut self, game: &P, _: u32, _: &P::State, drawn: P::Chance) {
        if self.broken.is_some() {
            return;
        }
        let drawn = game.format_chance(drawn);
        match self.due() {
            Some(Step::Chance { outcome, .. }) if *outcome == drawn => self.next += 1,
            Some(Step::Chance { outcome, .. }) => {
                self.broken = Some(format!("chance draws {drawn}, not {outcome}"));
            }
            Some(Step::Decision { seat, .. }) => {
                self.broken = Some(format!("chance is to move, and seat {seat} is in the file"));
            }
            None => self.broken = Some("it ends before a chance event, not a decision".into()),
        }
    }
}
