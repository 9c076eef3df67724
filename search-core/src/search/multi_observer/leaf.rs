//! A simulation between selection and backup: its worlds, its path, and backing it up.

use crate::decision::{Effort, SearchError};
use crate::game::{Game, Player, Returns};
use crate::rng::SimRng;
use crate::rollout::{Ending, Evaluation, LeafEvaluator};
use crate::search::root::usable;
use crate::tree::Tree;

use super::key::Key;

/// A world as a player in the tree sees it, which then goes the way of the simulation as far as it
/// can.
pub(super) struct Redealt<G: Game> {
    pub(super) world: G::State,
    /// Whether everything so far could happen in it, too.
    pub(super) follows: bool,
    evaluation: Option<Evaluation>,
}

/// A simulation between selection and backup.
pub(super) struct Leaf<G: Game> {
    pub(super) world: G::State,
    pub(super) rng: SimRng,
    /// Draws redeals, so that these leave the other draws alone.
    pub(super) redeals: SimRng,
    pub(super) legal: Vec<G::Action>,
    copies: Vec<Redealt<G>>,
    used: usize,
    evaluation: Option<Evaluation>,
}

impl<G: Game> Leaf<G> {
    pub(super) fn new(world: G::State, room: usize) -> Self {
        Self {
            world,
            rng: SimRng::new(0),
            redeals: SimRng::new(0),
            legal: Vec::with_capacity(room),
            copies: Vec::new(),
            used: 0,
            evaluation: None,
        }
    }

    /// Forgets the copies of the simulation before, keeping their memory.
    pub(super) fn clear(&mut self) {
        self.used = 0;
    }

    /// How many copies there are.
    pub(super) const fn copies(&self) -> usize {
        self.used
    }

    /// The simulation's world and memory for one more copy.
    pub(super) fn spare(&mut self) -> (&G::State, &mut G::State) {
        if self.copies.len() == self.used {
            self.copies.push(Redealt {
                world: self.world.clone(),
                follows: true,
                evaluation: None,
            });
        }
        (&self.world, &mut self.copies[self.used].world)
    }

    /// Takes the spare copy into use.
    pub(super) fn keep_spare(&mut self) {
        self.copies[self.used].follows = true;
        self.used += 1;
    }

    /// The copies that still follow.
    pub(super) fn following(&mut self) -> impl Iterator<Item = &mut Redealt<G>> {
        self.copies[..self.used].iter_mut().filter(|c| c.follows)
    }

    /// Values the leaf and, with the same luck, what became of the copies.
    pub(super) fn evaluate(&mut self, game: &G, evaluator: &impl LeafEvaluator<G>) {
        let Self {
            world, rng, legal, ..
        } = self;
        let luck = rng.clone();
        self.evaluation = Some(evaluator.evaluate(game, world, rng, legal));
        for copy in &mut self.copies[..self.used] {
            let mut rng = luck.clone();
            let evaluation = evaluator.evaluate(game, &mut copy.world, &mut rng, legal);
            copy.evaluation = Some(evaluation);
        }
    }

    fn evaluations(&self) -> impl Iterator<Item = &Evaluation> {
        let copies = self.copies[..self.used].iter();
        let copied = copies.filter_map(|copy| copy.evaluation.as_ref());
        self.evaluation.as_ref().into_iter().chain(copied)
    }

    fn returns(&self, copy: Option<u32>) -> Option<&Returns> {
        let evaluation = match copy {
            None => self.evaluation.as_ref(),
            Some(copy) => self.copies[copy as usize].evaluation.as_ref(),
        };
        evaluation.map(|e| &e.returns)
    }
}

/// An edge on the way down.
pub(super) struct Step<I> {
    pub(super) id: I,
    /// Whose return it adds up; nobody's at a root and after chance in a shared tree.
    pub(super) credit: Option<Player>,
    /// The copy of the world to take the return from; `None` for the simulation's own.
    pub(super) copy: Option<u32>,
}

impl<I> Step<I> {
    /// An edge that takes its return, if any, from the simulation's own world.
    pub(super) const fn plain(id: I, credit: Option<Player>) -> Self {
        Self {
            id,
            credit,
            copy: None,
        }
    }
}

/// The way down, in all trees.
pub(super) struct Path<A, I> {
    pub(super) steps: Vec<Step<I>>,
    /// Events from the root.
    pub(super) events: u32,
    /// Position of the first edge among the children of the searcher's root, and its action.
    pub(super) first: Option<(u32, A)>,
}

impl<A, I> Default for Path<A, I> {
    fn default() -> Self {
        Self {
            steps: Vec::new(),
            events: 0,
            first: None,
        }
    }
}

impl<A, I: Copy> Path<A, I> {
    pub(super) fn with_room() -> Self {
        Self {
            steps: Vec::with_capacity(64),
            ..Self::default()
        }
    }

    /// Starts at the roots.
    pub(super) fn restart(&mut self, roots: &[I]) {
        self.steps.clear();
        self.steps
            .extend(roots.iter().map(|&id| Step::plain(id, None)));
        self.events = 0;
        self.first = None;
    }
}

/// Counts the path of a simulation as in flight, or no longer.
pub(super) fn mark<G: Game, T: Tree<Key<G>>>(
    tree: &T,
    path: &Path<G::Action, T::Id>,
    begins: bool,
) {
    for step in &path.steps {
        tree.edge(step.id).set_in_flight(begins);
    }
}

/// Adds one simulation to every edge on its path.
pub(super) fn backup<G: Game, T: Tree<Key<G>>>(
    tree: &T,
    path: &Path<G::Action, T::Id>,
    leaf: &Leaf<G>,
    searcher: Player,
    squares: &mut Vec<f64>,
    effort: &mut Effort,
) -> Result<(), SearchError> {
    let mut truncated = false;
    for evaluation in leaf.evaluations() {
        let returns = &evaluation.returns;
        if let Some(player) = returns.iter().position(|value| !usable(*value)) {
            return Err(SearchError::NonFiniteReturn {
                player,
                value: returns[player],
                action: format!("{:?}", path.first.map(|(_, action)| action)),
            });
        }
        match evaluation.ending {
            Ending::Terminal => {}
            Ending::CutOff => truncated = true,
            Ending::Stuck(player) => {
                let player = player.index();
                return Err(SearchError::NoActions { player });
            }
        }
    }
    effort.truncated_rollouts += u64::from(truncated);
    effort.depth = effort.depth.max(path.events);
    for step in &path.steps {
        let edge = tree.edge(step.id);
        match (step.credit, leaf.returns(step.copy)) {
            (Some(player), Some(returns)) => edge.record(returns.of(player)),
            _ => edge.record_visit(),
        }
    }
    if let (Some((ordinal, _)), Some(returns)) = (path.first, leaf.returns(None)) {
        let ordinal = ordinal as usize;
        if squares.len() <= ordinal {
            squares.resize(ordinal + 1, 0.0);
        }
        let value = returns.of(searcher);
        squares[ordinal] += value * value;
    }
    Ok(())
}
