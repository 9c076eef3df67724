//! The curve, and when it meets something.

use super::{rng, uniform};
use crate::board::{Board, Point};
use crate::geometry::CONTACT;
use crate::physics::Simulator;
use crate::physics::fast::events::{End, meets_moving, meets_resting, own_end};
use crate::physics::fast::motion::{Body, Track, dot, minus};
use crate::physics::fast::{Fast, tests::reference};
use crate::release::{Release, Spin};
use rand::Rng;

fn thrown(rng: &mut impl Rng, top: f64) -> Body {
    let (speed, angle) = (uniform(rng, 0.0, top), uniform(rng, -3.2, 3.2));
    let spin = uniform(rng, -1.0, 1.0);
    Body {
        place: [uniform(rng, 33.0, 40.0), uniform(rng, -2.0, 2.0)],
        velocity: [speed * libm::cos(angle), speed * libm::sin(angle)],
        spin: if spin.abs() < 0.1 { 0.0 } else { spin },
    }
}

#[test]
fn lone_stones_stop_where_short_steps_lead() {
    let (fast, mut rng) = (Fast::new(), rng(1));
    for i in 0..20 {
        let speed = uniform(&mut rng, 2.0, 2.45);
        let angle = uniform(&mut rng, -0.03, 0.03);
        let mut release = Release::polar(speed, angle, Spin::BOTH[i % 2]);
        // Some lose their spin on the way, some have none.
        release.omega *= [1.0, 1.0, 0.3, 0.05, 0.0][i % 5];
        let (rest, _) = reference::throw(&Board::EMPTY, 8, release, 0.0);
        let stop = fast.stopping_point(release);
        if let Some([x, y]) = rest[8] {
            let off = (x - f64::from(stop.x)).hypot(y - f64::from(stop.y));
            assert!(off < 2e-5, "{release:?}: {off}");
        }
    }
}

#[test]
fn a_path_is_continuous_and_as_fast_as_the_law_says() {
    let (fast, mut rng) = (Fast::new(), rng(2));
    let path = fast.table.path();
    for _ in 0..20_000 {
        let body = thrown(&mut rng, 7.9);
        let track = Track::new(path, &body, 1.0).expect("it moves");
        let (place, velocity) = track.at(path, 1.0);
        assert!(dot(minus(place, body.place), minus(place, body.place)) < 1e-20);
        let off = minus(velocity, body.velocity);
        assert!(dot(off, off).sqrt() < 1e-5, "{body:?} {velocity:?}");
        let time = uniform(&mut rng, 1.0, track.end);
        let h = 1e-5;
        let ((p, v), (q, w)) = (track.at(path, time), track.at(path, time + h));
        let mean = [(v[0] + w[0]) * h / 2.0, (v[1] + w[1]) * h / 2.0];
        let off = minus(minus(q, p), mean);
        assert!(dot(off, off).sqrt() < 1e-11, "{body:?} at {time}");
    }
}

/// The first sample at which two paths are closer than a contact, or how close they come.
fn sampled(until: f64, distance: impl Fn(f64) -> f64) -> Result<f64, f64> {
    let mut closest = f64::INFINITY;
    for k in 0.. {
        let time = f64::from(k) * 0.002;
        if time > until {
            break;
        }
        let gap = distance(time) - CONTACT;
        if gap < -1e-9 {
            return Ok(time);
        }
        closest = closest.min(gap);
    }
    Err(closest)
}

#[test]
fn contacts_with_resting_stones_are_neither_missed_nor_made_up() {
    let (fast, mut rng) = (Fast::new(), rng(3));
    let path = fast.table.path();
    let mut met = 0;
    for _ in 0..4_000 {
        let body = thrown(&mut rng, 3.0);
        let track = Track::new(path, &body, 0.0).expect("it moves");
        // Near the path, so that half of them graze.
        let (near, _) = track.at(path, uniform(&mut rng, 0.0, track.end));
        let place = [
            near[0] + uniform(&mut rng, -0.4, 0.4),
            near[1] + uniform(&mut rng, -0.4, 0.4),
        ];
        let distance = |time: f64| {
            let d = minus(track.at(path, time).0, place);
            dot(d, d).sqrt()
        };
        if distance(0.0) < CONTACT {
            continue;
        }
        let found = meets_resting(path, &track, 0.0, f64::INFINITY, place);
        let seen = sampled(track.end, distance);
        match (found, seen) {
            (Some(time), Ok(sample)) => {
                assert!(time <= sample, "{time} {sample}");
                assert!((distance(time) - CONTACT).abs() < 1e-9);
                met += 1;
            }
            // A graze between two samples.
            (Some(time), Err(_)) => assert!((distance(time) - CONTACT).abs() < 1e-9),
            (None, Ok(sample)) => panic!("missed at {sample}: {body:?} {place:?}"),
            (None, Err(_)) => {}
        }
    }
    assert!(met > 1_000, "{met}");
}

