//! The friction law of FCV1 and its exact integral: [`Table`].
//!
//! A sliding stone loses speed at `(C1 / (v + C2) + C3) g` and its heading turns at `0.0082 v^-0.8`
//! towards its spin, whatever the size of the spin. So the path of every stone is one curve, rotated
//! and cut: with `q = v^(1/5)` heading and place are smooth functions of `q` that this table holds.

use crate::physics::path::Path;

/// Gravity, m/s^2.
pub const GRAVITY: f64 = 9.80665;
/// First constant of the deceleration, m/s.
pub const C1: f64 = 0.002_009_85;
/// Second constant, m/s.
pub const C2: f64 = 0.063_857_82;
/// Third constant.
pub const C3: f64 = 0.006_262_86;
/// Curl, in radians times (m/s)^0.8 a second.
pub const CURL: f64 = 0.008_20;
/// Loss of spin: this over the speed, rad/s^2.
pub const SPIN_LOSS: f64 = 0.025;
/// Below this speed the loss of spin no longer grows, m/s.
pub const SPIN_FLOOR: f64 = 0.001;

/// Deceleration of a stone at speed `v`, m/s^2.
#[inline]
#[must_use]
pub fn deceleration(v: f64) -> f64 {
    (C1 / (v + C2) + C3) * GRAVITY
}

/// What lies between a speed and rest, in the frame of the heading at rest, for a stone that turns
/// counter-clockwise; the mirror image (negated `turn` and `y`) for the other.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rest {
    /// Radians by which the heading still turns to the left.
    pub turn: f64,
    /// Way to the resting place along the heading at rest.
    pub x: f64,
    /// Way to the resting place across it, to the left.
    pub y: f64,
    /// Seconds to rest.
    pub time: f64,
}

const POINTS: usize = 2048;
pub(crate) const TOP_SPEED: f64 = 8.0;

/// The integrals of the friction law by speed, up to 8 m/s.
#[derive(Debug, Clone)]
pub struct Table {
    integrals: Integrals,
    path: Path,
}

impl Default for Table {
    fn default() -> Self {
        Self::new()
    }
}

impl Table {
    /// Integrates.
    #[must_use]
    pub fn new() -> Self {
        let integrals = Integrals::new();
        let path = Path::new(&integrals);
        Self { integrals, path }
    }

    /// The fastest speed it knows, m/s.
    #[must_use]
    pub const fn top_speed(&self) -> f64 {
        TOP_SPEED
    }

    /// What lies between speed `v` and rest; as of the top speed for anything faster.
    #[must_use]
    pub fn rest(&self, v: f64) -> Rest {
        self.integrals.rest(v)
    }

    /// The same curve by time.
    pub(crate) const fn path(&self) -> &Path {
        &self.path
    }
}

/// The integrals on an even grid of `q`.
#[derive(Debug, Clone)]
pub(crate) struct Integrals {
    step: f64,
    rows: Vec<Rest>,
}

impl Integrals {
    /// Integrates (Simpson's rule, error below 1e-12 m).
    fn new() -> Self {
        let step = libm::pow(TOP_SPEED, 0.2) / (POINTS - 1) as f64;
        let mut rows = vec![Rest::default()];
        for i in 1..POINTS {
            let (q0, mut at) = ((i - 1) as f64 * step, rows[i - 1]);
            // Simpson for the turn first, for the rest needs it at the middle.
            let (a, m, b) = (q0, q0 + 0.5 * step, q0 + step);
            let half = turn_rate(a) + 4.0 * turn_rate(0.5 * (a + m)) + turn_rate(m);
            let middle = Rest {
                turn: at.turn + half * step / 12.0,
                ..at
            };
            let whole = turn_rate(a) + 4.0 * turn_rate(m) + turn_rate(b);
            let end = Rest {
                turn: at.turn + whole * step / 6.0,
                ..at
            };
            let (fa, fm, fb) = (rates(a, at.turn), rates(m, middle.turn), rates(b, end.turn));
            at.turn = end.turn;
            at.x += (fa.x + 4.0 * fm.x + fb.x) * step / 6.0;
            at.y += (fa.y + 4.0 * fm.y + fb.y) * step / 6.0;
            at.time += (fa.time + 4.0 * fm.time + fb.time) * step / 6.0;
            rows.push(at);
        }
        Self { step, rows }
    }

    /// What lies between speed `v` and rest, by cubic Hermite interpolation in `v^(1/5)`.
    pub(crate) fn rest(&self, v: f64) -> Rest {
        let q = libm::pow(v.clamp(0.0, TOP_SPEED), 0.2);
        let i = ((q / self.step) as usize).min(POINTS - 2);
        let u = q / self.step - i as f64;
        let (a, b) = (&self.rows[i], &self.rows[i + 1]);
        let (q0, q1) = (i as f64 * self.step, (i + 1) as f64 * self.step);
        let (da, db) = (rates(q0, a.turn), rates(q1, b.turn));
        let blend = |fa: f64, fb: f64, ga: f64, gb: f64| {
            let w = 1.0 - u;
            w * w * ((1.0 + 2.0 * u) * fa + u * self.step * ga)
                + u * u * ((3.0 - 2.0 * u) * fb - w * self.step * gb)
        };
        Rest {
            turn: blend(a.turn, b.turn, da.turn, db.turn),
            x: blend(a.x, b.x, da.x, db.x),
            y: blend(a.y, b.y, da.y, db.y),
            time: blend(a.time, b.time, da.time, db.time),
        }
    }
}

fn turn_rate(q: f64) -> f64 {
    5.0 * CURL / deceleration(q * q * q * q * q)
}

/// Derivatives by `q`.
fn rates(q: f64, turn: f64) -> Rest {
    let v = q * q * q * q * q;
    let slow = 5.0 * q * q * q * q / deceleration(v);
    Rest {
        turn: turn_rate(q),
        x: v * slow * libm::cos(turn),
        y: -v * slow * libm::sin(turn),
        time: slow,
    }
}
