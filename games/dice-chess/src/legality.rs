//! The maximum-dice rule (R6): how many dice a turn must spend, and which micro-moves extend to a legal
//! turn.

use cozy_chess::{Color, Piece};

use crate::board::Board;
use crate::dice::Pool;
use crate::micro_move::MicroMove;

/// What the sequences that start from a board can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reach {
    /// The most dice any of them spends; castling spends two, a king capture its one and no more.
    pub dice: u8,
    /// Whether one of them captures the king.
    pub captures: bool,
}

/// The most dice that any sequence of micro-moves can spend: `L*` of the rule.
#[must_use]
pub fn most_dice(board: &Board, side: Color, pool: Pool) -> u8 {
    spend(board, side, pool, pool.len())
}

/// The most dice, or `enough` as soon as a sequence is found that spends as many.
fn spend(board: &Board, side: Color, pool: Pool, enough: u8) -> u8 {
    if pool.is_empty() || enough == 0 {
        return 0;
    }
    if enough == 1 && !pool.can_castle() || pool.len() == 1 {
        return u8::from(pool.faces().any(|face| board.has_move(side, face)));
    }
    let mut most = 0;
    board.any_paid(side, pool, |piece, mv, left| {
        let paid = pool.len() - left.len();
        let mut after = *board;
        let rest = if after.play(side, piece, mv).takes_king {
            0
        } else {
            spend(&after, side, left, enough.saturating_sub(paid))
        };
        most = most.max(paid + rest);
        most >= enough
    });
    most
}

/// Whether some sequence of micro-moves captures the king.
#[must_use]
pub fn can_capture(board: &Board, side: Color, pool: Pool) -> bool {
    board.any_paid(side, pool, |piece, mv, left| {
        let mut after = *board;
        after.play(side, piece, mv).takes_king || can_capture(&after, side, left)
    })
}

/// Whether a micro-move that was just played, leading to `after` with these dice left, extends to a
/// legal turn: some way on spends exactly the `still` dice that the turn has to spend, or captures
/// the king (R6, T2, T3).
fn extends(after: &Board, side: Color, left: Pool, still: u8) -> bool {
    still <= left.len() && (spend(after, side, left, still) >= still)
        || can_capture(after, side, left)
}

/// Calls `visit` with every legal micro-move, by piece and origin, when the turn has to spend
/// `to_spend` more dice.
pub fn for_each_legal(
    board: &Board,
    side: Color,
    pool: Pool,
    to_spend: u8,
    mut visit: impl FnMut(Piece, MicroMove),
) {
    board.any_paid(side, pool, |piece, mv, left| {
        let paid = pool.len() - left.len();
        let mut after = *board;
        let takes_king = after.play(side, piece, mv).takes_king;
        let legal = takes_king
            || paid <= to_spend && extends(&after, side, left, to_spend - paid)
            || paid > to_spend && can_capture(&after, side, left);
        if legal {
            visit(piece, mv);
        }
        false
    });
}
