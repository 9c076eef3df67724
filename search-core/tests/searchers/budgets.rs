//! Budgets and errors: T-BU1, T-BU2, T-BU3, T-ER1.

use crate::common::{Bandit, Climb, ClimbView, Nim, NimState, Pull, Redeal, climb_position};
use rand::Rng;
use search_core::budget::{Budget, CancelFlag, StopReason};
use search_core::decision::{Decision, SearchError};
use search_core::game::{Game, Player, Returns, Sight, Turn};
use search_core::observation::Identity;
use search_core::policy::UniformRandom;
use search_core::rng::Seed;
use search_core::search::{
    Aggregate, Allocation, Flat, FlatSettings, Gumbel, GumbelSettings, Ismcts, MoIsmcts, Parallel,
    Pimc, PimcSettings, RisMcts, RolloutImprovement, RolloutSettings, Searcher, Shot, ShotSettings,
    TreeSettings, Uct,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

type Named = (&'static str, Box<dyn Searcher<Climb>>);

/// Every searcher that plays with hidden cards, in its modes.
fn searchers() -> Vec<Named> {
    let tree = |parallel| TreeSettings {
        parallel,
        ..TreeSettings::default()
    };
    let pimc = |aggregate| PimcSettings {
        worlds: 7,
        aggregate,
        ..PimcSettings::default()
    };
    let flat = |allocation| FlatSettings {
        allocation,
        ..FlatSettings::default()
    };
    vec![
        (
            "ismcts",
            Box::new(Ismcts::new(tree(Parallel::Serial), Redeal)),
        ),
        (
            "ismcts root",
            Box::new(Ismcts::new(tree(Parallel::Root { trees: 4 }), Redeal)),
        ),
        (
            "ismcts batch",
            Box::new(Ismcts::new(tree(Parallel::Batch { size: 8 }), Redeal)),
        ),
        (
            "mo-ismcts",
            Box::new(MoIsmcts::new(
                tree(Parallel::Serial),
                Redeal,
                Sight::public(),
            )),
        ),
        (
            "ris-mcts",
            Box::new(RisMcts::new(tree(Parallel::Batch { size: 3 }), Redeal)),
        ),
        (
            "pimc mean",
            Box::new(Pimc::new(pimc(Aggregate::Mean), Redeal)),
        ),
        (
            "pimc vote",
            Box::new(Pimc::new(pimc(Aggregate::Vote), Redeal)),
        ),
        (
            "pimc visits",
            Box::new(Pimc::new(pimc(Aggregate::Visits), Redeal)),
        ),
        ("flat", Box::new(Flat::new(flat(Allocation::Even), Redeal))),
        (
            "halving",
            Box::new(Flat::new(flat(Allocation::SequentialHalving), Redeal)),
        ),
        ("ocba", Box::new(Flat::new(flat(Allocation::OCBA), Redeal))),
        (
            "gumbel",
            Box::new(Gumbel::new(GumbelSettings::default(), Redeal)),
        ),
    ]
}

fn root() -> (Climb, ClimbView) {
    let game = Climb {
        players: 3,
        hand: 5,
    };
    // A position with something to choose, and something played.
    let mut legal = Vec::new();
    let mut positions = (0..).map(|seed| climb_position(&game, seed, 3));
    let state = positions.find(|state| {
        game.legal_actions(state, &mut legal);
        legal.len() > 3
    });
    let state = state.unwrap();
    let view = game.observe(&state, Player::new(state.mover as usize));
    (game, view)
}

fn search(s: &mut dyn Searcher<Climb>, budget: &Budget) -> Result<Decision<u8>, SearchError> {
    let (game, view) = root();
    s.search(&game, &view, budget, Seed(1))
}

/// Trap 37: whatever the mode.
#[test]
fn t_bu1_simulations_are_exact() {
    for (name, mut searcher) in searchers() {
        for n in [1, 2, 3, 5, 7, 8, 50, 101, 1_000] {
            let decision = search(&mut *searcher, &Budget::simulations(n)).unwrap();
            assert_eq!(decision.effort.simulations, n, "{name}");
            let visits: u64 = decision.candidates.iter().map(|c| c.visits).sum();
            assert_eq!(visits, n, "{name}");
            assert!(decision.candidate(decision.action).is_some(), "{name}");
            assert!(decision.effort.deterministic, "{name}");
        }
    }
}

#[test]
fn t_bu1_an_empty_budget_is_an_error() {
    let zero_time = Budget {
        simulations: Some(10),
        time: Some(Duration::ZERO),
        ..Budget::default()
    };
    for (name, mut searcher) in searchers() {
        for budget in [Budget::simulations(0), Budget::default(), zero_time.clone()] {
            assert_eq!(
                search(&mut *searcher, &budget),
                Err(SearchError::EmptyBudget),
                "{name}"
            );
        }
    }
}

/// Trap 42.
#[test]
fn t_bu2_the_node_cap_is_exact_and_the_search_goes_on() {
    let game = Nim {
        players: 2,
        heap: 21,
    };
    let state = NimState { heap: 21, mover: 0 };
    for cap in [0_u64, 1, 2, 3, 4, 10, 100, 1_000] {
        let budget = Budget::simulations(20_000).with_nodes(cap);
        let uct = Uct::default()
            .search(&game, &state, &budget, Seed(1))
            .unwrap();
        assert!(
            uct.effort.edges <= cap && uct.effort.edges + 3 > cap,
            "{cap}: {:?}",
            uct.effort
        );
        assert_eq!(uct.effort.simulations, 20_000);
        assert!(uct.effort.refused_expansions > 0);
        let ismcts = Ismcts::new(TreeSettings::default(), Identity)
            .search(&game, &state, &budget, Seed(1))
            .unwrap();
        assert_eq!(ismcts.effort.edges, cap);
        assert_eq!(ismcts.effort.simulations, 20_000);
        // One tree a world: the cap holds for each, and what is reported is the largest.
        let settings = PimcSettings {
            worlds: 3,
            ..PimcSettings::default()
        };
        let pimc = Pimc::new(settings, Identity)
            .search(&game, &state, &budget, Seed(1))
            .unwrap();
        assert!(pimc.effort.edges <= cap && pimc.effort.edges + 3 > cap);
        assert_eq!(pimc.effort.simulations, 20_000);
    }
}

#[test]
fn t_bu2_the_byte_cap_holds() {
    let game = Nim {
        players: 2,
        heap: 21,
    };
    let state = NimState { heap: 21, mover: 0 };
    for bytes in [320_u64, 3_200, 32_000] {
        let budget = Budget::simulations(20_000).with_bytes(bytes);
        let decision = Uct::default()
            .search(&game, &state, &budget, Seed(1))
            .unwrap();
        assert!(decision.effort.bytes <= bytes && decision.effort.bytes + 128 > bytes);
        let trees = TreeSettings {
            parallel: Parallel::Root { trees: 4 },
            ..TreeSettings::default()
        };
        let decision = Uct::new(trees)
            .search(&game, &state, &budget, Seed(1))
            .unwrap();
        assert!(decision.effort.bytes <= bytes);
    }
}

/// Traps 36 and 54.
#[test]
fn t_bu3_time_and_cancellation_are_honoured_and_declared() {
    for (name, mut searcher) in searchers() {
        if matches!(name, "halving" | "gumbel") {
            let error = search(&mut *searcher, &Budget::time(Duration::from_millis(2)));
            assert!(matches!(error, Err(SearchError::NeedsSimulations { .. })));
            continue;
        }
        let timed = search(&mut *searcher, &Budget::time(Duration::from_millis(2))).unwrap();
        assert_eq!(timed.effort.stop, StopReason::Time, "{name}");
        assert!(!timed.effort.deterministic, "{name}");
        assert!(timed.effort.simulations >= 1, "{name}");
        let flag = CancelFlag::new();
        flag.cancel();
        let budget = Budget::simulations(1 << 30).with_cancel(flag);
        let cancelled = search(&mut *searcher, &budget).unwrap();
        assert_eq!(cancelled.effort.stop, StopReason::Cancelled, "{name}");
        assert!(!cancelled.effort.deterministic, "{name}");
        assert!(
            (1..=1_000).contains(&cancelled.effort.simulations),
            "{name}"
        );
    }
}

/// Trap 55.
#[test]
fn progress_is_reported_now_and_then() {
    for (name, mut searcher) in searchers() {
        let calls = Arc::new(AtomicU64::new(0));
        let last = Arc::new(AtomicU64::new(0));
        let (c, l) = (calls.clone(), last.clone());
        let budget = Budget::simulations(20_000).with_progress(move |p| {
            c.fetch_add(1, Ordering::Relaxed);
            l.store(p.simulations, Ordering::Relaxed);
            assert_eq!(p.of, Some(20_000));
        });
        search(&mut *searcher, &budget).unwrap();
        assert!(
            (5..=900).contains(&calls.load(Ordering::Relaxed)),
            "{name}: {calls:?}"
        );
        assert!(last.load(Ordering::Relaxed) > 0, "{name}");
    }
}

/// Nim whose rules are broken in a chosen way.
struct Broken {
    no_actions: bool,
    return_value: f64,
}

impl Game for Broken {
    type State = NimState;
    type Action = u32;
    type Chance = bool;
    type Observation = NimState;
    fn num_players(&self) -> usize {
        2
    }
    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> NimState {
        NimState { heap: 2, mover: 0 }
    }
    fn turn(&self, s: &NimState) -> Turn {
        match s.heap {
            0 => Turn::Terminal,
            99 => Turn::Chance,
            _ => Turn::Player(Player::new(s.mover)),
        }
    }
    fn legal_actions(&self, s: &NimState, out: &mut Vec<u32>) {
        out.clear();
        if !self.no_actions {
            out.extend(1..=s.heap.min(2));
        }
    }
    fn apply(&self, s: &mut NimState, a: u32) {
        s.heap -= a;
    }
    fn returns(&self, _: &NimState) -> Returns {
        Returns::zero_sum(self.return_value)
    }
    fn return_bounds(&self) -> std::ops::RangeInclusive<f64> {
        -1.0..=1.0
    }
    fn observe(&self, s: &NimState, _: Player) -> NimState {
        s.clone()
    }
}

fn all_errors(game: &Broken, heap: u32) -> Vec<SearchError> {
    let state = NimState { heap, mover: 1 };
    let budget = Budget::simulations(10);
    let uct = Uct::<Broken>::default().search(game, &state, &budget, Seed(1));
    let ismcts =
        Ismcts::new(TreeSettings::default(), Identity).search(game, &state, &budget, Seed(1));
    let pimc = Pimc::new(PimcSettings::default(), Identity).search(game, &state, &budget, Seed(1));
    let flat = Flat::new(FlatSettings::default(), Identity).search(game, &state, &budget, Seed(1));
    let rollout = RolloutImprovement::new(
        RolloutSettings::default(),
        Identity,
        UniformRandom,
        UniformRandom,
    )
    .search(game, &state, &budget, Seed(1));
    let ocba = FlatSettings {
        allocation: Allocation::OCBA,
        ..FlatSettings::default()
    };
    let ocba = Flat::new(ocba, Identity).search(game, &state, &budget, Seed(1));
    let gumbel =
        Gumbel::new(GumbelSettings::default(), Identity).search(game, &state, &budget, Seed(1));
    let shot = Shot::new(ShotSettings::default()).search(game, &state, &budget, Seed(1));
    let mo = MoIsmcts::new(TreeSettings::default(), Identity, Sight::public()).search(
        game,
        &state,
        &budget,
        Seed(1),
    );
    let ris =
        RisMcts::new(TreeSettings::default(), Identity).search(game, &state, &budget, Seed(1));
    [
        uct, ismcts, pimc, flat, rollout, ocba, gumbel, shot, mo, ris,
    ]
    .into_iter()
    .map(Result::unwrap_err)
    .collect()
}

/// Trap 4.
#[test]
fn t_er1_bad_roots_are_errors() {
    let fine = Broken {
        no_actions: false,
        return_value: 1.0,
    };
    assert!(
        all_errors(&fine, 0)
            .iter()
            .all(|e| *e == SearchError::TerminalRoot)
    );
    assert!(
        all_errors(&fine, 99)
            .iter()
            .all(|e| *e == SearchError::ChanceRoot)
    );
    let stuck = Broken {
        no_actions: true,
        return_value: 1.0,
    };
    assert!(
        all_errors(&stuck, 2)
            .iter()
            .all(|e| *e == SearchError::NoActions { player: 1 })
    );
}

#[test]
fn t_er1_non_finite_returns_are_errors() {
    // 1e200 is finite, but its square is not.
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e200] {
        let game = Broken {
            no_actions: false,
            return_value: value,
        };
        for error in all_errors(&game, 2) {
            assert!(
                matches!(error, SearchError::NonFiniteReturn { .. }),
                "{error}"
            );
        }
    }
}

#[test]
fn t_er1_contradictions_are_errors() {
    let (game, mut view) = root();
    view.counts[(view.me as usize + 1) % 3] += 1;
    for (name, mut searcher) in searchers() {
        let error = searcher
            .search(&game, &view, &Budget::simulations(5), Seed(1))
            .unwrap_err();
        assert!(matches!(error, SearchError::Contradiction(_)), "{name}");
        assert!(error.to_string().contains("unseen"), "{error}");
    }
}

#[test]
fn bad_settings_are_errors() {
    let game = Bandit {
        chances: vec![0.5, 0.5],
    };
    let bad = [
        TreeSettings {
            exploration: f64::NAN,
            ..TreeSettings::default()
        },
        TreeSettings {
            exploration: -1.0,
            ..TreeSettings::default()
        },
        TreeSettings {
            parallel: Parallel::Root { trees: 0 },
            ..TreeSettings::default()
        },
        TreeSettings {
            parallel: Parallel::Batch { size: 0 },
            ..TreeSettings::default()
        },
        TreeSettings {
            parallel: Parallel::Batch { size: 70_000 },
            ..TreeSettings::default()
        },
    ];
    for settings in bad {
        let error = Uct::new(settings)
            .search(&game, &Pull::Choose, &Budget::simulations(5), Seed(1))
            .unwrap_err();
        assert!(matches!(error, SearchError::BadSetting { .. }), "{error}");
    }
}

/// Trap 44.
#[test]
fn a_forced_move_is_searched_or_skipped_as_asked() {
    let game = Nim {
        players: 2,
        heap: 1,
    };
    let state = NimState { heap: 1, mover: 0 };
    let budget = Budget::simulations(10);
    let searched = Uct::default()
        .search(&game, &state, &budget, Seed(1))
        .unwrap();
    assert_eq!((searched.action, searched.effort.simulations), (1, 10));
    assert_eq!(searched.chosen().mean, 1.0);
    let settings = TreeSettings {
        skip_forced: true,
        ..TreeSettings::default()
    };
    let skipped = Uct::new(settings)
        .search(&game, &state, &budget, Seed(1))
        .unwrap();
    assert_eq!((skipped.action, skipped.effort.simulations), (1, 0));
    assert_eq!(skipped.effort.stop, StopReason::Settled);
}

/// A heap whose last piece nobody may take.
struct Stuck;

impl Game for Stuck {
    type State = NimState;
    type Action = u32;
    type Chance = bool;
    type Observation = NimState;
    fn num_players(&self) -> usize {
        2
    }
    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> NimState {
        NimState { heap: 5, mover: 0 }
    }
    fn turn(&self, s: &NimState) -> Turn {
        Turn::Player(Player::new(s.mover))
    }
    fn legal_actions(&self, s: &NimState, out: &mut Vec<u32>) {
        out.clear();
        out.extend(1..s.heap.min(3));
    }
    fn apply(&self, s: &mut NimState, a: u32) {
        s.heap -= a;
        s.mover = 1 - s.mover;
    }
    fn returns(&self, _: &NimState) -> Returns {
        Returns::zero_sum(0.0)
    }
    fn return_bounds(&self) -> std::ops::RangeInclusive<f64> {
        -1.0..=1.0
    }
    fn observe(&self, s: &NimState, _: Player) -> NimState {
        s.clone()
    }
}

/// Trap 18.
#[test]
fn t_er1_a_dead_end_below_the_root_is_an_error() {
    let state = NimState { heap: 5, mover: 0 };
    let budget = Budget::simulations(100);
    let tree = TreeSettings::default();
    let mut searchers: Vec<Box<dyn Searcher<Stuck>>> = vec![
        Box::new(Uct::new(tree)),
        Box::new(Ismcts::new(tree, Identity)),
        Box::new(Pimc::new(PimcSettings::default(), Identity)),
        Box::new(Flat::new(FlatSettings::default(), Identity)),
        Box::new(Gumbel::new(GumbelSettings::default(), Identity)),
        Box::new(Shot::new(ShotSettings::default())),
        Box::new(RolloutImprovement::new(
            RolloutSettings::default(),
            Identity,
            UniformRandom,
            UniformRandom,
        )),
    ];
    for searcher in &mut searchers {
        let error = searcher
            .search(&Stuck, &state, &budget, Seed(1))
            .unwrap_err();
        assert!(matches!(error, SearchError::NoActions { .. }), "{error}");
    }
}
