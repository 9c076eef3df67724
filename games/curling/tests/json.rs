//! Positions as text: round trips, the state of Digital Curling 3, and everything absurd.

mod common;

use common::{board, doubles, game, legal, of_ends, read, rng, strewn};
use curling::action::{Action, Placement};
use curling::{
    Board, Curling, CurlingOptions, Ice, Phase, Point, Spin, State, Stone, Team, Verdict,
};
use proptest::prelude::*;
use search_core::game::Game;
use search_core::plugin::Plugin;
use search_core::rng::Draw;

#[test]
fn everything_missing_is_the_start() {
    assert_eq!(read(of_ends(8), "{}"), of_ends(8).start());
    assert_eq!(
        read(of_ends(8), " { \"stones\" : {} } \n"),
        of_ends(8).start()
    );
    assert_eq!(read(doubles(8), "{}"), doubles(8).start());
    let other = game(CurlingOptions {
        hammer: 0,
        ..CurlingOptions::default()
    });
    assert_eq!(read(other, "{}").hammer, Team::Team0);
}

#[test]
fn a_stone_has_three_forms() {
    let expected = State {
        end: 2,
        shot: 5,
        points: [1, 2],
        board: board(
            &[None, Some((0.5, 38.25)), Some((-1.0, 35.5))],
            &[Some((0.25, 36.0))],
        ),
        ..State::start(Team::Team1)
    };
    for text in [
        r#"{"end":2,"shot":5,"hammer":"team1","points":[1,2],"stones":{"team0":[null,{"x":0.5,"y":38.25},{"x":-1,"y":35.5}],"team1":[{"x":0.25,"y":36}]}}"#,
        r#"{"end":2,"points":{"team0":1,"team1":2},"stones":{"team0":[null,[0.5,38.25],[-1.0,35.5],null],"team1":[[0.25,3.6e1],null]}}"#,
        r#"{"end":2,"shot":5,"points":[1,2],"stones":{"team1":[{"position":{"x":0.25,"y":36.0},"angle":37.8}],"team0":[null,{"position":{"y":38.25,"x":0.5}},[-1,35.5]]}}"#,
    ] {
        assert_eq!(read(of_ends(8), text), expected, "{text}");
    }
}

