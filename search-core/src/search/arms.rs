//! Root actions compared under common random numbers: what flat Monte Carlo and rollout
//! improvement share.
//!
//! Replication `j` uses world `j` for every action, and draws the random events of the rollout by
//! `(j, player, ordinal of that player's decision)`, so that two actions meet the same luck as far
//! as their lines of play allow. Differences are kept pair by pair: their standard errors are those
//! of the paired comparison.

use crate::budget::{Budget, StopReason};
use crate::decision::{Candidate, Decision, Effort, PairedDifference, SearchError};
use crate::game::{Game, Player};
use crate::policy::RolloutPolicy;
use crate::rng::{EventStream, Seed};
use crate::rollout::{Ending, play_out};
use crate::search::meter::Meter;
use crate::search::root::usable;
use crate::search::worlds::{Root, Worlds};

/// Worlds evaluated between two looks at the budget.
const CHUNK: u64 = 64;

/// Where the draws of a replication come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CommonNumbers {
    /// The same world for every action, and draws keyed by event (the default).
    #[default]
    EventKeyed,
    /// The same world, and the same running stream: in step until two lines of play diverge.
    Running,
    /// Fresh worlds and draws for every action: for measuring what sharing buys.
    Independent,
}

/// The comparison of a set of actions.
pub(crate) struct Arms<'a, G: Game, W, P> {
    pub(crate) game: &'a G,
    pub(crate) worlds: &'a W,
    pub(crate) policy: &'a P,
    pub(crate) root: &'a Root<G::Action>,
    pub(crate) numbers: CommonNumbers,
    pub(crate) seed: Seed,
    pub(crate) threads: usize,
    pub(crate) table: Table<G::Action>,
    pub(crate) effort: Effort,
    rows: Vec<Row<G>>,
}

/// One world and what each action came to in it.
struct Row<G: Game> {
    index: u64,
    arms: usize,
    start: G::State,
    world: G::State,
    legal: Vec<G::Action>,
    values: Vec<f64>,
    truncated: u64,
    error: Option<SearchError>,
}

