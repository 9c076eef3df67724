//! The log of a study: every block that was played, and every use of the held-out seeds.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{Error, Result};
use crate::experiment::block::Block;
use crate::experiment::seeds::SeedRange;
use crate::lines::{self, Lines};

/// The version of the format.
const SCHEMA: u32 = 1;

/// Who played whom at what: the blocks of one such pairing belong together.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pairing {
    /// The game with every option.
    pub game: String,
    /// The agent of the study.
    pub agent: String,
    /// Its opponent.
    pub against: String,
}

/// One use of the held-out seeds, written before they are played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeldOutUse {
    /// The seeds.
    pub seeds: String,
    /// The games.
    pub games: Vec<String>,
    /// The agent that was chosen on the tuning seeds.
    pub agent: String,
    /// What it is held against.
    pub base: String,
    /// The opponent of both.
    pub against: String,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    schema: u32,
    version: String,
    tuning: String,
    held_out: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Played {
    pairing: Pairing,
    block: Block,
}

/// A line of the file: what it is, and the rest.
enum Row {
    Study(Head),
    Block(Played),
    HeldOut(HeldOutUse),
}

impl Row {
    fn line(&self) -> String {
        let (kind, fields) = match self {
            Self::Study(head) => ("study", serde_json::to_value(head)),
            Self::Block(played) => ("block", serde_json::to_value(played)),
            Self::HeldOut(used) => ("held_out", serde_json::to_value(used)),
        };
        let mut line = serde_json::json!({"kind": kind});
        if let (Some(line), Ok(Value::Object(fields))) = (line.as_object_mut(), fields) {
            line.extend(fields);
        }
        format!("{line}\n")
    }

    fn read(text: &[u8]) -> Result<Self, String> {
        let mut row: Value = serde_json::from_slice(text).map_err(|e| e.to_string())?;
        let kind = row.as_object_mut().and_then(|fields| fields.remove("kind"));
        let kind = kind.as_ref().and_then(Value::as_str).unwrap_or_default();
        let read = match kind {
            "study" => serde_json::from_value(row).map(Self::Study),
            "block" => serde_json::from_value(row).map(Self::Block),
            "held_out" => serde_json::from_value(row).map(Self::HeldOut),
            _ => return Err("not a line of a study".into()),
        };
        read.map_err(|e| format!("not a line of a study ({e})"))
    }
}

/// What a study remembers: in memory, and in a file where one is given.
#[derive(Debug, Default)]
pub struct Log {
    blocks: HashMap<Pairing, BTreeMap<u64, Block>>,
    uses: Vec<HeldOutUse>,
    file: Option<(Lines, PathBuf)>,
}

impl Log {
    /// A log that is forgotten with the process.
    #[must_use]
    pub fn in_memory() -> Self {
        Self::default()
    }

    /// Opens the log of a study with these seeds, or begins one.
    ///
    /// # Errors
    /// When the file cannot be used, or belongs to a study with other seeds or another version.
    pub fn open(path: &Path, tuning: &SeedRange, held_out: Option<&SeedRange>) -> Result<Self> {
        let lines::Opened {
            mut lines,
            bytes,
            whole,
        } = Lines::open(path)?;
        let head = Row::Study(Head {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION").into(),
            tuning: tuning.to_string(),
            held_out: held_out.map(ToString::to_string),
        })
        .line();
        if whole == 0 && !head.as_bytes().starts_with(&bytes) {
            return Err(foreign(path, 1, "it is not the log of a study"));
        }
        let mut log = Self::default();
        for (index, text) in bytes[..whole].split(|b| *b == b'\n').enumerate() {
            if text.is_empty() {
                continue;
            }
            let row = Row::read(text).map_err(|what| foreign(path, index + 1, &what))?;
            log.remember(row, index, &head)
                .map_err(|what| foreign(path, index + 1, &what))?;
        }
        if bytes.len() > whole {
            lines.cut()?;
        }
        if whole == 0 {
            lines.write(&head)?;
        }
        log.file = Some((lines, path.into()));
        Ok(log)
    }

    fn remember(&mut self, row: Row, index: usize, head: &str) -> Result<(), String> {
        match row {
            Row::Study(_) if index == 0 => {
                let found = row.line();
                if found != head {
                    return Err(format!(
                        "the log is of another study: {} there, {} here",
                        found.trim(),
                        head.trim()
                    ));
                }
            }
            _ if index == 0 => return Err("it is not the log of a study".into()),
            Row::Study(_) => return Err("a second header".into()),
            Row::Block(Played { pairing, block }) => {
                let seed = block.seed;
                let of_pairing = self.blocks.entry(pairing).or_default();
                if of_pairing.insert(seed, block).is_some() {
                    return Err(format!("a second block of seed {seed}"));
                }
            }
            Row::HeldOut(used) => self.uses.push(used),
        }
        Ok(())
    }

    /// The blocks of a pairing.
    #[must_use]
    pub fn blocks(&self, pairing: &Pairing) -> Option<&BTreeMap<u64, Block>> {
        self.blocks.get(pairing)
    }

    /// Adds a block.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, pairing: &Pairing, block: Block) -> Result<()> {
        self.write(&Row::Block(Played {
            pairing: pairing.clone(),
            block: block.clone(),
        }))?;
        let blocks = self.blocks.entry(pairing.clone()).or_default();
        blocks.insert(block.seed, block);
        Ok(())
    }

    /// Uses the held-out seeds for one agent. The same use again is read from the log; another one
    /// is refused, because seeds that helped to choose say nothing new.
    ///
    /// # Errors
    /// When the seeds were used for another agent, or the use cannot be written.
    pub fn use_held_out(&mut self, wanted: HeldOutUse) -> Result<()> {
        if self.uses.contains(&wanted) {
            return Ok(());
        }
        if let (Some(used), Some((_, path))) = (self.uses.first(), &self.file) {
            return Err(Error::input(format!(
                "the held-out seeds {} were used for {} against {} ({}): used twice they are held out \
                 no longer. Declare fresh ones in a new study",
                used.seeds,
                used.agent,
                used.base,
                path.display()
            )));
        }
        self.write(&Row::HeldOut(wanted.clone()))?;
        self.uses.push(wanted);
        Ok(())
    }

    /// Whether what happens is kept in a file.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.file.is_some()
    }

    fn write(&mut self, row: &Row) -> Result<()> {
        match &mut self.file {
            Some((lines, _)) => lines.write(&row.line()),
            None => Ok(()),
        }
    }
}

fn foreign(path: &Path, line: usize, what: &str) -> Error {
    Error::input(format!(
        "{}:{line}: {what}; repair the line, or choose another --out",
        path.display()
    ))
}
