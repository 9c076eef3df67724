//! One side of a board, as small as its moves need: what [`capture`](crate::capture) and
//! [`sampler`](crate::sampler) search instead of whole boards. Castling is left out.

use cozy_chess::{
    BitBoard, Color, File, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};

use crate::board::Board;
use crate::dice::FACES;
use crate::micro_move::MicroMove;
use crate::moves::PROMOTIONS;

/// The pieces of the side to move and what stands in their way. The other side does not move within
/// a turn: of its pieces only the squares matter, and where its kings are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View {
    pub(crate) own: [BitBoard; 6],
    pub(crate) all: BitBoard,
    pub(crate) enemy: BitBoard,
    /// The en passant targets that may be taken.
    pub(crate) takeable: BitBoard,
    /// The enemy kings.
    pub(crate) kings: BitBoard,
    pub(crate) side: Color,
}

/// Where the pawns of one side may go, as sets of targets.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PawnMoves {
    pub(crate) single: BitBoard,
    pub(crate) double: BitBoard,
    /// Captures towards the a-file and towards the h-file.
    pub(crate) captures: [BitBoard; 2],
}

impl PawnMoves {
    /// Every target.
    #[inline]
    pub(crate) fn all(&self) -> BitBoard {
        self.single | self.double | self.captures[0] | self.captures[1]
    }

    /// How many moves there are, of which each to a square of `promoting` counts four.
    #[inline]
    pub(crate) fn count(&self, promoting: BitBoard) -> u32 {
        let [left, right] = self.captures;
        let plain = self.single.len() + self.double.len() + left.len() + right.len();
        if (self.all() & promoting).is_empty() {
            return plain;
        }
        let promotions =
            (self.single & promoting).len() + (left & promoting).len() + (right & promoting).len();
        plain + 3 * promotions
    }
}

/// The squares a piece attacks from `square`; pawns apart.
#[inline]
pub(crate) fn piece_attacks(piece: Piece, square: Square, occupied: BitBoard) -> BitBoard {
    match piece {
        Piece::Knight => get_knight_moves(square),
        Piece::Bishop => get_bishop_moves(square, occupied),
        Piece::Rook => get_rook_moves(square, occupied),
        Piece::Queen => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
        Piece::King | Piece::Pawn => get_king_moves(square),
    }
}

/// One rank ahead, seen from `side`.
#[inline]
pub(crate) const fn ahead(side: Color, squares: BitBoard) -> BitBoard {
    match side {
        Color::White => BitBoard(squares.0 << 8),
        Color::Black => BitBoard(squares.0 >> 8),
    }
}

impl View {
    pub(crate) fn new(board: &Board, side: Color) -> Self {
        Self {
            own: FACES.map(|face| board.of(side, face)),
            all: board.colour(side),
            enemy: board.colour(!side),
            takeable: board.takeable(side),
            kings: board.of(!side, Piece::King),
            side,
        }
    }

    #[inline]
    pub(crate) fn of(&self, piece: Piece) -> BitBoard {
        self.own[piece as usize]
    }

    #[inline]
    pub(crate) fn occupied(&self) -> BitBoard {
        self.all | self.enemy
    }

    /// Where a pawn becomes another piece: the last rank, but not by taking the king (R9).
    #[inline]
    pub(crate) fn promoting(&self) -> BitBoard {
        let last = match self.side {
            Color::White => Rank::Eighth,
            Color::Black => Rank::First,
        };
        last.bitboard() & !self.kings
    }

    /// Where these pawns may go on a board where these squares are occupied.
    #[inline]
    pub(crate) fn pawn_moves(&self, pawns: BitBoard, occupied: BitBoard) -> PawnMoves {
        let victims = self.enemy | self.takeable;
        let not_a = !File::A.bitboard();
        let not_h = !File::H.bitboard();
        let left = BitBoard((pawns & not_a).0 >> 1);
        let right = BitBoard((pawns & not_h).0 << 1);
        let third = match self.side {
            Color::White => Rank::Third.bitboard(),
            Color::Black => Rank::Sixth.bitboard(),
        };
        let single = ahead(self.side, pawns) & !occupied;
        PawnMoves {
            single,
            double: ahead(self.side, single & third) & !occupied,
            captures: [
                ahead(self.side, left) & victims,
                ahead(self.side, right) & victims,
            ],
        }
    }

