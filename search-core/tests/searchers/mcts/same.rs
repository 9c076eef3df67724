//! What changes nothing changes nothing, to the last bit.

use super::kept;
use crate::common::{Climb, Lottery, Nim, NimState, Redeal, climb_position};
use search_core::budget::Budget;
use search_core::game::{Game, Player, Returns};
use search_core::observation::{Determinizer, Identity};
use search_core::policy::{Evaluator, UniformPriors};
use search_core::rng::Seed;
use search_core::rollout::Rollout;
use search_core::search::{
    AllMovesAsFirst, Backup, Chance, GameKey, Ismcts, Learning, Mcts, MctsSettings, Noted,
    Parallel, Searcher, Selector, TreeSettings, Uct, Widening,
};
use search_core::tree::{Boxed, Bump, Indexed, Storage, Typed};
use std::sync::Arc;

const MODES: [Parallel; 3] = [
    Parallel::Serial,
    Parallel::Root { trees: 3 },
    Parallel::Batch { size: 5 },
];

/// Settings that ask for nothing, in other words.
fn idle(tree: TreeSettings) -> Vec<MctsSettings> {
    let plain = MctsSettings {
        tree,
        ..MctsSettings::default()
    };
    vec![
        plain,
        // T-AF1: an infinite bias leaves AMAF values without weight.
        MctsSettings {
            amaf: Some(AllMovesAsFirst {
                bias: f64::INFINITY,
                reference: 10,
            }),
            ..plain
        },
        // T-PW1: no limit for any number of visits.
        MctsSettings {
            actions: Widening {
                factor: 1e300,
                exponent: 1.0,
            },
            outcomes: Widening {
                factor: 1e300,
                exponent: 1.0,
            },
            ..plain
        },
    ]
}

fn what<G: Game>(searcher: &mut impl Searcher<G>, game: &G, view: &G::Observation) -> String {
    let budget = Budget::simulations(2_003);
    let mut decision = searcher.search(game, view, &budget, Seed(4)).unwrap();
    // Edges are larger, and only there.
    decision.effort.bytes = 0;
    let tree = searcher.tree().unwrap();
    format!("{decision:?} {:?}", tree.checksum)
}

fn is_uct<G: Game<Observation = <G as Game>::State>>(
    game: &G,
    state: &G::State,
    chances: &[Chance<G>],
) {
    for parallel in MODES {
        let tree = TreeSettings {
            parallel,
            threads: 2,
            ..kept().tree
        };
        for &chance in chances {
            let mut uct = Uct::new(tree);
            uct.chance = chance;
            let expected = what(&mut uct, game, state);
            for settings in idle(tree) {
                let mut mcts = Mcts::new(settings, Identity);
                mcts.chance = chance;
                assert_eq!(what(&mut mcts, game, state), expected, "{settings:?}");
            }
        }
    }
}

#[test]
fn with_perfect_information_it_is_uct() {
    let nim = Nim {
        players: 3,
        heap: 17,
    };
    let start = NimState { heap: 17, mover: 0 };
    is_uct(&nim, &start, &[Chance::Sampled]);
    let lottery = Lottery {
        seed: 2,
        players: 2,
        actions: 3,
        plies: 7,
        dice: false,
    };
    let chances = [Chance::Sampled, Chance::explicit(), Chance::OpenLoop];
    is_uct(&lottery, &lottery.start(), &chances);
}

#[test]
fn over_sampled_worlds_it_is_ismcts() {
    let game = Climb {
        players: 3,
        hand: 5,
    };
    let state = climb_position(&game, 5, 3);
    let view = game.observe(&state, Player::new(state.mover as usize));
    for parallel in MODES {
        let tree = TreeSettings {
            parallel,
            threads: 2,
            ..kept().tree
        };
        let expected = what(&mut Ismcts::new(tree, Redeal), &game, &view);
        for settings in idle(tree) {
            assert_eq!(
                what(&mut Mcts::new(settings, Redeal), &game, &view),
                expected
            );
        }
    }
}

/// A value that means nothing, the same for the same state.
struct Noise;

