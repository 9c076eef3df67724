//! Digital Curling 3, step by step: single precision, in the order of its own operations.
//!
//! A step of a millisecond removes what has left, slows and turns every stone, resolves the contacts
//! that overlap at the start of the step by eight sweeps of impulses, and moves the stones. Stones at
//! rest and pairs that cannot meet yet are passed over; the result is the same to the last bit.

mod contact;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;

use crate::board::{Board, Point, STONES, Stone};
use crate::geometry::{BACK_LINE, HOG_LINE, NEAR_BOARD, SHEET_CENTRE, SHEET_WIDTH, STONE_RADIUS};
use crate::physics::friction::{C1, C2, C3, CURL, GRAVITY, SPIN_FLOOR, SPIN_LOSS, Table};
use crate::physics::{Delivered, Out, Recorder, Sighting, Simulator, inverse};
use crate::release::{Release, Spin};

const DT: f32 = 0.001;
const EPSILON: f32 = f32::EPSILON;
const RADIUS: f32 = STONE_RADIUS as f32;
const CENTRE: f32 = SHEET_CENTRE as f32;
const SIDE: f32 = SHEET_WIDTH as f32 / 2.0;
const BACK: f32 = (BACK_LINE - SHEET_CENTRE) as f32;
const NEAR: f32 = (NEAR_BOARD - SHEET_CENTRE) as f32;
/// Twenty minutes of play: no shot takes two.
const MOST_STEPS: u32 = 1_200_000;
/// Steps between two sightings of a stone, and two looks which stones came to rest.
const LOOK: u32 = 100;

/// Steps a second.
pub(crate) const RATE: u32 = 1000;

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

impl Simulator for Fcv1 {
    fn deliver<R: Recorder>(
        &self,
        board: &mut Board,
        stone: Stone,
        release: Release,
        recorder: &mut R,
    ) -> Delivered {
        if !(release.vx.is_finite() && release.vy.is_finite() && release.omega.is_finite()) {
            board.remove(stone);
            return Delivered {
                removed: 1 << stone.index(),
                cut_short: true,
                ..Delivered::default()
            };
        }
        let mut shot = Shot::new(board, stone, release, recorder);
        shot.run();
        shot.settle(board);
        shot.result
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

/// One stone, in the frame of the official simulator: the middle of the sheet is the origin.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Body {
    x: f32,
    y: f32,
    vx: f32,
    vy: f32,
    w: f32,
    index: u8,
}

impl Body {
    fn thrown(index: usize, release: Release) -> Self {
        Self {
            x: 0.0,
            y: 0.0 - CENTRE,
            vx: release.vx as f32,
            vy: release.vy as f32,
            w: release.omega as f32,
            index: index as u8,
        }
    }

    fn stone(&self) -> Stone {
        Stone::new(self.index.into())
    }

    /// Centre in shot coordinates.
    fn place(&self) -> [f64; 2] {
        [f64::from(self.x), f64::from(self.y + CENTRE)]
    }

    fn motion(&self) -> [f64; 3] {
        [self.vx.into(), self.vy.into(), self.w.into()]
    }

    fn speed_squared(&self) -> f32 {
        self.vx * self.vx + self.vy * self.vy
    }

    /// Whether a step does anything to it.
    fn active(&self) -> bool {
        self.vx != 0.0 || self.vy != 0.0 || self.w != 0.0
    }

    /// As the official simulator asks: a clockwise spin does not count.
    fn stopped(&self) -> bool {
        self.speed_squared() <= EPSILON && self.w <= EPSILON
    }

    fn out(&self) -> Option<Out> {
        if self.x.abs() + RADIUS >= SIDE {
            Some(Out::Side)
        } else if self.y - RADIUS >= BACK {
            Some(Out::Back)
        } else if self.y - RADIUS <= NEAR {
            Some(Out::Near)
        } else {
            None
        }
    }

