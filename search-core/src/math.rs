//! Functions of visit counts, the same bits on every machine and quick for small counts.
//!
//! `f64::ln` calls the platform's library and may differ in the last bit from one machine to the
//! next, which a tree search turns into a different tree: logarithms here come from the `libm`
//! crate. Selection takes the root of a logarithm a node, a division and a root a child; for counts
//! below [`TABLE`], which is nearly all of them, they are looked up, and beyond it, which is where
//! a long search spends its time near the root, they are short polynomials: which child is next
//! waits for them.

use std::sync::LazyLock;

/// Counts below this are looked up.
const TABLE: usize = 4096;
const TABLE_BITS: u32 = TABLE.ilog2();
/// Pieces of the polynomials for `sqrt(ln n)` in each octave from `TABLE` on.
const PIECES: usize = 1 << PIECE_BITS;
const PIECE_BITS: u32 = 7;
const OCTAVES: usize = (u32::BITS - TABLE_BITS) as usize;

struct Tables {
    sqrt_ln: [f64; TABLE],
    /// `(1 / n, 1 / sqrt(n))`, side by side since selection wants both.
    inverse: [(f64, f64); TABLE],
    /// Taylor polynomials around the middles of the pieces, in units of the start of the octave.
    pieces: [[f64; 4]; PIECES * OCTAVES],
}

static TABLES: LazyLock<Box<Tables>> = LazyLock::new(|| {
    let mut tables = Box::new(Tables {
        sqrt_ln: [0.0; TABLE],
        inverse: [(0.0, 0.0); TABLE],
        pieces: [[0.0; 4]; PIECES * OCTAVES],
    });
    for n in 0..TABLE {
        // Division and square root are exact to the last bit by IEEE 754.
        let count = n.max(1) as f64;
        tables.sqrt_ln[n] = libm::log(count).sqrt();
        tables.inverse[n] = (1.0 / count, 1.0 / count.sqrt());
    }
    for (i, piece) in tables.pieces.iter_mut().enumerate() {
        let octave = f64::from(1_u32 << (TABLE_BITS as usize + i / PIECES));
        *piece = taylor(octave, 1.0 + ((i % PIECES) as f64 + 0.5) / PIECES as f64);
    }
    tables
});

/// The first coefficients of `sqrt(ln(octave * (at + t)))` in powers of `t`.
fn taylor(octave: f64, at: f64) -> [f64; 4] {
    let ln = libm::log(octave * at);
    let root = ln.sqrt();
    let first = 0.5 / (root * at);
    let second = -(2.0 * ln + 1.0) / (8.0 * ln * root * at * at);
    let third = (8.0 * ln * ln + 6.0 * ln + 3.0) / (48.0 * ln * ln * root * at * at * at);
    [root, first, second, third]
}

/// The bits of 1, and of 2^-52 over it.
const ONE: u64 = 1.0_f64.to_bits();
const FRACTION: u64 = (1 << 52) - 1;

/// Functions of counts.
#[derive(Clone, Copy)]
pub(crate) struct Counts(&'static Tables);

impl Counts {
    pub(crate) fn new() -> Self {
        Self(&TABLES)
    }

    /// `sqrt(ln n)`; 0 for `n` of 0 or 1.
    #[inline]
    pub(crate) fn sqrt_ln(self, n: u32) -> f64 {
        match self.0.sqrt_ln.get(n as usize) {
            Some(&value) => value,
            None => self.large_sqrt_ln(n),
        }
    }

    /// The same for a count beyond the table, off by less than 2e-11: neither a logarithm nor a
    /// root, which selection would wait for.
    #[inline]
    fn large_sqrt_ln(self, n: u32) -> f64 {
        // The octave is the exponent, the piece the first bits of the fraction.
        const PIECE: u64 = 1 << (52 - PIECE_BITS);
        const FIRST: u64 = (ONE / PIECE) + TABLE_BITS as u64 * PIECES as u64;
        let bits = f64::from(n).to_bits();
        let row = (bits / PIECE).wrapping_sub(FIRST) as usize;
        let within = f64::from_bits((bits & FRACTION) | ONE);
        let middle = f64::from_bits((bits & FRACTION & !(PIECE - 1)) | (PIECE / 2) | ONE);
        let t = within - middle;
        let [a, b, c, d] = self.0.pieces[row];
        (a + b * t) + (c + d * t) * (t * t)
    }

    /// `(1 / n, 1 / sqrt(n))`, with 0 taken as 1.
    #[inline]
    pub(crate) fn inverse(self, n: u32) -> (f64, f64) {
        match self.0.inverse.get(n as usize) {
            Some(&value) => value,
            None => self.large_inverse(n),
        }
    }

    /// The same for a count beyond the table, off by less than one part in 1e13: those of its
    /// leading 12 bits, times a series for the rest. Divisions and roots wait for each other.
    #[inline]
    fn large_inverse(self, n: u32) -> (f64, f64) {
        let shift = n.ilog2() - (TABLE_BITS - 1);
        let (inverse, root) = self.0.inverse[(n >> shift) as usize % TABLE];
        let tail = n & ((1 << shift) - 1);
        let (unit, root_unit) = UNITS[shift as usize % UNITS.len()];
        let x = f64::from(tail) * (unit * inverse);
        let square = x * x;
        (
            (unit * inverse) * ((1.0 - x) * (1.0 + square)),
            (root_unit * root) * ((1.0 - 0.5 * x) + square * (0.375 - 0.3125 * x)),
        )
    }
}

/// `(2^-i, 2^(-i/2))`.
const UNITS: [(f64, f64); 32] = {
    let mut units = [(1.0, 1.0); 32];
    let mut i = 1;
    while i < units.len() {
        units[i].0 = 0.5 * units[i - 1].0;
        units[i].1 = if i == 1 {
            std::f64::consts::FRAC_1_SQRT_2
        } else {
            0.5 * units[i - 2].1
        };
        i += 1;
    }
    units
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_of_the_table_agree_with_libm() {
        let counts = Counts::new();
        assert_eq!((counts.sqrt_ln(0), counts.sqrt_ln(1)), (0.0, 0.0));
        for n in [
            2,
            3,
            4095,
            4096,
            4097,
            8191,
            1_000_000,
            123_456_789,
            u32::MAX,
        ] {
            let exact = libm::log(f64::from(n)).sqrt();
            assert!((counts.sqrt_ln(n) - exact).abs() < 2e-11, "{n}");
            let (inverse, root) = counts.inverse(n);
            assert!((inverse * f64::from(n) - 1.0).abs() < 1e-13, "{n}");
            assert!((root * f64::from(n).sqrt() - 1.0).abs() < 1e-13, "{n}");
        }
    }

    #[test]
    fn beyond_the_table_nothing_strays() {
        let counts = Counts::new();
        let mut n = 4096_u32;
        while let Some(next) = n.checked_add(1 + n / 5_000) {
            let exact = libm::log(f64::from(n)).sqrt();
            assert!((counts.sqrt_ln(n) - exact).abs() < 2e-11, "{n}");
            let (inverse, root) = counts.inverse(n);
            assert!((inverse * f64::from(n) - 1.0).abs() < 1e-13, "{n}");
            assert!((root * f64::from(n).sqrt() - 1.0).abs() < 1e-13, "{n}");
            n = next;
        }
    }

    #[test]
    fn logarithms_never_fall() {
        let counts = Counts::new();
        let mut last = -1.0;
        for n in (0..20_000).chain((20_000..4_000_000_000).step_by(777_777)) {
            assert!(counts.sqrt_ln(n) >= last, "{n}");
            last = counts.sqrt_ln(n);
        }
    }
}
