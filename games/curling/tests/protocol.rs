//! The messages of Digital Curling 3: there and back, the documented examples, a whole match between
//! two of our own games, and garbage.

use curling::noise::Deviation;
use curling::options::{Noise, Zone};
use curling::physics::Ice;
use curling::protocol::{
    Change, ClientMessage, Dc, GameResult, IsReady, LastMove, MatchGame, Move, NewGame, PerTeam,
    PlayerModel, Position, ProtocolError, Reason, Scores, ServerMessage, StoneAt, Stones,
    Trajectory, Update, Velocity, Version, WireState,
};
use curling::state::Verdict;
use curling::{
    Action, Board, Curling, CurlingOptions, Phase, Point, Simulator, Spin, State, Stone, Team,
};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use search_core::game::{Game, Turn};
use serde_json::{Value, json};

fn game(ends: u8) -> Curling {
    Curling::new(CurlingOptions {
        ends,
        ice: Ice::Fcv1,
        ..CurlingOptions::default()
    })
    .unwrap()
}

fn stone(x: f32, y: f32, angle: f32) -> Option<StoneAt> {
    Some(StoneAt {
        position: Position { x, y },
        angle,
    })
}

fn stones() -> Stones {
    let mut stones = Stones::default();
    stones.team0[0] = stone(0.1, 38.405, 37.8);
    stones.team1[7] = stone(-1.25, 33.3, -0.5);
    stones
}

fn shot(x: f64, y: f64, rotation: Spin) -> Move {
    Move::Shot {
        velocity: Velocity { x, y },
        rotation,
    }
}

fn update() -> Update {
    let mut finish = stones();
    finish.team0[1] = stone(0.2, 35.5, 1.0);
    let change = |team, index, value| Change { team, index, value };
    let changes = vec![
        change(Team::Team0, 1, stone(0.2, 35.5, 1.0)),
        change(Team::Team1, 7, None),
    ];
    Update {
        next_team: Some(Team::Team1),
        state: WireState {
            end: 1,
            shot: 3,
            hammer: Some(Team::Team1),
            stones: finish.clone(),
            scores: PerTeam {
                team0: vec![Some(2), None],
                team1: vec![Some(0), None],
            },
            extra_end_score: PerTeam::default(),
            thinking_time_remaining: PerTeam {
                team0: 219.5,
                team1: 300.0,
            },
            game_result: None,
        },
        last_move: Some(LastMove {
            actual_move: shot(0.1317, 2.3997, Spin::Ccw),
            free_guard_zone_foul: false,
            trajectory: Some(Trajectory {
                seconds_per_frame: 0.05,
                start: stones(),
                finish,
                frames: vec![vec![], changes],
            }),
        }),
    }
}

fn server_messages() -> Vec<ServerMessage> {
    let shown = MatchGame::of(&CurlingOptions::default(), 600.0, 60.0).unwrap();
    let mut odd = shown.clone();
    odd.players.team1[2] = PlayerModel::Identical;
    odd.players.team0[1] = PlayerModel::NormalDist {
        max_speed: 4.0,
        stddev_speed: 0.01,
        stddev_angle: 0.002,
        seed: Some(17),
    };
    odd.simulator.seconds_per_frame = None;
    let first = Update {
        last_move: None,
        ..update()
    };
    let mut over = update();
    over.next_team = None;
    over.state.hammer = None;
    over.state.game_result = Some(GameResult {
        winner: None,
        reason: Reason::Draw,
    });
    over.state.extra_end_score.team0 = Some(3);
    if let Some(last) = &mut over.last_move {
        last.actual_move = Move::Concede;
        last.trajectory = None;
    }
    let ready = |team, game| ServerMessage::IsReady(IsReady { team, game });
    vec![
        ServerMessage::Dc(Dc {
            version: Version { major: 1, minor: 1 },
            game_id: "a".into(),
            date_time: "2026-11-30T12:00:00".into(),
        }),
        ready(Team::Team1, shown),
        ready(Team::Team0, odd),
        ServerMessage::NewGame(NewGame {
            name: PerTeam {
                team0: "über \"bot\"\n".into(),
                team1: String::new(),
            },
        }),
        ServerMessage::Update(update()),
        ServerMessage::Update(first),
        ServerMessage::Update(over),
        ServerMessage::GameOver,
    ]
}

