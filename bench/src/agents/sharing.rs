//! Searches that share what they know by name: `graph-uct`, and `uct` with the tree of the decision
//! before.

use search_core::agent::Agent;
use search_core::budget::Budget;
use search_core::decision::{Decision, SearchError};
use search_core::expr::{Expr, ExprError, Settings};
use search_core::observation::Determinizer;
use search_core::plugin::Plugin;
use search_core::rng::Seed;
use search_core::rollout::Rollout;
use search_core::search::expectimax::StateKey;
use search_core::search::{GameKey, GraphSettings, GraphUct, Parallel, Searcher, Sharing, Uct};
use search_core::tree::Snapshot;

use super::known_state::Known;
use super::searchers::{
    C, FINAL, FPU, Player, ROLLOUT, SearcherInfo, final_choice, non_negative, rollout_policy,
    searching, urgency,
};
use super::setup::Setup;

/// What is written about them.
pub(super) const ROWS: &[SearcherInfo] = &[SearcherInfo {
    name: "graph-uct",
    about: "UCT on the graph of positions: one reached in several ways is one node; games of perfect information with a key of positions",
    keys: &[
        (
            "sharing",
            "what an edge is worth: recomputed (means of means), nodes (UCT2) or edges (UCT1)",
        ),
        C,
        FPU,
        FINAL,
        ROLLOUT,
    ],
    example: "graph-uct(sims=2000)",
}];

/// The key of `uct` that keeps the tree.
pub(super) const REUSE: (&str, &str) = (
    "reuse",
    "true begins from the tree of the decision before, where it has the position (false)",
);

/// Settings that `graph-uct` would not use, and why.
pub(super) const IDLE: (&[&str], &str) = (
    &["parallel", "trees", "batch", "threads"],
    "one thread searches the graph: leave it out",
);

/// Refuses what a tree that threads share cannot do.
pub(super) fn refuse(name: &str, settings: &mut Settings<'_>) -> Result<(), ExprError> {
    let Some(value) = settings.expr("parallel").filter(|v| v.name == "shared") else {
        return Ok(());
    };
    if !matches!(name, "uct" | "ismcts") {
        let reason = "`uct` and `ismcts` share one tree; use root or batch here";
        return Err(settings.bad("parallel", value, reason.into()));
    }
    match settings.expr("chance") {
        Some(chance) if chance.name == "explicit" => {
            let reason =
                "threads that share a tree draw outcomes: leave it out, or use root or batch";
            Err(settings.bad("chance", chance, reason.into()))
        }
        _ => Ok(()),
    }
}

/// `graph-uct`.
pub(super) fn graph<P: Plugin>(
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
) -> Result<Box<dyn Agent<P>>, ExprError> {
    if !P::Determinizer::PERFECT_INFORMATION {
        return Err(ExprError::Other(format!(
            "`graph-uct` sees everything and {} hides something: use `ismcts`, `pimc`, `flat` or `rollout`",
            P::NAME
        )));
    }
    let key = key(setup, "`graph-uct`")?;
    let sharing = match settings.choice("sharing", &["recomputed", "nodes", "edges"])? {
        "nodes" => Sharing::Nodes,
        "edges" => Sharing::Edges,
        _ => Sharing::Recomputed,
    };
    let own = GraphSettings {
        exploration: non_negative(settings, "c", GraphSettings::default().exploration)?,
        urgency: urgency(settings)?,
        sharing,
        final_choice: final_choice(settings)?,
        skip_forced: setup.skip_forced(),
    };
    let evaluator = Rollout::with_policy(rollout_policy(setup, settings)?);
    let search = GraphUct::with(own, key, evaluator);
    Ok(searching(
        Known::new(setup.game.determinizer(), search),
        setup,
    ))
}

/// The key of positions, which `what` needs.
fn key<P: Plugin>(setup: &Setup<'_, P>, what: &str) -> Result<StateKey<P>, ExprError> {
    setup.game.state_key().ok_or_else(|| {
        ExprError::Other(format!(
            "{what} needs a key that tells positions apart, which {} does not give: use `uct`",
            P::NAME
        ))
    })
}

/// `uct(reuse=true)`; `None` where the tree is not to be kept.
pub(super) fn keeps_tree<P: Plugin>(
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
) -> Result<Option<StateKey<P>>, ExprError> {
    if settings.choice("reuse", &["false", "true"])? == "false" {
        return Ok(None);
    }
    if matches!(setup.parallel, Parallel::Root { .. } | Parallel::Shared) {
        let reason = "one tree of one search is kept: leave it out, or use parallel=batch";
        return Err(settings.bad("reuse", &Expr::word("true"), reason.into()));
    }
    key(setup, "reuse=true").map(Some)
}

/// A UCT search that goes on with its tree. It finds the position that it is asked about below the
/// one it was asked about before, by its key.
pub(super) struct Reusing<P: Plugin> {
    determinizer: P::Determinizer,
    search: Uct<P, Rollout<Player<P>>>,
    key: StateKey<P>,
    /// The position that the tree was made for.
    root: Option<P::State>,
}

/// Turns that a player may take before its next decision: a roll of the dice and three moves, say.
const PLIES_A_PLAYER: usize = 4;

impl<P: Plugin> Reusing<P> {
    /// The determinizer must be one of perfect information.
    pub(super) fn new(
        determinizer: P::Determinizer,
        search: Uct<P, Rollout<Player<P>>>,
        key: StateKey<P>,
    ) -> Self {
        Self {
            determinizer,
            search,
            key,
            root: None,
        }
    }
}

impl<P: Plugin> Searcher<P> for Reusing<P> {
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
        let mut kept = None;
        if let Some(root) = self.root.take() {
            let (turn, wanted) = (game.turn(&state), (self.key)(game, &state));
            let is_it =
                |other: &P::State| game.turn(other) == turn && (self.key)(game, other) == wanted;
            // The same position again is another game's, of which nothing is to be known.
            if !is_it(&root) {
                let plies = PLIES_A_PLAYER * game.num_players();
                kept = self.search.follow(game, &root, plies, is_it);
            }
        }
        if kept.is_none() {
            self.search.restart();
        }
        let decision = self.search.search_state(game, &state, budget, seed)?;
        if decision.effort.simulations > 0 || kept.is_some() {
            self.root = Some(state);
        }
        Ok(decision)
    }

    fn tree(&self) -> Option<&Snapshot<GameKey<P>>> {
        self.search.last_tree()
    }
}
