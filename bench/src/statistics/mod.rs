//! Statistics of paired, many-player comparisons.
//!
//! The unit of observation is the *block*: every game played on one seed.
//! `N` counts seeds, never games, because games on one deal are correlated and
//! an interval that treats them as independent is far too narrow.
//!
//! Two rules hold in every module:
//!
//! * **No panic on data.** Bad input is a [`StatError`]; input that is legal
//!   but cannot carry a figure (one seed, no spread) gives `None` and a flag,
//!   never a number that looks like certainty.
//! * **The order of the observations does not matter, to the last bit.** Sums
//!   over seeds go through [`ExactSum`], so the number of workers cannot show
//!   in a report. [`Moments::push`] and [`Moments::merge`] are the streaming
//!   exception, and say so.
//!
//! | module | idea |
//! |---|---|
//! | [`sum`] | exact, order-independent sum of floats |
//! | [`moments`] | running moments, merge, law of total variance |
//! | [`beta`] | incomplete beta function and its inverse |
//! | [`distribution`] | t, normal and noncentral t functions |
//! | [`block`] | from seat scores to the block score of a seed |
//! | [`interval`] | Student t interval of a mean of seeds |
//! | [`mod@paired`] | common random numbers: paired against unpaired |
//! | [`cluster`] | cluster-robust errors, design effect, ratio metrics |
//! | [`proportion`] | Wilson, Clopper-Pearson, Jeffreys, rule of three |
//! | [`effect`] | A12, Cliff's delta, Cohen's d, Hedges' g |
//! | [`power`] | seeds needed, smallest detectable difference |
//! | [`mod@quantile`] | sample quantiles and ranks |
//! | [`bootstrap`] | resampling of seeds: percentile and BCa |
//! | [`multiple`] | adjusted p values of a family of tests |
//! | [`permutation`] | exact sign-flip and signed-rank tests |
//! | [`agreement`] | Kendall and Spearman rank correlation |
//! | [`confidence_sequence`] | intervals that may be looked at any time: empirical Bernstein |
//! | [`betting`] | the hedged betting confidence sequence |
//! | [`normal_mixture`] | a boundary for sub-Gaussian sums at all times |
//! | [`peeking`] | what looking at an interval again and again does to its promise, simulated |
//! | [`sequential`] | Wald's bounds, GSPRT by empirical likelihood |
//! | [`pentanomial`] | the sequential test of chess engines, in Elo |
//! | [`mod@dunnett`] | many arms against one control |
//! | [`mod@across_games`] | Friedman's test and Nemenyi's critical difference |
//! | [`mod@elo`] | scores as Elo |
//! | [`mod@plackett_luce`] | strengths from orders of players |
//! | [`openskill`] | the online update of OpenSkill, for cross-checks |
//! | [`mod@alpha_rank`] | what prevails in evolution, cycles included |
//! | [`golden`] | runs the golden vectors against all of the above |

pub mod across_games;
pub mod agreement;
pub mod alpha_rank;
pub mod beta;
pub mod betting;
pub mod block;
pub mod bootstrap;
pub mod cluster;
pub mod confidence_sequence;
pub mod distribution;
pub mod dunnett;
pub mod effect;
pub mod elo;
mod error;
pub mod golden;
pub mod interval;
mod likelihood;
pub mod moments;
pub mod multiple;
pub mod normal_mixture;
pub mod openskill;
pub mod paired;
pub mod peeking;
pub mod pentanomial;
pub mod permutation;
pub mod plackett_luce;
pub mod power;
pub mod proportion;
pub mod quantile;
pub mod sequential;
pub mod sum;

pub use block::{BlockScore, Direction, block_score};
pub use cluster::{ClusterMean, RatioEstimate, TwoWay, cluster_mean, ratio, two_way};
pub use effect::{TwoSampleEffect, two_sample_effect};
pub use error::StatError;
pub use interval::{Flag, Interval, MeanInterval, mean_interval};
pub use moments::{Moments, VarianceSplit, split_variance};
pub use paired::{Paired, Unpaired, paired};
pub use power::{SeedsNeeded, seeds_needed, smallest_detectable_difference};
pub use proportion::Proportion;
pub use quantile::{p50, p99, quantile};
pub use sum::{ExactSum, exact_sum};
