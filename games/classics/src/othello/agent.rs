//! A quick player for rollouts and beginners.

use search_core::policy::Policy;
use search_core::rng::SimRng;

use super::evaluation::square_weight;
use super::{Move, Othello, Position};

/// Plays on the square that is worth most by itself, the first of equals.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Positional;

impl Policy<Othello> for Positional {
    fn choose(&self, _: &Othello, _: &Position, legal: &[Move], _: &mut SimRng) -> Move {
        let worth = |action: &Move| action.square().map_or(0, square_weight);
        let mut best = legal[0];
        for action in &legal[1..] {
            if worth(action) > worth(&best) {
                best = *action;
            }
        }
        best
    }
}
