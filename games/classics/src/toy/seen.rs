//! What is seen of the actions and outcomes of a [`TreeGame`].

use search_core::game::{ActionObservation, Player};

use super::{Branch, Kind, Sight, ToyAction, ToyState, ToyView, TreeGame};

/// An observer sees of an action what there is to see afterwards: the information set that is reached,
/// or, where somebody else is to move, who it is.
impl ActionObservation for TreeGame {
    fn observe_action(&self, state: &ToyState, action: ToyAction, observer: Player) -> u64 {
        let Kind::Decision { info_set, moves } = self.kind(*state) else {
            return 0;
        };
        let mover = self.0.info_sets[usize::from(info_set.0)].player;
        let next = moves.iter().find(|(a, _)| *a == action);
        match next {
            Some((_, next)) if mover != observer => token(&self.0.observe(*next, observer)),
            _ => u64::from(action.0),
        }
    }

    fn observe_chance(&self, state: &ToyState, outcome: Branch, observer: Player) -> u64 {
        match self.kind(*state) {
            Kind::Chance(branches) => branches
                .get(usize::from(outcome.0))
                .map_or(0, |(next, _)| token(&self.0.observe(*next, observer))),
            _ => 0,
        }
    }
}

/// A view of one observer as a number.
fn token(view: &ToyView) -> u64 {
    match view.sight {
        Sight::ToMove(id) => 1 << 60 | u64::from(id.0),
        Sight::Waiting { turn, memory } => {
            let turn = turn.map_or(0, |player| player.index() as u64 + 1);
            let memory = memory.map_or(0, |(id, action)| {
                1 << 32 | u64::from(id.0) << 16 | u64::from(action.0)
            });
            2 << 60 | turn << 40 | memory
        }
        Sight::Over(state) => 3 << 60 | u64::from(state.0),
    }
}
