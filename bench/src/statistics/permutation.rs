//! Exact tests of "no difference" over paired blocks: sign flips and Wilcoxon
//! signed ranks.

use super::error::{StatError, require_count, require_finite};
use super::moments::Moments;
use super::quantile::mid_ranks;
use serde::Serialize;

/// Most blocks whose sign arrangements are enumerated (`2^20`).
pub const MOST_FLIPPED: usize = 20;

/// Exact sign-flip test of the mean of paired differences.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SignFlip {
    /// Mean difference.
    pub mean: f64,
    /// `P(mean* >= mean)` over all arrangements of signs.
    pub p_greater: f64,
    /// Twice the smaller one-sided p value, at most 1. With `n` blocks it
    /// cannot be below `2 / 2^n`.
    pub p_two_sided: f64,
    /// Number of arrangements, `2^n`.
    pub arrangements: u64,
}

/// Enumerates every assignment of signs to `differences`. Zeros are kept: a
/// block that plays out the same is evidence of no difference.
///
/// # Errors
///
/// [`StatError::TooFew`] for no difference, [`StatError::TooMany`] above
/// [`MOST_FLIPPED`], [`StatError::NotFinite`] and [`StatError::Overflow`].
pub fn sign_flip(differences: &[f64]) -> Result<SignFlip, StatError> {
    let what = "the exact sign-flip test";
    require_count(what, 1, differences.len())?;
    if differences.len() > MOST_FLIPPED {
        return Err(StatError::TooMany {
            what,
            limit: MOST_FLIPPED,
            got: differences.len(),
        });
    }
    let mean = Moments::of(differences)?.mean();
    let mut sums = vec![0.0];
    for &gap in differences {
        sums = sums.iter().flat_map(|sum| [sum + gap, sum - gap]).collect();
    }
    // Arrangements that tie in exact arithmetic may differ in the last bits.
    let scale: f64 = differences.iter().map(|gap| gap.abs()).sum();
    let slack = 1e-12 * scale;
    let observed = sums[0];
    let share = |hits: usize| hits as f64 / sums.len() as f64;
    let p_greater = share(sums.iter().filter(|&&s| s >= observed - slack).count());
    let p_less = share(sums.iter().filter(|&&s| s <= observed + slack).count());
    Ok(SignFlip {
        mean,
        p_greater,
        p_two_sided: (2.0 * p_greater.min(p_less)).min(1.0),
        arrangements: sums.len() as u64,
    })
}

/// Most differences for which the signed-rank distribution is counted.
pub const MOST_RANKED: usize = 1000;

/// Wilcoxon's signed-rank test with its exact null distribution.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SignedRank {
    /// The smaller of the two rank sums.
    pub w: f64,
    /// Exact two-sided p value.
    pub p_two_sided: f64,
    /// Differences that are not zero, which are the ones ranked.
    pub n: u64,
}

/// Wilcoxon's signed-rank test (1945). Zeros are dropped, as in the original;
/// ties get mid-ranks and the null distribution is that of the ranks at hand.
///
/// # Errors
///
/// [`StatError::TooFew`] when no difference is left, [`StatError::TooMany`]
/// above [`MOST_RANKED`], [`StatError::NotFinite`].
pub fn signed_rank(differences: &[f64]) -> Result<SignedRank, StatError> {
    let what = "the signed-rank test";
    require_finite(differences)?;
    let kept: Vec<f64> = differences.iter().copied().filter(|&d| d != 0.0).collect();
    require_count(what, 1, kept.len())?;
    if kept.len() > MOST_RANKED {
        return Err(StatError::TooMany {
            what,
            limit: MOST_RANKED,
            got: kept.len(),
        });
    }
    let sizes: Vec<f64> = kept.iter().map(|gap| gap.abs()).collect();
    // Doubled mid-ranks are integers.
    let doubled: Vec<usize> = mid_ranks(&sizes)
        .iter()
        .map(|rank| (2.0 * rank) as usize)
        .collect();
    let total: usize = doubled.iter().sum();
    let positive: usize = kept
        .iter()
        .zip(&doubled)
        .filter(|(gap, _)| **gap > 0.0)
        .map(|(_, rank)| rank)
        .sum();
    let smaller = positive.min(total - positive);
    // Probability of each rank sum, one difference at a time.
    let mut probability = vec![0.0; total + 1];
    probability[0] = 1.0;
    for &rank in &doubled {
        for sum in (0..=total).rev() {
            let raised = if sum >= rank {
                probability[sum - rank]
            } else {
                0.0
            };
            probability[sum] = 0.5 * (probability[sum] + raised);
        }
    }
    let tail: f64 = probability[..=smaller].iter().sum();
    Ok(SignedRank {
        w: smaller as f64 / 2.0,
        p_two_sided: (2.0 * tail).min(1.0),
        n: kept.len() as u64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_zero_differences_are_no_evidence() {
        let test = sign_flip(&[0.0; 4]).unwrap();
        assert_eq!((test.p_greater, test.p_two_sided), (1.0, 1.0));
        assert!(signed_rank(&[0.0; 4]).is_err());
    }

    #[test]
    fn rounding_does_not_break_ties_between_arrangements() {
        // 0.1 + 0.2 - 0.3 is 5.6e-17 in doubles but ties with its negative.
        let test = sign_flip(&[0.1, 0.2, -0.3]).unwrap();
        assert_eq!((test.p_greater, test.p_two_sided), (0.625, 1.0));
    }

    #[test]
    fn the_enumeration_is_bounded() {
        assert!(matches!(
            sign_flip(&[1.0; 21]),
            Err(StatError::TooMany { .. })
        ));
        assert!(sign_flip(&[]).is_err());
        assert!(sign_flip(&[f64::NAN]).is_err());
    }

    #[test]
    fn tied_ranks_use_their_own_distribution() {
        // Two equal sizes of opposite sign: W is 1.5 in every arrangement but two.
        let test = signed_rank(&[1.0, -1.0]).unwrap();
        assert_eq!((test.w, test.p_two_sided), (1.5, 1.0));
    }
}
