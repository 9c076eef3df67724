//! MO-ISMCTS, a tree for each player, and ISMCTS with hidden moves, one tree for the searcher.
//!
//! Cowling, Powley & Whitehouse 2012, sections IV-C and IV-B. Every simulation samples a world from the
//! searcher's observation. With [`Observers::EachPlayer`] it descends all trees at once: the player to
//! move chooses in the own tree, between own actions, and every other tree goes to the child labelled
//! with what its owner sees of that ([`Sight`]); so it does at chance turns. A simulation ends after an
//! action that is new in the tree of the player who chose it, or an outcome that is new to everybody;
//! the trees of the others grow with what they see. In each tree the returns of its owner are added up.
//! With [`Observers::SearcherOnly`] there is the searcher's tree alone: the others choose between
//! what the searcher tells apart, and play any action that looks so with equal probability.
//!
//! Of what is [`UNNOTICED`] an observer knows nothing: he stays at his node. In the searcher's tree such
//! actions share one edge, by which the others choose them, and with nothing below it.
//!
//! Where everybody sees everything both are SO-ISMCTS, bit for bit, with other players who do not know
//! their own hands: the tree of a player begins at the searcher's root, in one node for all of this player's
//! hands. Nodes differ by what was seen of actions and outcomes since.
//!
//! What it may know: the searcher's own observation, and the rules of who sees what.

mod kernel;
mod key;
mod leaf;
mod redeal;
mod run;
mod step;

pub(crate) use kernel::Trees;
pub(crate) use key::Key;
pub use key::ObservedKey;
pub(crate) use redeal::{NoRedeal, RedealBy};
pub(crate) use run::{Parts, run};

use crate::budget::Budget;
use crate::decision::{Decision, SearchError};
#[cfg(doc)]
use crate::game::UNNOTICED;
use crate::game::{Game, Sight};
use crate::observation::Determinizer;
use crate::rng::Seed;
use crate::rollout::{LeafEvaluator, Rollout};
use crate::search::Searcher;
use crate::search::tree_search::TreeSettings;
use crate::search::worlds::{Root, Sampled};
use crate::tree::{Indexed, Snapshot, Storage};

/// Who has a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Observers {
    /// Every player: MO-ISMCTS.
    #[default]
    EachPlayer,
    /// The searcher: SO-ISMCTS with partially observable moves.
    SearcherOnly,
}

/// Information-set MCTS for moves that not everybody sees.
#[derive(Debug, Clone)]
pub struct MoIsmcts<G: Game, D, E = Rollout, S = Indexed<ObservedKey<<G as Game>::Action>>> {
    /// The settings.
    pub settings: TreeSettings,
    /// Who has a tree.
    pub observers: Observers,
    /// Where worlds come from.
    pub determinizer: D,
    /// Who sees what.
    pub sight: Sight<G>,
    /// What values a leaf: a random rollout by default.
    pub evaluator: E,
    storages: Vec<S>,
    trees: Option<Snapshot<Key<G>>>,
}

impl<G: Game, D: Determinizer<G>> MoIsmcts<G, D> {
    /// A tree for each player, with random rollouts, on the default storage.
    #[must_use]
    pub fn new(settings: TreeSettings, determinizer: D, sight: Sight<G>) -> Self {
        Self::with(
            settings,
            determinizer,
            sight,
            Rollout::default(),
            Indexed::default(),
        )
    }
}

impl<G: Game, D: Determinizer<G>, E: LeafEvaluator<G>, S: Storage<Key<G>>> MoIsmcts<G, D, E, S> {
    /// With this leaf evaluator and storage.
    #[must_use]
    pub fn with(
        settings: TreeSettings,
        determinizer: D,
        sight: Sight<G>,
        evaluator: E,
        storage: S,
    ) -> Self {
        Self {
            settings,
            observers: Observers::EachPlayer,
            determinizer,
            sight,
            evaluator,
            storages: vec![storage],
            trees: None,
        }
    }

    /// The trees of the last search, if [`TreeSettings::keep_tree`] says so: each player's below its
    /// [`ObservedKey::Root`], or the searcher's alone.
    pub const fn trees(&self) -> Option<&Snapshot<Key<G>>> {
        self.trees.as_ref()
    }
}

impl<G, D, E, S> Searcher<G> for MoIsmcts<G, D, E, S>
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
            redeal: &NoRedeal,
            trees: match self.observers {
                Observers::EachPlayer => Trees::EachPlayer,
                Observers::SearcherOnly => Trees::Searcher,
            },
            sight: self.sight,
        };
        let (statistics, trees) = run(
            &self.settings,
            &parts,
            &mut self.storages,
            &root,
            budget,
            seed,
        )?;
        self.trees = trees;
        Ok(statistics.decide(&root, game.return_scale(), self.settings.final_choice, seed))
    }
}
