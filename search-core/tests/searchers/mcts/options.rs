//! What single options are for, each where it makes all the difference, and parallel modes without a luck
//! of their own.

use super::search;
use crate::common::{Bandit, Pull};
use rand::Rng;
use search_core::budget::Budget;
use search_core::decision::Decision;
use search_core::game::{Game, Player, Returns, Turn};
use search_core::observation::Identity;
use search_core::policy::{Evaluator, Priors};
use search_core::rng::{Draw, Seed};
use search_core::search::{
    AllMovesAsFirst, FirstPlayUrgency, Learning, Mcts, MctsSettings, Parallel, Searcher, Selector,
    TreeSettings, Uct, Widening,
};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// One player makes so many moves, one of `first` and then one of `actions` each time; then chance pays 1
/// with the probability that the moves have. The moves of ply `i` are numbered from `i * offset`.
struct Steps {
    plies: usize,
    first: u8,
    actions: u8,
    offset: u8,
    pays: fn(&[u8]) -> f64,
}

#[derive(Debug, Clone, PartialEq)]
struct Walk {
    moves: Vec<u8>,
    paid: Option<bool>,
}

impl Game for Steps {
    type State = Walk;
    type Action = u8;
    type Chance = bool;
    type Observation = Walk;

    fn num_players(&self) -> usize {
        1
    }

    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> Walk {
        Walk {
            moves: Vec::new(),
            paid: None,
        }
    }

    fn turn(&self, s: &Walk) -> Turn {
        match s.paid {
            Some(_) => Turn::Terminal,
            None if s.moves.len() == self.plies => Turn::Chance,
            None => Turn::Player(Player::new(0)),
        }
    }

    fn legal_actions(&self, s: &Walk, out: &mut Vec<u8>) {
        out.clear();
        let ply = s.moves.len();
        if ply < self.plies {
            let from = ply as u8 * self.offset;
            let count = if ply == 0 { self.first } else { self.actions };
            out.extend(from..from + count);
        }
    }

    fn apply(&self, s: &mut Walk, action: u8) {
        s.moves.push(action);
    }

    fn sample_chance<R: Rng + ?Sized>(&self, s: &Walk, rng: &mut R) -> bool {
        rng.unit() < (self.pays)(&s.moves)
    }

    fn apply_chance(&self, s: &mut Walk, paid: bool) {
        s.paid = Some(paid);
    }

    fn returns(&self, s: &Walk) -> Returns {
        Returns::splat(1, f64::from(u8::from(s.paid == Some(true))))
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        0.0..=1.0
    }

    fn observe(&self, s: &Walk, _: Player) -> Walk {
        s.clone()
    }
}

/// The mean return of all simulations, over ten seeds.
fn mean(game: &Steps, settings: MctsSettings, simulations: u64) -> f64 {
    let start = game.initial_state(&mut Seed(0).stream());
    let means = (0..10).map(|seed| {
        let decision = search(game, &start, settings, simulations, seed);
        let sums = decision.candidates.iter().filter(|c| c.visits > 0);
        sums.map(|c| c.mean * c.visits as f64).sum::<f64>() / simulations as f64
    });
    means.sum::<f64>() / 10.0
}

fn amaf(reference: u32, exploration: f64) -> MctsSettings {
    MctsSettings {
        tree: TreeSettings {
            exploration,
            ..TreeSettings::default()
        },
        amaf: Some(AllMovesAsFirst {
            bias: 0.0,
            reference,
        }),
        ..MctsSettings::default()
    }
}

/// T-AF1: which of ten second moves pays does not depend on the first one. A table of the root knows it
/// after a few simulations; tables of the ten nodes behind it have to find out one by one.
#[test]
fn t_af1_grave_knows_from_above_what_rave_has_to_learn() {
    let game = Steps {
        plies: 2,
        first: 10,
        actions: 10,
        offset: 10,
        pays: |moves| f64::from(u8::from(moves[1] == 17)),
    };
    let (rave, grave) = (
        mean(&game, amaf(0, 0.3), 300),
        mean(&game, amaf(20, 0.3), 300),
    );
    assert!(grave > rave + 0.05, "{rave} {grave}");
}

/// T-AF1: the second move alone pays, and has the names of the first. What was played on the way to a node
/// is no move that could be played there.
#[test]
fn t_af1_moves_on_the_way_to_a_node_do_not_count_there() {
    let game = Steps {
        plies: 2,
        first: 2,
        actions: 2,
        offset: 0,
        pays: |moves| f64::from(moves[1]),
    };
    let mean = mean(&game, amaf(0, 1.0), 1_000);
    assert!(mean > 0.95, "{mean}");
}

/// Twelve moves of two kinds, of which one is better wherever it is played.
#[test]
fn mast_plays_what_did_well_elsewhere() {
    let game = Steps {
        plies: 12,
        first: 2,
        actions: 2,
        offset: 0,
        pays: |moves| f64::from(moves.iter().sum::<u8>()) / 12.0,
    };
    let plain = mean(&game, MctsSettings::default(), 300);
    let settings = MctsSettings {
        learning: Learning::Mast { epsilon: 0.2 },
        ..MctsSettings::default()
    };
    let learnt = mean(&game, settings, 300);
    assert!(learnt > plain + 0.1, "{plain} {learnt}");
}

