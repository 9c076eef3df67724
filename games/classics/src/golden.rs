//! Checks rows of known answers: connect four, dice games, small games with hidden information, toy
//! trees.

mod dice;
mod extensive;

use search_core::plugin::{Outcome, Plugin};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::solve::{BackwardInduction, ConnectFourSolver, GameTree, PigSolution, pure_values};
use crate::{ConnectFour, TreeGame};

/// Before this ply the solver takes minutes.
const FIRST_PLY: u64 = 8;

/// Checks one row by its `kind`. Never panics: a malformed row is a [`Outcome::Fail`].
#[must_use]
pub fn check_row(row: &Value) -> Outcome {
    let kind = row["kind"].as_str().unwrap_or("");
    let checked = match kind {
        "connect4/position" | "connect4/hard" => connect_four(row),
        "pig/position" => pig(row),
        "toy/tree" => toy(row),
        "efg/value" => extensive::check(row),
        "ewn/start" | "ewn/position" => dice::ewn(row),
        "bearoff/position" => dice::bear_off(row),
        _ => Ok(Outcome::Skip(format!("no game for {kind} yet"))),
    };
    checked.unwrap_or_else(Outcome::Fail)
}

type Checked = Result<Outcome, String>;

fn whole(row: &Value, field: &str) -> Result<u32, String> {
    let number = row[field].as_u64().and_then(|n| u32::try_from(n).ok());
    number.ok_or_else(|| format!("{field}: expected a whole number, found {}", row[field]))
}

fn text<'a>(row: &'a Value, field: &str) -> Result<&'a str, String> {
    let text = row[field].as_str();
    text.ok_or_else(|| format!("{field}: expected a text, found {}", row[field]))
}

/// `got` must be what the row says, within `tolerance`; a field the row lacks is no question.
fn number(row: &Value, field: &str, got: Option<f64>, tolerance: f64) -> Result<(), String> {
    let expected = match &row[field] {
        Value::Null if row.get(field).is_none() => return Ok(()),
        value => value.as_f64(),
    };
    let agrees = match (expected, got) {
        (Some(e), Some(g)) => (e - g).abs() <= tolerance,
        (None, None) => true,
        _ => false,
    };
    if agrees {
        return Ok(());
    }
    Err(format!(
        "{field}: expected {}, got {got:?} (tolerance {tolerance})",
        row[field]
    ))
}

fn connect_four(row: &Value) -> Checked {
    static SOLVER: OnceLock<Mutex<ConnectFourSolver>> = OnceLock::new();
    let moves = text(row, "moves")?;
    let position = ConnectFour
        .parse_observation(moves)
        .map_err(|e| e.to_string())?;
    number(row, "ply", Some(f64::from(position.plies())), 0.0)?;
    if u64::from(position.plies()) < FIRST_PLY {
        return Ok(Outcome::Skip(format!(
            "solving before ply {FIRST_PLY} takes minutes"
        )));
    }
    let solver = SOLVER.get_or_init(Mutex::default);
    let mut solver = solver.lock().unwrap_or_else(PoisonError::into_inner);
    let score = solver.score(&position);
    number(row, "score", Some(f64::from(score)), 0.0)?;
    number(row, "wdl", Some(f64::from(score.signum())), 0.0)?;
    let got: Vec<Value> = solver
        .move_scores(&position)
        .iter()
        .map(|s| Value::from(*s))
        .collect();
    if row["move_scores"] != Value::from(got.clone()) {
        return Err(format!(
            "move_scores: expected {}, got {got:?}",
            row["move_scores"]
        ));
    }
    Ok(Outcome::Pass)
}

