//! Known answers of the official simulator (Digital Curling 3): every fourth row of single stones, every
//! third of collisions, every second of aiming, seven rows of noise.

use curling::golden::{Held, Outcome, check_all, check_row};
use serde_json::{Value, json};

fn rows(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a row of JSON"))
        .collect()
}

fn traj() -> Vec<Value> {
    rows(include_str!("data/traj.jsonl"))
}

fn collisions() -> Vec<Value> {
    rows(include_str!("data/collisions.jsonl"))
}

fn inverse() -> Vec<Value> {
    rows(include_str!("data/inverse.jsonl"))
}

fn noise() -> Vec<Value> {
    rows(include_str!("data/noise.jsonl"))
}

fn every_row_passes(rows: &[Value]) {
    for row in rows {
        assert_eq!(check_row(row), Outcome::Pass, "row {}", row["id"]);
    }
}

fn all_hold(held: &[Held]) {
    assert!(!held.is_empty());
    let broken: Vec<_> = held.iter().filter(|h| !h.holds).collect();
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn a_single_stone_follows_the_path_of_the_official_simulator() {
    every_row_passes(&traj());
    all_hold(&check_all("curling/traj", &traj()));
}

#[test]
fn stones_that_meet_end_where_they_do_in_the_official_simulator() {
    every_row_passes(&collisions());
    all_hold(&check_all("curling/collisions", &collisions()));
}

#[test]
fn a_shot_aimed_at_a_target_gets_there() {
    every_row_passes(&inverse());
    all_hold(&check_all("curling/inverse", &inverse()));
}

#[test]
fn noise_spreads_shots_as_in_the_official_simulator() {
    every_row_passes(&noise());
    all_hold(&check_all("curling/noise", &noise()));
}

/// Puts `value` at a pointer and hopes that the row fails.
fn fails_with(mut row: Value, pointer: &str, value: Value) {
    *row.pointer_mut(pointer).expect("a field of the row") = value;
    let outcome = check_row(&row);
    assert!(
        matches!(outcome, Outcome::Fail(_)),
        "{pointer}: {outcome:?}"
    );
}

#[test]
fn a_wrong_answer_fails() {
    let row = traj().swap_remove(0);
    let y = row["final"][1].as_f64().unwrap();
    fails_with(row.clone(), "/final/1", json!(y + 1.5e-5));
    fails_with(row.clone(), "/path/4/1", json!(9.0));
    fails_with(row.clone(), "/out_of_sheet", json!("back"));
    fails_with(row, "/t_lin_stop", json!(1.0));
    let all = collisions();
    let apart = |n| all.iter().find(|r| r["n_contacts"] == n).unwrap().clone();
    let row = apart(0);
    fails_with(row.clone(), "/n_contacts", json!(1));
    fails_with(row, "/removed", json!({"x": 1}));
    let row = apart(1);
    let jn = row["first"]["jn"].as_f64().unwrap();
    fails_with(row.clone(), "/first/jn", json!(jn + 0.01));
    fails_with(row.clone(), "/first/a_post/2", json!(7.0));
    fails_with(row, "/n_contacts", json!(0));
    let row = inverse().swap_remove(0);
    fails_with(row.clone(), "/residual_m", json!(0.5));
    fails_with(row, "/v0/1", json!(2.9));
    fails_with(noise().swap_remove(0), "/noise_free/0/1", json!(38.0));
}

#[test]
fn bad_rows_are_told_not_panicked_at() {
    for kind in ["traj", "collisions", "inverse", "noise"] {
        let row = json!({"kind": format!("curling/{kind}")});
        assert!(matches!(check_row(&row), Outcome::Fail(_)));
        let held = check_all(&format!("curling/{kind}"), &[row]);
        assert!(held.iter().any(|h| !h.holds), "{kind}");
    }
    let mut row = collisions().swap_remove(0);
    row["shooter"] = json!(99);
    assert!(matches!(check_row(&row), Outcome::Fail(_)));
    row["shooter"] = json!(3);
    row["before"] = json!([]);
    assert!(matches!(check_row(&row), Outcome::Fail(_)));
    assert!(matches!(
        check_row(&json!({"kind": "header"})),
        Outcome::Skip(_)
    ));
    assert!(matches!(
        check_row(&json!({"kind": "chess/perft"})),
        Outcome::Skip(_)
    ));
    assert!(matches!(check_row(&json!(3)), Outcome::Fail(_)));
}

/// Neither a spread of one shot nor hours of work.
#[test]
fn a_row_asks_for_a_sensible_number_of_executions() {
    for samples in [json!(0), json!(1), json!(1_000_001), json!(-5), json!(2.5)] {
        let mut row = noise().swap_remove(0);
        row["samples"] = samples;
        let Outcome::Fail(why) = check_row(&row) else {
            panic!("{} passes", row["samples"]);
        };
        assert!(why.contains("`samples`: expected 2 to 1000000"), "{why}");
    }
}

#[test]
fn too_few_rows_hold_nothing() {
    for kind in [
        "curling/traj",
        "curling/collisions",
        "curling/inverse",
        "curling/noise",
    ] {
        assert!(check_all(kind, &[]).iter().all(|h| !h.holds), "{kind}");
    }
}
