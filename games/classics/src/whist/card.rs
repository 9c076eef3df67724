//! Cards as bits: [`Card`], [`Suit`].

use std::fmt;

/// Cards of a suit.
pub(super) const RANKS: usize = 13;

const SUIT_LETTERS: [char; 4] = ['c', 'd', 'h', 's'];
const RANK_LETTERS: [char; RANKS] = [
    '2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K', 'A',
];

/// One of the four suits, in their order on the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Suit {
    /// c
    Clubs,
    /// d
    Diamonds,
    /// h
    Hearts,
    /// s
    Spades,
}

impl Suit {
    /// All of them, in order.
    pub const ALL: [Self; 4] = [Self::Clubs, Self::Diamonds, Self::Hearts, Self::Spades];

    /// The thirteen cards of the suit, bit [`Card::index`] a card.
    #[inline]
    #[must_use]
    pub const fn mask(self) -> u64 {
        0x1FFF << (16 * self as u32)
    }

    /// `c`, `d`, `h` or `s`.
    #[must_use]
    pub const fn letter(self) -> char {
        SUIT_LETTERS[self as usize]
    }
}

/// A card: the suits in order, in each the two first and the ace last. Written `2c`, `Td`, `As`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The card of this suit and rank, 0 for the two to 12 for the ace.
    #[must_use]
    pub const fn new(suit: Suit, rank: usize) -> Option<Self> {
        if rank < RANKS {
            Some(Self((suit as u8) << 4 | rank as u8))
        } else {
            None
        }
    }

    /// All 52, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        Suit::ALL
            .into_iter()
            .flat_map(|suit| (0..RANKS as u8).map(move |rank| Self((suit as u8) << 4 | rank)))
    }

    /// The cards of a set, in order.
    pub fn of(set: u64) -> impl Iterator<Item = Self> {
        Self::all().filter(move |card| set & card.bit() != 0)
    }

    /// The first card of a set that is not empty.
    #[inline]
    pub(super) const fn of_lowest(set: u64) -> Self {
        Self((set.trailing_zeros() & 63) as u8)
    }

    /// The bit of the card in a set of cards: `16 * suit + rank`.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize & 63
    }

    /// The set of this card alone.
    #[inline]
    #[must_use]
    pub const fn bit(self) -> u64 {
        1 << self.index()
    }

    /// The suit.
    #[inline]
    #[must_use]
    pub const fn suit(self) -> Suit {
        Suit::ALL[self.index() >> 4]
    }

    /// 0 for the two to 12 for the ace.
    #[inline]
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0 & 15
    }

    /// Reads `2c`, `Td`, `10d`, `As`, ignoring case.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let lower = text.trim().to_lowercase().replace("10", "t");
        let mut chars = lower.chars();
        let (rank, suit) = (chars.next()?, chars.next()?);
        if chars.next().is_some() {
            return None;
        }
        let rank = RANK_LETTERS
            .iter()
            .position(|letter| letter.to_ascii_lowercase() == rank)?;
        let suit = SUIT_LETTERS.iter().position(|letter| *letter == suit)?;
        Self::new(Suit::ALL[suit], rank)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rank = RANK_LETTERS[usize::from(self.rank()) % RANKS];
        write!(f, "{rank}{}", self.suit().letter())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
