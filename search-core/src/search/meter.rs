//! Watches a budget while a search runs.

use std::time::{Duration, Instant};

use crate::budget::{Budget, Progress, StopReason};

/// Says when to stop, and reports progress. One a search, or one a tree of a parallel search.
pub(crate) struct Meter<'a> {
    budget: &'a Budget,
    most: u64,
    deadline: Option<Instant>,
    clock_every: u64,
    started: Instant,
    next_clock: u64,
    next_report: u64,
    next_report_at: Duration,
    reports: bool,
}

/// No tree counts further than its 32-bit counters, however long the time.
const MOST_SIMULATIONS: u64 = u32::MAX as u64 - 1;

impl<'a> Meter<'a> {
    /// A meter for `most` simulations within `time`, both parts of `budget`.
    pub(crate) fn new(
        budget: &'a Budget,
        most: Option<u64>,
        time: Option<Duration>,
        reports: bool,
    ) -> Self {
        let started = Instant::now();
        Self {
            budget,
            most: most.unwrap_or(MOST_SIMULATIONS).min(MOST_SIMULATIONS),
            // A time that no clock can count to is none.
            deadline: time.and_then(|t| started.checked_add(t)),
            clock_every: 1,
            started,
            next_clock: 1,
            next_report: most.map_or(u64::MAX, |m| (m / 100).max(1)),
            next_report_at: Duration::from_millis(50),
            reports: reports && budget.progress.is_some(),
        }
    }

    /// The most simulations there will be.
    pub(crate) fn most(&self) -> u64 {
        self.most
    }

    /// Whether something but the number of simulations may end the search.
    pub(crate) fn may_interrupt(&self) -> bool {
        self.deadline.is_some() || self.budget.cancel.is_some()
    }

    /// Whether to stop after `done` simulations. Never before the first.
    #[inline]
    pub(crate) fn stop(&mut self, done: u64, edges: u64) -> Option<StopReason> {
        if done >= self.most {
            self.report(done, edges, true);
            return Some(StopReason::Simulations);
        }
        if done == 0 {
            return None;
        }
        if let Some(cancel) = &self.budget.cancel
            && cancel.is_cancelled()
        {
            return Some(StopReason::Cancelled);
        }
        if self.deadline.is_some() && done >= self.next_clock {
            return self.look_at_clock(done, edges);
        }
        if self.reports && done >= self.next_report {
            self.report(done, edges, false);
        }
        None
    }

    /// Looks at the clock after every simulation of 10 µs or more, less often after quick ones.
    fn look_at_clock(&mut self, done: u64, edges: u64) -> Option<StopReason> {
        let now = Instant::now();
        let elapsed = now - self.started;
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Some(StopReason::Time);
        }
        let quick = elapsed.as_nanos() < u128::from(done) * 10_000;
        self.clock_every = if quick { 16 } else { 1 };
        self.next_clock = done + self.clock_every;
        if self.reports && elapsed >= self.next_report_at {
            self.next_report_at = elapsed + Duration::from_millis(50);
            self.report(done, edges, true);
        }
        None
    }

    #[cold]
    fn report(&mut self, done: u64, edges: u64, always: bool) {
        if !self.reports || !(always || done >= self.next_report) {
            return;
        }
        self.next_report = done + (self.most / 100).max(1);
        if let Some(callback) = &self.budget.progress {
            callback(Progress {
                simulations: done,
                of: self.budget.simulations,
                edges,
            });
        }
    }
}
