//! Reading the fields of a row.

use serde_json::Value;

use crate::dfen::parse_dice;
use crate::dice::Pool;
use crate::position::Position;

pub(super) fn field<'a>(row: &'a Value, name: &str) -> Result<&'a Value, String> {
    row.get(name)
        .ok_or_else(|| format!("field `{name}` is missing"))
}

pub(super) fn text<'a>(row: &'a Value, name: &str) -> Result<&'a str, String> {
    let value = field(row, name)?.as_str();
    value.ok_or_else(|| format!("field `{name}` is not a text"))
}

pub(super) fn integer(row: &Value, name: &str) -> Result<u64, String> {
    let value = field(row, name)?.as_u64();
    value.ok_or_else(|| format!("field `{name}` is not a whole number"))
}

pub(super) fn number(row: &Value, name: &str) -> Result<f64, String> {
    let value = field(row, name)?.as_f64();
    value.ok_or_else(|| format!("field `{name}` is not a number"))
}

pub(super) fn list<'a>(row: &'a Value, name: &str) -> Result<&'a Vec<Value>, String> {
    let value = field(row, name)?.as_array();
    value.ok_or_else(|| format!("field `{name}` is not a list"))
}

pub(super) fn texts(row: &Value, name: &str) -> Result<Vec<String>, String> {
    let items = list(row, name)?.iter();
    let texts: Option<_> = items.map(|v| v.as_str().map(str::to_owned)).collect();
    texts.ok_or_else(|| format!("field `{name}` holds something that is not a text"))
}

pub(super) fn position(row: &Value) -> Result<Position, String> {
    let dfen = text(row, "position")?;
    dfen.parse().map_err(|e| format!("`{dfen}`: {e}"))
}

pub(super) fn dice(row: &Value) -> Result<Pool, String> {
    pool(text(row, "dice")?)
}

pub(super) fn pool(letters: &str) -> Result<Pool, String> {
    parse_dice(letters).map_err(|e| e.to_string())
}

pub(super) fn expect<T: PartialEq + std::fmt::Debug>(
    what: &str,
    expected: &T,
    got: &T,
) -> Result<(), String> {
    if expected == got {
        Ok(())
    } else {
        Err(format!("{what}: expected {expected:?}, got {got:?}"))
    }
}

pub(super) fn near(what: &str, expected: f64, got: f64, tolerance: f64) -> Result<(), String> {
    if (expected - got).abs() <= tolerance {
        Ok(())
    } else {
        Err(format!(
            "{what}: expected {expected} within {tolerance:e}, got {got}"
        ))
    }
}
