//! How alike two shots are, by the noise that turns one into the other: [`Kernel`].

use crate::physics::Simulator;
use crate::release::{Release, Spin};

use super::target::at_tee;
use super::{NoiseModel, student};

/// The density of execution noise as a function of two shots, 1 where they are equal.
///
/// Noise of the throw compares speeds and angles. Noise of the target compares velocities, through
/// the derivative of the stopping point at a draw to the tee, so that it is symmetric; over three
/// standard deviations this differs from the density itself by a few hundredths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kernel {
    noise: NoiseModel,
    /// For noise of the target, for each spin: from a change of velocity to standard deviations.
    deviations: [[[f64; 2]; 2]; 2],
}

impl Kernel {
    /// The kernel of a noise on an ice.
    #[must_use]
    pub fn new(noise: NoiseModel, model: &impl Simulator) -> Self {
        let mut deviations = [[[0.0; 2]; 2]; 2];
        if let NoiseModel::Target { x, y } = noise {
            for spin in Spin::BOTH {
                let rows = at_tee(model, spin).0;
                deviations[spin as usize] = [rows[0].map(|v| v / x), rows[1].map(|v| v / y)];
            }
        }
        Self { noise, deviations }
    }

    /// How alike two shots are; 0 when they turn differently. Without noise, 1 only for the same shot.
    #[must_use]
    pub fn between(&self, a: Release, b: Release) -> f64 {
        if a.spin() != b.spin() {
            return 0.0;
        }
        match self.noise {
            NoiseModel::None => f64::from(u8::from(a == b)),
            NoiseModel::Throw { speed, angle, .. } => {
                let (p, q) = polar(a, b, speed, angle);
                libm::exp(-0.5 * (p * p + q * q))
            }
            NoiseModel::Student { speed, angle, .. } => {
                let (p, q) = polar(a, b, speed, angle);
                student::relative_density(p) * student::relative_density(q)
            }
            NoiseModel::Target { .. } => {
                let (dx, dy) = (b.vx - a.vx, b.vy - a.vy);
                let squares = self.deviations[a.spin() as usize]
                    .map(|row| row[0] * dx + row[1] * dy)
                    .map(|d| d * d);
                libm::exp(-0.5 * (squares[0] + squares[1]))
            }
        }
    }
}

/// Differences of speed and angle, in scales.
fn polar(a: Release, b: Release, speed: f64, angle: f64) -> (f64, f64) {
    (
        (b.speed() - a.speed()) / speed,
        (b.angle() - a.angle()) / angle,
    )
}
