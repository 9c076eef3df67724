//! The traps of the rules, by number, each on the position that springs it. Those of experiments
//! (T7, T24, T28, T30) are tested in the laboratory, those of equity and expectimax (T4, T5, T11,
//! T25 to T27) beside them.

mod common;

use common::mailbox::Mailbox;
use common::{first_moves, legal, play, playable, pool, position, rolled, turns};
use cozy_chess::{Color, Piece, Square};
use dice_chess::dfen::{book_key, position_key};
use dice_chess::moves::attacks;
use dice_chess::plugin::parse_roll;
use dice_chess::{DiceChess, DrawPolicy, MicroMove, Outcome, Phase, Pool, Position, Roll};
use search_core::game::Game;
use search_core::plugin::Plugin;

/// What the second implementation says.
fn by_definition(dfen: &str, dice: &str) -> Vec<String> {
    let mut slow = Mailbox::read(dfen);
    slow.dice = dice.to_uppercase().chars().collect();
    slow.turns().into_keys().collect()
}

fn begin_with<'a>(turns: impl IntoIterator<Item = &'a String>, first: &str) -> usize {
    turns.into_iter().filter(|t| t.starts_with(first)).count()
}

#[test]
fn t01_three_definitions_of_legal() {
    let dfen = "8/P1B5/1k6/8/8/8/7P/4K3 w - - 0 1";
    let listed = turns(dfen, "PPN");
    assert_eq!(listed.len(), 5);
    let state = rolled(dfen, "PPN");
    assert_eq!(playable(&state), listed);
    assert_eq!(first_moves(&state), ["h2h3", "h2h4", "a7a8n"]);
    let other = "1qn5/4R3/7b/p3Q1pp/P6P/3R2kK/1P3P2/2r5 b - - 6 32";
    for (dfen, dice) in [(dfen, "PPN"), (other, "ppq")] {
        assert!(turns(dfen, dice).iter().eq(&by_definition(dfen, dice)));
        assert_eq!(playable(&rolled(dfen, dice)), turns(dfen, dice));
    }
}

#[test]
fn t02_a_filter_a_micro_move_is_not_the_rule() {
    let start = rolled("5r2/B1b5/2k1P3/1b3BPP/P1K4n/2R5/8/8 w - - 1 33", "PPN");
    let turns = playable(&start);
    assert_eq!(turns.len(), 9);
    assert!(turns.contains("a4b5 b5c6"));
    for illegal in ["a4b5 b5b6", "a4b5 e6e7", "a4b5 g5g6", "a4b5 h5h6"] {
        assert!(!turns.contains(illegal), "{illegal}");
    }
    assert_eq!(first_moves(&play(start, "a4b5")), ["b5c6"]);
}

#[test]
fn t03_a_capture_in_two_moves_is_offered() {
    let state = rolled("8/8/8/2k5/8/1N6/2P5/K7 w - - 0 1", "PPN");
    let firsts = first_moves(&state);
    assert_eq!(firsts.len(), 7);
    assert!(firsts.contains(&"c2c4".to_owned()));
    let won = play(state, "c2c4 b3c5");
    assert_eq!(won.phase, Phase::Over(Outcome::Won(Color::White)));
    let promotes = rolled("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", "pnq");
    assert!(first_moves(&promotes).contains(&"g2g1n".to_owned()));
}

#[test]
fn t06_the_clock_does_not_wrap() {
    let mut state = rolled("4k3/8/8/8/8/8/8/4K3 w - - 126 1", "KKK");
    for (mv, clock) in [("e1d1", 127), ("d1e1", 127), ("e1d1", 127)] {
        state.play(mv.parse().unwrap(), DrawPolicy::NONE);
        assert_eq!(state.half_move, clock);
    }
    assert_eq!(state.to_string(), "4k3/8/8/8/8/8/8/3K4 b - - 127 1");
}

