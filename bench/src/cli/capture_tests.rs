//! `capture` and `replay` where every difference and its cost are known.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::testing::{lab, lab_on, registry};

/// `slip` against `sound`, at a table of `bold`s, played on by `sound`.
const SLIPS: &str = "capture --game kuhn-poker --a slip --b sound --others bold --seeds 60";

fn capture(more: &str) -> Value {
    let ran = lab(&format!("{SLIPS} --json {more}"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.json()
}

fn captured(dir: &Path, more: &str) -> Vec<String> {
    let index = capture(&format!("--out {} {more}", dir.display()));
    let files = index["positions"].as_array().unwrap().iter();
    files
        .map(|p| format!("{}/{}", dir.display(), p["file"].as_str().unwrap()))
        .collect()
}

fn read(path: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn costs(index: &Value) -> Vec<(String, f64)> {
    let positions = index["positions"].as_array().unwrap().iter();
    positions
        .map(|p| {
            let cost = p["cost"]["mean"].as_f64().unwrap();
            (p["a"].as_str().unwrap().to_string(), cost)
        })
        .collect()
}

/// D3.16: identical agents never differ.
#[test]
fn identical_agents_have_no_divergence() {
    for agent in [
        "sound",
        "equilibrium",
        "random",
        "ismcts(sims=30)",
        "broken",
    ] {
        let command = format!(
            "capture --game kuhn-poker --a {agent} --b {agent} --seeds 20 --continue 2 --sort cost --json"
        );
        let ran = lab(&command);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let index = ran.json();
        assert!(
            index["totals"]["decisions"].as_u64().unwrap() > 30,
            "{index}"
        );
        assert_eq!(index["totals"]["differed"], 0, "{agent}");
        assert_eq!(index["positions"], json!([]));
    }
    let pig = lab("capture --game pig --a hold20 --b hold(at=20) --seeds 3 --json");
    assert_eq!(pig.json()["totals"]["differed"], 0);
}

/// D3.16: a planted better move is found, and what it is worth. A king that folds to a bet gives up 3:
/// it would have won 2 and loses 1. A jack that bets wins 1 where the queen folds and checking loses 1, and
/// loses 2 where the king calls and checking loses 1.
#[test]
fn the_cost_of_a_planted_slip_is_what_it_must_be() {
    let index = capture("--keep 1000 --sort cost --continue 3 --by sound");
    let costs = costs(&index);
    let count = |action: &str, cost: f64| {
        let same = |c: &&(String, f64)| c.0 == action && c.1 == cost;
        costs.iter().filter(same).count()
    };
    let (kings, calls, folds) = (count("fold", 3.0), count("bet", 1.0), count("bet", -2.0));
    assert!(kings > 5 && calls > 3 && folds > 3, "{costs:?}");
    assert_eq!(kings + calls + folds, costs.len());
    assert_eq!(index["totals"]["differed"], costs.len());
    assert!(costs.windows(2).all(|w| w[0].1 >= w[1].1), "worst first");
    let mean = (3 * kings + calls) as f64 - 2.0 * folds as f64;
    let mean = mean / costs.len() as f64;
    let said = &index["totals"]["cost"];
    assert!((said["mean"].as_f64().unwrap() - mean).abs() < 1e-12);
    assert!(said["interval"]["low"].as_f64().unwrap() < mean);
    // No luck is left in any of them: the cards stay as they were dealt.
    for position in index["positions"].as_array().unwrap() {
        assert_eq!(position["cost"]["standard_error"], 0.0);
        assert_eq!(position["cost"]["continuations"], 3);
    }
}

/// L3.8: sorted by what the round brought. Called, the jack has lost 2; the king that folded only 1.
#[test]
fn positions_are_sorted_by_the_loss_of_the_round() {
    let index = capture("--keep 1000");
    let positions = index["positions"].as_array().unwrap();
    let returns: Vec<f64> = positions
        .iter()
        .map(|p| p["round_return"].as_f64().unwrap())
        .collect();
    assert!(returns.windows(2).all(|w| w[0] <= w[1]), "{returns:?}");
    for position in positions {
        let lost = if position["a"] == "bet" { -2.0 } else { -1.0 };
        assert_eq!(position["round_return"], lost);
        assert_eq!(position["cost"], Value::Null);
    }
    // Fewer are the first of them.
    let few = capture("--keep 4");
    assert_eq!(few["positions"].as_array().unwrap()[..], positions[..4]);
    assert_eq!(few["totals"], index["totals"]);
}

#[test]
fn any_number_of_threads_writes_the_same_bytes() {
    let dirs: Vec<_> = (0..4).map(|_| tempfile::tempdir().unwrap()).collect();
    let mut all: Vec<Vec<(String, String)>> = Vec::new();
    for (dir, threads) in dirs.iter().zip([1, 2, 3, 7]) {
        let more = format!("--threads {threads} --keep 9 --sort cost --continue 2");
        captured(dir.path(), &more);
        let mut files: Vec<(String, String)> = fs::read_dir(dir.path())
            .unwrap()
            .map(|entry| {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_str().unwrap().to_string();
                (name, fs::read_to_string(path).unwrap())
            })
            .collect();
        files.sort();
        assert_eq!(files.len(), 10);
        all.push(files);
    }
    assert!(all.windows(2).all(|w| w[0] == w[1]));
}

#[test]
fn a_folder_with_something_in_it_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    captured(dir.path(), "--keep 2");
    let before = fs::read_dir(dir.path()).unwrap().count();
    let again = lab(&format!("{SLIPS} --out {}", dir.path().display()));
    assert_eq!(again.code, 2);
    assert!(again.err.contains("not empty"), "{}", again.err);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), before);
}

