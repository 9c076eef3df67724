//! A shot from event to event: [`Shot`].

use crate::board::{Board, Point, STONES, Stone};
use crate::geometry::{CONTACT, HOG_LINE, STONE_RADIUS};
use crate::physics::fast::events::{End, meets_moving, meets_resting, outside, own_end};
use crate::physics::fast::impulse::{Touch, Touches};
use crate::physics::fast::motion::{Body, Track, dot, minus};
use crate::physics::path::{Path, Vector};
use crate::physics::{Contact, Delivered, Out, Recorder, Sighting};
use crate::release::Release;

/// How long after they touch stones push each other, s: the official simulator looks once a
/// millisecond, so on average half of one later.
pub(super) const DELAY: f64 = 0.0005;
/// Stones this close to a contact take part in it, m: places are in single precision.
const FROZEN: f64 = 1e-5;
/// No shot has a hundredth of this many.
const MOST_EVENTS: u32 = 20_000;
/// Between sightings, s.
const WATCH: f64 = 0.25;

const NEVER: f64 = f64::INFINITY;

/// The stones during a shot.
struct Shot<'a, R> {
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

fn close(a: Vector, b: Vector) -> bool {
    let d = minus(a, b);
    dot(d, d) <= (CONTACT + FROZEN) * (CONTACT + FROZEN)
}

fn seen([ahead, left]: Vector) -> [f64; 2] {
    [-left, ahead]
}

fn motion(body: &Body) -> [f64; 3] {
    let [x, y] = seen(body.velocity);
    [x, y, body.spin]
}

/// The stones at rest before a shot.
#[derive(Clone, Copy)]
struct Resting {
    live: u16,
    place: [Vector; STONES],
    /// Whether one of them lies where stones are taken out of play.
    astray: bool,
}

impl Resting {
    fn new(board: &Board, thrown: Stone) -> Self {
        let mut resting = Self {
            live: board.mask() & !(1 << thrown.index()),
            place: [[0.0; 2]; STONES],
            astray: false,
        };
        for (stone, point) in board.stones() {
            let place = [f64::from(point.y), -f64::from(point.x)];
            resting.place[stone.index()] = place;
            resting.astray |= stone != thrown && (outside(place).is_some() || short(place));
        }
        resting
    }
}

/// Whether a stone that rests there has not wholly crossed the hog line.
fn short([ahead, _]: Vector) -> bool {
    ahead - STONE_RADIUS <= HOG_LINE
}

fn point(place: Vector) -> Point {
    let [x, y] = seen(place);
    Point::new(x as f32, y as f32)
}

/// Throws a stone and leaves on `board` what is in play at the end.
pub(crate) fn throw<R: Recorder>(
    path: &Path,
    board: &mut Board,
    stone: Stone,
    release: Release,
    recorder: &mut R,
) -> Delivered {
    let resting = Resting::new(board, stone);
    let body = Body {
        place: [0.0, 0.0],
        velocity: [release.vy, -release.vx],
        spin: release.omega,
    };
    let track = Track::new(path, &body, 0.0);
    let Some(track) = track.filter(|_| !resting.astray) else {
        return Shot::new(path, resting, recorder).run(board, stone.index(), &body);
    };
    // Most shots of a search meet nothing or one stone: no need to set up the rest for those.
    let mut meet = (NEVER, STONES);
    for j in bits(resting.live) {
        if let Some(time) = meets_resting(path, &track, 0.0, meet.0, resting.place[j])
            && time < meet.0
        {
            meet = (time, j);
        }
    }
    let own = own_end(path, &track, 0.0, meet.0);
    let (seconds, place, why) = match own {
        Some((time, End::Leaves(why))) => (time, track.at(path, time).0, Some(why)),
        None if meet.1 == STONES => {
            let why = short(track.stop).then_some(Out::Hog);
            (track.end, track.stop, why)
        }
        _ => {
            let mut shot = Shot::new(path, resting, recorder);
            shot.set_off(stone.index(), track, own, meet);
            return shot.finish(board);
        }
    };
    watch(path, &track, stone.index(), seconds, recorder);
    let mut removed = 0;
    if let Some(why) = why {
        board.remove(stone);
        removed = 1 << stone.index();
        recorder.out(seconds, stone, seen(place), why);
    } else {
        board.put(stone, point(place));
    }
    Delivered {
        seconds,
        removed,
        ..Delivered::default()
    }
}

/// Shows a path up to `until`.
fn watch<R: Recorder>(path: &Path, track: &Track, i: usize, until: f64, recorder: &mut R) {
    if !R::SIGHTINGS {
        return;
    }
    let length = until - track.start;
    let pieces = (length / WATCH).ceil().max(1.0);
    for k in 0..=pieces as u32 {
        let time = track.start + length * (f64::from(k) / pieces);
        let body = track.body(path, time);
        recorder.sighting(&Sighting {
            time,
            stone: Stone::new(i),
            place: seen(body.place),
            velocity: motion(&body),
        });
    }
}

impl<'a, R: Recorder> Shot<'a, R> {
    fn new(path: &'a Path, resting: Resting, recorder: &'a mut R) -> Self {
        Self {
            path,
            recorder,
            live: resting.live,
            moving: 0,
            place: resting.place,
            track: [Track::default(); STONES],
            own: [(NEVER, None); STONES],
            meet: [(NEVER, STONES); STONES],
            result: Delivered::default(),
        }
    }

