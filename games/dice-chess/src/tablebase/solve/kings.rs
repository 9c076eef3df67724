//! Turns of a lone king, and the table of two kings.

use std::sync::LazyLock;

use cozy_chess::{BitBoard, Square, get_king_moves};

use super::model::Model;

/// Of the 216 rolls, how many show the wanted face 0, 1, 2 and 3 times.
const KING_DICE: [f64; 4] = [125.0, 75.0, 15.0, 1.0];

/// The squares next to each square; the first is repeated to fill the eight places.
static NEIGHBOURS: LazyLock<[[u8; 8]; 64]> = LazyLock::new(|| {
    std::array::from_fn(|square| {
        let moves = get_king_moves(Square::index(square));
        let first = moves.next_square().map_or(0, |to| to as u8);
        let mut list = [first; 8];
        for (place, to) in list.iter_mut().zip(moves) {
            *place = to as u8;
        }
        list
    })
});

/// A value for each square of a king.
pub(super) type BySquare = [f64; 64];

/// One king die for the minimising king: it takes the king on `enemy`, or moves.
fn step(next: &BySquare, enemy: Square) -> BySquare {
    let near: BitBoard = get_king_moves(enemy);
    let mut out = [0.0; 64];
    for (square, (value, list)) in out.iter_mut().zip(NEIGHBOURS.iter()).enumerate() {
        *value = if near.has(Square::index(square)) {
            -1.0
        } else {
            list.iter()
                .fold(f64::INFINITY, |least, &to| least.min(next[usize::from(to)]))
        };
    }
    out
}

/// For a lone king that has just taken the piece: the value with 0, 1 and 2 king dice left.
pub(super) fn after_capture(bare: BySquare, enemy: Square) -> [BySquare; 3] {
    let one = step(&bare, enemy);
    [bare, one, step(&one, enemy)]
}

/// The value of a whole turn of the minimising king from every square, given the values after
/// it. A king always has a move, so the maximum of R6 spends all its dice.
pub(super) fn lone_turn(
    after: &BySquare,
    enemy: Square,
    piece: Option<(Square, &[BySquare; 3])>,
) -> BySquare {
    let put = |level: &mut BySquare, dice: usize| {
        if let Some((square, taken)) = piece {
            level[square as usize] = taken[dice][square as usize];
        }
    };
    let mut level = *after;
    put(&mut level, 0);
    let mut sum = level.map(|value| KING_DICE[0] * value);
    for (dice, weight) in KING_DICE.iter().enumerate().skip(1) {
        level = step(&level, enemy);
        if dice < 3 {
            put(&mut level, dice);
        }
        for (total, value) in sum.iter_mut().zip(&level) {
            *total += weight * value;
        }
    }
    sum.map(|total| total / 216.0)
}

/// King against king. The arrays are `[weak king][strong king]`.
pub(super) struct Kings;

impl Model for Kings {
    fn depth(&self) -> usize {
        0
    }

    fn valid(&self) -> Vec<bool> {
        (0..64 * 64).map(|index| index / 64 != index % 64).collect()
    }

    fn strong_turn(&self, _bound: usize, weak: &[f64], strong: &mut [f64]) {
        for square in Square::ALL {
            let row = square as usize * 64..square as usize * 64 + 64;
            let after = std::array::from_fn(|king| -weak[row.start + king]);
            let turn = lone_turn(&after, square, None);
            for (value, negated) in strong[row].iter_mut().zip(turn) {
                *value = -negated;
            }
        }
    }

    fn weak_turn(&self, _bound: usize, strong: &[f64], weak: &mut [f64]) {
        for square in Square::ALL {
            let column = square as usize;
            let after = std::array::from_fn(|king| strong[king * 64 + column]);
            for (king, value) in lone_turn(&after, square, None).into_iter().enumerate() {
                weak[king * 64 + column] = value;
            }
        }
    }
}
