//! Curling for searches over a continuum of shots: [`ExecutedShots`].

use search_core::rng::SimRng;
use search_core::search::continuous::ContinuousActions;

use search_core::game::Game;

use crate::action::Action;
use crate::game::Curling;
use crate::noise::Deviation;
use crate::noise::kernel::Kernel;
use crate::state::State;

/// Shots are alike as far as execution noise turns one into the other (kernel regression: Yee, Lisy
/// and Bowling 2016).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExecutedShots {
    kernel: Kernel,
}

impl ExecutedShots {
    /// For the ice and the noise of this game.
    #[must_use]
    pub fn new(game: &Curling) -> Self {
        Self {
            kernel: Kernel::new(*game.noise(), game.model()),
        }
    }
}

impl ContinuousActions<Curling> for ExecutedShots {
    /// The shot that is thrown when `action` is meant; any other action as it is.
    fn execute(&self, game: &Curling, state: &State, action: Action, rng: &mut SimRng) -> Action {
        let deviation = game.sample_chance(state, rng);
        action.release().map_or(action, |meant| {
            Action::shot(game.noise().execute(game.model(), meant, deviation))
        })
    }

    fn kernel(&self, _: &Curling, _: &State, a: Action, b: Action) -> f64 {
        if a == b {
            return 1.0;
        }
        match (a.release(), b.release()) {
            (Some(p), Some(q)) => self.kernel.between(p, q),
            _ => 0.0,
        }
    }

    fn exactly(&self, _: &Curling, _: &State) -> Deviation {
        Deviation::NONE
    }
}
