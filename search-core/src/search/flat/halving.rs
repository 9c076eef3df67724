//! Sequential halving over common worlds (Karnin, Koren & Somekh 2013).

use crate::budget::Budget;
use crate::decision::SearchError;
use crate::game::Game;
use crate::policy::RolloutPolicy;
use crate::search::arms::{Arms, Table};
use crate::search::meter::Meter;
use crate::search::worlds::Worlds;

/// `ceil(log2 n)` rounds for `n` arms.
pub(crate) fn rounds(arms: usize) -> u64 {
    u64::from(usize::BITS - (arms.max(2) - 1).leading_zeros())
}

/// Sequential halving of the arms `live`, ascending: `ceil(log2 k)` rounds of `total / rounds`
/// simulations, shared by the survivors; the last round takes what integer division left over. After
/// a round the better half by `rank`, from the best to the worst, goes on.
///
/// Returns the arms of the last round, among which the best is chosen: not those with the most
/// visits, since what is left over may go to some of them only.
pub(crate) fn halve<G: Game, W: Worlds<G>, P: RolloutPolicy<G>>(
    arms: &mut Arms<'_, G, W, P>,
    mut live: Vec<usize>,
    total: u64,
    budget: &Budget,
    rank: &dyn Fn(&Table, &[usize]) -> Vec<usize>,
) -> Result<Vec<usize>, SearchError> {
    let rounds = rounds(live.len());
    let mut meter = Meter::new(budget, Some(total), budget.time, true);
    let mut next_world = 0;
    let mut stop = None;
    for round in 0..rounds {
        let arms_left = live.len() as u64;
        let left = total - arms.effort.simulations;
        let (worlds, extra) = if round + 1 == rounds {
            (left / arms_left, (left % arms_left) as usize)
        } else {
            // A budget below one world a round tries what it can: rounds before may have taken
            // more than their share.
            let share = (total / (arms_left * rounds)).min(left / arms_left);
            let rest = left.min(arms_left) as usize;
            (share, if share == 0 { rest } else { 0 })
        };
        stop = arms.pull(&live, next_world, worlds, extra, &mut meter)?;
        next_world += worlds + u64::from(extra > 0);
        if stop.is_some() || round + 1 == rounds {
            break;
        }
        live = rank(&arms.table, &live);
        live.truncate(live.len().div_ceil(2));
        live.sort_unstable();
    }
    arms.stopped(stop);
    Ok(live)
}