#[test]
fn t08_a_right_without_its_pieces_does_not_castle() {
    let bare = rolled("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "RK");
    assert!(!first_moves(&bare).contains(&"e1g1".to_owned()));
    let astray = turns("4k3/8/8/8/8/8/8/3K3R w K - 0 1", "RK");
    assert!(
        !astray
            .iter()
            .any(|t| t.contains("e1g1") || t.contains("d1g1"))
    );
}

#[test]
fn t09_a_target_without_its_pawn_is_refused() {
    let error = "4k3/8/8/3NP3/8/8/8/4K3 w - d6 0 1".parse::<Position>();
    assert_eq!(
        error.unwrap_err().to_string(),
        "en passant `d6`: d6 needs a black pawn on d5"
    );
    // Its pawn is there and a piece stands on it: read, and not taken in passing.
    let occupied = turns("4k3/8/3N4/3pP3/8/8/8/4K3 w - d6 0 1", "P");
    assert!(!occupied.iter().any(|t| t.contains("e5d6")));
}

#[test]
fn t10_a_captured_king_takes_its_rights_along() {
    let start = rolled("4k3/8/8/8/8/8/3q4/R3K2R b KQ - 3 9", "qqq");
    assert_eq!(
        play(start, "d2e1").to_string(),
        "4k3/8/8/8/8/8/8/R3q2R w - - 0 10"
    );
}

#[test]
fn t12_en_passant_on_any_micro_move() {
    let dfen = "r2q2r1/ppp1nk1p/2B2p2/3p3b/1P1Pp2P/4P2N/PP3P2/RNB4K b - d3 0 7";
    let turns = turns(dfen, "pqq");
    assert_eq!(turns.len(), 1066);
    assert!(turns.contains("d8d6 d6c6 e4d3"));
    let after = play(rolled(dfen, "pqq"), "d8d6 d6c6 e4d3");
    assert_eq!(after.board.at(Square::D4), None);
    assert_eq!(
        after.board.at(Square::D3),
        Some((Color::Black, Piece::Pawn))
    );
}

#[test]
fn t13_castling_spends_two_dice() {
    let dfen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let turns = turns(dfen, "RKK");
    assert_eq!(turns.len(), 1127);
    assert!(begin_with(&turns, "e1g1 ") > 0);
    let castled = play(rolled(dfen, "RKK"), "e1g1");
    assert_eq!(castled.pool, pool("K"));
    assert_eq!(castled.phase, Phase::Spend(1));
}

#[test]
fn t14_castling_needs_both_dice() {
    let dfen = "rnq1k2r/pppbpp1p/3p2pQ/8/2BPP3/2N2N2/PPPK1PPP/1R5R b kq - 0 1";
    assert!(!turns(dfen, "bkk").iter().any(|t| t.contains("e8g8")));
    // Nor is it a way to go on: the king is shut in, the rook too, and one die pays for nothing.
    let shut = "k7/8/8/8/8/8/3PPP2/3QK2R w K - 0 1";
    for dice in ["K", "KK", "R", "KKB"] {
        assert!(
            !turns(shut, dice).iter().any(|t| t.contains("e1g1")),
            "{dice}"
        );
    }
    assert!(turns(shut, "KR").contains("e1g1"));
}

#[test]
fn t15_attacked_squares_do_not_matter() {
    let dfen = "4k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    let state = rolled(dfen, "RK");
    let firsts = first_moves(&state);
    assert!(firsts.contains(&"e1g1".to_owned()) && firsts.contains(&"e1c1".to_owned()));
    let castled = play(state, "e1g1");
    assert_eq!(castled.to_string(), "4k1r1/8/8/8/8/8/8/R4RK1 b - - 1 1");
}

#[test]
fn t16_a_king_capture_does_not_lower_the_maximum() {
    let dfen = "8/8/8/2k5/8/1N6/2P5/K7 w - - 0 1";
    let listed = turns(dfen, "PPN");
    assert!(listed.contains("b3c5"));
    assert!(
        listed
            .iter()
            .any(|t| t.split(' ').count() == 3 && !t.contains("c5"))
    );
    assert!(listed.iter().eq(&by_definition(dfen, "PPN")));
}

#[test]
fn t17_a_king_is_captured_without_a_promotion() {
    let firsts = first_moves(&rolled("4k3/3P4/8/2K5/8/8/8/8 w - - 0 1", "P"));
    assert_eq!(firsts, ["d7d8n", "d7d8b", "d7d8r", "d7d8q", "d7e8"]);
}

#[test]
fn t18_own_targets_are_not_taken_and_a_captured_pawn_leaves_none() {
    let dfen = "rnbqkbnr/pppppppp/8/5n2/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1";
    let after = play(rolled(dfen, "NNN"), "f5d4");
    assert_eq!(after.to_string().split(' ').nth(3), Some("-"));
    let pushed = play(rolled("4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1", "PPP"), "d2d4");
    assert_eq!(pushed.to_string().split(' ').nth(3), Some("d3"));
    assert!(!first_moves(&pushed).contains(&"e2d3".to_owned()));
    // The pawn moves on: its target goes.
    let moved = play(pushed, "d4d5");
    assert_eq!(moved.to_string().split(' ').nth(3), Some("-"));
}

#[test]
fn t19_targets_are_squares_and_several() {
    let start = rolled("4k3/8/8/8/1p6/8/P1P4P/4K3 w - - 0 1", "PPP");
    let state = play(start, "a2a4 c2c4 h2h4");
    assert_eq!(state.to_string(), "4k3/8/8/8/PpP4P/8/8/4K3 b - a3c3h3 0 1");
    let reply = state.with_pool(pool("ppp"));
    assert_eq!(first_moves(&reply), ["b4a3", "b4b3", "b4c3"]);
    // They live for one turn, even when it is passed.
    let mut passed = state;
    passed.roll(Roll::of(pool("QQQ")).unwrap(), DrawPolicy::NONE);
    assert_eq!(passed.to_string(), "4k3/8/8/8/PpP4P/8/8/4K3 w - - 0 2");
}

#[test]
fn t20_a_promotion_spends_the_pawn_die_and_the_pool_is_emptied() {
    let start = rolled("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "PQK");
    let promoted = play(start, "a7a8q");
    assert_eq!(promoted.pool, pool("QK"));
    let done = play(promoted, "a8a1 e1e2");
    assert_eq!((done.pool, done.phase), (Pool::EMPTY, Phase::Roll));
    // Dice that were of no use go too.
    let stuck = play(rolled("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "PQK"), "e1e2");
    assert_eq!(stuck.to_string(), "4k3/8/8/8/8/8/4K3/8 b - - 1 1");
}

#[test]
fn t21_the_reader_does_not_alter_what_it_reads() {
    for (text, why) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 PPPPPPPPPP", "dice"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 200 1", "half-move clock `200`"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 4294967296", "full-move number"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "full-move number"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 PNB x", "this has 8"),
        ("4k3/8/8/8/8/8/8/4K3 w -", "this has 3"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "half-move clock"),
        ("4k3/8/8/8/8/8/8/4K3 w - - +1 1", "half-move clock"),
    ] {
        let error = text.parse::<Position>().unwrap_err().to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
}

#[test]
fn t22_keys_are_canonical() {
    let start = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
    let (with, without) = (
        position(&format!("{start} e3 0 1")),
        position(&format!("{start} - 7 9")),
    );
    assert_eq!(position_key(&with), position_key(&without));
    let takeable = position("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
    assert!(position_key(&takeable).ends_with(" b - e3"));
    assert_eq!(pool("KPN"), pool("npk"));
    let two = with.with_pool(pool("kpb"));
    assert!(two.to_string().ends_with(" pbk"));
    assert!(book_key(&two).ends_with(" - bkp"));
    // Rights, side and dice tell positions apart.
    let other = position("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQk - 0 1");
    assert_ne!(position_key(&with), position_key(&other));
}

#[test]
fn t23_attackers_are_counted_not_answered() {
    let state = position("4k3/8/8/3r4/8/4n3/8/R2R2K1 b - - 0 1");
    let board = &state.board;
    let attackers = |side: Color, to: Square| {
        let pieces = board.colour(side).into_iter();
        let reach = |s: &Square| {
            let piece = board.piece_at(*s).unwrap();
            attacks(side, piece, *s, board.occupied()).has(to)
        };
        pieces.filter(reach).count()
    };
    assert_eq!(attackers(Color::Black, Square::D1), 2);
    assert_eq!(attackers(Color::White, Square::F1), 2);
    assert_eq!(attackers(Color::White, Square::H8), 0);
}

#[test]
fn t29_untrusted_input_gets_errors_in_release_too() {
    assert_eq!(Pool::new(&[Piece::Pawn; 4]), None);
    assert_eq!(Roll::of(pool("PN")), None);
    assert!(parse_roll("PN").is_err() && parse_roll("PNBB").is_err() && parse_roll("☃").is_err());
    for text in ["", "e2", "e2e9", "e7e8k", "e2e4e5", "☃☃"] {
        assert!(text.parse::<MicroMove>().is_err(), "{text}");
    }
    let game = DiceChess::default();
    for text in [
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "kk6/8/8/8/8/8/8/K7 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 QQQ",
        "9/8/8/8/8/8/8/8 w - - 0 1",
        "ppppppppp/8/8/8/8/8/8/8 w - - 0 1",
    ] {
        assert!(game.parse_observation(text).is_err(), "{text}");
    }
    // A move that is not legal is refused by name, not played.
    let state = rolled("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "KKK");
    assert!(game.parse_action("e1e3", &legal(&state)).is_err());
}

/// T28 as far as the rules go: a roll that passes leaves no decision behind.
#[test]
fn t28_a_pass_is_a_roll_and_no_turn() {
    let game = DiceChess::default();
    let mut state = position("4k3/8/8/8/8/8/8/4K3 w - - 5 1");
    let clock = state.half_move;
    game.apply_chance(&mut state, Roll::of(pool("QQQ")).unwrap());
    assert_eq!((state.side, state.phase), (Color::Black, Phase::Roll));
    assert_eq!((state.half_move, state.pool), (clock, Pool::EMPTY));
    game.apply_chance(&mut state, Roll::of(pool("PPP")).unwrap());
    assert_eq!(state.to_string(), "4k3/8/8/8/8/8/8/4K3 w - - 5 2");
}
