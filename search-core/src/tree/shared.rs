//! A tree that several threads grow at once: [`SharedTree`].
//!
//! Nobody waits for a lock on the way down. Edges lie in segments of doubling size that are never
//! moved, so that an identifier and a reference stay valid while the tree grows. Children are
//! published through one link: `NONE`, then `MAKING` by whoever wins the exchange, then the number of
//! the child. The winner writes keys and counters before it stores the number with `Release`; readers
//! load the link with `Acquire` and so see them. Who loses goes on without the new children.
//!
//! A thread waits for another in one place only: when both need the same new segment, which happens
//! at most 22 times in a search.
//!
//! `model.rs` checks this with loom.

mod sync;

use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use super::{Limits, Tree};
use sync::{AtomicU16, AtomicU32, AtomicU64, OnceLock};

/// A link that leads nowhere.
const NONE: u32 = u32::MAX;
/// A link to children that somebody is making.
const MAKING: u32 = u32::MAX - 1;
/// The first segment has this many edges, each later one twice as many as the one before.
const BASE: u32 = 1 << BASE_BITS;
/// In a model check two, so that few edges lie in several segments.
const BASE_BITS: u32 = if cfg!(all(loom, test)) { 1 } else { 10 };
const SEGMENTS: usize = 22;
/// Every identifier lies in a segment, and none is taken for a link that leads nowhere.
const MOST: u64 = 1 << 31;
/// One simulation in flight, in the upper half of the counters.
const FLIGHT: u64 = 1 << 32;

/// Simulations that chose an edge: those backed up, and those in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Selections {
    pub(crate) visits: u32,
    pub(crate) in_flight: u32,
}

impl Selections {
    /// Both together: what selection counts.
    #[inline]
    pub(crate) const fn total(self) -> u32 {
        self.visits.wrapping_add(self.in_flight)
    }

    const fn of(counts: u64) -> Self {
        Self {
            visits: counts as u32,
            in_flight: (counts >> 32) as u32,
        }
    }
}

/// An edge: what [`Edge`](super::Edge) keeps, in atomics, and its links.
///
/// The sum is 64-bit floating point, added to by compare-exchange: no range to state, no rounding of
/// its own, and one thread adds as the serial tree does. Visits and sum are read one after the other,
/// so that a mean may lack a return that is being added; nothing is lost.
#[derive(Debug)]
pub(crate) struct SharedEdge<K> {
    counts: AtomicU64,
    sum: AtomicU64,
    availability: AtomicU32,
    first: AtomicU32,
    next: AtomicU32,
    block: AtomicU16,
    key: OnceLock<K>,
}

impl<K: Copy> SharedEdge<K> {
    fn new() -> Self {
        Self {
            counts: AtomicU64::new(0),
            sum: AtomicU64::new(0),
            availability: AtomicU32::new(0),
            first: AtomicU32::new(NONE),
            next: AtomicU32::new(NONE),
            block: AtomicU16::new(0),
            key: OnceLock::new(),
        }
    }

    /// The action or outcome; `None` for the root only, which has none.
    #[inline]
    pub(crate) fn key(&self) -> Option<K> {
        self.key.get().copied()
    }

    /// Visits and simulations in flight, at one moment.
    #[inline]
    pub(crate) fn selections(&self) -> Selections {
        Selections::of(self.counts.load(Relaxed))
    }

    /// Sum of the chooser's returns.
    #[inline]
    pub(crate) fn sum(&self) -> f64 {
        f64::from_bits(self.sum.load(Relaxed))
    }

    /// As [`Edge::availability`](super::Edge::availability).
    #[inline]
    pub(crate) fn availability(&self) -> u32 {
        self.availability.load(Relaxed)
    }

    /// Counts one visit of the parent in which this edge was legal.
    #[inline]
    pub(crate) fn record_availability(&self) {
        self.availability.fetch_add(1, Relaxed);
    }

    /// A simulation passes on its way down; returns those that came before it.
    #[inline]
    pub(crate) fn begin(&self) -> Selections {
        Selections::of(self.counts.fetch_add(FLIGHT, Relaxed))
    }

