//! What happens when stones touch: impulses as in the official simulator.
//!
//! The normal parts swap, friction acts up to 0.2 of the normal impulse. Several contacts at once are
//! swept eight times, friction before normal, in the order of the stones. What that leaves of energy is
//! not bounded: the normal impulse of one contact turns the slip of another, against which the friction
//! there then does work, and about once in 100,000 moments a stone between two others came out with 2 %
//! more energy than went in. All impulses of such a moment are made smaller by the factor that keeps the
//! energy; that keeps momentum and angular momentum too.

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
        let before = *bodies;
        let touches = &mut self.all[..self.len];
        for _ in 0..SWEEPS {
            for touch in &mut *touches {
                touch.sweep(bodies);
            }
        }
        spare(&before, bodies);
    }
}

/// Takes back as much of a change as gives energy.
fn spare(before: &[Body; STONES], bodies: &mut [Body; STONES]) {
    // Twice the energy that the share s of the change gives, by the mass: s (s square - linear).
    let (mut linear, mut square) = (0.0, 0.0);
    for (old, new) in before.iter().zip(bodies.iter()) {
        let change = minus(new.velocity, old.velocity);
        let spun = new.spin - old.spin;
        linear -= 2.0 * (dot(old.velocity, change) + old.spin * spun / INERTIA);
        square += dot(change, change) + spun * spun / INERTIA;
    }
    if square <= linear * (1.0 + 1e-12) {
        return;
    }
    let share = (linear / square).max(0.0);
    for (old, new) in before.iter().zip(bodies.iter_mut()) {
        let change = minus(new.velocity, old.velocity);
        new.velocity = [
            old.velocity[0] + share * change[0],
            old.velocity[1] + share * change[1],
        ];
        new.spin = old.spin + share * (new.spin - old.spin);
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

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn energy(bodies: &[Body; STONES]) -> f64 {
        let of = |b: &Body| dot(b.velocity, b.velocity) + b.spin * b.spin / INERTIA;
        bodies.iter().map(of).sum()
    }

    fn momentum(bodies: &[Body; STONES]) -> [f64; 3] {
        bodies.iter().fold([0.0; 3], |sum, b| {
            let turn = b.place[0] * b.velocity[1] - b.place[1] * b.velocity[0];
            let own = [b.velocity[0], b.velocity[1], turn + b.spin / INERTIA];
            [0, 1, 2].map(|i| sum[i] + own[i])
        })
    }

    /// A stone that spins and runs into one to four at once, which touch it all around.
    fn cluster(rng: &mut ChaCha8Rng) -> ([Body; STONES], Touches) {
        let mut uniform = |low: f64, high: f64| low + (high - low) * rng.random::<f64>();
        let mut bodies = [Body::default(); STONES];
        bodies[0].velocity = [uniform(-3.0, 3.0), uniform(-3.0, 3.0)];
        bodies[0].spin = uniform(-12.0, 12.0);
        let others = uniform(1.0, 4.99) as usize;
        let mut angle = uniform(0.0, 6.0);
        let mut touches = Touches::new();
        for (i, body) in bodies.iter_mut().enumerate().skip(1).take(others) {
            body.place = [CONTACT * libm::cos(angle), CONTACT * libm::sin(angle)];
            angle += uniform(std::f64::consts::FRAC_PI_3, 1.5);
            if i % 2 == 0 {
                body.velocity = [uniform(-1.0, 1.0), uniform(-1.0, 1.0)];
            }
        }
        for other in 1..=others {
            touches.push(&bodies, 0, other);
        }
        (bodies, touches)
    }

    #[test]
    fn stones_that_meet_at_once_gain_no_energy() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut spared = 0;
        for _ in 0..200_000 {
            let (before, mut touches) = cluster(&mut rng);
            let mut after = before;
            touches.solve(&mut after);
            let (e, f) = (energy(&before), energy(&after));
            assert!(f <= e * (1.0 + 1e-11), "{e} {f} {before:?}");
            let (p, q) = (momentum(&before), momentum(&after));
            for i in 0..3 {
                assert!((p[i] - q[i]).abs() < 1e-12 * (1.0 + e), "{p:?} {q:?}");
            }
            if f > e * (1.0 - 1e-11) && touches.live().iter().any(|t| t.rub != 0.0) {
                spared += 1;
            }
        }
        assert!(spared > 0, "no cluster of this test would gain any");
    }
}
