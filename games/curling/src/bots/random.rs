//! Chance as a player: [`RandomLegal`].

use search_core::game::Player;
use search_core::policy::{Policy, RolloutPolicy};
use search_core::rng::{Draw, SimRng};

use crate::action::Action;
use crate::game::Curling;
use crate::state::State;

/// Any of the listed shots with the same probability.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RandomLegal;

impl Policy<Curling> for RandomLegal {
    fn choose(&self, _: &Curling, _: &State, legal: &[Action], rng: &mut SimRng) -> Action {
        legal[rng.below(legal.len() as u32) as usize]
    }
}

impl RolloutPolicy<Curling> for RandomLegal {
    fn choose_in_world(
        &self,
        game: &Curling,
        world: &State,
        _: Player,
        legal: &[Action],
        rng: &mut SimRng,
    ) -> Action {
        self.choose(game, world, legal, rng)
    }
}
