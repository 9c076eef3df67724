//! The messages between the server of Digital Curling 3 and its clients, in both directions.
//!
//! Protocol 1.0 of `DigitalCurling3-Server` 1.2.0: over TCP, one JSON object a line, each ended by
//! `\n`, UTF-8. The port a client connects to decides its team; team 0 throws first in the first end.
//! Opening connections is left to the caller; this module turns lines into messages and back.
//!
//! | server | client |
//! |---|---|
//! | [`Dc`] | `dc_ok` with a name |
//! | [`IsReady`] | `ready_ok` with the order of the players |
//! | [`NewGame`], then [`Update`] after every move | `move`, only when `next_team` is its own |
//! | an [`Update`] with a result, then `game_over` | |
//!
//! Fields that nobody here knows are ignored in what a server writes, which may be newer, and refused
//! in what a client writes. What is written has exactly the fields of the protocol. Every number that
//! is read is checked; every error names the field and what would be right.

mod client;
mod error;
mod game;
mod read;
mod server;
mod shot;
mod state;
mod trajectory;

pub use client::ClientMessage;
pub use error::ProtocolError;
pub use game::{IsReady, MatchGame, PlayerModel, Setting, SimulatorModel, Taken};
pub use server::{Dc, LastMove, NewGame, ServerMessage, Update, Version};
pub use shot::{Move, Rotation, Velocity};
pub use state::{GameResult, Position, Reason, Scores, StoneAt, Stones, ThinkingTime, WireState};
pub use trajectory::{Change, Trajectory};

use serde::Serialize;

use crate::board::Team;

/// The major version of the protocol that is spoken here.
pub const MAJOR: u64 = 1;

/// One of something for each team.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct PerTeam<T> {
    /// Of team 0.
    pub team0: T,
    /// Of team 1.
    pub team1: T,
}

impl<T> PerTeam<T> {
    /// One for each team.
    pub fn from_fn(mut each: impl FnMut(Team) -> T) -> Self {
        Self {
            team0: each(Team::Team0),
            team1: each(Team::Team1),
        }
    }

    /// That of a team.
    pub const fn of(&self, team: Team) -> &T {
        match team {
            Team::Team0 => &self.team0,
            Team::Team1 => &self.team1,
        }
    }

    /// That of a team, to be changed.
    pub const fn of_mut(&mut self, team: Team) -> &mut T {
        match team {
            Team::Team0 => &mut self.team0,
            Team::Team1 => &mut self.team1,
        }
    }
}

/// A message as a line, with its end.
fn line(message: &impl Serialize) -> Result<String, ProtocolError> {
    let mut text = serde_json::to_string(message)
        .map_err(|e| ProtocolError::Unwritable { why: e.to_string() })?;
    text.push('\n');
    Ok(text)
}

/// A number that JSON can hold.
fn check(field: &str, value: f64) -> Result<(), ProtocolError> {
    if value.is_finite() {
        return Ok(());
    }
    Err(ProtocolError::Unwritable {
        why: format!("`{field}` is {value}; JSON holds finite numbers only"),
    })
}
