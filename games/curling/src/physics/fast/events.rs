//! What happens next to a stone on its way: a line, the end of its spin, another stone.
//!
//! All times come from certain bounds. The distance to a line or a stone cannot shrink faster than at
//! the present rate with the greatest acceleration there is added, so a step to where that would reach
//! zero never passes a contact; near one the steps converge as Newton's do.

use crate::geometry::{BACK_LINE, CONTACT, NEAR_BOARD, SHEET_WIDTH, STONE_RADIUS};
use crate::physics::Out;
use crate::physics::fast::motion::{Track, dot, minus, turned_back};
use crate::physics::friction::deceleration;
use crate::physics::path::{Path, Vector};

/// More than the acceleration of any stone, m/s^2: at rest (C1 / C2 + C3) g = 0.37007, and less
/// everywhere else, curl included.
const MOST_ACCELERATION: f64 = 0.3702;
/// Closer than this is in contact, m.
const CLOSE: f64 = 1e-10;
/// From a contact on steps are at least this long, s; stones that part cannot come closer by more than
/// 1e-12 m in it.
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
#[inline]
pub(crate) fn outside(place: Vector) -> Option<Out> {
    LINES
        .iter()
        .find(|(normal, limit, _)| dot(*normal, place) >= *limit)
        .map(|&(_, _, why)| why)
}

/// The first event of a path from `now` to `until` that concerns no other stone.
pub(crate) fn own_end(path: &Path, track: &Track, now: f64, until: f64) -> Option<(f64, End)> {
    let mut first = track
        .spin_end(path)
        .filter(|time| *time <= until)
        .map(|time| (time.max(now), End::Straightens));
    let stretch = Stretch::new(path, track, now, until);
    for (normal, limit, why) in LINES {
        if let Some(time) = stretch.leaves(path, track, normal, limit)
            && first.is_none_or(|(t, _)| time < t)
        {
            first = Some((time, End::Leaves(why)));
        }
    }
    first
}

/// A part of a path by its ends.
struct Stretch {
    time: [f64; 2],
    place: [Vector; 2],
    velocity: Vector,
    /// Any vector in the direction of the heading at the second end.
    heading: Vector,
}

impl Stretch {
    #[inline]
    fn new(path: &Path, track: &Track, now: f64, until: f64) -> Self {
        let (place, velocity) = track.at(path, now);
        let (end, heading) = if until < track.end {
            track.at(path, until)
        } else {
            (track.stop, track.heading)
        };
        Self {
            time: [now, until.min(track.end)],
            place: [place, end],
            velocity,
            heading,
        }
    }

    /// When the stone crosses a line.
    #[inline]
    fn leaves(&self, path: &Path, track: &Track, normal: Vector, limit: f64) -> Option<f64> {
        let start = dot(normal, self.place[0]);
        if start >= limit {
            return Some(self.time[0]);
        }
        if dot(normal, self.place[1]) >= limit {
            return Some(self.crossing(path, track, normal, limit));
        }
        // It turns by less than a right angle: only if it first goes out and then back can it be
        // further out between than at either end.
        let rate = dot(normal, self.velocity);
        if rate <= 0.0 || dot(normal, self.heading) >= 0.0 {
            return None;
        }
        // The tangents at both ends enclose the path.
        let way = minus(self.place[1], self.place[0]);
        let cross = |a: Vector, b: Vector| a[0] * b[1] - a[1] * b[0];
        let along = cross(way, self.heading) / cross(self.velocity, self.heading);
        if start + rate * along < limit {
            return None;
        }
        self.grazes(path, track, normal, limit)
    }

    /// When a stone crosses a line that it may come back over.
    #[cold]
    fn grazes(&self, path: &Path, track: &Track, normal: Vector, limit: f64) -> Option<f64> {
        let [mut time, until] = self.time;
        while time < until {
            let (place, velocity) = track.at(path, time);
            let (gap, rate) = (limit - dot(normal, place), -dot(normal, velocity));
            if gap <= CLOSE {
                return Some(time);
            }
            time += safe_step(gap, rate, MOST_ACCELERATION);
        }
        None
    }

    /// The only crossing of a line that a stone begins inside and ends beyond: Newton's method, held
    /// in an interval.
    fn crossing(&self, path: &Path, track: &Track, normal: Vector, limit: f64) -> f64 {
        let [mut low, mut high] = self.time;
        let gap = limit - dot(normal, self.place[0]);
        let rate = dot(normal, self.velocity);
        let speed = dot(self.velocity, self.velocity).sqrt();
        // As if it went on slowing as it does now.
        let most = deceleration(speed) * rate / speed;
        let mut time = low + 2.0 * gap / (rate + (rate * rate - 2.0 * most * gap).max(0.0).sqrt());
        for _ in 0..100 {
            if !(time > low && time < high) {
                time = 0.5 * (low + high);
            }
            let (place, velocity) = track.at(path, time);
            let gap = limit - dot(normal, place);
            if gap > 0.0 {
                low = time;
            } else {
                high = time;
            }
            if gap.abs() <= CLOSE || high - low <= 1e-12 * high {
                break;
            }
            time += gap / dot(normal, velocity);
        }
        time
    }
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
    // An open gap closes in no time at all only to rounding; a closed one may stand still.
    if gap > CLOSE {
        step
    } else {
        step.max(SHORTEST)
    }
}

/// When a moving stone first touches one at rest, from `now` to `until`.
#[inline]
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
