//! From the key of a position to its node: [`Table`].

use crate::rng::mix64;

/// A free place.
const FREE: u32 = u32::MAX;

/// Numbers of nodes by open addressing with linear probing, at most half full. Keys are with the
/// nodes, and compared whole.
#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    places: Vec<u32>,
    used: usize,
}

/// Where in a table a key is, or would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    Node(u32),
    Place(usize),
}

pub(super) const fn hash(key: u128, turn: u8) -> u64 {
    mix64(key as u64 ^ mix64((key >> 64) as u64 ^ ((turn as u64) << 56)))
}

impl Table {
    pub(super) fn clear(&mut self) {
        self.places.fill(FREE);
        self.used = 0;
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.used * 2 * size_of::<u32>()) as u64
    }

    /// The node with this hash for which `is_it`, or where to put one. There must be room.
    #[inline]
    pub(super) fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Found {
        let mask = self.places.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            match self.places[place] {
                FREE => return Found::Place(place),
                node if is_it(node) => return Found::Node(node),
                _ => place = (place + 1) & mask,
            }
        }
    }

    /// Puts a node where [`Table::find`] said.
    pub(super) fn put(&mut self, place: usize, node: u32) {
        self.places[place] = node;
        self.used += 1;
    }

    /// Makes room for one more; `hash_of` gives the hash of a node.
    pub(super) fn reserve(&mut self, hash_of: impl Fn(u32) -> u64) {
        if 2 * (self.used + 1) <= self.places.len() {
            return;
        }
        let new = vec![FREE; (2 * self.places.len()).max(1024)];
        let old = std::mem::replace(&mut self.places, new);
        for node in old.into_iter().filter(|node| *node != FREE) {
            if let Found::Place(place) = self.find(hash_of(node), |_| false) {
                self.places[place] = node;
            }
        }
    }
}
