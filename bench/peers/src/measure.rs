//! One measurement: a search in a process of its own.

use std::any::Any;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::heap;

/// Processor time of this process, all threads together: busy neighbours do not lengthen it.
pub fn processor_time() -> Duration {
    cpu_time::ProcessTime::now().as_duration()
}

/// What a search left.
pub struct Tree {
    /// How many simulations it made.
    pub simulations: u64,
    /// How many nodes the library says there are; ours counts every edge.
    pub nodes: Option<u64>,
    seconds: Option<f64>,
    held: Option<Box<dyn Any>>,
}

impl Tree {
    /// A search that still holds its tree.
    pub fn new(simulations: u64, nodes: Option<u64>, search: impl Any) -> Self {
        Self {
            simulations,
            nodes,
            seconds: None,
            held: Some(Box::new(search)),
        }
    }

    /// The same with the time of the search alone, where there was more to do.
    pub fn within(self, seconds: f64) -> Self {
        Self {
            seconds: Some(seconds),
            ..self
        }
    }

    /// One that has none, or none any more.
    pub fn gone(simulations: u64) -> Self {
        Self {
            simulations,
            nodes: None,
            seconds: None,
            held: None,
        }
    }
}

/// What one process measured.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Measured {
    pub simulations: u64,
    pub seconds: f64,
    pub nodes: Option<u64>,
    /// Seconds it takes to be rid of the tree.
    pub drop_seconds: Option<f64>,
    /// Bytes of the tree at the end, where it is still there.
    pub live: Option<u64>,
    /// The most bytes at any time.
    pub peak: Option<u64>,
    /// Growth of the memory in use, in bytes, as the system counts it.
    pub resident: Option<u64>,
}

/// Times a search.
pub fn time(search: impl FnOnce() -> Tree) -> Measured {
    let start = processor_time();
    let tree = search();
    let whole = (processor_time() - start).as_secs_f64();
    let (simulations, nodes, held) = (tree.simulations, tree.nodes, tree.held);
    let start = processor_time();
    let drop_seconds = held.map(|held| {
        drop(held);
        (processor_time() - start).as_secs_f64()
    });
    Measured {
        simulations,
        seconds: tree.seconds.unwrap_or(whole),
        nodes,
        drop_seconds,
        live: None,
        peak: None,
        resident: None,
    }
}

/// Weighs a search. A small one comes first, so that code and tables that it needs are in memory.
pub fn weigh(search: impl FnOnce() -> Tree, small: impl FnOnce() -> Tree) -> Measured {
    drop(small());
    let before = resident();
    let (tree, heap) = heap::measure(search);
    let after = resident();
    let there = tree.held.is_some();
    Measured {
        simulations: tree.simulations,
        seconds: 0.0,
        nodes: tree.nodes,
        drop_seconds: None,
        live: heap.filter(|_| there).map(|h| h.live),
        peak: heap.map(|h| h.peak),
        resident: match (before, after) {
            (Some(before), Some(after)) if there => Some(after.saturating_sub(before)),
            _ => None,
        },
    }
}

/// Bytes of memory in use.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(1024 * kilobytes)
}
