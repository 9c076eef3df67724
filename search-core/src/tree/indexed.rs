//! The default storage: one vector, 32-bit links, siblings next to each other.
//!
//! A block of children lies in one piece. Children that are appended come in pieces that double: with
//! the first slot of one the rest is kept free for those that follow, so that going through many
//! children does not go through all of memory. Nothing ever moves.

use std::cell::Cell;

use super::{Edge, Extra, Limits, Storage, Tree, TreeVisitor};

const NONE: u32 = u32::MAX;
/// In place of a link to children: nobody's slot yet.
const FREE: u32 = NONE - 1;
/// The most slots of one piece of appended children.
const LONGEST: usize = 16;

/// An edge with its links. A block of children is the run of `edge.block` slots from `first`. Every
/// child but the last, in a block or appended later, has the one after it as its `next` link.
#[derive(Debug, Clone)]
struct Slot<K, X> {
    edge: Edge<K, X>,
    first: Cell<u32>,
    next: Cell<u32>,
}

impl<K: Copy + 'static, X: Extra> Slot<K, X> {
    fn new(key: K) -> Self {
        Self {
            edge: Edge::new(key),
            first: Cell::new(NONE),
            next: Cell::new(NONE),
        }
    }

    /// One that is kept free; the key is a placeholder.
    fn free(key: K) -> Self {
        let slot = Self::new(key);
        slot.first.set(FREE);
        slot
    }

    /// The edge without its links.
    fn unlinked(&self) -> Self {
        Self {
            edge: self.edge.clone(),
            ..Self::new(self.edge.key())
        }
    }
}

/// Memory of an [`IndexedTree`], kept from one search to the next.
#[derive(Debug, Clone)]
pub struct Indexed<K, X = ()> {
    slots: Vec<Slot<K, X>>,
    /// Where a subtree is copied to: the memory of the tree before it.
    spare: Vec<Slot<K, X>>,
    /// How many slots are kept free.
    free: usize,
    /// Whether the next tree begins from what is in the slots.
    kept: bool,
}

impl<K, X> Default for Indexed<K, X> {
    fn default() -> Self {
        Self::with_capacity(0)
    }
}

impl<K, X> Indexed<K, X> {
    /// Bytes an edge occupies with its links.
    pub const BYTES_PER_EDGE: usize = size_of::<Slot<K, X>>();

    /// Memory with room for this many edges, and for what is kept free beside them, so that a search
    /// within it allocates nothing.
    #[must_use]
    pub fn with_capacity(edges: usize) -> Self {
        Self {
            slots: if edges == 0 {
                Vec::new()
            } else {
                Vec::with_capacity(2 * edges + 1)
            },
            spare: Vec::new(),
            free: 0,
            kept: false,
        }
    }
}

impl<K: Copy + Send + 'static, X: Extra + Send> Storage<K, X> for Indexed<K, X> {
    fn with<V: TreeVisitor<K, X>>(&mut self, root_key: K, limits: Limits, visitor: V) -> V::Output {
        let most = limits.slots(size_of::<Slot<K, X>>(), u64::from(NONE));
        let kept = std::mem::take(&mut self.kept) && self.slots.len() - self.free <= most;
        if !kept {
            self.slots.clear();
            self.free = 0;
        }
        if limits.bytes.is_some() {
            // Growing by doubling would hold old and new memory at once and break the byte limit.
            self.spare = Vec::new();
            if self.slots.capacity() > most {
                self.slots.shrink_to(most);
            }
            // A limit beyond what the system has is none: it grows as it needs to.
            let more = most.saturating_sub(self.slots.len());
            let _ = self.slots.try_reserve_exact(more);
        }
        if !kept {
            self.slots.push(Slot::new(root_key));
        }
        visitor.visit(&mut IndexedTree {
            slots: &mut self.slots,
            free: &mut self.free,
            most,
            // A byte limit is for edges alone.
            longest: if limits.bytes.is_some() { 1 } else { LONGEST },
        })
    }

    fn reroot(&mut self, path: &[K]) -> Option<u32>
    where
        K: PartialEq,
    {
        self.kept = false;
        let tree = self.last()?;
        let mut at = tree.root();
        for key in path {
            let mut children = tree.children(at);
            at = children.find(|(_, edge)| edge.key() == *key)?.0;
        }
        let visits = tree.children(at).map(|(_, edge)| edge.visits()).sum();
        if !tree.has_children(at) {
            return None;
        }
        self.compact(at, visits);
        self.kept = true;
        Some(visits)
    }

    fn forget(&mut self) {
        self.kept = false;
    }

    fn revisit<V: TreeVisitor<K, X>>(&mut self, visitor: V) -> Option<V::Output> {
        self.last().map(|mut tree| visitor.visit(&mut tree))
    }
}

