//! How a player behaves: [`Behaviour`].

use search_core::game::{InfoKey, Player};
use std::collections::BTreeMap;
use thiserror::Error;

/// A behaviour strategy: probabilities of the legal actions in every information set.
///
/// A table keyed by information set is one (what it does not list is uniformly random), so is
/// [`Uniform`], and a function wrapped in [`FromFn`], say one that runs a search and returns its
/// policy.
pub trait Behaviour<G: InfoKey> {
    /// One probability a legal action, in order, summing to 1.
    fn probabilities(
        &self,
        game: &G,
        player: Player,
        key: &G::Key,
        observation: &G::Observation,
        legal: &[G::Action],
    ) -> Vec<f64>;
}

fn uniform(actions: usize) -> Vec<f64> {
    vec![1.0 / actions as f64; actions]
}

/// Every legal action with the same probability.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Uniform;

impl<G: InfoKey> Behaviour<G> for Uniform {
    fn probabilities(
        &self,
        _: &G,
        _: Player,
        _: &G::Key,
        _: &G::Observation,
        legal: &[G::Action],
    ) -> Vec<f64> {
        uniform(legal.len())
    }
}

impl<G: InfoKey> Behaviour<G> for BTreeMap<G::Key, Vec<f64>> {
    fn probabilities(
        &self,
        _: &G,
        _: Player,
        key: &G::Key,
        _: &G::Observation,
        legal: &[G::Action],
    ) -> Vec<f64> {
        let row = self.get(key).cloned();
        row.unwrap_or_else(|| uniform(legal.len()))
    }
}

/// A function of the observation and the legal actions.
#[derive(Debug, Clone, Copy)]
pub struct FromFn<F>(pub F);

impl<G: InfoKey, F: Fn(&G::Observation, &[G::Action]) -> Vec<f64>> Behaviour<G> for FromFn<F> {
    fn probabilities(
        &self,
        _: &G,
        _: Player,
        _: &G::Key,
        observation: &G::Observation,
        legal: &[G::Action],
    ) -> Vec<f64> {
        (self.0)(observation, legal)
    }
}

/// A behaviour gave something other than one probability an action.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("not probabilities of {actions} actions that sum to 1: {row:?} in information set {key}")]
pub struct BadBehaviour {
    /// The information set.
    pub key: String,
    /// How many actions there are.
    pub actions: usize,
    /// What was given.
    pub row: Vec<f64>,
}
