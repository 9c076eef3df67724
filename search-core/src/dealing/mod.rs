//! Exact dealing of hidden items (cards, tiles) into bins (hands, a kitty, a dead pile).
//!
//! ```
//! use search_core::dealing::Problem;
//! use search_core::rng::Seed;
//!
//! // Six unseen cards, three seats of two; seat 2 is known to hold none of the cards 0, 1, 2.
//! let mut problem = Problem::numbered(6, &[2, 2, 2])?;
//! problem.forbid(0b000_111, 1 << 2)?;
//! let plan = problem.plan()?;
//! assert_eq!(plan.count(), Some(18));
//! assert!((plan.marginal(0, 0) - 0.5).abs() < 1e-12);
//!
//! let mut hands = [0_u64; 3];
//! plan.deal(&mut Seed(1).simulation(0), &mut hands);
//! assert_eq!(hands[0] | hands[1] | hands[2], 0b111_111);
//! assert_eq!(hands[2] & 0b000_111, 0);
//! # Ok::<(), search_core::dealing::DealError>(())
//! ```
//!
//! # What is dealt
//!
//! Items are the set bits of a `u64` (so at most [`MAX_ITEMS`], and a game that numbers its deck
//! below 64 gets its hands back as card masks); bins are numbered from 0, at most [`MAX_BINS`],
//! and sets of bins are a `u16`. A *world* `x` puts every item `i` into one bin `x_i`, fills every
//! bin to its capacity and respects every fact given to the [`Problem`]. A [`Plan`] draws worlds
//! with
//!
//! ```text
//! P(x) = Π_i w(i, x_i) / Z,      Z = Σ over worlds of Π_i w(i, x_i),
//! ```
//!
//! which is uniform while no weight has been given. There is no world-level rejection, no
//! restart and no bias: every deal costs about the same, and every conditional probability comes
//! from a count of completions.
//!
//! # How
//!
//! 1. Items with one possible bin are placed; bins that are thereby full leave every set.
//! 2. The rest is grouped in *classes* of items with the same possible bins and weights.
//! 3. Classes without weights whose sets of bins are nested, `A_1 ⊂ A_2 ⊂ …`, form the *chain*. It
//!    needs no table: a sequential fill is exact (the proof is below). A problem without facts is
//!    a chain of one class.
//! 4. The classes outside the chain, if any, are dealt first. A table counts, for every reachable
//!    vector of remaining capacities, the completions `F`, and the draw decides class by class how
//!    many items every bin gets:
//!
//!    ```text
//!    F(k, j, c) = Σ_n C(r, n) · w(k, b_j)^n · F(k, j + 1, c − n·e_{b_j})
//!    ```
//!
//!    with `r` the items of class `k` still to place and `b_j` the `j`-th of its bins; which of the
//!    class's items they are is then a uniform split. This is the counting recursion
//!    `F_i(c) = Σ_b w(i, b) · F_{i+1}(c − e_b)` summed over the order within a class.
//!
//! # Why a sequential fill of a chain is exact
//!
//! Let `D_K = A_K \ A_{K−1}` be the bins that only the widest class `K` may use. They must be
//! filled from class `K` alone. Choose who goes there: *whichever* items are chosen, what is left
//! of class `K` can only go to bins of `A_{K−1}`, that is, it has joined class `K−1`, and the number
//! of ways to complete the deal depends on how many items are left, not on which. All choices
//! therefore have equally many completions, so choosing uniformly is choosing with the exact
//! conditional probability. Repeat with the merged class `K−1`. The product of the numbers of
//! choices is the number of worlds. (Filling seat by seat or card by card with *equal*
//! probabilities of seats is not exact, not even here: on the example above it is off by a total
//! variation of 7/36 card by card and 1/4 seat by seat.)
//!
//! # Precision and bounds
//!
//! Counts are `u128`, exact, while the number of worlds is below 2^128 (48 tiles into four bins of
//! 12 is below 2^88; any problem of up to four bins and 64 items fits). Draws from them are exact
//! integer draws. Above that, and for weights, counts are `f64` with a separate exponent, which
//! neither overflow nor underflow; a conditional probability is then off by about 1e-15 and is
//! drawn with 53 bits. Marginals are good to 1e-12 either way.
//!
//! The table has one entry a reachable capacity vector, stage and count: a few dozen for one
//! suit-like fact, about `2 (B − 1) Π (cap_b + 1)` when every item has its own weights. Planning
//! costs time in proportion; above [`MAX_TABLE`] entries it stops with [`DealError::TooLarge`].
//! A table takes at most 20 bytes an entry and 16 bytes a capacity vector, twice that while planning.

mod build;
mod chain;
mod enumerate;
mod graph;
mod marginal;
mod number;
mod plan;
mod problem;
mod subset;

pub use enumerate::World;
pub use plan::Plan;
pub use problem::Problem;

use crate::observation::Contradiction;
use thiserror::Error;

/// The most items of a [`Problem`]: they are the bits of a `u64`.
pub const MAX_ITEMS: usize = 64;

/// The most bins of a [`Problem`]: sets of bins are a `u16`.
pub const MAX_BINS: usize = 16;

/// The most entries of a counting table.
pub const MAX_TABLE: usize = 1 << 22;

/// Why a dealing problem could not be stated, planned or enumerated.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum DealError {
    /// More items than [`MAX_ITEMS`].
    #[error("{items} items: at most {MAX_ITEMS} can be dealt")]
    TooManyItems {
        /// How many were asked for.
        items: usize,
    },
    /// No bin, or more bins than [`MAX_BINS`].
    #[error("{bins} bins: there must be 1 to {MAX_BINS}")]
    Bins {
        /// How many were asked for.
        bins: usize,
    },
    /// The capacities do not add up to the number of items.
    #[error("{items} items for bins that hold {room} in all")]
    Room {
        /// The number of items.
        items: usize,
        /// The sum of the capacities.
        room: usize,
    },
    /// An item that is not of the problem.
    #[error("item {item} is not among the items to deal")]
    NoSuchItem {
        /// The item.
        item: usize,
    },
    /// A bin that is not of the problem.
    #[error("there is no bin {bin}")]
    NoSuchBin {
        /// The bin.
        bin: usize,
    },
    /// A weight that is not positive and finite. An impossible bin is said with
    /// [`Problem::forbid`].
    #[error("the weight of item {item} in bin {bin} is {weight}: it must be positive and finite")]
    Weight {
        /// The item.
        item: usize,
        /// The bin.
        bin: usize,
        /// The weight that was given.
        weight: f64,
    },
    /// The counting table would be too large. Worlds do exist.
    #[error("worlds exist, but counting them takes a table of more than {limit} entries")]
    TooLarge {
        /// The most entries that are allowed.
        limit: usize,
    },
    /// More worlds than [`Problem::enumerate`] was allowed to list.
    #[error("there are more than {limit} worlds to list")]
    TooManyWorlds {
        /// The most worlds that were allowed.
        limit: usize,
    },
    /// No world agrees with the facts.
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
}

/// For a [`Determinizer`](crate::observation::Determinizer), which can only report contradictions:
/// every other error becomes the reason of one.
impl From<DealError> for Contradiction {
    fn from(error: DealError) -> Self {
        match error {
            DealError::Contradiction(contradiction) => contradiction,
            other => Self::new(other.to_string()),
        }
    }
}

/// The positions of the set bits of a mask, ascending.
#[inline]
fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let bit = mask.trailing_zeros() as usize;
        mask &= mask - 1;
        Some(bit)
    })
}
