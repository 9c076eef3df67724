//! What a position looks like to a search that does not see its end.

use search_core::game::{Player, Returns};
use search_core::policy::Evaluator;

use super::{ConnectFour, Position, STRIDE};
use crate::solve::completes_four;

/// A tenth for each empty cell that would complete a four, a hundredth for each stone in the middle
/// column, at most 0.9 in all: less than a win.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Threats;

const MIDDLE: u64 = ((1 << STRIDE) - 1) << (3 * STRIDE);

impl Evaluator<ConnectFour> for Threats {
    fn evaluate(&self, _: &ConnectFour, position: &Position) -> Returns {
        let worth = |player| {
            let stones = position.stones(Player::new(player));
            let threats = completes_four(stones, position.all).count_ones();
            let middle = (stones & MIDDLE).count_ones();
            0.1 * f64::from(threats) + 0.01 * f64::from(middle)
        };
        Returns::zero_sum((worth(0) - worth(1)).clamp(-0.9, 0.9))
    }
}
