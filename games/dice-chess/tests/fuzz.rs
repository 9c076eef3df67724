//! Fuzzing: nothing that can be typed panics the reader, and nothing that is read panics the rules.
//!
//! The normal run is short. For longer, in release and with as many cases as wanted:
//! `PROPTEST_CASES=1000000 cargo test --release -p dice-chess --test fuzz`.

mod common;

use common::garbage;
use dice_chess::{DiceChess, DiceChessOptions, DrawPolicy, MicroMove, Phase, Position};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use search_core::game::{Game, Turn};
use search_core::plugin::Plugin;
use search_core::rng::{Draw, Seed};
use std::sync::atomic::{AtomicU64, Ordering};

/// Fields that are nearly right.
fn dfen_like() -> impl Strategy<Value = String> {
    let rank = prop_oneof!["[PNBRQKpnbrqk1-8]{1,8}", "8", "[pP]{8}", "[0-9x☃]{0,4}"];
    let board = prop::collection::vec(rank, 1..10).prop_map(|r| r.join("/"));
    let targets = prop_oneof!["-", "([a-h][36]){1,4}", "[a-i0-9]{0,5}"];
    let count = prop_oneof!["[0-9]{1,3}", "[0-9]{9,11}", "-?[0-9]"];
    let dice = prop_oneof!["[PNBRQKpnbrqk]{0,4}", "-", "must=[0-9]?"];
    let rest = (
        prop_oneof!["w", "b", "[wbx]{0,2}"],
        prop_oneof!["-", "KQkq", "[KQkq]{1,5}", "."],
        targets,
        count.clone(),
        count,
        prop::collection::vec(dice, 0..3),
    );
    (board, rest).prop_map(|(board, (side, rights, targets, half, full, dice))| {
        let dice = dice.join(" ");
        format!("{board} {side} {rights} {targets} {half} {full} {dice}")
    })
}

/// A position of the garbage generator with some characters changed.
fn damaged() -> impl Strategy<Value = String> {
    let change = (any::<prop::sample::Index>(), any::<char>(), 0_u8..3);
    (any::<u64>(), prop::collection::vec(change, 0..3)).prop_map(|(seed, changes)| {
        let mut rng = Seed(seed).simulation(0);
        let mut text: Vec<char> = garbage(&mut rng).write().chars().collect();
        if rng.below(2) == 0 {
            let dice = common::any_roll(&mut rng).pool().letters();
            text.push(' ');
            text.extend(dice.chars());
        }
        for (at, c, how) in changes {
            let at = at.index(text.len().max(1)).min(text.len());
            match how {
                0 if at < text.len() => drop(text.remove(at)),
                1 if at < text.len() => text[at] = if c.is_ascii() { c } else { '/' },
                _ => text.insert(at, c),
            }
        }
        text.into_iter().collect()
    })
}

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![1 => dfen_like(), 4 => damaged(), 1 => ".{0,90}"]
}

/// Turns of random play from a position, whatever it is.
fn play_on(mut state: Position, seed: u64, plies: u32) {
    let options = DiceChessOptions {
        draw_clock: 0,
        max_plies: 0,
    };
    let game = DiceChess::new(&options).unwrap();
    let mut rng = Seed(seed).simulation(1);
    let mut actions = Vec::new();
    for _ in 0..plies {
        match game.turn(&state) {
            Turn::Terminal => return,
            Turn::Chance => {
                let roll = game.sample_chance(&state, &mut rng);
                let meaning = game.explain_chance(&state, roll);
                game.apply_chance(&mut state, roll);
                let passes = meaning.unwrap().ends_with("passes");
                assert_eq!(passes, state.phase == Phase::Roll);
            }
            Turn::Player(_) => {
                game.legal_actions(&state, &mut actions);
                // Dice that cannot be spent, given with the position.
                let Some(mv) = rng.pick(&actions) else {
                    assert_eq!(state.phase, Phase::Spend(0));
                    state.end_turn(DrawPolicy::NONE);
                    continue;
                };
                let (board, occupied) = (state.board, state.board.occupied().len());
                game.apply(&mut state, mv);
                let gone = occupied - state.board.occupied().len();
                assert!(gone <= 1, "{mv} takes {gone}: {board:?}");
                let owned = state.board.colour(cozy_chess::Color::White)
                    & state.board.colour(cozy_chess::Color::Black);
                assert!(owned.is_empty());
            }
        }
        let text = state.to_string();
        let back: Position = text.parse().unwrap();
        assert_eq!(back.to_string(), text);
        let noted = dice_chess::notation::write(&state);
        assert_eq!(
            dice_chess::notation::write(&dice_chess::notation::read(&noted).unwrap()),
            noted
        );
    }
}

static READ: AtomicU64 = AtomicU64::new(0);
static REFUSED: AtomicU64 = AtomicU64::new(0);

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(3_000),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_text_panics_the_reader_and_what_is_read_can_be_played(text in texts(), seed in any::<u64>()) {
        match text.parse::<Position>() {
            Ok(position) => {
                READ.fetch_add(1, Ordering::Relaxed);
                let written = position.to_string();
                let back: Position = written.parse().unwrap();
                prop_assert_eq!(&back, &position);
                prop_assert_eq!(back.to_string(), written);
                play_on(position, seed, 30);
            }
            Err(error) => {
                REFUSED.fetch_add(1, Ordering::Relaxed);
                prop_assert!(error.to_string().len() > 10);
            }
        }
        // What the command line takes is stricter, never looser.
        if let Ok(position) = DiceChess::default().parse_observation(&text) {
            let game = DiceChess::default();
            let line = game.format_observation(&position).unwrap();
            prop_assert_eq!(game.parse_observation(&line).unwrap(), position);
            let _ = game.picture(&position);
        }
    }

    #[test]
    fn no_typed_move_panics_and_every_refusal_says_why(
        seed in any::<u64>(),
        text in prop_oneof!["[a-h][1-8][a-h][1-8][nbrqk]?", ".{0,8}", "[O0]-[O0](-[O0])?"],
    ) {
        let mut rng = Seed(seed).simulation(0);
        let mut state: Position = garbage(&mut rng).write().parse().unwrap();
        state.roll(common::any_roll(&mut rng), DrawPolicy::NONE);
        let game = DiceChess::default();
        let legal = common::legal(&state);
        let parsed = text.parse::<MicroMove>().ok().filter(|m| legal.contains(m));
        let why = game.explain_illegal(&state, &text, &legal);
        prop_assert_eq!(parsed.is_none(), why.is_some(), "{:?}", why);
        prop_assert_eq!(game.parse_action(&text, &legal).ok(), parsed);
    }
}

/// The generators reach both sides: texts that are refused, and texts that are positions.
#[test]
fn the_generators_reach_positions() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut read = 0;
    for _ in 0..600 {
        let text = texts().new_tree(&mut runner).unwrap().current();
        read += u32::from(text.parse::<Position>().is_ok());
    }
    assert!((60..540).contains(&read), "{read} of 600 are positions");
}
