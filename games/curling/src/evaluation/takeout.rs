//! How a stone can be taken out: the aims at it that other stones leave open.
//!
//! The paper keeps 24 bits a stone and turn, one for each lateral offset of the thrown stone in steps
//! of a sixth of a radius: beyond two radii it would miss. A stone in front blocks the offsets at
//! which the thrown stone would touch it on the way; one behind those from which the struck stone
//! would run into it.

use serde::{Deserialize, Serialize};

use super::Body;
use crate::board::{Board, Point, Stone};
use crate::geometry::{CONTACT, STONE_RADIUS, TEE};
use crate::physics::{Recorder, Sighting, Simulator};
use crate::release::Spin;

/// Aims at a stone.
pub const AIMS: u32 = 24;
const ALL: u32 = (1 << AIMS) - 1;
const STEP: f64 = STONE_RADIUS / 6.0;
/// Distance beyond the tee at which the take-outs of the paper would stop: -6.039 in its frame, whose
/// tee is at 4.88.
pub const TAKEOUT_DISTANCE: f64 = 10.919;

/// What a stone behind another is in the way of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Back {
    /// The path of the struck stone, which leaves along the line of centres.
    #[default]
    Path,
    /// The line of the thrown stone, as a stone in front is.
    Line,
}

/// How take-outs come in on some ice: the last metres of the path, as bends to the side from the
/// tangent at the stone. The map of an empty sheet hardly depends on the direction, so one path does
/// for all.
#[derive(Debug, Clone, PartialEq)]
pub struct Approach {
    /// Sine and cosine of the angle between the straight line from the hack and the path at the stone,
    /// to the left for a counter-clockwise turn.
    angle: (f64, f64),
    /// How far right of the tangent the stone was, by distance before, for a counter-clockwise turn.
    bends: [f64; BENDS],
}

/// Distance between two entries of the bends.
const GRAIN: f64 = 0.25;
const BENDS: usize = 34;

impl Approach {
    /// The path of the paper's take-outs, seen at the tee. Straight where the model shows no path.
    #[must_use]
    pub fn new(model: &impl Simulator) -> Self {
        let target = Point::new(0.0, (TEE + TAKEOUT_DISTANCE) as f32);
        let mut path = Path::default();
        if let Some(release) = model.stop_at(target, Spin::Ccw) {
            model.deliver(&mut Board::EMPTY.clone(), Stone::new(0), release, &mut path);
        }
        path.approach().unwrap_or(Self {
            angle: (0.0, 1.0),
            bends: [0.0; BENDS],
        })
    }

    fn bend(&self, before: f64) -> f64 {
        let at = before * (1.0 / GRAIN);
        let i = (at as usize).min(BENDS - 2);
        self.bends[i] + (at - i as f64) * (self.bends[i + 1] - self.bends[i])
    }

    /// The offsets at stone `i` that are open in front and behind, one bit each from left to right,
    /// for a turn with this sign (1 is counter-clockwise).
    #[inline]
    pub(super) fn open(&self, bodies: &[Body], i: usize, sign: f64, behind: Back) -> (u32, u32) {
        let stone = &bodies[i];
        let range = stone.y + TEE;
        let length = (stone.x * stone.x + range * range).sqrt();
        let (cx, cy) = (stone.x / length, range / length);
        let (sin, cos) = (sign * self.angle.0, self.angle.1);
        // The heading at the stone; its right is (ty, -tx).
        let (tx, ty) = (cx * cos - cy * sin, cx * sin + cy * cos);
        let (mut front, mut back) = (0, 0);
        for (j, other) in bodies.iter().enumerate() {
            if j == i {
                continue;
            }
            let (dx, dy) = (other.x - stone.x, other.y - stone.y);
            let (ahead, right) = (dx * tx + dy * ty, dx * ty - dy * tx);
            if ahead < 0.0 {
                front |= across(right - sign * self.bend(-ahead));
            } else {
                back |= match behind {
                    Back::Line => across(right),
                    Back::Path => along_path(ahead, right),
                };
            }
        }
        (ALL & !front, ALL & !back)
    }
}

/// The offsets at which a stone passes so near to one at `right` that they touch.
#[inline]
fn across(right: f64) -> u32 {
    between(right - CONTACT, right + CONTACT)
}

/// The offsets from which a struck stone touches one that is so far ahead and to the right of it.
fn along_path(ahead: f64, right: f64) -> u32 {
    let distance = (ahead * ahead + right * right).sqrt().max(1e-9);
    let (sin, cos) = (right / distance, ahead / distance);
    let sin_width = (CONTACT / distance).min(1.0);
    let cos_width = (1.0 - sin_width * sin_width).sqrt();
    // Sines of the outermost directions to the right; past a right angle there are no more.
    let (plus, minus) = (
        cos * cos_width - sin * sin_width,
        cos * cos_width + sin * sin_width,
    );
    let most = if plus < 0.0 {
        2.0
    } else {
        sin * cos_width + cos * sin_width
    };
    let least = if minus < 0.0 {
        -2.0
    } else {
        sin * cos_width - cos * sin_width
    };
    // A stone that is hit on its right goes left.
    between(-CONTACT * most, -CONTACT * least)
}

