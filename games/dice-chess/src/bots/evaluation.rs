//! The static evaluation: [`Evaluation`].
//!
//! In dice chess a king falls to a single good roll, so what counts most is known exactly: the
//! probability `q` that the side to roll takes the king at once ([`king_captures`]). With
//! what is left the game goes on, for which a logistic score of the board stands in:
//!
//! ```text
//! value for the side to roll = q + (1 - q)·tanh(score / 2)
//! ```
//!
//! The score is linear in [`Features`]: what the side to roll has more of than the other, the right
//! to roll, and the probability that the other side would take the king if the turn were passed.
//! The weights were fitted to the results of games that the evaluation played against itself.

use cozy_chess::{BitBoard, Color, Piece, get_king_moves};
use search_core::game::Returns;
use search_core::policy::Evaluator;

use super::scores::{WORTH, advanced, distance};
use crate::board::Board;
use crate::capture::king_captures;
use crate::dice::Roll;
use crate::game::{DiceChess, player_of};
use crate::moves::attacks;
use crate::position::{Phase, Position};

/// How many features there are.
pub const FEATURES: usize = 15;
/// Those that are differences, the first ones.
const DIFFERENCES: usize = 11;
/// The number of the feature that is the other side's probability of taking the king.
const DANGER: usize = 12;

/// What the score is linear in, each the side to roll's less the other's: pawns, knights, bishops,
/// rooks, queens; the ranks that pawns have advanced, and the squares of those; squares that
/// pieces attack; attacked squares of the enemy king and those around it; steps of pieces
/// nearer to the enemy king than seven; free squares around the own king. Then 1 for the right to
/// roll, the other side's probability of taking the king if it rolled instead, and what is en
/// prise: each piece's worth in pawns times the probability of rolling a kind that attacks it, summed
/// for what the side to roll attacks, and for what the other does.
pub type Features = [f64; FEATURES];

/// How the probabilities of taking a king are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Danger {
    /// Exactly, over the 56 rolls and every turn.
    #[default]
    Exact,
    /// Only captures with the first micro-move: a lower bound, many times as fast.
    Direct,
}

/// The static evaluation, in -1 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evaluation {
    /// The weights of the features.
    pub weights: Features,
    /// How the probability that the side to roll takes the king is found.
    pub takes: Danger,
    /// How the other side's probability is found, which is only a feature.
    pub danger: Danger,
}

impl Default for Evaluation {
    fn default() -> Self {
        Self {
            weights: WEIGHTS,
            takes: Danger::Exact,
            danger: Danger::Exact,
        }
    }
}

/// Fitted to games: see `docs/src/experiments/dice-chess.md`.
const WEIGHTS: Features = [
    0.08, 0.31, 0.32, 0.48, 0.60, 0.02, 0.008, 0.013, 0.0, 0.007, -0.035, 0.09, -0.85, 0.088,
    -0.034,
];

impl Evaluation {
    /// The value for `side` when it is to roll.
    #[must_use]
    pub fn before_roll(&self, board: &Board, side: Color) -> f64 {
        let takes = self.takes.probability(board, side);
        takes + (1.0 - takes) * self.going_on(board, side)
    }

    /// The value for `side` when it rolls and does not take the king.
    fn going_on(&self, board: &Board, side: Color) -> f64 {
        let danger = self.danger.probability(board, !side);
        let features = features(board, side, danger);
        let score: f64 = features.iter().zip(self.weights).map(|(f, w)| f * w).sum();
        tanh_half(score)
    }

    /// A rough value of a board for `side`, which has just moved, by material and direct attacks on the
    /// kings alone: what puts a few hundred results in order in the time of a few evaluations.
    /// Only its order matters.
    #[must_use]
    pub fn rough(&self, board: &Board, side: Color) -> f64 {
        let mut score = 0.0;
        for (piece, weight) in WORTH.iter().map(|w| w.0).zip(self.weights) {
            let own = board.of(side, piece).len() as i32;
            score += weight * f64::from(own - board.of(!side, piece).len() as i32);
        }
        let threat = Danger::Direct.probability(board, side);
        let risk = Danger::Direct.probability(board, !side);
        (1.0 - risk) * (1.0 + 0.5 * score - self.weights[DANGER] * 0.5 * threat)
    }
}

