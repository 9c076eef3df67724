//! Probabilities and values.

use cozy_chess::{Color, Piece, Square};
use serde_json::Value;

use super::Checked;
use super::row::{expect, field, integer, list, near, number, position, text};
use crate::board::Board;
use crate::capture::king_captures;
use crate::dice::Roll;
use crate::legality::can_capture;
use crate::survival::material;
use crate::tablebase::solve::kings_within;
use crate::turns::legal_turns;

/// The rolls of 216 that can take the king, by the fast way; an error if going through the turns of
/// every roll says otherwise.
fn capture_weight(board: &Board, side: Color) -> Result<u64, String> {
    let fast = king_captures(board, side);
    for roll in Roll::all() {
        let slow = can_capture(board, side, roll.pool());
        expect(&format!("{roll:?} takes the king"), &slow, &fast.has(roll))?;
    }
    Ok(u64::from(fast.weight()))
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
            &capture_weight(&board, side)?,
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
    let weight = capture_weight(&board, side)?;
    expect("of_216", &integer(expected, "of_216")?, &weight)?;
    near(
        "probability",
        number(expected, "probability")?,
        weight as f64 / f64::from(Roll::TOTAL_WEIGHT),
        number(row, "tolerance")?,
    )
}

pub(super) fn chance_node_material(row: &Value) -> Checked {
    let position = position(row)?;
    let (board, side) = (position.board, position.side);
    let balance = |b: &Board| f64::from(material(b, !side));
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

/// The square of a side's king.
fn king(board: &Board, side: Color) -> Result<Square, String> {
    let square = board.of(side, Piece::King).next_square();
    square.ok_or_else(|| format!("{side:?} has no king"))
}

pub(super) fn optimal_value_kk(row: &Value) -> Checked {
    let position = position(row)?;
    let (board, side) = (&position.board, position.side);
    let (own, other) = (king(board, side)?, king(board, !side)?);
    let horizons = list(row, "horizon_turns")?;
    let expected = list(row, "expected")?;
    expect("values", &horizons.len(), &expected.len())?;
    for (turns, value) in horizons.iter().zip(expected) {
        let turns = turns.as_u64().ok_or("a horizon is not a whole number")?;
        let value = value.as_f64().ok_or("a value is not a number")?;
        near(
            &format!("{turns} turns"),
            value,
            kings_within(turns as u32, own, other),
            number(row, "tolerance")?,
        )?;
    }
    Ok(())
}
