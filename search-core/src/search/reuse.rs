//! Going on with the tree of the decision before: what [`Uct`] keeps between searches, if told to.
//!
//! After real actions the tree below the position that came about is still true: its simulations began
//! there as if it had been the root. [`Uct::advance`] keeps that part, moved together (Coulom 2006
//! describes it for Go), and the next search begins from it. The result of a search then depends on
//! those before it, which [`Effort::inherited`](crate::decision::Effort::inherited) shows.
//!
//! Trees over information sets are not reused: their counters were made in worlds of which what was
//! seen since has ruled some out.

use crate::game::Game;
use crate::rollout::LeafEvaluator;
use crate::search::key::GameKey;
use crate::search::root::{Arm, RootStatistics};
use crate::search::tree_search::Parallel;
use crate::search::uct::Uct;
use crate::tree::{EdgeKey, Storage, Tree, TreeVisitor};

/// No more visits than this are kept: those of the next search must fit the counters too.
const MOST_KEPT: u32 = 1 << 31;
/// No more positions than this are looked at to find one.
const MOST_LOOKED_AT: usize = 10_000;

/// Visits, and the sum of returns, of an action at the root of a kept tree.
pub(super) type Inherited<G> = Vec<(<G as Game>::Action, u32, f64)>;

impl<G: Game, E: LeafEvaluator<G>, S: Storage<GameKey<G>>> Uct<G, E, S> {
    /// Tells the next search to begin from the part of the last tree that lies below `played`: the
    /// actions, and outcomes of chance, since the position of the last search that made a tree. The
    /// next search must be of the position that they lead to. Returns how many visits are kept; `None`
    /// when the next search begins with an empty tree, because what was played is not in the tree or
    /// there were several trees or threads in one.
    pub fn advance(&mut self, played: &[GameKey<G>]) -> Option<u64> {
        let has_tree = self.has_tree && self.grows_one_tree();
        self.restart();
        let storage = self.storages.first_mut().filter(|_| has_tree)?;
        let kept = storage.reroot(played)?;
        if kept == 0 || kept > MOST_KEPT {
            storage.forget();
            return None;
        }
        self.has_tree = true;
        Some(u64::from(kept))
    }

    /// Whether there is one tree, in the first storage.
    pub(super) fn grows_one_tree(&self) -> bool {
        matches!(
            self.settings.parallel,
            Parallel::Serial | Parallel::Batch { .. }
        )
    }

    /// [`Uct::advance`] to a position that is recognised by `is_it`, looked for in the tree up to
    /// `plies` turns below `from`, the position that the tree was made for.
    pub fn follow(
        &mut self,
        game: &G,
        from: &G::State,
        plies: usize,
        is_it: impl Fn(&G::State) -> bool,
    ) -> Option<u64> {
        let find = Find {
            game,
            from,
            plies,
            is_it,
        };
        let storage = self.storages.first_mut()?;
        let found = self.has_tree.then(|| storage.revisit(find)).flatten();
        let Some(played) = found.flatten() else {
            self.restart();
            return None;
        };
        self.advance(&played)
    }

    /// Tells the next search to begin with an empty tree.
    pub fn restart(&mut self) {
        self.has_tree = false;
        self.storages.iter_mut().for_each(Storage::forget);
    }

    /// What the next search begins from, nothing if that does not fit the root: who called
    /// [`Uct::advance`] has searched another position.
    pub(super) fn inherited(&mut self, legal: &[G::Action]) -> Inherited<G> {
        let usable = self.has_tree && self.grows_one_tree();
        let storage = self.storages.first_mut().filter(|_| usable);
        let found = storage.and_then(|storage| storage.revisit(RootOf));
        let mut found = found.unwrap_or_default();
        let mut order: Vec<usize> = (0..found.len()).collect();
        crate::order::sort_by(&mut order, &|a, b| found[a].0.cmp(&found[b].0));
        crate::order::arrange(&mut found, &mut order);
        let fits = found.iter().map(|(action, ..)| action).eq(legal);
        if fits {
            return found;
        }
        self.restart();
        Vec::new()
    }
}

