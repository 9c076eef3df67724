//! Where the pieces may go: pseudo-legal micro-moves of one die (rules R4, R5, R7, R8, R9).

use cozy_chess::{
    BitBoard, Color, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_pawn_quiets, get_rook_moves,
};

use crate::board::{Board, Wing};
use crate::dice::Pool;
use crate::micro_move::MicroMove;

/// What a pawn may become, in the order of [`MicroMove`].
pub const PROMOTIONS: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

/// The squares a piece attacks from `square`: where it could capture.
#[inline]
#[must_use]
pub fn attacks(side: Color, piece: Piece, square: Square, occupied: BitBoard) -> BitBoard {
    match piece {
        Piece::Pawn => get_pawn_attacks(square, side),
        Piece::Knight => get_knight_moves(square),
        Piece::Bishop => get_bishop_moves(square, occupied),
        Piece::Rook => get_rook_moves(square, occupied),
        Piece::Queen => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
        Piece::King => get_king_moves(square),
    }
}

impl Board {
    /// Where a piece of `side` on `from` may go, castling apart.
    #[inline]
    #[must_use]
    pub fn targets(&self, side: Color, piece: Piece, from: Square) -> BitBoard {
        let occupied = self.occupied();
        if piece == Piece::Pawn {
            let enemies = self.colour(!side) | self.takeable(side);
            return get_pawn_quiets(from, side, occupied)
                | (get_pawn_attacks(from, side) & enemies);
        }
        attacks(side, piece, from, occupied) & !self.colour(side)
    }

    /// Whether a move to one of these squares by a pawn of `side` is a promotion: the last rank,
    /// unless the enemy king stands there (R9).
    #[inline]
    fn promotes(&self, side: Color) -> BitBoard {
        let last = match side {
            Color::White => Rank::Eighth.bitboard(),
            Color::Black => Rank::First.bitboard(),
        };
        last & !self.of(!side, Piece::King)
    }

    /// Calls `visit` with every micro-move that one die showing `piece` pays for, castling apart, by
    /// origin and target; stops as soon as it returns `true` and says whether it did.
    #[inline]
    pub fn any_move(
        &self,
        side: Color,
        piece: Piece,
        mut visit: impl FnMut(MicroMove) -> bool,
    ) -> bool {
        for from in self.of(side, piece) {
            let targets = self.targets(side, piece, from);
            let promoting = if piece == Piece::Pawn {
                targets & self.promotes(side)
            } else {
                BitBoard::EMPTY
            };
            for to in targets {
                if promoting.has(to) {
                    let mut each = PROMOTIONS.into_iter();
                    if each.any(|p| visit(MicroMove::promoting(from, to, p))) {
                        return true;
                    }
                } else if visit(MicroMove::new(from, to)) {
                    return true;
                }
            }
        }
        false
    }

    /// How many micro-moves one die showing `piece` pays for, castling apart.
    #[inline]
    #[must_use]
    pub fn count_moves(&self, side: Color, piece: Piece) -> u32 {
        let mut count = 0;
        for from in self.of(side, piece) {
            let targets = self.targets(side, piece, from);
            count += targets.len();
            if piece == Piece::Pawn {
                count += 3 * (targets & self.promotes(side)).len();
            }
        }
        count
    }

    /// Whether one die showing `piece` pays for any micro-move, castling apart.
    #[inline]
    #[must_use]
    pub fn has_move(&self, side: Color, piece: Piece) -> bool {
        self.of(side, piece)
            .into_iter()
            .any(|from| !self.targets(side, piece, from).is_empty())
    }

    /// Calls `visit` with every micro-move the pool pays for: the piece, the move and the dice left;
    /// stops as soon as it returns `true` and says whether it did.
    #[inline]
    pub fn any_paid(
        &self,
        side: Color,
        pool: Pool,
        mut visit: impl FnMut(Piece, MicroMove, Pool) -> bool,
    ) -> bool {
        for piece in pool.faces() {
            let left = pool.without(piece);
            if self.any_move(side, piece, |mv| visit(piece, mv, left)) {
                return true;
            }
        }
        pool.can_castle() && {
            let left = pool.without(Piece::King).without(Piece::Rook);
            Wing::ALL.into_iter().any(|wing| {
                self.may_castle(side, wing) && {
                    let home = crate::board::king_home(side);
                    visit(Piece::King, MicroMove::new(home, wing.king_to(side)), left)
                }
            })
        }
    }
}
