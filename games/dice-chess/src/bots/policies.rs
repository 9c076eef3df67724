//! The simple bots: policies without memory that choose a whole turn and play its next micro-move.
//!
//! In the middle of a turn the choice is made anew among what is still possible. That is consistent:
//! the best result is as good after the first micro-move towards it as before, and a turn drawn
//! uniformly is still uniform when its rest is drawn anew. Ties are broken by the generator of the
//! decision, so that games differ; the same seed gives the same game.

use search_core::policy::Policy;
use search_core::rng::{Draw, SimRng};

use super::choices::{results, turns};
use super::scores::TurnScore;
use crate::game::DiceChess;
use crate::micro_move::MicroMove;
use crate::position::Position;
use crate::results::TurnResult;
use crate::turns::{PlayedTurn, TurnMoves};

/// Draws every legal turn with the same probability: every sequence of micro-moves, that is, so a
/// result that several lead to comes up more often. The framework's `random` instead draws every
/// micro-move with the same probability.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RandomTurn;

/// Captures the king if it can, else [`RandomTurn`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CaptureAware;

/// Captures the king if it can, else plays to the result with the best score, drawing among equals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BestResult<S>(pub S);

impl Policy<DiceChess> for RandomTurn {
    fn choose(
        &self,
        _: &DiceChess,
        position: &Position,
        legal: &[MicroMove],
        rng: &mut SimRng,
    ) -> MicroMove {
        first_of(draw(&turns(position), rng).map(|t| t.moves), legal)
    }
}

impl Policy<DiceChess> for CaptureAware {
    fn choose(
        &self,
        _: &DiceChess,
        position: &Position,
        legal: &[MicroMove],
        rng: &mut SimRng,
    ) -> MicroMove {
        let mut turns = turns(position);
        if turns.iter().any(|t| t.takes_king) {
            turns.retain(|t| t.takes_king);
        }
        first_of(draw(&turns, rng).map(|t: &PlayedTurn| t.moves), legal)
    }
}

impl<S: TurnScore> Policy<DiceChess> for BestResult<S> {
    fn choose(
        &self,
        _: &DiceChess,
        position: &Position,
        legal: &[MicroMove],
        rng: &mut SimRng,
    ) -> MicroMove {
        if legal.len() == 1 {
            return legal[0];
        }
        let mut best = i32::MIN;
        let mut equals: Vec<TurnResult> = Vec::new();
        for turn in results(position) {
            let score = if turn.takes_king {
                i32::MAX
            } else {
                self.0.score(&turn.board, position.side)
            };
            if score > best {
                best = score;
                equals.clear();
            }
            if score == best {
                equals.push(turn);
            }
        }
        first_of(draw(&equals, rng).map(|t| t.moves), legal)
    }
}

fn draw<'a, T>(turns: &'a [T], rng: &mut SimRng) -> Option<&'a T> {
    let count = u32::try_from(turns.len()).ok().filter(|&n| n > 0)?;
    turns.get(rng.below(count) as usize)
}

/// The first micro-move of a turn; there always is one where a player is to move.
fn first_of(turn: Option<TurnMoves>, legal: &[MicroMove]) -> MicroMove {
    let first = turn.and_then(|moves| moves.iter().next());
    debug_assert!(first.is_some_and(|mv| legal.contains(&mv)));
    first.unwrap_or(legal[0])
}
