//! T-GC5: no allocation in playing, listing actions, sampling worlds, or the easy and the hard player's choices,
//! once the buffer has grown.

#[path = "common/counting.rs"]
mod counting;

use counting::allocations;
use lexio::{Easy, Hard, Lexio, UniformDeal};
use search_core::game::{Game, Player, Turn};
use search_core::observation::Determinizer;
use search_core::policy::Policy;
use search_core::rng::{Draw, Seed};

#[test]
fn t_gc5_nothing_allocates_after_warm_up() {
    let game = Lexio::default();
    let mut legal = Vec::with_capacity(4096);
    let view = game.observe(
        &game.initial_state(&mut Seed(1).simulation(0)),
        Player::new(0),
    );
    let plan = UniformDeal.plan(&game, &view).unwrap();
    let mut world = UniformDeal.scratch(&game, &view, &plan);
    let hard = Hard::default();
    // The hard player's buffers, with room for any hand.
    let opening = game.initial_state(&mut Seed(2).simulation(0));
    game.legal_actions(&opening, &mut legal);
    let seen = game.observe(&opening, opening.public().to_move());
    hard.choose(&game, &seen, &legal, &mut Seed(2).simulation(0));
    let before = allocations();
    let mut turns = 0;
    for i in 0..1_000 {
        let mut rng = Seed(1).simulation(i);
        UniformDeal.sample(&game, &view, &plan, &mut rng, &mut world);
        let mut state = world;
        while let Turn::Player(player) = game.turn(&state) {
            game.legal_actions(&state, &mut legal);
            let seen = game.observe(&state, player);
            let easy = Easy::default().choose(&game, &seen, &legal, &mut rng);
            let hard = hard.choose(&game, &seen, &legal, &mut rng);
            let action = match i % 3 {
                0 => easy,
                1 => hard,
                _ => rng.pick(&legal).unwrap_or(easy),
            };
            game.apply(&mut state, action);
            turns += 1;
        }
    }
    assert_eq!(allocations(), before);
    assert!(turns > 50_000);
    // The counter does count.
    drop(std::hint::black_box(Box::new(turns)));
    assert!(allocations() > before);
}
