//! A quick player for rollouts and beginners.

use search_core::policy::Policy;
use search_core::rng::{Draw, SimRng};

use super::{COLUMNS, Column, ConnectFour, Position, STRIDE, has_four};

/// Wins at once if it can, else blocks a win, else draws a column with weights 1 2 3 4 3 2 1.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Easy;

const WEIGHTS: [u32; COLUMNS] = [1, 2, 3, 4, 3, 2, 1];

impl Policy<ConnectFour> for Easy {
    fn choose(
        &self,
        _: &ConnectFour,
        position: &Position,
        legal: &[Column],
        rng: &mut SimRng,
    ) -> Column {
        let (own, all) = position.boards();
        let cell = |c: Column| (all + (1 << (STRIDE * c.index()))) & !all;
        for stones in [own, position.other()] {
            let four = |c: &&Column| has_four(stones | cell(**c));
            if let Some(column) = legal.iter().find(four) {
                return *column;
            }
        }
        let total = legal.iter().map(|c| WEIGHTS[c.index()]).sum();
        let mut ticket = rng.below(total);
        for &column in legal {
            let weight = WEIGHTS[column.index()];
            if ticket < weight {
                return column;
            }
            ticket -= weight;
        }
        legal[0]
    }
}
