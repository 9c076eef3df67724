//! MCTS-Solver: what it proves is so, and it proves what it should.

use super::{kept, search};
use crate::common::{Lottery, Nim, NimState, Redeal};
use search_core::budget::{Budget, StopReason};
use search_core::decision::SearchError;
use search_core::game::{Game, Player, Turn};
use search_core::observation::Identity;
use search_core::rng::Seed;
use search_core::search::{Backup, Chance, Mcts, MctsSettings, Searcher};

fn solving() -> MctsSettings {
    MctsSettings {
        solver: true,
        ..kept()
    }
}

/// T-SV1: the root of Nim is proven long before the budget ends, with its value, and the move keeps it.
#[test]
fn t_sv1_nim_is_proven() {
    for heap in 1..16_u32 {
        let game = Nim { players: 2, heap };
        let start = NimState { heap, mover: 0 };
        let decision = search(&game, &start, solving(), 200_000, 3);
        assert_eq!(decision.effort.stop, StopReason::Settled, "{heap}");
        assert!(decision.effort.deterministic);
        let chosen = decision.chosen();
        let value = if heap.is_multiple_of(4) { -1.0 } else { 1.0 };
        assert_eq!((chosen.mean, chosen.std_error), (value, 0.0), "{heap}");
        if value > 0.0 {
            assert_eq!(decision.action, heap % 4);
        }
    }
}

/// T-SV1 for chance and any number of players: a proven value is the true one, whatever the budget.
#[test]
fn t_sv1_with_chance_and_more_players_proofs_are_true() {
    let mut proven = 0;
    for seed in 0..120 {
        let players = 1 + seed as usize % 4;
        let game = Lottery {
            seed,
            players,
            actions: 3,
            plies: 5,
            dice: false,
        };
        let mut mcts = Mcts::new(solving(), Identity);
        mcts.chance = Chance::explicit();
        for simulations in [50, 400, 20_000] {
            let budget = Budget::simulations(simulations);
            let decision = mcts.search(&game, &game.start(), &budget, Seed(seed));
            let decision = decision.unwrap();
            for candidate in decision
                .candidates
                .iter()
                .filter(|c| c.proven.is_some_and(|(a, b)| a == b))
            {
                let mut next = game.start();
                game.apply(&mut next, candidate.action);
                let value = game.value(&next).of(Player::new(0));
                assert!(
                    (candidate.mean - value).abs() < 1e-9,
                    "{seed} {candidate:?}"
                );
            }
            if decision.effort.stop == StopReason::Settled {
                proven += 1;
                let value = game.value(&game.start()).of(Player::new(0));
                assert!((decision.chosen().mean - value).abs() < 1e-9);
            }
        }
    }
    assert!(proven > 90, "{proven}");
}

/// T-SV2: drawn outcomes prove nothing beyond them, and neither does an open loop or a sampled world.
#[test]
fn t_sv2_what_cannot_be_proven_is_not() {
    let game = Lottery {
        seed: 1,
        players: 2,
        actions: 2,
        plies: 3,
        dice: false,
    };
    let decision = search(&game, &game.start(), solving(), 5_000, 1);
    assert_eq!(decision.effort.stop, StopReason::Simulations);
    assert_eq!(decision.effort.simulations, 5_000);
    let mut open = Mcts::new(solving(), Identity);
    open.chance = Chance::OpenLoop;
    let budget = Budget::simulations(100);
    let refused = open.search(&game, &game.start(), &budget, Seed(1));
    assert!(matches!(
        refused,
        Err(SearchError::BadSetting { name: "solver", .. })
    ));
    let climb = crate::common::Climb {
        players: 2,
        hand: 3,
    };
    let state = crate::common::climb_position(&climb, 1, 0);
    let view = climb.observe(&state, Player::new(state.mover as usize));
    let refused = Mcts::new(solving(), Redeal).search(&climb, &view, &budget, Seed(1));
    assert!(matches!(
        refused,
        Err(SearchError::BadSetting { name: "solver", .. })
    ));
    let paranoid = MctsSettings {
        backup: Backup::Paranoid,
        ..solving()
    };
    let refused = Mcts::new(paranoid, Identity).search(&game, &game.start(), &budget, Seed(1));
    assert!(matches!(
        refused,
        Err(SearchError::BadSetting { name: "solver", .. })
    ));
}