#[test]
fn slips_of_the_command_line_are_explained() {
    for (more, what) in [
        ("--sort cost", "--continue"),
        ("--sort luck", "loss"),
        ("--keep 0", "--keep"),
        ("--seeds 9..3", "3..9"),
        ("--others nobody", "--others"),
        ("--by nobody --continue 2", "--by"),
    ] {
        let line = SLIPS
            .replace(" --others bold", "")
            .replace(" --seeds 60", "");
        let ran = lab(&format!("{line} {more}"));
        assert_eq!(ran.code, 2, "{more}");
        assert!(ran.err.contains(what), "{more}: {}", ran.err);
    }
    let human = lab("capture --game kuhn-poker --a human --b sound --seeds 1");
    assert_eq!(human.code, 2, "{}", human.err);
}

/// A substitute decides for an agent that fails, and that is said.
#[test]
fn substitutes_are_counted_and_marked() {
    let dir = tempfile::tempdir().unwrap();
    let line = format!(
        "capture --game kuhn-poker --a broken --b bold --seeds 8 --out {}",
        dir.path().display()
    );
    let ran = lab(&line);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.out.contains("a substitute decided for a"),
        "{}",
        ran.out
    );
    let index = read(&format!("{}/index.json", dir.path().display()));
    let file = index["positions"][0]["file"].as_str().unwrap().to_string();
    let first = read(&format!("{}/{file}", dir.path().display()));
    assert_eq!(first["a_chose"]["substitute"], "failure");
    assert_eq!(first["b_chose"]["substitute"], Value::Null);
}

/// L3.9: what was captured reproduces: each file leads to the position where both agents choose what is
/// written there.
#[test]
fn captured_positions_reproduce() {
    let dir = tempfile::tempdir().unwrap();
    for file in captured(dir.path(), "--keep 6 --continue 2") {
        let shown = lab(&format!("replay {file}"));
        assert_eq!(shown.code, 0, "{}", shown.err);
        for word in [
            "verified",
            "is to move",
            "a  slip",
            "b  sound",
            "a's choice cost",
        ] {
            assert!(shown.out.contains(word), "no `{word}` in\n{}", shown.out);
        }
        let position = read(&file);
        for (agent, key, other) in [
            ("slip", "a_chose", "b_chose"),
            ("sound", "b_chose", "a_chose"),
        ] {
            let want = position[key]["action"].as_str().unwrap();
            let not = position[other]["action"].as_str().unwrap();
            assert_eq!(
                lab(&format!("replay {file} --check {agent} --want {want}")).code,
                0
            );
            let wrong = lab(&format!("replay {file} --check {agent} --want {not}"));
            assert_eq!(wrong.code, 1);
            assert!(wrong.out.contains("DOES NOT HOLD"), "{}", wrong.out);
            assert_eq!(
                lab(&format!("replay {file} --check {agent} --avoid {not}")).code,
                0
            );
            assert_eq!(
                lab(&format!("replay {file} --check {agent} --avoid {want}")).code,
                1
            );
        }
    }
}

