//! The 84 multisets of at most three dice, by number: smaller ones first.

use crate::dice::{FACES, Pool};

/// How many there are.
pub(super) const COUNT: usize = 84;

const ALL: [Pool; COUNT] = all();
const INDEX: [u8; 4096] = index();

const fn all() -> [Pool; COUNT] {
    let mut table = [Pool::EMPTY; COUNT];
    let mut next = 1;
    let mut done = 0;
    // The multisets with a die more are those before them with a die that is not below their last.
    while next < COUNT {
        let set = table[done];
        let mut face = 5;
        while face > 0 && !set.has(FACES[face]) {
            face -= 1;
        }
        while face < 6 {
            table[next] = set.with(FACES[face]);
            next += 1;
            face += 1;
        }
        done += 1;
    }
    table
}

const fn index() -> [u8; 4096] {
    let mut table = [0; 4096];
    let mut i = 0;
    while i < COUNT {
        table[ALL[i].bits() as usize] = i as u8;
        i += 1;
    }
    table
}

/// The multiset with this number.
#[inline]
pub(super) const fn multiset(index: usize) -> Pool {
    ALL[index]
}

/// The number of a multiset.
#[inline]
pub(super) const fn index_of(set: Pool) -> usize {
    INDEX[set.bits() as usize] as usize
}

/// Whether the dice of `set` are all in `pool`.
#[inline]
pub(super) fn within(set: Pool, pool: Pool) -> bool {
    // Two bits a face: no field of the difference may borrow.
    let (s, p) = (u32::from(set.bits()), u32::from(pool.bits()));
    (0..6).all(|f| (s >> (2 * f)) & 3 <= (p >> (2 * f)) & 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let mut seen = std::collections::HashSet::new();
        for i in 0..COUNT {
            assert_eq!(index_of(multiset(i)), i);
            assert!(seen.insert(multiset(i)));
            assert!(i == 0 || multiset(i - 1).len() <= multiset(i).len());
        }
        let sizes = [0, 1, 2, 3].map(|n| ALL.iter().filter(|m| m.len() == n).count());
        assert_eq!(sizes, [1, 6, 21, 56]);
    }
}
