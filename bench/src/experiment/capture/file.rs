//! Captured positions on disk: one JSON object a file, complete enough to be stood in again.

use std::fs;
use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::continuation::Cost;
use super::standing::Script;
use super::{Chosen, Step};
use crate::error::{Error, Result};

/// The version of the format.
pub const SCHEMA: u32 = 1;

/// The `kind` of the file of a position.
pub const KIND: &str = "position";

/// A position in which two agents differed, with everything that led to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Captured {
    /// Always `position`.
    pub kind: String,
    /// The version of the format.
    pub schema: u32,
    /// The version of the program.
    pub version: String,
    /// The game as an expression.
    pub game: String,
    /// Every option of the game.
    pub options: Value,
    /// The seed of the match.
    pub seed: u64,
    /// Who played this seat.
    pub a: String,
    /// Who decided there too.
    pub b: String,
    /// Who played the other seats.
    pub others: String,
    /// The round, from 0.
    pub round: u32,
    /// The seat, from 0.
    pub seat: usize,
    /// Turns of the round before the position, chance events included.
    pub ply: u32,
    /// Decisions of this seat in the round before it.
    pub ordinal: u64,
    /// What this seat saw, where the game has a notation for it.
    pub observation: Option<String>,
    /// The fingerprint of the state.
    pub seen: String,
    /// What a played.
    pub a_chose: Chosen,
    /// What b would have played.
    pub b_chose: Chosen,
    /// What the round brought this seat.
    pub round_return: f64,
    /// What a's choice cost against b's, where it was computed.
    pub cost: Option<Cost>,
    /// The action that `replay --check` asks for; yours to fill in.
    pub want: Option<String>,
    /// The action that `replay --check` will not have; yours to fill in.
    pub avoid: Option<String>,
    /// Every turn of the match before the position.
    pub steps: Vec<Step>,
}

impl Captured {
    /// The seed and the turns.
    #[must_use]
    pub fn script(&self) -> Script<'_> {
        Script {
            seed: self.seed,
            steps: &self.steps,
        }
    }

    /// The name of its file, `rank` from 1: `001-seed17-round0-seat2-ply21.json`.
    #[must_use]
    pub fn file_name(&self, rank: usize) -> String {
        format!(
            "{rank:03}-seed{}-round{}-seat{}-ply{}.json",
            self.seed, self.round, self.seat, self.ply
        )
    }

    /// Reads one from its text.
    ///
    /// # Errors
    /// When it is not the file of a position, or of another version of the format.
    pub fn parse(text: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text).map_err(|e| format!("not JSON: {e}"))?;
        let kind = value.get("kind").and_then(Value::as_str);
        if kind != Some(KIND) {
            let found = kind.map_or("it has no `kind`".into(), |k| format!("its kind is `{k}`"));
            return Err(format!("not a captured position: {found}, not `{KIND}`"));
        }
        check_schema(&value, SCHEMA)?;
        serde_json::from_value(value).map_err(|e| format!("not a captured position: {e}"))
    }
}

/// Refuses another version of the format, before anything else is said about the file.
pub(crate) fn check_schema(value: &Value, expected: u32) -> Result<(), String> {
    match value.get("schema").and_then(Value::as_u64) {
        Some(found) if found == u64::from(expected) => Ok(()),
        Some(found) => Err(format!(
            "its format is version {found}, and this program reads version {expected}: it was written by \
             another version of the program"
        )),
        None => Err("it has no `schema`, the version of its format".into()),
    }
}

/// The folder of a capture, made now or empty: files of an earlier run are never mixed in or overwritten.
///
/// # Errors
/// When it is neither.
pub fn fresh_folder(path: &Path) -> Result<()> {
    let shown = path.display();
    fs::create_dir_all(path).map_err(|e| Error::file(format!("making the folder {shown}"), e))?;
    let mut entries =
        fs::read_dir(path).map_err(|e| Error::file(format!("reading the folder {shown}"), e))?;
    match entries.next() {
        None => Ok(()),
        Some(_) => Err(Error::input(format!(
            "the folder {shown} is not empty; choose another, nothing is overwritten"
        ))),
    }
}

/// Writes a new file of readable JSON.
///
/// # Errors
/// When it exists or cannot be written.
pub fn write_new(path: &Path, value: &impl Serialize) -> Result<()> {
    let failed = |e| Error::file(format!("writing {}", path.display()), e);
    let mut text = serde_json::to_string_pretty(value).map_err(|e| failed(e.into()))?;
    text.push('\n');
    let mut file = fs::File::create_new(path).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)
}
