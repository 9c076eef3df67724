//! The one curve of the ice of FCV1 by time: [`Path`].
//!
//! Every stone that turns runs along the same curve, rotated and mirrored, towards its resting place;
//! what differs is how many seconds before rest it joins. By that time place and velocity are smooth,
//! so short cubics on an even grid hold them, and the heading never needs an angle.

use crate::physics::friction::{
    C1, C2, C3, GRAVITY, Integrals, Rest, SPIN_FLOOR, SPIN_LOSS, TOP_SPEED, deceleration,
};

/// Cubics in a second, for the curve.
const BY_TIME: f64 = 32.0;
/// Cubics in a metre a second, for the time to rest.
const BY_SPEED: f64 = 256.0;
/// Grid points in a metre along the heading at rest.
const BY_WAY: f64 = 8.0;
/// Cubics in a radian a second of lost spin.
const BY_SPIN: f64 = 1024.0;

/// Below this speed the lost spin is computed, m/s.
const CRAWL: f64 = 0.05;
/// No player throws faster, m/s.
const USUAL: f64 = 4.0;

/// A vector: ahead, and to the left of it.
pub(crate) type Vector = [f64; 2];

/// Way to the resting place and velocity, in the frame of the heading at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Moment {
    /// Way still to go.
    pub(crate) way: Vector,
    /// Velocity.
    pub(crate) velocity: Vector,
}

/// Two cubics in the fraction of a step, together in one cache line.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
struct Pair([[f64; 4]; 2]);

/// Both coordinates of the curve on a grid of places.
#[derive(Debug, Clone, Copy)]
struct Across {
    left: f64,
    time: f64,
}

/// The curve of a stone that turns counter-clockwise, and that of one that does not turn.
#[derive(Debug, Clone)]
pub(crate) struct Path {
    curl: Vec<Pair>,
    /// Arc length in the first cubic.
    straight: Vec<Pair>,
    /// Time to rest and spin lost, by speed.
    speed: Vec<Pair>,
    across: Vec<Across>,
    spin: Vec<[f64; 4]>,
    steepest: f64,
    spin_at_floor: f64,
    spin_at_usual: f64,
}

/// The cubic in `u` from 0 to 1 with these values and derivatives at the ends.
fn hermite(f0: f64, d0: f64, f1: f64, d1: f64) -> [f64; 4] {
    [
        f0,
        d0,
        3.0 * (f1 - f0) - 2.0 * d0 - d1,
        d0 + d1 - 2.0 * (f1 - f0),
    ]
}

#[inline]
fn value(c: &[f64; 4], u: f64) -> f64 {
    c[0] + u * (c[1] + u * (c[2] + u * c[3]))
}

#[inline]
fn slope(c: &[f64; 4], u: f64) -> f64 {
    c[1] + u * (2.0 * c[2] + u * (3.0 * c[3]))
}

/// The spin lost between rest and speed `v`, up to a constant; exact (see the law of the ice).
pub(crate) fn spin_lost(v: f64) -> f64 {
    const K: f64 = C1 + C3 * C2;
    let v = v.max(SPIN_FLOOR);
    SPIN_LOSS / GRAVITY * (C2 / K * libm::log(v) + (1.0 - C2 * C3 / K) / C3 * libm::log(K + C3 * v))
}

/// The length of the path between rest and speed `v`; exact.
fn arc(v: f64) -> f64 {
    let k = C1 / C3;
    let part = |w: f64| w * w / 2.0 - (k + C2) * w + k * (k + C2) * libm::log(w + k);
    (part(v + C2) - part(C2)) / (GRAVITY * C3)
}

