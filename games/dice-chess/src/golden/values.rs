//! Probabilities and values.

use cozy_chess::{Color, Piece};
use serde_json::Value;

use super::Checked;
use super::row::{expect, field, integer, near, number, position, text};
use crate::board::Board;
use crate::dice::Roll;
use crate::legality::can_capture;
use crate::turns::legal_turns;

fn capture_weight(board: &Board, side: Color) -> u64 {
    let rolls = Roll::all().filter(|r| can_capture(board, side, r.pool()));
    rolls.map(|r| u64::from(r.weight())).sum()
}

pub(super) fn king_capture(row: &Value) -> Checked {
    let board = position(row)?.board;
    let expected = field(row, "expected")?;
    for (name, side) in [
        ("white_captures_black_of_216", Color::White),
        ("black_captures_white_of_216", Color::Black),
    ] {
        expect(
            name,
            &integer(expected, name)?,
            &capture_weight(&board, side),
        )?;
    }
    Ok(())
}

pub(super) fn king_capture_published(row: &Value) -> Checked {
    let board = position(row)?.board;
    let side = match text(row, "attacker")? {
        "w" => Color::White,
        "b" => Color::Black,
        other => return Err(format!("attacker `{other}`: expected w or b")),
    };
    let expected = field(row, "expected")?;
    let weight = capture_weight(&board, side);
    expect("of_216", &integer(expected, "of_216")?, &weight)?;
    near(
        "probability",
        number(expected, "probability")?,
        weight as f64 / f64::from(Roll::TOTAL_WEIGHT),
        number(row, "tolerance")?,
    )
}

/// The material of a side, the king apart, in hundredths of a pawn.
fn material(board: &Board, side: Color) -> f64 {
    let worth = [
        (Piece::Pawn, 100.0),
        (Piece::Knight, 300.0),
        (Piece::Bishop, 300.0),
        (Piece::Rook, 500.0),
        (Piece::Queen, 900.0),
    ];
    let of = |(piece, worth): (Piece, f64)| worth * f64::from(board.of(side, piece).len());
    worth.into_iter().map(of).sum()
}

pub(super) fn chance_node_material(row: &Value) -> Checked {
    let position = position(row)?;
    let (board, side) = (position.board, position.side);
    let balance = |b: &Board| material(b, !side) - material(b, side);
    let mut sum = 0.0;
    for roll in Roll::all() {
        let turns = legal_turns(&board, side, roll.pool());
        let value = if turns.iter().any(|t| t.takes_king) {
            -1e9
        } else if turns.is_empty() {
            balance(&board)
        } else {
            let values = turns.iter().map(|t| balance(&t.board));
            values.fold(f64::INFINITY, f64::min)
        };
        sum += f64::from(roll.weight()) * value;
    }
    near(
        "value_for_side_not_to_move",
        number(field(row, "expected")?, "value_for_side_not_to_move")?,
        sum / f64::from(Roll::TOTAL_WEIGHT),
        number(row, "tolerance")?,
    )
}
