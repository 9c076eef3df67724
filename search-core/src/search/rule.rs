//! What guides a tree search: which child is followed, and what is kept for that on edges and beside
//! the tree. [`Plain`] is UCB1 on the counters that every edge has.

use crate::decision::Effort;
use crate::game::{Game, Player, Returns};
use crate::rng::SimRng;
use crate::rollout::{Evaluation, LeafEvaluator};
use crate::search::kernel::{Leaf, Places, Step, one_pass};
use crate::search::key::GameKey;
use crate::search::selection::{Available, Ucb};
use crate::search::widening::Widening;
use crate::tree::{Extra, Tree};

/// A decision on the way down.
pub(crate) struct At<'a, G: Game, I> {
    pub(crate) game: &'a G,
    pub(crate) world: &'a G::State,
    /// Who is to move.
    pub(crate) player: Player,
    pub(crate) legal: &'a [G::Action],
    pub(crate) id: I,
    /// Selections over all children so far.
    pub(crate) total: u32,
    /// From the root to this node.
    pub(crate) path: &'a [Step<I>],
}

/// How a simulation is guided. What has a default does nothing there.
pub(crate) trait Rule<G: Game>: Sync {
    /// What is kept on an edge beside its counters.
    type Extra: Extra;
    /// What is kept beside the tree. Rollouts read it from several threads.
    type Memory: Send + Sync;

    /// Whether a leaf is to say which move led to it, and whether the game is over there.
    const NOTES_LEAVES: bool = false;

    /// The memory of an empty tree.
    fn memory(&self) -> Self::Memory;

    /// A node is a leaf until it was visited so often, 1 or more.
    #[inline]
    fn expand_after(&self) -> u32 {
        1
    }

    /// How many outcomes a chance node may have, where they are drawn.
    #[inline]
    fn outcomes(&self) -> Widening {
        Widening::NONE
    }

    /// Orders a shuffled block of children before it is made.
    #[inline]
    fn order<I>(&self, at: &At<'_, G, I>, memory: &mut Self::Memory, keys: &mut [GameKey<G>]) {
        let _ = (at, memory, keys);
    }

    /// The block of children of a node was made.
    #[inline]
    fn expanded<T: Tree<GameKey<G>, Self::Extra>>(
        &self,
        tree: &T,
        at: &At<'_, G, T::Id>,
        memory: &mut Self::Memory,
    ) {
        let _ = (tree, at, memory);
    }

    /// One child of a node was made.
    #[inline]
    fn added<T: Tree<GameKey<G>, Self::Extra>>(
        &self,
        tree: &T,
        at: &At<'_, G, T::Id>,
        memory: &mut Self::Memory,
        child: T::Id,
    ) {
        let _ = (tree, at, memory, child);
    }

    /// The child of a block to follow, and its position.
    fn select<T: Tree<GameKey<G>, Self::Extra>>(
        &self,
        tree: &T,
        at: &At<'_, G, T::Id>,
        memory: &Self::Memory,
        rng: &mut SimRng,
    ) -> Option<(T::Id, u32)>;

    /// The child to follow among those legal in this world, and its position. Counts for all of them
    /// that they were available.
    fn select_available<T: Tree<GameKey<G>, Self::Extra>>(
        &self,
        tree: &T,
        at: &At<'_, G, T::Id>,
        memory: &Self::Memory,
        available: &[Available<T::Id>],
        rng: &mut SimRng,
    ) -> Option<(T::Id, u32)>;

    /// All of a step among the children that are legal in this world, at once, for a rule that can: what
    /// [`Rule::may_add`], [`Rule::added`] and [`Rule::select_available`] would come to, to the last bit.
    #[inline]
    fn one_pass<T: Tree<GameKey<G>, Self::Extra>>(
        &self,
        tree: &mut T,
        at: T::Id,
        leaf: &mut Leaf<G>,
        places: &mut Places<G::Action>,
        effort: &mut Effort,
    ) -> Option<Option<(T::Id, u32)>> {
        let _ = (tree, at, leaf, places, effort);
        None
    }

    /// Whether an action without a child may be tried, at a node with so many children that are legal
    /// here.
    #[inline]
    fn may_add<I>(&self, at: &At<'_, G, I>, children: usize) -> bool {
        let _ = (at, children);
        true
    }

    /// The value of a node, where that is proven.
    #[inline]
    fn known<T: Tree<GameKey<G>, Self::Extra>>(
        &self,
        tree: &T,
        memory: &Self::Memory,
        id: T::Id,
    ) -> Option<Returns> {
        let _ = (tree, memory, id);
        None
    }

    /// The value of a leaf.
    #[inline]
    fn evaluate<E: LeafEvaluator<G>>(
        &self,
        game: &G,
        evaluator: &E,
        leaf: &mut Leaf<G>,
        memory: &Self::Memory,
    ) -> Evaluation {
        let _ = memory;
        evaluator.evaluate(game, &mut leaf.world, &mut leaf.rng, &mut leaf.legal)
    }

    /// What returns are worth to a player who chooses.
    #[inline]
    fn worth(&self, returns: &Returns, player: Player) -> f64 {
        returns.of(player)
    }

    /// A simulation was backed up.
    #[inline]
    fn learn<T: Tree<GameKey<G>, Self::Extra>>(
        &self,
        tree: &T,
        memory: &mut Self::Memory,
        path: &[Step<T::Id>],
        leaf: &Leaf<G>,
        returns: &Returns,
    ) {
        let _ = (tree, memory, path, leaf, returns);
    }

    /// Whether nothing is left to find out.
    #[inline]
    fn is_settled<T: Tree<GameKey<G>, Self::Extra>>(
        &self,
        tree: &T,
        memory: &Self::Memory,
    ) -> bool {
        let _ = (tree, memory);
        false
    }

    /// What is proven of a node's value to a player: at least, and at most.
    #[inline]
    fn bounds<T: Tree<GameKey<G>, Self::Extra>>(
        &self,
        tree: &T,
        memory: &Self::Memory,
        id: T::Id,
        player: Player,
    ) -> Option<(f64, f64)> {
        let _ = (tree, memory, id, player);
        None
    }

    /// Bytes of the memory.
    #[inline]
    fn bytes(&self, memory: &Self::Memory) -> usize {
        let _ = memory;
        0
    }
}

/// UCB1, and nothing else.
#[derive(Clone, Copy)]
pub(crate) struct Plain(pub(crate) Ucb);

impl<G: Game> Rule<G> for Plain {
    type Extra = ();
    type Memory = ();

    fn memory(&self) {}

    #[inline]
    fn select<T: Tree<GameKey<G>>>(
        &self,
        tree: &T,
        at: &At<'_, G, T::Id>,
        (): &(),
        rng: &mut SimRng,
    ) -> Option<(T::Id, u32)> {
        self.0.select(tree, at.id, at.total, rng)
    }

    #[inline]
    fn select_available<T: Tree<GameKey<G>>>(
        &self,
        tree: &T,
        at: &At<'_, G, T::Id>,
        (): &(),
        available: &[Available<T::Id>],
        rng: &mut SimRng,
    ) -> Option<(T::Id, u32)> {
        self.0.select_available(tree, at.id, available, rng)
    }

    #[inline]
    fn one_pass<T: Tree<GameKey<G>>>(
        &self,
        tree: &mut T,
        at: T::Id,
        leaf: &mut Leaf<G>,
        places: &mut Places<G::Action>,
        effort: &mut Effort,
    ) -> Option<Option<(T::Id, u32)>> {
        one_pass(tree, at, self.0, leaf, places, effort)
    }
}
