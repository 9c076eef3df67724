//! Every row of the known answers passes, kind by kind.

use dice_chess::golden::{Outcome, check_row};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// How many rows of each kind there are, and are checked. A kind that is skipped so far has its
/// number in [`SKIPPED`]: move the line when it is checked.
const PASSED: [(&str, usize); 18] = [
    ("dice-chess/apply_turn", 31),
    ("dice-chess/chance_node_material", 20),
    ("dice-chess/dice_weights", 1),
    ("dice-chess/equity_exact_random_play", 17),
    ("dice-chess/equity_mc_random_play", 4),
    ("dice-chess/fen_reject", 14),
    ("dice-chess/fen_roundtrip", 192),
    ("dice-chess/game_replay", 9),
    ("dice-chess/iterated_filter_trap", 2),
    ("dice-chess/king_capture_probability", 187),
    ("dice-chess/king_capture_probability_published", 10),
    ("dice-chess/legal_first_moves", 25),
    ("dice-chess/legal_turns", 424),
    ("dice-chess/make_move", 15),
    ("dice-chess/normalized_fen", 184),
    ("dice-chess/optimal_value_kk", 8),
    ("dice-chess/perft", 11),
    ("dice-chess/roll_table", 37),
];
const SKIPPED: [(&str, usize); 1] = [("header", 1)];

