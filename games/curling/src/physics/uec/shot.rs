//! One shot on the ice of UEC: from jump to jump between the steps in which something happens.
//!
//! As long as no two stones can touch and none can leave, a jump of whole steps by the closed forms;
//! else one step as the original does it. So contacts act at the start of a step, at an overlap of
//! up to three centimetres, exactly as they do there.

use crate::board::{Board, STONES, Stone};
use crate::geometry::CONTACT;
use crate::physics::{Contact, Delivered, Out, Recorder, Sighting};
use crate::release::Release;

use super::contact::{SLOP, Touches};
use super::motion::{CURL, DECELERATION, LOSS, Pair, STEP, advance, length, slow};
use super::{BACK, FRONT, HALF_WIDTH, PLAY_FRONT, RELEASE};

/// Steps at rest after which a stone sleeps.
const SLEEP: u32 = 500;
/// A hundred seconds; a shot takes three.
const MOST_STEPS: u32 = 100_000;
/// Steps between two sightings: a twentieth of a second.
const SIGHT: u32 = 50;

/// A stone in a shot. `spin` keeps its size between contacts; on the ice its sign counts.
#[derive(Clone, Copy, Default)]
pub(super) struct Body {
    pub(super) place: Pair,
    pub(super) velocity: Pair,
    pub(super) spin: f64,
    /// Steps at rest.
    rest: u32,
    index: u8,
}

impl Body {
    fn moves(&self) -> bool {
        self.velocity != [0.0, 0.0]
    }

    fn sign(&self) -> f64 {
        if self.spin == 0.0 {
            0.0
        } else {
            self.spin.signum()
        }
    }

    /// Why it is off the sheet, if it is.
    fn off(&self) -> Option<Out> {
        let [x, y] = self.place;
        if x.abs() >= HALF_WIDTH {
            Some(Out::Side)
        } else if y >= BACK {
            Some(Out::Back)
        } else if y <= FRONT {
            Some(Out::Near)
        } else {
            None
        }
    }

    fn jump(&mut self, steps: u32) {
        if !self.moves() {
            self.rest += steps;
            return;
        }
        let last = self.steps_to_rest();
        let (moved, velocity) = advance(self.velocity, self.sign(), steps);
        self.place[0] += moved[0];
        self.place[1] += moved[1];
        self.velocity = velocity;
        self.rest = steps.saturating_sub(last);
        if !self.moves() {
            self.spin = 0.0;
        }
    }

    /// Steps until it is at rest.
    fn steps_to_rest(&self) -> u32 {
        (length(self.velocity) / LOSS).ceil() as u32
    }

    fn slow(&mut self, loss: f64) {
        if self.moves() {
            self.velocity = slow(self.velocity, self.sign(), loss);
            self.rest = 0;
        } else {
            self.rest += 1;
        }
        if !self.moves() {
            self.spin = 0.0;
        }
    }

    fn motion(&self) -> [f64; 3] {
        [self.velocity[0], self.velocity[1], self.spin]
    }

    fn stone(&self) -> Stone {
        Stone::new(self.index.into())
    }
}

/// A shot under way.
pub(super) struct Shot {
    bodies: [Body; STONES],
    len: usize,
    thrown: u8,
    step: u32,
    touches: Touches,
    result: Delivered,
    /// Whether to jump at all; a test compares with one step at a time.
    jumps: bool,
}

impl Shot {
    /// Sets the stones up, in the order in which they were thrown: the rule for stones that leave
    /// depends on it.
    pub(super) fn new(board: &Board, stone: Stone, release: Release, jumps: bool) -> Self {
        let mut shot = Self {
            bodies: [Body::default(); STONES],
            len: 0,
            thrown: stone.index() as u8,
            step: 0,
            touches: Touches::default(),
            result: Delivered::default(),
            jumps,
        };
        // The other team has thrown as many stones as this one, or one more.
        let other = stone.team().opponent();
        let first = if board.get(Stone::of(other, stone.throw())).is_some() {
            other
        } else {
            stone.team()
        };
        for throw in 0..STONES / 2 {
            for team in [first, first.opponent()] {
                let lying = Stone::of(team, throw);
                if let Some(point) = board.get(lying).filter(|_| lying != stone) {
                    shot.push(Body {
                        place: [point.x.into(), point.y.into()],
                        index: lying.index() as u8,
                        ..Body::default()
                    });
                }
            }
        }
        let mut body = Body {
            place: [0.0, RELEASE],
            velocity: [release.vx, release.vy],
            spin: CURL
                * if release.omega == 0.0 {
                    0.0
                } else {
                    release.omega.signum()
                },
            rest: 0,
            index: shot.thrown,
        };
        body.slow(0.5 * LOSS);
        shot.push(body);
        shot
    }

    fn push(&mut self, body: Body) {
        self.bodies[self.len] = body;
        self.len += 1;
    }

