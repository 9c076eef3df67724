//! Digital Curling 3, step by step: single precision, in the order of its own operations.
//!
//! A step of a millisecond removes what has left, slows and turns every stone, resolves the contacts
//! that overlap at the start of the step by eight sweeps of impulses, and moves the stones.

use crate::board::{Board, Point, STONES, Stone};
use crate::geometry::{
    BACK_LINE, HOG_LINE, NEAR_BOARD, SHEET_CENTRE, SHEET_WIDTH, STONE_MASS, STONE_RADIUS,
};
use crate::physics::friction::Table;
use crate::physics::{Contact, Delivered, Out, Recorder, Sighting, Simulator, inverse};
use crate::release::{Release, Spin};

const DT: f32 = 0.001;
const EPSILON: f32 = f32::EPSILON;
const RADIUS: f32 = STONE_RADIUS as f32;
const FRICTION: f32 = 0.2;
const RESTITUTION: f32 = 1.0;
const SWEEPS: usize = 8;
/// Twenty minutes of play: no shot takes two.
const MOST_STEPS: u32 = 1_200_000;

/// The model.
#[derive(Debug, Clone)]
pub struct Fcv1 {
    table: Table,
}

impl Default for Fcv1 {
    fn default() -> Self {
        Self::new()
    }
}

