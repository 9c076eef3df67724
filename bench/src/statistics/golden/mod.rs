//! Golden vectors: rows of values from reference libraries, checked field by
//! field.
//!
//! A row is `{kind, id, input, expect, rtol, atol}`. Every field of `expect`
//! must be computed and must agree to `atol + rtol * |expected|`; a field that
//! is not computed is a failure, not a silent pass. Kinds that the laboratory
//! does not compute are skipped by name.

mod kinds;
mod ranked;
mod streams;

use serde_json::Value;

pub use search_core::plugin::Outcome;

/// Checks one row of a file of golden vectors. Never panics: a row that is
/// malformed is a [`Outcome::Fail`].
#[must_use]
pub fn check_row(row: &Value) -> Outcome {
    let Some(kind) = row.get("kind").and_then(Value::as_str) else {
        return Outcome::Fail("row without a kind".to_owned());
    };
    if kind == "header" {
        return Outcome::Skip("header".to_owned());
    }
    let Some(evaluate) = evaluator(kind) else {
        return Outcome::Skip(format!("not part of the laboratory: {kind}"));
    };
    match check_fields(row, evaluate) {
        Ok(()) => Outcome::Pass,
        Err(reason) => Outcome::Fail(reason),
    }
}

/// The kinds that [`check_row`] can compute.
pub fn built_kinds() -> impl Iterator<Item = &'static str> {
    evaluators().map(|(kind, _)| *kind)
}

fn evaluators() -> impl Iterator<Item = &'static (&'static str, kinds::Evaluate)> {
    let parts = [kinds::EVALUATORS, streams::EVALUATORS, ranked::EVALUATORS];
    parts.into_iter().flatten()
}

/// The evaluator of a kind, if it is built.
fn evaluator(kind: &str) -> Option<kinds::Evaluate> {
    let mut known = evaluators();
    known
        .find(|(name, _)| *name == kind)
        .map(|(_, evaluate)| *evaluate)
}

fn check_fields(row: &Value, evaluate: kinds::Evaluate) -> Result<(), String> {
    let input = row.get("input").ok_or("row without input")?;
    let expect = row
        .get("expect")
        .and_then(Value::as_object)
        .filter(|fields| !fields.is_empty())
        .ok_or("row without expected fields")?;
    let tolerance = Tolerance::of(row)?;
    for results in evaluate(input)? {
        for (field, expected) in expect {
            let got = results
                .get(field)
                .ok_or_else(|| format!("{field}: expected {expected}, but it is not computed"))?;
            compare(field, expected, got, tolerance)?;
        }
    }
    Ok(())
}

#[derive(Debug, Clone, Copy)]
struct Tolerance {
    relative: f64,
    absolute: f64,
}

impl Tolerance {
    /// Missing tolerances are zero: the strictest reading.
    fn of(row: &Value) -> Result<Self, String> {
        let read = |name: &str| match row.get(name) {
            None => Ok(0.0),
            Some(value) => value
                .as_f64()
                .filter(|tolerance| *tolerance >= 0.0)
                .ok_or_else(|| format!("{name} is not a tolerance: {value}")),
        };
        Ok(Self {
            relative: read("rtol")?,
            absolute: read("atol")?,
        })
    }

    fn around(self, expected: f64) -> f64 {
        self.absolute + self.relative * expected.abs()
    }
}

