use search_core::budget::Budget;
use search_core::game::Game;
use search_core::rng::Seed;

use super::grid::{Grid, Lattice, Spread};
use super::search::{Limits, Replies, search};
use super::table::{Judge, Outcomes};
use super::*;
use crate::Curling;
use crate::board::{Board, Point, Stone, Team};
use crate::evaluation::{Approach, Evaluation};
use crate::game::player_of;
use crate::geometry::TEE;
use crate::options::{CurlingOptions, Objective};
use crate::state::State;

pub(super) fn game() -> Curling {
    Curling::new(CurlingOptions::default()).unwrap()
}

pub(super) fn at(stones: &[(usize, f64, f64)], shot: u8) -> State {
    let mut board = Board::EMPTY;
    for &(index, x, in_front) in stones {
        board.put(
            Stone::new(index),
            Point::new(x as f32, (TEE - in_front) as f32),
        );
    }
    State {
        board,
        shot,
        horizon: true,
        ..State::start(Team::Team1)
    }
}

/// A guard, a stone in the house of either team.
pub(super) fn middle() -> State {
    at(
        &[
            (0, 0.1, 3.0),
            (8, -0.3, 0.5),
            (1, 0.4, -0.2),
            (9, -0.9, 2.5),
        ],
        11,
    )
}

fn coarse() -> Grid {
    Grid::DC3.coarser(4.0)
}

#[test]
fn the_counts_of_the_paper() {
    let game = game();
    let lattice = Lattice::new(&game, &Grid::PAPER);
    assert_eq!(lattice.len(), 3330);
    assert_eq!(lattice.shots().len(), 4458);
    assert_eq!(lattice.simulated().len(), 4458);
    let thin = Grid {
        thin: true,
        ..Grid::PAPER
    };
    let lattice = Lattice::new(&game, &thin);
    assert_eq!((lattice.len(), lattice.shots().len()), (3330, 4458));
    assert_eq!(lattice.simulated().len(), 2082);
    for (i, shot) in lattice.shots().iter().enumerate() {
        // In the same column, one row away at most.
        let stand_in = lattice.shots()[lattice.source(i)];
        assert_eq!(
            (shot.spin, shot.target.x),
            (stand_in.spin, stand_in.target.x)
        );
        assert!((shot.target.y - stand_in.target.y).abs() < 0.146);
    }
    // Ends of the rectangle, and 49 or 13 outcomes.
    let (first, last) = (lattice.meant(0).target, lattice.meant(1592).target);
    for (point, x, front) in [(first, -1.885, -2.465), (last, 1.885, 5.945)] {
        assert!((f64::from(point.x) - x).abs() < 1e-5);
        assert!((TEE - f64::from(point.y) - front).abs() < 1e-5);
    }
    let mut outcomes = Vec::new();
    lattice.outcomes(800, &mut outcomes);
    assert_eq!(outcomes.len(), 49);
    lattice.outcomes(1600, &mut outcomes);
    assert_eq!(outcomes.len(), 13);
}

#[test]
fn outcomes_surround_their_candidate_and_sum_to_one() {
    let game = game();
    for grid in [
        Grid::PAPER,
        Grid::DC3,
        coarse(),
        Grid {
            spread: Spread::None,
            ..coarse()
        },
    ] {
        let lattice = Lattice::new(&game, &grid);
        let mut outcomes = Vec::new();
        for m in 0..lattice.len() {
            lattice.outcomes(m, &mut outcomes);
            let meant = lattice.meant(m);
            let (mut mass, mut x, mut y) = (0.0, 0.0, 0.0);
            for (o, w) in &outcomes {
                let shot = lattice.shots()[*o];
                assert_eq!(shot.spin, meant.spin);
                mass += w;
                x += w * f64::from(shot.target.x);
                y += w * f64::from(shot.target.y);
            }
            assert!((mass - 1.0).abs() < 1e-12);
            assert!((x - f64::from(meant.target.x)).abs() < 1e-3, "{m}");
            assert!((y - f64::from(meant.target.y)).abs() < 1e-3, "{m}");
            let heaviest = outcomes.iter().map(|o| o.1).fold(0.0, f64::max);
            assert!(
                outcomes
                    .iter()
                    .any(|(o, w)| *w == heaviest && lattice.shots()[*o] == *meant)
            );
        }
    }
}

