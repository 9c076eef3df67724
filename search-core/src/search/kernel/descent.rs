//! The way down: from the root to where a simulation leaves the tree.

use super::{Children, Kernel, Leaf, Path, Scratch, Step};
use crate::decision::{Effort, SearchError};
use crate::game::{Game, ListOutcomes, Player, Turn};
use crate::rng::Draw;
use crate::rollout::LeafEvaluator;
use crate::search::chance::{self, Chance};
use crate::search::key::GameKey;
use crate::search::rule::{At, Rule};
use crate::search::selection::Available;
use crate::search::widening::Widening;
use crate::search::worlds::Worlds;
use crate::tree::{EdgeKey, Extra, Tree};

impl<G, W, E, R> Kernel<'_, G, W, E, R>
where
    G: Game,
    W: Worlds<G>,
    E: LeafEvaluator<G>,
    R: Rule<G>,
{
    /// Loads the world of simulation number `index` and descends to where it leaves the tree. Out of line: the
    /// way down needs all registers, as do the longest of its steps.
    #[inline(never)]
    pub(super) fn select<T: Tree<GameKey<G>, R::Extra>>(
        &self,
        tree: &mut T,
        (leaf, path): (&mut Leaf<G>, &mut Path<T::Id>),
        scratch: &mut Scratch<G, T::Id, R::Memory>,
        index: u64,
        effort: &mut Effort,
    ) -> Result<(), SearchError> {
        leaf.known = None;
        leaf.rng = self.streams.simulation(index);
        let weight = self.worlds.load(self.game, &mut leaf.rng, &mut leaf.world);
        if weight != 0.0 {
            return Err(SearchError::WeightedWorlds { log_weight: weight });
        }
        let Path {
            steps: path,
            root_ordinal,
        } = path;
        path.clear();
        let mut at = tree.root();
        path.push(Step {
            id: at,
            chooser: None,
        });
        loop {
            // A node other than the root is a leaf until it was visited often enough.
            if path.len() > 1 && tree.edge(at).selections() < self.rule.expand_after() {
                break;
            }
            leaf.known = self.rule.known(tree, &scratch.memory, at);
            if leaf.known.is_some() {
                break;
            }
            let turn = self.game.turn(&leaf.world);
            if path.len() == 1 && turn != Turn::Player(self.player) {
                let player = self.player.index();
                return Err(SearchError::MixedWorlds { player });
            }
            let step = match turn {
                Turn::Terminal => {
                    leaf.known = Some(self.game.returns(&leaf.world));
                    break;
                }
                Turn::Chance => match self.children {
                    Children::Block(Chance::OpenLoop) => {
                        let outcome = self.game.sample_chance(&leaf.world, &mut leaf.rng);
                        self.game.apply_chance(&mut leaf.world, outcome);
                        continue;
                    }
                    Children::Block(Chance::Explicit(list)) => {
                        let found = self.quota_step(tree, at, list, leaf, scratch, effort)?;
                        found.map(|(id, ordinal)| (id, ordinal, None))
                    }
                    _ => self.chance_step(tree, at, leaf, path.len() == 1, effort),
                },
                Turn::Player(player) => {
                    let here = (at, player, &path[..]);
                    let found = match self.children {
                        Children::Available | Children::Block(Chance::OpenLoop) => {
                            self.available_step(tree, here, leaf, scratch, effort)
                        }
                        Children::Block(_) => self.block_step(tree, here, leaf, scratch, effort),
                    };
                    found.map(|(id, ordinal)| (id, ordinal, Some(player)))
                }
            };
            let Some((id, ordinal, chooser)) = step else {
                break;
            };
            match tree.edge(id).key() {
                EdgeKey::Action(action) => self.game.apply(&mut leaf.world, action),
                EdgeKey::Chance(outcome) => self.game.apply_chance(&mut leaf.world, outcome),
            }
            if path.len() == 1 {
                *root_ordinal = ordinal;
            }
            path.push(Step { id, chooser });
            at = id;
        }
        if R::NOTES_LEAVES {
            if leaf.known.is_none() && self.game.turn(&leaf.world) == Turn::Terminal {
                leaf.known = Some(self.game.returns(&leaf.world));
            }
            let arrived = path.last().and_then(|step| {
                let action = tree.edge(step.id).key().action();
                step.chooser.zip(action)
            });
            leaf.arrived = arrived;
        }
        Ok(())
    }

    /// Follows what chance draws, remembering each outcome met.
    #[inline(never)]
    fn chance_step<T: Tree<GameKey<G>, R::Extra>>(
        &self,
        tree: &mut T,
        at: T::Id,
        leaf: &mut Leaf<G>,
        is_root: bool,
        effort: &mut Effort,
    ) -> Option<(T::Id, u32, Option<Player>)> {
        let widening = self.rule.outcomes();
        if widening != Widening::NONE {
            let left = self.left(tree, at, is_root);
            if let Some((id, ordinal)) = full(tree, at, widening, left, leaf) {
                return Some((id, ordinal, None));
            }
        }
        let outcome = self.game.sample_chance(&leaf.world, &mut leaf.rng);
        let key = EdgeKey::Chance(outcome);
        let mut last = None;
        let mut count = 0;
        for (child, edge) in tree.children(at) {
            if edge.key() == key {
                return Some((child, count, None));
            }
            last = Some(child);
            count += 1;
        }
        let child = tree.append_child(at, last, key);
        effort.refused_expansions += u64::from(child.is_none());
        child.map(|id| (id, count, None))
    }

    /// Follows the outcome most behind its share, listing all of them first.
    #[inline(never)]
    fn quota_step<T: Tree<GameKey<G>, R::Extra>>(
        &self,
        tree: &mut T,
        at: T::Id,
        list: ListOutcomes<G>,
        leaf: &mut Leaf<G>,
        scratch: &mut Scratch<G, T::Id, R::Memory>,
        effort: &mut Effort,
    ) -> Result<Option<(T::Id, u32)>, SearchError> {
        if !tree.has_children(at) {
            list(self.game, &leaf.world, &mut scratch.outcomes);
            chance::check(&scratch.outcomes)?;
            // Ties go to the first: in one fixed order every thin node would see the same outcomes.
            leaf.rng.shuffle(&mut scratch.outcomes);
            let keys = scratch.outcomes.iter().map(|&(o, _)| EdgeKey::Chance(o));
            scratch.keys.clear();
            scratch.keys.extend(keys);
            if !tree.add_children(at, &scratch.keys) {
                effort.refused_expansions += 1;
                return Ok(None);
            }
            for ((_, edge), (_, p)) in tree.children(at).zip(&scratch.outcomes) {
                edge.set_probability(*p);
            }
        }
        // No root is a chance node.
        let left = self.left(tree, at, false);
        Ok(chance::most_behind(tree, at, left))
    }

    /// A decision as the rule sees it.
    #[inline]
    fn at<'b, I>(
        &'b self,
        world: &'b G::State,
        legal: &'b [G::Action],
        (id, player, path): (I, Player, &'b [Step<I>]),
        total: u32,
    ) -> At<'b, G, I> {
        At {
            game: self.game,
            world,
            player,
            legal,
            id,
            total,
            path,
        }
    }

    /// How often a node was left for one of its children: not in the visits that made it.
    #[inline]
    fn left<T: Tree<GameKey<G>, R::Extra>>(&self, tree: &T, at: T::Id, is_root: bool) -> u32 {
        let stayed = if is_root { 0 } else { self.rule.expand_after() };
        tree.edge(at).selections().saturating_sub(stayed)
    }

    /// Chooses among all legal actions, making their edges first.
    #[inline]
    fn block_step<T: Tree<GameKey<G>, R::Extra>>(
        &self,
        tree: &mut T,
        (at, player, path): (T::Id, Player, &[Step<T::Id>]),
        leaf: &mut Leaf<G>,
        scratch: &mut Scratch<G, T::Id, R::Memory>,
        effort: &mut Effort,
    ) -> Option<(T::Id, u32)> {
        let is_new = !tree.has_children(at);
        if is_new {
            self.game.legal_actions(&leaf.world, &mut leaf.legal);
            scratch.keys.clear();
            scratch
                .keys
                .extend(leaf.legal.iter().map(|&a| EdgeKey::Action(a)));
            leaf.rng.shuffle(&mut scratch.keys);
        }
        let total = self.left(tree, at, path.len() == 1);
        let node = self.at(&leaf.world, &leaf.legal, (at, player, path), total);
        if is_new {
            let memory = &mut scratch.memory;
            self.rule.order(&node, memory, &mut scratch.keys);
            if !tree.add_children(at, &scratch.keys) {
                effort.refused_expansions += 1;
                return None;
            }
            self.rule.expanded(tree, &node, memory);
        }
        self.rule
            .select(tree, &node, &scratch.memory, &mut leaf.rng)
    }

    /// Chooses among the actions legal in this world: one without an edge if there is any.
    #[inline(never)]
    fn available_step<T: Tree<GameKey<G>, R::Extra>>(
        &self,
        tree: &mut T,
        (at, player, path): (T::Id, Player, &[Step<T::Id>]),
        leaf: &mut Leaf<G>,
        scratch: &mut Scratch<G, T::Id, R::Memory>,
        effort: &mut Effort,
    ) -> Option<(T::Id, u32)> {
        self.game.legal_actions(&leaf.world, &mut leaf.legal);
        let found = self
            .rule
            .one_pass(tree, at, leaf, &mut scratch.places, effort);
        if let Some(found) = found {
            return found;
        }
        scratch.available.clear();
        let (mut last, mut count) = (None, 0);
        for (child, edge) in tree.children(at) {
            last = Some(child);
            if let EdgeKey::Action(action) = edge.key()
                && let Ok(position) = leaf.legal.binary_search(&action)
            {
                scratch.available.push(Available {
                    id: child,
                    ordinal: count,
                    position: position as u32,
                });
                // The other children belong to other worlds.
                if scratch.available.len() == leaf.legal.len() {
                    break;
                }
            }
            count += 1;
        }
        let total = self.left(tree, at, path.len() == 1);
        let known = scratch.available.len();
        if known < leaf.legal.len()
            && self.rule.may_add(
                &self.at(&leaf.world, &leaf.legal, (at, player, path), total),
                known,
            )
        {
            let untried = untried(leaf, scratch);
            if let Some(child) = tree.append_child(at, last, EdgeKey::Action(untried)) {
                tree.edge(child).record_availability();
                for other in &scratch.available {
                    tree.edge(other.id).record_availability();
                }
                let node = self.at(&leaf.world, &leaf.legal, (at, player, path), total);
                self.rule.added(tree, &node, &mut scratch.memory, child);
                return Some((child, count));
            }
            effort.refused_expansions += 1;
        }
        let node = self.at(&leaf.world, &leaf.legal, (at, player, path), total);
        let (memory, available) = (&scratch.memory, &scratch.available);
        self.rule
            .select_available(tree, &node, memory, available, &mut leaf.rng)
    }
}