impl Fcv1 {
    /// The model; the table is for aiming.
    #[must_use]
    pub fn new() -> Self {
        Self {
            table: Table::new(),
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Body {
    x: f32,
    y: f32,
    vx: f32,
    vy: f32,
    w: f32,
    index: u8,
}

struct Bodies {
    all: [Body; STONES],
    len: usize,
}

impl Bodies {
    fn live(&mut self) -> &mut [Body] {
        &mut self.all[..self.len]
    }
}

/// Density from the mass and back, as the official simulator sets it up.
fn inverse_mass() -> (f32, f32) {
    let pi = std::f32::consts::PI;
    let density = STONE_MASS as f32 / (pi * RADIUS * RADIUS);
    let mass = density * pi * RADIUS * RADIUS;
    let inertia = mass * (0.5 * RADIUS * RADIUS);
    (1.0 / mass, 1.0 / inertia)
}

impl Simulator for Fcv1 {
    fn deliver<R: Recorder>(
        &self,
        board: &mut Board,
        stone: Stone,
        release: Release,
        recorder: &mut R,
    ) -> Delivered {
        let mut bodies = set_up(board, stone, release);
        let mut result = Delivered::default();
        let masses = inverse_mass();
        let mut step = 0_u32;
        loop {
            let time = f64::from(step) * f64::from(DT);
            remove_moving(&mut bodies, time, recorder, &mut result);
            if R::SIGHTINGS && step.is_multiple_of(100) {
                sight(&mut bodies, time, recorder);
            }
            for body in bodies.live() {
                slow(body);
            }
            collide(&mut bodies, masses, time, recorder, &mut result);
            for body in bodies.live() {
                body.x += DT * body.vx;
                body.y += DT * body.vy;
            }
            step += 1;
            if bodies
                .live()
                .iter()
                .all(|b| b.vx * b.vx + b.vy * b.vy <= EPSILON && b.w <= EPSILON)
            {
                break;
            }
            if step == MOST_STEPS {
                result.cut_short = true;
                break;
            }
        }
        result.seconds = f64::from(step) * f64::from(DT);
        if R::SIGHTINGS {
            sight(&mut bodies, result.seconds, recorder);
        }
        settle(&bodies, board, recorder, &mut result);
        result
    }

    fn stop_at(&self, target: Point, spin: Spin) -> Option<Release> {
        inverse::aim(&self.table, target, 0.0, spin, self.max_speed())
    }

    fn pass_through(&self, target: Point, speed: f64, spin: Spin) -> Option<Release> {
        inverse::aim(&self.table, target, speed, spin, self.max_speed())
    }

    fn stopping_point(&self, release: Release) -> Point {
        inverse::stopping_point(&self.table, release)
    }

    fn max_speed(&self) -> f64 {
        4.0
    }
}

fn set_up(board: &Board, stone: Stone, release: Release) -> Bodies {
    let centre = SHEET_CENTRE as f32;
    let mut bodies = Bodies {
        all: [Body::default(); STONES],
        len: 0,
    };
    for index in 0..STONES {
        let body = if index == stone.index() {
            Body {
                x: 0.0,
                y: 0.0 - centre,
                vx: release.vx as f32,
                vy: release.vy as f32,
                w: release.omega as f32,
                index: index as u8,
            }
        } else if let Some(point) = board.get(Stone::new(index)) {
            Body {
                x: point.x,
                y: point.y - centre,
                index: index as u8,
                ..Body::default()
            }
        } else {
            continue;
        };
        bodies.all[bodies.len] = body;
        bodies.len += 1;
    }
    bodies
}

fn place(body: &Body) -> [f64; 2] {
    [f64::from(body.x), f64::from(body.y + SHEET_CENTRE as f32)]
}

fn sight<R: Recorder>(bodies: &mut Bodies, time: f64, recorder: &mut R) {
    for body in bodies.live() {
        recorder.sighting(&Sighting {
            time,
            stone: Stone::new(body.index.into()),
            place: place(body),
            velocity: motion(body),
        });
    }
}

fn motion(body: &Body) -> [f64; 3] {
    [body.vx.into(), body.vy.into(), body.w.into()]
}

fn remove_moving<R: Recorder>(
    bodies: &mut Bodies,
    time: f64,
    recorder: &mut R,
    result: &mut Delivered,
) {
    const HALF: f32 = SHEET_WIDTH as f32 / 2.0;
    let back = (BACK_LINE - SHEET_CENTRE) as f32;
    let near = (NEAR_BOARD - SHEET_CENTRE) as f32;
    let mut kept = 0;
    for i in 0..bodies.len {
        let body = bodies.all[i];
        let why = if body.x.abs() + RADIUS >= HALF {
            Some(Out::Side)
        } else if body.y - RADIUS >= back {
            Some(Out::Back)
        } else if body.y - RADIUS <= near {
            Some(Out::Near)
        } else {
            None
        };
        if let Some(why) = why {
            result.removed |= 1 << body.index;
            recorder.out(time, Stone::new(body.index.into()), place(&body), why);
        } else {
            bodies.all[kept] = body;
            kept += 1;
        }
    }
    bodies.len = kept;
}

/// Friction: the speed falls, the heading turns by the old speed, the spin falls.
fn slow(body: &mut Body) {
    let squared = body.vx * body.vx + body.vy * body.vy;
    let v = squared.sqrt();
    if v > EPSILON {
        let a = -(0.002_009_85_f32 / (v + 0.063_857_82) + 0.006_262_86) * 9.806_65;
        let next = v + a * DT;
        if next <= 0.0 {
            body.vx = 0.0;
            body.vy = 0.0;
        } else {
            let yaw = if body.w.abs() <= EPSILON {
                0.0
            } else {
                (1.0_f32.copysign(body.w) * 0.008_20) * v.powf(-0.8) * DT
            };
            let inv = 1.0 / v;
            let (ex, ey) = (body.vx * inv, body.vy * inv);
            let (along, across) = (next * yaw.cos(), next * yaw.sin());
            body.vx = along * ex + across * -ey;
            body.vy = along * ey + across * ex;
        }
    }
    if body.w.abs() > EPSILON {
        let loss = 0.025 / v.max(0.001) * DT;
        body.w = if body.w.abs() <= loss {
            0.0
        } else {
            body.w + -loss * body.w / body.w.abs()
        };
    }
}

struct Touch {
    a: usize,
    b: usize,
    normal: [f32; 2],
    ra: [f32; 2],
    rb: [f32; 2],
    jn: f32,
    jt: f32,
    bias: f32,
}

fn collide<R: Recorder>(
    bodies: &mut Bodies,
    masses: (f32, f32),
    time: f64,
    recorder: &mut R,
    result: &mut Delivered,
) {
    let mut touches: Vec<Touch> = Vec::new();
    for a in 0..bodies.len {
        for b in a + 1..bodies.len {
            if let Some(touch) = touch(bodies, a, b) {
                touches.push(touch);
            }
        }
    }
    if touches.is_empty() {
        return;
    }
    let before: Vec<_> = touches
        .iter()
        .map(|t| [motion(&bodies.all[t.a]), motion(&bodies.all[t.b])])
        .collect();
    for _ in 0..SWEEPS {
        for touch in &mut touches {
            sweep(&mut bodies.all, touch, masses);
        }
    }
    for (touch, before) in touches.iter().zip(before) {
        if touch.jn > 0.0 {
            result.contacts += 1;
            if R::CONTACTS {
                let (a, b) = (&bodies.all[touch.a], &bodies.all[touch.b]);
                recorder.contact(&Contact {
                    time,
                    stones: [Stone::new(a.index.into()), Stone::new(b.index.into())],
                    places: [place(a), place(b)],
                    before,
                    after: [motion(a), motion(b)],
                });
            }
        }
    }
}

fn touch(bodies: &Bodies, a: usize, b: usize) -> Option<Touch> {
    let (p, q) = (&bodies.all[a], &bodies.all[b]);
    let d = [q.x - p.x, q.y - p.y];
    let squared = d[0] * d[0] + d[1] * d[1];
    if squared > (2.0 * RADIUS) * (2.0 * RADIUS) {
        return None;
    }
    let inv = 1.0 / squared.sqrt();
    let normal = [d[0] * inv, d[1] * inv];
    let point =
        |i: usize, pc: f32, qc: f32| 0.5 * ((pc + RADIUS * normal[i]) + (qc - RADIUS * normal[i]));
    let at = [point(0, p.x, q.x), point(1, p.y, q.y)];
    let mut touch = Touch {
        a,
        b,
        normal,
        ra: [at[0] - p.x, at[1] - p.y],
        rb: [at[0] - q.x, at[1] - q.y],
        jn: 0.0,
        jt: 0.0,
        bias: 0.0,
    };
    let v = relative(&bodies.all, &touch);
    let vn = v[0] * normal[0] + v[1] * normal[1];
    if vn < 0.0 {
        touch.bias = -RESTITUTION * vn;
    }
    Some(touch)
}

fn relative(all: &[Body; STONES], t: &Touch) -> [f32; 2] {
    let (a, b) = (&all[t.a], &all[t.b]);
    [
        b.vx - b.w * t.rb[1] - a.vx + a.w * t.ra[1],
        b.vy + b.w * t.rb[0] - a.vy - a.w * t.ra[0],
    ]
}

fn cross(a: [f32; 2], b: [f32; 2]) -> f32 {
    a[0] * b[1] - a[1] * b[0]
}

fn push(all: &mut [Body; STONES], t: &Touch, p: [f32; 2], (m, i): (f32, f32)) {
    let a = &mut all[t.a];
    a.vx -= m * p[0];
    a.vy -= m * p[1];
    a.w -= i * cross(t.ra, p);
    let b = &mut all[t.b];
    b.vx += m * p[0];
    b.vy += m * p[1];
    b.w += i * cross(t.rb, p);
}

fn sweep(all: &mut [Body; STONES], t: &mut Touch, masses: (f32, f32)) {
    let (m, i) = masses;
    let tangent = [t.normal[1], -t.normal[0]];
    let effective = |axis: [f32; 2]| {
        let (ca, cb) = (cross(t.ra, axis), cross(t.rb, axis));
        1.0 / (m + m + i * ca * ca + i * cb * cb)
    };
    let (mt, mn) = (effective(tangent), effective(t.normal));
    let v = relative(all, t);
    let lambda = mt * -(v[0] * tangent[0] + v[1] * tangent[1]);
    let most = FRICTION * t.jn;
    let next = (t.jt + lambda).clamp(-most, most);
    let change = next - t.jt;
    t.jt = next;
    push(all, t, [change * tangent[0], change * tangent[1]], masses);
    let v = relative(all, t);
    let vn = v[0] * t.normal[0] + v[1] * t.normal[1];
    let next = (t.jn - mn * (vn - t.bias)).max(0.0);
    let change = next - t.jn;
    t.jn = next;
    push(all, t, [change * t.normal[0], change * t.normal[1]], masses);
}

/// What is not wholly past the far hog line goes, whichever stone it is.
fn settle<R: Recorder>(
    bodies: &Bodies,
    board: &mut Board,
    recorder: &mut R,
    result: &mut Delivered,
) {
    *board = Board::EMPTY;
    for body in &bodies.all[..bodies.len] {
        let stone = Stone::new(body.index.into());
        let [_, y] = place(body);
        if y as f32 - RADIUS > HOG_LINE as f32 {
            board.put(stone, Point::new(body.x, y as f32));
        } else {
            result.removed |= 1 << body.index;
            recorder.out(result.seconds, stone, place(body), Out::Hog);
        }
    }
}
