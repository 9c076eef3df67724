//! Every row of the known answers passes.

use lexio::golden::{Outcome, check_row};
use serde_json::{Value, json};

fn rows(text: &str) -> Vec<Value> {
    let lines = text.lines().filter(|line| !line.is_empty());
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Everything but the header passes.
fn all_pass(text: &str, expected: usize) {
    let mut passed = 0;
    for (line, row) in rows(text).iter().enumerate() {
        match check_row(row) {
            Outcome::Pass => passed += 1,
            Outcome::Skip(why) => assert_eq!((line, why.as_str()), (0, "a header")),
            Outcome::Fail(why) => panic!("line {}: {why}\n{row}", line + 1),
        }
    }
    assert_eq!(passed, expected);
}

#[test]
fn combinations() {
    all_pass(include_str!("data/lexio_combos.jsonl"), 352);
}

#[test]
fn comparison() {
    all_pass(include_str!("data/lexio_compare.jsonl"), 353);
}

#[test]
fn settlement() {
    all_pass(include_str!("data/lexio_settle.jsonl"), 50);
}

#[test]
fn answer_probabilities() {
    all_pass(include_str!("data/lexio_prob.jsonl"), 300);
}

/// A wrong value of an answer probability is noticed, in every field that states one.
#[test]
fn every_field_of_an_answer_probability_is_checked() {
    for row in rows(include_str!("data/lexio_prob.jsonl"))
        .iter()
        .skip(1)
        .step_by(7)
    {
        let first = row["eligible"].as_array().unwrap().iter();
        let first = first.clone().position(|may| may == true).unwrap_or(0);
        for (field, wrong) in [
            (
                "num",
                json!(row["num"].as_f64().unwrap() + 0.01 * row["den"].as_f64().unwrap()),
            ),
            ("p", json!(row["p"].as_f64().unwrap() + 1e-9)),
            ("allocations", json!("12345")),
            (
                "beating_combos",
                json!(row["beating_combos"].as_i64().unwrap() + 1),
            ),
            ("target_category", json!("nothing")),
        ] {
            let mut row = row.clone();
            row[field] = wrong;
            let Outcome::Fail(message) = check_row(&row) else {
                panic!("a wrong `{field}` goes unnoticed: {row}");
            };
            assert!(message.contains(field), "{field}: {message}");
        }
        let mut marginal = row.clone();
        marginal["per_seat"][first] = json!("1/7");
        assert!(matches!(check_row(&marginal), Outcome::Fail(m) if m.contains("per_seat")));
        for name in ["indep_marginal", "indep_count", "sum_count"] {
            let mut row = row.clone();
            row["approx"][name] = json!(row["approx"][name].as_f64().unwrap() + 2e-6);
            assert!(matches!(check_row(&row), Outcome::Fail(m) if m.contains(name)));
        }
    }
}

/// Changing any expected value of a row makes it fail, with the name of the field.
#[test]
fn every_expected_field_is_checked() {
    let files = [
        include_str!("data/lexio_combos.jsonl"),
        include_str!("data/lexio_compare.jsonl"),
        include_str!("data/lexio_settle.jsonl"),
    ];
    let inputs = [
        "kind",
        "players",
        "hand",
        "field",
        "pool",
        "target",
        "a",
        "b",
        "note",
        "tiles_left",
        "twos_held",
        "numbers",
    ];
    let mut seen = std::collections::BTreeSet::new();
    for row in files.iter().flat_map(|text| rows(text).into_iter().skip(1)) {
        for (key, value) in row.as_object().unwrap() {
            let changed = match value {
                _ if inputs.contains(&key.as_str()) => continue,
                Value::Number(n) => json!(n.as_i64().unwrap() + 2),
                Value::Null => json!(1),
                Value::String(_) => json!("nothing"),
                Value::Array(list) => json!(list[..list.len().saturating_sub(1)]),
                Value::Object(map) => {
                    let mut map = map.clone();
                    let (_, first) = map.iter_mut().next().unwrap();
                    *first = json!(first.as_i64().unwrap() + 1);
                    Value::Object(map)
                }
                Value::Bool(b) => json!(!b),
            };
            if &changed == value {
                continue;
            }
            let mut row = row.clone();
            row[key] = changed;
            let Outcome::Fail(message) = check_row(&row) else {
                panic!("a wrong `{key}` goes unnoticed: {row}");
            };
            assert!(message.contains(key.as_str()), "{key}: {message}");
            seen.insert(key.clone());
        }
    }
    let fields = [
        "b_beats_a",
        "beaters",
        "cat_a",
        "cat_b",
        "count",
        "counts",
        "effective",
        "field_category",
        "net_difference",
        "net_payer_multiplier",
        "net_winner_only",
        "replies",
        "straights",
        "target_category",
        "total",
        "total_no_low",
        "total_top12",
    ];
    assert!(seen.iter().map(String::as_str).eq(fields), "{seen:?}");
}

#[test]
fn what_cannot_be_read_fails_and_what_is_not_ours_is_skipped() {
    for row in [
        json!({}),
        json!({"kind": 3}),
        json!({"kind": "lexio/compare", "players": 5}),
        json!({"kind": "lexio/someone_can_beat"}),
        json!({"kind": "lexio/compare", "players": 9, "a": [], "b": []}),
        json!({"kind": "lexio/not_a_straight", "players": 5, "numbers": [3, 4, 5, 6, 7]}),
        json!({"kind": "lexio/not_a_straight", "players": 5, "numbers": [3, 4, 5, 6]}),
        json!({"kind": "lexio/settle", "players": 3, "tiles_left": [-1, 0, 0], "twos_held": [0, 0, 0]}),
        json!({"kind": "bigtwo/compare", "use": true, "a": ["3C", "5D"], "b": ["4C"]}),
    ] {
        assert!(matches!(check_row(&row), Outcome::Fail(_)), "{row}");
    }
    for row in [
        json!({"kind": "header"}),
        json!({"kind": "pig/position"}),
        json!({"kind": "bigtwo/compare", "use": false}),
    ] {
        assert!(matches!(check_row(&row), Outcome::Skip(_)), "{row}");
    }
}