impl<'a, G: Game, W: Worlds<G>, P: RolloutPolicy<G>> Arms<'a, G, W, P> {
    pub(crate) fn new(
        (game, worlds, policy): (&'a G, &'a W, &'a P),
        root: &'a Root<G::Action>,
        actions: &[G::Action],
        seed: Seed,
    ) -> Self {
        Self {
            game,
            worlds,
            policy,
            root,
            numbers: CommonNumbers::EventKeyed,
            seed,
            threads: 1,
            table: Table::new(actions),
            effort: Effort {
                deterministic: true,
                ..Effort::default()
            },
            rows: Vec::new(),
        }
    }

    /// Plays every action of `live` in worlds `first..first + worlds`, and the first `extra` of them
    /// in one world more. Stops early when the meter says so; returns the reason.
    pub(crate) fn pull(
        &mut self,
        live: &[usize],
        first: u64,
        worlds: u64,
        extra: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<StopReason>, SearchError> {
        let mut done = 0;
        let last = worlds + u64::from(extra > 0);
        while done < last {
            if let Some(reason) = meter.stop(self.effort.simulations, 0) {
                return Ok(Some(reason));
            }
            let chunk = CHUNK.min(last - done) as usize;
            self.resize_rows(chunk);
            for (i, row) in self.rows[..chunk].iter_mut().enumerate() {
                row.index = first + done + i as u64;
                row.arms = if done + (i as u64) < worlds {
                    live.len()
                } else {
                    extra
                };
            }
            let mut rows = std::mem::take(&mut self.rows);
            crate::parallel::for_each(self.threads, &mut rows[..chunk], &|row| {
                self.play(row, live);
            });
            for row in &mut rows[..chunk] {
                if let Some(error) = row.error.take() {
                    return Err(error);
                }
                self.table.add(&live[..row.arms], &row.values);
                self.effort.simulations += row.arms as u64;
                self.effort.truncated_rollouts += row.truncated;
            }
            self.rows = rows;
            self.effort.worlds += chunk as u64;
            self.effort.effective_sample_size = self.effort.worlds as f64;
            done += chunk as u64;
        }
        Ok(None)
    }

    fn resize_rows(&mut self, chunk: usize) {
        while self.rows.len() < chunk {
            self.rows.push(Row {
                index: 0,
                arms: 0,
                start: self.worlds.scratch(self.game),
                world: self.worlds.scratch(self.game),
                legal: Vec::with_capacity(256),
                values: Vec::with_capacity(self.table.actions.len()),
                truncated: 0,
                error: None,
            });
        }
    }

    /// Plays one world with each of its actions.
    fn play(&self, row: &mut Row<G>, live: &[usize]) {
        row.values.clear();
        row.truncated = 0;
        for (i, &arm) in live[..row.arms].iter().enumerate() {
            let action = self.table.actions[arm];
            let replication = match self.numbers {
                CommonNumbers::Independent => self.seed.index(row.index).index(arm as u64),
                _ => self.seed.index(row.index),
            };
            if i == 0 || self.numbers == CommonNumbers::Independent {
                let mut rng = replication.simulation(0);
                let weight = self.worlds.load(self.game, &mut rng, &mut row.start);
                if weight != 0.0 {
                    row.error = Some(SearchError::WeightedWorlds { log_weight: weight });
                    return;
                }
                if let Err(error) = self.root.agrees(self.game, &row.start) {
                    row.error = Some(error);
                    return;
                }
            }
            row.world.clone_from(&row.start);
            self.game.apply(&mut row.world, action);
            let events = replication.index(1);
            let mut stream = match self.numbers {
                CommonNumbers::Running => EventStream::running(events.simulation(0)),
                _ => EventStream::keyed(events),
            };
            let evaluation = play_out(
                self.game,
                &mut row.world,
                &mut stream,
                &mut row.legal,
                self.game.max_turns(),
                self.policy.reads_legal(),
                |world, player, legal, rng| {
                    self.policy
                        .choose_in_world(self.game, world, player, legal, rng)
                },
            );
            if let Ending::Stuck(player) = evaluation.ending {
                let player = player.index();
                row.error = Some(SearchError::NoActions { player });
                return;
            }
            let value = evaluation.returns.of(self.root.player);
            if !usable(value) {
                row.error = Some(SearchError::NonFiniteReturn {
                    player: self.root.player.index(),
                    value,
                    action: format!("{action:?}"),
                });
                return;
            }
            row.values.push(value);
            row.truncated += u64::from(evaluation.ending == Ending::CutOff);
        }
    }

    /// Plays all actions in as many worlds as the budget has room for.
    pub(crate) fn pull_evenly(&mut self, budget: &Budget) -> Result<(), SearchError> {
        let live: Vec<usize> = (0..self.table.actions.len()).collect();
        let arms = live.len() as u64;
        let mut meter = Meter::new(budget, budget.simulations, budget.time, true);
        let (worlds, extra) = match budget.simulations {
            Some(n) => (n / arms, (n % arms) as usize),
            None => (meter.most() / arms, 0),
        };
        let stop = self.pull(&live, 0, worlds, extra, &mut meter)?;
        self.stopped(stop);
        Ok(())
    }

    /// Nothing was left to compare.
    pub(crate) fn settled(&mut self) {
        self.effort.stop = StopReason::Settled;
    }

    /// Ended by the meter, or by having done what was planned.
    pub(crate) fn stopped(&mut self, stop: Option<StopReason>) {
        self.effort.stop = stop.unwrap_or(StopReason::Simulations);
        self.effort.deterministic = self.effort.stop == StopReason::Simulations;
    }

    /// The decision for `chosen`, with an entry for every legal action.
    pub(crate) fn decide(self, chosen: G::Action) -> Decision<G::Action> {
        let table = &self.table;
        let chosen_arm = table.actions.iter().position(|a| *a == chosen);
        let candidates = self.root.legal.iter().map(|&action| {
            let arm = table.actions.iter().position(|a| *a == action);
            let n = arm.map_or(0, |i| table.visits[i]);
            Candidate {
                action,
                visits: n,
                mean: arm.map_or(f64::NAN, |i| table.mean(i)),
                std_error: arm.map_or(f64::NAN, |i| table.std_error(i)),
                availability: self.effort.worlds,
                policy: f64::from(u8::from(action == chosen)),
                versus_chosen: arm
                    .zip(chosen_arm)
                    .and_then(|(i, c)| table.difference(i, c)),
            }
        });
        Decision {
            action: chosen,
            candidates: candidates.collect(),
            effort: self.effort,
        }
    }
}

/// Actions that are all paired with each other at most, 3 million pairs. Beyond that each is paired
/// with the first alone: with tens of thousands of actions all pairs would not fit into memory.
const MOST_PAIRED: usize = 2_500;

/// Sums over replications, for each action and each pair of actions.
pub(crate) struct Table<A> {
    pub(crate) actions: Vec<A>,
    pub(crate) visits: Vec<u64>,
    sums: Vec<f64>,
    squares: Vec<f64>,
    /// Row-major lower triangle: `(n, sum, sum of squares)` of `value(i) - value(j)`, `j < i`.
    /// For more than [`MOST_PAIRED`] actions only those with `j = 0`, at `i`.
    pairs: Vec<(u32, f64, f64)>,
}

impl<A: Copy + Ord> Table<A> {
    fn new(actions: &[A]) -> Self {
        let k = actions.len();
        Self {
            actions: actions.to_vec(),
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

    /// Where the pair of `i` and `j < i` is kept, if it is.
    fn pair(&self, i: usize, j: usize) -> Option<usize> {
        if self.actions.len() > MOST_PAIRED {
            return (j == 0).then_some(i);
        }
        Some(i * (i - 1) / 2 + j)
    }

    /// Adds one replication of the arms `live`, ascending.
    fn add(&mut self, live: &[usize], values: &[f64]) {
        for (position, (&arm, &value)) in live.iter().zip(values).enumerate() {
            self.visits[arm] += 1;
            self.sums[arm] += value;
            self.squares[arm] += value * value;
            let earlier = if self.actions.len() > MOST_PAIRED {
                position.min(1)
            } else {
                position
            };
            for (&other, &against) in live.iter().zip(&values[..earlier]) {
                let Some(pair) = self.pair(arm, other) else {
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

    fn std_error(&self, arm: usize) -> f64 {
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
        ranked.sort_by(|&a, &b| {
            key(b)
                .total_cmp(&key(a))
                .then(self.actions[a].cmp(&self.actions[b]))
        });
        ranked
    }
}

fn std_error(n: f64, sum: f64, squares: f64) -> f64 {
    let mean = sum / n;
    let variance = (squares / n - mean * mean).max(0.0) * n / (n - 1.0);
    (variance / n).sqrt()
}

/// One policy for the searching player, another for everybody else.
pub(crate) struct BySeat<'a, B, O> {
    pub(crate) me: Player,
    pub(crate) own: &'a B,
    pub(crate) others: &'a O,
}

impl<G: Game, B: RolloutPolicy<G>, O: RolloutPolicy<G>> RolloutPolicy<G> for BySeat<'_, B, O> {
    #[inline]
    fn choose_in_world(
        &self,
        game: &G,
        world: &G::State,
        player: Player,
        legal: &[G::Action],
        rng: &mut crate::rng::SimRng,
    ) -> G::Action {
        if player == self.me {
            self.own.choose_in_world(game, world, player, legal, rng)
        } else {
            self.others.choose_in_world(game, world, player, legal, rng)
        }
    }
}
