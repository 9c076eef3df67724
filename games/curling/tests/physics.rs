//! What every model of the ice must do, whichever it is.

use curling::board::{Board, Point, Stone};
use curling::geometry::{BACK_LINE, HOG_LINE, NEAR_BOARD, SHEET_WIDTH, STONE_RADIUS};
use curling::physics::{Contact, Ice, Model, Out, Recorder, Sighting, Simulator};
use curling::release::{Release, Spin};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A model and what it leaves.
struct Case {
    name: &'static str,
    model: Model,
    /// Metres by which two stones at rest may overlap. Contacts are elastic, so stones part again: the
    /// official simulator leaves no pair overlapping in any of its 590 known collisions.
    overlap: f64,
    /// By how much the energy of a stone, for a kilogram, may seem to grow: interpolation of a table.
    energy: f64,
    /// The mirror image is the same to the last bit.
    exact_mirror: bool,
}

fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "fcv1",
            model: Model::new(Ice::Fcv1),
            overlap: 1e-3,
            energy: 1e-12,
            exact_mirror: true,
        },
        Case {
            name: "fast",
            model: Model::new(Ice::Fast),
            overlap: 1e-3,
            energy: 1e-7,
            exact_mirror: false,
        },
    ]
}

/// Kinetic energy of a stone of unit mass.
fn energy([vx, vy, w]: [f64; 3]) -> f64 {
    0.5 * (vx * vx + vy * vy) + 0.25 * STONE_RADIUS * STONE_RADIUS * w * w
}

/// Up to fifteen stones in and before the house.
fn random_board(rng: &mut ChaCha8Rng, thrown: usize) -> Board {
    let mut board = Board::EMPTY;
    for index in (0..16).filter(|i| *i != thrown) {
        let point = Point::new(rng.random_range(-1.6..1.6), rng.random_range(34.0..40.0));
        if rng.random_bool(0.6) && board.stones().all(|(_, p)| p.distance(point) > 0.2901) {
            board.put(Stone::new(index), point);
        }
    }
    board
}

/// Boards and shots that go into them.
fn shots(model: &Model, seed: u64, count: usize) -> Vec<(Board, Stone, Release)> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut all = Vec::new();
    while all.len() < count {
        let thrown = rng.random_range(0..16);
        let board = random_board(&mut rng, thrown);
        let target = Point::new(rng.random_range(-1.2..1.2), rng.random_range(34.5..39.0));
        let share = rng.random_range(0.0..0.5);
        let speed = if rng.random_bool(0.3) {
            0.0
        } else {
            share * model.max_speed()
        };
        let spin = Spin::BOTH[usize::from(rng.random_bool(0.5))];
        if let Some(release) = model.pass_through(target, speed, spin) {
            all.push((board, Stone::new(thrown), release));
        }
    }
    all
}

/// Holds that energy never grows and that nothing is not a number.
#[derive(Default)]
struct Watch {
    slack: f64,
    last: [Option<(f64, f64)>; 16],
    contacts: u32,
    sightings: u32,
    outs: Vec<(Stone, [f64; 2], Out)>,
}

impl Recorder for Watch {
    fn sighting(&mut self, s: &Sighting) {
        assert!(
            s.place.iter().chain(&s.velocity).all(|x| x.is_finite()),
            "{s:?}"
        );
        let now = energy(s.velocity);
        if let Some((time, before)) = self.last[s.stone.index()] {
            assert!(s.time >= time, "{s:?} after {time}");
            // Rounding of single precision.
            assert!(
                now <= before * (1.0 + 1e-6) + self.slack,
                "{s:?}: {before} to {now}"
            );
        }
        self.last[s.stone.index()] = Some((s.time, now));
        self.sightings += 1;
    }

    fn contact(&mut self, c: &Contact) {
        let sum = |v: &[[f64; 3]; 2]| energy(v[0]) + energy(v[1]);
        let momentum = |v: &[[f64; 3]; 2], k: usize| v[0][k] + v[1][k];
        for stone in c.stones {
            // A contact gives energy to one of them.
            self.last[stone.index()] = None;
        }
        self.contacts += 1;
        assert!(c.after.iter().flatten().all(|x| x.is_finite()));
        // With a third stone in the same instant only the sum over all is kept.
        if self.alone(c) {
            assert!(
                sum(&c.after) <= sum(&c.before) * (1.0 + 1e-5) + 1e-12,
                "{c:?}"
            );
            for k in 0..2 {
                let drift = momentum(&c.after, k) - momentum(&c.before, k);
                assert!(drift.abs() < 1e-5, "{c:?}");
            }
        }
    }

