//! Positions as the columns played, and pictures.

use search_core::game::Player;
use search_core::plugin::PluginError;
use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use super::{COLUMNS, Column, Position, ROWS, STRIDE, has_four};

const SIGNS: [char; 2] = ['x', 'o'];

/// Reads the columns played, `4453`; spaces are ignored and nothing at all is the start.
impl FromStr for Position {
    type Err = PluginError;

    fn from_str(text: &str) -> Result<Self, PluginError> {
        let mut position = Self::default();
        for (at, c) in text.chars().enumerate().filter(|(_, c)| !c.is_whitespace()) {
            let bad = |what: &str| {
                PluginError::new(format!(
                    "`{}` is not a connect-four position: {what} at character {}; expected the columns played, 1 to 7, say 4453",
                    text.trim(),
                    at + 1
                ))
            };
            let digit = c.to_digit(10).ok_or_else(|| bad(&format!("`{c}`")))? as usize;
            let column = digit
                .checked_sub(1)
                .and_then(Column::new)
                .ok_or_else(|| bad(&format!("column {digit}")))?;
            if position.is_over() {
                return Err(bad("a move after the game was over"));
            }
            if !position.is_legal(column) {
                return Err(bad(&format!("column {digit} is full")));
            }
            position.drop_stone(column);
        }
        Ok(position)
    }
}

/// One order in which the stones may have come.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for column in history(self) {
            write!(f, "{column:?}")?;
        }
        Ok(())
    }
}

/// Takes stones off the top, the two players' in turn, until the board is empty. Only taking the
/// first one can uncover a position that was already won.
fn history(position: &Position) -> Vec<Column> {
    let mut heights = [0_usize; COLUMNS];
    for (column, height) in heights.iter_mut().enumerate() {
        *height = (position.all >> (STRIDE * column) & 0x3F).count_ones() as usize;
    }
    let plies = position.plies() as usize;
    let mut dead_ends = HashSet::new();
    let mut order = Vec::with_capacity(plies);
    unplay(position, &mut heights, plies, &mut order, &mut dead_ends);
    order.reverse();
    order
}

fn unplay(
    position: &Position,
    heights: &mut [usize; COLUMNS],
    plies: usize,
    order: &mut Vec<Column>,
    dead_ends: &mut HashSet<[usize; COLUMNS]>,
) -> bool {
    if plies == 0 {
        return true;
    }
    if dead_ends.contains(heights) {
        return false;
    }
    let last = position.stones(Player::new((plies - 1) % 2));
    for column in (0..COLUMNS).rev() {
        let Some(row) = heights[column].checked_sub(1) else {
            continue;
        };
        let cell = 1 << (STRIDE * column + row);
        let first_taken = plies == position.plies() as usize;
        if last & cell == 0 || (first_taken && has_four(last & !cell)) {
            continue;
        }
        heights[column] -= 1;
        order.push(Column(column as u8));
        if unplay(position, heights, plies - 1, order, dead_ends) {
            return true;
        }
        order.pop();
        heights[column] += 1;
    }
    dead_ends.insert(*heights);
    false
}

pub(super) fn picture(position: &Position) -> String {
    let mut text = String::new();
    for row in (0..ROWS).rev() {
        for column in 0..COLUMNS {
            let cell = 1_u64 << (STRIDE * column + row);
            let owner = [0, 1]
                .into_iter()
                .find(|p| position.stones(Player::new(*p)) & cell != 0);
            text.push_str(&format!(" {}", owner.map_or('.', |player| SIGNS[player])));
        }
        text.push('\n');
    }
    text.push_str(&format!(
        " 1 2 3 4 5 6 7   {}",
        position.status.describe(SIGNS)
    ));
    text
}
