//! Rollout improvement: paired stopping, truncated rollouts, policies that search, nested levels.

use crate::common::{Bandit, Climb, ClimbView, Nim, NimState, Pull, Redeal, climb_position};
use search_core::budget::{Budget, CancelFlag, StopReason};
use search_core::decision::SearchError;
use search_core::game::{Game, Player, Returns};
use search_core::observation::{Contradiction, Identity};
use search_core::policy::{Evaluator, Policy, UniformRandom};
use search_core::rng::{Seed, SimRng};
use search_core::search::{
    CommonNumbers, Flat, FlatSettings, PairedStop, RolloutImprovement, RolloutSettings,
    SearchPolicy, Searcher, nested,
};
use std::sync::Arc;
use std::time::Duration;

/// Value of Nim for the mover under uniformly random play, by enumeration.
fn nim_random(heap: u32) -> f64 {
    if heap == 0 {
        return -1.0;
    }
    let n = heap.min(3);
    (1..=n).map(|a| -nim_random(heap - a)).sum::<f64>() / f64::from(n)
}

fn improve<G>(
    game: &G,
    settings: RolloutSettings,
) -> RolloutImprovement<G, Identity, UniformRandom, UniformRandom>
where
    G: Game<Observation = <G as Game>::State>,
{
    let _ = game;
    RolloutImprovement::new(settings, Identity, UniformRandom, UniformRandom)
}

#[test]
fn paired_stopping_drops_what_is_clearly_worse() {
    // Under common numbers these arms pay by the same draw, so that the best is never behind.
    let game = Bandit {
        chances: vec![0.05, 0.1, 0.95, 0.2, 0.9],
    };
    let stop = PairedStop {
        z: 2.0,
        first_look: 16,
    };
    let settings = RolloutSettings {
        samples: 1_000,
        stop: Some(stop),
        ..RolloutSettings::default()
    };
    let decision = improve(&game, settings)
        .search(&game, &Pull::Choose, &Budget::default(), Seed(1))
        .unwrap();
    let visits: Vec<u64> = decision.candidates.iter().map(|c| c.visits).collect();
    assert_eq!(decision.action, 2);
    assert_eq!([visits[0], visits[1], visits[3]], [16; 3], "{visits:?}");
    // Looks come after 16, 32, 64, … worlds; with one left the search is over.
    assert!(visits[4].is_power_of_two() && visits[4] > 16, "{visits:?}");
    assert_eq!(visits[2], visits[4]);
    assert_eq!(decision.effort.stop, StopReason::Settled);
    assert!(decision.effort.deterministic);
    assert_eq!(decision.effort.simulations, visits.iter().sum::<u64>());
    let mut later = 0;
    for seed in 0..40 {
        let decision = improve(&game, settings)
            .search(&game, &Pull::Choose, &Budget::default(), Seed(seed))
            .unwrap();
        let second = decision.candidates[4].visits;
        assert!(second.is_power_of_two() || second == 1_000, "{second}");
        later += u32::from(second > 32);
    }
    assert!(later > 5, "{later}");
}

/// The best arm is lost no more often than z says, in all looks together, and most of the effort is
/// saved.
#[test]
fn paired_stopping_seldom_drops_the_best() {
    let game = Bandit {
        chances: vec![0.3, 0.4, 0.55, 0.7, 0.35, 0.45],
    };
    let run = |stop, seed| {
        let settings = RolloutSettings {
            samples: 512,
            numbers: CommonNumbers::Independent,
            stop,
            ..RolloutSettings::default()
        };
        improve(&game, settings)
            .search(&game, &Pull::Choose, &Budget::default(), Seed(seed))
            .unwrap()
    };
    let (mut lost, mut kept, mut spent, mut full) = (0, 0, 0, 0);
    let seeds = 400;
    for seed in 0..seeds {
        let stopped = run(Some(PairedStop::default()), seed);
        lost += u64::from(stopped.action != 3);
        spent += stopped.effort.simulations;
        let all = run(None, seed);
        kept += u64::from(all.action == 3);
        full += all.effort.simulations;
    }
    assert_eq!(full, seeds * 6 * 512);
    assert!(spent < full / 2, "{spent} of {full}");
    // Three standard errors, five rivals, seven looks: 4.7 % by the normal tail at the very most.
    assert!(lost * 100 < seeds * 5, "{lost} of {seeds}, {kept} without");
}

