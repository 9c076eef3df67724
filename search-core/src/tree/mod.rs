//! Search trees: what a searcher asks of one ([`Tree`]), and four storages that answer.
//!
//! | storage | memory | an edge with a 4-byte key |
//! |---|---|---|
//! | [`Indexed`] | one `Vec`, `u32` links, contiguous sibling blocks | 32 bytes |
//! | [`Bump`] | `bumpalo` chunks, references | 56 bytes |
//! | [`Typed`] | `typed-arena` chunks, references | 56 bytes |
//! | [`Boxed`] | one heap allocation a node: the baseline | about 61 bytes and the allocator's overhead |
//!
//! All four hold the same children in the same order, so a search gives the same tree on each; a
//! test compares their checksums. Statistics live on edges ([`Edge`]): visits, and the sum of the
//! returns *of the player who chose the edge*, so that backing up never flips a sign and any number
//! of players may move in any order.
//!
//! Identifiers stay valid until the storage is used again: a child appended later never moves its
//! siblings, which is what lets simulations be in flight while the tree grows.

mod boxed;
mod bump;
mod edge;
mod indexed;
pub(crate) mod shared;
mod snapshot;
mod typed;

pub use boxed::{Boxed, BoxedTree};
pub use bump::{Bump, BumpTree};
pub use edge::{Edge, EdgeKey, Extra};
pub use indexed::{Indexed, IndexedTree};
pub use snapshot::{Snapshot, SnapshotNode};
pub use typed::{Typed, TypedTree};

/// A tree of edges. The root is an edge too: nobody chose it, and its key is a placeholder. `X` is what
/// a search keeps on every edge beside the counters.
pub trait Tree<K: Copy + 'static, X: Extra = ()> {
    /// Names an edge, and the node it leads to. Valid as long as the tree.
    type Id: Copy + Eq;

    /// The root.
    fn root(&self) -> Self::Id;

    /// The statistics of an edge.
    fn edge(&self, id: Self::Id) -> &Edge<K, X>;

    /// The children of a node: a block in its order, then appended children in theirs.
    fn children(&self, id: Self::Id) -> impl Iterator<Item = (Self::Id, &Edge<K, X>)>;

    /// The same children in the same order, from link to link: better where there is much to do with each
    /// and no more than a few are in a block.
    #[inline]
    fn linked(&self, id: Self::Id) -> impl Iterator<Item = (Self::Id, &Edge<K, X>)> {
        self.children(id)
    }

    /// Whether the node has children.
    fn has_children(&self, id: Self::Id) -> bool;

    /// The child at this position of the node's block, or `None` beyond its end.
    fn block_child(&self, id: Self::Id, position: usize) -> Option<Self::Id>;

    /// Gives a childless node one block of children in this order. `false`, and nothing changed,
    /// when the block does not fit the limits.
    fn add_children(&mut self, id: Self::Id, keys: &[K]) -> bool;

    /// Appends one child to a node whose last child is `last` (`None` for a childless one). `None`
    /// when it does not fit the limits.
    fn append_child(&mut self, id: Self::Id, last: Option<Self::Id>, key: K) -> Option<Self::Id>;

    /// Edges held, the root included.
    fn len(&self) -> usize;

    /// Whether there is nothing but the root.
    fn is_empty(&self) -> bool {
        self.len() <= 1
    }

    /// Bytes that the edges occupy.
    fn bytes(&self) -> usize;

    /// A checksum of keys, visits, sums and availabilities in depth-first order: equal for equal
    /// trees on any storage.
    fn checksum(&self) -> u64
    where
        K: std::hash::Hash,
    {
        let mut hasher = Fnv::new();
        let mut stack = vec![self.root()];
        let mut first = true;
        while let Some(id) = stack.pop() {
            self.edge(id).digest(&mut hasher, !first);
            first = false;
            let start = stack.len();
            stack.extend(self.children(id).map(|(child, _)| child));
            stack[start..].reverse();
        }
        hasher.0
    }
}

/// FNV-1a: a checksum that is the same on every platform and in every release.
pub(crate) struct Fnv(u64);

impl Fnv {
    pub(crate) const fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl std::hash::Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
}

/// How large a tree may grow.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// Most edges, the root not counted.
    pub edges: Option<u64>,
    /// Most bytes of edges, the root counted.
    pub bytes: Option<u64>,
}

impl Limits {
    /// Most edges with the root, given the size of one; at least the root itself.
    fn slots(self, size: usize, most: u64) -> usize {
        let by_edges = self.edges.map_or(u64::MAX, |n| n.saturating_add(1));
        let by_bytes = self.bytes.map_or(u64::MAX, |b| b / size as u64);
        usize::try_from(by_edges.min(by_bytes).min(most).max(1)).unwrap_or(usize::MAX)
    }
}

/// Work to be done on a tree of any storage.
pub trait TreeVisitor<K: Copy + 'static, X: Extra = ()> {
    /// What the work results in.
    type Output;
    /// Does it on a tree: an empty one, or one that was kept.
    fn visit<T: Tree<K, X>>(self, tree: &mut T) -> Self::Output;
}

/// Owns the memory of a tree. A tree of references can neither outlive its arena nor be stored
/// beside it, so the tree is lent to a visitor and gone afterwards; the memory is kept for the
/// next one where the storage can.
pub trait Storage<K: Copy + 'static, X: Extra = ()>: Default + Send {
    /// Lends an empty tree with this placeholder on the root, or the one that [`Storage::reroot`]
    /// kept, if the limits allow as many edges.
    fn with<V: TreeVisitor<K, X>>(&mut self, root_key: K, limits: Limits, visitor: V) -> V::Output;

    /// Keeps what lies below the end of `path` in the last tree, for [`Storage::with`] to begin from,
    /// and forgets the rest. Counters stay as they are; the visits of the new root are those that went
    /// on from it, which are returned. `None`, and nothing is kept, when there is no such node, when it
    /// has no children, or when the storage keeps no trees (only [`Indexed`] does).
    fn reroot(&mut self, path: &[K]) -> Option<u32>
    where
        K: PartialEq,
    {
        let _ = path;
        None
    }

    /// Begins with an empty tree after all.
    fn forget(&mut self) {}

    /// Lends the last tree again, or what was kept of it; `None` from a storage that keeps no trees.
    fn revisit<V: TreeVisitor<K, X>>(&mut self, visitor: V) -> Option<V::Output> {
        let _ = visitor;
        None
    }
}

#[cfg(test)]
mod tests;
