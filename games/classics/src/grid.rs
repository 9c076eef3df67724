//! Squares of boards up to 8x8 on a bitboard: [`Square`].

use search_core::plugin::PluginError;
use std::fmt;

/// Bits from one row to the next, on a board of any width.
pub(crate) const STRIDE: u32 = 8;
/// The column at the right edge of the widest board.
pub(crate) const LAST_COLUMN: u64 = 0x8080_8080_8080_8080;

/// A square, bit `8 * row + column` of a bitboard: `a1` at the bottom left, `h8` at most.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Square(u8);

impl Square {
    /// The square in this column and row, both counted from 0 at the bottom left; `None` beyond 8x8.
    #[must_use]
    pub const fn new(column: usize, row: usize) -> Option<Self> {
        if column < 8 && row < 8 {
            Some(Self((8 * row + column) as u8))
        } else {
            None
        }
    }

    /// The square whose bit is the lowest of a set that is not empty.
    #[inline]
    pub(crate) const fn lowest(set: u64) -> Self {
        Self(set.trailing_zeros() as u8 & 63)
    }

    /// The bit: `8 * row + column`.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The column, from 0 at the left.
    #[inline]
    #[must_use]
    pub const fn column(self) -> usize {
        self.index() % 8
    }

    /// The row, from 0 at the bottom.
    #[inline]
    #[must_use]
    pub const fn row(self) -> usize {
        self.index() / 8
    }

    /// The set of this square alone.
    #[inline]
    #[must_use]
    pub const fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }

    /// `a1` to `h8`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let [column, row] = *text.as_bytes() else {
            return None;
        };
        let column = column.to_ascii_lowercase().checked_sub(b'a')?;
        Self::new(column.into(), row.checked_sub(b'1')?.into())
    }
}

/// `a1` to `h8`.
impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = char::from(b'a' + self.column() as u8);
        write!(f, "{column}{}", self.row() + 1)
    }
}

/// The squares of a set, ascending. It knows how many there are, so that a list grows once.
#[inline]
pub(crate) const fn squares(set: u64) -> Squares {
    Squares(set)
}

/// See [`squares`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::lowest(self.0);
        self.0 &= self.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

/// Width and height of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) width: usize,
    pub(crate) height: usize,
}

impl Size {
    /// Every square of the board.
    pub(crate) const fn squares(self) -> u64 {
        let row = (1 << self.width) - 1;
        let (mut set, mut y) = (0, 0);
        while y < self.height {
            set |= row << (STRIDE as usize * y);
            y += 1;
        }
        set
    }

    /// The rows of the board from the top, `/` between them.
    pub(crate) fn rows(self, sign: impl Fn(Square) -> char) -> String {
        let row = |y: usize| -> String {
            let squares = (0..self.width).filter_map(|x| Square::new(x, y));
            squares.map(&sign).collect()
        };
        let rows: Vec<String> = (0..self.height).rev().map(row).collect();
        rows.join("/")
    }

    /// Reads what [`Size::rows`] wrote: the set of squares for each of `signs`.
    pub(crate) fn read_rows<const N: usize>(
        self,
        text: &str,
        signs: [char; N],
    ) -> Result<[u64; N], PluginError> {
        let mut sets = [0; N];
        let rows: Vec<&str> = text.split('/').collect();
        let Self { width, height } = self;
        if rows.len() != height {
            let count = rows.len();
            return Err(PluginError(format!("{count} rows instead of {height}")));
        }
        for (row, y) in rows.iter().zip((0..height).rev()) {
            if row.chars().count() != width {
                return Err(PluginError(format!(
                    "row `{row}` should have {width} squares"
                )));
            }
            for (x, c) in row.chars().enumerate() {
                let sign = signs.iter().position(|s| s.eq_ignore_ascii_case(&c));
                let Some(sign) = sign else {
                    return Err(PluginError(format!("`{c}` in row `{row}`")));
                };
                sets[sign] |= 1 << (STRIDE as usize * y + x);
            }
        }
        Ok(sets)
    }

    /// The board for a person, with the names of rows and columns; no line break at the end.
    pub(crate) fn picture(self, sign: impl Fn(Square) -> char) -> String {
        let mut text = String::new();
        for y in (0..self.height).rev() {
            text.push_str(&format!("{} ", y + 1));
            for square in (0..self.width).filter_map(|x| Square::new(x, y)) {
                text.push(' ');
                text.push(sign(square));
            }
            text.push('\n');
        }
        text.push_str("  ");
        for x in 0..self.width {
            text.push(' ');
            text.push(char::from(b'a' + x as u8));
        }
        text
    }
}
