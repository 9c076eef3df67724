//! What labels the edges in the tree of one observer.

use crate::game::{Game, Player};

/// What leads from a node to its child in the tree of one observer: what this observer saw happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObservedKey<A> {
    /// An action that the observer sees whole: the own ones, and in a shared tree everybody's.
    Action(A),
    /// What the observer sees of somebody's action. Who is to move is taken to be known.
    Seen {
        /// Who acted.
        by: Player,
        /// [`ActionObservation::observe_action`](crate::game::ActionObservation::observe_action).
        token: u64,
    },
    /// What the observer sees of a chance outcome:
    /// [`ActionObservation::observe_chance`](crate::game::ActionObservation::observe_chance).
    Chance {
        /// The token.
        token: u64,
    },
    /// Not an edge: the root of this player's tree.
    Root(Player),
}

impl<A> ObservedKey<A> {
    /// The action, if it is seen whole.
    #[inline]
    pub fn action(self) -> Option<A> {
        match self {
            Self::Action(action) => Some(action),
            _ => None,
        }
    }
}

/// The key of the edges that observers of a game have.
pub(crate) type Key<G> = ObservedKey<<G as Game>::Action>;
