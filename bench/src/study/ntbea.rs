//! The N-tuple bandit evolutionary algorithm (Lucas, Liu & Perez-Liebana 2018, "The N-Tuple Bandit
//! Evolutionary Algorithm for Game Agent Optimisation", section III): every trial is a few seeds
//! of one combination of values; a model of the means of single values, of pairs of values and of
//! whole combinations says which neighbour to try next.

use std::collections::HashMap;

use search_core::expr::Expr;
use search_core::rng::{Draw, Seed, SimRng};

use super::Study;
use super::axis::{self, Axis};
use super::evaluate::Evaluator;
use super::tune::{Fate, Found, Plan, Spent, Trial, axes_with_present};
use crate::error::{Error, Result};

/// Neighbours that are looked at for each trial (section III, n).
const NEIGHBOURS: usize = 50;
/// In place of the visits of a tuple without any.
const EPSILON: f64 = 0.5;

/// Sums of what was seen of one tuple of values.
#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    trials: f64,
    sum: f64,
}

/// The model: for each set of axes, what was seen of each tuple of their values.
#[derive(Debug, Default)]
struct Model {
    tuples: Vec<Vec<usize>>,
    cells: HashMap<(usize, Vec<usize>), Cell>,
    trials: f64,
    sum: f64,
    squares: f64,
}

impl Model {
    /// Single axes, pairs, and all of them.
    fn new(axes: usize) -> Self {
        let mut tuples: Vec<Vec<usize>> = (0..axes).map(|i| vec![i]).collect();
        for i in 0..axes {
            tuples.extend((i + 1..axes).map(|j| vec![i, j]));
        }
        if axes > 2 {
            tuples.push((0..axes).collect());
        }
        Self {
            tuples,
            ..Self::default()
        }
    }

    fn cell(&self, tuple: usize, point: &[usize]) -> Cell {
        let values = self.tuples[tuple].iter().map(|&i| point[i]).collect();
        self.cells
            .get(&(tuple, values))
            .copied()
            .unwrap_or_default()
    }

    fn add(&mut self, point: &[usize], value: f64) {
        for (index, tuple) in self.tuples.iter().enumerate() {
            let values = tuple.iter().map(|&i| point[i]).collect();
            let cell = self.cells.entry((index, values)).or_default();
            cell.trials += 1.0;
            cell.sum += value;
        }
        self.trials += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    /// The mean over the tuples that were seen of what was seen of them.
    fn mean(&self, point: &[usize]) -> f64 {
        let cells = (0..self.tuples.len()).map(|t| self.cell(t, point));
        let (mut sum, mut count) = (0.0, 0.0);
        for cell in cells.filter(|cell| cell.trials > 0.0) {
            sum += cell.sum / cell.trials;
            count += 1.0;
        }
        if count > 0.0 { sum / count } else { 0.0 }
    }

    /// The mean plus how little is known, in units of the spread of what was seen.
    fn promise(&self, point: &[usize]) -> f64 {
        let mean = self.sum / self.trials.max(1.0);
        let variance = (self.squares / self.trials.max(1.0) - mean * mean).max(0.0);
        let log = libm::log(self.trials + 1.0);
        let unknown = |t| (log / (self.cell(t, point).trials + EPSILON)).sqrt();
        let sum: f64 = (0..self.tuples.len()).map(unknown).sum();
        self.mean(point) + variance.sqrt() * sum / self.tuples.len() as f64
    }
}

/// A neighbour: each value drawn anew with probability one in so many axes, at least one of them.
fn neighbour(point: &[usize], sizes: &[usize], rng: &mut SimRng) -> Vec<usize> {
    let mut next = point.to_vec();
    let sure = rng.below(point.len() as u32) as usize;
    for (i, value) in next.iter_mut().enumerate() {
        let redrawn = i == sure || rng.below(point.len() as u32) == 0;
        if redrawn && sizes[i] > 1 {
            let other = rng.below(sizes[i] as u32 - 1) as usize;
            *value = if other >= *value { other + 1 } else { other };
        }
    }
    next
}

/// Looks for the best combination of values.
pub(super) fn search(
    study: &Study<'_>,
    plan: &Plan,
    spent: &mut Spent,
    evaluator: &mut Evaluator<'_>,
) -> Result<Found> {
    let mut axes = Vec::new();
    for (axis, present) in axes_with_present(study)? {
        let mut axis = axis.filled(present.as_ref())?;
        let number = present.as_ref().and_then(axis::number);
        let is_there = axis.values.iter().position(|v| {
            Some(v) == present.as_ref() || (number.is_some() && axis::number(v) == number)
        });
        let start = match (is_there, present) {
            (Some(at), _) => at,
            (None, Some(present)) => {
                axis.values.push(present);
                axis.values.len() - 1
            }
            (None, None) => 0,
        };
        axes.push((axis, start));
    }
    let (axes, point): (Vec<Axis>, Vec<usize>) = axes.into_iter().unzip();
    let bandit = Bandit {
        study,
        plan,
        axes,
        all: study.tuning.seeds().collect(),
        base: evaluator
            .evaluate(study.game, &study.agent, &study.tuning)?
            .per_seed,
    };
    bandit.run(point, spent, evaluator)
}

struct Bandit<'a> {
    study: &'a Study<'a>,
    plan: &'a Plan,
    axes: Vec<Axis>,
    all: Vec<u64>,
    /// Scores of the unchanged agent, seed by seed.
    base: Vec<f64>,
}

