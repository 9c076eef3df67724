//! One search on a graph of positions.

use super::nodes::{Graph, GraphEdge, NONE};
use super::{GraphSettings, Sharing};
use crate::budget::{Budget, StopReason};
use crate::decision::{Effort, SearchError};
use crate::game::{Game, Player, Turn};
use crate::math::Counts;
use crate::rng::{Draw, Seed, SimRng};
use crate::rollout::{Ending, Evaluation, LeafEvaluator};
use crate::search::expectimax::StateKey;
use crate::search::key::GameKey;
use crate::search::meter::Meter;
use crate::search::root::{Arm, RootStatistics, usable};
use crate::search::selection::{Best, FirstPlayUrgency};
use crate::search::tree_search::inverse_scale;
use crate::search::worlds::Root;
use crate::tree::{EdgeKey, Limits};

const ROOT: u32 = 0;

/// A search with its memory.
struct Run<'a, G: Game, E> {
    game: &'a G,
    evaluator: &'a E,
    key: StateKey<G>,
    graph: &'a mut Graph<G>,
    sharing: Sharing,
    exploration: f64,
    urgency: FirstPlayUrgency,
    inverse_scale: f64,
    counts: Counts,
    limits: Limits,
    world: G::State,
    rng: SimRng,
    legal: Vec<G::Action>,
    path: Vec<Step>,
    squares: Vec<f64>,
    effort: Effort,
}

/// An edge that a simulation took; nobody chooses an outcome of chance.
struct Step {
    from: u32,
    edge: u32,
    chooser: Option<Player>,
}

/// Where a simulation left the graph.
enum End {
    /// At this node.
    Node(u32),
    /// Behind the last edge, at a position for which there is no room.
    NoRoom,
    /// At a position that is on the path already.
    Repeat,
}

/// Runs a search from `state` on an empty graph.
pub(super) fn run<G: Game, E: LeafEvaluator<G>>(
    settings: &GraphSettings,
    (game, evaluator, key): (&G, &E, StateKey<G>),
    graph: &mut Graph<G>,
    (root, state): (&Root<G::Action>, &G::State),
    budget: &Budget,
    seed: Seed,
) -> Result<RootStatistics<G>, SearchError> {
    graph.clear(game.num_players());
    let mut run = Run {
        game,
        evaluator,
        key,
        graph,
        sharing: settings.sharing,
        exploration: settings.exploration,
        urgency: settings.urgency,
        inverse_scale: inverse_scale(game)?,
        counts: Counts::new(),
        limits: Limits {
            edges: budget.nodes,
            bytes: budget.bytes,
        },
        world: state.clone(),
        rng: SimRng::new(0),
        legal: Vec::new(),
        path: Vec::with_capacity(64),
        squares: Vec::new(),
        effort: Effort::default(),
    };
    run.graph
        .node(run.limits, key(game, state), game.turn(state));
    let mut meter = Meter::new(budget, budget.simulations, budget.time, true);
    let mut done = 0;
    run.effort.stop = loop {
        if let Some(reason) = meter.stop(done, run.graph.edges.len() as u64) {
            break reason;
        }
        run.world.clone_from(state);
        run.rng = seed.simulation(done);
        let end = run.descend(done as u32 + 1);
        run.finish_simulation(&end)?;
        done += 1;
    };
    Ok(run.statistics(root.player, done))
}