/// Each candidate's outcomes thrown by themselves.
#[test]
fn the_shared_table_equals_candidate_by_candidate() {
    let (game, state) = (game(), middle());
    let (evaluation, approach) = (Evaluation::default(), Approach::new(game.model()));
    let judge = Judge {
        game: &game,
        evaluation: &evaluation,
        approach: &approach,
        team: state.thrower(),
    };
    let grid = Grid::DC3.coarser(2.5);
    let lattice = Lattice::new(&game, &grid);
    let found = search(&judge, &lattice, None, &state, 1, Limits::default());
    let mut outcomes = Vec::new();
    let mut most = 0.0_f64;
    for m in 0..lattice.len() {
        lattice.outcomes(m, &mut outcomes);
        let slow: f64 = outcomes
            .iter()
            .map(|(o, w)| w * judge.value(&judge.after(&state, &lattice.shots()[*o]).0))
            .sum();
        most = most.max((slow - found.shallow[m]).abs());
    }
    assert!(most < 1e-13, "{most}");
    assert_eq!(found.shots, lattice.shots().len() as u64);
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let (game, state) = (game(), middle());
    let settings = |threads| LatticeSettings {
        threads,
        spacing: 4.0,
        ..LatticeSettings::default()
    };
    let find = |threads| {
        LatticeAgent::new(settings(threads), &Budget::default())
            .find(&game, &state)
            .0
    };
    let one = find(1);
    for threads in [2, 3, 7] {
        let other = find(threads);
        assert_eq!(one.best, other.best);
        assert_eq!((one.shots, one.nodes), (other.shots, other.nodes));
        let bits =
            |found: &Found| -> Vec<u64> { found.shallow.iter().map(|v| v.to_bits()).collect() };
        assert_eq!(bits(&one), bits(&other));
        assert_eq!(one.deep, other.deep);
    }
}

/// Depth 2 without any table: every outcome of every candidate, every reply's outcomes.
fn slowly(judge: &Judge<'_>, lattice: &Lattice, state: &State, m: usize) -> f64 {
    let mut outcomes = Vec::new();
    lattice.outcomes(m, &mut outcomes);
    let mut sum = 0.0;
    for (o, w) in outcomes {
        let (next, _) = judge.after(state, &lattice.shots()[o]);
        let mut best = judge.value(&judge.after_pass(&next));
        for reply in 0..lattice.len() {
            let mut replies = Vec::new();
            lattice.outcomes(reply, &mut replies);
            let value = replies
                .iter()
                .map(|(r, v)| v * judge.value(&judge.after(&next, &lattice.shots()[*r]).0))
                .sum();
            best = best.min(value);
        }
        sum += w * best;
    }
    sum
}

#[test]
fn bounds_change_no_result() {
    let game = game();
    let (evaluation, approach) = (Evaluation::default(), Approach::new(game.model()));
    // A middle shot, and the one before the last of an end, whose replies are exact.
    let late = State {
        shot: 14,
        ..middle()
    };
    let early = at(&[(0, 0.1, 3.0)], 1);
    // The last stone but one of the last end, two up: another waste of the reply wins whatever
    // happens, so that the bounds are all 1 and the values come near to them.
    let ahead = State {
        end: 7,
        points: [2, 0],
        ..at(&[(8, 0.0, 0.3)], 14)
    };
    for (state, factor) in [(middle(), 8.0), (late, 8.0), (early, 8.0), (ahead, 8.0)] {
        let judge = Judge {
            game: &game,
            evaluation: &evaluation,
            approach: &approach,
            team: state.thrower(),
        };
        let lattice = Lattice::new(&game, &Grid::DC3.coarser(factor));
        let run = |prune| {
            let replies = Replies {
                prune,
                ..Replies::EXACT
            };
            search(
                &judge,
                &lattice,
                Some((&lattice, replies)),
                &state,
                2,
                Limits::default(),
            )
        };
        let (exact, pruned) = (run(false), run(true));
        assert_eq!(exact.best, pruned.best);
        assert_eq!(exact.value(), pruned.value());
        assert!(pruned.shots <= exact.shots);
        assert!(exact.deep.iter().all(Option::is_some));
        for (all, some) in exact.deep.iter().zip(&pruned.deep) {
            assert!(some.is_none() || some == all);
        }
        // A few candidates in full, without tables.
        for m in [exact.best.unwrap(), 3, lattice.len() - 2] {
            let slow = slowly(&judge, &lattice, &state, m);
            let fast = exact.deep[m].unwrap();
            assert!((slow - fast).abs() < 1e-12, "{m}: {slow} {fast}");
            // A reply never helps whoever threw before.
            let table = Outcomes::new(&judge, &lattice, &state, 1);
            let mut outcomes = Vec::new();
            lattice.outcomes(m, &mut outcomes);
            let bound: f64 = outcomes
                .iter()
                .map(|(o, w)| w * judge.value(&judge.after_pass(&table.states[*o])))
                .sum();
            assert!(fast <= bound + 1e-12);
        }
    }
}

