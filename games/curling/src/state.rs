//! A match between two decisions: [`State`].

use crate::action::Action;
use crate::board::{Board, STONES, Team};
use crate::release::Release;
use crate::rules::doubles::Doubles;

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
    /// By points, or level when the last extra end was blank: a draw.
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
    /// What mixed doubles remembers.
    pub doubles: Doubles,
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
            doubles: Doubles {
                decider: Team::Team0,
                power_play: [false; 2],
            },
            horizon: false,
        }
    }

    /// The start of a match of mixed doubles in which `decider` says how the stones are placed in
    /// the first end. Until it has said so it counts as the team with the hammer.
    #[must_use]
    pub const fn start_doubles(decider: Team) -> Self {
        let mut state = Self::start(decider);
        state.doubles.decider = decider;
        state.phase = Phase::Place(decider);
        state
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

    /// Shots still to come in this end, the next one included, of sixteen; mixed doubles has
    /// [`Curling::shots_left`](crate::Curling::shots_left).
    #[must_use]
    pub const fn shots_left(&self) -> u8 {
        (STONES as u8).saturating_sub(self.shot)
    }

    /// The shot that is decided and not yet thrown.
    #[must_use]
    pub fn aimed(&self) -> Option<Release> {
        match self.phase {
            Phase::Throw(action) => action.release(),
            _ => None,
        }
    }

    /// The match in a mirror along the centre line.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let phase = match self.phase {
            Phase::Throw(action) => Phase::Throw(action.mirrored()),
            phase => phase,
        };
        Self {
            board: self.board.mirrored(),
            phase,
            ..*self
        }
    }

    /// Points of `team` less those of the other.
    #[must_use]
    pub fn lead(&self, team: Team) -> i32 {
        i32::from(self.points[team.index()]) - i32::from(self.points[team.opponent().index()])
    }
}
