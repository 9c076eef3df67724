//! A move on the wire, and as an action of the game.

use serde::Serialize;

use super::read::Field;
use super::{ProtocolError, check};
use crate::action::{Action, Kind};
use crate::release::{Release, Spin};

/// Which way a stone turns: `ccw` or `cw` on the wire, as [`Spin`] is written.
pub type Rotation = Spin;

/// Metres a second at the hack, in shot coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Velocity {
    /// To the right, seen by the thrower.
    pub x: f64,
    /// Towards the house.
    pub y: f64,
}

/// A move.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Move {
    /// A stone is thrown; the angular velocity is pi/2 a second either way.
    Shot {
        /// Velocity at the hack.
        velocity: Velocity,
        /// Which way it turns.
        rotation: Rotation,
    },
    /// The team gives up.
    Concede,
}

impl Move {
    /// The move of an action.
    ///
    /// # Errors
    /// When the action is the placing of stones, which this protocol does not have.
    pub fn of(action: Action) -> Result<Self, ProtocolError> {
        match action.kind() {
            Kind::Shot(release) => Ok(Self::of_release(release)),
            Kind::Concede => Ok(Self::Concede),
            Kind::Place(placement) => Err(ProtocolError::Unwritable {
                why: format!("{placement:?}: this protocol has no mixed doubles"),
            }),
        }
    }

    /// The shot of a release, as it was executed say.
    #[must_use]
    pub fn of_release(release: Release) -> Self {
        Self::Shot {
            velocity: Velocity {
                x: release.vx,
                y: release.vy,
            },
            rotation: release.spin(),
        }
    }

    /// The action nearest to the move.
    ///
    /// # Errors
    /// When the speed is above [`Action::MAX_SPEED`] or not finite.
    pub fn action(&self) -> Result<Action, ProtocolError> {
        let Some(release) = self.release() else {
            return Ok(Action::CONCEDE);
        };
        let speed = release.speed();
        if !(0.0..=Action::MAX_SPEED).contains(&speed) {
            return Err(ProtocolError::Wrong {
                field: "move.velocity".into(),
                expected: format!("a speed of at most {} m/s", Action::MAX_SPEED),
                found: format!("{speed} m/s"),
            });
        }
        Ok(Action::shot(release))
    }

    /// The release of a shot.
    #[must_use]
    pub fn release(&self) -> Option<Release> {
        match *self {
            Self::Shot { velocity, rotation } => {
                Some(Release::new(velocity.x, velocity.y, rotation))
            }
            Self::Concede => None,
        }
    }

    pub(super) fn check(&self) -> Result<(), ProtocolError> {
        if let Self::Shot { velocity, .. } = self {
            check("velocity.x", velocity.x)?;
            check("velocity.y", velocity.y)?;
        }
        Ok(())
    }

    pub(super) fn read(field: &Field<'_>, strict: bool) -> Result<Self, ProtocolError> {
        let expected = "\"shot\" or \"concede\"";
        let kind = field.get("type", expected)?;
        match kind.text()? {
            "shot" => {
                let velocity = field.get("velocity", "an object with x and y")?;
                if strict {
                    field.only(&["type", "velocity", "rotation"])?;
                    velocity.only(&["x", "y"])?;
                }
                let part = |key| velocity.get(key, "metres a second")?.number();
                let rotation = field.get("rotation", "\"ccw\" or \"cw\"")?;
                Ok(Self::Shot {
                    velocity: Velocity {
                        x: part("x")?,
                        y: part("y")?,
                    },
                    rotation: match rotation.text()? {
                        "ccw" => Spin::Ccw,
                        "cw" => Spin::Cw,
                        _ => return Err(rotation.wrong("\"ccw\" or \"cw\"")),
                    },
                })
            }
            "concede" => {
                if strict {
                    field.only(&["type"])?;
                }
                Ok(Self::Concede)
            }
            _ => Err(kind.wrong(expected)),
        }
    }
}
