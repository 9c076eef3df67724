//! What holds for any shot.

use super::{board, release, rng, uniform};
use crate::board::{Board, Point, STONES, Stone};
use crate::physics::fast::Fast;
use crate::physics::{Contact, Out, Recorder, Sighting, Simulator};
use crate::release::{Release, Spin};

#[derive(Default)]
struct Energy {
    contacts: u32,
    gained: f64,
    outs: u16,
}

impl Recorder for Energy {
    const SIGHTINGS: bool = false;

    fn contact(&mut self, contact: &Contact) {
        let energy = |[vx, vy, w]: [f64; 3]| vx * vx + vy * vy + 0.5 * (0.145 * w) * (0.145 * w);
        let sum = |motions: [[f64; 3]; 2]| motions.map(energy).iter().sum::<f64>();
        self.gained = self.gained.max(sum(contact.after) - sum(contact.before));
        self.contacts += 1;
    }

    fn out(&mut self, _: f64, stone: Stone, _: [f64; 2], _: Out) {
        self.outs |= 1 << stone.index();
    }
}

#[test]
fn a_hundred_thousand_shots_end_well() {
    let (fast, mut rng) = (Fast::new(), rng(21));
    let (mut contacts, mut most, mut deepest) = (0_u64, 0, 0.0_f64);
    for _ in 0..100_000 {
        let before = board(&mut rng, 15);
        let release = release(&mut rng, &fast, &before);
        let mut after = before;
        let mut energy = Energy::default();
        let result = fast.deliver(&mut after, Stone::new(8), release, &mut energy);
        assert!(!result.cut_short, "{before:?} {release:?}");
        assert_eq!(result.contacts, energy.contacts);
        assert_eq!(result.removed, energy.outs);
        assert_eq!(after.mask(), (before.mask() | 1 << 8) & !result.removed);
        assert!(result.seconds > 0.0 && result.seconds < 80.0);
        // Pairs within a group may pass energy on; a lone pair never gains any.
        assert!(
            energy.gained < 1e-9,
            "{} {before:?} {release:?}",
            energy.gained
        );
        for (_, p) in after.stones() {
            assert!(
                p.x.abs() < 2.2301 && p.y > 32.1489 && p.y < 40.3791,
                "{p:?}"
            );
        }
        deepest = deepest.max(after.overlap().map_or(0.0, |o| o.2));
        contacts += u64::from(result.contacts);
        most = most.max(result.contacts);
    }
    assert!(deepest < 1e-3, "{deepest}");
    assert!(contacts > 100_000 && most > 10, "{contacts} {most}");
}

#[test]
fn mirrored_shots_end_mirrored_to_the_bit() {
    let (fast, mut rng) = (Fast::new(), rng(22));
    for _ in 0..10_000 {
        let before = board(&mut rng, 12);
        let release = release(&mut rng, &fast, &before);
        let (mut plain, mut mirrored) = (before, before.mirrored());
        let a = fast.deliver(&mut plain, Stone::new(8), release, &mut ());
        let b = fast.deliver(&mut mirrored, Stone::new(8), release.mirrored(), &mut ());
        assert_eq!(plain.mirrored(), mirrored, "{before:?} {release:?}");
        assert_eq!(a, b);
    }
    for spin in Spin::BOTH {
        let aim = fast.pass_through(Point::new(0.7, 38.0), 1.0, spin);
        let other = fast.pass_through(Point::new(-0.7, 38.0), 1.0, spin.opposite());
        assert_eq!(aim.map(Release::mirrored), other);
    }
}

#[test]
fn the_numbers_of_the_stones_do_not_matter() {
    let (fast, mut rng) = (Fast::new(), rng(23));
    for _ in 0..10_000 {
        let before = board(&mut rng, 12);
        let release = release(&mut rng, &fast, &before);
        let shift = 1 + uniform(&mut rng, 0.0, 15.0) as usize;
        let other = |stone: Stone| Stone::new((stone.index() + shift) % STONES);
        let mut renamed = Board::EMPTY;
        for (stone, point) in before.stones() {
            renamed.put(other(stone), point);
        }
        let mut plain = before;
        let a = fast.deliver(&mut plain, Stone::new(8), release, &mut ());
        let b = fast.deliver(&mut renamed, other(Stone::new(8)), release, &mut ());
        assert_eq!((a.contacts, a.seconds), (b.contacts, b.seconds));
        for i in 0..STONES {
            let stone = Stone::new(i);
            assert_eq!(plain.get(stone), renamed.get(other(stone)), "{before:?}");
        }
    }
}

#[derive(Default)]
struct Film {
    last: [Option<Sighting>; STONES],
    seen: u32,
}

impl Recorder for Film {
    fn sighting(&mut self, now: &Sighting) {
        let slot = &mut self.last[now.stone.index()];
        if let Some(last) = slot {
            let pause = now.time - last.time;
            assert!((0.0..=0.25 + 1e-9).contains(&pause) || last.velocity[..2] == [0.0; 2]);
            let moved = (now.place[0] - last.place[0]).hypot(now.place[1] - last.place[1]);
            let speed = last.velocity[0].hypot(last.velocity[1]);
            assert!(
                moved <= speed * pause + 1e-6,
                "{moved} at {speed} in {pause}"
            );
        }
        *slot = Some(*now);
        self.seen += 1;
    }
}

