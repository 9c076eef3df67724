//! Ranges of seeds, as written: `64` or `100..164`.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// The most seeds of one run.
const MOST: u64 = 10_000_000;

/// Seeds `start..end`, not empty. `64` is short for `0..64`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedRange(Range<u64>);

impl SeedRange {
    /// How many seeds.
    #[must_use]
    #[allow(
        clippy::len_without_is_empty,
        reason = "a range of seeds is never empty"
    )]
    pub fn len(&self) -> usize {
        usize::try_from(self.0.end - self.0.start).unwrap_or(usize::MAX)
    }

    /// The seeds in order.
    #[must_use]
    pub fn seeds(&self) -> Range<u64> {
        self.0.clone()
    }

    /// The first so many seeds of the range.
    #[must_use]
    pub fn first(&self, count: u64) -> Self {
        Self(self.0.start..self.0.end.min(self.0.start.saturating_add(count.max(1))))
    }
}

impl fmt::Display for SeedRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.0.start, self.0.end)
    }
}

impl FromStr for SeedRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |part: &str| {
            let digits = part.trim().replace('_', "");
            digits.parse::<u64>().map_err(|_| {
                format!("`{part}` is not a whole number; write a count such as 64, or a range such as 100..164")
            })
        };
        let (start, end) = match text.split_once("..") {
            None => (0, number(text)?),
            Some((start, end)) => (number(start)?, number(end)?),
        };
        if start > end {
            return Err(format!("the range is reversed; write {end}..{start}"));
        }
        if start == end {
            return Err("no seeds; give at least 1, better 32".into());
        }
        if end - start > MOST {
            return Err(format!("more than {MOST} seeds"));
        }
        Ok(Self(start..end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_counts_and_ranges() {
        let read = |t: &str| t.parse::<SeedRange>().map(|r| r.to_string());
        assert_eq!(read("64").unwrap(), "0..64");
        assert_eq!(read("100..164").unwrap(), "100..164");
        for bad in [
            "",
            "0",
            "5..5",
            "9..3",
            "a",
            "1..b",
            "-3",
            "1...4",
            "0..99999999999",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
        assert!(read("9..3").unwrap_err().contains("3..9"));
    }
}
