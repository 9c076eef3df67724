//! Plays the blocks of a comparison on any number of threads.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use super::block::{Block, Tally};
use super::referee::Referee;
use super::schedule::{Schedule, seating_text};
use crate::error::{Error, Result};

/// Makes a referee whose agents 0 and 1 are the arms; called once a thread.
pub type MakeReferee<'a> = dyn Fn() -> Result<Box<dyn Referee + 'a>> + Sync + 'a;

/// Plays every seating of one seed.
///
/// # Errors
/// When the rules of the game break their contract.
pub fn play_block(referee: &mut dyn Referee, schedule: &Schedule, seed: u64) -> Result<Block> {
    let mut arms = [Tally::default(), Tally::default()];
    let mut matches = Vec::with_capacity(schedule.seatings().len());
    let mut deal: Option<String> = None;
    for seating in schedule.seatings() {
        let indices: Vec<usize> = seating.iter().map(|arm| arm.index()).collect();
        let outcome = referee.play(&indices, seed, &mut arms)?;
        if *deal.get_or_insert_with(|| outcome.deal.clone()) != outcome.deal {
            return Err(Error::Failed(format!(
                "seed {seed} was dealt differently in seating {}: the deal must depend on the \
                 random numbers it is given and on nothing else",
                seating_text(seating)
            )));
        }
        matches.push(Block::row(seating_text(seating), outcome));
    }
    Ok(Block {
        seed,
        deal: deal.unwrap_or_default(),
        matches,
        arms,
    })
}

/// Plays the blocks of `seeds` and hands each to `finished` as it finishes, in no particular order.
/// What a block holds depends on its seed alone, so neither does the result.
///
/// # Errors
/// The first error of a match or of `finished`; the other threads then stop after their block.
pub fn play_blocks(
    schedule: &Schedule,
    seeds: &[u64],
    threads: usize,
    make: &MakeReferee<'_>,
    finished: &mut dyn FnMut(Block) -> Result<()>,
) -> Result<()> {
    play_blocks_until(schedule, seeds, threads, make, &mut |block| {
        finished(block).map(ControlFlow::Continue)
    })
}

/// [`play_blocks`] until `finished` says `Break`: then no further block begins, and those that
/// are being played are still finished and handed over.
///
/// # Errors
/// As [`play_blocks`].
pub fn play_blocks_until(
    schedule: &Schedule,
    seeds: &[u64],
    threads: usize,
    make: &MakeReferee<'_>,
    finished: &mut dyn FnMut(Block) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let (sender, receiver) = mpsc::sync_channel::<Result<Block>>(2 * threads.max(1));
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, seeds.len().max(1)) {
            let sender = sender.clone();
            let (next, stop) = (&next, &stop);
            scope.spawn(move || {
                let mut referee = match make() {
                    Ok(referee) => referee,
                    Err(error) => return drop(sender.send(Err(error))),
                };
                while !stop.load(Ordering::Relaxed) {
                    let Some(&seed) = seeds.get(next.fetch_add(1, Ordering::Relaxed)) else {
                        break;
                    };
                    let block = play_block(&mut *referee, schedule, seed);
                    let failed = block.is_err();
                    if sender.send(block).is_err() || failed {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut outcome = Ok(());
        let mut broken = false;
        for block in receiver {
            // What lies beyond a stop cannot matter any more, its errors no more than its scores.
            if broken && block.is_err() {
                continue;
            }
            // After an error, what the other threads were at is still finished and kept.
            let result = block.and_then(&mut *finished);
            if !matches!(result, Ok(ControlFlow::Continue(()))) {
                stop.store(true, Ordering::Relaxed);
            }
            broken |= matches!(result, Ok(ControlFlow::Break(())));
            if outcome.is_ok() {
                outcome = result.map(|_| ());
            }
        }
        outcome
    })
}
