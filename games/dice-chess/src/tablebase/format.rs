//! The file of the tables.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `DICE3MEN` |
//! | 4 | version, little-endian |
//! | 4 | length of the entries in bytes, little-endian |
//! | 8 | FNV-1a checksum of the entries, little-endian |
//! | rest | entries: `i16`, little-endian, in the order of [`Material::ALL`] |
//!
//! An entry is 32767 times the value for the side to roll, rounded, or -32768 where men would
//! share a square.

use thiserror::Error;

use super::position::{Material, Men};
use super::solve::Solved;

const MAGIC: &[u8; 8] = b"DICE3MEN";
const VERSION: u32 = 1;
/// Bytes before the entries.
const HEADER: usize = 24;
/// The entry of a value of 1.
const ONE: f64 = 32767.0;
/// Marks an entry that is no position.
const NONE: i16 = i16::MIN;

/// Why a file of tables was refused.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum TableError {
    /// It does not start as such a file does.
    #[error("not a file of three-man tables")]
    NotATable,
    /// Its version is not the one this code reads.
    #[error("tables of version {0}, this reads version {VERSION}")]
    Version(u32),
    /// It is too short or too long.
    #[error("{found} bytes of entries instead of {expected}")]
    Length {
        /// Bytes there should be.
        expected: usize,
        /// Bytes there are.
        found: usize,
    },
    /// The entries are not those it was written with.
    #[error("the checksum does not fit the entries")]
    Checksum,
}

/// Where the entries of a material start, counted in entries.
const fn start(material: Material) -> usize {
    let (mut index, mut sum) = (0, 0);
    while index < material as usize {
        sum += Material::ALL[index].entries();
        index += 1;
    }
    sum
}

/// Entries of all materials.
const ENTRIES: usize = start(Material::Queen) + Material::Queen.entries();

/// The bytes of the entries of one material.
pub(crate) fn section(entries: &[u8], material: Material) -> &[u8] {
    let first = 2 * start(material);
    &entries[first..first + 2 * material.entries()]
}

/// The value stored for a valid position of a material.
pub(crate) fn stored(entries: &[u8], material: Material, men: &Men) -> Option<f64> {
    let at = 2 * (start(material) + men.entry());
    let entry = i16::from_le_bytes([entries[at], entries[at + 1]]);
    (entry != NONE).then(|| f64::from(entry) / ONE)
}

/// The bytes of the entries of a solved material.
pub(crate) fn encode_section(solved: &Solved) -> Vec<u8> {
    let material = solved.material();
    let entry = |index| {
        let value = Men::at_entry(material, index).and_then(|men| solved.value(&men));
        value.map_or(NONE, |value| (value * ONE).round() as i16)
    };
    (0..material.entries())
        .flat_map(|index| entry(index).to_le_bytes())
        .collect()
}

/// The whole file, from the solutions of [`Material::ALL`] in that order.
///
/// # Panics
///
/// If a solution is missing or out of order.
#[must_use]
pub fn encode(solved: &[Solved]) -> Vec<u8> {
    assert!(
        solved.iter().map(Solved::material).eq(Material::ALL),
        "one solution for each material"
    );
    let entries: Vec<u8> = solved.iter().flat_map(encode_section).collect();
    let mut file = MAGIC.to_vec();
    file.extend(VERSION.to_le_bytes());
    file.extend((entries.len() as u32).to_le_bytes());
    file.extend(fnv1a(&entries).to_le_bytes());
    file.extend(entries);
    file
}

/// Checks a file and returns its entries.
pub(crate) fn decode(file: &[u8]) -> Result<&[u8], TableError> {
    let (header, entries) = file.split_at_checked(HEADER).ok_or(TableError::NotATable)?;
    if &header[..8] != MAGIC {
        return Err(TableError::NotATable);
    }
    let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|byte| header[at + byte]));
    if word(8) != VERSION {
        return Err(TableError::Version(word(8)));
    }
    let expected = 2 * ENTRIES;
    if word(12) as usize != expected || entries.len() != expected {
        return Err(TableError::Length {
            expected,
            found: entries.len(),
        });
    }
    let checksum = u64::from_le_bytes(std::array::from_fn(|byte| header[16 + byte]));
    if checksum == fnv1a(entries) {
        Ok(entries)
    } else {
        Err(TableError::Checksum)
    }
}

/// Fowler, Noll and Vo's hash, variant 1a, 64 bits.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
