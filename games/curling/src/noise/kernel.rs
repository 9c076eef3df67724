//! How alike two shots are, by the noise that turns one into the other: [`Kernel`].

use crate::action::Action;
use crate::physics::Simulator;
use crate::release::Spin;

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

    /// How alike two actions are; 0 when they turn differently or are no shots. Without noise, 1 only
    /// for the same shot.
    #[must_use]
    pub fn between(&self, a: Action, b: Action) -> f64 {
        if a == b {
            return 1.0;
        }
        if !(a.is_shot() && b.is_shot()) || a.spin() != b.spin() {
            return 0.0;
        }
        let polar = |speed: f64, angle: f64| {
            let (p, q) = (b.speed() - a.speed(), b.angle() - a.angle());
            (p / speed, q / angle)
        };
        match self.noise {
            NoiseModel::None => 0.0,
            NoiseModel::Throw { speed, angle, .. } => {
                let (p, q) = polar(speed, angle);
                normal(p * p + q * q)
            }
            NoiseModel::Student { speed, angle, .. } => {
                let (p, q) = polar(speed, angle);
                student::relative_density(p) * student::relative_density(q)
            }
            NoiseModel::Target { .. } => {
                let (Some(p), Some(q)) = (a.release(), b.release()) else {
                    return 0.0;
                };
                let (dx, dy) = (q.vx - p.vx, q.vy - p.vy);
                let squares = self.deviations[a.spin() as usize]
                    .map(|row| row[0] * dx + row[1] * dy)
                    .map(|d| d * d);
                normal(squares[0] + squares[1])
            }
        }
    }
}

/// The normal density over its density at 0, by the square of the distance; nothing beyond ten
/// standard deviations, where most pairs of shots are.
fn normal(squared: f64) -> f64 {
    if squared > 100.0 {
        return 0.0;
    }
    libm::exp(-0.5 * squared)
}
