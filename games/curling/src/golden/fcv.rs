//! How far a model is from the official simulator in one shot.

use super::row::{self, Collisions, Inverse, Traj, distance};
use crate::board::{Board, Point, STONES, Stone};
use crate::geometry::STONE_MASS;
use crate::physics::fcv1::{Fcv1, Lone, RATE};
use crate::physics::{Contact, Out, Recorder, Sighting, Simulator};
use crate::release::{Release, Spin};

/// All that a shot did.
#[derive(Debug, Default)]
struct Log {
    contacts: Vec<Contact>,
    outs: Vec<(f64, Stone, [f64; 2], Out)>,
    sightings: Vec<Sighting>,
}

impl Recorder for Log {
    fn sighting(&mut self, sighting: &Sighting) {
        self.sightings.push(*sighting);
    }
    fn contact(&mut self, contact: &Contact) {
        self.contacts.push(*contact);
    }
    fn out(&mut self, time: f64, stone: Stone, place: [f64; 2], why: Out) {
        self.outs.push((time, stone, place, why));
    }
}

/// A stone on endless ice, step by step, against a row: how far apart they are.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Steps {
    /// Metres at the end.
    pub end: f64,
    /// Metres, worst of the places on the way.
    pub path: f64,
    /// Metres or radians a second, worst of the velocities on the way.
    pub velocity: f64,
    /// Steps, worst of the two times of rest.
    pub time: f64,
}

/// Steps as the official simulator does.
pub(super) fn steps(row: &Traj) -> Steps {
    let mut lone = Lone::new(row::release(row.v0, row.omega0));
    let mut worst = Steps::default();
    let (mut straight, mut all) = (None, None);
    let mut samples = row.path.iter().peekable();
    for step in 1..200 * RATE {
        lone.step();
        let (place, motion) = lone.seen();
        while let Some(s) = samples.next_if(|s| libm::round(s[0] * f64::from(RATE)) as u32 <= step)
        {
            worst.path = worst.path.max(distance(place, [s[1], s[2]]));
            for k in 0..3 {
                worst.velocity = worst.velocity.max((motion[k] - s[3 + k]).abs());
            }
        }
        let time = f64::from(step) / f64::from(RATE);
        let (slow, still) = lone.stopped();
        straight = straight.or(slow.then_some(time));
        all = all.or(still.then_some(time));
        if all.is_some() && samples.peek().is_none() {
            break;
        }
    }
    worst.end = distance(lone.seen().0, row.end);
    let off = |time: Option<f64>, asked: f64| {
        time.map_or(f64::INFINITY, |t| (t - asked).abs() * f64::from(RATE))
    };
    worst.time = off(straight, row.t_lin_stop).max(off(all, row.t_all_stop));
    worst
}

/// One stone thrown at an empty sheet, against a row.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Single {
    /// Metres at the end; where the row's stone goes over a line, by the way to the stopping point on
    /// endless ice. Not a number when the model has no word on it: a spin that dies on the way.
    pub end: f64,
    /// Metres, worst of the places on the way until it leaves.
    pub path: f64,
    /// Seconds, of leaving or of coming to rest.
    pub time: f64,
    /// Why it left, `hog` when it stopped short.
    pub out: Option<Out>,
}

/// Throws the stone of a row.
pub(super) fn single(model: &impl Simulator, row: &Traj) -> Single {
    let release = row::release(row.v0, row.omega0);
    let mut log = Log::default();
    let mut board = Board::EMPTY;
    let delivered = model.deliver(&mut board, Stone::new(0), release, &mut log);
    let left = log.outs.first().copied();
    let end = match (board.get(Stone::new(0)), left) {
        (Some(point), _) => distance(pair(point), row.end),
        (None, Some((_, _, place, Out::Hog))) => distance(place, row.end),
        _ if row.omega0.abs() >= Spin::Ccw.sign() * 1.5 => {
            distance(pair(model.stopping_point(release)), row.end)
        }
        _ => f64::NAN,
    };
    let leaves = row.out_of_sheet.is_some();
    let until = if leaves { row.t_out } else { row.t_lin_stop };
    let path = row
        .path
        .iter()
        .filter(|s| s[0] < until - 0.01)
        .filter_map(|s| Some(distance(place_at(&log.sightings, s[0])?, [s[1], s[2]])))
        .fold(0.0, f64::max);
    let time = match left {
        Some((time, _, _, Out::Side | Out::Back | Out::Near)) => (time - row.t_out).abs(),
        // The spin of a resting stone counts or not by the model.
        _ => (delivered.seconds - row.t_lin_stop)
            .abs()
            .min((delivered.seconds - row.t_all_stop).abs()),
    };
    Single {
        end,
        path,
        time,
        out: left.map(|l| l.3),
    }
}

