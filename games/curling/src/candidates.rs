//! The shots that are considered: [`Candidates`].

use crate::action::Action;
use crate::board::Point;
use crate::game::Curling;
use crate::physics::Simulator;
use crate::release::Spin;
use crate::state::State;

/// Replaces the content of `out` with the shots worth considering in `state`, ascending.
pub fn candidates(game: &Curling, state: &State, out: &mut Vec<Action>) {
    let _ = state;
    out.clear();
    for spin in Spin::BOTH {
        for x in [-1.2_f32, -0.6, 0.0, 0.6, 1.2] {
            for y in [34.5_f32, 36.5, 38.405] {
                out.extend(
                    game.model()
                        .stop_at(Point::new(x, y), spin)
                        .map(Action::shot),
                );
            }
            let through = game.model().pass_through(Point::new(x, 38.405), 1.5, spin);
            out.extend(through.map(Action::shot));
        }
    }
    out.sort_unstable();
    out.dedup();
}
