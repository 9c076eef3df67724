//! An agent that plans a whole turn of several actions and plays it one by one: [`PlannedTurns`].

use std::fmt;

use super::{Agent, Choice};
use crate::budget::Budget;
use crate::decision::{Decision, SearchError};
use crate::game::{Game, Turn};
use crate::rng::Seed;
use crate::search::Expectimax;
use crate::search::expectimax::{Line, SameState, Seen};

/// A decision together with the actions that are to follow it.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan<A> {
    /// The decision about the first action.
    pub decision: Decision<A>,
    /// The first action and those of the same player that follow at once.
    pub line: Line<A>,
}

/// Decides on a line of actions by one player.
pub trait Planner<G: Game> {
    /// A plan for the player who made `observation` and is to move.
    ///
    /// # Errors
    /// See [`SearchError`].
    fn plan(
        &mut self,
        game: &G,
        observation: &G::Observation,
        budget: &Budget,
        seed: Seed,
    ) -> Result<Plan<G::Action>, SearchError>;
}

/// An agent over a planner: a turn is planned once and its actions are played one after the other.
///
/// The plan is followed only as long as the state is exactly the one that it led to; at any other
/// it is dropped and a new one made, so that nothing is carried over to another turn or match.
pub struct PlannedTurns<G: Game, P = Expectimax<G>> {
    /// The planner.
    pub planner: P,
    /// What it may spend on a turn.
    pub budget: Budget,
    seen: Seen<G>,
    same: SameState<G>,
    pending: Option<Pending<G>>,
}

/// The rest of a plan.
struct Pending<G: Game> {
    expected: G::State,
    line: Line<G::Action>,
    played: usize,
    deterministic: bool,
}

impl<G: Game> PlannedTurns<G> {
    /// Plays what expectimax plans.
    #[must_use]
    pub fn expectimax(planner: Expectimax<G>, budget: Budget) -> Self {
        let (seen, same) = (planner.parts.seen, planner.parts.same);
        Self::with(planner, budget, seen, same)
    }
}

impl<G, P> PlannedTurns<G, P>
where
    G: Game<Observation = <G as Game>::State>,
    G::State: PartialEq,
{
    /// Plays what `planner` plans, spending at most `budget` a turn.
    pub fn new(planner: P, budget: Budget) -> Self {
        Self::with(planner, budget, |observation| observation, |a, b| a == b)
    }
}

impl<G: Game, P> PlannedTurns<G, P> {
    /// As [`PlannedTurns::new`], with the state that an observation shows and a comparison of states,
    /// which must tell apart everything that matters.
    pub fn with(planner: P, budget: Budget, seen: Seen<G>, same: SameState<G>) -> Self {
        Self {
            planner,
            budget,
            seen,
            same,
            pending: None,
        }
    }

    /// The next action of the plan, if it led here.
    fn follow(
        &mut self,
        game: &G,
        state: &G::State,
        legal: &[G::Action],
    ) -> Option<Choice<G::Action>> {
        let pending = self.pending.take()?;
        if !(self.same)(&pending.expected, state) {
            return None;
        }
        let action = *pending.line.get(pending.played)?;
        if !legal.contains(&action) {
            return None;
        }
        let deterministic = pending.deterministic;
        self.expect(game, state, pending);
        Some(Choice {
            deterministic,
            ..Choice::plain(action)
        })
    }

    /// Remembers what is left of a plan after its next action.
    fn expect(&mut self, game: &G, state: &G::State, mut pending: Pending<G>) {
        let Some(&action) = pending.line.get(pending.played) else {
            return;
        };
        pending.expected.clone_from(state);
        game.apply(&mut pending.expected, action);
        pending.played += 1;
        let goes_on = game.turn(&pending.expected) == game.turn(state);
        if pending.played < pending.line.len() && goes_on {
            self.pending = Some(pending);
        }
    }
}

impl<G: Game, P: Planner<G> + Send> Agent<G> for PlannedTurns<G, P> {
    fn decide(
        &mut self,
        game: &G,
        observation: &G::Observation,
        legal: &[G::Action],
        seed: Seed,
    ) -> Result<Choice<G::Action>, SearchError> {
        let state = (self.seen)(observation);
        if let Some(choice) = self.follow(game, state, legal) {
            return Ok(choice);
        }
        let Plan { decision, line } = self.planner.plan(game, observation, &self.budget, seed)?;
        let deterministic = decision.effort.deterministic;
        let pending = Pending {
            expected: state.clone(),
            line,
            played: 0,
            deterministic,
        };
        if matches!(game.turn(state), Turn::Player(_)) && legal.contains(&line.first()) {
            self.expect(game, state, pending);
        }
        Ok(Choice {
            action: line.first(),
            deterministic,
            decision: Some(decision),
            substitute: None,
        })
    }
}

impl<G: Game, P: fmt::Debug> fmt::Debug for PlannedTurns<G, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlannedTurns")
            .field("planner", &self.planner)
            .field("budget", &self.budget)
            .field("planning", &self.pending.is_none())
            .finish_non_exhaustive()
    }
}
