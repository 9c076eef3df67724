//! The verbs: what they print, what they refuse, and how they say it.

use std::fs;

use crate::common::{lab, lab_with};

#[test]
fn help_has_an_example_that_works_as_printed() {
    for verb in ["games", "play", "search", "compare", "capture", "perft"] {
        let help = lab(&[verb, "--help"]);
        assert_eq!(help.code, 0);
        let example = help.out.split("Example:\n").nth(1).unwrap().trim();
        let words: Vec<&str> = example.split_whitespace().skip(1).collect();
        assert_eq!(words[0], verb);
        let ran = lab(&words);
        assert_eq!(ran.code, 0, "{example}: {}", ran.err);
    }
    assert_eq!(lab(&["--version"]).code, 0);
}

#[test]
fn without_arguments_there_is_a_page_with_something_to_try() {
    let page = lab(&[]);
    assert_eq!(page.code, 0);
    for verb in [
        "games",
        "play",
        "search",
        "compare",
        "capture",
        "replay",
        "calibrate",
        "doctor",
        "perft",
        "conform",
    ] {
        assert!(page.out.contains(verb));
    }
    let line = page
        .out
        .lines()
        .find_map(|l| l.strip_prefix("Try:"))
        .unwrap();
    let words: Vec<&str> = line.split_whitespace().skip(1).collect();
    assert_eq!(lab(&words).code, 0, "{line}");
}

#[test]
fn games_lists_everything() {
    let text = lab(&["games"]).out;
    for word in [
        "tricks",
        "players=3",
        "highest",
        "flat",
        "low-hand",
        "points per round",
        "won, best",
    ] {
        assert!(text.contains(word), "no `{word}` in\n{text}");
    }
    let json = lab(&["games", "tricks", "--json"]).json();
    assert_eq!(json["games"][0]["options"]["players"], 3);
    assert_eq!(json["games"][0]["agents"][0]["name"], "random");
}

#[test]
fn compare_prints_a_page() {
    let text = lab(&[
        "compare",
        "--game",
        "tricks",
        "--a",
        "flat(sims=90)",
        "--b",
        "lowest",
        "--self-check",
    ])
    .out;
    for word in [
        "32 seeds 0..32, 192 matches",
        "one a among b's",
        "one b among a's",
        "points per round",
        "95 % [",
        "t over seeds",
        "factor",
        "deals distinct",
        "0 of 864",
        "a against itself is exactly 0",
        "digest",
        "again       searchlab compare --game tricks --a 'flat(sims=90)' --b lowest --seeds 0..32",
    ] {
        assert!(text.contains(word), "no `{word}` in\n{text}");
    }
    assert!(!text.contains('\x1b'), "colours without a terminal");
    let withheld = lab(&[
        "compare", "--game", "tricks", "--a", "broken", "--b", "lowest",
    ]);
    assert_eq!(withheld.code, 1);
    assert!(withheld.out.contains("withheld") && withheld.out.contains("WITHHELD"));
}

#[test]
fn search_shows_the_candidates() {
    let start = lab(&[
        "search",
        "--game",
        "tricks",
        "--agent",
        "flat(sims=300)",
        "--seed",
        "3",
    ]);
    assert_eq!(start.code, 0, "{}", start.err);
    for word in [
        "visits",
        "std error",
        "chosen",
        "300 simulations",
        "100 worlds",
        "again",
        "position",
    ] {
        assert!(start.out.contains(word), "no `{word}` in\n{}", start.out);
    }
    let position = lab(&["games", "--json"]).json()["games"][0]["positions"][0]["about"].clone();
    let position = position.as_str().unwrap();
    let args = [
        "search",
        "--game",
        "tricks",
        "--agent",
        "flat(sims=300)",
        "--position",
        position,
        "--json",
    ];
    let report = lab(&args).json();
    assert_eq!(report["candidates"].as_array().unwrap().len(), 3);
    assert_eq!(report["position"], position);
    assert_eq!(report["effort"]["simulations"], 300);
    // The same from a file, and for a policy that does not search.
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("p.txt");
    fs::write(&file, format!("{position}\n")).unwrap();
    let at = format!("@{}", file.display());
    let from_file = lab(&[
        "search",
        "--game",
        "tricks",
        "--agent",
        "flat(sims=300)",
        "--position",
        &at,
        "--json",
    ]);
    assert_eq!(from_file.json()["candidates"], report["candidates"]);
    let policy = lab(&[
        "search",
        "--game",
        "tricks",
        "--agent",
        "lowest",
        "--position",
        position,
    ]);
    assert!(policy.out.contains("chosen    c0"), "{}", policy.out);
    // An agent that fails is not covered up here.
    let failed = (0..20).map(|seed| {
        let seed = seed.to_string();
        lab(&[
            "search", "--game", "tricks", "--agent", "moody", "--seed", &seed,
        ])
    });
    let failed: Vec<_> = failed.filter(|ran| ran.code != 0).collect();
    assert!(!failed.is_empty());
    assert!(
        failed
            .iter()
            .all(|ran| ran.code == 1 && ran.err.contains("the budget is empty"))
    );
}