/// Means and standard errors of a candidate's value by throwing it with the true noise.
fn thrown(judge: &Judge<'_>, state: &State, shot: &Shot, samples: u32, seed: u64) -> (f64, f64) {
    let game = judge.game;
    let (mut sum, mut square) = (0.0, 0.0);
    for i in 0..samples {
        let mut rng = Seed(seed).simulation(u64::from(i));
        let meant = shot.release.unwrap();
        let release = game
            .noise()
            .execute(game.model(), meant, game.noise().sample(&mut rng));
        let executed = Shot {
            release: Some(release),
            ..*shot
        };
        let value = judge.value(&judge.after(state, &executed).0);
        sum += value;
        square += value * value;
    }
    let n = f64::from(samples);
    let mean = sum / n;
    (mean, ((square / n - mean * mean).max(0.0) / n).sqrt())
}

/// The root of the mean squared difference between the lattice and the true noise over spaced
/// candidates, less what sampling adds; and the mean of the differences.
fn integration_error(state: &State, grid: &Grid, count: usize, samples: u32) -> (f64, f64) {
    let game = game();
    let (evaluation, approach) = (Evaluation::default(), Approach::new(game.model()));
    let judge = Judge {
        game: &game,
        evaluation: &evaluation,
        approach: &approach,
        team: state.thrower(),
    };
    let lattice = Lattice::new(&game, grid);
    let found = search(&judge, &lattice, None, state, 1, Limits::default());
    let (mut square, mut bias) = (0.0, 0.0);
    for k in 0..count {
        let m = (2 * k + 1) * lattice.len() / (2 * count);
        let (mean, error) = thrown(&judge, state, lattice.meant(m), samples, k as u64);
        let difference = found.shallow[m] - mean;
        square += difference * difference - error * error;
        bias += difference;
    }
    let count = count as f64;
    ((square / count).max(0.0).sqrt(), bias / count)
}

/// The error of summing over the lattice instead of the noise itself, in returns (-1 to 1).
#[test]
fn the_lattice_comes_near_to_throwing_with_the_true_noise() {
    for (factor, most) in [(1.0, 0.03), (0.5, 0.015)] {
        let (error, bias) = integration_error(&middle(), &Grid::DC3.coarser(factor), 60, 400);
        assert!(
            error < most && bias.abs() < 0.5 * most,
            "{factor}: {error} {bias}"
        );
    }
}

#[test]
#[ignore = "a table of integration errors, not a check"]
fn integration_errors() {
    let states = [
        middle(),
        at(&[], 0),
        State {
            shot: 15,
            ..middle()
        },
        at(&[(0, 0.0, 1.0)], 13),
    ];
    for factor in [0.5, 1.0, 1.5, 2.0, 3.0] {
        for mass in [Mass::Density, Mass::Cell] {
            let grid = Grid {
                mass,
                ..Grid::DC3.coarser(factor)
            };
            let errors: Vec<_> = states
                .iter()
                .map(|s| integration_error(s, &grid, 200, 4000))
                .collect();
            println!("{factor} {mass:?}: {errors:.4?}");
        }
    }
}

/// The candidate that is `m` in a mirror.
fn mirrored(lattice: &Lattice, m: usize) -> usize {
    let (turn, k) = (m / lattice.per_turn(), m % lattice.per_turn());
    let draws = lattice.rows * lattice.columns;
    let other = match k.checked_sub(draws) {
        Some(i) => draws + lattice.row - 1 - i,
        None => k - k % lattice.columns + lattice.columns - 1 - k % lattice.columns,
    };
    (1 - turn) * lattice.per_turn() + other
}

#[test]
fn a_mirror_swaps_the_turns() {
    let (game, state) = (game(), middle());
    let (evaluation, approach) = (Evaluation::default(), Approach::new(game.model()));
    let judge = Judge {
        game: &game,
        evaluation: &evaluation,
        approach: &approach,
        team: state.thrower(),
    };
    let lattice = Lattice::new(&game, &Grid::DC3.coarser(2.0));
    let other = State {
        board: state.board.mirrored(),
        ..state
    };
    let run = |s| search(&judge, &lattice, None, s, 1, Limits::default()).shallow;
    let (here, there) = (run(&state), run(&other));
    let mut off = 0;
    for (m, value) in here.iter().enumerate() {
        let shot = lattice.meant(m).target;
        let twin = lattice.meant(mirrored(&lattice, m)).target;
        assert!((shot.x + twin.x).abs() < 1e-4 && shot.y == twin.y);
        // Rounding may turn a graze into a miss.
        off += u32::from((value - there[mirrored(&lattice, m)]).abs() > 1e-6);
    }
    assert!(off * 50 < here.len() as u32, "{off} of {}", here.len());
}

