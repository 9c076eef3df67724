//! The rules around a shot: the score of an end, the free guard zone, mixed doubles.
//!
//! The rules of Digital Curling 3, and those of the other servers where an option asks for them.

pub mod doubles;
pub mod score;
pub mod zone;

use crate::board::{Board, Team};
use crate::options::{CurlingOptions, Zone};
use crate::physics::Ice;

pub use score::{score, score_within};
pub use zone::{guards, zone_broken};

/// Why a shot is undone: the stones lie as before it, the thrown one is gone, and it counts as
/// thrown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Foul {
    /// An opponent's stone in the free guard zone was taken out too early in the end.
    Zone,
    /// An opponent's guard that touched the centre line was moved off it too early.
    Tick,
    /// Mixed doubles: a stone was taken out before the fourth shot of the end.
    Early,
}

impl Foul {
    /// What was broken, for a person.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Zone => "a stone in the free guard zone was taken out",
            Self::Tick => "a guard was moved off the centre line",
            Self::Early => "a stone was taken out before the fourth shot",
        }
    }
}

/// How far from the tee the centre of a stone may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct House {
    /// To count in the score, in metres.
    pub scoring: f64,
    /// To touch the house, and so to be no guard.
    pub touching: f64,
}

impl House {
    /// The house of a simulator. That of 2015-16 draws the house at 1.83 m and scores a centimetre
    /// beyond the radius of a stone (its `GetScore` adds 0.15, its test for guards 0.145): kept,
    /// because its matches were decided so.
    #[must_use]
    pub const fn of(ice: Ice) -> Self {
        match ice {
            Ice::Fast | Ice::Fcv1 => Self {
                scoring: 1.829 + 0.145,
                touching: 1.829 + 0.145,
            },
            Ice::Uec => Self {
                scoring: 1.83 + 0.15,
                touching: 1.83 + 0.145,
            },
        }
    }
}

/// Whether the shot that is number `shot` of its end, from 0, is a foul of `thrower`.
///
/// Fouls look at stones that were there before: the thrown stone is never one of them. In mixed
/// doubles the free guard zone is replaced by the rule that nothing is taken out before the fourth
/// shot, whatever number `zone` names; `zone=none` lifts both.
#[must_use]
pub fn foul(
    options: &CurlingOptions,
    shot: u8,
    thrower: Team,
    before: &Board,
    after: &Board,
) -> Option<Foul> {
    let house = House::of(options.ice);
    if options.doubles {
        let early = options.zone != Zone::None && zone::removed_early(shot, before, after);
        return early.then_some(Foul::Early);
    }
    if zone::zone_broken_outside(options.zone, shot, thrower, before, after, house.touching) {
        return Some(Foul::Zone);
    }
    let ticked = options.no_tick && zone::ticked(shot, thrower, before, after, house.touching);
    ticked.then_some(Foul::Tick)
}
