//! One evaluator per kind of golden row: from the row's input to every field
//! its `expect` may hold.

use super::super::agreement::rank_agreement;
use super::super::bootstrap::{bca, percentile_interval, replicates};
use super::super::cluster::{cluster_mean, ratio, two_way};
use super::super::effect::two_sample_effect;
use super::super::error::StatError;
use super::super::interval::{Interval, MeanInterval, interval_of_moments, mean_interval};
use super::super::moments::{Moments, split_variance};
use super::super::multiple::{Adjustment, adjust};
use super::super::paired::paired;
use super::super::permutation::{sign_flip, signed_rank};
use super::super::power::seeds_needed;
use super::super::proportion::Proportion;
use super::super::quantile::p50;
use super::super::sum::exact_sum;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// From a row's input to its computed fields. Where the laboratory has several
/// routes to a figure the list holds one object per route, and all must agree
/// with the row.
pub(super) type Evaluate = fn(&Value) -> Result<Vec<Value>, String>;

/// Every kind of fixed samples that can be computed; those of streams and rankings are in
/// [`ranked`](super::ranked) and [`streams`](super::streams).
pub(super) const EVALUATORS: &[(&str, Evaluate)] = &[
    ("statistics/bca_parts", bca_parts),
    ("statistics/bootstrap", bootstrap),
    ("statistics/cluster_se", cluster_se),
    ("statistics/cluster_two_way", cluster_two_way),
    ("statistics/effect", effect),
    ("statistics/exact_sum", exact_sums),
    ("statistics/mean_t", mean_t),
    ("statistics/merge", merge),
    ("statistics/multiple", multiple),
    ("statistics/paired", paired_difference),
    ("statistics/power", power),
    ("statistics/proportion", proportion),
    ("statistics/rank_agreement", agreement),
    ("statistics/ratio_cluster", ratio_cluster),
    ("statistics/sign_flip", flips),
    ("statistics/wilcoxon", wilcoxon),
];

pub(super) fn read<T: DeserializeOwned>(input: &Value) -> Result<T, String> {
    T::deserialize(input).map_err(|error| format!("input: {error}"))
}

/// Turns the typed error of a statistic into the reason of a failure.
#[allow(clippy::needless_pass_by_value)] // the shape that `map_err` wants
pub(super) fn reject(error: StatError) -> String {
    format!("input: {error}")
}

fn ends(interval: Option<Interval>) -> Value {
    interval.map_or(Value::Null, |interval| json!([interval.low, interval.high]))
}

fn usual_confidence() -> f64 {
    0.95
}

#[derive(Deserialize)]
struct Sample {
    x: Vec<f64>,
    #[serde(default = "usual_confidence")]
    confidence: f64,
}

fn mean_t(input: &Value) -> Result<Vec<Value>, String> {
    let Sample { x, confidence } = read(input)?;
    let mut streamed = Moments::new();
    x.iter().for_each(|&value| streamed.push(value));
    let fields = |result: MeanInterval| {
        json!({
            "n": result.n, "mean": result.mean, "var": result.variance, "sd": result.sd,
            "se": result.se, "df": result.df, "tcrit": result.t_critical,
            "ci": ends(result.interval), "t": result.t, "p_two_sided": result.p_two_sided,
            "flag": result.flag,
        })
    };
    let exact = mean_interval(&x, confidence).map_err(reject)?;
    let running = interval_of_moments(&streamed, confidence).map_err(reject)?;
    Ok(vec![fields(exact), fields(running)])
}

#[derive(Deserialize)]
struct Part {
    n: u64,
    mean: f64,
    m2: f64,
}

#[derive(Deserialize)]
struct Merge {
    parts: Vec<Part>,
}

/// Merges the given parts. Not the raw groups beside them: at an offset of 1e8
/// the reference's variance between groups is that of its own rounded means,
/// further from the exact value than the row's tolerance.
fn merge(input: &Value) -> Result<Vec<Value>, String> {
    let Merge { parts } = read(input)?;
    let parts: Result<Vec<_>, _> = parts
        .iter()
        .map(|part| Moments::from_parts(part.n, part.mean, part.m2))
        .collect();
    let split = split_variance(&parts.map_err(reject)?).ok_or("no observation in any group")?;
    Ok(vec![json!({
        "n": split.total.count(), "mean": split.total.mean(), "m2": split.total.m2(),
        "var_pop": split.total.population_variance(), "var_sample": split.total.variance(),
        "within_pop": split.within, "between_pop": split.between,
        "pooled_within_sample_var": split.pooled_within,
    })])
}

fn exact_sums(input: &Value) -> Result<Vec<Value>, String> {
    let Sample { x, .. } = read(input)?;
    let mut sorted = x.clone();
    sorted.sort_by(f64::total_cmp);
    let sum = exact_sum(x).map_err(reject)?;
    let of_sorted = exact_sum(sorted).map_err(reject)?;
    Ok(vec![json!({
        "fsum": sum, "fsum_hex": hex(sum), "fsum_sorted_hex": hex(of_sorted),
    })])
}

