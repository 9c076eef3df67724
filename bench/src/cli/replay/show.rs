//! The match once more, with the file in every seat.

use std::io;

use search_core::expr::Expr;

use super::{Args, Content, Tape};
use crate::cli::events::{Viewer, in_words};
use crate::cli::text::indent;
use crate::error::{Error, Result};
use crate::experiment::capture::Step;
use crate::experiment::record::step;
use crate::game::{Audience, Event, OpenGame, PlayReport, Question};

/// Plays the match with the file in every seat.
pub(super) fn play<'a>(
    game: &dyn OpenGame,
    args: &'a Args,
    content: &'a Content,
    tape: &'a Tape,
) -> Result<(Show<'a>, Option<PlayReport>)> {
    let mut show = Show {
        tape,
        recorded: content.events(),
        viewer: args.as_seen_by.map_or(Viewer::All, Viewer::Seat),
        public: game.facts().public_actions,
        pictures: args.pictures,
        from: args.from,
        next: 0,
        text: String::new(),
        events: Vec::new(),
        problem: None,
    };
    let seats = vec![Expr::word("human"); game.facts().players];
    let outcome = game.play(&seats, tape.seed, &mut show);
    if let Some(problem) = show.problem.take() {
        return Err(Error::Failed(format!(
            "it does not replay: turn {}: {problem}",
            show.next
        )));
    }
    let report = outcome?;
    if show.next < tape.steps.len() {
        return Err(Error::Failed(format!(
            "it does not replay: the match is over after {} turns, and the file has {}",
            show.next,
            tape.steps.len()
        )));
    }
    let Content::Match(record) = content else {
        return Ok((show, None));
    };
    let recorded = record.result.as_ref().map(|r| &r.scores);
    if recorded.is_some_and(|scores| *scores != report.scores) {
        return Err(Error::Failed(format!(
            "it does not replay: the score is {:?}, and {:?} in the file",
            report.scores,
            recorded.unwrap_or(&None)
        )));
    }
    Ok((show, Some(report)))
}

/// The audience: answers from the file, and compares what happens with it.
pub(super) struct Show<'a> {
    tape: &'a Tape,
    recorded: &'a [Event],
    viewer: Viewer,
    public: bool,
    pictures: bool,
    from: usize,
    next: usize,
    pub(super) text: String,
    pub(super) events: Vec<Event>,
    /// The first thing that is not as it is in the file.
    problem: Option<String>,
}

impl Show<'_> {
    fn refuse(&mut self, problem: String) -> io::Error {
        self.problem.get_or_insert(problem);
        io::Error::other("it does not replay")
    }

    /// Whether the turn is as it is in the file.
    fn compare(&self, event: &Event) -> std::result::Result<(), String> {
        if let Event::RoundEnd {
            round,
            returns,
            seen,
            ..
        } = event
        {
            let then = self.recorded.iter().find_map(|e| match e {
                Event::RoundEnd {
                    round: r,
                    returns,
                    seen,
                    ..
                } if r == round => Some((returns, seen)),
                _ => None,
            });
            return match then {
                Some(then) if then != (returns, seen) => Err(format!(
                    "round {} ends with {returns:?}, and with {:?} in the file",
                    round + 1,
                    then.0
                )),
                _ => Ok(()),
            };
        }
        let (Some(is), Some(then)) = (step(event), self.tape.steps.get(self.next)) else {
            return Ok(());
        };
        if is == *then {
            return Ok(());
        }
        Err(difference(&is, then))
    }

    /// The event as it was recorded, with what only the record knows: that a substitute decided.
    fn as_recorded(&self, event: Event) -> Event {
        let mut turns = self.recorded.iter().filter(|e| step(e).is_some());
        match (turns.nth(self.next), event) {
            (
                Some(Event::Decision {
                    substitute, reason, ..
                }),
                Event::Decision {
                    round,
                    seat,
                    action,
                    description,
                    seen,
                    ..
                },
            ) => Event::Decision {
                round,
                seat,
                action,
                description,
                substitute: substitute.clone(),
                reason: reason.clone(),
                seen,
            },
            (_, event) => event,
        }
    }

    fn hidden(&self, event: &Event) -> bool {
        match (self.viewer, event) {
            (Viewer::Seat(viewer), Event::Decision { seat, .. }) => !self.public && *seat != viewer,
            (Viewer::Seat(_), Event::Chance { .. }) => !self.public,
            _ => false,
        }
    }

    fn show(&mut self, event: &Event) {
        let turn = step(event).is_some();
        if self.next < self.from {
            return;
        }
        let number = if turn {
            format!("{:>4}", self.next)
        } else {
            String::new()
        };
        let words = match event {
            Event::Decision { seat, .. } if self.hidden(event) => format!(
                "  seat {seat} {}  (hidden)\n",
                self.tape.agents.get(*seat).map_or("", String::as_str)
            ),
            Event::Chance { .. } if self.hidden(event) => "  chance  (hidden)\n".to_string(),
            _ => in_words(event, &self.tape.agents, self.viewer),
        };
        self.text.push_str(&format!("{number}{words}"));
    }
}

/// What differs between a turn and the file.
fn difference(is: &Step, then: &Step) -> String {
    if is.seen() != then.seen() {
        return format!(
            "what the players see is not what they saw then (fingerprint {}, not {}): the rules or the \
             deal have changed, or the file",
            is.seen(),
            then.seen()
        );
    }
    let words = |step: &Step| match step {
        Step::Decision {
            round,
            seat,
            action,
            ..
        } => {
            format!("seat {seat} plays {action} in round {}", round + 1)
        }
        Step::Chance { round, outcome, .. } => {
            format!("chance draws {outcome} in round {}", round + 1)
        }
    };
    format!("{}, and {} in the file", words(is), words(then))
}

impl Audience for Show<'_> {
    fn event(&mut self, event: Event) -> io::Result<()> {
        let turn = step(&event).is_some();
        // After the last turn of the file nothing is compared, nor shown; the next question ends it.
        if turn && self.next >= self.tape.steps.len() {
            return Ok(());
        }
        if let Err(problem) = self.compare(&event) {
            return Err(self.refuse(problem));
        }
        let event = self.as_recorded(event);
        self.show(&event);
        self.next += usize::from(turn);
        self.events.push(event);
        Ok(())
    }

    fn ask(&mut self, question: &Question<'_>) -> io::Result<Option<String>> {
        if let Some(problem) = question.problem {
            return Err(self.refuse(problem.to_string()));
        }
        let Some(due) = self.tape.steps.get(self.next) else {
            return Ok(None);
        };
        let Step::Decision { seat, action, .. } = due else {
            let problem = format!(
                "seat {} is to move, and chance is in the file",
                question.seat
            );
            return Err(self.refuse(problem));
        };
        if *seat != question.seat {
            let problem = format!(
                "seat {} is to move, and seat {seat} is in the file",
                question.seat
            );
            return Err(self.refuse(problem));
        }
        let mine = !matches!(self.viewer, Viewer::Seat(viewer) if viewer != question.seat);
        if self.pictures && mine && self.next >= self.from {
            self.text.push_str(&indent(question.picture, "       "));
        }
        Ok(Some(action.clone()))
    }
}
