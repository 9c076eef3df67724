//! What a position looks like to a search that does not see its end.

use search_core::game::{Player, Returns};
use search_core::policy::Evaluator;

use super::{Othello, Position, board};

/// The squares of the upper left quarter by what holding them is worth, from the corner. The squares
/// beside a corner give it away.
const QUARTER: [[i32; 4]; 4] = [
    [20, -3, 2, 1],
    [-3, -7, -1, -1],
    [2, -1, 1, 0],
    [1, -1, 0, 0],
];

/// The squares of each worth, and the worth.
const CLASSES: [(i32, u64); 6] = [
    (20, squares_of(20)),
    (2, squares_of(2)),
    (1, squares_of(1)),
    (-1, squares_of(-1)),
    (-3, squares_of(-3)),
    (-7, squares_of(-7)),
];

/// What holding a square (0 to 63) is worth.
pub(super) const fn square_weight(square: usize) -> i32 {
    let (row, column) = (square / 8, square % 8);
    let row = if row < 4 { row } else { 7 - row };
    let column = if column < 4 { column } else { 7 - column };
    QUARTER[row][column]
}

const fn squares_of(worth: i32) -> u64 {
    let (mut mask, mut square) = (0, 0);
    while square < 64 {
        if square_weight(square) == worth {
            mask |= 1 << square;
        }
        square += 1;
    }
    mask
}

/// A hundredth for each point of the squares held, two for each move one has, at most 0.9 in all: less
/// than a win.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SquaresAndMoves;

impl Evaluator<Othello> for SquaresAndMoves {
    fn evaluate(&self, _: &Othello, position: &Position) -> Returns {
        let [black, white] = [0, 1].map(|player| position.discs(Player::new(player)));
        let worth = |own: u64, other: u64| {
            let held = |&(worth, mask): &(i32, u64)| worth * (own & mask).count_ones() as i32;
            let moves = board::moves(own, other).count_ones() as i32;
            CLASSES.iter().map(held).sum::<i32>() + 2 * moves
        };
        let lead = worth(black, white) - worth(white, black);
        Returns::zero_sum((0.01 * f64::from(lead)).clamp(-0.9, 0.9))
    }
}
