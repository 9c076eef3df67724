//! `bench`: what it reports, not how fast.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::lab;

/// Every key with the path that leads to it, elements of a list taken together.
fn keys(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let path = format!("{path}.{key}");
                found.insert(path.clone());
                keys(value, &path, found);
            }
        }
        Value::Array(items) => {
            for item in items {
                keys(item, &format!("{path}[]"), found);
            }
        }
        _ => {}
    }
}

const KEYS: &str = "
.playouts .playouts[].game .playouts[].playouts_per_second
.playouts[].redeals_and_playouts_per_second .playouts[].turns
.quick
.searchers .searchers[].agent .searchers[].decision_ms .searchers[].edges .searchers[].game
.searchers[].simulations .searchers[].simulations_per_second
.threads .threads[].agent .threads[].game .threads[].processor_ratio .threads[].processor_seconds
.threads[].same_result .threads[].simulations .threads[].speed_up .threads[].threads
.threads[].wall_seconds
.trees .trees[].bytes_per_edge .trees[].checksum .trees[].drop_ms .trees[].edges
.trees[].edges_per_second .trees[].heap_peak .trees[].heap_per_edge .trees[].same_tree
.trees[].search .trees[].simulations .trees[].simulations_per_second .trees[].storage
";

/// Scripts read these: a key that goes or changes its name breaks them.
#[test]
fn the_keys_of_the_whole_report_are_these() {
    let ran = lab(&["bench", "all", "--quick", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let report = ran.json();
    let mut found = BTreeSet::new();
    keys(&report, "", &mut found);
    let expected: BTreeSet<String> = KEYS.split_whitespace().map(String::from).collect();
    assert_eq!(found, expected);
    for row in report["trees"].as_array().unwrap() {
        assert_eq!(row["same_tree"], true, "{row}");
        assert!(row["edges"].as_u64() > row["simulations"].as_u64().map(|n| n / 2));
    }
    for row in report["threads"].as_array().unwrap() {
        assert_eq!(row["same_result"], true, "{row}");
    }
    // Every storage of both searches, and both numbers of threads of six.
    assert_eq!(report["trees"].as_array().unwrap().len(), 8);
    assert_eq!(report["threads"].as_array().unwrap().len(), 12);
}

#[test]
fn a_part_and_a_name_select_rows() {
    let report = lab(&[
        "bench",
        "trees",
        "--quick",
        "--only",
        "lexio/boxed",
        "--json",
    ])
    .json();
    let rows = report["trees"].as_array().unwrap();
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["storage"], "boxed");
    assert!(report.get("threads").is_none());
    // This process has another allocator.
    assert!(rows[0]["heap_per_edge"].is_null());
    let text = lab(&["bench", "playouts", "--quick"]).out;
    assert!(text.contains("tricks"), "{text}");
    assert_eq!(lab(&["bench", "tress"]).code, 2);
}
