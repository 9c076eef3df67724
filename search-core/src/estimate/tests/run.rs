//! How a run goes: looks, pooling, threads, bad input.

use super::super::LEAST;
use super::super::{Absorption, Control, EstimateError, Mode, Rollouts, Survival, Tally, Verdict};
use super::duel::{Duel, ENDLESS, EXACT, Stand, solve, stand};
use super::estimate;
use crate::game::{Player, Returns};
use crate::rng::{Seed, SimRng};

fn of(rollouts: u64) -> Rollouts {
    Rollouts {
        rollouts,
        ..Rollouts::default()
    }
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    for mode in [Mode::Survival, Mode::Naive] {
        for control in [Control::Off, Control::Pilot(100)] {
            let base = Rollouts {
                mode,
                control,
                ..of(20_001)
            };
            let one = estimate(&base, ENDLESS, &EXACT, stand(5), 1);
            for threads in [2, 3, 7] {
                let many = Rollouts {
                    threads,
                    ..base.clone()
                };
                assert_eq!(estimate(&many, ENDLESS, &EXACT, stand(5), 1), one);
            }
        }
    }
}

/// T-ES7.
#[test]
fn pooled_batches_are_one_big_run() {
    let one = estimate(&of(64 * 300), ENDLESS, &EXACT, stand(5), 1);
    let mut pooled = Tally::default();
    for index in 0..300 {
        let batch = of(1).batch(&ENDLESS, &EXACT, &stand(5), Seed(1), index, 0.0);
        let batch = batch.unwrap();
        assert_eq!(batch.rollouts(), 64);
        pooled.merge(&batch);
    }
    assert_eq!(pooled.equity(), one);
}

#[test]
fn longer_runs_begin_like_shorter_ones() {
    let mut looks = Vec::new();
    let run = of(300).estimate(&ENDLESS, &EXACT, &stand(5), Seed(1), &mut |e| {
        looks.push(*e);
    });
    let counts: Vec<u64> = looks.iter().map(|e| e.rollouts).collect();
    assert_eq!(counts, [64, 128, 256, 300]);
    assert_eq!(looks[3], run.unwrap());
    assert_eq!(estimate(&of(128), ENDLESS, &EXACT, stand(5), 1), looks[1]);
    assert_eq!(estimate(&of(10), ENDLESS, &EXACT, stand(5), 1).rollouts, 10);
}

#[test]
fn stops_at_the_target_and_never_early() {
    for seed in 0..20 {
        let easy = Rollouts {
            target_error: Some(10.0),
            ..of(10_000)
        };
        assert_eq!(
            estimate(&easy, ENDLESS, &EXACT, stand(5), seed).rollouts,
            128
        );
        let target = 0.004;
        let hard = Rollouts {
            target_error: Some(target),
            ..of(1 << 20)
        };
        let mut looks = Vec::new();
        let e = hard
            .estimate(&ENDLESS, &EXACT, &stand(5), Seed(seed), &mut |e| {
                looks.push(*e);
            })
            .unwrap();
        assert!(e.std_error <= target && e.rollouts.is_power_of_two());
        let before = &looks[..looks.len() - 1];
        assert!(before.iter().all(|e| e.std_error > target), "{looks:?}");
        assert!(before.len() > 2, "{looks:?}");
    }
    // Fewer rollouts than a stop needs are simply all of them.
    let few = Rollouts {
        target_error: Some(10.0),
        ..of(100)
    };
    assert_eq!(estimate(&few, ENDLESS, &EXACT, stand(5), 0).rollouts, 100);
}

/// T-ES6: certain to end, there is nothing to vary.
#[test]
fn over_at_the_first_turn_is_exact() {
    let e = estimate(&of(128), ENDLESS, &EXACT, stand(0), 1);
    assert_eq!((e.wins, e.undecided), ([1.0, 0.0], 0.0));
    assert!(e.exact && e.std_error == 0.0 && e.variance_reduction == f64::INFINITY);
    assert_eq!(e.interval(), (1.0, 1.0));
    assert_eq!(e.verdict(0.1), Verdict::Favoured(Player::new(0)));
    let naive = Rollouts {
        mode: Mode::Naive,
        ..of(128)
    };
    assert_eq!(
        estimate(&naive, ENDLESS, &EXACT, stand(0), 1).wins,
        [1.0, 0.0]
    );
}

/// Shares of 2,000 runs whose 95 % interval covers the truth of a duel at distance 5.
fn coverage(rollouts: &Rollouts) -> f64 {
    let truth = solve(u32::MAX, 400)[5][0];
    let covers = |seed| {
        let (low, high) = estimate(rollouts, ENDLESS, &EXACT, stand(5), seed).interval();
        u32::from((low..=high).contains(&truth))
    };
    f64::from((0..2_000).map(covers).sum::<u32>()) / 2_000.0
}

