//! Files of known answers: JSON lines, each with a `kind` that says who can check it.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::Serialize;
use serde_json::Value;

use crate::error::{Error, Result};

pub use search_core::plugin::Outcome;

/// Checks one row.
pub type Checker = fn(&Value) -> Outcome;

/// Checkers by the prefix of the kinds they know.
#[derive(Debug, Default, Clone)]
pub struct Checkers(Vec<(&'static str, Checker)>);

impl Checkers {
    /// Adds a checker for `prefix` itself and for `prefix/…`.
    pub fn add(&mut self, prefix: &'static str, check: Checker) {
        self.0.push((prefix, check));
    }

    /// The checker with the longest prefix that fits.
    fn find(&self, kind: &str) -> Option<Checker> {
        let fits = |prefix: &str| {
            kind.strip_prefix(prefix).is_some_and(|rest| {
                rest.is_empty() || rest.starts_with('/') || prefix.ends_with('/')
            })
        };
        let found = self.0.iter().filter(|(p, _)| fits(p));
        found.max_by_key(|(p, _)| p.len()).map(|(_, check)| *check)
    }

    fn prefixes(&self) -> String {
        let names: Vec<&str> = self.0.iter().map(|(p, _)| *p).collect();
        if names.is_empty() {
            "no checkers are registered".into()
        } else {
            format!("checkers: {}", names.join(", "))
        }
    }
}

/// Counts of one kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct KindCount {
    /// Rows that agree.
    pub passed: u64,
    /// Rows that do not.
    pub failed: u64,
    /// Rows that were not checked.
    pub skipped: u64,
    /// Why rows were not checked, with how many.
    pub skip_reasons: BTreeMap<String, u64>,
}

/// A row that does not agree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// `file:line`.
    pub at: String,
    /// The row's kind.
    pub kind: String,
    /// The row's `id` or `name`, if it has one.
    pub id: Option<String>,
    /// What was expected and what came out.
    pub message: String,
}

/// The result of a conformance run.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ConformReport {
    /// Rows that agree.
    pub passed: u64,
    /// Rows that do not.
    pub failed: u64,
    /// Rows that were not checked.
    pub skipped: u64,
    /// Header lines, which hold no answer.
    pub headers: u64,
    /// The counts by kind.
    pub kinds: BTreeMap<String, KindCount>,
    /// The first rows that do not agree.
    pub failures: Vec<Failure>,
}

impl ConformReport {
    /// Checks every row of one file, keeping at most `keep` failures in all.
    ///
    /// # Errors
    /// At the first line that is not a JSON object with a `kind`, or cannot be read.
    pub fn check(
        &mut self,
        checkers: &Checkers,
        name: &str,
        lines: impl BufRead,
        keep: usize,
    ) -> Result<()> {
        for (number, line) in lines.lines().enumerate() {
            let at = format!("{name}:{}", number + 1);
            let line = line.map_err(|e| Error::file(format!("reading {at}"), e))?;
            if line.trim().is_empty() {
                continue;
            }
            let row = parse_row(&line, &at)?;
            let kind = row["kind"].as_str().unwrap_or_default();
            if kind == "header" {
                self.headers += 1;
                continue;
            }
            let outcome = match checkers.find(kind) {
                Some(check) => guarded(check, &row),
                None => Outcome::Skip(format!("no checker ({})", checkers.prefixes())),
            };
            self.count(kind, outcome, &row, at, keep);
        }
        Ok(())
    }

    fn count(&mut self, kind: &str, outcome: Outcome, row: &Value, at: String, keep: usize) {
        let counts = self.kinds.entry(kind.into()).or_default();
        match outcome {
            Outcome::Pass => {
                counts.passed += 1;
                self.passed += 1;
            }
            Outcome::Skip(reason) => {
                counts.skipped += 1;
                self.skipped += 1;
                *counts.skip_reasons.entry(reason).or_default() += 1;
            }
            Outcome::Fail(message) => {
                counts.failed += 1;
                self.failed += 1;
                if self.failures.len() < keep {
                    let id = ["id", "name"].iter().find_map(|key| row.get(key));
                    self.failures.push(Failure {
                        at,
                        kind: kind.into(),
                        id: id.map(|v| v.as_str().map_or(v.to_string(), Into::into)),
                        message,
                    });
                }
            }
        }
    }
}

fn parse_row(line: &str, at: &str) -> Result<Value> {
    let row: Value = serde_json::from_str(line)
        .map_err(|e| Error::input(format!("{at}: not a line of JSON: {e}")))?;
    match row.get("kind") {
        Some(Value::String(_)) => Ok(row),
        Some(_) => Err(Error::input(format!("{at}: `kind` is not a text"))),
        None => Err(Error::input(format!(
            "{at}: no `kind`; a row is an object such as {{\"kind\": \"connect4/position\", …}}"
        ))),
    }
}

/// A checker that panics has found something: that is a failure of the row, not of the run.
fn guarded(check: Checker, row: &Value) -> Outcome {
    catch_unwind(AssertUnwindSafe(|| check(row))).unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied());
        Outcome::Fail(format!("panicked: {}", text.unwrap_or("no message")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_prefix_checks() {
        let mut checkers = Checkers::default();
        checkers.add("a", |_| Outcome::Pass);
        checkers.add("a/b", |_| Outcome::Fail("b".into()));
        let mut report = ConformReport::default();
        let text = "{\"kind\":\"header\"}\n{\"kind\":\"a/x\"}\n\n{\"kind\":\"a/b\",\"id\":7}\n{\"kind\":\"ab\"}\n";
        report.check(&checkers, "f", text.as_bytes(), 5).unwrap();
        let counts = (report.headers, report.passed, report.failed, report.skipped);
        assert_eq!(counts, (1, 1, 1, 1));
        assert_eq!(report.failures[0].at, "f:4");
        assert_eq!(report.failures[0].id.as_deref(), Some("7"));
    }

    #[test]
    fn a_malformed_line_is_named() {
        let mut report = ConformReport::default();
        let text = "{\"kind\":\"a\"}\n{\"kind\":";
        let error = report
            .check(&Checkers::default(), "f.jsonl", text.as_bytes(), 5)
            .unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("f.jsonl:2: not a line of JSON")
        );
    }

    #[test]
    fn a_panicking_checker_is_a_failure() {
        let mut checkers = Checkers::default();
        checkers.add("a", |row| panic!("no field in {row}"));
        let mut report = ConformReport::default();
        report
            .check(&checkers, "f", &b"{\"kind\":\"a\"}"[..], 5)
            .unwrap();
        assert!(report.failures[0].message.contains("no field in"));
    }
}
