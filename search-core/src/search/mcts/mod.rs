//! MCTS with everything that may guide it: [`Mcts`].
//!
//! The same search as [`Uct`](crate::search::Uct) and [`Ismcts`](crate::search::Ismcts), and with the
//! default settings the same bits; those two keep to 24 bytes an edge and know UCB1 alone, this one
//! keeps 24 bytes more and what the settings ask for beside the tree.
//!
//! What it may know: the searcher's own observation. A heuristic is shown sampled worlds, priors the
//! observation that the player to move has in a sampled world.

mod amaf;
mod guide;
mod learning;
mod memory;
mod proof;
mod selector;
mod settings;

pub use memory::Noted;
pub use selector::Selector;
pub use settings::{AllMovesAsFirst, Backup, Learning, MctsSettings};

use std::fmt;
use std::sync::Arc;

use crate::budget::Budget;
use crate::decision::{Decision, SearchError};
use crate::game::Game;
use crate::observation::Determinizer;
use crate::policy::{Evaluator, Priors};
use crate::rng::Seed;
use crate::rollout::{LeafEvaluator, Rollout};
use crate::search::Searcher;
use crate::search::chance::Chance;
use crate::search::kernel::Children;
use crate::search::key::GameKey;
use crate::search::tree_search::{Parallel, run};
use crate::search::worlds::{Root, Sampled};
use crate::tree::{Indexed, Snapshot, Storage};
use guide::Guide;

/// Monte Carlo tree search over a game of perfect information, or over sampled worlds of one that
/// hides something, with a leaf evaluator and a tree storage.
pub struct Mcts<G: Game, D, E = Rollout, S = Indexed<GameKey<G>, Noted>> {
    /// The settings.
    pub settings: MctsSettings,
    /// Which outcomes of chance are followed: drawn ones by default. Over sampled worlds always those.
    pub chance: Chance<G>,
    /// Where worlds come from; [`Identity`](crate::observation::Identity) for perfect information.
    pub determinizer: D,
    /// What values a leaf: a random rollout by default.
    pub evaluator: E,
    /// How likely each action is before it is tried; uniform without.
    pub priors: Option<Arc<dyn Priors<G>>>,
    /// What a position looks like before it is searched, on the scale of the returns.
    pub heuristic: Option<Arc<dyn Evaluator<G>>>,
    storages: Vec<S>,
    tree: Option<Snapshot<GameKey<G>>>,
}

impl<G: Game, D: Determinizer<G>> Mcts<G, D> {
    /// With random rollouts, on the default storage.
    #[must_use]
    pub fn new(settings: MctsSettings, determinizer: D) -> Self {
        Self::with(
            settings,
            determinizer,
            Rollout::default(),
            Indexed::default(),
        )
    }
}

impl<G, D, E, S> Mcts<G, D, E, S>
where
    G: Game,
    D: Determinizer<G>,
    E: LeafEvaluator<G>,
    S: Storage<GameKey<G>, Noted>,
{
    /// With this leaf evaluator and storage.
    #[must_use]
    pub fn with(settings: MctsSettings, determinizer: D, evaluator: E, storage: S) -> Self {
        Self {
            settings,
            chance: Chance::Sampled,
            determinizer,
            evaluator,
            priors: None,
            heuristic: None,
            storages: vec![storage],
            tree: None,
        }
    }

    fn check(&self) -> Result<(), SearchError> {
        self.settings.check()?;
        let bad = |name, value: &str, expected| {
            Err(SearchError::BadSetting {
                name,
                value: value.into(),
                expected,
            })
        };
        if self.settings.tree.parallel == Parallel::Shared {
            return bad(
                "parallel",
                "shared",
                "another mode: threads share plain counters alone",
            );
        }
        if self.settings.solver && !D::PERFECT_INFORMATION {
            return bad(
                "solver",
                "true",
                "perfect information: a proof in one world is none",
            );
        }
        if self.settings.solver && matches!(self.chance, Chance::OpenLoop) {
            return bad(
                "solver",
                "true",
                "chance nodes: an open loop proves nothing",
            );
        }
        if self.settings.minimax > 0.0 && self.heuristic.is_none() {
            let value = self.settings.minimax.to_string();
            return bad("minimax", &value, "a heuristic for what it backs up");
        }
        Ok(())
    }
}

impl<G, D, E, S> Searcher<G> for Mcts<G, D, E, S>
where
    G: Game,
    D: Determinizer<G>,
    E: LeafEvaluator<G>,
    S: Storage<GameKey<G>, Noted>,
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
        self.check()?;
        let mut worlds = Sampled::to_weigh(game, &self.determinizer, observation)?;
        let root = Root::look(game, &worlds, seed)?;
        if !(self.settings.tree.skip_forced && root.legal.len() == 1) {
            worlds.weigh(game, budget, seed)?;
        }
        let guide = Guide {
            settings: &self.settings,
            ucb: self.settings.tree.ucb(game)?,
            player: root.player,
            priors: self.priors.as_deref(),
            heuristic: self.heuristic.as_deref(),
            range: (*game.return_bounds().start(), *game.return_bounds().end()),
            players: game.num_players(),
            sum: game.returns_sum(),
            listed: matches!(self.chance, Chance::Explicit(_)),
        };
        let children = if D::PERFECT_INFORMATION {
            Children::Block(self.chance)
        } else {
            Children::Available
        };
        let mut statistics = run(
            &self.settings.tree,
            (game, &worlds, &self.evaluator),
            (&guide, children),
            &mut self.storages,
            &root,
            budget,
            seed,
        )?;
        worlds.report(&mut statistics.effort);
        self.tree = statistics.snapshot.take();
        let choice = self.settings.tree.final_choice;
        Ok(statistics.decide(&root, game.return_scale(), choice, seed))
    }

    fn tree(&self) -> Option<&Snapshot<GameKey<G>>> {
        self.tree.as_ref()
    }
}

impl<G: Game, D: fmt::Debug, E: fmt::Debug, S> fmt::Debug for Mcts<G, D, E, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mcts")
            .field("settings", &self.settings)
            .field("chance", &self.chance)
            .field("determinizer", &self.determinizer)
            .field("evaluator", &self.evaluator)
            .finish_non_exhaustive()
    }
}
