//! The distinct results, against the legal turns one by one.

use super::*;
use crate::dice::Roll;
use crate::position::Position;
use crate::test_positions::{MEASURED, from_games, known_boards, position, rows, sparse};
use crate::turns::{count_turns, legal_turns};
use search_core::rng::{Draw, Seed};
use std::collections::HashMap;

/// Board to the lowest clock and whether the king was taken.
fn plain(board: &Board, side: Color, pool: Pool, clock: u8) -> HashMap<Board, (u8, bool)> {
    let mut results = HashMap::new();
    for turn in legal_turns(board, side, pool) {
        let after = replay(board, side, turn.moves, clock);
        let entry = results
            .entry(turn.board)
            .or_insert((after.1, turn.takes_king));
        entry.0 = entry.0.min(after.1);
    }
    results
}

fn replay(board: &Board, side: Color, moves: TurnMoves, clock: u8) -> (Board, u8) {
    let (mut board, mut clock) = (*board, clock);
    for mv in moves.iter() {
        let piece = board.piece_at(mv.from()).unwrap();
        let effect = board.play(side, piece, mv);
        clock = if effect.resets_clock {
            0
        } else {
            (clock + 1).min(127)
        };
    }
    (board, clock)
}

fn compare(results: &mut TurnResults, board: &Board, side: Color, pool: Pool, clock: u8) {
    let expected = plain(board, side, pool, clock);
    let legal = legal_turns(board, side, pool);
    let shown = Position::before_roll(*board, side);
    assert_eq!(
        results.dice(pool),
        crate::legality::most_dice(board, side, pool)
    );
    let found = results.choose(pool);
    assert_eq!(found.len(), expected.len(), "{shown} {pool:?}");
    assert_eq!(found.is_empty(), legal.is_empty());
    let mut seen = std::collections::HashSet::new();
    for (i, result) in found.iter().enumerate() {
        assert!(seen.insert(result.board), "{shown} {pool:?}: twice");
        let (lowest, takes_king) = expected[&result.board];
        assert_eq!(result.half_move, lowest, "{shown} {pool:?}");
        assert_eq!(result.takes_king, takes_king);
        assert_eq!(i < found.king_captures(), takes_king, "captures come first");
        assert_eq!(*found.board(i), result.board);
        let there = replay(board, side, result.moves, clock);
        assert_eq!(
            there,
            (result.board, lowest),
            "{shown} {pool:?} {}",
            result.moves
        );
        assert!(legal.iter().any(|t| t.moves == result.moves));
    }
}

#[test]
fn one_roll() {
    let mut results = TurnResults::new();
    let mut rng = Seed(1).simulation(0);
    let mut one = |board: &Board, side, rng: &mut search_core::rng::SimRng| {
        let pool = Roll::from_ordered(rng.below(216)).pool();
        let clock = rng.below(128) as u8;
        results.expand(board, side, pool, clock);
        compare(&mut results, board, side, pool, clock);
    };
    for (board, side) in from_games(2_000, 3) {
        one(&board, side, &mut rng);
    }
    for _ in 0..4_000 {
        let board = sparse(&mut rng);
        one(&board, Color::White, &mut rng);
        one(&board, Color::Black, &mut rng);
    }
    for board in known_boards() {
        one(&board, Color::White, &mut rng);
        one(&board, Color::Black, &mut rng);
    }
}

#[test]
fn all_rolls() {
    let mut results = TurnResults::new();
    let mut rng = Seed(2).simulation(0);
    let mut all = |board: &Board, side| {
        results.expand_all(board, side, 5);
        for roll in Roll::all() {
            compare(&mut results, board, side, roll.pool(), 5);
        }
    };
    for (_, text) in MEASURED {
        let position = position(text);
        all(&position.board, position.side);
    }
    for (board, side) in from_games(40, 4) {
        all(&board, side);
    }
    for _ in 0..150 {
        let board = sparse(&mut rng);
        all(&board, Color::White);
    }
}

/// The rows of the known answers: turns with the exact counts, and the distinct results.
#[test]
fn known_counts() {
    let mut results = TurnResults::new();
    let rows = rows("legal_turns");
    assert_eq!(rows.len(), 424);
    for row in rows {
        let position = position(row["position"].as_str().unwrap());
        let pool = crate::dfen::parse_dice(row["dice"].as_str().unwrap()).unwrap();
        let (board, side) = (&position.board, position.side);
        results.expand(board, side, pool, 0);
        let found = results.choose(pool).len() as u64;
        let expected = &row["expected"];
        assert_eq!(Some(found), expected["distinct_results"].as_u64(), "{row}");
        assert_eq!(
            Some(u64::from(results.dice(pool))),
            expected["dice_used"].as_u64()
        );
        compare(&mut results, board, side, pool, 0);
        let captures = king_capture(board, side, pool);
        let any = expected["king_capture_turns"].as_u64().unwrap() > 0;
        assert_eq!(captures.is_some(), any, "{row}");
        assert_eq!(count_turns(board, side, pool).results, found);
    }
}

#[test]
fn shortest_captures() {
    let mut rng = Seed(5).simulation(0);
    for _ in 0..3_000 {
        let board = sparse(&mut rng);
        let roll = Roll::from_ordered(rng.below(216));
        let turns = legal_turns(&board, Color::White, roll.pool());
        let captures = turns.iter().filter(|t| t.takes_king);
        let shortest = captures.map(|t| t.moves.len()).min();
        let found = king_capture(&board, Color::White, roll.pool());
        assert_eq!(found.map(|t| t.len()), shortest);
        if let Some(moves) = found {
            assert!(turns.iter().any(|t| t.takes_king && t.moves == moves));
        }
    }
}

/// Once grown, the memory stays where it is.
#[test]
fn memory_is_kept() {
    let mut results = TurnResults::new();
    let position = position(MEASURED[1].1);
    let fill = |results: &mut TurnResults| {
        results.expand_all(&position.board, position.side, 0);
        for roll in Roll::all() {
            assert!(!results.choose(roll.pool()).is_empty());
        }
        (
            results.nodes.as_ptr(),
            results.chosen.as_ptr(),
            results.nodes.len(),
        )
    };
    fill(&mut results);
    let first = fill(&mut results);
    assert_eq!(first, fill(&mut results));
}
