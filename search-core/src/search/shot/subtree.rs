//! The tree behind one action at the root, and how a budget is spent in it.

use std::collections::HashMap;
use std::hash::BuildHasher;

use crate::budget::StopReason;
use crate::decision::{Effort, SearchError};
use crate::game::{Game, Player, Returns, Turn};
use crate::rng::{Seed, SimRng};
use crate::rollout::{Ending, LeafEvaluator};
use crate::search::flat::rounds;
use crate::search::meter::Meter;
use crate::search::root::usable;
use crate::tree::{Fnv, Limits};

use super::totals::Totals;

/// Budgets go no deeper than this in branching positions; what comes below is played out. The stack
/// of a thread has room for it.
const MOST_DEPTH: usize = 512;

/// The index of no node.
const NONE: u32 = u32::MAX;

/// Outcomes drawn together at most: between two looks at the clock, and in memory at once.
const MOST_DRAWN: u64 = 1 << 16;

/// What all subtrees of a search have in common.
pub(super) struct Rules<'a, G: Game, E> {
    pub(super) game: &'a G,
    pub(super) evaluator: &'a E,
    /// Whose decision the root is.
    pub(super) player: Player,
}

/// Why a subtree could not be searched: the error of the search lacks the root action.
pub(super) enum Failure {
    Stuck(Player),
    NotFinite(Player, f64),
}

impl Failure {
    pub(super) fn told(self, action: impl std::fmt::Debug) -> SearchError {
        match self {
            Self::Stuck(player) => SearchError::NoActions {
                player: player.index(),
            },
            Self::NotFinite(player, value) => SearchError::NonFiniteReturn {
                player: player.index(),
                value,
                action: format!("{action:?}"),
            },
        }
    }
}

/// An action of a remembered position.
struct Edge<A> {
    action: A,
    /// The next position with a choice or a draw; [`NONE`] while its budgets were of one.
    node: u32,
    visits: u64,
    /// Of the returns of the player whose action it is.
    sum: f64,
}

impl<A> Edge<A> {
    fn mean(&self) -> f64 {
        if self.visits == 0 {
            return f64::NEG_INFINITY;
        }
        self.sum / self.visits as f64
    }
}

/// A remembered position: a decision with its edges, or a draw with the outcomes searched further.
struct Node<C> {
    first: u32,
    len: u32,
    budget: u64,
    outcomes: Vec<(C, u32)>,
}

/// Memory of one depth of the recursion.
struct Level<G: Game> {
    state: G::State,
    legal: Vec<G::Action>,
    live: Vec<u32>,
}

/// The tree behind one action.
pub(super) struct Subtree<G: Game> {
    start: G::State,
    top: u32,
    nodes: Vec<Node<G::Chance>>,
    edges: Vec<Edge<G::Action>>,
    levels: Vec<Level<G>>,
    world: G::State,
    scratch: Vec<G::Action>,
    limits: Limits,
    seed: Seed,
    draws: SimRng,
    rollouts: u64,
    truncated: u64,
    refused: u64,
    depth: usize,
    stopped: Option<StopReason>,
}

impl<G: Game> Subtree<G> {
    pub(super) fn new(start: G::State, limits: Limits, seed: Seed) -> Self {
        Self {
            world: start.clone(),
            start,
            top: NONE,
            nodes: Vec::new(),
            edges: Vec::new(),
            levels: Vec::new(),
            scratch: Vec::new(),
            limits,
            seed,
            draws: seed.child("draws").simulation(0),
            rollouts: 0,
            truncated: 0,
            refused: 0,
            depth: 0,
            stopped: None,
        }
    }

    /// Edges, the action at the root included.
    pub(super) fn edges(&self) -> u64 {
        self.edges.len() as u64 + 1
    }

    pub(super) fn add_effort(&self, effort: &mut Effort) {
        effort.edges += self.edges();
        effort.bytes += self.bytes(0);
        effort.truncated_rollouts += self.truncated;
        effort.refused_expansions += self.refused;
        effort.depth = effort.depth.max(self.depth as u32);
    }

    /// What the tree occupies, or would with so many more edges.
    fn bytes(&self, more: usize) -> u64 {
        let edges = (self.edges.len() + more) * size_of::<Edge<G::Action>>();
        let nodes = (self.nodes.len() + more.min(1)) * size_of::<Node<G::Chance>>();
        (edges + nodes) as u64
    }

    /// Spends `budget` simulations from the start of this tree.
    pub(super) fn spend<E: LeafEvaluator<G>>(
        &mut self,
        rules: &Rules<'_, G, E>,
        budget: u64,
        meter: &mut Meter<'_>,
    ) -> Result<(Totals, Option<StopReason>), Failure> {
        self.ensure_level(0);
        self.levels[0].state.clone_from(&self.start);
        let (totals, top) = self.search(rules, self.top, 0, budget, meter)?;
        self.top = top;
        Ok((totals, self.stopped))
    }

    fn ensure_level(&mut self, depth: usize) {
        if self.levels.len() <= depth {
            self.levels.push(Level {
                state: self.start.clone(),
                legal: Vec::new(),
                live: Vec::new(),
            });
        }
    }

