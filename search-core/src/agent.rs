//! Something that plays: [`Agent`], object-safe for one game, and the adapters that make one of a
//! policy, of a searcher, and of an agent with a fallback.

mod planned;

pub use planned::{Plan, PlannedTurns, Planner};

use std::time::{Duration, Instant};

use crate::budget::Budget;
use crate::decision::{Decision, SearchError};
use crate::game::{Game, is_legal};
use crate::policy::Policy;
use crate::rng::Seed;
use crate::search::{GameKey, Searcher};
use crate::tree::Snapshot;

/// Why the move is not the agent's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Substitute {
    /// The agent failed (a [`SearchError`]).
    Failure,
    /// The agent overran its time limit.
    Timeout,
}

/// A move and how it came about.
#[derive(Debug, Clone)]
pub struct Choice<A> {
    /// The action to play.
    pub action: A,
    /// The search behind it, if there was one.
    pub decision: Option<Decision<A>>,
    /// Set when the fallback decided.
    pub substitute: Option<Substitute>,
    /// Whether the same inputs give the same choice again.
    pub deterministic: bool,
}

impl<A> Choice<A> {
    /// A deterministic choice without a search.
    pub fn plain(action: A) -> Self {
        Self {
            action,
            decision: None,
            substitute: None,
            deterministic: true,
        }
    }
}

/// Decides from an observation. Holds whatever memory it wants to keep between decisions, but the
/// choice must depend only on the arguments.
pub trait Agent<G: Game>: Send {
    /// An action for the player who made this observation and is to move; `legal` is that
    /// player's legal actions, ascending and not empty.
    ///
    /// # Errors
    /// Whatever stopped the agent from deciding.
    fn decide(
        &mut self,
        game: &G,
        observation: &G::Observation,
        legal: &[G::Action],
        seed: Seed,
    ) -> Result<Choice<G::Action>, SearchError>;

    /// The tree behind the last decision, where there is one and it was kept.
    fn tree(&self) -> Option<&Snapshot<GameKey<G>>> {
        None
    }
}

/// An agent that follows a policy.
#[derive(Debug, Clone)]
pub struct PolicyAgent<P>(pub P);

impl<G: Game, P: Policy<G>> Agent<G> for PolicyAgent<P> {
    fn decide(
        &mut self,
        game: &G,
        observation: &G::Observation,
        legal: &[G::Action],
        seed: Seed,
    ) -> Result<Choice<G::Action>, SearchError> {
        let mut rng = seed.simulation(0);
        Ok(Choice::plain(self.0.choose(
            game,
            observation,
            legal,
            &mut rng,
        )))
    }
}

/// An agent that searches with a fixed budget.
#[derive(Debug, Clone)]
pub struct SearchAgent<S> {
    /// The searcher.
    pub searcher: S,
    /// What it may spend a decision.
    pub budget: Budget,
}

impl<G: Game, S: Searcher<G> + Send> Agent<G> for SearchAgent<S> {
    fn decide(
        &mut self,
        game: &G,
        observation: &G::Observation,
        _: &[G::Action],
        seed: Seed,
    ) -> Result<Choice<G::Action>, SearchError> {
        let decision = self.searcher.search(game, observation, &self.budget, seed);
        chosen(decision?)
    }

    fn tree(&self) -> Option<&Snapshot<GameKey<G>>> {
        self.searcher.tree()
    }
}

/// The choice of a search, the same for all searches of a game.
fn chosen<A: Copy>(decision: Decision<A>) -> Result<Choice<A>, SearchError> {
    let tried = decision.candidates.iter().any(|c| c.visits > 0);
    if !tried && decision.effort.refused_expansions > 0 {
        return Err(SearchError::NoRoom {
            actions: decision.candidates.len(),
        });
    }
    Ok(Choice {
        action: decision.action,
        deterministic: decision.effort.deterministic,
        decision: Some(decision),
        substitute: None,
    })
}

/// An agent whose failures and overruns are covered by another agent, and counted.
pub struct WithFallback<G: Game> {
    /// The agent.
    pub agent: Box<dyn Agent<G>>,
    /// Who decides instead.
    pub fallback: Box<dyn Agent<G>>,
    /// The longest a decision may take. With a limit, results are not reproducible.
    pub limit: Option<Duration>,
}

impl<G: Game> Agent<G> for WithFallback<G> {
    fn decide(
        &mut self,
        game: &G,
        observation: &G::Observation,
        legal: &[G::Action],
        seed: Seed,
    ) -> Result<Choice<G::Action>, SearchError> {
        let started = self.limit.map(|_| Instant::now());
        let outcome = self.agent.decide(game, observation, legal, seed);
        let late = matches!((self.limit, started), (Some(limit), Some(t)) if t.elapsed() > limit);
        let timed = self.limit.is_some();
        match outcome {
            Ok(choice) if !late && is_legal(game, observation, legal, choice.action) => {
                Ok(Choice {
                    deterministic: choice.deterministic && !timed,
                    ..choice
                })
            }
            other => {
                let choice = self.fallback.decide(game, observation, legal, seed)?;
                let reason = match other {
                    Ok(choice) if is_legal(game, observation, legal, choice.action) => {
                        Substitute::Timeout
                    }
                    _ => Substitute::Failure,
                };
                Ok(Choice {
                    substitute: Some(reason),
                    deterministic: choice.deterministic && !timed,
                    ..choice
                })
            }
        }
    }
}