    fn live(&self) -> &[Body] {
        &self.bodies[..self.len]
    }

    /// Runs to rest and leaves the stones on `board`.
    pub(super) fn run<R: Recorder>(mut self, board: &mut Board, recorder: &mut R) -> Delivered {
        self.sight(recorder);
        while self.restless() {
            let free = if self.jumps { self.free_steps() } else { 0 };
            if free > 0 {
                self.jump(free, recorder);
            } else {
                self.one_step(recorder);
            }
            if self.step >= MOST_STEPS {
                self.result.cut_short = true;
                break;
            }
        }
        self.result.seconds = f64::from(self.step) * STEP;
        self.sight(recorder);
        self.settle(board, recorder)
    }

    /// Whether anything moves or is still being pushed apart.
    fn restless(&self) -> bool {
        self.live().iter().any(Body::moves)
            || self.touches.live().iter().any(|t| {
                let (a, b) = (&self.bodies[t.a], &self.bodies[t.b]);
                a.rest.min(b.rest) < SLEEP && overlap(a, b) > SLOP + 1e-5
            })
    }

    /// A lower bound on the steps in which nothing but sliding happens.
    fn free_steps(&self) -> u32 {
        let bodies = self.live();
        let until_rest = bodies
            .iter()
            .filter(|b| b.moves())
            .map(Body::steps_to_rest)
            .max();
        let mut free = f64::from(until_rest.unwrap_or(0));
        let mut watched = true;
        for (i, body) in bodies.iter().enumerate() {
            // Stones after the first one inside that is awake are not looked at.
            if watched && body.moves() {
                free = free.min(time_inside(body) / STEP);
            }
            if watched && body.rest < SLEEP && i + 1 < bodies.len() {
                let left = if body.moves() {
                    body.steps_to_rest()
                } else {
                    0
                };
                free = free.min(f64::from(left + SLEEP - body.rest));
            }
            watched &= !body.moves() && body.rest >= SLEEP;
            for other in &bodies[i + 1..] {
                free = free.min(time_apart(body, other) / STEP);
                if free < 1.0 {
                    return 0;
                }
            }
        }
        free as u32
    }

    fn jump<R: Recorder>(&mut self, steps: u32, recorder: &mut R) {
        if R::SIGHTINGS {
            self.sight_along(steps, recorder);
        }
        let len = self.len;
        for body in &mut self.bodies[..len] {
            body.jump(steps);
        }
        self.step += steps;
        self.touches.clear();
        self.remove(recorder);
    }

    fn one_step<R: Recorder>(&mut self, recorder: &mut R) {
        let before = std::mem::take(&mut self.touches);
        let len = self.len;
        for a in (0..len).rev() {
            for b in (0..a).rev() {
                let (p, q) = (&self.bodies[a], &self.bodies[b]);
                let awake = |x: &Body| x.moves() || x.rest < SLEEP;
                if awake(p) || awake(q) {
                    self.touches.add(&self.bodies[..len], a, b);
                }
            }
        }
        if !self.touches.live().is_empty() {
            let old = self.bodies;
            self.touches.warm(&before, &mut self.bodies[..len]);
            self.touches.solve(&mut self.bodies[..len]);
            self.report(&old, recorder);
        }
        for body in &mut self.bodies[..len] {
            body.place[0] += body.velocity[0] * STEP;
            body.place[1] += body.velocity[1] * STEP;
        }
        self.touches.separate(&mut self.bodies[..len]);
        for body in &mut self.bodies[..len] {
            body.slow(LOSS);
        }
        self.step += 1;
        self.remove(recorder);
    }

    fn report<R: Recorder>(&mut self, old: &[Body; STONES], recorder: &mut R) {
        let time = f64::from(self.step) * STEP;
        for touch in self.touches.live().iter().filter(|t| t.along > 0.0) {
            self.result.contacts += 1;
            let pair = [touch.a, touch.b];
            if R::CONTACTS {
                recorder.contact(&Contact {
                    time,
                    stones: pair.map(|i| old[i].stone()),
                    places: pair.map(|i| old[i].place),
                    before: pair.map(|i| old[i].motion()),
                    after: pair.map(|i| self.bodies[i].motion()),
                });
            }
            if R::SIGHTINGS {
                for i in pair {
                    sighting(time, &self.bodies[i], recorder);
                }
            }
        }
    }

    /// Takes out what has left, in the order of the throws up to the first stone inside that is
    /// awake: a quirk of the original.
    fn remove<R: Recorder>(&mut self, recorder: &mut R) {
        let mut i = 0;
        while i < self.len {
            let body = self.bodies[i];
            if let Some(why) = body.off() {
                self.take_out(i, why, recorder);
            } else if body.moves() || body.rest < SLEEP {
                return;
            } else {
                i += 1;
            }
        }
    }

