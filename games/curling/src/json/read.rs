//! A state from JSON.

use search_core::plugin::PluginError;

use crate::action::{Action, Kind};
use crate::board::{Board, Point, STONES_PER_TEAM, Stone, Team};
use crate::game::{Curling, MOST_POINTS};
use crate::geometry::{BACK_LINE, CONTACT, HOG_LINE, SHEET_WIDTH, STONE_RADIUS};
use crate::json::field::{Field, Result, team_name};
use crate::json::value::Json;
use crate::notation;
use crate::physics::Ice;
use crate::rules::doubles::PLACED;
use crate::state::{Phase, State, Verdict};

/// How deep stones at rest may overlap, in metres: as deep as the official simulator leaves alone.
const OVERLAP: f64 = 0.005;
/// What rounding may put a stone beyond a line, in metres.
const SLACK: f64 = 0.001;

const KEYS: [&str; 16] = [
    "end",
    "shot",
    "hammer",
    "points",
    "stones",
    "throwing",
    "conceded",
    "decides",
    "placing",
    "power_play",
    "horizon",
    "over",
    "scores",
    "extra_end_score",
    "thinking_time_remaining",
    "game_result",
];

/// Reads a state of this game.
///
/// # Errors
/// When the text is not such a state, saying where and what would be right.
pub fn read(game: &Curling, text: &str) -> Result<State> {
    let json = Json::read(text)?;
    let root = Field::root(&json);
    root.object("an object such as {\"shot\":0,\"stones\":{}}", &KEYS)?;
    let mut state = game.start();
    state.phase = Phase::Aim;
    state.horizon = flag(&root, "horizon")?;
    if let Some(field) = root.get("end") {
        state.end = field.count(u32::from(u8::MAX))? as u8;
    }
    state.points = points(&root, &state)?;
    let hammer = root.get("hammer").map(|f| f.team()).transpose()?;
    state.hammer = hammer.unwrap_or(state.hammer);
    if let Some(field) = root.get("stones") {
        state.board = stones(game, &field)?;
    }
    state.shot = shot(game, &root, &state)?;
    doubles(game, &root, hammer, &mut state)?;
    phase(game, &root, &mut state)?;
    Ok(state)
}

fn flag(root: &Field<'_>, key: &str) -> Result<bool> {
    root.get(key).map_or(Ok(false), |field| field.flag())
}

fn points(root: &Field<'_>, state: &State) -> Result<[u16; 2]> {
    let scores = root.get("scores");
    let Some(field) = root.get("points") else {
        let ends = match scores {
            Some(field) => field.pair("the scores of both teams", 0, |f| listed(f, state.end))?,
            None => [0, 0],
        };
        let extra = match root.get("extra_end_score") {
            Some(field) => field.pair("the extra end's score of both teams", 0, extra_score)?,
            None => [0, 0],
        };
        return Ok([0, 1].map(|i| MOST_POINTS.min(ends[i] + extra[i])));
    };
    if scores.is_some() || root.get("extra_end_score").is_some() {
        return Err(field.error("give the points or the `scores` by end, not both"));
    }
    let read = |f: &Field<'_>| f.count(MOST_POINTS.into()).map(|n| n as u16);
    field.pair("the points of both teams, as in [1,2]", 0, read)
}

/// The sum of the scores of one team by end: numbers for the ends that are over, null after them.
fn listed(field: &Field<'_>, end: u8) -> Result<u16> {
    let mut sum = 0;
    for (i, item) in field.list("a list of scores by end")?.iter().enumerate() {
        let over = i < usize::from(end);
        if *item.value == Json::Null {
            if over {
                return Err(item.error(&format!("end {i} is over, so a score is expected")));
            }
        } else if over {
            sum += item.count(STONES_PER_TEAM as u32)? as u16;
        } else {
            return Err(item.expected(&format!("null, as end {i} is not over")));
        }
    }
    Ok(sum)
}

fn extra_score(field: &Field<'_>) -> Result<u16> {
    match field.value {
        Json::Null => Ok(0),
        _ => Ok(field.count(STONES_PER_TEAM as u32)? as u16),
    }
}