impl Path {
    /// Samples the exact integrals.
    pub(crate) fn new(table: &Integrals) -> Self {
        let top = table.rest(TOP_SPEED);
        let steps = (top.time * BY_TIME) as usize;
        let samples = by_time(table, steps);
        let h = 1.0 / BY_TIME;
        let pair = |a: [f64; 4], b: [f64; 4]| {
            Pair([
                hermite(a[0], a[2] * h, b[0], b[2] * h),
                hermite(a[1], a[3] * h, b[1], b[3] * h),
            ])
        };
        let curl = samples
            .windows(2)
            .map(|s| pair(s[0].curl(), s[1].curl()))
            .collect();
        let straight = samples
            .windows(2)
            .map(|s| pair(s[0].straight(), s[1].straight()))
            .collect();
        let mut path = Self {
            curl,
            straight,
            speed: by_speed(table),
            across: Vec::new(),
            spin: Vec::new(),
            steepest: 0.0,
            spin_at_floor: spin_lost(SPIN_FLOOR),
            spin_at_usual: spin_lost(USUAL),
        };
        let fastest = samples.last().map_or(0.0, |s| s.speed);
        // Any place within 1/cos of the steepest heading of the curve, measured across, may touch it.
        path.steepest = samples.last().map_or(1.0, |s| 1.0 / libm::cos(s.rest.turn));
        path.across = path.by_way();
        path.spin = path.by_spin(fastest);
        path
    }

    /// Seconds to rest from speed `v`.
    #[inline]
    pub(crate) fn time_to_rest(&self, v: f64) -> f64 {
        let at = v * BY_SPEED;
        let i = (at as usize).min(self.speed.len() - 1);
        value(&self.speed[i].0[0], at - i as f64)
    }

    /// [`spin_lost`] from the table, except at a crawl, where cubics do not follow a logarithm.
    #[inline]
    pub(crate) fn spin_lost(&self, v: f64) -> f64 {
        if v < CRAWL {
            return spin_lost(v);
        }
        let at = v * BY_SPEED;
        let i = (at as usize).min(self.speed.len() - 1);
        value(&self.speed[i].0[1], at - i as f64)
    }

    /// Whether so much spin lasts to the end of any path that begins at 4 m/s or less.
    #[inline]
    pub(crate) fn spin_lasts(&self, speed: f64, spin: f64) -> bool {
        speed <= USUAL && spin >= self.spin_at_usual - self.spin_at_floor
    }

    /// The curve `time` seconds before rest.
    #[inline]
    pub(crate) fn at(&self, time: f64) -> Moment {
        moment(&self.curl, time)
    }

    /// The same without curl.
    #[inline]
    pub(crate) fn straight_at(&self, time: f64) -> Moment {
        moment(&self.straight, time)
    }

    /// For a place `ahead` metres before the resting place, along the heading at rest: how far to
    /// the left the curve passes, within [`Self::ACROSS_ERROR`].
    #[inline]
    pub(crate) fn left_at(&self, ahead: f64) -> f64 {
        let at = (ahead * BY_WAY).max(0.0);
        let i = (at as usize).min(self.across.len() - 2);
        let u = at - i as f64;
        self.across[i].left * (1.0 - u) + self.across[i + 1].left * u
    }

    /// What [`Self::left_at`] may be wrong by, in metres.
    pub(crate) const ACROSS_ERROR: f64 = 0.005;

    /// Roughly the time before rest at which the curve is `ahead` metres from the resting place.
    pub(crate) fn time_about(&self, ahead: f64) -> f64 {
        let at = (ahead * BY_WAY).max(0.0);
        let i = (at as usize).min(self.across.len() - 2);
        let u = (at - i as f64).min(1.0);
        self.across[i].time * (1.0 - u) + self.across[i + 1].time * u
    }

    /// A time before rest at which the curve has not yet come within `ahead` metres of the resting
    /// place, along the heading at rest.
    #[inline]
    pub(crate) fn time_before(&self, ahead: f64) -> f64 {
        let at = (ahead * BY_WAY).max(0.0);
        self.across[(at as usize + 1).min(self.across.len() - 1)].time
    }

    /// What to multiply a distance from the curve by to bound how far aside it is seen across.
    #[inline]
    pub(crate) fn steepest(&self) -> f64 {
        self.steepest
    }