    /// Where the piece on `from` may go.
    #[inline]
    pub(crate) fn targets(&self, piece: Piece, from: Square) -> BitBoard {
        if piece == Piece::Pawn {
            return self.pawn_moves(from.bitboard(), self.occupied()).all();
        }
        piece_attacks(piece, from, self.occupied()) & !self.all
    }

    /// How many micro-moves one die showing `piece` pays for, castling apart.
    #[inline]
    pub(crate) fn count(&self, piece: Piece) -> u32 {
        let pieces = self.of(piece);
        if piece == Piece::Pawn {
            return self
                .pawn_moves(pieces, self.occupied())
                .count(self.promoting());
        }
        let occupied = self.occupied();
        pieces
            .into_iter()
            .map(|from| (piece_attacks(piece, from, occupied) & !self.all).len())
            .sum()
    }

    /// The kind of the own piece on a square.
    #[inline]
    pub(crate) fn kind_at(&self, square: Square) -> Option<Piece> {
        FACES.into_iter().find(|&face| self.of(face).has(square))
    }

    /// The board after a micro-move that is no castling.
    #[inline]
    pub(crate) fn play(&self, piece: Piece, from: Square, to: Square, becomes: Piece) -> Self {
        let mut after = *self;
        let (origin, target) = (from.bitboard(), to.bitboard());
        after.own[piece as usize] ^= origin;
        after.own[becomes as usize] |= target;
        after.all ^= origin | target;
        if self.enemy.has(to) {
            after.enemy ^= target;
            after.kings &= !target;
            // A pawn that is gone can no longer be taken in passing.
            after.takeable &= !ahead(self.side, target);
        } else if piece == Piece::Pawn && self.takeable.has(to) && from.file() != to.file() {
            after.enemy &= !ahead(!self.side, target);
        }
        after.takeable &= !target;
        after
    }

    /// Calls `visit` with every micro-move of one die showing `piece`, castling apart, by origin and
    /// target: from, to and what the piece then is. Stops when it returns `true`.
    #[inline]
    pub(crate) fn any_move(
        &self,
        piece: Piece,
        mut visit: impl FnMut(Square, Square, Piece) -> bool,
    ) -> bool {
        let promoting = if piece == Piece::Pawn {
            self.promoting()
        } else {
            BitBoard::EMPTY
        };
        for from in self.of(piece) {
            for to in self.targets(piece, from) {
                if promoting.has(to) {
                    if PROMOTIONS.into_iter().any(|p| visit(from, to, p)) {
                        return true;
                    }
                } else if visit(from, to, piece) {
                    return true;
                }
            }
        }
        false
    }

    /// The micro-move with this number of those of one die, in the order of [`View::any_move`].
    #[inline]
    pub(crate) fn nth_move(&self, piece: Piece, mut n: u32) -> Option<(MicroMove, Piece)> {
        let promoting = if piece == Piece::Pawn {
            self.promoting()
        } else {
            BitBoard::EMPTY
        };
        for from in self.of(piece) {
            let targets = self.targets(piece, from);
            let count = targets.len() + 3 * (targets & promoting).len();
            if n >= count {
                n -= count;
                continue;
            }
            return nth_target(piece, from, targets, promoting, n);
        }
        None
    }

    /// A bit for each kind of piece that attacks an enemy king.
    #[inline]
    pub(crate) fn attackers(&self) -> u8 {
        let occupied = self.occupied();
        let mut faces = 0;
        for king in self.kings {
            let diagonal = get_bishop_moves(king, occupied);
            let straight = get_rook_moves(king, occupied);
            let seen = [
                get_pawn_attacks(king, !self.side),
                get_knight_moves(king),
                diagonal,
                straight,
                diagonal | straight,
                get_king_moves(king),
            ];
            for (face, seen) in seen.into_iter().enumerate() {
                faces |= u8::from(!(seen & self.own[face]).is_empty()) << face;
            }
        }
        faces
    }
}

/// The `n`-th micro-move of the piece on `from` to one of `targets`; promotions count four.
#[inline]
pub(crate) fn nth_target(
    piece: Piece,
    from: Square,
    targets: BitBoard,
    promoting: BitBoard,
    mut n: u32,
) -> Option<(MicroMove, Piece)> {
    for to in targets {
        if !promoting.has(to) {
            if n == 0 {
                return Some((MicroMove::new(from, to), piece));
            }
            n -= 1;
        } else if n < 4 {
            let becomes = PROMOTIONS[n as usize];
            return Some((MicroMove::promoting(from, to, becomes), becomes));
        } else {
            n -= 4;
        }
    }
    None
}
