//! The board: [`Board`], and what a micro-move does to it (rules R4, R5, R7, R8, R9).

use cozy_chess::{BitBoard, Color, Piece, Rank, Square};

use crate::micro_move::MicroMove;

/// The castling rights as they are written in a FEN, whatever stands on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Castling(u8);

/// Towards the h-file or towards the a-file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wing {
    /// `e1g1`, `e8g8`.
    King,
    /// `e1c1`, `e8c8`.
    Queen,
}

impl Wing {
    /// Both.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// Where the rook starts.
    #[must_use]
    pub const fn rook_from(self, side: Color) -> Square {
        match (self, side) {
            (Self::King, Color::White) => Square::H1,
            (Self::Queen, Color::White) => Square::A1,
            (Self::King, Color::Black) => Square::H8,
            (Self::Queen, Color::Black) => Square::A8,
        }
    }

    pub(crate) const fn rook_to(self, side: Color) -> Square {
        match (self, side) {
            (Self::King, Color::White) => Square::F1,
            (Self::Queen, Color::White) => Square::D1,
            (Self::King, Color::Black) => Square::F8,
            (Self::Queen, Color::Black) => Square::D8,
        }
    }

    /// Where the king goes.
    #[must_use]
    pub const fn king_to(self, side: Color) -> Square {
        match (self, side) {
            (Self::King, Color::White) => Square::G1,
            (Self::Queen, Color::White) => Square::C1,
            (Self::King, Color::Black) => Square::G8,
            (Self::Queen, Color::Black) => Square::C8,
        }
    }

    /// The squares between king and rook, which must be empty.
    pub(crate) const fn between(self, side: Color) -> BitBoard {
        let white = match self {
            Self::King => 0x60,
            Self::Queen => 0x0e,
        };
        match side {
            Color::White => BitBoard(white),
            Color::Black => BitBoard(white << 56),
        }
    }
}

impl Castling {
    const fn bit(side: Color, wing: Wing) -> u8 {
        1 << (2 * side as u8 + wing as u8)
    }

    /// Whether the right is there.
    #[inline]
    #[must_use]
    pub const fn has(self, side: Color, wing: Wing) -> bool {
        self.0 & Self::bit(side, wing) != 0
    }

    /// Adds a right.
    pub const fn add(&mut self, side: Color, wing: Wing) {
        self.0 |= Self::bit(side, wing);
    }

    /// Takes both rights of a side away.
    #[inline]
    pub const fn clear(&mut self, side: Color) {
        self.0 &= !(3 << (2 * side as u8));
    }

    /// Takes away the right whose rook starts on this square.
    #[inline]
    const fn clear_corner(&mut self, square: Square) {
        let mask = match square {
            Square::H1 => 1,
            Square::A1 => 2,
            Square::H8 => 4,
            Square::A8 => 8,
            _ => return,
        };
        self.0 &= !mask;
    }

    /// The four bits, for keys: white king's and queen's wing, then Black's.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }
}

/// Where a king starts.
#[must_use]
pub const fn king_home(side: Color) -> Square {
    match side {
        Color::White => Square::E1,
        Color::Black => Square::E8,
    }
}

/// What a micro-move took or was, as far as the clock and the result of the game depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effect {
    /// A pawn moved or something was captured: the clock starts again.
    pub resets_clock: bool,
    /// The enemy king was captured: the game is over.
    pub takes_king: bool,
}

/// Pieces, castling rights and en passant targets. Who is to move, the dice and the counters are in
/// [`Position`](crate::Position).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Board {
    pieces: [BitBoard; 6],
    colours: [BitBoard; 2],
    en_passant: BitBoard,
    castling: Castling,
}

impl Board {
    /// The start of a game.
    #[must_use]
    pub fn start() -> Self {
        let mut board = Self::default();
        let back = [
            Piece::Rook,
            Piece::Knight,
            Piece::Bishop,
            Piece::Queen,
            Piece::King,
            Piece::Bishop,
            Piece::Knight,
            Piece::Rook,
        ];
        for (file, piece) in back.into_iter().enumerate() {
            board.put(Color::White, piece, Square::index(file));
            board.put(Color::White, Piece::Pawn, Square::index(8 + file));
            board.put(Color::Black, Piece::Pawn, Square::index(48 + file));
            board.put(Color::Black, piece, Square::index(56 + file));
        }
        for side in Color::ALL {
            for wing in Wing::ALL {
                board.castling.add(side, wing);
            }
        }
        board
    }

