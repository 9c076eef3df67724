//! The block: all games of one seed, reduced to one observation.
//!
//! For `n` seats a block plays the same deal `2n` times: the candidate in each
//! seat against `n - 1` baselines (*one against many*) and the baseline in
//! each seat against `n - 1` candidates (*many against one*).

use super::error::{StatError, require_count, require_finite};
use super::moments::Moments;
use serde::Serialize;

/// The seat scores of one direction of a block, all its games together.
/// Scores may be in any unit; the block score has the same unit.
#[derive(Debug, Clone, Copy)]
pub struct Direction<'a> {
    /// Scores of the seats that the candidate held.
    pub candidate: &'a [f64],
    /// Scores of the seats that the baseline held.
    pub baseline: &'a [f64],
}

/// The observation that one seed contributes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BlockScore {
    /// Mean of the two directions: the `d` of every formula.
    pub score: f64,
    /// Candidate minus baseline where the candidate sat alone.
    pub one_against_many: f64,
    /// Candidate minus baseline where the baseline sat alone.
    pub many_against_one: f64,
}

/// The block score: in each direction the mean score of the candidate's seats
/// minus that of the baseline's, then the mean of both directions, so that the
/// direction with more candidate seats weighs no more. With two seats the
/// directions play the same games in swapped roles.
///
/// # Errors
///
/// [`StatError::TooFew`] when a side of a direction has no seat,
/// [`StatError::NotFinite`] or [`StatError::Overflow`] for bad scores.
pub fn block_score(
    one_against_many: Direction<'_>,
    many_against_one: Direction<'_>,
) -> Result<BlockScore, StatError> {
    let one = advantage(one_against_many)?;
    let many = advantage(many_against_one)?;
    Ok(BlockScore {
        score: 0.5 * (one + many),
        one_against_many: one,
        many_against_one: many,
    })
}

fn advantage(direction: Direction<'_>) -> Result<f64, StatError> {
    let mut means = [0.0; 2];
    for (mean, scores) in means
        .iter_mut()
        .zip([direction.candidate, direction.baseline])
    {
        require_count("a side of a block", 1, scores.len())?;
        require_finite(scores)?;
        *mean = Moments::of(scores)?.mean();
    }
    Ok(means[0] - means[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_weigh_the_same_whatever_their_seats() {
        // Three seats: one candidate seat in the first direction, two in the second.
        let one = Direction {
            candidate: &[4.0, 4.0, 4.0],
            baseline: &[1.0; 6],
        };
        let many = Direction {
            candidate: &[2.0; 6],
            baseline: &[1.0; 3],
        };
        let block = block_score(one, many).unwrap();
        assert_eq!(block.one_against_many, 3.0);
        assert_eq!(block.many_against_one, 1.0);
        assert_eq!(block.score, 2.0);
    }

    #[test]
    fn a_missing_side_is_an_error() {
        let empty = Direction {
            candidate: &[],
            baseline: &[1.0],
        };
        assert!(matches!(
            block_score(empty, empty),
            Err(StatError::TooFew { .. })
        ));
    }
}