/// One of the legal actions that have no edge yet, each with equal probability.
#[inline]
fn untried<G: Game, I, M>(leaf: &mut Leaf<G>, scratch: &mut Scratch<G, I, M>) -> G::Action {
    let legal = &leaf.legal;
    scratch.seen.clear();
    scratch.seen.resize(legal.len(), false);
    for known in &scratch.available {
        scratch.seen[known.position as usize] = true;
    }
    let untried = legal.len() - scratch.available.len();
    let nth = leaf.rng.below(untried as u32) as usize;
    let unseen = legal.iter().zip(&scratch.seen).filter(|(_, seen)| !**seen);
    unseen
        .map(|(action, _)| *action)
        .nth(nth)
        .unwrap_or(legal[0])
}

/// One of the outcomes met at a chance node that has as many as it may have, each in proportion to its
/// visits; `None` at a node with room for more.
fn full<K, X, T, G>(
    tree: &T,
    at: T::Id,
    widening: Widening,
    left: u32,
    leaf: &mut Leaf<G>,
) -> Option<(T::Id, u32)>
where
    K: Copy + 'static,
    X: Extra,
    T: Tree<K, X>,
    G: Game,
{
    let (mut count, mut visits) = (0_u32, 0_u32);
    for (_, edge) in tree.children(at) {
        count += 1;
        visits += edge.selections();
    }
    if visits == 0 || f64::from(count) < widening.children(left + 1) {
        return None;
    }
    let mut at_visit = leaf.rng.below(visits);
    let mut numbered = (0..).zip(tree.children(at));
    numbered.find_map(|(ordinal, (id, edge))| {
        let found = at_visit < edge.selections();
        at_visit = at_visit.wrapping_sub(edge.selections());
        found.then_some((id, ordinal))
    })
}