    /// Spends `budget` on the state of level `depth`, which is before `node`, and follows forced moves
    /// first. Returns the sums, and the node if there is one now.
    fn search<E: LeafEvaluator<G>>(
        &mut self,
        rules: &Rules<'_, G, E>,
        node: u32,
        depth: usize,
        budget: u64,
        meter: &mut Meter<'_>,
    ) -> Result<(Totals, u32), Failure> {
        let game = rules.game;
        self.depth = self.depth.max(depth + 1);
        let mut totals = Totals::new(game.num_players());
        if budget > 1 && depth < MOST_DEPTH {
            for _ in 0..game.max_turns() {
                let level = &mut self.levels[depth];
                match game.turn(&level.state) {
                    Turn::Terminal => {
                        let returns = checked(game.returns(&level.state))?;
                        totals.add_returns(&returns, budget, rules.player);
                        return Ok((totals, node));
                    }
                    Turn::Chance => return self.draw(rules, node, depth, budget, meter),
                    Turn::Player(player) => {
                        game.legal_actions(&level.state, &mut level.legal);
                        match level.legal[..] {
                            [] => return Err(Failure::Stuck(player)),
                            [only] => game.apply(&mut level.state, only),
                            _ => return self.decide(rules, node, depth, budget, meter),
                        }
                    }
                }
            }
        } else if budget > 1 {
            self.refused += 1;
        }
        self.play_out(rules, depth, budget, &mut totals, meter)?;
        Ok((totals, node))
    }

    /// Plays the state of a level out so many times.
    fn play_out<E: LeafEvaluator<G>>(
        &mut self,
        rules: &Rules<'_, G, E>,
        depth: usize,
        times: u64,
        totals: &mut Totals,
        meter: &mut Meter<'_>,
    ) -> Result<(), Failure> {
        for _ in 0..times {
            if self.stopped.is_none() {
                self.stopped = meter.stop(self.rollouts, 0);
            }
            if self.stopped.is_some() {
                return Ok(());
            }
            let rng = &mut self.seed.simulation(self.rollouts);
            self.rollouts += 1;
            self.world.clone_from(&self.levels[depth].state);
            let evaluator = rules.evaluator;
            let scratch = &mut self.scratch;
            let evaluation = evaluator.evaluate(rules.game, &mut self.world, rng, scratch);
            match evaluation.ending {
                Ending::Stuck(player) => return Err(Failure::Stuck(player)),
                Ending::CutOff => self.truncated += 1,
                Ending::Terminal => {}
            }
            totals.add_returns(&checked(evaluation.returns)?, 1, rules.player);
        }
        Ok(())
    }

    /// Draws as often as the budget says; equal outcomes share what they have.
    fn draw<E: LeafEvaluator<G>>(
        &mut self,
        rules: &Rules<'_, G, E>,
        mut node: u32,
        depth: usize,
        budget: u64,
        meter: &mut Meter<'_>,
    ) -> Result<(Totals, u32), Failure> {
        let mut totals = Totals::new(rules.game.num_players());
        self.ensure_level(depth + 1);
        while totals.visits < budget && self.stopped.is_none() {
            let draws = MOST_DRAWN.min(budget - totals.visits);
            let drawn = self.drawn(rules.game, depth, draws);
            node = self.follow_drawn(rules, node, depth, drawn, &mut totals, meter)?;
        }
        Ok((totals, node))
    }

    /// So many draws at the state of a level: the outcomes in the order they came first, each with how
    /// often it came.
    fn drawn(&mut self, game: &G, depth: usize, draws: u64) -> Vec<(G::Chance, u64)> {
        let mut drawn: Vec<(G::Chance, u64)> = Vec::new();
        let mut places = HashMap::with_hasher(Places);
        for _ in 0..draws {
            let outcome = game.sample_chance(&self.levels[depth].state, &mut self.draws);
            let place = *places.entry(outcome).or_insert(drawn.len());
            match drawn.get_mut(place) {
                Some((_, times)) => *times += 1,
                None => drawn.push((outcome, 1)),
            }
        }
        drawn
    }

    /// Searches behind outcomes of a draw. Returns the node of the draw, if there is one now.
    fn follow_drawn<E: LeafEvaluator<G>>(
        &mut self,
        rules: &Rules<'_, G, E>,
        mut node: u32,
        depth: usize,
        drawn: Vec<(G::Chance, u64)>,
        totals: &mut Totals,
        meter: &mut Meter<'_>,
    ) -> Result<u32, Failure> {
        for (outcome, times) in drawn {
            if self.stopped.is_some() {
                break;
            }
            let (above, below) = self.levels.split_at_mut(depth + 1);
            below[0].state.clone_from(&above[depth].state);
            rules.game.apply_chance(&mut below[0].state, outcome);
            let place = self.outcome(node, outcome);
            let child = place.map_or(NONE, |i| self.nodes[node as usize].outcomes[i].1);
            let (part, child) = self.search(rules, child, depth + 1, times, meter)?;
            totals.add(&part);
            match place {
                Some(i) => self.nodes[node as usize].outcomes[i].1 = child,
                None if child != NONE => {
                    if node == NONE {
                        node = self.remember(&[]);
                    }
                    if node != NONE {
                        self.nodes[node as usize].outcomes.push((outcome, child));
                    }
                }
                None => {}
            }
        }
        Ok(node)
    }