/// Compares one value, descending into lists and objects.
fn compare(field: &str, expected: &Value, got: &Value, tolerance: Tolerance) -> Result<(), String> {
    match (expected, got) {
        (Value::Number(_), Value::Number(_)) => {
            let (want, have) = (number(expected)?, number(got)?);
            let allowed = tolerance.around(want);
            if (want - have).abs() <= allowed {
                return Ok(());
            }
            Err(format!(
                "{field}: expected {want:?}, got {have:?}, off by {:.3e} with tolerance {allowed:.3e}",
                (want - have).abs()
            ))
        }
        (Value::Array(want), Value::Array(have)) if want.len() == have.len() => want
            .iter()
            .zip(have)
            .enumerate()
            .try_for_each(|(index, (want, have))| {
                compare(&format!("{field}[{index}]"), want, have, tolerance)
            }),
        (Value::Object(want), Value::Object(have)) => want.iter().try_for_each(|(name, want)| {
            let have = have.get(name).ok_or_else(|| {
                format!("{field}.{name}: expected {want}, but it is not computed")
            })?;
            compare(&format!("{field}.{name}"), want, have, tolerance)
        }),
        _ if expected == got => Ok(()),
        _ => Err(format!(
            "{field}: expected {expected}, got {got}, tolerance {} + {} * |expected|",
            tolerance.absolute, tolerance.relative
        )),
    }
}

fn number(value: &Value) -> Result<f64, String> {
    value
        .as_f64()
        .ok_or_else(|| format!("not a double: {value}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn mean_row(expect: &Value) -> Value {
        json!({
            "kind": "statistics/mean_t", "id": "test",
            "input": {"x": [1.0, 2.0, 3.0, 4.0, 5.0], "confidence": 0.95},
            "expect": expect, "rtol": 1e-9, "atol": 1e-12,
        })
    }

    fn failure(row: &Value) -> String {
        match check_row(row) {
            Outcome::Fail(reason) => reason,
            other => panic!("expected a failure, got {other:?}"),
        }
    }

    #[test]
    fn a_right_row_passes() {
        let row = mean_row(&json!({"n": 5, "mean": 3.0, "var": 2.5}));
        assert_eq!(check_row(&row), Outcome::Pass);
    }

    #[test]
    fn a_wrong_value_names_field_expected_got_and_tolerance() {
        let reason = failure(&mean_row(&json!({"mean": 3.1})));
        for part in ["mean", "3.1", "3.0", "tolerance 3.101e-9"] {
            assert!(reason.contains(part), "{reason}");
        }
    }

    #[test]
    fn a_field_that_is_not_computed_fails() {
        let reason = failure(&mean_row(&json!({"mean": 3.0, "kurtosis": 1.7})));
        assert!(reason.contains("kurtosis") && reason.contains("not computed"));
    }

    #[test]
    fn lists_nulls_and_types_are_compared() {
        let reason = failure(&mean_row(&json!({"ci": [1.036_756_838_522_442_8, 5.0]})));
        assert!(reason.contains("ci[1]"), "{reason}");
        failure(&mean_row(&json!({"ci": [1.036_756_838_522_442_8]})));
        failure(&mean_row(&json!({"var": null})));
        failure(&mean_row(&json!({"var": "2.5"})));
        failure(&mean_row(&json!({"var": true})));
    }

    #[test]
    fn a_single_observation_has_null_for_every_figure_of_spread() {
        let row = json!({
            "kind": "statistics/mean_t", "input": {"x": [0.5], "confidence": 0.95},
            "expect": {"n": 1, "mean": 0.5, "var": null, "se": null, "ci": null, "t": null},
        });
        assert_eq!(check_row(&row), Outcome::Pass);
    }

    #[test]
    fn malformed_rows_fail_and_unknown_kinds_are_skipped_by_name() {
        failure(&json!({}));
        failure(&json!({"kind": "statistics/mean_t"}));
        failure(&json!({"kind": "statistics/mean_t", "input": {"x": "no"}, "expect": {"n": 1}}));
        failure(&mean_row(&json!({})));
        failure(
            &json!({"kind": "statistics/mean_t", "input": {"x": [], "confidence": 0.9}, "expect": {"n": 0}}),
        );
        let skipped = check_row(&json!({"kind": "statistics/trueskill"}));
        assert_eq!(
            skipped,
            Outcome::Skip("not part of the laboratory: statistics/trueskill".to_owned())
        );
    }
}
