//! Turns of several actions: searched as whole lines, planned once, and played one by one.

use std::convert::Infallible;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rand::Rng;
use search_core::agent::{Agent, Plan, PlannedTurns, Planner};
use search_core::budget::Budget;
use search_core::decision::SearchError;
use search_core::game::{Game, Player, Returns, Turn};
use search_core::rng::{Seed, mix64};
use search_core::search::expectimax::{Continuation, CutOff, DepthFirst, Expand, Line};
use search_core::search::{Expectimax, ExpectimaxSettings, Pruning};

const TURNS: u32 = 4;

/// A turn is two numbers from 0 to 3, one after the other, of which only the sum counts; after
/// four turns the sums are hashed into a result.
#[derive(Debug, Clone)]
struct Pairs(u64);

#[derive(Debug, Clone, PartialEq)]
struct Sums {
    match_number: u32,
    sums: [u32; TURNS as usize],
    first: Option<u32>,
    turn: u32,
}

fn start(match_number: u32) -> Sums {
    Sums {
        match_number,
        sums: [0; 4],
        first: None,
        turn: 0,
    }
}

impl Game for Pairs {
    type State = Sums;
    type Action = u32;
    type Chance = Infallible;
    type Observation = Sums;

    fn num_players(&self) -> usize {
        2
    }

    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> Sums {
        start(0)
    }

    fn turn(&self, s: &Sums) -> Turn {
        if s.turn == TURNS {
            Turn::Terminal
        } else {
            Turn::Player(Player::new(s.turn as usize % 2))
        }
    }

    fn legal_actions(&self, s: &Sums, out: &mut Vec<u32>) {
        out.clear();
        if s.turn < TURNS {
            out.extend(0..4);
        }
    }

    fn apply(&self, s: &mut Sums, action: u32) {
        match s.first.take() {
            None => s.first = Some(action),
            Some(first) => {
                s.sums[s.turn as usize] = first + action;
                s.turn += 1;
            }
        }
    }

    fn returns(&self, s: &Sums) -> Returns {
        let hash = s.sums.iter().fold(self.0, |h, &n| mix64(h ^ u64::from(n)));
        Returns::zero_sum((hash % 21) as f64 / 10.0 - 1.0)
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        -1.0..=1.0
    }

    fn observe(&self, s: &Sums, _: Player) -> Sums {
        s.clone()
    }
}

/// One line for each sum, or what is left of the turn.
struct WholeTurns;

impl Expand<Pairs> for WholeTurns {
    fn expand(&self, game: &Pairs, state: &Sums, out: &mut Vec<Continuation<Pairs>>) {
        out.clear();
        let mut add = |actions: &[u32]| {
            let mut state = state.clone();
            for &action in actions {
                game.apply(&mut state, action);
            }
            let line = Line::from_slice(actions).unwrap();
            out.push(Continuation { line, state });
        };
        for sum in 0..=6_u32 {
            match state.first {
                None => add(&[sum.div_ceil(2), sum / 2]),
                Some(_) if sum < 4 => add(&[sum]),
                Some(_) => {}
            }
        }
    }
}

fn search(depth: u32, lines: bool, pruning: Pruning) -> Expectimax<Pairs> {
    let parts = DepthFirst::new(CutOff);
    let parts = if lines {
        parts.with_expand(WholeTurns)
    } else {
        parts
    };
    let settings = ExpectimaxSettings {
        depth,
        pruning,
        ..ExpectimaxSettings::default()
    };
    Expectimax::new(settings, parts)
}

/// Counts how often it is asked.
struct Counting(Expectimax<Pairs>, Arc<AtomicUsize>);

impl Planner<Pairs> for Counting {
    fn plan(
        &mut self,
        game: &Pairs,
        observation: &Sums,
        budget: &Budget,
        seed: Seed,
    ) -> Result<Plan<u32>, SearchError> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.plan(game, observation, budget, seed)
    }
}

fn counting() -> (PlannedTurns<Pairs, Counting>, Arc<AtomicUsize>) {
    let plans = Arc::new(AtomicUsize::new(0));
    let planner = Counting(search(2, true, Pruning::Star2), Arc::clone(&plans));
    (PlannedTurns::new(planner, Budget::default()), plans)
}

const LEGAL: [u32; 4] = [0, 1, 2, 3];

fn ask(agent: &mut impl Agent<Pairs>, game: &Pairs, state: &Sums) -> u32 {
    let choice = agent.decide(game, state, &LEGAL, Seed(1)).unwrap();
    assert!(choice.deterministic && choice.substitute.is_none());
    choice.action
}

#[test]
fn whole_lines_are_worth_what_single_actions_are() {
    for salt in 0..40 {
        let game = Pairs(salt);
        for turns in 1..=TURNS {
            for pruning in [Pruning::None, Pruning::Star2] {
                let value = |depth, lines| {
                    let mut search = search(depth, lines, pruning);
                    let plan = search.search_state(&game, &start(0), &Budget::default());
                    plan.unwrap().decision.chosen().mean
                };
                assert_eq!(value(turns, true), value(2 * turns, false));
            }
        }
    }
}

#[test]
fn a_turn_is_planned_once_and_played_to_its_end() {
    for salt in 0..20 {
        let game = Pairs(salt);
        let (mut agent, plans) = counting();
        let mut state = start(0);
        for turn in 1..=TURNS {
            let plan = search(2, true, Pruning::Star2)
                .search_state(&game, &state, &Budget::default())
                .unwrap();
            assert_eq!(plan.line.len(), 2);
            for &expected in &*plan.line {
                let action = ask(&mut agent, &game, &state);
                assert_eq!(action, expected);
                game.apply(&mut state, action);
            }
            assert_eq!(plans.load(Ordering::Relaxed), turn as usize);
        }
    }
}

#[test]
fn a_plan_is_dropped_when_the_state_is_not_the_expected_one() {
    let game = Pairs(3);
    let (mut agent, plans) = counting();
    let state = start(0);
    let action = ask(&mut agent, &game, &state);
    // The same turn of another match, as far along.
    let mut other = start(1);
    game.apply(&mut other, action);
    ask(&mut agent, &game, &other);
    assert_eq!(plans.load(Ordering::Relaxed), 2);
    // The plan is gone for good, even if its state comes after all.
    let mut same = state.clone();
    game.apply(&mut same, action);
    ask(&mut agent, &game, &same);
    assert_eq!(plans.load(Ordering::Relaxed), 3);
    // The position of the plan once more is planned once more.
    ask(&mut agent, &game, &state);
    ask(&mut agent, &game, &state);
    assert_eq!(plans.load(Ordering::Relaxed), 5);
}

#[test]
fn a_plan_that_became_illegal_is_dropped() {
    let game = Pairs(3);
    let (mut agent, plans) = counting();
    let mut state = start(0);
    let action = ask(&mut agent, &game, &state);
    game.apply(&mut state, action);
    let choice = agent.decide(&game, &state, &[], Seed(1)).unwrap();
    assert!(choice.decision.is_some());
    assert_eq!(plans.load(Ordering::Relaxed), 2);
}
