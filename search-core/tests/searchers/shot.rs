//! SHOT: its schedule against a second implementation, chance, limits and errors; T-SH1, T-DE1.

use crate::common::{Bandit, Lottery, Nim, NimState, Pull};
use rand::Rng;
use search_core::budget::{Budget, CancelFlag, StopReason};
use search_core::decision::{Decision, SearchError};
use search_core::game::{Game, Player, Returns, Turn};
use search_core::rng::{Seed, SimRng, mix64};
use search_core::rollout::{Ending, Evaluation, LeafEvaluator};
use search_core::search::{Searcher, Shot, ShotSettings};
use std::collections::HashMap;
use std::time::Duration;

/// Values a position by what it is, without playing.
#[derive(Clone, Copy, Default)]
struct Hashed;

fn hashed(state: &NimState, players: usize) -> Returns {
    let mut returns = Returns::splat(players, 0.0);
    for p in 0..players {
        let key = mix64(u64::from(state.heap) * 7 + state.mover as u64 * 3 + p as u64);
        // Multiples of 1/1024, whose sums are exact in any order.
        returns.set(Player::new(p), (key % 1024) as f64 / 1024.0);
    }
    returns
}

impl LeafEvaluator<Nim> for Hashed {
    fn evaluate(
        &self,
        game: &Nim,
        world: &mut NimState,
        _: &mut SimRng,
        _: &mut Vec<u32>,
    ) -> Evaluation {
        let returns = match game.turn(world) {
            Turn::Terminal => game.returns(world),
            _ => hashed(world, game.players),
        };
        Evaluation {
            returns,
            ending: Ending::Terminal,
        }
    }
}

/// Sequential halving in the tree of Nim, written down from the paper with a table of paths.
struct Reference {
    game: Nim,
    /// Visits and sum of the mover's returns of each action, by path.
    edges: HashMap<Vec<u32>, (u64, f64)>,
    spent: HashMap<Vec<u32>, u64>,
}

impl Reference {
    fn run(&mut self, state: &NimState, path: &[u32], budget: u64) -> Vec<f64> {
        let players = self.game.players;
        let scaled = |r: Returns, n: u64| r.iter().map(|v| v * n as f64).collect::<Vec<f64>>();
        let mut legal = Vec::new();
        self.game.legal_actions(state, &mut legal);
        if legal.is_empty() {
            return scaled(self.game.returns(state), budget);
        }
        let at_root = path.is_empty();
        if budget == 1 && !at_root {
            return scaled(hashed(state, players), 1);
        }
        let mut total = vec![0.0; players];
        if legal.len() == 1 && !at_root {
            let mut next = state.clone();
            self.game.apply(&mut next, legal[0]);
            let path: Vec<u32> = path.iter().copied().chain([legal[0]]).collect();
            return self.run(&next, &path, budget);
        }
        let before = self.spent.get(path).copied().unwrap_or(0);
        let rounds = (legal.len().max(2) as f64).log2().ceil() as u64;
        let mut used = 0;
        let mut level = 0;
        let mut live = legal;
        loop {
            let key = |a: u32| path.iter().copied().chain([a]).collect::<Vec<u32>>();
            let mean = |edges: &HashMap<Vec<u32>, (u64, f64)>, a: u32| {
                let (n, sum) = edges.get(&key(a)).copied().unwrap_or((0, 0.0));
                if n == 0 {
                    f64::NEG_INFINITY
                } else {
                    sum / n as f64
                }
            };
            let edges = &self.edges;
            live.sort_by(|&a, &b| mean(edges, b).total_cmp(&mean(edges, a)).then(a.cmp(&b)));
            let last = live.len() == 1;
            level += ((before + budget) / (live.len() as u64 * rounds)).max(1);
            for &a in &live {
                let (n, _) = self.edges.get(&key(a)).copied().unwrap_or((0, 0.0));
                let share = if last {
                    budget - used
                } else {
                    level.saturating_sub(n).min(budget - used)
                };
                if share > 0 {
                    let mut next = state.clone();
                    self.game.apply(&mut next, a);
                    let sums = self.run(&next, &key(a), share);
                    let edge = self.edges.entry(key(a)).or_default();
                    edge.0 += share;
                    edge.1 += sums[state.mover];
                    for (t, s) in total.iter_mut().zip(&sums) {
                        *t += s;
                    }
                    used += share;
                }
            }
            if last {
                break;
            }
            let edges = &self.edges;
            live.sort_by(|&a, &b| mean(edges, b).total_cmp(&mean(edges, a)).then(a.cmp(&b)));
            live.truncate(live.len().div_ceil(2));
            if used == budget {
                break;
            }
        }
        self.spent.insert(path.to_vec(), before + budget);
        total
    }
}

