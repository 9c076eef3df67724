//! One heap allocation a node: the baseline that the arenas are measured against.

use super::{Edge, Extra, Limits, Storage, Tree, TreeVisitor};

const NONE: u32 = u32::MAX;

/// A node with its own list of children, as a textbook tree has it.
#[derive(Debug)]
struct Node<K, X> {
    edge: Edge<K, X>,
    children: Vec<u32>,
}

impl<K: Copy + 'static, X: Extra> Node<K, X> {
    #[allow(clippy::unnecessary_box_returns)] // the box is the point
    fn boxed(key: K) -> Box<Self> {
        Box::new(Self {
            edge: Edge::new(key),
            children: Vec::new(),
        })
    }
}

/// Memory of a [`BoxedTree`]: none, each search allocates anew.
#[derive(Debug, Clone, Copy, Default)]
pub struct Boxed;

impl<K: Copy + 'static, X: Extra> Storage<K, X> for Boxed {
    fn with<V: TreeVisitor<K, X>>(&mut self, root_key: K, limits: Limits, visitor: V) -> V::Output {
        // Lists of children take bytes, too: those are counted as they grow.
        let by_edges = Limits {
            bytes: None,
            ..limits
        };
        visitor.visit(&mut BoxedTree {
            nodes: vec![Node::boxed(root_key)],
            lists: 0,
            most: by_edges.slots(size_of::<Node<K, X>>(), u64::from(NONE)),
            most_bytes: limits.bytes.map_or(usize::MAX, |bytes| {
                usize::try_from(bytes).unwrap_or(usize::MAX)
            }),
        })
    }
}

/// A tree of boxes. The boxes hang on one vector, so that dropping the tree does not recurse
/// however deep it is.
#[derive(Debug)]
pub struct BoxedTree<K, X = ()> {
    #[allow(clippy::vec_box)] // one allocation a node is what this storage stands for
    nodes: Vec<Box<Node<K, X>>>,
    /// Children that the lists have room for, together.
    lists: usize,
    most: usize,
    most_bytes: usize,
}

impl<K: Copy + 'static, X: Extra> BoxedTree<K, X> {
    /// Bytes of a node and of the pointer that holds it.
    const NODE: usize = size_of::<Node<K, X>>() + size_of::<usize>();

    /// Makes room for `more` children of a node, the list growing by `growth`; `false` when either
    /// does not fit the limits.
    fn make_room(&mut self, id: u32, more: usize, growth: usize) -> bool {
        let bytes =
            (self.nodes.len() + more) * Self::NODE + (self.lists + growth) * size_of::<u32>();
        if self.nodes.len() + more > self.most || bytes > self.most_bytes {
            return false;
        }
        let children = &mut self.nodes[id as usize].children;
        let before = children.capacity();
        children.reserve_exact(before - children.len() + growth);
        self.lists += children.capacity() - before;
        true
    }

    fn push(&mut self, parent: u32, key: K) -> u32 {
        let child = self.nodes.len() as u32;
        self.nodes.push(Node::boxed(key));
        self.nodes[parent as usize].children.push(child);
        child
    }
}

impl<K: Copy + 'static, X: Extra> Tree<K, X> for BoxedTree<K, X> {
    type Id = u32;

    fn root(&self) -> u32 {
        0
    }

    #[inline]
    fn edge(&self, id: u32) -> &Edge<K, X> {
        &self.nodes[id as usize].edge
    }

    #[inline]
    fn children(&self, id: u32) -> impl Iterator<Item = (u32, &Edge<K, X>)> {
        let children = self.nodes[id as usize].children.iter();
        children.map(|&child| (child, self.edge(child)))
    }

    fn has_children(&self, id: u32) -> bool {
        !self.nodes[id as usize].children.is_empty()
    }

    fn block_child(&self, id: u32, position: usize) -> Option<u32> {
        let node = &self.nodes[id as usize];
        (position < usize::from(node.edge.block.get())).then(|| node.children[position])
    }

    fn add_children(&mut self, id: u32, keys: &[K]) -> bool {
        let Ok(block) = u16::try_from(keys.len()) else {
            return false;
        };
        if keys.is_empty() || !self.make_room(id, keys.len(), keys.len()) {
            return false;
        }
        for &key in keys {
            self.push(id, key);
        }
        self.edge(id).block.set(block);
        true
    }

    fn append_child(&mut self, id: u32, _: Option<u32>, key: K) -> Option<u32> {
        let children = &self.nodes[id as usize].children;
        let full = children.len() == children.capacity();
        let growth = if full { children.len().max(1) } else { 0 };
        self.make_room(id, 1, growth).then(|| self.push(id, key))
    }

    fn len(&self) -> usize {
        self.nodes.len()
    }

    fn bytes(&self) -> usize {
        self.nodes.len() * Self::NODE + self.lists * size_of::<u32>()
    }
}
