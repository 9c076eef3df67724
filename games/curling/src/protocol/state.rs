//! A match on the wire, and as a state of the game.

use serde::Serialize;

use super::read::Field;
use super::{PerTeam, ProtocolError, check};
use crate::board::{Board, Point, STONES_PER_TEAM, Stone, Team};
use crate::game::Curling;
use crate::geometry::{SHEET_WIDTH, TEE};
use crate::state::{Phase, State, Verdict};

/// A place in shot coordinates, in metres. Single precision on the wire too.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Position {
    /// To the right, seen by the thrower.
    pub x: f32,
    /// From the hack towards the house.
    pub y: f32,
}

/// A stone in play.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct StoneAt {
    /// Where it lies.
    pub position: Position,
    /// How far it has turned, in radians, summed up and never brought back below a turn.
    pub angle: f32,
}

/// The stones by team and number of the throw; none where a stone is not in play.
pub type Stones = PerTeam<[Option<StoneAt>; STONES_PER_TEAM]>;

/// Seconds left.
pub type ThinkingTime = PerTeam<f64>;

/// Why a match is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// More points.
    Score,
    /// The other team gave up.
    Concede,
    /// The other team ran out of time.
    TimeLimit,
    /// Level after the last extra end that there may be.
    Draw,
}

/// How a match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct GameResult {
    /// The winner; none for a draw.
    pub winner: Option<Team>,
    /// Why.
    pub reason: Reason,
}

/// The points of every end, which a state of the game does not keep.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scores {
    /// By team and end; none for an end that is not over.
    pub ends: PerTeam<Vec<Option<u8>>>,
    /// The points of all extra ends together; none until somebody scores.
    pub extra: PerTeam<Option<u8>>,
}

impl Scores {
    /// Of a match of so many ends that has not begun.
    #[must_use]
    pub fn new(ends: u8) -> Self {
        Self {
            ends: PerTeam::from_fn(|_| vec![None; ends.into()]),
            extra: PerTeam::default(),
        }
    }

    /// Notes what changed from one state to a later one, at most one end apart.
    pub fn note(&mut self, before: &State, after: &State) {
        if after.end == before.end {
            return;
        }
        let gained = |team: Team| {
            let [new, old] = [after, before].map(|s| s.points[team.index()]);
            new.saturating_sub(old).min(u8::MAX.into()) as u8
        };
        let scored = Team::BOTH.iter().any(|team| gained(*team) > 0);
        for team in Team::BOTH {
            if let Some(slot) = self.ends.of_mut(team).get_mut(usize::from(before.end)) {
                *slot = Some(gained(team));
            } else if scored {
                *self.extra.of_mut(team) = Some(gained(team));
            }
        }
    }

    /// The points of a team.
    #[must_use]
    pub fn total(&self, team: Team) -> u16 {
        let ends = self.ends.of(team).iter().chain([self.extra.of(team)]);
        ends.flatten().map(|n| u16::from(*n)).sum()
    }
}

/// A match.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WireState {
    /// Ends finished before this one.
    pub end: u8,
    /// Shots thrown in this end, 0 to 15.
    pub shot: u8,
    /// Who throws last in this end; none when the match is over.
    pub hammer: Option<Team>,
    /// The stones.
    pub stones: Stones,
    /// The points of every end.
    pub scores: PerTeam<Vec<Option<u8>>>,
    /// The points of the extra end.
    pub extra_end_score: PerTeam<Option<u8>>,
    /// Seconds left to each team.
    pub thinking_time_remaining: ThinkingTime,
    /// How the match ended; none before.
    pub game_result: Option<GameResult>,
}

impl WireState {
    /// A state of the game on the wire. Angles, which the game does not keep, are 0.
    ///
    /// # Errors
    /// When the state is one in which chance throws, or of mixed doubles.
    pub fn of(
        game: &Curling,
        state: &State,
        scores: &Scores,
        remaining: ThinkingTime,
    ) -> Result<Self, ProtocolError> {
        let unwritable = |why: &str| Err(ProtocolError::Unwritable { why: why.into() });
        if game.options().doubles {
            return unwritable("this protocol has no mixed doubles");
        }
        let game_result = match state.phase {
            Phase::Aim => None,
            Phase::Throw(_) => return unwritable("a stone is being thrown"),
            Phase::Place(_) => return unwritable("this protocol has no mixed doubles"),
            Phase::Over(verdict) => Some(result(state, verdict)),
        };
        Ok(Self {
            end: state.end,
            shot: state.shot,
            hammer: game_result.is_none().then_some(state.hammer),
            stones: stones_of(&state.board),
            scores: scores.ends.clone(),
            extra_end_score: scores.extra.clone(),
            thinking_time_remaining: remaining,
            game_result,
        })
    }

