//! A uniformly random legal turn without writing down the turns: [`TurnSampler`].
//!
//! Uniform is meant over *turns*, sequences of micro-moves, of which several may lead to the same
//! board. The last die is never played out: its moves are counted (a promotion counts four), so a
//! table of all that comes before, with counts, is an index of the turns.
//!
//! Where it is known that the roll takes no king, a coarser table does: it ends before the last
//! *two* dice and holds, for every piece that may make the first of the two moves, an upper bound on
//! the moves of the last die afterwards. The squares are then drawn as if the bound were reached, and a
//! draw beyond the actual number is drawn again. Every turn owns exactly one number of the table,
//! so what is drawn is uniform, exactly.

use cozy_chess::{BitBoard, Color, Piece, Square};
use rand::Rng;
use search_core::rng::Draw;

use crate::board::{Board, Wing, king_home};
use crate::dice::Pool;
use crate::micro_move::MicroMove;
use crate::turns::TurnMoves;
use crate::view::{View, ahead, nth_target, piece_attacks};

/// Draws from the coarse table before the exact one is made: it may be that no number in it is a
/// turn.
const TRIES: u32 = 24;

/// A board within the turn, and how it was reached.
#[derive(Debug, Clone, Copy)]
struct Prefix {
    view: View,
    moves: TurnMoves,
}

/// What is still to be chosen.
#[derive(Debug, Clone, Copy)]
enum Rest {
    /// Nothing.
    Done,
    /// Castling, and nothing after it.
    Castle(Wing),
    /// One move of a piece of this kind.
    One(Piece),
    /// A move of the piece on `from`, and one of a piece of kind `last`, of which there are at most
    /// `bound`.
    Two {
        first: Piece,
        from: Square,
        targets: BitBoard,
        last: Piece,
        bound: u32,
    },
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    /// The first number after those of this entry.
    end: u64,
    prefix: u32,
    rest: Rest,
}

/// Draws legal turns. Keeps its memory: once it has grown, nothing is allocated.
#[derive(Debug, Clone, Default)]
pub struct TurnSampler {
    prefixes: Vec<Prefix>,
    entries: Vec<Entry>,
    /// The castling rights of the side to move.
    rights: [bool; 2],
    /// The last two dice are bounded, not counted.
    coarse: bool,
}

impl TurnSampler {
    /// One without memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A uniformly random legal turn; [`TurnMoves::PASS`] if there is none.
    pub fn sample<R: Rng + ?Sized>(
        &mut self,
        board: &Board,
        side: Color,
        pool: Pool,
        rng: &mut R,
    ) -> TurnMoves {
        let total = self.prepare(board, side, pool);
        self.nth(rng.below_u64(total)).unwrap_or(TurnMoves::PASS)
    }

    /// The same for a pool of which it is known that it takes no king, which is much faster. With a
    /// pool that does, some turns are never drawn.
    pub fn sample_quiet<R: Rng + ?Sized>(
        &mut self,
        board: &Board,
        side: Color,
        pool: Pool,
        rng: &mut R,
    ) -> TurnMoves {
        let pool = spendable(board, side, pool);
        for dice in (1..=pool.len()).rev() {
            let total = self.fill(board, side, pool, dice, true);
            if total == 0 {
                continue;
            }
            for _ in 0..TRIES {
                if let Some(turn) = self.nth(rng.below_u64(total)) {
                    return turn;
                }
            }
            let total = self.fill(board, side, pool, dice, false);
            if total > 0 {
                return self.nth(rng.below_u64(total)).unwrap_or(TurnMoves::PASS);
            }
        }
        TurnMoves::PASS
    }

    /// Makes the exact table of a pool: how many legal turns there are, 0 if the side must pass.
    pub fn prepare(&mut self, board: &Board, side: Color, pool: Pool) -> u64 {
        self.entries.clear();
        let pool = spendable(board, side, pool);
        let fill = |dice| self.fill(board, side, pool, dice, false);
        (1..=pool.len())
            .rev()
            .map(fill)
            .find(|&total| total > 0)
            .unwrap_or(0)
    }

    /// How many of the turns of the exact table take the king.
    #[must_use]
    pub fn king_captures(&self) -> u64 {
        let of_entry = |entry: &Entry| match entry.rest {
            Rest::Done => 1,
            Rest::One(piece) => {
                let view = &self.prefixes[entry.prefix as usize].view;
                let taken = |from| u64::from((view.targets(piece, from) & view.kings).len());
                view.of(piece).into_iter().map(taken).sum()
            }
            Rest::Castle(_) | Rest::Two { .. } => 0,
        };
        self.entries.iter().map(of_entry).sum()
    }

