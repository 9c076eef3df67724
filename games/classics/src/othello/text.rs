//! Positions as 64 squares or as the moves played, and pictures.

use search_core::game::Player;
use search_core::plugin::PluginError;
use std::fmt;
use std::str::FromStr;

use super::{Move, Position, SQUARES};

const SIGNS: [char; 2] = ['X', 'O'];

const EXPECTED: &str = "64 squares from a1 with X, O or - and then X or O to move, or the moves from the start, say f5d6c3";

fn bad(text: &str, what: &str) -> PluginError {
    PluginError::new(format!(
        "`{}` is not an Othello position: {what}; expected {EXPECTED}",
        text.trim()
    ))
}

/// The sign of the disc on a square.
fn sign(position: &Position, square: usize) -> Option<char> {
    let holds = |player: &usize| position.discs(Player::new(*player)) >> square & 1 == 1;
    [0, 1].iter().find(|p| holds(p)).map(|&p| SIGNS[p])
}

/// Whose turn it is.
fn mover(position: &Position) -> Option<char> {
    (!position.is_over()).then(|| SIGNS[position.status.mover()])
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in 0..SQUARES {
            write!(f, "{}", sign(self, square).unwrap_or('-'))?;
        }
        write!(f, " {}", mover(self).unwrap_or('-'))
    }
}

/// White space and case are ignored; `.` is an empty square too; nothing at all is the start.
impl FromStr for Position {
    type Err = PluginError;

    fn from_str(text: &str) -> Result<Self, PluginError> {
        let plain: Vec<char> = text
            .chars()
            .filter(|c| !c.is_whitespace())
            .map(|c| c.to_ascii_lowercase())
            .collect();
        match plain.first() {
            Some('x' | 'o' | '-' | '.') => read_board(text, &plain),
            _ => read_moves(text, &plain),
        }
    }
}

fn read_board(text: &str, plain: &[char]) -> Result<Position, PluginError> {
    if plain.len() != SQUARES + 1 {
        let squares = plain.len() - 1;
        return Err(bad(text, &format!("{squares} squares and a side to move")));
    }
    let mut discs = [0_u64; 2];
    for (square, c) in plain[..SQUARES].iter().enumerate() {
        match c {
            'x' => discs[0] |= 1 << square,
            'o' => discs[1] |= 1 << square,
            '-' | '.' => {}
            _ => return Err(bad(text, &format!("`{c}` on {:?}", Move(square as u8)))),
        }
    }
    let mover = match plain[SQUARES] {
        'x' | '-' => 0,
        'o' => 1,
        c => return Err(bad(text, &format!("`{c}` is to move"))),
    };
    let position = Position::new(discs[0], discs[1], Player::new(mover));
    let position = position.ok_or_else(|| bad(text, "two discs on a square"))?;
    if plain[SQUARES] == '-' && !position.is_over() {
        return Err(bad(text, "somebody can move and nobody is to"));
    }
    Ok(position)
}

fn read_moves(text: &str, plain: &[char]) -> Result<Position, PluginError> {
    let mut position = Position::default();
    let mut rest = plain;
    while let Some((first, more)) = rest.split_first() {
        let number = plain.len() - rest.len() + 1;
        if rest.starts_with(&['p', 'a', 's', 's']) {
            if position.moves != 0 || position.is_over() {
                return Err(bad(text, &format!("a pass at character {number}")));
            }
            position.play(Move::PASS);
            rest = &rest[4..];
            continue;
        }
        let column = "abcdefgh".find(*first);
        let row = more.first().and_then(|c| "12345678".find(*c));
        let (Some(column), Some(row)) = (column, row) else {
            return Err(bad(text, &format!("no square at character {number}")));
        };
        // A record of a game need not say that a player passed.
        if position.moves == 0 && !position.is_over() {
            position.play(Move::PASS);
        }
        let square = 8 * row + column;
        if position.moves >> square & 1 == 0 {
            let square = Move(square as u8);
            return Err(bad(
                text,
                &format!("{square:?} at character {number} is not a legal move there"),
            ));
        }
        position.play(Move(square as u8));
        rest = &more[1..];
    }
    Ok(position)
}

pub(super) fn picture(position: &Position) -> String {
    let mut text = String::from("  a b c d e f g h\n");
    for row in 0..8 {
        text.push_str(&format!("{}", row + 1));
        for column in 0..8 {
            let square = 8 * row + column;
            let empty = if position.moves >> square & 1 == 1 {
                '*'
            } else {
                '.'
            };
            let sign = sign(position, square).unwrap_or(empty);
            text.push_str(&format!(" {sign}"));
        }
        text.push('\n');
    }
    let count = |player| position.discs(Player::new(player)).count_ones();
    let what = if !position.is_over() && position.moves == 0 {
        format!("{} must pass", SIGNS[position.status.mover()])
    } else {
        position.status.describe(SIGNS)
    };
    text.push_str(&format!("X {}, O {}   {what}", count(0), count(1)));
    text
}
