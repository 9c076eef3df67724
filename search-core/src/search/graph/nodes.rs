//! The memory of a graph search: positions and the edges between them.

use super::table::{Found, Table, hash};
use crate::game::{Game, Player, Returns, Turn};
use crate::search::key::GameKey;
use crate::tree::Limits;

/// No node yet, or no edge.
pub(super) const NONE: u32 = u32::MAX;
/// Every number of a node or an edge is below this.
const MOST: u64 = 1 << 31;

/// A position.
#[derive(Debug, Clone)]
pub(super) struct Node {
    key: u128,
    /// Index of the player to move, or one of [`CHANCE`] and [`TERMINAL`].
    turn: u8,
    /// Simulations that arrived.
    pub(super) visits: u32,
    /// Simulations that went on.
    pub(super) gone_on: u32,
    /// The first edge; [`NONE`] for a node that is not expanded.
    pub(super) first: u32,
    /// How many edges there are, for a player's turn.
    pub(super) edges: u32,
    /// The latest simulation that came here, counted from 1.
    pub(super) stamp: u32,
}

const CHANCE: u8 = 254;
const TERMINAL: u8 = 255;

const fn code(turn: Turn) -> u8 {
    match turn {
        Turn::Player(player) => player.index() as u8,
        Turn::Chance => CHANCE,
        Turn::Terminal => TERMINAL,
    }
}

/// A way from one position to another.
#[derive(Debug, Clone)]
pub(super) struct GraphEdge<K> {
    pub(super) key: K,
    /// The node it leads to, [`NONE`] before it was tried.
    pub(super) to: u32,
    /// The next outcome of a chance node.
    pub(super) next: u32,
    pub(super) visits: u32,
    /// Sum of the returns of the player who chose it.
    pub(super) sum: f64,
}

/// The positions met in a search.
#[derive(Debug, Clone)]
pub(super) struct Graph<G: Game> {
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<GraphEdge<GameKey<G>>>,
    /// One value a player for each node: the sum of the returns of its simulations, or its mean.
    values: Vec<f64>,
    /// The sum of the returns of the simulations that ended at each node, where it is wanted.
    own: Vec<f64>,
    table: Table,
    players: usize,
}

impl<G: Game> Default for Graph<G> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            edges: Vec::new(),
            values: Vec::new(),
            own: Vec::new(),
            table: Table::default(),
            players: 0,
        }
    }
}

impl<G: Game> Graph<G> {
    pub(super) fn clear(&mut self, players: usize) {
        self.nodes.clear();
        self.edges.clear();
        self.values.clear();
        self.own.clear();
        self.table.clear();
        self.players = players;
    }

    /// Positions.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Bytes that positions, edges and table occupy.
    pub(super) fn bytes(&self) -> u64 {
        let nodes = self.nodes.len() * size_of::<Node>();
        let edges = self.edges.len() * size_of::<GraphEdge<GameKey<G>>>();
        let values = (self.values.len() + self.own.len()) * size_of::<f64>();
        (nodes + edges + values) as u64 + self.table.bytes()
    }

    /// Bytes of one position without its edges.
    fn node_bytes(&self) -> u64 {
        (size_of::<Node>() + 2 * self.players * size_of::<f64>() + 2 * size_of::<u32>()) as u64
    }

    /// Whether `edges` more edges, and a position for one of them, fit.
    pub(super) fn has_room(&self, limits: Limits, edges: usize) -> bool {
        let size = size_of::<GraphEdge<GameKey<G>>>() as u64;
        let count = (self.edges.len() + edges) as u64;
        let bytes = self.bytes() + edges as u64 * size + self.node_bytes();
        count <= limits.edges.unwrap_or(u64::MAX).min(MOST)
            && bytes <= limits.bytes.unwrap_or(u64::MAX)
    }

    /// The node of a position, made if it is new; `None` when it is new and does not fit.
    pub(super) fn node(&mut self, limits: Limits, key: u128, turn: Turn) -> Option<u32> {
        let turn = code(turn);
        let nodes = &self.nodes;
        self.table.reserve(|id| {
            let node = &nodes[id as usize];
            hash(node.key, node.turn)
        });
        let place = match self.table.find(hash(key, turn), |id| {
            let node = &nodes[id as usize];
            node.key == key && node.turn == turn
        }) {
            Found::Node(id) => return Some(id),
            Found::Place(place) => place,
        };
        // The root is always there.
        let full = !nodes.is_empty() && !self.has_room(limits, 0);
        if full || nodes.len() as u64 >= MOST {
            return None;
        }
        let id = nodes.len() as u32;
        self.table.put(place, id);
        self.nodes.push(Node {
            key,
            turn,
            visits: 0,
            gone_on: 0,
            first: NONE,
            edges: 0,
            stamp: 0,
        });
        self.values.resize(self.values.len() + self.players, 0.0);
        Some(id)
    }

    /// Adds an edge without checking limits; returns its number.
    pub(super) fn push_edge(&mut self, key: GameKey<G>) -> u32 {
        self.edges.push(GraphEdge {
            key,
            to: NONE,
            next: NONE,
            visits: 0,
            sum: 0.0,
        });
        self.edges.len() as u32 - 1
    }

    /// The values of a node, one a player.
    #[inline]
    pub(super) fn values(&self, node: u32) -> &[f64] {
        let start = node as usize * self.players;
        &self.values[start..start + self.players]
    }

    #[inline]
    pub(super) fn value(&self, node: u32, player: Player) -> f64 {
        self.values(node)[player.index()]
    }

    /// Adds returns to the values of a node.
    #[inline]
    pub(super) fn add(&mut self, node: u32, returns: &Returns) {
        let start = node as usize * self.players;
        for (sum, value) in self.values[start..].iter_mut().zip(returns.iter()) {
            *sum += value;
        }
    }

    /// Adds returns to those of the simulations that ended at a node.
    pub(super) fn add_own(&mut self, node: u32, returns: &Returns) {
        let start = node as usize * self.players;
        self.own.resize(self.values.len(), 0.0);
        for (sum, value) in self.own[start..].iter_mut().zip(returns.iter()) {
            *sum += value;
        }
    }

    /// The edge after this one of a node.
    #[inline]
    fn after(&self, node: &Node, edge: u32) -> u32 {
        // A player's edges lie next to each other, those of chance are linked.
        match node.edges {
            0 => self.edges[edge as usize].next,
            count if edge + 1 < node.first + count => edge + 1,
            _ => NONE,
        }
    }

    /// Sets the value of a node to the mean over the simulations that ended there and the values of
    /// the nodes that its edges lead to, weighted by the visits of the edges.
    pub(super) fn recompute(&mut self, id: u32) {
        let (start, players) = (id as usize * self.players, self.players);
        self.own.resize(self.values.len(), 0.0);
        let node = &self.nodes[id as usize];
        let mut total = f64::from(node.visits - node.gone_on);
        let mut sums = Returns::from_slice(&self.own[start..start + players]);
        let mut edge = node.first;
        while edge != NONE {
            let GraphEdge { to, visits, .. } = self.edges[edge as usize];
            if to != NONE && visits > 0 {
                let weight = f64::from(visits);
                total += weight;
                for (p, value) in self.values(to).iter().enumerate() {
                    let player = Player::new(p);
                    sums.set(player, sums.of(player) + weight * value);
                }
            }
            edge = self.after(node, edge);
        }
        if total > 0.0 {
            for (value, sum) in self.values[start..].iter_mut().zip(sums.iter()) {
                *value = sum / total;
            }
        }
    }
}
