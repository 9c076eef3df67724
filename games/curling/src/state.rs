//! A match between two decisions: [`State`].

use crate::action::Action;
use crate::board::{Board, STONES, Team};

/// What happens next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Phase {
    /// The team to throw decides on a shot.
    Aim,
    /// The shot is decided, chance throws it.
    Throw(Action),
    /// Mixed doubles: this team decides how the stones are placed.
    Place(Team),
    /// The match, or as far as a search looks, is over.
    Over(Verdict),
}

/// How a match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// By points, or level when the last extra end was blank.
    Score,
    /// This team gave up.
    Conceded(Team),
    /// The end is over and the match is not: where a search stops. See [`State::horizon`].
    Horizon,
}

/// A match: all of it is public.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct State {
    /// The stones in play.
    pub board: Board,
    /// Shots thrown in this end, 0 to 15 (mixed doubles: 0 to 9).
    pub shot: u8,
    /// Ends finished before this one; from the number of ends on they are extra ends.
    pub end: u8,
    /// Who throws last in this end.
    pub hammer: Team,
    /// Points so far.
    pub points: [u16; 2],
    /// What happens next.
    pub phase: Phase,
    /// Whether this is the world of a search, which ends with the end: beyond it the win table
    /// speaks. The true match never has it.
    pub horizon: bool,
}

impl State {
    /// The first throw of a match in which `hammer` throws last in the first end.
    #[must_use]
    pub const fn start(hammer: Team) -> Self {
        Self {
            board: Board::EMPTY,
            shot: 0,
            end: 0,
            hammer,
            points: [0, 0],
            phase: Phase::Aim,
            horizon: false,
        }
    }

    /// Whose shot is next (or being thrown): the team without the hammer throws first.
    #[must_use]
    pub const fn thrower(&self) -> Team {
        if self.shot.is_multiple_of(2) {
            self.hammer.opponent()
        } else {
            self.hammer
        }
    }

    /// Shots still to come in this end, the next one included, of sixteen.
    #[must_use]
    pub const fn shots_left(&self) -> u8 {
        (STONES as u8).saturating_sub(self.shot)
    }

    /// Points of `team` less those of the other.
    #[must_use]
    pub fn lead(&self, team: Team) -> i32 {
        i32::from(self.points[team.index()]) - i32::from(self.points[team.opponent().index()])
    }
}
