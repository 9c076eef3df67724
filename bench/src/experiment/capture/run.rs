//! A capture over many seeds: the matches on any number of threads, the worst positions kept.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use serde::Serialize;

use super::continuation::Cost;
use super::standing::Script;
use super::{Trace, Watcher};
use crate::error::{Error, Result};
use crate::statistics::cluster::cluster_mean;
use crate::statistics::interval::Interval;

/// What the worst positions are the worst in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// What the round brought the seat, the least first. Costs nothing, and is mostly luck.
    Loss,
    /// What the choice cost by continuations, the most first: all positions are played on from.
    Cost,
}

/// What to do.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The seeds.
    pub seeds: Vec<u64>,
    /// Players of the game: each seat is watched in a match of its own.
    pub players: usize,
    /// Positions to keep.
    pub keep: usize,
    /// Which ones.
    pub order: Order,
    /// Continuations after each choice; none when 0.
    pub continuations: u32,
    /// Who plays on, in words.
    pub by: String,
    /// Threads.
    pub threads: usize,
}

/// What was seen in all matches.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Totals {
    /// Matches played.
    pub matches: u64,
    /// Decisions in which both a and b chose.
    pub decisions: u64,
    /// Those in which they differed.
    pub differed: u64,
    /// Decisions that a substitute made for a, and for b.
    pub substitutes: [u64; 2],
    /// Decisions that would not come out the same again.
    pub unrepeatable: u64,
    /// The mean cost of all positions; only where all were played on from.
    pub cost: Option<MeanCost>,
}

/// The mean over positions of what a's choice cost.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MeanCost {
    /// The mean.
    pub mean: f64,
    /// Its 95 % interval, the positions of a seed taken together; none for one seed, or without any spread.
    pub interval: Option<Interval>,
    /// Seeds with a position.
    pub seeds: u64,
    /// Positions.
    pub positions: u64,
}

/// One position that was kept.
#[derive(Debug, Clone)]
pub struct Kept {
    /// The match.
    pub trace: Arc<Trace>,
    /// Which of its divergences.
    pub index: usize,
    /// What the choice cost, where it was computed.
    pub cost: Option<Cost>,
}

impl Kept {
    /// What the round brought the seat.
    #[must_use]
    pub fn round_return(&self) -> f64 {
        let round = self.trace.divergences[self.index].round as usize;
        self.trace.returns.get(round).copied().unwrap_or(0.0)
    }

    /// Worse is less; equally bad ones in the order of play.
    fn order(&self, other: &Self, order: Order) -> std::cmp::Ordering {
        let value = |kept: &Self| match (order, &kept.cost) {
            (Order::Cost, Some(cost)) => -cost.mean,
            _ => kept.round_return(),
        };
        let place = |kept: &Self| (kept.trace.seed, kept.trace.seat, kept.index);
        let by_value = value(self).total_cmp(&value(other));
        by_value.then_with(|| place(self).cmp(&place(other)))
    }
}

/// Makes a watcher; called once a thread.
pub type MakeWatcher<'a> = dyn Fn() -> Result<Box<dyn Watcher + 'a>> + Sync + 'a;

/// Plays every seed with every seat watched and keeps the worst positions, the worst first. `watched` is
/// called after each match.
///
/// # Errors
/// The first error of a match.
pub fn capture(
    plan: &Plan,
    make: &MakeWatcher<'_>,
    watched: &mut dyn FnMut(),
) -> Result<(Totals, Vec<Kept>)> {
    let seats = |seed: &u64| {
        let seed = *seed;
        (0..plan.players).map(move |seat| (seed, seat))
    };
    let jobs: Vec<(u64, usize)> = plan.seeds.iter().flat_map(seats).collect();
    let mut totals = Totals::default();
    let mut costs: BTreeMap<(u64, usize), Vec<f64>> = BTreeMap::new();
    let mut kept: Vec<Kept> = Vec::new();
    let weigh_all = plan.order == Order::Cost && plan.continuations > 0;
    let work = |watcher: &mut dyn Watcher, (seed, seat): &(u64, usize)| {
        let trace = Arc::new(watcher.watch(*seed, *seat)?);
        let found = differences(watcher, &trace, weigh_all.then_some(plan))?;
        Ok((trace, found))
    };
    spread(
        &jobs,
        plan.threads,
        make,
        &work,
        &mut |job, (trace, found)| {
            totals.matches += 1;
            totals.decisions += trace.decisions;
            totals.differed += found.len() as u64;
            totals.unrepeatable += trace.unrepeatable;
            for (total, count) in totals.substitutes.iter_mut().zip(trace.substitutes) {
                *total += count;
            }
            let means = found.iter().filter_map(|k| k.cost.as_ref().map(|c| c.mean));
            costs.insert(jobs[job], means.collect());
            kept.extend(found);
            kept.sort_by(|a, b| a.order(b, plan.order));
            kept.truncate(plan.keep);
            watched();
        },
    )?;
    if weigh_all {
        totals.cost = mean_cost(&costs)?;
    }
    if plan.continuations > 0 && !weigh_all {
        weigh_kept(plan, make, &mut kept)?;
    }
    Ok((totals, kept))
}

