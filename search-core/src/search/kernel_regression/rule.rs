//! How the tree of KR-UCT grows.

use crate::game::Game;
use crate::search::continuous::ContinuousActions;
use crate::search::growing::{self, Child, Leaf, Memory, Rule, RuleTree};
use crate::search::kernel_regression::KrUctSettings;
use crate::search::kernel_regression::regression::{Executed, Sums};
use crate::search::key::GameKey;
use crate::search::root::Arm;
use crate::search::selection::Best;
use crate::search::widening::siblings;
use crate::tree::EdgeKey;

/// The sums of the actions at a root.
pub(crate) type RootSums<A> = Vec<(A, Sums)>;

impl<A: Copy> From<&Arm<A>> for Executed<A> {
    fn from(arm: &Arm<A>) -> Self {
        Self {
            action: arm.action,
            visits: arm.visits,
            sum: arm.sum,
            squares: arm.sum_of_squares,
        }
    }
}

/// What an edge knows of itself and its siblings.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Smoothed {
    /// Sums over simulations that are backed up.
    pub(crate) sums: Sums,
    /// Mass of the selections: simulations in flight included.
    pub(crate) selected: f64,
    /// Where the kernels to the earlier siblings begin.
    row: usize,
}

/// Selection by kernel regression.
pub(crate) struct KernelRule<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) actions: &'a dyn ContinuousActions<G>,
    pub(crate) settings: KrUctSettings,
    pub(crate) inverse_scale: f64,
}

/// Kernels of an action to be added: to those that are there.
#[derive(Default)]
pub(crate) struct Rows {
    row: Vec<f64>,
    best: Vec<f64>,
}

impl<G: Game> Rule<G> for KernelRule<'_, G> {
    type Extra = Smoothed;
    type Scratch = Rows;

    fn choose(
        &self,
        tree: &mut RuleTree<G, Self>,
        at: u32,
        leaf: &mut Leaf<G>,
        memory: &mut Memory<G, Self>,
    ) -> Option<u32> {
        if tree.len(at) == 0 && !growing::list(self.game, tree, at, leaf, memory) {
            return None;
        }
        let position = self.follow(tree, at, leaf, memory)?;
        let tried = tree.node(at).tried as usize;
        let (children, kernels) = tree.split(at);
        select(&mut children[..tried], kernels, position as usize);
        Some(position)
    }

    fn draw(
        &self,
        tree: &mut RuleTree<G, Self>,
        at: u32,
        leaf: &mut Leaf<G>,
        _: &mut Memory<G, Self>,
    ) -> Option<u32> {
        growing::draw_any::<G, Self>(self.game, tree, at, leaf)
    }

    fn exactly(&self) -> Option<&dyn ContinuousActions<G>> {
        Some(self.actions)
    }

    fn record(&self, tree: &mut RuleTree<G, Self>, step: usize, leaf: &Leaf<G>, value: f64) {
        let step = leaf.path[step];
        let tried = tree.node(step.node).tried as usize;
        let (children, kernels) = tree.split(step.node);
        neighbours(
            &mut children[..tried],
            kernels,
            step.position as usize,
            |child, kernel| {
                child.sums.add(kernel, 1.0, value, value * value);
            },
        );
    }
}

