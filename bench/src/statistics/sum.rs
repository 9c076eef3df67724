//! Exact, order-independent sum of doubles.
//!
//! Floating-point addition is not associative, so a sum gathered from several
//! workers depends on how the work was split. [`ExactSum`] keeps the sum
//! without any rounding error as a set of non-overlapping doubles (Shewchuk
//! 1997, "Adaptive precision floating-point arithmetic and fast robust
//! geometric predicates") and rounds once, at the end, half to even. The
//! result is a function of the *multiset* of terms: bit-equal to Python's
//! `math.fsum` for any order and any tree of merges.

use super::error::StatError;

/// An exact running sum. Cost: a few additions per term (the number of
/// non-overlapping parts stays below 40 and is 2-4 on ordinary data).
///
/// ```
/// use searchlab::statistics::ExactSum;
/// let mut sum = ExactSum::new();
/// for term in [1e16, 1.0, -1e16] {
///     sum.add(term);
/// }
/// assert_eq!(sum.value(), Ok(1.0));
/// ```
#[derive(Debug, Clone, Default)]
pub struct ExactSum {
    /// Non-overlapping, in increasing magnitude; their exact sum is the sum.
    parts: Vec<f64>,
    /// Set when a term or a partial sum was not finite; never cleared, so that
    /// the verdict does not depend on what is added afterwards.
    overflowed: bool,
}

impl ExactSum {
    /// The empty sum, 0.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one term exactly. A term that is not finite makes
    /// [`value`](Self::value) an error.
    pub fn add(&mut self, term: f64) {
        if !term.is_finite() {
            self.overflowed = true;
            return;
        }
        let mut carry = term;
        let mut kept = 0;
        for index in 0..self.parts.len() {
            let (high, low) = two_sum(carry, self.parts[index]);
            if low != 0.0 {
                self.parts[kept] = low;
                kept += 1;
            }
            carry = high;
        }
        self.parts.truncate(kept);
        if !carry.is_finite() {
            self.overflowed = true;
        } else if carry != 0.0 {
            self.parts.push(carry);
        }
    }

    /// Adds the terms of another sum, exactly.
    pub fn merge(&mut self, other: &Self) {
        self.overflowed |= other.overflowed;
        for &part in &other.parts {
            self.add(part);
        }
    }

    /// The sum of all terms, rounded once to the nearest double (ties to even).
    ///
    /// # Errors
    ///
    /// [`StatError::Overflow`] if a term was not finite or a partial sum left
    /// the range of doubles.
    pub fn value(&self) -> Result<f64, StatError> {
        if self.overflowed {
            return Err(StatError::Overflow);
        }
        Ok(round_once(&self.parts))
    }
}

impl Extend<f64> for ExactSum {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, terms: I) {
        for term in terms {
            self.add(term);
        }
    }
}

/// The exact sum of `values`, rounded once: the same bits for any order.
///
/// # Errors
///
/// [`StatError::Overflow`] as in [`ExactSum::value`].
pub fn exact_sum(values: impl IntoIterator<Item = f64>) -> Result<f64, StatError> {
    let mut sum = ExactSum::new();
    sum.extend(values);
    sum.value()
}

/// The rounded sum of two doubles and its rounding error, exactly (Dekker's
/// fast two-sum, which needs the larger magnitude first).
fn two_sum(left: f64, right: f64) -> (f64, f64) {
    let (large, small) = if left.abs() >= right.abs() {
        (left, right)
    } else {
        (right, left)
    };
    let high = large + small;
    (high, small - (high - large))
}

