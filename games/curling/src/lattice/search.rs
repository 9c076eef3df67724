//! Expectimax over a lattice: [`search`].
//!
//! Depth 1 values a candidate by the mean of its outcomes, each simulated once for all candidates.
//! Depth 2 puts the value after the best reply in the place of each outcome's own. A reply never helps:
//! whoever replies may throw the stone away, so the value of an outcome after a wasted reply is an upper
//! bound, and so is the mean of these bounds for a candidate. A candidate is given up as soon as its
//! bound, with the replies known so far in it, is below the best value: Star1 (Ballard 1983) with bounds
//! from the position. That changes no result. Three further settings do: how many candidates are searched
//! at all, in how many of their outcomes replies are sought, and how coarse the replies' lattice is.

use search_core::parallel;
use std::collections::HashMap;
use std::time::Instant;

use crate::board::STONES;
use crate::lattice::grid::Lattice;
use crate::lattice::table::{Judge, Outcomes, best_reply};
use crate::state::{Phase, State};

/// What depth 2 looks at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Replies {
    /// The most candidates of the root for which replies are sought, and then their neighbours, half as
    /// many at most, as long as that improves. `None`: all candidates.
    pub keep: Option<usize>,
    /// With `keep`, from how many candidates those are chosen: the best local maxima by depth 1, put in
    /// order by the reply to each thrown as meant.
    pub screen: usize,
    /// The most outcomes of a candidate, by weight, in which a reply is sought; the others keep their own
    /// value plus the mean difference that replies made to those. `None`: all.
    pub outcomes: Option<usize>,
    /// Whether a stone may be thrown away: sound as a reply, and what the bounds need.
    pub pass: bool,
    /// Whether candidates below the bound are given up.
    pub prune: bool,
}

impl Replies {
    /// Everything, without a short cut: the reference.
    pub const EXACT: Self = Self {
        keep: None,
        screen: 0,
        outcomes: None,
        pass: true,
        prune: false,
    };
}

/// When to stop before the end.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limits {
    /// No further candidate once so many shots are simulated.
    pub shots: Option<u64>,
    /// No further candidate after this.
    pub until: Option<Instant>,
}

/// What came out.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// Depth-1 value of every candidate, in returns; minus infinity for one that cannot be thrown.
    pub shallow: Vec<f64>,
    /// Depth-2 value of those searched in full; empty at depth 1.
    pub deep: Vec<Option<f64>>,
    /// Whether no outcome leaves anything to reply to, so that depth-1 values are those of any depth.
    pub settled: bool,
    /// The best candidate by the deepest values; `None` when there is none.
    pub best: Option<usize>,
    /// Shots simulated.
    pub shots: u64,
    /// Shots that the simulator cut short.
    pub cut_short: u64,
    /// Positions in which the best reply was sought.
    pub nodes: u64,
    /// Whether a limit stopped it.
    pub stopped: Option<Stopped>,
}

/// Which limit stopped a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// The shots.
    Shots,
    /// The time.
    Time,
}

impl Found {
    /// The value of the best candidate.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        let best = self.best?;
        self.deep
            .get(best)
            .copied()
            .flatten()
            .or(Some(self.shallow[best]))
    }

    /// The value of a candidate at the depth of the search; `None` when it was not searched that deep,
    /// and minus infinity when it cannot be thrown.
    #[must_use]
    pub fn searched(&self, candidate: usize) -> Option<f64> {
        let shallow = self.shallow[candidate];
        if self.deep.is_empty() {
            return Some(shallow);
        }
        self.deep[candidate].or(self.settled.then_some(shallow))
    }
}

