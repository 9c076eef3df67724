//! Positions as text: DFEN, a FEN with the dice that are left (rule R13), and the keys made from it.

use cozy_chess::{BitBoard, Color, File, Piece, Rank, Square};
use std::fmt::{self, Display};
use std::str::FromStr;
use thiserror::Error;

use crate::board::{Board, Castling, Wing};
use crate::dice::{Pool, face, letter};
use crate::moves::attacks;
use crate::position::{LAST_FULL_MOVE, LAST_HALF_MOVE, Phase, Position};

/// Why a text is no DFEN: the field, what it holds, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DfenError {
    /// Too few or too many fields.
    #[error(
        "a DFEN has 4 to 7 fields separated by spaces, this has {found}: board, side (w or b), castling, en passant, half-move clock, full-move number, dice"
    )]
    Fields {
        /// How many there are.
        found: usize,
    },
    /// The board has not eight ranks of eight squares, or a letter that is no piece.
    #[error("board: {0}")]
    Board(String),
    /// Neither `w` nor `b`.
    #[error("side `{0}`: expected w or b")]
    Side(String),
    /// Not a subset of `KQkq`.
    #[error("castling `{0}`: expected - or some of K, Q, k, q, each at most once")]
    Castling(String),
    /// Not a list of en passant targets, or a target without its pawn.
    #[error("en passant `{field}`: {problem}")]
    EnPassant {
        /// The field.
        field: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A counter that is no number or out of range.
    #[error("{what} `{field}`: expected a whole number from {least} to {most}")]
    Counter {
        /// Which counter.
        what: &'static str,
        /// The field.
        field: String,
        /// The least it can be.
        least: u32,
        /// The most it can be.
        most: u32,
    },
    /// Not at most three faces.
    #[error("dice `{0}`: expected - or one to three of the letters P, N, B, R, Q, K")]
    Dice(String),
}

impl FromStr for Position {
    type Err = DfenError;

    /// Reads a DFEN. Dice of either case are taken; the clock defaults to 0 and the number of the
    /// move to 1. Boards with no king or many are read, and castling rights without their pieces
    /// too: such rights never castle (T8). How many of the dice must be spent is worked out from
    /// the board.
    ///
    /// A position of a game that is over reads as one before the roll: a DFEN does not say how the
    /// game ended.
    fn from_str(text: &str) -> Result<Self, DfenError> {
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        if !(4..=7).contains(&fields.len()) {
            return Err(DfenError::Fields {
                found: fields.len(),
            });
        }
        let mut board = parse_board(fields[0])?;
        let side = match fields[1] {
            "w" => Color::White,
            "b" => Color::Black,
            other => return Err(DfenError::Side(other.into())),
        };
        board.set_castling(parse_castling(fields[2])?);
        let targets = parse_en_passant(fields[3], &board)?;
        board.set_en_passant(targets);
        let mut position = Self::before_roll(board, side);
        let half = fields.get(4).copied().unwrap_or("0");
        let full = fields.get(5).copied().unwrap_or("1");
        position.half_move = counter("half-move clock", half, 0, u32::from(LAST_HALF_MOVE))? as u8;
        position.full_move = counter("full-move number", full, 1, LAST_FULL_MOVE)?;
        let pool = parse_dice(fields.get(6).copied().unwrap_or("-"))?;
        Ok(position.with_pool(pool))
    }
}

fn parse_board(field: &str) -> Result<Board, DfenError> {
    let bad = |problem: String| DfenError::Board(problem);
    let ranks: Vec<&str> = field.split('/').collect();
    if ranks.len() != 8 {
        return Err(bad(format!(
            "{} ranks, expected 8 separated by /",
            ranks.len()
        )));
    }
    let mut board = Board::default();
    for (text, rank) in ranks.iter().zip((0..8).rev()) {
        let mut file = 0;
        for c in text.chars() {
            if let Some(empty @ 1..=8) = c.to_digit(10) {
                file += empty as usize;
                continue;
            }
            let piece = face(c).ok_or_else(|| {
                bad(format!(
                    "`{c}` on rank {} is neither a piece (PNBRQK, pnbrqk) nor a number of empty squares",
                    rank + 1
                ))
            })?;
            let side = if c.is_ascii_uppercase() {
                Color::White
            } else {
                Color::Black
            };
            if file < 8 {
                let square = Square::new(File::index(file), Rank::index(rank));
                board.put(side, piece, square);
            }
            file += 1;
        }
        if file != 8 {
            return Err(bad(format!(
                "rank {} has {file} squares, expected 8",
                rank + 1
            )));
        }
    }
    Ok(board)
}

const RIGHTS: [(char, Color, Wing); 4] = [
    ('K', Color::White, Wing::King),
    ('Q', Color::White, Wing::Queen),
    ('k', Color::Black, Wing::King),
    ('q', Color::Black, Wing::Queen),
];

fn parse_castling(field: &str) -> Result<Castling, DfenError> {
    let mut castling = Castling::default();
    if field == "-" {
        return Ok(castling);
    }
    for c in field.chars() {
        let known = RIGHTS.iter().find(|(letter, ..)| *letter == c);
        match known {
            Some(&(_, side, wing)) if !castling.has(side, wing) => castling.add(side, wing),
            _ => return Err(DfenError::Castling(field.into())),
        }
    }
    Ok(castling)
}

