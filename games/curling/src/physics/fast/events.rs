//! What happens next to a stone on its way: a line, the end of its spin, another stone.
//!
//! All times come from certain bounds. The distance to a line or a stone cannot shrink faster than at
//! the present rate with the greatest acceleration there is added, so a step to where that would reach
//! zero never passes a contact; near one the steps converge as Newton's do.

use crate::geometry::{BACK_LINE, CONTACT, NEAR_BOARD, SHEET_WIDTH, STONE_RADIUS};
use crate::physics::Out;
use crate::physics::fast::motion::{Track, dot, minus, turned_back};
use crate::physics::path::{Path, Vector};

/// More than the acceleration of any stone, m/s^2: at rest (C1 / C2 + C3) g = 0.37007, and less
/// everywhere else, curl included.
const MOST_ACCELERATION: f64 = 0.3702;
/// Closer than this is in contact, m.
const CLOSE: f64 = 1e-10;
/// Steps are at least this long, s; a stone gains no more than 1e-12 m on the bound in it.
const SHORTEST: f64 = 1e-6;

/// What ends a path without another stone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum End {
    /// It leaves.
    Leaves(Out),
    /// Its spin is gone.
    Straightens,
}

/// The four lines: outward direction, how far along it the line is, why.
const LINES: [(Vector, f64, Out); 4] = [
    ([0.0, 1.0], SHEET_WIDTH / 2.0 - STONE_RADIUS, Out::Side),
    ([0.0, -1.0], SHEET_WIDTH / 2.0 - STONE_RADIUS, Out::Side),
    ([1.0, 0.0], BACK_LINE + STONE_RADIUS, Out::Back),
    ([-1.0, 0.0], -(NEAR_BOARD + STONE_RADIUS), Out::Near),
];

/// Why a stone at this place is out.
pub(crate) fn outside(place: Vector) -> Option<Out> {
    LINES
        .iter()
        .find(|(normal, limit, _)| dot(*normal, place) >= *limit)
        .map(|&(_, _, why)| why)
}

/// The first event of a path from `now` on that concerns no other stone.
pub(crate) fn own_end(path: &Path, track: &Track, now: f64) -> Option<(f64, End)> {
    let mut first = track
        .spin_end(path)
        .map(|time| (time.max(now), End::Straightens));
    let (place, velocity) = track.at(path, now);
    for (normal, limit, why) in LINES {
        let gap = limit - dot(normal, place);
        let time = if gap <= 0.0 {
            Some(now)
        } else {
            leaves(path, track, now, normal, limit, velocity)
        };
        if let Some(time) = time
            && first.is_none_or(|(t, _)| time < t)
        {
            first = Some((time, End::Leaves(why)));
        }
    }
    first
}

/// When a stone that is inside crosses a line.
fn leaves(
    path: &Path,
    track: &Track,
    now: f64,
    normal: Vector,
    limit: f64,
    velocity: Vector,
) -> Option<f64> {
    if dot(normal, track.stop) >= limit {
        return Some(crossing(path, track, now, normal, limit));
    }
    // It turns by less than a right angle: only if it first goes out and then back can it be further
    // out between than at either end.
    if dot(normal, velocity) <= 0.0 || dot(normal, track.heading) >= 0.0 {
        return None;
    }
    // The tangents at both ends enclose the path.
    let (place, _) = track.at(path, now);
    let way = minus(track.stop, place);
    let cross = |a: Vector, b: Vector| a[0] * b[1] - a[1] * b[0];
    let along = cross(way, track.heading) / cross(velocity, track.heading);
    if dot(normal, place) + dot(normal, velocity) * along < limit {
        return None;
    }
    let mut time = now;
    while time < track.end {
        let (place, velocity) = track.at(path, time);
        let (gap, rate) = (limit - dot(normal, place), -dot(normal, velocity));
        if gap <= CLOSE {
            return Some(time);
        }
        time += safe_step(gap, rate, MOST_ACCELERATION);
    }
    None
}

/// The only crossing of a line that a stone inside comes to rest beyond: Newton's method, held in
/// an interval.
fn crossing(path: &Path, track: &Track, now: f64, normal: Vector, limit: f64) -> f64 {
    let (mut low, mut high) = (now, track.end);
    let mut time = now;
    for _ in 0..100 {
        let (place, velocity) = track.at(path, time);
        let (gap, rate) = (limit - dot(normal, place), dot(normal, velocity));
        if gap > 0.0 {
            low = time;
        } else {
            high = time;
        }
        if gap.abs() <= CLOSE || high - low <= 1e-12 * high {
            break;
        }
        let next = time + gap / rate;
        time = if next > low && next < high {
            next
        } else {
            0.5 * (low + high)
        };
    }
    time
}

/// How long a gap stays open that changes at `rate` now, with any acceleration up to `most`.
#[inline]
fn safe_step(gap: f64, rate: f64, most: f64) -> f64 {
    let gap = gap.max(0.0);
    let root = (rate * rate + 2.0 * most * gap).sqrt();
    let step = if rate < 0.0 {
        2.0 * gap / (root - rate)
    } else {
        (rate + root) / most
    };
    step.max(SHORTEST)
}

/// When a moving stone first touches one at rest, from `now` to `until`.
pub(crate) fn meets_resting(
    path: &Path,
    track: &Track,
    now: f64,
    until: f64,
    place: Vector,
) -> Option<f64> {
    let from = if track.side == 0.0 {
        now
    } else {
        let [ahead, mut left] = turned_back(minus(track.stop, place), track.heading);
        if ahead < -CONTACT {
            return None;
        }
        left *= track.side;
        let reach = CONTACT * path.steepest() + Path::ACROSS_ERROR;
        if (left - path.left_at(ahead)).abs() > reach {
            return None;
        }
        now.max(track.end - path.time_before(ahead + CONTACT))
    };
    let until = until.min(track.end);
    approach(from, until, MOST_ACCELERATION, |time| {
        let (at, velocity) = track.at(path, time);
        (minus(at, place), velocity)
    })
}

/// When two moving stones first touch.
pub(crate) fn meets_moving(
    path: &Path,
    (a, b): (&Track, &Track),
    now: f64,
    until: f64,
) -> Option<f64> {
    let until = until.min(a.end.max(b.end));
    approach(now, until, 2.0 * MOST_ACCELERATION, |time| {
        let ((p, v), (q, w)) = (a.at(path, time), b.at(path, time));
        (minus(p, q), minus(v, w))
    })
}

/// The first time at which a difference of places is short and still shrinking.
#[inline]
fn approach(
    from: f64,
    until: f64,
    most: f64,
    difference: impl Fn(f64) -> (Vector, Vector),
) -> Option<f64> {
    let mut time = from;
    while time <= until {
        let (d, v) = difference(time);
        let distance = dot(d, d).sqrt();
        let rate = dot(d, v) / distance.max(1e-9);
        let gap = distance - CONTACT;
        if gap <= CLOSE && rate < 0.0 {
            return Some(time);
        }
        // Stones that overlap and part touch again when they no longer part, not when they no
        // longer overlap.
        time += if gap < 0.0 {
            (rate / most).max(SHORTEST)
        } else {
            safe_step(gap, rate, most)
        };
    }
    None
}
