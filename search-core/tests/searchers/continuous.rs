//! Searches over a continuum of actions where there is none: T-KR1, T-PW1, T-AF1. With the legal actions
//! alone each of them is UCT; and budgets, errors and threads are as everywhere.

use crate::common::{Lottery, Nim, NimState};
use search_core::budget::{Budget, CancelFlag, StopReason};
use search_core::decision::{Decision, SearchError};
use search_core::game::Game;
use search_core::rng::{Seed, SimRng};
use search_core::rollout::Rollout;
use search_core::search::continuous::ContinuousActions;
use search_core::search::{
    FinalChoice, KrUct, KrUctSettings, Parallel, Rave, Searcher, Smoothed, SmoothedSettings,
    TreeSettings, Uct, UctPw, Widening, WideningSettings,
};
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

/// No action but the legal ones, and no noise.
struct Dirac;

impl<G: Game> ContinuousActions<G> for Dirac {
    fn execute(&self, _: &G, _: &G::State, action: G::Action, _: &mut SimRng) -> G::Action {
        action
    }
    fn kernel(&self, _: &G, _: &G::State, a: G::Action, b: G::Action) -> f64 {
        f64::from(u8::from(a == b))
    }
    fn exactly(&self, _: &G, _: &G::State) -> G::Chance {
        unreachable!("there is no noise")
    }
    fn is_execution(&self, _: &G, _: &G::State) -> bool {
        false
    }
}

const MODES: [Parallel; 3] = [
    Parallel::Serial,
    Parallel::Root { trees: 5 },
    Parallel::Batch { size: 13 },
];

fn kr_uct<G: Game>(parallel: Parallel, threads: usize) -> KrUct<G> {
    let settings = KrUctSettings {
        parallel,
        threads,
        ..KrUctSettings::default()
    };
    KrUct::new(settings, Arc::new(Dirac), Rollout::random())
}

fn uct_pw<G: Game>(settings: WideningSettings) -> UctPw<G> {
    UctPw::new(settings, Arc::new(Dirac), Rollout::random())
}

/// Equal bits, but for standard errors, which are summed up in another way.
fn same<A: Copy + Eq + Debug>(a: &Decision<A>, b: &Decision<A>) {
    assert_eq!(a.action, b.action);
    assert_eq!(a.candidates.len(), b.candidates.len());
    for (x, y) in a.candidates.iter().zip(&b.candidates) {
        assert_eq!((x.action, x.visits), (y.action, y.visits));
        assert_eq!(x.mean.to_bits(), y.mean.to_bits(), "{x:?} {y:?}");
        let (e, f) = (x.std_error, y.std_error);
        assert!(
            (e - f).abs() < 1e-7 || !e.is_finite() && !f.is_finite(),
            "{e} {f}"
        );
    }
    let (a, b) = (&a.effort, &b.effort);
    assert_eq!(
        (a.edges, a.depth, a.simulations),
        (b.edges, b.depth, b.simulations)
    );
}

fn equal_to_uct<G: Game>(game: &G, state: &G::State) {
    for parallel in MODES {
        for (seed, n) in [(1, 1), (2, 2), (3, 77), (4, 3_000)] {
            let (budget, seed) = (Budget::simulations(n), Seed(seed));
            let uct = |exploration, final_choice| {
                let settings = TreeSettings {
                    exploration,
                    final_choice,
                    parallel,
                    ..TreeSettings::default()
                };
                let mut uct = Uct::new(settings);
                uct.search_state(game, state, &budget, seed).unwrap()
            };
            let mut kr = kr_uct(parallel, 1);
            let regression = kr.search_state(game, state, &budget, seed).unwrap();
            same(&regression, &uct(1.0, FinalChoice::Secure { k: 0.001 }));
            let settings = WideningSettings {
                actions: Widening::NONE,
                outcomes: Widening::NONE,
                parallel,
                ..WideningSettings::default()
            };
            let widened = uct_pw(settings)
                .search_state(game, state, &budget, seed)
                .unwrap();
            same(&widened, &uct(0.7, FinalChoice::Robust));
        }
    }
}

