//! Known values of games of perfect information: tic-tac-toe, connect four, Pig.

mod common;

use classics::connect_four::{Column, Position};
use classics::solve::{BackwardInduction, ConnectFourSolver, PigSolution, Play};
use classics::tic_tac_toe::{Board, Cell};
use classics::{ConnectFour, Pig, TicTacToe};
use common::{number, rows, whole};
use search_core::game::{Game, Player, Turn};
use search_core::plugin::Plugin;
use search_core::rng::{Draw, Seed};

/// Plays the cells given as (row, column) from the top left.
fn board(cells: &[(usize, usize)]) -> Board {
    let mut board = Board::default();
    for (row, column) in cells {
        TicTacToe.apply(&mut board, Cell::new(3 * row + column).unwrap());
    }
    board
}

/// Games that end in a win for x, for o, and drawn.
fn leaves(board: &Board) -> [u64; 3] {
    if TicTacToe.turn(board) == Turn::Terminal {
        return match TicTacToe.returns(board)[0] {
            1.0 => [1, 0, 0],
            -1.0 => [0, 1, 0],
            _ => [0, 0, 1],
        };
    }
    let mut legal = Vec::new();
    TicTacToe.legal_actions(board, &mut legal);
    legal.into_iter().fold([0; 3], |sum, cell| {
        let mut next = *board;
        TicTacToe.apply(&mut next, cell);
        let more = leaves(&next);
        [0, 1, 2].map(|i| sum[i] + more[i])
    })
}

#[test]
fn tic_tac_toe_has_the_known_number_of_games_and_positions() {
    assert_eq!(leaves(&Board::default()), [131_184, 77_904, 46_080]);
    let mut solver = BackwardInduction::new(&TicTacToe);
    assert_eq!(solver.game_value()[..], [0.0, 0.0]);
    assert_eq!(solver.states(), 5_478);
    let first: Vec<f64> = solver
        .action_values(&Board::default())
        .iter()
        .map(|(_, v)| v[0])
        .collect();
    assert_eq!(first, [0.0; 9]);
}

#[test]
fn tic_tac_toe_has_the_known_values_under_uniform_play() {
    let mut solver = BackwardInduction::with_play(&TicTacToe, Play::Uniform);
    // 737/1260 wins less 121/420 losses.
    let value = solver.game_value()[0];
    assert!((value - (737.0 / 1260.0 - 121.0 / 420.0)).abs() < 1e-12);
    let values = solver.action_values(&Board::default());
    let (corner, edge, centre) = (12.0 / 35.0, 1.0 / 5.0, 1.0 / 2.0);
    let expected = [
        corner, edge, corner, edge, centre, edge, corner, edge, corner,
    ];
    for ((cell, value), expected) in values.iter().zip(expected) {
        assert!((value[0] - expected).abs() < 1e-12, "{cell:?}");
    }
}

#[test]
fn tic_tac_toe_agrees_with_the_positions_in_open_spiels_tests() {
    let mut solver = BackwardInduction::new(&TicTacToe);
    let mut values = |cells: &[(usize, usize)]| {
        let board = board(cells);
        let Turn::Player(player) = TicTacToe.turn(&board) else {
            panic!("over");
        };
        let values = solver.action_values(&board);
        let own = values
            .into_iter()
            .map(|(cell, v)| (cell.index(), v.of(player)));
        own.collect::<Vec<_>>()
    };
    let hold = values(&[(1, 1), (0, 0), (2, 2)]);
    let good: Vec<usize> = hold.iter().filter(|v| v.1 == 0.0).map(|v| v.0).collect();
    assert_eq!(good, [2, 6], "only the other two corners hold");
    let lost = values(&[(1, 1), (0, 0), (2, 2), (0, 1), (0, 2)]);
    assert!(lost.iter().all(|v| v.1 == -1.0));
    let won = values(&[(0, 1), (2, 2)]);
    let good: Vec<usize> = won.iter().filter(|v| v.1 == 1.0).map(|v| v.0).collect();
    assert_eq!(good, [2], "x wins with (0, 2) alone");
}

#[test]
fn tic_tac_toe_refuses_impossible_positions() {
    for text in [
        "",
        "xxx/.../...",
        "x.x/.../...",
        "xxx/ooo/...",
        "xxx/oo./o..",
        "x/o/.",
        "ooo/xx./x.x/",
        "ooo/xxx/x..",
    ] {
        assert!(text.parse::<Board>().is_err(), "{text}");
    }
    for text in [
        "xxx/oo./...",
        "ooo/xx./x..",
        "xox/xox/oxo",
        "XOX......",
        "xxx/xoo/xoo",
    ] {
        assert!(text.parse::<Board>().is_ok(), "{text}");
    }
}

