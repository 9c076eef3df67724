//! What the bots choose among: [`turns`] and their distinct [`results`] from any position at which a
//! player is to move, in the middle of a turn too.

use crate::legality::most_dice;
use crate::position::{Phase, Position};
use crate::results::{TurnResult, TurnResults};
use crate::turns::{PlayedTurn, legal_turns};

/// Every way to end the turn: those that spend what the turn has to spend, and those that capture
/// the king (R6). In the middle of a turn that is what follows the micro-moves already made (T2).
#[must_use]
pub fn turns(position: &Position) -> Vec<PlayedTurn> {
    let Phase::Spend(still) = position.phase else {
        return Vec::new();
    };
    let mut turns = legal_turns(&position.board, position.side, position.pool);
    if !owes(
        most_dice(&position.board, position.side, position.pool),
        still,
    ) {
        turns.retain(|t| t.takes_king);
    }
    turns
}

/// The distinct boards that the turn can end in, king captures first, each with a sequence that
/// leads there.
#[must_use]
pub fn results(position: &Position) -> Vec<TurnResult> {
    let Phase::Spend(still) = position.phase else {
        return Vec::new();
    };
    let mut results = TurnResults::new();
    let Position { board, pool, .. } = position;
    results.expand(board, position.side, *pool, position.half_move);
    let dice = results.dice(*pool);
    let chosen = results.choose(*pool);
    let legal = if owes(dice, still) {
        chosen.len()
    } else {
        chosen.king_captures()
    };
    (0..legal).map(|number| chosen.get(number)).collect()
}

/// Whether turns without a king capture are legal. Fewer dice than the turn owes can be left to
/// spend only after a micro-move that was played for a king capture: then nothing else is.
const fn owes(most: u8, still: u8) -> bool {
    most == still
}