    /// The turn with this number, below what [`TurnSampler::prepare`] returned: every legal turn has
    /// exactly one. `None` from there on.
    #[inline]
    #[must_use]
    pub fn nth(&self, number: u64) -> Option<TurnMoves> {
        let at = self.entries.partition_point(|entry| entry.end <= number);
        let entry = self.entries.get(at)?;
        let start = at
            .checked_sub(1)
            .map_or(0, |before| self.entries[before].end);
        let Prefix { view, moves } = &self.prefixes[entry.prefix as usize];
        let number = number - start;
        match entry.rest {
            Rest::Done => Some(*moves),
            Rest::Castle(wing) => Some(moves.then(castling(view.side, wing))),
            Rest::One(piece) => {
                let (mv, _) = view.nth_move(piece, number as u32)?;
                Some(moves.then(mv))
            }
            Rest::Two {
                first,
                from,
                targets,
                last,
                bound,
            } => {
                let (choice, number) = (number / u64::from(bound), number % u64::from(bound));
                let promoting = promoting(view, first);
                let (mv, becomes) = nth_target(first, from, targets, promoting, choice as u32)?;
                let after = view.play(first, from, mv.to(), becomes);
                let (second, _) = after.nth_move(last, number as u32)?;
                Some(moves.then(mv).then(second))
            }
        }
    }

    /// Makes the table of the turns that spend exactly `dice` dice, or take the king with fewer: how
    /// many numbers it has, 0 if none spends that many.
    fn fill(&mut self, board: &Board, side: Color, pool: Pool, dice: u8, coarse: bool) -> u64 {
        self.prefixes.clear();
        self.entries.clear();
        self.rights = Wing::ALL.map(|wing| board.castling().has(side, wing));
        self.coarse = coarse;
        let start = Prefix {
            view: View::new(board, side),
            moves: TurnMoves::PASS,
        };
        self.extend(start, pool, dice, true);
        // Taking the king with fewer dice does not make this the number of dice to spend (R6).
        let spends = |entry: &Entry| !matches!(entry.rest, Rest::Done);
        match self.entries.last() {
            Some(last) if self.entries.iter().any(spends) => last.end,
            _ => 0,
        }
    }

    /// Adds all ways on from `start` that spend `still` more dice.
    fn extend(&mut self, start: Prefix, pool: Pool, still: u8, may_castle: bool) {
        let prefix = self.prefixes.len() as u32;
        self.prefixes.push(start);
        let Prefix { view, moves } = start;
        if still == 1 {
            for piece in pool.faces() {
                self.push(u64::from(view.count(piece)), prefix, Rest::One(piece));
            }
        } else if still == 2 && self.coarse {
            for first in pool.faces() {
                for last in pool.without(first).faces() {
                    self.two(&view, prefix, first, last);
                }
            }
        } else {
            for piece in pool.faces() {
                let left = pool.without(piece);
                view.any_move(piece, |from, to, becomes| {
                    let mv = micro_move(piece, from, to, becomes);
                    let after = Prefix {
                        view: view.play(piece, from, to, becomes),
                        moves: moves.then(mv),
                    };
                    if view.kings.has(to) {
                        let taken = self.prefixes.len() as u32;
                        self.prefixes.push(after);
                        self.push(1, taken, Rest::Done);
                    } else {
                        self.extend(after, left, still - 1, may_castle && piece != Piece::King);
                    }
                    false
                });
            }
        }
        if may_castle && still >= 2 && pool.can_castle() {
            let left = pool.without(Piece::King).without(Piece::Rook);
            for wing in Wing::ALL {
                if !self.rights[wing as usize] || !view.may_castle(wing) {
                    continue;
                }
                if still == 2 {
                    self.push(1, prefix, Rest::Castle(wing));
                    continue;
                }
                let after = Prefix {
                    view: view.castle(wing),
                    moves: moves.then(castling(view.side, wing)),
                };
                self.extend(after, left, still - 2, false);
            }
        }
    }

    #[inline]
    fn push(&mut self, count: u64, prefix: u32, rest: Rest) {
        if count > 0 {
            let start = self.entries.last().map_or(0, |entry| entry.end);
            self.entries.push(Entry {
                end: start + count,
                prefix,
                rest,
            });
        }
    }