/// From this ply the solver answers within a fraction of a second; earlier positions are left to
/// the command line.
const FROM_PLY: i64 = 14;

fn check_connect_four(text: &str, rows_expected: usize) {
    let mut solver = ConnectFourSolver::default();
    let mut checked = 0;
    for row in rows(text) {
        if whole(&row, "ply") < FROM_PLY {
            continue;
        }
        let position: Position = row["moves"].as_str().unwrap().parse().unwrap();
        let score = solver.score(&position);
        assert_eq!(i64::from(score), whole(&row, "score"), "{row}");
        assert_eq!(i64::from(score.signum()), whole(&row, "wdl"), "{row}");
        let moves: Vec<Option<i64>> = solver
            .move_scores(&position)
            .map(|s| s.map(i64::from))
            .into();
        let expected: Vec<Option<i64>> =
            serde_json::from_value(row["move_scores"].clone()).unwrap();
        assert_eq!(moves, expected, "{row}");
        checked += 1;
    }
    assert_eq!(checked, rows_expected);
}

#[test]
fn connect_four_scores_are_those_of_the_file() {
    check_connect_four(include_str!("data/connect4.jsonl"), 272);
}

#[test]
fn connect_four_hard_scores_are_those_of_the_file() {
    check_connect_four(include_str!("data/connect4_hard.jsonl"), 61);
}

/// The rules again, slowly: a win is looked for along every line through every stone.
fn slow_outcome(columns: &[Vec<usize>; 7]) -> Option<usize> {
    let at = |c: i32, r: i32| {
        let column = columns.get(usize::try_from(c).ok()?)?;
        column.get(usize::try_from(r).ok()?).copied()
    };
    for (c, column) in (0..).zip(columns) {
        for (r, &owner) in (0..).zip(column) {
            for (dc, dr) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                if (1..4).all(|k| at(c + k * dc, r + k * dr) == Some(owner)) {
                    return Some(owner);
                }
            }
        }
    }
    None
}

#[test]
fn connect_four_agrees_with_slow_rules() {
    let (mut wins, mut draws) = ([0, 0], 0);
    for index in 0..20_000 {
        let mut rng = Seed(9).simulation(index);
        let mut state = Position::default();
        let mut columns: [Vec<usize>; 7] = Default::default();
        let mut legal = Vec::new();
        for ply in 0..=42 {
            let owner = slow_outcome(&columns);
            let open: Vec<usize> = (0..7).filter(|c| columns[*c].len() < 6).collect();
            ConnectFour.legal_actions(&state, &mut legal);
            let over = owner.is_some() || open.is_empty();
            assert_eq!(ConnectFour.turn(&state) == Turn::Terminal, over);
            if over {
                let value = owner.map_or(0.0, |p| 1.0 - 2.0 * p as f64);
                assert_eq!(ConnectFour.returns(&state)[..], [value, -value]);
                match owner {
                    Some(p) => wins[p] += 1,
                    None => draws += 1,
                }
                break;
            }
            assert_eq!(ConnectFour.turn(&state), Turn::Player(Player::new(ply % 2)));
            assert_eq!(legal.iter().map(|c| c.index()).collect::<Vec<_>>(), open);
            let column = rng.pick(&legal).unwrap();
            columns[column.index()].push(ply % 2);
            ConnectFour.apply(&mut state, column);
        }
    }
    assert!(
        wins[0] > wins[1] && wins[1] > 5_000 && draws > 10,
        "{wins:?} {draws}"
    );
}

#[test]
fn connect_four_positions_read_back_as_the_same_position() {
    for index in 0..3_000 {
        let mut rng = Seed(10).simulation(index);
        let mut state = Position::default();
        let mut legal: Vec<Column> = Vec::new();
        loop {
            let text = ConnectFour.format_observation(&state).unwrap();
            assert_eq!(ConnectFour.parse_observation(&text), Ok(state), "{text}");
            ConnectFour.legal_actions(&state, &mut legal);
            let Some(column) = rng.pick(&legal) else {
                break;
            };
            ConnectFour.apply(&mut state, column);
        }
    }
    for text in ["8", "0", "1111111", "12121212", "4a", "4453 9"] {
        let error = ConnectFour.parse_observation(text).unwrap_err().to_string();
        assert!(error.contains("at character"), "{error}");
    }
}

