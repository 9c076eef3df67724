//! Logs: resumed, repaired, refused.

use std::fs;
use std::path::PathBuf;

use crate::common::{Ran, lab};

struct Log {
    dir: tempfile::TempDir,
}

impl Log {
    fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
        }
    }

    fn path(&self) -> PathBuf {
        self.dir.path().join("log.jsonl")
    }

    fn run(&self, seeds: &str) -> Ran {
        self.run_with("tricks", "highest", seeds, &[])
    }

    fn run_with(&self, game: &str, a: &str, seeds: &str, more: &[&str]) -> Ran {
        let path = self.path();
        let path = path.to_str().unwrap();
        let mut args = vec![
            "compare", "--game", game, "--a", a, "--b", "random", "--seeds", seeds,
        ];
        args.extend(["--json", "--out", path]);
        args.extend(more);
        lab(&args)
    }

    fn lines(&self) -> Vec<String> {
        let text = fs::read_to_string(self.path()).unwrap();
        text.lines().map(Into::into).collect()
    }

    fn write(&self, lines: &[String]) {
        fs::write(self.path(), lines.join("\n") + "\n").unwrap();
    }
}

#[test]
fn a_run_is_extended_and_narrowed() {
    let log = Log::new();
    let whole = Log::new().run("20").json()["digest"].clone();
    assert_eq!(log.run("8").json()["resumed_seeds"], 0);
    let extended = log.run("20").json();
    assert_eq!(extended["resumed_seeds"], 8);
    assert_eq!(extended["digest"], whole);
    assert_eq!(log.lines().len(), 21);
    let again = log.run("20").json();
    assert_eq!(again["resumed_seeds"], 20);
    assert_eq!(again["digest"], whole);
    let part = log.run("5..9").json();
    assert_eq!(part["digest"], Log::new().run("5..9").json()["digest"]);
    assert_eq!(log.lines().len(), 21);
}

#[test]
fn a_torn_last_line_is_dropped() {
    for keep in [1, 40, 200] {
        let log = Log::new();
        let whole = log.run("6").json()["digest"].clone();
        let bytes = fs::read(log.path()).unwrap();
        let last = bytes[..bytes.len() - 1]
            .iter()
            .rposition(|b| *b == b'\n')
            .unwrap()
            + 1;
        fs::write(log.path(), &bytes[..last + keep]).unwrap();
        let resumed = log.run("6");
        assert!(
            resumed.err.contains("unfinished last line"),
            "{}",
            resumed.err
        );
        assert_eq!(resumed.json()["digest"], whole);
        assert_eq!(log.lines().len(), 7);
    }
    // Even a torn header.
    let log = Log::new();
    let whole = log.run("6").json()["digest"].clone();
    let bytes = fs::read(log.path()).unwrap();
    fs::write(log.path(), &bytes[..25]).unwrap();
    assert_eq!(log.run("6").json()["digest"], whole);
}

#[test]
fn a_corrupted_line_is_refused_by_number() {
    let log = Log::new();
    log.run("6");
    let good = log.lines();
    let breaks: [fn(&str) -> String; 6] = [
        |line| line.replacen("\"decisions\":", "\"decisions\":1", 1),
        |line| line.replacen("\"failures\":0", "\"failures\":18446744073709551615", 1),
        |line| line[..line.len() / 2].to_string(),
        |line| line.replace("\"ABB\"", "\"BBB\""),
        |line| line.replace("\"scores\":[", "\"scores\":[0.5,"),
        |line| line.replace("\"kind\":\"block\"", "\"kind\":\"blob\""),
    ];
    for damage in breaks {
        let mut lines = good.clone();
        lines[3] = damage(&lines[3]);
        log.write(&lines);
        let before = fs::read(log.path()).unwrap();
        let ran = log.run("6");
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(ran.err.contains("log.jsonl:4:"), "{}", ran.err);
        assert_eq!(
            fs::read(log.path()).unwrap(),
            before,
            "the file was touched"
        );
    }
    let mut lines = good.clone();
    lines.push(good[2].clone());
    log.write(&lines);
    assert!(log.run("6").err.contains("a second block of seed"));
}

#[test]
fn another_header_is_refused_with_what_differs() {
    let log = Log::new();
    log.run("3");
    let cases = [
        (
            log.run_with("tricks", "lowest", "3", &[]),
            "a is \"highest\" there and \"lowest\" here",
        ),
        (
            log.run_with("tricks(rounds=2)", "highest", "3", &[]),
            "options is",
        ),
        (
            log.run_with("tricks", "highest", "3", &["--level", "0.9"]),
            "level is 0.95 there and 0.9 here",
        ),
    ];
    for (ran, words) in cases {
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains(words), "{}", ran.err);
    }
    // Defaults written out are the same game.
    assert_eq!(log.run_with("tricks(hand=3)", "highest", "3", &[]).code, 0);
}

#[test]
fn a_file_that_is_no_log_is_kept() {
    let log = Log::new();
    for text in ["my notes", "my notes\nof today\n", "{\"kind\":\"block\"}\n"] {
        fs::write(log.path(), text).unwrap();
        let ran = log.run("3");
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("choose another --out"), "{}", ran.err);
        assert_eq!(fs::read_to_string(log.path()).unwrap(), text);
    }
    let nowhere = lab(&[
        "compare",
        "--game",
        "tricks",
        "--a",
        "random",
        "--b",
        "random",
        "--out",
        "/nonexistent/x",
    ]);
    assert_eq!(nowhere.code, 2);
    assert!(nowhere.err.contains("/nonexistent/x"), "{}", nowhere.err);
}

#[test]
fn logs_can_be_put_together_and_shuffled() {
    let whole = Log::new().run("12").json();
    let (first, second, both) = (Log::new(), Log::new(), Log::new());
    first.run("0..5");
    second.run("5..12");
    let mut lines = second.lines();
    lines.extend(first.lines());
    both.write(&lines);
    let merged = both.run("12").json();
    assert_eq!(merged["resumed_seeds"], 12);
    assert_eq!(merged["digest"], whole["digest"]);
    // The same blocks in another order: the same bytes, times included.
    lines[1..].reverse();
    lines.swap(2, 9);
    let shuffled = Log::new();
    shuffled.write(&lines);
    let mut shuffled = shuffled.run("12").json();
    let mut merged = merged;
    for report in [&mut shuffled, &mut merged] {
        report["elapsed_seconds"] = 0.into();
        report["again"] = 0.into();
    }
    assert_eq!(shuffled.to_string(), merged.to_string());
}
