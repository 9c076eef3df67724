//! Moves, turns and what they lead to (R2 to R11).

use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

use super::Checked;
use super::row::{dice, expect, field, integer, list, pool, position, text, texts};
use crate::dfen::dice_field;
use crate::dice::{Pool, Roll, face};
use crate::game::DiceChess;
use crate::micro_move::MicroMove;
use crate::options::DrawPolicy;
use crate::position::{Outcome, Phase, Position};
use crate::turns::{count_turns, legal_turns as all_turns};
use cozy_chess::{Color, Piece, Square};
use search_core::game::Game;

pub(super) fn dice_weights(row: &Value) -> Checked {
    let expected = field(row, "expected")?;
    expect(
        "multisets",
        &integer(expected, "multisets")?,
        &(Roll::COUNT as u64),
    )?;
    let total: u32 = Roll::all().map(Roll::weight).sum();
    expect("total", &integer(expected, "total")?, &u64::from(total))?;
    for (name, different) in [("AAA", 1), ("AAB", 2), ("ABC", 3)] {
        let of_kind: Vec<Roll> = Roll::all()
            .filter(|r| r.pool().faces().count() == different)
            .collect();
        let weight = of_kind.first().map_or(0, |r| r.weight());
        let pair = serde_json::json!([of_kind.len(), weight]);
        expect(name, field(expected, name)?, &pair)?;
        if of_kind.iter().any(|r| r.weight() != weight) {
            return Err(format!("{name}: weights differ"));
        }
    }
    Ok(())
}

fn parse_move(text: &str) -> Result<MicroMove, String> {
    text.parse()
        .map_err(|e: crate::micro_move::MoveError| e.to_string())
}

/// The first moves of every legal turn, as text, sorted; castling included.
fn first_moves(position: &Position, pool: Pool) -> BTreeSet<String> {
    let turns = all_turns(&position.board, position.side, pool);
    let firsts = turns.iter().filter_map(|t| t.moves.iter().next());
    firsts.map(|mv| mv.to_string()).collect()
}

/// The legal actions that the game offers, which must be the first moves of the legal turns.
fn offered(position: &Position, pool: Pool) -> BTreeSet<String> {
    let mut actions = Vec::new();
    DiceChess::default().legal_actions(&position.with_pool(pool), &mut actions);
    actions.iter().map(MicroMove::to_string).collect()
}

pub(super) fn legal_first_moves(row: &Value) -> Checked {
    let (position, pool) = (position(row)?, dice(row)?);
    let expected: BTreeSet<String> = texts(row, "expected")?.into_iter().collect();
    expect("first moves", &expected, &first_moves(&position, pool))?;
    expect("legal actions", &expected, &offered(&position, pool))
}

pub(super) fn legal_turns(row: &Value) -> Checked {
    let (position, pool) = (position(row)?, dice(row)?);
    let expected = field(row, "expected")?;
    let counts = count_turns(&position.board, position.side, pool);
    expect("turns", &integer(expected, "turns")?, &counts.turns)?;
    expect(
        "king_capture_turns",
        &integer(expected, "king_capture_turns")?,
        &counts.king_captures,
    )?;
    expect(
        "dice_used",
        &integer(expected, "dice_used")?,
        &u64::from(counts.dice),
    )?;
    expect(
        "distinct_results",
        &integer(expected, "distinct_results")?,
        &counts.results,
    )?;
    let mut turns: Vec<String> = all_turns(&position.board, position.side, pool)
        .iter()
        .map(|t| t.moves.to_string())
        .collect();
    turns.sort_unstable();
    let digest = Sha256::digest(turns.join("\n").as_bytes());
    let hex: String = digest[..8].iter().map(|b| format!("{b:02x}")).collect();
    expect("sha256_16", &text(expected, "sha256_16")?, &hex.as_str())?;
    if expected.get("list").is_some_and(Value::is_array) {
        expect("list", &texts(expected, "list")?, &turns)?;
    }
    let firsts: BTreeSet<String> = texts(expected, "first_moves")?.into_iter().collect();
    expect("first_moves", &firsts, &first_moves(&position, pool))?;
    expect("legal actions", &firsts, &offered(&position, pool))
}