    /// Friction: the speed falls, the heading turns by the old speed, the spin falls.
    #[inline]
    fn slow(&mut self) {
        let v = self.speed_squared().sqrt();
        if v > EPSILON {
            let a = -(C1 as f32 / (v + C2 as f32) + C3 as f32) * GRAVITY as f32;
            let next = v + a * DT;
            if next <= 0.0 {
                self.vx = 0.0;
                self.vy = 0.0;
            } else {
                let inv = 1.0 / v;
                let (ex, ey) = (self.vx * inv, self.vy * inv);
                let (sin, cos) = turn(self.w, v);
                let (along, across) = (next * cos, next * sin);
                self.vx = along * ex + across * -ey;
                self.vy = along * ey + across * ex;
            }
        }
        if self.w.abs() > EPSILON {
            let loss = SPIN_LOSS as f32 / v.max(SPIN_FLOOR as f32) * DT;
            self.w = if self.w.abs() <= loss {
                0.0
            } else {
                self.w + -loss * self.w / self.w.abs()
            };
        }
    }

    #[inline]
    fn advance(&mut self) {
        self.x += DT * self.vx;
        self.y += DT * self.vy;
    }
}

/// Sine and cosine of the change of heading in a step.
#[inline]
fn turn(w: f32, v: f32) -> (f32, f32) {
    /// Below it a sine rounds to its angle and a cosine to 1.
    const TINY: f32 = 1.0 / 4096.0;
    if w.abs() <= EPSILON {
        return (0.0, 1.0);
    }
    let yaw = (1.0_f32.copysign(w) * CURL as f32) * v.powf(-0.8) * DT;
    if yaw.abs() < TINY {
        (yaw, 1.0)
    } else {
        (yaw.sin(), yaw.cos())
    }
}

/// A shot under way.
struct Shot<'a, R> {
    bodies: [Body; STONES],
    len: usize,
    /// Which bodies move, ascending.
    active: [u8; STONES],
    movers: usize,
    step: u32,
    result: Delivered,
    recorder: &'a mut R,
}

impl<'a, R: Recorder> Shot<'a, R> {
    fn new(board: &Board, stone: Stone, release: Release, recorder: &'a mut R) -> Self {
        let mut shot = Self {
            bodies: [Body::default(); STONES],
            len: 0,
            active: [0; STONES],
            movers: 0,
            step: 0,
            result: Delivered::default(),
            recorder,
        };
        for index in 0..STONES {
            let body = if index == stone.index() {
                Body::thrown(index, release)
            } else if let Some(point) = board.get(Stone::new(index)) {
                Body {
                    x: point.x,
                    y: point.y - CENTRE,
                    index: index as u8,
                    ..Body::default()
                }
            } else {
                continue;
            };
            shot.bodies[shot.len] = body;
            shot.len += 1;
        }
        shot.remove(0..shot.len);
        shot.list_active();
        shot.sight_active();
        shot
    }

    fn time(&self) -> f64 {
        f64::from(self.step) / f64::from(RATE)
    }

    /// Steps until everything is at rest.
    fn run(&mut self) {
        loop {
            if self.remove_movers() && self.stopped() {
                break;
            }
            self.slow();
            self.collide();
            self.advance();
            if self.stopped() || self.glide(self.quiet_steps()) {
                break;
            }
            if self.step >= MOST_STEPS {
                self.result.cut_short = true;
                break;
            }
        }
        self.result.seconds = self.time();
        self.sight_active();
    }

    fn slow(&mut self) {
        for &i in &self.active[..self.movers] {
            self.bodies[usize::from(i)].slow();
        }
    }

    fn advance(&mut self) {
        for &i in &self.active[..self.movers] {
            self.bodies[usize::from(i)].advance();
        }
        self.step += 1;
        if self.step.is_multiple_of(LOOK) {
            self.sight_active();
            self.list_active();
        }
    }

    fn stopped(&self) -> bool {
        self.active[..self.movers]
            .iter()
            .all(|&i| self.bodies[usize::from(i)].stopped())
    }

    /// Steps in which nobody can meet or leave; whether everything came to rest.
    fn glide(&mut self, steps: u32) -> bool {
        for _ in 0..steps {
            self.slow();
            self.advance();
            if self.stopped() {
                return true;
            }
        }
        false
    }

