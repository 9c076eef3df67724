//! Nothing allocates in a shot.

#[path = "../../lexio/tests/common/counting.rs"]
mod counting;

use counting::allocations;
use curling::physics::Simulator;
use curling::physics::fast::Fast;
use curling::{Board, Point, Spin, Stone};

#[test]
fn nothing_allocates_in_aiming_and_throwing() {
    let fast = Fast::new();
    let mut board = Board::EMPTY;
    for i in 0..8_usize {
        let (x, y) = (-0.7 + 0.2 * i as f32, 36.0 + 0.45 * (i % 5) as f32);
        board.put(Stone::new(i), Point::new(x, y));
    }
    let before = allocations();
    let mut contacts = 0;
    for i in 0..200 {
        let target = Point::new(-1.0 + 0.01 * i as f32, 38.0);
        let release = fast.pass_through(target, 0.01 * f64::from(i), Spin::BOTH[i as usize % 2]);
        let mut after = board;
        let release = release.expect("within reach");
        contacts += fast
            .deliver(&mut after, Stone::new(8), release, &mut ())
            .contacts;
    }
    assert_eq!(allocations(), before);
    assert!(contacts > 200, "{contacts}");
    // The counter does count.
    drop(std::hint::black_box(Box::new(contacts)));
    assert!(allocations() > before);
}
