//! Which number sets are straights, and their order.

use crate::rules::StraightRule;
use crate::tile::number_of_rank;

/// Most straights under any rule: twelve, and one more with `top12`.
const CAPACITY: usize = 13;

/// One straight: a set of five numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Straight {
    /// The ranks in ascending order. The last one is the strongest tile, which decides between two
    /// straights of the same numbers.
    pub(crate) ranks: [u8; 5],
    /// Bit `4 * rank` for each of them.
    pub(crate) mask: u64,
}

impl Straight {
    fn new(ranks: [u8; 5]) -> Self {
        let mask = ranks.iter().fold(0, |mask, &rank| mask | 1 << (4 * rank));
        Self { ranks, mask }
    }
}

/// The straights of a table size under a rule, weakest first.
///
/// The official order compares from the strongest number down: `1-2-3-4-5` holds a 2 and a 1,
/// `2-3-4-5-6` a 2, then comes the one that ends in a 1, then the highest number. Hence 12, 10 and
/// 6 straights for 5, 4 and 3 players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Straights {
    list: [Straight; CAPACITY],
    len: usize,
}

impl Straights {
    pub(crate) fn new(rule: StraightRule, max_number: u8) -> Self {
        let mut straights = Self {
            list: [Straight::default(); CAPACITY],
            len: 0,
        };
        let (one, two) = (13, 14);
        let one_to_five = [0, 1, 2, one, two];
        let two_to_six = [0, 1, 2, 3, two];
        if rule == StraightRule::LowWeak {
            straights.push(one_to_five);
            straights.push(two_to_six);
        }
        // The number 3 has rank 0, so the highest number has rank `max_number - 3`.
        for low in 0..=max_number - 7 {
            straights.push([low, low + 1, low + 2, low + 3, low + 4]);
        }
        let top = max_number - 3;
        straights.push([top - 3, top - 2, top - 1, top, one]);
        if rule == StraightRule::Top12 {
            straights.push([top - 2, top - 1, top, one, two]);
        }
        if matches!(rule, StraightRule::Official | StraightRule::Top12) {
            straights.push(two_to_six);
            straights.push(one_to_five);
        }
        straights
    }

    fn push(&mut self, ranks: [u8; 5]) {
        self.list[self.len] = Straight::new(ranks);
        self.len += 1;
    }

    #[inline]
    pub(crate) fn list(&self) -> &[Straight] {
        &self.list[..self.len]
    }

    /// The place in the order of the straight with these ranks (bit `4 * rank` each).
    #[inline]
    pub(crate) fn order_of(&self, mask: u64) -> Option<u32> {
        let found = self.list().iter().position(|s| s.mask == mask);
        found.map(|order| order as u32)
    }

    /// The numbers of each straight, weakest straight first, each in order of strength of its
    /// tiles, so that `2-3-4-5-6` reads `[3, 4, 5, 6, 2]`.
    pub fn numbers(&self) -> impl Iterator<Item = [u8; 5]> + '_ {
        self.list().iter().map(|s| s.ranks.map(number_of_rank))
    }

    /// Whether these numbers, in any order, are a straight.
    #[must_use]
    pub fn contains_numbers(&self, numbers: [u8; 5]) -> bool {
        let sorted = |mut n: [u8; 5]| {
            n.sort_unstable();
            n
        };
        self.numbers().any(|n| sorted(n) == sorted(numbers))
    }
}
