//! What one player may know of a round: [`Observation`].

use search_core::game::Player;

use crate::rules::{Lexio, MAX_SEATS};
use crate::set::Tiles;
use crate::state::{Public, State};

/// One player's view: his own tiles, how many the others hold, and what everybody has seen.
///
/// It remembers who played which tiles, but not in what order they were played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Observation {
    pub(crate) me: u8,
    pub(crate) players: u8,
    pub(crate) hand: Tiles,
    pub(crate) left: [u8; MAX_SEATS],
    pub(crate) public: Public,
}

impl Observation {
    /// Whose view it is.
    #[must_use]
    pub const fn me(&self) -> Player {
        Player::new(self.me as usize)
    }

    /// How many sit at the table.
    #[must_use]
    pub const fn players(&self) -> usize {
        self.players as usize
    }

    /// The viewer's own tiles.
    #[must_use]
    pub const fn hand(&self) -> Tiles {
        self.hand
    }

    /// How many tiles `player` holds.
    #[must_use]
    pub const fn left(&self, player: Player) -> u32 {
        self.left[player.index()] as u32
    }

    /// The fewest tiles that any other player holds.
    #[must_use]
    pub fn fewest_left_to_others(&self) -> u32 {
        let seats = (0_u8..).zip(&self.left).take(self.players());
        let others = seats.filter(|(seat, _)| *seat != self.me);
        others.map(|(_, &left)| u32::from(left)).min().unwrap_or(0)
    }

    /// The tiles in other hands. All tiles are dealt, so these are all tiles that the viewer
    /// neither holds nor has seen played.
    #[must_use]
    pub fn unseen(&self, game: &Lexio) -> Tiles {
        game.deck() - self.hand - self.public.all_played()
    }

    /// What everybody sees.
    #[must_use]
    pub const fn public(&self) -> &Public {
        &self.public
    }
}

impl Lexio {
    /// What `player` may know of `state`.
    #[inline]
    pub(crate) fn view(&self, state: &State, player: Player) -> Observation {
        Observation {
            me: player.index() as u8,
            players: self.options().players,
            hand: state.hands[player.index()],
            left: state.hands.map(|hand| hand.len() as u8),
            public: state.public,
        }
    }
}
