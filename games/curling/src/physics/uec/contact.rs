//! Contacts of UEC stones: sequential impulses as Box2D 2.3 solves them for discs of equal mass.
//!
//! A contact acts in every step at whose start two centres are at most [`CONTACT`] apart. Friction is
//! so strong that contacts stick; an approach slower than [`THRESHOLD`] does not bounce; overlaps
//! deeper than [`SLOP`] are pushed apart a little in every step.

use crate::geometry::{CONTACT, STONE_RADIUS};

use super::motion::Pair;
use super::shot::Body;

/// Friction between stones: the constant of the ice, by a slip of the original.
const FRICTION: f64 = 12.009_216;
/// Approach slower than this is inelastic.
const THRESHOLD: f64 = 1.0;
const SWEEPS: usize = 10;
/// Overlap that is left alone.
pub(super) const SLOP: f64 = 0.005;
/// Share of the overlap beyond it that a sweep removes, and the most that it does.
const PUSH: f64 = 0.2;
const MOST_PUSH: f64 = 0.2;
/// Touching pairs that are solved in a step; sixteen discs of one size have at most 33.
pub(super) const MOST: usize = 48;

/// Two stones that overlap.
#[derive(Clone, Copy, Default)]
pub(super) struct Touch {
    pub(super) a: usize,
    pub(super) b: usize,
    normal: Pair,
    /// Half the distance: the arm from each centre to the point of contact.
    arm: f64,
    bias: f64,
    /// Impulses along the normal and across, for a stone of mass 1.
    pub(super) along: f64,
    across: f64,
}

/// The pairs that overlap at the start of a step.
#[derive(Clone, Copy)]
pub(super) struct Touches {
    all: [Touch; MOST],
    len: usize,
}

impl Default for Touches {
    fn default() -> Self {
        Self {
            all: [Touch::default(); MOST],
            len: 0,
        }
    }
}

impl Touches {
    pub(super) fn live(&self) -> &[Touch] {
        &self.all[..self.len]
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds the pair if it overlaps; what does not fit is dropped, which needs a pile of stones that
    /// overlap by half their width.
    pub(super) fn add(&mut self, bodies: &[Body], a: usize, b: usize) {
        let d = [
            bodies[b].place[0] - bodies[a].place[0],
            bodies[b].place[1] - bodies[a].place[1],
        ];
        let squared = d[0] * d[0] + d[1] * d[1];
        if squared > CONTACT * CONTACT || self.len == MOST || squared == 0.0 {
            return;
        }
        let distance = squared.sqrt();
        let mut touch = Touch {
            a,
            b,
            normal: [d[0] / distance, d[1] / distance],
            arm: 0.5 * distance,
            ..Touch::default()
        };
        let approach = touch.speeds(bodies).0;
        if approach < -THRESHOLD {
            touch.bias = -approach;
        }
        self.all[self.len] = touch;
        self.len += 1;
    }

    /// Starts each pair that touched in the step before with its impulses of then, as Box2D does.
    pub(super) fn warm(&mut self, before: &Self, bodies: &mut [Body]) {
        for touch in &mut self.all[..self.len] {
            let old = before
                .live()
                .iter()
                .find(|t| (t.a, t.b) == (touch.a, touch.b));
            if let Some(old) = old {
                touch.along = old.along;
                touch.across = old.across;
                let (n, j, t) = (touch.normal, old.along, old.across);
                apply(bodies, touch, [n[0] * j + n[1] * t, n[1] * j - n[0] * t]);
                touch.turn(bodies, t);
            }
        }
    }

    /// Changes the velocities of the touching stones.
    pub(super) fn solve(&mut self, bodies: &mut [Body]) {
        for _ in 0..SWEEPS {
            for touch in &mut self.all[..self.len] {
                touch.sweep(bodies);
            }
        }
    }

    /// Pushes apart what overlaps too deep after the stones have moved.
    pub(super) fn separate(&self, bodies: &mut [Body]) {
        for _ in 0..SWEEPS {
            let mut worst = 0.0_f64;
            for touch in self.live() {
                worst = worst.min(push(bodies, touch.a, touch.b));
            }
            if worst >= -3.0 * SLOP {
                return;
            }
        }
    }
}

fn push(bodies: &mut [Body], a: usize, b: usize) -> f64 {
    let d = [
        bodies[b].place[0] - bodies[a].place[0],
        bodies[b].place[1] - bodies[a].place[1],
    ];
    let distance = (d[0] * d[0] + d[1] * d[1]).sqrt();
    let gap = distance - CONTACT;
    let by = (PUSH * (gap + SLOP)).clamp(-MOST_PUSH, 0.0);
    if by < 0.0 && distance > 0.0 {
        for (i, d) in d.into_iter().enumerate() {
            let half = 0.5 * by * d / distance;
            bodies[a].place[i] += half;
            bodies[b].place[i] -= half;
        }
    }
    gap
}

/// Moment of inertia of a disc of mass 1, inverted.
const INVERSE_INERTIA: f64 = 2.0 / (STONE_RADIUS * STONE_RADIUS);

impl Touch {
    /// Speed at which `b` leaves `a` along the normal, and across it (to the right of the normal) at
    /// the point of contact.
    fn speeds(&self, bodies: &[Body]) -> (f64, f64) {
        let (a, b) = (&bodies[self.a], &bodies[self.b]);
        let v = [b.velocity[0] - a.velocity[0], b.velocity[1] - a.velocity[1]];
        let n = self.normal;
        let along = v[0] * n[0] + v[1] * n[1];
        let across = v[0] * n[1] - v[1] * n[0] + self.arm * (a.spin + b.spin);
        (along, across)
    }

    fn turn(&self, bodies: &mut [Body], across: f64) {
        let spin = INVERSE_INERTIA * self.arm * across;
        bodies[self.a].spin += spin;
        bodies[self.b].spin += spin;
    }

    fn sweep(&mut self, bodies: &mut [Body]) {
        // Friction first, bounded by the normal impulse so far.
        let mass = 1.0 / (2.0 + 2.0 * INVERSE_INERTIA * self.arm * self.arm);
        let most = FRICTION * self.along;
        let (_, across) = self.speeds(bodies);
        let next = (self.across - mass * across).clamp(-most, most);
        let change = next - self.across;
        self.across = next;
        let n = self.normal;
        apply(bodies, self, [n[1] * change, -n[0] * change]);
        self.turn(bodies, change);

        let (along, _) = self.speeds(bodies);
        let next = (self.along - 0.5 * (along - self.bias)).max(0.0);
        let change = next - self.along;
        self.along = next;
        apply(bodies, self, [n[0] * change, n[1] * change]);
    }
}

fn apply(bodies: &mut [Body], touch: &Touch, impulse: Pair) {
    for (i, change) in impulse.into_iter().enumerate() {
        bodies[touch.a].velocity[i] -= change;
        bodies[touch.b].velocity[i] += change;
    }
}
