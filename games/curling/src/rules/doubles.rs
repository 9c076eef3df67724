//! Mixed doubles: ten shots an end and a stone a team placed before, where one team says.
//!
//! Places as in the Digital Curling 4 server (`match_rules.py`). A team's thrown stones are its
//! stones 0 to 4, the placed one is [`PLACED`]; 5 and 6 are never in play.

use serde::{Deserialize, Serialize};

use crate::action::Placement;
use crate::board::{Board, Point, Stone, Team};

/// Shots of an end.
pub const SHOTS: u8 = 10;
/// The number within the team of the stone that is placed.
pub const PLACED: usize = 7;

/// Where the stone in the house is placed.
const HOUSE: Point = Point::new(0.0, 38.870);
/// Where it is placed for a power play on the right.
const POWER_PLAY_HOUSE: Point = Point::new(1.219, 38.260);
/// How far the guard is from the hack, by pattern.
const GUARD_Y: [f32; 6] = [35.350, 35.060, 34.435, 34.145, 33.520, 33.230];
/// How far to the right it is placed for a power play on the right, by pattern.
const POWER_PLAY_GUARD_X: [f32; 6] = [1.093, 1.087, 1.073, 1.067, 1.053, 1.047];

/// What mixed doubles has to remember; as in [`Doubles::default`] for any other match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Doubles {
    /// Who decides, or decided, on the placing in this end.
    pub decider: Team,
    /// Which teams have had their power play.
    pub power_play: [bool; 2],
}

impl Doubles {
    /// Whether the team that decides may call its power play: once a match, in no extra end.
    #[must_use]
    pub const fn may_power_play(&self, extra_end: bool) -> bool {
        !extra_end && !self.power_play[self.decider.index()]
    }

    /// Whether the team that decides may place the stones so.
    #[must_use]
    pub const fn allows(&self, placement: Placement, extra_end: bool) -> bool {
        !is_power_play(placement) || self.may_power_play(extra_end)
    }

    /// Who decides in the next end: the team that did not score, and after a blank end the one that
    /// did not decide in it.
    #[must_use]
    pub fn next_decider(&self, scored: Option<Team>) -> Team {
        scored.unwrap_or(self.decider).opponent()
    }
}

/// Whether a placing is a power play.
#[must_use]
pub const fn is_power_play(placement: Placement) -> bool {
    matches!(
        placement,
        Placement::PowerPlayLeft | Placement::PowerPlayRight
    )
}

/// The board with the two placed stones, and who throws last: the team whose stone is in the house.
///
/// # Panics
/// If `pattern` is above 5.
#[must_use]
pub fn place(placement: Placement, decider: Team, pattern: u8) -> (Board, Team) {
    let pattern = usize::from(pattern);
    let (house, guard) = if is_power_play(placement) {
        let guard = Point::new(POWER_PLAY_GUARD_X[pattern], GUARD_Y[pattern]);
        (POWER_PLAY_HOUSE, guard)
    } else {
        (HOUSE, Point::new(0.0, GUARD_Y[pattern]))
    };
    let (house, guard) = match placement {
        Placement::PowerPlayLeft => (house.mirrored(), guard.mirrored()),
        _ => (house, guard),
    };
    let last = match placement {
        Placement::CentreGuard => decider.opponent(),
        _ => decider,
    };
    let mut board = Board::EMPTY;
    board.put(Stone::of(last, PLACED), house);
    board.put(Stone::of(last.opponent(), PLACED), guard);
    (board, last)
}
