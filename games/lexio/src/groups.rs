//! A hand as groups: few plays that together are all of it.

use crate::rules::Lexio;
use crate::set::Tiles;
use crate::tile::Tile;

/// A hand split into at most two five-tile plays and, of what is left, all tiles of a number
/// together (four of them as three and one).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Groups {
    /// The five-tile plays; empty sets for none.
    pub fives: [Tiles; 2],
    /// The tiles in none of them.
    pub rest: Tiles,
}

impl Groups {
    /// A split of `hand` into the fewest groups. Among equals: fewer five-tile plays, then the one
    /// whose five-tile plays come first in the order of actions.
    #[must_use]
    pub fn fewest(game: &Lexio, hand: Tiles) -> Self {
        let none = Tiles::EMPTY;
        let whole = Self {
            fives: [none; 2],
            rest: hand,
        };
        let mut best = (whole.count(), [crate::Action::PASS; 2]);
        game.for_each_five(hand, None, |first| {
            let rest = hand - first.tiles();
            best = best.min((1 + leftover(rest), [crate::Action::PASS, first]));
            game.for_each_five(rest, None, |second| {
                if second > first {
                    let count = 2 + leftover(rest - second.tiles());
                    best = best.min((count, [first, second]));
                }
            });
        });
        let fives = best.1.map(crate::Action::tiles);
        Self {
            fives,
            rest: hand - fives[0] - fives[1],
        }
    }

    /// How many groups.
    #[must_use]
    pub fn count(&self) -> u32 {
        let fives = self.fives.iter().filter(|five| !five.is_empty()).count();
        fives as u32 + leftover(self.rest)
    }

    /// The group with this tile of the hand.
    #[must_use]
    pub fn group_of(&self, tile: Tile) -> Tiles {
        if let Some(five) = self.fives.iter().find(|five| five.contains(tile)) {
            return *five;
        }
        let number = Tiles::from_bits(0xF << (4 * tile.rank())) & self.rest;
        let strongest = number.iter().last();
        match strongest.filter(|_| number.len() == 4) {
            None => number,
            Some(strongest) => {
                let alone: Tiles = [strongest].into_iter().collect();
                if tile == strongest {
                    alone
                } else {
                    number - alone
                }
            }
        }
    }

    /// Whether playing these tiles would take some but not all of a five-tile play.
    #[must_use]
    pub fn breaks_a_five(&self, tiles: Tiles) -> bool {
        let mut fives = self.fives.iter();
        fives.any(|&five| five != tiles && five.intersects(tiles))
    }
}

/// The number of groups of one number each: all tiles of a number together, four of them as two groups.
pub(crate) fn leftover(rest: Tiles) -> u32 {
    rest.ranks().count_ones() + rest.multiples().2.count_ones()
}
