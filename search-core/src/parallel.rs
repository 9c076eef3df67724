//! Work on several threads whose result does not depend on how many.

use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::Thread;

/// More threads than this cost time and memory, and the system may refuse them.
pub(crate) const MOST_THREADS: usize = 1024;

/// Calls `work` once for every item, on up to `threads` threads. The items must be independent.
pub fn for_each<T: Send>(threads: usize, items: &mut [T], work: &(impl Fn(&mut T) + Sync)) {
    let each = |chunk: &mut [T]| chunk.iter_mut().for_each(work);
    // Behind a pointer: the work is compiled once, wherever it is called from.
    let each: &(dyn Fn(&mut [T]) + Sync) = &each;
    let threads = threads.clamp(1, items.len().clamp(1, MOST_THREADS));
    if threads == 1 {
        return each(items);
    }
    let share = items.len().div_ceil(threads);
    let chunks: Vec<_> = items.chunks_mut(share).map(Mutex::new).collect();
    side_by_side(chunks.len(), &|part| each(&mut lock(&chunks[part])));
}

/// Calls `work` with every number below `parts`, each on a thread of its own; the caller's has the
/// first. Not generic: all that starts threads is compiled once, not for every game and search.
fn side_by_side(parts: usize, work: &(dyn Fn(usize) + Sync)) {
    std::thread::scope(|scope| {
        for part in 1..parts {
            scope.spawn(move || work(part));
        }
        work(0);
    });
}

/// Threads that stay while `body` runs, for work that comes in many small batches: starting threads
/// costs tens of microseconds, waking them a few.
///
/// `work` is done to every item of a batch, on up to `threads` threads, the caller's included; a batch
/// has at most `most` items.
pub(crate) fn with_crew<T: Send, R>(
    threads: usize,
    most: usize,
    work: &(dyn Fn(&mut T) + Sync),
    body: impl FnOnce(&Crew<'_, T>) -> R,
) -> R {
    let helpers = threads.min(most).min(MOST_THREADS).saturating_sub(1);
    let board = Board::new(if helpers > 0 { most } else { 0 });
    let (mut body, mut result) = (Some(body), None);
    with_helpers(helpers, &|| board.help(work), &mut |helpers| {
        // Dropped in here, while the helpers are waited for.
        let crew = Crew {
            board: &board,
            work,
            helpers,
        };
        result = body.take().map(|body| body(&crew));
    });
    match result {
        Some(result) => result,
        None => unreachable!("the body is called once, or its panic goes on"),
    }
}

/// Calls `body` once, while so many threads run `help`. Not generic, as [`side_by_side`].
fn with_helpers(helpers: usize, help: &(dyn Fn() + Sync), body: &mut dyn FnMut(Vec<Thread>)) {
    if helpers == 0 {
        return body(Vec::new());
    }
    std::thread::scope(|scope| {
        let spawned = (0..helpers).map(|_| scope.spawn(help).thread().clone());
        body(spawned.collect());
    });
}

/// A caller with the threads that help it. They end when it is dropped.
pub(crate) struct Crew<'a, T> {
    board: &'a Board<T>,
    work: &'a (dyn Fn(&mut T) + Sync),
    helpers: Vec<Thread>,
}

/// Where the items of a batch lie while they are worked on.
struct Board<T> {
    items: Vec<Mutex<Option<T>>>,
    /// Items that nobody has taken up are those numbered below this.
    left: AtomicUsize,
    /// Items of this batch, and how many are done.
    total: AtomicUsize,
    done: AtomicUsize,
    over: AtomicBool,
    failed: AtomicBool,
    caller: Thread,
}

impl<T> Crew<'_, T> {
    /// Does the work to the first `n` items, once to each, and returns when all of it is done. Which
    /// thread does it is left to chance; the items stay in their order.
    pub(crate) fn run(&self, items: &mut Vec<T>, n: usize) {
        if self.helpers.is_empty() || n < 2 {
            items[..n].iter_mut().for_each(self.work);
            return;
        }
        let board = self.board;
        for (place, item) in board.items.iter().zip(items.drain(..n)) {
            *lock(place) = Some(item);
        }
        board.total.store(n, Relaxed);
        board.done.store(0, Relaxed);
        board.left.store(n, Release);
        self.helpers.iter().take(n - 1).for_each(Thread::unpark);
        board.take_up(self.work);
        while board.done.load(Acquire) < n {
            if board.failed.load(Acquire) {
                std::panic::resume_unwind(Box::new("a thread of the search panicked"));
            }
            std::thread::park();
        }
        let back = board.items[..n]
            .iter()
            .filter_map(|place| lock(place).take());
        if items.is_empty() {
            items.extend(back);
        } else {
            items.splice(0..0, back);
        }
    }
}

