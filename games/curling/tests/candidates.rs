//! The list of candidates: what every list must be, and what must be in it.

use curling::candidates::{candidates, named_shots};
use curling::geometry::TEE;
use curling::options::Shots;
use curling::shots::Shot;
use curling::{Action, Curling, CurlingOptions, Ice, Point, Spin, State, Stone, Team};
use proptest::prelude::*;

fn game(shots: Shots, ice: Ice) -> Curling {
    Curling::new(CurlingOptions {
        shots,
        ice,
        ..CurlingOptions::default()
    })
    .expect("in range")
}

fn listed(game: &Curling, state: &State) -> Vec<Action> {
    let mut all = Vec::new();
    candidates(game, state, &mut all);
    all
}

fn states() -> impl Strategy<Value = State> {
    let stone = (0..16_usize, -2.2_f32..2.2, 32.2_f32..40.3);
    (prop::collection::vec(stone, 0..12), 0..16_u8).prop_map(|(stones, shot)| {
        let mut state = State::start(Team::Team1);
        state.shot = shot;
        for (stone, x, y) in stones {
            state.board.put(Stone::new(stone), Point::new(x, y));
        }
        state
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_list_is_ascending_bounded_and_equivariant(state in states(), ice in 0..2) {
        let ice = [Ice::Fast, Ice::Uec][ice as usize];
        for shots in [Shots::Named, Shots::Grid, Shots::All] {
            let game = game(shots, ice);
            let all = listed(&game, &state);
            prop_assert!(!all.is_empty() && all.len() <= 256);
            prop_assert!(all.is_sorted_by(|a, b| a < b));
            let mirrored = State { board: state.board.mirrored(), ..state };
            let mut other: Vec<_> = all.iter().map(|a| a.mirrored()).collect();
            other.sort_unstable();
            prop_assert_eq!(listed(&game, &mirrored), other);
        }
    }
}

#[test]
fn an_empty_sheet_offers_the_draw_to_the_button_and_the_blank() {
    for ice in [Ice::Fast, Ice::Uec] {
        let game = game(Shots::Named, ice);
        let state = State::start(Team::Team1);
        let all = listed(&game, &state);
        assert!((10..=60).contains(&all.len()), "{}", all.len());
        for shot in [
            Shot::Draw { to: Point::TEE },
            Shot::Through { x: 0.0 },
            Shot::Guard {
                of: None,
                distance: 2.4,
            },
        ] {
            for spin in Spin::BOTH {
                let aim = shot
                    .aim(game.paths(), &state.board, spin)
                    .expect("in range");
                assert!(all.contains(&Action::shot(aim.release())), "{shot}");
            }
        }
    }
}

#[test]
fn every_open_opponent_in_the_house_is_offered_as_a_take_out() {
    let game = game(Shots::Named, Ice::Fast);
    let mut state = State::start(Team::Team1);
    state.shot = 8;
    let stones = [
        (0, -1.3_f32, 0.4_f32),
        (1, 0.0, 0.2),
        (2, 1.2, -0.6),
        (3, 0.6, 1.4),
    ];
    for (throw, x, before) in stones {
        let stone = Stone::of(Team::Team1, throw);
        state.board.put(stone, Point::new(x, TEE as f32 - before));
    }
    let mut hit = 0_u16;
    named_shots(&game, &state, |shot, _| {
        if let Shot::TakeOut { stone, .. } = shot {
            hit |= 1 << stone.index();
        }
    });
    assert_eq!(hit, state.board.mask());
}

/// The shots offered of one kind on a board of one opponent's guard, at this shot of the end.
fn offered(shot: u8, kind: fn(&Shot) -> bool) -> usize {
    let game = game(Shots::Named, Ice::Fast);
    let mut state = State::start(Team::Team1);
    state.shot = shot;
    let opponent = state.thrower().opponent();
    let guard = Point::new(0.05, (TEE - 3.0) as f32);
    state.board.put(Stone::of(opponent, 0), guard);
    let mut count = 0;
    named_shots(&game, &state, |shot, _| count += usize::from(kind(shot)));
    count
}

#[test]
fn a_guard_that_is_free_is_ticked_and_not_taken_out() {
    let out = |shot: &Shot| matches!(shot, Shot::TakeOut { .. });
    let tick = |shot: &Shot| matches!(shot, Shot::Tick { .. });
    assert_eq!(offered(3, out), 0);
    assert!(offered(3, tick) > 0);
    assert!(offered(6, out) > 0);
    assert_eq!(offered(6, tick), 0);
}

#[test]
fn a_way_that_a_stone_blocks_is_not_offered() {
    let game = game(Shots::Named, Ice::Fast);
    let mut state = State::start(Team::Team1);
    state.shot = 8;
    // A wall of stones before the house, wider than any curl.
    for k in 0..14 {
        let x = (k as f32 - 6.5) * 0.3;
        state.board.put(Stone::new(k), Point::new(x, 35.6));
    }
    named_shots(&game, &state, |shot, aim| {
        let beyond = matches!(shot, Shot::Draw { to } if to.y > 36.0);
        assert!(!beyond, "{shot:?} {aim:?}");
    });
}
