//! The simulator of the UEC cup of 2015-16, the one of the expectimax paper of 2016.
//!
//! A stone slows by 12.009216 m/s^2 and its heading turns by 0.066696 times that over its speed, so
//! that speeds are about twelve times those on real ice and times a twelfth: a draw to the tee leaves
//! at 29.58 m/s. A [`Release`] holds speeds in this unit. The original steps by a millisecond in Box2D
//! 2.3; here the steps in which nothing happens are taken at once, to a micrometre.
//!
//! Its own frame has the tee at (2.375, 4.88) and y falling towards the house: [`to_sheet`] and
//! [`from_sheet`] map it so that the tee stays the tee. That is a mirror image, so what turns
//! counter-clockwise there (`angle` 0) is clockwise here: `angle` 1 is [`Spin::Ccw`].

mod contact;
pub mod motion;
mod shot;

use crate::board::{Board, Point, Stone};
use crate::geometry::TEE;
use crate::physics::{Delivered, Recorder, Simulator};
use crate::release::{Release, Spin};

use motion::{DECELERATION, LOSS, Pair, slow, way};
use shot::Shot;

/// The tee of UEC's own frame.
const OWN_TEE: [f64; 2] = [2.375, 4.88];
/// Where stones are released, on the centre line: 36.40 m before the tee.
pub const RELEASE: f64 = TEE - 36.4;
/// A centre at least so far from the centre line is off the sheet.
pub const HALF_WIDTH: f64 = 2.375 - 0.145;
/// A centre from here on is over the back line: 1.83 m and a radius behind the tee.
pub const BACK: f64 = TEE + 1.83 + 0.145;
/// A centre up to here is off the sheet, far behind the thrower.
pub const FRONT: f64 = TEE - 40.67 + 0.145;
/// A thrown stone must come to rest beyond: the hog line 6.40 m before the tee, and a radius.
pub const PLAY_FRONT: f64 = TEE - 6.4 + 0.145;
/// The legal limit of the GAT 2016 tournament, m/s.
pub const MAX_SPEED: f64 = 33.7149;
/// Speed of a draw to the tee, m/s.
pub const TEE_SPEED: f64 = 29.576_37;

/// The model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Uec;

/// A place in UEC's own frame, in shot coordinates.
#[must_use]
pub fn to_sheet(own: [f64; 2]) -> Point {
    Point::new(
        (own[0] - OWN_TEE[0]) as f32,
        (TEE - (own[1] - OWN_TEE[1])) as f32,
    )
}

/// A place in shot coordinates, in UEC's own frame.
#[must_use]
pub fn from_sheet(point: Point) -> [f64; 2] {
    [
        f64::from(point.x) + OWN_TEE[0],
        OWN_TEE[1] - (f64::from(point.y) - TEE),
    ]
}

/// A shot of UEC: its velocity in its own frame and its `angle`, 0 or 1.
#[must_use]
pub fn release(velocity: [f64; 2], angle: u8) -> Release {
    Release::new(velocity[0], -velocity[1], spin(angle))
}

/// The spin that UEC calls `angle` 0 or 1.
#[must_use]
pub const fn spin(angle: u8) -> Spin {
    if angle == 0 { Spin::Cw } else { Spin::Ccw }
}

/// The shot that UEC's own `CreateShot` aims at `target`: the inverse to first order in the curl,
/// which stops up to a centimetre away. [`Simulator::stop_at`] is exact.
#[must_use]
pub fn create_shot(target: Point, spin: Spin) -> Release {
    /// Sideways curl of a draw to the tee, and its share of the way.
    const DRIFT: f64 = 1.22;
    const SLOPE: f64 = 0.0335;
    let [x, y] = from_sheet(target);
    let sign = spin.sign();
    let aim = [
        x + sign * (DRIFT - SLOPE * (y - OWN_TEE[1])),
        y + sign * SLOPE * (x - OWN_TEE[0]),
    ];
    let way = [aim[0] - OWN_TEE[0], OWN_TEE[1] + 36.4 - aim[1]];
    let distance = motion::length(way);
    let speed = (2.0 * DECELERATION * distance).sqrt();
    Release::new(speed * way[0] / distance, speed * way[1] / distance, spin)
}

impl Uec {
    /// The same shot by steps of a millisecond alone: the second opinion on the jumps.
    pub fn deliver_by_steps(&self, board: &mut Board, stone: Stone, release: Release) -> Delivered {
        Shot::new(board, stone, release, false).run(board, &mut ())
    }
}

/// From the release of a canonical throw, straight along the first axis, to speed `left`; the half
/// application of friction at the start included.
fn throw(speed: f64, left: f64, sign: f64) -> Pair {
    let first = slow([speed, 0.0], sign, 0.5 * LOSS);
    let start = motion::length(first);
    if start == 0.0 {
        return [0.0, 0.0];
    }
    motion::times(
        [first[0] / start, first[1] / start],
        way(start, left.min(start), sign),
    )
}

/// The release whose stone is at `target` when it has speed `left`.
fn aim(target: Point, left: f64, spin: Spin) -> Option<Release> {
    let target = [f64::from(target.x), f64::from(target.y) - RELEASE];
    let distance = motion::length(target);
    let known = distance.is_finite() && distance > 0.1 && (0.0..MAX_SPEED).contains(&left);
    if !known {
        return None;
    }
    // The way grows like half the square of the speed, so that Newton's method in the square, with the
    // slope of the continuous limit, is there in three rounds.
    let slope = 2.0 * DECELERATION * (1.0 + 0.25 * motion::CURL * motion::CURL).sqrt();
    let mut square = left * left + slope * distance;
    for _ in 0..40 {
        let reached = motion::length(throw(square.sqrt(), left, spin.sign()));
        let change = slope * (distance - reached);
        square += change;
        if change.abs() < 1e-13 * square {
            break;
        }
    }
    let speed = square.sqrt();
    if speed > MAX_SPEED {
        return None;
    }
    let [along, side] = throw(speed, left, spin.sign());
    let bearing = libm::atan2(-target[0], target[1]);
    Some(Release::polar(
        speed,
        bearing - libm::atan2(side, along),
        spin,
    ))
}

impl Simulator for Uec {
    fn deliver<R: Recorder>(
        &self,
        board: &mut Board,
        stone: Stone,
        release: Release,
        recorder: &mut R,
    ) -> Delivered {
        Shot::new(board, stone, release, true).run(board, recorder)
    }

    fn stop_at(&self, target: Point, spin: Spin) -> Option<Release> {
        aim(target, 0.0, spin)
    }

    fn pass_through(&self, target: Point, speed: f64, spin: Spin) -> Option<Release> {
        aim(target, speed, spin)
    }

    fn stopping_point(&self, release: Release) -> Point {
        let sign = if release.omega == 0.0 {
            0.0
        } else {
            release.omega.signum()
        };
        let speed = release.speed();
        if speed == 0.0 {
            return Point::new(0.0, RELEASE as f32);
        }
        let [along, left] = throw(speed, 0.0, sign);
        let (x, y) = (release.vx / speed, release.vy / speed);
        Point::new(
            (along * x - left * y) as f32,
            (RELEASE + along * y + left * x) as f32,
        )
    }

    fn max_speed(&self) -> f64 {
        MAX_SPEED
    }
}

#[cfg(test)]
mod tests;