    fn take_out<R: Recorder>(&mut self, i: usize, why: Out, recorder: &mut R) {
        let body = self.bodies[i];
        let time = f64::from(self.step) * STEP;
        if R::SIGHTINGS {
            sighting(time, &body, recorder);
        }
        self.result.removed |= 1 << body.index;
        recorder.out(time, body.stone(), body.place, why);
        self.bodies.copy_within(i + 1..self.len, i);
        self.len -= 1;
        // Indices have shifted: the next step finds its pairs afresh.
        self.touches.clear();
    }

    /// At the end every stone off the sheet goes, and the thrown one also outside the play area.
    fn settle<R: Recorder>(mut self, board: &mut Board, recorder: &mut R) -> Delivered {
        *board = Board::EMPTY;
        for i in (0..self.len).rev() {
            let body = self.bodies[i];
            let short = body.index == self.thrown && body.place[1] <= PLAY_FRONT;
            if let Some(why) = body.off().or(short.then_some(Out::Hog)) {
                self.take_out(i, why, recorder);
            } else {
                let point = crate::board::Point::new(body.place[0] as f32, body.place[1] as f32);
                board.put(body.stone(), point);
            }
        }
        self.result
    }

    fn sight<R: Recorder>(&self, recorder: &mut R) {
        if R::SIGHTINGS {
            for body in self.live() {
                sighting(f64::from(self.step) * STEP, body, recorder);
            }
        }
    }

    /// Shows the moving stones within a jump.
    fn sight_along<R: Recorder>(&self, steps: u32, recorder: &mut R) {
        for body in self.live().iter().filter(|b| b.moves()) {
            let last = body.steps_to_rest();
            let mut at = SIGHT;
            while at < steps.min(last) {
                let mut later = *body;
                later.jump(at);
                sighting(f64::from(self.step + at) * STEP, &later, recorder);
                at += SIGHT;
            }
            let end = steps.min(last);
            let mut later = *body;
            later.jump(end);
            sighting(f64::from(self.step + end) * STEP, &later, recorder);
        }
    }
}

fn sighting<R: Recorder>(time: f64, body: &Body, recorder: &mut R) {
    recorder.sighting(&Sighting {
        time,
        stone: body.stone(),
        place: body.place,
        velocity: body.motion(),
    });
}

fn overlap(a: &Body, b: &Body) -> f64 {
    CONTACT - length([b.place[0] - a.place[0], b.place[1] - a.place[1]])
}

/// The force of friction, with what it adds to turn the heading, on a moving stone; a little more,
/// for the turn grows at the very end.
const FORCE: f64 = DECELERATION * 1.01;

/// When `gap` can be closed at the earliest by what approaches at `speed` under acceleration of at
/// most `force`.
#[inline]
fn time_to_close(gap: f64, speed: f64, force: f64) -> f64 {
    2.0 * gap / (speed + (speed * speed + 2.0 * force * gap).sqrt())
}

/// A lower bound on the time until two stones touch; none when neither moves.
#[inline]
fn time_apart(a: &Body, b: &Body) -> f64 {
    let force = match (a.moves(), b.moves()) {
        (false, false) => {
            let awake = a.rest.min(b.rest) < SLEEP;
            return if awake && overlap(a, b) > SLOP + 1e-5 {
                0.0
            } else {
                f64::INFINITY
            };
        }
        (true, true) => 2.0 * FORCE,
        _ => FORCE,
    };
    let d = [b.place[0] - a.place[0], b.place[1] - a.place[1]];
    let distance = length(d);
    let gap = distance - CONTACT;
    if gap <= 0.0 {
        return 0.0;
    }
    let u = [b.velocity[0] - a.velocity[0], b.velocity[1] - a.velocity[1]];
    // Three bounds: speeds only fall; approach along the line of centres; the miss of straight paths.
    let slowest = gap / (length(a.velocity) + length(b.velocity));
    let approach = -(d[0] * u[0] + d[1] * u[1]) / distance;
    let radial = time_to_close(gap, approach, force);
    let miss = (d[0] * u[1] - d[1] * u[0]).abs() / length(u) - CONTACT;
    let passing = if miss > 0.0 {
        (2.0 * miss / force).sqrt()
    } else {
        0.0
    };
    slowest.max(radial).max(passing)
}

/// A lower bound on the time until a moving stone leaves the sheet; none when it is off already.
#[inline]
fn time_inside(body: &Body) -> f64 {
    let ([x, y], [vx, vy]) = (body.place, body.velocity);
    let speed = length(body.velocity);
    let sides = [
        (HALF_WIDTH - x, vx),
        (HALF_WIDTH + x, -vx),
        (BACK - y, vy),
        (y - FRONT, -vy),
    ];
    sides
        .into_iter()
        .map(|(gap, towards)| {
            let gap = gap.max(0.0);
            (gap / speed).max(time_to_close(gap, towards, FORCE))
        })
        .fold(f64::INFINITY, f64::min)
}
