//! UCT against known values: T-UC1, T-UC2, T-UC3, T-UC6.

use crate::common::{Bandit, Nim, NimState, Pull};
use search_core::budget::Budget;
use search_core::game::Sight;
use search_core::observation::Identity;
use search_core::rng::Seed;
use search_core::search::{
    Epimc, EpimcSettings, FirstPlayUrgency, GraphSettings, GraphUct, Knowledge, Mcts, MctsSettings,
    Parallel, PimcSettings, Searcher, TreeSettings, Uct,
};

/// Value for the mover and best actions of Nim with 1 to 3 a move, by induction.
fn nim(players: usize, heap: u32) -> (f64, Vec<u32>) {
    // win[h][k]: whether the player k seats after the mover takes the last from heap h.
    let mut winner = vec![players - 1];
    let mut best = vec![vec![]];
    for h in 1..=heap {
        let after: Vec<usize> = (1..=h.min(3))
            .map(|a| (winner[(h - a) as usize] + 1) % players)
            .collect();
        let wins: Vec<u32> = (1..=h.min(3))
            .filter(|a| after[*a as usize - 1] == 0)
            .collect();
        winner.push(if wins.is_empty() { after[0] } else { 0 });
        best.push(wins);
    }
    let loss = -1.0 / (players as f64 - 1.0);
    let value = if winner[heap as usize] == 0 {
        1.0
    } else {
        loss
    };
    (value, best.pop().unwrap())
}

/// Traps 7 and 8.
#[test]
fn t_uc1_converges_on_nim_for_two_and_three_players() {
    // With three players a loser may choose who wins: from a heap of five on the equilibrium is not
    // unique, and no value is the right one. `maxn3_consecutive` of the toys covers three players
    // in a deeper tree.
    for (players, heaps) in [(2, vec![5, 6, 7, 9, 10, 13, 15]), (3, vec![2, 3, 4])] {
        for heap in heaps {
            let (value, best) = nim(players, heap);
            let game = Nim { players, heap };
            let state = NimState { heap, mover: 1 };
            let decision = Uct::default()
                .search(&game, &state, &Budget::simulations(200_000), Seed(1))
                .unwrap();
            if !best.is_empty() {
                assert!(
                    best.contains(&decision.action),
                    "{players} players, heap {heap}"
                );
            }
            let error = (decision.chosen().mean - value).abs();
            assert!(
                error < 0.05,
                "{players} players, heap {heap}: off by {error}"
            );
        }
    }
}

#[test]
fn t_uc2_error_falls_with_the_budget() {
    let game = Nim {
        players: 2,
        heap: 15,
    };
    let state = NimState { heap: 15, mover: 0 };
    let mean_error = |budget: u64| {
        let errors = (0..10).map(|seed| {
            let decision = Uct::default()
                .search(&game, &state, &Budget::simulations(budget), Seed(seed))
                .unwrap();
            (decision.candidate(3).unwrap().mean - 1.0).abs()
        });
        errors.sum::<f64>() / 10.0
    };
    let errors = [1_000, 10_000, 100_000].map(mean_error);
    assert!(errors[0] > errors[1] && errors[1] > errors[2], "{errors:?}");
}

/// Trap 1, as it shows.
#[test]
fn t_uc3_regret_within_the_ucb1_bound() {
    // Auer, Cesa-Bianchi & Fischer 2002, theorem 1, for c = sqrt 2.
    let game = Bandit {
        chances: vec![0.5, 0.6],
    };
    let settings = TreeSettings {
        exploration: std::f64::consts::SQRT_2,
        ..TreeSettings::default()
    };
    let gap = 0.1;
    let bad_pulls = |n: u64| {
        let runs = (0..20).map(|seed| {
            let decision = Uct::new(settings)
                .search(&game, &Pull::Choose, &Budget::simulations(n), Seed(seed))
                .unwrap();
            decision.candidate(0).unwrap().visits as f64
        });
        runs.sum::<f64>() / 20.0
    };
    let mut growth = Vec::new();
    for n in [1_000, 10_000, 100_000] {
        let bad = bad_pulls(n);
        let log = (n as f64).ln();
        let bound = 8.0 * log / gap + (1.0 + std::f64::consts::PI.powi(2) / 3.0) * gap;
        assert!(bad * gap <= bound, "{n}: regret {} over {bound}", bad * gap);
        growth.push(bad / log);
    }
    // Logarithmic growth: bad pulls per ln n do not keep growing with n.
    assert!(growth[2] < 2.0 * growth[1], "{growth:?}");
}