#[test]
fn paired_stopping_keeps_to_its_budget_and_settings() {
    let game = Bandit {
        chances: vec![0.3, 0.4, 0.5],
    };
    for n in [1, 2, 3, 4, 24, 25, 26, 100] {
        let settings = RolloutSettings {
            stop: Some(PairedStop::default()),
            ..RolloutSettings::default()
        };
        let decision = improve(&game, settings)
            .search(&game, &Pull::Choose, &Budget::simulations(n), Seed(1))
            .unwrap();
        let visits: u64 = decision.candidates.iter().map(|c| c.visits).sum();
        assert!(visits <= n && decision.effort.simulations == visits);
        assert!(n > 96 || visits == n || decision.effort.stop == StopReason::Settled);
    }
    for (z, first_look, gate) in [
        (-1.0, 8, 0.0),
        (f64::NAN, 8, 0.0),
        (1.0, 1, 0.0),
        (1.0, 8, f64::NAN),
    ] {
        let settings = RolloutSettings {
            stop: Some(PairedStop { z, first_look }),
            gate,
            ..RolloutSettings::default()
        };
        let error = improve(&game, settings)
            .search(&game, &Pull::Choose, &Budget::default(), Seed(1))
            .unwrap_err();
        assert!(matches!(error, SearchError::BadSetting { .. }), "{error}");
    }
}

/// What a position of Nim is worth under random play.
struct Exact;

impl Evaluator<Nim> for Exact {
    fn evaluate(&self, _: &Nim, state: &NimState) -> Returns {
        let value = nim_random(state.heap);
        Returns::zero_sum(if state.mover == 0 { value } else { -value })
    }
}

/// T-ES1 with truncated rollouts: valued exactly where they stop, they have the same mean.
#[test]
fn t_es1_truncated_rollouts_are_unbiased_with_an_exact_evaluation() {
    let game = Nim {
        players: 2,
        heap: 12,
    };
    let state = NimState { heap: 12, mover: 1 };
    let mut spreads = Vec::new();
    for max_turns in [0, 1, 2, 5] {
        let settings = RolloutSettings {
            samples: 30_000,
            max_turns: Some(max_turns),
            ..RolloutSettings::default()
        };
        let mut search = improve(&game, settings);
        search.evaluator = Some(Arc::new(Exact));
        let decision = search
            .search(&game, &state, &Budget::default(), Seed(1))
            .unwrap();
        for c in &decision.candidates {
            let exact = -nim_random(12 - c.action);
            let error = (c.mean - exact).abs();
            assert!(
                error <= 5.0 * c.std_error + 1e-9,
                "{max_turns}: {c:?} for {exact}"
            );
        }
        spreads.push(decision.candidates[0].std_error);
        let truncated = decision.effort.truncated_rollouts;
        // No line of 12 is over after three takings.
        let all = decision.effort.simulations;
        assert!(if max_turns < 3 {
            truncated == all
        } else {
            truncated < all && truncated > 0
        });
    }
    assert!(spreads.is_sorted(), "{spreads:?}");
}

/// Trap 52: those that do not are counted.
#[test]
fn rollouts_that_end_in_time_are_not_truncated() {
    let game = Nim {
        players: 2,
        heap: 9,
    };
    let state = NimState { heap: 9, mover: 0 };
    let run = |max_turns| {
        let settings = RolloutSettings {
            max_turns,
            ..RolloutSettings::default()
        };
        let mut search = improve(&game, settings);
        search.evaluator = Some(Arc::new(Exact));
        search
            .search(&game, &state, &Budget::default(), Seed(4))
            .unwrap()
    };
    assert_eq!(run(Some(8)), run(None));
    assert_eq!(run(None).effort.truncated_rollouts, 0);
}

/// Trap 15: an evaluation that is no number is an error, not an illegal action.
#[test]
fn evaluations_that_are_no_numbers_are_errors() {
    struct Bad(f64);
    impl Evaluator<Nim> for Bad {
        fn evaluate(&self, _: &Nim, _: &NimState) -> Returns {
            Returns::zero_sum(self.0)
        }
    }
    let game = Nim {
        players: 2,
        heap: 12,
    };
    for value in [f64::NAN, f64::INFINITY] {
        let settings = RolloutSettings {
            max_turns: Some(1),
            ..RolloutSettings::default()
        };
        let mut search = improve(&game, settings);
        search.evaluator = Some(Arc::new(Bad(value)));
        let state = NimState { heap: 12, mover: 0 };
        let error = search
            .search(&game, &state, &Budget::default(), Seed(1))
            .unwrap_err();
        assert!(
            matches!(error, SearchError::NonFiniteReturn { .. }),
            "{error}"
        );
    }
}

/// A policy that searches its own observation with flat Monte Carlo.
fn searching(simulations: u64) -> SearchPolicy<Flat<Redeal>> {
    SearchPolicy::new(Budget::simulations(simulations), || {
        Flat::new(FlatSettings::default(), Redeal)
    })
    .unwrap()
}

/// T-PO1: what the others hold does not change a choice; and it is a function of the random numbers.
#[test]
fn t_po1_policies_that_search_know_their_own_cards_only() {
    let game = Climb {
        players: 3,
        hand: 4,
    };
    let policy = searching(200);
    let mut legal = Vec::new();
    let mut choices = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let state = climb_position(&game, seed, 2);
        let me = Player::new(state.mover as usize);
        let mut twin = state.clone();
        twin.hands.swap((me.index() + 1) % 3, (me.index() + 2) % 3);
        if twin.hands.map(u16::count_ones) != state.hands.map(u16::count_ones) {
            continue;
        }
        game.legal_actions(&state, &mut legal);
        let choose = |state| {
            let view = game.observe(state, me);
            policy.choose(&game, &view, &legal, &mut Seed(seed).simulation(3))
        };
        assert_eq!(choose(&state), choose(&twin));
        choices.insert(choose(&state));
    }
    assert!(choices.len() > 3);
    assert_eq!(policy.failures(), 0);
}

