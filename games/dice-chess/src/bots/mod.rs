//! Who plays dice chess: the static evaluation, the simple bots and the searching ones.

pub mod agents;
pub mod choices;
pub mod equity_guided;
pub mod evaluation;
pub mod policies;
pub mod scores;
pub mod whole_turns;

use std::sync::Arc;

use search_core::expr::{ExprError, Settings};
use search_core::plugin::SharedPolicy;

use crate::game::DiceChess;
use policies::{BestResult, CaptureAware, RandomTurn};
use scores::{Aggressive, Cautious, Material};

/// The policies by name, each with a line about it. The first stands in for an agent that fails.
pub const POLICIES: [(&str, &str); 5] = [
    (
        "cautious",
        "greedy, and 2000 (`penalty`) less for a turn that leaves its king attacked",
    ),
    (
        "greedy",
        "captures the king, else has the most material after the turn (P100 N300 B300 R500 Q900)",
    ),
    (
        "aggressive",
        "cautious, and `advance` (10) a pawn's rank, `proximity` (10) a step to the enemy king, `ring` (20) an attack around it",
    ),
    (
        "capture-aware",
        "captures the king, else any legal turn with the same probability",
    ),
    (
        "random-turn",
        "any legal turn with the same probability (`random`: any micro-move)",
    ),
];

/// The policy of this name.
///
/// # Errors
/// When a setting cannot be read.
pub fn policy(
    name: &str,
    settings: &mut Settings<'_>,
) -> Result<Option<SharedPolicy<DiceChess>>, ExprError> {
    Ok(Some(match name {
        "cautious" => Arc::new(BestResult(Cautious {
            penalty: settings.get("penalty", Cautious::default().penalty)?,
        })),
        "greedy" => Arc::new(BestResult(Material)),
        "aggressive" => {
            let usual = Aggressive::default();
            Arc::new(BestResult(Aggressive {
                advance: settings.get("advance", usual.advance)?,
                proximity: settings.get("proximity", usual.proximity)?,
                ring: settings.get("ring", usual.ring)?,
                penalty: settings.get("penalty", usual.penalty)?,
            }))
        }
        "capture-aware" => Arc::new(CaptureAware),
        "random-turn" => Arc::new(RandomTurn),
        _ => return Ok(None),
    }))
}
