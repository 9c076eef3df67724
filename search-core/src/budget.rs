//! When a search stops: [`Budget`], [`StopReason`], cancellation and progress.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A flag that stops a search from another thread, within one batch of simulations.
#[derive(Debug, Clone, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    /// A flag that is not raised.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the search to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the search was asked to stop.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How far a search has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Simulations finished.
    pub simulations: u64,
    /// Simulations budgeted, when the budget is in simulations.
    pub of: Option<u64>,
    /// Edges in the tree, 0 for a search without one.
    pub edges: u64,
}

/// Called now and then from the searching thread.
pub type ProgressCallback = Arc<dyn Fn(Progress) + Send + Sync>;

/// What a search may spend. Simulations and time end it; nodes and bytes only stop the tree from
/// growing, and the search goes on without expanding. A depth-first search has no tree: its
/// simulations are the positions it looks at, and nodes end it as well.
///
/// Budgets in simulations give the same result on every machine; one in time does not, and the
/// decision says so.
#[derive(Clone, Default)]
pub struct Budget {
    /// Simulations, exactly this many unless something else ends the search first.
    pub simulations: Option<u64>,
    /// Wall-clock time. At least one simulation is run.
    pub time: Option<Duration>,
    /// Edges a tree may hold, never exceeded.
    pub nodes: Option<u64>,
    /// Bytes a tree may occupy, never exceeded.
    pub bytes: Option<u64>,
    /// Stops the search early when raised.
    pub cancel: Option<CancelFlag>,
    /// Told of progress about every 1/100 of the simulations, or every 50 ms under a time budget.
    pub progress: Option<ProgressCallback>,
}

impl Budget {
    /// A budget of exactly this many simulations.
    #[must_use]
    pub fn simulations(simulations: u64) -> Self {
        Self {
            simulations: Some(simulations),
            ..Self::default()
        }
    }

    /// A budget of wall-clock time.
    #[must_use]
    pub fn time(time: Duration) -> Self {
        Self {
            time: Some(time),
            ..Self::default()
        }
    }

    /// The same budget with a cap on the edges of the tree.
    #[must_use]
    pub fn with_nodes(mut self, nodes: u64) -> Self {
        self.nodes = Some(nodes);
        self
    }

    /// The same budget with a cap on the bytes of the tree.
    #[must_use]
    pub fn with_bytes(mut self, bytes: u64) -> Self {
        self.bytes = Some(bytes);
        self
    }

    /// The same budget with a cancellation flag.
    #[must_use]
    pub fn with_cancel(mut self, flag: CancelFlag) -> Self {
        self.cancel = Some(flag);
        self
    }

    /// The same budget with a progress callback.
    #[must_use]
    pub fn with_progress(mut self, callback: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        self.progress = Some(Arc::new(callback));
        self
    }

    /// Whether nothing could be done within it: no simulation allowed, no time, or no limit that
    /// would ever end the search.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.simulations == Some(0)
            || self.time == Some(Duration::ZERO)
            || (self.simulations.is_none() && self.time.is_none() && self.cancel.is_none())
    }
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget")
            .field("simulations", &self.simulations)
            .field("time", &self.time)
            .field("nodes", &self.nodes)
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}

/// Why a search stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StopReason {
    /// The budgeted simulations were done.
    #[default]
    Simulations,
    /// The time was up.
    Time,
    /// The cancellation flag was raised.
    Cancelled,
    /// Nothing was left to decide: one legal action, one candidate left, or the game was searched
    /// to its end.
    Settled,
    /// The depth that was asked for was searched in full.
    Depth,
}
