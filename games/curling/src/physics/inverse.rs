//! Aiming on the ice of FCV1: from where a stone should stop or pass to how it is released.
//!
//! The map of an empty sheet is isotropic, so the distance alone gives the speed, and the direction of
//! the target that of the throw: the one curve, rotated so that its chord ends there.

use crate::board::Point;
use crate::physics::fast::motion::{Body, Track, dot, minus, turned, turned_back};
use crate::physics::friction::Table;
use crate::release::{Release, Spin};

/// Distances are met this closely, m.
const CLOSE: f64 = 1e-10;
/// Newton's method takes four or five steps.
const MOST_STEPS: u32 = 60;

/// The release that passes `target` with `speed` left, 0 to stop there, at most `fastest` at the
/// hack; `None` when no release does.
#[must_use]
pub fn aim(table: &Table, target: Point, speed: f64, spin: Spin, fastest: f64) -> Option<Release> {
    let path = table.path();
    let goal = [f64::from(target.y), -f64::from(target.x)];
    let distance = dot(goal, goal).sqrt();
    let fastest = fastest.min(table.top_speed());
    if !(distance > 0.0 && distance.is_finite() && speed >= 0.0 && speed < fastest) {
        return None;
    }
    let last = path.time_to_rest(speed);
    let end = path.at(last).way;
    let longest = path.time_to_rest(fastest);
    let mut time = path.time_about(end[0] + distance).clamp(last, longest);
    for _ in 0..MOST_STEPS {
        let moment = path.at(time);
        let chord = minus(moment.way, end);
        let length = dot(chord, chord).sqrt();
        if (length - distance).abs() <= CLOSE {
            let side = |v: [f64; 2]| [v[0], spin.sign() * v[1]];
            let heading = turned_back(goal, side(chord));
            let scale = 1.0 / (length * distance);
            let [ahead, left] = turned(side(moment.velocity), heading);
            return Some(Release::new(-left * scale, ahead * scale, spin));
        }
        // The chord grows with the time, ever faster: from the far side the steps come in, from the
        // near side the first leads to the far side.
        let rate = dot(chord, moment.velocity);
        let next = if rate > 0.0 {
            time + (distance - length) * length / rate
        } else {
            0.5 * (last + longest)
        };
        if time >= longest && next > longest {
            return None;
        }
        time = next.clamp(last, longest);
    }
    None
}

/// Where a release stops on a sheet without stones and lines; once its spin is gone, a stone runs
/// straight on.
#[must_use]
pub fn stopping_point(table: &Table, release: Release) -> Point {
    let path = table.path();
    let mut body = Body {
        place: [0.0, 0.0],
        velocity: [release.vy, -release.vx],
        spin: release.omega,
    };
    let mut track = Track::new(path, &body, 0.0);
    if let Some((curling, time)) = track.and_then(|t| t.spin_end(path).map(|end| (t, end))) {
        body = Body {
            spin: 0.0,
            ..curling.body(path, time)
        };
        track = Track::new(path, &body, time);
    }
    let [ahead, left] = track.map_or(body.place, |t| t.stop);
    Point::new(-left as f32, ahead as f32)
}