    /// Who is to move; none when the match is over.
    #[must_use]
    pub fn next_team(&self) -> Option<Team> {
        let hammer = self.hammer.filter(|_| self.game_result.is_none())?;
        Some(if self.shot.is_multiple_of(2) {
            hammer.opponent()
        } else {
            hammer
        })
    }

    /// The stones in play.
    #[must_use]
    pub fn board(&self) -> Board {
        let mut board = Board::EMPTY;
        for team in Team::BOTH {
            let stones = self.stones.of(team).iter().enumerate();
            for (throw, stone) in stones.filter_map(|(i, s)| s.map(|s| (i, s))) {
                let point = Point::new(stone.position.x, stone.position.y);
                board.put(Stone::of(team, throw), point);
            }
        }
        board
    }

    /// The points of every end.
    #[must_use]
    pub fn scores(&self) -> Scores {
        Scores {
            ends: self.scores.clone(),
            extra: self.extra_end_score.clone(),
        }
    }

    /// The match as a state of `game`. A result by time counts as giving up; of a match that is over
    /// nobody has the hammer, and the state says team 1.
    ///
    /// # Errors
    /// When the match has another number of ends than the game; when it goes on although it is over by
    /// its points, or with stones that are not thrown yet or lie nowhere near the sheet.
    pub fn state(&self, game: &Curling) -> Result<State, ProtocolError> {
        let ends = self.scores.team0.len();
        if ends != usize::from(game.options().ends) {
            return Err(ProtocolError::Wrong {
                field: "state.scores.team0".into(),
                expected: format!("a list of {}, one an end", game.options().ends),
                found: format!("a list of {ends}"),
            });
        }
        let scores = self.scores();
        let phase = match self.game_result {
            None => Phase::Aim,
            Some(GameResult {
                winner: Some(winner),
                reason: Reason::Concede | Reason::TimeLimit,
            }) => Phase::Over(Verdict::Conceded(winner.opponent())),
            Some(_) => Phase::Over(Verdict::Score),
        };
        let state = State {
            board: self.board(),
            shot: self.shot,
            end: self.end,
            points: Team::BOTH.map(|team| scores.total(team)),
            phase,
            ..State::start(self.hammer.unwrap_or(Team::Team1))
        };
        if self.game_result.is_none() {
            goes_on(game, &state)?;
        }
        Ok(state)
    }

    pub(super) fn check(&self) -> Result<(), ProtocolError> {
        for team in Team::BOTH {
            let seconds = *self.thinking_time_remaining.of(team);
            check("state.thinking_time_remaining", seconds)?;
            let stones = self.stones.of(team).iter().flatten();
            stones.into_iter().try_for_each(StoneAt::check)?;
        }
        Ok(())
    }

    pub(super) fn read(field: &Field<'_>) -> Result<Self, ProtocolError> {
        let scores = field.get("scores", "the points of both teams")?;
        let scores = scores.per_team("a list of points", |list| {
            let items = list.items()?;
            let items = items.into_iter().map(points);
            items.collect::<Result<Vec<_>, _>>()
        })?;
        if scores.team0.len() != scores.team1.len() {
            let list = field.get("scores", "")?.get("team1", "")?;
            let expected = format!("as long as that of team0, {}", scores.team0.len());
            return Err(list.wrong(expected));
        }
        let extra = field.get("extra_end_score", "the points of both teams")?;
        let remaining = field.get("thinking_time_remaining", "seconds of both teams")?;
        let result = field.get("game_result", "a result or null")?.nullable();
        let game_result = result.map(|f| GameResult::read(&f)).transpose()?;
        let hammer = field.get("hammer", "\"team0\" or \"team1\"")?;
        if game_result.is_none() {
            // Only a match that is over has no hammer.
            hammer.team()?;
        }
        Ok(Self {
            end: field.get("end", "a whole number")?.byte()?,
            shot: field.get("shot", "a whole number")?.whole(15)? as u8,
            hammer: hammer.nullable().map(|f| f.team()).transpose()?,
            stones: StoneAt::read_all(&field.get("stones", "the stones of both teams")?)?,
            scores,
            extra_end_score: extra.per_team("points or null", points)?,
            thinking_time_remaining: remaining.per_team("seconds", |f| f.number())?,
            game_result,
        })
    }
}