#[test]
fn play_shows_and_records_a_match() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("match.jsonl");
    let path = file.to_str().unwrap();
    let args = [
        "play",
        "--game",
        "tricks(rounds=2)",
        "--agents",
        "highest,lowest,moody",
        "--seed",
        "4",
    ];
    let recorded: Vec<&str> = args.iter().chain(&["--record", path]).copied().collect();
    let ran = lab(&recorded);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.out.contains("round 2") && ran.out.contains("score"),
        "{}",
        ran.out
    );
    assert!(
        ran.out
            .contains("a substitute's, after a failure: the budget is empty"),
        "{}",
        ran.out
    );
    let lines = fs::read_to_string(&file).unwrap();
    let kinds: Vec<String> = lines
        .lines()
        .map(|l| {
            serde_json::from_str::<serde_json::Value>(l).unwrap()["kind"]
                .as_str()
                .unwrap()
                .into()
        })
        .collect();
    assert_eq!(kinds[0], "match");
    assert_eq!(kinds.last().unwrap(), "match_end");
    assert_eq!(kinds.iter().filter(|k| *k == "decision").count(), 18);
    assert_eq!(kinds.iter().filter(|k| *k == "chance").count(), 6);
    // An existing record is kept.
    assert_eq!(lab(&recorded).code, 2);
    assert_eq!(fs::read_to_string(&file).unwrap(), lines);
    let json: Vec<&str> = args.iter().chain(&["--json"]).copied().collect();
    let report = lab(&json).json();
    assert_eq!(report["events"].as_array().unwrap().len(), kinds.len() - 2);
    assert_eq!(report["left"], false);
    // The seats of a match take its decisions as `compare` does.
    assert_eq!(report["result"]["decisions"], 18);
}

#[test]
fn a_human_is_asked_again_and_may_leave() {
    let args = [
        "play",
        "--game",
        "tricks",
        "--agents",
        "human,random,random",
        "--seed",
        "1",
    ];
    let ran = lab_with(&args, "?\nc99\n17\n\n1\n1\n1\n");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("or its number"), "{}", ran.out);
    assert!(
        ran.out
            .contains("`c99` is not a legal action here; legal: c"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("`17` is not a legal action here"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("how it went") && ran.out.contains("score"),
        "{}",
        ran.out
    );
    // Others' cards are not shown before the round is over.
    let before = ran.out.split("how it went").next().unwrap();
    assert!(
        !before.contains("seat 1 sees") && !before.contains("seat 1 random  c"),
        "{before}"
    );
    for input in ["", "1\n", "q\n"] {
        let ran = lab_with(&args, input);
        assert_eq!(ran.code, 0);
        assert!(ran.out.contains("You left"), "{}", ran.out);
    }
    let json: Vec<&str> = args.iter().chain(&["--json"]).copied().collect();
    let ran = lab_with(&json, "1\n1\n1\n");
    assert_eq!(ran.json()["left"], false);
    assert!(ran.err.contains("your action"));
    assert_eq!(lab_with(&json, "").json()["left"], true);
}

#[test]
fn conform_reports_by_kind() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = dir.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_string()
    };
    let good = file(
        "good.jsonl",
        "{\"kind\":\"header\"}\n{\"kind\":\"sum/pair\",\"of\":[1,2],\"is\":3}\n{\"kind\":\"sum\"}\n{\"kind\":\"product\",\"of\":[2]}\n",
    );
    let ran = lab(&["conform", &good]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.out.contains("1 passed, 0 failed, 2 skipped"),
        "{}",
        ran.out
    );
    assert!(
        ran.out
            .contains("skipped 1 product: no checker (checkers: sum)"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("skipped 1 sum: no `of` and `is`"),
        "{}",
        ran.out
    );

    let bad = file(
        "bad.jsonl",
        "{\"kind\":\"sum\",\"id\":\"x1\",\"of\":[1,2],\"is\":4}\n",
    );
    let ran = lab(&["conform", &good, &bad]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.out.contains("bad.jsonl:1  sum x1: expected 4, found 3"),
        "{}",
        ran.out
    );
    let json = lab(&["conform", "--json", &good, &bad]).json();
    assert_eq!(
        (&json["passed"], &json["failed"], &json["skipped"]),
        (&1.into(), &1.into(), &2.into())
    );
    assert_eq!(json["kinds"]["sum"]["failed"], 1);

    // What is held over all rows of a kind: one pair in each file.
    assert!(ran.out.contains("over all rows 1 of 1 hold"), "{}", ran.out);
    let many = lab(&["conform", &good, &good, &good]);
    assert_eq!(many.code, 1);
    for word in [
        "sum/pair",
        "pairs",
        "at most 2",
        "DOES NOT HOLD",
        "3 passed, 0 failed, 6 skipped; over all rows 0 of 1 hold",
    ] {
        assert!(many.out.contains(word), "no `{word}` in\n{}", many.out);
    }
    let json = lab(&["conform", "--json", &good, &good, &good]);
    assert_eq!(json.code, 1);
    let json = json.json();
    assert_eq!((&json["failed"], &json["not_held"]), (&0.into(), &1.into()));
    assert_eq!(json["held"]["sum/pair"][0]["measured"], "3");
    assert_eq!(json["held"]["sum/pair"][0]["holds"], false);

    let torn = file(
        "torn.jsonl",
        "{\"kind\":\"sum\",\"of\":[1],\"is\":1}\n{\"kind\":\n",
    );
    let ran = lab(&["conform", &torn]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("torn.jsonl:2: not a line of JSON"),
        "{}",
        ran.err
    );
    let unknown = lab(&["conform", &file("u.jsonl", "{\"kind\":\"product\"}\n")]);
    assert!(
        unknown.out.contains("nothing was checked"),
        "{}",
        unknown.out
    );
}
