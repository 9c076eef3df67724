//! A king and a knight, bishop, rook or queen against a king.

use cozy_chess::{
    BitBoard, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves,
};

use super::kings::{BySquare, after_capture, lone_turn};
use super::model::{Bounded, Model};
use crate::tablebase::position::{Symmetry, TRIANGLE};

/// The best end of a turn: most dice, then the best value; a king capture beats everything.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    dice: u8,
    pub(super) value: f64,
}

impl Turn {
    /// The enemy king is taken: legal whatever the dice, and nothing is better.
    pub(super) const WIN: Self = Self {
        dice: u8::MAX,
        value: 1.0,
    };

    /// Stopping with the position as it is.
    pub(super) const fn stop(value: f64) -> Self {
        Self { dice: 0, value }
    }

    /// This turn or the one that spends a die and goes on with `rest`.
    pub(super) fn or_after_die(self, rest: Self) -> Self {
        self.or(Self {
            dice: rest.dice.saturating_add(1),
            ..rest
        })
    }

    /// The better of two turns.
    pub(super) fn or(self, other: Self) -> Self {
        let better =
            other.dice > self.dice || (other.dice == self.dice && other.value > self.value);
        if better { other } else { self }
    }
}

/// Dice pools of king dice and piece dice, by total: index `t * (t + 1) / 2 + piece dice`.
pub(super) const POOLS: usize = 10;

/// Index of a pool.
pub(super) const fn pool(king: usize, piece: usize) -> usize {
    let total = king + piece;
    total * (total + 1) / 2 + piece
}

/// Every pool with its number of king and of piece dice.
fn pools_of(total: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..=total).map(move |piece| (total - piece, piece))
}

/// Of the 216 rolls, how many show exactly so many king and piece faces.
pub(super) fn weight(king: usize, piece: usize) -> f64 {
    const FACTORIAL: [f64; 4] = [1.0, 1.0, 2.0, 6.0];
    let other = 3 - king - piece;
    let orders = FACTORIAL[3] / (FACTORIAL[king] * FACTORIAL[piece] * FACTORIAL[other]);
    orders * 4f64.powi(other as i32)
}

/// Where a piece attacks.
fn attacks(piece: Piece, from: Square, blockers: BitBoard) -> BitBoard {
    match piece {
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, blockers),
        Piece::Rook => get_rook_moves(from, blockers),
        Piece::Queen => get_bishop_moves(from, blockers) | get_rook_moves(from, blockers),
        Piece::Pawn | Piece::King => BitBoard::EMPTY,
    }
}

/// The best turns of the strong side for one square of the weak king: `[king][piece][pool]`.
pub(super) struct Turns {
    best: Vec<[Turn; POOLS]>,
}

impl Turns {
    /// Works them out from the values after the turn, `[king][piece]`.
    pub(super) fn new(piece: Piece, weak: Square, after: &[f64]) -> Self {
        let mut best: Vec<[Turn; POOLS]> = after
            .iter()
            .map(|&value| [Turn::stop(value); POOLS])
            .collect();
        for total in 1..=3 {
            for king in Square::ALL {
                for square in Square::ALL {
                    if king != weak && square != weak && king != square {
                        fill(&mut best, piece, [king, square, weak], total);
                    }
                }
            }
        }
        Self { best }
    }

    /// The best turn from these squares with these dice.
    pub(super) fn best(&self, king: Square, square: Square, pool: usize) -> Turn {
        self.best[king as usize * 64 + square as usize][pool]
    }

    /// The average over the rolls, from every pair of squares.
    fn averages(&self) -> impl Iterator<Item = f64> + '_ {
        let weights: [f64; POOLS] = std::array::from_fn(|index| {
            (0..=3)
                .flat_map(pools_of)
                .find(|&(king, piece)| pool(king, piece) == index)
                .map_or(0.0, |(king, piece)| weight(king, piece))
        });
        self.best.iter().map(move |turns| {
            let sum: f64 = turns
                .iter()
                .zip(weights)
                .map(|(turn, w)| w * turn.value)
                .sum();
            sum / 216.0
        })
    }
}

