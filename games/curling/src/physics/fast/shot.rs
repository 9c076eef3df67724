//! A shot from event to event: [`Shot`].

use crate::board::{Board, Point, STONES, Stone};
use crate::geometry::{CONTACT, HOG_LINE, STONE_RADIUS};
use crate::physics::fast::events::{End, meets_moving, meets_resting, outside, own_end};
use crate::physics::fast::impulse::Touches;
use crate::physics::fast::motion::{Body, Track, dot, minus};
use crate::physics::path::{Path, Vector};
use crate::physics::{Contact, Delivered, Out, Recorder, Sighting};
use crate::release::Release;

/// How long after they touch stones push each other, s: the official simulator looks once a
/// millisecond, so on average half of one later.
const DELAY: f64 = 0.0005;
/// Stones this close to a contact take part in it, m: places are in single precision.
const FROZEN: f64 = 1e-5;
/// No shot has a hundredth of this many.
const MOST_EVENTS: u32 = 20_000;
/// Between sightings, s.
const WATCH: f64 = 0.25;

const NEVER: f64 = f64::INFINITY;

/// The stones during a shot.
pub(crate) struct Shot<'a, R> {
    path: &'a Path,
    recorder: &'a mut R,
    live: u16,
    moving: u16,
    /// Where the stones at rest are.
    place: [Vector; STONES],
    track: [Track; STONES],
    /// What each moving stone comes to by itself.
    own: [(f64, Option<End>); STONES],
    /// The first touch of each moving stone, and with which.
    meet: [(f64, usize); STONES],
    result: Delivered,
}

fn bits(mut mask: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let i = mask.trailing_zeros() as usize;
        (i < STONES).then(|| {
            mask &= mask - 1;
            i
        })
    })
}

fn seen([ahead, left]: Vector) -> [f64; 2] {
    [-left, ahead]
}

fn motion(body: &Body) -> [f64; 3] {
    let [x, y] = seen(body.velocity);
    [x, y, body.spin]
}

impl<'a, R: Recorder> Shot<'a, R> {
    /// The board with the stone in the hack; what lies outside goes at once.
    pub(crate) fn new(
        path: &'a Path,
        board: &Board,
        stone: Stone,
        release: Release,
        recorder: &'a mut R,
    ) -> Self {
        let mut shot = Self {
            path,
            recorder,
            live: 0,
            moving: 0,
            place: [[0.0; 2]; STONES],
            track: [Track::default(); STONES],
            own: [(NEVER, None); STONES],
            meet: [(NEVER, STONES); STONES],
            result: Delivered::default(),
        };
        for (other, point) in board.stones().filter(|(other, _)| *other != stone) {
            let place = [f64::from(point.y), -f64::from(point.x)];
            shot.place[other.index()] = place;
            shot.live |= 1 << other.index();
            if let Some(why) = outside(place) {
                shot.remove(0.0, other.index(), place, why);
            }
        }
        shot.live |= 1 << stone.index();
        let body = Body {
            place: [0.0, 0.0],
            velocity: [release.vy, -release.vx],
            spin: release.omega,
        };
        shot.start(stone.index(), &body, 0.0);
        shot
    }

    /// Runs it to the end and leaves what is in play on `board`.
    pub(crate) fn run(mut self, board: &mut Board) -> Delivered {
        self.expect(self.moving, 0.0);
        let mut events = 0;
        while let Some((time, i, meets)) = self.next() {
            events += 1;
            if events > MOST_EVENTS {
                self.give_up(time);
                break;
            }
            if meets {
                self.collide(time + DELAY, i);
            } else {
                self.end(time, i);
            }
        }
        self.settle(board)
    }

    /// The next event: when, of which stone, whether with another.
    fn next(&self) -> Option<(f64, usize, bool)> {
        let mut first = (NEVER, 0, false);
        for i in bits(self.moving) {
            if self.own[i].0 < first.0 {
                first = (self.own[i].0, i, false);
            }
            if self.meet[i].0 < first.0 {
                first = (self.meet[i].0, i, true);
            }
        }
        (first.0 < NEVER).then_some(first)
    }

    /// Sets a stone going, or lays it down.
    fn start(&mut self, i: usize, body: &Body, now: f64) {
        self.place[i] = body.place;
        if let Some(track) = Track::new(self.path, body, now) {
            self.track[i] = track;
            self.moving |= 1 << i;
            self.result.seconds = self.result.seconds.max(now);
        } else {
            self.moving &= !(1 << i);
        }
    }

    /// Works out what comes next for the stones in `changed`, and for the others with them.
    fn expect(&mut self, changed: u16, now: f64) {
        for i in bits(changed & self.moving) {
            self.own[i] = match own_end(self.path, &self.track[i], now) {
                Some((time, end)) => (time, Some(end)),
                None => (NEVER, None),
            };
        }
        for i in bits(self.moving) {
            let partner = self.meet[i].1;
            let anew = changed >> i & 1 == 1 || partner < STONES && changed >> partner & 1 == 1;
            let others = if anew {
                self.meet[i] = (NEVER, STONES);
                self.live
            } else {
                changed & self.live
            };
            for j in bits(others & !(1 << i)) {
                if let Some(time) = self.touch(i, j, now)
                    && time < self.meet[i].0
                {
                    self.meet[i] = (time, j);
                }
            }
        }
    }

