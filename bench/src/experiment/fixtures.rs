//! Comparisons whose scores and counts are whatever a test wants.

use serde_json::Value;

use super::block::{Block, Tally};
use super::compare::{MakeReferee, play_blocks_until};
use super::match_driver::MatchOutcome;
use super::referee::Referee;
use super::schedule::Schedule;
use super::summary::Comparison;
use crate::error::Result;
use std::ops::ControlFlow;

/// What a match comes to: the score of each seat, and a chance to count.
pub(super) type Play = fn(seed: u64, seating: &[usize], tallies: &mut [Tally]) -> Vec<f64>;

struct Scripted(Play);

impl Referee for Scripted {
    fn play(
        &mut self,
        seating: &[usize],
        seed: u64,
        tallies: &mut [Tally],
    ) -> Result<MatchOutcome> {
        let scores = (self.0)(seed, seating, tallies);
        Ok(MatchOutcome {
            deal: seed.to_string(),
            history: format!("{scores:?}"),
            scores,
            metrics: Vec::new(),
            cut_off: 0,
        })
    }
}

/// A comparison of `a` and `b` over these seeds.
pub(super) fn comparison(players: usize, seeds: &str) -> Comparison {
    Comparison {
        game: "scripted".into(),
        options: Value::Null,
        a: "a".into(),
        b: "b".into(),
        unit: "points".into(),
        metrics: Vec::new(),
        schedule: Schedule::duplicate(players),
        seeds: seeds.parse().unwrap(),
        level: 0.95,
        clock: false,
    }
}

/// Plays the seeds of a comparison on so many threads until `finished` breaks.
pub(super) fn play(
    comparison: &Comparison,
    threads: usize,
    script: Play,
    finished: &mut dyn FnMut(Block) -> Result<ControlFlow<()>>,
) {
    let seeds: Vec<u64> = comparison.seeds.seeds().collect();
    let make = move || -> Result<Box<dyn Referee>> { Ok(Box::new(Scripted(script))) };
    let make: &MakeReferee<'_> = &make;
    play_blocks_until(&comparison.schedule, &seeds, threads, make, finished).unwrap();
}

/// All blocks of a comparison.
pub(super) fn blocks(comparison: &Comparison, script: Play) -> Vec<Block> {
    let mut blocks = Vec::new();
    play(comparison, 1, script, &mut |block| {
        blocks.push(block);
        Ok(ControlFlow::Continue(()))
    });
    blocks
}

/// A number in [0, 1) that depends on the seed alone.
pub(crate) fn noise(seed: u64) -> f64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}