#[test]
fn t_kr1_t_pw1_without_a_continuum_both_are_uct() {
    for (players, heap) in [(2, 15), (3, 9)] {
        let game = Nim { players, heap };
        equal_to_uct(&game, &NimState { heap, mover: 1 });
    }
    let game = Lottery {
        seed: 3,
        players: 3,
        actions: 4,
        plies: 8,
        dice: false,
    };
    equal_to_uct(&game, &game.start());
}

#[test]
fn t_af1_rave_without_weight_is_uct_with_widening() {
    let game = Nim {
        players: 2,
        heap: 15,
    };
    let state = NimState { heap: 15, mover: 0 };
    let run = |rave| {
        let settings = WideningSettings {
            rave,
            ..WideningSettings::default()
        };
        let mut search: UctPw<Nim> = uct_pw(settings);
        search
            .search(&game, &state, &Budget::simulations(2_000), Seed(3))
            .unwrap()
    };
    let rave = |bias, alike| Some(Rave { bias, alike });
    let plain = format!("{:?}", run(None));
    assert_eq!(format!("{:?}", run(rave(f64::INFINITY, false))), plain);
    assert_eq!(format!("{:?}", run(rave(f64::INFINITY, true))), plain);
    // With weight it is another search, and with the kernel that knows only equals the same again.
    let weighted = format!("{:?}", run(rave(0.5, false)));
    assert_ne!(weighted, plain);
    assert_eq!(format!("{:?}", run(rave(0.5, true))), weighted);
}

#[test]
fn rave_weighs_as_gelly_and_silver() {
    let rave = Rave {
        bias: 0.25,
        alike: false,
    };
    for (n, m) in [(0.0_f64, 3.0_f64), (4.0, 9.5), (100.0, 1.0)] {
        let expected = m / (n + m + 0.25 * n * m);
        assert!((rave.weight(n, m) - expected).abs() < 1e-15);
    }
    assert_eq!(rave.weight(5.0, 0.0), 0.0);
}

/// Every searcher of this file on Nim.
fn searchers(parallel: Parallel, threads: usize) -> Vec<(&'static str, Box<dyn Searcher<Nim>>)> {
    let settings = |rave| WideningSettings {
        parallel,
        threads,
        rave,
        ..WideningSettings::default()
    };
    let rave = Rave {
        bias: 0.1,
        alike: true,
    };
    let smoothed = SmoothedSettings {
        threads,
        ..SmoothedSettings::default()
    };
    vec![
        ("kr-uct", Box::new(kr_uct(parallel, threads))),
        ("uct-pw", Box::new(uct_pw(settings(None)))),
        ("rave-pw", Box::new(uct_pw(settings(Some(rave))))),
        (
            "smoothed",
            Box::new(Smoothed::new(smoothed, Arc::new(Dirac), Rollout::random())),
        ),
    ]
}

const NIM: Nim = Nim {
    players: 2,
    heap: 14,
};
const START: NimState = NimState { heap: 14, mover: 0 };

#[test]
fn t_de1_threads_do_not_matter() {
    for parallel in MODES {
        let report = |threads| {
            let searchers = searchers(parallel, threads).into_iter();
            let decisions = searchers.map(|(name, mut search)| {
                let budget = Budget::simulations(1_003);
                format!("{name} {:?}", search.search(&NIM, &START, &budget, Seed(8)))
            });
            decisions.collect::<Vec<_>>()
        };
        let one = report(1);
        for threads in [1, 2, 3, 7] {
            assert_eq!(report(threads), one, "{threads} threads");
        }
    }
}