/// L3.9: a file becomes a regression test by one field: failing before a repair, passing after it.
#[test]
fn a_file_with_what_is_wanted_is_a_regression_test() {
    let dir = tempfile::tempdir().unwrap();
    let file = captured(dir.path(), "--keep 1").remove(0);
    let nothing = lab(&format!("replay {file} --check sound"));
    assert_eq!(nothing.code, 2);
    assert!(nothing.err.contains("nothing is wanted"), "{}", nothing.err);
    let mut position = read(&file);
    position["want"] = position["b_chose"]["action"].clone();
    fs::write(&file, position.to_string()).unwrap();
    assert_eq!(lab(&format!("replay {file} --check slip")).code, 1);
    assert_eq!(lab(&format!("replay {file} --check sound")).code, 0);
    let json = lab(&format!("replay {file} --check slip --json"));
    assert_eq!(json.code, 1);
    assert_eq!(json.json()["check"]["holds"], false);
    assert_eq!(json.json()["verified"], true);
    // An agent that does not decide has not chosen, whatever the substitute played.
    let broken = lab(&format!("replay {file} --check broken"));
    assert_eq!(broken.code, 1);
    let said = "did not decide itself (failure: the budget is empty";
    assert!(broken.out.contains(said), "{}", broken.out);
    position["want"] = json!("castle");
    fs::write(&file, position.to_string()).unwrap();
    let unknown = lab(&format!("replay {file} --check sound"));
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("castle"), "{}", unknown.err);
}