    /// The simulation is over, worth `value` to who chose this edge, if anybody did.
    #[inline]
    pub(crate) fn record(&self, value: Option<f64>) {
        if let Some(value) = value {
            let mut sum = self.sum.load(Relaxed);
            loop {
                let new = (f64::from_bits(sum) + value).to_bits();
                match self.sum.compare_exchange_weak(sum, new, Relaxed, Relaxed) {
                    Ok(_) => break,
                    Err(other) => sum = other,
                }
            }
        }
        // A visit more and a flight less, at once.
        self.counts.fetch_add(1_u64.wrapping_sub(FLIGHT), Relaxed);
    }
}

/// Why children were not made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotMade {
    /// They do not fit the limits.
    Full,
    /// Another thread has made them, or one of them, or is about to.
    Taken,
}

/// A tree that several threads grow at once.
#[derive(Debug)]
pub(crate) struct SharedTree<K> {
    segments: [OnceLock<Box<[SharedEdge<K>]>>; SEGMENTS],
    len: AtomicU32,
    most: u32,
}

/// The segment of an identifier, and the place in it.
#[inline]
const fn place(id: u32) -> (usize, usize) {
    let x = id + BASE;
    let log = x.ilog2();
    ((log - BASE_BITS) as usize, (x - (1 << log)) as usize)
}

impl<K: Copy + 'static> SharedTree<K> {
    /// Bytes an edge occupies with its links.
    pub(crate) const BYTES_PER_EDGE: usize = size_of::<SharedEdge<K>>();

    /// The root alone.
    pub(crate) fn new(limits: Limits) -> Self {
        let tree = Self {
            segments: std::array::from_fn(|_| OnceLock::new()),
            len: AtomicU32::new(0),
            most: limits.slots(Self::BYTES_PER_EDGE, MOST) as u32,
        };
        tree.claim(1);
        tree
    }

    /// The root.
    pub(crate) const ROOT: u32 = 0;

    /// Edges, the root included.
    pub(crate) fn len(&self) -> u32 {
        self.len.load(Relaxed)
    }

    /// Bytes that the edges occupy.
    pub(crate) fn bytes(&self) -> u64 {
        u64::from(self.len()) * Self::BYTES_PER_EDGE as u64
    }

    #[inline]
    fn segment(&self, number: usize) -> &[SharedEdge<K>] {
        self.segments[number].get().map_or(&[], |edges| edges)
    }

    /// An edge.
    #[inline]
    pub(crate) fn edge(&self, id: u32) -> &SharedEdge<K> {
        let (segment, offset) = place(id);
        &self.segment(segment)[offset]
    }

    /// Takes `n` new edges next to each other.
    fn claim(&self, n: u32) -> Option<u32> {
        let grown = |len: u32| len.checked_add(n).filter(|len| *len <= self.most);
        let start = self.len.fetch_update(Relaxed, Relaxed, grown).ok()?;
        for number in place(start).0..=place(start + n - 1).0 {
            self.segments[number].get_or_init(|| {
                let (size, before) = (u64::from(BASE) << number, (BASE << number) - BASE);
                let size = size.min(u64::from(self.most - before));
                (0..size).map(|_| SharedEdge::new()).collect()
            });
        }
        Some(start)
    }

    /// Whether the node has children by now, or will have soon.
    #[inline]
    pub(crate) fn is_expanded(&self, id: u32) -> bool {
        self.edge(id).first.load(Relaxed) != NONE
    }

    /// The child at this position of the node's block, or `None` beyond its end.
    #[inline]
    pub(crate) fn block_child(&self, id: u32, position: u32) -> Option<u32> {
        let parent = self.edge(id);
        let first = parent.first.load(Acquire);
        let there = first < MAKING && position < u32::from(parent.block.load(Relaxed));
        there.then(|| first + position)
    }

    /// The children of a node that are published: a block in its order, or those appended in theirs.
    #[inline]
    pub(crate) fn children(&self, id: u32) -> Children<'_, K> {
        let parent = self.edge(id);
        let first = parent.first.load(Acquire);
        let block = if first < MAKING {
            u32::from(parent.block.load(Relaxed))
        } else {
            0
        };
        Children {
            tree: self,
            piece: [].iter(),
            id: first,
            left: block,
            chained: block == 0,
        }
    }

    /// Gives a childless node one block of children in this order.
    pub(crate) fn add_children(&self, id: u32, keys: &[K]) -> Result<(), NotMade> {
        let block = u16::try_from(keys.len()).map_err(|_| NotMade::Full)?;
        if block == 0 {
            return Err(NotMade::Full);
        }
        let parent = self.edge(id);
        make(&parent.first, || {
            let first = self.claim(u32::from(block))?;
            for (child, &key) in (first..).zip(keys) {
                let _ = self.edge(child).key.set(key);
            }
            parent.block.store(block, Relaxed);
            Some(first)
        })?;
        Ok(())
    }

    /// Appends one child to a node whose last child is `last`, `None` for a childless one. Who has
    /// looked at all children up to `last` cannot make one a second time.
    pub(crate) fn append_child(&self, id: u32, last: Option<u32>, key: K) -> Result<u32, NotMade> {
        let link = match last {
            Some(last) => &self.edge(last).next,
            None => &self.edge(id).first,
        };
        make(link, || {
            let child = self.claim(1)?;
            let _ = self.edge(child).key.set(key);
            Some(child)
        })
    }

    /// Writes this tree into an empty one of a single thread.
    pub(crate) fn copy_to<T: Tree<K>>(&self, tree: &mut T) {
        let mut ids = vec![(Self::ROOT, tree.root())];
        let mut keys = Vec::new();
        let mut at = 0;
        while let Some(&(from, to)) = ids.get(at) {
            let edge = self.edge(from);
            let Selections { visits, in_flight } = edge.selections();
            tree.edge(to)
                .restore(visits, edge.sum(), edge.availability());
            (0..in_flight.min(u32::from(u16::MAX))).for_each(|_| tree.edge(to).set_in_flight(true));
            let children = self.children(from);
            if children.chained {
                let mut last = None;
                for (child, key) in children.filter_map(|(id, edge)| Some((id, edge.key()?))) {
                    last = tree.append_child(to, last, key);
                    ids.extend(last.map(|copy| (child, copy)));
                }
            } else {
                let first = children.id;
                keys.clear();
                keys.extend(children.filter_map(|(_, edge)| edge.key()));
                tree.add_children(to, &keys);
                ids.extend((first..).zip(tree.children(to).map(|(copy, _)| copy)));
            }
            at += 1;
        }
    }
}

