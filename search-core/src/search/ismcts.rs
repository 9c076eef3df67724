//! SO-ISMCTS: single-observer information-set tree search.
//!
//! Cowling, Powley & Whitehouse 2012, section IV. Every simulation samples a fresh world from the
//! observation and descends one shared tree of actions, restricted to those legal in that world. A
//! child is compared with the number of times it was *available*: the visits of its parent, since
//! the child was made, in which it was legal.
//!
//! What it may know: the searcher's own observation. It treats opponents as if they did not know
//! their hands (their decisions are shared over all worlds) and as if all moves were observed. Nodes
//! are told apart by the actions and chance outcomes that led there, so what a player is shown
//! privately on the way is not used to plan ahead. It does not converge to an equilibrium.

use crate::budget::Budget;
use crate::decision::{Decision, SearchError};
use crate::game::Game;
use crate::observation::Determinizer;
use crate::rng::Seed;
use crate::rollout::{LeafEvaluator, Rollout};
use crate::search::Searcher;
use crate::search::kernel::Children;
use crate::search::key::GameKey;
use crate::search::rule::Plain;
use crate::search::tree_search::{TreeSettings, run};
use crate::search::worlds::{Root, Sampled, Worlds};
use crate::tree::{Indexed, Snapshot, Storage};

/// Single-observer information-set MCTS with a determinizer, a leaf evaluator and a tree storage.
#[derive(Debug, Clone)]
pub struct Ismcts<G: Game, D, E = Rollout, S = Indexed<GameKey<G>>> {
    /// The settings.
    pub settings: TreeSettings,
    /// Where worlds come from.
    pub determinizer: D,
    /// What values a leaf: a random rollout by default.
    pub evaluator: E,
    storages: Vec<S>,
    tree: Option<Snapshot<GameKey<G>>>,
}

impl<G: Game, D: Determinizer<G>> Ismcts<G, D> {
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

impl<G: Game, D: Determinizer<G>, E: LeafEvaluator<G>, S: Storage<GameKey<G>>> Ismcts<G, D, E, S> {
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
}

impl<G, D, E, S> Searcher<G> for Ismcts<G, D, E, S>
where
    G: Game,
    D: Determinizer<G>,
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
        if budget.is_empty() {
            return Err(SearchError::EmptyBudget);
        }
        let mut worlds = Sampled::to_weigh(game, &self.determinizer, observation)?;
        let root = Root::look(game, &worlds, seed)?;
        let rule = Plain(self.settings.ucb(game)?);
        if !(self.settings.skip_forced && root.legal.len() == 1) {
            worlds.weigh(game, budget, seed)?;
        }
        let mut statistics = run(
            &self.settings,
            (game, &(&worlds as &dyn Worlds<G>), &self.evaluator),
            (&rule, Children::Available),
            &mut self.storages,
            &root,
            budget,
            seed,
        )?;
        worlds.report(&mut statistics.effort);
        self.tree = statistics.snapshot.take();
        Ok(statistics.decide(&root, game.return_scale(), self.settings.final_choice, seed))
    }

    fn tree(&self) -> Option<&Snapshot<GameKey<G>>> {
        self.tree.as_ref()
    }
}