impl<G: Game> KernelRule<'_, G> {
    /// The child to follow: a listed one not tried yet, one that is added, or the best.
    fn follow(
        &self,
        tree: &mut RuleTree<G, Self>,
        at: u32,
        leaf: &mut Leaf<G>,
        memory: &mut Memory<G, Self>,
    ) -> Option<u32> {
        let node = *tree.node(at);
        let len = tree.len(at);
        if node.tried < len {
            let children = tree.children(at);
            let key = children[node.tried as usize].key;
            let rows = &mut memory.scratch;
            self.row(&children[..node.tried as usize], key, leaf, &mut rows.row);
            if !tree.fits(0, 0, rows.row.len()) {
                // Nothing is known of a child without its row; those before it are there.
                memory.effort.refused_expansions += 1;
                return if node.tried == 0 {
                    None
                } else {
                    self.best(tree, at, leaf)
                };
            }
            introduce(tree, at, node.tried, &rows.row);
            return Some(node.tried);
        }
        let best = self.best(tree, at, leaf)?;
        let full = self.settings.widening.power(node.descents) < f64::from(len);
        if full && !tree.ends(tree.child(at, best)) {
            return Some(best);
        }
        let Some(key) = self.propose(tree, at, best, leaf, &mut memory.scratch) else {
            return Some(best);
        };
        let row = &memory.scratch.best;
        let Some(added) = tree.push(at, key, row.len()) else {
            memory.effort.refused_expansions += 1;
            return Some(best);
        };
        introduce(tree, at, added, row);
        Some(added)
    }

    /// The child with the highest upper confidence bound.
    fn best(&self, tree: &RuleTree<G, Self>, at: u32, leaf: &mut Leaf<G>) -> Option<u32> {
        let children = &tree.children(at)[..tree.node(at).tried as usize];
        let total: f64 = children.iter().map(|child| child.extra.selected).sum();
        let bonus = self.settings.exploration * libm::log(total.max(1.0)).sqrt();
        let mut best = Best::new();
        for (position, child) in (0..).zip(children) {
            let sums = &child.extra.sums;
            let mean = if sums.mass > 0.0 {
                sums.weighted * (1.0 / sums.mass)
            } else {
                // In flight and nothing known yet: as good as its siblings.
                siblings(children)
            };
            let score = mean * self.inverse_scale + bonus * (1.0 / child.extra.selected.sqrt());
            best.offer(score, position, position, &mut leaf.rng);
        }
        best.found.map(|found| found.0)
    }

    /// Of some executions of the child `near` that are alike enough, the one with the least mass;
    /// its kernels are left in `rows.best`.
    fn propose(
        &self,
        tree: &RuleTree<G, Self>,
        at: u32,
        near: u32,
        leaf: &mut Leaf<G>,
        rows: &mut Rows,
    ) -> Option<GameKey<G>> {
        let children = tree.children(at);
        let EdgeKey::Action(meant) = children[near as usize].key else {
            return None;
        };
        let mut least: Option<(f64, GameKey<G>)> = None;
        for _ in 0..self.settings.tries {
            let action = self
                .actions
                .execute(self.game, &leaf.world, meant, &mut leaf.rng);
            let key = EdgeKey::Action(action);
            let alike = self.actions.kernel(self.game, &leaf.world, meant, action);
            if alike <= self.settings.threshold || children.iter().any(|c| c.key == key) {
                continue;
            }
            let most = least.map_or(f64::INFINITY, |(least, _)| least);
            if let Some(mass) = self.row_below(most, children, action, leaf, &mut rows.row) {
                least = Some((mass, key));
                std::mem::swap(&mut rows.row, &mut rows.best);
            }
        }
        least.map(|(_, key)| key)
    }

    /// The kernels of an action to these children, and its mass if that is below `most`. Kernels are
    /// dear and never negative: it stops where that is sure not to be.
    fn row_below(
        &self,
        most: f64,
        children: &[Child<GameKey<G>, Smoothed>],
        action: G::Action,
        leaf: &Leaf<G>,
        out: &mut Vec<f64>,
    ) -> Option<f64> {
        out.clear();
        let mut mass = 0.0;
        for child in children {
            let kernel = child.key.action().map_or(0.0, |other| {
                self.actions.kernel(self.game, &leaf.world, other, action)
            });
            out.push(kernel);
            mass += kernel * f64::from(child.selections);
            if mass >= most {
                return None;
            }
        }
        Some(mass)
    }

    /// The kernels of an action to these children.
    fn row(
        &self,
        children: &[Child<GameKey<G>, Smoothed>],
        key: GameKey<G>,
        leaf: &Leaf<G>,
        out: &mut Vec<f64>,
    ) {
        out.clear();
        out.extend(children.iter().map(|child| match (child.key, key) {
            (EdgeKey::Action(a), EdgeKey::Action(b)) => {
                self.actions.kernel(self.game, &leaf.world, a, b)
            }
            _ => 0.0,
        }));
    }
}

fn mass<K>(children: &[Child<K, Smoothed>], row: &[f64]) -> f64 {
    let pairs = children.iter().zip(row);
    pairs
        .map(|(child, kernel)| kernel * f64::from(child.selections))
        .sum()
}

/// Lets the siblings that were tried before know a child, and it them.
fn introduce<K: Copy>(
    tree: &mut growing::GrowingTree<K, Smoothed>,
    at: u32,
    position: u32,
    row: &[f64],
) {
    let start = tree.kernels.len();
    tree.kernels.extend_from_slice(row);
    tree.node_mut(at).tried = position + 1;
    let (earlier, later) = tree.children_mut(at).split_at_mut(position as usize);
    let own = &mut later[0].extra;
    own.row = start;
    own.selected = mass(earlier, row);
    for (child, &kernel) in earlier.iter().zip(row) {
        own.sums
            .add(kernel, f64::from(child.visits), child.sum, child.squares);
    }
}

/// Calls `change` for a child and each of its siblings with the kernel between them.
#[inline]
fn neighbours<K>(
    children: &mut [Child<K, Smoothed>],
    kernels: &[f64],
    position: usize,
    change: impl Fn(&mut Smoothed, f64),
) {
    let (earlier, rest) = children.split_at_mut(position);
    let Some((own, later)) = rest.split_first_mut() else {
        return;
    };
    let row = &kernels[own.extra.row..][..earlier.len()];
    for (child, &kernel) in earlier.iter_mut().zip(row) {
        change(&mut child.extra, kernel);
    }
    change(&mut own.extra, 1.0);
    for child in later {
        let kernel = kernels[child.extra.row + position];
        change(&mut child.extra, kernel);
    }
}

/// Counts a selection in the masses of the child and its siblings.
fn select<K>(children: &mut [Child<K, Smoothed>], kernels: &[f64], position: usize) {
    neighbours(children, kernels, position, |child, kernel| {
        child.selected += kernel;
    });
}

/// What a tree knows of the actions at its root.
pub(crate) fn root_sums<G: Game>(
    tree: &growing::GrowingTree<GameKey<G>, Smoothed>,
) -> RootSums<G::Action> {
    let tried = &tree.children(0)[..tree.node(0).tried as usize];
    let sums = tried
        .iter()
        .filter_map(|child| Some((child.key.action()?, child.extra.sums)));
    sums.collect()
}
