//! Results on disk: an append-only log of completed seed blocks, one line of JSON each.
//!
//! The first line says what is compared. A block is written with one call, flushed and synced, so
//! that whatever stops the process loses at most the blocks that were being played. On opening, a
//! last line without its end is cut off; anything else that is not a block is an error that names
//! the line, and nothing is overwritten. A summary is always recomputed from the blocks.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{Error, Result};
use crate::experiment::block::Block;
use crate::experiment::schedule::Schedule;
use crate::experiment::summary::Comparison;
use crate::lines::{self, Lines};

/// The version of the format.
pub const SCHEMA: u32 = 1;

/// What a log is about: two logs with the same header can be put together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Always `header`.
    pub kind: String,
    /// The version of the format.
    pub schema: u32,
    /// The version of the program.
    pub version: String,
    /// The game's name.
    pub game: String,
    /// Every option of the game.
    pub options: Value,
    /// The candidate.
    pub a: String,
    /// The other.
    pub b: String,
    /// Who sits where.
    pub design: String,
    /// How seeds become deals, chance events and decisions.
    pub seeding: String,
    /// The level of the intervals, declared beforehand.
    pub level: f64,
    /// Names of the metrics, in the order of the blocks' columns.
    pub metrics: Vec<String>,
}

impl Header {
    /// The header for a comparison.
    #[must_use]
    pub fn new(comparison: &Comparison) -> Self {
        let name = comparison.game.split('(').next().unwrap_or_default();
        Self {
            kind: "header".into(),
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION").into(),
            game: name.into(),
            options: comparison.options.clone(),
            a: comparison.a.clone(),
            b: comparison.b.clone(),
            design: comparison.schedule.in_words(),
            seeding: "deal/round, chance/round/ordinal, decision/round/seat/ordinal".into(),
            level: comparison.level,
            metrics: comparison.metrics.clone(),
        }
    }

    /// What differs, `a is easy there and hard here`.
    fn differences(&self, other: &Value) -> Vec<String> {
        let mine = serde_json::to_value(self).unwrap_or_default();
        let mut fields: Vec<&String> = mine
            .as_object()
            .into_iter()
            .flat_map(|m| m.keys())
            .collect();
        fields.retain(|key| other.get(key.as_str()) != mine.get(key.as_str()));
        let text = |v: Option<&Value>| v.map_or("missing".into(), ToString::to_string);
        fields
            .iter()
            .map(|key| {
                format!(
                    "{key} is {} there and {} here",
                    text(other.get(key.as_str())),
                    mine[*key]
                )
            })
            .collect()
    }
}

/// A log that is open for appending.
#[derive(Debug)]
pub struct Store(Lines);

/// A log and what was in it.
#[derive(Debug)]
pub struct Opened {
    /// The log.
    pub store: Store,
    /// The blocks in it, by seed.
    pub blocks: BTreeMap<u64, Block>,
    /// Bytes of an unfinished last line that were cut off.
    pub dropped: u64,
}

impl Store {
    /// Opens a log, or begins one.
    ///
    /// # Errors
    /// When the file cannot be used, is written by another process, has another header, or a line
    /// that is not a block.
    pub fn open(path: &Path, header: &Header, schedule: &Schedule) -> Result<Opened> {
        let lines::Opened {
            mut lines,
            bytes,
            whole,
        } = Lines::open(path)?;
        let mut head = serde_json::to_string(header).unwrap_or_default();
        head.push('\n');
        if whole == 0 && !head.as_bytes().starts_with(&bytes) {
            return Err(Error::input(format!(
                "{} is not a result log; choose another --out",
                path.display()
            )));
        }
        let blocks = read_blocks(&bytes[..whole], path, header, schedule)?;
        let dropped = (bytes.len() - whole) as u64;
        if dropped > 0 {
            lines.cut()?;
        }
        if whole == 0 {
            lines.write(&head)?;
        }
        Ok(Opened {
            store: Self(lines),
            blocks,
            dropped,
        })
    }

    /// Adds a block and waits until it is on the disk.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn append(&mut self, block: &Block) -> Result<()> {
        let record = serde_json::to_value(block).unwrap_or_default();
        let mut line = serde_json::json!({"kind": "block"});
        if let (Some(line), Value::Object(fields)) = (line.as_object_mut(), record) {
            line.extend(fields);
        }
        self.0.write(&format!("{line}\n"))
    }
}

fn read_blocks(
    bytes: &[u8],
    path: &Path,
    header: &Header,
    schedule: &Schedule,
) -> Result<BTreeMap<u64, Block>> {
    let mut blocks = BTreeMap::new();
    for (index, line) in bytes.split(|b| *b == b'\n').enumerate() {
        let at = format!("{}:{}", path.display(), index + 1);
        let bad = |what: String| Error::input(format!("{at}: {what}"));
        if line.is_empty() && (index > 0 || bytes.is_empty()) {
            continue;
        }
        let row: Value = serde_json::from_slice(line).map_err(|e| {
            bad(format!("not a line of a result log ({e}); repair or remove the line, or choose another --out"))
        })?;
        if row.get("kind").and_then(Value::as_str) == Some("header") {
            same_header(header, &row).map_err(bad)?;
            continue;
        }
        if index == 0 {
            return Err(bad(
                "not the header of a result log; choose another --out".into()
            ));
        }
        let block = read_block(row, schedule, header.metrics.len()).map_err(bad)?;
        let seed = block.seed;
        if blocks.insert(seed, block).is_some() {
            return Err(bad(format!(
                "a second block of seed {seed}; remove one of them, or choose another --out"
            )));
        }
    }
    Ok(blocks)
}

fn same_header(header: &Header, row: &Value) -> Result<(), String> {
    let differences = header.differences(row);
    if differences.is_empty() {
        return Ok(());
    }
    Err(format!(
        "the log is about something else: {}; choose another --out",
        differences.join("; ")
    ))
}

fn read_block(mut row: Value, schedule: &Schedule, metrics: usize) -> Result<Block, String> {
    let kind = row.as_object_mut().and_then(|fields| fields.remove("kind"));
    if kind != Some(Value::from("block")) {
        return Err("neither a block nor a header; repair or remove the line".into());
    }
    let block: Block = serde_json::from_value(row)
        .map_err(|e| format!("not a block: {e}; repair or remove the line"))?;
    block.validate(schedule, metrics)?;
    Ok(block)
}
