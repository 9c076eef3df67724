//! The messages of Digital Curling 3: there and back, the documented examples, a whole match between
//! two of our own games, and garbage.

mod dialogue;
mod messages;
mod properties;
mod refusals;

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
