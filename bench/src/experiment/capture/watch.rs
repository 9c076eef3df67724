//! One match: a plays a seat, b decides there too, on the same observations with the same seeds.

use std::ops::ControlFlow;
use std::time::Duration;

use search_core::agent::{Agent, Choice, Substitute};
use search_core::decision::SearchError;
use search_core::game::{Player, Returns};
use search_core::plugin::Plugin;

use super::continuation::play_both;
use super::standing::{Script, stand};
use super::{Chosen, Divergence, Step, Trace, Watcher};
use crate::agents::Built;
use crate::error::{Error, Result};
use crate::experiment::match_driver::{
    Host, Made, Point, Progress, Stop, fingerprint, play_match, settle,
};

/// A watcher of a game whose type is known.
pub struct TypedWatcher<'a, P: Plugin> {
    game: &'a P,
    a: Box<dyn Agent<P>>,
    b: Box<dyn Agent<P>>,
    others: Box<dyn Agent<P>>,
    by: Box<dyn Agent<P>>,
}

impl<'a, P: Plugin> TypedWatcher<'a, P> {
    /// A watcher with a, b, the others, and who plays on.
    #[must_use]
    pub fn new(game: &'a P, [a, b, others, by]: [Built<P>; 4]) -> Self {
        Self {
            game,
            a: a.agent,
            b: b.agent,
            others: others.agent,
            by: by.agent,
        }
    }
}

impl<P: Plugin> Watcher for TypedWatcher<'_, P> {
    fn watch(&mut self, seed: u64, seat: usize) -> Result<Trace> {
        let mut table = Table {
            a: &mut *self.a,
            b: &mut *self.b,
            others: &mut *self.others,
            before: String::new(),
            ply: 0,
            ordinal: 0,
            shadow: None,
            trace: Trace {
                seed,
                seat,
                steps: Vec::new(),
                returns: Vec::new(),
                decisions: 0,
                substitutes: [0; 2],
                unrepeatable: 0,
                divergences: Vec::new(),
            },
        };
        match play_match(self.game, seed, &mut table) {
            Ok(_) => Ok(table.trace),
            Err(Stop::Left) => Err(Error::Failed(format!("the match of seed {seed} was left"))),
            Err(Stop::Rules(what)) => {
                Err(Error::Failed(format!("{}, seed {seed}: {what}", P::NAME)))
            }
        }
    }

    fn weigh(
        &mut self,
        script: &Script<'_>,
        actions: [&str; 2],
        count: u32,
    ) -> Result<Vec<[f64; 2]>> {
        let standing = stand(self.game, script)?;
        let first = standing.action(self.game, actions[0])?;
        let second = standing.action(self.game, actions[1])?;
        play_both(
            self.game,
            script.seed,
            &standing,
            [first, second],
            count,
            &mut *self.by,
        )
    }
}

/// A decision as text.
pub(crate) fn chosen<P: Plugin>(
    game: &P,
    observation: &P::Observation,
    made: &Made<P::Action>,
) -> Chosen {
    Chosen {
        action: game.format_action(made.action),
        description: game.describe_action(observation, made.action),
        substitute: made.substitute.map(|s| match s {
            Substitute::Failure => "failure".into(),
            Substitute::Timeout => "timeout".into(),
        }),
    }
}

/// What b chose at the decision that is being made, and what that seat saw.
struct Shadow<P: Plugin> {
    made: Made<P::Action>,
    observation: P::Observation,
}

struct Table<'a, P: Plugin> {
    a: &'a mut dyn Agent<P>,
    b: &'a mut dyn Agent<P>,
    others: &'a mut dyn Agent<P>,
    /// The fingerprint at the beginning of the turn.
    before: String,
    /// Turns of the round before it.
    ply: u32,
    /// Decisions of the watched seat in the round before it.
    ordinal: u64,
    shadow: Option<Shadow<P>>,
    trace: Trace,
}

impl<P: Plugin> Table<'_, P> {
    fn compare(&mut self, game: &P, made: &Made<P::Action>, shadow: &Shadow<P>) {
        let b = &shadow.made;
        self.trace.decisions += 1;
        for (count, who) in self.trace.substitutes.iter_mut().zip([made, b]) {
            *count += u64::from(who.substitute.is_some());
        }
        self.trace.unrepeatable += u64::from(!made.deterministic || !b.deterministic);
        if made.action == b.action {
            return;
        }
        self.trace.divergences.push(Divergence {
            round: made.round,
            ply: self.ply,
            ordinal: self.ordinal,
            steps: self.trace.steps.len(),
            observation: game.format_observation(&shadow.observation),
            seen: self.before.clone(),
            a: chosen(game, &shadow.observation, made),
            b: chosen(game, &shadow.observation, b),
        });
    }
}

impl<P: Plugin> Host<P> for Table<'_, P> {
    fn round_started(&mut self, _: &P, _: u32, _: &P::State) {
        self.ply = 0;
    }

    fn turn_begins(&mut self, game: &P, _: u32, state: &P::State, progress: &Progress) {
        self.before = fingerprint(game, state);
        self.ordinal = progress.decisions[self.trace.seat];
    }

    fn decide(
        &mut self,
        game: &P,
        point: &Point<'_, P>,
    ) -> ControlFlow<(), Result<Choice<P::Action>, SearchError>> {
        let ask = |agent: &mut dyn Agent<P>| {
            agent.decide(game, point.observation, point.legal, point.seed)
        };
        if point.seat.index() != self.trace.seat {
            return ControlFlow::Continue(ask(self.others));
        }
        self.shadow = Some(Shadow {
            made: settle(game, point, ask(self.b), Duration::ZERO),
            observation: point.observation.clone(),
        });
        ControlFlow::Continue(ask(self.a))
    }

    fn decided(&mut self, game: &P, made: &Made<P::Action>) {
        if let Some(shadow) = self.shadow.take() {
            self.compare(game, made, &shadow);
        }
        self.trace.steps.push(Step::Decision {
            round: made.round,
            seat: made.seat.index(),
            action: game.format_action(made.action),
            seen: std::mem::take(&mut self.before),
        });
        self.ply += 1;
    }

    fn drawn(&mut self, game: &P, round: u32, _: &P::State, outcome: P::Chance) {
        self.trace.steps.push(Step::Chance {
            round,
            outcome: game.format_chance(outcome),
            seen: std::mem::take(&mut self.before),
        });
        self.ply += 1;
    }

    fn round_ended(&mut self, _: &P, _: u32, _: &P::State, returns: &Returns) {
        let seat = Player::new(self.trace.seat);
        self.trace.returns.push(returns.of(seat));
    }
}