impl<K: Copy + 'static, X: Extra> Indexed<K, X> {
    /// The last tree, with no room to grow.
    fn last(&mut self) -> Option<IndexedTree<'_, K, X>> {
        (!self.slots.is_empty()).then_some(IndexedTree {
            slots: &mut self.slots,
            free: &mut self.free,
            most: 0,
            longest: 1,
        })
    }

    /// Copies what lies below a node to the spare memory, level by level, and makes that the tree:
    /// siblings stay next to each other and in their order.
    fn compact(&mut self, root: u32, visits: u32) {
        let old = IndexedTree {
            slots: &mut self.slots,
            free: &mut self.free,
            most: 0,
            longest: 1,
        };
        let new = &mut self.spare;
        new.clear();
        let mut origins = vec![root];
        new.push(old.slot(root).unlinked());
        // Nobody chose it any more.
        new[0].edge.restore(visits, 0.0, 0);
        let mut at = 0;
        while let Some(&origin) = origins.get(at) {
            for (position, (id, _)) in old.children(origin).enumerate() {
                let child = new.len() as u32;
                match position {
                    0 => new[at].first.set(child),
                    _ => new[child as usize - 1].next.set(child),
                }
                new.push(old.slot(id).unlinked());
                origins.push(id);
            }
            at += 1;
        }
        std::mem::swap(&mut self.slots, &mut self.spare);
        self.free = 0;
    }
}

/// A tree in one vector.
#[derive(Debug)]
pub struct IndexedTree<'a, K, X = ()> {
    slots: &'a mut Vec<Slot<K, X>>,
    free: &'a mut usize,
    most: usize,
    longest: usize,
}

impl<K: Copy + 'static, X: Extra> IndexedTree<'_, K, X> {
    #[inline]
    fn slot(&self, id: u32) -> &Slot<K, X> {
        &self.slots[id as usize]
    }

    /// Makes room for more slots. A large vector grows by a quarter: half of one that doubles would be
    /// empty on average after the growth, and moving large pieces of memory is the system's trick.
    #[inline]
    fn make_room(&mut self, more: usize) {
        if self.slots.capacity() - self.slots.len() < more {
            self.grow(more);
        }
    }

    #[cold]
    fn grow(&mut self, more: usize) {
        let len = self.slots.len();
        let growth = if len < 1 << 12 { len } else { len / 4 };
        self.slots.reserve_exact(growth.max(more).max(64));
    }

    /// Begins a piece of as many slots as the node has appended children, and returns its first.
    #[cold]
    fn next_piece(&mut self, id: u32, key: K) -> Option<u32> {
        let block = usize::from(self.slot(id).edge.block.get());
        let appended = self.children(id).count() - block;
        let child = self.slots.len();
        let length = appended.clamp(1, self.longest);
        if child + length >= FREE as usize {
            return None;
        }
        self.make_room(length);
        self.slots.push(Slot::new(key));
        self.slots.resize(child + length, Slot::free(key));
        *self.free += length - 1;
        Some(child as u32)
    }
}

impl<K: Copy + 'static, X: Extra> Tree<K, X> for IndexedTree<'_, K, X> {
    type Id = u32;

    #[inline]
    fn root(&self) -> u32 {
        0
    }

    #[inline]
    fn edge(&self, id: u32) -> &Edge<K, X> {
        &self.slot(id).edge
    }

