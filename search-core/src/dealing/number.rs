//! Numbers that count worlds: `u128` where it fits, a float with a wide exponent elsewhere.

use rand::Rng;

use crate::rng::Draw;

/// What a counting table is made of. `None` means that the number does not fit.
pub(super) trait Number: Copy {
    const ZERO: Self;
    const ONE: Self;
    fn plus(self, other: Self) -> Option<Self>;
    fn times(self, other: Self) -> Option<Self>;
    fn times_count(self, count: u64) -> Option<Self>;
}

impl Number for u128 {
    const ZERO: Self = 0;
    const ONE: Self = 1;

    #[inline]
    fn plus(self, other: Self) -> Option<Self> {
        self.checked_add(other)
    }

    #[inline]
    fn times(self, other: Self) -> Option<Self> {
        self.checked_mul(other)
    }

    #[inline]
    fn times_count(self, count: u64) -> Option<Self> {
        self.checked_mul(Self::from(count))
    }
}

/// `mantissa · 2^exponent` with the mantissa in `[0.5, 1)`, or zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scaled {
    mantissa: f64,
    exponent: i32,
}

impl Scaled {
    /// The scaled form of a finite number that is not negative.
    #[inline]
    pub(super) fn new(value: f64) -> Self {
        let bits = value.to_bits();
        if bits >> 52 == 0 {
            // Zero or subnormal.
            let (mantissa, exponent) = libm::frexp(value);
            return Self { mantissa, exponent };
        }
        Self {
            mantissa: f64::from_bits(bits & !(0x7FF << 52) | 0x3FE << 52),
            exponent: (bits >> 52) as i32 - 1022,
        }
    }

    /// The quotient as a plain number; 0 when `self` is zero.
    #[inline]
    pub(super) fn over(self, total: Self) -> f64 {
        if self.mantissa == 0.0 {
            return 0.0;
        }
        libm::ldexp(
            self.mantissa / total.mantissa,
            self.exponent - total.exponent,
        )
    }

    /// The natural logarithm.
    pub(super) fn log(self) -> f64 {
        libm::log(self.mantissa) + f64::from(self.exponent) * std::f64::consts::LN_2
    }

    #[inline]
    fn shifted(mantissa: f64, exponent: i32) -> Self {
        let new = Self::new(mantissa);
        Self {
            mantissa: new.mantissa,
            exponent: if new.mantissa == 0.0 {
                0
            } else {
                new.exponent + exponent
            },
        }
    }
}

impl Number for Scaled {
    const ZERO: Self = Self {
        mantissa: 0.0,
        exponent: 0,
    };
    const ONE: Self = Self {
        mantissa: 0.5,
        exponent: 1,
    };

    #[inline]
    fn plus(self, other: Self) -> Option<Self> {
        if self.mantissa == 0.0 {
            return Some(other);
        }
        if other.mantissa == 0.0 {
            return Some(self);
        }
        let (big, small) = if self.exponent >= other.exponent {
            (self, other)
        } else {
            (other, self)
        };
        // Beyond 64 binary places the small one is lost in rounding anyway.
        let shift = (big.exponent - small.exponent).min(64);
        let aligned = small.mantissa * f64::from_bits((1023 - shift as u64) << 52);
        Some(Self::shifted(big.mantissa + aligned, big.exponent))
    }

    #[inline]
    fn times(self, other: Self) -> Option<Self> {
        Some(Self::shifted(
            self.mantissa * other.mantissa,
            self.exponent + other.exponent,
        ))
    }

    #[inline]
    fn times_count(self, count: u64) -> Option<Self> {
        Some(Self::shifted(self.mantissa * count as f64, self.exponent))
    }
}

/// Binomial coefficients up to 64 choose 32, which is below 2^61.
static BINOMIAL: [[u64; 65]; 65] = {
    let mut table = [[0_u64; 65]; 65];
    let mut n = 0;
    while n <= 64 {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// `n` choose `k`, 0 for `k > n`; needs `n <= 64` and `k <= 64`.
#[inline]
pub(super) fn choose(n: u32, k: u32) -> u64 {
    BINOMIAL[n as usize][k as usize]
}

/// Uniform in `0..n` without bias, for `n > 0` (Lemire 2019, with 128-bit words above 2^64).
#[inline]
pub(super) fn below_u128<R: Rng + ?Sized>(rng: &mut R, n: u128) -> u128 {
    if let Ok(small) = u64::try_from(n) {
        return u128::from(rng.below_u64(small));
    }
    loop {
        let word = u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
        let (high, low) = widening_mul(word, n);
        if low >= n || low >= n.wrapping_neg() % n {
            return high;
        }
    }
}

/// The high and the low half of a 256-bit product.
#[inline]
const fn widening_mul(a: u128, b: u128) -> (u128, u128) {
    const LOW: u128 = u64::MAX as u128;
    let (a1, a0, b1, b0) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let middle = a1 * b0 + ((a0 * b0) >> 64);
    let carry = a0 * b1 + (middle & LOW);
    let high = a1 * b1 + (middle >> 64) + (carry >> 64);
    (high, a.wrapping_mul(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Seed;

    #[test]
    fn widening_products_agree_with_known_ones() {
        let max = u128::MAX;
        assert_eq!(widening_mul(max, max), (max - 1, 1));
        assert_eq!(widening_mul(max, 2), (1, max - 1));
        assert_eq!(widening_mul(1 << 127, 1 << 127), (1 << 126, 0));
        assert_eq!(
            widening_mul((1 << 64) + 3, (1 << 64) + 5),
            (1, (8 << 64) + 15)
        );
    }

    #[test]
    fn wide_draws_are_uniform_and_in_range() {
        let mut rng = Seed(4).simulation(0);
        let n = 3_u128 << 100;
        let mut counts = [0_u32; 3];
        for _ in 0..30_000 {
            let x = below_u128(&mut rng, n);
            counts[(x >> 100) as usize] += 1;
        }
        // Standard deviation sqrt(30000 · 2/9) = 81.6.
        assert!(
            counts.iter().all(|&c| c.abs_diff(10_000) < 409),
            "{counts:?}"
        );
        // Three quarters of the range: taking every word would give half the draws to 0 mod 3.
        let mut counts = [0_u32; 3];
        for _ in 0..30_000 {
            counts[(below_u128(&mut rng, 3 << 126) % 3) as usize] += 1;
        }
        assert!(
            counts.iter().all(|&c| c.abs_diff(10_000) < 409),
            "{counts:?}"
        );
    }

    #[test]
    fn scaled_numbers_do_not_leave_their_range() {
        let tiny = Scaled::new(1e-300);
        let product = (0..64).fold(Scaled::ONE, |x, _| x.times(tiny).unwrap_or(x));
        let doubled = product.plus(product).unwrap_or(product);
        assert!((doubled.over(product) - 2.0).abs() < 1e-15);
        assert!((product.log() + 64.0 * 300.0 * std::f64::consts::LN_10).abs() < 1e-8);
        assert!(
            (Scaled::new(3.0)
                .times_count(5)
                .map_or(0.0, |x| x.over(Scaled::ONE))
                - 15.0)
                .abs()
                < 1e-12
        );
    }
}