/// T-ES9: at a fixed number of rollouts, of both kinds.
#[test]
fn t_es9_intervals_cover_the_truth_as_often_as_they_say() {
    for mode in [Mode::Survival, Mode::Naive] {
        let share = coverage(&Rollouts { mode, ..of(256) });
        assert!((0.93..=0.97).contains(&share), "{mode:?}: {share}");
    }
}

/// T-ES9: stopping where the interval is small enough costs little, as the first look comes late. The
/// target is what half of the runs have reached by then, where luck decides most.
#[test]
fn t_es9_stopping_early_costs_little_coverage() {
    let at_first = |seed| estimate(&of(LEAST), ENDLESS, &EXACT, stand(5), seed).std_error;
    let mut errors: Vec<f64> = (0..101).map(at_first).collect();
    errors.sort_by(f64::total_cmp);
    let stopping = Rollouts {
        target_error: Some(errors[50]),
        ..of(1 << 12)
    };
    let share = coverage(&stopping);
    assert!((0.90..=0.97).contains(&share), "{share}");
}

#[test]
fn settings_that_cannot_be_used() {
    let cases = [
        (of(0), "rollouts is 0: expected 1 or more"),
        (Rollouts { plies: 0, ..of(1) }, "plies is 0"),
        (
            Rollouts {
                epsilon: -1.0,
                ..of(1)
            },
            "epsilon is -1",
        ),
        (
            Rollouts {
                epsilon: f64::NAN,
                ..of(1)
            },
            "epsilon is NaN",
        ),
        (
            Rollouts {
                epsilon: 1.0,
                ..of(1)
            },
            "epsilon is 1",
        ),
        (
            Rollouts {
                target_error: Some(-0.1),
                ..of(1)
            },
            "target error is -0.1: expected a number above 0",
        ),
        (
            Rollouts {
                target_error: Some(f64::NAN),
                ..of(1)
            },
            "target error is NaN",
        ),
        (
            Rollouts {
                target_error: Some(f64::INFINITY),
                ..of(1)
            },
            "target error is inf",
        ),
        (
            Rollouts {
                control: Control::Pilot(1),
                ..of(1)
            },
            "pilot is 1",
        ),
        (
            Rollouts {
                control: Control::Fixed(f64::NAN),
                ..of(1)
            },
            "coefficient is NaN",
        ),
    ];
    for (rollouts, wanted) in cases {
        let run = rollouts.estimate(&ENDLESS, &EXACT, &stand(5), Seed(1), &mut |_| {});
        let error = run.unwrap_err().to_string();
        assert!(error.starts_with(wanted), "{error}");
    }
    let over = of(1).estimate(&Duel { limit: 0 }, &EXACT, &stand(5), Seed(1), &mut |_| {});
    assert!(matches!(over, Err(EstimateError::Start(_))));
}

/// Gives what it is told to.
struct Broken {
    probability: f64,
    luck: f64,
}

impl Survival<Duel> for Broken {
    type Memory = ();
    fn absorption(&self, _: &Duel, _: &Stand, (): &mut ()) -> Absorption {
        Absorption {
            probability: self.probability,
            returns: Returns::zero_sum(1.0),
        }
    }
    fn survive(&self, _: &Duel, _: &mut Stand, (): &mut (), _: &mut SimRng) -> f64 {
        self.luck
    }
}

#[test]
fn a_broken_process_is_an_error() {
    let cases = [
        (
            1.5,
            0.0,
            "the process gave an absorption probability of 1.5",
        ),
        (
            -0.1,
            0.0,
            "the process gave an absorption probability of -0.1",
        ),
        (
            f64::NAN,
            0.0,
            "the process gave an absorption probability of NaN",
        ),
        (0.5, f64::INFINITY, "the process gave a luck of inf"),
    ];
    for (probability, luck, wanted) in cases {
        let process = Broken { probability, luck };
        let run = of(64).estimate(&ENDLESS, &process, &stand(5), Seed(1), &mut |_| {});
        assert_eq!(run.unwrap_err().to_string(), wanted);
    }
    // What rounding does is not.
    let process = Broken {
        probability: 1.0 + 1e-15,
        luck: 0.0,
    };
    let run = of(64).estimate(&ENDLESS, &process, &stand(5), Seed(1), &mut |_| {});
    assert_eq!(run.unwrap().wins[0], 1.0);
}
