//! Every golden vector of the statistics that are built, field by field.

use searchlab::statistics::Moments;
use searchlab::statistics::golden::{Outcome, built_kinds, check_row};
use serde_json::Value;
use std::collections::BTreeMap;

const ROWS: &str = include_str!("data/statistics.jsonl");

fn rows() -> impl Iterator<Item = Value> {
    ROWS.lines()
        .map(|line| serde_json::from_str(line).expect("a line is one JSON object"))
}

fn kind_of(row: &Value) -> &str {
    row["kind"].as_str().expect("a row has a kind")
}

#[test]
fn every_golden_row_passes() {
    let mut passed: BTreeMap<String, usize> = BTreeMap::new();
    let mut failures = Vec::new();
    for row in rows() {
        match check_row(&row) {
            Outcome::Pass => *passed.entry(kind_of(&row).to_owned()).or_default() += 1,
            Outcome::Fail(reason) => failures.push(format!("{}: {reason}", row["id"])),
            Outcome::Skip(reason) => assert_eq!(reason, "header"),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let counts: Vec<(&str, usize)> = passed.iter().map(|(k, &n)| (k.as_str(), n)).collect();
    assert_eq!(
        counts,
        [
            ("statistics/across_games", 1),
            ("statistics/alpha_rank", 3),
            ("statistics/bca_parts", 2),
            ("statistics/betting_wealth", 5),
            ("statistics/bootstrap", 4),
            ("statistics/cluster_se", 5),
            ("statistics/cluster_two_way", 1),
            ("statistics/confseq_betting", 2),
            ("statistics/confseq_eb", 1),
            ("statistics/dunnett", 1),
            ("statistics/effect", 1),
            ("statistics/elo", 1),
            ("statistics/exact_sum", 1),
            ("statistics/gsprt", 1),
            ("statistics/mean_t", 6),
            ("statistics/merge", 3),
            ("statistics/multiple", 4),
            ("statistics/normal_mixture", 2),
            ("statistics/openskill_pl", 2),
            ("statistics/paired", 3),
            ("statistics/plackett_luce", 4),
            ("statistics/power", 3),
            ("statistics/proportion", 5),
            ("statistics/rank_agreement", 1),
            ("statistics/sign_flip", 2),
            ("statistics/sprt_bounds", 3),
            ("statistics/sprt_llr", 9),
            ("statistics/wilcoxon", 1),
        ]
    );
}

/// A ratio has no golden row; its agreement with the cluster error and with a
/// case by hand is a unit test.
#[test]
fn every_built_kind_but_the_ratio_has_a_golden_row() {
    let without: Vec<_> = built_kinds()
        .filter(|kind| !rows().any(|row| kind_of(&row) == *kind))
        .collect();
    assert_eq!(without, ["statistics/ratio_cluster"]);
}

/// Spoils each expected number in turn: a comparison that ignored a field
/// would let one of them pass.
#[test]
fn every_expected_field_is_compared() {
    for row in rows().filter(|row| kind_of(row) != "statistics/bootstrap") {
        let Some(fields) = row["expect"].as_object() else {
            continue;
        };
        for field in fields.keys() {
            let mut spoiled = row.clone();
            spoil(&mut spoiled["expect"][field]);
            assert!(
                matches!(check_row(&spoiled), Outcome::Fail(reason) if reason.starts_with(field)),
                "{} does not compare {field}",
                row["id"]
            );
        }
    }
}

fn spoil(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(spoil),
        Value::Bool(flag) => *flag = !*flag,
        Value::Number(number) => {
            let number = number.as_f64().expect("a double");
            *value = (number * 1.01 + 1e-3).into();
        }
        _ => *value = Value::from("spoiled"),
    }
}

/// The raw groups of the merge rows, observation by observation, by both routes.
#[test]
fn merge_rows_agree_with_their_raw_groups() {
    for row in rows().filter(|row| kind_of(row) == "statistics/merge") {
        let groups: Vec<Vec<f64>> =
            serde_json::from_value(row["input"]["groups"].clone()).expect("groups");
        let mut streamed = Moments::new();
        groups.iter().flatten().for_each(|&x| streamed.push(x));
        let exact = Moments::of(&groups.concat()).expect("finite");
        for moments in [streamed, exact] {
            for (field, got) in [("mean", moments.mean()), ("m2", moments.m2())] {
                let want = row["expect"][field].as_f64().expect("a double");
                let close = (got - want).abs() <= 1e-7 * want.abs();
                assert!(close, "{}: {field} {got} {want}", row["id"]);
            }
        }
    }
}