/// Where the stone was at a time, by cubic Hermite interpolation between sightings.
fn place_at(sightings: &[Sighting], time: f64) -> Option<[f64; 2]> {
    let after = sightings.iter().position(|s| s.time >= time)?;
    let (a, b) = (sightings.get(after.checked_sub(1)?)?, &sightings[after]);
    let h = b.time - a.time;
    if h <= 0.0 {
        return Some(b.place);
    }
    let u = (time - a.time) / h;
    let w = 1.0 - u;
    Some([0, 1].map(|k| {
        w * w * ((1.0 + 2.0 * u) * a.place[k] + u * h * a.velocity[k])
            + u * u * ((3.0 - 2.0 * u) * b.place[k] - w * h * b.velocity[k])
    }))
}

fn pair(point: Point) -> [f64; 2] {
    [point.x.into(), point.y.into()]
}

/// A stone thrown at others, against a row.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Throw {
    /// Metres, worst of the stones in play in both.
    pub place: f64,
    /// Stones in play in one and out in the other.
    pub flips: u32,
    /// Contacts, less those of the row.
    pub contacts: i64,
    /// Seconds until all is at rest, how far from the row's.
    pub time: f64,
    /// Removals whose reason differs.
    pub reasons: u32,
    /// Seconds and metres, worst of the removals of the same stones.
    pub removal: (f64, f64),
    /// The first contact, where both met the same stones.
    pub first: Option<Meeting>,
    /// Seconds, worst of all contacts when the same stones met in the same order.
    pub events: Option<f64>,
}

/// How far two first contacts are apart.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Meeting {
    /// Seconds.
    pub time: f64,
    /// Metres, worst of the two places.
    pub place: f64,
    /// Worst of the velocities before, m/s and rad/s. The rows take them before the friction of the
    /// step.
    pub before: f64,
    /// Worst of the velocities after.
    pub after: f64,
    /// Newton seconds, normal and tangential.
    pub impulse: f64,
}

/// Throws the stone of a row at the others.
pub(super) fn throw(model: &impl Simulator, row: &Collisions) -> Result<Throw, String> {
    let mut board = row::board(&row.before)?;
    let shooter = row::stone(row.shooter)?;
    if row.end.len() != STONES {
        return Err(format!("{} stones at the end", row.end.len()));
    }
    let mut log = Log::default();
    let release = row::release(row.v0, row.omega0);
    let delivered = model.deliver(&mut board, shooter, release, &mut log);
    let mut result = Throw {
        contacts: i64::from(delivered.contacts) - i64::from(row.n_contacts),
        time: (delivered.seconds - row.t_all_stop).abs(),
        ..Throw::default()
    };
    for (index, end) in row.end.iter().enumerate() {
        match (board.get(Stone::new(index)), end) {
            (Some(point), Some(end)) => {
                result.place = result.place.max(distance(pair(point), *end));
            }
            (None, None) => {}
            _ => result.flips += 1,
        }
    }
    for (time, stone, place, why) in &log.outs {
        let Some(theirs) = row.removed.get(&stone.index().to_string()) else {
            continue;
        };
        result.reasons += u32::from(theirs.why != row::why(*why));
        result.removal.0 = result.removal.0.max((time - theirs.t).abs());
        result.removal.1 = result.removal.1.max(distance(*place, theirs.at));
    }
    result.first = first(row, &log.contacts);
    result.events = events(row, &log.contacts);
    Ok(result)
}

fn events(row: &Collisions, contacts: &[Contact]) -> Option<f64> {
    let same = |e: &(f64, usize, usize, f64, f64), c: &Contact| {
        let mut met = c.stones.map(Stone::index);
        met.sort_unstable();
        met == [e.1.min(e.2), e.1.max(e.2)]
    };
    let all = row.events.len() == contacts.len()
        && row.events.iter().zip(contacts).all(|(e, c)| same(e, c));
    all.then(|| {
        row.events
            .iter()
            .zip(contacts)
            .map(|(e, c)| late(e.0, c))
            .fold(0.0, f64::max)
    })
}

/// Seconds between a contact and its time in a row, which is that of the end of its step.
fn late(time: f64, contact: &Contact) -> f64 {
    (time - contact.time - 1.0 / f64::from(RATE)).abs()
}

