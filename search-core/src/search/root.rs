//! The root of a search: its statistics, merging several trees, and the final choice.

use crate::budget::StopReason;
use crate::decision::{Candidate, Decision, Effort, SearchError};
use crate::game::Game;
use crate::rng::{Draw, Seed};
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
    /// What is proven of its value to the deciding player, at least and at most.
    pub(crate) bounds: Option<(f64, f64)>,
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
                    mine.bounds = both(mine.bounds, arm.bounds);
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
        a.failed_redeals += b.failed_redeals;
        a.worlds += b.worlds;
        a.effective_sample_size += b.effective_sample_size;
        a.flattened_weights += b.flattened_weights;
        a.deterministic &= b.deterministic;
        a.stop = b.stop;
        self.snapshot = self.snapshot.take().or(other.snapshot);
    }

    /// The decision, with an entry for every legal action. `seed` is for a choice by chance.
    pub(crate) fn decide(
        &self,
        root: &Root<G::Action>,
        scale: f64,
        choice: FinalChoice,
        seed: Seed,
    ) -> Decision<G::Action> {
        let total: u64 = self.arms.iter().map(|a| a.visits).sum();
        let arm = |action| self.arms.iter().find(move |a| a.action == action);
        let mut candidates: Vec<_> = root
            .legal
            .iter()
            .map(|&action| candidate(action, arm(action), total))
            .collect();
        if let FinalChoice::Temperature { tau } = choice {
            temper(&mut candidates, tau);
        }
        let bounds: Vec<_> = root
            .legal
            .iter()
            .map(|&action| arm(action).and_then(|a| a.bounds))
            .collect();
        let action = if bounds.iter().any(Option::is_some) {
            choice.choose_proven(&candidates, &bounds, scale, seed)
        } else {
            choice.choose(&candidates, scale, seed)
        };
        Decision {
            action: action.unwrap_or(root.legal[0]),
            candidates,
            effort: self.effort.clone(),
        }
    }
}

/// What both of two proofs say.
fn both(a: Option<(f64, f64)>, b: Option<(f64, f64)>) -> Option<(f64, f64)> {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.max(b.0), a.1.min(b.1))),
        (a, b) => a.or(b),
    }
}

/// Makes the visit shares of the candidates shares of `visits^(1 / tau)`.
fn temper<A>(candidates: &mut [Candidate<A>], tau: f64) {
    let most = candidates.iter().map(|c| c.visits).max().unwrap_or(0) as f64;
    for candidate in &mut *candidates {
        let share = candidate.visits as f64 / most.max(1.0);
        candidate.policy = if share == 0.0 {
            0.0
        } else {
            libm::pow(share, 1.0 / tau)
        };
    }
    let total: f64 = candidates.iter().map(|c| c.policy).sum();
    for candidate in candidates {
        candidate.policy /= total.max(f64::MIN_POSITIVE);
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
            proven: arm.and_then(|a| a.bounds),
            versus_chosen: None,
        };
    };
    let n = arm.visits as f64;
    let mean = arm.sum / n;
    let (least, most) = arm.bounds.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    if least >= most {
        return Candidate {
            action,
            visits: arm.visits,
            mean: least,
            std_error: 0.0,
            availability: arm.availability,
            policy: n / total as f64,
            proven: arm.bounds,
            versus_chosen: None,
        };
    }
    let variance = (arm.sum_of_squares / n - mean * mean).max(0.0) * n / (n - 1.0);
    Candidate {
        action,
        visits: arm.visits,
        mean: mean.clamp(least, most),
        std_error: (variance / n).sqrt(),
        availability: arm.availability,
        policy: n / total as f64,
        proven: arm.bounds,
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
    /// By chance, each with a probability in proportion to its visits to the power of `1 / tau`: for
    /// self-play and for games in which a mixed strategy is right. The candidates' policy says the
    /// probabilities.
    Temperature {
        /// Above 0; 1 for the shares of the visits themselves.
        tau: f64,
    },
}

impl FinalChoice {
    /// That the numbers of a choice can be used.
    pub(crate) fn check(self) -> Result<(), SearchError> {
        match self {
            Self::Temperature { tau } if !(tau.is_finite() && tau > 0.0) => {
                Err(SearchError::BadSetting {
                    name: "tau",
                    value: tau.to_string(),
                    expected: "a number above 0",
                })
            }
            _ => Ok(()),
        }
    }

