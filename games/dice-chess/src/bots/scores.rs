//! What the simple bots like: a score of the board after a turn, in hundredths of a pawn.

use cozy_chess::{BitBoard, Color, Piece, Square, get_king_moves};

use crate::board::Board;
use crate::moves::attacks;

/// The pieces that count as material, and what they are worth in hundredths of a pawn.
pub const WORTH: [(Piece, i32); 5] = [
    (Piece::Pawn, 100),
    (Piece::Knight, 300),
    (Piece::Bishop, 300),
    (Piece::Rook, 500),
    (Piece::Queen, 900),
];

/// How good the board is for `side`, which has just moved: more is better.
pub trait TurnScore: Send + Sync {
    /// The score. Only its order matters.
    fn score(&self, board: &Board, side: Color) -> i32;
}

/// The material of `side` less that of the other side.
#[must_use]
pub fn material(board: &Board, side: Color) -> i32 {
    WORTH
        .into_iter()
        .map(|(piece, worth)| {
            worth * (board.of(side, piece).len() as i32 - board.of(!side, piece).len() as i32)
        })
        .sum()
}

/// Whether a piece of the other side could go to a king of `side` in one micro-move.
#[must_use]
pub fn king_attacked(board: &Board, side: Color) -> bool {
    let occupied = board.occupied();
    board.of(side, Piece::King).into_iter().any(|king| {
        Piece::ALL.into_iter().any(|piece| {
            // A pawn attacks the king from where a pawn of the king's own side would attack it.
            let from = attacks(side, piece, king, occupied);
            !from.is_disjoint(board.of(!side, piece))
        })
    })
}

/// [`material`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Material;

impl TurnScore for Material {
    fn score(&self, board: &Board, side: Color) -> i32 {
        material(board, side)
    }
}

/// [`material`], less a penalty when the own king is attacked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cautious {
    /// The penalty.
    pub penalty: i32,
}

impl Default for Cautious {
    fn default() -> Self {
        Self { penalty: 2000 }
    }
}

impl TurnScore for Cautious {
    fn score(&self, board: &Board, side: Color) -> i32 {
        let attacked = i32::from(king_attacked(board, side));
        material(board, side) - self.penalty * attacked
    }
}

/// [`Cautious`] with a liking for what brings pieces to the enemy king.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Aggressive {
    /// For each rank that a pawn has advanced.
    pub advance: i32,
    /// For each step that a knight, bishop, rook or queen is nearer to the enemy king than the
    /// seven of opposite edges.
    pub proximity: i32,
    /// For each pair of a piece and a square it attacks, of the enemy king's square and those around
    /// it.
    pub ring: i32,
    /// Less when the own king is attacked, as [`Cautious`].
    pub penalty: i32,
}

impl Default for Aggressive {
    fn default() -> Self {
        Self {
            advance: 10,
            proximity: 10,
            ring: 20,
            penalty: 2000,
        }
    }
}

impl TurnScore for Aggressive {
    fn score(&self, board: &Board, side: Color) -> i32 {
        let pawns = board.of(side, Piece::Pawn).into_iter();
        let advance: i32 = pawns.map(|square| advanced(square, side)).sum();
        let Some(king) = board.of(!side, Piece::King).next_square() else {
            return material(board, side);
        };
        let ring = get_king_moves(king) | king.bitboard();
        let occupied = board.occupied();
        let (mut proximity, mut pressure) = (0, 0);
        for piece in Piece::ALL {
            for square in board.of(side, piece) {
                let seen: BitBoard = attacks(side, piece, square, occupied) & ring;
                pressure += seen.len() as i32;
                if !matches!(piece, Piece::Pawn | Piece::King) {
                    proximity += 7 - distance(square, king);
                }
            }
        }
        material(board, side)
            + self.advance * advance
            + self.proximity * proximity
            + self.ring * pressure
            - self.penalty * i32::from(self.penalty != 0 && king_attacked(board, side))
    }
}

/// The ranks a pawn of `side` has advanced from its second.
pub(super) fn advanced(square: Square, side: Color) -> i32 {
    let rank = square as i32 / 8;
    match side {
        Color::White => rank - 1,
        Color::Black => 6 - rank,
    }
}

/// The moves of a king from one square to the other.
pub(super) fn distance(a: Square, b: Square) -> i32 {
    let files = (a as i32 % 8 - b as i32 % 8).abs();
    let ranks = (a as i32 / 8 - b as i32 / 8).abs();
    files.max(ranks)
}
