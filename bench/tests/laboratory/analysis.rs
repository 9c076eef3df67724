//! `search` with what a game says about its actions, its default agent, and drawings.

use std::fs;

use searchlab::Registry;

use crate::common::{lab, lab_on, lab_with};

/// The game of the tests with descriptions, percentages and drawings.
const SHOWN: &str = "tricks(label=shown)";

#[test]
fn candidates_show_what_they_mean_and_how_often_they_win() {
    let args = [
        "search",
        "--game",
        SHOWN,
        "--agent",
        "flat(sims=300)",
        "--position",
        "low-hand",
    ];
    let ran = lab(&args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for word in ["meaning", "win", "c2       number 1 of the hand", " %"] {
        assert!(ran.out.contains(word), "no `{word}` in\n{}", ran.out);
    }
    let json: Vec<&str> = args.iter().chain(&["--json"]).copied().collect();
    let report = lab(&json).json();
    let rows = report["candidates"].as_array().unwrap();
    for row in rows {
        let mean = row["mean"].as_f64().unwrap();
        assert_eq!(row["win"].as_f64().unwrap(), (mean + 20.0) / 40.0);
        let number = 3 - row["action"].as_str().unwrap()[1..].parse::<u8>().unwrap();
        assert_eq!(row["description"], format!("number {number} of the hand"));
    }
    let chosen = rows.iter().find(|r| r["action"] == report["action"]);
    assert_eq!(report["description"], chosen.unwrap()["description"]);
    // A game that says nothing gets no columns.
    let silent = lab(&["search", "--game", "tricks", "--agent", "flat(sims=300)"]);
    assert!(!silent.out.contains("meaning") && !silent.out.contains("win "));
}

#[test]
fn the_default_agent_is_asked_when_nobody_is_named() {
    let ran = lab(&["search", "--game", SHOWN]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("· highest ·"), "{}", ran.out);
    assert!(ran.out.contains("--agent highest"), "{}", ran.out);
    let none = lab(&["search", "--game", "tricks"]);
    assert_eq!(none.code, 2);
    for word in [
        "--agent: tricks names no agent",
        "random, highest, lowest",
        "uct(",
    ] {
        assert!(none.err.contains(word), "no `{word}` in\n{}", none.err);
    }
}

#[test]
fn a_position_may_be_in_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("position.txt");
    fs::write(
        &path,
        "me=0 hand=7 played=0 table= left=3,3,3 won=0,0,0 leader=0 worth=2\n",
    )
    .unwrap();
    let report = |position: &str| {
        lab(&[
            "search",
            "--game",
            "tricks",
            "--agent",
            "lowest",
            "--position",
            position,
            "--json",
        ])
    };
    let named = report("low-hand").json();
    let file = report(path.to_str().unwrap()).json();
    assert_eq!(file["position"], named["position"]);
    // A name of the game goes before a file of that name, and a file's content is not a name of a file.
    let text = report(dir.path().to_str().unwrap());
    assert_eq!(text.code, 2);
    assert!(text.err.contains("is a directory"), "{}", text.err);
    let absent = report("no-such-file.txt");
    assert!(absent.err.contains("is missing"), "{}", absent.err);
}

#[test]
fn a_drawing_is_written_with_the_candidates_in_order() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("out.svg");
    let svg = path.to_str().unwrap();
    let drawn = |agent: &str| {
        let ran = lab(&[
            "search",
            "--game",
            SHOWN,
            "--agent",
            agent,
            "--position",
            "low-hand",
            "--svg",
            svg,
        ]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        fs::read_to_string(&path).unwrap()
    };
    let text = drawn("flat(sims=302)");
    assert!(text.starts_with("<svg>hand 7 "), "{text}");
    // 302 simulations over three cards: the last one has one less.
    assert_eq!(text.matches(":101").count(), 2);
    assert!(text.ends_with(":100</svg>"), "{text}");
    // An agent that does not search: its choice alone.
    assert_eq!(drawn("lowest"), "<svg>hand 7 c0:0</svg>");

    let nowhere = lab(&["search", "--game", SHOWN, "--svg", "/nonexistent/out.svg"]);
    assert_eq!(nowhere.code, 2);
    assert!(nowhere.err.contains("--svg: writing /nonexistent/out.svg"));
    for game in ["tricks", "tic-tac-toe"] {
        let registry = Registry::standard().with::<crate::common::Tricks>();
        let ran = lab_on(
            &registry,
            &["search", "--game", game, "--agent", "random", "--svg", svg],
        );
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("--svg") && ran.err.contains("has no drawing"));
    }
}

#[test]
fn play_shows_what_actions_mean() {
    let ran = lab(&[
        "play", "--game", SHOWN, "--agents", "highest", "--seed", "2",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    // The highest card is always number one, and it is described as it lay before it was played.
    assert_eq!(
        ran.out.matches("   number 1 of the hand\n").count(),
        9,
        "{}",
        ran.out
    );
    let json = lab(&["play", "--game", SHOWN, "--agents", "highest", "--json"]).json();
    let events = json["events"].as_array().unwrap();
    let decision = events.iter().find(|e| e["kind"] == "decision").unwrap();
    assert_eq!(decision["description"], "number 1 of the hand");
    let args = ["play", "--game", SHOWN, "--agents", "human,random,random"];
    let asked = lab_with(&args, "");
    assert!(
        asked.out.contains("   number 3 of the hand\n"),
        "{}",
        asked.out
    );
    assert!(asked.out.contains("   1) c"), "{}", asked.out);
}