fn client_messages() -> Vec<ClientMessage> {
    vec![
        ClientMessage::DcOk { name: "bot".into() },
        ClientMessage::ReadyOk {
            player_order: [2, 0, 3, 1],
        },
        ClientMessage::Move {
            chosen: shot(-0.131_727, 2.399_733, Spin::Cw),
        },
        ClientMessage::Move {
            chosen: Move::Concede,
        },
    ]
}

fn read_update(line: &str) -> Update {
    match ServerMessage::from_line(line) {
        Ok(ServerMessage::Update(update)) => update,
        other => panic!("{line}: {other:?}"),
    }
}

fn read_move(line: &str) -> Move {
    match ClientMessage::from_line(line) {
        Ok(ClientMessage::Move { chosen }) => chosen,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn every_message_comes_back_as_it_was() {
    for message in server_messages() {
        let line = message.to_line().unwrap();
        assert!(line.ends_with('\n') && line.matches('\n').count() == 1);
        assert_eq!(ServerMessage::from_line(&line).unwrap(), message, "{line}");
    }
    for message in client_messages() {
        let line = message.to_line().unwrap();
        assert!(line.ends_with('\n') && line.matches('\n').count() == 1);
        assert_eq!(ClientMessage::from_line(&line).unwrap(), message, "{line}");
    }
}

#[test]
fn the_documented_examples_are_read_and_written() {
    let same = |text: &str, line: &str| {
        let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        assert_eq!(value(text), value(line));
    };
    for text in [
        r#"{"cmd":"dc","version":{"major":1,"minor":0},"game_id":"<uuid>","date_time":"<ISO8601>"}"#,
        r#"{"cmd":"new_game","name":{"team0":"..","team1":".."}}"#,
        r#"{"cmd":"game_over"}"#,
        r#"{"cmd":"is_ready","team":"team0","game":{"rule":"normal","setting":{"max_end":10,
            "sheet_width":4.75,"five_rock_rule":true,"thinking_time":{"team0":86400.0,"team1":86400.0},
            "extra_end_thinking_time":{"team0":86400.0,"team1":86400.0}},
            "simulator":{"type":"fcv1","seconds_per_frame":0.001},
            "players":{"team0":[
              {"type":"normal_dist","max_speed":4.0,"stddev_speed":0.0076,"stddev_angle":0.0018,"seed":5},
              {"type":"normal_dist","max_speed":4.0,"stddev_speed":0.0076,"stddev_angle":0.0018,"seed":null},
              {"type":"identical"},{"type":"identical"}],
            "team1":[{"type":"identical"},{"type":"identical"},{"type":"identical"},{"type":"identical"}]}}}"#,
        r#"{"cmd":"update","next_team":"team0","state":{"end":0,"shot":0,"hammer":"team1",
            "stones":{"team0":[null,null,null,null,null,null,null,null],
                      "team1":[null,null,null,null,null,null,null,null]},
            "scores":{"team0":[null,null],"team1":[null,null]},
            "extra_end_score":{"team0":null,"team1":null},
            "thinking_time_remaining":{"team0":86400.0,"team1":86400.0},
            "game_result":null},"last_move":null}"#,
        r#"{"cmd":"update","next_team":null,"state":{"end":1,"shot":0,"hammer":null,
            "stones":{"team0":[null,null,null,null,null,null,null,null],
                      "team1":[null,null,null,null,null,null,null,null]},
            "scores":{"team0":[2],"team1":[0]},"extra_end_score":{"team0":null,"team1":null},
            "thinking_time_remaining":{"team0":1.5,"team1":0.0},
            "game_result":{"winner":"team0","reason":"score"}},
            "last_move":{"actual_move":{"type":"shot","velocity":{"x":0.1317,"y":2.3997},"rotation":"ccw"},
            "free_guard_zone_foul":false}}"#,
    ] {
        let read = ServerMessage::from_line(text).unwrap();
        same(text, &read.to_line().unwrap());
    }
    for text in [
        r#"{"cmd":"dc_ok","name":"mybot"}"#,
        r#"{"cmd":"ready_ok","player_order":[0,1,2,3]}"#,
        r#"{"cmd":"move","move":{"type":"shot","velocity":{"x":0.1317,"y":2.3997},"rotation":"ccw"}}"#,
        r#"{"cmd":"move","move":{"type":"concede"}}"#,
    ] {
        let read = ClientMessage::from_line(text).unwrap();
        same(text, &read.to_line().unwrap());
    }
}

