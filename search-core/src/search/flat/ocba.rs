//! OCBA: optimal computing budget allocation (Chen, Lin, Yücesan & Chick 2000, theorem 1).
//!
//! After a warm-up, simulations go where they tell most about which arm is best: to arms close to the
//! best, and to those whose values vary. The aim is the probability of choosing the best arm, where
//! UCB1 minimises what is lost on the way.

use crate::budget::Budget;
use crate::decision::SearchError;
use crate::game::Game;
use crate::policy::RolloutPolicy;
use crate::search::arms::{Arms, CommonNumbers, Table};
use crate::search::meter::Meter;
use crate::search::worlds::Worlds;

/// A gap below this many of its standard errors counts as that many: a tie so far is no tie for ever.
const LEAST_GAP: f64 = 0.25;

/// Pulls every arm `warm_up` times, or less where that would take more than half of the budget (two
/// at least), and then, an eighth of what was spent at a time, by [`shares`]. Returns the best arm.
pub(super) fn allocate<G: Game, W: Worlds<G>, P: RolloutPolicy<G>>(
    arms: &mut Arms<'_, G, W, P>,
    warm_up: u64,
    budget: &Budget,
) -> Result<usize, SearchError> {
    let live: Vec<usize> = (0..arms.actions.len()).collect();
    let k = live.len() as u64;
    let mut meter = Meter::new(budget, budget.simulations, budget.time, true);
    let total = meter.most();
    let paired = arms.numbers != CommonNumbers::Independent;
    let warm = warm_up.min((total / (2 * k)).max(2)).min(total / k);
    let extra = if warm < 2 {
        (total - warm * k).min(k)
    } else {
        0
    };
    let mut stop = arms.pull(&live, 0, warm, extra as usize, &mut meter)?;
    let mut next_world = warm + u64::from(extra > 0);
    while stop.is_none() && arms.effort.simulations < total {
        let spent = arms.effort.simulations;
        let step = k.max(spent / 8).min(total - spent);
        let counts = increments(&arms.table, paired, step);
        stop = arms.pull_each(&live, next_world, &|i| counts[i], &mut meter)?;
        next_world += counts.iter().max().copied().unwrap_or(0);
    }
    arms.stopped(stop);
    Ok(best(&arms.table, paired))
}

/// The arm with the best mean; where worlds are common, the best by differences over the worlds that
/// an arm shares with the most visited one, as the others have not seen all of its worlds.
fn best(table: &Table, paired: bool) -> usize {
    let ranked = table.ranked(&(0..table.len()).collect::<Vec<_>>());
    let most = table.visits.iter().max();
    let Some(&reference) = ranked.iter().find(|&&arm| Some(&table.visits[arm]) == most) else {
        return ranked[0];
    };
    if !paired {
        return ranked[0];
    }
    let gain = |arm| table.difference(arm, reference).map_or(0.0, |d| d.mean);
    let better = |best: usize, &arm: &usize| if gain(arm) > gain(best) { arm } else { best };
    ranked.iter().fold(reference, better)
}

/// How many of `step` more pulls each arm gets, so that the counts come as close to the shares as
/// they can.
fn increments(table: &Table, paired: bool, step: u64) -> Vec<u64> {
    let best = best(table, paired);
    let k = table.len();
    let moments = (0..k).map(|arm| Moments::of(table, arm, best, paired));
    let mut moments: Vec<Moments> = moments.collect();
    Moments::pool(&mut moments);
    let mut gaps = vec![0.0; k];
    let mut deviations = vec![0.0; k];
    for arm in (0..k).filter(|&arm| arm != best) {
        let Moments { n, gap, variance } = moments[arm];
        gaps[arm] = gap.abs().max(LEAST_GAP * (variance / n).sqrt());
        deviations[arm] = variance.sqrt();
    }
    let own = (!paired).then(|| moments[best].variance.sqrt());
    let shares = shares(best, &gaps, &deviations, own);
    let total = (table.visits.iter().sum::<u64>() + step) as f64;
    let wanted = shares.iter().zip(&table.visits);
    let missing: Vec<f64> = wanted
        .map(|(share, &n)| (share * total - n as f64).max(0.0))
        .collect();
    apportion(missing, step)
}

/// What is known of an arm, or of its differences to the best where worlds are common.
#[derive(Clone, Copy)]
struct Moments {
    n: f64,
    gap: f64,
    variance: f64,
}

impl Moments {
    fn of(table: &Table, arm: usize, best: usize, paired: bool) -> Self {
        let pair = table.difference(best, arm);
        if let Some(pair) = pair.filter(|pair| paired && pair.worlds > 1) {
            let n = pair.worlds as f64;
            return Self {
                n,
                gap: pair.mean,
                variance: pair.std_error.powi(2) * n,
            };
        }
        let n = table.visits[arm] as f64;
        Self {
            n,
            gap: table.mean(best) - table.mean(arm),
            variance: table.std_error(arm).powi(2) * n,
        }
    }

    /// Weighs in the mean variance of all as if it were one more value of each: eight losses in a row
    /// do not show that an arm always loses, and without this it would never be tried again.
    fn pool(all: &mut [Self]) {
        let known = || all.iter().filter(|m| m.variance >= 0.0);
        let pooled = known().map(|m| m.variance).sum::<f64>() / known().count().max(1) as f64;
        for moments in all {
            let more = if moments.variance >= 0.0 {
                (moments.n - 1.0) * moments.variance
            } else {
                0.0
            };
            moments.variance = (more + pooled) / moments.n.max(1.0);
        }
    }
}

