//! Othello, 8x8, on two bitboards: [`Othello`].
//!
//! Built for playouts: a position keeps the moves of the player whose turn it is, so that a ply costs
//! one computation of moves and one of turned discs, both without branches.

mod agent;
mod board;
mod evaluation;
mod plugin;
mod text;

use rand::Rng;
use search_core::game::{ChanceOutcomes, Game, InfoKey, Player, Returns, Turn};
use std::convert::Infallible;
use std::fmt;
use std::ops::RangeInclusive;

use crate::solve::InitialStates;
use crate::status::Status;

/// Squares of the board.
pub const SQUARES: usize = 64;

/// Othello on 8x8 squares. A disc must turn at least one of the opponent's; who has no such move passes;
/// the game ends when neither has one, and the one with more discs wins. Returns are 1, 0 and -1.
///
/// Player 0 has the black discs and moves first. The start is that of the World Othello Federation:
/// black on e4 and d5, white on d4 and e5.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Othello;

/// The discs, and what the player whose turn it is may play. Bit `8 * row + column` is a square, a1 first:
/// rows count from the top, as in the notation of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The discs of the player to move; after the end, of player 0.
    own: u64,
    other: u64,
    /// Where the player to move may put a disc. None: the player passes, or the game is over.
    moves: u64,
    status: Status,
}

/// A square, or [`Move::PASS`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u8);

impl Move {
    /// To pass: the only action of a player who cannot turn a disc, and of nobody else.
    pub const PASS: Self = Self(SQUARES as u8);

    /// The move to the square with this index, `8 * row + column` from a1.
    #[must_use]
    pub const fn new(square: usize) -> Option<Self> {
        if square < SQUARES {
            Some(Self(square as u8))
        } else {
            None
        }
    }

    /// The index of the square, `8 * row + column` from a1; `None` for a pass.
    #[inline]
    #[must_use]
    pub const fn square(self) -> Option<usize> {
        if self.0 < Self::PASS.0 {
            Some(self.0 as usize)
        } else {
            None
        }
    }
}

/// The set bits of a byte in order, one a byte.
static BITS: [u64; 256] = {
    let mut table = [0; 256];
    let mut set = 0;
    while set < table.len() {
        let (mut rest, mut count) = (set, 0);
        while rest != 0 {
            table[set] |= (rest.trailing_zeros() as u64) << (8 * count);
            rest &= rest - 1;
            count += 1;
        }
        set += 1;
    }
    table
};

/// How many they are.
static COUNTS: [u8; 256] = {
    let mut table = [0; 256];
    let mut set = 0;
    while set < table.len() {
        table[set] = (set as u32).count_ones() as u8;
        set += 1;
    }
    table
};

impl Move {
    /// Replaces the content of `out` with the squares of a set, in order. A loop over the squares would end
    /// where nobody can predict; this takes eight steps, each a store of eight squares of which the length
    /// keeps those that there are.
    #[inline]
    fn list(set: u64, out: &mut Vec<Self>) {
        const EACH: u64 = 0x0101_0101_0101_0101;
        out.clear();
        out.reserve(SQUARES);
        let mut count = 0;
        for (row, byte) in set.to_le_bytes().into_iter().enumerate() {
            let squares = BITS[usize::from(byte)] + 8 * row as u64 * EACH;
            out.extend_from_slice(&squares.to_le_bytes().map(Self));
            count += usize::from(COUNTS[usize::from(byte)]);
            out.truncate(count);
        }
    }
}

/// `a1` to `h8`, or `pass`.
impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.square() {
            Some(square) => {
                let column = char::from(b'a' + (square % 8) as u8);
                write!(f, "{column}{}", square / 8 + 1)
            }
            None => f.write_str("pass"),
        }
    }
}

impl Default for Position {
    fn default() -> Self {
        const START: Position = {
            let (black, white) = (1 << 28 | 1 << 35, 1 << 27 | 1 << 36);
            Position {
                own: black,
                other: white,
                moves: board::moves(black, white),
                status: Status::FirstToMove,
            }
        };
        START
    }
}

