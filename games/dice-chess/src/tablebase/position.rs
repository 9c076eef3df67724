//! What a table covers, and how its entries are numbered.

use cozy_chess::{Color, Piece, Square};

/// The material of one table: two kings and at most one more piece.
///
/// The side with the piece is the *strong* side, also when it is losing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Material {
    /// King against king; the strong side is the one to move.
    Kings,
    /// King and pawn against king.
    Pawn,
    /// King and knight against king.
    Knight,
    /// King and bishop against king.
    Bishop,
    /// King and rook against king.
    Rook,
    /// King and queen against king.
    Queen,
}

impl Material {
    /// Every material, in the order of the file.
    pub const ALL: [Self; 6] = [
        Self::Kings,
        Self::Pawn,
        Self::Knight,
        Self::Bishop,
        Self::Rook,
        Self::Queen,
    ];

    /// The material with this extra piece; a third king is not covered.
    #[must_use]
    pub const fn with(piece: Piece) -> Option<Self> {
        match piece {
            Piece::Pawn => Some(Self::Pawn),
            Piece::Knight => Some(Self::Knight),
            Piece::Bishop => Some(Self::Bishop),
            Piece::Rook => Some(Self::Rook),
            Piece::Queen => Some(Self::Queen),
            Piece::King => None,
        }
    }

    /// The extra piece.
    #[must_use]
    pub const fn piece(self) -> Option<Piece> {
        match self {
            Self::Kings => None,
            Self::Pawn => Some(Piece::Pawn),
            Self::Knight => Some(Piece::Knight),
            Self::Bishop => Some(Piece::Bishop),
            Self::Rook => Some(Piece::Rook),
            Self::Queen => Some(Piece::Queen),
        }
    }

    /// Short name, such as `K+Q v K`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kings => "K v K",
            Self::Pawn => "K+P v K",
            Self::Knight => "K+N v K",
            Self::Bishop => "K+B v K",
            Self::Rook => "K+R v K",
            Self::Queen => "K+Q v K",
        }
    }

    /// Stored entries: both sides to move, reduced by the symmetry of the board.
    pub(crate) const fn entries(self) -> usize {
        match self {
            Self::Kings => TRIANGLE.len() * 64,
            Self::Pawn => 2 * 32 * 64 * 48,
            _ => 2 * TRIANGLE.len() * 64 * 64,
        }
    }
}

/// A position of at most three men, seen from the strong side.
///
/// A pawn of the strong side moves towards rank 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Men {
    /// King of the side with the piece.
    pub strong: Square,
    /// The lone king.
    pub weak: Square,
    /// The extra piece and its square.
    pub piece: Option<(Piece, Square)>,
    /// Whether the side with the piece is to roll.
    pub strong_to_move: bool,
}

impl Men {
    /// The table of this position; `None` for a third king.
    #[must_use]
    pub fn material(&self) -> Option<Material> {
        match self.piece {
            None => Some(Material::Kings),
            Some((piece, _)) => Material::with(piece),
        }
    }

