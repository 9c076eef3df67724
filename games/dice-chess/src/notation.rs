//! Positions of the command line: a DFEN, and what a DFEN cannot say.
//!
//! A DFEN in the middle of a turn holds the dice that are left, and not how many of them must be
//! spent. The board nearly always tells: as many as can be. It does not when the first micro-moves
//! are legal only because the turn goes on to capture the king (trap T2 of the rules): there the
//! turn still owes more dice than can be spent without the capture, and the bare DFEN would let it
//! end with fewer. Such a position is written with the number behind the DFEN, `… P must=2`, which
//! no reader of DFENs takes for one. Every other position is its DFEN.

use search_core::plugin::PluginError;

use crate::legality::{can_capture, most_dice};
use crate::position::{Phase, Position};

const KEY: &str = "must=";

/// The DFEN, with `must=N` behind it where reading it back would not give the same.
#[must_use]
pub fn write(position: &Position) -> String {
    match position.phase {
        Phase::Spend(still)
            if still != most_dice(&position.board, position.side, position.pool) =>
        {
            format!("{position} {KEY}{still}")
        }
        _ => position.to_string(),
    }
}

/// Reads what [`write()`] writes.
///
/// # Errors
/// When it is no DFEN, or `must=N` cannot be after any roll.
pub fn read(text: &str) -> Result<Position, PluginError> {
    let (dfen, must) = match text.trim().rsplit_once(char::is_whitespace) {
        Some((dfen, last)) if last.starts_with(KEY) => (dfen, Some(&last[KEY.len()..])),
        _ => (text, None),
    };
    let mut position: Position = dfen.parse().map_err(|e| PluginError(format!("{e}")))?;
    let Some(must) = must else {
        return Ok(position);
    };
    let Phase::Spend(most) = position.phase else {
        return Err(PluginError(format!(
            "{KEY}{must}: there are no dice to spend"
        )));
    };
    let left = position.pool.len();
    let captures = can_capture(&position.board, position.side, position.pool);
    // More than can be spent: only within a turn, and only on the way to a king.
    let highest = if captures && left < 3 { left } else { most };
    match must.parse() {
        Ok(still) if (most..=highest).contains(&still) => {
            position.phase = Phase::Spend(still);
            Ok(position)
        }
        _ => Err(PluginError(format!(
            "{KEY}{must}: expected {}",
            if most == highest {
                format!("{most}, what the board says")
            } else {
                format!("{most} to {highest}")
            }
        ))),
    }
}