fn first(row: &Collisions, contacts: &[Contact]) -> Option<Meeting> {
    let (theirs, ours) = (row.first.as_ref()?, contacts.first()?);
    let met = ours.stones.map(Stone::index);
    let order = if met == [theirs.a, theirs.b] {
        [0, 1]
    } else if met == [theirs.b, theirs.a] {
        [1, 0]
    } else {
        return None;
    };
    let mut result = Meeting {
        time: row.events.first().map_or(0.0, |e| late(e.0, ours)),
        ..Meeting::default()
    };
    let sides = [(theirs.a_pre, theirs.a_post), (theirs.b_pre, theirs.b_post)];
    for (k, (pre, post)) in order.into_iter().zip(sides) {
        result.place = result.place.max(distance(ours.places[k], [pre[0], pre[1]]));
        let apart = |ours: &[f64; 3], theirs: &[f64]| {
            ours.iter()
                .zip(theirs)
                .map(|(a, b)| (a - b).abs())
                .fold(0.0, f64::max)
        };
        result.before = result.before.max(apart(&ours.before[k], &pre[2..]));
        result.after = result.after.max(apart(&ours.after[k], &post[2..]));
    }
    let (jn, jt) = impulse(ours);
    result.impulse = (jn - theirs.jn).abs().max((jt - theirs.jt).abs());
    Some(result)
}

/// Normal and tangential impulse of a contact, from the change of the velocities.
fn impulse(contact: &Contact) -> (f64, f64) {
    let [a, b] = contact.places;
    let length = distance(a, b);
    let n = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
    let j = [0, 1].map(|k| STONE_MASS * (contact.after[1][k] - contact.before[1][k]));
    (j[0] * n[0] + j[1] * n[1], j[0] * n[1] - j[1] * n[0])
}

/// How to throw so that a stone stops or passes somewhere, against a row.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Aim {
    /// m/s between our release and the row's.
    pub release: f64,
    /// Metres by which our release misses the target in the same model.
    pub residual: f64,
    /// m/s by which it passes the target too fast or too slow.
    pub speed: f64,
}

/// Aims at the target of a row and throws, on an empty sheet.
pub(super) fn aim(model: &impl Simulator, row: &Inverse) -> Result<Aim, String> {
    let spin = if row.omega0 < 0.0 {
        Spin::Cw
    } else {
        Spin::Ccw
    };
    let target = Point::new(row.target[0], row.target[1]);
    let release = if row.end_speed > 0.0 {
        model.pass_through(target, row.end_speed, spin)
    } else {
        model.stop_at(target, spin)
    };
    let release = release.ok_or("no release was found where there is one")?;
    let (residual, speed) = miss(model, release, pair(target), row.end_speed);
    Ok(Aim {
        release: distance([release.vx, release.vy], row.v0),
        residual,
        speed,
    })
}

/// How far the miss of the row's own release, stepped as the official simulator does, is from the miss
/// that the row states.
pub(super) fn own_miss(row: &Inverse) -> f64 {
    let target = [row.target[0].into(), row.target[1].into()];
    let release = row::release(row.v0, row.omega0);
    let (miss, _) = miss(&Fcv1::new(), release, target, row.end_speed);
    (miss - row.residual_m).abs()
}

/// How near a release comes to a target, and by how much its speed there differs.
fn miss(model: &impl Simulator, release: Release, target: [f64; 2], speed: f64) -> (f64, f64) {
    let mut log = Log::default();
    let mut board = Board::EMPTY;
    let _ = model.deliver(&mut board, Stone::new(0), release, &mut log);
    if speed == 0.0 {
        let stops = board.get(Stone::new(0)).map(pair);
        let last = || log.outs.last().map(|o| o.2);
        let off = stops
            .or_else(last)
            .map_or(f64::INFINITY, |p| distance(p, target));
        return (off, 0.0);
    }
    // The nearest point of the path: halve the step around the best of a fine grid.
    let last = log.sightings.last().map_or(0.0, |s| s.time);
    let off = |t: f64| place_at(&log.sightings, t).map_or(f64::INFINITY, |p| distance(p, target));
    let (mut best, mut step) = (0.0, last / 2000.0);
    for i in 1..2000 {
        let t = f64::from(i) * step;
        if off(t) < off(best) {
            best = t;
        }
    }
    while step > 1e-7 {
        step *= 0.5;
        for t in [best - step, best + step] {
            if off(t) < off(best) {
                best = t;
            }
        }
    }
    let at = |t: f64| place_at(&log.sightings, t).unwrap_or(target);
    // Wide enough to drown single precision, narrow enough for a steady slowing.
    let passing = distance(at(best - 0.05), at(best + 0.05)) / 0.1;
    (off(best), (passing - speed).abs())
}
