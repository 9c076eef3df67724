//! Several algorithms on several games: ranks, Friedman's test, Nemenyi's critical difference.
//!
//! Scores of different games have different units, so only the order within a game counts
//! (Demsar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7, 2006,
//! section 3.2.2). The game is the observation here: the test needs five or six, and with four the
//! ranks are a table and no more.

use libm::sqrt;
use serde::Serialize;

use super::distribution::{chi_square_upper, f_upper, normal_range_quantile};
use super::error::{StatError, require_count, require_finite, require_same_length};
use super::quantile::mid_ranks;

/// Games below which the test says nothing worth printing.
pub const ENOUGH_GAMES: usize = 5;

/// The comparison of algorithms over games.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AcrossGames {
    /// Games.
    pub games: usize,
    /// The mean rank of each algorithm, 1 for the best; ties share the mean of their ranks.
    pub average_rank: Vec<f64>,
    /// Friedman's chi-square, corrected for ties; none when every game is one tie.
    pub friedman_chi2: Option<f64>,
    /// Its p value, with `algorithms - 1` degrees of freedom.
    pub p: Option<f64>,
    /// The statistic of Iman and Davenport (1980), less conservative; infinite when every game
    /// orders the algorithms alike.
    pub iman_davenport: Option<f64>,
    /// Its p value.
    pub iman_davenport_p: Option<f64>,
    /// Nemenyi's `q`: the 95 % point of the range of normal numbers over the square root of 2.
    pub nemenyi_q05: f64,
    /// Algorithms whose mean ranks differ by more are told apart at 5 %, all pairs together:
    /// `q sqrt(k (k + 1) / (6 G))`.
    pub critical_difference: f64,
}

/// Compares `k` algorithms over games: a row of `scores` is a game, its entries the scores of the
/// algorithms there, in any unit, the higher the better if `higher_is_better`.
///
/// # Errors
/// [`StatError::TooFew`] below two games or two algorithms, [`StatError::LengthMismatch`] for rows
/// of different length, [`StatError::NotFinite`].
pub fn across_games(scores: &[Vec<f64>], higher_is_better: bool) -> Result<AcrossGames, StatError> {
    require_count("a comparison across games", 2, scores.len())?;
    let algorithms = scores[0].len();
    require_count("a ranking", 2, algorithms)?;
    let (games, k) = (scores.len() as f64, algorithms as f64);
    let mut sums = vec![0.0; algorithms];
    let mut ties = 0.0;
    for row in scores {
        require_same_length(algorithms, row.len())?;
        require_finite(row)?;
        let sign = if higher_is_better { -1.0 } else { 1.0 };
        let signed: Vec<f64> = row.iter().map(|x| sign * x).collect();
        for (sum, rank) in sums.iter_mut().zip(mid_ranks(&signed)) {
            *sum += rank;
        }
        ties += tied(&signed);
    }
    let average_rank: Vec<f64> = sums.iter().map(|sum| sum / games).collect();
    let middle = 0.5 * (k + 1.0);
    let spread: f64 = average_rank
        .iter()
        .map(|r| (r - middle) * (r - middle))
        .sum();
    let correction = 1.0 - ties / (games * k * (k * k - 1.0));
    let chi2 = (correction > 0.0).then(|| 12.0 * games / (k * (k + 1.0)) * spread / correction);
    let f = chi2.map(|chi2| {
        let rest = games * (k - 1.0) - chi2;
        // Games that all agree leave rounding.
        if rest > 1e-9 * games {
            (games - 1.0) * chi2 / rest
        } else {
            f64::INFINITY
        }
    });
    let count = u32::try_from(algorithms).unwrap_or(u32::MAX);
    let q = normal_range_quantile(0.95, count) / sqrt(2.0);
    Ok(AcrossGames {
        games: scores.len(),
        average_rank,
        friedman_chi2: chi2,
        p: chi2.map(|chi2| chi_square_upper(chi2, k - 1.0)),
        iman_davenport: f,
        iman_davenport_p: f.map(|f| f_upper(f, k - 1.0, (k - 1.0) * (games - 1.0))),
        nemenyi_q05: q,
        critical_difference: q * sqrt(k * (k + 1.0) / (6.0 * games)),
    })
}

/// `sum (t^3 - t)` over the ties of one game.
fn tied(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let sizes = sorted.chunk_by(|a, b| a == b).map(|tie| tie.len() as f64);
    sizes.map(|t| t * t * t - t).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_all_agree_give_the_greatest_statistic() {
        let scores = vec![vec![3.0, 2.0, 1.0]; 6];
        let result = across_games(&scores, true).unwrap();
        assert_eq!(result.average_rank, [1.0, 2.0, 3.0]);
        assert!((result.friedman_chi2.unwrap() - 12.0).abs() < 1e-9);
        assert_eq!(result.iman_davenport, Some(f64::INFINITY));
        assert_eq!(result.iman_davenport_p, Some(0.0));
        let low = across_games(&scores, false).unwrap();
        assert_eq!(low.average_rank, [3.0, 2.0, 1.0]);
    }

    #[test]
    fn ties_are_corrected_for() {
        // By hand: ranks (1.5, 1.5, 3), (1, 2.5, 2.5), (1, 2, 3): sums 3.5, 6, 8.5;
        // chi2 = (12 / (3 3 4)) (3.5^2 + 6^2 + 8.5^2) - 3 3 4 = 4 1/6; ties 6 + 6;
        // correction 1 - 12 / (3 24) = 5/6: 5.
        let scores = [
            vec![2.0, 2.0, 1.0],
            vec![3.0, 1.0, 1.0],
            vec![3.0, 2.0, 1.0],
        ];
        let result = across_games(&scores, true).unwrap();
        assert!(
            (result.friedman_chi2.unwrap() - 5.0).abs() < 1e-12,
            "{result:?}"
        );
        let all_tied = across_games(&[vec![1.0, 1.0], vec![2.0, 2.0]], true).unwrap();
        assert_eq!((all_tied.friedman_chi2, all_tied.p), (None, None));
    }

    #[test]
    fn the_critical_difference_is_that_of_demsar() {
        // Demsar (2006, section 3.2.4): four classifiers, 14 data sets, 1.25.
        let scores: Vec<Vec<f64>> = (0..14)
            .map(|g| (0..4).map(|a| f64::from(a * g % 7)).collect())
            .collect();
        let result = across_games(&scores, true).unwrap();
        assert!((result.critical_difference - 1.25).abs() < 0.005);
    }

    #[test]
    fn bad_input_is_an_error() {
        assert!(across_games(&[vec![1.0, 2.0]], true).is_err());
        assert!(across_games(&[vec![1.0], vec![2.0]], true).is_err());
        assert!(across_games(&[vec![1.0, 2.0], vec![2.0]], true).is_err());
        assert!(across_games(&[vec![1.0, 2.0], vec![2.0, f64::NAN]], true).is_err());
    }
}
