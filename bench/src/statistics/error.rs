//! What can be wrong with the input of a statistic.

use thiserror::Error;

/// Why a statistic could not be computed from its input.
///
/// Only *wrong* input is an error. Input that is right but uninformative (one
/// seed, no spread) is reported by `None` and a flag in the result.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum StatError {
    /// Fewer observations than the statistic is defined for.
    #[error("{what} needs at least {needed} observations, got {got}")]
    TooFew {
        /// The statistic asked for.
        what: &'static str,
        /// The least number of observations.
        needed: usize,
        /// The number that was given.
        got: usize,
    },
    /// More observations than an exact enumeration can visit.
    #[error("{what} enumerates at most {limit} observations, got {got}")]
    TooMany {
        /// The statistic asked for.
        what: &'static str,
        /// The greatest number of observations.
        limit: usize,
        /// The number that was given.
        got: usize,
    },
    /// A NaN or an infinity among the observations.
    #[error("observation {index} is not finite")]
    NotFinite {
        /// Zero-based position of the first such observation.
        index: usize,
    },
    /// A sum left the range of doubles.
    #[error("the sum leaves the range of double precision")]
    Overflow,
    /// Two columns that must have the same length do not.
    #[error("columns differ in length: {left} and {right}")]
    LengthMismatch {
        /// Length of the first column.
        left: usize,
        /// Length of the other column.
        right: usize,
    },
    /// A parameter outside its domain.
    #[error("{name} = {value} is outside {domain}")]
    OutOfRange {
        /// The parameter.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The values that are allowed.
        domain: &'static str,
    },
    /// Players fall into groups of which one never lost to the other.
    #[error(
        "the strengths are infinite: some players never lost to the others; give a ridge, or more games"
    )]
    NotConnected,
    /// An order of players that is not one: a player twice, or one that does not exist.
    #[error("order {index} names player {player} twice, or there is no such player")]
    NotAnOrder {
        /// Zero-based position of the order.
        index: usize,
        /// The player.
        player: usize,
    },
    /// The denominator of a ratio is zero.
    #[error("the denominator of the ratio sums to zero")]
    ZeroDenominator,
}

/// Rejects NaN and infinities, naming the first.
pub(crate) fn require_finite(values: &[f64]) -> Result<(), StatError> {
    match values.iter().position(|value| !value.is_finite()) {
        Some(index) => Err(StatError::NotFinite { index }),
        None => Ok(()),
    }
}

/// Rejects columns of different length.
pub(crate) fn require_same_length(left: usize, right: usize) -> Result<(), StatError> {
    if left == right {
        Ok(())
    } else {
        Err(StatError::LengthMismatch { left, right })
    }
}

/// Rejects fewer than `needed` observations.
pub(crate) fn require_count(
    what: &'static str,
    needed: usize,
    got: usize,
) -> Result<(), StatError> {
    if got >= needed {
        Ok(())
    } else {
        Err(StatError::TooFew { what, needed, got })
    }
}

/// Rejects a probability that is not strictly between 0 and 1.
pub(crate) fn require_open_unit(name: &'static str, value: f64) -> Result<(), StatError> {
    // Written so that NaN is rejected too.
    if value > 0.0 && value < 1.0 {
        Ok(())
    } else {
        Err(StatError::OutOfRange {
            name,
            value,
            domain: "(0, 1)",
        })
    }
}
