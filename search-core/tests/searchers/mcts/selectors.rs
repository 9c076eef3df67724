//! Selectors, priors, expansion and widening.

use super::{kept, search};
use crate::common::{Bandit, Climb, Lottery, Nim, NimState, Pull, Redeal, climb_position};
use search_core::budget::Budget;
use search_core::game::{Game, Player};
use search_core::observation::Identity;
use search_core::policy::{Priors, UniformPriors};
use search_core::rng::Seed;
use search_core::search::{
    Chance, FinalChoice, FirstPlayUrgency, Mcts, MctsSettings, Searcher, Selector, TreeSettings,
    Widening,
};
use std::sync::Arc;

const SELECTORS: [Selector; 5] = [
    Selector::Ucb1,
    Selector::Ucb1Tuned,
    Selector::Puct,
    Selector::Thompson,
    Selector::EpsilonGreedy { epsilon: 0.2 },
];

fn with(selector: Selector, exploration: f64, urgency: FirstPlayUrgency) -> MctsSettings {
    MctsSettings {
        selector,
        tree: TreeSettings {
            exploration,
            urgency,
            ..kept().tree
        },
        ..kept()
    }
}

/// T-UC1 for every selector: the right move of Nim, and its value.
/// Trap 46.
#[test]
fn t_uc1_every_selector_converges() {
    for selector in SELECTORS {
        let settings = with(selector, 0.7, FirstPlayUrgency::Infinite);
        let game = Nim {
            players: 2,
            heap: 14,
        };
        let start = NimState { heap: 14, mover: 0 };
        let decision = search(&game, &start, settings, 60_000, 1);
        assert_eq!(decision.action, 2, "{selector:?}");
        let mean = decision.chosen().mean;
        // A fifth of all moves is any move there.
        let least = if matches!(selector, Selector::EpsilonGreedy { .. }) {
            0.3
        } else {
            0.8
        };
        assert!(mean > least, "{selector:?} {mean}");
    }
}

/// Pulls of the worse arms, out of 20,000, over four seeds.
fn regret(chances: &[f64], settings: MctsSettings) -> f64 {
    let game = Bandit {
        chances: chances.to_vec(),
    };
    let best = chances.iter().copied().fold(0.0, f64::max);
    let mut lost = 0.0;
    for seed in 0..4 {
        let decision = search(&game, &Pull::Choose, settings, 20_000, seed);
        for (candidate, p) in decision.candidates.iter().zip(chances) {
            lost += (best - p) * candidate.visits as f64;
        }
    }
    lost / 4.0
}

/// T-UC3: UCB1-Tuned loses less than UCB1 where returns vary little, both with the paper's constants.
#[test]
fn t_uc3_tuned_explores_less_where_returns_vary_little() {
    let chances = [0.95, 0.9, 0.85];
    let sqrt2 = std::f64::consts::SQRT_2;
    let ucb1 = regret(
        &chances,
        with(Selector::Ucb1, sqrt2, FirstPlayUrgency::Infinite),
    );
    let tuned = regret(
        &chances,
        with(Selector::Ucb1Tuned, 1.0, FirstPlayUrgency::Infinite),
    );
    let thompson = regret(
        &chances,
        with(Selector::Thompson, 0.5, FirstPlayUrgency::Infinite),
    );
    assert!(tuned < 0.6 * ucb1, "{tuned} {ucb1}");
    assert!(thompson < ucb1, "{thompson} {ucb1}");
}

/// Priors that favour one action.
struct Favour(u8, f64);

impl Priors<Bandit> for Favour {
    fn priors(&self, _: &Bandit, _: &Pull, legal: &[u8], out: &mut Vec<f64>) {
        out.clear();
        out.resize(legal.len(), (1.0 - self.1) / (legal.len() - 1) as f64);
        out[self.0 as usize] = self.1;
    }
}

/// T-UC4: with uniform priors everything is visited; a favoured action is tried first and most; an
/// action without prior is not tried while others are as good; priors that are none are uniform.
#[test]
fn t_uc4_puct_follows_its_priors() {
    let game = Bandit {
        chances: vec![0.5; 8],
    };
    let puct = |c| with(Selector::Puct, c, FirstPlayUrgency::ParentMinus(0.0));
    let budget = Budget::simulations(2_000);
    let run = |priors: Option<Arc<dyn Priors<Bandit>>>, c, simulations| {
        let mut mcts = Mcts::new(puct(c), Identity);
        mcts.priors = priors;
        let budget = Budget {
            simulations: Some(simulations),
            ..budget.clone()
        };
        mcts.search(&game, &Pull::Choose, &budget, Seed(2)).unwrap()
    };
    let uniform = run(Some(Arc::new(UniformPriors)), 2.0, 2_000);
    assert!(uniform.candidates.iter().all(|c| c.visits > 0));
    let without = run(None, 2.0, 2_000);
    assert_eq!(uniform.candidates, without.candidates);
    let first = run(Some(Arc::new(Favour(5, 0.9))), 2.0, 1);
    assert_eq!(first.action, 5);
    let favoured = run(Some(Arc::new(Favour(5, 0.9))), 2.0, 2_000);
    assert_eq!(favoured.action, 5);
    let only = run(Some(Arc::new(Favour(5, 1.0))), 2.0, 2_000);
    assert!(only.candidates[5].visits > 1_500, "{only:?}");
    for nonsense in [f64::NAN, f64::INFINITY, -3.0] {
        let run = run(Some(Arc::new(Favour(5, nonsense))), 2.0, 2_000);
        assert_eq!(run.candidates, uniform.candidates);
    }
}