    /// When moving stone `i` touches `j`, if neither comes to anything else first.
    fn touch(&self, i: usize, j: usize, now: f64) -> Option<f64> {
        let until = self.own[i].0.min(self.meet[i].0);
        if self.moving >> j & 1 == 0 {
            return meets_resting(self.path, &self.track[i], now, until, self.place[j]);
        }
        let until = until.min(self.own[j].0);
        meets_moving(self.path, (&self.track[i], &self.track[j]), now, until)
    }

    fn body(&self, i: usize, time: f64) -> Body {
        if self.moving >> i & 1 == 1 {
            self.track[i].body(self.path, time)
        } else {
            Body {
                place: self.place[i],
                ..Body::default()
            }
        }
    }

    fn end(&mut self, time: f64, i: usize) {
        let mut body = self.body(i, time);
        self.watch(i, time);
        match self.own[i].1 {
            Some(End::Leaves(why)) => {
                self.result.seconds = self.result.seconds.max(time);
                self.remove(time, i, body.place, why);
                self.forget(1 << i, time);
            }
            _ => {
                body.spin = 0.0;
                self.start(i, &body, time);
                self.expect(1 << i, time);
            }
        }
    }

    /// Those that were to meet one of `gone` look again.
    fn forget(&mut self, gone: u16, now: f64) {
        let mut again = 0;
        for i in bits(self.moving) {
            let partner = self.meet[i].1;
            if partner < STONES && gone >> partner & 1 == 1 {
                again |= 1 << i;
            }
        }
        self.expect(again, now);
    }

    /// Stone `i` touches its partner: all that touch then push each other.
    fn collide(&mut self, time: f64, i: usize) {
        let mut bodies = [Body::default(); STONES];
        for k in bits(self.live) {
            bodies[k] = self.body(k, time);
        }
        // The contacts that hang together with this one.
        let mut group = 1_u16 << i | 1 << self.meet[i].1;
        let close = |a: usize, b: usize| {
            let d = minus(bodies[a].place, bodies[b].place);
            dot(d, d) <= (CONTACT + FROZEN) * (CONTACT + FROZEN)
        };
        let mut open = group;
        while open != 0 {
            let a = open.trailing_zeros() as usize;
            open &= open - 1;
            for b in bits(self.live & !group) {
                if close(a, b) {
                    group |= 1 << b;
                    open |= 1 << b;
                }
            }
        }
        let mut touches = Touches::new();
        for a in bits(group) {
            for b in bits(group).filter(|b| *b > a) {
                if close(a, b) {
                    touches.push(&bodies, a, b);
                }
            }
        }
        self.result.cut_short |= touches.full;
        let before = bodies;
        touches.solve(&mut bodies);
        let mut changed = 0_u16;
        for touch in touches.live().iter().filter(|touch| touch.push > 0.0) {
            self.result.contacts += 1;
            changed |= 1 << touch.a | 1 << touch.b;
            if R::CONTACTS {
                let pair = [touch.a, touch.b];
                self.recorder.contact(&Contact {
                    time,
                    stones: pair.map(Stone::new),
                    places: pair.map(|k| seen(bodies[k].place)),
                    before: pair.map(|k| motion(&before[k])),
                    after: pair.map(|k| motion(&bodies[k])),
                });
            }
        }
        changed |= 1 << i | 1 << self.meet[i].1;
        for k in bits(changed) {
            if self.moving >> k & 1 == 1 {
                self.watch(k, time);
            }
            self.start(k, &bodies[k], time);
        }
        self.expect(changed, time);
    }

    fn remove(&mut self, time: f64, i: usize, place: Vector, why: Out) {
        self.live &= !(1 << i);
        self.moving &= !(1 << i);
        self.result.removed |= 1 << i;
        self.recorder.out(time, Stone::new(i), seen(place), why);
    }

    /// Shows the path of a stone that ends now.
    fn watch(&mut self, i: usize, until: f64) {
        if !R::SIGHTINGS {
            return;
        }
        let start = self.track[i].start;
        let pieces = ((until - start) / WATCH).ceil().max(1.0);
        for k in 0..=pieces as u32 {
            let time = start + (until - start) * (f64::from(k) / pieces);
            let body = self.track[i].body(self.path, time);
            self.recorder.sighting(&Sighting {
                time,
                stone: Stone::new(i),
                place: seen(body.place),
                velocity: motion(&body),
            });
        }
    }

    fn give_up(&mut self, time: f64) {
        for i in bits(self.moving) {
            self.place[i] = self.body(i, time).place;
        }
        self.moving = 0;
        self.result.cut_short = true;
        self.result.seconds = time;
    }

    fn settle(mut self, board: &mut Board) -> Delivered {
        for i in bits(self.moving) {
            let end = self.track[i].end;
            self.watch(i, end);
            self.place[i] = self.track[i].stop;
            self.result.seconds = self.result.seconds.max(end);
        }
        *board = Board::EMPTY;
        for i in bits(self.live) {
            let [x, y] = seen(self.place[i]);
            if y - STONE_RADIUS > HOG_LINE {
                board.put(Stone::new(i), Point::new(x as f32, y as f32));
            } else {
                let seconds = self.result.seconds;
                self.remove(seconds, i, self.place[i], Out::Hog);
            }
        }
        self.result
    }
}
