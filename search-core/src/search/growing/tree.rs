//! A tree whose nodes get more children as they are visited.

use crate::tree::Limits;

/// Most children of a node: pairs of them are kept by kernel regression.
pub(crate) const MOST_CHILDREN: u32 = 4096;
/// No node yet.
const NONE: u32 = u32::MAX;

/// An edge, with what a rule of selection keeps beside the plain counters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Child<K, X> {
    pub(crate) key: K,
    /// Times it was chosen, simulations in flight included.
    pub(crate) selections: u32,
    /// Simulations backed up.
    pub(crate) visits: u32,
    /// Sum of the returns of the player who chose it, and of their squares.
    pub(crate) sum: f64,
    pub(crate) squares: f64,
    pub(crate) extra: X,
    node: u32,
}

/// A node: a slice of the children's array, and how far they were tried.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Node {
    start: u32,
    len: u32,
    room: u32,
    /// Simulations that came here.
    pub(crate) arrivals: u32,
    /// Simulations that went on from here.
    pub(crate) descents: u32,
    /// The children before this one were tried at least once.
    pub(crate) tried: u32,
    /// Whether the game is over here.
    pub(crate) ended: bool,
}

/// Nodes and children in one array each. A child is named by its node and its position there, which
/// holds while the array of children grows and moves.
#[derive(Debug)]
pub(crate) struct GrowingTree<K, X> {
    nodes: Vec<Node>,
    children: Vec<Child<K, X>>,
    /// Kernels of pairs of children, for kernel regression; rows are named by their first index.
    pub(crate) kernels: Vec<f64>,
    limits: Limits,
    edges: u64,
}

impl<K: Copy, X: Copy + Default> GrowingTree<K, X> {
    /// Just the root.
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            nodes: vec![Node::default()],
            children: Vec::new(),
            kernels: Vec::new(),
            limits,
            edges: 0,
        }
    }

    pub(crate) fn node(&self, at: u32) -> &Node {
        &self.nodes[at as usize]
    }

    pub(crate) fn node_mut(&mut self, at: u32) -> &mut Node {
        &mut self.nodes[at as usize]
    }

    /// How many children a node has.
    pub(crate) fn len(&self, at: u32) -> u32 {
        self.node(at).len
    }

    pub(crate) fn children(&self, at: u32) -> &[Child<K, X>] {
        let node = self.node(at);
        &self.children[node.start as usize..][..node.len as usize]
    }

    pub(crate) fn children_mut(&mut self, at: u32) -> &mut [Child<K, X>] {
        let node = self.nodes[at as usize];
        &mut self.children[node.start as usize..][..node.len as usize]
    }

    /// The children of a node, and the kernels.
    pub(crate) fn split(&mut self, at: u32) -> (&mut [Child<K, X>], &[f64]) {
        let node = self.nodes[at as usize];
        let children = &mut self.children[node.start as usize..][..node.len as usize];
        (children, &self.kernels)
    }

    pub(crate) fn child(&self, at: u32, position: u32) -> &Child<K, X> {
        &self.children(at)[position as usize]
    }

    /// Edges held.
    pub(crate) const fn edges(&self) -> u64 {
        self.edges
    }

    /// Bytes that the tree occupies, counting for every edge the node it may come to lead to.
    pub(crate) const fn bytes(&self) -> u64 {
        (size_of::<Node>() as u64) * (1 + self.edges)
            + (self.children.len() * size_of::<Child<K, X>>()
                + size_of_val(self.kernels.as_slice())) as u64
    }

    /// Whether so many edges fit, with places in the array and kernels.
    pub(crate) fn fits(&self, edges: usize, places: usize, kernels: usize) -> bool {
        let bytes = self.bytes()
            + (edges * size_of::<Node>()
                + places * size_of::<Child<K, X>>()
                + kernels * size_of::<f64>()) as u64;
        self.limits
            .edges
            .is_none_or(|most| self.edges + edges as u64 <= most)
            && self.limits.bytes.is_none_or(|most| bytes <= most)
            && self.children.len() + places < NONE as usize
    }

    /// Gives a childless node these children. `false`, and nothing changed, when they do not fit.
    pub(crate) fn add_block(&mut self, at: u32, keys: impl ExactSizeIterator<Item = K>) -> bool {
        let len = keys.len();
        if !self.fits(len, len, 0) {
            return false;
        }
        let start = self.children.len() as u32;
        self.children.extend(keys.map(fresh));
        let node = self.node_mut(at);
        (node.start, node.len, node.room) = (start, len as u32, len as u32);
        self.edges += len as u64;
        true
    }

    /// Appends a child, which will want `kernels` kernels, and returns its position.
    pub(crate) fn push(&mut self, at: u32, key: K, kernels: usize) -> Option<u32> {
        let node = *self.node(at);
        if node.len >= MOST_CHILDREN {
            return None;
        }
        if node.len < node.room {
            if !self.fits(1, 0, kernels) {
                return None;
            }
            self.children[(node.start + node.len) as usize] = fresh(key);
        } else {
            self.relocate(at, key, kernels)?;
        }
        self.node_mut(at).len += 1;
        self.edges += 1;
        Some(node.len)
    }

    /// Moves the children of a node to the end of the array, with as much room again; `key` takes the
    /// first of it.
    fn relocate(&mut self, at: u32, key: K, kernels: usize) -> Option<()> {
        let Node { start, len, .. } = *self.node(at);
        let room = (2 * len).max(4);
        if !self.fits(1, room as usize, kernels) {
            return None;
        }
        let (from, to) = (start as usize, self.children.len());
        self.children.extend_from_within(from..from + len as usize);
        self.children.resize(to + room as usize, fresh(key));
        let node = self.node_mut(at);
        (node.start, node.room) = (to as u32, room);
        Some(())
    }

    /// Counts a selection and gives the node that the child leads to.
    pub(crate) fn descend(&mut self, at: u32, position: u32) -> u32 {
        let next = self.nodes.len() as u32;
        self.node_mut(at).descents += 1;
        let child = &mut self.children_mut(at)[position as usize];
        child.selections += 1;
        if child.node == NONE {
            child.node = next;
            self.nodes.push(Node::default());
            return next;
        }
        child.node
    }

    /// Whether the game is known to be over behind a child.
    pub(crate) fn ends(&self, child: &Child<K, X>) -> bool {
        child.node != NONE && self.node(child.node).ended
    }
}