/// Trap 12: a win in one is proven after a visit of each move at most.
#[test]
fn a_win_in_one_is_proven_at_once() {
    let game = Nim {
        players: 2,
        heap: 3,
    };
    for seed in 0..50 {
        let start = NimState { heap: 3, mover: 0 };
        let decision = search(&game, &start, solving(), 1_000, seed);
        assert_eq!(decision.action, 3);
        assert!(decision.effort.simulations <= 4);
    }
}

/// T-SV1: bounds only get tighter from one simulation to the next; and trap 11: an action whose value is
/// proven is not followed any more while there is another.
#[test]
fn t_sv1_bounds_get_tighter_and_proven_actions_are_left_alone() {
    let (mut tightened, mut left_alone) = (0, 0);
    for seed in 0..30 {
        let game = Lottery {
            seed,
            players: 2,
            actions: 3,
            plies: 3,
            dice: false,
        };
        let run = |simulations| {
            let mut mcts = Mcts::new(solving(), Identity);
            mcts.chance = Chance::explicit();
            let budget = Budget::simulations(simulations);
            mcts.search(&game, &game.start(), &budget, Seed(seed))
                .unwrap()
        };
        let mut last = run(1);
        for simulations in 2..150 {
            // The same simulations, and one more.
            let next = run(simulations);
            if next.effort.stop == StopReason::Settled {
                break;
            }
            for (before, after) in last.candidates.iter().zip(&next.candidates) {
                let Some((low, high)) = before.proven else {
                    continue;
                };
                let (lower, upper) = after.proven.expect("what is proven stays so");
                assert!(low <= lower && lower <= upper && upper <= high, "{after:?}");
                tightened += u32::from((low, high) != (lower, upper));
                if low == high {
                    assert_eq!(before.visits, after.visits, "{seed} {simulations}");
                    left_alone += 1;
                }
            }
            last = next;
        }
    }
    assert!(
        tightened > 100 && left_alone > 100,
        "{tightened} {left_alone}"
    );
}

/// Rewards on a shifted scale: proofs do not depend on what a win is called (traps 14, 51).
#[test]
fn values_below_zero_rank_right() {
    struct Shifted(Nim);
    impl Game for Shifted {
        type State = NimState;
        type Action = u32;
        type Chance = std::convert::Infallible;
        type Observation = NimState;
        fn num_players(&self) -> usize {
            self.0.players
        }
        fn initial_state<R: rand::Rng + ?Sized>(&self, rng: &mut R) -> NimState {
            self.0.initial_state(rng)
        }
        fn turn(&self, s: &NimState) -> Turn {
            self.0.turn(s)
        }
        fn legal_actions(&self, s: &NimState, out: &mut Vec<u32>) {
            self.0.legal_actions(s, out);
        }
        fn apply(&self, s: &mut NimState, a: u32) {
            self.0.apply(s, a);
        }
        fn returns(&self, s: &NimState) -> search_core::game::Returns {
            let r = self.0.returns(s);
            search_core::game::Returns::from_slice(&[0.25 * r[0] - 0.75, 0.25 * r[1] - 0.75])
        }
        fn return_bounds(&self) -> std::ops::RangeInclusive<f64> {
            -1.0..=-0.5
        }
        fn observe(&self, s: &NimState, _: Player) -> NimState {
            s.clone()
        }
    }
    let game = Shifted(Nim {
        players: 2,
        heap: 14,
    });
    let start = NimState { heap: 14, mover: 0 };
    for settings in [solving(), kept()] {
        let decision = search(&game, &start, settings, 20_000, 1);
        assert_eq!(decision.action, 2);
    }
    let decision = search(&game, &start, solving(), 200_000, 1);
    assert_eq!((decision.chosen().mean, decision.action), (-0.5, 2));
}
