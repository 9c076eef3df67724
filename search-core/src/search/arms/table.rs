//! Sums over replications, for each action and each pair of actions: [`Table`].

use std::cmp::Ordering;

use crate::decision::PairedDifference;

/// Actions that are all paired with each other at most, 3 million pairs. Beyond that each is paired
/// with the first alone: with tens of thousands of actions all pairs would not fit into memory.
const MOST_PAIRED: usize = 2_500;

/// Sums over replications, for each action and each pair of actions.
/// It knows of the actions no more than their order, so that it is compiled once for all games.
pub(crate) struct Table {
    /// The place of each action among all, ascending, for ties.
    places: Vec<usize>,
    pub(crate) visits: Vec<u64>,
    sums: Vec<f64>,
    squares: Vec<f64>,
    /// Row-major lower triangle: `(n, sum, sum of squares)` of `value(i) - value(j)`, `j < i`.
    /// For more than [`MOST_PAIRED`] actions only those with `j = 0`, at `i`.
    pairs: Vec<(u32, f64, f64)>,
}

impl Table {
    /// For actions with this order, each compared with another by its number.
    pub(crate) fn new(k: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Self {
        let mut order: Vec<usize> = (0..k).collect();
        crate::order::sort_by(&mut order, compare);
        let mut places = vec![0; k];
        for (place, &arm) in order.iter().enumerate() {
            places[arm] = place;
        }
        Self {
            places,
            visits: vec![0; k],
            sums: vec![0.0; k],
            squares: vec![0.0; k],
            pairs: vec![
                (0, 0.0, 0.0);
                if k > MOST_PAIRED {
                    k
                } else {
                    k * k.saturating_sub(1) / 2
                }
            ],
        }
    }

    /// How many actions there are.
    pub(crate) fn len(&self) -> usize {
        self.visits.len()
    }

    /// Where the pair of `i` and `j < i` is kept, if it is.
    fn pair(&self, i: usize, j: usize) -> Option<usize> {
        if self.len() > MOST_PAIRED {
            return (j == 0).then_some(i);
        }
        Some(i * (i - 1) / 2 + j)
    }

    /// Adds one replication of the arms `live`, ascending.
    pub(crate) fn add(&mut self, live: &[u32], values: &[f64]) {
        for (position, (&arm, &value)) in live.iter().zip(values).enumerate() {
            let arm = arm as usize;
            self.visits[arm] += 1;
            self.sums[arm] += value;
            self.squares[arm] += value * value;
            let earlier = if self.len() > MOST_PAIRED {
                position.min(1)
            } else {
                position
            };
            for (&other, &against) in live.iter().zip(&values[..earlier]) {
                let Some(pair) = self.pair(arm, other as usize) else {
                    continue;
                };
                let difference = value - against;
                let (n, sum, squares) = &mut self.pairs[pair];
                *n += 1;
                *sum += difference;
                *squares += difference * difference;
            }
        }
    }

    pub(crate) fn mean(&self, arm: usize) -> f64 {
        self.sums[arm] / self.visits[arm] as f64
    }

    pub(crate) fn std_error(&self, arm: usize) -> f64 {
        std_error(self.visits[arm] as f64, self.sums[arm], self.squares[arm])
    }

    /// Mean of `value(arm) - value(against)` over the replications that had both. None without
    /// any, or when there are too many actions to keep this pair.
    pub(crate) fn difference(&self, arm: usize, against: usize) -> Option<PairedDifference> {
        let (n, sum, squares, sign) = match arm.cmp(&against) {
            std::cmp::Ordering::Equal => return None,
            std::cmp::Ordering::Greater => {
                let (n, s, q) = self.pairs[self.pair(arm, against)?];
                (n, s, q, 1.0)
            }
            std::cmp::Ordering::Less => {
                let (n, s, q) = self.pairs[self.pair(against, arm)?];
                (n, s, q, -1.0)
            }
        };
        (n > 0).then(|| PairedDifference {
            mean: sign * sum / f64::from(n),
            std_error: std_error(f64::from(n), sum, squares),
            worlds: u64::from(n),
        })
    }

    /// The arms of `live` from the best mean to the worst; unvisited ones last, ties by action.
    pub(crate) fn ranked(&self, live: &[usize]) -> Vec<usize> {
        let mut ranked = live.to_vec();
        let key = |arm: usize| {
            if self.visits[arm] == 0 {
                f64::NEG_INFINITY
            } else {
                self.mean(arm)
            }
        };
        crate::order::sort_by(&mut ranked, &|a, b| {
            key(b)
                .total_cmp(&key(a))
                .then(self.places[a].cmp(&self.places[b]))
        });
        ranked
    }
}

fn std_error(n: f64, sum: f64, squares: f64) -> f64 {
    let mean = sum / n;
    let variance = (squares / n - mean * mean).max(0.0) * n / (n - 1.0);
    (variance / n).sqrt()
}