fn pig(row: &Value) -> Checked {
    static SOLVED: Mutex<BTreeMap<u32, PigSolution>> = Mutex::new(BTreeMap::new());
    let target = whole(row, "target")?;
    if !(2..=200).contains(&target) {
        return Err(format!("target: expected 2 to 200, found {target}"));
    }
    let (me, opp, total) = (
        whole(row, "me")?,
        whole(row, "opp")?,
        whole(row, "turn_total")?,
    );
    let mut solved = SOLVED.lock().unwrap_or_else(PoisonError::into_inner);
    let solution = solved
        .entry(target)
        .or_insert_with(|| PigSolution::new(target));
    let (roll, hold) = solution
        .action_values(me, opp, total)
        .ok_or("the game would be over there")?;
    number(row, "p_win", solution.win_probability(me, opp, total), 1e-9)?;
    number(row, "q_roll", Some(roll), 1e-9)?;
    // With nothing gathered there is nothing to hold: some files give that cell a value.
    if total > 0 {
        number(row, "q_hold", hold, 1e-9)?;
    }
    // Never to hold and to hold only at the target are one thing.
    if let Some(expected) = row["first_k_where_hold_is_optimal"].as_u64() {
        let got = solution.hold_at(me, opp).unwrap_or(target - me);
        if u64::from(got) != expected {
            return Err(format!(
                "first_k_where_hold_is_optimal: expected {expected}, got {got}"
            ));
        }
    }
    Ok(Outcome::Pass)
}

fn toy(row: &Value) -> Checked {
    let game = TreeGame::from_json(&row.to_string()).map_err(|e| e.to_string())?;
    let value = BackwardInduction::new(&game).game_value();
    let expected = row["perfect_information_value"].as_array();
    for (player, expected) in expected.into_iter().flatten().enumerate() {
        let got = value.get(player).copied().unwrap_or(f64::NAN);
        if (expected.as_f64().unwrap_or(f64::NAN) - got).abs() > 1e-12 || got.is_nan() {
            return Err(format!(
                "perfect_information_value[{player}]: expected {expected}, got {got}"
            ));
        }
    }
    let tree = GameTree::new(&game, 100_000).map_err(|e| e.to_string())?;
    if let Some(pure) = pure_values(&tree, 100_000) {
        number(row, "pure_maxmin_p0", Some(pure.max_min), 1e-12)?;
        number(row, "pure_minmax_p0", Some(pure.min_max), 1e-12)?;
    }
    Ok(Outcome::Pass)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn malformed_rows_fail_and_wrong_ones_name_the_field() {
        for row in [
            json!({"kind": "connect4/position"}),
            json!({"kind": "connect4/position", "moves": "99"}),
            json!({"kind": "pig/position", "target": 1, "me": 0, "opp": 0, "turn_total": 0}),
            json!({"kind": "pig/position", "target": 10, "me": 10, "opp": 0, "turn_total": 0}),
            json!({"kind": "toy/tree", "root": 3}),
            json!({"kind": "efg/value"}),
            json!({"kind": "ewn/start", "n": 3, "pieces": 3, "first": [0, 1], "second": [8, 7, 5]}),
            json!({"kind": "ewn/start", "n": 3, "pieces": 3, "first": [0, 1, 9], "second": [8, 7, 5]}),
            json!({"kind": "ewn/position", "n": 3, "pieces": 3, "mover": [0, 1, 3],
                "other": [8, 7, 5], "side": 2, "die": 1}),
            json!({"kind": "ewn/position", "n": 3, "pieces": 3, "mover": [0, 1, 3],
                "other": [8, 7, 5], "side": 0, "die": 4}),
            json!({"kind": "bearoff/position", "points": 7, "mover": [1], "other": [1]}),
            json!({"kind": "bearoff/position", "points": 2, "mover": [0, 0], "other": [0, 0]}),
            json!({"kind": "bearoff/position", "points": 2, "mover": [99, 0], "other": [0, -1]}),
        ] {
            assert!(matches!(check_row(&row), Outcome::Fail(_)), "{row}");
        }
        let wrong = json!({"kind": "pig/position", "target": 10, "me": 0, "opp": 0,
            "turn_total": 0, "p_win": 0.7});
        let Outcome::Fail(reason) = check_row(&wrong) else {
            panic!("{wrong}")
        };
        assert!(reason.starts_with("p_win: expected 0.7"), "{reason}");
        assert!(matches!(
            check_row(&json!({"kind": "go/start"})),
            Outcome::Skip(_)
        ));
    }
}