    /// Whether no square is taken twice, no pawn is on an outer rank and the piece is no king.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        let Some((piece, square)) = self.piece else {
            return self.strong != self.weak;
        };
        let outer = matches!(square as u8 >> 3, 0 | 7);
        piece != Piece::King
            && !(piece == Piece::Pawn && outer)
            && self.strong != self.weak
            && square != self.strong
            && square != self.weak
    }

    /// A position of White's and Black's king and perhaps a piece; the board is turned upside
    /// down if the piece is Black's, so that its pawn goes up. Without a piece the side to roll is
    /// the strong one.
    pub(crate) fn of_colours(
        kings: [Square; 2],
        piece: Option<(Piece, Square, Color)>,
        white_to_move: bool,
    ) -> Self {
        let [white, black] = kings;
        match piece {
            Some((kind, square, Color::Black)) => Self {
                strong: black.flip_rank(),
                weak: white.flip_rank(),
                piece: Some((kind, square.flip_rank())),
                strong_to_move: !white_to_move,
            },
            Some((kind, square, Color::White)) => Self {
                strong: white,
                weak: black,
                piece: Some((kind, square)),
                strong_to_move: white_to_move,
            },
            None if white_to_move => Self {
                strong: white,
                weak: black,
                piece: None,
                strong_to_move: true,
            },
            None => Self {
                strong: black,
                weak: white,
                piece: None,
                strong_to_move: true,
            },
        }
    }

    /// Number of this position's entry within the section of its material.
    ///
    /// The position must be [valid](Self::is_valid).
    pub(crate) fn entry(&self) -> usize {
        let Some((piece, square)) = self.piece else {
            let (mover, other) = if self.strong_to_move {
                (self.strong, self.weak)
            } else {
                (self.weak, self.strong)
            };
            let map = Symmetry::to_triangle(other);
            return triangle_slot(map.apply(other)) * 64 + map.apply(mover) as usize;
        };
        let side = usize::from(!self.strong_to_move);
        if piece == Piece::Pawn {
            let map = Symmetry::to_left(self.weak);
            let weak = map.apply(self.weak) as usize;
            let (strong, pawn) = (map.apply(self.strong) as usize, map.apply(square) as usize);
            // Files a to d: four squares a rank.
            let weak = (weak >> 3) * 4 + (weak & 7);
            return ((side * 32 + weak) * 64 + strong) * 48 + pawn - 8;
        }
        let map = Symmetry::to_triangle(self.weak);
        let weak = triangle_slot(map.apply(self.weak));
        let (strong, square) = (map.apply(self.strong) as usize, map.apply(square) as usize);
        ((side * TRIANGLE.len() + weak) * 64 + strong) * 64 + square
    }

    /// The position stored at an entry, or `None` where men would share a square.
    pub(crate) fn at_entry(material: Material, entry: usize) -> Option<Self> {
        let men = match material.piece() {
            None => Self {
                strong: Square::index(entry % 64),
                weak: TRIANGLE[entry / 64],
                piece: None,
                strong_to_move: true,
            },
            Some(Piece::Pawn) => {
                let (rest, pawn) = (entry / 48, entry % 48);
                let (rest, strong) = (rest / 64, rest % 64);
                let (side, weak) = (rest / 32, rest % 32);
                Self {
                    strong: Square::index(strong),
                    weak: Square::index((weak / 4) * 8 + weak % 4),
                    piece: Some((Piece::Pawn, Square::index(pawn + 8))),
                    strong_to_move: side == 0,
                }
            }
            Some(piece) => {
                let (rest, square) = (entry / 64, entry % 64);
                let (rest, strong) = (rest / 64, rest % 64);
                let (side, weak) = (rest / TRIANGLE.len(), rest % TRIANGLE.len());
                Self {
                    strong: Square::index(strong),
                    weak: TRIANGLE[weak],
                    piece: Some((piece, Square::index(square))),
                    strong_to_move: side == 0,
                }
            }
        };
        men.is_valid().then_some(men)
    }
}

/// The squares that stand for all 64 without a pawn: a1 to d1, b2 to d2, c3, d3 and d4.
pub(crate) const TRIANGLE: [Square; 10] = [
    Square::A1,
    Square::B1,
    Square::C1,
    Square::D1,
    Square::B2,
    Square::C2,
    Square::D2,
    Square::C3,
    Square::D3,
    Square::D4,
];

/// Place of a square of the triangle in [`TRIANGLE`].
const fn triangle_slot(square: Square) -> usize {
    const FIRST: [usize; 4] = [0, 3, 5, 6];
    let square = square as usize;
    FIRST[square >> 3] + (square & 7)
}

/// One of the eight symmetries of the board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symmetry {
    /// Exclusive-or mask on the square number: mirrors files (7), ranks (56) or both.
    flip: u8,
    /// Exchanges file and rank, after the mirrors.
    transpose: bool,
}

impl Symmetry {
    /// All eight.
    #[cfg(test)]
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        [0, 7, 56, 63]
            .into_iter()
            .flat_map(|flip| [false, true].map(|transpose| Self { flip, transpose }))
    }

    /// Whether pawns keep their direction.
    #[cfg(test)]
    pub(crate) const fn keeps_ranks(self) -> bool {
        self.flip < 8 && !self.transpose
    }

    /// The symmetry that brings a square into the [`TRIANGLE`].
    pub(crate) const fn to_triangle(square: Square) -> Self {
        let map = Self {
            flip: left(square) | low(square),
            transpose: false,
        };
        let near = map.apply(square) as u8;
        Self {
            transpose: near >> 3 > near & 7,
            ..map
        }
    }

    /// The symmetry that brings a square to the files a to d and leaves ranks alone.
    pub(crate) const fn to_left(square: Square) -> Self {
        Self {
            flip: left(square),
            transpose: false,
        }
    }

    /// The image of a square.
    pub(crate) const fn apply(self, square: Square) -> Square {
        let flipped = square as u8 ^ self.flip;
        let image = if self.transpose {
            (flipped >> 3) | ((flipped & 7) << 3)
        } else {
            flipped
        };
        Square::index_const(image as usize)
    }
}

const fn left(square: Square) -> u8 {
    if square as u8 & 4 != 0 { 7 } else { 0 }
}

const fn low(square: Square) -> u8 {
    if square as u8 & 32 != 0 { 56 } else { 0 }
}
