//! What is put around an agent: a note of why it failed, a salt for its seeds.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use search_core::agent::{Agent, Choice};
use search_core::decision::SearchError;
use search_core::expr::{Expr, ExprError, Settings};
use search_core::game::is_legal;
use search_core::plugin::Plugin;
use search_core::rng::Seed;
use search_core::search::GameKey;
use search_core::tree::Snapshot;

use super::setup::positive_time;

/// The settings that every agent understands.
pub(super) struct Covers<'a> {
    pub(super) seed: Option<u64>,
    pub(super) fallback: Option<&'a Expr>,
    pub(super) timeout: Option<Duration>,
}

impl<'a> Covers<'a> {
    pub(super) fn read(settings: &mut Settings<'a>) -> Result<Self, ExprError> {
        Ok(Self {
            seed: settings.optional("seed")?,
            fallback: settings.expr("fallback"),
            timeout: positive_time(settings, "timeout")?,
        })
    }
}

/// Why an agent failed, kept until somebody asks. A fallback hides the error otherwise.
#[derive(Debug, Clone, Default)]
pub struct Note(Arc<Mutex<Option<String>>>);

impl Note {
    /// Replaces the note.
    pub fn set(&self, reason: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason);
    }

    /// Takes the note away.
    #[must_use]
    pub fn take(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Notes the reason when its agent fails.
pub(super) struct Noted<P: Plugin> {
    agent: Box<dyn Agent<P>>,
    note: Note,
}

impl<P: Plugin> Noted<P> {
    pub(super) fn new(agent: Box<dyn Agent<P>>, note: Note) -> Self {
        Self { agent, note }
    }
}

impl<P: Plugin> Agent<P> for Noted<P> {
    fn decide(
        &mut self,
        game: &P,
        observation: &P::Observation,
        legal: &[P::Action],
        seed: Seed,
    ) -> Result<Choice<P::Action>, SearchError> {
        let outcome = self.agent.decide(game, observation, legal, seed);
        match &outcome {
            Err(error) => self.note.set(error.to_string()),
            Ok(choice) if !is_legal(game, observation, legal, choice.action) => {
                let action = game.format_action(choice.action);
                self.note.set(format!("`{action}` is not a legal action"));
            }
            Ok(_) => {}
        }
        outcome
    }
}

/// Gives its agent other random numbers.
pub(super) struct Salted<P: Plugin> {
    agent: Box<dyn Agent<P>>,
    salt: u64,
}

impl<P: Plugin> Salted<P> {
    pub(super) fn new(agent: Box<dyn Agent<P>>, salt: u64) -> Self {
        Self { agent, salt }
    }
}

impl<P: Plugin> Agent<P> for Salted<P> {
    fn decide(
        &mut self,
        game: &P,
        observation: &P::Observation,
        legal: &[P::Action],
        seed: Seed,
    ) -> Result<Choice<P::Action>, SearchError> {
        let seed = seed.child("salt").index(self.salt);
        self.agent.decide(game, observation, legal, seed)
    }

    fn tree(&self) -> Option<&Snapshot<GameKey<P>>> {
        self.agent.tree()
    }
}