    /// Puts a piece on an empty square.
    #[inline]
    pub fn put(&mut self, side: Color, piece: Piece, square: Square) {
        let bit = square.bitboard();
        self.pieces[piece as usize] |= bit;
        self.colours[side as usize] |= bit;
    }

    /// The pieces of this kind, of both sides.
    #[inline]
    #[must_use]
    pub const fn pieces(&self, piece: Piece) -> BitBoard {
        self.pieces[piece as usize]
    }

    /// The pieces of a side.
    #[inline]
    #[must_use]
    pub const fn colour(&self, side: Color) -> BitBoard {
        self.colours[side as usize]
    }

    /// The pieces of this kind of a side.
    #[inline]
    #[must_use]
    pub fn of(&self, side: Color, piece: Piece) -> BitBoard {
        self.pieces[piece as usize] & self.colours[side as usize]
    }

    /// Every occupied square.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> BitBoard {
        self.colours[0] | self.colours[1]
    }

    /// Every en passant target, of both sides.
    #[inline]
    #[must_use]
    pub const fn en_passant(&self) -> BitBoard {
        self.en_passant
    }

    /// Replaces the en passant targets.
    pub const fn set_en_passant(&mut self, targets: BitBoard) {
        self.en_passant = targets;
    }

    /// The castling rights as written, whatever stands on the board.
    #[inline]
    #[must_use]
    pub const fn castling(&self) -> Castling {
        self.castling
    }

    /// Replaces the castling rights.
    pub const fn set_castling(&mut self, castling: Castling) {
        self.castling = castling;
    }

    /// What stands on a square.
    #[must_use]
    pub fn at(&self, square: Square) -> Option<(Color, Piece)> {
        let side = Color::ALL
            .into_iter()
            .find(|&c| self.colour(c).has(square))?;
        self.piece_at(square).map(|piece| (side, piece))
    }

    /// The kind of piece on a square.
    #[inline]
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        Piece::ALL
            .into_iter()
            .find(|&p| self.pieces[p as usize].has(square))
    }

    /// The targets that a pawn of `side` may take now: the other side's, which lie on rank 6 for
    /// White and on rank 3 for Black (R8), empty and with the pawn behind them still there (T9).
    #[inline]
    #[must_use]
    pub fn takeable(&self, side: Color) -> BitBoard {
        if self.en_passant.is_empty() {
            return BitBoard::EMPTY;
        }
        let enemy_pawns = self.of(!side, Piece::Pawn);
        let empty = self.en_passant & !self.occupied();
        match side {
            Color::White => empty & Rank::Sixth.bitboard() & BitBoard(enemy_pawns.0 << 8),
            Color::Black => empty & Rank::Third.bitboard() & BitBoard(enemy_pawns.0 >> 8),
        }
    }

    /// Whether `side` may castle on this wing as far as the board goes: the right, the king and the
    /// rook at home (T8), nothing between. Attacks never matter (R7).
    #[inline]
    #[must_use]
    pub fn may_castle(&self, side: Color, wing: Wing) -> bool {
        self.castling.has(side, wing)
            && self.of(side, Piece::King).has(king_home(side))
            && self.of(side, Piece::Rook).has(wing.rook_from(side))
            && self.occupied().is_disjoint(wing.between(side))
    }

    /// Whether moving this piece so is castling: what two dice are paid for.
    #[inline]
    #[must_use]
    pub fn castles(&self, side: Color, piece: Piece, mv: MicroMove) -> Option<Wing> {
        if piece != Piece::King || mv.from() != king_home(side) {
            return None;
        }
        Wing::ALL
            .into_iter()
            .find(|w| mv.to() == w.king_to(side) && self.may_castle(side, *w))
    }

    /// Moves `piece` of `side`. Every move of the pieces' rules is understood, and any other as a
    /// jump; the caller says what stands on the origin.
    #[inline]
    pub fn play(&mut self, side: Color, piece: Piece, mv: MicroMove) -> Effect {
        if let Some(wing) = self.castles(side, piece, mv) {
            return self.castle(side, wing);
        }
        let (from, to) = (mv.from(), mv.to());
        let (origin, target) = (from.bitboard(), to.bitboard());
        let mut effect = Effect {
            resets_clock: piece == Piece::Pawn,
            takes_king: false,
        };
        let takes_en_passant =
            piece == Piece::Pawn && from.file() != to.file() && self.takeable(side).has(to);
        if self.colour(!side).has(to) {
            effect.resets_clock = true;
            effect.takes_king = self.capture(!side, to);
        }
        self.pieces[piece as usize] ^= origin;
        self.pieces[mv.promotion().unwrap_or(piece) as usize] |= target;
        self.colours[side as usize] ^= origin | target;
        if takes_en_passant {
            self.capture(!side, behind(side, to));
        }
        match piece {
            Piece::King => self.castling.clear(side),
            Piece::Rook => self.clear_own_corner(side, from),
            _ => {}
        }
        self.update_targets(side, piece, from, to);
        effect
    }

    /// Removes what stands on `square`; whether it was a king.
    #[inline]
    fn capture(&mut self, victim: Color, square: Square) -> bool {
        let bit = square.bitboard();
        self.colours[victim as usize] &= !bit;
        for pieces in &mut self.pieces[..5] {
            *pieces &= !bit;
        }
        let king = self.pieces[Piece::King as usize].has(square);
        self.pieces[Piece::King as usize] &= !bit;
        self.clear_own_corner(victim, square);
        if king {
            self.castling.clear(victim);
        }
        if !self.en_passant.is_empty() {
            // A pawn that is gone can no longer be taken in passing.
            self.en_passant &= !target_of(victim, square);
        }
        king
    }

    pub(crate) fn castle(&mut self, side: Color, wing: Wing) -> Effect {
        let kings = king_home(side).bitboard() | wing.king_to(side).bitboard();
        let rooks = wing.rook_from(side).bitboard() | wing.rook_to(side).bitboard();
        self.pieces[Piece::King as usize] ^= kings;
        self.pieces[Piece::Rook as usize] ^= rooks;
        self.colours[side as usize] ^= kings | rooks;
        self.castling.clear(side);
        Effect {
            resets_clock: false,
            takes_king: false,
        }
    }

    #[inline]
    const fn clear_own_corner(&mut self, side: Color, square: Square) {
        if self.castling.0 != 0 && square as usize / 8 == 7 * side as usize {
            self.castling.clear_corner(square);
        }
    }

    /// Targets go when a piece lands on them or their pawn moves on; a double push makes one (R8).
    #[inline]
    fn update_targets(&mut self, side: Color, piece: Piece, from: Square, to: Square) {
        if !self.en_passant.is_empty() {
            self.en_passant &= !to.bitboard();
            if piece == Piece::Pawn {
                self.en_passant &= !target_of(side, from);
            }
        }
        if piece == Piece::Pawn {
            let (home, far) = match side {
                Color::White => (1, 3),
                Color::Black => (6, 4),
            };
            if from as usize / 8 == home && to as usize / 8 == far && from.file() == to.file() {
                self.en_passant |= behind(side, to).bitboard();
            }
        }
    }

    /// Drops the other side's targets: they live for exactly one turn (R8).
    #[inline]
    pub fn end_turn(&mut self, side: Color) {
        self.en_passant &= match side {
            Color::White => Rank::Third.bitboard(),
            Color::Black => Rank::Sixth.bitboard(),
        };
    }
}

/// The square behind `square`, seen from `side`.
#[inline]
fn behind(side: Color, square: Square) -> Square {
    match side {
        Color::White => Square::index((square as usize).wrapping_sub(8) & 63),
        Color::Black => Square::index((square as usize + 8) & 63),
    }
}

/// The en passant target of a pawn of `side` on `square`, if it is on the rank of a double push.
#[inline]
const fn target_of(side: Color, square: Square) -> BitBoard {
    let bit = square.bitboard().0;
    match side {
        Color::White => BitBoard((bit & 0xff00_0000) >> 8),
        Color::Black => BitBoard((bit & 0xff_0000_0000) << 8),
    }
}