fn fresh<K, X: Default>(key: K) -> Child<K, X> {
    Child {
        key,
        selections: 0,
        visits: 0,
        sum: 0.0,
        squares: 0.0,
        extra: X::default(),
        node: NONE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_keep_their_positions_while_the_array_moves() {
        let mut tree = GrowingTree::<u32, ()>::new(Limits::default());
        assert!(tree.add_block(0, [10, 20].into_iter()));
        let below = tree.descend(0, 1);
        for i in 0..100 {
            assert_eq!(tree.push(0, 100 + i, 0), Some(2 + i));
            assert_eq!(tree.push(below, i, 0), Some(i));
        }
        assert_eq!(tree.descend(0, 1), below);
        let keys = |at| tree.children(at).iter().map(|c| c.key).collect::<Vec<_>>();
        assert!(keys(0).into_iter().eq([10, 20].into_iter().chain(100..200)));
        assert!(keys(below).into_iter().eq(0..100));
        assert_eq!((tree.edges(), tree.child(0, 1).selections), (202, 2));
    }

    #[test]
    fn limits_are_never_exceeded() {
        for limits in [
            Limits {
                edges: Some(7),
                bytes: None,
            },
            Limits {
                edges: None,
                bytes: Some(900),
            },
        ] {
            let mut tree = GrowingTree::<u32, ()>::new(limits);
            assert!(tree.add_block(0, [1, 2, 3].into_iter()));
            let mut refused = 0;
            for i in 0..100 {
                refused += u32::from(tree.push(0, i, 1).is_none());
                assert!(limits.edges.is_none_or(|most| tree.edges() <= most));
                assert!(limits.bytes.is_none_or(|most| tree.bytes() <= most));
            }
            assert!(refused > 0 && refused < 100);
        }
    }
}
