//! A micro-move: [`MicroMove`] (rule R3), written in UCI.

use cozy_chess::{Piece, Square};
use std::fmt::{self, Debug, Display};
use std::str::FromStr;
use thiserror::Error;

/// One move of one piece: from, to and what a pawn becomes. Castling is the king's move `e1g1`.
///
/// Ordered by origin, then target, then promotion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MicroMove(u16);

/// Text that is no move in UCI: its beginning.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "`{0}` is not a move: write origin and target, as in e2e4, and what a pawn becomes, as in e7e8q"
)]
pub struct MoveError(pub String);

impl MicroMove {
    /// A move without promotion.
    #[inline]
    #[must_use]
    pub const fn new(from: Square, to: Square) -> Self {
        Self((from as u16) << 9 | (to as u16) << 3)
    }

    /// A pawn's move to the last rank. `piece` is a knight, bishop, rook or queen.
    #[inline]
    #[must_use]
    pub const fn promoting(from: Square, to: Square, piece: Piece) -> Self {
        Self(Self::new(from, to).0 | piece as u16)
    }

    /// Where from.
    #[inline]
    #[must_use]
    pub const fn from(self) -> Square {
        Square::index_const((self.0 >> 9) as usize)
    }

    /// Where to.
    #[inline]
    #[must_use]
    pub const fn to(self) -> Square {
        Square::index_const((self.0 >> 3 & 63) as usize)
    }

    /// What the pawn becomes.
    #[inline]
    #[must_use]
    pub const fn promotion(self) -> Option<Piece> {
        match self.0 & 7 {
            1 => Some(Piece::Knight),
            2 => Some(Piece::Bishop),
            3 => Some(Piece::Rook),
            4 => Some(Piece::Queen),
            _ => None,
        }
    }
}

impl Display for MicroMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(piece) => write!(f, "{piece}"),
            None => Ok(()),
        }
    }
}

impl Debug for MicroMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl FromStr for MicroMove {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Self, MoveError> {
        let bad = || MoveError(text.chars().take(20).collect());
        let lower = text.trim().to_ascii_lowercase();
        if !lower.is_ascii() || !(4..=5).contains(&lower.len()) {
            return Err(bad());
        }
        let from: Square = lower[..2].parse().map_err(|_| bad())?;
        let to: Square = lower[2..4].parse().map_err(|_| bad())?;
        match &lower[4..] {
            "" => Ok(Self::new(from, to)),
            "n" => Ok(Self::promoting(from, to, Piece::Knight)),
            "b" => Ok(Self::promoting(from, to, Piece::Bishop)),
            "r" => Ok(Self::promoting(from, to, Piece::Rook)),
            "q" => Ok(Self::promoting(from, to, Piece::Queen)),
            _ => Err(bad()),
        }
    }
}