/// One reply of ten always pays, the others half of the time. A reply that was lucky once must be forgotten
/// when it fails, or the good one is never found.
#[test]
fn replies_that_fail_are_forgotten() {
    let game = Steps {
        plies: 2,
        first: 1,
        actions: 10,
        offset: 10,
        pays: |moves| if moves[1] == 17 { 1.0 } else { 0.5 },
    };
    let settings = MctsSettings {
        learning: Learning::LastGoodReply,
        // The reply is never in the tree.
        expand_after: 1_000_000,
        ..MctsSettings::default()
    };
    let mean = mean(&game, settings, 2_000);
    assert!(mean > 0.9, "{mean}");
}

/// Takes the first arm for the best.
struct FirstArm;

impl Evaluator<Bandit> for FirstArm {
    fn evaluate(&self, _: &Bandit, s: &Pull) -> Returns {
        Returns::splat(1, f64::from(u8::from(*s == Pull::Draw(0))))
    }
}

/// A progressive bias fades as an arm is tried: what is wrong with it is seen in the end.
#[test]
fn a_wrong_bias_fades() {
    let game = Bandit {
        chances: vec![0.4, 0.9],
    };
    let settings = MctsSettings {
        bias: 3.0,
        ..MctsSettings::default()
    };
    let mut mcts = Mcts::new(settings, Identity);
    mcts.heuristic = Some(Arc::new(FirstArm));
    let budget = Budget::simulations(3_000);
    let decision = mcts.search(&game, &Pull::Choose, &budget, Seed(1)).unwrap();
    assert_eq!(decision.action, 1, "{:?}", decision.candidates);
}

struct Fixed(&'static [f64]);

impl Priors<Bandit> for Fixed {
    fn priors(&self, _: &Bandit, _: &Pull, _: &[u8], out: &mut Vec<f64>) {
        out.clear();
        out.extend(self.0);
    }
}

/// T-UC4: priors are divided by their sum over the children that are considered: two arms of 0.4 each
/// beside two that are not considered are visited as two arms of 0.5.
#[test]
fn t_uc4_priors_are_those_among_the_considered() {
    let visits = |chances: &[f64], priors| {
        let settings = MctsSettings {
            selector: Selector::Puct,
            actions: Widening {
                factor: 2.0,
                exponent: 0.0,
            },
            tree: TreeSettings {
                exploration: 5.0,
                urgency: FirstPlayUrgency::ParentMinus(0.0),
                ..TreeSettings::default()
            },
            ..MctsSettings::default()
        };
        let mut mcts = Mcts::new(settings, Identity);
        mcts.priors = Some(Arc::new(Fixed(priors)));
        let game = Bandit {
            chances: chances.to_vec(),
        };
        let budget = Budget::simulations(1_000);
        let decision = mcts.search(&game, &Pull::Choose, &budget, Seed(1));
        let candidates = decision.unwrap().candidates;
        candidates.iter().map(|c| c.visits).collect::<Vec<_>>()
    };
    let two = visits(&[1.0, 0.0], &[0.5, 0.5]);
    let four = visits(&[1.0, 0.0, 0.5, 0.5], &[0.4, 0.4, 0.1, 0.1]);
    assert_eq!(four[2..], [0, 0]);
    assert!(
        two[1] > 30 && two[1].abs_diff(four[1]) <= 2,
        "{two:?} {four:?}"
    );
}

fn uct(parallel: Parallel, game: &Bandit, simulations: u64, seed: u64) -> Decision<u8> {
    let settings = TreeSettings {
        parallel,
        ..TreeSettings::default()
    };
    let budget = Budget::simulations(simulations);
    Uct::new(settings)
        .search(game, &Pull::Choose, &budget, Seed(seed))
        .unwrap()
}

/// T-DE3: simulations of a batch, and those of several trees, have a luck of their own. The mean of 800
/// fair coins varies as that of 800 coins and not as that of 100 or 200.
#[test]
fn t_de3_batches_and_trees_share_no_luck() {
    let game = Bandit { chances: vec![0.5] };
    for parallel in [
        Parallel::Serial,
        Parallel::Batch { size: 8 },
        Parallel::Root { trees: 4 },
    ] {
        let off = (0..100).map(|seed| {
            let decision = uct(parallel, &game, 800, seed);
            (decision.chosen().mean - 0.5).powi(2) / (0.25 / 800.0)
        });
        // Of 100 degrees of freedom, over 100: 1 with a deviation of 0.14.
        let ratio = off.sum::<f64>() / 100.0;
        assert!((0.4..1.75).contains(&ratio), "{parallel:?}: {ratio}");
    }
}

/// T-DE1: simulations in flight are seen by those selected after them (Liu et al. 2020): a batch of eight
/// tries eight arms.
#[test]
fn t_de1_a_batch_keeps_apart() {
    let game = Bandit {
        chances: vec![0.5; 8],
    };
    let decision = uct(Parallel::Batch { size: 8 }, &game, 8, 1);
    assert!(decision.candidates.iter().all(|c| c.visits == 1));
}
