//! What is refused, and garbage.

use super::*;

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
