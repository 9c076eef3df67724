//! Every play of a hand, and every reply to a play: only what beats it is generated.
//!
//! A rank mask has bit `4 * rank`; a tile's field in an [`Action`] is `4 * rank + suit + 1`. So a
//! rank's field is its bit position plus one, and the fields of several tiles of one rank are a
//! multiple of it plus a constant that depends on the suits alone.

use crate::action::{Action, FIELD};
use crate::combination::{Combination, Kind, Strength};
use crate::rules::Lexio;
use crate::set::Tiles;
use crate::subsets;

/// Fields of all pairs of suits in a set of suits, by ascending stronger suit.
const PAIRS: [([u32; 6], usize); 16] = suit_subsets::<6>(2);
/// Fields of all triples of suits in a set of suits.
const TRIPLES: [([u32; 4], usize); 16] = suit_subsets::<4>(3);

/// What one tile of rank 0 adds in each of two, three fields.
const ONES_2: u32 = 1 | 1 << FIELD;
const ONES_3: u32 = ONES_2 | 1 << (2 * FIELD);

const fn suit_subsets<const N: usize>(size: u32) -> [([u32; N], usize); 16] {
    let mut table = [([0; N], 0); 16];
    let mut available = 0;
    while available < 16_u32 {
        let mut chosen = 0;
        while chosen < 16_u32 {
            if chosen & !available == 0 && chosen.count_ones() == size {
                let mut fields = 0;
                let mut shift = 0;
                let mut suit = 0;
                while suit < 4 {
                    if chosen >> suit & 1 == 1 {
                        fields |= suit << shift;
                        shift += FIELD;
                    }
                    suit += 1;
                }
                let entry = &mut table[available as usize];
                entry.0[entry.1] = fields;
                entry.1 += 1;
            }
            chosen += 1;
        }
        available += 1;
    }
    table
}

/// The suits of the rank at bit `at` that the hand holds, as four bits.
#[inline]
const fn suits(hand: Tiles, at: u32) -> usize {
    (hand.bits() >> at & 0xF) as usize
}

#[inline]
fn pairs_of(hand: Tiles, at: u32) -> impl Iterator<Item = u32> {
    let (list, len) = &PAIRS[suits(hand, at)];
    list[..*len].iter().map(move |f| f + (at + 1) * ONES_2)
}

#[inline]
fn triples_of(hand: Tiles, at: u32) -> impl Iterator<Item = u32> {
    let (list, len) = &TRIPLES[suits(hand, at)];
    list[..*len].iter().map(move |f| f + (at + 1) * ONES_3)
}

/// The positions of the bits of a mask, ascending.
#[inline]
pub(crate) fn bits(mut mask: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let at = mask.trailing_zeros();
            mask &= mask - 1;
            at
        })
    })
}

/// The bits of ranks above `rank`, or all when there is no bound.
#[inline]
pub(crate) fn ranks_above(mask: u64, bound: Option<u32>) -> u64 {
    match bound {
        Some(rank) => mask & (u64::MAX << (4 * rank)) << 4,
        None => mask,
    }
}

impl Lexio {
    /// Replaces the content of `out` with every play of `hand` that beats `table`, or with every
    /// play when there is nothing to beat; ascending. The pass is not among them.
    pub fn plays(&self, hand: Tiles, table: Option<Combination>, out: &mut Vec<Action>) {
        out.clear();
        self.push_plays(hand, table, out);
    }

    /// As [`Lexio::plays`], appended to `out`.
    #[inline]
    pub(crate) fn push_plays(
        &self,
        hand: Tiles,
        table: Option<Combination>,
        out: &mut Vec<Action>,
    ) {
        let table = table.map(Combination::strength);
        let fives = |bound, out: &mut Vec<Action>| {
            let start = out.len();
            self.for_each_five(hand, bound, |a| out.push(a));
            out[start..].sort_unstable();
        };
        match table.map(|t| (t.kind, t.detail)) {
            None => {
                singles(hand, None, |a| out.push(a));
                pairs(hand, None, |a| out.push(a));
                triples(hand, None, |a| out.push(a));
                fives(None, out);
            }
            Some((Kind::Single, tile)) => singles(hand, Some(tile), |a| out.push(a)),
            Some((Kind::Pair, tile)) => pairs(hand, Some(tile), |a| out.push(a)),
            Some((Kind::Triple, rank)) => triples(hand, Some(rank), |a| out.push(a)),
            Some(_) => fives(table, out),
        }
    }

    /// Calls `emit` for every five-tile play of `hand` that is stronger than `bound`, in no
    /// promised order.
    pub fn for_each_five(
        &self,
        hand: Tiles,
        bound: Option<Strength>,
        mut emit: impl FnMut(Action),
    ) {
        if hand.len() < 5 {
            return;
        }
        let weakest = bound.map_or(Kind::Straight, |b| b.kind);
        // The bound within a kind, for the kind of the table only.
        let within = |kind| bound.filter(|b| b.kind == kind).map(|b| b.detail);
        if weakest <= Kind::Straight {
            self.straights_above(hand, within(Kind::Straight), &mut emit);
        }
        if weakest <= Kind::Flush {
            self.flushes_above(hand, within(Kind::Flush), &mut emit);
        }
        if weakest <= Kind::FullHouse {
            full_houses(hand, within(Kind::FullHouse), &mut emit);
        }
        if weakest <= Kind::Four {
            fours(hand, within(Kind::Four), &mut emit);
        }
        self.straight_flushes_above(hand, within(Kind::StraightFlush), &mut emit);
    }