    /// Sets stone `i` off on a path of which the first events are known.
    fn set_off(&mut self, i: usize, track: Track, own: Option<(f64, End)>, meet: (f64, usize)) {
        self.live |= 1 << i;
        self.moving |= 1 << i;
        self.track[i] = track;
        self.own[i] = own.map_or((NEVER, None), |(time, end)| (time, Some(end)));
        self.meet[i] = meet;
    }

    /// Throws stone `i` among stones that may lie anywhere: what is outside goes at once.
    fn run(mut self, board: &mut Board, i: usize, body: &Body) -> Delivered {
        for k in bits(self.live) {
            if let Some(why) = outside(self.place[k]) {
                self.remove(0.0, k, self.place[k], why);
            }
        }
        self.live |= 1 << i;
        self.start(i, body, 0.0);
        self.expect(1 << i, 0.0);
        self.finish(board)
    }

    /// Goes from event to event to the end and leaves what is in play on `board`.
    fn finish(mut self, board: &mut Board) -> Delivered {
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
            if anew {
                // Where it will not get is not looked at: should it not meet that stone after all,
                // it comes here again.
                let own = own_end(self.path, &self.track[i], now, self.meet[i].0);
                self.own[i] = own.map_or((NEVER, None), |(time, end)| (time, Some(end)));
            }
        }
    }

    /// When moving stone `i` touches `j` if nothing else happens to either, and before `i` touches
    /// what it is known to touch.
    fn touch(&self, i: usize, j: usize, now: f64) -> Option<f64> {
        let (track, until) = (&self.track[i], self.meet[i].0);
        if self.moving >> j & 1 == 0 {
            return meets_resting(self.path, track, now, until, self.place[j]);
        }
        meets_moving(self.path, (track, &self.track[j]), now, until)
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
        watch(self.path, &self.track[i], i, time, self.recorder);
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
        let j = self.meet[i].1;
        let mut bodies = [Body::default(); STONES];
        bodies[i] = self.body(i, time);
        bodies[j] = self.body(j, time);
        let pair = 1_u16 << i | 1 << j;
        let mut group = pair;
        let mut open = group;
        // The contacts that hang together with this one.
        while open != 0 {
            let a = open.trailing_zeros() as usize;
            open &= open - 1;
            for b in bits(self.live & !group) {
                let place = if self.moving >> b & 1 == 1 {
                    self.track[b].at(self.path, time).0
                } else {
                    self.place[b]
                };
                if close(bodies[a].place, place) {
                    bodies[b] = self.body(b, time);
                    group |= 1 << b;
                    open |= 1 << b;
                }
            }
        }
        let changed = if group == pair {
            self.push_pair(time, [i.min(j), i.max(j)], &mut bodies)
        } else {
            self.push_group(time, group, &mut bodies)
        };
        let changed = changed | pair;
        for k in bits(changed) {
            if self.moving >> k & 1 == 1 {
                watch(self.path, &self.track[k], k, time, self.recorder);
            }
            self.start(k, &bodies[k], time);
        }
        self.expect(changed, time);
    }

    fn push_pair(&mut self, time: f64, [a, b]: [usize; 2], bodies: &mut [Body; STONES]) -> u16 {
        let before = [bodies[a], bodies[b]];
        let touch = Touch::alone(bodies, a, b);
        self.report(time, &touch, before, bodies)
    }

    fn push_group(&mut self, time: f64, group: u16, bodies: &mut [Body; STONES]) -> u16 {
        let mut touches = Touches::new();
        for a in bits(group) {
            for b in bits(group).filter(|b| *b > a) {
                if close(bodies[a].place, bodies[b].place) {
                    touches.push(bodies, a, b);
                }
            }
        }
        self.result.cut_short |= touches.full;
        let before = *bodies;
        touches.solve(bodies);
        let mut changed = 0;
        for touch in touches.live() {
            changed |= self.report(time, touch, [before[touch.a], before[touch.b]], bodies);
        }
        changed
    }

    /// Counts a contact, if the stones did push each other, and says whose path it changed.
    fn report(
        &mut self,
        time: f64,
        touch: &Touch,
        before: [Body; 2],
        bodies: &[Body; STONES],
    ) -> u16 {
        if touch.push <= 0.0 {
            return 0;
        }
        self.result.contacts += 1;
        let pair = [touch.a, touch.b];
        if R::CONTACTS {
            self.recorder.contact(&Contact {
                time,
                stones: pair.map(Stone::new),
                places: before.map(|body| seen(body.place)),
                before: before.map(|body| motion(&body)),
                after: pair.map(|k| motion(&bodies[k])),
            });
        }
        1 << touch.a | 1 << touch.b
    }

    fn remove(&mut self, time: f64, i: usize, place: Vector, why: Out) {
        self.live &= !(1 << i);
        self.moving &= !(1 << i);
        self.result.removed |= 1 << i;
        self.recorder.out(time, Stone::new(i), seen(place), why);
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
            watch(self.path, &self.track[i], i, end, self.recorder);
            self.place[i] = self.track[i].stop;
            self.result.seconds = self.result.seconds.max(end);
        }
        *board = Board::EMPTY;
        for i in bits(self.live) {
            if short(self.place[i]) {
                let seconds = self.result.seconds;
                self.remove(seconds, i, self.place[i], Out::Hog);
            } else {
                board.put(Stone::new(i), point(self.place[i]));
            }
        }
        self.result
    }
}
