//! Without bias, and less varied than plain rollouts.

use super::super::{Control, Equity, Mode, Rollouts};
use super::duel::{Duel, ENDLESS, EXACT, Eager, FAR, Kernel, Shooting, solve, stand};
use super::{estimate, sum};
use crate::rng::{Draw, Seed};
use crate::testing::{check_contract, check_survival};

const MANY: u64 = 200_000;

/// Rollouts until less is left than can be told from nothing.
fn deep(rollouts: u64) -> Rollouts {
    Rollouts {
        rollouts,
        epsilon: 1e-6,
        threads: 2,
        ..Rollouts::default()
    }
}

/// How far an estimate of player 0 is from the truth, in standard errors.
fn off(e: &Equity, truth: f64) -> f64 {
    ((e.wins[0] - truth) / e.std_error).abs()
}

#[test]
fn the_duel_is_a_game() {
    check_contract(&Duel { limit: 50 }, 200, Seed(1));
}

/// T-ES4: within five standard errors of the exact value, with less variance than plain rollouts.
#[test]
fn unbiased_at_every_distance() {
    let exact = solve(u32::MAX, 400);
    let mut least = f64::INFINITY;
    for distance in 1..=FAR {
        let truth = exact[usize::from(distance)];
        assert!(truth[3] < 1e-12);
        let e = estimate(&deep(MANY), ENDLESS, &EXACT, stand(distance), 1);
        println!("d={distance} exact {:.5} {e:?}", truth[0]);
        assert!(off(&e, truth[0]) < 5.0, "{distance}: {e:?} {truth:?}");
        assert!((e.score - (2.0 * truth[0] - 1.0)).abs() < 10.0 * e.std_error);
        assert!((sum(&e) - 1.0).abs() < 1e-12 && e.drawn == 0.0);
        assert!((e.edge - e.wins[0] + e.wins[1]).abs() < 1e-12);
        least = least.min(e.variance_reduction);
    }
    assert!(least > 3.0, "{least}");
}

/// T-ES5: the negative control, a kernel that keeps the turns in which no die hits.
#[test]
fn the_die_filter_is_caught_and_its_variance_reduction_does_not_show_it() {
    let exact = solve(u32::MAX, 400);
    let wrong = Shooting {
        kernel: Kernel::DieFilter,
        value: None,
    };
    let mut caught = 0;
    for distance in 1..=FAR {
        let e = estimate(&deep(MANY), ENDLESS, &wrong, stand(distance), 1);
        println!(
            "d={distance} bias {:+.4} {e:?}",
            e.wins[0] - exact[usize::from(distance)][0]
        );
        caught += u32::from(off(&e, exact[usize::from(distance)][0]) > 5.0);
        assert!(e.variance_reduction > 1.0 && (sum(&e) - 1.0).abs() < 1e-12);
    }
    // By 50, 50 and 39 standard errors; the other three happen to be off by little.
    assert!(caught >= 3, "{caught}");
}

#[test]
fn played_by_the_rules() {
    for distance in [2, 5] {
        check_survival(&ENDLESS, &EXACT, &Eager, &stand(distance), 20_000, Seed(3));
        check_survival(
            &Duel { limit: 4 },
            &EXACT,
            &Eager,
            &stand(distance),
            20_000,
            Seed(4),
        );
    }
}

#[test]
#[should_panic(expected = "T-ES4")]
fn playing_by_the_rules_catches_the_die_filter() {
    let wrong = Shooting {
        kernel: Kernel::DieFilter,
        value: None,
    };
    check_survival(&ENDLESS, &wrong, &Eager, &stand(6), 60_000, Seed(3));
}

#[test]
fn plain_rollouts_agree_and_vary_more() {
    let truth = solve(u32::MAX, 400)[5][0];
    let naive = Rollouts {
        mode: Mode::Naive,
        ..deep(MANY)
    };
    let plain = estimate(&naive, ENDLESS, &EXACT, stand(5), 2);
    let better = estimate(&deep(MANY), ENDLESS, &EXACT, stand(5), 1);
    assert!(off(&plain, truth) < 5.0, "{plain:?}");
    // 0 and 1 with nothing between: the formula is 1 up to n/(n - 1).
    assert!((plain.variance_reduction - 1.0).abs() < 1e-4);
    // The formula agrees with what is measured, also for the returns.
    let measured = plain.variance / better.variance;
    assert!(
        (measured / better.variance_reduction - 1.0).abs() < 0.02,
        "{measured}"
    );
    let returns = plain.score_variance / better.score_variance;
    assert!(
        (returns / better.variance_reduction - 1.0).abs() < 0.02,
        "{returns}"
    );
}

/// T-ES6: where nothing can end any more, what is left is what the horizon leaves.
#[test]
fn the_horizon_is_exact() {
    for plies in 1..=5 {
        let limits = Rollouts {
            plies,
            ..deep(20_000)
        };
        for distance in [3, 6] {
            let truth = solve(u32::MAX, plies)[distance];
            let e = estimate(&limits, ENDLESS, &EXACT, stand(distance as u8), 5);
            // Exact in the first two turns but for the position in the second.
            for (got, wanted) in [e.wins[0], e.wins[1], e.drawn, e.undecided]
                .iter()
                .zip(truth)
            {
                assert!(
                    (got - wanted).abs() < 0.004,
                    "{plies} {distance} {e:?} {truth:?}"
                );
            }
            if plies == 1 {
                assert!(
                    (e.wins[0] - truth[0]).abs() < 1e-12 && e.wins[1] == 0.0,
                    "{e:?}"
                );
            }
            let naive = Rollouts {
                mode: Mode::Naive,
                ..limits.clone()
            };
            let e = estimate(&naive, ENDLESS, &EXACT, stand(distance as u8), 5);
            assert!(
                (e.undecided - truth[3]).abs() < 0.02,
                "{plies} {e:?} {truth:?}"
            );
        }
    }
}

