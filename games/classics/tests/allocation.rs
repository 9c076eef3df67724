//! T-GC5: no allocation in playing and listing actions, nor in the inner loop of a search whose
//! tree has its memory reserved.

#[path = "../../lexio/tests/common/counting.rs"]
mod counting;

use classics::{
    BearOff, ConnectFour, Domineering, Ewn, Goofspiel, Knightthrough, KuhnPoker, LeducPoker,
    LiarsDice, Othello, Phantom, Pig, SafeGuess, Synthetic, TicTacToe, TreeGame, Whist,
};
use search_core::budget::Budget;
use search_core::game::{Sight, Turn};
use search_core::plugin::Plugin;
use search_core::rng::{Draw, Seed};
use search_core::search::{Ismcts, MoIsmcts, Searcher, TreeSettings};

use counting::allocations;

/// Allocations of one search from the start, with a tree whose memory is reserved at once.
fn searching<G: Plugin>(game: &G, search: &mut dyn Searcher<G>, simulations: u64) -> usize {
    let mut rng = Seed(1).stream();
    let mut state = game.initial_state(&mut rng);
    while game.turn(&state) == Turn::Chance {
        let outcome = game.sample_chance(&state, &mut rng);
        game.apply_chance(&mut state, outcome);
    }
    let Turn::Player(player) = game.turn(&state) else {
        unreachable!()
    };
    let view = game.observe(&state, player);
    let budget = Budget::simulations(simulations).with_bytes(1 << 22);
    // Memory that grows with the longest line is had after a first search.
    search.search(game, &view, &budget, Seed(2)).unwrap();
    let before = allocations();
    search.search(game, &view, &budget, Seed(2)).unwrap();
    allocations() - before
}

fn check<G: Plugin>(game: &G) {
    let mut legal = Vec::with_capacity(64);
    for i in 0..300 {
        let mut rng = Seed(1).simulation(i);
        let mut state = game.initial_state(&mut rng);
        let before = allocations();
        loop {
            match game.turn(&state) {
                Turn::Terminal => break,
                Turn::Chance => {
                    let outcome = game.sample_chance(&state, &mut rng);
                    game.apply_chance(&mut state, outcome);
                }
                Turn::Player(_) => {
                    game.legal_actions(&state, &mut legal);
                    let action = legal[rng.below(legal.len() as u32) as usize];
                    game.apply(&mut state, action);
                }
            }
        }
        let _ = game.returns(&state);
        assert_eq!(allocations(), before, "{}", G::NAME);
    }
    // What a search sets up may allocate; its simulations may not.
    let settings = TreeSettings::default();
    let mut so = Ismcts::new(settings, game.determinizer());
    let mut mo = MoIsmcts::new(settings, game.determinizer(), Sight::public());
    let searches: [&mut dyn Searcher<G>; 2] = [&mut so, &mut mo];
    for search in searches {
        let few = searching(game, search, 2_000);
        let many = searching(game, search, 8_000);
        assert!(many <= few + 4, "{}: {few}, then {many}", G::NAME);
    }
}

#[test]
fn t_gc5_nothing_allocates_after_warm_up() {
    check(&TicTacToe);
    check(&ConnectFour);
    check(&Othello);
    check(&Whist::default());
    check(&Pig::new(30, 3).unwrap());
    check(&KuhnPoker);
    check(&LeducPoker);
    check(&Ewn::default());
    check(&BearOff::default());
    check(&LiarsDice::default());
    check(&Goofspiel::default());
    check(&SafeGuess::default());
    check(&TreeGame::builtin("chance_choice").unwrap());
    check(&Phantom::default());
    check(&Synthetic::default());
    check(&Domineering::default());
    check(&Knightthrough::default());
    // The counter does count.
    let before = allocations();
    drop(std::hint::black_box(Box::new(before)));
    assert!(allocations() > before);
}