/// Makes what a link leads to, unless somebody else does.
fn make(link: &AtomicU32, new: impl FnOnce() -> Option<u32>) -> Result<u32, NotMade> {
    if link
        .compare_exchange(NONE, MAKING, AcqRel, Relaxed)
        .is_err()
    {
        return Err(NotMade::Taken);
    }
    let made = new();
    link.store(made.unwrap_or(NONE), Release);
    made.ok_or(NotMade::Full)
}

/// The published children of a node.
pub(crate) struct Children<'a, K> {
    tree: &'a SharedTree<K>,
    /// What is left of the block in the segment looked at.
    piece: std::slice::Iter<'a, SharedEdge<K>>,
    id: u32,
    /// Edges of the block beyond that.
    left: u32,
    chained: bool,
}

impl<'a, K: Copy + 'static> Iterator for Children<'a, K> {
    type Item = (u32, &'a SharedEdge<K>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.chained {
            if self.id >= MAKING {
                return None;
            }
            let id = self.id;
            let edge = self.tree.edge(id);
            self.id = edge.next.load(Acquire);
            return Some((id, edge));
        }
        if self.piece.len() == 0 {
            if self.left == 0 {
                return None;
            }
            let (segment, offset) = place(self.id);
            let edges = &self.tree.segment(segment)[offset..];
            let here = edges.len().min(self.left as usize);
            self.piece = edges[..here].iter();
            self.left -= here as u32;
        }
        let edge = self.piece.next()?;
        self.id += 1;
        Some((self.id - 1, edge))
    }
}

#[cfg(all(loom, test))]
mod model;
#[cfg(all(test, not(loom)))]
mod tests;