/// What share of all simulations each arm should have: with `s_i` the deviation of arm `i` and `d_i`
/// its gap to the best arm `b`,
///
/// `n_i / n_j = ((s_i / d_i) / (s_j / d_j))^2` and `n_b = s_b sqrt(sum n_i^2 / s_i^2)`.
///
/// `own` is `s_b`. Where `s_i` and `d_i` are of differences over common worlds there is none: the best
/// arm is needed in every world in which another is played, and in no other, so `n_b = max n_i`.
/// Without anything that varies the shares are even.
fn shares(best: usize, gaps: &[f64], deviations: &[f64], own: Option<f64>) -> Vec<f64> {
    let k = gaps.len();
    let others = || (0..k).filter(|&arm| arm != best);
    let mut shares = vec![0.0; k];
    for arm in others() {
        // What never varied needs no more, wherever it is.
        if deviations[arm] > 0.0 {
            shares[arm] = (deviations[arm] / gaps[arm]).powi(2);
        }
    }
    let most = shares.iter().copied().fold(0.0, f64::max);
    shares[best] = match own {
        Some(own) => {
            let terms = others().filter(|&arm| deviations[arm] > 0.0);
            let sum: f64 = terms
                .map(|arm| (shares[arm] / deviations[arm]).powi(2))
                .sum();
            own * sum.sqrt()
        }
        None => most,
    };
    let sum: f64 = shares.iter().sum();
    if sum > 0.0 && sum.is_finite() {
        for share in &mut shares {
            *share /= sum;
        }
    } else {
        shares.fill(1.0 / k as f64);
    }
    shares
}

/// `step` in whole numbers in proportion to `weights`, largest remainders first; evenly if all are 0.
fn apportion(mut weights: Vec<f64>, step: u64) -> Vec<u64> {
    let mut sum: f64 = weights.iter().sum();
    if sum <= 0.0 {
        weights.fill(1.0);
        sum = weights.len() as f64;
    }
    for weight in &mut weights {
        *weight *= step as f64 / sum;
    }
    let mut counts: Vec<u64> = weights.iter().map(|&w| w as u64).collect();
    let mut order: Vec<usize> = (0..weights.len()).collect();
    let rest = |i: usize| weights[i] - weights[i].floor();
    crate::order::best_first(&mut order, &rest);
    // Rounding may have given some too many.
    let mut left = step.saturating_sub(counts.iter().sum());
    for &arm in order.iter().cycle() {
        if left == 0 {
            break;
        }
        counts[arm] += 1;
        left -= 1;
    }
    let mut over = counts.iter().sum::<u64>() - step;
    for count in counts.iter_mut().rev() {
        let less = over.min(*count);
        *count -= less;
        over -= less;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// T-SH1: the ratios of the formula, from its two equations.
    #[test]
    fn t_sh1_shares_are_those_of_the_formula() {
        let deviations = [1.0, 2.0, 0.5, 3.0];
        let gaps = [0.5, 0.25, 0.0, 1.0];
        let best = 2;
        let shares = shares(best, &gaps, &deviations, Some(0.5));
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let ratio = |i: usize| (deviations[i] / gaps[i]).powi(2);
        for i in [0, 1, 3] {
            for j in [0, 1, 3] {
                let expected = ratio(i) / ratio(j);
                assert!((shares[i] / shares[j] - expected).abs() < 1e-12 * expected);
            }
        }
        let sum: f64 = [0, 1, 3]
            .iter()
            .map(|&i: &usize| shares[i].powi(2) / f64::powi(deviations[i], 2))
            .sum();
        assert!((shares[best] - 0.5 * sum.sqrt()).abs() < 1e-12);
        // By hand: ratios 4, 64 and 9; sqrt((4/1)^2 + (64/2)^2 + (9/3)^2) / 2 = 16.194…
        assert!((shares[1] / shares[0] - 16.0).abs() < 1e-12);
        assert!((shares[best] / shares[0] - 1049_f64.sqrt() / 8.0).abs() < 1e-12);
    }

    #[test]
    fn over_common_worlds_the_best_is_in_every_world() {
        let shares = shares(0, &[0.0, 1.0, 2.0], &[0.0, 1.0, 1.0], None);
        for (share, expected) in shares.iter().zip([4.0, 4.0, 1.0]) {
            assert!((share - expected / 9.0).abs() < 1e-12, "{shares:?}");
        }
    }

    /// The first arm was played in three bad worlds more; in the one world that both have seen it is better.
    #[test]
    fn over_common_worlds_the_best_is_so_by_differences() {
        let mut table = Table::new(2, &|a, b| a.cmp(&b));
        table.add(&[0, 1], &[10.0, 9.0]);
        for _ in 0..3 {
            table.add(&[0], &[0.0]);
        }
        assert_eq!((best(&table, true), best(&table, false)), (0, 1));
    }

    #[test]
    fn without_variation_the_shares_are_even() {
        for own in [None, Some(0.0), Some(f64::NAN)] {
            let shares = shares(1, &[0.5, 0.0], &[0.0, 0.0], own);
            assert_eq!(shares, [0.5, 0.5], "{own:?}");
        }
    }

    #[test]
    fn whole_numbers_add_up() {
        for step in [0, 1, 2, 7, 100, 12_345] {
            for weights in [vec![0.0; 3], vec![1.0, 2.0, 4.5], vec![0.0, 1e-300, 1e300]] {
                let counts = apportion(weights.clone(), step);
                assert_eq!(counts.iter().sum::<u64>(), step, "{weights:?}");
            }
        }
        assert_eq!(apportion(vec![1.0, 0.0, 3.0], 8), [2, 0, 6]);
        assert_eq!(apportion(vec![1.0, 1.0, 1.0], 4), [2, 1, 1]);
    }
}
