//! What clients write.

use serde::Serialize;

use super::read::{Field, parse};
use super::{Move, ProtocolError, line};

/// A message of a client.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "cmd", rename_all = "snake_case")]
pub enum ClientMessage {
    /// Answers `dc`.
    DcOk {
        /// The name of the bot.
        name: String,
    },
    /// Answers `is_ready`.
    ReadyOk {
        /// A permutation of 0 to 3: entry k throws the shots 4k to 4k + 3 of an end, two of them of
        /// this team.
        player_order: [u8; 4],
    },
    /// Answers an `update` with `next_team` its own; never written otherwise.
    Move {
        /// The move.
        #[serde(rename = "move")]
        chosen: Move,
    },
}

impl ClientMessage {
    /// The message as a line, `\n` included.
    ///
    /// # Errors
    /// When a number is not finite, or the order is no permutation.
    pub fn to_line(&self) -> Result<String, ProtocolError> {
        match self {
            Self::DcOk { .. } => {}
            Self::ReadyOk { player_order } if is_permutation(*player_order) => {}
            Self::ReadyOk { player_order } => {
                let why = format!("`player_order` is {player_order:?}, no permutation of 0 to 3");
                return Err(ProtocolError::Unwritable { why });
            }
            Self::Move { chosen } => chosen.check()?,
        }
        line(self)
    }

    /// Reads a line of a client. Strictly: other fields than those of the protocol are refused.
    ///
    /// # Errors
    /// Naming the field and what would be right.
    pub fn from_line(text: &str) -> Result<Self, ProtocolError> {
        let value = parse(text)?;
        let root = Field::root(&value);
        let expected = "\"dc_ok\", \"ready_ok\" or \"move\"";
        let cmd = root.get("cmd", expected)?;
        match cmd.text()? {
            "dc_ok" => {
                root.only(&["cmd", "name"])?;
                let name = root.get("name", "the name of the bot")?.text()?.into();
                Ok(Self::DcOk { name })
            }
            "ready_ok" => {
                root.only(&["cmd", "player_order"])?;
                let expected = "a permutation of 0, 1, 2, 3";
                let order = root.get("player_order", expected)?;
                let player_order = order.array(|item| item.byte())?;
                if !is_permutation(player_order) {
                    return Err(order.wrong(expected));
                }
                Ok(Self::ReadyOk { player_order })
            }
            "move" => {
                root.only(&["cmd", "move"])?;
                let chosen = Move::read(&root.get("move", "a move")?, true)?;
                Ok(Self::Move { chosen })
            }
            _ => Err(cmd.wrong(expected)),
        }
    }
}

fn is_permutation(mut order: [u8; 4]) -> bool {
    order.sort_unstable();
    order == [0, 1, 2, 3]
}