impl Position {
    /// The position with these discs; `None` if a square has both.
    ///
    /// If `mover` has no move and the opponent has one, `mover` is to pass; if neither has one, the game
    /// is over.
    #[must_use]
    pub const fn new(black: u64, white: u64, mover: Player) -> Option<Self> {
        if black & white != 0 {
            return None;
        }
        let (own, other, status) = if mover.index() == 0 {
            (black, white, Status::FirstToMove)
        } else {
            (white, black, Status::SecondToMove)
        };
        let mut position = Self {
            own,
            other,
            moves: board::moves(own, other),
            status,
        };
        if position.moves == 0 {
            position.settle();
        }
        Some(position)
    }

    /// The discs of one player (0 or 1), bit `8 * row + column`.
    #[inline]
    #[must_use]
    pub const fn discs(&self, player: Player) -> u64 {
        let owner = if self.status.is_over() {
            0
        } else {
            self.status.mover()
        };
        if player.index() == owner {
            self.own
        } else {
            self.other
        }
    }

    /// The squares to which the player whose turn it is may move: none to pass, and after the end.
    #[inline]
    #[must_use]
    pub const fn moves(&self) -> u64 {
        self.moves
    }

    /// How many squares are empty.
    #[inline]
    #[must_use]
    pub const fn empty(&self) -> u32 {
        (self.own | self.other).count_zeros()
    }

    #[inline]
    const fn is_over(&self) -> bool {
        self.status.is_over()
    }

    /// Plays a legal move.
    #[inline]
    fn play(&mut self, action: Move) {
        let (own, other) = (self.own, self.other);
        if action == Move::PASS {
            (self.own, self.other) = (other, own);
        } else {
            let turned = board::turned(own, other, action.0 as usize);
            self.own = other ^ turned;
            self.other = own | turned | 1 << (action.0 & 63);
        }
        self.status = self.status.next();
        self.moves = board::moves(self.own, self.other);
        if self.moves == 0 {
            self.settle();
        }
    }

    /// A pass, or the end: the player to move has no move.
    #[cold]
    const fn settle(&mut self) {
        if board::moves(self.other, self.own) != 0 {
            return;
        }
        if self.status.mover() == 1 {
            (self.own, self.other) = (self.other, self.own);
        }
        let (black, white) = (self.own.count_ones(), self.other.count_ones());
        self.status = if black > white {
            Status::FirstWon
        } else if black < white {
            Status::SecondWon
        } else {
            Status::Drawn
        };
    }
}

impl Game for Othello {
    type State = Position;
    type Action = Move;
    type Chance = Infallible;
    type Observation = Position;

    fn num_players(&self) -> usize {
        2
    }

    #[inline]
    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> Position {
        Position::default()
    }

    #[inline]
    fn turn(&self, position: &Position) -> Turn {
        position.status.turn()
    }

    #[inline]
    fn legal_actions(&self, position: &Position, out: &mut Vec<Move>) {
        if position.moves == 0 {
            out.clear();
            if !position.is_over() {
                out.push(Move::PASS);
            }
            return;
        }
        Move::list(position.moves, out);
    }

    #[inline]
    fn apply(&self, position: &mut Position, action: Move) {
        position.play(action);
    }

    #[inline]
    fn returns(&self, position: &Position) -> Returns {
        position.status.returns()
    }

    fn returns_sum(&self) -> Option<f64> {
        Some(0.0)
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        -1.0..=1.0
    }

    /// A move needs two discs on the board, and between two moves there is at most one pass.
    fn max_turns(&self) -> u32 {
        2 * (SQUARES as u32 - 2)
    }

    #[inline]
    fn observe(&self, position: &Position, _: Player) -> Position {
        *position
    }
}

impl ChanceOutcomes for Othello {
    fn chance_outcomes(&self, _: &Position, out: &mut Vec<(Infallible, f64)>) {
        out.clear();
    }
}

impl InfoKey for Othello {
    type Key = Position;
    fn info_key(&self, position: &Position, _: Player) -> Position {
        *position
    }
}

impl InitialStates for Othello {
    fn initial_states(&self) -> Vec<(Position, f64)> {
        vec![(Position::default(), 1.0)]
    }
}
