//! Aiming on the ice of FCV1: from where a stone should stop or pass to how it is released.
//!
//! The map of an empty sheet is isotropic, so the distance alone gives the speed and the deflection of
//! the path gives the angle.

use crate::board::Point;
use crate::physics::friction::{Rest, Table};
use crate::release::{Release, Spin};

/// The release that passes `target` with `speed` left, 0 to stop there, at most `fastest` at the
/// hack; `None` when no release does.
#[must_use]
pub fn aim(table: &Table, target: Point, speed: f64, spin: Spin, fastest: f64) -> Option<Release> {
    let (x, y) = (f64::from(target.x), f64::from(target.y));
    let distance = (x * x + y * y).sqrt();
    if !(distance > 0.0 && speed >= 0.0 && speed < fastest && distance.is_finite()) {
        return None;
    }
    let end = table.rest(speed);
    let gap = |v: f64| {
        let way = between(&table.rest(v), &end);
        (way.0 * way.0 + way.1 * way.1).sqrt() - distance
    };
    if gap(fastest) < 0.0 {
        return None;
    }
    let (mut low, mut high) = (speed, fastest);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if gap(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let v = 0.5 * (low + high);
    let start = table.rest(v);
    let way = between(&start, &end);
    // Both in the frame of the heading at rest, for a counter-clockwise stone.
    let bearing = libm::atan2(spin.sign() * way.1, way.0);
    // Angles to the left of straight ahead.
    let heading_at_rest = libm::atan2(-x, y) - bearing;
    Some(Release::polar(
        v,
        heading_at_rest - spin.sign() * start.turn,
        spin,
    ))
}

/// Where a release stops on a sheet without stones and lines.
#[must_use]
pub fn stopping_point(table: &Table, release: Release) -> Point {
    let start = table.rest(release.speed());
    let sign = release.spin().sign();
    let heading = release.angle() + sign * start.turn;
    let (sin, cos) = (libm::sin(heading), libm::cos(heading));
    let (along, left) = (start.x, sign * start.y);
    Point::new(
        (-along * sin - left * cos) as f32,
        (along * cos - left * sin) as f32,
    )
}

fn between(start: &Rest, end: &Rest) -> (f64, f64) {
    (start.x - end.x, start.y - end.y)
}
