//! One stone on its way: [`Track`].

use crate::physics::path::{Moment, Path, Vector};

/// Slower than this is at rest, m/s: less than a nanometre from its resting place.
const AT_REST: f64 = 1e-9;

/// Where a stone is and how it moves.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Body {
    pub(crate) place: Vector,
    pub(crate) velocity: Vector,
    pub(crate) spin: f64,
}

/// The path of a stone until something happens to it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Track {
    /// Where it comes to rest.
    pub(crate) stop: Vector,
    /// When.
    pub(crate) end: f64,
    /// Unit vector of its heading at rest.
    pub(crate) heading: Vector,
    /// +1 when it turns to the left, -1 to the right, 0 when it runs straight.
    pub(crate) side: f64,
    /// How fast it turned when the path began, either way.
    pub(crate) spin: f64,
    /// When the path began.
    pub(crate) start: f64,
    /// Speed when it began.
    pub(crate) speed: f64,
}

/// `a` turned by the direction of the unit vector `b`.
#[inline]
pub(crate) fn turned(a: Vector, b: Vector) -> Vector {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

/// `a` turned back by the direction of the unit vector `b`.
#[inline]
pub(crate) fn turned_back(a: Vector, b: Vector) -> Vector {
    [a[0] * b[0] + a[1] * b[1], a[1] * b[0] - a[0] * b[1]]
}

#[inline]
pub(crate) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

#[inline]
pub(crate) fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1]]
}

impl Track {
    /// The path of a stone that is like this at `time`; `None` when it is at rest.
    #[inline]
    pub(crate) fn new(path: &Path, body: &Body, time: f64) -> Option<Self> {
        let speed = dot(body.velocity, body.velocity).sqrt();
        if speed < AT_REST {
            return None;
        }
        let left = path.time_to_rest(speed);
        let side = if body.spin == 0.0 {
            0.0
        } else {
            1.0_f64.copysign(body.spin)
        };
        let moment = placed(path, side, left);
        let scale = 1.0 / (speed * dot(moment.velocity, moment.velocity).sqrt());
        let heading = turned_back(body.velocity, moment.velocity);
        let heading = [heading[0] * scale, heading[1] * scale];
        let way = turned(moment.way, heading);
        Some(Self {
            stop: [body.place[0] + way[0], body.place[1] + way[1]],
            end: time + left,
            heading,
            side,
            spin: body.spin.abs(),
            start: time,
            speed,
        })
    }

    /// Place and velocity at `time`.
    #[inline]
    pub(crate) fn at(&self, path: &Path, time: f64) -> (Vector, Vector) {
        let left = self.end - time;
        if left <= 0.0 {
            return (self.stop, [0.0, 0.0]);
        }
        let moment = placed(path, self.side, left);
        (
            minus(self.stop, turned(moment.way, self.heading)),
            turned(moment.velocity, self.heading),
        )
    }

    /// The same with the spin.
    pub(crate) fn body(&self, path: &Path, time: f64) -> Body {
        let (place, velocity) = self.at(path, time);
        let spin = if self.side == 0.0 || time >= self.end {
            0.0
        } else {
            let speed = dot(velocity, velocity).sqrt();
            let lost = path.spin_lost(self.speed) - path.spin_lost(speed);
            self.side * (self.spin - lost).max(0.0)
        };
        Body {
            place,
            velocity,
            spin,
        }
    }

    /// When the spin has gone, if the stone still moves then.
    pub(crate) fn spin_end(&self, path: &Path) -> Option<f64> {
        if self.side == 0.0 || path.spin_lasts(self.speed, self.spin) {
            return None;
        }
        path.time_of_spin(path.spin_lost(self.speed) - self.spin)
            .map(|left| (self.end - left).max(self.start))
    }
}

#[inline]
fn placed(path: &Path, side: f64, left: f64) -> Moment {
    if side == 0.0 {
        return path.straight_at(left);
    }
    let mut moment = path.at(left);
    moment.way[1] *= side;
    moment.velocity[1] *= side;
    moment
}
