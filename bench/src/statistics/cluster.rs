//! Cluster-robust standard errors: games inside a seed are not independent.
//!
//! Sandwich estimator of an intercept-only regression (Liang and Zeger 1986;
//! small-sample factor as in Stata and statsmodels), two-way version by
//! Cameron, Gelbach and Miller (2011). On balanced blocks CR1 equals the
//! standard error of the seed means. On unbalanced ones CR1 weighs by games
//! and the seed means weigh by seeds; the laboratory's default is seed means.

use super::distribution::student_t_critical;
use super::error::{
    StatError, require_count, require_finite, require_open_unit, require_same_length,
};
use super::interval::Interval;
use super::moments::{Moments, split_variance};
use super::sum::{ExactSum, exact_sum};
use serde::Serialize;
use std::collections::BTreeMap;

/// A mean over games with errors that respect the seeds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ClusterMean {
    /// Number of games.
    pub n: u64,
    /// Number of clusters (seeds).
    pub clusters: u64,
    /// Mean over games.
    pub mean: f64,
    /// The error if games were independent, `s / sqrt(n)`: for contrast only.
    pub se_naive: Option<f64>,
    /// Cluster error without small-sample factor, `sqrt(sum u_g^2) / n`.
    pub se_cr0: f64,
    /// `CR0 * sqrt(G / (G - 1))`; `None` for one cluster.
    pub se_cr1: Option<f64>,
    /// Degrees of freedom, `G - 1`.
    pub df: u64,
    /// t interval from `se_cr1`; `None` when that is missing or 0.
    pub interval_cr1: Option<Interval>,
    /// `(se_cr1 / se_naive)^2`: by how much the naive variance is too small.
    pub design_effect: Option<f64>,
    /// Intra-cluster correlation by one-way analysis of variance; negative when
    /// games inside a seed compensate each other (zero-sum seats).
    pub icc: Option<f64>,
    /// Mean of the cluster means: weighs by seeds.
    pub mean_of_means: f64,
    /// Standard error of the cluster means; `None` for one cluster.
    pub se_of_means: Option<f64>,
}

/// The mean of `values` where `cluster[i]` names the seed of `values[i]`.
/// `confidence` in (0, 1).
///
/// # Errors
///
/// [`StatError::LengthMismatch`], [`StatError::TooFew`] for no value,
/// [`StatError::OutOfRange`] for the confidence, [`StatError::NotFinite`] and
/// [`StatError::Overflow`] for bad values.
pub fn cluster_mean(
    values: &[f64],
    cluster: &[u64],
    confidence: f64,
) -> Result<ClusterMean, StatError> {
    require_open_unit("confidence", confidence)?;
    let total = checked_total(values, cluster.len())?;
    let groups = group_moments(values, cluster)?;
    let means: Vec<f64> = groups.iter().map(Moments::mean).collect();
    let means = Moments::of(&means)?;
    let scores = cluster_scores(values, cluster, total.mean())?;
    let n = total.count() as f64;
    let se_cr0 = sum_of_squares(&scores)?.sqrt() / n;
    let se_cr1 = small_sample_factor(scores.len()).map(|factor| se_cr0 * factor.sqrt());
    let se_naive = total.standard_error();
    let df = groups.len() as u64 - 1;
    let design_effect = se_cr1
        .zip(se_naive.filter(|&se| se > 0.0))
        .map(|(robust, naive)| (robust / naive).powi(2));
    Ok(ClusterMean {
        n: total.count(),
        clusters: groups.len() as u64,
        mean: total.mean(),
        se_naive,
        se_cr0,
        se_cr1,
        df,
        interval_cr1: t_interval(total.mean(), se_cr1, df, confidence),
        design_effect,
        icc: intra_cluster_correlation(&groups),
        mean_of_means: means.mean(),
        se_of_means: means.standard_error(),
    })
}

/// Intra-cluster correlation by one-way analysis of variance:
/// `(MSB - MSW) / (MSB + (k0 - 1) MSW)` with the mean cluster size
/// `k0 = (n - sum(n_g^2) / n) / (G - 1)` of unequal clusters. `None` for one
/// cluster, for clusters of one observation each, or without any spread.
#[must_use]
pub fn intra_cluster_correlation(groups: &[Moments]) -> Option<f64> {
    let split = split_variance(groups)?;
    let filled = groups.iter().filter(|group| group.count() > 0).count();
    if filled < 2 {
        return None;
    }
    let n = split.total.count() as f64;
    let between_freedom = (filled - 1) as f64;
    let between = split.between * n / between_freedom;
    let within = split.pooled_within?;
    let squares: f64 = groups
        .iter()
        .map(|group| (group.count() as f64).powi(2))
        .sum();
    let size = (n - squares / n) / between_freedom;
    let spread = between + (size - 1.0) * within;
    (spread > 0.0).then(|| (between - within) / spread)
}

