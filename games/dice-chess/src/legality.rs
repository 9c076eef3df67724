//! The maximum-dice rule (R6): how many dice a turn must spend, and which micro-moves extend to a legal
//! turn.

use cozy_chess::{Color, Piece};

use crate::board::Board;
use crate::capture::captures_with;
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

/// Whether some sequence of micro-moves captures the king, by trying them all. Written for clarity:
/// [`captures_with`] says the same at once.
#[must_use]
pub fn can_capture(board: &Board, side: Color, pool: Pool) -> bool {
    board.any_paid(side, pool, |piece, mv, left| {
        let mut after = *board;
        after.play(side, piece, mv).takes_king || can_capture(&after, side, left)
    })
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
    // A micro-move is legal if it extends to a legal turn: some way on spends exactly the dice that
    // the turn has to spend, or captures the king (R6, T2, T3). Whether the king can be captured
    // at all is asked once, and only if a micro-move is short of dice.
    let mut may_capture = None;
    board.any_paid(side, pool, |piece, mv, left| {
        let paid = pool.len() - left.len();
        if paid == to_spend {
            visit(piece, mv);
            return false;
        }
        let mut after = *board;
        let takes_king = after.play(side, piece, mv).takes_king;
        let spends = || {
            let still = to_spend.saturating_sub(paid);
            paid < to_spend && still <= left.len() && spend(&after, side, left, still) >= still
        };
        let mut captures = || {
            *may_capture.get_or_insert_with(|| captures_with(board, side, pool))
                && captures_with(&after, side, left)
        };
        if takes_king || spends() || captures() {
            visit(piece, mv);
        }
        false
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Roll;
    use crate::test_positions::{from_games, known_boards, sparse};
    use crate::turns::{TurnMoves, legal_turns};
    use search_core::rng::{Draw, Seed};
    use std::collections::BTreeSet;

    /// At every point of every legal turn, the legal micro-moves are those with which a legal turn goes on.
    fn check(board: &Board, side: Color, pool: Pool) {
        let turns = legal_turns(board, side, pool);
        let most = most_dice(board, side, pool);
        let mut points: BTreeSet<Vec<MicroMove>> = BTreeSet::new();
        for turn in &turns {
            let moves: Vec<_> = turn.moves.iter().collect();
            points.extend((0..moves.len()).map(|n| moves[..n].to_vec()));
        }
        for point in points {
            let (mut after, mut left) = (*board, pool);
            for &mv in &point {
                let piece = after.piece_at(mv.from()).unwrap();
                if after.castles(side, piece, mv).is_some() {
                    left = left.without(Piece::King).without(Piece::Rook);
                } else {
                    left = left.without(piece);
                }
                after.play(side, piece, mv);
            }
            let ways_on = turns.iter().filter_map(|turn| {
                let moves: Vec<_> = turn.moves.iter().collect();
                (moves.starts_with(&point)).then(|| moves.get(point.len()).copied())?
            });
            let expected: BTreeSet<MicroMove> = ways_on.collect();
            let mut found = BTreeSet::new();
            let still = most.saturating_sub(pool.len() - left.len());
            for_each_legal(&after, side, left, still, |_, mv| {
                assert!(found.insert(mv), "{mv} twice");
            });
            assert_eq!(found, expected, "{board:?} {pool:?} {point:?}");
        }
        assert!(!turns.iter().any(|t| t.moves == TurnMoves::PASS));
    }

    #[test]
    fn legal_micro_moves_are_those_of_legal_turns() {
        let mut rng = Seed(1).simulation(0);
        let mut boards: Vec<(Board, Color)> = from_games(300, 8);
        for board in known_boards() {
            boards.push((board, Color::White));
            boards.push((board, Color::Black));
        }
        boards.extend((0..1_500).map(|_| (sparse(&mut rng), Color::White)));
        for (board, side) in boards {
            let pool = Roll::from_ordered(rng.below(216)).pool();
            // Where there are very many turns this test takes its time.
            if legal_turns(&board, side, pool).len() < 600 {
                check(&board, side, pool);
            }
        }
    }
}