    fn straights_above(&self, hand: Tiles, bound: Option<u32>, emit: &mut impl FnMut(Action)) {
        let ranks = hand.ranks();
        if ranks.count_ones() < 5 {
            return;
        }
        let first = bound.map_or(0, |b| b >> 2);
        for (order, straight) in (0..).zip(self.straights().list()).skip(first as usize) {
            if straight.mask & !ranks != 0 {
                continue;
            }
            let at = straight.ranks.map(|rank| 4 * u32::from(rank));
            let mut choices = at.map(|at| suits(hand, at) as u32);
            if bound.is_some_and(|b| b >> 2 == order) {
                // The same numbers: the suit of the strongest tile must be higher.
                choices[4] &= 0b1110 << (bound.unwrap_or(0) & 3);
            }
            subsets::one_of_each(at, choices, emit);
        }
    }

    fn flushes_above(&self, hand: Tiles, bound: Option<u32>, emit: &mut impl FnMut(Action)) {
        for suit in 0..4 {
            let available = hand.of_suit(suit);
            if available.count_ones() < 5 {
                continue;
            }
            let straight = |ranks: u64| self.straights().list().iter().any(|s| s.mask == ranks);
            let any_straight = self
                .straights()
                .list()
                .iter()
                .any(|s| s.mask & !available == 0);
            let mut keep = |ranks: u64, fields: u32| {
                if !(any_straight && straight(ranks)) {
                    emit(Action::from_fields(fields));
                }
            };
            match bound {
                None => subsets::fives(available, suit, &mut keep),
                Some(bound) => subsets::fives_above(available, suit, bound, &mut keep),
            }
        }
    }

    fn straight_flushes_above(
        &self,
        hand: Tiles,
        bound: Option<u32>,
        emit: &mut impl FnMut(Action),
    ) {
        for suit in 0..4 {
            let available = hand.of_suit(suit);
            if available.count_ones() < 5 {
                continue;
            }
            for (order, straight) in (0..).zip(self.straights().list()) {
                let held = straight.mask & !available == 0;
                if held && bound.is_none_or(|b| (order << 2 | suit) > b) {
                    emit(Action::from_fields(subsets::fields_of(straight.mask, suit)));
                }
            }
        }
    }
}

#[inline]
fn singles(hand: Tiles, bound: Option<u32>, mut emit: impl FnMut(Action)) {
    let above = bound.map_or(u64::MAX, |tile| (u64::MAX << tile) << 1);
    for at in bits(hand.bits() & above) {
        emit(Action::from_fields(at + 1));
    }
}

#[inline]
fn pairs(hand: Tiles, bound: Option<u32>, mut emit: impl FnMut(Action)) {
    let mut two = hand.multiples().0;
    if let Some(tile) = bound {
        // Of the table's own rank only a pair whose stronger tile is stronger.
        let at = tile & !3;
        if two >> at & 1 == 1 {
            for fields in pairs_of(hand, at).filter(|f| f >> FIELD > tile + 1) {
                emit(Action::from_fields(fields));
            }
        }
        two = ranks_above(two, Some(tile >> 2));
    }
    for at in bits(two) {
        for fields in pairs_of(hand, at) {
            emit(Action::from_fields(fields));
        }
    }
}

#[inline]
fn triples(hand: Tiles, bound: Option<u32>, mut emit: impl FnMut(Action)) {
    for at in bits(ranks_above(hand.multiples().1, bound)) {
        for fields in triples_of(hand, at) {
            emit(Action::from_fields(fields));
        }
    }
}

fn full_houses(hand: Tiles, bound: Option<u32>, emit: &mut impl FnMut(Action)) {
    let (two, three, _) = hand.multiples();
    for at in bits(ranks_above(three, bound)) {
        for triple in triples_of(hand, at) {
            for other in bits(two & !(1 << at)) {
                for pair in pairs_of(hand, other) {
                    emit(Action::from_fields(if other < at {
                        triple << (2 * FIELD) | pair
                    } else {
                        pair << (3 * FIELD) | triple
                    }));
                }
            }
        }
    }
}

fn fours(hand: Tiles, bound: Option<u32>, emit: &mut impl FnMut(Action)) {
    const FOUR: u32 = 1 << FIELD | 2 << (2 * FIELD) | 3 << (3 * FIELD);
    const ONES_4: u32 = ONES_3 | 1 << (3 * FIELD);
    for at in bits(ranks_above(hand.multiples().2, bound)) {
        let four = FOUR + (at + 1) * ONES_4;
        for other in bits(hand.bits() & !(0xF << at)) {
            emit(Action::from_fields(if other < at {
                four << FIELD | (other + 1)
            } else {
                (other + 1) << (4 * FIELD) | four
            }));
        }
    }
}