fn rows() -> Vec<Value> {
    let lines = include_str!("data/dice_chess.jsonl").lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn kind(row: &Value) -> &str {
    row["kind"].as_str().unwrap()
}

#[test]
fn every_row_passes() {
    let (mut passed, mut skipped) = (BTreeMap::new(), BTreeMap::new());
    let rows = rows();
    for row in &rows {
        match check_row(row) {
            Outcome::Pass => *passed.entry(kind(row)).or_insert(0) += 1,
            Outcome::Skip(_) => *skipped.entry(kind(row)).or_insert(0) += 1,
            Outcome::Fail(why) => panic!("{}: {why}", row["id"]),
        }
    }
    assert_eq!(passed.into_iter().collect::<Vec<_>>(), PASSED);
    assert_eq!(skipped.into_iter().collect::<Vec<_>>(), SKIPPED);
}

/// What a row asks, as opposed to what it expects.
const INPUTS: [&str; 17] = [
    "kind",
    "id",
    "note",
    "tolerance",
    "position",
    "dice",
    "depth",
    "moves",
    "turn",
    "attacker",
    "columns",
    "plies",
    "horizon_turns",
    "source",
    "spec",
    "issue",
    "illegal_turns_a_per_micro_move_filter_would_allow",
];

/// A value with something in it wrong; every way to be wrong that is tried.
fn altered(value: &Value) -> Vec<Value> {
    match value {
        Value::Bool(b) => vec![json!(!b)],
        Value::Null => vec![json!(1)],
        Value::Number(n) => match n.as_u64() {
            Some(n) => vec![json!(n + 1)],
            None => vec![json!(n.as_f64().unwrap() + 0.05)],
        },
        Value::String(s) => vec![json!(format!("{s}x"))],
        Value::Array(list) => {
            let mut all: Vec<Value> = Vec::new();
            // One item too many, and each of the first and last wrong.
            let mut more = list.clone();
            more.push(json!("a1a1"));
            all.push(json!(more));
            let mut places: Vec<usize> = (0..list.len()).collect();
            places.retain(|i| *i < 2 || *i + 2 > list.len());
            for i in places {
                for wrong in altered(&list[i]) {
                    let mut list = list.clone();
                    list[i] = wrong;
                    all.push(json!(list));
                }
            }
            all
        }
        Value::Object(map) => {
            let mut all = Vec::new();
            for (key, value) in map {
                for wrong in altered(value) {
                    let mut map = map.clone();
                    map.insert(key.clone(), wrong);
                    all.push(Value::Object(map));
                }
            }
            all
        }
    }
}

/// What a row tells: of equity the correct values alone; those of the biased scheme are beside them.
fn told(kind: &str, value: &Value) -> Value {
    let mut value = value.clone();
    if let (true, Some(map)) = (kind.ends_with("random_play"), value.as_object_mut()) {
        map.retain(|name, _| name.starts_with("correct_"));
    }
    value
}

/// A row whose expected value is wrong anywhere fails. Rows are the shortest of each kind, and
/// every third: the whole would take minutes.
#[test]
fn every_kind_notices_a_wrong_answer() {
    let mut noticed: BTreeMap<String, usize> = BTreeMap::new();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for row in rows() {
        let kind = kind(&row).to_owned();
        if PASSED.iter().all(|(k, _)| *k != kind) {
            continue;
        }
        let n = seen.entry(kind.clone()).or_insert(0);
        *n += 1;
        let slow = ["roll_table", "chance_node_material", "perft", "random_play"];
        let step = if slow.iter().any(|k| kind.ends_with(k)) {
            12
        } else {
            3
        };
        if *n % step != 1 {
            continue;
        }
        for (key, value) in row.as_object().unwrap() {
            if INPUTS.contains(&key.as_str()) {
                continue;
            }
            for wrong in altered(&told(&kind, value)) {
                if kind.ends_with("fen_reject") || wrong == *value {
                    continue;
                }
                let mut row = row.clone();
                row[key] = wrong.clone();
                assert!(
                    matches!(check_row(&row), Outcome::Fail(_)),
                    "{}: a wrong `{key}` goes unnoticed: {wrong}",
                    row["id"]
                );
                *noticed.entry(kind.clone()).or_insert(0) += 1;
            }
        }
    }
    // A list of what is illegal is wrong when it holds something legal.
    let all = rows();
    let trap = all
        .iter()
        .find(|r| kind(r).ends_with("iterated_filter_trap"));
    let mut trap = trap.unwrap().clone();
    trap["illegal_turns_a_per_micro_move_filter_would_allow"] = trap["expected"]["list"].clone();
    assert!(matches!(check_row(&trap), Outcome::Fail(_)));
    // What must be refused has no other answer: a position that is fine must fail.
    let fine = json!({"kind": "dice-chess/fen_reject", "position": "k7/8/8/8/8/8/8/K7 w - -", "expected": "error"});
    assert!(matches!(check_row(&fine), Outcome::Fail(_)));
    noticed.insert("dice-chess/fen_reject".into(), 1);
    assert!(
        noticed
            .keys()
            .map(String::as_str)
            .eq(PASSED.map(|(k, _)| k)),
        "{noticed:?}"
    );
}

#[test]
fn what_cannot_be_read_fails_and_what_is_not_ours_is_skipped() {
    for row in [
        json!({}),
        json!({"kind": 3}),
        json!({"kind": "dice-chess/legal_turns"}),
        json!({"kind": "dice-chess/legal_turns", "position": "nonsense", "dice": "PNB", "expected": {}}),
        json!({"kind": "dice-chess/legal_first_moves", "position": "k7/8/8/8/8/8/8/K7 w - -", "dice": "XYZ", "expected": []}),
        json!({"kind": "dice-chess/apply_turn", "position": "k7/8/8/8/8/8/8/K7 w - -", "dice": "KKK", "turn": "a1a3", "expected": ""}),
        json!({"kind": "dice-chess/make_move", "position": "k7/8/8/8/8/8/8/K7 w - -", "moves": ["a1a3"], "expected": {}}),
        json!({"kind": "dice-chess/make_move", "position": "k7/8/8/8/8/8/8/K7 w - -", "moves": [], "expected": {"unheard": 1}}),
    ] {
        assert!(matches!(check_row(&row), Outcome::Fail(_)), "{row}");
    }
    for row in [
        json!({"kind": "header"}),
        json!({"kind": "dice-chess/something_else"}),
        json!({"kind": "pig/position"}),
    ] {
        assert!(matches!(check_row(&row), Outcome::Skip(_)), "{row}");
    }
}
