//! Nodes in a `bumpalo` arena, linked by references.

use std::cell::Cell;

use super::{Edge, Extra, Limits, Storage, Tree, TreeVisitor};

/// A node: an edge with references to its children.
#[derive(Debug)]
pub(super) struct Node<'a, K, X> {
    edge: Edge<K, X>,
    block: Cell<&'a [Self]>,
    first: Cell<Option<&'a Self>>,
    next: Cell<Option<&'a Self>>,
}

impl<'a, K: Copy + 'static, X: Extra> Node<'a, K, X> {
    pub(super) fn new(key: K) -> Self {
        Self {
            edge: Edge::new(key),
            block: Cell::new(&[]),
            first: Cell::new(None),
            next: Cell::new(None),
        }
    }

    pub(super) fn edge(&self) -> &Edge<K, X> {
        &self.edge
    }

    pub(super) fn block(&self) -> &'a [Self] {
        self.block.get()
    }

    pub(super) fn set_block(&self, block: &'a [Self]) {
        self.block.set(block);
    }

    pub(super) fn has_children(&self) -> bool {
        !self.block.get().is_empty() || self.first.get().is_some()
    }

    /// Hangs `child` behind `last`, or on this node where there is none.
    pub(super) fn link(&self, last: Option<&'a Self>, child: &'a Self) {
        match last {
            Some(last) => last.next.set(Some(child)),
            None => self.first.set(Some(child)),
        }
    }

    pub(super) fn children(&self) -> impl Iterator<Item = &'a Self> + use<'a, K, X> {
        let block = self.block.get();
        let chain = block
            .last()
            .map_or(self.first.get(), |last| last.next.get());
        block
            .iter()
            .chain(std::iter::successors(chain, |node| node.next.get()))
    }
}

/// A reference to a node, compared by address.
#[derive(Debug)]
pub struct NodeRef<'a, K, X = ()>(pub(super) &'a Node<'a, K, X>);

impl<K, X> Clone for NodeRef<'_, K, X> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, X> Copy for NodeRef<'_, K, X> {}

impl<K, X> PartialEq for NodeRef<'_, K, X> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl<K, X> Eq for NodeRef<'_, K, X> {}

/// Memory of a [`BumpTree`]; the largest chunk is kept for the next search.
#[derive(Debug, Default)]
pub struct Bump {
    arena: bumpalo::Bump,
}

impl<K: Copy + 'static, X: Extra> Storage<K, X> for Bump {
    fn with<V: TreeVisitor<K, X>>(&mut self, root_key: K, limits: Limits, visitor: V) -> V::Output {
        self.arena.reset();
        let root = self.arena.alloc(Node::new(root_key));
        visitor.visit(&mut BumpTree {
            arena: &self.arena,
            root,
            most: limits.slots(size_of::<Node<'_, K, X>>(), u64::MAX),
            len: 1,
        })
    }
}

/// A tree in a `bumpalo` arena. The arena doubles its chunks, so the limits count live edges.
#[derive(Debug)]
pub struct BumpTree<'a, K, X = ()> {
    arena: &'a bumpalo::Bump,
    root: &'a Node<'a, K, X>,
    most: usize,
    len: usize,
}

impl<'a, K: Copy + 'static, X: Extra> Tree<K, X> for BumpTree<'a, K, X> {
    type Id = NodeRef<'a, K, X>;

    fn root(&self) -> Self::Id {
        NodeRef(self.root)
    }

    #[inline]
    fn edge(&self, id: Self::Id) -> &Edge<K, X> {
        id.0.edge()
    }

    #[inline]
    fn children(&self, id: Self::Id) -> impl Iterator<Item = (Self::Id, &Edge<K, X>)> {
        id.0.children().map(|node| (NodeRef(node), node.edge()))
    }

    #[inline]
    fn has_children(&self, id: Self::Id) -> bool {
        id.0.has_children()
    }

    #[inline]
    fn block_child(&self, id: Self::Id, position: usize) -> Option<Self::Id> {
        id.0.block().get(position).map(NodeRef)
    }

    fn add_children(&mut self, id: Self::Id, keys: &[K]) -> bool {
        if self.len + keys.len() > self.most
            || keys.len() > usize::from(u16::MAX)
            || keys.is_empty()
        {
            return false;
        }
        let nodes = keys.iter().map(|&key| Node::new(key));
        id.0.set_block(self.arena.alloc_slice_fill_iter(nodes));
        self.len += keys.len();
        true
    }

    fn append_child(&mut self, id: Self::Id, last: Option<Self::Id>, key: K) -> Option<Self::Id> {
        if self.len >= self.most {
            return None;
        }
        let child = self.arena.alloc(Node::new(key));
        id.0.link(last.map(|last| last.0), child);
        self.len += 1;
        Some(NodeRef(child))
    }

    fn len(&self) -> usize {
        self.len
    }

    fn bytes(&self) -> usize {
        self.len * size_of::<Node<'_, K, X>>()
    }
}
