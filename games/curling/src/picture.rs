//! The house end of the sheet drawn for a terminal.
//!
//! A cell is an eighth of a metre wide and a quarter high, so circles look round and no two stones
//! share one.

use std::fmt::Write;

use crate::board::{Board, Stone, Team};
use crate::explain::mark;
use crate::game::Curling;
use crate::geometry::{BACK_LINE, BUTTON, EIGHT_FOOT, FOUR_FOOT, HOG_LINE, HOUSE_RADIUS, TEE};
use crate::notation;
use crate::state::{Phase, State, Verdict};

const WIDE: f64 = 0.125;
const HIGH: f64 = 0.25;
/// Columns either side of the centre line: the sheet is 4.75 m wide.
const HALF: i32 = 19;
/// Rows behind the tee, to beyond the back line, and before it, to the hog line.
const BEHIND: i32 = 8;
const BEFORE: i32 = 26;

/// The sheet from the back line to the hog line, seen by the thrower, and beside it whose turn it is,
/// the points and the stones.
#[must_use]
pub fn picture(game: &Curling, state: &State) -> String {
    let mut notes = notes(game, state).into_iter();
    let mut out = String::new();
    for (row, line) in sheet(&state.board).into_iter().enumerate() {
        let _ = write!(out, " {line}");
        if let Some(note) = notes.next().filter(|n| row > 0 && !n.is_empty()) {
            let _ = write!(out, "  {note}");
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    out
}

/// The rows of the sheet from behind the house to the hog line, each between its side lines.
#[must_use]
pub fn sheet(board: &Board) -> Vec<String> {
    let mut rows: Vec<Vec<char>> = (-BEFORE..=BEHIND)
        .rev()
        .map(|row| (-HALF..=HALF).map(|column| ice(column, row)).collect())
        .collect();
    for (stone, place) in board.stones() {
        let column = libm::round(f64::from(place.x) / WIDE) as i32;
        let row = libm::round((f64::from(place.y) - TEE) / HIGH) as i32;
        let (column, row) = (column.clamp(-HALF, HALF), row.clamp(-BEFORE, BEHIND));
        rows[(BEHIND - row) as usize][(column + HALF) as usize] = mark(stone);
    }
    rows.into_iter()
        .map(|row| format!("|{}|", row.into_iter().collect::<String>()))
        .collect()
}

/// What is painted on the ice at a cell, counted from the tee.
fn ice(column: i32, row: i32) -> char {
    let (x, y) = (f64::from(column) * WIDE, f64::from(row) * HIGH);
    let line = |at: f64| row == libm::round((at - TEE) / HIGH) as i32;
    let from_tee = (x * x + y * y).sqrt();
    match from_tee {
        d if d <= BUTTON => '+',
        d if d <= FOUR_FOOT => 'o',
        d if d <= EIGHT_FOOT => ' ',
        d if d <= HOUSE_RADIUS => ':',
        _ if line(HOG_LINE) => '=',
        _ if line(BACK_LINE) || row == 0 => '-',
        _ if column == 0 => '.',
        _ => ' ',
    }
}

fn notes(game: &Curling, state: &State) -> Vec<String> {
    let mut notes = vec![String::new(), end(game, state)];
    let name = |team: Team| match team {
        Team::Team0 => "team 0 (1-8)",
        Team::Team1 => "team 1 (A-H)",
    };
    for team in Team::BOTH {
        let hammer = if team == state.hammer { "  hammer" } else { "" };
        let points = state.points[team.index()];
        notes.push(format!("{} {points:>4}{hammer}", name(team)));
    }
    notes.push(String::new());
    notes.push(next(state));
    if let Phase::Throw(action) = state.phase {
        notes.push(format!("  {}", notation::format(action)));
    }
    notes.push(String::new());
    if !state.board.is_empty() {
        notes.push(match game.score(&state.board) {
            Some((team, points)) => format!("as it lies: {points} to team {}", team.index()),
            None => "as it lies: a blank end".to_owned(),
        });
        notes.push("stone     x       y   from tee".to_owned());
    }
    let mut stones: Vec<_> = state.board.stones().collect();
    stones.sort_by(|a, b| a.1.from_tee().total_cmp(&b.1.from_tee()));
    let row = |(stone, p): (Stone, crate::board::Point)| {
        format!(
            "    {} {:>6.2} {:>7.2} {:>7.2}",
            mark(stone),
            p.x,
            p.y,
            p.from_tee()
        )
    };
    notes.extend(stones.into_iter().map(row));
    notes
}

fn end(game: &Curling, state: &State) -> String {
    if game.is_extra_end(state) {
        let extra = u32::from(state.end - game.options().ends) + 1;
        return format!(
            "extra end {extra}, shot {} of {}",
            state.shot + 1,
            game.shots()
        );
    }
    format!(
        "end {} of {}, shot {} of {}",
        u32::from(state.end) + 1,
        game.options().ends,
        state.shot + 1,
        game.shots()
    )
}

fn next(state: &State) -> String {
    let team = state.thrower().index();
    match state.phase {
        Phase::Aim => format!("team {team} is to throw"),
        Phase::Throw(_) => format!("team {team} throws"),
        Phase::Place(team) => format!("team {} places the stones", team.index()),
        Phase::Over(Verdict::Score) => match state.lead(Team::Team0) {
            0 => "drawn".to_owned(),
            lead => format!("team {} has won", u8::from(lead < 0)),
        },
        Phase::Over(Verdict::Conceded(team)) => format!("team {} gave up", team.index()),
        Phase::Over(Verdict::Horizon) => "the end is over".to_owned(),
    }
}
