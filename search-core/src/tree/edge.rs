//! The statistics of one edge.

use std::cell::Cell;
use std::hash::{Hash, Hasher};

/// What leads from a node to its child: a player's action or a chance outcome.
///
/// For a game without chance (`C = Infallible`) it is as small as the action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EdgeKey<A, C> {
    /// A player's action.
    Action(A),
    /// What chance drew.
    Chance(C),
}

impl<A, C> EdgeKey<A, C> {
    /// The action, if it is one.
    #[inline]
    pub fn action(self) -> Option<A> {
        match self {
            Self::Action(action) => Some(action),
            Self::Chance(_) => None,
        }
    }
}

/// What a search may keep on every edge beside the counters of [`Edge`]: cells, and nothing that would
/// have to be dropped, since arenas do not.
pub trait Extra: Default + Clone + 'static {}

impl Extra for () {}

/// Statistics of an edge: 24 bytes with a 4-byte key, and what a search keeps beside them (`X`).
#[derive(Debug, Clone)]
pub struct Edge<K, X = ()> {
    /// Sum of the returns of the player who chose this edge. Double precision: single would stop
    /// counting at 2^24 visits. Nobody chooses a chance outcome: where all outcomes are listed its
    /// probability is kept here.
    sum: Cell<f64>,
    visits: Cell<u32>,
    availability: Cell<u32>,
    key: K,
    in_flight: Cell<u16>,
    /// Length of the children's block, for the storage.
    pub(super) block: Cell<u16>,
    extra: X,
}

impl<K: Copy + 'static, X: Extra> Edge<K, X> {
    pub(super) fn new(key: K) -> Self {
        Self {
            sum: Cell::new(0.0),
            visits: Cell::new(0),
            availability: Cell::new(0),
            key,
            in_flight: Cell::new(0),
            block: Cell::new(0),
            extra: X::default(),
        }
    }

    /// What the search keeps beside the counters.
    #[inline]
    pub const fn extra(&self) -> &X {
        &self.extra
    }

    /// The action or outcome.
    #[inline]
    pub const fn key(&self) -> K {
        self.key
    }

    /// Simulations that went through this edge and were backed up.
    #[inline]
    pub fn visits(&self) -> u32 {
        self.visits.get()
    }

    /// Sum of the chooser's returns over those simulations; of a chance outcome, which nobody
    /// chooses, see [`Edge::probability`].
    #[inline]
    pub fn sum(&self) -> f64 {
        self.sum.get()
    }

    /// The probability of a chance outcome, in a block that lists all of them; 0 in one that
    /// does not.
    #[inline]
    pub fn probability(&self) -> f64 {
        self.sum.get()
    }

    /// Notes the probability of a chance outcome that nothing was recorded on yet.
    #[inline]
    pub fn set_probability(&self, probability: f64) {
        self.sum.set(probability);
    }

    /// Mean of the chooser's returns; `NaN` without visits.
    #[inline]
    pub fn mean(&self) -> f64 {
        self.sum.get() / f64::from(self.visits.get())
    }

    /// Visits of the parent, since this edge was made and counting that one, in which the action
    /// was legal. Kept by information-set searches only.
    #[inline]
    pub fn availability(&self) -> u32 {
        self.availability.get()
    }

    /// Simulations that chose this edge and are not backed up yet.
    #[inline]
    pub fn in_flight(&self) -> u16 {
        self.in_flight.get()
    }

    /// Visits and simulations in flight: what selection counts.
    #[inline]
    pub fn selections(&self) -> u32 {
        self.visits.get() + u32::from(self.in_flight.get())
    }

    /// Counts one visit worth `value` to the chooser.
    #[inline]
    pub fn record(&self, value: f64) {
        self.visits.set(self.visits.get() + 1);
        self.sum.set(self.sum.get() + value);
    }

    /// Counts one visit of an edge nobody chose.
    #[inline]
    pub fn record_visit(&self) {
        self.visits.set(self.visits.get() + 1);
    }

    /// Counts one visit of the parent in which this edge was legal.
    #[inline]
    pub fn record_availability(&self) {
        self.availability.set(self.availability.get() + 1);
    }

    /// A simulation in flight begins (`true`) or is backed up (`false`).
    #[inline]
    pub fn set_in_flight(&self, begins: bool) {
        let n = self.in_flight.get();
        self.in_flight.set(if begins { n + 1 } else { n - 1 });
    }

    /// Sets the counters outright: to restore a stored tree, and to test large counts.
    pub fn restore(&self, visits: u32, sum: f64, availability: u32) {
        self.visits.set(visits);
        self.sum.set(sum);
        self.availability.set(availability);
    }

    pub(super) fn digest(&self, hasher: &mut impl Hasher, with_key: bool)
    where
        K: Hash,
    {
        if with_key {
            self.key.hash(hasher);
        }
        hasher.write(&self.visits.get().to_le_bytes());
        hasher.write(&self.availability.get().to_le_bytes());
        hasher.write(&self.sum.get().to_bits().to_le_bytes());
    }
}
