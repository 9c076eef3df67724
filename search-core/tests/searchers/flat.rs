//! Flat Monte Carlo and rollout improvement: T-ES1, T-ES2, T-SH1, gate.

use crate::common::{Bandit, Climb, ClimbView, Nim, NimState, PASS, Pull, Redeal, climb_position};
use rand::Rng;
use search_core::budget::Budget;
use search_core::game::{Game, Player, Returns, Turn};
use search_core::observation::{Determinizer, Identity};
use search_core::policy::{Policy, RolloutPolicy, UniformRandom};
use search_core::rng::{Seed, SimRng};
use search_core::search::{
    Allocation, CommonNumbers, Flat, FlatSettings, PickOf, RolloutImprovement, RolloutSettings,
    Searcher,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

/// Value of Nim for the mover under uniformly random play, by enumeration.
fn nim_random(heap: u32) -> f64 {
    if heap == 0 {
        return -1.0;
    }
    let n = heap.min(3);
    (1..=n).map(|a| -nim_random(heap - a)).sum::<f64>() / f64::from(n)
}

#[test]
fn t_es1_rollout_means_are_unbiased() {
    let game = Nim {
        players: 2,
        heap: 9,
    };
    let state = NimState { heap: 9, mover: 0 };
    let decision = Flat::new(FlatSettings::default(), Identity)
        .search(&game, &state, &Budget::simulations(300_000), Seed(1))
        .unwrap();
    for c in &decision.candidates {
        let exact = -nim_random(9 - c.action);
        let z = (c.mean - exact) / c.std_error;
        assert!(
            z.abs() < 5.0,
            "take {}: {} against {exact}, z = {z}",
            c.action,
            c.mean
        );
    }
}

/// Uniform play that writes down what the first decision of a rollout saw and drew.
#[derive(Default)]
struct Spy {
    firsts: Mutex<Vec<([u16; 4], u64)>>,
}

impl RolloutPolicy<Climb> for Spy {
    fn choose_in_world(
        &self,
        game: &Climb,
        world: &crate::common::ClimbState,
        player: Player,
        legal: &[u8],
        rng: &mut SimRng,
    ) -> u8 {
        // One card led and nobody passed yet: only the first decision of a rollout sees that.
        if world.played.count_ones() == 1 && world.passes == 0 && world.table.is_some() {
            let mut hidden = world.hands;
            hidden[0] = 0;
            self.firsts
                .lock()
                .unwrap()
                .push((hidden, rng.clone().next()));
        }
        UniformRandom.choose_in_world(game, world, player, legal, rng)
    }
}

#[test]
fn t_es2_candidates_meet_the_same_world_and_the_same_luck() {
    let game = Climb {
        players: 3,
        hand: 4,
    };
    let state = climb_position(&game, 2, 0);
    let view = game.observe(&state, Player::new(0));
    let mut flat = Flat {
        settings: FlatSettings::default(),
        determinizer: Redeal,
        policy: Spy::default(),
    };
    let arms = 4;
    flat.search(&game, &view, &Budget::simulations(arms * 50), Seed(5))
        .unwrap();
    let firsts = flat.policy.firsts.into_inner().unwrap();
    let mut worlds = BTreeMap::new();
    for first in firsts {
        *worlds.entry(first).or_insert(0) += 1;
    }
    // Every combination of hidden hands and first draw comes up once an arm.
    assert_eq!(worlds.len(), 50);
    assert!(worlds.values().all(|n| *n == arms), "{worlds:?}");
}

/// Eight moves, after each of which its player either keeps the turn or hands it over: the player
/// of a decision depends on the line of play.
struct Turns;

impl Game for Turns {
    type State = (usize, u8);
    type Action = bool;
    type Chance = bool;
    type Observation = (usize, u8);
    fn num_players(&self) -> usize {
        2
    }
    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> (usize, u8) {
        (0, 8)
    }
    fn turn(&self, &(mover, left): &(usize, u8)) -> Turn {
        match left {
            0 => Turn::Terminal,
            _ => Turn::Player(Player::new(mover)),
        }
    }
    fn legal_actions(&self, _: &(usize, u8), out: &mut Vec<bool>) {
        out.clear();
        out.extend([false, true]);
    }
    fn apply(&self, (mover, left): &mut (usize, u8), hand_over: bool) {
        *mover ^= usize::from(hand_over);
        *left -= 1;
    }
    fn returns(&self, &(mover, _): &(usize, u8)) -> Returns {
        Returns::zero_sum(if mover == 0 { 1.0 } else { -1.0 })
    }
    fn return_bounds(&self) -> std::ops::RangeInclusive<f64> {
        -1.0..=1.0
    }
    fn observe(&self, state: &(usize, u8), _: Player) -> (usize, u8) {
        *state
    }
}

/// Uniform play that writes down who drew what.
#[derive(Default)]
struct Draws(Mutex<Vec<(u64, Player)>>);

impl RolloutPolicy<Turns> for Draws {
    fn choose_in_world(
        &self,
        game: &Turns,
        world: &(usize, u8),
        player: Player,
        legal: &[bool],
        rng: &mut SimRng,
    ) -> bool {
        self.0.lock().unwrap().push((rng.clone().next(), player));
        UniformRandom.choose_in_world(game, world, player, legal, rng)
    }
}

/// How many draws were made, how many of them are different, and how many of these were made by
/// both players.
fn draws(numbers: CommonNumbers) -> (usize, usize, usize) {
    let mut flat = Flat {
        settings: FlatSettings {
            numbers,
            ..FlatSettings::default()
        },
        determinizer: Identity,
        policy: Draws::default(),
    };
    flat.search(&Turns, &(0, 8), &Budget::simulations(400), Seed(5))
        .unwrap();
    let all = flat.policy.0.into_inner().unwrap();
    let mut players: BTreeMap<u64, BTreeSet<usize>> = BTreeMap::new();
    for (draw, player) in &all {
        players.entry(*draw).or_default().insert(player.index());
    }
    let mixed = players.values().filter(|p| p.len() > 1).count();
    (all.len(), players.len(), mixed)
}

#[test]
fn t_es2_draws_are_keyed_by_player_and_ordinal() {
    // What one player draws in one line of play, the other does not draw in another.
    let (all, different, mixed) = draws(CommonNumbers::EventKeyed);
    assert_eq!(mixed, 0);
    assert!(10 * different < 9 * all, "{different} of {all}");
    // A running stream is in step only until the lines diverge: the test can tell.
    let (_, _, mixed) = draws(CommonNumbers::Running);
    assert!(mixed > 50, "{mixed}");
    let (all, different, _) = draws(CommonNumbers::Independent);
    assert_eq!(all, different);
}

fn spread(numbers: CommonNumbers) -> (f64, f64) {
    let game = Climb {
        players: 4,
        hand: 4,
    };
    let (mut of_differences, mut of_means) = (0.0, 0.0);
    for seed in 0..12 {
        let state = climb_position(&game, seed, 0);
        let view = game.observe(&state, Player::new(state.mover as usize));
        let settings = FlatSettings {
            numbers,
            ..FlatSettings::default()
        };
        let decision = Flat::new(settings, Redeal)
            .search(&game, &view, &Budget::simulations(4_000), Seed(seed))
            .unwrap();
        for c in decision
            .candidates
            .iter()
            .filter(|c| c.action != decision.action)
        {
            let d = c.versus_chosen.unwrap();
            of_differences += d.std_error.powi(2) * d.worlds as f64;
            of_means += c.std_error.powi(2) * c.visits as f64;
        }
    }
    (of_differences, of_means)
}

#[test]
fn t_es2_sharing_worlds_shrinks_differences_and_leaves_means_alone() {
    let keyed = spread(CommonNumbers::EventKeyed);
    let running = spread(CommonNumbers::Running);
    let independent = spread(CommonNumbers::Independent);
    assert!(
        keyed.0.max(running.0) < 0.8 * independent.0,
        "{keyed:?} {running:?} {independent:?}"
    );
    for other in [running, independent] {
        assert!((keyed.1 / other.1 - 1.0).abs() < 0.05);
    }
}

#[test]
fn t_es2_marginals_do_not_depend_on_the_pairing() {
    let game = Climb {
        players: 3,
        hand: 4,
    };
    let state = climb_position(&game, 6, 1);
    let view = game.observe(&state, Player::new(state.mover as usize));
    let run = |numbers, seed| {
        let settings = FlatSettings {
            numbers,
            ..FlatSettings::default()
        };
        Flat::new(settings, Redeal)
            .search(&game, &view, &Budget::simulations(60_000), Seed(seed))
            .unwrap()
    };
    let (a, b) = (
        run(CommonNumbers::EventKeyed, 1),
        run(CommonNumbers::Independent, 2),
    );
    for (a, b) in a.candidates.iter().zip(&b.candidates) {
        // Returns take two values, so equal means are equal distributions.
        let z = (a.mean - b.mean) / a.std_error.hypot(b.std_error);
        assert!(z.abs() < 5.0, "{z}");
    }
}

#[test]
fn t_sh1_sequential_halving_spends_its_budget_on_the_survivors() {
    let game = Bandit {
        chances: (1..=8).map(|i| f64::from(i) / 10.0).collect(),
    };
    let settings = FlatSettings {
        allocation: Allocation::SequentialHalving,
        ..FlatSettings::default()
    };
    for n in [1, 3, 7, 8, 24, 100, 2_400] {
        let decision = Flat::new(settings, Identity)
            .search(&game, &Pull::Choose, &Budget::simulations(n), Seed(1))
            .unwrap();
        let mut visits: Vec<u64> = decision.candidates.iter().map(|c| c.visits).collect();
        assert_eq!(visits.iter().sum::<u64>(), n);
        visits.sort_unstable();
        if n == 2_400 {
            // 3 rounds of 800: 100 each, 200 each of four, 400 each of two.
            assert_eq!(visits, [100, 100, 100, 100, 300, 300, 700, 700]);
            assert_eq!(decision.action, 7);
        }
    }
}

#[test]
fn t_sh1_the_best_survivor_is_chosen_whatever_is_left_over() {
    // The last round of two may leave one simulation over, for the first of them: that must not
    // decide between them.
    for chances in [vec![0.0, 1.0], vec![0.1, 0.0, 0.0, 0.9, 1.0]] {
        let best = chances.len() as u8 - 1;
        let game = Bandit { chances };
        let settings = FlatSettings {
            allocation: Allocation::SequentialHalving,
            ..FlatSettings::default()
        };
        for n in 400..440 {
            let decision = Flat::new(settings, Identity)
                .search(&game, &Pull::Choose, &Budget::simulations(n), Seed(n))
                .unwrap();
            assert_eq!(decision.action, best, "{n}: {decision:?}");
        }
    }
}

#[test]
fn t_sh1_two_arms_are_shared_evenly() {
    let game = Bandit {
        chances: vec![0.4, 0.6],
    };
    let run = |allocation| {
        let settings = FlatSettings {
            allocation,
            ..FlatSettings::default()
        };
        Flat::new(settings, Identity)
            .search(&game, &Pull::Choose, &Budget::simulations(500), Seed(9))
            .unwrap()
            .candidates
    };
    assert_eq!(run(Allocation::Even), run(Allocation::SequentialHalving));
}

/// Plays its lowest card whenever it can.
#[derive(Clone, Copy)]
struct Lowest;

impl Policy<Climb> for Lowest {
    fn choose(&self, _: &Climb, _: &ClimbView, legal: &[u8], _: &mut SimRng) -> u8 {
        legal[0]
    }
}

#[test]
fn rollout_improvement_keeps_the_base_choice_behind_the_gate() {
    let game = Climb {
        players: 3,
        hand: 5,
    };
    let mut switched = 0;
    for seed in 0..30 {
        let state = climb_position(&game, seed, 2);
        let view = game.observe(&state, Player::new(state.mover as usize));
        let run = |gate| {
            let settings = RolloutSettings {
                samples: 64,
                gate,
                ..RolloutSettings::default()
            };
            RolloutImprovement::new(settings, Redeal, Lowest, Lowest)
                .search(&game, &view, &Budget::default(), Seed(seed))
                .unwrap()
        };
        let mut legal = Vec::new();
        game.legal_actions(&state, &mut legal);
        assert_eq!(run(f64::INFINITY).action, legal[0]);
        let free = run(0.0);
        let gated = run(2.0);
        let base = legal[0];
        if free.action != base {
            switched += 1;
            let gain = free.candidate(base).unwrap().versus_chosen.unwrap();
            assert!(gain.mean < 0.0);
            let passes = -gain.mean > 2.0 * gain.std_error;
            assert_eq!(gated.action, if passes { free.action } else { base });
        } else {
            assert_eq!(gated.action, base);
        }
    }
    assert!(switched > 3, "{switched}");
}

#[test]
fn rollout_policies_see_only_their_own_cards() {
    /// Fails unless the observation's hand belongs to the player to move.
    struct Honest;
    impl Policy<Climb> for Honest {
        fn choose(&self, _: &Climb, view: &ClimbView, legal: &[u8], _: &mut SimRng) -> u8 {
            assert_eq!(view.me, view.mover);
            for &a in legal.iter().filter(|a| **a != PASS) {
                assert!(view.own >> a & 1 == 1);
            }
            legal[0]
        }
    }
    let game = Climb {
        players: 3,
        hand: 4,
    };
    let state = climb_position(&game, 1, 1);
    let view = game.observe(&state, Player::new(state.mover as usize));
    let mut search = RolloutImprovement::new(RolloutSettings::default(), Redeal, Honest, Honest);
    search
        .search(&game, &view, &Budget::default(), Seed(1))
        .unwrap();
}

#[test]
fn proposers_and_screening_limit_the_candidates() {
    let game = Climb {
        players: 3,
        hand: 5,
    };
    let state = climb_position(&game, 4, 0);
    let view = game.observe(&state, Player::new(state.mover as usize));
    let mut search = RolloutImprovement::new(RolloutSettings::default(), Redeal, Lowest, Lowest);
    search.proposers = vec![Box::new(PickOf(UniformRandom))];
    let decision = search
        .search(&game, &view, &Budget::default(), Seed(3))
        .unwrap();
    assert!(decision.candidates.iter().filter(|c| c.visits > 0).count() <= 2);
    let settings = RolloutSettings {
        most_candidates: Some(3),
        ..RolloutSettings::default()
    };
    let mut search = RolloutImprovement::new(settings, Redeal, Lowest, Lowest);
    let decision = search
        .search(&game, &view, &Budget::simulations(500), Seed(3))
        .unwrap();
    assert_eq!(
        decision.candidates.iter().filter(|c| c.visits > 0).count(),
        3
    );
    assert!(decision.effort.simulations <= 500);
}

#[test]
fn the_determinizer_of_the_tests_is_sound() {
    let game = Climb {
        players: 3,
        hand: 4,
    };
    for seed in 0..20 {
        let state = climb_position(&game, seed, 3);
        let Turn::Player(me) = game.turn(&state) else {
            unreachable!()
        };
        let view = game.observe(&state, me);
        let plan = Redeal.plan(&game, &view).unwrap();
        let mut world = Redeal.scratch(&game, &view, &plan);
        for i in 0..100 {
            Redeal.sample(
                &game,
                &view,
                &plan,
                &mut Seed(seed).simulation(i),
                &mut world,
            );
            assert_eq!(game.observe(&world, me), view);
        }
    }
}
