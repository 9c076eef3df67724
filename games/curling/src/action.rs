//! What a player does: a shot, the placing of stones in mixed doubles, or giving up.

use std::fmt;

use crate::release::{Release, Spin};

/// How the stones are placed before an end of mixed doubles, seen by the team that decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Placement {
    /// Own stone as the centre guard: throws first.
    CentreGuard,
    /// Own stone in the house: throws second.
    CentreHouse,
    /// Power play on the left: own stone in the house at the side, throws second.
    PowerPlayLeft,
    /// Power play on the right.
    PowerPlayRight,
}

impl Placement {
    /// All four.
    pub const ALL: [Self; 4] = [
        Self::CentreGuard,
        Self::CentreHouse,
        Self::PowerPlayLeft,
        Self::PowerPlayRight,
    ];
}

/// Micrometres a second: the unit of a shot's speed.
const SPEED_UNIT: f64 = 1e-6;
/// Microradians, the unit of a shot's angle, hold a place at the tee to 0.04 mm.
const ANGLE_UNIT: f64 = 1e-6;
const KIND: u32 = 30;

/// An action in 8 bytes. A shot is fixed point, far finer than any execution noise, because an
/// action must be comparable and hashable: speed in micrometres a second, angle in microradians.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action {
    /// Two bits of kind (ccw shot, cw shot, placement, concede), then the speed or the placement.
    code: u32,
    /// To the left of straight ahead.
    angle: i32,
}

/// An action taken apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// Throw a stone so.
    Shot(Release),
    /// Place the stones of an end of mixed doubles.
    Place(Placement),
    /// Give up the match.
    Concede,
}

impl Action {
    /// Gives up the match. Always accepted on one's turn, never listed among the legal actions.
    pub const CONCEDE: Self = Self {
        code: 3 << KIND,
        angle: 0,
    };
    /// The fastest shot that can be written, in metres a second.
    pub const MAX_SPEED: f64 = 1000.0;

    /// The shot nearest to a release.
    ///
    /// # Panics
    /// If the speed is not finite or above [`Action::MAX_SPEED`].
    #[must_use]
    pub fn shot(release: Release) -> Self {
        Self::polar(release.speed(), release.angle(), release.spin())
    }

    /// The shot nearest to a speed in metres a second and an angle in radians to the left.
    ///
    /// # Panics
    /// If the speed is not in 0 to [`Action::MAX_SPEED`] or the angle not within a turn.
    #[must_use]
    pub fn polar(speed: f64, angle: f64, spin: Spin) -> Self {
        assert!(
            (0.0..=Self::MAX_SPEED).contains(&speed),
            "speed {speed} out of range"
        );
        assert!(angle.abs() <= 6.3, "angle {angle} out of range");
        let kind = u32::from(spin == Spin::Cw);
        Self {
            code: kind << KIND | libm::round(speed / SPEED_UNIT) as u32,
            angle: libm::round(angle / ANGLE_UNIT) as i32,
        }
    }

    /// Places the stones so.
    #[must_use]
    pub const fn place(placement: Placement) -> Self {
        Self {
            code: 2 << KIND | placement as u32,
            angle: 0,
        }
    }

    /// What kind of action this is.
    #[must_use]
    pub fn kind(self) -> Kind {
        match self.code >> KIND {
            2 => Kind::Place(Placement::ALL[(self.code & 3) as usize]),
            3 => Kind::Concede,
            _ => Kind::Shot(Release::polar(self.speed(), self.angle(), self.spin())),
        }
    }

    /// Whether this is a shot.
    #[inline]
    #[must_use]
    pub const fn is_shot(self) -> bool {
        self.code >> KIND < 2
    }

    /// The release of a shot; `None` for anything else.
    #[must_use]
    pub fn release(self) -> Option<Release> {
        match self.kind() {
            Kind::Shot(release) => Some(release),
            _ => None,
        }
    }

    /// Speed of a shot in metres a second; meaningless for anything else.
    #[must_use]
    pub fn speed(self) -> f64 {
        f64::from(self.code & ((1 << KIND) - 1)) * SPEED_UNIT
    }

    /// Angle of a shot in radians to the left of straight ahead.
    #[must_use]
    pub fn angle(self) -> f64 {
        f64::from(self.angle) * ANGLE_UNIT
    }

    /// Spin of a shot.
    #[must_use]
    pub const fn spin(self) -> Spin {
        if self.code >> KIND == 1 {
            Spin::Cw
        } else {
            Spin::Ccw
        }
    }

    /// The same action in a mirror along the centre line.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self.code >> KIND {
            kind @ 0..=1 => Self {
                code: (self.code & ((1 << KIND) - 1)) | (1 - kind) << KIND,
                angle: -self.angle,
            },
            2 => match Placement::ALL[(self.code & 3) as usize] {
                Placement::PowerPlayLeft => Self::place(Placement::PowerPlayRight),
                Placement::PowerPlayRight => Self::place(Placement::PowerPlayLeft),
                _ => self,
            },
            _ => self,
        }
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            Kind::Shot(_) => write!(
                f,
                "{} {:.6} m/s {:+.6} rad",
                self.spin().name(),
                self.speed(),
                self.angle()
            ),
            other => write!(f, "{other:?}"),
        }
    }
}