/// Searches a position: depth 1 without `replies`, else depth 2 with the lattice of the replies. The
/// result does not depend on the number of threads.
#[must_use]
pub fn search(
    judge: &Judge<'_>,
    lattice: &Lattice,
    replies: Option<(&Lattice, Replies)>,
    state: &State,
    threads: usize,
    limits: Limits,
) -> Found {
    let state = State {
        horizon: true,
        ..*state
    };
    let table = Outcomes::new(judge, lattice, &state, threads);
    let mut found = Found {
        shots: table.simulated,
        cut_short: table.cut_short,
        ..Found::default()
    };
    lattice.expect(&table.values, &mut Vec::new(), &mut found.shallow);
    for (m, value) in found.shallow.iter_mut().enumerate() {
        if lattice.meant(m).release.is_none() {
            *value = f64::NEG_INFINITY;
        }
    }
    found.best = ranked(&found.shallow).first().copied();
    if let Some((reply_lattice, replies)) = replies {
        let deeper = Deeper::new(
            judge,
            lattice,
            reply_lattice,
            replies,
            table,
            threads,
            limits,
        );
        deeper.run(&mut found);
    }
    found
}

/// The candidates with a value, the best first; of equals the first.
fn ranked(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len())
        .filter(|m| values[*m].is_finite())
        .collect();
    order.sort_by(|a, b| values[*b].total_cmp(&values[*a]).then(a.cmp(b)));
    order
}

/// Positions whose replies are sought side by side before the bound is looked at again.
const BATCH: usize = 8;
/// Bounds are sums in another order than values.
const ROUNDING: f64 = 1e-9;

type BoardKey = [u32; 2 * STONES + 1];

struct Deeper<'a> {
    judge: &'a Judge<'a>,
    lattice: &'a Lattice,
    reply_lattice: &'a Lattice,
    replies: Replies,
    table: Outcomes,
    threads: usize,
    limits: Limits,
    /// Upper bounds of the outcomes.
    bounds: Vec<f64>,
    /// Values of the outcomes after the best reply.
    known: Vec<Option<f64>>,
    boards: HashMap<BoardKey, f64>,
    outcomes: Vec<(usize, f64)>,
    chosen: Vec<(usize, f64)>,
}

/// A position in which a reply is sought.
struct Job {
    outcome: usize,
    result: (f64, u64, u64),
}

impl<'a> Deeper<'a> {
    fn new(
        judge: &'a Judge<'a>,
        lattice: &'a Lattice,
        reply_lattice: &'a Lattice,
        replies: Replies,
        table: Outcomes,
        threads: usize,
        limits: Limits,
    ) -> Self {
        let over = |state: &State| matches!(state.phase, Phase::Over(_));
        let outcomes = table.states.iter().zip(&table.values);
        let bounds = outcomes
            .clone()
            .map(|(state, value)| match over(state) {
                true => *value,
                false if replies.pass => judge.value(&judge.after_pass(state)),
                false => f64::INFINITY,
            })
            .collect();
        let known = outcomes
            .map(|(state, value)| over(state).then_some(*value))
            .collect();
        Self {
            judge,
            lattice,
            reply_lattice,
            replies,
            table,
            threads,
            limits,
            bounds,
            known,
            boards: HashMap::new(),
            outcomes: Vec::new(),
            chosen: Vec::new(),
        }
    }

    fn run(mut self, found: &mut Found) {
        found.deep = vec![None; found.shallow.len()];
        found.settled = self.known.iter().all(Option::is_some);
        let mut bounds = Vec::new();
        if self.replies.pass {
            self.lattice
                .expect(&self.bounds, &mut Vec::new(), &mut bounds);
        } else {
            bounds = vec![f64::INFINITY; found.shallow.len()];
        }
        let order = self.order(found, &bounds);
        let mut best: Option<(usize, f64)> = None;
        for m in order {
            if best.is_some() && self.out_of_budget(found) {
                break;
            }
            let value = self.candidate(m, bounds[m], best.map(|b| b.1), found);
            if let Some(value) = value
                && best.is_none_or(|(_, top)| value > top)
            {
                best = Some((m, value));
            }
        }
        if let Some(keep) = self.replies.keep {
            self.climb(keep.div_ceil(2), &bounds, &mut best, found);
        }
        if let Some((m, _)) = best {
            found.best = Some(m);
        }
    }