fn parse_en_passant(field: &str, board: &Board) -> Result<BitBoard, DfenError> {
    let bad = |problem: String| DfenError::EnPassant {
        field: field.into(),
        problem,
    };
    let mut targets = BitBoard::EMPTY;
    if field == "-" {
        return Ok(targets);
    }
    if !field.is_ascii() || !field.len().is_multiple_of(2) {
        return Err(bad(
            "expected - or squares one after another, as in a3c3".into()
        ));
    }
    for start in (0..field.len()).step_by(2) {
        let name = &field[start..start + 2];
        let square: Square = name
            .parse()
            .map_err(|_| bad(format!("`{name}` is not a square")))?;
        if targets.has(square) {
            return Err(bad(format!("{name} twice")));
        }
        check_target(board, square).map_err(bad)?;
        targets |= square.bitboard();
    }
    Ok(targets)
}

/// A target is a square behind a pawn that may just have pushed twice; anything else would corrupt the
/// board when it is taken (T9). An occupied one is read, and cannot be taken.
fn check_target(board: &Board, square: Square) -> Result<(), String> {
    let (owner, pawn) = match square.rank() {
        Rank::Third => (Color::White, Rank::Fourth),
        Rank::Sixth => (Color::Black, Rank::Fifth),
        _ => {
            return Err(format!(
                "{square} is neither on rank 3 nor on rank 6, where a double push leaves its target"
            ));
        }
    };
    let pawn = Square::new(square.file(), pawn);
    if !board.of(owner, Piece::Pawn).has(pawn) {
        let colour = match owner {
            Color::White => "white",
            Color::Black => "black",
        };
        return Err(format!("{square} needs a {colour} pawn on {pawn}"));
    }
    Ok(())
}

fn counter(what: &'static str, field: &str, least: u32, most: u32) -> Result<u32, DfenError> {
    let digits = !field.is_empty() && field.bytes().all(|b| b.is_ascii_digit());
    let value = digits.then(|| field.parse::<u32>().ok()).flatten();
    value
        .filter(|v| (least..=most).contains(v))
        .ok_or_else(|| DfenError::Counter {
            what,
            field: field.into(),
            least,
            most,
        })
}

/// Reads dice: `-` for none, else one to three letters of either case.
///
/// # Errors
/// For anything else.
pub fn parse_dice(field: &str) -> Result<Pool, DfenError> {
    if field == "-" {
        return Ok(Pool::EMPTY);
    }
    let bad = || DfenError::Dice(field.into());
    let faces: Vec<Piece> = field
        .chars()
        .map(face)
        .collect::<Option<_>>()
        .ok_or_else(bad)?;
    Pool::new(&faces).ok_or_else(bad)
}

impl Display for Position {
    /// Writes the DFEN: castling as `KQkq`, en passant targets from a1 to h8, dice sorted and in the
    /// case of the side to move, left out when there are none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_board(f, &self.board)?;
        let targets = self.board.en_passant();
        write!(
            f,
            " {} {} {} {} {}",
            side_letter(self.side),
            castling_field(self.board.castling()),
            targets_field(targets),
            self.half_move,
            self.full_move
        )?;
        if !self.pool.is_empty() && !matches!(self.phase, Phase::Over(_)) {
            write!(f, " {}", dice_field(self.pool, self.side))?;
        }
        Ok(())
    }
}

const fn side_letter(side: Color) -> char {
    match side {
        Color::White => 'w',
        Color::Black => 'b',
    }
}

fn write_board(f: &mut impl fmt::Write, board: &Board) -> fmt::Result {
    for rank in (0..8).rev() {
        let mut empty = 0;
        for file in 0..8 {
            let square = Square::new(File::index(file), Rank::index(rank));
            let Some((side, piece)) = board.at(square) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                write!(f, "{empty}")?;
                empty = 0;
            }
            let c = letter(piece);
            f.write_char(match side {
                Color::White => c,
                Color::Black => c.to_ascii_lowercase(),
            })?;
        }
        if empty > 0 {
            write!(f, "{empty}")?;
        }
        if rank > 0 {
            f.write_char('/')?;
        }
    }
    Ok(())
}

fn castling_field(castling: Castling) -> String {
    let held = RIGHTS.iter().filter(|(_, s, w)| castling.has(*s, *w));
    or_dash(held.map(|(c, ..)| *c).collect())
}

fn targets_field(targets: BitBoard) -> String {
    or_dash(targets.into_iter().map(|s| s.to_string()).collect())
}

fn or_dash(text: String) -> String {
    if text.is_empty() { "-".into() } else { text }
}

/// Dice as a DFEN writes them: sorted, in upper case for White and lower for Black.
#[must_use]
pub fn dice_field(pool: Pool, side: Color) -> String {
    match side {
        Color::White => pool.letters(),
        Color::Black => pool.letters().to_ascii_lowercase(),
    }
}

/// The en passant targets that the side to move has a pawn to take with.
#[must_use]
pub fn capturable_targets(board: &Board, side: Color) -> BitBoard {
    let pawns = board.of(side, Piece::Pawn);
    let takeable = board.takeable(side);
    let reachable =
        |s: &Square| !(attacks(!side, Piece::Pawn, *s, BitBoard::EMPTY) & pawns).is_empty();
    takeable.into_iter().filter(reachable).collect()
}

/// The position key: the first four fields, with the en passant targets that can be taken (R13).
#[must_use]
pub fn position_key(position: &Position) -> String {
    let board = &position.board;
    let mut key = String::new();
    let written = write_board(&mut key, board);
    debug_assert!(written.is_ok(), "writing to a string does not fail");
    let targets = capturable_targets(board, position.side);
    key.push_str(&format!(
        " {} {} {}",
        side_letter(position.side),
        castling_field(board.castling()),
        targets_field(targets)
    ));
    key
}

/// The key of an opening book: the position key and the dice in alphabetical order (R13).
#[must_use]
pub fn book_key(position: &Position) -> String {
    let mut dice: Vec<char> = dice_field(position.pool, position.side).chars().collect();
    dice.sort_unstable();
    let dice: String = dice.into_iter().collect();
    format!("{} {dice}", position_key(position))
}
