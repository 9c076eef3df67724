//! What every game must keep to, on random matches.

mod common;

use common::{doubles, of_ends, rng, step, variants};
use curling::game::ThisEnd;
use curling::{Curling, Phase, State, Verdict};
use search_core::game::{Game, Player};
use search_core::plugin::Plugin;
use search_core::rng::Seed;
use search_core::testing::{check_contract, check_determinizer, check_notation};

#[test]
fn random_matches_keep_the_contract() {
    for (i, game) in variants().iter().enumerate() {
        check_contract(game, 1, Seed(i as u64));
    }
}

#[test]
fn the_horizon_of_a_search_keeps_the_contract() {
    check_determinizer(&of_ends(1), &ThisEnd, 1, 1, Seed(3));
    check_determinizer(&doubles(2), &ThisEnd, 1, 1, Seed(4));
}

#[test]
fn text_reads_back() {
    check_notation(&of_ends(1), 1, Seed(5));
    check_notation(&doubles(2), 2, Seed(6));
}

/// Plays on and says how the match ended.
fn finish(game: &Curling, mut state: State, index: u64) -> State {
    let mut rng = rng("finish", index);
    let mut turns = 0;
    while step(game, &mut state, &mut rng) {
        turns += 1;
        assert!(turns <= game.max_turns());
    }
    state
}

#[test]
fn random_matches_end_by_their_points() {
    for (i, game) in variants().iter().enumerate() {
        let state = finish(game, game.start(), i as u64);
        assert_eq!(state.phase, Phase::Over(Verdict::Score));
        assert!(state.end >= 2 && (state.points[0] != state.points[1] || state.end == 255));
    }
}

/// A world of a search ends with its end, and what it is worth is what the win table says.
#[test]
fn a_world_ends_with_its_end() {
    let game = of_ends(8);
    let mut world = game.start();
    world.shot = 14;
    world.horizon = true;
    let end = finish(&game, world, 7);
    assert_eq!((end.phase, end.end), (Phase::Over(Verdict::Horizon), 1));
    let hammer = game.win_table().hammer(7, end.lead(end.hammer));
    let team0 = if end.hammer.index() == 0 {
        hammer
    } else {
        1.0 - hammer
    };
    assert_eq!(game.returns(&end).of(Player::new(0)), 2.0 * team0 - 1.0);
}

#[test]
fn metrics_tell_how_a_match_ended() {
    let game = of_ends(2);
    let read = |text: &str| game.parse_observation(text).unwrap();
    let metrics = |text: &str, player| game.metrics(&read(text), Player::new(player));
    let won = r#"{"end":2,"points":[3,5]}"#;
    assert_eq!(metrics(won, 0), [0.0, 0.0, -2.0, 2.0]);
    assert_eq!(metrics(won, 1), [1.0, 0.0, 2.0, 2.0]);
    let drawn = r#"{"end":255,"points":[3,3]}"#;
    assert_eq!(metrics(drawn, 0), [0.0, 1.0, 0.0, 255.0]);
    let conceded = r#"{"end":1,"shot":3,"points":[3,1],"conceded":"team0"}"#;
    assert_eq!(metrics(conceded, 0), [0.0, 0.0, 2.0, 1.0]);
    assert_eq!(metrics(conceded, 1), [1.0, 0.0, -2.0, 1.0]);
    assert_eq!(game.metric_names().len(), 4);
}
