//! The shots that are considered: [`candidates`].
//!
//! Everything here is geometry on the board: no throw, no chance, and the same for the board in a
//! mirror.

pub(crate) mod grid;
mod named;

pub use named::named_shots;

use crate::action::Action;
use crate::board::Point;
use crate::game::Curling;
use crate::options::Shots;
use crate::release::Spin;
use crate::shots::{Aim, Shot};
use crate::state::State;

/// Replaces the content of `out` with the shots worth considering in `state`, ascending; never
/// empty.
pub fn candidates(game: &Curling, state: &State, out: &mut Vec<Action>) {
    out.clear();
    let wanted = game.options().shots;
    if wanted != Shots::Grid {
        named_shots(game, state, |_, aim| out.push(action(aim)));
    }
    if wanted != Shots::Named {
        out.extend_from_slice(game.lattice());
    }
    if out.is_empty() {
        let draw = Shot::Draw { to: Point::TEE };
        for spin in Spin::BOTH {
            let aim = draw.aim(game.paths(), &state.board, spin);
            out.extend(aim.as_ref().map(action));
        }
    }
    out.sort_unstable();
    out.dedup();
}

fn action(aim: &Aim) -> Action {
    Action::polar(aim.speed, aim.angle, aim.spin)
}
