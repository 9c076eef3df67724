//! Impulses between stones that overlap at the start of a step: sequential impulses as in Box2D 2.4,
//! eight sweeps, in each contact friction before the normal part.

use super::{Body, RADIUS, Shot};
use crate::board::STONES;
use crate::geometry::STONE_MASS;
use crate::physics::{Contact, Recorder};

const FRICTION: f32 = 0.2;
const RESTITUTION: f32 = 1.0;
const SWEEPS: usize = 8;
const MOST_TOUCHES: usize = STONES * (STONES - 1) / 2;

/// Inverse mass and inverse moment of inertia: the mass from the density and back, as the official
/// simulator sets it up.
fn inverse_mass() -> (f32, f32) {
    const PI: f32 = std::f32::consts::PI;
    let density = STONE_MASS as f32 / (PI * RADIUS * RADIUS);
    let mass = density * PI * RADIUS * RADIUS;
    (1.0 / mass, 1.0 / (mass * (0.5 * RADIUS * RADIUS)))
}

/// Two overlapping stones: where, and the impulses so far.
#[derive(Clone, Copy, Default)]
struct Touch {
    a: u8,
    b: u8,
    normal: [f32; 2],
    ra: [f32; 2],
    rb: [f32; 2],
    normal_mass: f32,
    tangent_mass: f32,
    bias: f32,
    jn: f32,
    jt: f32,
}

#[inline]
fn overlap(p: &Body, q: &Body) -> bool {
    let (dx, dy) = (q.x - p.x, q.y - p.y);
    dx * dx + dy * dy <= (2.0 * RADIUS) * (2.0 * RADIUS)
}

impl<R: Recorder> Shot<'_, R> {
    /// Changes the velocities of the stones that overlap.
    pub(super) fn collide(&mut self) {
        let bodies = &self.bodies[..self.len];
        let met = self.active[..self.movers].iter().any(|&i| {
            let i = usize::from(i);
            (0..self.len).any(|j| j != i && overlap(&bodies[i], &bodies[j]))
        });
        if met {
            self.resolve();
        }
    }

    #[inline(never)]
    fn resolve(&mut self) {
        let masses = inverse_mass();
        let mut touches = [Touch::default(); MOST_TOUCHES];
        let mut count = 0;
        for a in 0..self.len {
            for b in a + 1..self.len {
                if overlap(&self.bodies[a], &self.bodies[b]) {
                    touches[count] = Touch::new(&self.bodies, a, b, masses);
                    count += 1;
                }
            }
        }
        let before = self.bodies;
        for _ in 0..SWEEPS {
            for touch in &mut touches[..count] {
                touch.sweep(&mut self.bodies, masses);
            }
        }
        for touch in touches[..count].iter().filter(|t| t.jn > 0.0) {
            self.result.contacts += 1;
            self.report(touch, &before);
        }
        self.list_active();
    }

    fn report(&mut self, touch: &Touch, before: &[Body; STONES]) {
        let (a, b) = (usize::from(touch.a), usize::from(touch.b));
        let time = self.time();
        if R::CONTACTS {
            let (p, q) = (&self.bodies[a], &self.bodies[b]);
            self.recorder.contact(&Contact {
                time,
                stones: [p.stone(), q.stone()],
                places: [p.place(), q.place()],
                before: [before[a].motion(), before[b].motion()],
                after: [p.motion(), q.motion()],
            });
        }
        if R::SIGHTINGS {
            self.sight(a);
            self.sight(b);
        }
    }
}

impl Touch {
    fn new(all: &[Body; STONES], a: usize, b: usize, (m, i): (f32, f32)) -> Self {
        let (p, q) = (&all[a], &all[b]);
        let (dx, dy) = (q.x - p.x, q.y - p.y);
        let length = (dx * dx + dy * dy).sqrt();
        // Two stones on one spot part along x.
        let normal = if length > f32::EPSILON {
            let inv = 1.0 / length;
            [dx * inv, dy * inv]
        } else {
            [1.0, 0.0]
        };
        let at = [
            0.5 * ((p.x + RADIUS * normal[0]) + (q.x - RADIUS * normal[0])),
            0.5 * ((p.y + RADIUS * normal[1]) + (q.y - RADIUS * normal[1])),
        ];
        let (ra, rb) = ([at[0] - p.x, at[1] - p.y], [at[0] - q.x, at[1] - q.y]);
        let effective = |axis: [f32; 2]| {
            let (ca, cb) = (cross(ra, axis), cross(rb, axis));
            1.0 / (m + m + i * ca * ca + i * cb * cb)
        };
        let mut touch = Self {
            a: a as u8,
            b: b as u8,
            normal,
            ra,
            rb,
            normal_mass: effective(normal),
            tangent_mass: effective([normal[1], -normal[0]]),
            ..Self::default()
        };
        let vn = dot(touch.relative(all), normal);
        if vn < 0.0 {
            touch.bias = -RESTITUTION * vn;
        }
        touch
    }

    /// Velocity of the second stone at the point of contact as the first sees it.
    #[inline]
    fn relative(&self, all: &[Body; STONES]) -> [f32; 2] {
        let (a, b) = (&all[usize::from(self.a)], &all[usize::from(self.b)]);
        [
            b.vx - b.w * self.rb[1] - a.vx + a.w * self.ra[1],
            b.vy + b.w * self.rb[0] - a.vy - a.w * self.ra[0],
        ]
    }

    fn push(&self, all: &mut [Body; STONES], p: [f32; 2], (m, i): (f32, f32)) {
        let a = &mut all[usize::from(self.a)];
        a.vx -= m * p[0];
        a.vy -= m * p[1];
        a.w -= i * cross(self.ra, p);
        let b = &mut all[usize::from(self.b)];
        b.vx += m * p[0];
        b.vy += m * p[1];
        b.w += i * cross(self.rb, p);
    }

    fn sweep(&mut self, all: &mut [Body; STONES], masses: (f32, f32)) {
        let tangent = [self.normal[1], -self.normal[0]];
        let most = FRICTION * self.jn;
        let lambda = self.tangent_mass * -dot(self.relative(all), tangent);
        let next = (self.jt + lambda).max(-most).min(most);
        let change = next - self.jt;
        self.jt = next;
        self.push(all, [change * tangent[0], change * tangent[1]], masses);

        let vn = dot(self.relative(all), self.normal);
        let next = (self.jn - self.normal_mass * (vn - self.bias)).max(0.0);
        let change = next - self.jn;
        self.jn = next;
        let normal = self.normal;
        self.push(all, [change * normal[0], change * normal[1]], masses);
    }
}

#[inline]
fn cross(a: [f32; 2], b: [f32; 2]) -> f32 {
    a[0] * b[1] - a[1] * b[0]
}

#[inline]
fn dot(a: [f32; 2], b: [f32; 2]) -> f32 {
    a[0] * b[0] + a[1] * b[1]
}
