use super::*;
use crate::board::{Point, Stone};
use crate::options::CurlingOptions;
use crate::physics::{Model, Simulator};
use crate::release::Spin;
use search_core::game::Game;
use search_core::rng::Seed;

fn game(objective: Objective) -> Curling {
    Curling::new(CurlingOptions {
        objective,
        ..CurlingOptions::default()
    })
    .unwrap()
}

fn board(stones: &[(usize, f64, f64)]) -> Board {
    let mut board = Board::EMPTY;
    for &(index, x, in_front) in stones {
        board.put(
            Stone::new(index),
            Point::new(x as f32, (TEE - in_front) as f32),
        );
    }
    board
}

fn at(board: Board, shot: u8) -> State {
    State {
        board,
        shot,
        ..State::start(Team::Team1)
    }
}

#[test]
fn one_stone_on_the_tee_by_hand() {
    let game = game(Objective::Win);
    let approach = Approach::new(game.model());
    let state = at(board(&[(0, 0.0, 0.0)]), 1);
    let terms = Evaluation::default().terms(&approach, &state.board)[0];
    // Nothing nearer, in the middle, all 24 aims open in front and behind, alone.
    assert!((terms.place - 2.0).abs() < 1e-5);
    assert!((terms.takeout - (3.0 / 25.0 + 0.3)).abs() < 1e-12);
    assert_eq!(terms.double, 1.0);
    // Team 1 has the hammer, is one behind after this end and keeps the hammer; seven ends left.
    let lies = 1.0 - game.win_table().hammer(7, -1);
    let value = Evaluation::default().evaluate(&game, &approach, &state, Team::Team0);
    assert!(
        (value - (lies + 0.1 * 2.0 * 0.42)).abs() < 1e-5,
        "{value} {lies}"
    );
    let value = Evaluation::default().evaluate(&game, &approach, &state, Team::Team1);
    assert!((value - (1.0 - lies - 0.2 * 2.0 * 0.42)).abs() < 1e-5);
}

#[test]
fn places_by_the_printed_formulas() {
    let approach = Approach::new(game(Objective::Win).model());
    let h = |x: f64, front: f64| {
        Evaluation::default().terms(&approach, &board(&[(3, x, front)]))[0].place - 1.0
    };
    for (x, front, expected) in [
        (0.6825, 0.0, 0.5),
        (0.0, 0.6825, 0.75),
        (0.0, -0.61, 0.25),
        (-0.6825, -0.61, 0.125),
        (1.4, 0.0, 0.0),
        (0.0, 1.4, 0.0),
        (0.0, -1.3, 0.0),
    ] {
        assert!(
            (h(x, front) - expected).abs() < 1e-5,
            "{x} {front}: {}",
            h(x, front)
        );
    }
}

#[test]
fn two_stones_side_by_side_and_in_line() {
    let approach = Approach::new(game(Objective::Win).model());
    let double = |stones: &[(usize, f64, f64)]| {
        Evaluation::default().terms(&approach, &board(stones))[0].double
    };
    let wide = double(&[(0, -0.2, 0.0), (1, 0.2, 0.0)]);
    assert!((wide - (0.4_f64 / 0.915).powi(2)).abs() < 1e-5);
    let deep = double(&[(0, 0.0, 0.5), (1, 0.0, -0.5)]);
    assert!((deep - (1.0_f64 / 2.135).powi(2)).abs() < 1e-5);
    assert_eq!(double(&[(0, -0.5, 0.0), (1, 0.5, 0.0)]), 1.0);
    assert_eq!(double(&[(0, -0.2, 0.0), (9, 0.2, 0.0)]), 1.0);
}

#[test]
fn guards_make_a_stone_harder_to_take_out() {
    let approach = Approach::new(game(Objective::Win).model());
    let takeout = |stones: &[(usize, f64, f64)]| {
        Evaluation::default().terms(&approach, &board(stones))[0].takeout
    };
    let open = takeout(&[(0, 0.0, 0.0)]);
    let guarded = takeout(&[(0, 0.0, 0.0), (9, 0.0, 0.5)]);
    let backed = takeout(&[(0, 0.0, 0.0), (9, 0.0, -0.4)]);
    assert!(guarded > open && backed > open, "{open} {guarded} {backed}");
    // Straight in front and near, at most one aim is open.
    let near = takeout(&[(0, 0.0, 0.0), (8, 0.0, 0.3)]);
    assert!(near > 0.87, "{near}");
    // Far to the side a stone blocks nothing.
    assert_eq!(takeout(&[(0, 0.0, 0.0), (9, 1.5, 3.0)]), open);
}