#[test]
fn draws_have_a_mass_of_their_own() {
    for limit in 1..=4 {
        let truth = solve(limit, 100)[4];
        let e = estimate(&deep(20_000), Duel { limit }, &EXACT, stand(4), 6);
        assert!((e.drawn - truth[2]).abs() < 0.004, "{e:?} {truth:?}");
        assert!(off(&e, truth[0]) < 5.0 || (e.wins[0] - truth[0]).abs() < 1e-12);
        assert!(e.undecided == 0.0 && (sum(&e) - 1.0).abs() < 1e-12);
        // The end of the last turn belongs to the horizon.
        let short = Rollouts {
            plies: limit,
            ..deep(20_000)
        };
        let same = estimate(&short, Duel { limit }, &EXACT, stand(4), 6);
        assert_eq!((same.drawn, same.undecided), (e.drawn, 0.0));
    }
}

#[test]
fn what_is_cut_off_is_undecided_and_bounds_the_truth() {
    let coarse = Rollouts {
        epsilon: 0.2,
        ..deep(2_000)
    };
    let whole = Rollouts {
        epsilon: 1e-12,
        ..deep(2_000)
    };
    for distance in 1..=FAR {
        let from = stand(distance);
        let (cut, whole) = (
            estimate(&coarse, ENDLESS, &EXACT, from, 7),
            estimate(&whole, ENDLESS, &EXACT, from, 7),
        );
        assert!((sum(&cut) - 1.0).abs() < 1e-12);
        assert!(cut.undecided > 0.05 && cut.undecided < 0.2, "{cut:?}");
        // The same rollouts: each player is short by part of what is undecided.
        for player in 0..2 {
            let short = whole.wins[player] - cut.wins[player];
            assert!(short > 0.0 && short < cut.undecided, "{short} {cut:?}");
        }
        assert!(whole.undecided < 1e-12 && (whole.wins[0] + whole.wins[1] - 1.0).abs() < 1e-11);
    }
}

/// The valuation of the exact solution, and one out of thin air.
fn valuations() -> [[f64; 7]; 2] {
    let exact = solve(u32::MAX, 400).map(|row| row[0]);
    let mut rng = Seed(8).simulation(0);
    [exact, std::array::from_fn(|_| rng.unit())]
}

/// T-ES8: of the exact valuation, and of one out of thin air.
#[test]
fn control_variates_keep_the_mean_whatever_the_valuation() {
    let exact = solve(u32::MAX, 400);
    let plain = estimate(&deep(MANY / 4), ENDLESS, &EXACT, stand(5), 9);
    for (which, value) in valuations().into_iter().enumerate() {
        let process = Shooting {
            kernel: Kernel::Exact,
            value: Some(value),
        };
        for control in [
            Control::Fixed(1.0),
            Control::Fixed(-0.7),
            Control::Pilot(256),
        ] {
            let rollouts = Rollouts {
                control,
                ..deep(MANY / 4)
            };
            let e = estimate(&rollouts, ENDLESS, &process, stand(5), 9);
            println!(
                "{which} {control:?} {:?} VR {}",
                e.control, e.variance_reduction
            );
            // With the exact valuation nothing varies but what was cut off.
            let miss = (e.wins[0] - exact[5][0]).abs();
            assert!(miss < 5.0 * e.std_error + 1e-6, "{which} {control:?} {e:?}");
            assert!((sum(&e) - 1.0).abs() < 1e-12);
            let report = e.control.unwrap();
            assert!((report.gain - plain.variance / e.variance).abs() < 1e-9 * report.gain);
            if control == Control::Pilot(256) {
                // (1 - ρ²): never a loss, but for what the pilot does not know.
                assert!(report.gain > 0.98 && report.pilot == 256, "{report:?}");
            }
            if which == 0 && control != Control::Fixed(-0.7) {
                assert!(report.gain > 100.0, "{report:?}");
            }
        }
    }
}

/// The luck of the last draw tells of turns beyond the horizon: one turn is exact, with a control or without.
#[test]
fn luck_beyond_the_horizon_does_not_count() {
    let process = Shooting {
        kernel: Kernel::Exact,
        value: Some(valuations()[0]),
    };
    let rollouts = Rollouts {
        plies: 1,
        control: Control::Fixed(1.0),
        ..deep(1_000)
    };
    let e = estimate(&rollouts, ENDLESS, &process, stand(5), 1);
    assert!((e.wins[0] - solve(u32::MAX, 1)[5][0]).abs() < 1e-12);
    assert_eq!(e.variance, 0.0, "{e:?}");
}

#[test]
fn the_coefficient_comes_from_other_rollouts() {
    let process = Shooting {
        kernel: Kernel::Exact,
        value: Some(valuations()[1]),
    };
    // Were it fitted to the same 64 rollouts, gain could not fall below 1.
    let least = (0..200)
        .map(|seed| {
            let control = Control::Pilot(64);
            let rollouts = Rollouts {
                control,
                ..deep(64)
            };
            let e = estimate(&rollouts, ENDLESS, &process, stand(5), seed);
            e.control.unwrap().gain
        })
        .fold(f64::INFINITY, f64::min);
    assert!(least < 1.0, "{least}");
    // Without luck there is nothing to gain, and nothing to lose.
    let rollouts = Rollouts {
        control: Control::Pilot(64),
        ..deep(640)
    };
    let e = estimate(&rollouts, ENDLESS, &EXACT, stand(5), 1);
    assert_eq!(e.control.map(|c| (c.beta, c.gain)), Some((0.0, 1.0)));
}