#[test]
fn contacts_of_moving_stones_are_neither_missed_nor_made_up() {
    let (fast, mut rng) = (Fast::new(), rng(4));
    let path = fast.table.path();
    let mut met = 0;
    for _ in 0..4_000 {
        let mut pair = [thrown(&mut rng, 2.0), thrown(&mut rng, 2.0)];
        let apart = uniform(&mut rng, 0.3, 1.0);
        pair[1].place = [pair[0].place[0] + apart, pair[0].place[1]];
        let [a, b] = pair.map(|body| Track::new(path, &body, 0.0).expect("it moves"));
        let distance = |time: f64| {
            let d = minus(a.at(path, time).0, b.at(path, time).0);
            dot(d, d).sqrt()
        };
        let found = meets_moving(path, (&a, &b), 0.0, f64::INFINITY);
        match (found, sampled(a.end.max(b.end), distance)) {
            (Some(time), Ok(sample)) => {
                assert!(time <= sample, "{time} {sample}");
                assert!((distance(time) - CONTACT).abs() < 1e-9);
                met += 1;
            }
            (Some(time), Err(_)) => assert!((distance(time) - CONTACT).abs() < 1e-9),
            (None, Ok(sample)) => panic!("missed at {sample}: {pair:?}"),
            (None, Err(_)) => {}
        }
    }
    assert!(met > 500, "{met}");
}

#[test]
fn stones_leave_when_they_cross_a_line() {
    let (fast, mut rng) = (Fast::new(), rng(5));
    let path = fast.table.path();
    let inside = |[ahead, left]: [f64; 2]| {
        left.abs() + 0.145 < 2.375 && ahead - 0.145 < 40.234 && ahead - 0.145 > -1.829
    };
    let (mut left, mut back_inside) = (0, 0);
    for _ in 0..4_000 {
        let mut body = thrown(&mut rng, 3.0);
        body.spin = body.spin.signum() * 1.57;
        let track = Track::new(path, &body, 0.0).expect("it moves");
        let samples = (0..).map(|k| f64::from(k) * 0.002);
        let first = samples
            .take_while(|time| *time < track.end + 0.002)
            .find(|time| !inside(track.at(path, *time).0));
        let found = own_end(path, &track, 0.0, f64::INFINITY);
        match (found, first) {
            (Some((time, End::Leaves(_))), Some(sample)) => {
                assert!(
                    time <= sample + 1e-9 && time > sample - 0.0021,
                    "{time} {sample}"
                );
                left += 1;
                back_inside += u32::from(inside(track.stop));
            }
            (Some((time, End::Leaves(_))), None) => {
                let ([ahead, aside], _) = track.at(path, time);
                let gap = (2.23 - aside.abs()).min(40.379 - ahead);
                assert!(gap.abs() < 1e-9, "{gap}");
            }
            (_, Some(sample)) => panic!("still there at {sample}: {body:?}"),
            (_, None) => {}
        }
    }
    assert!(left > 1_000 && back_inside > 0, "{left} {back_inside}");
}

#[test]
fn aim_is_true_to_a_micrometre() {
    let (fast, mut rng) = (Fast::new(), rng(6));
    let path = fast.table.path();
    for i in 0..20_000 {
        let target = Point::new(
            uniform(&mut rng, -2.3, 2.3) as f32,
            uniform(&mut rng, 0.5, 42.0) as f32,
        );
        let speed = if i % 2 == 0 {
            0.0
        } else {
            uniform(&mut rng, 0.01, 3.0)
        };
        let Some(release) = fast.pass_through(target, speed, Spin::BOTH[i % 4 / 2]) else {
            assert!(speed > 2.5, "{target:?} {speed}");
            continue;
        };
        assert!(release.speed() <= fast.max_speed() + 1e-9);
        let body = Body {
            place: [0.0; 2],
            velocity: [release.vy, -release.vx],
            spin: release.omega,
        };
        let track = Track::new(path, &body, 0.0).expect("it moves");
        let (place, velocity) = track.at(path, track.end - path.time_to_rest(speed));
        let off = minus(place, [target.y.into(), -f64::from(target.x)]);
        assert!(dot(off, off).sqrt() < 1e-6, "{target:?} {speed} {off:?}");
        assert!((dot(velocity, velocity).sqrt() - speed).abs() < 1e-5);
    }
    for (x, y, speed) in [(0.0, 0.0, 0.0), (0.0, 200.0, 0.0), (0.0, 38.0, 4.0)] {
        assert_eq!(fast.pass_through(Point::new(x, y), speed, Spin::Ccw), None);
    }
    assert_eq!(fast.stop_at(Point::new(f32::NAN, 1.0), Spin::Cw), None);
    assert_eq!(fast.pass_through(Point::TEE, f64::NAN, Spin::Cw), None);
}
