//! The game by name: what a person reads.

mod common;

use common::{doubles, of_ends, read, rng, strewn};
use curling::picture::sheet;
use curling::{Action, Phase, Simulator, Spin, State};
use search_core::plugin::Plugin;

/// Each row read from right to left is the row of the mirrored board.
#[test]
fn a_mirrored_board_has_a_mirrored_picture() {
    for i in 0..300 {
        let board = strewn(&mut rng("picture", i), 16);
        let rows: Vec<String> = sheet(&board);
        let mirrored: Vec<String> = sheet(&board.mirrored())
            .iter()
            .map(|row| row.chars().rev().collect())
            .collect();
        assert_eq!(rows, mirrored);
        let marks = rows.iter().flat_map(|r| r.chars());
        let marks = marks
            .filter(|c| c.is_ascii_digit() || ('A'..='H').contains(c))
            .count();
        assert_eq!(marks, board.len(), "two stones share a cell");
    }
}

#[test]
fn every_picture_fits_eighty_columns() {
    for (game, positions) in [
        (of_ends(8), curling::plugin::POSITIONS.as_slice()),
        (doubles(8), curling::plugin::DOUBLES_POSITIONS.as_slice()),
    ] {
        assert_eq!(game.positions().len(), positions.len());
        for (name, text) in positions {
            let picture = game.picture(&read(game, text));
            assert!(
                picture.lines().all(|l| l.chars().count() < 80),
                "{name}\n{picture}"
            );
            assert_eq!(picture.lines().count(), 35, "{name}");
        }
    }
    // A board with every stone still has room for its list.
    let mut state = of_ends(8).start();
    state.board = strewn(&mut rng("full", 0), 16);
    assert!(
        of_ends(8)
            .picture(&state)
            .lines()
            .all(|l| l.chars().count() < 80)
    );
}

#[test]
fn a_picture_says_how_the_match_stands() {
    let game = of_ends(8);
    let shown = |text: &str| game.picture(&read(game, text));
    for (text, expected) in [
        ("{}", "end 1 of 8, shot 1 of 16"),
        ("{}", "team 0 is to throw"),
        ("{}", "team 1 (A-H)    0  hammer"),
        (
            r#"{"shot":1,"stones":{"team0":[[0,38]]}}"#,
            "as it lies: 1 to team 0",
        ),
        (
            r#"{"shot":1,"stones":{"team0":[[0,33]]}}"#,
            "as it lies: a blank end",
        ),
        (r#"{"end":9,"points":[2,2]}"#, "extra end 2, shot 1 of 16"),
        (r#"{"end":8,"points":[2,3]}"#, "team 1 has won"),
        (r#"{"end":255}"#, "drawn"),
        (r#"{"conceded":"team1"}"#, "team 1 gave up"),
        (r#"{"throwing":"cw 2.4 1"}"#, "cw 2.400000 1.000"),
    ] {
        let picture = shown(text);
        assert!(picture.contains(expected), "{text}: {expected}\n{picture}");
    }
}

#[test]
fn a_throw_is_told_by_what_it_does() {
    let game = of_ends(8);
    let told = |text: &str, shot: Action, first, second| {
        let mut state: State = read(game, text);
        state.phase = Phase::Throw(shot);
        let deviation = curling::noise::Deviation::new(first, second);
        game.explain_chance(&state, deviation).unwrap()
    };
    let tee = curling::Point::TEE;
    let draw = Action::shot(game.model().stop_at(tee, Spin::Ccw).unwrap());
    let plain = told("{}", draw, 0.0, 0.0);
    assert!(plain.starts_with("stone 1: 0.00 m"), "{plain}");
    // 34.5 m more for every metre a second, 38.4 mm a milliradian to the left.
    let long = told("{}", draw, 0.01, 0.0);
    assert!(
        long.contains("0.34 m long") || long.contains("0.35 m long"),
        "{long}"
    );
    let left = told("{}", draw, 0.0, 0.01);
    assert!(left.contains("0.38 m left of the aim"), "{left}");
    let guard = curling::Point::new(0.0, 35.0);
    let hit = Action::shot(game.model().pass_through(guard, 2.0, Spin::Cw).unwrap());
    let on = |shot| format!(r#"{{"shot":{shot},"stones":{{"team1":[[0,35]]}}}}"#);
    let foul = told(&on(2), hit, 0.0, 0.0);
    assert!(
        foul.contains("foul, a stone in the free guard zone"),
        "{foul}"
    );
    let free = told(&on(6), hit, 0.0, 0.0);
    assert!(
        free.contains("takes out A") && !free.contains("foul"),
        "{free}"
    );
    assert!(free.contains("at the tee, 0.000 m/s too fast"), "{free}");
    let short = told("{}", Action::polar(1.0, 0.0, Spin::Cw), 0.0, 0.0);
    assert!(short.contains("out of play"), "{short}");
    assert_eq!(
        game.explain_chance(&game.start(), curling::noise::Deviation::NONE),
        None
    );
    let text = game.format_chance(curling::noise::Deviation::new(0.0031, -0.0012));
    assert_eq!(text, "+0.003100 m/s -1.200 mrad");
}

#[test]
fn options_out_of_range_are_refused() {
    let refused = |change: fn(&mut curling::CurlingOptions)| {
        let mut options = curling::CurlingOptions::default();
        change(&mut options);
        curling::Curling::from_options(options).unwrap_err().0
    };
    assert!(refused(|o| o.ends = 0).contains("1 to 16"));
    assert!(refused(|o| o.hammer = 2).contains("0 or 1"));
    assert!(refused(|o| o.pattern = 6).contains("0 to 5"));
    let both = refused(|o| (o.doubles, o.no_tick) = (true, true));
    assert!(both.contains("leave out no_tick"), "{both}");
}

#[test]
fn a_return_is_a_winning_chance_when_the_match_is_played_for() {
    assert_eq!(Plugin::win_probability(of_ends(8), -1.0), Some(0.0));
    assert_eq!(Plugin::win_probability(of_ends(8), 0.5), Some(0.75));
}

/// Only worlds of a search end with the end.
#[test]
fn a_position_is_not_given_with_the_horizon_of_a_search() {
    let error = of_ends(8).parse_observation(r#"{"horizon":true}"#);
    let error = error.expect_err("not a position of a match").to_string();
    assert!(
        error.contains("horizon") && error.contains("leave it out"),
        "{error}"
    );
}

#[test]
fn a_pattern_without_stones_to_place_is_refused() {
    let with = |doubles| {
        curling::Curling::new(curling::CurlingOptions {
            doubles,
            pattern: 2,
            ..curling::CurlingOptions::default()
        })
    };
    assert!(with(true).is_ok());
    let error = with(false).expect_err("nothing is placed").to_string();
    assert!(
        error.contains("pattern=2") && error.contains("mixed doubles"),
        "{error}"
    );
}