    #[inline]
    fn children(&self, id: u32) -> impl Iterator<Item = (u32, &Edge<K, X>)> {
        let parent = self.slot(id);
        let first = parent.first.get();
        let block = u32::from(parent.edge.block.get());
        let (range, chain) = if first == NONE {
            (0..0, NONE)
        } else if block == 0 {
            (0..0, first)
        } else {
            (
                first..first + block,
                self.slot(first + block - 1).next.get(),
            )
        };
        Children {
            slots: self.slots,
            block: self.slots[range.start as usize..range.end as usize].iter(),
            id: range.start,
            chain,
        }
    }

    #[inline]
    fn linked(&self, id: u32) -> impl Iterator<Item = (u32, &Edge<K, X>)> {
        Linked {
            slots: self.slots,
            id: self.slot(id).first.get(),
        }
    }

    #[inline]
    fn has_children(&self, id: u32) -> bool {
        self.slot(id).first.get() != NONE
    }

    #[inline]
    fn block_child(&self, id: u32, position: usize) -> Option<u32> {
        let parent = self.slot(id);
        (position < usize::from(parent.edge.block.get()))
            .then(|| parent.first.get() + position as u32)
    }

    fn add_children(&mut self, id: u32, keys: &[K]) -> bool {
        let fits =
            self.len() + keys.len() <= self.most && self.slots.len() + keys.len() < FREE as usize;
        let Ok(block) = u16::try_from(keys.len()) else {
            return false;
        };
        if !fits || keys.is_empty() {
            return false;
        }
        let first = self.slots.len() as u32;
        self.make_room(keys.len());
        let linked = keys.iter().zip(first + 1..).map(|(&key, next)| {
            let slot = Slot::new(key);
            slot.next.set(next);
            slot
        });
        self.slots.extend(linked);
        let last = first + u32::from(block) - 1;
        self.slot(last).next.set(NONE);
        let parent = self.slot(id);
        parent.first.set(first);
        parent.edge.block.set(block);
        true
    }

    fn append_child(&mut self, id: u32, last: Option<u32>, key: K) -> Option<u32> {
        if self.len() >= self.most {
            return None;
        }
        let Some(last) = last else {
            let child = self.slots.len() as u32;
            if child >= FREE {
                return None;
            }
            self.make_room(1);
            self.slots.push(Slot::new(key));
            self.slot(id).first.set(child);
            return Some(child);
        };
        // What is free behind a sibling is free for its siblings.
        let child = match self.slots.get_mut(last as usize + 1) {
            Some(slot) if slot.first.get() == FREE => {
                *slot = Slot::new(key);
                *self.free -= 1;
                last + 1
            }
            _ => self.next_piece(id, key)?,
        };
        self.slot(last).next.set(child);
        Some(child)
    }

    #[inline]
    fn len(&self) -> usize {
        self.slots.len() - *self.free
    }

    fn bytes(&self) -> usize {
        self.slots.len() * size_of::<Slot<K, X>>()
    }
}

/// The children of a node: its block, then those appended one by one.
struct Children<'a, K, X> {
    slots: &'a [Slot<K, X>],
    block: std::slice::Iter<'a, Slot<K, X>>,
    id: u32,
    chain: u32,
}

impl<'a, K: Copy + 'static, X: Extra> Iterator for Children<'a, K, X> {
    type Item = (u32, &'a Edge<K, X>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if let Some(slot) = self.block.next() {
            let id = self.id;
            self.id += 1;
            return Some((id, &slot.edge));
        }
        if self.chain == NONE {
            return None;
        }
        let id = self.chain;
        let slot = &self.slots[id as usize];
        self.chain = slot.next.get();
        Some((id, &slot.edge))
    }
}

/// The children of a node from link to link.
struct Linked<'a, K, X> {
    slots: &'a [Slot<K, X>],
    id: u32,
}

impl<'a, K: Copy + 'static, X: Extra> Iterator for Linked<'a, K, X> {
    type Item = (u32, &'a Edge<K, X>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let id = self.id;
        // No slot has the number `NONE`.
        let slot = self.slots.get(id as usize)?;
        self.id = slot.next.get();
        Some((id, &slot.edge))
    }
}
