//! UCT on the graph of positions: a position reached in several ways is one node.
//!
//! Childs, Brodeur & Kocsis 2008 ("Transpositions and move groups in Monte Carlo tree search") number
//! what can be shared; [`Sharing`] has their three ways and the settings of the third that Czech,
//! Korus & Kersting 2021 ("Improving AlphaZero using Monte-Carlo graph search") use. Every edge keeps
//! its own count of visits, which the exploration term and the final choice go by; what an edge is
//! worth may come from the node that it leads to.
//!
//! Positions are told apart by the game's key ([`StateKey`]) and by whose turn it is. A position that
//! comes again on one path ends the simulation there, valued at
//! [`Game::cut_off_returns`] and counted among the truncated rollouts: games that repeat positions do
//! not go round for ever.
//!
//! What it may know: everything, as [`Uct`](super::Uct). A node keeps the returns of all players, since
//! different players may choose the edges that lead to it.

mod nodes;
mod run;
mod table;
#[cfg(test)]
mod tests;

use crate::budget::Budget;
use crate::decision::{Decision, SearchError};
use crate::game::Game;
use crate::rng::Seed;
use crate::rollout::{LeafEvaluator, Rollout};
use crate::search::Searcher;
use crate::search::expectimax::StateKey;
use crate::search::root::{FinalChoice, RootStatistics};
use crate::search::selection::FirstPlayUrgency;
use crate::search::tree_search::not_negative;
use crate::search::worlds::{Known, Root};
use nodes::Graph;

/// What the ways to one position share. Names after Childs, Brodeur & Kocsis 2008.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sharing {
    /// UCT1: the position is one node with one set of edges; each edge is worth the mean over the
    /// simulations that went through it.
    Edges,
    /// UCT2: an edge is worth the mean over all simulations that went through the
    /// position it leads to, whichever way they came.
    Nodes,
    /// UCT3 along the path of each simulation (the default): a position is worth the mean of its own first rollout
    /// and of the positions its edges lead to, weighted by the visits of the edges (Czech, Korus &
    /// Kersting 2021). What is learned of a position from elsewhere moves those above it as soon as
    /// a simulation passes.
    #[default]
    Recomputed,
}

/// Settings of [`GraphUct`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GraphSettings {
    /// `c` of UCB1, on returns divided by [`Game::return_scale`]. Default 0.7.
    pub exploration: f64,
    /// The value of an edge that was never tried.
    pub urgency: FirstPlayUrgency,
    /// What the ways to one position share.
    pub sharing: Sharing,
    /// Which action is played in the end.
    pub final_choice: FinalChoice,
    /// Decide at once, without a simulation, when there is one legal action.
    pub skip_forced: bool,
}

impl Default for GraphSettings {
    fn default() -> Self {
        Self {
            exploration: 0.7,
            urgency: FirstPlayUrgency::Infinite,
            sharing: Sharing::default(),
            final_choice: FinalChoice::Robust,
            skip_forced: false,
        }
    }
}

/// UCT on the graph of positions, with a key of positions and a leaf evaluator.
#[derive(Debug, Clone)]
pub struct GraphUct<G: Game, E = Rollout> {
    /// The settings.
    pub settings: GraphSettings,
    /// What values a leaf: a random rollout by default.
    pub evaluator: E,
    key: StateKey<G>,
    graph: Graph<G>,
}

impl<G: Game> GraphUct<G> {
    /// With random rollouts.
    #[must_use]
    pub fn new(settings: GraphSettings, key: StateKey<G>) -> Self {
        Self::with(settings, key, Rollout::default())
    }
}

impl<G: Game, E: LeafEvaluator<G>> GraphUct<G, E> {
    /// With this leaf evaluator. States with equal keys must go on alike: the side to move, dice, and
    /// counters that can end the game belong into the key.
    #[must_use]
    pub fn with(settings: GraphSettings, key: StateKey<G>, evaluator: E) -> Self {
        Self {
            settings,
            evaluator,
            key,
            graph: Graph::default(),
        }
    }

    /// Different positions in the graph of the last search, the root included.
    pub fn positions(&self) -> usize {
        self.graph.len()
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
        not_negative("exploration", self.settings.exploration)?;
        let root = Root::look(game, &Known(state), seed)?;
        let statistics = if self.settings.skip_forced && root.legal.len() == 1 {
            self.graph.clear(game.num_players());
            RootStatistics::settled()
        } else {
            let evaluator = &self.evaluator;
            let parts = (game, evaluator, self.key);
            let start = (&root, state);
            run::run(&self.settings, parts, &mut self.graph, start, budget, seed)?
        };
        Ok(statistics.decide(&root, game.return_scale(), self.settings.final_choice, seed))
    }
}

impl<G, E> Searcher<G> for GraphUct<G, E>
where
    G: Game<Observation = <G as Game>::State>,
    E: LeafEvaluator<G>,
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
}
