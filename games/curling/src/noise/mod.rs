//! Execution noise: what a throw does to the shot that was meant.
//!
//! A [`Deviation`] is drawn by chance alone, without looking at the shot; [`NoiseModel::execute`] then
//! applies it. So two searches, or two arms of a comparison, can throw with the same luck.

pub mod kernel;
pub mod quadrature;
pub mod student;
pub mod target;
#[cfg(test)]
mod tests;

use rand::Rng;

use crate::board::Point;
use crate::options::Noise;
use crate::physics::uec::TEE_SPEED;
use crate::physics::{Ice, Simulator};
use crate::release::{Release, Spin};

use target::Jacobian;

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
    /// UEC and GAT: the target of a draw to the tee is normal around the tee; what this changes in
    /// the velocity of that draw changes in the velocity of the shot, whatever it is.
    Target {
        /// Standard deviation across, metres at the tee.
        x: f64,
        /// Standard deviation along, metres at the tee.
        y: f64,
    },
    /// Speed and angle have Student's t distribution with [`student::FREEDOM`] degrees of freedom
    /// around what was meant, as in the KR-UCT paper: now and then a shot goes badly wrong.
    Student {
        /// Scale of the speed, m/s.
        speed: f64,
        /// Scale of the angle, radians.
        angle: f64,
        /// What the speed is held to before the noise, m/s.
        max_speed: f64,
    },
}

impl NoiseModel {
    /// The normal noise of Digital Curling 3 (`players_player_normal_dist.cpp`).
    pub const DC3: Self = Self::Throw {
        speed: 0.0076,
        angle: 0.0018,
        max_speed: 4.0,
    };
    /// The noise of the UEC cup of 2015 and of the expectimax paper: a stone's radius both ways.
    pub const UEC: Self = Self::Target { x: 0.145, y: 0.145 };
    /// The noise of the GAT tournaments from December 2015: half of that across, twice along.
    pub const GAT: Self = Self::Target { x: 0.0725, y: 0.29 };
    /// Student's t with the standard deviations of [`NoiseModel::DC3`]. The scale is our choice; the
    /// paper fits its own to championship players.
    pub const STUDENT: Self = Self::Student {
        speed: 0.0076 * SQRT_3_5,
        angle: 0.0018 * SQRT_3_5,
        max_speed: 4.0,
    };

    /// The noise of this name on this ice. Speeds on the ice of UEC have their own unit, in which a draw
    /// to the tee is 12.3 times as fast: there, noise of the speed is as large a share of it.
    #[must_use]
    pub fn of(noise: Noise, ice: Ice, fastest: f64) -> Self {
        let unit = if ice == Ice::Uec {
            TEE_SPEED / DC3_TEE_SPEED
        } else {
            1.0
        };
        let model = match noise {
            Noise::None => Self::None,
            Noise::Dc3 => Self::DC3,
            Noise::Uec => Self::UEC,
            Noise::Gat => Self::GAT,
            Noise::Student => Self::STUDENT,
        };
        match model {
            Self::Throw { speed, angle, .. } => Self::Throw {
                speed: speed * unit,
                angle,
                max_speed: fastest,
            },
            Self::Student { speed, angle, .. } => Self::Student {
                speed: speed * unit,
                angle,
                max_speed: fastest,
            },
            other => other,
        }
    }

    /// Draws a deviation.
    #[must_use]
    pub fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Deviation {
        let (scales, pair) = match *self {
            Self::None => return Deviation::NONE,
            Self::Throw { speed, angle, .. } => ([speed, angle], normal_pair(rng)),
            Self::Target { x, y } => ([x, y], normal_pair(rng)),
            Self::Student { speed, angle, .. } => {
                let pair = (student::sample(rng), student::sample(rng));
                ([speed, angle], pair)
            }
        };
        Deviation::new(scales[0] * pair.0, scales[1] * pair.1)
    }

    /// The release that is thrown when `meant` was wanted. A speed below nothing counts as nothing;
    /// noise of the target so large that no release stops there (thirty standard deviations) is left
    /// out.
    #[must_use]
    pub fn execute(&self, model: &impl Simulator, meant: Release, deviation: Deviation) -> Release {
        match *self {
            Self::None => meant,
            Self::Throw { max_speed, .. } | Self::Student { max_speed, .. } => {
                let speed = (meant.speed().min(max_speed) + deviation.first()).max(0.0);
                Release {
                    omega: meant.omega,
                    ..Release::polar(speed, meant.angle() + deviation.second(), meant.spin())
                }
            }
            Self::Target { .. } => target::execute(model, meant, deviation),
        }
    }

    /// Standard deviations (x, y) in metres of where a stone stops that is aimed at `target` on an
    /// empty sheet: to first order, by the derivative of [`Simulator::stopping_point`], the mean over
    /// both spins. Where no release stops at `target`, those at the tee.
    #[must_use]
    pub fn spread_at(&self, model: &impl Simulator, target: Point) -> (f64, f64) {
        let mut sum = [0.0, 0.0];
        for spin in Spin::BOTH {
            let release = model
                .stop_at(target, spin)
                .or_else(|| model.stop_at(Point::TEE, spin));
            let Some(release) = release else { continue };
            let rows = self.influence(model, release);
            for (sum, [a, b]) in sum.iter_mut().zip(rows) {
                *sum += 0.5 * (a * a + b * b);
            }
        }
        (sum[0].sqrt(), sum[1].sqrt())
    }

    /// How far the stopping point of a release moves, x and y, with one standard deviation of the
    /// first and of the second component.
    fn influence(&self, model: &impl Simulator, release: Release) -> [[f64; 2]; 2] {
        match *self {
            Self::None => [[0.0; 2]; 2],
            Self::Throw { speed, angle, .. } => {
                Jacobian::of(model, release).times(polar_steps(release, speed, angle))
            }
            Self::Student { speed, angle, .. } => {
                let sd = 1.0 / SQRT_3_5;
                Jacobian::of(model, release).times(polar_steps(release, speed * sd, angle * sd))
            }
            Self::Target { x, y } => {
                let steps = target::velocity_steps(model, release.spin(), [x, y]);
                Jacobian::of(model, release).times(steps)
            }
        }
    }
}

/// Square root of 3/5: the scale of Student's t with five degrees of freedom over its standard
/// deviation.
const SQRT_3_5: f64 = 0.774_596_669_241_483_4;
/// Speed of a draw to the tee on the ice of Digital Curling 3, m/s.
const DC3_TEE_SPEED: f64 = 2.403_35;

/// What a step of the speed and one of the angle add to the velocity: columns, by x and y.
fn polar_steps(release: Release, speed: f64, angle: f64) -> [[f64; 2]; 2] {
    let v = release.speed();
    if v == 0.0 {
        return [[0.0; 2]; 2];
    }
    let (ex, ey) = (release.vx / v, release.vy / v);
    [
        [ex * speed, -release.vy * angle],
        [ey * speed, release.vx * angle],
    ]
}

/// Uniform on the open interval (0, 1).
fn unit<R: Rng + ?Sized>(rng: &mut R) -> f64 {
    ((rng.next_u64() >> 11) as f64 + 0.5) * (1.0 / (1_u64 << 53) as f64)
}

/// Two independent standard normal numbers (Box and Muller 1958).
fn normal_pair<R: Rng + ?Sized>(rng: &mut R) -> (f64, f64) {
    let radius = libm::sqrt(-2.0 * libm::log(unit(rng)));
    let (sin, cos) = libm::sincos(std::f64::consts::TAU * unit(rng));
    (radius * cos, radius * sin)
}
