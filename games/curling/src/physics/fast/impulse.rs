//! What happens when stones touch: impulses as in the official simulator.
//!
//! The normal parts swap, friction acts up to 0.2 of the normal impulse. Several contacts at once are
//! swept eight times, friction before normal, in the order of the stones.

use crate::board::STONES;
use crate::geometry::{CONTACT, STONE_RADIUS};
use crate::physics::fast::motion::{Body, dot, minus};
use crate::physics::path::Vector;

const FRICTION: f64 = 0.2;
const SWEEPS: usize = 8;
/// Mass over moment of inertia.
const INERTIA: f64 = 2.0 / (STONE_RADIUS * STONE_RADIUS);
/// Discs that touch but do not overlap have at most 3n - 6 contacts.
const MOST: usize = 3 * STONES;

/// Two stones that touch.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Touch {
    pub(crate) a: usize,
    pub(crate) b: usize,
    /// From a to b.
    normal: Vector,
    /// Half the distance of the centres.
    arm: f64,
    /// Impulses by the mass.
    pub(crate) push: f64,
    rub: f64,
    /// The normal speed that is wanted.
    bias: f64,
}

/// The contacts of a moment.
#[derive(Debug)]
pub(crate) struct Touches {
    all: [Touch; MOST],
    len: usize,
    /// Whether there were more than there is room for.
    pub(crate) full: bool,
}

impl Touches {
    pub(crate) fn new() -> Self {
        Self {
            all: [Touch::default(); MOST],
            len: 0,
            full: false,
        }
    }

    /// Adds a pair.
    pub(crate) fn push(&mut self, bodies: &[Body; STONES], a: usize, b: usize) {
        if self.len == MOST {
            self.full = true;
            return;
        }
        self.all[self.len] = Touch::new(bodies, a, b);
        self.len += 1;
    }

    pub(crate) fn live(&self) -> &[Touch] {
        &self.all[..self.len]
    }

    /// Changes the velocities and spins of `bodies`.
    pub(crate) fn solve(&mut self, bodies: &mut [Body; STONES]) {
        let touches = &mut self.all[..self.len];
        for _ in 0..SWEEPS {
            for touch in &mut *touches {
                touch.sweep(bodies);
            }
        }
    }
}

impl Touch {
    /// A contact without others, solved: friction does not change the normal speed of round stones, so
    /// two sweeps are as good as any number.
    pub(crate) fn alone(bodies: &mut [Body; STONES], a: usize, b: usize) -> Self {
        let mut touch = Self::new(bodies, a, b);
        touch.sweep(bodies);
        touch.sweep(bodies);
        touch
    }

    fn new(bodies: &[Body; STONES], a: usize, b: usize) -> Self {
        let d = minus(bodies[b].place, bodies[a].place);
        let distance = dot(d, d).sqrt();
        let inv = if distance > 0.0 { 1.0 / distance } else { 0.0 };
        let mut touch = Self {
            a,
            b,
            normal: [d[0] * inv, d[1] * inv],
            arm: 0.5 * distance.min(CONTACT),
            ..Self::default()
        };
        touch.bias = (-touch.closing(bodies)).max(0.0);
        touch
    }

    /// Normal part of the relative velocity: negative when the stones come closer.
    fn closing(&self, bodies: &[Body; STONES]) -> f64 {
        let v = minus(bodies[self.b].velocity, bodies[self.a].velocity);
        dot(v, self.normal)
    }

    fn sweep(&mut self, bodies: &mut [Body; STONES]) {
        let n = self.normal;
        let tangent = [n[1], -n[0]];
        // Of the point of contact, by the tangent: spin moves it the other way.
        let v = minus(bodies[self.b].velocity, bodies[self.a].velocity);
        let slip = dot(v, tangent) + self.arm * (bodies[self.a].spin + bodies[self.b].spin);
        let mass = 1.0 / (2.0 + 2.0 * INERTIA * self.arm * self.arm);
        let most = FRICTION * self.push;
        let rub = (self.rub - mass * slip).clamp(-most, most);
        let change = rub - self.rub;
        self.rub = rub;
        apply(bodies, self, [change * tangent[0], change * tangent[1]]);
        // The arm is along the normal, so the torque is all of friction.
        let torque = INERTIA * self.arm * change;
        bodies[self.a].spin += torque;
        bodies[self.b].spin += torque;
        let push = (self.push - 0.5 * (self.closing(bodies) - self.bias)).max(0.0);
        let change = push - self.push;
        self.push = push;
        apply(bodies, self, [change * n[0], change * n[1]]);
    }
}

fn apply(bodies: &mut [Body; STONES], touch: &Touch, p: Vector) {
    let a = &mut bodies[touch.a].velocity;
    *a = minus(*a, p);
    let b = &mut bodies[touch.b].velocity;
    *b = [b[0] + p[0], b[1] + p[1]];
}
