//! The rule of [`Mcts`](super::Mcts): how its settings guide a simulation.

use hashbrown::HashMap;

use super::learning;
use super::memory::{Mean, Memory, Move, Noted};
use super::proof::{self, Frame};
use super::selector::{Arm, Selector};
use super::settings::{Backup, MctsSettings};
use crate::game::{Game, Player, Returns};
use crate::policy::{Evaluator, Priors, normalise_priors};
use crate::rng::{Draw, SimRng};
use crate::rollout::{Evaluation, LeafEvaluator};
use crate::search::kernel::{Leaf, Step};
use crate::search::key::GameKey;
use crate::search::rule::{At, Rule};
use crate::search::selection::{Available, Best, FirstPlayUrgency, Ucb, siblings};
use crate::search::widening::Widening;
use crate::tree::{Edge, EdgeKey, Tree};

/// The settings of a search, with what its game says about itself.
pub(super) struct Guide<'a, G: Game> {
    pub(super) settings: &'a MctsSettings,
    pub(super) ucb: Ucb,
    /// Who decides at the root.
    pub(super) player: Player,
    pub(super) priors: Option<&'a dyn Priors<G>>,
    pub(super) heuristic: Option<&'a dyn Evaluator<G>>,
    /// The bounds of one player's return.
    pub(super) range: (f64, f64),
    pub(super) players: usize,
    /// What everybody's returns sum to, where that is always the same.
    pub(super) sum: Option<f64>,
    /// Whether chance nodes list all outcomes.
    pub(super) listed: bool,
}

/// What the children of one node have in common.
struct Siblings<'a, G: Game> {
    player: Player,
    /// The mean over all of them, over the scale.
    mean: Option<f64>,
    /// AMAF values, from this node or one above.
    table: Option<&'a HashMap<Move<G>, Mean>>,
    /// The sum of the priors of those that are legal here.
    priors: f64,
    /// The best proven lower bound for the player.
    sure: f64,
}

