//! How many sets of unseen tiles beat a play, in closed form.

use crate::combination::{Combination, Kind, Strength};
use crate::rules::Lexio;
use crate::set::Tiles;

/// How many plays made of certain tiles beat a play, by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Beaters([u64; 8]);

impl Beaters {
    /// How many of one kind.
    #[must_use]
    pub const fn of(&self, kind: Kind) -> u64 {
        self.0[kind as usize]
    }

    /// How many in all.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}

/// `C(n, k)` for up to 60 tiles and `k` up to 5; 0 when `k > n`.
pub(super) const fn choose(n: u32, k: u32) -> u64 {
    let (mut value, mut i) = (1_u64, 0);
    while i < k {
        if i >= n {
            return 0;
        }
        value = value * (n - i) as u64 / (i + 1) as u64;
        i += 1;
    }
    value
}

impl Lexio {
    /// How many plays made of tiles of `pool` beat `play`, without making any of them.
    ///
    /// * Straights: for every stronger one the product of the tiles there are of each number, of
    ///   an equal one only with a stronger suit of the deciding tile; less the straight flushes.
    /// * Flushes: by the first place where they differ. Down from the strongest tile the first
    ///   `i` numbers are equal, number `i` is higher but lower than the one before, the rest is
    ///   any `4 - i` lower ones. One more for equal numbers in a stronger suit; less the straight
    ///   flushes among all these.
    /// * Full houses: `C(c, 3)` for every number above the triple, times the pairs of all others.
    /// * Fours: every number of which all four are there, times any other tile.
    /// * Straight flushes: one by one; there are at most 13 a suit.
    #[must_use]
    pub fn beaters(&self, pool: Tiles, play: Combination) -> Beaters {
        let Strength { kind, detail } = play.strength();
        let mut found = Beaters::default();
        let mut put = |kind: Kind, count| found.0[kind as usize] = count;
        match kind {
            Kind::Single => put(kind, u64::from(above(pool, detail).len())),
            Kind::Pair => put(kind, pairs(pool, detail)),
            Kind::Triple => put(kind, same(pool, detail + 1, 3)),
            _ => {
                // The bound within a kind: none for a kind that is stronger anyway.
                let bound = |k| (k == kind).then_some(detail);
                let rank = |k| bound(k).map_or(0, |rank| rank + 1);
                if kind <= Kind::Straight {
                    put(Kind::Straight, straights(self, pool, bound(Kind::Straight)));
                }
                if kind <= Kind::Flush {
                    put(Kind::Flush, flushes(self, pool, bound(Kind::Flush)));
                }
                if kind <= Kind::FullHouse {
                    put(Kind::FullHouse, full_houses(pool, rank(Kind::FullHouse)));
                }
                if kind <= Kind::Four {
                    let fifth = u64::from(pool.len().saturating_sub(4));
                    put(Kind::Four, same(pool, rank(Kind::Four), 4) * fifth);
                }
                put(
                    Kind::StraightFlush,
                    straight_flushes(self, pool, bound(Kind::StraightFlush)),
                );
            }
        }
        found
    }
}

/// The tiles stronger than the one with this index.
pub(super) const fn above(pool: Tiles, index: u32) -> Tiles {
    Tiles::from_bits(pool.bits() & (u64::MAX << index) << 1)
}

/// How many tiles of a rank.
const fn count(pool: Tiles, rank: u32) -> u32 {
    (pool.bits() >> (4 * rank) & 0xF).count_ones()
}

/// Sets of `size` tiles of one rank, which is at least `from`.
fn same(pool: Tiles, from: u32, size: u32) -> u64 {
    (from..15).map(|r| choose(count(pool, r), size)).sum()
}

/// Pairs whose stronger tile is above the one with this index.
fn pairs(pool: Tiles, index: u32) -> u64 {
    let rank = index >> 2;
    // Of the same rank: all pairs but those made of tiles that are no stronger.
    let all = count(pool, rank);
    let weak = all - count(above(pool, index), rank);
    choose(all, 2) - choose(weak, 2) + same(pool, rank + 1, 2)
}

fn full_houses(pool: Tiles, from: u32) -> u64 {
    let pairs = same(pool, 0, 2);
    let of = |rank| {
        let tiles = count(pool, rank);
        choose(tiles, 3) * (pairs - choose(tiles, 2))
    };
    (from..15).map(of).sum()
}

fn straights(game: &Lexio, pool: Tiles, bound: Option<u32>) -> u64 {
    let first = bound.map_or(0, |b| b >> 2);
    let list = (0..).zip(game.straights().list()).skip(first as usize);
    let of = |(order, straight): (u32, &crate::straight::Straight)| -> u64 {
        let mut suits = straight
            .ranks
            .map(|r| pool.bits() >> (4 * u32::from(r)) & 0xF);
        if bound.is_some_and(|b| b >> 2 == order) {
            suits[4] &= 0b1110 << (bound.unwrap_or(0) & 3);
        }
        let any: u64 = suits.iter().map(|s| u64::from(s.count_ones())).product();
        let one_suit = suits.iter().fold(0xF, |all, s| all & s);
        any - u64::from(one_suit.count_ones())
    };
    list.map(of).sum()
}

fn straight_flushes(game: &Lexio, pool: Tiles, bound: Option<u32>) -> u64 {
    let mut found = 0;
    for suit in 0..4 {
        let held = pool.of_suit(suit);
        if held.count_ones() < 5 {
            continue;
        }
        for (order, straight) in (0..).zip(game.straights().list()) {
            let stronger = bound.is_none_or(|b| (order << 2 | suit) > b);
            found += u64::from(stronger && straight.mask & !held == 0);
        }
    }
    found
}

fn flushes(game: &Lexio, pool: Tiles, bound: Option<u32>) -> u64 {
    let of_suit = |suit| {
        let held = pool.of_suit(suit);
        if held.count_ones() < 5 {
            return 0;
        }
        let stronger = bound.map_or(choose(held.count_ones(), 5), |b| {
            stronger_sets(held, suit, b)
        });
        let runs = game.straights().list().iter();
        let runs = runs.filter(|s| {
            let strength = bound.is_none_or(|b| flush_detail(s.ranks, suit) > b);
            s.mask & !held == 0 && strength
        });
        stronger - runs.count() as u64
    };
    (0..4).map(of_suit).sum()
}

/// As for a flush of these ranks, weakest first.
fn flush_detail(ranks: [u8; 5], suit: u32) -> u32 {
    let places = ranks.iter().zip([2, 6, 10, 14, 18]);
    places.fold(suit, |d, (&rank, shift)| d | u32::from(rank) << shift)
}

/// Sets of five of the ranks held in a suit that are stronger than the flush `bound`.
fn stronger_sets(held: u64, suit: u32, bound: u32) -> u64 {
    let mut found = 0;
    let mut below_previous = u64::MAX;
    for (free, shift) in (0..5).rev().zip([18, 14, 10, 6, 2]) {
        let at = 4 * (bound >> shift & 0xF);
        // Higher here than the flush, the rest free.
        let mut here = held & below_previous & (u64::MAX << at) << 1;
        while here != 0 {
            let next = here & here.wrapping_neg();
            found += choose((held & (next - 1)).count_ones(), free);
            here ^= next;
        }
        if held >> at & 1 == 0 {
            return found;
        }
        below_previous = (1 << at) - 1;
    }
    found + u64::from(suit > bound & 3)
}
