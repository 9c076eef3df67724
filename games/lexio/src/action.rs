//! What a player does, in four bytes.

use std::fmt;

use crate::set::Tiles;

/// A pass, or the tiles played.
///
/// Five fields of six bits, each a tile's index plus one, 0 for none; the weakest tile in the
/// lowest field. So the order of the numbers is: pass, then fewer tiles before more, then by the
/// strongest tile, the next one, and so on. The set of tiles is five shifts away: an empty field
/// sets bit 0, which is then shifted out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Action(u32);

/// The width of a field.
pub(crate) const FIELD: u32 = 6;

impl Action {
    /// No play this turn.
    pub const PASS: Self = Self(0);

    /// Playing these tiles; `None` for more than five. Of an empty set it is the pass.
    #[must_use]
    pub fn from_tiles(tiles: Tiles) -> Option<Self> {
        if tiles.len() > 5 {
            return None;
        }
        let fields = tiles.iter().enumerate();
        Some(Self(fields.fold(0, |sum, (i, tile)| {
            sum | (u32::from(tile.index()) + 1) << (FIELD * i as u32)
        })))
    }

    /// From fields that are known to be right.
    #[inline]
    pub(crate) const fn from_fields(fields: u32) -> Self {
        Self(fields)
    }

    /// The tiles played; none for a pass.
    #[inline]
    #[must_use]
    pub const fn tiles(self) -> Tiles {
        let a = self.0;
        let set = 1_u64 << (a & 63)
            | 1_u64 << (a >> 6 & 63)
            | 1_u64 << (a >> 12 & 63)
            | 1_u64 << (a >> 18 & 63)
            | 1_u64 << (a >> 24 & 63);
        Tiles::from_bits(set >> 1)
    }

    /// Whether it is the pass.
    #[inline]
    #[must_use]
    pub const fn is_pass(self) -> bool {
        self.0 == 0
    }

    /// How many tiles are played; 0 for a pass.
    #[inline]
    #[must_use]
    pub const fn len(self) -> u32 {
        (32 - self.0.leading_zeros()).div_ceil(FIELD)
    }

    /// Whether no tile is played, which is to pass.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.is_pass()
    }

    /// The index of the `i`-th weakest tile played. Only for `i` below [`Action::len`].
    #[inline]
    pub(crate) const fn index(self, i: u32) -> u32 {
        (self.0 >> (FIELD * i) & 63).wrapping_sub(1)
    }
}

/// `pass`, or the tiles weak to strong with a space between two.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_pass() {
            f.write_str("pass")
        } else {
            fmt::Display::fmt(&self.tiles(), f)
        }
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::Tile;

    #[test]
    fn fields_and_sets_agree() {
        assert!(Action::PASS.tiles().is_empty());
        let mut bits = 1_u64;
        for _ in 0..10_000 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let mut set = Tiles::EMPTY;
            for shift in 0..1 + bits % 5 {
                let index = (bits >> (8 + 8 * shift)) % 60;
                set.insert(Tile::from_index(index as u8).unwrap());
            }
            let action = Action::from_tiles(set).unwrap();
            assert_eq!(action.tiles(), set);
            assert_eq!(action.len(), set.len());
            for (i, tile) in set.iter().enumerate() {
                assert_eq!(action.index(i as u32), u32::from(tile.index()));
            }
        }
        assert_eq!(Action::from_tiles(Tiles::ALL), None);
    }
}
