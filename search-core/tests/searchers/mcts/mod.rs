//! MCTS with all that may guide it.

mod guided;
mod options;
mod proof;
mod same;
mod selectors;

use search_core::budget::Budget;
use search_core::decision::Decision;
use search_core::game::Game;
use search_core::observation::Identity;
use search_core::rng::Seed;
use search_core::search::{Mcts, MctsSettings, Searcher, TreeSettings};

/// One search with these settings of a game of perfect information.
fn search<G: Game<Observation = <G as Game>::State>>(
    game: &G,
    state: &G::State,
    settings: MctsSettings,
    simulations: u64,
    seed: u64,
) -> Decision<G::Action> {
    let mut mcts = Mcts::new(settings, Identity);
    let budget = Budget::simulations(simulations);
    mcts.search(game, state, &budget, Seed(seed)).unwrap()
}

/// The defaults, keeping the tree.
fn kept() -> MctsSettings {
    MctsSettings {
        tree: TreeSettings {
            keep_tree: true,
            ..TreeSettings::default()
        },
        ..MctsSettings::default()
    }
}