/// Gives the arms of a search that began from a kept tree their variance, which is known of the new
/// simulations only: each its own, or that of all where an arm has fewer than two, or the square of
/// `scale` where nothing is known.
pub(super) fn with_inherited<G: Game>(
    statistics: &mut RootStatistics<G>,
    inherited: &[(G::Action, u32, f64)],
    scale: f64,
) {
    let total = statistics.effort.inherited;
    if total == 0 {
        return;
    }
    let fresh = |arm: &Arm<G::Action>| {
        let before = inherited.iter().find(|(action, ..)| *action == arm.action);
        let (visits, sum) = before.map_or((0, 0.0), |&(_, n, sum)| (u64::from(n), sum));
        let n = arm.visits.saturating_sub(visits) as f64;
        (
            n,
            arm.sum_of_squares - (arm.sum - sum) * (arm.sum - sum) / n,
        )
    };
    let known = statistics.arms.iter().map(fresh).filter(|(n, _)| *n > 1.0);
    let (n, squares) = known.fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
    let pooled = if n > 0.0 { squares / n } else { scale * scale };
    for arm in &mut statistics.arms {
        let (n, squares) = fresh(arm);
        let variance = if n > 1.0 { squares / n } else { pooled };
        let visits = arm.visits as f64;
        let mean = arm.sum / visits;
        arm.sum_of_squares = visits * (variance.max(0.0) + mean * mean);
        arm.availability += total;
    }
}

/// The actions at the root.
struct RootOf;

impl<A: Copy + 'static, C: Copy + 'static> TreeVisitor<EdgeKey<A, C>> for RootOf {
    type Output = Vec<(A, u32, f64)>;

    fn visit<T: Tree<EdgeKey<A, C>>>(self, tree: &mut T) -> Self::Output {
        let children = tree.children(tree.root());
        children
            .filter_map(|(_, edge)| Some((edge.key().action()?, edge.visits(), edge.sum())))
            .collect()
    }
}

/// The way to a position below the root.
struct Find<'a, G: Game, F> {
    game: &'a G,
    from: &'a G::State,
    plies: usize,
    is_it: F,
}

/// A position on the way: its node, its state, and the step to it.
struct Place<G: Game, I> {
    id: I,
    state: G::State,
    step: Option<(usize, GameKey<G>)>,
    plies: usize,
}

impl<G: Game, F: Fn(&G::State) -> bool> TreeVisitor<GameKey<G>> for Find<'_, G, F> {
    type Output = Option<Vec<GameKey<G>>>;

    /// Breadth first, among the nodes that have children: others are not worth keeping.
    fn visit<T: Tree<GameKey<G>>>(self, tree: &mut T) -> Self::Output {
        let mut places: Vec<Place<G, T::Id>> = vec![Place {
            id: tree.root(),
            state: self.from.clone(),
            step: None,
            plies: 0,
        }];
        let mut at = 0;
        while at < places.len() {
            let Place {
                id, state, plies, ..
            } = &places[at];
            let (id, plies) = (*id, *plies);
            if (self.is_it)(state) {
                return Some(way(&places, at));
            }
            if plies < self.plies {
                let state = state.clone();
                for (child, edge) in tree.children(id) {
                    if places.len() >= MOST_LOOKED_AT || !tree.has_children(child) {
                        continue;
                    }
                    let mut state = state.clone();
                    match edge.key() {
                        EdgeKey::Action(action) => self.game.apply(&mut state, action),
                        EdgeKey::Chance(outcome) => self.game.apply_chance(&mut state, outcome),
                    }
                    places.push(Place {
                        id: child,
                        state,
                        step: Some((at, edge.key())),
                        plies: plies + 1,
                    });
                }
            }
            at += 1;
        }
        None
    }
}

/// The keys from the root to a place.
fn way<G: Game, I>(places: &[Place<G, I>], mut at: usize) -> Vec<GameKey<G>> {
    let mut keys = Vec::new();
    while let Some((before, key)) = places[at].step {
        keys.push(key);
        at = before;
    }
    keys.reverse();
    keys
}
