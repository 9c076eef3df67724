//! The rolls that take the king, against trying every sequence of every roll.

use super::*;
use crate::legality::can_capture;
use crate::position::Position;
use crate::test_positions::{from_games, known_boards, position, rows, sparse};
use search_core::rng::Seed;

/// The same by a depth-first search of every roll.
fn plain(board: &Board, side: Color) -> RollSet {
    Roll::all()
        .filter(|roll| can_capture(board, side, roll.pool()))
        .fold(RollSet::NONE, RollSet::with)
}

fn assert_agrees(board: &Board, side: Color) {
    let (fast, plain) = (king_captures(board, side), plain(board, side));
    if fast != plain {
        let show = |s: RollSet| s.iter().collect::<Vec<_>>();
        panic!(
            "{} : missing {:?}, too many {:?}",
            Position::before_roll(*board, side),
            show(RollSet(plain.0 & !fast.0)),
            show(RollSet(fast.0 & !plain.0)),
        );
    }
}

#[test]
fn agrees_on_every_known_board() {
    let boards = known_boards();
    assert!(boards.len() > 300, "{}", boards.len());
    for board in boards {
        for side in Color::ALL {
            assert_agrees(&board, side);
        }
    }
}

#[test]
fn agrees_in_random_games() {
    for (board, _) in from_games(10_000, 1) {
        for side in Color::ALL {
            assert_agrees(&board, side);
        }
    }
}

#[test]
fn agrees_on_sparse_boards() {
    let mut rng = Seed(2).simulation(0);
    for _ in 0..20_000 {
        let board = sparse(&mut rng);
        for side in Color::ALL {
            assert_agrees(&board, side);
        }
    }
}

/// Fewer dice than a roll has, too.
#[test]
fn agrees_for_every_pool() {
    let mut rng = Seed(4).simulation(0);
    let mut boards: Vec<Board> = (0..2_000).map(|_| sparse(&mut rng)).collect();
    boards.extend(from_games(300, 9).iter().map(|(board, _)| *board));
    for board in boards {
        for roll in Roll::all() {
            let mut pool = roll.pool();
            for _ in 0..3 {
                let found = captures_with(&board, Color::White, pool);
                assert_eq!(found, can_capture(&board, Color::White, pool), "{pool:?}");
                let last = pool.faces().last().unwrap();
                pool = pool.without(last);
            }
            assert!(!captures_with(&board, Color::White, pool));
        }
    }
}

#[test]
fn known_probabilities() {
    let rows = rows("king_capture_probability");
    assert_eq!(rows.len(), 187);
    for row in rows {
        let text = row["position"].as_str().unwrap();
        let board = position(text).board;
        for (side, field) in [
            (Color::White, "white_captures_black_of_216"),
            (Color::Black, "black_captures_white_of_216"),
        ] {
            let expected = row["expected"][field].as_u64().unwrap();
            let found = u64::from(king_captures(&board, side).weight());
            assert_eq!(found, expected, "{text} {field}");
        }
    }
}

#[test]
fn published_probabilities() {
    let rows = rows("king_capture_probability_published");
    assert_eq!(rows.len(), 10);
    for row in rows {
        let text = row["position"].as_str().unwrap();
        let side = match row["attacker"].as_str() {
            Some("w") => Color::White,
            _ => Color::Black,
        };
        let board = position(text).board;
        let weight = u64::from(king_captures(&board, side).weight());
        assert_eq!(Some(weight), row["expected"]["of_216"].as_u64(), "{text}");
        let probability = row["expected"]["probability"].as_f64().unwrap();
        let found = king_capture_probability(&board, side);
        assert!((found - probability).abs() <= 1e-4, "{text}: {found}");
    }
}

#[test]
fn known_roll_tables() {
    for row in rows("roll_table") {
        let position = position(row["position"].as_str().unwrap());
        let found = king_captures(&position.board, position.side);
        for (roll, cells) in Roll::all().zip(row["expected"]["rows"].as_array().unwrap()) {
            let captures = cells[3].as_u64().unwrap();
            assert_eq!(found.has(roll), captures > 0, "{position} {roll:?}");
        }
    }
}

#[test]
fn sets_of_rolls() {
    assert_eq!(RollSet::ALL.weight(), 216);
    assert_eq!(RollSet::NONE.weight(), 0);
    assert_eq!(RollSet::ALL.complement(), RollSet::NONE);
    let mut rng = Seed(3).simulation(0);
    for _ in 0..200 {
        let set = RollSet(rng.next() & EVERY & rng.next());
        let weight: u32 = set.iter().map(Roll::weight).sum();
        assert_eq!(set.weight(), weight);
        assert_eq!(set.complement().weight(), 216 - weight);
        let mut drawn = [0; Roll::COUNT];
        for index in 0..weight {
            drawn[set.nth(index).unwrap().index()] += 1;
        }
        assert_eq!(set.nth(weight), None);
        for roll in Roll::all() {
            let expected = if set.has(roll) { roll.weight() } else { 0 };
            assert_eq!(drawn[roll.index()], expected, "{roll:?}");
        }
    }
}