impl Danger {
    /// The probability that `side` takes the king with its next roll, as far as it is looked at.
    #[must_use]
    pub fn probability(self, board: &Board, side: Color) -> f64 {
        match self {
            Self::Exact => {
                f64::from(king_captures(board, side).weight()) / f64::from(Roll::TOTAL_WEIGHT)
            }
            Self::Direct => DIRECT[attacking_kinds(board, side)],
        }
    }
}

/// The probability that one of three dice shows one of so many faces.
const DIRECT: [f64; 7] = [
    0.0,
    91.0 / 216.0,
    152.0 / 216.0,
    189.0 / 216.0,
    208.0 / 216.0,
    215.0 / 216.0,
    1.0,
];

/// How many kinds of piece of `side` attack the enemy king.
fn attacking_kinds(board: &Board, side: Color) -> usize {
    let Some(king) = board.of(!side, Piece::King).next_square() else {
        return 0;
    };
    let occupied = board.occupied();
    let attack = |piece: &Piece| {
        let from = attacks(!side, *piece, king, occupied);
        !from.is_disjoint(board.of(side, *piece))
    };
    Piece::ALL.iter().filter(|piece| attack(piece)).count()
}

/// The hyperbolic tangent of `x / 2`, through the exponential function alone.
fn tanh_half(x: f64) -> f64 {
    let e = libm::exp(-x);
    (1.0 - e) / (1.0 + e)
}

/// The features of a board before the roll of `side`; `danger` is one of them.
#[must_use]
pub fn features(board: &Board, side: Color, danger: f64) -> Features {
    let (own, own_prise) = of_side(board, side);
    let (other, other_prise) = of_side(board, !side);
    let mut features = [0.0; FEATURES];
    for (feature, (own, other)) in features.iter_mut().zip(own.into_iter().zip(other)) {
        *feature = f64::from(own - other);
    }
    features[DIFFERENCES] = 1.0;
    features[DANGER] = danger;
    features[DANGER + 1] = own_prise;
    features[DANGER + 2] = other_prise;
    features
}

/// What one side has, and what of the other's is en prise.
fn of_side(board: &Board, side: Color) -> ([i32; DIFFERENCES], f64) {
    let mut own = [0; DIFFERENCES];
    let (mine, occupied) = (board.colour(side), board.occupied());
    for square in board.of(side, Piece::Pawn) {
        let advance = advanced(square, side);
        own[0] += 1;
        own[5] += advance;
        own[6] += advance * advance;
    }
    let enemy_king = board.of(!side, Piece::King).next_square();
    let ring = enemy_king.map_or(BitBoard::EMPTY, |king| {
        get_king_moves(king) | king.bitboard()
    });
    let mut by_kind = [BitBoard::EMPTY; 6];
    for piece in Piece::ALL {
        for square in board.of(side, piece) {
            let seen = attacks(side, piece, square, occupied);
            by_kind[piece as usize] |= seen;
            own[8] += (seen & ring).len() as i32;
            if !matches!(piece, Piece::Pawn | Piece::King) {
                own[piece as usize] += 1;
                own[7] += (seen & !mine).len() as i32;
                own[9] += enemy_king.map_or(0, |king| 7 - distance(square, king));
            }
        }
    }
    if let Some(king) = board.of(side, Piece::King).next_square() {
        own[10] = (get_king_moves(king) & !occupied).len() as i32;
    }
    let mut prise = 0.0;
    for (piece, worth) in WORTH {
        for square in board.of(!side, piece) {
            let kinds = by_kind.iter().filter(|seen| seen.has(square)).count();
            prise += f64::from(worth) * 0.01 * DIRECT[kinds];
        }
    }
    (own, prise)
}

impl Evaluator<DiceChess> for Evaluation {
    /// Before the roll as above. With dice on the table the side to move is taken to be about to
    /// go on without taking the king.
    fn evaluate(&self, game: &DiceChess, state: &Position) -> Returns {
        use search_core::game::Game;
        let value = match state.phase {
            Phase::Over(_) => return game.returns(state),
            Phase::Roll => self.before_roll(&state.board, state.side),
            Phase::Spend(_) => self.going_on(&state.board, state.side),
        };
        let sign = if player_of(state.side).index() == 0 {
            1.0
        } else {
            -1.0
        };
        Returns::zero_sum(sign * value)
    }
}