    fn choose<A: Copy + Ord>(
        self,
        candidates: &[Candidate<A>],
        scale: f64,
        seed: Seed,
    ) -> Option<A> {
        if matches!(self, Self::Temperature { .. }) {
            return by_chance(candidates, seed);
        }
        let total: u64 = candidates.iter().map(|c| c.visits).sum();
        let ln_total = libm::log(total.max(1) as f64);
        let rank = |c: &Candidate<A>| match self {
            Self::Robust | Self::Temperature { .. } => c.visits as f64,
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

    /// The choice where something is proven: never what is certainly worse than another action; what is
    /// proven outright competes by its value, since its visits stopped when it was, with the action that
    /// the rule chooses among the others.
    fn choose_proven<A: Copy + Ord>(
        self,
        candidates: &[Candidate<A>],
        bounds: &[Option<(f64, f64)>],
        scale: f64,
        seed: Seed,
    ) -> Option<A> {
        let within = |b: &Option<(f64, f64)>| b.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        let sure = bounds.iter().map(|b| within(b).0);
        let sure = sure.fold(f64::NEG_INFINITY, f64::max);
        let mut open = Vec::new();
        let mut best: Option<Candidate<A>> = None;
        for (candidate, bounds) in candidates.iter().zip(bounds) {
            let (least, most) = within(bounds);
            if candidate.visits == 0 || most < sure {
                continue;
            }
            if least < most {
                open.push(candidate.clone());
            } else if best.as_ref().is_none_or(|b| candidate.mean > b.mean) {
                best = Some(candidate.clone());
            }
        }
        let favourite = self.choose(&open, scale, seed);
        let mean = favourite.and_then(|f| open.iter().find(|c| c.action == f).map(|c| c.mean));
        match (best, mean) {
            (Some(best), Some(mean)) if best.mean < mean => favourite,
            (Some(best), _) => Some(best.action),
            (None, _) => favourite,
        }
    }
}

/// One of the candidates, each with the probability of its policy.
fn by_chance<A: Copy>(candidates: &[Candidate<A>], seed: Seed) -> Option<A> {
    let mut rng = seed.child("final").simulation(0);
    let mut left = rng.unit() * candidates.iter().map(|c| c.policy).sum::<f64>();
    let mut found = None;
    for candidate in candidates.iter().filter(|c| c.policy > 0.0) {
        found = Some(candidate.action);
        left -= candidate.policy;
        if left < 0.0 {
            break;
        }
    }
    found
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
            bounds: None,
        };
        candidate(action, Some(&arm), 1)
    }

    /// Trap 10.
    #[test]
    fn the_rule_is_a_setting() {
        let arms = [arm(0, 1, 1.0), arm(1, 1000, 0.9), arm(2, 0, 0.0)];
        assert_eq!(FinalChoice::Robust.choose(&arms, 1.0, Seed(1)), Some(1));
        assert_eq!(FinalChoice::Max.choose(&arms, 1.0, Seed(1)), Some(0));
        assert_eq!(
            FinalChoice::Secure { k: 1.0 }.choose(&arms, 1.0, Seed(1)),
            Some(1)
        );
    }

    /// Trap 12: what is certainly worse than another action is not chosen for its visits; what is proven
    /// competes by its value.
    #[test]
    fn proofs_come_before_visits() {
        let arms = [arm(0, 900, 0.1), arm(1, 50, 0.6), arm(2, 20, 0.5)];
        let choose = |bounds: [Option<(f64, f64)>; 3]| {
            FinalChoice::Robust.choose_proven(&arms, &bounds, 1.0, Seed(1))
        };
        assert_eq!(choose([None, None, None]), Some(0));
        assert_eq!(choose([Some((0.0, 0.3)), Some((0.4, 1.0)), None]), Some(1));
        assert_eq!(choose([None, None, Some((0.5, 0.5))]), Some(2));
        assert_eq!(
            choose([None, Some((0.3, 1.0)), Some((0.05, 0.05))]),
            Some(0)
        );
    }

    #[test]
    fn ties_go_to_the_mean_and_then_to_the_smallest_action() {
        let arms = [arm(3, 5, 0.5), arm(4, 5, 0.6), arm(5, 5, 0.6)];
        assert_eq!(FinalChoice::Robust.choose(&arms, 1.0, Seed(1)), Some(4));
        assert_eq!(FinalChoice::Robust.choose::<u32>(&[], 1.0, Seed(1)), None);
    }
}
