//! UCT: bandit-based tree search with perfect information.
//!
//! Kocsis & Szepesvári 2006; Coulom 2006. Each simulation descends by UCB1 to a node that was not
//! visited before, plays it out, and adds to every edge on the path the return of the player who
//! chose it (max^n backup, Sturtevant 2008): any number of players, any order of moves, and general
//! sums need no special case. Chance nodes keep one child an outcome; which is followed is a setting,
//! [`Chance`].
//!
//! What it may know: everything. For hidden information use [`Ismcts`](crate::search::Ismcts) or
//! [`Pimc`](crate::search::Pimc); [`Uct::search_state`] on a true state is the *cheating* search
//! that serves as an upper reference.

use crate::budget::Budget;
use crate::decision::{Decision, SearchError};
use crate::game::Game;
use crate::rng::Seed;
use crate::rollout::{LeafEvaluator, Rollout};
use crate::search::Searcher;
use crate::search::chance::Chance;
use crate::search::kernel::Children;
use crate::search::key::GameKey;
use crate::search::reuse::with_inherited;
use crate::search::rule::Plain;
use crate::search::tree_search::{TreeSettings, run};
use crate::search::worlds::{Known, Root, Worlds};
use crate::tree::{Indexed, Snapshot, Storage};

/// UCT over a game of perfect information, with a leaf evaluator and a tree storage.
#[derive(Debug, Clone)]
pub struct Uct<G: Game, E = Rollout, S = Indexed<GameKey<G>>> {
    /// The settings.
    pub settings: TreeSettings,
    /// Which outcomes of chance are followed: drawn ones by default.
    pub chance: Chance<G>,
    /// What values a leaf: a random rollout by default.
    pub evaluator: E,
    pub(super) storages: Vec<S>,
    /// Whether the first storage holds the tree of the last search, or what was kept of it.
    pub(super) has_tree: bool,
    tree: Option<Snapshot<GameKey<G>>>,
}

impl<G: Game> Default for Uct<G> {
    fn default() -> Self {
        Self::new(TreeSettings::default())
    }
}

impl<G: Game> Uct<G> {
    /// With random rollouts, on the default storage.
    #[must_use]
    pub fn new(settings: TreeSettings) -> Self {
        Self::with(settings, Rollout::default(), Indexed::default())
    }
}

impl<G: Game, E: LeafEvaluator<G>, S: Storage<GameKey<G>>> Uct<G, E, S> {
    /// With this leaf evaluator and storage.
    #[must_use]
    pub fn with(settings: TreeSettings, evaluator: E, storage: S) -> Self {
        Self {
            settings,
            chance: Chance::Sampled,
            evaluator,
            storages: vec![storage],
            has_tree: false,
            tree: None,
        }
    }

    /// Searches a state that is known in full.
    ///
    /// # Errors
    /// See [`SearchError`].
    pub fn search_state(
        &mut self,
        game: &G,
        state: &G::State,
        budget: &Budget,
        seed: Seed,
    ) -> Result<Decision<G::Action>, SearchError> {
        if budget.is_empty() {
            return Err(SearchError::EmptyBudget);
        }
        let worlds = Known(state);
        let root = Root::look(game, &worlds, seed)?;
        let rule = Plain(self.settings.ucb(game)?);
        let inherited = self.inherited(&root.legal);
        let forced = self.settings.skip_forced && root.legal.len() == 1;
        self.has_tree &= forced;
        let mut statistics = run(
            &self.settings,
            (game, &(&worlds as &dyn Worlds<G>), &self.evaluator),
            (&rule, Children::Block(self.chance)),
            &mut self.storages,
            &root,
            budget,
            seed,
        )?;
        self.tree = statistics.snapshot.take();
        if !forced {
            with_inherited(&mut statistics, &inherited, game.return_scale());
            self.has_tree = self.grows_one_tree();
        }
        Ok(statistics.decide(&root, game.return_scale(), self.settings.final_choice, seed))
    }

    /// The tree of the last search, if the settings ask to keep it.
    pub fn last_tree(&self) -> Option<&Snapshot<GameKey<G>>> {
        self.tree.as_ref()
    }
}

impl<G, E, S> Searcher<G> for Uct<G, E, S>
where
    G: Game<Observation = <G as Game>::State>,
    E: LeafEvaluator<G>,
    S: Storage<GameKey<G>>,
{
    fn search(
        &mut self,
        game: &G,
        observation: &G::Observation,
        budget: &Budget,
        seed: Seed,
    ) -> Result<Decision<G::Action>, SearchError> {
        self.search_state(game, observation, budget, seed)
    }

    fn tree(&self) -> Option<&Snapshot<GameKey<G>>> {
        self.last_tree()
    }
}
