//! Known answers: rows of JSON against this implementation.

mod row;
mod uec;

use serde_json::Value;

pub use search_core::plugin::{Held, Outcome};

/// Checks one row of a file of known answers, by its `kind`.
#[must_use]
pub fn check_row(row: &Value) -> Outcome {
    match row.get("kind").and_then(Value::as_str) {
        None => Outcome::Fail("field `kind` is missing or not a text".to_owned()),
        Some("header") => Outcome::Skip("a header".to_owned()),
        Some("curling/uec") => uec::check_row(row),
        Some(kind) => Outcome::Skip(format!("`{kind}` is not a kind of this game")),
    }
}

/// What holds over all rows of one kind together: quantiles, rates, distributions.
#[must_use]
pub fn check_all(kind: &str, rows: &[Value]) -> Vec<Held> {
    match kind {
        "curling/uec" => uec::check_all(rows),
        _ => Vec::new(),
    }
}