impl<G: Game> Guide<'_, G> {
    const fn frame(&self) -> Frame {
        Frame {
            players: self.players,
            range: self.range,
            sum: self.sum,
        }
    }

    /// The table of the closest node on the way up that was visited often enough.
    fn table<'m, T: Tree<GameKey<G>, Noted>>(
        &self,
        tree: &T,
        memory: &'m Memory<G>,
        path: &[Step<T::Id>],
    ) -> Option<&'m HashMap<Move<G>, Mean>> {
        let amaf = self.settings.amaf?;
        let mut up = path.iter().rev().map(|step| tree.edge(step.id));
        let node = up.find(|edge| edge.visits() >= amaf.reference)?;
        memory.tables.get(node.extra())
    }

    fn siblings<'m, 'e, T: Tree<GameKey<G>, Noted>>(
        &self,
        tree: &T,
        at: &At<'_, G, T::Id>,
        memory: &'m Memory<G>,
        children: impl Iterator<Item = &'e Edge<GameKey<G>, Noted>>,
    ) -> Siblings<'m, G> {
        let (mut priors, mut sure) = (0.0, f64::NEG_INFINITY);
        for edge in children {
            priors += f64::from(edge.extra().prior.get());
            if let Some(record) = memory.record(edge.extra()) {
                sure = sure.max(record.lower.of(at.player));
            }
        }
        Siblings {
            player: at.player,
            mean: siblings(tree, at.id).map(|mean| mean * self.ucb.inverse_scale),
            table: self.table(tree, memory, at.path),
            priors,
            sure,
        }
    }

    /// Whether a child need not be followed: it is certainly no better than a sibling, or its value is
    /// known. Elsewhere than at the root, simulations that keep away from the best child because it is
    /// known would pull the node's mean down; where the sum of returns is known, bounds hold the mean up.
    fn is_closed(
        &self,
        memory: &Memory<G>,
        edge: &Edge<GameKey<G>, Noted>,
        of: &Siblings<'_, G>,
        is_root: bool,
    ) -> bool {
        self.settings.solver
            && memory.record(edge.extra()).is_some_and(|record| {
                let most = record.upper.of(of.player);
                most < of.sure
                    || (is_root || self.sum.is_some())
                        && (most <= of.sure || record.value().is_some())
            })
    }

    /// The mean of a child over the scale, or what stands for it while it was never tried; and whether
    /// anything is known of it.
    fn mean(
        &self,
        memory: &Memory<G>,
        edge: &Edge<GameKey<G>, Noted>,
        of: &Siblings<'_, G>,
    ) -> f64 {
        let n = edge.selections();
        let mut q = if edge.visits() > 0 {
            edge.mean() * self.ucb.inverse_scale
        } else if n > 0 {
            of.mean.unwrap_or(0.0)
        } else {
            match self.ucb.urgency {
                FirstPlayUrgency::Infinite => f64::INFINITY,
                FirstPlayUrgency::Value(value) => value * self.ucb.inverse_scale,
                FirstPlayUrgency::ParentMinus(loss) => match of.mean {
                    Some(mean) => mean - loss,
                    None if self.settings.selector.explores_untried() => 0.0,
                    None => f64::INFINITY,
                },
            }
        };
        let record = memory.record(edge.extra());
        if let Some(record) = record.filter(|_| self.settings.solver) {
            let scaled = |bound: &Returns| bound.of(of.player) * self.ucb.inverse_scale;
            q = q.clamp(scaled(&record.lower), scaled(&record.upper));
        }
        let weight = self.settings.minimax;
        if weight > 0.0
            && let Some(values) = record.and_then(|record| record.backed_up)
            && q.is_finite()
        {
            let value = self.worth(&values, of.player) * self.ucb.inverse_scale;
            q = (1.0 - weight) * q + weight * value;
        }
        q
    }

    /// What following a child is worth, to be compared among siblings.
    fn score(
        &self,
        memory: &Memory<G>,
        edge: &Edge<GameKey<G>, Noted>,
        of: &Siblings<'_, G>,
        total: u32,
        rng: &mut SimRng,
    ) -> f64 {
        let n = edge.selections();
        let mut q = self.mean(memory, edge, of);
        let known = self.settings.solver
            && memory
                .record(edge.extra())
                .is_some_and(|record| record.value().is_some());
        let mut explores = !known && (n > 0 || self.settings.selector.explores_untried());
        if let (Some(amaf), Some(action)) = (self.settings.amaf, edge.key().action())
            && let Some(all) = of.table.and_then(|table| table.get(&(of.player, action)))
        {
            let weight = amaf.weight(n, all.n);
            if weight > 0.0 {
                let value = all.value() * self.ucb.inverse_scale;
                q = if n == 0 {
                    value
                } else {
                    (1.0 - weight) * q + weight * value
                };
            }
        }
        if q == f64::INFINITY {
            explores = false;
        }
        let noted = edge.extra();
        let visits = f64::from(edge.visits().max(1));
        let square = noted.squares.get() / visits - (edge.sum() / visits) * (edge.sum() / visits);
        let mut score = if explores {
            let arm = Arm {
                q,
                n,
                variance: square.max(0.0) * self.ucb.inverse_scale * self.ucb.inverse_scale,
                prior: f64::from(noted.prior.get()) / of.priors.max(f64::MIN_POSITIVE),
                total,
            };
            let c = self.ucb.exploration;
            self.settings.selector.score(&arm, c, self.ucb.counts, rng)
        } else {
            q
        };
        if self.settings.bias > 0.0 {
            let h = f64::from(match self.heuristic {
                Some(_) => noted.heuristic.get(),
                None => noted.prior.get(),
            });
            score += self.settings.bias * h / (f64::from(n) + 1.0);
        }
        if self.settings.history > 0.0 {
            score += self.history(memory, edge, of.player);
        }
        score
    }

    /// The progressive history of a child.
    fn history(&self, memory: &Memory<G>, edge: &Edge<GameKey<G>, Noted>, player: Player) -> f64 {
        let action = edge.key().action();
        let Some(mean) = action.and_then(|a| memory.means.get(&(player, a))) else {
            return 0.0;
        };
        let width = (self.range.1 - self.range.0).max(f64::MIN_POSITIVE);
        let within = |value: f64| ((value - self.range.0) / width).clamp(0.0, 1.0);
        let n = f64::from(edge.visits());
        let lost = if n > 0.0 {
            n * (1.0 - within(edge.mean()))
        } else {
            0.0
        };
        self.settings.history * within(mean.value()) / (lost + 1.0)
    }

    /// How many children are considered at a node that was left so often.
    fn window(&self, total: u32) -> usize {
        if self.settings.actions == Widening::NONE {
            return usize::MAX;
        }
        let most = self.settings.actions.children(total.saturating_add(1));
        if most < 1e9 {
            most as usize
        } else {
            usize::MAX
        }
    }

    /// Whether any child is taken this time.
    fn takes_any(&self, rng: &mut SimRng) -> bool {
        match self.settings.selector {
            Selector::EpsilonGreedy { epsilon } => rng.unit() < epsilon,
            _ => false,
        }
    }

    /// Notes the prior of a child, and the heuristic's value.
    fn note(
        &self,
        at: &At<'_, G, impl Copy>,
        memory: &mut Memory<G>,
        edge: &Edge<GameKey<G>, Noted>,
    ) {
        let Some(action) = edge.key().action() else {
            return;
        };
        let noted = edge.extra();
        let index = at.legal.binary_search(&action);
        let uniform = 1.0 / at.legal.len() as f64;
        let prior = index.ok().and_then(|i| memory.priors.get(i).copied());
        noted.prior.set(prior.unwrap_or(uniform) as f32);
        let Some(heuristic) = self.heuristic else {
            return;
        };
        let mut world = at.world.clone();
        at.game.apply(&mut world, action);
        let values = heuristic.evaluate(at.game, &world);
        // What is no number says nothing.
        let value = self.worth(&values, at.player) * self.ucb.inverse_scale;
        if !values.iter().all(|v| v.is_finite()) {
            return;
        }
        noted.heuristic.set(value as f32);
        if self.settings.minimax > 0.0
            && let Some(record) = memory.record_mut(noted, self.players, self.range)
        {
            record.backed_up = Some(values);
        }
    }

    /// The priors of the legal actions here.
    fn ask_priors<I>(&self, at: &At<'_, G, I>, memory: &mut Memory<G>) {
        memory.priors.clear();
        if let Some(priors) = self.priors {
            let observation = at.game.observe(at.world, at.player);
            priors.priors(at.game, &observation, at.legal, &mut memory.priors);
            let _usable = normalise_priors(&mut memory.priors, at.legal.len());
        }
    }

    /// Notes what was played from the root on in [`Memory::moves`].
    fn gather<T: Tree<GameKey<G>, Noted>>(
        tree: &T,
        memory: &mut Memory<G>,
        path: &[Step<T::Id>],
        leaf: &Leaf<G>,
    ) {
        memory.moves.clear();
        for step in path {
            if let (Some(player), EdgeKey::Action(action)) =
                (step.chooser, tree.edge(step.id).key())
            {
                memory.moves.push((player, action));
            }
        }
        if leaf.known.is_none() {
            memory.moves.extend_from_slice(&leaf.played);
        }
    }
}

