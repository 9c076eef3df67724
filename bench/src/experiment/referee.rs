//! Referees: one game with its agents at the table. Types are erased here, once a match.

use std::ops::ControlFlow;

use search_core::agent::{Agent, Choice};
use search_core::decision::SearchError;
use search_core::plugin::Plugin;

use super::block::Tally;
use super::match_driver::{Host, Made, MatchOutcome, Point, Stop, play_match};
use crate::agents::{Built, Note};
use crate::error::{Error, Result};

/// Plays matches of one game among a fixed set of agents.
pub trait Referee {
    /// Plays the match of `seed` with agent `seating[i]` in seat `i`, and counts what each agent
    /// did into its tally.
    ///
    /// # Errors
    /// When the rules of the game break their contract.
    fn play(&mut self, seating: &[usize], seed: u64, tallies: &mut [Tally])
    -> Result<MatchOutcome>;
}

/// The referee of a game whose type is known.
pub struct TypedReferee<'a, P: Plugin> {
    game: &'a P,
    agents: Vec<Box<dyn Agent<P>>>,
    notes: Vec<Note>,
}

impl<'a, P: Plugin> TypedReferee<'a, P> {
    /// A referee with these agents.
    #[must_use]
    pub fn new(game: &'a P, built: Vec<Built<P>>) -> Self {
        let (agents, notes) = built.into_iter().map(|b| (b.agent, b.note)).unzip();
        Self {
            game,
            agents,
            notes,
        }
    }
}

impl<P: Plugin> Referee for TypedReferee<'_, P> {
    fn play(
        &mut self,
        seating: &[usize],
        seed: u64,
        tallies: &mut [Tally],
    ) -> Result<MatchOutcome> {
        let mut seats = Seats {
            agents: &mut self.agents,
            notes: &self.notes,
            seating,
            tallies,
        };
        play_match(self.game, seed, &mut seats).map_err(|stop| match stop {
            Stop::Left => Error::Failed(format!("the match of seed {seed} was left")),
            Stop::Rules(what) => Error::Failed(format!("{}, seed {seed}: {what}", P::NAME)),
        })
    }
}

struct Seats<'a, P: Plugin> {
    agents: &'a mut [Box<dyn Agent<P>>],
    notes: &'a [Note],
    seating: &'a [usize],
    tallies: &'a mut [Tally],
}

impl<P: Plugin> Host<P> for Seats<'_, P> {
    fn decide(
        &mut self,
        game: &P,
        point: &Point<'_, P>,
    ) -> ControlFlow<(), Result<Choice<P::Action>, SearchError>> {
        let who = self.seating[point.seat.index()];
        let made = self.agents[who].decide(game, point.observation, point.legal, point.seed);
        if let Some(decision) = made.as_ref().ok().and_then(|c| c.decision.as_ref()) {
            self.tallies[who].simulations += decision.effort.simulations;
        }
        ControlFlow::Continue(made)
    }

    fn decided(&mut self, _: &P, made: &Made<P::Action>) {
        let who = self.seating[made.seat.index()];
        let noted = made.substitute.and_then(|_| self.notes[who].take());
        self.tallies[who].count(made, noted);
    }
}
