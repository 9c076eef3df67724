//! Whether a set of tiles holds a stronger play, without listing any.

use crate::combination::{Combination, Kind};
use crate::generate::{bits, ranks_above};
use crate::rules::Lexio;
use crate::set::Tiles;

impl Lexio {
    /// Whether these tiles hold a play that beats `play`.
    #[must_use]
    pub fn beatable(&self, tiles: Tiles, play: Combination) -> bool {
        let strength = play.strength();
        let detail = strength.detail;
        match strength.kind {
            Kind::Single => tiles.bits() >> detail > 1,
            Kind::Pair => {
                let own = tiles.bits() & 0xF << (detail & !3);
                ranks_above(tiles.multiples().0, Some(detail >> 2)) != 0
                    || own.count_ones() >= 2 && own >> detail > 1
            }
            Kind::Triple => ranks_above(tiles.multiples().1, Some(detail)) != 0,
            kind => {
                let fives = &Kind::ALL[Kind::Straight as usize..];
                let not_weaker = fives.iter().filter(|k| **k >= kind);
                not_weaker.copied().any(|k| {
                    let bound = (k == kind).then_some(detail);
                    self.holds_five(tiles, k, bound)
                })
            }
        }
    }

    /// Whether the tiles hold a five-tile play of this kind above a bound within it, or a stronger kind.
    fn holds_five(&self, tiles: Tiles, kind: Kind, bound: Option<u32>) -> bool {
        let above = |detail: u32| bound.is_none_or(|b| detail > b);
        let (two, three, four) = tiles.multiples();
        let mut suits = 0..4;
        match kind {
            Kind::Straight => self.holds_straight(
                tiles.ranks(),
                |at| 31 - ((tiles.bits() >> at & 0xF) as u32).leading_zeros(),
                above,
            ),
            Kind::Flush => suits.any(|suit| {
                let ranks = tiles.of_suit(suit);
                ranks.count_ones() >= 5 && above(strongest_flush(ranks, suit))
            }),
            Kind::FullHouse => ranks_above(three, bound) != 0 && two.count_ones() > 1,
            Kind::Four => ranks_above(four, bound) != 0 && tiles.len() > 4,
            Kind::StraightFlush => {
                suits.any(|suit| self.holds_straight(tiles.of_suit(suit), |_| suit, above))
            }
            _ => false,
        }
    }

    /// Whether a straight of these ranks is above a bound; `suit` tells the best suit of the deciding tile.
    #[inline]
    fn holds_straight(
        &self,
        held: u64,
        suit: impl Fn(u32) -> u32,
        above: impl Fn(u32) -> bool,
    ) -> bool {
        let mut straights = (0_u32..).zip(self.straights().list());
        straights.any(|(order, straight)| {
            straight.mask & !held == 0 && above(order << 2 | suit(4 * u32::from(straight.ranks[4])))
        })
    }
}

/// The five strongest of these ranks, as the strength of a flush.
fn strongest_flush(mut ranks: u64, suit: u32) -> u32 {
    while ranks.count_ones() > 5 {
        ranks &= ranks - 1;
    }
    let each = (0_u32..).zip(bits(ranks));
    each.fold(suit, |sum, (i, at)| sum | (at / 4) << (2 + 4 * i))
}