#[test]
fn a_policy_that_searches_and_fails_ends_the_search_it_plays_for() {
    struct Lost;
    impl Searcher<Climb> for Lost {
        fn search(
            &mut self,
            _: &Climb,
            _: &ClimbView,
            _: &Budget,
            _: Seed,
        ) -> Result<search_core::decision::Decision<u8>, SearchError> {
            Err(Contradiction::new("no such world").into())
        }
    }
    let game = Climb {
        players: 3,
        hand: 4,
    };
    let state = climb_position(&game, 1, 1);
    let view = game.observe(&state, Player::new(state.mover as usize));
    let lost = Arc::new(SearchPolicy::new(Budget::default(), || Lost).unwrap());
    for (own, others) in [(true, false), (false, true)] {
        let policy = |searches| -> Arc<dyn Policy<Climb>> {
            if searches {
                Arc::clone(&lost) as _
            } else {
                Arc::new(UniformRandom)
            }
        };
        let settings = RolloutSettings::default();
        let error = RolloutImprovement::new(settings, Redeal, policy(own), policy(others))
            .search(&game, &view, &Budget::default(), Seed(1))
            .unwrap_err();
        assert_eq!(error, Contradiction::new("no such world").into());
    }
    assert!(lost.failures() > 0);
}

#[test]
fn policies_decide_alike_every_time_or_are_refused() {
    let make = || Flat::new(FlatSettings::default(), Redeal);
    let timed = Budget::time(Duration::from_millis(1));
    let cancelled = Budget::simulations(5).with_cancel(CancelFlag::new());
    for budget in [timed, cancelled] {
        let error = SearchPolicy::new(budget, make).map(|_| ()).unwrap_err();
        assert!(matches!(error, SearchError::BadSetting { .. }), "{error}");
    }
    for level in [0, 5] {
        let settings = RolloutSettings::default();
        let base: Arc<dyn Policy<Nim>> = Arc::new(UniformRandom);
        let error = nested(level, settings, &Identity, None, base)
            .map(|_| ())
            .unwrap_err();
        assert!(error.to_string().contains("1 to 4"), "{error}");
    }
}

/// Which of 1 to 3 is best if the value for the mover after it is known, and by how much.
fn best(heap: u32, value: &dyn Fn(u32) -> f64) -> (u32, f64) {
    let mut values: Vec<(f64, u32)> = (1..=heap.min(3)).map(|a| (-value(heap - a), a)).collect();
    values.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let lead = values
        .get(1)
        .map_or(f64::INFINITY, |second| values[0].0 - second.0);
    (values[0].1, lead)
}

/// The first improvement of random play, and what it is worth to the mover if both follow it.
fn first_level(heap: u32) -> f64 {
    if heap == 0 {
        return -1.0;
    }
    -first_level(heap - best(heap, &nim_random).0)
}

/// Level 2 plays what improves level 1, level 3 what improves level 2; level 1 is what it is given.
#[test]
fn nested_levels_improve_the_level_below() {
    let game = Nim {
        players: 2,
        heap: 9,
    };
    let settings = RolloutSettings {
        samples: 150,
        ..RolloutSettings::default()
    };
    let level = |n| nested(n, settings, &Identity, None, Arc::new(UniformRandom)).unwrap();
    let (second, third) = (level(2), level(3));
    for heap in 2..=9 {
        let mut legal = Vec::new();
        let state = NimState { heap, mover: 1 };
        game.legal_actions(&state, &mut legal);
        let rng = || Seed(u64::from(heap)).simulation(0);
        let (choice, lead) = best(heap, &nim_random);
        if lead > 0.3 {
            let got = second.choose(&game, &state, &legal, &mut rng());
            assert_eq!(got, choice, "level 2 at {heap}");
        }
        // Where level 1 is in doubt somewhere below, so is level 2.
        let clear = (2..heap).all(|h| best(h, &nim_random).1 > 0.3);
        if clear && heap <= 6 {
            let (choice, lead) = best(heap, &first_level);
            let got = third.choose(&game, &state, &legal, &mut rng());
            assert!(lead == 0.0 || got == choice, "level 3 at {heap}");
        }
    }
    let state = NimState { heap: 9, mover: 0 };
    let draw = |policy: &dyn Policy<Nim>| {
        let mut rng: SimRng = Seed(5).simulation(1);
        policy.choose(&game, &state, &[1, 2, 3], &mut rng)
    };
    assert_eq!(draw(&*level(1)), draw(&UniformRandom));
}
