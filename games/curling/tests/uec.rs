//! The ice of UEC against shots of the original simulator.

use curling::golden::{Outcome, check_all, check_row};
use serde_json::{Value, json};

fn rows() -> Vec<Value> {
    let text = include_str!("data/uec.jsonl");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a row is JSON"))
        .collect()
}

#[test]
fn every_shot_on_an_empty_sheet_ends_where_the_original_ends() {
    let outcomes: Vec<Outcome> = rows().iter().map(check_row).collect();
    let passed = outcomes.iter().filter(|o| **o == Outcome::Pass).count();
    let failed: Vec<&Outcome> = outcomes
        .iter()
        .filter(|o| matches!(o, Outcome::Fail(_)))
        .collect();
    assert!(failed.is_empty(), "{failed:?}");
    assert_eq!(passed, 81);
}

#[test]
fn boards_and_noise_agree_as_distributions() {
    let held = check_all("curling/uec", &rows());
    assert_eq!(held.len(), 4 + 1 + 7);
    let broken: Vec<_> = held.iter().filter(|h| !h.holds).collect();
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn a_wrong_row_is_a_failure() {
    let mut draw = rows()[1].clone();
    draw["final"] = json!([0.871, 3.4001]);
    assert!(matches!(check_row(&draw), Outcome::Fail(_)));
    draw["final"] = json!([0.0, 0.0]);
    assert!(matches!(check_row(&draw), Outcome::Fail(_)));
    let mut draw = rows()[1].clone();
    draw["angle"] = json!(1);
    assert!(matches!(check_row(&draw), Outcome::Fail(_)));
}

#[test]
fn a_malformed_row_is_a_failure_and_no_panic() {
    for (field, value) in [
        ("angle", json!(2)),
        ("angle", json!("ccw")),
        ("v0", json!([1.0])),
        ("v0", json!(null)),
        ("final", json!([1.0, "x"])),
        ("shot_kind", json!("board_hit")),
    ] {
        let mut row = rows()[1].clone();
        row[field] = value;
        assert!(matches!(check_row(&row), Outcome::Fail(_)), "{row}");
        let _ = check_all("curling/uec", &[row]);
    }
    let missing = json!({"kind": "curling/uec", "shot_kind": "draw"});
    assert!(matches!(check_row(&missing), Outcome::Fail(_)));
}

/// A number of executions is taken as it is or not at all.
#[test]
fn a_row_asks_for_a_sensible_number_of_executions() {
    let noise = rows().into_iter().find(|r| r["shot_kind"] == "noise");
    let noise = noise.expect("a row of noise");
    for n in [json!(0), json!(1), json!(-5), json!(1_000_000_000_000_u64)] {
        let mut row = noise.clone();
        row["n"] = n;
        let Outcome::Fail(why) = check_row(&row) else {
            panic!("{} passes", row["n"]);
        };
        assert!(why.contains("`n`: expected 2 to 1000000"), "{why}");
    }
}
