//! Options of the rules: [`DiceChessOptions`] and the draw policy behind them (rule R12).

use search_core::plugin::PluginError;
use serde::{Deserialize, Serialize};

/// The options on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DiceChessOptions {
    /// The game is drawn when the half-move clock, which counts micro-moves, is this high between
    /// two turns: 1 to 127, or 0 for never.
    pub draw_clock: u32,
    /// The game is drawn after this many turns, passes included; 0 for never.
    pub max_plies: u32,
}

impl Default for DiceChessOptions {
    /// What the public hosts do: 100 micro-moves, 5000 turns.
    fn default() -> Self {
        Self {
            draw_clock: 100,
            max_plies: 5000,
        }
    }
}

/// When a game is drawn. The rules themselves know no draw; hosts do (R12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DrawPolicy {
    clock: u8,
    plies: u32,
}

impl DrawPolicy {
    /// Never.
    pub const NONE: Self = Self {
        clock: u8::MAX,
        plies: u32::MAX,
    };

    /// The policy of these options.
    ///
    /// # Errors
    /// When the clock is above 127, which a DFEN cannot hold.
    pub fn new(options: &DiceChessOptions) -> Result<Self, PluginError> {
        let clock = match options.draw_clock {
            0 => u8::MAX,
            clock @ 1..=127 => clock as u8,
            other => {
                return Err(PluginError::new(format!(
                    "dice-chess(draw_clock={other}): expected 1 to 127 micro-moves, or 0 for no draw"
                )));
            }
        };
        let plies = match options.max_plies {
            0 => u32::MAX,
            plies => plies,
        };
        Ok(Self { clock, plies })
    }

    /// After how many turns at the latest.
    #[must_use]
    pub const fn max_plies(self) -> u32 {
        self.plies
    }

    /// Whether the game is drawn with this clock after this many turns.
    #[inline]
    #[must_use]
    pub const fn draws(self, half_move: u8, plies: u64) -> bool {
        half_move >= self.clock || (self.plies != u32::MAX && plies >= self.plies as u64)
    }
}