/// The positions of a match, with what they cost by the plan, if one is given.
fn differences(
    watcher: &mut dyn Watcher,
    trace: &Arc<Trace>,
    plan: Option<&Plan>,
) -> Result<Vec<Kept>> {
    let each = (0..trace.divergences.len()).map(|index| {
        let mut kept = Kept {
            trace: Arc::clone(trace),
            index,
            cost: None,
        };
        kept.cost = plan.map(|plan| weigh(watcher, &kept, plan)).transpose()?;
        Ok(kept)
    });
    each.collect()
}

/// Plays on from the positions that were kept.
fn weigh_kept(plan: &Plan, make: &MakeWatcher<'_>, kept: &mut [Kept]) -> Result<()> {
    let work = |watcher: &mut dyn Watcher, kept: &Kept| weigh(watcher, kept, plan);
    let mut weighed: Vec<Option<Cost>> = vec![None; kept.len()];
    spread(kept, plan.threads, make, &work, &mut |at, cost| {
        weighed[at] = Some(cost);
    })?;
    for (kept, cost) in kept.iter_mut().zip(weighed) {
        kept.cost = cost;
    }
    Ok(())
}

fn weigh(watcher: &mut dyn Watcher, kept: &Kept, plan: &Plan) -> Result<Cost> {
    let divergence = &kept.trace.divergences[kept.index];
    let script = Script {
        seed: kept.trace.seed,
        steps: &kept.trace.steps[..divergence.steps],
    };
    let actions = [divergence.a.action.as_str(), divergence.b.action.as_str()];
    let pairs = watcher.weigh(&script, actions, plan.continuations)?;
    Cost::of(&pairs, plan.by.clone())
}

/// The mean over all positions, those of a seed taken together; none without any.
fn mean_cost(costs: &BTreeMap<(u64, usize), Vec<f64>>) -> Result<Option<MeanCost>> {
    let each = costs
        .iter()
        .flat_map(|((seed, _), values)| values.iter().map(|value| (*value, *seed)));
    let (values, seeds): (Vec<f64>, Vec<u64>) = each.unzip();
    if values.is_empty() {
        return Ok(None);
    }
    let mean = cluster_mean(&values, &seeds, 0.95)
        .map_err(|e| Error::Failed(format!("the costs: {e}")))?;
    Ok(Some(MeanCost {
        mean: mean.mean,
        interval: mean.interval_cr1,
        seeds: mean.clusters,
        positions: mean.n,
    }))
}

/// Works through items on threads, a watcher each; what comes out is handed over in no particular order.
fn spread<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    make: &MakeWatcher<'_>,
    work: &(dyn Fn(&mut dyn Watcher, &T) -> Result<R> + Sync),
    done: &mut dyn FnMut(usize, R),
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel::<Result<(usize, R)>>();
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, items.len().max(1)) {
            let sender = sender.clone();
            let (next, stop) = (&next, &stop);
            scope.spawn(move || {
                let mut watcher = match make() {
                    Ok(watcher) => watcher,
                    Err(error) => return drop(sender.send(Err(error))),
                };
                while !stop.load(Ordering::Relaxed) {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else {
                        break;
                    };
                    let result = work(&mut *watcher, item).map(|r| (at, r));
                    let failed = result.is_err();
                    if sender.send(result).is_err() || failed {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut outcome = Ok(());
        for result in receiver {
            match result {
                Ok((at, result)) => done(at, result),
                Err(error) => {
                    stop.store(true, Ordering::Relaxed);
                    if outcome.is_ok() {
                        outcome = Err(error);
                    }
                }
            }
        }
        outcome
    })
}