/// Whether a match that has no result can stand like this.
fn goes_on(game: &Curling, state: &State) -> Result<(), ProtocolError> {
    let [a, b] = state.points;
    if game.decided(state) {
        let ends = state.end;
        return Err(ProtocolError::Wrong {
            field: "state.game_result".into(),
            expected: format!("a result, as the match is over after {ends} ends at {a}:{b}"),
            found: "null".into(),
        });
    }
    for (stone, at) in state.board.stones() {
        let (team, throw) = (stone.team(), stone.throw());
        let wrong = |expected: String| ProtocolError::Wrong {
            field: format!("state.stones.team{}[{throw}]", team.index()),
            expected,
            found: format!("a stone at ({}, {})", at.x, at.y),
        };
        let last = team == state.hammer;
        let thrown = usize::from((state.shot + u8::from(!last)) / 2);
        if throw >= thrown {
            let shot = state.shot;
            return Err(wrong(format!(
                "null, as after {shot} shots this team has thrown {thrown}"
            )));
        }
        let (x, y) = (f64::from(at.x), f64::from(at.y));
        if x.abs() > SHEET_WIDTH || !(0.0..=2.0 * TEE).contains(&y) {
            return Err(wrong(
                "a stone on the sheet, in metres from the hack: the tee is at (0, 38.405)".into(),
            ));
        }
    }
    Ok(())
}

fn points(field: Field<'_>) -> Result<Option<u8>, ProtocolError> {
    let points = field.nullable().map(|f| f.whole(8)).transpose()?;
    Ok(points.map(|n| n as u8))
}

fn result(state: &State, verdict: Verdict) -> GameResult {
    let (winner, reason) = match verdict {
        Verdict::Conceded(team) => (Some(team.opponent()), Reason::Concede),
        Verdict::Score | Verdict::Horizon => match state.lead(Team::Team0) {
            0 => (None, Reason::Draw),
            lead if lead > 0 => (Some(Team::Team0), Reason::Score),
            _ => (Some(Team::Team1), Reason::Score),
        },
    };
    GameResult { winner, reason }
}

fn stones_of(board: &Board) -> Stones {
    let mut stones = Stones::default();
    for (stone, point) in board.stones() {
        stones.of_mut(stone.team())[stone.throw()] = Some(StoneAt {
            position: Position {
                x: point.x,
                y: point.y,
            },
            angle: 0.0,
        });
    }
    stones
}

impl StoneAt {
    pub(super) fn check(&self) -> Result<(), ProtocolError> {
        check("position.x", self.position.x.into())?;
        check("position.y", self.position.y.into())?;
        check("angle", self.angle.into())
    }

    pub(super) fn read(field: &Field<'_>) -> Result<Self, ProtocolError> {
        let position = field.get("position", "an object with x and y")?;
        Ok(Self {
            position: Position {
                x: position.get("x", "metres")?.single()?,
                y: position.get("y", "metres")?.single()?,
            },
            angle: field.get("angle", "radians")?.single()?,
        })
    }

    pub(super) fn read_all(field: &Field<'_>) -> Result<Stones, ProtocolError> {
        field.per_team("a list of 8 stones", |list| {
            list.array(|item| item.nullable().map(|f| Self::read(&f)).transpose())
        })
    }
}

impl GameResult {
    fn read(field: &Field<'_>) -> Result<Self, ProtocolError> {
        let winner = field.find("winner")?;
        let expected = "\"score\", \"concede\", \"time_limit\" or \"draw\"";
        let reason = field.get("reason", expected)?;
        Ok(Self {
            winner: winner.map(|f| f.team()).transpose()?,
            reason: match reason.text()? {
                "score" => Reason::Score,
                "concede" => Reason::Concede,
                "time_limit" => Reason::TimeLimit,
                "draw" => Reason::Draw,
                _ => return Err(reason.wrong(expected)),
            },
        })
    }
}
