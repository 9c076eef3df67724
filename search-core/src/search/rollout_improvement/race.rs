//! Paired stopping: candidates that are clearly worse than the best so far drop out.

use crate::budget::{Budget, StopReason};
use crate::decision::SearchError;
use crate::game::Game;
use crate::policy::RolloutPolicy;
use crate::search::arms::{Arms, Table};
use crate::search::meter::Meter;
use crate::search::tree_search::not_negative;
use crate::search::worlds::Worlds;

/// When a candidate drops out: at a look, if the mean of the paired differences by which the best so far
/// is ahead exceeds `z` of its standard errors (algorithms of Tesauro & Galperin 1996; paired by common
/// worlds). Looks come after `first_look`, 2, 4, 8, … times as many worlds, since every look is another
/// chance to err. With one candidate left the search ends.
///
/// A candidate that dropped out has fewer visits than the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairedStop {
    /// Standard errors, 0 or more. Default 3.
    pub z: f64,
    /// Worlds before the first look, 2 or more. Default 8.
    pub first_look: u64,
}

impl Default for PairedStop {
    fn default() -> Self {
        Self {
            z: 3.0,
            first_look: 8,
        }
    }
}

impl PairedStop {
    pub(super) fn check(self) -> Result<(), SearchError> {
        not_negative("z", self.z)?;
        if self.first_look < 2 {
            return Err(SearchError::BadSetting {
                name: "first_look",
                value: self.first_look.to_string(),
                expected: "2 worlds or more: one has no standard error",
            });
        }
        Ok(())
    }

    /// Plays all candidates in at most `samples` worlds, within `budget`. Returns those that are left.
    pub(super) fn race<G: Game, W: Worlds<G>, P: RolloutPolicy<G>>(
        self,
        arms: &mut Arms<'_, G, W, P>,
        samples: u64,
        budget: &Budget,
    ) -> Result<Vec<usize>, SearchError> {
        let mut live: Vec<usize> = (0..arms.actions.len()).collect();
        let mut meter = Meter::new(budget, budget.simulations, budget.time, true);
        let (mut seen, mut look) = (0, self.first_look);
        loop {
            let left = meter.most() - arms.effort.simulations;
            let wanted = look.min(samples) - seen;
            let room = left / live.len() as u64;
            let worlds = wanted.min(room);
            let extra = if room < wanted {
                (left % live.len() as u64) as usize
            } else {
                0
            };
            let stop = arms.pull(&live, seen, worlds, extra, &mut meter)?;
            seen += worlds;
            if stop.is_some() || seen == samples || worlds < wanted {
                arms.stopped(stop);
                return Ok(live);
            }
            self.drop_out(&arms.table, &mut live);
            if live.len() == 1 {
                arms.stopped(None);
                arms.effort.stop = StopReason::Settled;
                return Ok(live);
            }
            look = look.saturating_mul(2);
        }
    }

    /// Leaves those that are not clearly worse than the best. Candidates that are not paired with it,
    /// of thousands, stay.
    fn drop_out(self, table: &Table, live: &mut Vec<usize>) {
        let best = table.ranked(live)[0];
        live.retain(|&arm| {
            let ahead = table.difference(best, arm);
            !ahead.is_some_and(|d| d.mean - self.z * d.std_error > 0.0)
        });
    }
}