/// T-PW1: no node has more children with visits than the limit for the times it was left.
#[test]
fn t_pw1_children_within_the_limit() {
    let limit = Widening {
        factor: 1.5,
        exponent: 0.5,
    };
    let settings = MctsSettings {
        actions: limit,
        outcomes: limit,
        ..kept()
    };
    let lottery = Lottery {
        seed: 6,
        players: 2,
        actions: 9,
        plies: 6,
        dice: true,
    };
    let mut mcts = Mcts::new(settings, Identity);
    let budget = Budget::simulations(20_000);
    mcts.search(&lottery, &lottery.start(), &budget, Seed(1))
        .unwrap();
    let tree = mcts.tree().unwrap();
    let mut children = vec![0_u32; tree.nodes.len()];
    let mut left = vec![0_u32; tree.nodes.len()];
    for node in &tree.nodes[1..] {
        children[node.parent as usize] += u32::from(node.visits > 0);
        left[node.parent as usize] += node.visits;
    }
    let mut widest = 0;
    for (children, left) in children.iter().zip(&left) {
        assert!(f64::from(*children) <= limit.children((*left).max(1)));
        widest = widest.max(*children);
    }
    assert!(widest > 20, "outcomes of three dice: {widest}");
    // Over sampled worlds the children legal in each world are counted.
    let game = Climb {
        players: 3,
        hand: 5,
    };
    let state = climb_position(&game, 3, 0);
    let view = game.observe(&state, Player::new(state.mover as usize));
    let narrow = MctsSettings {
        actions: Widening {
            factor: 1.0,
            exponent: 0.0,
        },
        ..kept()
    };
    let mut mcts = Mcts::new(narrow, Redeal);
    let decision = mcts.search(&game, &view, &budget, Seed(1)).unwrap();
    let tried = decision.candidates.iter().filter(|c| c.visits > 0).count();
    assert_eq!(tried, 1);
}

/// An expansion threshold: a node has no children before so many visits, and all visits are counted.
#[test]
fn nodes_expand_after_so_many_visits() {
    let lottery = Lottery {
        seed: 3,
        players: 2,
        actions: 3,
        plies: 8,
        dice: false,
    };
    for after in [1, 2, 7] {
        for chance in [Chance::Sampled, Chance::explicit()] {
            let settings = MctsSettings {
                expand_after: after,
                ..kept()
            };
            let mut mcts = Mcts::new(settings, Identity);
            mcts.chance = chance;
            let budget = Budget::simulations(5_000);
            mcts.search(&lottery, &lottery.start(), &budget, Seed(1))
                .unwrap();
            let tree = mcts.tree().unwrap();
            let mut left = vec![0_u32; tree.nodes.len()];
            for node in &tree.nodes[1..] {
                left[node.parent as usize] += node.visits;
            }
            assert_eq!(left[0], 5_000);
            for (node, left) in tree.nodes.iter().zip(&left).skip(1) {
                let expected = node.visits.saturating_sub(after);
                assert!(
                    *left == expected || node.depth == 8 && *left == 0,
                    "{after}"
                );
            }
        }
    }
}

/// The temperature: shares of visits to a power, and a choice by them.
#[test]
fn a_temperature_chooses_by_visits() {
    let game = Bandit {
        chances: vec![0.6, 0.5],
    };
    let run = |tau, seed| {
        let settings = MctsSettings {
            tree: TreeSettings {
                final_choice: FinalChoice::Temperature { tau },
                exploration: 2.0,
                ..kept().tree
            },
            ..kept()
        };
        search(&game, &Pull::Choose, settings, 50, seed)
    };
    let mut chosen = 0;
    let mut expected = 0.0;
    for seed in 0..4_000 {
        let decision = run(0.5, seed);
        let [a, b] = [0, 1].map(|i| decision.candidates[i].visits as f64);
        let share = a * a / (a * a + b * b);
        assert!((decision.candidates[0].policy - share).abs() < 1e-12);
        chosen += u32::from(decision.action == 0);
        expected += share;
    }
    assert!((f64::from(chosen) - expected).abs() < 5.0 * (4_000.0_f64 * 0.25).sqrt());
    // Nearly 0: the most visited.
    let cold = run(1e-3, 9);
    let most = cold.candidates.iter().max_by_key(|c| c.visits).unwrap();
    assert_eq!(cold.action, most.action);
    let mut mcts = Mcts::new(
        MctsSettings {
            tree: TreeSettings {
                final_choice: FinalChoice::Temperature { tau: 0.0 },
                ..kept().tree
            },
            ..kept()
        },
        Identity,
    );
    let refused = mcts.search(&game, &Pull::Choose, &Budget::simulations(5), Seed(1));
    assert!(refused.is_err());
}
