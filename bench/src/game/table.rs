//! `play`: one match before an audience, as text.

use std::io;
use std::ops::ControlFlow;

use search_core::agent::{Agent, Choice, Substitute};
use search_core::decision::SearchError;
use search_core::expr::Expr;
use search_core::game::{Player, Returns, is_legal};
use search_core::plugin::Plugin;
use serde::{Deserialize, Serialize};

use crate::agents::{Built, Note};
use crate::error::{Error, Result};
use crate::experiment::match_driver::{Host, Made, Point, Progress, Stop, fingerprint, play_match};

/// Something that happened in a match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// A round begins; one picture a seat.
    RoundStart {
        /// The round, from 0.
        round: u32,
        /// What each seat sees.
        pictures: Vec<String>,
    },
    /// A decision was made.
    Decision {
        /// The round, from 0.
        round: u32,
        /// The seat, from 0.
        seat: usize,
        /// The action.
        action: String,
        /// What it means where it was taken, where the game says so.
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        /// `failure` or `timeout` when it is a substitute's.
        substitute: Option<String>,
        /// Why.
        reason: Option<String>,
        /// A fingerprint of what all players together saw before it.
        seen: String,
    },
    /// Chance drew an outcome.
    Chance {
        /// The round, from 0.
        round: u32,
        /// The outcome.
        outcome: String,
        /// What it means, where the game says so.
        #[serde(skip_serializing_if = "Option::is_none")]
        meaning: Option<String>,
        /// A fingerprint of what all players together saw before it.
        seen: String,
    },
    /// A round is over.
    RoundEnd {
        /// The round, from 0.
        round: u32,
        /// The return of each seat.
        returns: Vec<f64>,
        /// What each seat sees at the end.
        pictures: Vec<String>,
        /// A fingerprint of what all players together see at the end.
        seen: String,
    },
}

/// What is asked of a human.
pub struct Question<'a> {
    /// The seat, from 0.
    pub seat: usize,
    /// What that player sees.
    pub picture: &'a str,
    /// The legal actions.
    pub actions: &'a [String],
    /// What each of them means, where the game says so; empty where it never does.
    pub descriptions: &'a [String],
    /// Whether an action may also be given by its number in the list, from 1.
    pub numbered: bool,
    /// Why the last answer would not do.
    pub problem: Option<&'a str>,
}

/// Who watches, and answers for a human.
pub trait Audience {
    /// Something happened.
    ///
    /// # Errors
    /// When it cannot be shown.
    fn event(&mut self, event: Event) -> io::Result<()>;

    /// The answer to a question; `None` to leave.
    ///
    /// # Errors
    /// When it cannot be asked.
    fn ask(&mut self, question: &Question<'_>) -> io::Result<Option<String>>;
}

/// How a match went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayReport {
    /// The mean return of each seat over the rounds; none when somebody left.
    pub scores: Option<Vec<f64>>,
    /// Decisions made by a substitute because an agent failed.
    pub failures: u64,
    /// Decisions made by a substitute because an agent was late.
    pub timeouts: u64,
    /// All decisions.
    pub decisions: u64,
}

/// `None` in `seats` is a human.
pub(super) fn play<P: Plugin>(
    game: &P,
    seats: Vec<Option<Built<P>>>,
    agents: &[Expr],
    seed: u64,
    audience: &mut dyn Audience,
) -> Result<PlayReport> {
    let players = game.num_players();
    if seats.len() != players {
        let name = P::NAME;
        return Err(Error::input(format!(
            "{name} has {players} player{}, and {} agents are given; write one a seat, as --agents {}",
            if players == 1 { "" } else { "s" },
            agents.len(),
            vec!["random"; players].join(",")
        )));
    }
    let mut table = Table {
        seats: seats
            .into_iter()
            .map(|s| s.map(|b| (b.agent, b.note)))
            .collect(),
        audience,
        gone: None,
        seen: None,
        before: String::new(),
        report: PlayReport {
            scores: None,
            failures: 0,
            timeouts: 0,
            decisions: 0,
        },
    };
    let outcome = play_match(game, seed, &mut table);
    if let Some(error) = table.gone {
        return Err(error.into());
    }
    match outcome {
        Ok(outcome) => table.report.scores = Some(outcome.scores),
        Err(Stop::Left) => {}
        Err(Stop::Rules(what)) => return Err(Error::Failed(format!("{}: {what}", P::NAME))),
    }
    Ok(table.report)
}

/// An agent, and where it notes why it failed.
type Seat<P> = (Box<dyn Agent<P>>, Note);

/// Agents and humans around one match. `None` is a human.
struct Table<'a, P: Plugin> {
    seats: Vec<Option<Seat<P>>>,
    audience: &'a mut dyn Audience,
    /// The audience left.
    gone: Option<io::Error>,
    /// What the player saw who decided last.
    seen: Option<P::Observation>,
    /// A fingerprint of the state at the beginning of the turn.
    before: String,
    report: PlayReport,
}

