//! The command line as a process: killed, resumed, and with nobody reading.
//!
//! This test has no harness: it starts itself again as the command line with the games of the
//! tests.

mod common;

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

const CHILD: &str = "SEARCHLAB_TEST_CHILD";

fn child(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(args).env(CHILD, "1").stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn digest(output: &[u8]) -> String {
    let report: serde_json::Value = serde_json::from_slice(output).unwrap();
    report["digest"].as_str().unwrap().to_string()
}

fn compare<'a>(seeds: &'a str, out: &'a str) -> Vec<&'a str> {
    let agents = ["--a", "flat(sims=300)", "--b", "random"];
    let mut args = vec![
        "compare",
        "--game",
        "tricks",
        "--seeds",
        seeds,
        "--threads",
        "2",
    ];
    args.extend(agents);
    args.extend(["--json", "--out", out]);
    args
}

/// Waits until the log has so many whole lines.
fn wait_for_lines(path: &Path, lines: usize) {
    for _ in 0..6000 {
        let text = fs::read(path).unwrap_or_default();
        if text.iter().filter(|b| **b == b'\n').count() >= lines {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("the child wrote nothing");
}

fn killed_and_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let whole = dir.path().join("whole.jsonl");
    let killed = dir.path().join("killed.jsonl");
    let (whole, killed) = (whole.to_str().unwrap(), killed.to_str().unwrap());
    let expected = child(&compare("64", whole)).output().unwrap();
    assert!(expected.status.success(), "{expected:?}");

    let mut kills = 0;
    for lines in [4, 12, 30] {
        let mut running = child(&compare("64", killed)).spawn().unwrap();
        wait_for_lines(Path::new(killed), lines);
        // SIGKILL: nothing is flushed, nothing is cleaned up.
        running.kill().unwrap();
        let status = running.wait().unwrap();
        kills += usize::from(!status.success());
    }
    assert!(kills > 0, "the child was always faster than the test");
    let resumed = child(&compare("64", killed)).output().unwrap();
    assert!(resumed.status.success(), "{resumed:?}");
    assert_eq!(digest(&resumed.stdout), digest(&expected.stdout));
    let report: serde_json::Value = serde_json::from_slice(&resumed.stdout).unwrap();
    assert!(report["resumed_seeds"].as_u64().unwrap() >= 3, "{report}");
}

fn a_log_has_one_writer() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("log.jsonl");
    let path = path.to_str().unwrap();
    let mut first = child(&compare("5000", path)).spawn().unwrap();
    wait_for_lines(Path::new(path), 2);
    let second = child(&compare("4", path)).output().unwrap();
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(second.status.code(), Some(2), "{second:?}");
    assert!(String::from_utf8_lossy(&second.stderr).contains("being written by another run"));
}

fn nobody_reads() {
    for args in [
        &["games"][..],
        &["--help"],
        &["play", "--game", "tricks(rounds=2000)", "--seed", "3"],
        &["games", "--json"],
    ] {
        let mut running = child(args).spawn().unwrap();
        // The reader is gone before anything is written.
        drop(running.stdout.take());
        let mut err = String::new();
        running
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut err)
            .unwrap();
        let status = running.wait().unwrap();
        assert_eq!(status.code(), Some(0), "{args:?}: {err}");
        assert!(!err.contains("panicked"), "{args:?}: {err}");
    }
}

fn a_human_over_a_pipe() {
    let args = [
        "play",
        "--game",
        "tricks",
        "--agents",
        "human,random,random",
        "--seed",
        "1",
    ];
    let mut running = child(&args).stdin(Stdio::piped()).spawn().unwrap();
    running
        .stdin
        .take()
        .unwrap()
        .write_all(b"1\n1\n1\n")
        .unwrap();
    let output = running.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains("score"), "{text}");
}

fn the_doctor_kills_and_resumes() {
    let args = ["doctor", "tricks", "--only", "resume", "--quick", "--json"];
    let output = child(&args).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["passed"], 1, "{report}");
    let says = report["games"][0]["checks"][0]["says"].as_str().unwrap();
    assert!(says.contains("the same digest after it went on"), "{says}");
}

fn main() -> ExitCode {
    if std::env::var_os(CHILD).is_some() {
        return searchlab::main(common::registry());
    }
    let tests: &[(&str, fn())] = &[
        ("killed_and_resumed", killed_and_resumed),
        ("a_log_has_one_writer", a_log_has_one_writer),
        ("nobody_reads", nobody_reads),
        ("a_human_over_a_pipe", a_human_over_a_pipe),
        ("the_doctor_kills_and_resumes", the_doctor_kills_and_resumes),
    ];
    let filter = std::env::args().nth(1).filter(|f| !f.starts_with('-'));
    for (name, test) in tests {
        if filter.as_ref().is_none_or(|f| name.contains(f.as_str())) {
            test();
            println!("test {name} ... ok");
        }
    }
    ExitCode::SUCCESS
}