fn stones(game: &Curling, field: &Field<'_>) -> Result<Board> {
    let mut board = Board::EMPTY;
    field.object("the stones of both teams", &["team0", "team1"])?;
    for team in Team::BOTH {
        let Some(list) = field.get(team_name(team)) else {
            continue;
        };
        let items = list.list("a list of stones")?;
        if items.len() > STONES_PER_TEAM {
            let given = items.len();
            return Err(list.error(&format!(
                "{given} stones given, a team has {STONES_PER_TEAM}: by the number of their throw, null for one that is not in play"
            )));
        }
        for (throw, item) in items.iter().enumerate() {
            if let Some(point) = stone(item)? {
                on_sheet(game, item, point)?;
                board.put(Stone::of(team, throw), point);
            }
        }
    }
    if let Some((a, b, depth)) = board.overlap().filter(|o| o.2 > OVERLAP) {
        let name = |s: Stone| format!("{}[{}]", team_name(s.team()), s.throw());
        let apart = CONTACT - depth;
        return Err(field.error(&format!(
            "{} and {} overlap: their centres are {apart:.4} m apart, at least {CONTACT} m would be right",
            name(a),
            name(b)
        )));
    }
    Ok(board)
}

const STONE: &str = "a stone such as {\"x\":0.1,\"y\":38.2}, [0.1,38.2] or null";

fn stone(field: &Field<'_>) -> Result<Option<Point>> {
    match field.value {
        Json::Null => Ok(None),
        Json::List(_) => match field.list(STONE)?.as_slice() {
            [x, y] => Ok(Some(Point::new(x.coordinate()?, y.coordinate()?))),
            _ => Err(field.expected(STONE)),
        },
        _ => {
            let Some(position) = field.get("position") else {
                return place(field).map(Some);
            };
            field.object(STONE, &["position", "angle"])?;
            if let Some(angle) = field.get("angle") {
                angle.coordinate()?;
            }
            place(&position).map(Some)
        }
    }
}

fn place(field: &Field<'_>) -> Result<Point> {
    field.object(STONE, &["x", "y"])?;
    match (field.get("x"), field.get("y")) {
        (Some(x), Some(y)) => Ok(Point::new(x.coordinate()?, y.coordinate()?)),
        _ => Err(field.error(&format!("`x` or `y` is missing, expected {STONE}"))),
    }
}

/// Where a stone may lie between two shots. The simulator of 2015-16 looks only at the thrown stone
/// when all is at rest, so others may lie on or before the lines.
fn on_sheet(game: &Curling, field: &Field<'_>, point: Point) -> Result<()> {
    let (side, near, far) = match game.options().ice {
        Ice::Fast | Ice::Fcv1 => (
            SHEET_WIDTH / 2.0 - STONE_RADIUS,
            HOG_LINE + STONE_RADIUS,
            BACK_LINE + STONE_RADIUS,
        ),
        Ice::Uec => (
            SHEET_WIDTH / 2.0 + STONE_RADIUS,
            0.0,
            BACK_LINE + STONE_RADIUS,
        ),
    };
    let (x, y) = (f64::from(point.x), f64::from(point.y));
    if x.abs() > side + SLACK {
        return Err(field.error(&format!(
            "x = {x} m is off the sheet: from {:.3} to {side:.3} would be right, 0 is the centre line",
            -side
        )));
    }
    if y < near - SLACK || y > far + SLACK {
        return Err(field.error(&format!(
            "y = {y} m is out of play: from {near:.3} (past the hog line) to {far:.3} (on the back line) would be right, the tee is at 38.405"
        )));
    }
    Ok(())
}

/// Stones of a team that are thrown once `shot` shots of the end are.
fn thrown(state: &State, team: Team, shot: u8) -> usize {
    let last = team == state.hammer;
    usize::from((shot + u8::from(!last)) / 2)
}

fn unthrown(game: &Curling, state: &State, shot: u8) -> Option<Stone> {
    let placed = |stone: Stone| game.options().doubles && stone.throw() == PLACED;
    let mut stones = state.board.stones().map(|(stone, _)| stone);
    stones.find(|s| !placed(*s) && s.throw() >= thrown(state, s.team(), shot))
}

fn shot(game: &Curling, root: &Field<'_>, state: &State) -> Result<u8> {
    let shots = game.shots();
    let fewest = || (0..shots).find(|shot| unthrown(game, state, *shot).is_none());
    let shot = match root.get("shot") {
        Some(field) => {
            let shot = field.count((shots - 1).into()).map_err(|error| {
                PluginError(format!(
                    "{error}: an end has {shots} shots, and after the last one the next end begins"
                ))
            })?;
            shot as u8
        }
        None => fewest().unwrap_or(shots - 1),
    };
    let Some(stone) = unthrown(game, state, shot) else {
        return Ok(shot);
    };
    let (team, throw) = (stone.team(), stone.throw());
    let least = fewest().map_or_else(
        || "no shot of this end throws it".to_owned(),
        |least| format!("`shot` of {least} or more would be right"),
    );
    Err(PluginError(format!(
        "stones.{name}[{throw}]: not thrown yet: after {shot} shots with the hammer at {} {name} has thrown {}; {least}",
        team_name(state.hammer),
        thrown(state, team, shot),
        name = team_name(team),
    )))
}

