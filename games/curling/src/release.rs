//! A stone as it leaves the hand: [`Release`], [`Spin`].

use serde::{Deserialize, Serialize};
use std::f64::consts::FRAC_PI_2;

/// Which way a stone turns, seen from above.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Spin {
    /// Counter-clockwise: curls to the left (towards -x).
    #[default]
    Ccw,
    /// Clockwise: curls to the right.
    Cw,
}

impl Spin {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Ccw, Self::Cw];

    /// The other one.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Ccw => Self::Cw,
            Self::Cw => Self::Ccw,
        }
    }

    /// +1 for counter-clockwise, -1 for clockwise.
    #[must_use]
    pub const fn sign(self) -> f64 {
        match self {
            Self::Ccw => 1.0,
            Self::Cw => -1.0,
        }
    }

    /// `ccw` or `cw`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ccw => "ccw",
            Self::Cw => "cw",
        }
    }
}

/// Velocity at the hack in metres a second, and angular velocity in radians a second.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Release {
    /// To the right.
    pub vx: f64,
    /// Towards the house.
    pub vy: f64,
    /// Positive is counter-clockwise. The paths of all three models depend on its sign alone as long
    /// as the stone turns at all.
    pub omega: f64,
}

impl Release {
    /// With the spin that Digital Curling gives every shot: pi/2 a second either way.
    #[must_use]
    pub fn new(vx: f64, vy: f64, spin: Spin) -> Self {
        Self {
            vx,
            vy,
            omega: spin.sign() * FRAC_PI_2,
        }
    }

    /// From a speed and an angle to the left of straight ahead, in radians.
    #[must_use]
    pub fn polar(speed: f64, angle: f64, spin: Spin) -> Self {
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        Self::new(-speed * sin, speed * cos, spin)
    }

    /// Metres a second.
    #[must_use]
    pub fn speed(self) -> f64 {
        (self.vx * self.vx + self.vy * self.vy).sqrt()
    }

    /// Radians to the left of straight ahead.
    #[must_use]
    pub fn angle(self) -> f64 {
        libm::atan2(-self.vx, self.vy)
    }

    /// Which way it turns; a stone that does not turn counts as counter-clockwise.
    #[must_use]
    pub fn spin(self) -> Spin {
        if self.omega < 0.0 {
            Spin::Cw
        } else {
            Spin::Ccw
        }
    }

    /// The same shot in a mirror.
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self {
            vx: -self.vx,
            vy: self.vy,
            omega: -self.omega,
        }
    }
}
