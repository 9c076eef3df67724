//! What a player calls for: [`Shot`].

use std::fmt;

use crate::board::{Board, Point, Stone, in_house};
use crate::game::Curling;
use crate::geometry::{BUTTON, CONTACT, TEE};
use crate::release::{Release, Spin};
use crate::shots::aim::{offset_for_struck, offset_for_thrown, right_of};
use crate::shots::paths::{Aim, Paths};
use crate::state::State;

/// Weight of a hit: m/s left at contact on the ice of Digital Curling 3.
pub const HIT: f64 = 1.5;
/// Weight of a peel.
pub const PEEL: f64 = 2.6;
/// Weight of a tick, which moves a guard aside and leaves it in play.
pub const TICK: f64 = 0.9;
/// Gap that a freeze leaves, in metres.
const FREEZE_GAP: f64 = 0.02;
/// How far a freeze goes round a stone at side 1, in radians.
const FREEZE_ROUND: f64 = 1.0;

/// The stone that removes the second one in a double take-out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carrier {
    /// The first stone is driven onto the second.
    Struck,
    /// The thrown stone rolls on to the second.
    Thrown,
}

/// A shot by name. Weights are in m/s left at contact on the ice of Digital Curling 3, whatever the
/// ice, and held to what can be thrown ([`Paths::held`]); offsets say how far to the right of a stone's centre the thrown one hits, in units of two
/// radii: 0 full, 0.5 half, 1 a graze.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shot {
    /// Stops at a place.
    Draw {
        /// Where.
        to: Point,
    },
    /// Stops in front of a stone, or of the button.
    Guard {
        /// The stone; `None` for the button.
        of: Option<Stone>,
        /// Metres between the centres.
        distance: f64,
    },
    /// Stops against a stone, on the thrower's side.
    Freeze {
        /// The stone.
        on: Stone,
        /// -1 (left) to 1 (right); 0 is straight in front.
        side: f64,
    },
    /// Hits a stone out.
    TakeOut {
        /// The stone.
        stone: Stone,
        /// Speed left at contact.
        weight: f64,
        /// -1 to 1.
        offset: f64,
    },
    /// Hits a guard aside so that it stays in play.
    Tick {
        /// The guard.
        stone: Stone,
        /// The side on which it is hit: negative is left, and then it goes to the right.
        side: f64,
    },
    /// Stops behind a stone, around it.
    ComeAround {
        /// The stone that covers.
        guard: Stone,
        /// Where.
        to: Point,
    },
    /// Drives a stone to a place.
    Raise {
        /// The stone.
        stone: Stone,
        /// Where it should stop.
        to: Point,
    },
    /// Hits two stones out.
    Double {
        /// The one that is hit first.
        first: Stone,
        /// The other.
        second: Stone,
        /// Which stone hits the second.
        by: Carrier,
    },
    /// Hits a stone and rolls from there to a place.
    HitAndRoll {
        /// The stone.
        stone: Stone,
        /// Where the thrown stone should stop.
        to: Point,
    },
    /// Through the house without touching anything.
    Through {
        /// Where it crosses the tee line.
        x: f32,
    },
}