impl<G: Game, E: LeafEvaluator<G>> Run<'_, G, E> {
    /// Descends from the root to where the simulation leaves the graph. `stamp` is another number for
    /// each simulation.
    fn descend(&mut self, stamp: u32) -> End {
        self.path.clear();
        let mut at = ROOT;
        loop {
            let node = &mut self.graph.nodes[at as usize];
            node.stamp = stamp;
            // A node other than the root is a leaf until its second visit.
            if at != ROOT && node.visits == 0 {
                return End::Node(at);
            }
            let (chooser, edge) = match self.game.turn(&self.world) {
                Turn::Terminal => return End::Node(at),
                Turn::Chance => (None, self.draw(at)),
                Turn::Player(player) => (Some(player), self.choose(at, player)),
            };
            let Some(edge) = edge else {
                self.effort.refused_expansions += 1;
                return End::Node(at);
            };
            match self.graph.edges[edge as usize].key {
                EdgeKey::Action(action) => self.game.apply(&mut self.world, action),
                EdgeKey::Chance(outcome) => self.game.apply_chance(&mut self.world, outcome),
            }
            self.path.push(Step {
                from: at,
                edge,
                chooser,
            });
            let Some(to) = self.follow(edge) else {
                self.effort.refused_expansions += 1;
                return End::NoRoom;
            };
            if self.graph.nodes[to as usize].stamp == stamp {
                return End::Repeat;
            }
            at = to;
        }
    }

    /// The node that an edge leads to, where the world is now.
    #[inline]
    fn follow(&mut self, edge: u32) -> Option<u32> {
        let known = self.graph.edges[edge as usize].to;
        if known != NONE {
            return Some(known);
        }
        let key = (self.key)(self.game, &self.world);
        let turn = self.game.turn(&self.world);
        let to = self.graph.node(self.limits, key, turn)?;
        self.graph.edges[edge as usize].to = to;
        Some(to)
    }

    /// Follows what chance draws, remembering each outcome met.
    fn draw(&mut self, at: u32) -> Option<u32> {
        let outcome = self.game.sample_chance(&self.world, &mut self.rng);
        let key = EdgeKey::Chance(outcome);
        let (mut last, mut edge) = (NONE, self.graph.nodes[at as usize].first);
        while edge != NONE {
            let GraphEdge {
                key: other, next, ..
            } = self.graph.edges[edge as usize];
            if other == key {
                return Some(edge);
            }
            (last, edge) = (edge, next);
        }
        if !self.graph.has_room(self.limits, 1) {
            return None;
        }
        let edge = self.graph.push_edge(key);
        match self.graph.edges.get_mut(last as usize) {
            Some(last) => last.next = edge,
            None => self.graph.nodes[at as usize].first = edge,
        }
        Some(edge)
    }

    /// Chooses among all legal actions, making their edges first.
    fn choose(&mut self, at: u32, player: Player) -> Option<u32> {
        if self.graph.nodes[at as usize].first == NONE {
            self.game.legal_actions(&self.world, &mut self.legal);
            let fits = self.graph.has_room(self.limits, self.legal.len());
            if self.legal.is_empty() || !fits {
                return None;
            }
            self.rng.shuffle(&mut self.legal);
            let first = self.graph.edges.len() as u32;
            for &action in &self.legal {
                self.graph.push_edge(EdgeKey::Action(action));
            }
            let node = &mut self.graph.nodes[at as usize];
            (node.first, node.edges) = (first, self.legal.len() as u32);
        }
        debug_assert!(self.edges_are_legal(at), "two positions share a key");
        self.select(at, player)
    }

    /// Whether the edges of a node are the legal actions of the world.
    fn edges_are_legal(&mut self, at: u32) -> bool {
        self.game.legal_actions(&self.world, &mut self.legal);
        let node = &self.graph.nodes[at as usize];
        let edges = &self.graph.edges[node.first as usize..][..node.edges as usize];
        let legal = |edge: &GraphEdge<GameKey<G>>| {
            let action = edge.key.action();
            action.is_some_and(|action| self.legal.binary_search(&action).is_ok())
        };
        edges.len() == self.legal.len() && edges.iter().all(legal)
    }

    /// UCB1 over the edges of a node.
    #[inline]
    fn select(&mut self, at: u32, player: Player) -> Option<u32> {
        let node = &self.graph.nodes[at as usize];
        let (first, count, total) = (node.first, node.edges, node.gone_on);
        if self.urgency == FirstPlayUrgency::Infinite && total < count {
            // They were shuffled, and are first tried in order.
            return Some(first + total);
        }
        let bonus = self.exploration * self.counts.sqrt_ln(total);
        let edges = &self.graph.edges[first as usize..][..count as usize];
        let mut best = Best::new();
        for (id, edge) in (first..).zip(edges) {
            let score = if edge.visits > 0 {
                let (inverse, inverse_root) = self.counts.inverse(edge.visits);
                self.worth(edge, player, inverse) * self.inverse_scale + bonus * inverse_root
            } else {
                self.untried(edges)
            };
            best.offer(score, id, 0, &mut self.rng);
        }
        best.found.map(|(id, _)| id)
    }

    /// The mean return of a tried edge for the player who chooses it; `inverse` is that of its visits.
    #[inline]
    fn worth(&self, edge: &GraphEdge<GameKey<G>>, player: Player, inverse: f64) -> f64 {
        if edge.to == NONE || self.sharing == Sharing::Edges {
            return edge.sum * inverse;
        }
        let value = self.graph.value(edge.to, player);
        if self.sharing == Sharing::Recomputed {
            return value;
        }
        value
            * self
                .counts
                .inverse(self.graph.nodes[edge.to as usize].visits)
                .0
    }

    /// The score of an edge that was never tried.
    #[cold]
    fn untried(&self, edges: &[GraphEdge<GameKey<G>>]) -> f64 {
        match self.urgency {
            FirstPlayUrgency::Infinite => f64::INFINITY,
            FirstPlayUrgency::Value(value) => value * self.inverse_scale,
            FirstPlayUrgency::ParentMinus(loss) => {
                let visits: u64 = edges.iter().map(|edge| u64::from(edge.visits)).sum();
                let sum: f64 = edges.iter().map(|edge| edge.sum).sum();
                if visits == 0 {
                    return f64::INFINITY;
                }
                sum / visits as f64 * self.inverse_scale - loss
            }
        }
    }

    /// Values the end of a simulation and backs it up.
    fn finish_simulation(&mut self, end: &End) -> Result<(), SearchError> {
        let evaluation = if matches!(end, End::Repeat) {
            Evaluation {
                returns: self.game.cut_off_returns(&self.world),
                ending: Ending::CutOff,
            }
        } else {
            let (world, rng, legal) = (&mut self.world, &mut self.rng, &mut self.legal);
            self.evaluator.evaluate(self.game, world, rng, legal)
        };
        self.check(&evaluation)?;
        self.effort.depth = self.effort.depth.max(self.path.len() as u32);
        self.back_up(end, &evaluation);
        Ok(())
    }

    fn check(&mut self, evaluation: &Evaluation) -> Result<(), SearchError> {
        let returns = &evaluation.returns;
        if let Some(player) = returns.iter().position(|value| !usable(*value)) {
            let first = self.path.first();
            let action = first.and_then(|s| self.graph.edges[s.edge as usize].key.action());
            return Err(SearchError::NonFiniteReturn {
                player,
                value: returns[player],
                action: format!("{action:?}"),
            });
        }
        match evaluation.ending {
            Ending::Terminal => Ok(()),
            Ending::CutOff => {
                self.effort.truncated_rollouts += 1;
                Ok(())
            }
            Ending::Stuck(player) => Err(SearchError::NoActions {
                player: player.index(),
            }),
        }
    }

    /// Adds the simulation to every node and edge on its path, from the end to the root.
    fn back_up(&mut self, end: &End, evaluation: &Evaluation) {
        let returns = &evaluation.returns;
        if let End::Node(id) = *end {
            self.graph.nodes[id as usize].visits += 1;
            match self.sharing {
                Sharing::Edges => {}
                Sharing::Nodes => self.graph.add(id, returns),
                Sharing::Recomputed => {
                    self.graph.add_own(id, returns);
                    self.graph.recompute(id);
                }
            }
        }
        for step in self.path.iter().rev() {
            let node = &mut self.graph.nodes[step.from as usize];
            node.visits += 1;
            node.gone_on += 1;
            let edge = &mut self.graph.edges[step.edge as usize];
            edge.visits += 1;
            if let Some(player) = step.chooser {
                edge.sum += returns.of(player);
            }
            match self.sharing {
                Sharing::Edges => {}
                Sharing::Nodes => self.graph.add(step.from, returns),
                Sharing::Recomputed => self.graph.recompute(step.from),
            }
        }
        if let Some(step) = self.path.first()
            && let Some(player) = step.chooser
        {
            let ordinal = (step.edge - self.graph.nodes[ROOT as usize].first) as usize;
            if self.squares.len() <= ordinal {
                self.squares.resize(ordinal + 1, 0.0);
            }
            self.squares[ordinal] += returns.of(player) * returns.of(player);
        }
    }

    /// What is known of the root; `player` is to move there.
    fn statistics(mut self, player: Player, done: u64) -> RootStatistics<G> {
        self.effort.simulations = done;
        self.effort.worlds = 1;
        self.effort.effective_sample_size = 1.0;
        self.effort.edges = self.graph.edges.len() as u64;
        self.effort.bytes = self.graph.bytes();
        self.effort.deterministic = self.effort.stop == StopReason::Simulations;
        let node = &self.graph.nodes[ROOT as usize];
        let edges = match node.first {
            NONE => &[],
            first => &self.graph.edges[first as usize..][..node.edges as usize],
        };
        let arms = edges.iter().enumerate().filter_map(|(i, edge)| {
            let squares = self.squares.get(i).copied().unwrap_or(0.0);
            let (sum, sum_of_squares) = self.moments(edge, player, squares);
            Some(Arm {
                bounds: None,
                action: edge.key.action()?,
                visits: u64::from(edge.visits),
                sum,
                sum_of_squares,
                availability: done,
            })
        });
        RootStatistics {
            arms: arms.collect(),
            effort: self.effort.clone(),
            snapshot: None,
        }
    }

    /// Sums that have the mean of what an edge is worth, and the variance of its own simulations.
    fn moments(&self, edge: &GraphEdge<GameKey<G>>, player: Player, squares: f64) -> (f64, f64) {
        let alone = match self.graph.nodes.get(edge.to as usize) {
            Some(node) => self.sharing == Sharing::Nodes && node.visits == edge.visits,
            None => true,
        };
        if alone || self.sharing == Sharing::Edges || edge.visits == 0 {
            return (edge.sum, squares);
        }
        let n = f64::from(edge.visits);
        let (own, mean) = (edge.sum / n, self.worth(edge, player, 1.0 / n));
        let variance = (squares / n - own * own).max(0.0);
        (n * mean, n * (variance + mean * mean))
    }
}