/// A mean with errors clustered two ways.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TwoWay {
    /// Mean over observations.
    pub mean: f64,
    /// Two-way cluster error; `None` when a side has one cluster, or when the
    /// estimated variance is negative, which small designs can produce.
    pub se: Option<f64>,
    /// Number of clusters of the first kind.
    pub first_clusters: u64,
    /// Number of clusters of the second kind.
    pub second_clusters: u64,
}

/// Errors clustered by, say, seed and opponent at once:
/// `V = V_first + V_second - V_both`, each with its own `G / (G - 1)`.
///
/// # Errors
///
/// As [`cluster_mean`].
pub fn two_way(values: &[f64], first: &[u64], second: &[u64]) -> Result<TwoWay, StatError> {
    let total = checked_total(values, first.len())?;
    require_same_length(values.len(), second.len())?;
    let both: Vec<(u64, u64)> = first.iter().copied().zip(second.iter().copied()).collect();
    let (first_clusters, first) = one_way_variance(values, first, total.mean())?;
    let (second_clusters, second) = one_way_variance(values, second, total.mean())?;
    let (_, both) = one_way_variance(values, &both, total.mean())?;
    let variance = match (first, second, both) {
        (Some(first), Some(second), Some(both)) => Some(first + second - both),
        _ => None,
    };
    Ok(TwoWay {
        mean: total.mean(),
        se: variance.filter(|&v| v >= 0.0).map(f64::sqrt),
        first_clusters,
        second_clusters,
    })
}

/// A ratio of totals (fallbacks per decision, points per round).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RatioEstimate {
    /// Number of clusters (seeds).
    pub clusters: u64,
    /// Total of the numerator over total of the denominator.
    pub ratio: f64,
    /// Linearised standard error over clusters; `None` for one cluster.
    pub se: Option<f64>,
    /// Degrees of freedom, `G - 1`.
    pub df: u64,
    /// t interval; `None` when `se` is missing or 0.
    pub interval: Option<Interval>,
}

/// The ratio `r = sum A / sum B` with
/// `SE = sqrt(G / (G - 1) * sum e_g^2) / |sum B|`, `e_g = A_g - r B_g`, where
/// `A_g` and `B_g` are totals inside cluster `g` (one entry may be one game or
/// one whole seed). `confidence` in (0, 1).
///
/// # Errors
///
/// [`StatError::ZeroDenominator`] when the denominators sum to 0, otherwise as
/// [`cluster_mean`].
pub fn ratio(
    numerator: &[f64],
    denominator: &[f64],
    cluster: &[u64],
    confidence: f64,
) -> Result<RatioEstimate, StatError> {
    require_open_unit("confidence", confidence)?;
    checked_total(numerator, cluster.len())?;
    checked_total(denominator, cluster.len())?;
    let below = exact_sum(denominator.iter().copied())?;
    if below == 0.0 {
        return Err(StatError::ZeroDenominator);
    }
    let ratio = exact_sum(numerator.iter().copied())? / below;
    let residuals: Vec<f64> = numerator
        .iter()
        .zip(denominator)
        .map(|(a, b)| a - ratio * b)
        .collect();
    let scores = cluster_scores(&residuals, cluster, 0.0)?;
    let squares = sum_of_squares(&scores)?;
    let df = scores.len() as u64 - 1;
    let se =
        small_sample_factor(scores.len()).map(|factor| (factor * squares).sqrt() / below.abs());
    Ok(RatioEstimate {
        clusters: scores.len() as u64,
        ratio,
        se,
        df,
        interval: t_interval(ratio, se, df, confidence),
    })
}

/// Moments over all observations, after the checks every estimate needs.
fn checked_total(values: &[f64], labels: usize) -> Result<Moments, StatError> {
    require_same_length(values.len(), labels)?;
    require_count("a clustered estimate", 1, values.len())?;
    require_finite(values)?;
    Moments::of(values)
}

/// Moments of each cluster, in the order of the labels.
fn group_moments(values: &[f64], cluster: &[u64]) -> Result<Vec<Moments>, StatError> {
    let mut groups: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for (&value, &label) in values.iter().zip(cluster) {
        groups.entry(label).or_default().push(value);
    }
    groups.values().map(|group| Moments::of(group)).collect()
}

