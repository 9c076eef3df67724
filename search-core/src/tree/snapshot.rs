//! A tree copied out of its storage, to be looked at or written down.

use super::{Edge, Extra, Tree};

/// One node of a [`Snapshot`] with the edge that leads to it.
#[derive(Debug, Clone, PartialEq)]
pub struct SnapshotNode<K> {
    /// Position of the parent in [`Snapshot::nodes`]; its own for the root.
    pub parent: u32,
    /// Edges from the root.
    pub depth: u32,
    /// The action or outcome; a placeholder on the root.
    pub key: K,
    /// Visits of the edge.
    pub visits: u32,
    /// Sum of the chooser's returns; of a chance outcome its probability, where all are listed.
    pub sum: f64,
    /// Times the action was available, in information-set searches.
    pub availability: u32,
    /// Simulations in flight: 0 once a search is over.
    pub in_flight: u16,
}

/// All nodes of a tree, parents before children, siblings in their order.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot<K> {
    /// The nodes; the root is the first.
    pub nodes: Vec<SnapshotNode<K>>,
    /// [`Tree::checksum`] of the tree.
    pub checksum: u64,
}

impl<K: Copy + 'static> Snapshot<K> {
    /// Copies a tree.
    pub fn of<X: Extra, T: Tree<K, X>>(tree: &T) -> Self
    where
        K: std::hash::Hash,
    {
        let mut ids = vec![tree.root()];
        let mut nodes = vec![node(tree.edge(tree.root()), 0, 0)];
        let mut at = 0;
        while let Some(&id) = ids.get(at) {
            let depth = nodes[at].depth + 1;
            for (child, edge) in tree.children(id) {
                ids.push(child);
                nodes.push(node(edge, at as u32, depth));
            }
            at += 1;
        }
        Self {
            nodes,
            checksum: tree.checksum(),
        }
    }
}

fn node<K: Copy + 'static, X: Extra>(
    edge: &Edge<K, X>,
    parent: u32,
    depth: u32,
) -> SnapshotNode<K> {
    SnapshotNode {
        parent,
        depth,
        key: edge.key(),
        visits: edge.visits(),
        sum: edge.sum(),
        availability: edge.availability(),
        in_flight: edge.in_flight(),
    }
}
