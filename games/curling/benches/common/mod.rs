//! What the benches share: the boards, and time on the processor.

// The laboratory's clock: a crate for fifty lines that only benches use would be more to keep.
#[path = "../../../../bench/benches/common/processor.rs"]
mod processor;

pub(crate) use processor::{Processor, criterion, processor_time};

use curling::{Board, Point, Release, Stone};

/// Boards of eight stones in the house and in front of it.
const EIGHT: [[(f32, f32); 8]; 4] = [
    // House full, three guards.
    [
        (0.1, 38.4),
        (-0.6, 38.0),
        (0.7, 38.9),
        (-0.2, 39.3),
        (1.2, 37.5),
        (0.0, 35.2),
        (-0.5, 34.6),
        (0.6, 33.9),
    ],
    // A cluster on the button.
    [
        (0.0, 38.4),
        (0.30, 38.5),
        (-0.31, 38.5),
        (0.05, 38.75),
        (-0.2, 38.05),
        (0.3, 38.1),
        (0.0, 36.0),
        (0.1, 34.9),
    ],
    // Corner guards and rings.
    [
        (1.4, 35.0),
        (-1.4, 35.1),
        (0.8, 38.3),
        (-0.8, 38.5),
        (0.0, 37.2),
        (0.3, 39.4),
        (-1.1, 39.0),
        (1.3, 38.9),
    ],
    // A line up the middle.
    [
        (0.0, 33.0),
        (0.15, 34.0),
        (0.35, 35.0),
        (0.2, 36.0),
        (0.3, 37.0),
        (0.1, 38.0),
        (0.0, 38.6),
        (-0.1, 39.5),
    ],
];

/// One of them; stones 0 to 7 lie there, and 8 is thrown.
fn eight(places: &[(f32, f32); 8]) -> Board {
    let mut board = Board::EMPTY;
    for (i, &(x, y)) in places.iter().enumerate() {
        board.put(Stone::new(i), Point::new(x, y));
    }
    board
}

/// The cases by name: the boards, of which the slowest counts, and what is meant, whose angle then
/// varies by the noise of the official player.
pub(crate) fn cases() -> [(&'static str, Vec<Board>, f64); 4] {
    let eights: Vec<Board> = EIGHT.iter().map(eight).collect();
    [
        ("empty-draw", vec![Board::EMPTY], 0.0),
        ("empty-hit", vec![Board::EMPTY], 3.0),
        ("eight-draw", eights.clone(), 0.0),
        ("eight-hit", eights, 3.0),
    ]
}

/// 256 throws of one case, speeds and angles spread like noise: draws to the tee, or at a speed.
pub(crate) fn throws(draw: Release, speed: f64) -> Vec<Release> {
    let base = if speed > 0.0 { speed } else { draw.speed() };
    (0..256)
        .map(|i| {
            let (a, b) = (f64::from(i % 16) - 7.5, f64::from(i / 16) - 7.5);
            let angle = if speed > 0.0 { -0.03 } else { draw.angle() };
            Release::polar(base + 0.0018 * a, angle + 0.0005 * b, draw.spin())
        })
        .collect()
}
