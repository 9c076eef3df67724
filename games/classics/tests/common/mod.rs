//! Reads the files of known answers.

use serde_json::Value;

/// The rows of a JSON-lines file, without its header.
pub(crate) fn rows(text: &str) -> Vec<Value> {
    let rows: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .filter(|row: &Value| row["kind"] != "header")
        .collect();
    assert!(!rows.is_empty(), "no rows");
    rows
}

/// A number that must be there.
#[allow(dead_code)]
pub(crate) fn number(row: &Value, key: &str) -> f64 {
    row[key]
        .as_f64()
        .unwrap_or_else(|| panic!("no {key} in {row}"))
}

/// A whole number that must be there.
#[allow(dead_code)]
pub(crate) fn whole(row: &Value, key: &str) -> i64 {
    row[key]
        .as_i64()
        .unwrap_or_else(|| panic!("no {key} in {row}"))
}
