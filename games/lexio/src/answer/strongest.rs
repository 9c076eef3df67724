//! The strongest five-tile play of a hand.

use crate::combination::{Kind, Strength};
use crate::rules::Lexio;
use crate::set::Tiles;

/// A strength as one number in the same order, above 0.
pub(super) const fn key(strength: Strength) -> u32 {
    (strength.kind as u32) << 22 | strength.detail
}

const fn key_of(kind: Kind, detail: u32) -> u32 {
    key(Strength { kind, detail })
}

/// The key of the strongest five-tile play of a hand, 0 when it has none. It makes no list: a
/// hand with any play of a kind needs no look at the weaker kinds.
pub(super) fn strongest_five(game: &Lexio, hand: Tiles) -> u32 {
    if hand.len() < 5 {
        return 0;
    }
    let suits = [0, 1, 2, 3].map(|suit| hand.of_suit(suit));
    let long = suits.map(|held| held.count_ones() >= 5);
    let any_long = long.contains(&true);
    if any_long {
        let straight_flush = straight_flush(game, suits, long);
        if straight_flush > 0 {
            return straight_flush;
        }
    }
    let (two, three, four) = hand.multiples();
    if four != 0 {
        return key_of(Kind::Four, top(four) >> 2);
    }
    // Any lower triple would be the pair to the highest one.
    if three != 0 && two & (two - 1) != 0 {
        return key_of(Kind::FullHouse, top(three) >> 2);
    }
    if any_long {
        return flush(suits, long);
    }
    straight(game, hand)
}

/// The position of the highest bit of a mask that is not 0.
const fn top(mask: u64) -> u32 {
    63 - mask.leading_zeros()
}

fn straight_flush(game: &Lexio, suits: [u64; 4], long: [bool; 4]) -> u32 {
    let mut best = 0;
    for suit in (0..4).filter(|&suit| long[suit]) {
        let runs = game.straights().list().iter();
        if let Some(order) = runs.rev().position(|s| s.mask & !suits[suit] == 0) {
            let order = game.straights().list().len() - 1 - order;
            best = best.max(key_of(Kind::StraightFlush, (order << 2 | suit) as u32));
        }
    }
    best
}

fn flush(suits: [u64; 4], long: [bool; 4]) -> u32 {
    let mut best = 0;
    for suit in (0..4).filter(|&suit| long[suit]) {
        let (mut held, mut detail) = (suits[suit], suit as u32);
        for shift in [18, 14, 10, 6, 2] {
            let at = top(held);
            detail |= (at >> 2) << shift;
            held ^= 1 << at;
        }
        best = best.max(detail);
    }
    key_of(Kind::Flush, best)
}

fn straight(game: &Lexio, hand: Tiles) -> u32 {
    let ranks = hand.ranks();
    if ranks.count_ones() < 5 {
        return 0;
    }
    let list = game.straights().list();
    for (order, straight) in (0..list.len() as u32).zip(list).rev() {
        if straight.mask & !ranks == 0 {
            let deciding = hand.bits() >> (4 * u32::from(straight.ranks[4])) & 0xF;
            return key_of(Kind::Straight, order << 2 | top(deciding));
        }
    }
    0
}