impl Evaluator<Climb> for Noise {
    fn evaluate(&self, game: &Climb, state: &<Climb as Game>::State) -> Returns {
        let mut returns = Returns::splat(game.players, -0.5);
        returns.set(Player::new(state.mover as usize), 1.0);
        returns
    }
}

/// Everything at once, as far as it goes together over sampled worlds.
fn loaded(parallel: Parallel, threads: usize) -> MctsSettings {
    MctsSettings {
        tree: TreeSettings {
            parallel,
            threads,
            ..kept().tree
        },
        selector: Selector::Ucb1Tuned,
        expand_after: 2,
        actions: Widening {
            factor: 2.0,
            exponent: 0.4,
        },
        outcomes: Widening::ROOT,
        bias: 0.3,
        history: 0.2,
        amaf: Some(AllMovesAsFirst {
            bias: 0.1,
            reference: 20,
        }),
        learning: Learning::Mast { epsilon: 0.3 },
        minimax: 0.2,
        solver: false,
        backup: Backup::Paranoid,
    }
}

fn run<S: Storage<GameKey<Climb>, Noted>>(settings: MctsSettings, storage: S) -> String {
    let game = Climb {
        players: 3,
        hand: 5,
    };
    let state = climb_position(&game, 3, 2);
    let view = game.observe(&state, Player::new(state.mover as usize));
    let mut mcts = Mcts::with(settings, Redeal, Rollout::random(), storage);
    mcts.priors = Some(Arc::new(UniformPriors));
    mcts.heuristic = Some(Arc::new(Noise));
    what(&mut mcts, &game, &view)
}

/// T-DE1.
#[test]
fn threads_do_not_matter_with_everything_on() {
    for parallel in MODES {
        for learning in [Learning::Mast { epsilon: 0.3 }, Learning::LastGoodReply] {
            let with = |threads| MctsSettings {
                learning,
                ..loaded(parallel, threads)
            };
            let expected = run(with(1), Indexed::default());
            for threads in [1, 2, 3, 7] {
                assert_eq!(run(with(threads), Indexed::default()), expected);
            }
        }
    }
}

#[test]
fn all_storages_hold_the_same_tree() {
    let expected = run(loaded(Parallel::Serial, 1), Indexed::default());
    assert_eq!(run(loaded(Parallel::Serial, 1), Bump::default()), expected);
    assert_eq!(run(loaded(Parallel::Serial, 1), Typed), expected);
    assert_eq!(run(loaded(Parallel::Serial, 1), Boxed), expected);
}

/// A batch of one is the serial search.
#[test]
fn a_batch_of_one_is_serial() {
    let serial = run(loaded(Parallel::Serial, 1), Indexed::default());
    let batch = run(loaded(Parallel::Batch { size: 1 }, 1), Indexed::default());
    assert_eq!(serial, batch);
}

/// Budgets 0, 1 and 2; and what hidden cards are does not matter.
#[test]
fn tiny_budgets_and_permuted_cards() {
    let game = Climb {
        players: 3,
        hand: 5,
    };
    let state = climb_position(&game, 3, 2);
    let view = game.observe(&state, Player::new(state.mover as usize));
    let mut mcts = Mcts::new(loaded(Parallel::Serial, 1), Redeal);
    mcts.heuristic = Some(Arc::new(Noise));
    let mut legal = Vec::new();
    game.legal_actions(&state, &mut legal);
    for simulations in [0, 1, 2] {
        let result = mcts.search(&game, &view, &Budget::simulations(simulations), Seed(1));
        match simulations {
            0 => assert!(result.is_err()),
            _ => assert!(legal.contains(&result.unwrap().action)),
        }
    }
    let plan = Redeal.plan(&game, &view).unwrap();
    let mut other = Redeal.scratch(&game, &view, &plan);
    let budget = Budget::simulations(300);
    let expected = mcts.search(&game, &view, &budget, Seed(1)).unwrap();
    for i in 0..20 {
        Redeal.sample(&game, &view, &plan, &mut Seed(i).simulation(0), &mut other);
        let seen = game.observe(&other, Player::new(state.mover as usize));
        let decision = mcts.search(&game, &seen, &budget, Seed(1)).unwrap();
        assert_eq!(decision, expected);
    }
}