    /// Adds the ways on by a move of kind `first` and one of kind `last`, with a bound for each piece.
    #[inline]
    fn two(&mut self, view: &View, prefix: u32, first: Piece, last: Piece) {
        let promoting = promoting(view, first);
        for from in view.of(first) {
            let targets = view.targets(first, from);
            if targets.is_empty() {
                continue;
            }
            let bound = view.count_standing(last, first, from, targets)
                + most_of_moved(view, first, last, targets);
            let choices = targets.len() + 3 * (targets & promoting).len();
            let rest = Rest::Two {
                first,
                from,
                targets,
                last,
                bound,
            };
            self.push(u64::from(choices * bound), prefix, rest);
        }
    }
}

/// The dice of the pool that may be spent at all: of kinds that the side has, or may get by a promotion.
#[inline]
fn spendable(board: &Board, side: Color, pool: Pool) -> Pool {
    if pool.has(Piece::Pawn) && !board.of(side, Piece::Pawn).is_empty() {
        return pool;
    }
    let mut left = pool;
    for face in pool.faces() {
        if board.of(side, face).is_empty() {
            while left.has(face) {
                left = left.without(face);
            }
        }
    }
    left
}

/// The squares on which a move of `piece` counts four.
#[inline]
fn promoting(view: &View, piece: Piece) -> BitBoard {
    if piece == Piece::Pawn {
        view.promoting()
    } else {
        BitBoard::EMPTY
    }
}

/// The most moves of kind `last` that the piece of kind `first` can have itself, once it is on one of
/// `targets`.
#[inline]
fn most_of_moved(view: &View, first: Piece, last: Piece, targets: BitBoard) -> u32 {
    /// Of any piece anywhere; of a pawn short of the seventh rank.
    const MOST: [u32; 6] = [4, 8, 13, 14, 27, 8];
    if first != Piece::Pawn {
        return if first == last {
            MOST[last as usize]
        } else {
            0
        };
    }
    match last {
        Piece::Pawn if !(ahead(view.side, targets) & view.promoting()).is_empty() => 12,
        Piece::Pawn => MOST[0],
        Piece::King => 0,
        _ if (targets & view.promoting()).is_empty() => 0,
        _ => MOST[last as usize],
    }
}

fn castling(side: Color, wing: Wing) -> MicroMove {
    MicroMove::new(king_home(side), wing.king_to(side))
}

fn micro_move(piece: Piece, from: Square, to: Square, becomes: Piece) -> MicroMove {
    if piece == becomes {
        MicroMove::new(from, to)
    } else {
        MicroMove::promoting(from, to, becomes)
    }
}

impl View {
    /// At most how many moves the pieces of kind `last` have that stand still while the piece of kind
    /// `first` on `from` moves to one of `targets`: as many as if it had vanished, with every pawn it
    /// might take in passing.
    #[inline]
    fn count_standing(&self, last: Piece, first: Piece, from: Square, targets: BitBoard) -> u32 {
        let origin = from.bitboard();
        let mut occupied = self.occupied() ^ origin;
        if first == Piece::Pawn && !(targets & self.takeable).is_empty() {
            occupied &= !ahead(!self.side, self.takeable);
        }
        let standing = self.of(last) & !origin;
        if last == Piece::Pawn {
            return self.pawn_moves(standing, occupied).count(self.promoting());
        }
        let own = self.all ^ origin;
        standing
            .into_iter()
            .map(|at| (piece_attacks(last, at, occupied) & !own).len())
            .sum()
    }

    /// Whether king, rook and the squares between allow castling, for a side that has the right.
    #[inline]
    fn may_castle(&self, wing: Wing) -> bool {
        self.of(Piece::King).has(king_home(self.side))
            && self.of(Piece::Rook).has(wing.rook_from(self.side))
            && self.occupied().is_disjoint(wing.between(self.side))
    }

    fn castle(&self, wing: Wing) -> Self {
        let side = self.side;
        let kings = king_home(side).bitboard() | wing.king_to(side).bitboard();
        let rooks = wing.rook_from(side).bitboard() | wing.rook_to(side).bitboard();
        let mut after = *self;
        after.own[Piece::King as usize] ^= kings;
        after.own[Piece::Rook as usize] ^= rooks;
        after.all ^= kings | rooks;
        after
    }
}

#[cfg(test)]
mod tests;
