use super::{Fcv1, reference};
use crate::board::{Board, Point, Stone};
use crate::geometry::TEE;
use crate::physics::Simulator;
use crate::release::{Release, Spin};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Up to fifteen stones in and before the house, some of them touching.
fn random_board(rng: &mut ChaCha8Rng) -> (Board, Stone) {
    let mut board = Board::EMPTY;
    let thrown = rng.random_range(0..16);
    for index in (0..16).filter(|i| *i != thrown) {
        let mut point = Point::new(
            rng.random_range(-1.4_f32..1.4),
            rng.random_range(33.0..TEE as f32 + 1.9),
        );
        if let Some((_, near)) = board.stones().next().filter(|_| rng.random_bool(0.3)) {
            point = Point::new(near.x + rng.random_range(0.0_f32..0.3), near.y + 0.29);
        }
        if rng.random_bool(0.6) && board.stones().all(|(_, p)| p.distance(point) > 0.2895) {
            board.put(Stone::new(index), point);
        }
    }
    (board, Stone::new(thrown))
}

#[test]
fn passing_over_what_rests_changes_no_bit() {
    let model = Fcv1::new();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut contacts = 0;
    for _ in 0..200 {
        let (board, stone) = random_board(&mut rng);
        let spin = Spin::BOTH[usize::from(rng.random_bool(0.5))];
        let target = Point::new(rng.random_range(-1.2..1.2), rng.random_range(34.0..39.0));
        let speed = rng.random_range(0.0..2.5);
        let Some(mut release) = model.pass_through(target, speed, spin) else {
            continue;
        };
        release.omega *= rng.random_range(0.0..2.0);
        let (mut fast, mut plain) = (board, board);
        let ours = model.deliver(&mut fast, stone, release, &mut ());
        let other = reference::deliver(&mut plain, stone, release);
        assert_eq!(fast, plain, "{board:?} {release:?}");
        assert_eq!(ours.removed, other.removed);
        assert_eq!(ours.contacts, other.contacts);
        assert!((ours.seconds - other.seconds).abs() < 1e-4);
        contacts += ours.contacts;
    }
    assert!(contacts > 200, "only {contacts} contacts");
}
