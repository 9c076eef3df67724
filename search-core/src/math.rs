//! Functions of visit counts, the same bits on every machine and quick for small counts.
//!
//! `f64::ln` calls the platform's library and may differ in the last bit from one machine to the
//! next, which a tree search turns into a different tree: logarithms here come from the `libm`
//! crate. Selection takes a logarithm a node and a division and a root a child; for counts below
//! [`TABLE`], which is nearly all of them, they are looked up.

use std::sync::LazyLock;

const TABLE: usize = 4096;

struct Tables {
    ln: [f64; TABLE],
    sqrt_ln: [f64; TABLE],
    /// `(1 / n, 1 / sqrt(n))`, side by side since selection wants both.
    inverse: [(f64, f64); TABLE],
}

static TABLES: LazyLock<Box<Tables>> = LazyLock::new(|| {
    let mut tables = Box::new(Tables {
        ln: [0.0; TABLE],
        sqrt_ln: [0.0; TABLE],
        inverse: [(0.0, 0.0); TABLE],
    });
    for n in 0..TABLE {
        tables.ln[n] = libm::log(n.max(1) as f64);
        tables.sqrt_ln[n] = tables.ln[n].sqrt();
        tables.inverse[n] = inverse(n as u32);
    }
    tables
});

#[inline]
fn inverse(n: u32) -> (f64, f64) {
    // Division and square root are exact to the last bit by IEEE 754.
    let n = f64::from(n.max(1));
    (1.0 / n, 1.0 / n.sqrt())
}

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
            None => self.large_ln(n).sqrt(),
        }
    }

    /// `ln n` for a count beyond the table: that of its leading 12 bits, and three terms of the
    /// series for the rest. Off by less than 2e-14, by plain arithmetic that is the same anywhere.
    fn large_ln(self, n: u32) -> f64 {
        let shift = 20 - n.leading_zeros();
        let head = n >> shift;
        let base = head << shift;
        let x = f64::from(n - base) / f64::from(base);
        let series = x * (1.0 - x * (0.5 - x * (1.0 / 3.0)));
        self.0.ln[head as usize] + f64::from(shift) * std::f64::consts::LN_2 + series
    }

    /// `(1 / n, 1 / sqrt(n))`, with 0 taken as 1.
    #[inline]
    pub(crate) fn inverse(self, n: u32) -> (f64, f64) {
        match self.0.inverse.get(n as usize) {
            Some(&value) => value,
            None => inverse(n),
        }
    }
}

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
            assert!((counts.sqrt_ln(n) - exact).abs() < 1e-13, "{n}");
            let n = f64::from(n);
            assert_eq!(counts.inverse(n as u32), (1.0 / n, 1.0 / n.sqrt()));
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
