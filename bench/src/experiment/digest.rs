//! A hash of a report that is the same for any number of threads and on any machine.

use serde_json::Value;

/// Fields that depend on the machine or on the moment, at any depth.
const TIMES: &[&str] = &["seconds_per_decision", "elapsed_seconds", "digest"];

/// The BLAKE3 hash of a report without its times, in hexadecimal.
///
/// What is hashed is canonical: keys in order, no spaces, every number that is not whole with 12
/// significant digits, so that the last bit of a logarithm does not decide.
#[must_use]
pub fn digest(report: &Value) -> String {
    let mut text = String::new();
    write(report, &mut text);
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() => {
                // Negative zero is zero.
                out.push_str(&format!("{:.11e}", float + 0.0));
            }
            _ => out.push_str(&number.to_string()),
        },
        Value::Array(items) => {
            out.push('[');
            for item in items {
                write(item, out);
                out.push(',');
            }
            out.push(']');
        }
        Value::Object(map) => {
            let mut keys: Vec<&String> = map.keys().collect();
            keys.retain(|key| !TIMES.contains(&key.as_str()));
            keys.sort();
            out.push('{');
            for key in keys {
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                write(&map[key], out);
                out.push(',');
            }
            out.push('}');
        }
        Value::Null | Value::Bool(_) | Value::String(_) => out.push_str(&value.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn times_do_not_count_and_the_rest_does() {
        let report = |mean: f64, p50: f64| json!({"a": {"mean": mean, "seconds_per_decision": {"p50": p50}}});
        assert_eq!(digest(&report(0.5, 1.0)), digest(&report(0.5, 2.0)));
        assert_ne!(digest(&report(0.5, 1.0)), digest(&report(0.25, 1.0)));
        assert_eq!(
            digest(&json!({"x": 1, "y": 2})),
            digest(&json!({"y": 2, "x": 1}))
        );
        assert_eq!(digest(&json!({"x": 0.1 + 0.2})), digest(&json!({"x": 0.3})));
    }
}
