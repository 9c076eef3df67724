//! A hash table from boards to numbers that is emptied in no time.

use cozy_chess::{Color, Piece};
use search_core::rng::mix64;

use crate::board::Board;
use crate::dice::FACES;

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    /// The slot is in use if this is the table's generation.
    generation: u32,
    /// The upper bits of the hash.
    tag: u32,
    id: u32,
}

/// Boards are compared by the caller, exactly; the table holds numbers.
#[derive(Debug, Clone)]
pub(super) struct Table {
    slots: Vec<Slot>,
    generation: u32,
    used: usize,
}

impl Default for Table {
    fn default() -> Self {
        Self {
            slots: vec![Slot::default(); 256],
            generation: 1,
            used: 0,
        }
    }
}

fn hash(board: &Board) -> u64 {
    let mut hash = board.colour(Color::White).0;
    for face in FACES {
        hash = (hash ^ board.pieces(face).0)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(29);
    }
    debug_assert_eq!(FACES[0], Piece::Pawn);
    mix64(hash ^ board.en_passant().0 ^ u64::from(board.castling().bits()) << 56)
}

impl Table {
    /// Empties it.
    pub(super) fn clear(&mut self) {
        self.used = 0;
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.slots.fill(Slot::default());
            self.generation = 1;
        }
    }

    /// The number of an equal board, or else `id` is kept for this one.
    #[inline]
    pub(super) fn find_or_insert(
        &mut self,
        board: &Board,
        id: u32,
        same: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        if 2 * (self.used + 1) > self.slots.len() {
            self.grow();
        }
        let hash = hash(board);
        let tag = (hash >> 32) as u32;
        let mask = self.slots.len() - 1;
        let mut at = tag as usize & mask;
        loop {
            let slot = &mut self.slots[at];
            if slot.generation != self.generation {
                *slot = Slot {
                    generation: self.generation,
                    tag,
                    id,
                };
                self.used += 1;
                return None;
            }
            if slot.tag == tag && same(slot.id) {
                return Some(slot.id);
            }
            at = (at + 1) & mask;
        }
    }

    /// Puts another number in the place of `old`.
    pub(super) fn replace(&mut self, board: &Board, old: u32, new: u32) {
        let mask = self.slots.len() - 1;
        let mut at = (hash(board) >> 32) as usize & mask;
        while self.slots[at].generation == self.generation {
            if self.slots[at].id == old {
                self.slots[at].id = new;
                return;
            }
            at = (at + 1) & mask;
        }
    }

    /// The tag alone says where a slot goes: up to 2^32 of them.
    #[cold]
    fn grow(&mut self) {
        let size = 2 * self.slots.len();
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); size]);
        for slot in old {
            if slot.generation == self.generation {
                let mut at = slot.tag as usize & (size - 1);
                while self.slots[at].generation == self.generation {
                    at = (at + 1) & (size - 1);
                }
                self.slots[at] = slot;
            }
        }
    }
}