/// The pools of one size for one placement of the men.
fn fill(best: &mut [[Turn; POOLS]], piece: Piece, men: [Square; 3], total: usize) {
    let [king, square, weak] = men;
    let king_moves = get_king_moves(king) & !square.bitboard();
    let blockers = king.bitboard() | weak.bitboard();
    let piece_moves = attacks(piece, square, blockers) & !king.bitboard();
    let here = king as usize * 64 + square as usize;
    let stop = best[here][0];
    for (kings, pieces) in pools_of(total) {
        let captures = (kings > 0 && king_moves.has(weak)) || (pieces > 0 && piece_moves.has(weak));
        let mut turn = if captures { Turn::WIN } else { stop };
        if kings > 0 && !captures {
            for to in king_moves {
                let rest = best[to as usize * 64 + square as usize][pool(kings - 1, pieces)];
                turn = turn.or_after_die(rest);
            }
        }
        if pieces > 0 && !captures {
            for to in piece_moves {
                let rest = best[king as usize * 64 + to as usize][pool(kings, pieces - 1)];
                turn = turn.or_after_die(rest);
            }
        }
        best[here][pool(kings, pieces)] = turn;
    }
}

/// For each king of the strong side: what follows when the lone king has taken the piece.
pub(super) type Bare = Vec<[BySquare; 3]>;

/// Reads [`Bare`] off the table of two kings, for the middle, lower and upper values.
pub(super) fn bare(kings: &Bounded) -> [Bare; 3] {
    std::array::from_fn(|bound| {
        let values = &kings.values[bound].strong;
        let of = |king: Square| {
            let after = std::array::from_fn(|weak| values[weak * 64 + king as usize]);
            after_capture(after, king)
        };
        Square::ALL.map(of).to_vec()
    })
}

/// The lone king's turn, with `[weak king][strong king][piece]` arrays.
pub(super) fn weak_turn(bare: &Bare, squares: &[Square], strong: &[f64], weak: &mut [f64]) {
    for king in Square::ALL {
        for &square in squares {
            let column = king as usize * 64 + square as usize;
            let after = std::array::from_fn(|lone| strong[lone * 4096 + column]);
            let piece = Some((square, &bare[king as usize]));
            for (lone, value) in lone_turn(&after, king, piece).into_iter().enumerate() {
                weak[lone * 4096 + column] = value;
            }
        }
    }
}

/// Which `[weak king][strong king][piece]` indices are positions.
pub(super) fn valid(allowed: impl Fn(Square) -> bool) -> Vec<bool> {
    let of = |index: usize| {
        let [weak, king, piece] = [index / 4096, index / 64 % 64, index % 64];
        weak != king && king != piece && weak != piece && allowed(Square::index(piece))
    };
    (0..64 * 4096).map(of).collect()
}

/// The model of one officer.
pub(super) struct Officer {
    piece: Piece,
    bare: [Bare; 3],
}

impl Officer {
    /// The officer's game, over the solved game of two kings.
    pub(super) fn new(piece: Piece, kings: &Bounded) -> Self {
        Self {
            piece,
            bare: bare(kings),
        }
    }
}

impl Model for Officer {
    fn depth(&self) -> usize {
        1
    }

    fn valid(&self) -> Vec<bool> {
        valid(|_| true)
    }

    fn strong_turn(&self, _bound: usize, weak: &[f64], strong: &mut [f64]) {
        for lone in TRIANGLE {
            let row = lone as usize * 4096..lone as usize * 4096 + 4096;
            let turns = Turns::new(self.piece, lone, &weak[row.clone()]);
            for (value, average) in strong[row].iter_mut().zip(turns.averages()) {
                *value = average;
            }
        }
        for lone in Square::ALL {
            let map = Symmetry::to_triangle(lone);
            if map.apply(lone) != lone {
                spread(strong, lone, map);
            }
        }
    }

    fn weak_turn(&self, bound: usize, strong: &[f64], weak: &mut [f64]) {
        weak_turn(&self.bare[bound], &Square::ALL, strong, weak);
    }
}

/// Copies the values of one square of the weak king from its image.
pub(super) fn spread(values: &mut [f64], weak: Square, map: Symmetry) {
    let image = map.apply(weak) as usize * 4096;
    for king in Square::ALL {
        for piece in Square::ALL {
            let from = image + map.apply(king) as usize * 64 + map.apply(piece) as usize;
            values[weak as usize * 4096 + king as usize * 64 + piece as usize] = values[from];
        }
    }
}
