//! The search behind MO-ISMCTS, ISMCTS with hidden moves, and re-determinizing ISMCTS.
//!
//! It descends several trees at once and draws in the order of the
//! [kernel](crate::search::kernel) of SO-ISMCTS, whose tree it grows where everybody sees everything.
//! The trees hang on one root, so that any storage holds them and one budget bounds them.

use std::time::Duration;

use crate::budget::{Budget, StopReason};
use crate::decision::{Effort, SearchError};
use crate::game::{Game, Player, Sight, Turn, UNNOTICED};
use crate::rng::Seed;
use crate::rollout::LeafEvaluator;
use crate::search::meter::Meter;
use crate::search::root::{Arm, RootStatistics};
use crate::search::selection::{Available, Ucb};
use crate::search::worlds::Worlds;
use crate::tree::{Snapshot, Tree, TreeVisitor};

use super::key::{Key, ObservedKey};
use super::leaf::{Leaf, Path, Step, backup, mark};
use super::redeal::Redeal;

/// Whose trees there are, and what is told apart in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trees {
    /// One a player, who decides in it; in the others it goes by what their owners see.
    EachPlayer,
    /// The searcher's, in which everybody decides between what the searcher tells apart.
    Searcher,
    /// One, in which everybody decides between actions seen whole.
    Shared,
}

/// One search, ready to run on a tree of any storage.
pub(crate) struct Observing<'a, G: Game, W, E, R> {
    pub(crate) game: &'a G,
    pub(crate) worlds: &'a W,
    pub(crate) evaluator: &'a E,
    pub(crate) redeal: &'a R,
    pub(crate) trees: Trees,
    pub(crate) sight: Sight<G>,
    /// Who searches and is to move at the root of every world.
    pub(crate) player: Player,
    pub(crate) ucb: Ucb,
    pub(crate) budget: &'a Budget,
    /// This search's share of the budget.
    pub(crate) simulations: Option<u64>,
    pub(crate) time: Option<Duration>,
    pub(crate) seed: Seed,
    pub(crate) redeals: Seed,
    /// Index of the first simulation.
    pub(crate) first: u64,
    pub(crate) batch: usize,
    pub(crate) threads: usize,
    pub(crate) reports: bool,
    pub(crate) snapshot: bool,
}

/// What a search knows about its root, and its trees if they were to be kept.
pub(crate) type Searched<G> = (RootStatistics<G>, Option<Snapshot<Key<G>>>);

/// Room for this many legal actions is there from the beginning.
pub(super) const ROOM: usize = 256;

/// Memory of the selection, kept between simulations.
pub(super) struct Scratch<A, I> {
    paths: Vec<Path<A, I>>,
    /// The roots of the trees, in the order of their players.
    roots: Vec<I>,
    /// Where the simulation is in each tree.
    pub(super) at: Vec<I>,
    pub(super) available: Vec<Available<I>>,
    pub(super) seen: Vec<bool>,
    /// What the owner of a tree sees of each legal action, and the different ones among them.
    pub(super) tokens: Vec<u64>,
    pub(super) options: Vec<u64>,
    /// Legal actions in another world.
    pub(super) elsewhere: Vec<A>,
}

/// Whether a simulation goes on down the trees.
#[derive(PartialEq, Eq)]
pub(super) enum Descent {
    On,
    Ends,
}

