//! T-GC5: nothing allocates in rolling, listing and playing, once the buffer has grown.

#[path = "../../lexio/tests/common/counting.rs"]
mod counting;

use counting::allocations;
use dice_chess::DiceChess;
use search_core::game::{Game, Turn};
use search_core::rng::{Draw, Seed};

#[test]
fn t_gc5_nothing_allocates_after_warm_up() {
    let game = DiceChess::default();
    let mut legal = Vec::with_capacity(4096);
    let before = allocations();
    let mut decisions = 0;
    for i in 0..60 {
        let mut rng = Seed(1).simulation(i);
        let mut state = game.initial_state(&mut rng);
        loop {
            match game.turn(&state) {
                Turn::Terminal => break,
                Turn::Chance => {
                    let roll = game.sample_chance(&state, &mut rng);
                    game.apply_chance(&mut state, roll);
                }
                Turn::Player(player) => {
                    game.legal_actions(&state, &mut legal);
                    let _ = game.observe(&state, player);
                    game.apply(&mut state, rng.pick(&legal).unwrap());
                    decisions += 1;
                }
            }
        }
        let _ = game.returns(&state);
    }
    assert_eq!(allocations(), before);
    assert!(decisions > 3_000, "{decisions}");
    // The counter does count.
    drop(std::hint::black_box(Box::new(decisions)));
    assert!(allocations() > before);
}
