//! Searchers of a known state for games named at run time, whose observation is the state.

use search_core::budget::Budget;
use search_core::decision::{Decision, SearchError};
use search_core::game::Game;
use search_core::observation::Determinizer;
use search_core::plugin::Plugin;
use search_core::rng::Seed;
use search_core::rollout::LeafEvaluator;
use search_core::search::{GameKey, GraphUct, KrUct, Searcher, Shot, Smoothed, Uct, UctPw};
use search_core::tree::Snapshot;

/// A searcher that wants the state.
pub(super) trait SearchState<G: Game> {
    /// As [`Searcher::search`], from a state.
    fn search_state(
        &mut self,
        game: &G,
        state: &G::State,
        budget: &Budget,
        seed: Seed,
    ) -> Result<Decision<G::Action>, SearchError>;

    /// As [`Searcher::tree`].
    fn tree(&self) -> Option<&Snapshot<GameKey<G>>> {
        None
    }
}

impl<G: Game, E: LeafEvaluator<G>> SearchState<G> for Uct<G, E> {
    fn search_state(
        &mut self,
        game: &G,
        state: &G::State,
        budget: &Budget,
        seed: Seed,
    ) -> Result<Decision<G::Action>, SearchError> {
        self.search_state(game, state, budget, seed)
    }

    fn tree(&self) -> Option<&Snapshot<GameKey<G>>> {
        self.last_tree()
    }
}

macro_rules! without_tree {
    ($($searcher:ident),*) => {$(
        impl<G: Game, E: LeafEvaluator<G>> SearchState<G> for $searcher<G, E> {
            fn search_state(
                &mut self,
                game: &G,
                state: &G::State,
                budget: &Budget,
                seed: Seed,
            ) -> Result<Decision<G::Action>, SearchError> {
                self.search_state(game, state, budget, seed)
            }
        }
    )*};
}
without_tree!(GraphUct, KrUct, Shot, Smoothed, UctPw);

/// A searcher of states behind a determinizer of perfect information. That the observation is the
/// state is known of the game only at run time here, so the one world there is is taken from its
/// determinizer.
pub(super) struct Known<P: Plugin, S> {
    determinizer: P::Determinizer,
    searcher: S,
}

impl<P: Plugin, S> Known<P, S> {
    /// The determinizer must be one of perfect information.
    pub(super) const fn new(determinizer: P::Determinizer, searcher: S) -> Self {
        Self {
            determinizer,
            searcher,
        }
    }
}

impl<P: Plugin, S: SearchState<P>> Searcher<P> for Known<P, S> {
    fn search(
        &mut self,
        game: &P,
        observation: &P::Observation,
        budget: &Budget,
        seed: Seed,
    ) -> Result<Decision<P::Action>, SearchError> {
        let plan = self.determinizer.plan(game, observation)?;
        let mut state = self.determinizer.scratch(game, observation, &plan);
        let mut rng = seed.simulation(0);
        self.determinizer
            .sample(game, observation, &plan, &mut rng, &mut state);
        self.searcher.search_state(game, &state, budget, seed)
    }

    fn tree(&self) -> Option<&Snapshot<GameKey<P>>> {
        self.searcher.tree()
    }
}
