//! Speed and memory: what `bench` measures.
//!
//! Times are processor time of the whole process, which busy neighbours do not lengthen; where threads
//! are compared, the clock on the wall stands beside it. What is compared runs in turns, and a figure is
//! the median of its turns. A figure is good to a tenth at best: a ratio within one run is better.
//!
//! | module | what it measures |
//! |---|---|
//! | [`trees`] | one search on every storage: the same tree, its speed, its bytes, its drop |
//! | [`playouts`] | the rules of every game: what no search can be faster than |
//! | [`searchers`] | every searcher with the expression that its description gives |
//! | [`threads`] | what two threads bring in the parallel modes, and what they cost |
//! | [`heap`] | bytes, as the allocator was asked for them |

pub mod heap;
pub mod playouts;
pub mod searchers;
pub mod threads;
pub mod trees;

use std::time::Duration;

use serde::Serialize;

use crate::error::Result;
use crate::registry::Registry;

/// Parts of the measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// [`trees`].
    Trees,
    /// [`playouts`].
    Playouts,
    /// [`searchers`].
    Searchers,
    /// [`threads`].
    Threads,
}

impl Part {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 4] = [Self::Playouts, Self::Searchers, Self::Trees, Self::Threads];
}

/// How much is measured.
#[derive(Debug, Clone, Copy)]
pub struct Extent<'a> {
    /// A tenth of the work, in one turn.
    pub quick: bool,
    /// Only rows whose name holds this.
    pub only: Option<&'a str>,
}

impl Extent<'_> {
    /// How often each row is measured.
    fn turns(self) -> usize {
        if self.quick { 1 } else { 3 }
    }

    /// Simulations of a row, given those of the whole measurement.
    fn simulations(self, whole: u64) -> u64 {
        if self.quick { whole / 20 } else { whole }
    }

    /// Time that a row is given where it repeats.
    fn time(self) -> Duration {
        Duration::from_millis(if self.quick { 5 } else { 100 })
    }

    fn wants(self, name: &str) -> bool {
        self.only.is_none_or(|only| name.contains(only))
    }
}

/// What was measured; a part that was not asked for is left out.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Report {
    /// Whether it was the short form.
    pub quick: bool,
    /// The rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub playouts: Option<Vec<playouts::Row>>,
    /// The searchers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub searchers: Option<Vec<searchers::Row>>,
    /// The storages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trees: Option<Vec<trees::Row>>,
    /// The parallel modes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<Vec<threads::Row>>,
}

impl Report {
    /// Whether searches that must come to the same did: on all storages, with any threads.
    #[must_use]
    pub fn agrees(&self) -> bool {
        let trees = self.trees.iter().flatten().all(|row| row.same_tree);
        trees && self.threads.iter().flatten().all(|row| row.same_result)
    }
}

/// Measures these parts; `begin` hears what comes next.
///
/// # Errors
/// When a search fails.
pub fn measure(
    registry: &Registry,
    parts: &[Part],
    extent: Extent<'_>,
    mut begin: impl FnMut(Part),
) -> Result<Report> {
    let mut report = Report {
        quick: extent.quick,
        ..Report::default()
    };
    for part in parts {
        begin(*part);
        match part {
            Part::Playouts => report.playouts = Some(playouts::measure(registry, extent)?),
            Part::Searchers => report.searchers = Some(searchers::measure(registry, extent)?),
            Part::Trees => report.trees = Some(trees::measure(extent)?),
            Part::Threads => report.threads = Some(threads::measure(extent)?),
        }
    }
    Ok(report)
}

/// Processor time of this process, all threads together.
fn processor_time() -> Duration {
    cpu_time::ProcessTime::now().as_duration()
}

/// Processor seconds of some work, and what it came to.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = processor_time();
    let result = work();
    // A clock that has not moved yet must not make a rate infinite.
    let spent = (processor_time() - start).as_secs_f64().max(1e-9);
    (result, spent)
}

/// The middle one; the upper of two.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
