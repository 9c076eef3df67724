//! Functions of visit counts, the same bits on every machine and quick for small counts.
//!
//! `f64::ln` calls the platform's library and may differ in the last bit from one machine to the
//! next, which a tree search turns into a different tree: logarithms here come from the `libm`
//! crate. Selection takes a logarithm a node and a division and a root a child; for counts below
//! [`TABLE`], which is nearly all of them, they are looked up.

use std::sync::LazyLock;

const TABLE: usize = 4096;

struct Tables {
    sqrt_ln: [f64; TABLE],
    /// `(1 / n, 1 / sqrt(n))`, side by side since selection wants both.
    inverse: [(f64, f64); TABLE],
}

static TABLES: LazyLock<Box<Tables>> = LazyLock::new(|| {
    let mut tables = Box::new(Tables {
        sqrt_ln: [0.0; TABLE],
        inverse: [(0.0, 0.0); TABLE],
    });
    for n in 0..TABLE {
        tables.sqrt_ln[n] = sqrt_ln(n as u32);
        tables.inverse[n] = inverse(n as u32);
    }
    tables
});

#[inline]
fn sqrt_ln(n: u32) -> f64 {
    libm::log(f64::from(n.max(1))).sqrt()
}

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
            None => sqrt_ln(n),
        }
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
        for n in [2, 3, 4095, 4096, 1_000_000, u32::MAX] {
            assert_eq!(counts.sqrt_ln(n), libm::log(f64::from(n)).sqrt());
            let n = f64::from(n);
            assert_eq!(counts.inverse(n as u32), (1.0 / n, 1.0 / n.sqrt()));
        }
    }
}
