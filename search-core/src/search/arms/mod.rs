//! Root actions compared under common random numbers: what flat Monte Carlo and rollout
//! improvement share.
//!
//! Replication `j` uses world `j` for every action, and draws the random events of the rollout by
//! `(j, player, ordinal of that player's decision)`, so that two actions meet the same luck as far
//! as their lines of play allow. Differences are kept pair by pair: their standard errors are those
//! of the paired comparison.

mod table;

use std::time::{Duration, Instant};

use crate::budget::{Budget, StopReason};
use crate::decision::{Candidate, Decision, Effort, SearchError};
use crate::game::{Game, Player};
use crate::policy::{Evaluator, RolloutPolicy};
use crate::rng::{EventStream, Seed};
use crate::rollout::{Ending, play_out};
use crate::search::meter::Meter;
use crate::search::root::usable;
use crate::search::worlds::{Root, Worlds};

pub(crate) use table::Table;

/// Worlds evaluated between two looks at the budget.
const CHUNK: u64 = 64;
/// Where something but the number of simulations may end the search, fewer: as many as take this long.
const TIME_OF_CHUNK: Duration = Duration::from_millis(1);

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

/// Where a rollout stops before the end of the game, and what values it there.
pub(crate) struct Horizon<'a, G: Game> {
    /// Turns after the first action; [`Game::max_turns`] at most.
    pub(crate) turns: Option<u32>,
    /// [`Game::cut_off_returns`] without one.
    pub(crate) evaluator: Option<&'a dyn Evaluator<G>>,
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
    pub(crate) horizon: Horizon<'a, G>,
    pub(crate) actions: Vec<G::Action>,
    pub(crate) table: Table,
    pub(crate) effort: Effort,
    rows: Vec<Row<G>>,
    chunk: u64,
}

/// One world and what each action came to in it.
struct Row<G: Game> {
    index: u64,
    arms: Vec<u32>,
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
            horizon: Horizon {
                turns: None,
                evaluator: None,
            },
            actions: actions.to_vec(),
            table: Table::new(actions.len(), &|a, b| actions[a].cmp(&actions[b])),
            effort: Effort {
                deterministic: true,
                ..Effort::default()
            },
            rows: Vec::new(),
            chunk: 1,
        }
    }

    /// Plays every action of `live`, ascending, in worlds `first..first + worlds`, and the first `extra`
    /// of them in one world more. Stops early when the meter says so; returns the reason.
    pub(crate) fn pull(
        &mut self,
        live: &[usize],
        first: u64,
        worlds: u64,
        extra: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<StopReason>, SearchError> {
        let count = |position| worlds + u64::from(position < extra);
        self.pull_each(live, first, &count, meter)
    }

    /// Plays each action of `live`, ascending, in as many worlds from `first` on as `count` says of
    /// its position in `live`.
    pub(crate) fn pull_each(
        &mut self,
        live: &[usize],
        first: u64,
        count: &dyn Fn(usize) -> u64,
        meter: &mut Meter<'_>,
    ) -> Result<Option<StopReason>, SearchError> {
        let last = (0..live.len()).map(count).max().unwrap_or(0);
        let mut done = 0;
        while done < last {
            if let Some(reason) = meter.stop(self.effort.simulations, 0) {
                return Ok(Some(reason));
            }
            let chunk = self.next_chunk(meter).min(last - done) as usize;
            self.resize_rows(chunk);
            for (row, world) in self.rows[..chunk].iter_mut().zip(done..) {
                row.index = first + world;
                row.arms.clear();
                let played = live.iter().enumerate().filter(|&(i, _)| world < count(i));
                row.arms.extend(played.map(|(_, &arm)| arm as u32));
            }
            self.play_rows(chunk, meter)?;
            done += chunk as u64;
        }
        Ok(None)
    }

    /// How many worlds come before the next look at the meter. The result does not depend on it.
    fn next_chunk(&self, meter: &Meter<'_>) -> u64 {
        if meter.may_interrupt() {
            self.chunk.max(self.threads as u64).min(CHUNK)
        } else {
            CHUNK
        }
    }

    fn play_rows(&mut self, chunk: usize, meter: &Meter<'_>) -> Result<(), SearchError> {
        let started = meter.may_interrupt().then(Instant::now);
        let mut rows = std::mem::take(&mut self.rows);
        crate::parallel::for_each(self.threads, &mut rows[..chunk], &|row| self.play(row));
        for row in &mut rows[..chunk] {
            if let Some(error) = row.error.take() {
                return Err(error);
            }
            self.table.add(&row.arms, &row.values);
            self.effort.simulations += row.arms.len() as u64;
            self.effort.truncated_rollouts += row.truncated;
        }
        self.rows = rows;
        if let Some(error) = self.policy.failure() {
            return Err(error);
        }
        self.effort.worlds += chunk as u64;
        self.effort.effective_sample_size = self.effort.worlds as f64;
        if started.is_some_and(|at| at.elapsed() < TIME_OF_CHUNK / 2) {
            self.chunk = (2 * chunk as u64).min(CHUNK);
        }
        Ok(())
    }

    fn resize_rows(&mut self, chunk: usize) {
        while self.rows.len() < chunk {
            self.rows.push(Row {
                index: 0,
                arms: Vec::with_capacity(self.actions.len()),
                start: self.worlds.scratch(self.game),
                world: self.worlds.scratch(self.game),
                legal: Vec::with_capacity(256),
                values: Vec::with_capacity(self.actions.len()),
                truncated: 0,
                error: None,
            });
        }
    }

    /// Plays one world with each of its actions.
    fn play(&self, row: &mut Row<G>) {
        row.values.clear();
        row.truncated = 0;
        let most = self.game.max_turns();
        let most = self.horizon.turns.map_or(most, |turns| turns.min(most));
        for (i, &arm) in row.arms.iter().enumerate() {
            let action = self.actions[arm as usize];
            let replication = match self.numbers {
                CommonNumbers::Independent => self.seed.index(row.index).index(u64::from(arm)),
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
                most,
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
            let returns = match self.horizon.evaluator {
                Some(evaluator) if evaluation.ending == Ending::CutOff => {
                    evaluator.evaluate(self.game, &row.world)
                }
                _ => evaluation.returns,
            };
            let value = returns.of(self.root.player);
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
        let live: Vec<usize> = (0..self.actions.len()).collect();
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

    /// The decision for `chosen`, with an entry for every legal action; its policy is `chosen` alone.
    pub(crate) fn decide(self, chosen: G::Action) -> Decision<G::Action> {
        let table = &self.table;
        let chosen_arm = self.actions.iter().position(|a| *a == chosen);
        let candidates = self.root.legal.iter().map(|&action| {
            let arm = self.actions.iter().position(|a| *a == action);
            let n = arm.map_or(0, |i| table.visits[i]);
            Candidate {
                action,
                visits: n,
                mean: arm.map_or(f64::NAN, |i| table.mean(i)),
                std_error: arm.map_or(f64::NAN, |i| table.std_error(i)),
                availability: self.effort.worlds,
                policy: f64::from(u8::from(action == chosen)),
                proven: None,
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

    fn failure(&self) -> Option<SearchError> {
        self.own.failure().or_else(|| self.others.failure())
    }
}
