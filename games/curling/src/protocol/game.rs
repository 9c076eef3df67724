//! The rules of a match on the wire, and as options of the game.

use serde::Serialize;

use super::read::Field;
use super::{PerTeam, ProtocolError, check};
use crate::board::Team;
use crate::geometry::SHEET_WIDTH;
use crate::noise::NoiseModel;
use crate::options::{CurlingOptions, Noise, Zone};
use crate::physics::Ice;

/// The rules of the match, and which team the client is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IsReady {
    /// The client's team.
    pub team: Team,
    /// The rules. An organiser may show other ones than are played by, to hide the noise say.
    pub game: MatchGame,
}

/// Rules, ice and players.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MatchGame {
    /// `normal`.
    pub rule: String,
    /// The rules.
    pub setting: Setting,
    /// The ice.
    pub simulator: SimulatorModel,
    /// Four players a team.
    pub players: PerTeam<[PlayerModel; 4]>,
}

/// The rules.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Setting {
    /// Ends of a match, extra ends apart.
    pub max_end: u8,
    /// Metres.
    pub sheet_width: f64,
    /// Whether the free guard zone holds for five shots, not four.
    pub five_rock_rule: bool,
    /// Seconds for the match.
    pub thinking_time: PerTeam<f64>,
    /// Seconds for each extra end.
    pub extra_end_thinking_time: PerTeam<f64>,
}

/// The ice.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SimulatorModel {
    /// `fcv1`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Seconds of a step, if told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds_per_frame: Option<f64>,
}

/// How a player executes shots.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum PlayerModel {
    /// As meant, at any speed.
    #[default]
    Identical,
    /// With normal noise.
    NormalDist {
        /// What the speed is held to before the noise, metres a second.
        max_speed: f64,
        /// Standard deviation of the speed, metres a second.
        stddev_speed: f64,
        /// Standard deviation of the angle, radians.
        stddev_angle: f64,
        /// The seed of the noise, if it is set.
        seed: Option<u64>,
    },
    /// Of a type that is not known here.
    Other,
}

/// The options that come nearest to the rules of a match.
#[derive(Debug, Clone, PartialEq)]
pub struct Taken {
    /// The options.
    pub options: CurlingOptions,
    /// What the options cannot say, one sentence each: a bot should tell its user.
    pub left_out: Vec<String>,
}

impl MatchGame {
    /// The match that these options describe, with as many seconds for each team.
    ///
    /// # Errors
    /// When the options are those of something that Digital Curling 3 does not play.
    pub fn of(options: &CurlingOptions, seconds: f64, extra: f64) -> Result<Self, ProtocolError> {
        let unwritable = |why: &str| Err(ProtocolError::Unwritable { why: why.into() });
        if options.doubles || options.no_tick {
            return unwritable("this protocol has neither mixed doubles nor the no-tick rule");
        }
        if options.ice == Ice::Uec {
            return unwritable("this protocol has no name for the ice of 2015");
        }
        let five_rock_rule = match options.zone {
            Zone::Five => true,
            Zone::Four => false,
            Zone::None => return unwritable("this protocol always has a free guard zone"),
        };
        let player = match options.noise {
            Noise::None => PlayerModel::Identical,
            Noise::Dc3 => PlayerModel::dc3(),
            _ => return unwritable("this protocol has normal noise of speed and angle, or none"),
        };
        Ok(Self {
            rule: "normal".into(),
            setting: Setting {
                max_end: options.ends,
                sheet_width: SHEET_WIDTH,
                five_rock_rule,
                thinking_time: PerTeam::from_fn(|_| seconds),
                extra_end_thinking_time: PerTeam::from_fn(|_| extra),
            },
            simulator: SimulatorModel {
                kind: "fcv1".into(),
                seconds_per_frame: Some(0.001),
            },
            players: PerTeam::from_fn(|_| [player; 4]),
        })
    }

    /// The options of the game for `team`, on the ice that `ice` names.
    ///
    /// # Errors
    /// When the match is one that the game cannot play: another rule or simulator, a sheet of another
    /// width, more ends than 16.
    pub fn options(&self, team: Team, ice: Ice) -> Result<Taken, ProtocolError> {
        let wrong = |field: &str, expected: &str, found: String| {
            Err(ProtocolError::Wrong {
                field: format!("game.{field}"),
                expected: expected.into(),
                found,
            })
        };
        let setting = &self.setting;
        if self.rule != "normal" {
            return wrong("rule", "\"normal\"", format!("{:?}", self.rule));
        }
        if self.simulator.kind != "fcv1" {
            let found = format!("{:?}", self.simulator.kind);
            return wrong("simulator.type", "\"fcv1\"", found);
        }
        if (setting.sheet_width - SHEET_WIDTH).abs() > 1e-6 {
            let found = setting.sheet_width.to_string();
            return wrong("setting.sheet_width", "4.75", found);
        }
        if !(1..=16).contains(&setting.max_end) {
            let found = setting.max_end.to_string();
            return wrong("setting.max_end", "1 to 16", found);
        }
        let (noise, left_out) = self.noise(team);
        Ok(Taken {
            options: CurlingOptions {
                ends: setting.max_end,
                ice,
                noise,
                zone: if setting.five_rock_rule {
                    Zone::Five
                } else {
                    Zone::Four
                },
                ..CurlingOptions::default()
            },
            left_out,
        })
    }