/// The offsets strictly between two.
#[inline]
fn between(low: f64, high: f64) -> u32 {
    let middle = 0.5 * f64::from(AIMS - 1);
    let index = |offset: f64| (offset * (1.0 / STEP) + middle).clamp(-1.0, f64::from(AIMS));
    // Truncation of numbers from 0 up is the floor, and cheaper.
    let first = (index(low) + 1.0) as u32;
    let after = AIMS - (f64::from(AIMS) - index(high).max(0.0)) as u32;
    ((1_u32 << after) - 1) & (u32::MAX << first) & ALL
}

/// The path of one stone.
#[derive(Debug, Default)]
struct Path {
    seen: Vec<([f64; 2], [f64; 2])>,
}

impl Recorder for Path {
    const CONTACTS: bool = false;

    fn sighting(&mut self, sighting: &Sighting) {
        let [vx, vy, _] = sighting.velocity;
        self.seen.push((sighting.place, [vx, vy]));
    }
}

impl Path {
    /// The path seen from where it crosses the tee line.
    fn approach(&self) -> Option<Approach> {
        let next = self.seen.iter().position(|(place, _)| place[1] >= TEE)?;
        let (before, after) = (self.seen.get(next.checked_sub(1)?)?, self.seen.get(next)?);
        let share = (TEE - before.0[1]) / (after.0[1] - before.0[1]);
        let mix = |a: [f64; 2], b: [f64; 2]| [0, 1].map(|k| a[k] + share * (b[k] - a[k]));
        let (place, velocity) = (mix(before.0, after.0), mix(before.1, after.1));
        let speed = (velocity[0] * velocity[0] + velocity[1] * velocity[1]).sqrt();
        let (tx, ty) = (velocity[0] / speed, velocity[1] / speed);
        let length = (place[0] * place[0] + place[1] * place[1]).sqrt();
        let (cx, cy) = (place[0] / length, place[1] / length);
        // Before the tee, in the frame of the tangent: distance before and bend to the right.
        let track: Vec<(f64, f64)> = std::iter::once(place)
            .chain(self.seen[..next].iter().rev().map(|seen| seen.0))
            .map(|p| (p[0] - place[0], p[1] - place[1]))
            .map(|(dx, dy)| (-(dx * tx + dy * ty), dx * ty - dy * tx))
            .collect();
        let mut bends = [0.0; BENDS];
        for (i, bend) in bends.iter_mut().enumerate() {
            let want = i as f64 * GRAIN;
            let pair = track.windows(2).find(|pair| pair[1].0 >= want)?;
            let share = (want - pair[0].0) / (pair[1].0 - pair[0].0).max(1e-9);
            *bend = pair[0].1 + share * (pair[1].1 - pair[0].1);
        }
        let approach = Approach {
            angle: (cx * ty - cy * tx, cx * tx + cy * ty),
            bends,
        };
        let finite = approach.angle.0.is_finite() && bends.iter().all(|b| b.is_finite());
        finite.then_some(approach)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offset(k: u32) -> f64 {
        (f64::from(k) - 11.5) * STEP
    }

    /// Every offset by itself, from distances of points and lines.
    fn slowly(ahead: f64, right: f64) -> u32 {
        (0..AIMS)
            .filter(|&k| {
                // Where the thrown stone is at contact; the struck one leaves straight away from it.
                let side = offset(k);
                let back = (CONTACT * CONTACT - side * side).sqrt();
                let (ux, uy) = (-side / CONTACT, back / CONTACT);
                let along = right * ux + ahead * uy;
                let miss = (right - along * ux).hypot(ahead - along * uy);
                along > 0.0 && miss < CONTACT
            })
            .fold(0, |mask, k| mask | 1 << k)
    }

    #[test]
    fn a_struck_stone_runs_into_what_its_line_meets() {
        for i in 0..60 {
            for j in -40..=40 {
                let (ahead, right) = (0.003 + 0.05 * f64::from(i), 0.05 * f64::from(j));
                if ahead.hypot(right) > CONTACT {
                    let fast = along_path(ahead, right);
                    assert_eq!(fast, slowly(ahead, right), "{ahead} {right}");
                }
            }
        }
    }

    #[test]
    fn a_guard_blocks_the_offsets_that_touch_it() {
        for j in -100..=100 {
            let right = 0.0071 * f64::from(j);
            let slow = (0..AIMS)
                .filter(|&k| (right - offset(k)).abs() < CONTACT)
                .fold(0, |mask, k| mask | 1 << k);
            assert_eq!(across(right), slow, "{right}");
        }
        assert_eq!(across(0.0), ALL);
    }
}