impl<G, W, E, R> TreeVisitor<Key<G>> for Observing<'_, G, W, E, R>
where
    G: Game,
    W: Worlds<G>,
    E: LeafEvaluator<G>,
    R: Redeal<G>,
{
    type Output = Result<Searched<G>, SearchError>;

    fn visit<T: Tree<Key<G>>>(self, tree: &mut T) -> Self::Output {
        let batch = self.batch.max(1);
        let mut leaves: Vec<Leaf<G>> = (0..batch)
            .map(|_| Leaf::new(self.worlds.scratch(self.game), ROOM))
            .collect();
        let mut scratch = self.scratch(tree, batch)?;
        let mut meter = Meter::new(self.budget, self.simulations, self.time, self.reports);
        let mut effort = Effort::default();
        let mut squares: Vec<f64> = Vec::new();
        let mut done = 0_u64;
        effort.stop = loop {
            if let Some(reason) = meter.stop(done, self.edges(tree)) {
                break reason;
            }
            let n = batch.min(usize::try_from(meter.most() - done).unwrap_or(batch));
            for (i, leaf) in leaves[..n].iter_mut().enumerate() {
                self.select(tree, leaf, &mut scratch, i, done, &mut effort)?;
                if n > 1 {
                    mark::<G, T>(tree, &scratch.paths[i], true);
                }
            }
            // Which thread does it does not matter: a leaf brings its own generator.
            crate::parallel::for_each(self.threads, &mut leaves[..n], &|leaf: &mut Leaf<G>| {
                leaf.evaluate(self.game, self.evaluator);
            });
            for (leaf, path) in leaves[..n].iter().zip(&scratch.paths) {
                if n > 1 {
                    mark::<G, T>(tree, path, false);
                }
                backup(tree, path, leaf, self.player, &mut squares, &mut effort)?;
            }
            done += n as u64;
        };
        Ok(self.finish(tree, &scratch, effort, done, &squares))
    }
}