    /// A number of steps from here on in which surely no stone touches another or leaves.
    ///
    /// Between contacts no speed grows, so a stone goes no farther in a step than its speed now, but
    /// for the rounding of its place: half a unit in the last place is 1 micrometre at 16 m and more.
    fn quiet_steps(&self) -> u32 {
        const ROUNDING: f32 = 2e-6;
        const SLACK: f32 = 1e-4;
        let reach = |b: &Body| 1.001 * DT * b.speed_squared().sqrt() + ROUNDING;
        let mut least = LOOK as f32 * 10.0;
        for &i in &self.active[..self.movers] {
            let a = &self.bodies[usize::from(i)];
            let own = reach(a);
            let line = (SIDE - RADIUS - a.x.abs())
                .min(BACK + RADIUS - a.y)
                .min(a.y - RADIUS - NEAR);
            least = least.min((line - SLACK) / own);
            for (j, b) in self.bodies[..self.len].iter().enumerate() {
                let (dx, dy) = (a.x - b.x, a.y - b.y);
                // A bound without a root first: most stones are far.
                let far = least * 2.0 * own + 2.0 * RADIUS + 2.0 * SLACK;
                if j == usize::from(i) || !b.active() && dx * dx + dy * dy > far * far {
                    continue;
                }
                let gap = (dx * dx + dy * dy).sqrt() - 2.0 * RADIUS - SLACK;
                least = least.min(gap / (own + reach(b)));
            }
        }
        least.max(0.0) as u32
    }

    /// Takes out what has left, among the bodies of these positions; whether any has.
    fn remove(&mut self, among: impl Iterator<Item = usize>) -> bool {
        let mut gone = 0_u16;
        for i in among {
            let body = self.bodies[i];
            if let Some(why) = body.out() {
                gone |= 1 << i;
                self.result.removed |= 1 << body.index;
                self.recorder
                    .out(self.time(), body.stone(), body.place(), why);
            }
        }
        if gone == 0 {
            return false;
        }
        let mut kept = 0;
        for i in 0..self.len {
            if gone >> i & 1 == 0 {
                self.bodies[kept] = self.bodies[i];
                kept += 1;
            }
        }
        self.len = kept;
        self.list_active();
        true
    }

    fn remove_movers(&mut self) -> bool {
        let (active, movers) = (self.active, self.movers);
        self.remove(active.into_iter().take(movers).map(usize::from))
    }

    fn list_active(&mut self) {
        self.movers = 0;
        for i in 0..self.len {
            if self.bodies[i].active() {
                self.active[self.movers] = i as u8;
                self.movers += 1;
            }
        }
    }

    fn sight(&mut self, i: usize) {
        let body = &self.bodies[i];
        self.recorder.sighting(&Sighting {
            time: self.time(),
            stone: body.stone(),
            place: body.place(),
            velocity: body.motion(),
        });
    }

    fn sight_active(&mut self) {
        if R::SIGHTINGS {
            for k in 0..self.movers {
                self.sight(self.active[k].into());
            }
        }
    }

    /// What is not wholly past the far hog line goes, whichever stone it is.
    fn settle(&mut self, board: &mut Board) {
        *board = Board::EMPTY;
        for i in 0..self.len {
            let body = self.bodies[i];
            let y = body.y + CENTRE;
            if y - RADIUS > HOG_LINE as f32 {
                board.put(body.stone(), Point::new(body.x, y));
            } else {
                self.result.removed |= 1 << body.index;
                let seconds = self.result.seconds;
                self.recorder
                    .out(seconds, body.stone(), body.place(), Out::Hog);
            }
        }
    }
}

/// A single stone on endless ice, step by step: for the vectors that know no lines.
#[derive(Debug, Clone)]
pub(crate) struct Lone(Body);

impl Lone {
    /// The stone as it is released.
    #[must_use]
    pub fn new(release: Release) -> Self {
        Self(Body::thrown(0, release))
    }

    /// One step of a millisecond.
    pub fn step(&mut self) {
        self.0.slow();
        self.0.advance();
    }

    /// Centre in shot coordinates, velocity and angular velocity.
    #[must_use]
    pub fn seen(&self) -> ([f64; 2], [f64; 3]) {
        (self.0.place(), self.0.motion())
    }

    /// Whether its speed counts as none, and whether its spin does.
    #[must_use]
    pub fn stopped(&self) -> (bool, bool) {
        (self.0.speed_squared() <= EPSILON, self.0.stopped())
    }
}
