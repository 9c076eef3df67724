//! The transposition table: [`Table`].

use super::bound::Bound;
use crate::rng::mix64;

/// Bounds of positions that were searched, chance nodes included, by their 128-bit key. The whole
/// key is compared.
///
/// Two slots share a bucket: one keeps the deeper result, the other the latest.
#[derive(Default)]
pub(super) struct Table {
    slots: Vec<Slot>,
    generation: u32,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    key: [u64; 2],
    lower: f64,
    upper: f64,
    /// The search that wrote it; 0 for none.
    generation: u32,
    hint: u16,
    depth: u8,
    complete: bool,
}

/// What the table knows of a position.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Found {
    /// Bounds that hold at the depth that was asked for.
    pub(super) bound: Option<Bound>,
    /// The continuation that was best.
    pub(super) hint: Option<u16>,
}

/// No continuation was best.
const NO_HINT: u16 = u16::MAX;

const fn halves(key: u128) -> [u64; 2] {
    [key as u64, (key >> 64) as u64]
}

impl Table {
    /// Forgets everything, and makes room for `entries`.
    pub(super) fn clear(&mut self, entries: usize) {
        if self.slots.len() != entries {
            self.slots.clear();
            self.slots.shrink_to_fit();
            self.slots.resize(entries, Slot::default());
            self.generation = 0;
        }
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.slots.fill(Slot::default());
            self.generation = 1;
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.slots.len() * size_of::<Slot>()) as u64
    }

    fn bucket(&self, key: [u64; 2]) -> usize {
        // The number of slots is a power of two, at least 2.
        let hash = mix64(key[0] ^ mix64(key[1]));
        (hash as usize & (self.slots.len() - 1)) & !1
    }

    /// What is known of `key` at `depth`. A bound from another depth is another value, unless only
    /// ends of the game went into a search that was no deeper.
    #[inline]
    pub(super) fn get(&self, key: u128, depth: u32) -> Found {
        if self.slots.is_empty() {
            return Found::default();
        }
        let key = halves(key);
        let bucket = self.bucket(key);
        let of_key = |slot: &&Slot| slot.generation == self.generation && slot.key == key;
        let Some(slot) = self.slots[bucket..bucket + 2].iter().find(of_key) else {
            return Found::default();
        };
        let own = u32::from(slot.depth);
        let holds = own == depth || (slot.complete && own <= depth);
        Found {
            bound: holds.then_some(Bound {
                lower: slot.lower,
                upper: slot.upper,
                complete: slot.complete,
            }),
            hint: (slot.hint != NO_HINT).then_some(slot.hint),
        }
    }

    /// Remembers what was found out about `key` at `depth`.
    #[inline]
    pub(super) fn put(&mut self, key: u128, depth: u32, bound: Bound, hint: Option<usize>) {
        if self.slots.is_empty() {
            return;
        }
        let key = halves(key);
        let bucket = self.bucket(key);
        let depth = u8::try_from(depth).unwrap_or(u8::MAX);
        let generation = self.generation;
        let pair = &mut self.slots[bucket..bucket + 2];
        let same = pair
            .iter()
            .position(|slot| slot.generation == generation && slot.key == key);
        let place = same.unwrap_or_else(|| {
            let free = pair[0].generation != generation || pair[0].depth <= depth;
            usize::from(!free)
        });
        let hint = hint.and_then(|h| u16::try_from(h).ok()).unwrap_or(NO_HINT);
        pair[place] = Slot {
            key,
            lower: bound.lower,
            upper: bound.upper,
            generation,
            hint,
            depth,
            complete: bound.complete,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(lower: f64, upper: f64, complete: bool) -> Bound {
        Bound {
            lower,
            upper,
            complete,
        }
    }

    #[test]
    fn a_bound_holds_at_its_own_depth_and_deeper_only_when_complete() {
        let mut table = Table::default();
        table.clear(16);
        table.put(7, 3, bound(0.0, 1.0, false), Some(2));
        assert_eq!(table.get(7, 3).bound, Some(bound(0.0, 1.0, false)));
        assert_eq!(table.get(7, 4).bound, None);
        assert_eq!(table.get(7, 2).bound, None);
        assert_eq!(table.get(7, 4).hint, Some(2));
        table.put(7, 3, bound(0.5, 0.5, true), None);
        assert_eq!(table.get(7, 9).bound, Some(bound(0.5, 0.5, true)));
        assert_eq!(table.get(7, 2).bound, None);
    }

    #[test]
    fn the_whole_key_is_compared_and_a_new_search_starts_empty() {
        let mut table = Table::default();
        table.clear(2);
        let key = 1_u128 | 1 << 64;
        table.put(key, 1, bound(0.0, 0.0, false), None);
        assert_eq!(table.get(1, 1), Found::default());
        assert_eq!(table.get(1 << 64, 1), Found::default());
        assert!(table.get(key, 1).bound.is_some());
        table.clear(2);
        assert_eq!(table.get(key, 1), Found::default());
    }

    #[test]
    fn the_deeper_result_survives_a_shallow_one_of_another_position() {
        let mut table = Table::default();
        table.clear(2);
        table.put(1, 5, bound(0.0, 1.0, false), None);
        table.put(2, 1, bound(0.0, 1.0, false), None);
        table.put(3, 1, bound(0.0, 1.0, false), None);
        assert!(table.get(1, 5).bound.is_some());
        assert!(table.get(2, 1).bound.is_none());
        assert!(table.get(3, 1).bound.is_some());
    }

    #[test]
    fn no_table_remembers_nothing() {
        let mut table = Table::default();
        table.clear(0);
        table.put(1, 1, bound(0.0, 1.0, false), None);
        assert_eq!(table.get(1, 1), Found::default());
        assert_eq!(table.bytes(), 0);
    }
}
