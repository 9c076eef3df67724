//! The loops over subsets behind flushes and straights.
//!
//! A rank mask has bit `4 * rank`. Fields are those of [`Action`]: six bits a tile.

use crate::action::{Action, FIELD};
use crate::generate::bits;

/// The fields of all tiles of `ranks` in one suit, weakest lowest.
#[inline]
pub(crate) fn fields_of(ranks: u64, suit: u32) -> u32 {
    let tiles = (0..).zip(bits(ranks));
    tiles.fold(0, |sum, (i, at)| sum | (at + suit + 1) << (FIELD * i))
}

/// All five-rank subsets of `available` in one suit, with their fields.
pub(crate) fn fives(available: u64, suit: u32, emit: &mut impl FnMut(u64, u32)) {
    for at in bits(available) {
        let below = available & ((1 << at) - 1);
        if below.count_ones() >= 4 {
            choose(below, 4, suit, (1 << at, field(at, suit, 4)), emit);
        }
    }
}

/// All five-rank subsets of `available` in one suit that, compared with the flush of strength
/// `bound` from the strongest rank down and then by suit, are stronger.
///
/// Either the strongest `i` ranks are equal and the next one is higher, for `i` from 0 to 4, and
/// then the rest is free; or all five are equal and the suit is stronger.
pub(crate) fn fives_above(available: u64, suit: u32, bound: u32, emit: &mut impl FnMut(u64, u32)) {
    // The ranks of the bound, strongest first, as bit positions.
    let target = [18, 14, 10, 6, 2].map(|shift| 4 * (bound >> shift & 0xF));
    let mut prefix = (0_u64, 0_u32);
    let mut below_previous = u64::MAX;
    for (free, at) in (0..5).rev().zip(target) {
        let higher = (u64::MAX << at) << 1;
        for next in bits(available & below_previous & higher) {
            let below = available & ((1 << next) - 1);
            if below.count_ones() >= free {
                let chosen = (prefix.0 | 1 << next, prefix.1 | field(next, suit, free));
                choose(below, free, suit, chosen, emit);
            }
        }
        if available >> at & 1 == 0 {
            return;
        }
        prefix = (prefix.0 | 1 << at, prefix.1 | field(at, suit, free));
        below_previous = (1 << at) - 1;
    }
    if suit > bound & 3 {
        emit(prefix.0, prefix.1);
    }
}

#[inline]
const fn field(at: u32, suit: u32, place: u32) -> u32 {
    (at + suit + 1) << (FIELD * place)
}

/// Extends `chosen` by every subset of `size` ranks of `from`.
fn choose(from: u64, size: u32, suit: u32, chosen: (u64, u32), emit: &mut impl FnMut(u64, u32)) {
    if size == 0 {
        emit(chosen.0, chosen.1);
        return;
    }
    for at in bits(from) {
        let below = from & ((1 << at) - 1);
        if below.count_ones() + 1 >= size {
            let more = (chosen.0 | 1 << at, chosen.1 | field(at, suit, size - 1));
            choose(below, size - 1, suit, more, emit);
        }
    }
}

/// One tile of each of five ranks, weakest rank first, with the suits to choose from as four bits
/// each; all but the choices of a single suit, which are straight flushes.
#[inline]
pub(crate) fn one_of_each(at: [u32; 5], suits: [u32; 5], emit: &mut impl FnMut(Action)) {
    let tiles =
        |i: usize| bits(u64::from(suits[i])).map(move |s| (1_u32 << s, field(at[i], s, i as u32)));
    for (s4, f4) in tiles(4) {
        for (s3, f3) in tiles(3) {
            for (s2, f2) in tiles(2) {
                for (s1, f1) in tiles(1) {
                    for (s0, f0) in tiles(0) {
                        if s0 & s1 & s2 & s3 & s4 == 0 {
                            emit(Action::from_fields(f0 | f1 | f2 | f3 | f4));
                        }
                    }
                }
            }
        }
    }
}