/// Every turn that can be played by legal actions, one micro-move after another.
fn playable(position: &Position, pool: Pool) -> BTreeSet<String> {
    fn go(game: &DiceChess, state: &Position, path: &str, out: &mut BTreeSet<String>) {
        let mut actions = Vec::new();
        game.legal_actions(state, &mut actions);
        for action in actions {
            let mut next = *state;
            game.apply(&mut next, action);
            let path = format!("{path} {action}");
            if next.side == state.side && matches!(next.phase, Phase::Spend(_)) {
                go(game, &next, &path, out);
            } else {
                out.insert(path.trim().to_owned());
            }
        }
    }
    let mut out = BTreeSet::new();
    go(
        &DiceChess::default(),
        &position.with_pool(pool),
        "",
        &mut out,
    );
    out
}

pub(super) fn iterated_filter_trap(row: &Value) -> Checked {
    let (position, pool) = (position(row)?, dice(row)?);
    let expected = field(row, "expected")?;
    let turns = playable(&position, pool);
    expect("turns", &integer(expected, "turns")?, &(turns.len() as u64))?;
    let list: BTreeSet<String> = texts(expected, "list")?.into_iter().collect();
    expect("list", &list, &turns)?;
    let illegal = texts(row, "illegal_turns_a_per_micro_move_filter_would_allow")?;
    match illegal.iter().find(|t| turns.contains(*t)) {
        Some(turn) => Err(format!("`{turn}` should be illegal")),
        None => Ok(()),
    }
}

pub(super) fn roll_table(row: &Value) -> Checked {
    let position = position(row)?;
    let expected = field(row, "expected")?;
    let (mut weighted, mut passes, mut captures) = (0, 0, 0);
    let mut rows = Vec::new();
    for roll in Roll::all() {
        let counts = count_turns(&position.board, position.side, roll.pool());
        let weight = u64::from(roll.weight());
        weighted += weight * counts.turns;
        passes += weight * u64::from(counts.turns == 0);
        captures += weight * u64::from(counts.king_captures > 0);
        rows.push(serde_json::json!([
            dice_field(roll.pool(), position.side),
            roll.weight(),
            counts.turns,
            counts.king_captures,
            counts.dice
        ]));
    }
    expect(
        "weighted_turns",
        &integer(expected, "weighted_turns")?,
        &weighted,
    )?;
    expect(
        "pass_rolls_of_216",
        &integer(expected, "pass_rolls_of_216")?,
        &passes,
    )?;
    expect(
        "king_capture_rolls_of_216",
        &integer(expected, "king_capture_rolls_of_216")?,
        &captures,
    )?;
    for (wanted, got) in list(expected, "rows")?.iter().zip(&rows) {
        expect("roll", wanted, got)?;
    }
    expect("rolls", &list(expected, "rows")?.len(), &rows.len())
}

/// One micro-move of the die a ply, then the other side with the same die.
fn perft_count(position: &Position, die: Piece, depth: u64) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    position.board.any_move(position.side, die, |mv| {
        let mut next = *position;
        next.board.play(next.side, die, mv);
        next.end_turn(DrawPolicy::NONE);
        count += perft_count(&next, die, depth - 1);
        false
    });
    count
}

pub(super) fn perft(row: &Value) -> Checked {
    let position = position(row)?;
    let die = text(row, "dice")?.chars().next().and_then(face);
    let die = die.ok_or("field `dice` is not a die")?;
    let count = perft_count(&position, die, integer(row, "depth")?);
    expect("perft", &integer(row, "expected")?, &count)
}

