//! Whose turn it is or how it ended, in one byte, for two-player games that alternate.

use search_core::game::{Player, Returns, Turn};

/// Stored in the state, so that asking for the turn costs one load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(u8)]
pub(crate) enum Status {
    #[default]
    FirstToMove,
    SecondToMove,
    FirstWon,
    SecondWon,
    Drawn,
}

impl Status {
    /// The status after player `mover` has moved.
    #[inline]
    pub(crate) const fn after_move(mover: usize, won: bool, full: bool) -> Self {
        match (won, full, mover) {
            (true, _, 0) => Self::FirstWon,
            (true, _, _) => Self::SecondWon,
            (false, true, _) => Self::Drawn,
            (false, false, 0) => Self::SecondToMove,
            (false, false, _) => Self::FirstToMove,
        }
    }

    /// Whose move it is, 0 or 1; meaningless after the end.
    #[inline]
    pub(crate) const fn mover(self) -> usize {
        self as usize & 1
    }

    /// The other player to move; only before the end.
    #[inline]
    pub(crate) const fn next(self) -> Self {
        match self {
            Self::FirstToMove => Self::SecondToMove,
            _ => Self::FirstToMove,
        }
    }

    #[inline]
    pub(crate) const fn turn(self) -> Turn {
        match self {
            Self::FirstToMove => Turn::Player(Player::new(0)),
            Self::SecondToMove => Turn::Player(Player::new(1)),
            _ => Turn::Terminal,
        }
    }

    #[inline]
    pub(crate) const fn is_over(self) -> bool {
        self as u8 >= Self::FirstWon as u8
    }

    #[inline]
    pub(crate) const fn returns(self) -> Returns {
        Returns::zero_sum(match self {
            Self::FirstWon => 1.0,
            Self::SecondWon => -1.0,
            _ => 0.0,
        })
    }

    /// What a picture says about it, with the players' signs.
    pub(crate) fn describe(self, signs: [char; 2]) -> String {
        match self {
            Self::FirstToMove | Self::SecondToMove => format!("{} to move", signs[self.mover()]),
            Self::FirstWon => format!("{} has won", signs[0]),
            Self::SecondWon => format!("{} has won", signs[1]),
            Self::Drawn => "drawn".into(),
        }
    }
}
