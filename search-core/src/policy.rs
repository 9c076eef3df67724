//! Who chooses: [`Policy`] from an observation, [`RolloutPolicy`] inside a sampled world.

use std::sync::Arc;

use crate::game::{Game, Player, Returns};
use crate::rng::{Draw, SimRng};

/// Chooses from what a player knows: what a bot does.
///
/// The generator type is concrete so that policies can be boxed; a deterministic policy ignores it.
pub trait Policy<G: Game>: Send + Sync {
    /// One of `legal`, which is not empty and is what [`Game::legal_actions`] gives in every world
    /// of `observation`.
    fn choose(
        &self,
        game: &G,
        observation: &G::Observation,
        legal: &[G::Action],
        rng: &mut SimRng,
    ) -> G::Action;

    /// Whether [`Policy::choose`] reads `legal`. A policy that does not may be given an empty list
    /// inside rollouts, which saves making it.
    fn reads_legal(&self) -> bool {
        true
    }

    /// The probability that [`Policy::choose`] plays `action`, 0 to 1, for a policy that can tell: what
    /// inference from observed actions asks. Where it is `None`, the default, one choice is drawn instead,
    /// which says as much of a deterministic policy.
    fn probability(
        &self,
        game: &G,
        observation: &G::Observation,
        legal: &[G::Action],
        action: G::Action,
    ) -> Option<f64> {
        let _ = (game, observation, legal, action);
        None
    }
}

/// Chooses inside a sampled world, where everything is visible.
///
/// Use [`Observing`] to make one of a [`Policy`]: it shows the policy only what the player to move
/// may know, so that a rollout's "me" does not read the hands that were only sampled.
pub trait RolloutPolicy<G: Game>: Send + Sync {
    /// One of `legal`, which is not empty.
    fn choose_in_world(
        &self,
        game: &G,
        world: &G::State,
        player: Player,
        legal: &[G::Action],
        rng: &mut SimRng,
    ) -> G::Action;

    /// Whether [`RolloutPolicy::choose_in_world`] reads `legal`; the list is empty if not.
    #[inline]
    fn reads_legal(&self) -> bool {
        true
    }
}

/// Every legal action with the same probability.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UniformRandom;

impl<G: Game> Policy<G> for UniformRandom {
    #[inline]
    fn choose(
        &self,
        _: &G,
        _: &G::Observation,
        legal: &[G::Action],
        rng: &mut SimRng,
    ) -> G::Action {
        legal[rng.below(legal.len() as u32) as usize]
    }

    fn probability(
        &self,
        _: &G,
        _: &G::Observation,
        legal: &[G::Action],
        action: G::Action,
    ) -> Option<f64> {
        let listed = legal.binary_search(&action).is_ok();
        Some(if listed {
            1.0 / legal.len() as f64
        } else {
            0.0
        })
    }
}

impl<G: Game> RolloutPolicy<G> for UniformRandom {
    #[inline]
    fn choose_in_world(
        &self,
        _: &G,
        _: &G::State,
        _: Player,
        legal: &[G::Action],
        rng: &mut SimRng,
    ) -> G::Action {
        legal[rng.below(legal.len() as u32) as usize]
    }
}

/// A rollout policy that sees only its own player's observation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Observing<P>(pub P);

impl<G: Game, P: Policy<G>> RolloutPolicy<G> for Observing<P> {
    #[inline]
    fn choose_in_world(
        &self,
        game: &G,
        world: &G::State,
        player: Player,
        legal: &[G::Action],
        rng: &mut SimRng,
    ) -> G::Action {
        let observation = game.observe(world, player);
        self.0.choose(game, &observation, legal, rng)
    }

    fn reads_legal(&self) -> bool {
        self.0.reads_legal()
    }
}

/// What points at a policy is one.
macro_rules! policies_behind {
    ($($pointer:ty),*) => {$(
        impl<G: Game, P: Policy<G> + ?Sized> Policy<G> for $pointer {
            #[inline]
            fn choose(
                &self,
                game: &G,
                observation: &G::Observation,
                legal: &[G::Action],
                rng: &mut SimRng,
            ) -> G::Action {
                (**self).choose(game, observation, legal, rng)
            }

            fn reads_legal(&self) -> bool {
                (**self).reads_legal()
            }

            fn probability(
                &self,
                game: &G,
                observation: &G::Observation,
                legal: &[G::Action],
                action: G::Action,
            ) -> Option<f64> {
                (**self).probability(game, observation, legal, action)
            }
        }
    )*};
}

policies_behind!(&P, Box<P>, Arc<P>);

impl<G: Game, P: RolloutPolicy<G> + ?Sized> RolloutPolicy<G> for Arc<P> {
    fn choose_in_world(
        &self,
        game: &G,
        world: &G::State,
        player: Player,
        legal: &[G::Action],
        rng: &mut SimRng,
    ) -> G::Action {
        (**self).choose_in_world(game, world, player, legal, rng)
    }

    fn reads_legal(&self) -> bool {
        (**self).reads_legal()
    }
}

/// A static estimate of the returns of a state that need not be terminal, on the scale of
/// [`Game::returns`].
pub trait Evaluator<G: Game>: Send + Sync {
    /// The estimate, one value a player.
    fn evaluate(&self, game: &G, state: &G::State) -> Returns;
}