impl<T> Drop for Crew<'_, T> {
    fn drop(&mut self) {
        self.board.over.store(true, Release);
        self.helpers.iter().for_each(Thread::unpark);
    }
}

impl<T> Board<T> {
    fn new(most: usize) -> Self {
        Self {
            items: (0..most).map(|_| Mutex::new(None)).collect(),
            left: AtomicUsize::new(0),
            total: AtomicUsize::new(0),
            done: AtomicUsize::new(0),
            over: AtomicBool::new(false),
            failed: AtomicBool::new(false),
            caller: std::thread::current(),
        }
    }

    /// Works on items until none is left. One at a time, so that a long one delays nobody.
    fn take_up(&self, work: &(dyn Fn(&mut T) + Sync)) {
        while let Ok(left) = self
            .left
            .fetch_update(AcqRel, Acquire, |n| n.checked_sub(1))
        {
            if let Some(item) = lock(&self.items[left - 1]).as_mut() {
                work(item);
            }
            if self.done.fetch_add(1, AcqRel) + 1 == self.total.load(Relaxed) {
                self.caller.unpark();
            }
        }
    }

    /// What a helper does: works when there is work, sleeps when there is none.
    fn help(&self, work: &(dyn Fn(&mut T) + Sync)) {
        let _alarm = Alarm(&self.failed, &self.caller);
        while !self.over.load(Acquire) {
            self.take_up(work);
            std::thread::park();
        }
    }
}

/// Wakes the caller when a helper panics: what it waits for will not come.
struct Alarm<'a>(&'a AtomicBool, &'a Thread);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Release);
            self.1.unpark();
        }
    }
}

fn lock<T>(place: &Mutex<T>) -> MutexGuard<'_, T> {
    place.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_item_once_on_any_number_of_threads() {
        for threads in [0, 1, 2, 3, 7, 100] {
            for n in [0_u32, 1, 2, 5, 64] {
                let mut items: Vec<u32> = (0..n).collect();
                super::for_each(threads, &mut items, &|x| *x += 1);
                assert!(items.iter().copied().eq(1..=n));
            }
        }
    }

    #[test]
    fn no_number_of_threads_is_too_large() {
        let seen = std::sync::Mutex::new(std::collections::HashSet::new());
        let mut items = vec![0_u8; 5_000];
        super::for_each(usize::MAX, &mut items, &|x| {
            *x += 1;
            seen.lock().unwrap().insert(std::thread::current().id());
        });
        assert!(items.iter().all(|x| *x == 1));
        assert!(seen.into_inner().unwrap().len() <= super::MOST_THREADS);
    }

    #[test]
    fn a_crew_does_every_item_once_and_keeps_their_order() {
        for threads in [0, 1, 2, 3, 7] {
            let work = |x: &mut (u32, u32)| x.1 += 1;
            super::with_crew(threads, 64, &work, |crew| {
                let mut items: Vec<(u32, u32)> = (0..64).map(|i| (i, 0)).collect();
                let mut expected = items.clone();
                for round in 0..500 {
                    let n = [64, 1, 2, 0, 63][round % 5];
                    crew.run(&mut items, n);
                    expected[..n].iter_mut().for_each(|x| x.1 += 1);
                    assert_eq!(items, expected, "{threads} threads, round {round}");
                }
            });
        }
    }

    #[test]
    fn a_panic_of_a_crew_reaches_the_caller() {
        for bad in [0, 40] {
            let result = std::panic::catch_unwind(|| {
                let work = |x: &mut u32| assert!(*x != bad, "planted");
                super::with_crew(3, 64, &work, |crew| {
                    let mut items: Vec<u32> = (0..64).collect();
                    (0..50).for_each(|_| crew.run(&mut items, 64));
                });
            });
            assert!(result.is_err());
        }
    }
}