/// A double in the hexadecimal notation of C and Python.
fn hex(value: f64) -> String {
    let bits = value.to_bits();
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let (exponent, fraction) = ((bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
    match (exponent, fraction) {
        (0, 0) => format!("{sign}0x0.0p+0"),
        (0, _) => format!("{sign}0x0.{fraction:013x}p-1022"),
        _ => format!("{sign}0x1.{fraction:013x}p{:+}", exponent as i64 - 1023),
    }
}

#[derive(Deserialize)]
struct TwoColumns {
    a: Vec<f64>,
    b: Vec<f64>,
}

fn paired_difference(input: &Value) -> Result<Vec<Value>, String> {
    let TwoColumns { a, b } = read(input)?;
    let result = paired(&a, &b, 0.95).map_err(reject)?;
    let difference = result.difference;
    Ok(vec![json!({
        "n": difference.n, "mean_diff": difference.mean, "se_paired": difference.se,
        "ci95_paired": ends(difference.interval), "t": difference.t,
        "p": difference.p_two_sided, "cov": result.covariance, "corr": result.correlation,
        "se_unpaired": result.unpaired.map(|unpaired| unpaired.se),
        "welch_df": result.unpaired.and_then(|unpaired| unpaired.df),
        "ci95_unpaired": ends(result.unpaired.and_then(|unpaired| unpaired.interval)),
        "crn_factor": result.crn_factor, "seeds_saved_fraction": result.seeds_saved,
        "cohen_dz": result.d_z,
    })])
}

#[derive(Deserialize)]
struct Clustered {
    y: Vec<f64>,
    seed: Vec<u64>,
}

fn cluster_se(input: &Value) -> Result<Vec<Value>, String> {
    let Clustered { y, seed } = read(input)?;
    let result = cluster_mean(&y, &seed, 0.95).map_err(reject)?;
    Ok(vec![json!({
        "n": result.n, "clusters": result.clusters, "mean": result.mean,
        "se_naive_iid": result.se_naive, "se_cluster_CR0": result.se_cr0,
        "se_cluster_CR1": result.se_cr1, "df": result.df,
        "ci95_CR1": ends(result.interval_cr1), "design_effect": result.design_effect,
        "icc_anova": result.icc, "mean_of_seed_means": result.mean_of_means,
        "se_of_seed_means": result.se_of_means,
    })])
}

#[derive(Deserialize)]
struct TwoWayRow {
    y: Vec<f64>,
    seed: Vec<u64>,
    opponent: Vec<u64>,
}

fn cluster_two_way(input: &Value) -> Result<Vec<Value>, String> {
    let TwoWayRow { y, seed, opponent } = read(input)?;
    let result = two_way(&y, &seed, &opponent).map_err(reject)?;
    Ok(vec![json!({"mean": result.mean, "se": result.se})])
}

#[derive(Deserialize)]
struct RatioRow {
    #[serde(alias = "a", alias = "A")]
    numerator: Vec<f64>,
    #[serde(alias = "b", alias = "B")]
    denominator: Vec<f64>,
    /// Without it each entry is the total of one seed.
    seed: Option<Vec<u64>>,
}

fn ratio_cluster(input: &Value) -> Result<Vec<Value>, String> {
    let row: RatioRow = read(input)?;
    let seed = row
        .seed
        .unwrap_or_else(|| (0..row.numerator.len() as u64).collect());
    let result = ratio(&row.numerator, &row.denominator, &seed, 0.95).map_err(reject)?;
    Ok(vec![json!({
        "clusters": result.clusters, "ratio": result.ratio, "se": result.se,
        "df": result.df, "ci95": ends(result.interval),
    })])
}

#[derive(Deserialize)]
struct Count {
    k: u64,
    n: u64,
}

fn proportion(input: &Value) -> Result<Vec<Value>, String> {
    let Count { k, n } = read(input)?;
    let rate = Proportion::new(k, n).map_err(reject)?;
    Ok(vec![json!({
        "rate": rate.rate(),
        "ci95_wilson": ends(Some(rate.wilson(0.95).map_err(reject)?)),
        "ci95_clopper_pearson": ends(Some(rate.clopper_pearson(0.95).map_err(reject)?)),
        "ci95_jeffreys": ends(Some(rate.jeffreys(0.95).map_err(reject)?)),
        "upper95_one_sided_exact": rate.upper_bound(0.95).map_err(reject)?,
        "rule_of_three": rate.rule_of_three(),
    })])
}

fn effect(input: &Value) -> Result<Vec<Value>, String> {
    let TwoColumns { a, b } = read(input)?;
    let result = two_sample_effect(&a, &b).map_err(reject)?;
    Ok(vec![json!({
        "U": result.u, "vargha_delaney_A": result.a12, "cliffs_delta": result.cliffs_delta,
        "cohen_d": result.cohen_d, "hedges_g_exact": result.hedges_g,
        "hedges_J": result.hedges_j,
    })])
}

#[derive(Deserialize)]
struct Plan {
    dz: f64,
    alpha: f64,
    power: f64,
}

fn power(input: &Value) -> Result<Vec<Value>, String> {
    let plan: Plan = read(input)?;
    let needed = seeds_needed(plan.dz, plan.alpha, plan.power).map_err(reject)?;
    Ok(vec![
        json!({"seeds_needed": needed.exact, "ceil": needed.seeds}),
    ])
}

#[derive(Deserialize)]
struct Family {
    p: Vec<f64>,
    alpha: f64,
}

fn multiple(input: &Value) -> Result<Vec<Value>, String> {
    let Family { p, alpha } = read(input)?;
    let mut fields = Map::new();
    for (name, method) in [
        ("bonferroni", Adjustment::Bonferroni),
        ("holm", Adjustment::Holm),
        ("holm_sidak", Adjustment::HolmSidak),
        ("hochberg", Adjustment::Hochberg),
        ("bh", Adjustment::BenjaminiHochberg),
    ] {
        let adjusted = adjust(&p, method).map_err(reject)?;
        let rejected: Vec<bool> = adjusted.iter().map(|&p| p <= alpha).collect();
        fields.insert(format!("adj_{name}"), json!(adjusted));
        fields.insert(format!("reject_{name}"), json!(rejected));
    }
    Ok(vec![Value::Object(fields)])
}

#[derive(Deserialize)]
struct Differences {
    d: Vec<f64>,
}

fn flips(input: &Value) -> Result<Vec<Value>, String> {
    let Differences { d } = read(input)?;
    let result = sign_flip(&d).map_err(reject)?;
    Ok(vec![json!({
        "mean": result.mean, "p_two_sided": result.p_two_sided,
        "p_greater": result.p_greater, "arrangements": result.arrangements,
    })])
}

fn wilcoxon(input: &Value) -> Result<Vec<Value>, String> {
    let Differences { d } = read(input)?;
    let result = signed_rank(&d).map_err(reject)?;
    Ok(vec![json!({"w": result.w, "p": result.p_two_sided})])
}

fn agreement(input: &Value) -> Result<Vec<Value>, String> {
    let TwoColumns { a, b } = read(input)?;
    let result = rank_agreement(&a, &b).map_err(reject)?;
    Ok(vec![json!({
        "kendall_tau_b": result.kendall_tau_b, "spearman": result.spearman,
    })])
}

fn plain_mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[derive(Deserialize)]
struct Replicated {
    x: Vec<f64>,
    boot_means: Vec<f64>,
    confidence: f64,
}

fn bca_parts(input: &Value) -> Result<Vec<Value>, String> {
    let mut row: Replicated = read(input)?;
    row.boot_means.sort_by(f64::total_cmp);
    let parts = bca(&row.x, &row.boot_means, row.confidence, plain_mean).map_err(reject)?;
    let parts = parts.ok_or("BCa is undefined on these replicates")?;
    let percentile = percentile_interval(&row.boot_means, row.confidence).map_err(reject)?;
    Ok(vec![json!({
        "theta": parts.estimate, "z0": parts.z0, "acceleration": parts.acceleration,
        "alpha_adj": parts.probabilities, "ci_linear_quantile": ends(Some(parts.interval)),
        "ci_percentile": ends(Some(percentile)),
    })])
}

#[derive(Deserialize)]
struct Bootstrapped {
    x: Vec<f64>,
    statistic: String,
    #[serde(rename = "B")]
    resamples: usize,
}

/// Monte-Carlo rows: the draws are ours, the row's tolerance allows for that.
fn bootstrap(input: &Value) -> Result<Vec<Value>, String> {
    let row: Bootstrapped = read(input)?;
    let statistic: fn(&[f64]) -> f64 = match row.statistic.as_str() {
        "mean" => plain_mean,
        "median" => |values| p50(values).unwrap_or(f64::NAN),
        other => return Err(format!("statistic {other} is not built")),
    };
    let drawn = replicates(&row.x, row.resamples, 1, statistic).map_err(reject)?;
    let estimate = statistic(&row.x);
    let percentile = percentile_interval(&drawn, 0.95).map_err(reject)?;
    let basic = [
        2.0 * estimate - percentile.high,
        2.0 * estimate - percentile.low,
    ];
    let corrected = bca(&row.x, &drawn, 0.95, statistic).map_err(reject)?;
    let spread = Moments::of(&drawn).map_err(reject)?;
    Ok(vec![json!({
        "ci95_percentile": ends(Some(percentile)), "ci95_basic": basic,
        "ci95_bca": ends(corrected.map(|parts| parts.interval)),
        "se_boot": spread.standard_deviation(),
    })])
}
