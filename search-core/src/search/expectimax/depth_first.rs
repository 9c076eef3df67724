//! What a depth-first search needs to know of a game beyond its rules: [`DepthFirst`].

use std::fmt;
use std::sync::Arc;

use crate::game::{ChanceOutcomes, Game};
use crate::policy::Evaluator;
use crate::search::expectimax::expand::{Expand, SingleActions};

/// Replaces the content of a vector with the outcomes of a chance node and their probabilities.
pub type Outcomes<G> = fn(&G, &<G as Game>::State, &mut Vec<(<G as Game>::Chance, f64)>);

/// The key of a state: equal keys are taken for equal states.
pub type StateKey<G> = fn(&G, &<G as Game>::State) -> u128;

/// The state that an observation shows.
pub type Seen<G> = for<'a> fn(&'a <G as Game>::Observation) -> &'a <G as Game>::State;

/// Whether two states are the same.
pub type SameState<G> = fn(&<G as Game>::State, &<G as Game>::State) -> bool;

/// What a depth-first search needs beyond [`Game`]: for games of perfect information, since the
/// state is read off the observation.
pub struct DepthFirst<G: Game> {
    /// The outcomes of a chance node; `None` for a game without chance turns.
    pub outcomes: Option<Outcomes<G>>,
    /// What values a position where the search stops. It is shown positions at which chance is to
    /// move as well as decisions, and should value what lies ahead of them. Values beyond
    /// [`Game::return_bounds`] are cut to the bounds, on which pruning relies.
    pub evaluator: Arc<dyn Evaluator<G>>,
    /// How decisions are expanded.
    pub expand: Arc<dyn Expand<G>>,
    /// A key for the transposition table that includes everything the future depends on: the side
    /// to move, the dice, and counters that can end the game. Without one there is no table.
    pub key: Option<StateKey<G>>,
    /// The state that an observation shows.
    pub seen: Seen<G>,
    /// Whether two states are the same, everything included.
    pub same: SameState<G>,
}

impl<G> DepthFirst<G>
where
    G: Game<Observation = <G as Game>::State>,
    G::State: PartialEq,
{
    /// For a game without chance turns: single actions, no table.
    pub fn new(evaluator: impl Evaluator<G> + 'static) -> Self {
        Self {
            outcomes: None,
            evaluator: Arc::new(evaluator),
            expand: Arc::new(SingleActions),
            key: None,
            seen: |observation| observation,
            same: |a, b| a == b,
        }
    }
}

impl<G: Game> DepthFirst<G> {
    /// With the chance outcomes of the game.
    #[must_use]
    pub fn with_chance(mut self) -> Self
    where
        G: ChanceOutcomes,
    {
        self.outcomes = Some(G::chance_outcomes);
        self
    }

    /// With a key for the transposition table.
    #[must_use]
    pub fn with_key(mut self, key: StateKey<G>) -> Self {
        self.key = Some(key);
        self
    }

    /// With another way to expand decisions.
    #[must_use]
    pub fn with_expand(mut self, expand: impl Expand<G> + 'static) -> Self {
        self.expand = Arc::new(expand);
        self
    }
}

impl<G: Game> Clone for DepthFirst<G> {
    fn clone(&self) -> Self {
        Self {
            outcomes: self.outcomes,
            evaluator: Arc::clone(&self.evaluator),
            expand: Arc::clone(&self.expand),
            key: self.key,
            seen: self.seen,
            same: self.same,
        }
    }
}

impl<G: Game> fmt::Debug for DepthFirst<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DepthFirst")
            .field("chance", &self.outcomes.is_some())
            .field("key", &self.key.is_some())
            .finish_non_exhaustive()
    }
}

/// Values every position at [`Game::cut_off_returns`]: the search then sees only the ends of the
/// game that it reaches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CutOff;

impl<G: Game> Evaluator<G> for CutOff {
    fn evaluate(&self, game: &G, state: &G::State) -> crate::game::Returns {
        game.cut_off_returns(state)
    }
}
