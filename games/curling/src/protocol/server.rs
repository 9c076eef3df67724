//! What the server writes.

use serde::Serialize;

use super::read::{Field, parse};
use super::{IsReady, MAJOR, Move, PerTeam, ProtocolError, Trajectory, WireState, line};
use crate::board::Team;

/// A version of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Version {
    /// Changes with what an older client cannot understand.
    pub major: u64,
    /// Changes with additions.
    pub minor: u64,
}

/// The greeting.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Dc {
    /// The version that the server speaks.
    pub version: Version,
    /// Names the match.
    pub game_id: String,
    /// When it was set up, in ISO 8601.
    pub date_time: String,
}

/// The match begins.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NewGame {
    /// The names of the bots.
    pub name: PerTeam<String>,
}

/// What the last move came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LastMove {
    /// The move as it was executed, noise included.
    pub actual_move: Move,
    /// Whether it broke the rule of the free guard zone, so that the stones were put back.
    pub free_guard_zone_foul: bool,
    /// How the stones moved, if the server tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trajectory: Option<Trajectory>,
}

/// Where the match stands: at its start, and after every move.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Update {
    /// Who is to move; none when the match is over.
    pub next_team: Option<Team>,
    /// The match.
    pub state: WireState,
    /// None in the first update.
    pub last_move: Option<LastMove>,
}

/// A message of the server.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "cmd", rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "one message at a time")]
pub enum ServerMessage {
    /// The greeting.
    Dc(Dc),
    /// The rules of the match.
    IsReady(IsReady),
    /// The match begins.
    NewGame(NewGame),
    /// Where the match stands.
    Update(Update),
    /// The match is over: a client may leave now.
    GameOver,
}

const COMMANDS: &str = "\"dc\", \"is_ready\", \"new_game\", \"update\" or \"game_over\"";

impl ServerMessage {
    /// The message as a line, `\n` included.
    ///
    /// # Errors
    /// When a number in it is not finite.
    pub fn to_line(&self) -> Result<String, ProtocolError> {
        match self {
            Self::IsReady(is_ready) => is_ready.game.check()?,
            Self::Update(update) => {
                update.state.check()?;
                if let Some(last) = &update.last_move {
                    last.actual_move.check()?;
                    last.trajectory.as_ref().map_or(Ok(()), Trajectory::check)?;
                }
            }
            Self::Dc(_) | Self::NewGame(_) | Self::GameOver => {}
        }
        line(self)
    }

    /// Reads a line of the server. Fields beyond those of the protocol are ignored.
    ///
    /// # Errors
    /// Naming the field and what would be right.
    pub fn from_line(text: &str) -> Result<Self, ProtocolError> {
        let value = parse(text)?;
        let root = Field::root(&value);
        let cmd = root.get("cmd", COMMANDS)?;
        match cmd.text()? {
            "dc" => Dc::read(&root).map(Self::Dc),
            "is_ready" => IsReady::read(&root).map(Self::IsReady),
            "new_game" => {
                let name = root.get("name", "the names of the teams")?;
                let name = name.per_team("a name", |f| f.text().map(Into::into))?;
                Ok(Self::NewGame(NewGame { name }))
            }
            "update" => Update::read(&root).map(Self::Update),
            "game_over" => Ok(Self::GameOver),
            _ => Err(cmd.wrong(COMMANDS)),
        }
    }
}

impl Dc {
    fn read(root: &Field<'_>) -> Result<Self, ProtocolError> {
        let version = root.get("version", "an object with major and minor")?;
        let major = version.get("major", "1")?;
        if major.whole(u64::MAX)? != MAJOR {
            return Err(major.wrong(format!("{MAJOR}, the version spoken here")));
        }
        Ok(Self {
            version: Version {
                major: MAJOR,
                minor: version.get("minor", "a whole number")?.whole(u64::MAX)?,
            },
            game_id: root.get("game_id", "a text")?.text()?.into(),
            date_time: root.get("date_time", "a time in ISO 8601")?.text()?.into(),
        })
    }
}

impl Update {
    fn read(root: &Field<'_>) -> Result<Self, ProtocolError> {
        let next = root.get("next_team", "\"team0\", \"team1\" or null")?;
        let next_team = next.clone().nullable().map(|f| f.team()).transpose()?;
        let state = WireState::read(&root.get("state", "the match")?)?;
        if next_team != state.next_team() {
            let expected = match state.next_team() {
                None => "null, as the match is over",
                Some(Team::Team0) => "\"team0\", by the shot and the hammer",
                Some(Team::Team1) => "\"team1\", by the shot and the hammer",
            };
            return Err(next.wrong(expected));
        }
        let last = root.find("last_move")?;
        Ok(Self {
            next_team,
            state,
            last_move: last.map(|f| LastMove::read(&f)).transpose()?,
        })
    }
}

impl LastMove {
    fn read(field: &Field<'_>) -> Result<Self, ProtocolError> {
        let trajectory = field.find("trajectory")?;
        Ok(Self {
            actual_move: Move::read(&field.get("actual_move", "a move")?, false)?,
            free_guard_zone_foul: field
                .get("free_guard_zone_foul", "true or false")?
                .truth()?,
            trajectory: trajectory.map(|f| Trajectory::read(&f)).transpose()?,
        })
    }
}