/// Rounds a sum of non-overlapping parts (increasing magnitude) to nearest.
fn round_once(parts: &[f64]) -> f64 {
    let Some((&top, rest)) = parts.split_last() else {
        return 0.0;
    };
    let mut high = top;
    let mut low = 0.0;
    let mut below = rest.len();
    while below > 0 && low == 0.0 {
        below -= 1;
        (high, low) = two_sum(high, rest[below]);
    }
    // `low` is exactly half a unit only in a tie, and then the parts further
    // down, which rounding has not seen, decide the direction.
    // Signs are compared rather than multiplied: a product could underflow.
    if below > 0 && low != 0.0 && (low < 0.0) == (rest[below - 1] < 0.0) {
        let doubled = low * 2.0;
        let nudged = high + doubled;
        if nudged - high == doubled {
            high = nudged;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Doubles over 40 binary orders of magnitude, so that plain sums round.
    fn wide() -> impl Strategy<Value = f64> {
        (-1.0..1.0f64, -20..20i32).prop_map(|(mantissa, exponent)| mantissa * 2f64.powi(exponent))
    }

    #[test]
    fn plain_sum_depends_on_order_and_the_exact_sum_does_not() {
        let one_order = [1e16, 1.0, 1.0, -1e16];
        let other_order = [1e16, -1e16, 1.0, 1.0];
        let plain = |terms: &[f64]| terms.iter().sum::<f64>();
        assert_ne!(plain(&one_order), plain(&other_order));
        assert_eq!(exact_sum(one_order), Ok(2.0));
        assert_eq!(exact_sum(other_order), Ok(2.0));
    }

    #[test]
    fn half_units_round_to_even_unless_the_tail_decides() {
        let ulp = f64::EPSILON;
        assert_eq!(exact_sum([1.0, ulp / 2.0]), Ok(1.0));
        assert_eq!(exact_sum([1.0, ulp / 2.0, 1e-300]), Ok(1.0 + ulp));
        assert_eq!(exact_sum([1.0 + ulp, ulp / 2.0]), Ok(1.0 + 2.0 * ulp));
        assert_eq!(exact_sum([1.0 + ulp, ulp / 2.0, -1e-300]), Ok(1.0 + ulp));
        assert_eq!(exact_sum([-1.0, -ulp / 2.0, -1e-300]), Ok(-1.0 - ulp));
    }

    #[test]
    fn nothing_sums_to_zero_and_bad_terms_are_errors() {
        assert_eq!(exact_sum([]), Ok(0.0));
        assert_eq!(exact_sum([1.0, f64::NAN]), Err(StatError::Overflow));
        assert_eq!(exact_sum([f64::INFINITY]), Err(StatError::Overflow));
        assert_eq!(exact_sum([f64::MAX, f64::MAX]), Err(StatError::Overflow));
    }

    /// L1.14: a sum that depends on how the work was shared out comes out the same when the same
    /// run is repeated, so repetition alone finds nothing; 1, 2, 3 and 7 workers find it.
    #[test]
    fn l1_14_repetition_does_not_find_what_other_workers_find() {
        let scores: Vec<f64> = (0..64).map(|i| f64::from(i % 7) * 0.1 - 0.3).collect();
        let shared = |workers: usize, sum: &dyn Fn(&[f64]) -> f64| {
            let of = |w| scores.iter().skip(w).step_by(workers).copied();
            let parts: Vec<f64> = (0..workers)
                .map(|w| sum(&of(w).collect::<Vec<_>>()))
                .collect();
            sum(&parts).to_bits()
        };
        let plain = |terms: &[f64]| terms.iter().sum::<f64>();
        let exact = |workers: usize| {
            let mut whole = ExactSum::new();
            for w in 0..workers {
                let mut part = ExactSum::new();
                part.extend(scores.iter().skip(w).step_by(workers).copied());
                whole.merge(&part);
            }
            whole.value().unwrap().to_bits()
        };
        let workers = [1, 2, 3, 7];
        for w in workers {
            assert_eq!(shared(w, &plain), shared(w, &plain), "repeated");
            assert_eq!(exact(w), exact(1), "{w} workers");
        }
        let seen: std::collections::HashSet<u64> = workers.map(|w| shared(w, &plain)).into();
        assert!(seen.len() > 1, "the planted sum shows with other workers");
    }

    proptest! {
        #[test]
        fn any_order_and_any_split_give_the_same_bits(
            terms in prop::collection::vec(wide(), 0..60),
            cut in 0..60usize,
        ) {
            let forward = exact_sum(terms.iter().copied()).unwrap();
            let backward = exact_sum(terms.iter().rev().copied()).unwrap();
            let (front, back) = terms.split_at(cut.min(terms.len()));
            let mut left = ExactSum::new();
            left.extend(back.iter().copied());
            let mut right = ExactSum::new();
            right.extend(front.iter().copied());
            left.merge(&right);
            prop_assert_eq!(forward.to_bits(), backward.to_bits());
            prop_assert_eq!(forward.to_bits(), left.value().unwrap().to_bits());
        }
    }
}
