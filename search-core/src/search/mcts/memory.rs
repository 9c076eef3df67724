//! What a guided search keeps beside the counters of its tree.

use std::cell::Cell;
use std::num::NonZeroU32;

use hashbrown::HashMap;

use crate::game::{Game, MAX_PLAYERS, Player, Returns};
use crate::tree::Extra;

use super::amaf::Tables;

/// What a guided search keeps on an edge: 24 bytes.
#[derive(Debug, Clone, Default)]
pub struct Noted {
    /// Sum of the squared returns of the chooser.
    pub(super) squares: Cell<f64>,
    /// Prior probability of the action.
    pub(super) prior: Cell<f32>,
    /// The heuristic's value of the child for the chooser, over the scale.
    pub(super) heuristic: Cell<f32>,
    /// The record of the node that the edge leads to.
    pub(super) record: Cell<Option<NonZeroU32>>,
    /// The AMAF table of that node.
    pub(super) table: Cell<Option<NonZeroU32>>,
}

impl Extra for Noted {}

/// What is known of a node beyond its counters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Record {
    /// Proven: everybody gets at least this.
    pub(super) lower: Returns,
    /// Proven: everybody gets at most this.
    pub(super) upper: Returns,
    /// The heuristic's values, backed up by the best child.
    pub(super) backed_up: Option<Returns>,
}

/// Mean of an action over whole simulations.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mean {
    pub(super) sum: f64,
    pub(super) n: u32,
}

impl Mean {
    pub(super) fn add(&mut self, value: f64) {
        self.sum += value;
        self.n = self.n.saturating_add(1);
    }

    pub(super) fn value(self) -> f64 {
        self.sum / f64::from(self.n)
    }
}

/// Who played which action.
pub(super) type Move<G> = (Player, <G as Game>::Action);

/// The memory of one tree.
pub(crate) struct Memory<G: Game> {
    pub(super) records: Vec<Record>,
    pub(super) tables: Tables<G>,
    /// Mean return of a player over the simulations in which the player played an action.
    pub(super) means: HashMap<Move<G>, Mean>,
    /// What a player last answered an action with to good effect.
    pub(super) replies: HashMap<(Player, G::Action), G::Action>,
    /// Everybody's mean return.
    pub(super) returns: [Mean; MAX_PLAYERS],
    /// Priors of the actions that are legal where a node was expanded.
    pub(super) priors: Vec<f64>,
    /// Places of children, likeliest first.
    pub(super) order: Vec<usize>,
    /// The moves of one simulation, from the root to its end.
    pub(super) moves: Vec<Move<G>>,
}

impl<G: Game> Memory<G> {
    pub(super) fn new() -> Self {
        Self {
            records: Vec::new(),
            tables: Tables::default(),
            means: HashMap::new(),
            replies: HashMap::new(),
            returns: [Mean::default(); MAX_PLAYERS],
            priors: Vec::new(),
            order: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// The record of an edge's node, if there is one.
    #[inline]
    pub(super) fn record(&self, noted: &Noted) -> Option<&Record> {
        let index = noted.record.get()?.get() as usize - 1;
        self.records.get(index)
    }

    /// The record of an edge's node, made if there is none: nothing proven within `range`. `None` when
    /// there are as many as can be numbered.
    pub(super) fn record_mut(
        &mut self,
        noted: &Noted,
        players: usize,
        range: (f64, f64),
    ) -> Option<&mut Record> {
        if noted.record.get().is_none() {
            let number = u32::try_from(self.records.len() + 1).ok()?;
            noted.record.set(NonZeroU32::new(number));
            self.records.push(Record {
                lower: Returns::splat(players, range.0),
                upper: Returns::splat(players, range.1),
                backed_up: None,
            });
        }
        let index = noted.record.get()?.get() as usize - 1;
        self.records.get_mut(index)
    }

    pub(super) fn bytes(&self) -> usize {
        // A table of hashbrown has one byte of control a slot.
        self.records.capacity() * size_of::<Record>()
            + self.tables.bytes()
            + self.means.capacity() * (size_of::<(Move<G>, Mean)>() + 1)
            + self.replies.capacity() * (size_of::<(Move<G>, G::Action)>() + 1)
    }
}
