//! Execution noise: what a throw does to the shot that was meant.
//!
//! A [`Deviation`] is drawn by chance alone, without looking at the shot; [`NoiseModel::execute`] then
//! applies it. So two searches, or two arms of a comparison, can throw with the same luck.

use rand::Rng;

use crate::board::Point;
use crate::physics::Simulator;
use crate::release::Release;

/// A deviation in fixed point, 1e-7 of the model's unit, because a chance outcome must be comparable
/// and hashable: metres at the tee for noise of the target, m/s and radians for noise of the throw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Deviation {
    first: i32,
    second: i32,
}

const UNIT: f64 = 1e-7;

impl Deviation {
    /// None at all: the shot is thrown as meant.
    pub const NONE: Self = Self {
        first: 0,
        second: 0,
    };

    /// The deviation nearest to these values; beyond 200 units it is held there.
    #[must_use]
    pub fn new(first: f64, second: f64) -> Self {
        let fixed = |v: f64| libm::round(v.clamp(-200.0, 200.0) / UNIT) as i32;
        Self {
            first: fixed(first),
            second: fixed(second),
        }
    }

    /// x at the tee, or speed.
    #[must_use]
    pub fn first(self) -> f64 {
        f64::from(self.first) * UNIT
    }

    /// y at the tee, or angle to the left.
    #[must_use]
    pub fn second(self) -> f64 {
        f64::from(self.second) * UNIT
    }
}

/// A distribution of deviations and what they do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NoiseModel {
    /// Every shot goes as meant.
    None,
    /// Digital Curling 3: the speed, first held to `max_speed`, and the angle are normal around what
    /// was meant.
    Throw {
        /// Standard deviation of the speed, m/s.
        speed: f64,
        /// Standard deviation of the angle, radians.
        angle: f64,
        /// What the speed is held to before the noise, m/s.
        max_speed: f64,
    },
}

impl NoiseModel {
    /// The normal noise of Digital Curling 3.
    pub const DC3: Self = Self::Throw {
        speed: 0.0076,
        angle: 0.0018,
        max_speed: 4.0,
    };

    /// Draws a deviation.
    #[must_use]
    pub fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Deviation {
        match *self {
            Self::None => Deviation::NONE,
            Self::Throw { speed, angle, .. } => {
                let (a, b) = normal_pair(rng);
                Deviation::new(speed * a, angle * b)
            }
        }
    }

    /// The release that is thrown when `meant` was wanted.
    #[must_use]
    pub fn execute(&self, model: &impl Simulator, meant: Release, deviation: Deviation) -> Release {
        let _ = model;
        match *self {
            Self::None => meant,
            Self::Throw { max_speed, .. } => {
                let speed = (meant.speed().min(max_speed) + deviation.first()).max(0.0);
                Release {
                    omega: meant.omega,
                    ..Release::polar(speed, meant.angle() + deviation.second(), meant.spin())
                }
            }
        }
    }

    /// Standard deviations (x, y) in metres of where a stone stops that is aimed at `target`.
    #[must_use]
    pub fn spread_at(&self, model: &impl Simulator, target: Point) -> (f64, f64) {
        let _ = (model, target);
        match *self {
            Self::None => (0.0, 0.0),
            Self::Throw { speed, angle, .. } => (angle * f64::from(target.y).abs(), speed * 34.5),
        }
    }
}

/// Two independent standard normal numbers (Box and Muller 1958).
fn normal_pair<R: Rng + ?Sized>(rng: &mut R) -> (f64, f64) {
    let unit = |bits: u64| ((bits >> 11) as f64 + 0.5) * (1.0 / (1_u64 << 53) as f64);
    let radius = libm::sqrt(-2.0 * libm::log(unit(rng.next_u64())));
    let angle = std::f64::consts::TAU * unit(rng.next_u64());
    (radius * libm::cos(angle), radius * libm::sin(angle))
}
