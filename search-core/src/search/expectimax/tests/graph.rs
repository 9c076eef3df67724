//! Random games on a graph, with a plain recursive expectimax that shares no code with the search.

use std::ops::RangeInclusive;

use rand::Rng;

use crate::game::{ChanceOutcomes, Game, Player, Returns, Turn};
use crate::policy::Evaluator;
use crate::rng::{Draw, SimRng, mix64};
use crate::search::expectimax::{
    Branch, Continuation, DepthFirst, Expand, Expectimax, ExpectimaxSettings, Line,
};

/// A node of the graph.
#[derive(Debug, Clone)]
pub(super) enum Node {
    Terminal(f64),
    Decision(usize, Vec<usize>),
    Chance(Vec<(usize, f64)>),
}

/// A game whose states are the nodes of a graph without cycles. Positions are reached by several
/// ways, and values tie.
#[derive(Debug, Clone)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    pub(super) salt: u64,
}

impl Graph {
    /// `size` nodes, each with up to four successors among the next `span`.
    pub(super) fn random(size: usize, span: usize, rng: &mut SimRng) -> Self {
        let coarse = rng.below(2) == 0;
        let nodes = (0..size)
            .map(|i| {
                let ahead = (size - 1 - i).min(span);
                let kind = rng.below(9);
                if i > 0 && (ahead == 0 || kind == 0) {
                    return Node::Terminal(value(coarse, rng));
                }
                let successors: Vec<usize> = (0..=rng.below(4))
                    .map(|_| i + 1 + rng.below(ahead as u32) as usize)
                    .collect();
                if i == 0 || kind < 5 {
                    let player = if i == 0 { 0 } else { rng.below(2) as usize };
                    Node::Decision(player, successors)
                } else {
                    let weights: Vec<f64> = successors.iter().map(|_| 0.05 + rng.unit()).collect();
                    let total: f64 = weights.iter().sum();
                    let weights = weights.iter().map(|w| w / total);
                    Node::Chance(successors.into_iter().zip(weights).collect())
                }
            })
            .collect();
        Self {
            nodes,
            salt: rng.next(),
        }
    }

    pub(super) fn evaluation(&self, node: usize) -> f64 {
        let hash = mix64(self.salt ^ node as u64);
        (hash % 17) as f64 / 8.0 - 1.0
    }

    /// The value of a node at a depth, by the definition and nothing else.
    pub(super) fn plain(&self, node: usize, depth: u32) -> f64 {
        match &self.nodes[node] {
            Node::Terminal(value) => *value,
            _ if depth == 0 => self.evaluation(node),
            Node::Decision(0, next) => next
                .iter()
                .map(|&n| self.plain(n, depth - 1))
                .fold(f64::NEG_INFINITY, f64::max),
            Node::Decision(_, next) => next
                .iter()
                .map(|&n| self.plain(n, depth - 1))
                .fold(f64::INFINITY, f64::min),
            Node::Chance(next) => next
                .iter()
                .map(|&(n, p)| {
                    let left = match self.nodes[n] {
                        Node::Chance(_) => depth - 1,
                        _ => depth,
                    };
                    p * self.plain(n, left)
                })
                .sum(),
        }
    }

    /// What the root's actions are worth, and the first of the best.
    pub(super) fn plain_root(&self, depth: u32) -> (Vec<f64>, usize) {
        let Node::Decision(0, next) = &self.nodes[0] else {
            panic!("player 0 moves at the root");
        };
        let values: Vec<f64> = next.iter().map(|&n| self.plain(n, depth - 1)).collect();
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let ended = |n: usize| matches!(self.nodes[n], Node::Terminal(_));
        let ties = (0..values.len()).filter(|&i| values[i] >= most - 2e-12);
        let best = ties.min_by_key(|&i| (!ended(next[i]), i));
        (values, best.expect("there is an action"))
    }

    pub(super) fn parts(&self) -> DepthFirst<Self> {
        DepthFirst::new(Hashed)
            .with_chance()
            .with_key(|_, &node| node as u128)
    }

    pub(super) fn search(&self, settings: ExpectimaxSettings) -> Expectimax<Self> {
        Expectimax::new(settings, self.parts())
    }
}

fn value(coarse: bool, rng: &mut SimRng) -> f64 {
    if coarse {
        f64::from(rng.below(5)) / 2.0 - 1.0
    } else {
        2.0 * rng.unit() - 1.0
    }
}

/// Something arbitrary within the bounds.
pub(super) struct Hashed;

impl Evaluator<Graph> for Hashed {
    fn evaluate(&self, game: &Graph, state: &usize) -> Returns {
        Returns::zero_sum(game.evaluation(*state))
    }
}

/// Lists the continuations in another order, for all outcomes at once or one by one.
pub(super) struct Shuffled {
    pub(super) salt: u64,
    pub(super) at_once: bool,
}

impl Expand<Graph> for Shuffled {
    fn expand(&self, game: &Graph, state: &usize, out: &mut Vec<Continuation<Graph>>) {
        let mut legal = Vec::new();
        game.legal_actions(state, &mut legal);
        SimRng::new(self.salt ^ *state as u64).shuffle(&mut legal);
        out.clear();
        for action in legal {
            let mut state = *state;
            game.apply(&mut state, action);
            let line = Line::new(action);
            out.push(Continuation { line, state });
        }
    }

    fn expand_chance(&self, game: &Graph, _: &usize, branches: &mut [Branch<Graph>]) -> bool {
        if self.at_once {
            for branch in branches {
                if matches!(game.turn(&branch.state), Turn::Player(_)) {
                    self.expand(game, &branch.state, &mut branch.continuations);
                }
            }
        }
        self.at_once
    }
}

impl Game for Graph {
    type State = usize;
    type Action = usize;
    type Chance = usize;
    type Observation = usize;

    fn num_players(&self) -> usize {
        2
    }

    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> usize {
        0
    }

    fn turn(&self, state: &usize) -> Turn {
        match &self.nodes[*state] {
            Node::Terminal(_) => Turn::Terminal,
            Node::Chance(_) => Turn::Chance,
            Node::Decision(player, _) => Turn::Player(Player::new(*player)),
        }
    }

    fn legal_actions(&self, state: &usize, out: &mut Vec<usize>) {
        out.clear();
        if let Node::Decision(_, next) = &self.nodes[*state] {
            out.extend(0..next.len());
        }
    }

    fn apply(&self, state: &mut usize, action: usize) {
        if let Node::Decision(_, next) = &self.nodes[*state] {
            *state = next[action];
        }
    }

    fn apply_chance(&self, state: &mut usize, outcome: usize) {
        if let Node::Chance(next) = &self.nodes[*state] {
            *state = next[outcome].0;
        }
    }

    fn returns(&self, state: &usize) -> Returns {
        match self.nodes[*state] {
            Node::Terminal(value) => Returns::zero_sum(value),
            _ => Returns::zero_sum(0.0),
        }
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        -1.0..=1.0
    }

    fn observe(&self, state: &usize, _: Player) -> usize {
        *state
    }
}

impl ChanceOutcomes for Graph {
    fn chance_outcomes(&self, state: &usize, out: &mut Vec<(usize, f64)>) {
        out.clear();
        if let Node::Chance(next) = &self.nodes[*state] {
            out.extend(next.iter().enumerate().map(|(i, &(_, p))| (i, p)));
        }
    }
}
