//! What an observation still shows of the decisions before it.
//!
//! It remembers who played which tiles, but not in what order nor upon what, so that the situation in
//! which a play was made is gone. What is left whole are the passes since the last play: the play to
//! beat is on the table, and no hand has changed since.

use search_core::game::{History, Player, VisitDecision};

use crate::action::Action;
use crate::observation::Observation;
use crate::rules::{Lexio, PassRule};
use crate::state::State;

impl History for Lexio {
    /// The passes upon the play on the table, under the soft rule; under the hard rule a seat that is
    /// out may have passed before that play, so nothing is certain. Whether a later seat had passed in
    /// this trick before is not shown; in the situations it is as if it had where it has now.
    fn decisions(
        &self,
        observation: &Observation,
        world: &State,
        visit: &mut VisitDecision<'_, Self>,
    ) {
        let public = &observation.public;
        if self.options().pass == PassRule::Hard || public.table.is_none() {
            return;
        }
        let seats = observation.players;
        let following = |seat: u8| (seat + 1) % seats;
        let mut state = *world;
        // Back to the first pass, then forward.
        let mut seat = following(public.owner);
        while seat != public.turn {
            let passes = &mut state.public.passes[usize::from(seat)];
            *passes = passes.saturating_sub(1);
            seat = following(seat);
        }
        let mut seat = following(public.owner);
        while seat != public.turn {
            state.public.turn = seat;
            visit(&state, Player::new(usize::from(seat)), Action::PASS);
            state.public.passes[usize::from(seat)] += 1;
            seat = following(seat);
        }
    }
}
