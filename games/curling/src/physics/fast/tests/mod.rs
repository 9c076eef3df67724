//! Against second methods and recorded results, and what must hold for any shot.

mod invariants;
mod paths;
mod recorded;
mod reference;
mod whole;

use crate::board::{Board, Point, STONES, Stone};
use crate::physics::fast::Fast;
use crate::release::{Release, Spin};
use rand::Rng;
use search_core::rng::{Seed, SimRng};

type Boards = [Option<[f64; 2]>; STONES];

/// Uniform between `low` and `high`.
fn uniform(rng: &mut impl Rng, low: f64, high: f64) -> f64 {
    low + (high - low) * ((rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64)
}

/// Up to `most` stones with at least a centimetre between them, stone 8 not among them.
fn board(rng: &mut impl Rng, most: usize) -> Board {
    let mut board = Board::EMPTY;
    let count = (uniform(rng, 0.0, most as f64 + 1.0) as usize).min(most);
    for i in (0..STONES).filter(|i| *i != 8) {
        let point = Point::new(
            uniform(rng, -1.8, 1.8) as f32,
            uniform(rng, 33.0, 40.2) as f32,
        );
        if board.len() < count && board.stones().all(|(_, p)| p.distance(point) > 0.3) {
            board.put(Stone::new(i), point);
        }
    }
    board
}

/// At a random stone of the board or place, at a random speed.
fn release(rng: &mut impl Rng, fast: &Fast, board: &Board) -> Release {
    use crate::physics::Simulator;
    let spin = Spin::BOTH[(rng.next_u64() & 1) as usize];
    let pick = uniform(rng, 0.0, board.len().max(1) as f64) as usize;
    let aim = board.stones().nth(pick).map_or(Point::TEE, |(_, p)| p);
    let aim = Point::new(aim.x + uniform(rng, -0.35, 0.35) as f32, aim.y);
    let speed = uniform(rng, -0.5, 2.6).max(0.0);
    fast.pass_through(aim, speed, spin)
        .unwrap_or(Release::new(0.0, 2.4, spin))
}

fn rng(seed: u64) -> SimRng {
    Seed(seed).simulation(0)
}