    /// Seconds before rest at which the lost spin, as of [`spin_lost`], comes down to `lost`; `None`
    /// when the stone is slower than 1 mm/s by then.
    pub(crate) fn time_of_spin(&self, lost: f64) -> Option<f64> {
        let at = (lost - self.spin_at_floor) * BY_SPIN;
        let i = at as usize;
        (at > 0.0 && i < self.spin.len()).then(|| value(&self.spin[i], at - i as f64))
    }

    fn by_way(&self) -> Vec<Across> {
        let last = self.curl.len() as f64 / BY_TIME;
        let furthest = self.at(last).way[0];
        let mut time = 0.0;
        (0..(furthest * BY_WAY) as usize)
            .map(|i| {
                let ahead = i as f64 / BY_WAY;
                if i > 0 {
                    let (mut low, mut high) = (time, last);
                    for _ in 0..48 {
                        let middle = 0.5 * (low + high);
                        if self.at(middle).way[0] < ahead {
                            low = middle;
                        } else {
                            high = middle;
                        }
                    }
                    time = high;
                }
                Across {
                    left: self.at(time).way[1],
                    time,
                }
            })
            .collect()
    }

    fn by_spin(&self, fastest: f64) -> Vec<[f64; 4]> {
        let mut v = SPIN_FLOOR;
        let sample = |v: f64| (self.time_to_rest(v), v / SPIN_LOSS / BY_SPIN);
        let steps = ((spin_lost(fastest) - self.spin_at_floor) * BY_SPIN) as usize;
        let mut before = sample(v);
        (1..=steps)
            .map(|i| {
                let lost = self.spin_at_floor + i as f64 / BY_SPIN;
                for _ in 0..6 {
                    v += (lost - spin_lost(v)) * v * deceleration(v) / SPIN_LOSS;
                }
                let after = sample(v);
                let cubic = hermite(before.0, before.1, after.0, after.1);
                before = after;
                cubic
            })
            .collect()
    }
}

#[inline]
fn moment(cubics: &[Pair], time: f64) -> Moment {
    let at = time * BY_TIME;
    let i = (at as usize).min(cubics.len() - 1);
    let u = at - i as f64;
    let Pair([x, y]) = &cubics[i];
    Moment {
        way: [value(x, u), value(y, u)],
        velocity: [slope(x, u) * BY_TIME, slope(y, u) * BY_TIME],
    }
}

struct Sample {
    speed: f64,
    rest: Rest,
}

impl Sample {
    fn curl(&self) -> [f64; 4] {
        let (sin, cos) = (libm::sin(self.rest.turn), libm::cos(self.rest.turn));
        [
            self.rest.x,
            self.rest.y,
            self.speed * cos,
            -self.speed * sin,
        ]
    }

    fn straight(&self) -> [f64; 4] {
        [arc(self.speed), 0.0, self.speed, 0.0]
    }
}

/// Speed and integrals at every point of the grid of times.
fn by_time(table: &Integrals, steps: usize) -> Vec<Sample> {
    let mut speed = 0.0;
    (0..=steps)
        .map(|i| {
            let time = i as f64 / BY_TIME;
            for _ in 0..6 {
                speed += (time - table.rest(speed).time) * deceleration(speed);
            }
            if i == 0 {
                speed = 0.0;
            }
            Sample {
                speed,
                rest: table.rest(speed),
            }
        })
        .collect()
}

/// Time to rest and spin lost; their derivatives by the speed are one over the deceleration, and the
/// loss of spin over it.
fn by_speed(table: &Integrals) -> Vec<Pair> {
    let h = 1.0 / BY_SPEED;
    let sample = |i: usize| {
        let v = i as f64 / BY_SPEED;
        let inv = h / deceleration(v);
        let loss = SPIN_LOSS / v.max(SPIN_FLOOR);
        [table.rest(v).time, inv, spin_lost(v), loss * inv]
    };
    (0..(TOP_SPEED * BY_SPEED) as usize)
        .map(|i| {
            let (a, b) = (sample(i), sample(i + 1));
            Pair([
                hermite(a[0], a[1], b[0], b[1]),
                hermite(a[2], a[3], b[2], b[3]),
            ])
        })
        .collect()
}
