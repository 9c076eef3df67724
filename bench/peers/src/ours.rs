//! Our searches, and what none can be faster than.

use std::hint::black_box;

use search_core::budget::Budget;
use search_core::game::{Game, Turn};
use search_core::observation::Determinizer;
use search_core::rng::Seed;
use search_core::rollout::{LeafEvaluator, Rollout};
use search_core::search::{Ismcts, Searcher, TreeSettings, Uct};

use crate::games::{Shared, start};
use crate::measure::Tree;

/// What the player to move at the start knows.
fn view<G: Shared>() -> G::Observation {
    let (game, state) = (G::default(), start::<G>());
    let Turn::Player(player) = game.turn(&state) else {
        unreachable!("a player begins")
    };
    game.observe(&state, player)
}

fn run<G: Shared>(mut searcher: impl Searcher<G> + 'static, budget: &Budget) -> Tree {
    let decision = searcher
        .search(&G::default(), &view::<G>(), budget, Seed(1))
        .expect("a decision");
    let effort = &decision.effort;
    Tree::new(effort.simulations, Some(effort.edges + 1), searcher)
}

/// UCT with everything visible.
pub fn uct<G: Shared<Observation = <G as Game>::State>>(simulations: u64) -> Tree {
    run(Uct::<G>::default(), &Budget::simulations(simulations))
}

/// Single-observer information-set search.
pub fn ismcts<G: Shared>(simulations: u64) -> Tree {
    let searcher = Ismcts::new(TreeSettings::default(), G::Worlds::default());
    run::<G>(searcher, &Budget::simulations(simulations))
}

/// Playouts from the start, each with the generator of its simulation.
#[inline(never)]
pub fn playouts<G: Shared>(simulations: u64) -> Tree {
    let (game, from) = (G::default(), start::<G>());
    let mut legal = Vec::new();
    for i in 0..simulations {
        let (mut rng, mut world) = (Seed(1).simulation(i), from);
        black_box(Rollout::random().evaluate(&game, &mut world, &mut rng, &mut legal));
    }
    Tree::gone(simulations)
}

/// Worlds sampled at the start, each played out.
#[inline(never)]
pub fn redeals<G: Shared>(simulations: u64) -> Tree {
    let (game, view, worlds) = (G::default(), view::<G>(), G::Worlds::default());
    let plan = worlds.plan(&game, &view).expect("a world");
    let mut world = worlds.scratch(&game, &view, &plan);
    let mut legal = Vec::new();
    for i in 0..simulations {
        let mut rng = Seed(1).simulation(i);
        worlds.sample(&game, &view, &plan, &mut rng, &mut world);
        black_box(Rollout::random().evaluate(&game, &mut world, &mut rng, &mut legal));
    }
    Tree::gone(simulations)
}