#[test]
fn positions_keep_single_precision_whichever_way_they_are_written() {
    // As our own writer has it, and widened to double as the official server does.
    for text in ["38.405", "38.40499877929688"] {
        let line = ServerMessage::Update(update()).to_line().unwrap();
        let line = line.replace("38.405", text);
        assert!(line.contains(text));
        let board = read_update(&line).state.board();
        let place = board.get(Stone::of(Team::Team0, 0)).unwrap();
        assert_eq!((place.x, place.y), (0.1_f32, 38.405_f32));
        let other = board.get(Stone::of(Team::Team1, 7));
        assert_eq!(other, Some(Point::new(-1.25, 33.3)));
        assert_eq!(board.len(), 3);
    }
}

#[test]
fn the_tee_shot_of_the_documents_stops_at_the_tee() {
    // Known answer: (0.131727, 2.399733) m/s, counter-clockwise, stops at (0, 38.405), up to the 9 mm by
    // which single precision treats directions differently.
    let line = r#"{"cmd":"move","move":{"type":"shot","velocity":{"x":0.131727,"y":2.399733},"rotation":"ccw"}}"#;
    let release = read_move(line).action().unwrap().release().unwrap();
    let (board, _, _) = game(1).throw(&State::start(Team::Team1), release, &mut ());
    let place = board.get(Stone::of(Team::Team0, 0)).unwrap();
    assert!(place.from_tee() < 0.009, "{place:?}");
}