    fn out(&mut self, _: f64, stone: Stone, place: [f64; 2], why: Out) {
        self.outs.push((stone, place, why));
    }
}

impl Watch {
    /// Whether both sides of the contact changed by opposite impulses.
    fn alone(&self, c: &Contact) -> bool {
        let change = |i: usize, k: usize| c.after[i][k] - c.before[i][k];
        (0..2).all(|k| (change(0, k) + change(1, k)).abs() < 1e-4)
    }
}

#[test]
fn energy_never_grows_and_stones_at_rest_do_not_overlap() {
    for case in cases() {
        let (mut contacts, mut deepest) = (0, 0.0_f64);
        for (board, stone, release) in shots(&case.model, 1, 120) {
            let mut end = board;
            let mut watch = Watch {
                slack: case.energy,
                ..Watch::default()
            };
            let delivered = case.model.deliver(&mut end, stone, release, &mut watch);
            assert!(!delivered.cut_short, "{}", case.name);
            assert!(delivered.seconds.is_finite() && delivered.seconds > 0.0);
            assert!(watch.sightings > 0);
            assert_eq!(delivered.contacts, watch.contacts, "{}", case.name);
            contacts += watch.contacts;
            let gone = watch.outs.iter().fold(0, |m, (s, ..)| m | 1 << s.index());
            assert_eq!(gone, delivered.removed, "{}", case.name);
            assert_eq!(gone & end.mask(), 0);
            assert_eq!(gone | end.mask(), board.mask() | 1 << stone.index());
            assert!(
                end.stones()
                    .all(|(_, p)| p.x.is_finite() && p.y.is_finite())
            );
            deepest = deepest.max(end.overlap().map_or(0.0, |o| o.2));
        }
        assert!(contacts > 100, "{}: {contacts} contacts", case.name);
        assert!(deepest < case.overlap, "{}: {deepest} m", case.name);
    }
}

#[test]
fn the_mirror_image_is_the_opposite_shot() {
    for case in cases() {
        for (board, stone, release) in shots(&case.model, 2, 60) {
            let (mut ours, mut theirs) = (board, board.mirrored());
            let a = case.model.deliver(&mut ours, stone, release, &mut ());
            let b = case
                .model
                .deliver(&mut theirs, stone, release.mirrored(), &mut ());
            assert_eq!(a.removed, b.removed, "{}", case.name);
            assert_eq!(a.contacts, b.contacts, "{}", case.name);
            let back = theirs.mirrored();
            for (stone, point) in ours.stones() {
                let image = back.get(stone).expect("in play in both");
                let most = if case.exact_mirror { 0.0 } else { 1e-4 };
                assert!(
                    point.distance(image) <= most,
                    "{}: {point:?} {image:?}",
                    case.name
                );
            }
        }
    }
}

#[test]
fn two_stones_do_the_same_by_any_index() {
    // With several contacts at once their order, that of the indices, matters; with one it does not,
    // but for the rounding of which stone is the first.
    for case in cases() {
        for (at, speed) in [(0.0, 0.5), (0.1, 1.0), (-0.12, 1.5), (0.2, 2.0)] {
            let target = Point::new(at, 38.405);
            let release = case.model.pass_through(target, speed, Spin::Cw).unwrap();
            let throw = |thrown: usize, other: usize| {
                let mut board = Board::EMPTY;
                board.put(Stone::new(other), Point::TEE);
                case.model
                    .deliver(&mut board, Stone::new(thrown), release, &mut ());
                [thrown, other].map(|i| board.get(Stone::new(i)))
            };
            for (a, b) in throw(0, 15).into_iter().zip(throw(9, 2)) {
                match (a, b) {
                    (Some(a), Some(b)) => {
                        assert!(a.distance(b) < 1e-3, "{}: {a:?} {b:?}", case.name);
                    }
                    (a, b) => assert_eq!(a, b, "{}", case.name),
                }
            }
        }
    }
}

/// Throws an only stone and tells how it left.
fn leaves(model: &Model, release: Release) -> Option<([f64; 2], Out)> {
    let (mut board, mut watch) = (Board::EMPTY, Watch::default());
    let _ = model.deliver(&mut board, Stone::new(4), release, &mut watch);
    assert_eq!(board.is_empty(), !watch.outs.is_empty());
    watch.outs.first().map(|(_, place, why)| (*place, *why))
}

