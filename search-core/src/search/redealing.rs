//! RIS-MCTS: re-determinizing information-set tree search.
//!
//! Goodman 2019. In SO-ISMCTS every world holds the searcher's true cards, so the others' decisions in the
//! tree learn to answer cards that they cannot see. Here, when a player other than the searcher is to
//! move, the world is first resampled from what *this player* sees in it. The player chooses between
//! actions legal in both worlds; the simulation goes on in its own world, which decides what the searcher
//! gets.
//!
//! The paper has the resampled world decide which actions there are; what an action is worth to the player
//! has to come from there as well, or where actions are public nothing would change. So the resampled world
//! goes the way of the simulation as far as its rules allow, is played out from there with the same luck, and
//! its return is what the player's edge adds up. Where nothing is hidden it is the same world, and the
//! search is SO-ISMCTS bit for bit.
//!
//! Cost: a plan, a sample and a rollout more for each decision of another player on the way down.
//!
//! What it may know: the searcher's own observation; in a sampled world, each player's.
//!
//! Known limits: the composed line may be impossible (the searcher's later actions, chosen for the own cards,
//! answer in a world where they belong to others); statistics of a player are still shared by all of the player's
//! hands; nothing is inferred from what was played. It converges to no equilibrium.

use crate::budget::Budget;
use crate::decision::{Decision, SearchError};
use crate::game::{Game, Sight};
use crate::observation::Determinizer;
use crate::rng::Seed;
use crate::rollout::{LeafEvaluator, Rollout};
use crate::search::Searcher;
use crate::search::multi_observer::{Key, ObservedKey, Parts, RedealBy, Trees, run};
use crate::search::tree_search::TreeSettings;
use crate::search::worlds::{Root, Sampled};
use crate::tree::{Indexed, Snapshot, Storage};

/// Re-determinizing information-set MCTS with a determinizer, a leaf evaluator and a tree storage.
#[derive(Debug, Clone)]
pub struct RisMcts<G: Game, D, E = Rollout, S = Indexed<ObservedKey<<G as Game>::Action>>> {
    /// The settings.
    pub settings: TreeSettings,
    /// Where worlds come from, the searcher's and the others'.
    pub determinizer: D,
    /// What values a leaf: a random rollout by default.
    pub evaluator: E,
    storages: Vec<S>,
    tree: Option<Snapshot<Key<G>>>,
}

impl<G: Game, D: Determinizer<G>> RisMcts<G, D> {
    /// With random rollouts, on the default storage.
    #[must_use]
    pub fn new(settings: TreeSettings, determinizer: D) -> Self {
        Self::with(
            settings,
            determinizer,
            Rollout::default(),
            Indexed::default(),
        )
    }
}

impl<G: Game, D: Determinizer<G>, E: LeafEvaluator<G>, S: Storage<Key<G>>> RisMcts<G, D, E, S> {
    /// With this leaf evaluator and storage.
    #[must_use]
    pub fn with(settings: TreeSettings, determinizer: D, evaluator: E, storage: S) -> Self {
        Self {
            settings,
            determinizer,
            evaluator,
            storages: vec![storage],
            tree: None,
        }
    }

    /// The tree of the last search, if [`TreeSettings::keep_tree`] says so.
    pub const fn shared_tree(&self) -> Option<&Snapshot<Key<G>>> {
        self.tree.as_ref()
    }
}

impl<G, D, E, S> Searcher<G> for RisMcts<G, D, E, S>
where
    G: Game,
    D: Determinizer<G>,
    E: LeafEvaluator<G>,
    S: Storage<Key<G>>,
{
    fn search(
        &mut self,
        game: &G,
        observation: &G::Observation,
        budget: &Budget,
        seed: Seed,
    ) -> Result<Decision<G::Action>, SearchError> {
        if budget.is_empty() {
            return Err(SearchError::EmptyBudget);
        }
        let worlds = Sampled::new(game, &self.determinizer, observation)?;
        let root = Root::look(game, &worlds, seed)?;
        let parts = Parts {
            game,
            worlds: &worlds,
            evaluator: &self.evaluator,
            redeal: &RedealBy(&self.determinizer),
            trees: Trees::Shared,
            sight: Sight::public(),
        };
        let (statistics, tree) = run(
            &self.settings,
            &parts,
            &mut self.storages,
            &root,
            budget,
            seed,
        )?;
        self.tree = tree;
        Ok(statistics.decide(&root, game.return_scale(), self.settings.final_choice, seed))
    }
}