/// A guard in the path of a real take-out blocks the offset at which it passes.
#[test]
fn the_approach_is_the_path_that_the_ice_makes() {
    let model = Model::new(crate::physics::Ice::Fast);
    let approach = Approach::new(&model);
    for spin in Spin::BOTH {
        for x in [-0.8, 0.0, 0.8] {
            // Aim so that the stone passes over the place of the target.
            let mut goal = Point::new(x as f32, (TEE + takeout::TAKEOUT_DISTANCE) as f32);
            let mut path = Watch::default();
            for _ in 0..4 {
                path = Watch::default();
                let release = model.stop_at(goal, spin).unwrap();
                model.deliver(&mut Board::EMPTY.clone(), Stone::new(0), release, &mut path);
                goal.x += (x - path.x_at(TEE)) as f32;
            }
            let guard = path.x_at(TEE - 3.0);
            let at = |guard: f64| {
                let bodies = [(x, 0.0), (guard, -3.0)].map(|(x, y)| Body {
                    x,
                    y,
                    square: x * x + y * y,
                    own: true,
                });
                approach.open(&bodies, 0, spin.sign(), Back::Path).0
            };
            // In the way at all offsets; a contact to the left, at none but the last.
            assert!(
                at(guard).count_ones() <= 1,
                "{spin:?} {x}: {:024b}",
                at(guard)
            );
            assert!((11..=13).contains(&at(guard - CONTACT_WIDTH).count_ones()));
        }
    }
}

const CONTACT_WIDTH: f64 = crate::geometry::CONTACT;

#[derive(Debug, Default)]
struct Watch(Vec<[f64; 2]>);

impl crate::physics::Recorder for Watch {
    fn sighting(&mut self, sighting: &crate::physics::Sighting) {
        self.0.push(sighting.place);
    }
}

impl Watch {
    fn x_at(&self, y: f64) -> f64 {
        let i = self.0.iter().position(|p| p[1] >= y).unwrap();
        let (a, b) = (self.0[i - 1], self.0[i]);
        a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1])
    }
}

fn random_state(seed: u64) -> State {
    let mut rng = Seed(seed).simulation(7);
    let mut unit = || (rng.next() >> 11) as f64 / (1_u64 << 53) as f64;
    let mut board = Board::EMPTY;
    let stones = (unit() * 15.0) as usize;
    for i in 0..stones {
        let point = Point::new((4.0 * unit() - 2.0) as f32, (32.5 + 7.5 * unit()) as f32);
        board.put(Stone::of(Team::BOTH[i % 2], i / 2), point);
        if board.overlap().is_some() {
            board.remove(Stone::of(Team::BOTH[i % 2], i / 2));
        }
    }
    at(board, stones as u8)
}

#[test]
fn a_mirror_changes_nothing() {
    let game = game(Objective::Win);
    let approach = Approach::new(game.model());
    for seed in 0..200 {
        let state = random_state(seed);
        let mirrored = State {
            board: state.board.mirrored(),
            ..state
        };
        for team in Team::BOTH {
            let of = |s| Evaluation::default().evaluate(&game, &approach, s, team);
            // An offset on the edge of a stone may fall to either side.
            assert!((of(&state) - of(&mirrored)).abs() < 1e-9, "{seed}");
        }
    }
}

#[test]
fn one_weight_for_both_makes_the_teams_share_one() {
    let game = game(Objective::Win);
    let approach = Approach::new(game.model());
    let even = Evaluation {
        mu_second: 0.1,
        ..Evaluation::default()
    };
    for seed in 0..200 {
        let state = random_state(seed);
        let sum: f64 = Team::BOTH
            .iter()
            .map(|&t| even.evaluate(&game, &approach, &state, t))
            .sum();
        assert!((sum - 1.0).abs() < 1e-12);
    }
}

#[test]
fn the_end_of_an_end_is_exact() {
    for objective in [Objective::Win, Objective::Points] {
        let game = game(objective);
        let approach = Approach::new(game.model());
        for seed in 0..100 {
            let mut state = State {
                shot: 15,
                horizon: true,
                ..random_state(seed)
            };
            let board = state.board;
            game.settle(&mut state, board);
            for team in Team::BOTH {
                let value = Evaluation::default().value(&game, &approach, &state, team);
                let exact = game.returns(&state).of(crate::game::player_of(team));
                assert!((value - exact).abs() < 1e-12, "{seed} {value} {exact}");
            }
        }
    }
}

/// On the ice of 2015-16 a stone counts that lies up to 6 mm beyond the house of the others.
#[test]
fn a_board_is_scored_as_the_match_scores_it() {
    use crate::physics::Ice;
    let bare = Evaluation {
        mu_first: 0.0,
        mu_second: 0.0,
        ..Evaluation::default()
    };
    for ice in [Ice::Fast, Ice::Fcv1, Ice::Uec] {
        for objective in [Objective::Win, Objective::Points] {
            let options = CurlingOptions {
                ice,
                objective,
                ..CurlingOptions::default()
            };
            let game = Curling::new(options).unwrap();
            let approach = Approach::new(game.model());
            let edge = at(board(&[(0, 1.977, 0.0), (8, 0.0, 3.0)]), 3);
            for state in (0..50).map(random_state).chain([edge]) {
                let exact = game.cut_off_returns(&state);
                for team in Team::BOTH {
                    let value = bare.value(&game, &approach, &state, team);
                    let exact = exact.of(crate::game::player_of(team));
                    assert!((value - exact).abs() < 1e-12, "{ice:?} {value} {exact}");
                }
            }
        }
    }
}
