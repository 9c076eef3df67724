//! UCT for games named at run time, whose observation is the state.

use search_core::budget::Budget;
use search_core::decision::{Decision, SearchError};
use search_core::observation::Determinizer;
use search_core::plugin::Plugin;
use search_core::rng::Seed;
use search_core::rollout::LeafEvaluator;
use search_core::search::{Chance, GameKey, Searcher, TreeSettings, Uct};
use search_core::tree::{Indexed, Snapshot};

/// UCT behind a determinizer of perfect information. That the observation is the state is known of
/// the game only at run time here, so the one world there is is taken from its determinizer.
pub(super) struct KnownState<P: Plugin, E> {
    determinizer: P::Determinizer,
    uct: Uct<P, E>,
}

impl<P: Plugin, E: LeafEvaluator<P>> KnownState<P, E> {
    /// The determinizer must be one of perfect information.
    pub(super) fn new(
        settings: TreeSettings,
        chance: Chance<P>,
        determinizer: P::Determinizer,
        evaluator: E,
    ) -> Self {
        let mut uct = Uct::with(settings, evaluator, Indexed::default());
        uct.chance = chance;
        Self { determinizer, uct }
    }
}

impl<P: Plugin, E: LeafEvaluator<P>> Searcher<P> for KnownState<P, E> {
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
        self.uct.search_state(game, &state, budget, seed)
    }

    fn tree(&self) -> Option<&Snapshot<GameKey<P>>> {
        self.uct.last_tree()
    }
}