#[test]
fn t_sh1_shot_agrees_with_a_second_implementation() {
    for players in [2, 3] {
        let game = Nim { players, heap: 14 };
        let state = NimState { heap: 14, mover: 1 };
        for n in (1..80).chain([100, 333, 1_000, 4_321]) {
            let mut reference = Reference {
                game: game.clone(),
                edges: HashMap::new(),
                spent: HashMap::new(),
            };
            reference.run(&state, &[], n);
            let decision = Shot::with(ShotSettings::default(), Hashed)
                .search(&game, &state, &Budget::simulations(n), Seed(1))
                .unwrap();
            assert_eq!(decision.effort.simulations, n);
            for c in &decision.candidates {
                let (visits, sum) = reference
                    .edges
                    .get(&vec![c.action])
                    .copied()
                    .unwrap_or_default();
                assert_eq!(c.visits, visits, "{players} players, {n}: {c:?}");
                if visits > 0 {
                    assert_eq!(c.mean, sum / visits as f64, "{players} players, {n}");
                }
            }
        }
    }
}

#[test]
fn t_sh1_shot_at_the_root_is_sequential_halving() {
    // 8 arms, 2,400 simulations: as of the flat search.
    let game = Bandit {
        chances: (1..=8).map(|i| f64::from(i) / 10.0).collect(),
    };
    let decision = Shot::new(ShotSettings::default())
        .search(&game, &Pull::Choose, &Budget::simulations(2_400), Seed(1))
        .unwrap();
    let mut visits: Vec<u64> = decision.candidates.iter().map(|c| c.visits).collect();
    visits.sort_unstable();
    assert_eq!(visits, [100, 100, 100, 100, 300, 300, 700, 700]);
    assert_eq!(decision.action, 7);
}

#[test]
fn shot_finds_the_winning_move() {
    let game = Nim {
        players: 2,
        heap: 21,
    };
    for heap in [5, 6, 7, 9, 10, 11, 13] {
        let state = NimState { heap, mover: 0 };
        let decision = Shot::new(ShotSettings::default())
            .search(&game, &state, &Budget::simulations(20_000), Seed(1))
            .unwrap();
        assert_eq!(decision.action, heap % 4, "{heap}: {decision:?}");
    }
}

/// Trap 3: decision, chance, decision, … for three players; and T-CN1: means agree with the truth where
/// nothing is chosen after the first action.
#[test]
fn shot_plays_chance() {
    for seed in 0..10 {
        let game = Lottery {
            seed,
            players: 3,
            actions: 4,
            plies: 2,
            dice: seed % 2 == 0,
        };
        let decision = Shot::new(ShotSettings::default())
            .search(
                &game,
                &game.start(),
                &Budget::simulations(40_000),
                Seed(seed),
            )
            .unwrap();
        let exact = |action| {
            let mut after = game.start();
            game.apply(&mut after, action);
            game.value(&after).of(Player::new(0))
        };
        for c in &decision.candidates {
            let z = (c.mean - exact(c.action)) / c.std_error;
            assert!(z.abs() < 5.0, "{c:?} for {}", exact(c.action));
        }
    }
    // Two more turns: the right choice, where it matters.
    let (mut lost, mut random) = (0.0, 0.0);
    for seed in 0..40 {
        let game = Lottery {
            seed,
            players: 2,
            actions: 3,
            plies: 4,
            dice: false,
        };
        let values: Vec<f64> = (0..3)
            .map(|action| {
                let mut after = game.start();
                game.apply(&mut after, action);
                game.value(&after).of(Player::new(0))
            })
            .collect();
        let decision = Shot::new(ShotSettings::default())
            .search(
                &game,
                &game.start(),
                &Budget::simulations(20_000),
                Seed(seed),
            )
            .unwrap();
        let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        lost += best - values[decision.action as usize];
        random += best - values.iter().sum::<f64>() / 3.0;
    }
    // The mean over replies that halving keeps does not go to the best of them: see the module.
    assert!(lost < 0.3 * random, "{lost} of {random}");
}

#[test]
fn t_de1_shot_does_not_depend_on_threads() {
    let game = Lottery {
        seed: 4,
        players: 3,
        actions: 5,
        plies: 8,
        dice: true,
    };
    let run = |threads| {
        let settings = ShotSettings {
            threads,
            ..ShotSettings::default()
        };
        let budget = Budget::simulations(5_003);
        let decision = Shot::new(settings).search(&game, &game.start(), &budget, Seed(9));
        format!("{:?}", decision.unwrap())
    };
    for threads in [2, 3, 7, 16] {
        assert_eq!(run(threads), run(1));
    }
}

