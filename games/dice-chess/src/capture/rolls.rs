//! Sets of rolls: [`RollSet`], and the rolls that hold some dice.

use cozy_chess::BitBoard;

use crate::dice::{FACES, Roll};

/// A set of rolls, a bit each by [`Roll::index`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct RollSet(pub(super) u64);

/// The 56 rolls.
pub(super) const EVERY: u64 = (1 << Roll::COUNT) - 1;

/// The rolls of each weight: 1, 3 and 6.
const BY_WEIGHT: [(u64, u32); 3] = [(of_weight(1), 1), (of_weight(3), 3), (of_weight(6), 6)];

const fn of_weight(weight: u32) -> u64 {
    let (mut set, mut i) = (0, 0);
    while i < Roll::COUNT {
        if Roll::new(i).weight() == weight {
            set |= 1 << i;
        }
        i += 1;
    }
    set
}

/// The rolls with this die, with these two, and with exactly these three.
pub(super) const WITH_ONE: [u64; 6] = with_one();
pub(super) const WITH_TWO: [[u64; 6]; 6] = with_two();
pub(super) const WITH_THREE: [[[u64; 6]; 6]; 6] = with_three();

const fn with_one() -> [u64; 6] {
    let mut table = [0; 6];
    let mut i = 0;
    while i < Roll::COUNT {
        let mut a = 0;
        while a < 6 {
            if Roll::new(i).pool().has(FACES[a]) {
                table[a] |= 1 << i;
            }
            a += 1;
        }
        i += 1;
    }
    table
}

const fn with_two() -> [[u64; 6]; 6] {
    let mut table = [[0; 6]; 6];
    let mut i = 0;
    while i < Roll::COUNT {
        let pool = Roll::new(i).pool();
        let mut a = 0;
        while a < 6 {
            let mut b = 0;
            while b < 6 {
                if pool.has(FACES[a]) && pool.without(FACES[a]).has(FACES[b]) {
                    table[a][b] |= 1 << i;
                }
                b += 1;
            }
            a += 1;
        }
        i += 1;
    }
    table
}

const fn with_three() -> [[[u64; 6]; 6]; 6] {
    let two = with_two();
    let mut table = [[[0; 6]; 6]; 6];
    let mut i = 0;
    while i < Roll::COUNT {
        let pool = Roll::new(i).pool();
        let mut a = 0;
        while a < 6 {
            if pool.has(FACES[a]) {
                let rest = pool.without(FACES[a]);
                let mut b = 0;
                while b < 6 {
                    if rest.has(FACES[b]) {
                        let last = rest.without(FACES[b]);
                        let mut c = 0;
                        while c < 6 {
                            if last.has(FACES[c]) && two[a][b] & (1 << i) != 0 {
                                table[a][b][c] |= 1 << i;
                            }
                            c += 1;
                        }
                    }
                    b += 1;
                }
            }
            a += 1;
        }
        i += 1;
    }
    table
}

impl RollSet {
    /// No roll.
    pub const NONE: Self = Self(0);
    /// Every roll.
    pub const ALL: Self = Self(EVERY);

    /// Whether the roll is in the set.
    #[inline]
    #[must_use]
    pub const fn has(self, roll: Roll) -> bool {
        self.0 >> roll.index() & 1 != 0
    }

    /// The other rolls.
    #[inline]
    #[must_use]
    pub const fn complement(self) -> Self {
        Self(!self.0 & EVERY)
    }

    /// With one more roll.
    #[must_use]
    pub const fn with(self, roll: Roll) -> Self {
        Self(self.0 | 1 << roll.index())
    }

    /// How many of the 216 ordered results of three dice come to one of these rolls.
    #[inline]
    #[must_use]
    pub const fn weight(self) -> u32 {
        let [(one, _), (three, _), (six, _)] = BY_WEIGHT;
        (self.0 & one).count_ones()
            + 3 * (self.0 & three).count_ones()
            + 6 * (self.0 & six).count_ones()
    }

    /// Whether there is none.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The rolls, by index.
    pub fn iter(self) -> impl Iterator<Item = Roll> {
        BitBoard(self.0).into_iter().map(|s| Roll::new(s as usize))
    }

    /// The roll that ordered result number `index` of those in the set comes to: every roll is drawn
    /// by its weight if `index` is uniform below [`RollSet::weight`]. `None` from there on.
    #[inline]
    #[must_use]
    pub fn nth(self, mut index: u32) -> Option<Roll> {
        for (of_weight, weight) in BY_WEIGHT {
            let mut set = self.0 & of_weight;
            let total = set.count_ones() * weight;
            if index >= total {
                index -= total;
                continue;
            }
            for _ in 0..index / weight {
                set &= set - 1;
            }
            return Some(Roll::new(set.trailing_zeros() as usize));
        }
        None
    }

    /// The bits, by [`Roll::index`].
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }
}