/// Changed, foreign and broken files are explained, with no panic.
#[test]
fn a_file_that_was_tampered_with_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let files = captured(dir.path(), "--keep 40");
    let with_steps = files
        .iter()
        .find(|f| read(f)["steps"].as_array().unwrap().len() == 1);
    let file = with_steps.expect("a position after a bet");
    let original = read(file);
    type Tamper = fn(&mut Value);
    let cases: &[(Tamper, u8, &str)] = &[
        (|p| p["seed"] = json!(123_456), 1, "does not replay"),
        (
            |p| p["seen"] = json!("0000000000000000"),
            1,
            "at the position",
        ),
        (
            |p| p["observation"] = json!("player=1"),
            1,
            "at the position",
        ),
        (
            |p| p["steps"][0]["seen"] = json!("0"),
            1,
            "not what they saw then",
        ),
        (|p| p["steps"][0]["action"] = json!("castle"), 1, "castle"),
        (|p| p["steps"][0]["action"] = json!("check"), 1, ""),
        (|p| p["steps"][0]["seat"] = json!(1), 1, "seat 0 is to move"),
        (|p| p["steps"][0]["seat"] = json!(usize::MAX), 1, "seat"),
        (|p| p["steps"][0]["round"] = json!(7), 1, "round"),
        (
            |p| p["steps"][0] = json!({"kind": "chance", "round": 0, "outcome": "6", "seen": p["steps"][0]["seen"]}),
            1,
            "chance is in the file",
        ),
        (|p| p["steps"] = json!([]), 1, "the turns lead to"),
        (
            |p| {
                let step = p["steps"][0].clone();
                p["steps"].as_array_mut().unwrap().push(step);
            },
            1,
            "seat 1 is to move",
        ),
        (|p| p["ply"] = json!(5), 1, "the turns lead to"),
        (|p| p["seat"] = json!(0), 1, "the turns lead to"),
        (|p| p["seat"] = json!(900), 1, ""),
        (|p| p["schema"] = json!(99), 2, "version 99"),
        (|p| p["extra"] = json!(1), 2, "extra"),
        (|p| p["steps"][0]["extra"] = json!(1), 2, "extra"),
        (|p| p["kind"] = json!("captures"), 2, "list of a capture"),
        (|p| p["kind"] = json!("recipe"), 2, "`recipe`"),
        (|p| p["game"] = json!("chess"), 2, "chess"),
        (|p| p["game"] = json!("pig"), 2, "other rules"),
        (|p| p["options"] = json!({"cards": 5}), 2, "other rules"),
        (
            |p| drop(p.as_object_mut().unwrap().remove("round_return")),
            2,
            "round_return",
        ),
        (|p| *p = json!([1, 2]), 2, "kind"),
    ];
    let path = dir.path().join("tampered.json");
    for (i, (tamper, code, what)) in cases.iter().enumerate() {
        let mut position = original.clone();
        tamper(&mut position);
        fs::write(&path, position.to_string()).unwrap();
        let ran = lab(&format!("replay {}", path.display()));
        assert_eq!(ran.code, *code, "case {i}: {}{}", ran.out, ran.err);
        assert!(
            ran.err.contains(what),
            "case {i}: no `{what}` in {}",
            ran.err
        );
    }
    let text = original.to_string();
    for cut in [0, 1, text.len() / 2, text.len() - 1] {
        fs::write(&path, &text[..cut]).unwrap();
        let ran = lab(&format!("replay {}", path.display()));
        assert_eq!(ran.code, 2, "{cut}: {}", ran.err);
        assert!(ran.err.contains("not JSON"), "{}", ran.err);
    }
    assert_eq!(lab("replay there/is/no/such/file").code, 2);
}

/// Changed rules are noticed: what the players see is not what they saw.
#[test]
fn a_file_of_other_options_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("match.jsonl");
    let path = file.display();
    let played = lab(&format!(
        "play --game pig(target=30) --agents hold20 --seed 3 --record {path}"
    ));
    assert_eq!(played.code, 0, "{}", played.err);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("pig(target=30)", "pig(target=40)")).unwrap();
    let ran = lab(&format!("replay {path}"));
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("other rules"), "{}", ran.err);
}

#[test]
fn a_recorded_match_replays_with_its_chance_events() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("match.jsonl");
    let path = file.display();
    let play = lab(&format!(
        "play --game pig --agents hold20,random --seed 3 --record {path}"
    ));
    assert_eq!(play.code, 0, "{}", play.err);
    let shown = lab(&format!("replay {path}"));
    assert_eq!(shown.code, 0, "{}", shown.err);
    let score = |text: &str| {
        text.lines()
            .find(|l| l.starts_with("score"))
            .map(String::from)
    };
    assert!(score(&play.out).is_some());
    assert_eq!(score(&play.out), score(&shown.out));
    let turns = fs::read_to_string(&file).unwrap();
    let turns = turns
        .lines()
        .filter(|l| l.contains("\"seen\"") && !l.contains("round_end"));
    let turns = turns.count();
    assert!(
        shown.out.contains(&format!("verified   {turns} turns")),
        "{}",
        shown.out
    );
    let late = lab(&format!("replay {path} --from {} --pictures", turns - 2));
    assert!(late.code == 0 && late.out.len() < shown.out.len());
    assert!(!late.out.contains("\n   0  "), "{}", late.out);
    assert_eq!(lab(&format!("replay {path} --from {}", turns + 1)).code, 2);
    assert_eq!(lab(&format!("replay {path} --as-seen-by 2")).code, 2);
    // What is hidden from a seat would all be in the object.
    assert_eq!(lab(&format!("replay {path} --as-seen-by 1 --json")).code, 2);
    assert_eq!(
        lab(&format!("replay {path} --check hold20 --want hold")).code,
        2
    );
    let json = lab(&format!("replay {path} --json")).json();
    assert_eq!(json["turns"], turns);
    assert_eq!(json["kind"], "match");
    // Loaded dice.
    let text = fs::read_to_string(&file).unwrap();
    let line = text
        .lines()
        .find(|l| l.contains("\"kind\":\"chance\""))
        .unwrap();
    let mut event: Value = serde_json::from_str(line).unwrap();
    event["outcome"] = json!(if event["outcome"] == "6" { "5" } else { "6" });
    fs::write(&file, text.replacen(line, &event.to_string(), 1)).unwrap();
    let loaded = lab(&format!("replay {path}"));
    assert_eq!(loaded.code, 1);
    assert!(loaded.err.contains("chance draws"), "{}", loaded.err);
}

