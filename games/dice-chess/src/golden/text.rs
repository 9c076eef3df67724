//! Notation: what is read, refused and written (R13).

use serde_json::Value;

use super::Checked;
use super::row::{expect, position, text};
use crate::dfen::position_key;
use crate::position::Position;

pub(super) fn roundtrip(row: &Value) -> Checked {
    let written = position(row)?.to_string();
    expect("DFEN", &text(row, "expected")?, &written.as_str())
}

pub(super) fn reject(row: &Value) -> Checked {
    let dfen = text(row, "position")?;
    match dfen.parse::<Position>() {
        Err(_) => Ok(()),
        Ok(read) => Err(format!("`{dfen}` should be refused and reads as `{read}`")),
    }
}

pub(super) fn normalized(row: &Value) -> Checked {
    let key = position_key(&position(row)?);
    expect("position key", &text(row, "expected")?, &key.as_str())
}
