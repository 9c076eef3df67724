//! The plain loop: every stone and every pair in every step. What [`Fcv1`](super::Fcv1) must equal bit
//! for bit.

use crate::board::{Board, Point, STONES, Stone};
use crate::geometry::{
    BACK_LINE, HOG_LINE, NEAR_BOARD, SHEET_CENTRE, SHEET_WIDTH, STONE_MASS, STONE_RADIUS,
};
use crate::physics::Delivered;
use crate::release::Release;

const DT: f32 = 0.001;
const EPSILON: f32 = f32::EPSILON;
const RADIUS: f32 = STONE_RADIUS as f32;
const FRICTION: f32 = 0.2;
const RESTITUTION: f32 = 1.0;
const SWEEPS: usize = 8;
/// Twenty minutes of play: no shot takes two.
const MOST_STEPS: u32 = 1_200_000;

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

    fn stopped(&self) -> bool {
        self.all[..self.len]
            .iter()
            .all(|b| b.vx * b.vx + b.vy * b.vy <= EPSILON && b.w <= EPSILON)
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

/// Throws `stone` step by step.
pub(super) fn deliver(board: &mut Board, stone: Stone, release: Release) -> Delivered {
    let mut bodies = set_up(board, stone, release);
    let mut result = Delivered::default();
    let masses = inverse_mass();
    let mut step = 0_u32;
    loop {
        let left = remove_moving(&mut bodies, &mut result);
        if left && bodies.stopped() {
            break;
        }
        for body in bodies.live() {
            slow(body);
        }
        collide(&mut bodies, masses, &mut result);
        for body in bodies.live() {
            body.x += DT * body.vx;
            body.y += DT * body.vy;
        }
        step += 1;
        if bodies.stopped() {
            break;
        }
        assert!(step < MOST_STEPS);
    }
    result.seconds = f64::from(step) * f64::from(DT);
    settle(&bodies, board, &mut result);
    result
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

fn remove_moving(bodies: &mut Bodies, result: &mut Delivered) -> bool {
    const HALF: f32 = SHEET_WIDTH as f32 / 2.0;
    let back = (BACK_LINE - SHEET_CENTRE) as f32;
    let near = (NEAR_BOARD - SHEET_CENTRE) as f32;
    let mut kept = 0;
    for i in 0..bodies.len {
        let body = bodies.all[i];
        if body.x.abs() + RADIUS >= HALF || body.y - RADIUS >= back || body.y - RADIUS <= near {
            result.removed |= 1 << body.index;
        } else {
            bodies.all[kept] = body;
            kept += 1;
        }
    }
    let left = kept < bodies.len;
    bodies.len = kept;
    left
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

fn collide(bodies: &mut Bodies, masses: (f32, f32), result: &mut Delivered) {
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
    for _ in 0..SWEEPS {
        for touch in &mut touches {
            sweep(&mut bodies.all, touch, masses);
        }
    }
    result.contacts += touches.iter().filter(|t| t.jn > 0.0).count() as u32;
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
fn settle(bodies: &Bodies, board: &mut Board, result: &mut Delivered) {
    *board = Board::EMPTY;
    for body in &bodies.all[..bodies.len] {
        let stone = Stone::new(body.index.into());
        let [_, y] = place(body);
        if y as f32 - RADIUS > HOG_LINE as f32 {
            board.put(stone, Point::new(body.x, y as f32));
        } else {
            result.removed |= 1 << body.index;
        }
    }
}
