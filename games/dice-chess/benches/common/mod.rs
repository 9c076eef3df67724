//! What the benches share: the positions, and time on the processor.

#![allow(dead_code, unused_imports)] // Each bench uses its part.

// The laboratory's clock: a crate for fifty lines that only benches use would be more to keep.
#[path = "../../../../bench/benches/common/processor.rs"]
mod processor;

pub(crate) use processor::{Processor, criterion, processor_time};

use dice_chess::Position;

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