#[test]
fn a_record_is_read_to_its_last_whole_line() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("match.jsonl");
    let path = file.display().to_string();
    lab(&format!(
        "play --game pig --agents hold20 --seed 3 --record {path}"
    ));
    let text = fs::read_to_string(&file).unwrap();
    // Killed in the middle of a line, and between two.
    let end = text.find("match_end").unwrap();
    for cut in [end / 2, text[..end / 2].rfind('\n').unwrap() + 1] {
        fs::write(&file, &text[..cut]).unwrap();
        let ran = lab(&format!("replay {path}"));
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.out.contains("was interrupted"), "{}", ran.out);
    }
    for (from, to, what) in [
        ("\"schema\":2", "\"schema\":1", "version 1"),
        ("\"kind\":\"match\"", "\"kind\":\"game\"", "`game`"),
        ("\"kind\":\"decision\"", "\"kind\":\"decree\"", "line 3"),
        ("\"seed\":3", "\"seed\":3,\"extra\":1", "extra"),
    ] {
        fs::write(&file, text.replacen(from, to, 1)).unwrap();
        let ran = lab(&format!("replay {path}"));
        assert_eq!(ran.code, 2, "{to}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains(what), "{to}: {}", ran.err);
    }
    // Another score than the game's.
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    let mut last: Value = serde_json::from_str(lines.last().unwrap()).unwrap();
    last["result"]["scores"] = json!([9.0, 9.0]);
    *lines.last_mut().unwrap() = last.to_string();
    fs::write(&file, lines.join("\n") + "\n").unwrap();
    let ran = lab(&format!("replay {path}"));
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(ran.err.contains("the score is"), "{}", ran.err);
}

/// What a seat is not shown in a match it is not shown in the replay.
#[test]
fn one_seat_sees_its_own_cards_only() {
    let dir = tempfile::tempdir().unwrap();
    let file = captured(dir.path(), "--keep 1").remove(0);
    let all = lab(&format!("replay {file}")).out;
    assert!(
        all.contains("seat 0 sees") && all.contains("seat 1 sees"),
        "{all}"
    );
    let seat = read(&file)["seat"].as_u64().unwrap();
    let other = lab(&format!(
        "replay {file} --as-seen-by {} --pictures",
        1 - seat
    ))
    .out;
    assert!(
        !other.contains("sees") && !other.contains("a  slip"),
        "{other}"
    );
    let own = lab(&format!("replay {file} --as-seen-by {seat}")).out;
    assert!(!own.contains("sees") && own.contains("a  slip"), "{own}");
}

#[test]
fn the_examples_of_the_help_work_as_printed() {
    let dir = tempfile::tempdir().unwrap();
    let record = dir.path().join("match.jsonl").display().to_string();
    for verb in ["capture", "replay"] {
        let help = lab(&format!("{verb} --help"));
        assert_eq!(help.code, 0);
        let examples = help.out.split("Example:\n").nth(1).unwrap().trim();
        for line in examples.lines() {
            let line = line.replace("match.jsonl", &record);
            let words: Vec<&str> = line.split_whitespace().skip(1).collect();
            let ran = lab_on(&registry(), &words);
            assert_eq!(ran.code, 0, "{line}: {}", ran.err);
        }
    }
}