pub(super) fn make_move(row: &Value) -> Checked {
    let mut position = position(row)?;
    let before = position.side;
    let teleport = field(row, "expected")?.get("teleport").is_some();
    for mv in texts(row, "moves")? {
        let mv = parse_move(&mv)?;
        if !teleport {
            check_pseudo_legal(&position, mv)?;
        }
        position.play(mv, DrawPolicy::NONE);
    }
    let expected = field(row, "expected")?;
    let Some(expected) = expected.as_object() else {
        return Err("field `expected` is not an object".to_owned());
    };
    for (name, value) in expected {
        let wanted = value.as_str().unwrap_or_default();
        match name.as_str() {
            "teleport" => {}
            "pieces" => check_pieces(&position, value)?,
            "ep" => expect(name, &wanted, &fields(&position)[3].as_str())?,
            "active" => expect(name, &wanted, &side_letter(before))?,
            "halfmove" => expect(name, &value.as_u64(), &Some(u64::from(position.half_move)))?,
            "castling_has" | "castling_has_not" => {
                let held = fields(&position)[2].contains(wanted);
                expect(name, &(name == "castling_has"), &held)?;
            }
            "dice" => expect(
                name,
                &wanted,
                &dice_field(position.pool, position.side).as_str(),
            )?,
            other => return Err(format!("`expected.{other}` is not known")),
        }
    }
    Ok(())
}

fn check_pseudo_legal(position: &Position, mv: MicroMove) -> Checked {
    let die = position.board.piece_at(mv.from());
    let die = die.ok_or_else(|| format!("{mv} moves nothing"))?;
    let castles = position.board.castles(position.side, die, mv).is_some();
    if castles || position.board.any_move(position.side, die, |m| m == mv) {
        return Ok(());
    }
    Err(format!("{mv} is not a move of the pieces' rules here"))
}

const fn side_letter(side: Color) -> &'static str {
    match side {
        Color::White => "w",
        Color::Black => "b",
    }
}

fn fields(position: &Position) -> Vec<String> {
    let dfen = position.to_string();
    dfen.split(' ').map(str::to_owned).collect()
}

fn check_pieces(position: &Position, expected: &Value) -> Checked {
    let Some(squares) = expected.as_object() else {
        return Err("`pieces` is not an object".to_owned());
    };
    for (square, piece) in squares {
        let at: Square = square.parse().map_err(|_| format!("`{square}`?"))?;
        let got = match position.board.at(at) {
            None => String::new(),
            Some((Color::White, p)) => crate::dice::letter(p).to_string(),
            Some((Color::Black, p)) => crate::dice::letter(p).to_ascii_lowercase().to_string(),
        };
        expect(square, &piece.as_str().unwrap_or("?"), &got.as_str())?;
    }
    Ok(())
}

/// Plays a turn by legal actions alone; a pass when there are none.
fn play_turn(state: &mut Position, pool: Pool, turn: &str) -> Checked {
    let game = DiceChess::default();
    let roll = Roll::of(pool).ok_or("a turn needs three dice")?;
    game.apply_chance(state, roll);
    let mut legal = Vec::new();
    for mv in turn.split_whitespace() {
        let mv = parse_move(mv)?;
        game.legal_actions(state, &mut legal);
        if !legal.contains(&mv) {
            return Err(format!("{mv} of `{turn}` is not legal in `{state}`"));
        }
        game.apply(state, mv);
    }
    match state.phase {
        Phase::Spend(still) => Err(format!("`{turn}` leaves {still} dice to spend")),
        _ => Ok(()),
    }
}

pub(super) fn apply_turn(row: &Value) -> Checked {
    let mut state = position(row)?;
    play_turn(&mut state, dice(row)?, text(row, "turn")?)?;
    expect("DFEN", &text(row, "expected")?, &state.to_string().as_str())
}

pub(super) fn game_replay(row: &Value) -> Checked {
    let mut state = position(row)?;
    let expected = field(row, "expected")?;
    for turn in list(expected, "turns")? {
        let items = turn.as_array().map_or(0, Vec::len);
        expect("dice, moves and DFEN of a turn", &3, &items)?;
        let item = |i: usize| turn.get(i).and_then(Value::as_str).unwrap_or_default();
        play_turn(&mut state, pool(item(0))?, item(1))?;
        if item(2) == "end" {
            let winner = match state.phase {
                Phase::Over(Outcome::Won(Color::White)) => "white",
                Phase::Over(Outcome::Won(Color::Black)) => "black",
                _ => "nobody",
            };
            expect("result", &text(expected, "result")?, &winner)?;
        } else {
            expect("DFEN", &item(2), &state.to_string().as_str())?;
        }
    }
    Ok(())
}
