//! The tree of [`Epimc`](super::Epimc): decisions found by key, each with a block of edges.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::math::Counts;
use crate::rng::{Draw, SimRng};
use crate::search::FirstPlayUrgency;

/// Keys are mixed already.
#[derive(Default)]
pub(super) struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 << 8) | u64::from(*byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// An action at a decision, with the returns of the player who decides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge<A> {
    pub(super) action: A,
    pub(super) visits: u32,
    pub(super) sum: f64,
}

/// A decision; without edges until its second visit.
#[derive(Debug, Clone, Copy, Default)]
struct Node {
    first: u32,
    count: u32,
    selections: u32,
}

/// Which decision; valid until the tree is cleared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NodeId(u32);

/// What was found under a key.
pub(super) enum Found {
    /// A decision that was met before.
    Known(NodeId),
    /// One that was met now for the first time.
    New(NodeId),
    /// There is no room for it.
    Full,
}

/// UCB1 with first-play urgency, as in the other tree searches.
#[derive(Clone, Copy)]
pub(super) struct Bandit {
    pub(super) exploration: f64,
    pub(super) inverse_scale: f64,
    pub(super) urgency: FirstPlayUrgency,
    pub(super) counts: Counts,
}

/// Memory kept between searches.
#[derive(Debug, Clone)]
pub(super) struct Graph<A> {
    nodes: Vec<Node>,
    edges: Vec<Edge<A>>,
    by_key: HashMap<u64, u32, BuildHasherDefault<Mixed>>,
    most_edges: usize,
    most_bytes: usize,
}

impl<A> Default for Graph<A> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            edges: Vec::new(),
            by_key: HashMap::default(),
            most_edges: 0,
            most_bytes: 0,
        }
    }
}

/// A decision, its key and its place in the table, which holds at most 7 of 8.
const NODE_BYTES: usize = size_of::<Node>() + 17 * 8 / 7;

impl<A: Copy + Ord> Graph<A> {
    /// Forgets everything. `edges` and `bytes` are the most it may hold from now on.
    pub(super) fn clear(&mut self, edges: Option<u64>, bytes: Option<u64>) {
        let limit =
            |n: Option<u64>| n.map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX));
        self.nodes.clear();
        self.edges.clear();
        self.by_key.clear();
        // Edges are numbered in 32 bits.
        self.most_edges = limit(edges).min(u32::MAX as usize);
        self.most_bytes = limit(bytes);
    }

    pub(super) fn len(&self) -> usize {
        self.edges.len()
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.len() * NODE_BYTES + self.edges.len() * size_of::<Edge<A>>()
    }

    /// The decision under this key.
    pub(super) fn find(&mut self, key: u64) -> Found {
        if let Some(&node) = self.by_key.get(&key) {
            return Found::Known(NodeId(node));
        }
        if self.bytes() + NODE_BYTES > self.most_bytes || self.nodes.len() >= u32::MAX as usize {
            return Found::Full;
        }
        let id = self.nodes.len() as u32;
        self.nodes.push(Node::default());
        self.by_key.insert(key, id);
        Found::New(NodeId(id))
    }

    /// Gives a decision its edges, in random order, unless it has them. `false` when they do not fit.
    pub(super) fn expand(&mut self, id: NodeId, legal: &[A], rng: &mut SimRng) -> bool {
        if self.nodes[id.0 as usize].count > 0 {
            return true;
        }
        let bytes =
            self.bytes() + size_of_val(legal) / size_of::<A>().max(1) * size_of::<Edge<A>>();
        if self.edges.len() + legal.len() > self.most_edges || bytes > self.most_bytes {
            return false;
        }
        let node = &mut self.nodes[id.0 as usize];
        node.first = self.edges.len() as u32;
        node.count = legal.len() as u32;
        self.edges.extend(legal.iter().map(|&action| Edge {
            action,
            visits: 0,
            sum: 0.0,
        }));
        rng.shuffle(&mut self.edges[node.first as usize..]);
        true
    }

    /// How many actions an expanded decision has.
    pub(super) fn actions(&self, id: NodeId) -> usize {
        self.nodes[id.0 as usize].count as usize
    }

    /// The edges of a decision.
    pub(super) fn edges(&self, id: NodeId) -> &[Edge<A>] {
        let node = &self.nodes[id.0 as usize];
        &self.edges[node.first as usize..(node.first + node.count) as usize]
    }

    pub(super) fn edge(&mut self, edge: u32) -> &mut Edge<A> {
        &mut self.edges[edge as usize]
    }

    /// The edge of an expanded decision to follow, counted as selected.
    #[inline]
    pub(super) fn select(&mut self, id: NodeId, bandit: &Bandit, rng: &mut SimRng) -> u32 {
        let node = &mut self.nodes[id.0 as usize];
        let total = node.selections;
        node.selections += 1;
        let first = node.first;
        if bandit.urgency == FirstPlayUrgency::Infinite && total < node.count {
            // They are in random order.
            return first + total;
        }
        let edges = &self.edges[first as usize..(first + node.count) as usize];
        let bonus = bandit.exploration * bandit.counts.sqrt_ln(total);
        let (mut best, mut score, mut ties) = (0, f64::NEG_INFINITY, 0);
        for (i, edge) in (0..).zip(edges) {
            let value = if edge.visits > 0 {
                let (inverse, inverse_root) = bandit.counts.inverse(edge.visits);
                edge.sum * inverse * bandit.inverse_scale + bonus * inverse_root
            } else {
                bandit.untried(edges)
            };
            if value > score || ties == 0 {
                (best, score, ties) = (i, value, 1);
            } else if value == score {
                ties += 1;
                if rng.below(ties) == 0 {
                    best = i;
                }
            }
        }
        first + best
    }
}

impl Bandit {
    #[cold]
    fn untried<A>(&self, siblings: &[Edge<A>]) -> f64 {
        let tried = siblings.iter().filter(|edge| edge.visits > 0);
        let (n, sum) = tried.fold((0_u64, 0.0), |(n, sum), edge| {
            (n + u64::from(edge.visits), sum + edge.sum)
        });
        match self.urgency {
            FirstPlayUrgency::Value(value) => value * self.inverse_scale,
            FirstPlayUrgency::ParentMinus(loss) if n > 0 => {
                sum / n as f64 * self.inverse_scale - loss
            }
            _ => f64::INFINITY,
        }
    }
}
