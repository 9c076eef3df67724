//! What the tests share.
#![allow(dead_code, unreachable_pub)]

use curling::board::STONES_PER_TEAM;
use curling::options::Zone;
use curling::{Board, Curling, CurlingOptions, Ice, Point, State, Stone, Team};
use rand_chacha::ChaCha8Rng;
use search_core::game::{Game, Turn};
use search_core::plugin::Plugin;
use search_core::rng::{Draw, Seed};

pub fn game(options: CurlingOptions) -> Curling {
    Curling::new(options).unwrap()
}

/// A game of the default options with `ends` ends.
pub fn of_ends(ends: u8) -> Curling {
    game(CurlingOptions {
        ends,
        ..CurlingOptions::default()
    })
}

pub fn doubles(ends: u8) -> Curling {
    game(CurlingOptions {
        ends,
        doubles: true,
        ..CurlingOptions::default()
    })
}

/// One game of each kind of rules, two ends long.
pub fn variants() -> Vec<Curling> {
    let base = CurlingOptions {
        ends: 2,
        ..CurlingOptions::default()
    };
    [
        base,
        CurlingOptions {
            zone: Zone::Four,
            hammer: 0,
            ..base
        },
        CurlingOptions {
            no_tick: true,
            objective: curling::options::Objective::Points,
            ..base
        },
        CurlingOptions {
            ice: Ice::Uec,
            zone: Zone::None,
            ..base
        },
        CurlingOptions {
            doubles: true,
            pattern: 3,
            ..base
        },
    ]
    .map(game)
    .to_vec()
}

pub fn rng(name: &str, index: u64) -> ChaCha8Rng {
    Seed(20_161_115).child(name).index(index).stream()
}

pub fn board(team0: &[Option<(f32, f32)>], team1: &[Option<(f32, f32)>]) -> Board {
    let mut board = Board::EMPTY;
    for (team, places) in Team::BOTH.into_iter().zip([team0, team1]) {
        for (throw, place) in places.iter().enumerate() {
            if let Some((x, y)) = place {
                board.put(Stone::of(team, throw), Point::new(*x, *y));
            }
        }
    }
    board
}

/// Stones strewn over the playing area, most of them around the house; none overlap.
pub fn strewn(rng: &mut ChaCha8Rng, stones: u32) -> Board {
    let mut board = Board::EMPTY;
    for index in 0..stones {
        let team = Team::BOTH[(index % 2) as usize];
        let throw = (index / 2) as usize % STONES_PER_TEAM;
        for _ in 0..50 {
            let x = (rng.unit() * 4.4 - 2.2) as f32;
            let y = (32.2 + rng.unit() * 8.1) as f32;
            let place = Point::new(x, y);
            if board
                .stones()
                .all(|(_, other)| other.distance(place) > 0.2901)
            {
                board.put(Stone::of(team, throw), place);
                break;
            }
        }
    }
    board
}

pub fn legal(game: &Curling, state: &State) -> Vec<curling::Action> {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    actions
}

/// One turn, drawn from what is listed.
pub fn step(game: &Curling, state: &mut State, rng: &mut ChaCha8Rng) -> bool {
    match game.turn(state) {
        Turn::Terminal => return false,
        Turn::Chance => {
            let outcome = game.sample_chance(state, rng);
            game.apply_chance(state, outcome);
        }
        Turn::Player(_) => {
            let action = rng.pick(&legal(game, state)).unwrap();
            game.apply(state, action);
        }
    }
    true
}

pub fn read(game: &Curling, text: &str) -> State {
    game.parse_observation(text)
        .unwrap_or_else(|e| panic!("{text}: {e}"))
}