impl<P: Plugin> Table<'_, P> {
    fn show(&mut self, event: Event) {
        if self.gone.is_none() {
            self.gone = self.audience.event(event).err();
        }
    }

    /// Asks until the answer is a legal action; `None` to leave.
    fn ask(&mut self, game: &P, point: &Point<'_, P>) -> io::Result<Option<P::Action>> {
        let names: Vec<String> = point.legal.iter().map(|a| game.format_action(*a)).collect();
        // Where actions look like numbers, a number is an action and nothing else.
        let numbered = !names.iter().any(|n| n.trim().parse::<i64>().is_ok());
        let picture = game.picture(point.observation);
        let each = point.legal.iter();
        let each = each.map(|a| game.describe_action(point.observation, *a));
        let mut descriptions: Vec<String> = each.map(Option::unwrap_or_default).collect();
        if descriptions.iter().all(String::is_empty) {
            descriptions.clear();
        }
        let mut problem: Option<String> = None;
        loop {
            let answer = self.audience.ask(&Question {
                seat: point.seat.index(),
                picture: &picture,
                actions: &names,
                descriptions: &descriptions,
                numbered,
                problem: problem.as_deref(),
            })?;
            let Some(answer) = answer else {
                return Ok(None);
            };
            let by_number = || {
                let number: usize = answer.trim().parse().ok().filter(|_| numbered)?;
                point.legal.get(number.checked_sub(1)?).copied()
            };
            let refused = match game.parse_action(&answer, point.legal) {
                Ok(action) if is_legal(game, point.observation, point.legal, action) => {
                    return Ok(Some(action));
                }
                Ok(action) => format!("`{}` is not legal here", game.format_action(action)),
                Err(error) => game
                    .explain_illegal(point.observation, &answer, point.legal)
                    .unwrap_or_else(|| error.to_string()),
            };
            if let Some(action) = by_number() {
                return Ok(Some(action));
            }
            problem = Some(refused);
        }
    }

    fn pictures(game: &P, state: &P::State) -> Vec<String> {
        let players = 0..game.num_players();
        players
            .map(|p| game.picture(&game.observe(state, Player::new(p))))
            .collect()
    }
}

impl<P: Plugin> Host<P> for Table<'_, P> {
    fn decide(
        &mut self,
        game: &P,
        point: &Point<'_, P>,
    ) -> ControlFlow<(), Result<Choice<P::Action>, SearchError>> {
        if self.gone.is_some() {
            return ControlFlow::Break(());
        }
        self.seen = Some(point.observation.clone());
        if let Some((agent, _)) = &mut self.seats[point.seat.index()] {
            let choice = agent.decide(game, point.observation, point.legal, point.seed);
            return ControlFlow::Continue(choice);
        }
        match self.ask(game, point) {
            Ok(Some(action)) => ControlFlow::Continue(Ok(Choice::plain(action))),
            Ok(None) => ControlFlow::Break(()),
            Err(error) => {
                self.gone = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn round_started(&mut self, game: &P, round: u32, state: &P::State) {
        let pictures = Self::pictures(game, state);
        self.show(Event::RoundStart { round, pictures });
    }

    fn turn_begins(&mut self, game: &P, _: u32, state: &P::State, _: &Progress) {
        self.before = fingerprint(game, state);
    }

    fn decided(&mut self, game: &P, made: &Made<P::Action>) {
        let seat = made.seat.index();
        self.report.decisions += 1;
        let substitute = made.substitute.map(|s| match s {
            Substitute::Failure => {
                self.report.failures += 1;
                "failure".to_string()
            }
            Substitute::Timeout => {
                self.report.timeouts += 1;
                "timeout".to_string()
            }
        });
        let noted = || self.seats[seat].as_ref().and_then(|(_, note)| note.take());
        let reason = substitute
            .as_ref()
            .and_then(|_| made.reason.clone().or_else(noted));
        let seen = self.seen.take();
        let before = std::mem::take(&mut self.before);
        self.show(Event::Decision {
            round: made.round,
            seat,
            action: game.format_action(made.action),
            description: seen.and_then(|seen| game.describe_action(&seen, made.action)),
            substitute,
            reason,
            seen: before,
        });
    }

    fn drawn(&mut self, game: &P, round: u32, before: &P::State, outcome: P::Chance) {
        let meaning = game.explain_chance(before, outcome);
        let outcome = game.format_chance(outcome);
        let seen = std::mem::take(&mut self.before);
        self.show(Event::Chance {
            round,
            outcome,
            meaning,
            seen,
        });
    }

    fn round_ended(&mut self, game: &P, round: u32, state: &P::State, returns: &Returns) {
        let event = Event::RoundEnd {
            round,
            returns: returns.to_vec(),
            pictures: Self::pictures(game, state),
            seen: fingerprint(game, state),
        };
        self.show(event);
    }
}