fn nim(budget: &Budget) -> Result<Decision<u32>, SearchError> {
    let game = Nim {
        players: 2,
        heap: 21,
    };
    let state = NimState { heap: 21, mover: 0 };
    Shot::new(ShotSettings::default()).search(&game, &state, budget, Seed(1))
}

#[test]
fn t_bu1_shot_keeps_to_its_budget() {
    for n in [1, 2, 3, 4, 5, 50, 1_001] {
        let decision = nim(&Budget::simulations(n)).unwrap();
        let visits: u64 = decision.candidates.iter().map(|c| c.visits).sum();
        assert_eq!((decision.effort.simulations, visits), (n, n));
        assert!((1..=3).contains(&decision.action));
        assert!(decision.chosen().visits > 0);
    }
    assert_eq!(nim(&Budget::simulations(0)), Err(SearchError::EmptyBudget));
    let untold = nim(&Budget::time(Duration::from_millis(1)));
    assert!(matches!(untold, Err(SearchError::NeedsSimulations { .. })));
}

#[test]
fn t_bu2_the_tree_of_shot_is_limited_and_the_search_goes_on() {
    for cap in [3, 10, 100, 1_000] {
        let decision = nim(&Budget::simulations(20_000).with_nodes(cap)).unwrap();
        assert!(decision.effort.edges <= cap.max(3), "{:?}", decision.effort);
        assert!(decision.effort.refused_expansions > 0);
        assert_eq!(decision.effort.simulations, 20_000);
    }
    for cap in [100, 1_000, 10_000] {
        let decision = nim(&Budget::simulations(20_000).with_bytes(cap)).unwrap();
        assert!(decision.effort.bytes <= cap, "{:?}", decision.effort);
    }
}

#[test]
fn t_bu3_shot_stops_when_told() {
    let flag = CancelFlag::new();
    flag.cancel();
    let cancelled = nim(&Budget::simulations(1 << 40).with_cancel(flag)).unwrap();
    assert_eq!(cancelled.effort.stop, StopReason::Cancelled);
    assert!(!cancelled.effort.deterministic);
    assert!((1..=1_000).contains(&cancelled.effort.simulations));
    let budget = Budget {
        time: Some(Duration::from_millis(3)),
        ..Budget::simulations(1 << 40)
    };
    let timed = nim(&budget).unwrap();
    assert_eq!(timed.effort.stop, StopReason::Time);
    assert!(!timed.effort.deterministic);
}

/// Chance and forced moves in turns, very often, and one decision at the start.
struct Corridor;

impl Game for Corridor {
    type State = u32;
    type Action = u8;
    type Chance = u8;
    type Observation = u32;
    fn num_players(&self) -> usize {
        1
    }
    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> u32 {
        0
    }
    fn turn(&self, state: &u32) -> Turn {
        match state {
            5_000.. => Turn::Terminal,
            n if n % 2 == 1 => Turn::Chance,
            _ => Turn::Player(Player::new(0)),
        }
    }
    fn legal_actions(&self, state: &u32, out: &mut Vec<u8>) {
        out.clear();
        if matches!(self.turn(state), Turn::Player(_)) {
            out.extend(0..if *state == 0 { 2 } else { 1 });
        }
    }
    fn apply(&self, state: &mut u32, _: u8) {
        *state += 1;
    }
    fn sample_chance<R: Rng + ?Sized>(&self, _: &u32, _: &mut R) -> u8 {
        0
    }
    fn apply_chance(&self, state: &mut u32, _: u8) {
        *state += 1;
    }
    fn returns(&self, _: &u32) -> Returns {
        Returns::splat(1, 0.5)
    }
    fn return_bounds(&self) -> std::ops::RangeInclusive<f64> {
        0.0..=1.0
    }
    fn observe(&self, state: &u32, _: Player) -> u32 {
        *state
    }
}

/// Trap 35: however long a line, the stack of a thread is enough.
#[test]
fn long_corridors_do_not_overflow_the_stack() {
    let search = || {
        Shot::new(ShotSettings::default())
            .search(&Corridor, &0, &Budget::simulations(64), Seed(1))
            .unwrap()
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20);
    let decision = thread.spawn(search).unwrap().join().unwrap();
    assert_eq!(decision.effort.simulations, 64);
    assert_eq!(decision.chosen().mean, 0.5);
    assert!(decision.effort.refused_expansions > 0);
}
