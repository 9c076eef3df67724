//! Files of known answers: JSON lines, each with a `kind` that says who can check it.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::Serialize;
use serde_json::Value;

use crate::error::{Error, Result};

pub use search_core::plugin::{Held, Outcome};

/// Checks one row.
pub type Checker = fn(&Value) -> Outcome;

/// Says what holds over all rows of one kind together; nothing for a kind of which only rows are
/// checked.
pub type Summary = fn(&str, &[Value]) -> Vec<Held>;

/// Checkers by the prefix of the kinds they know.
#[derive(Debug, Default, Clone)]
pub struct Checkers {
    rows: Vec<(&'static str, Checker)>,
    summaries: Vec<(&'static str, Summary)>,
}

impl Checkers {
    /// Adds a checker for `prefix` itself and for `prefix/…`.
    pub fn add(&mut self, prefix: &'static str, check: Checker) {
        self.rows.push((prefix, check));
    }

    /// Adds a summary of the kinds `prefix` itself and `prefix/…`, each on its own.
    pub fn add_summary(&mut self, prefix: &'static str, summary: Summary) {
        self.summaries.push((prefix, summary));
    }

    fn prefixes(&self) -> String {
        let names: Vec<&str> = self.rows.iter().map(|(p, _)| *p).collect();
        if names.is_empty() {
            "no checkers are registered".into()
        } else {
            format!("checkers: {}", names.join(", "))
        }
    }
}

/// What has the longest prefix that fits.
fn longest<T: Copy>(list: &[(&'static str, T)], kind: &str) -> Option<T> {
    let fits = |prefix: &str| {
        kind.strip_prefix(prefix)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || prefix.ends_with('/'))
    };
    let found = list.iter().filter(|(p, _)| fits(p));
    found.max_by_key(|(p, _)| p.len()).map(|(_, what)| *what)
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
    /// What was held over all rows of a kind, by kind.
    pub held: BTreeMap<String, Vec<Held>>,
    /// How many of those do not hold.
    pub not_held: u64,
    /// The rows of the kinds that have a summary.
    #[serde(skip)]
    rows: BTreeMap<String, Vec<Value>>,
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
            let outcome = match longest(&checkers.rows, kind) {
                Some(check) => guarded(check, &row),
                None => Outcome::Skip(format!("no checker ({})", checkers.prefixes())),
            };
            self.count(kind, outcome, &row, at, keep);
            if longest(&checkers.summaries, kind).is_some() {
                self.rows.entry(kind.into()).or_default().push(row);
            }
        }
        Ok(())
    }

    /// Holds every kind to what was asked of all its rows together. Call it once, after the last
    /// file: the rows are given up.
    pub fn summarise(&mut self, checkers: &Checkers) {
        for (kind, rows) in std::mem::take(&mut self.rows) {
            let Some(summary) = longest(&checkers.summaries, &kind) else {
                continue;
            };
            let held = caught(|| summary(&kind, &rows)).unwrap_or_else(|panic| {
                vec![Held {
                    what: "the summary of these rows".into(),
                    asked: "comes to its end".into(),
                    measured: panic,
                    holds: false,
                }]
            });
            self.not_held += held.iter().filter(|h| !h.holds).count() as u64;
            if !held.is_empty() {
                self.held.insert(kind, held);
            }
        }
    }

    /// Whether every row that was checked agrees, and everything that was held does hold.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.failed == 0 && self.not_held == 0
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
    caught(|| check(row)).unwrap_or_else(Outcome::Fail)
}

/// What comes out, or the words of a panic.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied());
        format!("panicked: {}", text.unwrap_or("no message"))
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
    fn a_summary_sees_all_rows_of_its_kind_over_all_files() {
        let mut checkers = Checkers::default();
        checkers.add("a", |_| Outcome::Pass);
        checkers.add_summary("a", |kind, rows| {
            let total: i64 = rows.iter().filter_map(|row| row["n"].as_i64()).sum();
            vec![Held {
                what: format!("{kind}: sum"),
                asked: "3".into(),
                measured: total.to_string(),
                holds: total == 3,
            }]
        });
        checkers.add_summary("a/mute", |_, _| Vec::new());
        checkers.add_summary("a/panics", |_, rows| panic!("{} rows", rows.len()));
        let lines = |n: i64| {
            ["a", "a/x", "a/mute", "b"]
                .map(|k| format!("{{\"kind\":\"{k}\",\"n\":{n}}}\n"))
                .concat()
        };
        let mut report = ConformReport::default();
        for n in [1, 2] {
            report
                .check(&checkers, "f", lines(n).as_bytes(), 5)
                .unwrap();
        }
        report.summarise(&checkers);
        assert!(report.holds());
        let held: Vec<&str> = report
            .held
            .values()
            .flatten()
            .map(|h| h.what.as_str())
            .collect();
        assert_eq!(held, ["a: sum", "a/x: sum"]);
        // One more row, and neither holds; a summary that panics does not hold either.
        let mut report = ConformReport::default();
        let text = lines(4) + "{\"kind\":\"a/panics\"}\n";
        report.check(&checkers, "f", text.as_bytes(), 5).unwrap();
        report.summarise(&checkers);
        assert_eq!((report.failed, report.not_held), (0, 3));
        assert!(!report.holds());
        assert_eq!(report.held["a/panics"][0].measured, "panicked: 1 rows");
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
