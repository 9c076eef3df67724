//! Whole turns: every legal sequence of micro-moves for a roll, and the distinct results (rules R5 and R6).

use cozy_chess::Color;
use std::collections::HashSet;

use crate::board::Board;
use crate::dice::Pool;
use crate::legality::most_dice;
use crate::micro_move::MicroMove;

/// The micro-moves of one turn: at most three.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TurnMoves {
    moves: [Option<MicroMove>; 3],
}

impl TurnMoves {
    /// No micro-moves: a pass.
    pub const PASS: Self = Self { moves: [None; 3] };

    /// With one more at the end; at most three fit.
    #[inline]
    #[must_use]
    pub fn then(mut self, mv: MicroMove) -> Self {
        if let Some(slot) = self.moves.iter_mut().find(|m| m.is_none()) {
            *slot = Some(mv);
        }
        self
    }

    /// The micro-moves in order.
    pub fn iter(&self) -> impl Iterator<Item = MicroMove> {
        self.moves.into_iter().flatten()
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether the turn is a pass.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.moves[0].is_none()
    }
}

impl std::fmt::Display for TurnMoves {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, mv) in self.iter().enumerate() {
            let space = if i == 0 { "" } else { " " };
            write!(f, "{space}{mv}")?;
        }
        Ok(())
    }
}

/// A legal turn and what it leads to, before the side changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PlayedTurn {
    /// The micro-moves.
    pub moves: TurnMoves,
    /// The board after them.
    pub board: Board,
    /// Whether it captured the king.
    pub takes_king: bool,
}

/// Every legal turn of `side` with these dice, in the order of the generator: none when it must
/// pass. Written for clarity; [`crate::results`] is the fast way to the distinct results.
#[must_use]
pub fn legal_turns(board: &Board, side: Color, pool: Pool) -> Vec<PlayedTurn> {
    legal_turns_spending(board, side, pool, most_dice(board, side, pool))
}

/// Every way to go on when `still` of the dice must be spent: what [`legal_turns`] is within a turn.
#[must_use]
pub fn legal_turns_spending(board: &Board, side: Color, pool: Pool, still: u8) -> Vec<PlayedTurn> {
    let mut turns = Vec::new();
    if still > 0 {
        extend(board, side, pool, still, TurnMoves::PASS, &mut turns);
    }
    turns
}

fn extend(
    board: &Board,
    side: Color,
    pool: Pool,
    still: u8,
    moves: TurnMoves,
    turns: &mut Vec<PlayedTurn>,
) {
    board.any_paid(side, pool, |piece, mv, left| {
        let paid = pool.len() - left.len();
        let mut after = *board;
        let takes_king = after.play(side, piece, mv).takes_king;
        let moves = moves.then(mv);
        if takes_king || paid == still {
            turns.push(PlayedTurn {
                moves,
                board: after,
                takes_king,
            });
        } else if paid < still {
            extend(&after, side, left, still - paid, moves, turns);
        }
        false
    });
}

/// What the legal turns of one roll come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TurnCounts {
    /// Legal turns: sequences of micro-moves.
    pub turns: u64,
    /// Those that capture the king.
    pub king_captures: u64,
    /// Different boards after a turn.
    pub results: u64,
    /// Micro-moves in all the turns together.
    pub micro_moves: u64,
    /// The dice a turn must spend unless it captures the king.
    pub dice: u8,
}

/// Counts the legal turns of one roll.
#[must_use]
pub fn count_turns(board: &Board, side: Color, pool: Pool) -> TurnCounts {
    count_turns_spending(board, side, pool, most_dice(board, side, pool))
}

/// Counts the ways to go on when `still` of the dice must be spent.
#[must_use]
pub fn count_turns_spending(board: &Board, side: Color, pool: Pool, still: u8) -> TurnCounts {
    let turns = legal_turns_spending(board, side, pool, still);
    let distinct: HashSet<Board> = turns.iter().map(|t| t.board).collect();
    TurnCounts {
        turns: turns.len() as u64,
        king_captures: turns.iter().filter(|t| t.takes_king).count() as u64,
        results: distinct.len() as u64,
        micro_moves: turns.iter().map(|t| t.moves.len() as u64).sum(),
        dice: still,
    }
}