#[test]
fn pig_to_10_has_the_known_values_everywhere() {
    let pig = PigSolution::new(10);
    assert!((pig.win_probability(0, 0, 0).unwrap() - 0.709_424_323).abs() < 1e-9);
    let all = rows(include_str!("data/pig10_full.jsonl"));
    check_pig(&pig, &all);
}

#[test]
fn pig_to_100_has_the_known_values() {
    let pig = PigSolution::new(100);
    assert!((pig.win_probability(0, 0, 0).unwrap() - 0.530_592_725).abs() < 1e-9);
    let all = rows(include_str!("data/pig100.jsonl"));
    check_pig(&pig, &all);
    let holds = all.iter().filter(|row| {
        let key = "first_k_where_hold_is_optimal";
        let [me, other] = ["me", "opp"].map(|k| whole(row, k) as u32);
        let expected = row[key].as_i64();
        // The file counts reaching the target as a hold; here the game is over by then.
        if let Some(expected) = expected {
            let found = pig.hold_at(me, other).unwrap_or(100 - me);
            assert_eq!(i64::from(found), expected, "{row}");
        }
        expected.is_some()
    });
    assert!(holds.count() > 250);
}

fn check_pig(pig: &PigSolution, rows: &[serde_json::Value]) {
    for row in rows {
        let [me, other, total] = ["me", "opp", "turn_total"].map(|k| whole(row, k) as u32);
        let win = pig.win_probability(me, other, total).unwrap();
        assert!((win - number(row, "p_win")).abs() < 1e-9, "{row}");
        let (roll, hold) = pig.action_values(me, other, total).unwrap();
        if row["q_roll"].is_number() {
            assert!((roll - number(row, "q_roll")).abs() < 1e-9, "{row}");
        }
        if let (Some(hold), Some(expected)) = (hold, row["q_hold"].as_f64()) {
            assert!((hold - expected).abs() < 1e-9, "{row}");
        }
    }
}

#[test]
fn pig_is_solved_to_its_fixed_point() {
    for target in [1, 2, 3, 37] {
        let pig = PigSolution::new(target);
        for me in 0..target {
            for other in 0..target {
                for total in 0..target - me {
                    let (roll, hold) = pig.action_values(me, other, total).unwrap();
                    let best = hold.map_or(roll, |hold| roll.max(hold));
                    let win = pig.win_probability(me, other, total).unwrap();
                    assert!((win - best).abs() < 1e-14);
                }
            }
        }
        assert_eq!(pig.win_probability(0, 0, target), None);
        assert_eq!(pig.win_probability(u32::MAX, 0, 1), None);
    }
}

/// The rules and the solution are written apart: play the rules by the solution's policy and meet
/// its values.
#[test]
fn pig_played_by_its_solution_wins_as_often_as_it_says() {
    let (game, pig) = (Pig::new(10, 2).unwrap(), PigSolution::new(10));
    let games = 200_000;
    let mut wins = 0_u32;
    for index in 0..games {
        let mut rng = Seed(11).simulation(index);
        let mut state = game.initial_state(&mut rng);
        let mut legal = Vec::new();
        loop {
            match game.turn(&state) {
                Turn::Terminal => break,
                Turn::Chance => {
                    let throw = game.sample_chance(&state, &mut rng);
                    game.apply_chance(&mut state, throw);
                }
                Turn::Player(me) => {
                    let other = Player::new(1 - me.index());
                    let (me, other, total) = (state.score(me), state.score(other), state.total());
                    let (roll, hold) = pig.action_values(me, other, total).unwrap();
                    game.legal_actions(&state, &mut legal);
                    assert_eq!(legal.len(), 1 + usize::from(hold.is_some()));
                    let holds = hold.is_some_and(|hold| hold > roll);
                    game.apply(&mut state, legal[usize::from(holds)]);
                }
            }
        }
        wins += u32::from(game.returns(&state)[0] == 1.0);
    }
    let (rate, p) = (f64::from(wins) / games as f64, 0.709_424_323_f64);
    let error = (p * (1.0 - p) / games as f64).sqrt();
    assert!((rate - p).abs() < 5.0 * error, "{rate}");
}

#[test]
fn pig_returns_sum_to_zero_for_any_number_of_players() {
    for players in 2..=6 {
        let game = Pig::new(20, players).unwrap();
        let mut state = game.choice(&vec![0; players as usize], 1, 17).unwrap();
        game.apply(&mut state, classics::pig::PigAction::Roll);
        game.apply_chance(&mut state, classics::pig::Throw::new(3).unwrap());
        let returns = game.returns(&state);
        assert_eq!(returns[1], 1.0);
        assert!(returns.iter().sum::<f64>().abs() < 1e-12);
    }
}
