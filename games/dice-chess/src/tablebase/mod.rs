//! Exact values of the endings with two and three men.
//!
//! [`probe`] knows K v K and K+P, K+N, K+B, K+R and K+Q v K, with either side to roll. A value is
//! what optimal play by both gets the side to roll on average, before its dice are cast: 1 for
//! taking the king, -1 for losing it, and 0 for play that never ends. It is half as much about the
//! chance to win: `(1 + value) / 2` splits endless play evenly. There is no move counter in it:
//! the draw after 100 micro-moves that hosts declare is not modelled.
//!
//! Values are stored in steps of 1/32767 and are within [`MAX_ERROR`] of the exact ones; 0 and
//! the negation of a value are stored exactly. [`solve`] says how they are found and proven,
//! [`audit`] checks them against the plain rules, and
//! `cargo run --release -p dice-chess --example solve_three_men` does both and compares the file.
//!
//! ```
//! use cozy_chess::{Piece, Square};
//! use dice_chess::tablebase::probe;
//!
//! let white = [(Piece::King, Square::E1), (Piece::Queen, Square::D1)];
//! let value = probe(&white, &[(Piece::King, Square::H8)], true).unwrap();
//! assert!((value - 0.9224).abs() < 1e-4);
//! ```
//!
//! Castling rights are not part of a probe: a king and a rook that may still castle have one
//! move more than the tables know of, so do not ask about them. En passant needs pawns on both
//! sides and cannot arise.

pub mod audit;
mod format;
mod position;
pub mod solve;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use cozy_chess::{BitBoard, Color, Piece, Square};

pub use format::{TableError, encode};
pub use position::{Material, Men};

/// Most that a stored value differs from the exact one: half a step and half of the proven width.
pub const MAX_ERROR: f64 = 1.5261e-5;

/// The file, as committed.
static FILE: &[u8] = include_bytes!("../../data/three-man.bin");

/// The value for the side to roll, in [-1, 1], under optimal play; `None` for material that is
/// not covered and for impossible positions (a side without a king or with two, a pawn on rank 1
/// or 8, a shared square).
///
/// ```
/// use cozy_chess::{Piece, Square};
/// use dice_chess::tablebase::probe;
///
/// let kings = [(Piece::King, Square::A1)];
/// assert_eq!(probe(&kings, &[(Piece::King, Square::H8)], true), Some(0.0));
/// assert_eq!(probe(&kings, &[], true), None);
/// ```
#[must_use]
pub fn probe(
    white: &[(Piece, Square)],
    black: &[(Piece, Square)],
    white_to_move: bool,
) -> Option<f64> {
    if white.len() + black.len() > 3 {
        return None;
    }
    let mut pieces = [BitBoard::EMPTY; 6];
    let mut colours = [BitBoard::EMPTY; 2];
    for (side, men) in colours.iter_mut().zip([white, black]) {
        for &(piece, square) in men {
            if pieces.iter().any(|taken| taken.has(square)) {
                return None;
            }
            pieces[piece as usize] |= square.bitboard();
            *side |= square.bitboard();
        }
    }
    probe_bitboards(&pieces, &colours, white_to_move)
}

/// [`probe`] for a position given as sets of squares: by piece in the order of
/// [`Piece::ALL`], and by colour in the order of [`Color::ALL`]. More than three men are
/// turned away at once.
#[must_use]
pub fn probe_bitboards(
    pieces: &[BitBoard; 6],
    colours: &[BitBoard; 2],
    white_to_move: bool,
) -> Option<f64> {
    let men = (colours[0] | colours[1]).len();
    if men != 2 && men != 3 {
        return None;
    }
    Tables::get().value(&recognise(pieces, colours, white_to_move)?)
}

/// Names the men of a board with two or three of them, if the sets agree with each other.
fn recognise(pieces: &[BitBoard; 6], colours: &[BitBoard; 2], white_to_move: bool) -> Option<Men> {
    let men = colours[0] | colours[1];
    let count: u32 = pieces.iter().map(|kind| kind.len()).sum();
    if count != men.len() || !colours[0].is_disjoint(colours[1]) {
        return None;
    }
    let kings = pieces[Piece::King as usize];
    let [white, black] = colours.map(|side| only(kings & side));
    let (white, black) = (white?, black?);
    let rest = men & !kings;
    let piece = match rest.next_square() {
        None => None,
        Some(square) => {
            let kind = Piece::ALL
                .into_iter()
                .find(|&kind| pieces[kind as usize].has(square))?;
            let owner = if colours[0].has(square) {
                Color::White
            } else {
                Color::Black
            };
            Some((kind, square, owner))
        }
    };
    Some(Men::of_colours([white, black], piece, white_to_move))
}

/// The square of a set of one.
fn only(set: BitBoard) -> Option<Square> {
    if set.len() == 1 {
        set.next_square()
    } else {
        None
    }
}

/// The stored tables.
#[derive(Clone, Copy, Debug)]
pub struct Tables {
    entries: &'static [u8],
}

impl Tables {
    /// The tables of this crate; the first call checks their checksum.
    ///
    /// # Panics
    ///
    /// If the crate was built with a damaged file.
    #[must_use]
    pub fn get() -> &'static Self {
        static TABLES: OnceLock<Tables> = OnceLock::new();
        TABLES.get_or_init(|| Self::parse(FILE).expect("the tables were built with the crate"))
    }

    /// Checks the bytes of a file of tables.
    ///
    /// # Errors
    ///
    /// If they are of another kind or version, incomplete or damaged.
    pub fn parse(file: &'static [u8]) -> Result<Self, TableError> {
        format::decode(file).map(|entries| Self { entries })
    }

    /// The stored value for the side to roll; `None` for impossible positions.
    #[must_use]
    pub fn value(&self, men: &Men) -> Option<f64> {
        let material = men.material()?;
        if men.is_valid() {
            format::stored(self.entries, material, men)
        } else {
            None
        }
    }

    /// The bytes stored for one material.
    #[must_use]
    pub fn section(&self, material: Material) -> &'static [u8] {
        format::section(self.entries, material)
    }
}
