//! Who chooses: [`Policy`] from an observation, [`RolloutPolicy`] inside a sampled world; and how
//! likely an action is before it is searched: [`Priors`].

use std::sync::Arc;

use crate::decision::SearchError;
use crate::game::{Game, Player, Returns};
use crate::rng::{Draw, Seed, SimRng};

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

    /// Why a choice since the last call was not the policy's own, if one was not: for policies that
    /// search. A search whose rollouts it played ends with this error.
    fn failure(&self) -> Option<SearchError> {
        None
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

    /// As [`Policy::failure`].
    fn failure(&self) -> Option<SearchError> {
        None
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

    fn failure(&self) -> Option<SearchError> {
        self.0.failure()
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

            fn failure(&self) -> Option<SearchError> {
                (**self).failure()
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

    fn failure(&self) -> Option<SearchError> {
        (**self).failure()
    }
}

/// A static estimate of the returns of a state that need not be terminal, on the scale of
/// [`Game::returns`].
pub trait Evaluator<G: Game>: Send + Sync {
    /// The estimate, one value a player.
    fn evaluate(&self, game: &G, state: &G::State) -> Returns;
}

/// How likely each action is to be the right one, before anything is searched.
pub trait Priors<G: Game>: Send + Sync {
    /// Replaces the content of `out` with the probability of each action of `legal`, in its order:
    /// none negative, summing to 1. `legal` is not empty and is what [`Game::legal_actions`] gives in
    /// every world of `observation`.
    ///
    /// A function of its arguments: asking again gives the same. What is no distribution is replaced
    /// by the uniform one where it is used.
    fn priors(
        &self,
        game: &G,
        observation: &G::Observation,
        legal: &[G::Action],
        out: &mut Vec<f64>,
    );
}

/// The same probability for every action.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UniformPriors;

impl<G: Game> Priors<G> for UniformPriors {
    fn priors(&self, _: &G, _: &G::Observation, legal: &[G::Action], out: &mut Vec<f64>) {
        out.clear();
        out.resize(legal.len(), 1.0 / legal.len() as f64);
    }
}

/// What a policy would play, and every action a little: `1 - epsilon` on the policy's choice, and
/// `epsilon` shared evenly by all `k` legal actions, that one included.
///
/// A policy that draws is asked once, with a fixed seed. A choice that is not listed (see
/// [`Game::accepts`]) leaves the priors uniform.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Softened<P> {
    /// Who would play.
    pub policy: P,
    /// How much of the probability is shared, 0 to 1. What is beyond is taken as the nearest of them,
    /// and no number as 1.
    pub epsilon: f64,
}

impl<G: Game, P: Policy<G>> Priors<G> for Softened<P> {
    fn priors(
        &self,
        game: &G,
        observation: &G::Observation,
        legal: &[G::Action],
        out: &mut Vec<f64>,
    ) {
        let rng = &mut Seed(0).simulation(0);
        let choice = self.policy.choose(game, observation, legal, rng);
        let Some(chosen) = legal.iter().position(|&action| action == choice) else {
            return UniformPriors.priors(game, observation, legal, out);
        };
        let epsilon = if self.epsilon.is_nan() {
            1.0
        } else {
            self.epsilon.clamp(0.0, 1.0)
        };
        out.clear();
        out.resize(legal.len(), epsilon / legal.len() as f64);
        out[chosen] += 1.0 - epsilon;
    }
}

/// What points at priors gives them.
macro_rules! priors_behind {
    ($($pointer:ty),*) => {$(
        impl<G: Game, P: Priors<G> + ?Sized> Priors<G> for $pointer {
            fn priors(
                &self,
                game: &G,
                observation: &G::Observation,
                legal: &[G::Action],
                out: &mut Vec<f64>,
            ) {
                (**self).priors(game, observation, legal, out);
            }
        }
    )*};
}

priors_behind!(&P, Box<P>, Arc<P>);

/// Makes `priors` a distribution over `actions` of them, dividing by the sum. Returns whether it could
/// be: if not (a wrong length, a negative or no finite number, all of them 0), it is now uniform.
#[must_use]
pub fn normalise_priors(priors: &mut Vec<f64>, actions: usize) -> bool {
    let sum: f64 = priors.iter().sum();
    let usable = priors.len() == actions && priors.iter().all(|&p| p >= 0.0);
    if usable && sum > 0.0 && sum.is_finite() {
        for p in priors {
            *p /= sum;
        }
        return true;
    }
    priors.clear();
    priors.resize(actions, 1.0 / actions as f64);
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_distribution_becomes_the_uniform_one() {
        let mut out = vec![1.0, 3.0];
        assert!(normalise_priors(&mut out, 2));
        assert_eq!(out, [0.25, 0.75]);
        for bad in [
            vec![],
            vec![1.0],
            vec![0.0, 0.0],
            vec![-1.0, 2.0],
            vec![f64::NAN, 1.0],
            vec![f64::INFINITY, 1.0],
        ] {
            let mut out = bad.clone();
            assert!(!normalise_priors(&mut out, 2), "{bad:?}");
            assert_eq!(out, [0.5, 0.5]);
        }
    }
}