impl Shot {
    /// The shot with this spin, by geometry alone; `None` when it cannot be thrown or a stone that it
    /// names is not there. Other stones on the way are not looked at: see [`Paths::clearance`].
    #[must_use]
    pub fn aim(&self, paths: &Paths, board: &Board, spin: Spin) -> Option<Aim> {
        match *self {
            Self::Draw { to } => paths.aim(to, 0.0, spin),
            Self::ComeAround { guard, to } => {
                board.get(guard)?;
                paths.aim(to, 0.0, spin)
            }
            Self::Guard { of, distance } => {
                let of = of.map_or(Some(Point::TEE), |stone| board.get(stone))?;
                paths.aim(before(of, distance, 0.0), 0.0, spin)
            }
            Self::Freeze { on, side } => {
                let to = before(board.get(on)?, CONTACT + FREEZE_GAP, side * FREEZE_ROUND);
                paths.aim(to, 0.0, spin)
            }
            Self::TakeOut {
                stone,
                weight,
                offset,
            } => paths.hit(board.get(stone)?, paths.held(weight), offset, spin),
            Self::Tick { stone, side } => {
                paths.hit(board.get(stone)?, TICK, 0.8_f64.copysign(side), spin)
            }
            Self::Raise { stone, to } => raise(paths, board.get(stone)?, to, 1.0, spin),
            Self::Double { first, second, by } => {
                double(paths, board.get(first)?, board.get(second)?, by, 0.0, spin)
            }
            Self::HitAndRoll { stone, to } => roll(paths, board.get(stone)?, to, spin),
            Self::Through { x } => paths.aim(Point::new(x, TEE as f32), paths.held(PEEL), spin),
        }
    }

    /// The shot with this spin, corrected by throwing it without noise where stones must go on from
    /// stones: doubles and raises, at most a dozen throws. As [`Shot::aim`] for the others.
    #[must_use]
    pub fn release(&self, game: &Curling, state: &State, spin: Spin) -> Option<Release> {
        let board = &state.board;
        match *self {
            Self::Double { first, second, by } => {
                let (p, q) = (board.get(first)?, board.get(second)?);
                let both = 1 << first.index() | 1 << second.index();
                middle_of_successes(game, state, both, |shift| {
                    double(game.paths(), p, q, by, shift, spin)
                })
            }
            Self::Raise { stone, to } => raise_by_trial(game, state, stone, to, spin),
            _ => self.aim(game.paths(), board, spin).map(|aim| aim.release()),
        }
    }

    /// The stones that the thrown one is meant to touch, one bit each.
    #[must_use]
    pub const fn touched(&self) -> u16 {
        match *self {
            Self::Freeze { on: stone, .. }
            | Self::TakeOut { stone, .. }
            | Self::Tick { stone, .. }
            | Self::Raise { stone, .. }
            | Self::HitAndRoll { stone, .. }
            | Self::Double { first: stone, .. } => 1 << stone.index(),
            _ => 0,
        }
    }

    /// The same shot in a mirror along the centre line.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::Draw { to } => Self::Draw { to: to.mirrored() },
            Self::ComeAround { guard, to } => Self::ComeAround {
                guard,
                to: to.mirrored(),
            },
            Self::Freeze { on, side } => Self::Freeze { on, side: -side },
            Self::TakeOut {
                stone,
                weight,
                offset,
            } => Self::TakeOut {
                stone,
                weight,
                offset: -offset,
            },
            Self::Tick { stone, side } => Self::Tick { stone, side: -side },
            Self::Raise { stone, to } => Self::Raise {
                stone,
                to: to.mirrored(),
            },
            Self::HitAndRoll { stone, to } => Self::HitAndRoll {
                stone,
                to: to.mirrored(),
            },
            Self::Through { x } => Self::Through { x: -x },
            Self::Guard { .. } | Self::Double { .. } => self,
        }
    }
}

/// The place this far from a point towards the thrower, turned to the right by an angle.
fn before(point: Point, distance: f64, right: f64) -> Point {
    let (sin, cos) = (libm::sin(right), libm::cos(right));
    Point::new(
        (f64::from(point.x) + distance * sin) as f32,
        (f64::from(point.y) - distance * cos) as f32,
    )
}

fn raise(paths: &Paths, stone: Point, to: Point, stretch: f64, spin: Spin) -> Option<Aim> {
    let start = paths.weight_for(stone.distance(to) * stretch);
    let mut weight = start;
    let mut aim = None;
    // The share of the speed that is passed on depends on the offset, and it on the weight.
    for _ in 0..2 {
        let slip = paths.slip(weight, spin);
        let offset = |heading| offset_for_struck(right_of(heading, stone, to), slip);
        let hit = paths.hit_by(stone, weight, spin, offset)?;
        let way = super::aim::after(offset(hit.heading)?, slip).struck;
        weight = start / (way.0 * way.0 + way.1 * way.1).sqrt();
        aim = paths.hit_by(stone, weight, spin, offset);
    }
    aim
}

