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
use crate::board::{Board, Castling};
use crate::capture::king_captures;
use crate::dice::Roll;
use crate::game::{DiceChess, player_of};
use crate::moves::attacks;
use crate::position::{Phase, Position};
use crate::tablebase::probe_bitboards;

/// How many features there are.
pub const FEATURES: usize = 17;
/// Those that are differences, the first ones.
const DIFFERENCES: usize = 11;
/// The number of the feature that is the other side's probability of taking the king.
const DANGER: usize = 12;

/// What the score is linear in, each the side to roll's less the other's: pawns, knights, bishops,
/// rooks, queens; the squared ranks that pawns have advanced; squares that pieces attack; steps of
/// pieces nearer to the enemy king than seven; free squares around the own king; pawns one step from
/// promotion that can take it; kinds of piece that can move, since others' dice are lost. Then 1
/// for the right to roll, and the other side's probability of taking the king if it rolled instead.
/// Last what is en prise: each piece's worth in pawns times the probability of rolling a kind that attacks
/// it, and that again times the probability of rolling a kind that takes back: for the pieces that
/// the side to roll attacks, and for those that the other does.
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
    0.074, 0.28, 0.292, 0.424, 0.534, 0.0098, 0.0081, 0.013, -0.0285, 0.32, 0.098, 0.11, -0.875,
    0.108, -0.101, -0.0545, 0.07,
];

impl Evaluation {
    /// The value for `side` when it is to roll.
    #[must_use]
    pub fn before_roll(&self, board: &Board, side: Color) -> f64 {
        if let Some(exact) = exact(board, side) {
            return exact;
        }
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

/// The exact value of an ending of two or three men for the side to roll.
#[inline]
fn exact(board: &Board, side: Color) -> Option<f64> {
    if board.occupied().len() > 3 || board.castling() != Castling::default() {
        return None;
    }
    let pieces = Piece::ALL.map(|piece| board.pieces(piece));
    let colours = Color::ALL.map(|colour| board.colour(colour));
    probe_bitboards(&pieces, &colours, side == Color::White)
}

/// The hyperbolic tangent of `x / 2`, through the exponential function alone.
fn tanh_half(x: f64) -> f64 {
    let e = libm::exp(-x);
    (1.0 - e) / (1.0 + e)
}

/// The features of a board before the roll of `side`; `danger` is one of them.
#[must_use]
pub fn features(board: &Board, side: Color, danger: f64) -> Features {
    let (own, own_seen) = of_side(board, side);
    let (other, other_seen) = of_side(board, !side);
    let mut features = [0.0; FEATURES];
    for (feature, (own, other)) in features.iter_mut().zip(own.into_iter().zip(other)) {
        *feature = f64::from(own - other);
    }
    features[DIFFERENCES] = 1.0;
    features[DANGER] = danger;
    (features[DANGER + 1], features[DANGER + 2]) = en_prise(board, !side, &own_seen, &other_seen);
    (features[DANGER + 3], features[DANGER + 4]) = en_prise(board, side, &other_seen, &own_seen);
    features
}

/// The squares that each kind of piece attacks.
type Seen = [BitBoard; 6];

/// What one side has, and what it attacks.
fn of_side(board: &Board, side: Color) -> ([i32; DIFFERENCES], Seen) {
    let mut own = [0; DIFFERENCES];
    let (mine, occupied) = (board.colour(side), board.occupied());
    for square in board.of(side, Piece::Pawn) {
        let advance = advanced(square, side);
        own[0] += 1;
        own[5] += advance * advance;
        if advance == 5 {
            own[9] += i32::from(!board.targets(side, Piece::Pawn, square).is_empty());
        }
    }
    let enemy_king = board.of(!side, Piece::King).next_square();
    let mut by_kind = [BitBoard::EMPTY; 6];
    for piece in Piece::ALL {
        for square in board.of(side, piece) {
            let seen = attacks(side, piece, square, occupied);
            by_kind[piece as usize] |= seen;
            if !matches!(piece, Piece::Pawn | Piece::King) {
                own[piece as usize] += 1;
                own[6] += (seen & !mine).len() as i32;
                own[7] += enemy_king.map_or(0, |king| 7 - distance(square, king));
            }
        }
    }
    if let Some(king) = board.of(side, Piece::King).next_square() {
        own[8] = (get_king_moves(king) & !occupied).len() as i32;
    }
    let moves = |seen: &&BitBoard| !(**seen & !mine).is_empty();
    own[10] = by_kind[1..].iter().filter(moves).count() as i32
        + i32::from(board.has_move(side, Piece::Pawn));
    (own, by_kind)
}

/// The worth in pawns of the pieces of `side` that are attacked, each by the probability of rolling a kind
/// that does; and the same times the probability of rolling a kind that can take back.
fn en_prise(board: &Board, side: Color, attacked: &Seen, defended: &Seen) -> (f64, f64) {
    let (mut prise, mut covered) = (0.0, 0.0);
    let odds = |seen: &Seen, square| DIRECT[seen.iter().filter(|s| s.has(square)).count()];
    for (piece, worth) in WORTH {
        for square in board.of(side, piece) {
            let lost = f64::from(worth) * 0.01 * odds(attacked, square);
            prise += lost;
            if lost > 0.0 {
                covered += lost * odds(defended, square);
            }
        }
    }
    (prise, covered)
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