    /// Where an outcome is among those of a node that were searched further.
    fn outcome(&self, node: u32, outcome: G::Chance) -> Option<usize> {
        let outcomes = &self.nodes.get(node as usize)?.outcomes;
        outcomes.iter().position(|(known, _)| *known == outcome)
    }

    /// A new node with these actions; [`NONE`] when the tree is full.
    fn remember(&mut self, actions: &[G::Action]) -> u32 {
        let edges = (self.edges.len() + actions.len()) as u64;
        let limits = &self.limits;
        let full = limits.edges.is_some_and(|most| edges + 1 > most)
            || limits
                .bytes
                .is_some_and(|most| self.bytes(actions.len()) > most)
            || edges >= u64::from(NONE);
        if full {
            self.refused += 1;
            return NONE;
        }
        self.nodes.push(Node {
            first: self.edges.len() as u32,
            len: actions.len() as u32,
            budget: 0,
            outcomes: Vec::new(),
        });
        self.edges.extend(actions.iter().map(|&action| Edge {
            action,
            node: NONE,
            visits: 0,
            sum: 0.0,
        }));
        self.nodes.len() as u32 - 1
    }

    /// Sequential halving of the actions of the state of a level, whose legal actions are listed.
    fn decide<E: LeafEvaluator<G>>(
        &mut self,
        rules: &Rules<'_, G, E>,
        mut node: u32,
        depth: usize,
        budget: u64,
        meter: &mut Meter<'_>,
    ) -> Result<(Totals, u32), Failure> {
        let mut totals = Totals::new(rules.game.num_players());
        if node == NONE {
            let actions = std::mem::take(&mut self.levels[depth].legal);
            node = self.remember(&actions);
            self.levels[depth].legal = actions;
            if node == NONE {
                self.play_out(rules, depth, budget, &mut totals, meter)?;
                return Ok((totals, node));
            }
        }
        self.ensure_level(depth + 1);
        let Node { first, len, .. } = self.nodes[node as usize];
        let all = self.nodes[node as usize].budget + budget;
        let rounds = rounds(len as usize);
        let mut live = std::mem::take(&mut self.levels[depth].live);
        live.clear();
        live.extend(first..first + len);
        let mut level = 0;
        while live.len() > 1 && totals.visits < budget && self.stopped.is_none() {
            level += (all / (live.len() as u64 * rounds)).max(1);
            self.rank(&mut live);
            for &edge in &live {
                let missing = level.saturating_sub(self.edges[edge as usize].visits);
                let share = missing.min(budget - totals.visits);
                self.follow(rules, edge, depth, share, &mut totals, meter)?;
            }
            self.rank(&mut live);
            live.truncate(live.len().div_ceil(2));
        }
        let left = budget - totals.visits;
        self.follow(rules, live[0], depth, left, &mut totals, meter)?;
        self.levels[depth].live = live;
        self.nodes[node as usize].budget = all;
        Ok((totals, node))
    }

    /// Edges from the best mean to the worst, those without visits last.
    fn rank(&self, live: &mut [u32]) {
        let mean = |edge: u32| self.edges[edge as usize].mean();
        live.sort_unstable_by(|&a, &b| mean(b).total_cmp(&mean(a)).then(a.cmp(&b)));
    }

    /// Spends a share behind an edge of the state of a level.
    fn follow<E: LeafEvaluator<G>>(
        &mut self,
        rules: &Rules<'_, G, E>,
        edge: u32,
        depth: usize,
        share: u64,
        totals: &mut Totals,
        meter: &mut Meter<'_>,
    ) -> Result<(), Failure> {
        if share == 0 || self.stopped.is_some() {
            return Ok(());
        }
        let (above, below) = self.levels.split_at_mut(depth + 1);
        let Turn::Player(player) = rules.game.turn(&above[depth].state) else {
            unreachable!("edges are of decisions")
        };
        below[0].state.clone_from(&above[depth].state);
        let Edge { action, node, .. } = self.edges[edge as usize];
        rules.game.apply(&mut below[0].state, action);
        let (part, child) = self.search(rules, node, depth + 1, share, meter)?;
        let edge = &mut self.edges[edge as usize];
        edge.node = child;
        edge.visits += part.visits;
        edge.sum += part.sums.of(player);
        totals.add(&part);
        Ok(())
    }
}

/// Hashes without the randomness of the standard hasher.
struct Places;

impl BuildHasher for Places {
    type Hasher = Fnv;

    fn build_hasher(&self) -> Fnv {
        Fnv::new()
    }
}

/// Returns that can be added up for everybody.
fn checked(returns: Returns) -> Result<Returns, Failure> {
    for (player, &value) in returns.iter().enumerate() {
        if !usable(value) {
            return Err(Failure::NotFinite(Player::new(player), value));
        }
    }
    Ok(returns)
}
