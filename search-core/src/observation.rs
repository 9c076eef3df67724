//! From what a player knows to worlds that may be true: [`Determinizer`], [`Identity`].

use rand::Rng;
use thiserror::Error;

use crate::game::Game;
use crate::weights::Pool;

/// The observation admits no world: some public facts cannot all be true.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("no world agrees with the observation: {reason}")]
pub struct Contradiction {
    /// Which facts disagree.
    pub reason: String,
}

impl Contradiction {
    /// A contradiction with its reason.
    pub fn new(reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
        }
    }
}

/// Natural logarithm of a world's importance weight; 0 when worlds are drawn from the target
/// distribution itself.
pub type LogWeight = f64;

/// Turns an observation into worlds: states that the observer cannot tell from the true one.
///
/// A determinizer never sees the true state, so a search built on it cannot either.
pub trait Determinizer<G: Game>: Send + Sync {
    /// What is computed once a decision: counting tables, say; `()` when there is nothing.
    type Plan: Send + Sync;

    /// Whether the observation *is* the state, so that every sample is the same world.
    const PERFECT_INFORMATION: bool = false;

    /// How many worlds to draw and weigh before a search, when they come with weights. `None`, the
    /// default, where worlds are drawn from the wanted distribution itself: a search then refuses a
    /// weight other than 0.
    fn pool(&self) -> Option<Pool> {
        None
    }

    /// Prepares to sample worlds for `observation`.
    ///
    /// # Errors
    /// [`Contradiction`] when no world agrees with the observation.
    fn plan(&self, game: &G, observation: &G::Observation) -> Result<Self::Plan, Contradiction>;

    /// Memory to sample into: a state of the right shape. What it holds is overwritten by
    /// [`Determinizer::sample`].
    fn scratch(&self, game: &G, observation: &G::Observation, plan: &Self::Plan) -> G::State;

    /// Overwrites `world` with a world that agrees with the observation, drawn with its probability
    /// given the observation, and returns the logarithm of its importance weight: 0, unless
    /// [`Determinizer::pool`] says that there are weights.
    ///
    /// Every world that the observation admits must have positive probability (a weight may be 0). In every world the
    /// same player is to move with the same legal actions, and observing it gives the same
    /// observation again.
    fn sample<R: Rng + ?Sized>(
        &self,
        game: &G,
        observation: &G::Observation,
        plan: &Self::Plan,
        rng: &mut R,
        world: &mut G::State,
    ) -> LogWeight;
}

/// The determinizer of a game of perfect information: the observation is the state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Identity;

impl<G: Game<Observation = <G as Game>::State>> Determinizer<G> for Identity {
    type Plan = ();
    const PERFECT_INFORMATION: bool = true;

    fn plan(&self, _: &G, _: &G::State) -> Result<(), Contradiction> {
        Ok(())
    }

    fn scratch(&self, _: &G, observation: &G::State, (): &()) -> G::State {
        observation.clone()
    }

    #[inline]
    fn sample<R: Rng + ?Sized>(
        &self,
        _: &G,
        observation: &G::State,
        (): &(),
        _: &mut R,
        world: &mut G::State,
    ) -> LogWeight {
        world.clone_from(observation);
        0.0
    }
}