#[test]
fn stones_leave_by_the_lines_of_the_rules() {
    // A step of 4 m/s, and what the model is off over the sheet.
    const STEP: f64 = 0.004;
    for case in cases() {
        let side = SHEET_WIDTH / 2.0 - STONE_RADIUS;
        let wide = case
            .model
            .pass_through(Point::new(2.5, 38.0), 1.0, Spin::Cw);
        let (place, why) = leaves(&case.model, wide.unwrap()).unwrap();
        assert_eq!(why, Out::Side, "{}", case.name);
        assert!(
            (place[0].abs() - side).abs() < STEP,
            "{}: {place:?}",
            case.name
        );

        let long = case.model.pass_through(Point::TEE, 2.0, Spin::Ccw);
        let (place, why) = leaves(&case.model, long.unwrap()).unwrap();
        assert_eq!(why, Out::Back, "{}", case.name);
        assert!(
            (place[1] - STONE_RADIUS - BACK_LINE).abs() < STEP,
            "{}",
            case.name
        );

        let (place, why) = leaves(&case.model, Release::new(0.0, -1.9, Spin::Ccw)).unwrap();
        assert_eq!(why, Out::Near, "{}", case.name);
        assert!(
            (place[1] - STONE_RADIUS - NEAR_BOARD).abs() < STEP,
            "{}",
            case.name
        );

        // A stone that touches a line still: in at the back, out at the hog line.
        for (y, in_play) in [
            (BACK_LINE + STONE_RADIUS - 0.02, true),
            (BACK_LINE + STONE_RADIUS + 0.02, false),
            (HOG_LINE + STONE_RADIUS + 0.02, true),
            (HOG_LINE + STONE_RADIUS - 0.02, false),
        ] {
            for spin in Spin::BOTH {
                let target = Point::new(0.0, y as f32);
                let release = case.model.stop_at(target, spin).unwrap();
                let left = leaves(&case.model, release);
                assert_eq!(left.is_none(), in_play, "{} at {y}: {left:?}", case.name);
            }
        }
    }
}

#[test]
fn every_stone_short_of_the_hog_line_goes_not_only_the_thrown_one() {
    for case in cases() {
        let mut board = Board::EMPTY;
        // Lying on the hog line, as no shot leaves it.
        board.put(Stone::new(7), Point::new(1.5, 32.1));
        let draw = case.model.stop_at(Point::TEE, Spin::Ccw).unwrap();
        let mut watch = Watch::default();
        let delivered = case
            .model
            .deliver(&mut board, Stone::new(0), draw, &mut watch);
        assert_eq!(board.mask(), 1, "{}", case.name);
        assert_eq!(delivered.removed, 1 << 7);
        assert_eq!(watch.outs[0].2, Out::Hog);
    }
}

#[test]
fn a_stone_that_has_left_is_not_hit() {
    for case in cases() {
        // Two takeouts along one line: the second passes where the first stone went.
        let mut board = Board::EMPTY;
        board.put(Stone::new(8), Point::TEE);
        let hit = case.model.pass_through(Point::TEE, 2.0, Spin::Ccw).unwrap();
        let first = case.model.deliver(&mut board, Stone::new(0), hit, &mut ());
        assert_eq!(first.removed >> 8 & 1, 1, "{}", case.name);
        assert_eq!(board.get(Stone::new(8)), None);
    }
}

#[test]
fn bad_releases_do_not_panic() {
    for case in cases() {
        for (vx, vy, omega) in [
            (f64::NAN, 2.0, 1.0),
            (0.0, f64::INFINITY, 1.0),
            (0.0, 2.0, f64::NAN),
            (0.0, 1e30, 1.0),
            (0.0, 0.0, 0.0),
            (1e-9, -1e-9, -1e-9),
        ] {
            let mut board = Board::EMPTY;
            board.put(Stone::new(3), Point::TEE);
            let release = Release { vx, vy, omega };
            let delivered = case
                .model
                .deliver(&mut board, Stone::new(0), release, &mut ());
            assert_eq!(board.mask(), 1 << 3, "{}: {release:?}", case.name);
            assert_eq!(delivered.removed & 1, 1, "{}: {release:?}", case.name);
        }
        // Two stones on one spot: nothing of the sort comes out of play.
        let mut board = Board::EMPTY;
        board.put(Stone::new(3), Point::TEE);
        board.put(Stone::new(4), Point::TEE);
        let hit = case.model.pass_through(Point::TEE, 1.0, Spin::Ccw).unwrap();
        let _ = case.model.deliver(&mut board, Stone::new(0), hit, &mut ());
        assert!(
            board
                .stones()
                .all(|(_, p)| p.x.is_finite() && p.y.is_finite())
        );
    }
}
