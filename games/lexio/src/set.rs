//! Sets of tiles in 60 bits.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Sub, SubAssign};

use crate::tile::{RANKS, Suit, Tile};

/// One bit for every rank: bit `4 * rank`, the cloud of that rank.
pub(crate) const CLOUDS: u64 = 0x0111_1111_1111_1111;

/// A set of tiles: bit `i` is the tile with index `i`. The tiles of one rank are four adjacent
/// bits, ranks in order of strength.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Tiles(u64);

impl Tiles {
    /// No tile.
    pub const EMPTY: Self = Self(0);
    /// All 60 tiles.
    pub const ALL: Self = Self((1 << 60) - 1);
    /// The four 2s.
    pub const TWOS: Self = Self(0xF << 56);

    /// The set with these bits; bits above 59 are dropped.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// The bits.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The tiles with numbers 1 to `max_number`.
    #[must_use]
    pub fn up_to_number(max_number: u8) -> Self {
        (1..=max_number.min(RANKS))
            .flat_map(|number| Suit::ALL.map(|suit| Tile::new(number, suit)))
            .flatten()
            .collect()
    }

    /// How many tiles.
    #[inline]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there are none.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the tile is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, tile: Tile) -> bool {
        self.0 >> tile.index() & 1 == 1
    }

    /// Whether every tile is also in `other`.
    #[inline]
    #[must_use]
    pub const fn is_subset_of(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Whether the sets share a tile.
    #[inline]
    #[must_use]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Adds a tile.
    #[inline]
    pub const fn insert(&mut self, tile: Tile) {
        self.0 |= 1 << tile.index();
    }

    /// How many 2s.
    #[inline]
    #[must_use]
    pub const fn twos(self) -> u32 {
        (self.0 & Self::TWOS.0).count_ones()
    }

    /// The weakest tile.
    #[inline]
    #[must_use]
    pub const fn weakest(self) -> Option<Tile> {
        Tile::from_index(self.0.trailing_zeros() as u8)
    }

    /// The tiles, weak to strong.
    #[inline]
    #[must_use]
    pub const fn iter(self) -> Iter {
        Iter(self.0)
    }

    /// Bit `4 * rank` for every rank of which the set holds a tile.
    #[inline]
    pub(crate) const fn ranks(self) -> u64 {
        let h = self.0;
        (h | h >> 1 | h >> 2 | h >> 3) & CLOUDS
    }

    /// Bit `4 * rank` for every rank of which the set holds at least two, three, and all four.
    #[inline]
    pub(crate) const fn multiples(self) -> (u64, u64, u64) {
        let h = self.0;
        let (a, b, c, d) = (h, h >> 1, h >> 2, h >> 3);
        let (low, high) = (a & b, c & d);
        let (any_low, any_high) = (a | b, c | d);
        let two = (low | high | (any_low & any_high)) & CLOUDS;
        let three = ((low & any_high) | (high & any_low)) & CLOUDS;
        let four = low & high & CLOUDS;
        (two, three, four)
    }

    /// Bit `4 * rank` for every tile of one suit.
    #[inline]
    pub(crate) const fn of_suit(self, suit: u32) -> u64 {
        self.0 >> suit & CLOUDS
    }
}

/// The tiles of a set, weak to strong.
#[derive(Debug, Clone)]
pub struct Iter(u64);

impl Iterator for Iter {
    type Item = Tile;

    #[inline]
    fn next(&mut self) -> Option<Tile> {
        let tile = Tile::from_index(self.0.trailing_zeros() as u8)?;
        self.0 &= self.0 - 1;
        Some(tile)
    }
}

impl IntoIterator for Tiles {
    type Item = Tile;
    type IntoIter = Iter;

    fn into_iter(self) -> Iter {
        self.iter()
    }
}

impl FromIterator<Tile> for Tiles {
    fn from_iter<I: IntoIterator<Item = Tile>>(tiles: I) -> Self {
        let mut set = Self::EMPTY;
        for tile in tiles {
            set.insert(tile);
        }
        set
    }
}

impl BitOr for Tiles {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Tiles {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAnd for Tiles {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Sub for Tiles {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl SubAssign for Tiles {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        self.0 &= !other.0;
    }
}

/// The tiles weak to strong, with a space between two; `-` for none.
impl fmt::Display for Tiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("-");
        }
        for (i, tile) in self.iter().enumerate() {
            let space = if i > 0 { " " } else { "" };
            write!(f, "{space}{tile}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Tiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
