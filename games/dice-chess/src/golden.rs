//! Known answers: rows of JSON against this implementation.

mod equity;
mod row;
mod rules;
mod text;
mod values;

use serde_json::Value;

pub use search_core::plugin::Outcome;

/// A row that fails or cannot be read.
type Checked = Result<(), String>;

/// Checks one row of a file of known answers, by its `kind`.
#[must_use]
pub fn check_row(row: &Value) -> Outcome {
    let kind = match row.get("kind").and_then(Value::as_str) {
        None => return Outcome::Fail("field `kind` is missing or not a text".to_owned()),
        Some("header") => return Outcome::Skip("a header".to_owned()),
        Some(kind) => kind,
    };
    let checked = match kind.strip_prefix("dice-chess/") {
        Some("fen_roundtrip") => text::roundtrip(row),
        Some("fen_reject") => text::reject(row),
        Some("normalized_fen") => text::normalized(row),
        Some("dice_weights") => rules::dice_weights(row),
        Some("make_move") => rules::make_move(row),
        Some("apply_turn") => rules::apply_turn(row),
        Some("game_replay") => rules::game_replay(row),
        Some("legal_turns") => rules::legal_turns(row),
        Some("legal_first_moves") => rules::legal_first_moves(row),
        Some("iterated_filter_trap") => rules::iterated_filter_trap(row),
        Some("roll_table") => rules::roll_table(row),
        Some("perft") => rules::perft(row),
        Some("king_capture_probability") => values::king_capture(row),
        Some("king_capture_probability_published") => values::king_capture_published(row),
        Some("optimal_value_kk") => values::optimal_value_kk(row),
        Some("equity_exact_random_play") => equity::exact(row),
        Some("equity_mc_random_play") => equity::sampled(row),
        Some("chance_node_material") => values::chance_node_material(row),
        _ => return Outcome::Skip(format!("`{kind}` is not a kind of this game")),
    };
    match checked {
        Ok(()) => Outcome::Pass,
        Err(why) => Outcome::Fail(why),
    }
}
