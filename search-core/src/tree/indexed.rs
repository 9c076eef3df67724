//! The default storage: one vector, 32-bit links, contiguous blocks of siblings.

use std::cell::Cell;

use super::{Edge, Extra, Limits, Storage, Tree, TreeVisitor};

const NONE: u32 = u32::MAX;

/// An edge with its links. A block of children is the run of `edge.block` slots from `first`;
/// children appended later hang on the `next` link of the child before them.
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

    /// Memory with room for this many edges, so that a search within it allocates nothing.
    #[must_use]
    pub fn with_capacity(edges: usize) -> Self {
        Self {
            slots: if edges == 0 {
                Vec::new()
            } else {
                Vec::with_capacity(edges + 1)
            },
            spare: Vec::new(),
            kept: false,
        }
    }
}

impl<K: Copy + Send + 'static, X: Extra + Send> Storage<K, X> for Indexed<K, X> {
    fn with<V: TreeVisitor<K, X>>(&mut self, root_key: K, limits: Limits, visitor: V) -> V::Output {
        let most = limits.slots(size_of::<Slot<K, X>>(), u64::from(NONE));
        let kept = std::mem::take(&mut self.kept) && self.slots.len() <= most;
        if !kept {
            self.slots.clear();
        }
        if limits.bytes.is_some() {
            // Growing by doubling would hold old and new memory at once and break the byte limit.
            self.spare = Vec::new();
            if self.slots.capacity() > most {
                self.slots.shrink_to(most);
            }
            // A limit beyond what the system has is none: it grows as it needs to.
            let _ = self.slots.try_reserve_exact(most - self.slots.len());
        }
        if !kept {
            self.slots.push(Slot::new(root_key));
        }
        visitor.visit(&mut IndexedTree {
            slots: &mut self.slots,
            most,
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
            most: 0,
        })
    }

    /// Copies what lies below a node to the spare memory, level by level, and makes that the tree:
    /// siblings stay next to each other and in their order.
    fn compact(&mut self, root: u32, visits: u32) {
        let old = IndexedTree {
            slots: &mut self.slots,
            most: 0,
        };
        let new = &mut self.spare;
        new.clear();
        let mut origins = vec![root];
        new.push(old.slot(root).unlinked());
        // Nobody chose it any more.
        new[0].edge.restore(visits, 0.0, 0);
        let mut at = 0;
        while let Some(&origin) = origins.get(at) {
            let block = usize::from(old.edge(origin).block.get());
            for (position, (id, _)) in old.children(origin).enumerate() {
                let child = new.len() as u32;
                match position {
                    0 => new[at].first.set(child),
                    // Those that were appended are linked.
                    p if p >= block => new[child as usize - 1].next.set(child),
                    _ => {}
                }
                new.push(old.slot(id).unlinked());
                origins.push(id);
            }
            at += 1;
        }
        std::mem::swap(&mut self.slots, &mut self.spare);
    }
}

/// A tree in one vector.
#[derive(Debug)]
pub struct IndexedTree<'a, K, X = ()> {
    slots: &'a mut Vec<Slot<K, X>>,
    most: usize,
}

impl<K: Copy + 'static, X: Extra> IndexedTree<'_, K, X> {
    #[inline]
    fn slot(&self, id: u32) -> &Slot<K, X> {
        &self.slots[id as usize]
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
            tree: self,
            block: self.slots[range.start as usize..range.end as usize].iter(),
            id: range.start,
            chain,
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
        let fits = self.slots.len() + keys.len() <= self.most;
        let Ok(block) = u16::try_from(keys.len()) else {
            return false;
        };
        if !fits || keys.is_empty() {
            return false;
        }
        let first = self.slots.len() as u32;
        self.slots.extend(keys.iter().map(|&key| Slot::new(key)));
        let parent = self.slot(id);
        parent.first.set(first);
        parent.edge.block.set(block);
        true
    }

    fn append_child(&mut self, id: u32, last: Option<u32>, key: K) -> Option<u32> {
        if self.slots.len() >= self.most {
            return None;
        }
        let child = self.slots.len() as u32;
        self.slots.push(Slot::new(key));
        match last {
            Some(last) => self.slot(last).next.set(child),
            None => self.slot(id).first.set(child),
        }
        Some(child)
    }

    #[inline]
    fn len(&self) -> usize {
        self.slots.len()
    }

    fn bytes(&self) -> usize {
        self.slots.len() * size_of::<Slot<K, X>>()
    }
}

/// The children of a node: its block, then those appended one by one.
struct Children<'a, 'b, K, X> {
    tree: &'a IndexedTree<'b, K, X>,
    block: std::slice::Iter<'a, Slot<K, X>>,
    id: u32,
    chain: u32,
}

impl<'a, K: Copy + 'static, X: Extra> Iterator for Children<'a, '_, K, X> {
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
        let slot = self.tree.slot(id);
        self.chain = slot.next.get();
        Some((id, &slot.edge))
    }
}