#[test]
fn the_last_shot_of_an_end_is_exact_for_points_too() {
    let game = Curling::new(CurlingOptions {
        objective: Objective::Points,
        ..CurlingOptions::default()
    })
    .unwrap();
    let state = State {
        shot: 15,
        ..middle()
    };
    let (evaluation, approach) = (Evaluation::default(), Approach::new(game.model()));
    let judge = Judge {
        game: &game,
        evaluation: &evaluation,
        approach: &approach,
        team: state.thrower(),
    };
    let lattice = Lattice::new(&game, &coarse());
    let table = Outcomes::new(&judge, &lattice, &state, 1);
    for (next, value) in table.states.iter().zip(&table.values) {
        let returns = game.returns(next).of(player_of(state.thrower()));
        assert_eq!(*value, returns);
        assert!(value.fract() == 0.0 && value.abs() <= 8.0);
    }
}

/// Across, the noise where the outcome is; along, the noise where the candidate is; each cell's share of
/// what is within three standard deviations of the widest row, to the nearest cell.
#[test]
fn the_weights_are_the_shares_of_the_cells() {
    let game = game();
    let grid = Grid {
        mass: Mass::Cell,
        ..Grid::DC3
    };
    let lattice = Lattice::new(&game, &grid);
    let spread = |y: f64| {
        game.noise()
            .spread_at(game.model(), Point::new(0.0, y as f32))
    };
    let cell = |off: f64, step: f64, sigma: f64| {
        let cdf = |x: f64| 0.5 * libm::erfc(-x / (sigma * std::f64::consts::SQRT_2));
        cdf(off + 0.5 * step) - cdf(off - 0.5 * step)
    };
    let draws = lattice.rows * lattice.columns;
    let widest = spread(lattice.meant(0).target.y.into());
    let halves = [(widest.0, grid.across), (widest.1, grid.along)]
        .map(|(sigma, step)| (3.0 * sigma / step).round() as usize);
    let mut outcomes = Vec::new();
    for m in [0, 13, draws / 2, draws - 1] {
        lattice.outcomes(m, &mut outcomes);
        let [x, y] = halves.map(|half| 2 * half + 1);
        assert_eq!(outcomes.len(), x * y);
        let meant = lattice.meant(m).target;
        let off = |i: usize| {
            let shot = lattice.shots()[i].target;
            let (dx, dy) = (shot.x - meant.x, shot.y - meant.y);
            (f64::from(dx), f64::from(dy), f64::from(shot.y))
        };
        let along = |dy: f64| cell(dy, grid.along, spread(meant.y.into()).1);
        let all: f64 = outcomes.iter().step_by(x).map(|o| along(off(o.0).1)).sum();
        for row in outcomes.chunks_exact(x) {
            let across: Vec<f64> = row
                .iter()
                .map(|o| off(o.0))
                .map(|(dx, _, at)| cell(dx, grid.across, spread(at).0))
                .collect();
            let total: f64 = across.iter().sum();
            for ((i, weight), share) in row.iter().zip(across) {
                let want = share / total * along(off(*i).1) / all;
                assert!((weight - want).abs() < 1e-4, "{m}: {weight} {want}");
            }
        }
    }
}

/// Whoever replies may as well waste the stone: it is one more reply.
#[test]
fn a_reply_is_at_least_as_good_as_none() {
    let game = game();
    let (evaluation, approach) = (Evaluation::default(), Approach::new(game.model()));
    let lattice = Lattice::new(&game, &Grid::DC3.coarser(8.0));
    for state in [
        middle(),
        at(&[(8, 0.0, 0.0), (9, 0.0, 2.5)], 3),
        at(&[(0, 0.0, 2.2), (8, 0.0, 0.0), (9, 0.3, -0.1)], 15),
    ] {
        let judge = Judge {
            game: &game,
            evaluation: &evaluation,
            approach: &approach,
            team: state.thrower().opponent(),
        };
        let pass = judge.value(&judge.after_pass(&state));
        let thrown = super::table::best_reply(&judge, &lattice, &state, false).0;
        let either = super::table::best_reply(&judge, &lattice, &state, true).0;
        assert_eq!(either, thrown.min(pass));
    }
}
