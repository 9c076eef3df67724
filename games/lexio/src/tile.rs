//! One tile: a number and a suit in one byte, in order of strength.

use std::fmt;

/// How many numbers there are at most, and so how many ranks.
pub const RANKS: u8 = 15;

/// The four suits, weak to strong.
///
/// The letters of the notation are `C H D S`, in that order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Suit {
    /// Cloud (blue), `C`, the weakest.
    Cloud,
    /// Star (yellow), `H`.
    Star,
    /// Moon (green), `D`.
    Moon,
    /// Sun (red), `S`, the strongest.
    Sun,
}

impl Suit {
    /// All suits, weak to strong.
    pub const ALL: [Self; 4] = [Self::Cloud, Self::Star, Self::Moon, Self::Sun];

    /// The letter of the notation.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Cloud => 'C',
            Self::Star => 'H',
            Self::Moon => 'D',
            Self::Sun => 'S',
        }
    }

    /// The suit of a letter, in either case.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter.to_ascii_uppercase() {
            'C' => Some(Self::Cloud),
            'H' => Some(Self::Star),
            'D' => Some(Self::Moon),
            'S' => Some(Self::Sun),
            _ => None,
        }
    }
}

/// A tile: `4 * rank + suit`, so that a stronger tile is a larger number.
///
/// The rank is the strength of the number: 0 for a 3, 12 for a 15, then 13 for the 1 and 14 for
/// the 2, whatever the number of players. With fewer players the ranks in between are unused,
/// which changes nothing in any comparison.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile(u8);

impl Tile {
    /// The cloud 3, whose holder leads.
    pub const CLOUD_THREE: Self = Self(0);

    /// The tile with this number, 1 to 15, and suit.
    #[inline]
    #[must_use]
    pub const fn new(number: u8, suit: Suit) -> Option<Self> {
        match number {
            1 | 2 => Some(Self(4 * (number + 12) + suit as u8)),
            3..=RANKS => Some(Self(4 * (number - 3) + suit as u8)),
            _ => None,
        }
    }

    /// The tile with this index, 0 to 59.
    #[inline]
    #[must_use]
    pub const fn from_index(index: u8) -> Option<Self> {
        if index < 4 * RANKS {
            Some(Self(index))
        } else {
            None
        }
    }

    /// `4 * rank + suit`, 0 to 59.
    #[inline]
    #[must_use]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The strength of the number, 0 (a 3) to 14 (a 2).
    #[inline]
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0 >> 2
    }

    /// The number printed on the tile, 1 to 15.
    #[inline]
    #[must_use]
    pub const fn number(self) -> u8 {
        number_of_rank(self.rank())
    }

    /// The suit.
    #[inline]
    #[must_use]
    pub const fn suit(self) -> Suit {
        Suit::ALL[(self.0 & 3) as usize]
    }
}

/// The number whose strength is `rank`.
#[must_use]
pub(crate) const fn number_of_rank(rank: u8) -> u8 {
    if rank < 13 { rank + 3 } else { rank - 12 }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.number(), self.suit().letter())
    }
}

impl fmt::Debug for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