/// `shift` is added to the offset on the first stone.
fn double(
    paths: &Paths,
    first: Point,
    second: Point,
    by: Carrier,
    shift: f64,
    spin: Spin,
) -> Option<Aim> {
    let weight = paths.held(PEEL);
    let slip = paths.slip(weight, spin);
    let bounded = |offset: f64| (offset.abs() <= super::aim::THINNEST).then_some(offset);
    match by {
        Carrier::Struck => paths.hit_by(first, weight, spin, |heading| {
            let offset = offset_for_struck(right_of(heading, first, second), slip)?;
            bounded(offset + shift)
        }),
        Carrier::Thrown => paths.hit_by(first, weight, spin, |heading| {
            // The way starts at the contact, which lies where the offset puts it.
            let mut offset = offset_for_thrown(right_of(heading, first, second))?;
            for _ in 0..3 {
                let from = super::aim::contact(first, heading, offset);
                offset = offset_for_thrown(right_of(heading, from, second))?;
            }
            bounded(offset + shift)
        }),
    }
}

fn roll(paths: &Paths, stone: Point, to: Point, spin: Spin) -> Option<Aim> {
    let mut weight = paths.held(HIT);
    let mut aim = paths.aim(stone, weight, spin)?;
    for _ in 0..3 {
        let slip = paths.slip(weight, spin);
        let mut from = aim.target;
        let mut offset = 0.0;
        for _ in 0..4 {
            offset = offset_for_thrown(right_of(aim.heading, from, to))?;
            from = super::aim::contact(stone, aim.heading, offset);
        }
        let way = super::aim::after(offset, slip).thrown;
        let share = (way.0 * way.0 + way.1 * way.1).sqrt();
        weight = paths.weight_for(from.distance(to)) / share;
        if !(0.8..=paths.held(3.0)).contains(&weight) {
            return None;
        }
        aim = paths.aim(from, weight, spin)?;
    }
    Some(aim)
}

/// Throws a shot at offsets around the first guess and takes the middle of the longest run that
/// removes the stones of `wanted`, so that it has as much room for error as there is.
fn middle_of_successes(
    game: &Curling,
    state: &State,
    wanted: u16,
    aim: impl Fn(f64) -> Option<Aim>,
) -> Option<Release> {
    const STEP: f64 = 0.06;
    const REACH: i32 = 5;
    let works = |shift: i32| {
        aim(f64::from(shift) * STEP).is_some_and(|aim| {
            let (board, _, foul) = game.throw(state, aim.release(), &mut ());
            !foul && board.mask() & wanted == 0
        })
    };
    let (mut best, mut length, mut run) = (None, 0, 0);
    for shift in -REACH..=REACH + 1 {
        if shift <= REACH && works(shift) {
            run += 1;
        } else {
            if run > length {
                length = run;
                best = Some(f64::from(2 * shift - 1 - run) * 0.5);
            }
            run = 0;
        }
    }
    aim(best? * STEP).map(|aim| aim.release())
}

