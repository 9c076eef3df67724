//! Nodes in a `typed-arena`, linked by references.

use typed_arena::Arena;

use super::bump::{Node, NodeRef};
use super::{Edge, Extra, Limits, Storage, Tree, TreeVisitor};

/// Memory of a [`TypedTree`]: made for each search, since the arena cannot be emptied while its
/// type names the lifetime of its own nodes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Typed;

impl<K: Copy + 'static, X: Extra> Storage<K, X> for Typed {
    fn with<V: TreeVisitor<K, X>>(&mut self, root_key: K, limits: Limits, visitor: V) -> V::Output {
        let arena = Arena::new();
        let root = arena.alloc(Node::new(root_key));
        visitor.visit(&mut TypedTree {
            arena: &arena,
            root,
            most: limits.slots(size_of::<Node<'_, K, X>>(), u64::MAX),
        })
    }
}

/// A tree in a `typed-arena`. The arena doubles its chunks, so the limits count live edges.
pub struct TypedTree<'a, K, X = ()> {
    arena: &'a Arena<Node<'a, K, X>>,
    root: &'a Node<'a, K, X>,
    most: usize,
}

impl<'a, K: Copy + 'static, X: Extra> Tree<K, X> for TypedTree<'a, K, X> {
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
        let fits = self.arena.len() + keys.len() <= self.most;
        if !fits || keys.len() > usize::from(u16::MAX) || keys.is_empty() {
            return false;
        }
        let nodes = keys.iter().map(|&key| Node::new(key));
        id.0.set_block(self.arena.alloc_extend(nodes));
        true
    }

    fn append_child(&mut self, id: Self::Id, last: Option<Self::Id>, key: K) -> Option<Self::Id> {
        if self.arena.len() >= self.most {
            return None;
        }
        let child = self.arena.alloc(Node::new(key));
        id.0.link(last.map(|last| last.0), child);
        Some(NodeRef(child))
    }

    fn len(&self) -> usize {
        self.arena.len()
    }

    fn bytes(&self) -> usize {
        self.arena.len() * size_of::<Node<'_, K, X>>()
    }
}
