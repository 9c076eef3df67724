//! Any shot and state come back, and no line of bytes panics.

use super::*;

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