    /// The noise of a team, by the first of its players, and what it leaves out.
    fn noise(&self, team: Team) -> (Noise, Vec<String>) {
        let players = self.players.of(team);
        let noise = match players[0] {
            PlayerModel::Identical => Noise::None,
            PlayerModel::NormalDist { .. } | PlayerModel::Other => Noise::Dc3,
        };
        let mut left_out = Vec::new();
        for (i, player) in players.iter().enumerate() {
            let fits = match (noise, player) {
                (Noise::None, PlayerModel::Identical) => true,
                (Noise::Dc3, player) => player.same_noise(&PlayerModel::dc3()),
                _ => false,
            };
            if !fits {
                left_out.push(format!(
                    "player {i} throws as {player:?}, not with {noise:?}"
                ));
            }
        }
        let step = self.simulator.seconds_per_frame;
        if step.is_some_and(|s| (s - 0.001).abs() > 1e-9) {
            left_out.push(format!(
                "the ice is computed in steps of {step:?} s, not 0.001"
            ));
        }
        (noise, left_out)
    }

    pub(super) fn check(&self) -> Result<(), ProtocolError> {
        let setting = &self.setting;
        check("game.setting.sheet_width", setting.sheet_width)?;
        for team in Team::BOTH {
            check(
                "game.setting.thinking_time",
                *setting.thinking_time.of(team),
            )?;
            let extra = *setting.extra_end_thinking_time.of(team);
            check("game.setting.extra_end_thinking_time", extra)?;
            for player in self.players.of(team) {
                player.check()?;
            }
        }
        let step = self.simulator.seconds_per_frame.unwrap_or_default();
        check("game.simulator.seconds_per_frame", step)
    }

    fn read(field: &Field<'_>) -> Result<Self, ProtocolError> {
        let setting = field.get("setting", "the rules")?;
        let simulator = field.get("simulator", "the ice")?;
        let step = simulator.find("seconds_per_frame")?;
        let players = field.get("players", "four players of each team")?;
        let seconds = |key| {
            let field = setting.get(key, "seconds of both teams")?;
            field.per_team("seconds", |f| f.number())
        };
        Ok(Self {
            rule: field.get("rule", "\"normal\"")?.text()?.into(),
            setting: Setting {
                max_end: setting.get("max_end", "the number of ends")?.byte()?,
                sheet_width: setting.get("sheet_width", "metres")?.within(0.0, 100.0)?,
                five_rock_rule: setting.get("five_rock_rule", "true or false")?.truth()?,
                thinking_time: seconds("thinking_time")?,
                extra_end_thinking_time: seconds("extra_end_thinking_time")?,
            },
            simulator: SimulatorModel {
                kind: simulator.get("type", "\"fcv1\"")?.text()?.into(),
                seconds_per_frame: step.map(|f| f.within(0.0, 1.0)).transpose()?,
            },
            players: players
                .per_team("a list of 4 players", |list| list.array(PlayerModel::read))?,
        })
    }
}

impl PlayerModel {
    /// The player that Digital Curling 3 has unless told otherwise.
    #[must_use]
    pub fn dc3() -> Self {
        match NoiseModel::DC3 {
            NoiseModel::Throw {
                speed,
                angle,
                max_speed,
            } => Self::NormalDist {
                max_speed,
                stddev_speed: speed,
                stddev_angle: angle,
                seed: None,
            },
            _ => Self::Identical,
        }
    }

    /// Whether two players have the same noise, whatever their seeds.
    fn same_noise(&self, other: &Self) -> bool {
        let parts = |p: &Self| match *p {
            Self::NormalDist {
                max_speed,
                stddev_speed,
                stddev_angle,
                ..
            } => Some([max_speed, stddev_speed, stddev_angle]),
            _ => None,
        };
        match (parts(self), parts(other)) {
            // The server computes in single precision and may write that.
            (Some(a), Some(b)) => a
                .iter()
                .zip(b)
                .all(|(a, b)| (a - b).abs() <= 1e-6 * b.abs()),
            _ => self == other,
        }
    }

    fn check(&self) -> Result<(), ProtocolError> {
        match *self {
            Self::Identical => Ok(()),
            Self::NormalDist {
                max_speed,
                stddev_speed,
                stddev_angle,
                ..
            } => {
                check("max_speed", max_speed)?;
                check("stddev_speed", stddev_speed)?;
                check("stddev_angle", stddev_angle)
            }
            Self::Other => Err(ProtocolError::Unwritable {
                why: "a player of an unknown type".into(),
            }),
        }
    }

    fn read(field: Field<'_>) -> Result<Self, ProtocolError> {
        let kind = field.get("type", "\"normal_dist\" or \"identical\"")?;
        let amount = |key| field.get(key, "a number")?.within(0.0, f64::MAX);
        match kind.text()? {
            "identical" => Ok(Self::Identical),
            "normal_dist" => {
                let seed = field.find("seed")?;
                Ok(Self::NormalDist {
                    max_speed: amount("max_speed")?,
                    stddev_speed: amount("stddev_speed")?,
                    stddev_angle: amount("stddev_angle")?,
                    seed: seed.map(|f| f.whole(u64::MAX)).transpose()?,
                })
            }
            _ => Ok(Self::Other),
        }
    }
}

impl IsReady {
    pub(super) fn read(root: &Field<'_>) -> Result<Self, ProtocolError> {
        Ok(Self {
            team: root.get("team", "\"team0\" or \"team1\"")?.team()?,
            game: MatchGame::read(&root.get("game", "the rules of the match")?)?,
        })
    }
}
