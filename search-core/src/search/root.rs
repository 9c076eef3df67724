//! The root of a search: its statistics, merging several trees, and the final choice.

use crate::budget::StopReason;
use crate::decision::{Candidate, Decision, Effort};
use crate::game::Game;
use crate::search::key::GameKey;
use crate::search::worlds::Root;
use crate::tree::Snapshot;

/// Whether a return can be added up: finite, and far enough from the largest number that sums of
/// squares stay finite too.
#[inline]
pub(crate) fn usable(value: f64) -> bool {
    value.abs() < 1e140
}

/// Statistics of one action at the root.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Arm<A> {
    pub(crate) action: A,
    pub(crate) visits: u64,
    pub(crate) sum: f64,
    pub(crate) sum_of_squares: f64,
    pub(crate) availability: u64,
}

/// What one tree, or several merged, know about the root.
pub(crate) struct RootStatistics<G: Game> {
    pub(crate) arms: Vec<Arm<G::Action>>,
    pub(crate) effort: Effort,
    pub(crate) snapshot: Option<Snapshot<GameKey<G>>>,
}

impl<G: Game> RootStatistics<G> {
    pub(crate) fn empty() -> Self {
        Self {
            arms: Vec::new(),
            effort: Effort {
                deterministic: true,
                ..Effort::default()
            },
            snapshot: None,
        }
    }

    /// Nothing was searched, because there was nothing to decide.
    pub(crate) fn settled() -> Self {
        let mut statistics = Self::empty();
        statistics.effort.stop = StopReason::Settled;
        statistics
    }

    /// Adds another tree's statistics. Called in the order of the trees, so that the sums do not
    /// depend on which was done first.
    pub(crate) fn merge(&mut self, other: Self) {
        for arm in other.arms {
            match self.arms.iter_mut().find(|a| a.action == arm.action) {
                Some(mine) => {
                    mine.visits += arm.visits;
                    mine.sum += arm.sum;
                    mine.sum_of_squares += arm.sum_of_squares;
                    mine.availability += arm.availability;
                }
                None => self.arms.push(arm),
            }
        }
        let (a, b) = (&mut self.effort, other.effort);
        a.simulations += b.simulations;
        a.edges += b.edges;
        a.bytes += b.bytes;
        a.truncated_rollouts += b.truncated_rollouts;
        a.refused_expansions += b.refused_expansions;
        a.lost_expansions += b.lost_expansions;
        a.inherited += b.inherited;
        a.depth = a.depth.max(b.depth);
        a.worlds += b.worlds;
        a.effective_sample_size += b.effective_sample_size;
        a.deterministic &= b.deterministic;
        a.stop = b.stop;
        self.snapshot = self.snapshot.take().or(other.snapshot);
    }

    /// The decision, with an entry for every legal action.
    pub(crate) fn decide(
        &self,
        root: &Root<G::Action>,
        scale: f64,
        choice: FinalChoice,
    ) -> Decision<G::Action> {
        let total: u64 = self.arms.iter().map(|a| a.visits).sum();
        let candidates: Vec<_> = root
            .legal
            .iter()
            .map(|&action| {
                let arm = self.arms.iter().find(|a| a.action == action);
                candidate(action, arm, total)
            })
            .collect();
        let action = choice.choose(&candidates, scale).unwrap_or(root.legal[0]);
        Decision {
            action,
            candidates,
            effort: self.effort.clone(),
        }
    }
}

fn candidate<A: Copy>(action: A, arm: Option<&Arm<A>>, total: u64) -> Candidate<A> {
    let Some(arm) = arm.filter(|a| a.visits > 0) else {
        return Candidate {
            action,
            visits: 0,
            mean: f64::NAN,
            std_error: f64::NAN,
            availability: arm.map_or(0, |a| a.availability),
            policy: 0.0,
            versus_chosen: None,
        };
    };
    let n = arm.visits as f64;
    let mean = arm.sum / n;
    let variance = (arm.sum_of_squares / n - mean * mean).max(0.0) * n / (n - 1.0);
    Candidate {
        action,
        visits: arm.visits,
        mean,
        std_error: (variance / n).sqrt(),
        availability: arm.availability,
        policy: n / total as f64,
        versus_chosen: None,
    }
}

/// Which action a tree search plays in the end. Ties go to more visits, then to the higher mean,
/// then to the smallest action.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum FinalChoice {
    /// The most visits (the default).
    #[default]
    Robust,
    /// The highest mean among the visited.
    Max,
    /// The highest lower confidence bound `mean / scale - k * sqrt(ln N / n)`.
    Secure {
        /// Width of the bound, in return scales.
        k: f64,
    },
}

impl FinalChoice {
    fn choose<A: Copy + Ord>(self, candidates: &[Candidate<A>], scale: f64) -> Option<A> {
        let total: u64 = candidates.iter().map(|c| c.visits).sum();
        let ln_total = libm::log(total.max(1) as f64);
        let rank = |c: &Candidate<A>| match self {
            Self::Robust => c.visits as f64,
            Self::Max => c.mean,
            Self::Secure { k } => c.mean / scale - k * (ln_total / c.visits as f64).sqrt(),
        };
        candidates
            .iter()
            .filter(|c| c.visits > 0)
            .max_by(|a, b| {
                rank(a)
                    .total_cmp(&rank(b))
                    .then(a.visits.cmp(&b.visits))
                    .then(a.mean.total_cmp(&b.mean))
                    .then(b.action.cmp(&a.action))
            })
            .map(|c| c.action)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arm(action: u32, visits: u64, mean: f64) -> Candidate<u32> {
        let arm = Arm {
            action,
            visits,
            sum: mean * visits as f64,
            sum_of_squares: 0.0,
            availability: 0,
        };
        candidate(action, Some(&arm), 1)
    }

    #[test]
    fn the_rule_is_a_setting() {
        let arms = [arm(0, 1, 1.0), arm(1, 1000, 0.9), arm(2, 0, 0.0)];
        assert_eq!(FinalChoice::Robust.choose(&arms, 1.0), Some(1));
        assert_eq!(FinalChoice::Max.choose(&arms, 1.0), Some(0));
        assert_eq!(FinalChoice::Secure { k: 1.0 }.choose(&arms, 1.0), Some(1));
    }

    #[test]
    fn ties_go_to_the_mean_and_then_to_the_smallest_action() {
        let arms = [arm(3, 5, 0.5), arm(4, 5, 0.6), arm(5, 5, 0.6)];
        assert_eq!(FinalChoice::Robust.choose(&arms, 1.0), Some(4));
        assert_eq!(FinalChoice::Robust.choose::<u32>(&[], 1.0), None);
    }
}
