//! RIS-MCTS: T-IS8, and what happens when a redeal fails.

use crate::common::{Climb, ClimbState, ClimbView, Nim, NimState, Redeal, climb_position};
use crate::passing::{DealPassing, Passing, passing_position};
use rand::Rng;
use search_core::budget::Budget;
use search_core::decision::{Decision, SearchError};
use search_core::game::{Game, Player, Turn};
use search_core::observation::{Contradiction, Determinizer, Identity};
use search_core::rng::Seed;
use search_core::search::{Ismcts, Parallel, RisMcts, Searcher, TreeSettings};

const MODES: [Parallel; 3] = [
    Parallel::Serial,
    Parallel::Root { trees: 3 },
    Parallel::Batch { size: 7 },
];

fn settings(parallel: Parallel) -> TreeSettings {
    TreeSettings {
        parallel,
        ..TreeSettings::default()
    }
}

fn thoughts<A: std::fmt::Debug>(decision: &Decision<A>) -> String {
    format!("{:?} {:?}", decision.action, decision.candidates)
}

#[test]
fn t_is8_with_perfect_information_it_is_so_ismcts_bit_for_bit() {
    let game = Nim {
        players: 3,
        heap: 15,
    };
    let state = NimState { heap: 15, mover: 1 };
    for parallel in MODES {
        let budget = Budget::simulations(3_000);
        let so = Ismcts::new(settings(parallel), Identity)
            .search(&game, &state, &budget, Seed(2))
            .unwrap();
        let ris = RisMcts::new(settings(parallel), Identity)
            .search(&game, &state, &budget, Seed(2))
            .unwrap();
        assert_eq!(thoughts(&ris), thoughts(&so));
        assert_eq!(ris.effort.worlds, so.effort.worlds);
        assert_eq!(ris.effort.edges, so.effort.edges);
    }
}

/// With two players the unseen cards are the other's: the world is redealt, and is the same.
#[test]
fn t_is8_redeals_that_change_nothing_change_nothing() {
    let game = Climb {
        players: 2,
        hand: 5,
    };
    for seed in 0..5 {
        let state = climb_position(&game, seed, 2);
        let view = game.observe(&state, Player::new(state.mover as usize));
        for parallel in MODES {
            let budget = Budget::simulations(2_000);
            let so = Ismcts::new(settings(parallel), Redeal)
                .search(&game, &view, &budget, Seed(seed))
                .unwrap();
            let ris = RisMcts::new(settings(parallel), Redeal)
                .search(&game, &view, &budget, Seed(seed))
                .unwrap();
            assert_eq!(thoughts(&ris), thoughts(&so));
            assert!(ris.effort.worlds > so.effort.worlds);
            assert_eq!(ris.effort.failed_redeals, 0);
        }
    }
}

/// Knows no world for anybody but one player.
#[derive(Clone, Copy)]
struct Only(u8);

impl Determinizer<Climb> for Only {
    type Plan = u16;

    fn plan(&self, game: &Climb, view: &ClimbView) -> Result<u16, Contradiction> {
        if view.me == self.0 {
            Redeal.plan(game, view)
        } else {
            Err(Contradiction::new("not asked for"))
        }
    }

    fn scratch(&self, game: &Climb, view: &ClimbView, plan: &u16) -> ClimbState {
        Redeal.scratch(game, view, plan)
    }

    fn sample<R: Rng + ?Sized>(
        &self,
        game: &Climb,
        view: &ClimbView,
        plan: &u16,
        rng: &mut R,
        world: &mut ClimbState,
    ) -> f64 {
        let weight = Redeal.sample(game, view, plan, rng, world);
        // Worlds of others have a weight that nobody should meet.
        if view.me == self.0 { weight } else { 1.0 }
    }
}

#[test]
fn failed_redeals_are_counted_and_fall_back_to_the_world_itself() {
    let game = Climb {
        players: 3,
        hand: 4,
    };
    let state = climb_position(&game, 5, 0);
    let view = game.observe(&state, Player::new(0));
    let budget = Budget::simulations(1_500);
    let so = Ismcts::new(TreeSettings::default(), Redeal)
        .search(&game, &view, &budget, Seed(3))
        .unwrap();
    let fallen = RisMcts::new(TreeSettings::default(), Only(0))
        .search(&game, &view, &budget, Seed(3))
        .unwrap();
    assert_eq!(thoughts(&fallen), thoughts(&so));
    assert!(fallen.effort.failed_redeals > 1_500);
    assert_eq!(fallen.effort.worlds, 1_500);
    // And without failures it is another search.
    let ris = RisMcts::new(TreeSettings::default(), Redeal)
        .search(&game, &view, &budget, Seed(3))
        .unwrap();
    assert_ne!(thoughts(&ris), thoughts(&so));
    assert_eq!(ris.effort.failed_redeals, 0);
}

/// Weighs the worlds of everybody but one player.
#[derive(Clone, Copy)]
struct Weighs(u8);

impl Determinizer<Climb> for Weighs {
    type Plan = u16;

    fn plan(&self, game: &Climb, view: &ClimbView) -> Result<u16, Contradiction> {
        Redeal.plan(game, view)
    }

    fn scratch(&self, game: &Climb, view: &ClimbView, plan: &u16) -> ClimbState {
        Redeal.scratch(game, view, plan)
    }

    fn sample<R: Rng + ?Sized>(
        &self,
        game: &Climb,
        view: &ClimbView,
        plan: &u16,
        rng: &mut R,
        world: &mut ClimbState,
    ) -> f64 {
        Only(self.0).sample(game, view, plan, rng, world)
    }
}

#[test]
fn weighted_redeals_are_refused() {
    let game = Climb {
        players: 3,
        hand: 4,
    };
    let state = climb_position(&game, 5, 0);
    let view = game.observe(&state, Player::new(0));
    let error = RisMcts::new(TreeSettings::default(), Weighs(0))
        .search(&game, &view, &Budget::simulations(50), Seed(3))
        .unwrap_err();
    assert_eq!(error, SearchError::WeightedWorlds { log_weight: 1.0 });
}

/// What others would play in the worlds they are dealt is played in the simulation's world too, so it must
/// be possible in both: here an action that is not ends the test.
#[test]
fn only_what_is_possible_in_both_worlds_is_played() {
    let game = Passing {
        players: 3,
        hand: 3,
    };
    for seed in 0..10 {
        let state = passing_position(&game, seed, seed as usize % 5);
        let Turn::Player(player) = game.turn(&state) else {
            continue;
        };
        let view = game.observe(&state, player);
        let decision = RisMcts::new(settings(Parallel::Serial), DealPassing)
            .search(&game, &view, &Budget::simulations(500), Seed(seed))
            .unwrap();
        assert!(decision.effort.worlds > 500);
    }
}