/// What mixed doubles has to say; sets the phase to the placing where that comes next.
fn doubles(
    game: &Curling,
    root: &Field<'_>,
    hammer: Option<Team>,
    state: &mut State,
) -> Result<()> {
    if !game.options().doubles {
        let given = ["decides", "placing", "power_play"];
        let given = given.into_iter().find_map(|key| root.get(key));
        return given.map_or(Ok(()), |field| {
            Err(field.error("only in mixed doubles: leave it out, or play curling(doubles=true)"))
        });
    }
    let decides = root.get("decides").map(|f| f.team()).transpose()?;
    state.doubles.decider = decides.unwrap_or(state.hammer);
    if let Some(field) = root.get("power_play") {
        let what = "whether each team had its power play, as in [false,true]";
        state.doubles.power_play = field.pair(what, false, Field::flag)?;
    }
    let fresh = state.shot == 0 && state.board.is_empty();
    let placing = match root.get("placing") {
        Some(field) => {
            let placing = field.flag()?;
            if placing && !fresh {
                return Err(field.error("stones are placed before the first shot and on no stones"));
            }
            placing
        }
        None => fresh && !game.decided(state),
    };
    if placing {
        if hammer.is_some_and(|team| team != state.doubles.decider) {
            return Err(PluginError(format!(
                "hammer: until the stones are placed it counts as that of the team that decides, {}",
                team_name(state.doubles.decider)
            )));
        }
        state.hammer = state.doubles.decider;
        state.phase = Phase::Place(state.doubles.decider);
    }
    Ok(())
}

fn phase(game: &Curling, root: &Field<'_>, state: &mut State) -> Result<()> {
    let decided = game.decided(state);
    let fresh = state.shot == 0 && state.board.is_empty();
    if decided && !(fresh && state.phase == Phase::Aim) {
        let [a, b] = state.points;
        return Err(PluginError(format!(
            "end: the match is over after {} ends at {a}:{b}, so there is nothing to place or throw: leave out the shot and the stones, or give other points",
            state.end
        )));
    }
    if decided {
        state.phase = Phase::Over(Verdict::Score);
    }
    let over = over(root, fresh)?;
    if let Some(verdict) = over {
        match state.phase {
            Phase::Over(_) if verdict != Verdict::Score => {
                return Err(PluginError::new(
                    "end: the match is over by its points: leave out how else it ended",
                ));
            }
            Phase::Over(_) => {}
            _ if verdict == Verdict::Score => {
                return Err(PluginError::new(
                    "game_result: the match is not over: ends are left, or it is level",
                ));
            }
            _ => state.phase = Phase::Over(verdict),
        }
    }
    if let Some(field) = root.get("throwing") {
        if state.phase != Phase::Aim {
            return Err(field.error("nobody is to throw here"));
        }
        state.phase = Phase::Throw(shot_thrown(&field)?);
    }
    Ok(())
}

fn shot_thrown(field: &Field<'_>) -> Result<Action> {
    let text = field.text("a shot such as `ccw 2.403350 3.140`")?;
    let action = notation::parse_within(text, Action::MAX_SPEED, notation::FULL_TURN)
        .map_err(|e| field.error(&e.0))?;
    match action.kind() {
        Kind::Shot(_) => Ok(action),
        Kind::Place(_) | Kind::Concede => Err(field.expected("a shot")),
    }
}

/// How the match ended, as far as the points do not say so.
fn over(root: &Field<'_>, fresh: bool) -> Result<Option<Verdict>> {
    if let Some(field) = root.get("conceded") {
        return Ok(Some(Verdict::Conceded(field.team()?)));
    }
    if let Some(field) = root.get("over") {
        if !(fresh && *field.value == Json::Text("horizon".to_owned())) {
            return Err(field.expected("`horizon`, where the next end has not begun"));
        }
        return Ok(Some(Verdict::Horizon));
    }
    let Some(field) = root.get("game_result").filter(|f| *f.value != Json::Null) else {
        return Ok(None);
    };
    field.object("null or a result with its reason", &["winner", "reason"])?;
    let reason = match field.get("reason") {
        Some(reason) => reason.text("a reason")?,
        None => return Err(field.error("`reason` is missing")),
    };
    match (reason, field.get("winner")) {
        ("score" | "draw", _) => Ok(Some(Verdict::Score)),
        ("concede" | "time_limit", Some(winner)) => {
            Ok(Some(Verdict::Conceded(winner.team()?.opponent())))
        }
        _ => Err(field.error(
            "expected the reason `score`, `draw`, or `concede` or `time_limit` with its winner",
        )),
    }
}