#[test]
fn sightings_are_in_order_and_join_up() {
    let (fast, mut rng) = (Fast::new(), rng(24));
    for _ in 0..300 {
        let before = board(&mut rng, 8);
        let release = release(&mut rng, &fast, &before);
        let (mut silent, mut after) = (before, before);
        let mut film = Film::default();
        let seen = fast.deliver(&mut after, Stone::new(8), release, &mut film);
        assert_eq!(
            seen,
            fast.deliver(&mut silent, Stone::new(8), release, &mut ())
        );
        assert_eq!(silent, after);
        assert!(film.seen > 20);
        for (stone, point) in after.stones() {
            if let Some(last) = film.last[stone.index()] {
                assert_eq!(last.velocity[..2], [0.0; 2]);
                assert!((last.place[0] - f64::from(point.x)).abs() < 1e-5);
            }
        }
    }
}

#[test]
fn a_row_of_touching_stones_passes_the_push_on() {
    let fast = Fast::new();
    let mut board = Board::EMPTY;
    for i in 0..3 {
        board.put(Stone::new(i), Point::new(0.0, 35.0 + 0.29 * i as f32));
    }
    let release = Release {
        vx: 0.0,
        vy: 2.5,
        omega: 0.0,
    };
    let result = fast.deliver(&mut board, Stone::new(8), release, &mut ());
    assert!(!result.cut_short && result.contacts >= 3);
    let at = |i: usize| board.get(Stone::new(i)).map(|p| p.y);
    // Only the first contact closes, so only it springs back: three stones leave together at half the
    // speed, and the thrown one comes back at half of it.
    assert!(at(8) < Some(34.7) && at(8) > Some(32.2), "{:?}", at(8));
    assert!(
        at(0) > Some(35.3) && at(0) < at(1) && at(1) < at(2),
        "{board:?}"
    );
}

#[test]
fn what_no_table_knows_is_counted_as_cut_short() {
    let fast = Fast::new();
    for (vx, vy, omega) in [
        (0.0, 9.0, 1.0),
        (0.0, f64::NAN, 1.0),
        (f64::INFINITY, 0.0, 1.0),
        (0.0, 2.4, 1e9),
        (0.0, 2.4, f64::NAN),
    ] {
        let mut board = Board::EMPTY;
        board.put(Stone::new(0), Point::TEE);
        let release = Release { vx, vy, omega };
        let result = fast.deliver(&mut board, Stone::new(8), release, &mut ());
        assert!(result.cut_short && result.removed == 1 << 8);
        assert_eq!(board.mask(), 1);
    }
    let mut board = Board::EMPTY;
    let fastest = fast.deliver(
        &mut board,
        Stone::new(8),
        Release::new(0.0, 7.9, Spin::Ccw),
        &mut (),
    );
    assert!(!fastest.cut_short && fastest.removed == 1 << 8);
    // A stone that is not thrown stays at the hack, short of the hog line.
    let still = fast.deliver(&mut board, Stone::new(8), Release::default(), &mut ());
    assert!(!still.cut_short && still.removed == 1 << 8);
}

#[test]
fn stones_that_lie_astray_are_taken_away() {
    let fast = Fast::new();
    let mut board = Board::EMPTY;
    for (i, (x, y)) in [(2.3, 38.0), (0.0, 41.0), (0.0, 20.0), (0.0, 36.0)]
        .iter()
        .enumerate()
    {
        board.put(Stone::new(i), Point::new(*x, *y));
    }
    let draw = fast.stop_at(Point::new(1.5, 37.0), Spin::Cw).unwrap();
    let result = fast.deliver(&mut board, Stone::new(8), draw, &mut ());
    assert_eq!(result.removed & 0b11, 0b11);
    assert!(board.get(Stone::new(3)).is_some());
}

/// Which stones have left, and contacts with one that had.
#[derive(Default)]
struct Gone {
    outs: u16,
    ghosts: u32,
}

impl Recorder for Gone {
    const SIGHTINGS: bool = false;

    fn contact(&mut self, contact: &Contact) {
        let pair = contact
            .stones
            .iter()
            .fold(0, |mask, s| mask | 1 << s.index());
        self.ghosts += u32::from(self.outs & pair != 0);
    }

    fn out(&mut self, _: f64, stone: Stone, _: [f64; 2], _: Out) {
        self.outs |= 1 << stone.index();
    }
}

#[test]
fn nothing_meets_a_stone_that_has_left() {
    let (fast, mut rng) = (Fast::new(), rng(22));
    for _ in 0..150_000 {
        // Pairs along the side lines: what is hit there leaves while another is on its way to it.
        let mut board = Board::EMPTY;
        let side = if uniform(&mut rng, -1.0, 1.0) < 0.0 {
            -1.0
        } else {
            1.0
        };
        for k in 0..6 {
            let x = side * uniform(&mut rng, 1.6, 2.22);
            let y = 36.0 + 0.4 * f64::from(k) + uniform(&mut rng, 0.0, 0.1);
            let point = Point::new(x as f32, y as f32);
            if board.stones().all(|(_, p)| p.distance(point) > 0.3) {
                board.put(Stone::new(k as usize), point);
            }
        }
        let shot = release(&mut rng, &fast, &board);
        let mut gone = Gone::default();
        fast.deliver(&mut board, Stone::new(8), shot, &mut gone);
        assert_eq!(gone.ghosts, 0, "{shot:?}");
    }
}
