//! Known answers: rows of JSON against this implementation.

mod fcv;
mod held;
mod report;
mod row;
mod single_row;
mod spread;
mod uec;

use serde_json::Value;

pub use search_core::plugin::{Held, Outcome};

/// A row that fails or cannot be read.
type Checked = Result<(), String>;

/// Checks one row of a file of known answers, by its `kind`, on every model that it speaks of.
///
/// Strict where a single row can be: a stone that meets no other. Where only the distribution over
/// many shots is specified a row fails only beyond a generous bound, and [`check_all`] judges.
#[must_use]
pub fn check_row(row: &Value) -> Outcome {
    let kind = match row.get("kind").and_then(Value::as_str) {
        None => return Outcome::Fail("field `kind` is missing or not a text".to_owned()),
        Some("header") => return Outcome::Skip("a header".to_owned()),
        Some(kind) => kind,
    };
    let checked = match kind.strip_prefix("curling/") {
        Some("traj") => single_row::traj(row),
        Some("collisions") => single_row::collisions(row),
        Some("inverse") => single_row::inverse(row),
        Some("noise") => single_row::noise(row),
        Some("uec") => return uec::check_row(row),
        _ => return Outcome::Skip(format!("`{kind}` is not a kind of this game")),
    };
    match checked {
        Ok(()) => Outcome::Pass,
        Err(why) => Outcome::Fail(why),
    }
}

/// What holds over all rows of one kind together: quantiles, rates, distributions.
///
/// Rows of another kind are passed over.
#[must_use]
pub fn check_all(kind: &str, rows: &[Value]) -> Vec<Held> {
    let of_kind: Vec<&Value> = rows
        .iter()
        .filter(|row| row.get("kind").and_then(Value::as_str) == Some(kind))
        .collect();
    match kind.strip_prefix("curling/") {
        Some("traj") => report::traj(&of_kind),
        Some("collisions") => report::collisions(&of_kind),
        Some("inverse") => report::inverse(&of_kind),
        Some("noise") => spread::noise(&of_kind),
        Some("uec") => uec::check_all(rows),
        _ => Vec::new(),
    }
}