    /// The candidates to search, in order.
    fn order(&mut self, found: &mut Found, bounds: &[f64]) -> Vec<usize> {
        let Some(keep) = self.replies.keep else {
            if !self.replies.pass {
                return ranked(&found.shallow);
            }
            let open = |m: usize| found.shallow[m].is_finite();
            let values: Vec<f64> = (0..bounds.len())
                .map(|m| {
                    if open(m) {
                        bounds[m]
                    } else {
                        f64::NEG_INFINITY
                    }
                })
                .collect();
            return ranked(&values);
        };
        let top = |m: &usize| {
            let value = found.shallow[*m];
            self.lattice.neighbours(*m).all(|n| {
                let other = found.shallow[n];
                value > other || (value == other && *m < n)
            })
        };
        let screened: Vec<usize> = ranked(&found.shallow)
            .into_iter()
            .filter(top)
            .take(self.replies.screen.max(keep).max(1))
            .collect();
        let mut rated = self.screen(screened, found);
        rated.truncate(keep.max(1));
        rated
    }

    /// Puts candidates in order by what the best reply makes of each thrown as meant.
    fn screen(&mut self, mut screened: Vec<usize>, found: &mut Found) -> Vec<usize> {
        let meant: Vec<(usize, f64)> = screened
            .iter()
            .map(|m| (self.lattice.meant_index(*m), 1.0))
            .collect();
        let mut start = 0;
        while start < meant.len() && !(start > 0 && self.out_of_budget(found)) {
            start = self.batch(&meant, start, found);
        }
        screened.truncate(start);
        let rate = |m: usize| {
            let outcome = self.lattice.source(self.lattice.meant_index(m));
            let before = self.table.values[outcome];
            found.shallow[m] + self.known[outcome].unwrap_or(before) - before
        };
        screened.sort_by(|a, b| rate(*b).total_cmp(&rate(*a)).then(a.cmp(b)));
        screened
    }

    /// From the best candidate to a better neighbour as long as there is one, over at most `most`
    /// further candidates.
    fn climb(
        &mut self,
        most: usize,
        bounds: &[f64],
        best: &mut Option<(usize, f64)>,
        found: &mut Found,
    ) {
        let mut left = most;
        loop {
            let Some((centre, top)) = *best else { return };
            let mut near: Vec<usize> = self
                .lattice
                .neighbours(centre)
                .filter(|n| found.deep[*n].is_none() && found.shallow[*n].is_finite())
                .collect();
            near.sort_by(|a, b| {
                found.shallow[*b]
                    .total_cmp(&found.shallow[*a])
                    .then(a.cmp(b))
            });
            for m in near {
                if left == 0 || self.out_of_budget(found) {
                    return;
                }
                left -= 1;
                if let Some(value) =
                    self.candidate(m, bounds[m], Some(best.map_or(top, |b| b.1)), found)
                    && best.is_none_or(|(_, top)| value > top)
                {
                    *best = Some((m, value));
                }
            }
            if best.is_some_and(|(m, _)| m == centre) {
                return;
            }
        }
    }

    fn out_of_budget(&self, found: &mut Found) -> bool {
        if self.limits.shots.is_some_and(|most| found.shots >= most) {
            found.stopped = Some(Stopped::Shots);
        } else if self.limits.until.is_some_and(|end| Instant::now() >= end) {
            found.stopped = Some(Stopped::Time);
        }
        found.stopped.is_some()
    }