#[test]
fn unknown_fields_are_tolerated_from_the_server_only() {
    let line = ServerMessage::Update(update()).to_line().unwrap();
    let mut value: Value = serde_json::from_str(&line).unwrap();
    value["later"] = json!(1);
    value["state"]["weather"] = json!({"ice": "wet"});
    value["last_move"]["actual_move"]["force"] = json!(null);
    assert_eq!(read_update(&value.to_string()), update());
    for (line, field) in [
        (r#"{"cmd":"dc_ok","name":"b","colour":1}"#, "colour"),
        (
            r#"{"cmd":"move","move":{"type":"concede","why":1}}"#,
            "move.why",
        ),
        (
            r#"{"cmd":"move","move":{"type":"shot","velocity":{"x":0,"y":2,"z":0},"rotation":"cw"}}"#,
            "move.velocity.z",
        ),
    ] {
        let error = ClientMessage::from_line(line).unwrap_err();
        let named = matches!(&error, ProtocolError::Unknown { field: f, .. } if f == field);
        assert!(named, "{error}");
    }
}

#[test]
fn errors_name_the_field_and_what_would_be_right() {
    let edited = |pointer: &str, to: Value| {
        let line = ServerMessage::Update(update()).to_line().unwrap();
        let mut value: Value = serde_json::from_str(&line).unwrap();
        *value.pointer_mut(pointer).unwrap() = to;
        let read = ServerMessage::from_line(&value.to_string());
        read.unwrap_err().to_string()
    };
    let stone = "/state/stones/team1/7/position";
    for (pointer, to, words) in [
        (
            "/cmd",
            json!("updat"),
            "`cmd` is \"updat\"; expected \"dc\", ",
        ),
        (
            "/next_team",
            json!("team0"),
            "`next_team` is \"team0\"; expected \"team1\", by",
        ),
        (
            "/next_team",
            json!(null),
            "`next_team` is null; expected \"team1\", by the shot",
        ),
        (
            "/state/shot",
            json!(16),
            "`state.shot` is 16; expected a whole number from 0 to 15",
        ),
        (
            "/state/end",
            json!(-1),
            "`state.end` is -1; expected a whole number from 0 to 255",
        ),
        (
            "/state/hammer",
            json!(null),
            "`state.hammer` is null; expected \"team0\" or",
        ),
        (
            "/state/stones/team0",
            json!([]),
            "`state.stones.team0` is a list of 0; expected a list of 8",
        ),
        (
            stone,
            json!({"x": "a", "y": 1}),
            "`state.stones.team1[7].position.x` is \"a\"",
        ),
        (
            stone,
            json!({"x": 1e300, "y": 1}),
            "a number of single precision",
        ),
        (
            stone,
            json!({"x": 1}),
            "`state.stones.team1[7].position.y` is missing",
        ),
        (
            "/state/scores/team1",
            json!([0]),
            "`state.scores.team1` is [0]; expected as long as that of team0, 2",
        ),
        (
            "/state/scores/team1/0",
            json!(9),
            "`state.scores.team1[0]` is 9; expected a whole number from 0 to 8",
        ),
        (
            "/state/game_result",
            json!({"winner": null}),
            "`state.game_result.reason` is missing",
        ),
        (
            "/last_move/actual_move/rotation",
            json!("left"),
            "`last_move.actual_move.rotation` is \"left\"",
        ),
        (
            "/last_move/trajectory/frames/1/0/index",
            json!(8),
            "trajectory.frames[1][0].index` is 8",
        ),
    ] {
        let error = edited(pointer, to);
        assert!(error.contains(words), "{pointer}: {error}");
    }
    for (line, words) in [
        ("", "not a line of JSON"),
        ("[]", "`message` is []; expected an object"),
        ("{}", "`cmd` is missing"),
        (
            r#"{"cmd":"dc","version":{"major":2,"minor":0}}"#,
            "`version.major` is 2; expected 1",
        ),
    ] {
        let error = ServerMessage::from_line(line).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    for (line, words) in [
        (
            r#"{"cmd":"ready_ok","player_order":[0,1,2,2]}"#,
            "a permutation of 0, 1, 2, 3",
        ),
        (
            r#"{"cmd":"ready_ok","player_order":[0,1,2]}"#,
            "a list of 3; expected a list of 4",
        ),
        (
            r#"{"cmd":"move","move":{"type":"sweep"}}"#,
            "expected \"shot\" or \"concede\"",
        ),
    ] {
        let error = ClientMessage::from_line(line).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

/// What no match can come to is told, not searched.
#[test]
fn a_state_that_cannot_be_is_refused() {
    let game = game(2);
    let mut good = update().state;
    good.stones.team1[7] = None;
    assert!(good.state(&game).is_ok());
    let refused = |change: &dyn Fn(&mut WireState), words: &str| {
        let mut state = good.clone();
        change(&mut state);
        let error = state.state(&game).expect_err(words).to_string();
        assert!(error.contains(words), "{error}");
    };
    refused(
        &|s| {
            s.end = 2;
            s.scores.team0 = vec![Some(1), Some(2)];
            s.scores.team1 = vec![Some(0), Some(0)];
        },
        "over after 2 ends at 3:0",
    );
    refused(&|s| s.end = 255, "over after 255 ends");
    refused(
        &|s| s.scores = PerTeam::from_fn(|_| vec![None; 11]),
        "expected a list of 2, one an end",
    );
    refused(&|s| s.shot = 0, "after 0 shots this team has thrown 0");
    let far: &dyn Fn(&mut WireState) = &|s| {
        s.shot = 15;
        s.stones.team0[0] = stone(1e30, 38.0, 0.0);
    };
    refused(far, "a stone on the sheet, in metres from the hack");
}

#[test]
fn what_json_cannot_hold_is_not_written() {
    for (x, y) in [(f64::NAN, 1.0), (0.0, f64::INFINITY)] {
        let chosen = shot(x, y, Spin::Cw);
        assert!(ClientMessage::Move { chosen }.to_line().is_err());
        assert!(chosen.action().is_err());
    }
    assert!(shot(0.0, 2000.0, Spin::Cw).action().is_err());
    let mut bad = update();
    bad.state.stones.team0[3] = stone(0.0, f32::NAN, 0.0);
    assert!(ServerMessage::Update(bad).to_line().is_err());
    let player_order = [0, 0, 1, 2];
    assert!(ClientMessage::ReadyOk { player_order }.to_line().is_err());
}

#[test]
fn rules_and_options_agree() {
    let options = CurlingOptions {
        ends: 10,
        zone: Zone::Four,
        ..CurlingOptions::default()
    };
    let taken = |game: &MatchGame, team| game.options(team, Ice::Fast);
    let game = MatchGame::of(&options, 1.0, 1.0).unwrap();
    let all = taken(&game, Team::Team0).unwrap();
    assert_eq!((all.options, all.left_out.len()), (options, 0));
    let quiet = CurlingOptions {
        noise: Noise::None,
        ..options
    };
    let mut game = MatchGame::of(&quiet, 1.0, 1.0).unwrap();
    assert_eq!(taken(&game, Team::Team0).unwrap().options, quiet);
    // What the options cannot say is told.
    game.players.team0[2] = PlayerModel::Other;
    let some = taken(&game, Team::Team0).unwrap();
    assert_eq!(some.left_out.len(), 1);
    assert!(some.left_out[0].starts_with("player 2"));
    assert!(taken(&game, Team::Team1).unwrap().left_out.is_empty());
    // A hundredth more noise is another noise, the rounding of single precision is none.
    let mut noisy = MatchGame::of(&options, 1.0, 1.0).unwrap();
    for (factor, told) in [(1.01, 1), (0.99, 1), (1.0 + 5e-8, 0)] {
        let PlayerModel::NormalDist { stddev_angle, .. } = &mut noisy.players.team1[3] else {
            panic!("{:?}", noisy.players.team1[3]);
        };
        *stddev_angle = 0.0018 * factor;
        let left_out = taken(&noisy, Team::Team1).unwrap().left_out;
        assert_eq!(left_out.len(), told, "{factor} {left_out:?}");
    }
    // What the game cannot play is refused.
    game.setting.max_end = 17;
    let error = taken(&game, Team::Team0).unwrap_err().to_string();
    assert!(error.contains("game.setting.max_end"), "{error}");
    let doubles = CurlingOptions {
        doubles: true,
        ..options
    };
    assert!(MatchGame::of(&doubles, 1.0, 1.0).is_err());
}

#[test]
fn trajectories_are_frames_and_changes() {
    let mut first = stones();
    first.team1[2] = stone(0.0, 0.0, 0.0);
    let mut second = first.clone();
    second.team1[2] = stone(0.1, 1.0, 0.1);
    let mut third = second.clone();
    third.team0[0] = None;
    let frames = vec![first, second.clone(), second, third.clone()];
    let trajectory = Trajectory::from_frames(0.05, &frames, third);
    let sizes: Vec<usize> = trajectory.frames.iter().map(Vec::len).collect();
    assert_eq!(sizes, [1, 0, 1]);
    assert_eq!(trajectory.all(), frames);
}

#[test]
fn points_are_noted_by_end_and_extra_end() {
    let mut scores = Scores::new(2);
    let at = |end: u8, points: [u16; 2]| State {
        end,
        points,
        ..State::start(Team::Team1)
    };
    let way = [
        at(0, [0, 0]),
        at(1, [0, 2]),
        at(2, [2, 2]),
        at(3, [2, 2]),
        at(4, [3, 2]),
    ];
    for pair in way[..4].windows(2) {
        scores.note(&pair[0], &pair[1]);
    }
    assert_eq!(scores.ends.team0, [Some(0), Some(2)]);
    assert_eq!(scores.ends.team1, [Some(2), Some(0)]);
    // A blank extra end leaves the slot open.
    assert_eq!(scores.extra, PerTeam::default());
    scores.note(&way[3], &way[4]);
    assert_eq!((scores.extra.team0, scores.extra.team1), (Some(1), Some(0)));
    assert_eq!(Team::BOTH.map(|team| scores.total(team)), [3, 2]);
    // The same state is no end.
    scores.note(&way[4], &way[4]);
    assert_eq!(scores.total(Team::Team0), 3);
}

/// The server's side of a match: the truth, the points by end, the noise.
struct Server {
    game: Curling,
    state: State,
    scores: Scores,
    rng: ChaCha8Rng,
}

impl Server {
    fn update(&self, last_move: Option<LastMove>) -> String {
        let remaining = PerTeam::from_fn(|_| 60.0);
        let state = WireState::of(&self.game, &self.state, &self.scores, remaining).unwrap();
        let update = Update {
            next_team: state.next_team(),
            state,
            last_move,
        };
        ServerMessage::Update(update).to_line().unwrap()
    }

    fn apply(&mut self, line: &str) -> LastMove {
        let before = self.state;
        let action = read_move(line).action().unwrap();
        self.game.apply(&mut self.state, action);
        assert_eq!(self.game.turn(&self.state), Turn::Chance);
        let deviation: Deviation = self.game.sample_chance(&self.state, &mut self.rng);
        let meant = action.release().unwrap();
        let noise = self.game.noise();
        let release = noise.execute(self.game.model(), meant, deviation);
        self.game.apply_chance(&mut self.state, deviation);
        self.scores.note(&before, &self.state);
        LastMove {
            actual_move: Move::of_release(release),
            free_guard_zone_foul: self.game.throw(&before, release, &mut ()).2,
            trajectory: None,
        }
    }
}

/// A client's game, set up from what the server says.
fn client(team: Team, options: &CurlingOptions) -> Curling {
    let game = MatchGame::of(options, 60.0, 60.0).unwrap();
    let line = ServerMessage::IsReady(IsReady { team, game });
    let line = line.to_line().unwrap();
    let Ok(ServerMessage::IsReady(ready)) = ServerMessage::from_line(&line) else {
        panic!("{line}");
    };
    let taken = ready.game.options(ready.team, Ice::Fcv1).unwrap();
    assert_eq!((ready.team, taken.options), (team, *options));
    Curling::new(taken.options).unwrap()
}

#[test]
fn a_match_of_one_end_is_played_over_the_wire() {
    let options = *game(1).options();
    let mut server = Server {
        game: game(1),
        state: State::start(Team::Team1),
        scores: Scores::new(1),
        rng: ChaCha8Rng::seed_from_u64(3),
    };
    let clients = Team::BOTH.map(|team| client(team, &options));
    let mut line = server.update(None);
    let mut last: Option<(State, LastMove)> = None;
    for shot in 0_usize..16 {
        let update = read_update(&line);
        let team = update.next_team.unwrap();
        // Team 0 throws first in the first end, and then they take turns.
        assert_eq!(team.index(), shot % 2);
        let client = &clients[team.index()];
        let seen = update.state.state(client).unwrap();
        assert_eq!(seen, server.state);
        // The executed move, thrown again, leaves what the server says.
        if let (Some((before, moved)), Some(told)) = (&last, &update.last_move) {
            assert_eq!(moved, told);
            let release = told.actual_move.release().unwrap();
            let (board, _, foul) = client.throw(before, release, &mut ());
            assert_eq!((board, foul), (seen.board, told.free_guard_zone_foul));
        }
        let (x, y) = (
            0.4 * (shot % 5) as f32 - 0.8,
            37.9 + 0.2 * (shot % 4) as f32,
        );
        let spin = Spin::BOTH[usize::from(shot % 3 == 0)];
        let aim = client.model().stop_at(Point::new(x, y), spin).unwrap();
        let chosen = Move::of(Action::shot(aim)).unwrap();
        let answer = ClientMessage::Move { chosen }.to_line().unwrap();
        let moved = server.apply(&answer);
        line = server.update(Some(moved.clone()));
        last = Some((seen, moved));
    }
    assert_eq!(server.state.end, 1);
    let update = read_update(&line);
    // Sixteen draws into the house are no blank end: somebody has won.
    let result = update.state.game_result.unwrap();
    assert_eq!((update.next_team, result.reason), (None, Reason::Score));
    let winner = result.winner.unwrap();
    let scores = update.state.scores();
    assert!(scores.total(winner) > 0 && scores.total(winner.opponent()) == 0);
    let seen = update.state.state(&clients[0]).unwrap();
    assert_eq!(seen.phase, Phase::Over(Verdict::Score));
    assert_eq!(seen.points, server.state.points);
    assert_eq!(clients[0].returns(&seen)[winner.index()], 1.0);
}

#[test]
fn giving_up_ends_the_match() {
    let game = game(2);
    let mut state = State::start(Team::Team1);
    game.apply(&mut state, Action::CONCEDE);
    let wire = WireState::of(&game, &state, &Scores::new(2), PerTeam::default()).unwrap();
    let result = GameResult {
        winner: Some(Team::Team1),
        reason: Reason::Concede,
    };
    assert_eq!(wire.game_result, Some(result));
    assert_eq!((wire.hammer, wire.next_team()), (None, None));
    let back = wire.state(&game).unwrap();
    assert_eq!(back.phase, Phase::Over(Verdict::Conceded(Team::Team0)));
    assert_eq!(game.returns(&back)[1], 1.0);
    // Ends that do not fit the game are refused.
    assert!(wire.state(&self::game(3)).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_shot_comes_back_as_the_same_action(
        speed in 0.5_f64..4.0, angle in -0.3_f64..0.3, cw in any::<bool>(),
    ) {
        let action = Action::polar(speed, angle, Spin::BOTH[usize::from(cw)]);
        let chosen = Move::of(action).unwrap();
        let line = ClientMessage::Move { chosen }.to_line().unwrap();
        prop_assert_eq!(read_move(&line).action().unwrap(), action);
    }

    #[test]
    fn a_state_comes_back_as_it_was(
        places in prop::collection::vec((0_usize..16, -2.0_f32..2.0, 32.2_f32..40.0), 0..16),
        shot in 0_u8..16,
        team1 in any::<bool>(),
        points in prop::collection::vec((0_u8..9, any::<bool>()), 0..6),
    ) {
        let game = game(8);
        let mut board = Board::EMPTY;
        let hammer = Team::BOTH[usize::from(team1)];
        for (stone, x, y) in places {
            let stone = Stone::new(stone);
            let thrown = (shot + u8::from(stone.team() != hammer)) / 2;
            if stone.throw() < usize::from(thrown) {
                board.put(stone, Point::new(x, y));
            }
        }
        let mut state = State::start(hammer);
        let mut scores = Scores::new(8);
        for (n, to1) in points {
            let before = state;
            state.end += 1;
            state.points[usize::from(to1)] += u16::from(n);
            scores.note(&before, &state);
        }
        (state.board, state.shot) = (board, shot);
        let remaining = PerTeam::from_fn(|_| 1.0);
        let wire = WireState::of(&game, &state, &scores, remaining).unwrap();
        prop_assert_eq!(wire.next_team(), Some(state.thrower()));
        let update = Update { next_team: wire.next_team(), state: wire, last_move: None };
        let line = ServerMessage::Update(update).to_line().unwrap();
        prop_assert_eq!(read_update(&line).state.state(&game).unwrap(), state);
    }

    /// Bytes changed, lost or cut off in valid lines, and bytes at random: never a panic.
    #[test]
    fn garbage_is_refused_without_a_panic(
        which in 0_usize..12, at in any::<prop::sample::Index>(), byte in any::<u8>(), how in 0..3,
        noise in any::<Vec<u8>>(),
    ) {
        let server = server_messages();
        let line = match server.get(which) {
            Some(message) => message.to_line().unwrap(),
            None => client_messages()[which - server.len()].to_line().unwrap(),
        };
        let mut bytes = line.into_bytes();
        let i = at.index(bytes.len());
        match how {
            0 => bytes[i] = byte,
            1 => { bytes.remove(i); }
            _ => bytes.truncate(i),
        }
        for bytes in [bytes, noise] {
            let text = String::from_utf8_lossy(&bytes);
            if let Ok(ClientMessage::Move { chosen }) = ClientMessage::from_line(&text) {
                let _ = chosen.action();
            }
            if let Ok(ServerMessage::Update(update)) = ServerMessage::from_line(&text) {
                // What was let through can be used.
                let _ = update.state.state(&game(2)).map(|state| game(2).turn(&state));
                let _ = update.last_move.and_then(|m| m.trajectory).map(|t| t.all());
            }
        }
    }
}