impl<G, W, E, R> Observing<'_, G, W, E, R>
where
    G: Game,
    W: Worlds<G>,
    E: LeafEvaluator<G>,
    R: Redeal<G>,
{
    /// Plants the trees, and makes room for `batch` simulations.
    fn scratch<T: Tree<Key<G>>>(
        &self,
        tree: &mut T,
        batch: usize,
    ) -> Result<Scratch<G::Action, T::Id>, SearchError> {
        let root = tree.root();
        let roots = if self.trees == Trees::EachPlayer {
            let players = (0..self.game.num_players()).map(Player::new);
            let keys: Vec<Key<G>> = players.map(ObservedKey::Root).collect();
            if !tree.add_children(root, &keys) {
                return Err(SearchError::NoRoom {
                    actions: keys.len(),
                });
            }
            tree.children(root).map(|(id, _)| id).collect()
        } else {
            vec![root]
        };
        Ok(Scratch {
            paths: (0..batch).map(|_| Path::with_room()).collect(),
            at: Vec::with_capacity(roots.len()),
            roots,
            available: Vec::with_capacity(ROOM),
            seen: Vec::with_capacity(ROOM),
            tokens: Vec::with_capacity(ROOM),
            options: Vec::with_capacity(ROOM),
            elsewhere: Vec::with_capacity(ROOM),
        })
    }

    /// Edges that stand for something that happened.
    fn edges<T: Tree<Key<G>>>(&self, tree: &T) -> u64 {
        let roots = match self.trees {
            Trees::EachPlayer => self.game.num_players(),
            _ => 0,
        };
        (tree.len() - 1 - roots) as u64
    }

    /// Whose tree this is, by its position.
    pub(super) fn owner(&self, tree: usize) -> Player {
        match self.trees {
            Trees::EachPlayer => Player::new(tree),
            _ => self.player,
        }
    }

    /// Loads the world of simulation `done + i` and descends to where it leaves the trees.
    fn select<T: Tree<Key<G>>>(
        &self,
        tree: &mut T,
        leaf: &mut Leaf<G>,
        scratch: &mut Scratch<G::Action, T::Id>,
        i: usize,
        done: u64,
        effort: &mut Effort,
    ) -> Result<(), SearchError> {
        let index = self.first + done + i as u64;
        leaf.rng = self.seed.simulation(index);
        leaf.redeals = self.redeals.simulation(index);
        leaf.clear();
        let weight = self.worlds.load(self.game, &mut leaf.rng, &mut leaf.world);
        if weight != 0.0 {
            return Err(SearchError::WeightedWorlds { log_weight: weight });
        }
        let mut path = std::mem::take(&mut scratch.paths[i]);
        path.restart(&scratch.roots);
        scratch.at.clone_from(&scratch.roots);
        loop {
            let turn = self.game.turn(&leaf.world);
            if path.events == 0 && turn != Turn::Player(self.player) {
                let player = self.player.index();
                return Err(SearchError::MixedWorlds { player });
            }
            let descent = match turn {
                Turn::Terminal => break,
                Turn::Chance => self.chance(tree, leaf, scratch, &mut path, effort),
                Turn::Player(player) => {
                    self.decide(tree, player, leaf, scratch, &mut path, effort)?
                }
            };
            if descent == Descent::Ends {
                break;
            }
        }
        scratch.paths[i] = path;
        Ok(())
    }

    /// Follows what chance draws, remembering in each tree what its owner sees of it. Ends where it
    /// is new to everybody who notices it, if anybody does.
    fn chance<T: Tree<Key<G>>>(
        &self,
        tree: &mut T,
        leaf: &mut Leaf<G>,
        scratch: &mut Scratch<G::Action, T::Id>,
        path: &mut Path<G::Action, T::Id>,
        effort: &mut Effort,
    ) -> Descent {
        let luck = leaf.rng.clone();
        let outcome = self.game.sample_chance(&leaf.world, &mut leaf.rng);
        let (mut noticed, mut new_to_all, mut full) = (false, true, false);
        for (i, at) in scratch.at.iter_mut().enumerate() {
            let owner = self.owner(i);
            let token = (self.sight.chance)(self.game, &leaf.world, outcome, owner);
            if token == UNNOTICED {
                continue;
            }
            noticed = true;
            match follow(tree, *at, ObservedKey::Chance { token }) {
                Some((child, new)) => {
                    new_to_all &= new;
                    *at = child;
                    let credit = (self.trees == Trees::EachPlayer).then_some(owner);
                    path.steps.push(Step::plain(child, credit));
                }
                None => {
                    effort.refused_expansions += 1;
                    full = true;
                }
            }
        }
        path.events += 1;
        self.game.apply_chance(&mut leaf.world, outcome);
        for copy in leaf.following() {
            copy.follows = self.game.turn(&copy.world) == Turn::Chance;
            if copy.follows {
                // The same luck: in the same world it draws the same.
                let outcome = self.game.sample_chance(&copy.world, &mut luck.clone());
                self.game.apply_chance(&mut copy.world, outcome);
            }
        }
        if full || (noticed && new_to_all) {
            Descent::Ends
        } else {
            Descent::On
        }
    }

    fn finish<T: Tree<Key<G>>>(
        &self,
        tree: &T,
        scratch: &Scratch<G::Action, T::Id>,
        mut effort: Effort,
        done: u64,
        squares: &[f64],
    ) -> Searched<G> {
        effort.simulations = done;
        // Redealt ones are counted already.
        effort.worlds += done;
        effort.effective_sample_size = effort.worlds as f64;
        effort.edges = self.edges(tree);
        effort.bytes = tree.bytes() as u64;
        effort.deterministic = effort.stop == StopReason::Simulations;
        let own = match self.trees {
            Trees::EachPlayer => scratch.roots[self.player.index()],
            _ => scratch.roots[0],
        };
        let children = tree.children(own).enumerate();
        let arms = children.filter_map(|(i, (_, edge))| {
            Some(Arm {
                bounds: None,
                action: edge.key().action()?,
                visits: u64::from(edge.visits()),
                sum: edge.sum(),
                sum_of_squares: squares.get(i).copied().unwrap_or(0.0),
                availability: u64::from(edge.availability()),
            })
        });
        let statistics = RootStatistics {
            arms: arms.collect(),
            effort,
            snapshot: None,
        };
        (statistics, self.snapshot.then(|| Snapshot::of(tree)))
    }
}

/// The child with this key, and whether it is new; `None` where there is no room for it.
pub(super) fn follow<K: Copy + Eq + 'static, T: Tree<K>>(
    tree: &mut T,
    at: T::Id,
    key: K,
) -> Option<(T::Id, bool)> {
    let mut last = None;
    for (child, edge) in tree.children(at) {
        if edge.key() == key {
            return Some((child, false));
        }
        last = Some(child);
    }
    tree.append_child(at, last, key).map(|child| (child, true))
}
