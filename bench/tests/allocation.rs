//! T-GC5 for the searchers: a simulation allocates nothing once the memory of the search has
//! grown. A search of `n` simulations and one of `4 n` from the same seed, the second of which
//! begins with the simulations of the first, must allocate equally often.

#[path = "../../games/lexio/tests/common/counting.rs"]
mod counting;

use classics::{ConnectFour, Pig};
use counting::allocations;
use dice_chess::DiceChess;
use lexio::{Easy, Lexio, UniformDeal};
use search_core::budget::Budget;
use search_core::game::{Game, Player, Turn};
use search_core::observation::Identity;
use search_core::plugin::Plugin;
use search_core::policy::{Observing, UniformRandom};
use search_core::rng::Seed;
use search_core::rollout::{LeafEvaluator, Rollout};
use search_core::search::{
    Allocation, Expectimax, ExpectimaxSettings, Flat, FlatSettings, Ismcts, RolloutImprovement,
    RolloutSettings, Searcher, TreeSettings, Uct,
};
use search_core::tree::Indexed;

/// How often a search from the start of seed 1 allocates.
fn count<G: Game>(game: &G, simulations: u64, searcher: &mut impl Searcher<G>) -> usize {
    let state = game.initial_state(&mut Seed(1).simulation(0));
    let Turn::Player(player) = game.turn(&state) else {
        unreachable!("a player begins")
    };
    let view = game.observe(&state, player);
    let budget = Budget::simulations(simulations);
    let before = allocations();
    let decision = searcher.search(game, &view, &budget, Seed(2)).unwrap();
    let count = allocations() - before;
    assert_eq!(decision.effort.simulations, simulations);
    count
}

/// Counts the allocations of `n` and of `4 n` simulations, each with a new searcher.
#[track_caller]
fn allocates_equally_often<G: Game, S: Searcher<G>>(game: &G, n: u64, new: impl Fn() -> S) {
    // Tables that are made once a process are made here.
    count(game, 1, &mut new());
    let few = count(game, n, &mut new());
    let many = count(game, 4 * n, &mut new());
    assert_eq!(few, many, "allocations of {n} and {} simulations", 4 * n);
}

fn lexio() -> Lexio {
    Lexio::for_players(5).unwrap()
}

fn ismcts<E: LeafEvaluator<Lexio>>(evaluator: E) -> Ismcts<Lexio, UniformDeal, E> {
    Ismcts::with(
        TreeSettings::default(),
        UniformDeal,
        evaluator,
        Indexed::with_capacity(40_000),
    )
}

#[test]
fn the_counter_counts() {
    let before = allocations();
    drop(std::hint::black_box(Box::new(before)));
    assert_eq!(allocations(), before + 1);
}

#[test]
fn uct_on_connect_four() {
    allocates_equally_often(&ConnectFour, 10_000, || {
        Uct::with(
            TreeSettings::default(),
            Rollout::random(),
            Indexed::with_capacity(300_000),
        )
    });
}

/// Chance first, so that somebody is to move: with the dice in the position.
#[test]
fn uct_on_dice_chess() {
    let opening = DiceChess::default().positions()[0].1.parse().unwrap();
    let game = DiceChess::default().from_position(opening);
    allocates_equally_often(&game, 100, || {
        Uct::with(
            TreeSettings::default(),
            Rollout::random(),
            Indexed::with_capacity(40_000),
        )
    });
}

#[test]
fn ismcts_on_lexio() {
    allocates_equally_often(&lexio(), 10_000, || ismcts(Rollout::random()));
}

#[test]
fn ismcts_on_lexio_with_easy_rollouts() {
    let easy = Rollout::with_policy(Observing(Easy::default()));
    allocates_equally_often(&lexio(), 2_000, || ismcts(easy));
}

/// Twice with the same searcher, since its memory grows with the depth: the second search allocates
/// as often with many nodes as with few, however deep it comes.
#[test]
fn expectimax_on_connect_four_and_pig() {
    fn check<G: Plugin>(game: &G, depth: u32) {
        let count = |nodes: u64| {
            let settings = ExpectimaxSettings {
                depth,
                ..ExpectimaxSettings::default()
            };
            let mut search = Expectimax::new(settings, game.depth_first().unwrap());
            let state = game.initial_state(&mut Seed(1).simulation(0));
            let view = game.observe(&state, Player::new(0));
            let mut run = |nodes| {
                let budget = Budget::default().with_nodes(nodes);
                let before = allocations();
                let decision = search.search(game, &view, &budget, Seed(2)).unwrap();
                assert_eq!(decision.effort.simulations, nodes);
                allocations() - before
            };
            run(50_000);
            run(nodes)
        };
        let (few, many) = (count(10_000), count(40_000));
        assert_eq!(few, many);
    }
    check(&ConnectFour, 30);
    check(&Pig::default(), 30);
}

#[test]
fn flat_search_on_lexio() {
    for allocation in [Allocation::Even, Allocation::SequentialHalving] {
        let settings = FlatSettings {
            allocation,
            ..FlatSettings::default()
        };
        allocates_equally_often(&lexio(), 20_000, || Flat::new(settings, UniformDeal));
    }
    allocates_equally_often(&ConnectFour, 10_000, || {
        Flat::new(FlatSettings::default(), Identity)
    });
}

#[test]
fn rollout_improvement_on_lexio() {
    let settings = RolloutSettings {
        samples: u64::MAX,
        ..RolloutSettings::default()
    };
    allocates_equally_often(&lexio(), 10_000, || {
        RolloutImprovement::new(settings, UniformDeal, Easy::default(), UniformRandom)
    });
}