/// `u_g`, the sum of residuals `value - centre` inside each cluster.
fn cluster_scores<L: Ord + Copy>(
    values: &[f64],
    cluster: &[L],
    centre: f64,
) -> Result<Vec<f64>, StatError> {
    let mut sums: BTreeMap<L, ExactSum> = BTreeMap::new();
    for (&value, &label) in values.iter().zip(cluster) {
        sums.entry(label).or_default().add(value - centre);
    }
    sums.values().map(ExactSum::value).collect()
}

/// CR1 variance of the mean for one kind of cluster, with the cluster count.
fn one_way_variance<L: Ord + Copy>(
    values: &[f64],
    cluster: &[L],
    mean: f64,
) -> Result<(u64, Option<f64>), StatError> {
    let scores = cluster_scores(values, cluster, mean)?;
    let squares = sum_of_squares(&scores)?;
    let n = values.len() as f64;
    let variance = small_sample_factor(scores.len()).map(|factor| factor * squares / (n * n));
    Ok((scores.len() as u64, variance))
}

fn sum_of_squares(scores: &[f64]) -> Result<f64, StatError> {
    exact_sum(scores.iter().map(|score| score * score))
}

/// `G / (G - 1) * (n - 1) / (n - p)` with one parameter, the mean (`p = 1`).
fn small_sample_factor(clusters: usize) -> Option<f64> {
    (clusters > 1).then(|| clusters as f64 / (clusters - 1) as f64)
}

fn t_interval(centre: f64, se: Option<f64>, df: u64, confidence: f64) -> Option<Interval> {
    let se = se.filter(|&se| se > 0.0)?;
    let critical = student_t_critical(1.0 - confidence, df as f64);
    Some(Interval::around(centre, critical * se))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_cluster_has_no_robust_error() {
        let result = cluster_mean(&[1.0, 2.0, 3.0], &[7, 7, 7], 0.95).unwrap();
        assert_eq!((result.clusters, result.df), (1, 0));
        assert_eq!(
            (result.se_cr1, result.interval_cr1, result.icc),
            (None, None, None)
        );
        assert_eq!(result.se_of_means, None);
    }

    #[test]
    fn clusters_of_one_are_the_plain_mean() {
        let values = [1.0, 2.0, 4.0, 8.0];
        let result = cluster_mean(&values, &[0, 1, 2, 3], 0.95).unwrap();
        let plain = super::super::interval::mean_interval(&values, 0.95).unwrap();
        assert!((result.se_cr1.unwrap() - plain.se.unwrap()).abs() < 1e-14);
        assert!((result.design_effect.unwrap() - 1.0).abs() < 1e-14);
        assert_eq!(result.icc, None);
    }

    #[test]
    fn ratio_by_hand() {
        // r = 6/12; residual totals per seed: 1, -1, 0; G/(G-1) = 3/2.
        let result = ratio(
            &[1.0, 2.0, 1.0, 2.0],
            &[2.0, 2.0, 4.0, 4.0],
            &[0, 0, 1, 2],
            0.95,
        )
        .unwrap();
        assert_eq!((result.ratio, result.clusters, result.df), (0.5, 3, 2));
        assert!((result.se.unwrap() - 3f64.sqrt() / 12.0).abs() < 1e-15);
    }

    #[test]
    fn ratio_with_denominator_one_is_the_cluster_mean() {
        let values = [1.0, 2.0, 4.0, 8.0, 3.0];
        let seeds = [0, 0, 1, 1, 2];
        let as_ratio = ratio(&values, &[1.0; 5], &seeds, 0.95).unwrap();
        let as_mean = cluster_mean(&values, &seeds, 0.95).unwrap();
        assert!((as_ratio.se.unwrap() - as_mean.se_cr1.unwrap()).abs() < 1e-14);
    }

    #[test]
    fn bad_input_is_an_error() {
        assert!(cluster_mean(&[], &[], 0.95).is_err());
        assert!(cluster_mean(&[1.0], &[], 0.95).is_err());
        assert!(two_way(&[1.0, 2.0], &[0, 1], &[0]).is_err());
        assert_eq!(
            ratio(&[1.0, 1.0], &[1.0, -1.0], &[0, 1], 0.95),
            Err(StatError::ZeroDenominator)
        );
    }

    #[test]
    fn two_way_with_one_opponent_has_no_error() {
        let result = two_way(&[1.0, 2.0], &[0, 1], &[5, 5]).unwrap();
        assert_eq!((result.se, result.second_clusters), (None, 1));
    }
}