impl<G: Game> Rule<G> for Guide<'_, G> {
    type Extra = Noted;
    type Memory = Memory<G>;
    const NOTES_LEAVES: bool = true;

    fn memory(&self) -> Memory<G> {
        Memory::new()
    }

    fn expand_after(&self) -> u32 {
        self.settings.expand_after
    }

    fn outcomes(&self) -> Widening {
        self.settings.outcomes
    }

    /// The likeliest first.
    fn order<I>(&self, at: &At<'_, G, I>, memory: &mut Memory<G>, keys: &mut [GameKey<G>]) {
        self.ask_priors(at, memory);
        if self.priors.is_none() {
            return;
        }
        let Memory { priors, order, .. } = memory;
        let prior = |key: &GameKey<G>| {
            let index = key.action().and_then(|a| at.legal.binary_search(&a).ok());
            index.map_or(0.0, |i| priors[i])
        };
        order.clear();
        order.extend(0..keys.len());
        crate::order::best_first(order, &|i| prior(&keys[i]));
        crate::order::arrange(keys, order);
    }

    fn expanded<T: Tree<GameKey<G>, Noted>>(
        &self,
        tree: &T,
        at: &At<'_, G, T::Id>,
        memory: &mut Memory<G>,
    ) {
        for (_, edge) in tree.children(at.id) {
            self.note(at, memory, edge);
        }
    }

    fn added<T: Tree<GameKey<G>, Noted>>(
        &self,
        tree: &T,
        at: &At<'_, G, T::Id>,
        memory: &mut Memory<G>,
        child: T::Id,
    ) {
        self.ask_priors(at, memory);
        self.note(at, memory, tree.edge(child));
    }

    fn select<T: Tree<GameKey<G>, Noted>>(
        &self,
        tree: &T,
        at: &At<'_, G, T::Id>,
        memory: &Memory<G>,
        rng: &mut SimRng,
    ) -> Option<(T::Id, u32)> {
        let window = self.window(at.total);
        let children = || tree.children(at.id).take(window);
        let of = self.siblings(tree, at, memory, children().map(|(_, edge)| edge));
        let mut numbered = (0..).zip(children());
        let amaf = self.settings.amaf.is_some_and(|a| a.bias < f64::INFINITY);
        if self.ucb.urgency == FirstPlayUrgency::Infinite && !amaf {
            // As they are in the block: shuffled, and the likeliest first.
            let untried = numbered.find(|(_, (_, edge))| edge.selections() == 0);
            if let Some((ordinal, (id, _))) = untried {
                return Some((id, ordinal));
            }
        }
        let any = self.takes_any(rng);
        let mut best = Best::new();
        let mut closed = Best::new();
        for (ordinal, (id, edge)) in (0..).zip(children()) {
            let best = if self.is_closed(memory, edge, &of, at.path.len() == 1) {
                &mut closed
            } else {
                &mut best
            };
            let score = if any {
                0.0
            } else {
                self.score(memory, edge, &of, at.total, rng)
            };
            best.offer(score, id, ordinal, rng);
        }
        best.found.or(closed.found)
    }

    fn select_available<T: Tree<GameKey<G>, Noted>>(
        &self,
        tree: &T,
        at: &At<'_, G, T::Id>,
        memory: &Memory<G>,
        available: &[Available<T::Id>],
        rng: &mut SimRng,
    ) -> Option<(T::Id, u32)> {
        let edges = available.iter().map(|child| tree.edge(child.id));
        let of = self.siblings(tree, at, memory, edges);
        let any = self.takes_any(rng);
        let mut best = Best::new();
        for child in available {
            let edge = tree.edge(child.id);
            let score = if any {
                0.0
            } else {
                self.score(memory, edge, &of, edge.availability(), rng)
            };
            best.offer(score, child.id, child.ordinal, rng);
            edge.record_availability();
        }
        best.found
    }

    fn may_add<I>(&self, at: &At<'_, G, I>, children: usize) -> bool {
        children < self.window(at.total)
    }

    fn known<T: Tree<GameKey<G>, Noted>>(
        &self,
        tree: &T,
        memory: &Memory<G>,
        id: T::Id,
    ) -> Option<Returns> {
        if !self.settings.solver {
            return None;
        }
        memory.record(tree.edge(id).extra())?.value()
    }

    fn evaluate<E: LeafEvaluator<G>>(
        &self,
        game: &G,
        evaluator: &E,
        leaf: &mut Leaf<G>,
        memory: &Memory<G>,
    ) -> Evaluation {
        let Leaf {
            world,
            rng,
            legal,
            played,
            arrived,
            ..
        } = leaf;
        if !self.settings.notes_play() {
            return evaluator.evaluate(game, world, rng, legal);
        }
        played.clear();
        let learning = self.settings.learning;
        if learning == super::Learning::Nothing {
            return evaluator.evaluate_noting(game, world, rng, legal, played);
        }
        let arrived = *arrived;
        let mut guide = |player, legal: &[G::Action], last: Option<Move<G>>, rng: &mut SimRng| {
            learning::guide(learning, memory, player, legal, last.or(arrived), rng)
        };
        evaluator.evaluate_guided(game, world, rng, legal, played, &mut guide)
    }

    fn worth(&self, returns: &Returns, player: Player) -> f64 {
        match self.settings.backup {
            Backup::MaxN => returns.of(player),
            Backup::Paranoid if player == self.player => returns.of(player),
            Backup::Paranoid => -returns.of(self.player),
            Backup::Coalition(members) => {
                let is_in = |p: usize| members >> p & 1 == 1;
                let own = is_in(player.index());
                let team = returns.iter().enumerate().filter(|(p, _)| is_in(*p) == own);
                let (sum, n) = team.fold((0.0, 0.0), |(sum, n), (_, r)| (sum + r, n + 1.0));
                sum / n
            }
        }
    }

    fn learn<T: Tree<GameKey<G>, Noted>>(
        &self,
        tree: &T,
        memory: &mut Memory<G>,
        path: &[Step<T::Id>],
        leaf: &Leaf<G>,
        returns: &Returns,
    ) {
        for step in path {
            if let Some(player) = step.chooser {
                let value = self.worth(returns, player);
                let squares = &tree.edge(step.id).extra().squares;
                squares.set(squares.get() + value * value);
            }
        }
        if self.settings.notes_play() {
            Self::gather(tree, memory, path, leaf);
            learning::learn(self.settings, memory, returns);
            if self.settings.amaf.is_some() {
                self.add_to_tables(tree, memory, path, returns);
            }
        }
        if self.settings.minimax > 0.0 {
            proof::back_up_heuristic(tree, memory, path, self.frame());
        }
        if self.settings.solver && leaf.known.is_some() {
            proof::prove(tree, memory, path, returns, self.frame(), self.listed);
        }
    }

    fn is_settled<T: Tree<GameKey<G>, Noted>>(&self, tree: &T, memory: &Memory<G>) -> bool {
        if !self.settings.solver || memory.records.is_empty() {
            return false;
        }
        let bounds = self.bounds(tree, memory, tree.root(), self.player);
        bounds.is_some_and(|(least, most)| least == most)
    }

    fn bounds<T: Tree<GameKey<G>, Noted>>(
        &self,
        tree: &T,
        memory: &Memory<G>,
        id: T::Id,
        player: Player,
    ) -> Option<(f64, f64)> {
        if !self.settings.solver {
            return None;
        }
        let record = memory.record(tree.edge(id).extra())?;
        Some((record.lower.of(player), record.upper.of(player)))
    }

    fn bytes(&self, memory: &Memory<G>) -> usize {
        memory.bytes()
    }
}

impl<G: Game> Guide<'_, G> {
    /// Adds the moves of a simulation to the tables of the nodes that it passed through.
    fn add_to_tables<T: Tree<GameKey<G>, Noted>>(
        &self,
        tree: &T,
        memory: &mut Memory<G>,
        path: &[Step<T::Id>],
        returns: &Returns,
    ) {
        memory.tables.look_at(&memory.moves);
        let mut first = 0;
        for (depth, step) in path.iter().enumerate() {
            // The move that led here was played before.
            first += usize::from(depth > 0 && step.chooser.is_some());
            if tree.has_children(step.id) {
                let noted = tree.edge(step.id).extra();
                memory.tables.add(noted, &memory.moves, first, returns);
            }
        }
    }
}
