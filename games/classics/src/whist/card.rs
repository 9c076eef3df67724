//! Cards as bits: [`Card`], [`Suit`].

use std::fmt;

/// Cards of a suit.
pub(super) const RANKS: usize = 13;

const SUIT_LETTERS: [char; 4] = ['c', 'd', 'h', 's'];
const RANK_LETTERS: [char; RANKS] = [
    '2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K', 'A',
];

/// The ranks of a suit are listed in two halves, from tables that fit beside each other in the nearest cache:
/// the seven low ones and the six high ones.
const LOW_RANKS: usize = 7;
static LOW: [u64; 1 << LOW_RANKS] = lists(0);
static HIGH: [u64; 1 << (RANKS - LOW_RANKS)] = lists(LOW_RANKS as u64);

/// One in each byte that holds a card.
const EACH: u64 = 0x0001_0101_0101_0101;

/// For every set of bits, the bits in order from `first`, one a byte, and in the last byte how many.
const fn lists<const SETS: usize>(first: u64) -> [u64; SETS] {
    let mut table = [0; SETS];
    let mut set = 0;
    while set < SETS {
        let (mut rest, mut count) = (set, 0);
        while rest != 0 {
            table[set] |= (first + rest.trailing_zeros() as u64) << (8 * count);
            rest &= rest - 1;
            count += 1;
        }
        table[set] |= count << 56;
        set += 1;
    }
    table
}

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
        Self::deck().into_iter()
    }

    /// All 52, in order.
    pub(super) fn deck() -> [Self; 4 * RANKS] {
        std::array::from_fn(|i| Self(((i / RANKS) << 4 | i % RANKS) as u8))
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

    /// Replaces the content of `out` with the cards of `ranks` (bit `rank`) in the suit numbered `suit`,
    /// in order.
    #[inline]
    pub(super) fn list_suit(ranks: u64, suit: u8, out: &mut Vec<Self>) {
        let base = u64::from(suit) << 4;
        let low = LOW[ranks as usize & (LOW.len() - 1)];
        let high = HIGH[(ranks >> LOW_RANKS) as usize & (HIGH.len() - 1)];
        let (lows, highs) = ((low >> 56) as usize, (high >> 56) as usize);
        // Always eight bytes, one store; then the lengths alone depend on the cards.
        out.clear();
        out.extend_from_slice(&(low + base * EACH).to_le_bytes().map(Self));
        out.truncate(lows);
        out.extend_from_slice(&(high + base * EACH).to_le_bytes().map(Self));
        out.truncate(lows + highs);
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

    /// The number of the suit in their order.
    #[inline]
    pub(super) const fn suit_number(self) -> u8 {
        self.0 >> 4 & 3
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