impl Bandit<'_> {
    fn run(
        &self,
        mut point: Vec<usize>,
        spent: &mut Spent,
        evaluator: &mut Evaluator<'_>,
    ) -> Result<Found> {
        let sizes: Vec<usize> = self.axes.iter().map(|a| a.values.len()).collect();
        let mut rng = Seed(self.plan.seed).child("ntbea").simulation(0);
        let mut model = Model::new(sizes.len());
        let mut tried: HashMap<Vec<usize>, usize> = HashMap::new();
        let mut order: Vec<Vec<usize>> = Vec::new();
        let mut trials = Vec::new();
        let seeds = self.plan.trial_seeds.clamp(1, self.all.len());
        let share = seeds as f64 / self.all.len() as f64;
        // One evaluation is left for the winner on all seeds.
        while spent.evaluations + share <= self.plan.evaluations as f64 - 1.0 {
            let agent = self.agent(&point)?;
            let count = tried.entry(point.clone()).or_insert(0);
            if *count == 0 {
                order.push(point.clone());
            }
            let value = self.trial(&agent, *count, seeds, evaluator)?;
            *count += 1;
            spent.evaluations += share;
            model.add(&point, value);
            trials.push(Trial {
                evaluation: trials.len() as u64 + 1,
                change: self.in_words(&point),
                score: value,
                effect: None,
                fate: Fate::Undecided,
            });
            point = self.next(&point, &sizes, &model, &mut rng)?;
        }
        let best = order
            .into_iter()
            .reduce(|best, next| {
                if model.mean(&next) > model.mean(&best) {
                    next
                } else {
                    best
                }
            })
            .ok_or_else(|| Error::input("too few evaluations for a single trial"))?;
        let agent = self.agent(&best)?;
        spent.count(&agent);
        let words = self.in_words(&best);
        for trial in trials.iter_mut().filter(|t| t.change == words) {
            trial.fate = Fate::Accepted;
        }
        Ok(Found {
            agent,
            trials,
            ended: "the evaluations were used up",
        })
    }

    /// The gain of one trial over the unchanged agent: the `count`-th of this agent is on the `count`-th
    /// group of seeds, the same for all agents.
    fn trial(
        &self,
        agent: &Expr,
        count: usize,
        seeds: usize,
        evaluator: &mut Evaluator<'_>,
    ) -> Result<f64> {
        let n = self.all.len();
        let places: Vec<usize> = (0..seeds).map(|i| (count * seeds + i) % n).collect();
        let these: Vec<u64> = places.iter().map(|&i| self.all[i]).collect();
        let (study, tuning) = (self.study, &self.study.tuning);
        let scores = evaluator.scores(study.game, agent, tuning, &these)?;
        let gains = places.iter().zip(scores).map(|(&i, s)| s - self.base[i]);
        Ok(gains.sum::<f64>() / seeds as f64)
    }

    /// The most promising of a few neighbours that the agent accepts.
    fn next(
        &self,
        point: &[usize],
        sizes: &[usize],
        model: &Model,
        rng: &mut SimRng,
    ) -> Result<Vec<usize>> {
        let mut best: Option<(f64, Vec<usize>)> = None;
        for _ in 0..NEIGHBOURS {
            let next = neighbour(point, sizes, rng);
            let promise = model.promise(&next);
            if best.as_ref().is_some_and(|(found, _)| *found >= promise) {
                continue;
            }
            if self.study.game.check_agent(&self.agent(&next)?).is_ok() {
                best = Some((promise, next));
            }
        }
        Ok(best.map_or_else(|| point.to_vec(), |(_, next)| next))
    }

    fn agent(&self, point: &[usize]) -> Result<Expr> {
        let values = self.axes.iter().zip(point);
        values
            .clone()
            .try_fold(self.study.agent.clone(), |agent, (axis, &i)| {
                axis::with(&agent, &axis.key, &axis.values[i])
            })
    }

    fn in_words(&self, point: &[usize]) -> String {
        let values = self.axes.iter().zip(point);
        let words: Vec<String> = values
            .map(|(axis, &i)| format!("{}={}", axis.key, axis.values[i]))
            .collect();
        words.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A noisy landscape with its top at (3, 1, 2); the bandit sees nothing but noisy values.
    #[test]
    fn the_model_finds_the_top_of_a_noisy_landscape() {
        let sizes = [5, 4, 4];
        let top = [3_usize, 1, 2];
        let height = |point: &[usize]| {
            let gap = |i: usize| point[i].abs_diff(top[i]) as f64;
            -(gap(0) + gap(1) + gap(2))
        };
        let mut found = 0;
        for seed in 0..20 {
            let mut rng = Seed(seed).simulation(0);
            let mut model = Model::new(3);
            let mut point = vec![0, 0, 0];
            let mut seen = vec![];
            for _ in 0..150 {
                // Noise of standard deviation 1, as large as a step.
                let noise: f64 = (0..12)
                    .map(|_| f64::from(rng.below(1 << 20)) / f64::from(1 << 20))
                    .sum();
                model.add(&point, height(&point) + noise - 6.0);
                seen.push(point.clone());
                point = (0..NEIGHBOURS)
                    .map(|_| neighbour(&point, &sizes, &mut rng))
                    .max_by(|a, b| model.promise(a).total_cmp(&model.promise(b)))
                    .unwrap();
            }
            let best = seen
                .iter()
                .max_by(|a, b| model.mean(a).total_cmp(&model.mean(b)))
                .unwrap();
            found += usize::from(height(best) >= -1.0);
        }
        // A uniform guess is within a step of the top with probability 7 in 80.
        assert!(found >= 16, "{found} of 20");
    }

    #[test]
    fn neighbours_differ_and_stay_inside() {
        let mut rng = Seed(1).simulation(0);
        for _ in 0..1000 {
            let next = neighbour(&[0, 2, 1], &[2, 3, 2], &mut rng);
            assert_ne!(next, [0, 2, 1]);
            assert!(next[0] < 2 && next[1] < 3 && next[2] < 2);
        }
    }
}