/// Corrects where the struck stone is sent by where it went, three times.
fn raise_by_trial(
    game: &Curling,
    state: &State,
    stone: Stone,
    to: Point,
    spin: Spin,
) -> Option<Release> {
    let from = state.board.get(stone)?;
    let (mut towards, mut stretch) = (to, 1.0);
    let mut best: Option<(f64, Release)> = None;
    for _ in 0..4 {
        let Some(aim) = raise(game.paths(), from, towards, stretch, spin) else {
            break;
        };
        let (board, _, _) = game.throw(state, aim.release(), &mut ());
        let Some(stopped) = board.get(stone) else {
            break;
        };
        let miss = stopped.distance(to);
        if best.is_none_or(|(least, _)| miss < least) {
            best = Some((miss, aim.release()));
        }
        let moved = from.distance(stopped);
        if moved < 0.05 {
            break;
        }
        stretch *= (from.distance(to) / moved).clamp(0.5, 2.0);
        let off = right_of(0.0, from, stopped) - right_of(0.0, from, to);
        let (sin, cos) = (libm::sin(off), libm::cos(off));
        // Turned to the left by as much as it went to the right.
        let (dx, dy) = (f64::from(towards.x - from.x), f64::from(towards.y - from.y));
        towards = Point::new(
            (f64::from(from.x) + dx * cos - dy * sin) as f32,
            (f64::from(from.y) + dx * sin + dy * cos) as f32,
        );
    }
    best.map(|(_, release)| release)
}

/// `#3 of team 1`.
pub(crate) fn stone_name(stone: Stone) -> String {
    format!("#{} of team {}", stone.throw() + 1, stone.team().index())
}

/// `the button`, `0.4 m left, 1.2 m before the tee`.
fn place(to: Point) -> String {
    if to.from_tee() < BUTTON {
        return "the button".to_owned();
    }
    let y = TEE - f64::from(to.y);
    let side = if to.x < 0.0 { "left" } else { "right" };
    let along = match y {
        y if y.abs() < 0.05 => "of the tee".to_owned(),
        y if y > 0.0 => format!("{y:.1} m before the tee"),
        y => format!("{:.1} m behind the tee", -y),
    };
    match to.x.abs() {
        x if x < 0.05 => along,
        x if y.abs() < 0.05 => format!("{x:.1} m {side} of the tee"),
        x => format!("{x:.1} m {side}, {along}"),
    }
}

/// How much of a stone is hit, and on which side.
fn thickness(offset: f64) -> String {
    let side = if offset < 0.0 { "left" } else { "right" };
    match offset.abs() {
        o if o < 0.1 => "full".to_owned(),
        o if o < 0.4 => format!("thick {side}"),
        o if o < 0.65 => format!("half {side}"),
        _ => format!("thin {side}"),
    }
}

impl fmt::Display for Shot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Draw { to } if in_house(to) => write!(f, "draw to {}", place(to)),
            Self::Draw { to } => write!(f, "guard {}", place(to)),
            Self::Guard { of: None, distance } => write!(f, "guard {distance:.1} m before the tee"),
            Self::Guard {
                of: Some(stone),
                distance,
            } => write!(f, "guard {distance:.1} m before {}", stone_name(stone)),
            Self::Freeze { on, .. } => write!(f, "freeze on {}", stone_name(on)),
            Self::TakeOut {
                stone,
                weight,
                offset,
            } => {
                let verb = if weight >= PEEL { "peel" } else { "take out" };
                let (name, part) = (stone_name(stone), thickness(offset));
                write!(f, "{verb} {name} ({weight:.1} m/s left, {part})")
            }
            Self::Tick { stone, side } => {
                let part = if side < 0.0 { "left" } else { "right" };
                write!(f, "tick {} ({part})", stone_name(stone))
            }
            Self::ComeAround { guard, to } => {
                write!(f, "come around {} to {}", stone_name(guard), place(to))
            }
            Self::Raise { stone, to } => write!(f, "raise {} to {}", stone_name(stone), place(to)),
            Self::Double { first, second, .. } => {
                write!(f, "double {} and {}", stone_name(first), stone_name(second))
            }
            Self::HitAndRoll { stone, to } => {
                write!(f, "hit {} and roll to {}", stone_name(stone), place(to))
            }
            Self::Through { .. } => f.write_str("through the house"),
        }
    }
}

impl Curling {
    /// Whether no other stone lies in the way of an aim for this shot.
    #[must_use]
    pub fn is_open(&self, board: &Board, shot: &Shot, aim: &Aim) -> bool {
        self.paths().clearance(aim, board, shot.touched()) > 0.0
    }
}
