//! The named shots of a position.

use crate::board::{Board, Point, Stone, Team, in_house};
use crate::game::Curling;
use crate::geometry::{CONTACT, EIGHT_FOOT, HOG_LINE, HOUSE_RADIUS, TEE};
use crate::release::Spin;
use crate::rules::guards;
use crate::shots::named::{HIT, PEEL};
use crate::shots::{Aim, Carrier, Shot};
use crate::state::State;

/// A way that comes nearer to a stone than this is left out, in metres between the edges: below
/// zero, for the noise may still let the stone through.
const CLEAR: f64 = -0.03;
/// Stones of each kind that are looked at, nearest to the tee first.
const MOST: usize = 5;

/// Calls `found` with every named shot that makes sense in `state`, with each spin whose way is open.
pub fn named_shots(game: &Curling, state: &State, mut found: impl FnMut(&Shot, &Aim)) {
    let board = &state.board;
    let team = state.thrower();
    let mut offer = |shot: Shot| {
        for spin in Spin::BOTH {
            if let Some(aim) = shot.aim(game.paths(), board, spin)
                && game.paths().clearance(&aim, board, shot.touched()) > CLEAR
            {
                found(&shot, &aim);
            }
        }
    };
    let seen = Seen::new(board, team);
    let free = game.zone_holds(state);
    offer_draws(&mut offer);
    offer_guards(&seen, &mut offer);
    offer_hits(board, &seen, free, team, &mut offer);
    offer_finesse(&seen, &mut offer);
    offer(Shot::Through { x: 0.0 });
    for x in [-1.6, 1.6] {
        offer(Shot::Through { x });
    }
}

/// The stones that matter, nearest to the tee first, at most [`MOST`] of each kind.
struct Seen {
    theirs: Few,
    ours: Few,
    /// In front of the house and near enough to the middle to cover something.
    guards: Few,
}

/// Stones with their places, in a fixed array.
#[derive(Default)]
struct Few {
    items: [(f64, usize, Point); MOST],
    len: usize,
}

impl Few {
    /// Keeps the nearest.
    fn push(&mut self, stone: Stone, point: Point) {
        let item = (point.from_tee(), stone.index(), point);
        let mut at = self.len;
        while at > 0 && self.items[at - 1].0 > item.0 {
            at -= 1;
        }
        if at == MOST {
            return;
        }
        let end = self.len.min(MOST - 1);
        self.items.copy_within(at..end, at + 1);
        self.items[at] = item;
        self.len = end + 1;
    }

    fn iter(&self) -> impl Iterator<Item = (Stone, Point)> + '_ {
        let kept = &self.items[..self.len];
        kept.iter()
            .map(|&(_, stone, point)| (Stone::new(stone), point))
    }
}

impl Seen {
    fn new(board: &Board, team: Team) -> Self {
        let (mut theirs, mut ours, mut cover) = (Few::default(), Few::default(), Few::default());
        for (stone, point) in board.stones() {
            if !in_house(point) {
                if f64::from(point.y) < TEE {
                    cover.push(stone, point);
                }
            } else if stone.team() == team {
                ours.push(stone, point);
            } else {
                theirs.push(stone, point);
            }
        }
        Self {
            theirs,
            ours,
            guards: cover,
        }
    }
}

fn at(x: f64, before_tee: f64) -> Point {
    Point::new(x as f32, (TEE - before_tee) as f32)
}

fn offer_draws(offer: &mut impl FnMut(Shot)) {
    offer(Shot::Draw { to: Point::TEE });
    offer(Shot::Draw { to: at(0.0, 0.9) });
    for side in [-1.0, 1.0] {
        offer(Shot::Draw {
            to: at(side * 0.5, 0.0),
        });
        offer(Shot::Draw {
            to: at(side * EIGHT_FOOT, -0.2),
        });
    }
}

fn offer_guards(seen: &Seen, offer: &mut impl FnMut(Shot)) {
    for distance in [2.4, 3.7] {
        offer(Shot::Guard { of: None, distance });
    }
    for side in [-1.0, 1.0] {
        offer(Shot::Draw {
            to: at(side * 1.1, 2.6),
        });
    }
    // Cover for the best stone, and places behind what covers already.
    if let Some((stone, point)) = seen.ours.iter().next() {
        let distance = (f64::from(point.y) - (TEE - HOUSE_RADIUS - 0.5)).max(1.0);
        if f64::from(point.y) - distance > HOG_LINE + 0.3 && point.x.abs() > 0.15 {
            let of = Some(stone);
            offer(Shot::Guard { of, distance });
        }
    }
    for (guard, point) in seen.guards.iter().take(3) {
        if f64::from(point.x.abs()) < HOUSE_RADIUS {
            let to = Point::new(point.x * 0.8, (TEE - 0.2) as f32);
            offer(Shot::ComeAround { guard, to });
        }
    }
}

fn offer_hits(board: &Board, seen: &Seen, free: bool, team: Team, offer: &mut impl FnMut(Shot)) {
    for (stone, _) in seen.theirs.iter() {
        for weight in [HIT, PEEL] {
            let offset = 0.0;
            offer(Shot::TakeOut {
                stone,
                weight,
                offset,
            });
        }
    }
    if let Some((stone, _)) = seen.theirs.iter().next() {
        for offset in [-0.5, 0.5] {
            offer(Shot::TakeOut {
                stone,
                weight: HIT,
                offset,
            });
        }
    }
    let protected = if free {
        guards(board, team.opponent())
    } else {
        0
    };
    for (stone, _) in seen.guards.iter().take(2) {
        if protected >> stone.index() & 1 == 0 {
            for offset in [-0.5, 0.5] {
                offer(Shot::TakeOut {
                    stone,
                    weight: PEEL,
                    offset,
                });
            }
        } else {
            for side in [-1.0, 1.0] {
                offer(Shot::Tick { stone, side });
            }
        }
    }
}

fn offer_finesse(seen: &Seen, offer: &mut impl FnMut(Shot)) {
    for (on, _) in seen.theirs.iter().take(2) {
        offer(Shot::Freeze { on, side: 0.0 });
    }
    if let Some((on, _)) = seen.ours.iter().next() {
        offer(Shot::Freeze { on, side: 0.0 });
    }
    for (i, (first, p)) in seen.theirs.iter().enumerate().take(3) {
        for (j, (second, q)) in seen.theirs.iter().enumerate().take(3) {
            if i != j && p.distance(q) < 2.5 {
                let by = if q.y > p.y + CONTACT as f32 {
                    Carrier::Struck
                } else {
                    Carrier::Thrown
                };
                offer(Shot::Double { first, second, by });
            }
        }
    }
    // An own guard, or a stone in front of the tee, may be driven in.
    for (stone, point) in seen.guards.iter().take(2).chain(seen.ours.iter().take(2)) {
        if f64::from(point.y) < TEE - 0.5 && f64::from(point.x.abs()) < 1.0 {
            let to = Point::TEE;
            offer(Shot::Raise { stone, to });
        }
    }
    if let (Some((stone, _)), Some((_, cover))) =
        (seen.theirs.iter().next(), seen.guards.iter().next())
    {
        let to = Point::new(cover.x, TEE as f32);
        offer(Shot::HitAndRoll { stone, to });
    }
}
