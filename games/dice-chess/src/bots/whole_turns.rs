//! Whole turns for depth-first search: [`WholeTurns`] lists the distinct results of a roll, for all
//! rolls at once where it can; and [`depth_first`], everything that such a search needs.

use cozy_chess::Color;
use search_core::search::expectimax::{Branch, Continuation, DepthFirst, Expand, Line};
use std::cell::RefCell;

use super::evaluation::Evaluation;
use crate::game::DiceChess;
use crate::position::{Phase, Position};
use crate::results::{TurnResult, TurnResults};

thread_local! {
    /// What is in it changes no result.
    static MEMORY: RefCell<Memory> = RefCell::default();
}

/// Memory of the expansions of a thread.
#[derive(Default)]
struct Memory {
    results: TurnResults,
    /// Values and numbers of the results of one roll.
    ranked: Vec<(f64, usize)>,
}

/// One continuation for each distinct result of the turn, the likely best first: king captures, then
/// by a rough evaluation.
///
/// Two turns have the same result if they leave the same board. They may still differ in the half-move
/// clock, by at most 2 and only where it has just been set back; the lowest is listed. The few results
/// that differ in nothing but an en passant target which the end of the turn drops are listed apart.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct WholeTurns {
    /// Puts the results of the turn at the root in order; `None` for [`Evaluation::rough`], which
    /// does for every other turn.
    pub root_order: Option<Evaluation>,
    /// A heuristic: only so many of the results of the turn at the root, king captures never left
    /// out. `None` keeps all.
    pub root_candidates: Option<usize>,
    /// The same for every turn after it.
    pub reply_candidates: Option<usize>,
}

impl WholeTurns {
    /// Lists the results of a position's dice, which have been worked out: king captures first, then
    /// the best by `order` or roughly, of which `most` at most are kept.
    ///
    /// A turn that captures the king ends the game and is worth more than any evaluation, so it can
    /// neither be left out nor ranked below one that does not (T27).
    fn list(
        order: Option<Evaluation>,
        most: Option<usize>,
        (game, position): (&DiceChess, &Position),
        Memory { results, ranked }: &mut Memory,
        out: &mut Vec<Continuation<DiceChess>>,
    ) {
        out.clear();
        let (Phase::Spend(still), side) = (position.phase, position.side) else {
            return;
        };
        let dice = results.dice(position.pool);
        let chosen = results.choose(position.pool);
        let captures = chosen.king_captures();
        // In the middle of a turn that was only begun for a king capture, nothing else is legal (T2);
        // and where only some are kept, nothing else is needed beside one.
        let only_captures = dice != still || (most.is_some() && captures > 0);
        let legal = if only_captures {
            captures
        } else {
            chosen.len()
        };
        let rough = Evaluation::default();
        let value = |number| {
            if captures > 0 {
                return 0.0;
            }
            let mut board = *chosen.board(number);
            board.end_turn(side);
            match order {
                Some(order) => -order.before_roll(&board, !side),
                None => rough.rough(&board, side),
            }
        };
        ranked.clear();
        ranked.extend((captures..legal).map(|n| (value(n), n)));
        // Equals stay in the order of the generator.
        ranked.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        ranked.truncate(most.unwrap_or(legal).max(1));
        let numbers = (0..captures).chain(ranked.iter().map(|&(_, number)| number));
        out.extend(numbers.filter_map(|n| continuation(game, position, &chosen.get(n))));
    }
}

/// Plays a result out. A result without a micro-move does not exist: a pass is no turn of a player.
fn continuation(
    game: &DiceChess,
    position: &Position,
    result: &TurnResult,
) -> Option<Continuation<DiceChess>> {
    let mut state = *position;
    let mut line: Option<Line<_>> = None;
    for mv in result.moves.iter() {
        match &mut line {
            None => line = Some(Line::new(mv)),
            Some(line) => line.push(mv),
        }
        state.play(mv, game.draw_policy());
    }
    line.map(|line| Continuation { line, state })
}

impl Expand<DiceChess> for WholeTurns {
    fn expand(&self, game: &DiceChess, state: &Position, out: &mut Vec<Continuation<DiceChess>>) {
        MEMORY.with_borrow_mut(|memory| {
            let results = &mut memory.results;
            results.expand(&state.board, state.side, state.pool, state.half_move);
            let most = self.root_candidates;
            Self::list(self.root_order, most, (game, state), memory, out);
        });
    }

    fn expand_chance(
        &self,
        game: &DiceChess,
        state: &Position,
        branches: &mut [Branch<DiceChess>],
    ) -> bool {
        MEMORY.with_borrow_mut(|memory| {
            let results = &mut memory.results;
            results.expand_all(&state.board, state.side, state.half_move);
            for branch in branches {
                let (most, out) = (self.reply_candidates, &mut branch.continuations);
                Self::list(None, most, (game, &branch.state), memory, out);
            }
        });
        true
    }
}

/// What a depth-first search needs, with this evaluation of leaves and this expansion.
#[must_use]
pub fn depth_first(evaluation: Evaluation, expand: WholeTurns) -> DepthFirst<DiceChess> {
    DepthFirst::new(evaluation)
        .with_chance()
        .with_key(key)
        .with_expand(expand)
}

/// How far ahead draws are told apart by [`key`], in turns.
pub const KEY_HORIZON: u64 = 16;

/// A key of everything the future of a search depends on.
///
/// The counters that can end the game in a draw are part of it only where they could do so within
/// [`KEY_HORIZON`] turns, so that positions which differ in nothing else are the same to a search
/// that looks no further. Where the options know no draw they never are.
#[must_use]
pub fn key(game: &DiceChess, state: &Position) -> u128 {
    let (board, policy) = (&state.board, game.draw_policy());
    let soonest = state
        .half_move
        .saturating_add(3 * KEY_HORIZON as u8)
        .min(127);
    let clock = if policy.draws(soonest, 0) {
        u64::from(state.half_move) + 1
    } else {
        0
    };
    let plies = if policy.draws(0, state.plies() + KEY_HORIZON) {
        state.plies() + 1
    } else {
        0
    };
    let (phase, still) = match state.phase {
        Phase::Roll => (0, 0),
        Phase::Spend(still) => (1, u64::from(still)),
        Phase::Over(_) => (2, 0),
    };
    let small = state.side as u64
        | phase << 1
        | still << 3
        | u64::from(board.castling().bits()) << 5
        | u64::from(state.pool.bits()) << 9
        | clock << 24;
    let pieces = cozy_chess::Piece::ALL.map(|piece| board.pieces(piece).0);
    let rest = [
        board.colour(Color::White).0,
        board.en_passant().0,
        small,
        plies,
    ];
    let (mut low, mut high) = (0x243f_6a88_85a3_08d3_u64, 0x1319_8a2e_0370_7344_u64);
    for word in pieces.into_iter().chain(rest) {
        low = (low ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        low ^= low >> 32;
        high = (high.rotate_left(29) ^ word).wrapping_mul(0xd6e8_feb8_6659_fd93);
        high ^= high >> 29;
    }
    u128::from(high) << 64 | u128::from(low)
}
