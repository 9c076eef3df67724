//! The searches of hidden moves and redealt worlds by name.

use search_core::agent::Agent;
use search_core::expr::{Expr, ExprError, Settings};
use search_core::game::Sight;
use search_core::observation::Determinizer;
use search_core::plugin::Plugin;
use search_core::rollout::Rollout;
use search_core::search::{MoIsmcts, Observers, RisMcts};
use search_core::tree::Indexed;

use super::inference::Worlds;
use super::searchers::{
    C, FINAL, FPU, ROLLOUT, SearcherInfo, nothing_hidden, rollout_policy, searching, tree_settings,
};
use super::setup::Setup;

/// What is written about them.
pub(super) const ROWS: &[SearcherInfo] = &[
    SearcherInfo {
        name: "mo-ismcts",
        about: "MO-ISMCTS: a tree for each player, who sees of the others' moves what the rules show",
        keys: &[C, FPU, FINAL, ROLLOUT],
        example: "mo-ismcts(sims=2000)",
    },
    SearcherInfo {
        name: "ris-mcts",
        about: "re-determinizing ISMCTS: the others decide in worlds redealt from what they see",
        keys: &[C, FPU, FINAL, ROLLOUT],
        example: "ris-mcts(sims=2000)",
    },
];

/// Whether this is one of them.
pub(super) fn is_one(name: &str) -> bool {
    ROWS.iter().any(|row| row.name == name)
}

/// The key of `ismcts` that makes it a search of hidden moves.
pub(super) const MOVES: (&str, &str) = (
    "moves",
    "the others' moves in the tree: seen, or hidden (told apart as far as the player sees them)",
);

/// The agent of this name, or `ismcts(moves=hidden)`.
pub(super) fn construct<P: Plugin>(
    name: &str,
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
) -> Result<Box<dyn Agent<P>>, ExprError> {
    // Known when this is compiled: nothing below is made for games that hide nothing.
    if P::Determinizer::PERFECT_INFORMATION {
        return Err(nothing_hidden::<P>(name));
    }
    let tree = tree_settings(setup, settings)?;
    let evaluator = Rollout::with_policy(rollout_policy(setup, settings)?);
    let determinizer = Worlds::Plain(setup.game.determinizer());
    if name == "ris-mcts" {
        let searcher = RisMcts::with(tree, determinizer, evaluator, Indexed::default());
        return Ok(searching(searcher, setup));
    }
    let sight = sight(name, setup, settings)?;
    let mut searcher = MoIsmcts::with(tree, determinizer, sight, evaluator, Indexed::default());
    if name == "ismcts" {
        searcher.observers = Observers::SearcherOnly;
    }
    Ok(searching(searcher, setup))
}

fn sight<P: Plugin>(
    name: &str,
    setup: &Setup<'_, P>,
    settings: &Settings<'_>,
) -> Result<Sight<P>, ExprError> {
    setup.game.sight().ok_or_else(|| {
        let missing = format!(
            "{} does not say what players see of each other's moves: use `ismcts` without it, `ris-mcts` or `pimc`",
            P::NAME
        );
        match name {
            "ismcts" => settings.bad("moves", &Expr::word("hidden"), missing),
            _ => ExprError::Other(format!("`{name}` has a tree for each player, and {missing}")),
        }
    })
}
