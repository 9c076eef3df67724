//! Who names candidates: [`Proposer`].

use crate::game::Game;
use crate::policy::Policy;
use crate::rng::Seed;

/// Names actions worth comparing; the base policy's own choice is always among them.
pub trait Proposer<G: Game>: Send + Sync {
    /// Adds proposals to `out`. What is not in `legal`, or there already, is ignored.
    fn propose(
        &self,
        game: &G,
        observation: &G::Observation,
        legal: &[G::Action],
        seed: Seed,
        out: &mut Vec<G::Action>,
    );
}

/// Proposes every legal action.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AllLegal;

impl<G: Game> Proposer<G> for AllLegal {
    fn propose(
        &self,
        _: &G,
        _: &G::Observation,
        legal: &[G::Action],
        _: Seed,
        out: &mut Vec<G::Action>,
    ) {
        out.extend_from_slice(legal);
    }
}

/// Proposes what a policy would play.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PickOf<P>(pub P);

impl<G: Game, P: Policy<G>> Proposer<G> for PickOf<P> {
    fn propose(
        &self,
        game: &G,
        observation: &G::Observation,
        legal: &[G::Action],
        seed: Seed,
        out: &mut Vec<G::Action>,
    ) {
        let mut rng = seed.child("proposer").simulation(0);
        out.push(self.0.choose(game, observation, legal, &mut rng));
    }
}
