//! A whole match between two of our own games.

use super::*;

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
