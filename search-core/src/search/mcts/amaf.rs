//! All moves as first: tables of actions at the nodes.

use std::num::NonZeroU32;

use hashbrown::HashMap;

use super::memory::{Mean, Move, Noted};
use crate::game::{Game, Returns};

/// The tables of the nodes of one tree.
pub(super) struct Tables<G: Game> {
    tables: Vec<HashMap<Move<G>, Mean>>,
    entries: usize,
    /// For each move of a simulation one more than where the same was played before, 0 for nowhere.
    before: Vec<usize>,
    last: HashMap<Move<G>, usize>,
}

impl<G: Game> Default for Tables<G> {
    fn default() -> Self {
        Self {
            tables: Vec::new(),
            entries: 0,
            before: Vec::new(),
            last: HashMap::new(),
        }
    }
}

impl<G: Game> Tables<G> {
    /// The table of an edge's node.
    #[inline]
    pub(super) fn get(&self, noted: &Noted) -> Option<&HashMap<Move<G>, Mean>> {
        let index = noted.table.get()?.get() as usize - 1;
        self.tables.get(index)
    }

    /// Looks at the moves of a simulation, before they are added at each node on its way.
    pub(super) fn look_at(&mut self, moves: &[Move<G>]) {
        self.before.clear();
        self.last.clear();
        for (i, &played) in moves.iter().enumerate() {
            let before = self.last.insert(played, i + 1);
            self.before.push(before.unwrap_or(0));
        }
    }

    /// Adds the moves from the `first` on to the table of a node: each once, however often it was
    /// played.
    pub(super) fn add(
        &mut self,
        noted: &Noted,
        moves: &[Move<G>],
        first: usize,
        returns: &Returns,
    ) {
        if noted.table.get().is_none() {
            let Ok(number) = u32::try_from(self.tables.len() + 1) else {
                return;
            };
            noted.table.set(NonZeroU32::new(number));
            self.tables.push(HashMap::new());
        }
        let Some(index) = noted.table.get() else {
            return;
        };
        let table = &mut self.tables[index.get() as usize - 1];
        let entries = table.len();
        for (&played, &before) in moves.iter().zip(&self.before).skip(first) {
            if before <= first {
                table.entry(played).or_default().add(returns.of(played.0));
            }
        }
        self.entries += table.len() - entries;
    }

    pub(super) fn bytes(&self) -> usize {
        self.tables.capacity() * size_of::<HashMap<Move<G>, Mean>>()
            + self.entries * (size_of::<(Move<G>, Mean)>() + 1)
    }
}