/// Trap 16: no child is tried twice before all are tried once.
#[test]
fn t_uc6_first_play_urgency() {
    let game = Bandit {
        chances: vec![0.5; 12],
    };
    for seed in 0..20 {
        let run = |urgency, n| {
            let settings = TreeSettings {
                urgency,
                ..TreeSettings::default()
            };
            let decision = Uct::new(settings)
                .search(&game, &Pull::Choose, &Budget::simulations(n), Seed(seed))
                .unwrap();
            decision
                .candidates
                .iter()
                .map(|c| c.visits)
                .collect::<Vec<_>>()
        };
        // Once each before any twice, and not always the same first.
        assert_eq!(run(FirstPlayUrgency::Infinite, 12), [1; 12]);
        assert_eq!(run(FirstPlayUrgency::Infinite, 7).iter().sum::<u64>(), 7);
        assert!(run(FirstPlayUrgency::Infinite, 7).iter().all(|v| *v <= 1));
    }
    let settings = TreeSettings {
        urgency: FirstPlayUrgency::ParentMinus(0.5),
        ..TreeSettings::default()
    };
    let good = Bandit {
        chances: vec![0.9; 12],
    };
    let decision = Uct::new(settings)
        .search(&good, &Pull::Choose, &Budget::simulations(60), Seed(3))
        .unwrap();
    assert!(decision.candidates.iter().any(|c| c.visits == 0));
}

/// Trap 49: ties go to each with equal probability.
/// T-UC6: what an untried child is worth, in every search that has it. All arms pay 1 and nothing is explored:
/// a child worth less than 1 is not tried beside one that was, and one worth more is.
#[test]
fn t_uc6_untried_children_are_worth_what_the_setting_says() {
    let game = Bandit {
        chances: vec![1.0; 4],
    };
    let greedy = |urgency, parallel| TreeSettings {
        exploration: 0.0,
        urgency,
        parallel,
        ..TreeSettings::default()
    };
    for (urgency, tries_all) in [
        (FirstPlayUrgency::Infinite, true),
        (FirstPlayUrgency::Value(0.9), false),
        (FirstPlayUrgency::Value(1.1), true),
        (FirstPlayUrgency::ParentMinus(0.1), false),
        (FirstPlayUrgency::ParentMinus(-0.1), true),
    ] {
        let serial = greedy(urgency, Parallel::Serial);
        let guided = MctsSettings {
            tree: serial,
            ..MctsSettings::default()
        };
        let on_a_graph = GraphSettings {
            exploration: 0.0,
            urgency,
            ..GraphSettings::default()
        };
        let postponing = EpimcSettings {
            depth: 2,
            pimc: PimcSettings {
                worlds: 1,
                search: serial,
                ..PimcSettings::default()
            },
        };
        let searchers: [Box<dyn Searcher<Bandit>>; 6] = [
            Box::new(Uct::new(serial)),
            Box::new(Uct::new(greedy(urgency, Parallel::Shared))),
            Box::new(Mcts::new(guided, Identity)),
            Box::new(GraphUct::new(on_a_graph, |_: &Bandit, s: &Pull| match s {
                Pull::Choose => 0,
                Pull::Draw(arm) => 1 + u128::from(*arm),
                Pull::Paid(paid) => 100 + u128::from(*paid),
            })),
            Box::new(Epimc::new(
                postponing,
                Knowledge::Sight(Sight::public()),
                Identity,
            )),
            Box::new(Uct::new(greedy(urgency, Parallel::Batch { size: 1 }))),
        ];
        for (i, mut searcher) in searchers.into_iter().enumerate() {
            let budget = Budget::simulations(40);
            let decision = searcher
                .search(&game, &Pull::Choose, &budget, Seed(1))
                .unwrap();
            let tried = decision.candidates.iter().filter(|c| c.visits > 0).count();
            assert_eq!(tried, if tries_all { 4 } else { 1 }, "{i} {urgency:?}");
        }
    }
}

#[test]
fn untried_children_are_tried_in_random_order() {
    let game = Bandit {
        chances: vec![0.5; 8],
    };
    let mut firsts = [0_u32; 8];
    for seed in 0..4_000 {
        let decision = Uct::default()
            .search(&game, &Pull::Choose, &Budget::simulations(1), Seed(seed))
            .unwrap();
        firsts[decision.action as usize] += 1;
    }
    let chi2: f64 = firsts
        .iter()
        .map(|&f| (f64::from(f) - 500.0).powi(2) / 500.0)
        .sum();
    // 7 degrees of freedom, p < 1e-6.
    assert!(chi2 < 40.5, "{firsts:?}");
}

/// Trap 17: below 1 as well as above.
#[test]
fn a_higher_exploration_constant_spreads_the_visits() {
    let game = Bandit {
        chances: vec![0.2, 0.4, 0.6, 0.8],
    };
    let entropy = |c: f64| {
        let settings = TreeSettings {
            exploration: c,
            ..TreeSettings::default()
        };
        let decision = Uct::new(settings)
            .search(&game, &Pull::Choose, &Budget::simulations(20_000), Seed(5))
            .unwrap();
        let shares = decision.candidates.iter().map(|c| c.policy);
        -shares.filter(|p| *p > 0.0).map(|p| p * p.ln()).sum::<f64>()
    };
    let entropies = [0.1, 0.3, 0.7, 1.4, 3.0].map(entropy);
    assert!(entropies.windows(2).all(|w| w[0] < w[1]), "{entropies:?}");
}
