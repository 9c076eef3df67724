//! A position of the game: [`Position`], and how dice, micro-moves and the end of a turn change it (rules
//! R2, R6, R10, R11, R12).

use cozy_chess::{Color, Piece};

use crate::board::Board;
use crate::dice::{Pool, Roll};
use crate::legality::most_dice;
use crate::micro_move::MicroMove;
use crate::options::DrawPolicy;

/// The half-move clock counts to here and stays: a DFEN holds no more, and it never wraps (T6).
pub const LAST_HALF_MOVE: u8 = 127;
/// The full-move number counts to here and stays.
pub const LAST_FULL_MOVE: u32 = i32::MAX as u32;

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This side captured the king.
    Won(Color),
    /// The draw policy ended it.
    Drawn,
}

/// Where the turn stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The dice are to be rolled.
    Roll,
    /// The side to move must spend this many more dice, unless it captures the king.
    Spend(u8),
    /// The game is over.
    Over(Outcome),
}

/// Everything: the board, whose turn it is, the dice that are left and the counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// Pieces, rights and en passant targets.
    pub board: Board,
    /// Whose turn it is.
    pub side: Color,
    /// The dice that are left.
    pub pool: Pool,
    /// Where the turn stands.
    pub phase: Phase,
    /// Micro-moves since a pawn moved or something was captured, at most [`LAST_HALF_MOVE`].
    pub half_move: u8,
    /// The number of the move, from 1; one more after every turn of Black's.
    pub full_move: u32,
}

impl Position {
    /// The start of a game: White is to roll.
    #[must_use]
    pub fn start() -> Self {
        Self::before_roll(Board::start(), Color::White)
    }

    /// A position before the roll, with the counters at their start.
    #[must_use]
    pub const fn before_roll(board: Board, side: Color) -> Self {
        Self {
            board,
            side,
            pool: Pool::EMPTY,
            phase: Phase::Roll,
            half_move: 0,
            full_move: 1,
        }
    }

    /// Puts dice on the table: how many must be spent follows from the board (R6). An empty pool is
    /// a turn before its roll. A pool that cannot be spent leaves the turn to be passed.
    #[must_use]
    pub fn with_pool(mut self, pool: Pool) -> Self {
        self.pool = pool;
        self.phase = if pool.is_empty() {
            Phase::Roll
        } else {
            Phase::Spend(most_dice(&self.board, self.side, pool))
        };
        self
    }

    /// Rolls the dice; a roll without a micro-move passes at once.
    #[inline]
    pub fn roll(&mut self, roll: Roll, policy: DrawPolicy) {
        self.pool = roll.pool();
        let most = most_dice(&self.board, self.side, self.pool);
        self.phase = Phase::Spend(most);
        if most == 0 {
            self.end_turn(policy);
        }
    }

    /// Plays a legal micro-move; ends the turn when nothing is left to spend, the game when it takes
    /// the king.
    #[inline]
    pub fn play(&mut self, mv: MicroMove, policy: DrawPolicy) {
        let Some(piece) = self.board.piece_at(mv.from()) else {
            debug_assert!(false, "{mv} moves nothing");
            return;
        };
        let paid = self.spend_dice(piece, mv);
        let effect = self.board.play(self.side, piece, mv);
        self.half_move = if effect.resets_clock {
            0
        } else {
            (self.half_move + 1).min(LAST_HALF_MOVE)
        };
        if effect.takes_king {
            let winner = self.side;
            self.end_turn(DrawPolicy::NONE);
            self.phase = Phase::Over(Outcome::Won(winner));
            return;
        }
        if let Phase::Spend(still) = self.phase {
            let still = still.saturating_sub(paid);
            self.phase = Phase::Spend(still);
            if still == 0 || self.pool.is_empty() {
                self.end_turn(policy);
            }
        }
    }

    /// Takes the dice of a micro-move from the pool, before the piece may change (R3): how many.
    fn spend_dice(&mut self, piece: Piece, mv: MicroMove) -> u8 {
        let castles = self.board.castles(self.side, piece, mv).is_some();
        let price: &[Piece] = if castles {
            &[Piece::King, Piece::Rook]
        } else {
            &[piece]
        };
        let mut paid = 0;
        for &die in price {
            if self.pool.has(die) {
                self.pool = self.pool.without(die);
                paid += 1;
            }
        }
        paid
    }

    /// Ends the turn: the other side rolls (R10), unless the draw policy says otherwise.
    #[inline]
    pub fn end_turn(&mut self, policy: DrawPolicy) {
        self.board.end_turn(self.side);
        self.pool = Pool::EMPTY;
        if self.side == Color::Black {
            self.full_move = (self.full_move + 1).min(LAST_FULL_MOVE);
        }
        self.side = !self.side;
        self.phase = if policy.draws(self.half_move, self.plies()) {
            Phase::Over(Outcome::Drawn)
        } else {
            Phase::Roll
        };
    }

    /// Turns since the start of the game by the full-move number, passes included.
    #[inline]
    #[must_use]
    pub const fn plies(&self) -> u64 {
        2 * (self.full_move as u64 - 1) + self.side as u64
    }
}
