//! What the bots choose among: [`turns`] and their distinct [`results`] from any position at which a
//! player is to move, in the middle of a turn too.

use std::collections::HashSet;

use crate::board::Board;
use crate::legality::most_dice;
use crate::position::{Phase, Position};
use crate::turns::{PlayedTurn, legal_turns};

/// Every way to end the turn: those that spend what the turn has to spend, and those that capture
/// the king (R6). In the middle of a turn that is what follows the micro-moves already made (T2).
#[must_use]
pub fn turns(position: &Position) -> Vec<PlayedTurn> {
    let Phase::Spend(still) = position.phase else {
        return Vec::new();
    };
    let mut turns = legal_turns(&position.board, position.side, position.pool);
    // Fewer dice than the turn owes can be left to spend only after a micro-move that was played for
    // a king capture: then nothing else is legal.
    if most_dice(&position.board, position.side, position.pool) != still {
        turns.retain(|t| t.takes_king);
    }
    turns
}

/// The distinct boards that the turn can end in, each with the first sequence that leads there.
#[must_use]
pub fn results(position: &Position) -> Vec<PlayedTurn> {
    let mut seen: HashSet<Board> = HashSet::new();
    let mut turns = turns(position);
    turns.retain(|t| seen.insert(t.board));
    turns
}
