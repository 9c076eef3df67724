//! What the benches share: the positions, and time on the processor.

#![allow(dead_code)] // Each bench uses its part.

use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use dice_chess::Position;
use std::time::{Duration, Instant};

/// The positions that are measured.
const POSITIONS: [(&str, &str); 4] = [
    (
        "start",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ),
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ),
    ("endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
    ("two-knights", "4k3/2N5/8/8/8/8/2n5/4K3 w - - 0 1"),
];

/// Each with its name.
pub(crate) fn positions() -> impl Iterator<Item = (&'static str, Position)> {
    let parsed = |(name, text): (&'static str, &str)| (name, text.parse().expect("a position"));
    POSITIONS.into_iter().map(parsed)
}

/// Time this thread has spent on a processor, which busy neighbours do not lengthen; the clock on
/// the wall where the system does not tell.
pub(crate) fn processor_time() -> Duration {
    // The system brings the figure up to date when it switches threads.
    std::thread::yield_now();
    let spent = || {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split_whitespace().next()?.parse().ok()
    };
    spent().map_or_else(wall_time, Duration::from_nanos)
}

fn wall_time() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    START.elapsed()
}

/// Measures [`processor_time`].
pub(crate) struct Processor;

impl Measurement for Processor {
    type Intermediate = Duration;
    type Value = Duration;

    fn start(&self) -> Duration {
        processor_time()
    }
    fn end(&self, start: Duration) -> Duration {
        processor_time() - start
    }
    fn add(&self, a: &Duration, b: &Duration) -> Duration {
        *a + *b
    }
    fn zero(&self) -> Duration {
        Duration::ZERO
    }
    fn to_f64(&self, value: &Duration) -> f64 {
        value.as_nanos() as f64
    }
    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}