    /// The value of a candidate after the best replies; `None` when it is below `floor`.
    fn candidate(
        &mut self,
        m: usize,
        bound: f64,
        floor: Option<f64>,
        found: &mut Found,
    ) -> Option<f64> {
        let floor = if self.replies.prune { floor } else { None };
        let below = |bound: f64| floor.is_some_and(|floor| bound < floor - ROUNDING);
        if below(bound) {
            return None;
        }
        let mut outcomes = std::mem::take(&mut self.outcomes);
        let mut chosen = std::mem::take(&mut self.chosen);
        self.lattice.outcomes(m, &mut outcomes);
        outcomes.retain(|(_, weight)| *weight > 0.0);
        chosen.clear();
        chosen.extend_from_slice(&outcomes);
        chosen.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        chosen.truncate(self.replies.outcomes.unwrap_or(usize::MAX).max(1));
        let whole = chosen.len() == outcomes.len();
        let mut value = None;
        let mut start = 0;
        while start < chosen.len() {
            let end = self.batch(&chosen, start, found);
            start = end;
            let bound: f64 = outcomes.iter().map(|(o, w)| w * self.at_most(*o)).sum();
            if whole && below(bound) {
                break;
            }
            if start == chosen.len() {
                value = Some(self.mean(&outcomes, &chosen, found.shallow[m]));
            }
        }
        (self.outcomes, self.chosen) = (outcomes, chosen);
        found.deep[m] = value;
        value
    }

    fn at_most(&self, outcome: usize) -> f64 {
        self.known[self.lattice.source(outcome)].unwrap_or(self.bounds[outcome])
    }

    /// The mean over the outcomes, or, where not all were searched, the depth-1 mean plus what the
    /// replies changed in those that were.
    fn mean(&self, outcomes: &[(usize, f64)], chosen: &[(usize, f64)], shallow: f64) -> f64 {
        let after = |o: usize| self.known[self.lattice.source(o)].unwrap_or(self.table.values[o]);
        if chosen.len() == outcomes.len() {
            return outcomes.iter().map(|(o, w)| w * after(*o)).sum();
        }
        let weight: f64 = chosen.iter().map(|(_, w)| w).sum();
        let change: f64 = chosen
            .iter()
            .map(|(o, w)| w * (after(*o) - self.table.values[*o]))
            .sum();
        shallow + change / weight
    }

    /// Seeks the replies in the next few outcomes that lack them; returns where it stopped.
    fn batch(&mut self, chosen: &[(usize, f64)], start: usize, found: &mut Found) -> usize {
        let mut jobs: Vec<Job> = Vec::with_capacity(BATCH);
        let mut keys: Vec<BoardKey> = Vec::with_capacity(BATCH);
        let mut alike: Vec<(usize, BoardKey)> = Vec::new();
        let mut end = start;
        while end < chosen.len() && jobs.len() < BATCH {
            let outcome = self.lattice.source(chosen[end].0);
            end += 1;
            if self.known[outcome].is_some() {
                continue;
            }
            let key = key(&self.table.states[outcome]);
            if let Some(value) = self.boards.get(&key) {
                self.known[outcome] = Some(*value);
            } else if keys.contains(&key) {
                alike.push((outcome, key));
            } else {
                keys.push(key);
                jobs.push(Job {
                    outcome,
                    result: (0.0, 0, 0),
                });
            }
        }
        let (judge, lattice, pass) = (self.judge, self.reply_lattice, self.replies.pass);
        let states = &self.table.states;
        parallel::for_each(self.threads, &mut jobs, &|job| {
            job.result = best_reply(judge, lattice, &states[job.outcome], pass);
        });
        for (job, key) in jobs.iter().zip(keys) {
            let (value, shots, cut) = job.result;
            self.known[job.outcome] = Some(value);
            self.boards.insert(key, value);
            found.shots += shots;
            found.cut_short += cut;
            found.nodes += 1;
        }
        for (outcome, key) in alike {
            self.known[outcome] = self.boards.get(&key).copied();
        }
        end
    }
}

/// Outcomes of one position differ in their boards alone.
fn key(state: &State) -> BoardKey {
    let mut key = [0; 2 * STONES + 1];
    for (stone, point) in state.board.stones() {
        key[2 * stone.index()] = point.x.to_bits();
        key[2 * stone.index() + 1] = point.y.to_bits();
    }
    key[2 * STONES] = state.board.mask().into();
    key
}