/// As the protocol of Digital Curling 3 sends it.
#[test]
fn the_state_of_digital_curling_3_is_read() {
    let state = |more: &str| {
        format!(
            r#"{{"end":3,"shot":1,"hammer":"team0","stones":{{"team0":[null,null,null,null,null,null,null,null],"team1":[{{"position":{{"x":-0.3,"y":38.1}},"angle":12.566}},null,null,null,null,null,null,null]}},"scores":{{"team0":[0,2,0,null,null,null,null,null,null,null],"team1":[1,0,3,null,null,null,null,null,null,null]}},"extra_end_score":{{"team0":null,"team1":null}},"thinking_time_remaining":{{"team0":259.1,"team1":251.0}}{more}}}"#
        )
    };
    let read_state = |more: &str| read(of_ends(8), &state(more));
    let running = read_state(r#","game_result":null"#);
    assert_eq!((running.end, running.shot, running.points), (3, 1, [2, 4]));
    assert_eq!(
        (running.phase, running.thrower()),
        (Phase::Aim, Team::Team0)
    );
    assert_eq!(
        running.board.get(Stone::new(8)),
        Some(Point::new(-0.3, 38.1))
    );
    for reason in ["concede", "time_limit"] {
        let over = read_state(&format!(
            r#","game_result":{{"winner":"team1","reason":"{reason}"}}"#
        ));
        assert_eq!(over.phase, Phase::Over(Verdict::Conceded(Team::Team0)));
    }
    let won = r#"{"end":9,"hammer":"team0","scores":{"team0":[0,2,0,0,1,0,0,0],"team1":[1,0,2,0,0,0,0,0]},"extra_end_score":{"team0":1,"team1":0},"game_result":{"winner":"team0","reason":"score"}}"#;
    let won = read(of_ends(8), won);
    assert_eq!(
        (won.points, won.phase),
        ([4, 3], Phase::Over(Verdict::Score))
    );
}

#[test]
fn what_is_missing_of_the_shot_is_the_fewest_that_explain_the_stones() {
    let shot = |text: &str| read(of_ends(8), text).shot;
    for (text, expected) in [
        (r#"{"stones":{"team0":[[0,38]]}}"#, 1),
        (r#"{"stones":{"team1":[[0,38]]}}"#, 2),
        (r#"{"stones":{"team1":[[0,38]]},"hammer":"team0"}"#, 1),
        (
            r#"{"stones":{"team0":[null,null,null,null,null,null,null,[0,38]]}}"#,
            15,
        ),
        (r#"{"stones":{"team0":[null,null,null,null]}}"#, 0),
    ] {
        assert_eq!(shot(text), expected, "{text}");
    }
}

#[test]
fn the_absurd_is_refused_with_where_and_what() {
    let nine = format!("[{}]", ["null"; 9].join(","));
    let nine = format!(r#"{{"stones":{{"team0":{nine}}}}}"#);
    let deep = "[".repeat(5000);
    let nested = format!(r#"{{"stones":{}}}"#, "[".repeat(100) + &"]".repeat(100));
    let huge = format!(r#"{{"end":{}}}"#, "1".repeat(200_000));
    for (text, expected) in [
        ("", "it is empty"),
        ("{", "EOF"),
        (r#"{"end":1,"shot""#, "EOF"),
        (r#"{"end":1} {}"#, "trailing"),
        ("[1,2]", "expected an object"),
        ("7", "expected an object"),
        ("null", "expected an object"),
        (&deep, "recursion limit"),
        (
            &nested,
            "stones: expected the stones of both teams, found a list of 1",
        ),
        (&huge, "200008 bytes"),
        (
            r#"{"end":-1}"#,
            "end: expected a whole number from 0 to 255, found -1",
        ),
        (
            r#"{"end":256}"#,
            "end: expected a whole number from 0 to 255",
        ),
        (r#"{"end":1.5}"#, "end: expected a whole number"),
        (
            r#"{"end":"2"}"#,
            "end: expected a whole number from 0 to 255, found `2`",
        ),
        (
            r#"{"end":null}"#,
            "end: expected a whole number from 0 to 255, found null",
        ),
        (
            r#"{"end":99999999999999999999999}"#,
            "end: expected a whole number",
        ),
        (
            r#"{"shot":16}"#,
            "shot: expected a whole number from 0 to 15, found 16: an end has 16 shots",
        ),
        (r#"{"shot":-1}"#, "shot: expected"),
        (
            r#"{"hammer":"team2"}"#,
            "hammer: expected `team0` or `team1`, found `team2`",
        ),
        (
            r#"{"hammer":0}"#,
            "hammer: expected `team0` or `team1`, found 0",
        ),
        (
            r#"{"points":[1]}"#,
            "points: expected the points of both teams",
        ),
        (
            r#"{"points":[1,-2]}"#,
            "points[1]: expected a whole number from 0 to 2040, found -2",
        ),
        (
            r#"{"points":[1,2],"scores":{}}"#,
            "points: give the points or the `scores`",
        ),
        (
            r#"{"points":{"team2":1}}"#,
            "points: unknown key `team2`; did you mean",
        ),
        (
            r#"{"stone":{}}"#,
            "unknown key `stone`; did you mean `stones`?",
        ),
        (r#"{"end":1,"end":1}"#, "the key `end` is given twice"),
        (
            r#"{"stones":{"team0":[],"team0":[]}}"#,
            "the key `team0` is given twice",
        ),
        (
            r#"{"stones":{"team0":[{"x":0,"x":1,"y":38}]}}"#,
            "the key `x` is given twice",
        ),
        (&nine, "stones.team0: 9 stones given, a team has 8"),
        (
            r#"{"stones":[[],[]]}"#,
            "stones: expected the stones of both teams",
        ),
        (
            r#"{"stones":{"team0":{}}}"#,
            "stones.team0: expected a list of stones, found an object",
        ),
        (
            r#"{"stones":{"team0":[7]}}"#,
            "stones.team0[0]: expected a stone such as",
        ),
        (
            r#"{"stones":{"team0":[[0]]}}"#,
            "stones.team0[0]: expected a stone such as",
        ),
        (
            r#"{"stones":{"team0":[[0,38,1]]}}"#,
            "stones.team0[0]: expected a stone such as",
        ),
        (
            r#"{"stones":{"team0":[["0",38]]}}"#,
            "stones.team0[0][0]: expected a number of metres, found `0`",
        ),
        (
            r#"{"stones":{"team0":[{"x":0}]}}"#,
            "stones.team0[0]: `x` or `y` is missing",
        ),
        (
            r#"{"stones":{"team0":[{"x":0,"y":38,"z":1}]}}"#,
            "unknown key `z`",
        ),
        (
            r#"{"stones":{"team0":[{"position":{"x":0,"y":38},"x":0}]}}"#,
            "unknown key `x`",
        ),
        (r#"{"stones":{"team0":[[NaN,38]]}}"#, "near `NaN,38"),
        (
            r#"{"stones":{"team0":[[NaN,38]]}}"#,
            "numbers must be finite",
        ),
        (
            r#"{"stones":{"team0":[[Infinity,38]]}}"#,
            "numbers must be finite",
        ),
        (r#"{"stones":{"team0":[[-Infinity,38]]}}"#, "stones"),
        (
            r#"{"stones":{"team0":[[1e400,38]]}}"#,
            "numbers must be finite",
        ),
        (
            r#"{"stones":{"team0":[[1e300,38]]}}"#,
            "stones.team0[0][0]: expected a number of metres",
        ),
        (
            r#"{"stones":{"team0":[[2.3,38]]}}"#,
            "stones.team0[0]: x = 2.2999",
        ),
        (
            r#"{"stones":{"team1":[null,[0,31]]}}"#,
            "stones.team1[1]: y = 31 m is out of play: from 32.149",
        ),
        (
            r#"{"stones":{"team1":[[0,32.1]]}}"#,
            "stones.team1[0]: y = 32.09",
        ),
        (r#"{"stones":{"team1":[null,[0,40.4]]}}"#, "to 40.379"),
        (
            r#"{"stones":{"team0":[[0,38],[1,36]],"team1":[null,[0.1,38.1]]}}"#,
            "stones: team0[0] and team1[1] overlap: their centres are 0.1414 m apart, at least 0.29 m",
        ),
        (
            r#"{"shot":2,"stones":{"team0":[[0,38],[1,36]]}}"#,
            "stones.team0[1]: not thrown yet: after 2 shots with the hammer at team1 team0 has thrown 1; `shot` of 3 or more",
        ),
        (
            r#"{"shot":15,"stones":{"team1":[null,null,null,null,null,null,null,[0,38]]}}"#,
            "no shot of this end throws it",
        ),
        (
            r#"{"end":8,"points":[1,2],"shot":1}"#,
            "the match is over after 8 ends at 1:2",
        ),
        (
            r#"{"end":255,"shot":1}"#,
            "the match is over after 255 ends at 0:0",
        ),
        (
            r#"{"end":8,"points":[1,2],"throwing":"cw 2 0"}"#,
            "throwing: nobody is to throw",
        ),
        (
            r#"{"throwing":"hit it"}"#,
            "throwing: `hit it` is not an action",
        ),
        (r#"{"throwing":"concede"}"#, "throwing: expected a shot"),
        (r#"{"throwing":1}"#, "throwing: expected a shot"),
        (r#"{"conceded":"me"}"#, "conceded: expected `team0`"),
        (
            r#"{"end":8,"points":[1,2],"conceded":"team0"}"#,
            "over by its points",
        ),
        (r#"{"over":"yes"}"#, "over: expected `horizon`"),
        (r#"{"shot":3,"over":"horizon"}"#, "over: expected `horizon`"),
        (r#"{"horizon":1}"#, "horizon: expected true or false"),
        (r#"{"placing":true}"#, "placing: only in mixed doubles"),
        (r#"{"decides":"team0"}"#, "decides: only in mixed doubles"),
        (
            r#"{"end":1,"scores":{"team0":[null],"team1":[0]}}"#,
            "scores.team0[0]: end 0 is over",
        ),
        (
            r#"{"end":0,"scores":{"team0":[1]}}"#,
            "scores.team0[0]: expected null",
        ),
        (
            r#"{"end":1,"scores":{"team0":[9]}}"#,
            "scores.team0[0]: expected a whole number from 0 to 8",
        ),
        (
            r#"{"game_result":{"winner":"team0","reason":"score"}}"#,
            "game_result: the match is not over",
        ),
        (
            r#"{"game_result":{"reason":"concede"}}"#,
            "game_result: expected the reason",
        ),
        (r#"{"game_result":{}}"#, "game_result: `reason` is missing"),
        (
            r#"{"game_result":3}"#,
            "game_result: expected null or a result",
        ),
    ] {
        let error = match of_ends(8).parse_observation(text) {
            Ok(state) => panic!("{text} is read as {state:?}"),
            Err(error) => error.0,
        };
        assert!(error.contains(expected), "{text}\n  {error}\n  {expected}");
        assert!(error.len() < 600, "{}", error.len());
    }
}

#[test]
fn the_absurd_in_doubles_is_refused() {
    for (text, expected) in [
        (
            r#"{"shot":10}"#,
            "from 0 to 9, found 10: an end has 10 shots",
        ),
        (
            r#"{"shot":1,"placing":true}"#,
            "placing: stones are placed before the first shot",
        ),
        (
            r#"{"stones":{"team0":[null,null,null,null,null,[0,38]]}}"#,
            "no shot of this end throws it",
        ),
        (
            r#"{"hammer":"team0","decides":"team1"}"#,
            "hammer: until the stones are placed",
        ),
        (
            r#"{"power_play":[true]}"#,
            "power_play: expected whether each team",
        ),
        (
            r#"{"power_play":[1,0]}"#,
            "power_play[0]: expected true or false",
        ),
        (
            r#"{"placing":true,"end":8,"points":[1,0]}"#,
            "the match is over after 8 ends",
        ),
    ] {
        let error = doubles(8).parse_observation(text).unwrap_err().0;
        assert!(error.contains(expected), "{text}\n  {error}\n  {expected}");
    }
    let placed = r#"{"stones":{"team1":[null,null,null,null,null,null,null,[0,38.87]]}}"#;
    assert_eq!(read(doubles(8), placed).phase, Phase::Aim);
}

fn back(game: &Curling, state: &State) -> State {
    let text = game.format_observation(state).unwrap();
    assert_eq!(text.lines().count(), 1);
    // Of worlds of a search too, which are no positions to be asked about.
    let state = curling::json::read(game, &text).unwrap_or_else(|e| panic!("{text}: {e}"));
    assert_eq!(game.format_observation(&state).unwrap(), text);
    state
}

/// A state of any kind, not only of those that matches reach.
fn any_state(game: &Curling, index: u64) -> State {
    let mut rng = rng("any", index);
    let shots = u32::from(game.shots());
    let mut state = game.start();
    state.hammer = Team::BOTH[rng.below(2) as usize];
    state.end = rng.below(254) as u8;
    state.shot = rng.below(shots) as u8;
    let level = state.end >= game.options().ends;
    state.points = [0, 1].map(|_| rng.below(2041) as u16);
    if level {
        state.points[1] = state.points[0];
    }
    state.horizon = rng.below(2) == 0;
    let everywhere = strewn(&mut rng, 16);
    for (stone, place) in everywhere.stones() {
        let last = stone.team() == state.hammer;
        let thrown = (state.shot + u8::from(!last)) / 2;
        if stone.throw() < usize::from(thrown) && rng.below(4) > 0 {
            state.board.put(stone, place);
        }
    }
    if game.options().doubles {
        state.doubles.decider = Team::BOTH[rng.below(2) as usize];
        state.doubles.power_play = [0, 1].map(|_| rng.below(2) == 0);
    }
    state.phase = match rng.below(4) {
        0 => Phase::Throw(Action::polar(4.0 * rng.unit(), rng.unit() - 0.5, Spin::Cw)),
        1 => Phase::Over(Verdict::Conceded(Team::BOTH[rng.below(2) as usize])),
        _ => Phase::Aim,
    };
    if rng.below(4) == 0 {
        (state.board, state.shot) = (Board::EMPTY, 0);
        state.phase = Phase::Over(Verdict::Horizon);
    } else if game.options().doubles && rng.below(4) == 0 {
        (state.board, state.shot) = (Board::EMPTY, 0);
        state.hammer = state.doubles.decider;
        state.phase = Phase::Place(state.hammer);
    }
    state
}

#[test]
fn states_read_back_to_the_bit() {
    for game in [of_ends(8), doubles(4)] {
        for i in 0..2000 {
            let state = any_state(game, i);
            let again = back(game, &state);
            assert_eq!(again, state);
            for (stone, p) in state.board.stones() {
                let q = again.board.get(stone).unwrap();
                assert_eq!(
                    (p.x.to_bits(), p.y.to_bits()),
                    (q.x.to_bits(), q.y.to_bits())
                );
            }
        }
    }
}

/// Stones on the edge of what is in play, and coordinates with long decimals.
#[test]
fn awkward_coordinates_read_back() {
    let game = of_ends(8);
    let next = f32::next_up;
    for (x, y) in [
        (-0.0, 38.405),
        (1e-30, 38.405),
        (f32::MIN_POSITIVE, 32.149_002),
        (-2.229_999_8, next(36.0)),
        (next(0.1), 40.378_998),
        (1.175_494_2e-38, 33.333_332),
    ] {
        let mut state = game.start();
        state.shot = 1;
        state.board.put(Stone::new(0), Point::new(x, y));
        let p = back(game, &state).board.get(Stone::new(0)).unwrap();
        assert_eq!(
            (p.x.to_bits(), p.y.to_bits()),
            (x.to_bits(), y.to_bits()),
            "{x} {y}"
        );
    }
}

/// The simulator of 2015-16 may leave stones where the others would not.
#[test]
fn the_old_ice_may_hold_stones_on_the_lines() {
    let text = r#"{"shot":4,"stones":{"team0":[[2.3,30.0]]}}"#;
    let old = game(CurlingOptions {
        ice: Ice::Uec,
        ..CurlingOptions::default()
    });
    assert_eq!(read(old, text).board.len(), 1);
    assert!(of_ends(8).parse_observation(text).is_err());
    assert!(
        old.parse_observation(r#"{"stones":{"team0":[[2.3,-30]]}}"#)
            .is_err()
    );
}

#[test]
fn shots_are_text_of_exactly_one_action() {
    let game = of_ends(8);
    let state = game.start();
    let legal = legal(game, &state);
    let parse = |text: &str| game.parse_action(text, &legal);
    for i in 0..5_000 {
        let mut rng = rng("shots", i);
        let spin = Spin::BOTH[rng.below(2) as usize];
        let action = Action::polar(4.0 * rng.unit(), (rng.unit() - 0.5) * 3.1, spin);
        let text = game.format_action(action);
        assert_eq!(parse(&text), Ok(action), "{text}");
        let loud = text.to_uppercase().replace(' ', " ,  ");
        assert_eq!(parse(&loud), Ok(action), "{loud}");
    }
    let tee = Action::polar(2.40335, 0.00314, Spin::Ccw);
    assert_eq!(game.format_action(tee), "ccw 2.403350 3.140");
    assert_eq!(parse("CCW 2.40335 m/s 3.14 mrad"), Ok(tee));
    assert_eq!(parse("concede"), Ok(Action::CONCEDE));
    for (text, why) in [
        ("ccw", "after the spin come"),
        ("ccw 2.4", "after the spin come"),
        ("ccw 2.4 1 1", "after the spin come"),
        (
            "ccw 4.1 0",
            "speed `4.1`: expected a number from 0 to 4 m/s",
        ),
        ("ccw -1 0", "speed `-1`"),
        ("cw NaN 0", "speed `nan`"),
        (
            "cw 2 1600",
            "angle `1600`: expected a number from -1570.796 to 1570.796 mrad",
        ),
        ("cw 2 inf", "angle `inf`"),
        ("centre_guard", "not a legal action here; expected a shot"),
        ("left", "`left` is not an action"),
        ("", "is not an action"),
    ] {
        let error = parse(text).unwrap_err().0;
        assert!(error.contains(why), "{text}: {error}");
        assert!(
            game.explain_illegal(&state, text, &legal).is_some(),
            "{text}"
        );
    }
    assert_eq!(game.explain_illegal(&state, "cw 3 0", &legal), None);
    assert!(game.parse_action("cw 3 0", &[]).is_err());
}

#[test]
fn placings_have_names() {
    let game = doubles(8);
    let mut state = game.start();
    state.doubles.power_play = [false, true];
    let legal = legal(game, &state);
    let parse = |text: &str| game.parse_action(text, &legal);
    assert_eq!(
        parse("centre_guard"),
        Ok(Action::place(Placement::CentreGuard))
    );
    assert_eq!(
        parse("Center House"),
        Ok(Action::place(Placement::CentreHouse))
    );
    assert_eq!(parse("concede"), Ok(Action::CONCEDE));
    let error = parse("pp_left").unwrap_err().0;
    assert!(
        error.contains("expected centre_guard, centre_house"),
        "{error}"
    );
    let why = |text: &str, state: &State| game.explain_illegal(state, text, &legal).unwrap();
    assert!(why("pp_left", &state).contains("once a match"));
    assert!(why("cw 2 0", &state).contains("first the stones are placed: centre_guard"));
    state.end = 8;
    assert!(why("pp_right", &state).contains("extra end"));
    game.apply(&mut state, Action::place(Placement::CentreGuard));
    assert!(why("centre_guard", &state).contains("are placed"));
}

const SEED: &str = r#"{"end":2,"shot":5,"hammer":"team1","points":[1,2],"stones":{"team0":[null,{"x":0.5,"y":38.25},[-1.0,35.5]],"team1":[{"position":{"x":0.25,"y":36.0},"angle":1.5}]},"throwing":"ccw 2.403350 3.140"}"#;

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_panics(text in any::<String>()) {
        let _ = of_ends(8).parse_observation(&text);
        let _ = of_ends(8).parse_action(&text, &[Action::CONCEDE]);
        let _ = of_ends(8).explain_illegal(&of_ends(8).start(), &text, &[]);
    }

    /// A position with pieces cut out, doubled, or put elsewhere. What is still read reads back.
    #[test]
    fn no_mutation_panics(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..6_u8), 1..6),
        of_two in any::<bool>(),
    ) {
        const PIECES: [&str; 14] = [
            "-", "1e999", "null", "[", "]", "{", "}", "\"end\":", "9", ".", "NaN", ",", "☃", "\"",
        ];
        let mut chars: Vec<char> = SEED.chars().collect();
        for (a, b, kind) in edits {
            let (mut a, mut b) = (a.index(chars.len() + 1), b.index(chars.len() + 1));
            if a > b {
                std::mem::swap(&mut a, &mut b);
            }
            let short = b.min(a + 12);
            match kind {
                0 => { chars.drain(a..short); }
                1 => chars.truncate(a.max(10)),
                2 => {
                    let copy = chars[a..short].to_vec();
                    chars.splice(a..a, copy);
                }
                _ => { chars.splice(a..a, PIECES[b % PIECES.len()].chars()); }
            }
            if chars.is_empty() {
                chars.push('{');
            }
        }
        let text: String = chars.into_iter().collect();
        let game = if of_two { doubles(2) } else { of_ends(8) };
        if let Ok(state) = game.parse_observation(&text) {
            prop_assert_eq!(back(game, &state), state);
        }
    }
}