#[test]
fn a_batch_of_one_is_the_serial_search() {
    let run = |parallel| {
        let searchers = searchers(parallel, 1).into_iter();
        let decisions = searchers.map(|(_, mut search)| {
            let budget = Budget::simulations(500);
            format!("{:?}", search.search(&NIM, &START, &budget, Seed(8)))
        });
        decisions.collect::<Vec<_>>()
    };
    assert_eq!(run(Parallel::Batch { size: 1 }), run(Parallel::Serial));
}

#[test]
fn t_bu1_budgets_are_exact_and_an_empty_one_is_an_error() {
    for parallel in MODES {
        for (name, mut search) in searchers(parallel, 1) {
            let empty = search.search(&NIM, &START, &Budget::simulations(0), Seed(1));
            assert_eq!(empty, Err(SearchError::EmptyBudget), "{name}");
            for n in [1, 2, 3, 100] {
                let budget = Budget::simulations(n);
                let decision = search.search(&NIM, &START, &budget, Seed(1)).unwrap();
                assert!((1..=3).contains(&decision.action), "{name}");
                assert_eq!(decision.effort.simulations, n, "{name}");
                let visits: u64 = decision.candidates.iter().map(|c| c.visits).sum();
                assert_eq!(visits, n, "{name}");
                assert!(decision.effort.deterministic, "{name}");
            }
            let over = NimState { heap: 0, mover: 0 };
            let decided = search.search(&NIM, &over, &Budget::simulations(9), Seed(1));
            assert_eq!(decided, Err(SearchError::TerminalRoot), "{name}");
        }
    }
}

#[test]
fn t_bu2_time_and_cancellation_end_a_search() {
    for (name, mut search) in searchers(Parallel::Serial, 1) {
        let budget = Budget::time(Duration::from_millis(5));
        let decision = search.search(&NIM, &START, &budget, Seed(1)).unwrap();
        assert_eq!(decision.effort.stop, StopReason::Time, "{name}");
        assert!(!decision.effort.deterministic, "{name}");
        let flag = CancelFlag::new();
        flag.cancel();
        let budget = Budget::simulations(1_000_000).with_cancel(flag);
        let decision = search.search(&NIM, &START, &budget, Seed(1)).unwrap();
        assert_eq!(decision.effort.stop, StopReason::Cancelled, "{name}");
        assert!(decision.effort.simulations < 100, "{name}");
    }
}

#[test]
fn the_trees_converge_on_nim() {
    // 14 of Nim with 1 to 3 a move: taking 2 leaves a multiple of 4 and wins.
    for (name, mut search) in searchers(Parallel::Serial, 1) {
        let budget = Budget::simulations(20_000);
        let decision = search.search(&NIM, &START, &budget, Seed(2)).unwrap();
        if name != "smoothed" {
            assert_eq!(decision.action, 2, "{name}");
            assert!(
                decision.chosen().mean > 0.8,
                "{name}: {:?}",
                decision.chosen()
            );
        }
    }
}

#[test]
fn bad_settings_are_errors() {
    let budget = Budget::simulations(5);
    for widening in [
        Widening {
            factor: 0.0,
            exponent: 0.5,
        },
        Widening {
            factor: f64::NAN,
            exponent: 0.5,
        },
        Widening {
            factor: 1.0,
            exponent: 1.5,
        },
    ] {
        let mut kr: KrUct<Nim> = kr_uct(Parallel::Serial, 1);
        kr.settings.widening = widening;
        let found = kr.search(&NIM, &START, &budget, Seed(1));
        assert!(matches!(found, Err(SearchError::BadSetting { .. })));
        let settings = WideningSettings {
            outcomes: widening,
            ..WideningSettings::default()
        };
        let found = uct_pw::<Nim>(settings).search(&NIM, &START, &budget, Seed(1));
        assert!(matches!(found, Err(SearchError::BadSetting { .. })));
    }
    let mut kr: KrUct<Nim> = kr_uct(Parallel::Batch { size: 0 }, 1);
    let found = kr.search(&NIM, &START, &budget, Seed(1));
    assert!(matches!(found, Err(SearchError::BadSetting { .. })));
}
