//! Where to hit a stone: contact points, and where two stones go from there.
//!
//! Equal elastic discs: along the line of centres the velocities swap. Across it friction passes on a
//! sixth of the slip of the two edges, up to 0.2 of the impulse (`physics`, section 2).

use crate::board::Point;
use crate::geometry::{CONTACT, STONE_RADIUS};
use crate::release::Spin;
use crate::shots::paths::{Aim, Paths};

/// Largest part of the impulse along the line of centres that friction can pass on across it.
const FRICTION: f64 = 0.2;
/// What is left of the angular velocity where stones meet, rad/s.
const SPIN_LEFT: f64 = 1.3;
/// The thinnest hit that is called for.
pub const THINNEST: f64 = 0.95;

/// Two velocities after contact in units of the speed before it, each along the way of the thrown
/// stone and to the right of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct After {
    /// The stone that lay.
    pub struck: (f64, f64),
    /// The stone that came.
    pub thrown: (f64, f64),
}

/// What a hit at `offset` does: how far to the right of the struck centre the thrown one comes, in
/// units of the distance of the centres, -1 to 1. `slip` is the speed of the turning edge over that of
/// the stone, positive when it turns counter-clockwise.
#[must_use]
pub fn after(offset: f64, slip: f64) -> After {
    let cos = (1.0 - offset * offset).max(0.0).sqrt();
    let passed = ((slip - offset) / 6.0).clamp(-FRICTION * cos, FRICTION * cos);
    After {
        struck: (cos * cos - passed * offset, -cos * offset - passed * cos),
        thrown: ((offset + passed) * offset, (offset + passed) * cos),
    }
}

/// The offset that sends the struck stone this far to the right of the way of the thrown one, in
/// radians; `None` when the hit would be thinner than [`THINNEST`].
#[must_use]
pub fn offset_for_struck(right: f64, slip: f64) -> Option<f64> {
    let mut offset = -libm::sin(right);
    for _ in 0..4 {
        let way = after(offset, slip).struck;
        offset -= libm::sin(right - libm::atan2(way.1, way.0));
        offset = offset.clamp(-1.0, 1.0);
    }
    (right.abs() < 1.4 && offset.abs() <= THINNEST).then_some(offset)
}

/// The offset that sends the thrown stone this far to the right of its way, in radians: it leaves
/// square to the line of centres.
#[must_use]
pub fn offset_for_thrown(right: f64) -> Option<f64> {
    let offset = libm::cos(right);
    (right != 0.0 && (0.05..=THINNEST).contains(&offset)).then(|| offset.copysign(right))
}

impl Paths {
    /// Speed of the turning edge over that of the stone, at this weight.
    #[must_use]
    pub fn slip(&self, weight: f64, spin: Spin) -> f64 {
        // Stones of the UEC ice hardly turn, in its own time.
        let turning = if self.unit() < 2.0 { SPIN_LEFT } else { 0.0 };
        spin.sign() * turning * STONE_RADIUS / weight.max(0.05)
    }

    /// The aim that hits a stone lying at `stone` at `offset` with `weight` left.
    #[must_use]
    pub fn hit(&self, stone: Point, weight: f64, offset: f64, spin: Spin) -> Option<Aim> {
        self.hit_by(stone, weight, spin, |_| Some(offset))
    }

    /// The same with an offset that depends on the heading of the thrown stone where they meet.
    pub fn hit_by(
        &self,
        stone: Point,
        weight: f64,
        spin: Spin,
        offset: impl Fn(f64) -> Option<f64>,
    ) -> Option<Aim> {
        // The heading hardly changes over the two radii between the places: one step is enough.
        let through = self.aim(stone, weight, spin)?;
        let contact = contact(stone, through.heading, offset(through.heading)?);
        self.aim(contact, weight, spin)
    }
}

/// Where the thrown centre is when it hits `stone` at `offset` on this heading.
#[must_use]
pub fn contact(stone: Point, heading: f64, offset: f64) -> Point {
    let (sin, cos) = (libm::sin(heading), libm::cos(heading));
    let (along, right) = (-(1.0 - offset * offset).max(0.0).sqrt(), offset);
    // Ahead is (-sin, cos), right is (cos, sin).
    let (dx, dy) = (right * cos - along * sin, right * sin + along * cos);
    Point::new(
        (f64::from(stone.x) + CONTACT * dx) as f32,
        (f64::from(stone.y) + CONTACT * dy) as f32,
    )
}

/// How far to the right of a heading the direction from one point to another is, in radians.
#[must_use]
pub fn right_of(heading: f64, from: Point, to: Point) -> f64 {
    let (dx, dy) = (
        f64::from(to.x) - f64::from(from.x),
        f64::from(to.y) - f64::from(from.y),
    );
    let (sin, cos) = (libm::sin(heading), libm::cos(heading));
    libm::atan2(dx * cos + dy * sin, dy * cos - dx * sin)
}
