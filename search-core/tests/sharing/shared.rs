//! Several threads in one tree: T-DE2, exact budgets, and one thread against the serial search.

use std::fmt::Debug;
use std::time::Duration;

use crate::common::{Climb, Lottery, Nim, NimState, Redeal, climb_position};
use search_core::budget::{Budget, CancelFlag, StopReason};
use search_core::decision::{Decision, Effort, SearchError};
use search_core::game::{Game, Player, Returns};
use search_core::rng::{Seed, SimRng};
use search_core::rollout::{Ending, Evaluation, LeafEvaluator};
use search_core::search::{
    Chance, FirstPlayUrgency, Ismcts, Parallel, Searcher, TreeSettings, Uct,
};
use search_core::tree::{Indexed, Snapshot};

const NIM: Nim = Nim {
    players: 3,
    heap: 17,
};

fn settings(parallel: Parallel, threads: usize) -> TreeSettings {
    TreeSettings {
        parallel,
        threads,
        keep_tree: true,
        ..TreeSettings::default()
    }
}

/// A decision without what the modes differ in.
fn plain<A>(mut decision: Decision<A>) -> Decision<A> {
    decision.effort = Effort {
        bytes: 0,
        deterministic: true,
        ..decision.effort
    };
    decision
}

/// The same decision and the same tree, bit for bit.
fn same<G: Game, S: Searcher<G>>(game: &G, view: &G::Observation, searcher: impl Fn(Parallel) -> S)
where
    G::Action: Debug,
{
    for (seed, n) in [(1, 1), (2, 2), (3, 3_000), (4, 20_000)] {
        let run = |parallel| {
            let mut search = searcher(parallel);
            let decision = search
                .search(
                    game,
                    view,
                    &Budget::simulations(n).with_nodes(4_000),
                    Seed(seed),
                )
                .unwrap();
            assert_eq!(decision.effort.deterministic, parallel == Parallel::Serial);
            (
                format!("{:?}", plain(decision)),
                search.tree().unwrap().clone(),
            )
        };
        let (serial, shared) = (run(Parallel::Serial), run(Parallel::Shared));
        assert_eq!(shared.0, serial.0);
        assert_eq!(shared.1.checksum, serial.1.checksum);
        assert_eq!(shared.1, serial.1);
    }
}

#[test]
fn one_thread_is_the_serial_search() {
    let urgencies = [
        FirstPlayUrgency::Infinite,
        FirstPlayUrgency::Value(0.1),
        FirstPlayUrgency::ParentMinus(0.2),
    ];
    for urgency in urgencies {
        let uct = |parallel| {
            Uct::new(TreeSettings {
                urgency,
                ..settings(parallel, 1)
            })
        };
        same(&NIM, &NimState { heap: 17, mover: 1 }, uct);
    }
    let lottery = Lottery {
        seed: 5,
        players: 3,
        actions: 2,
        plies: 6,
        dice: false,
    };
    let uct = |parallel| Uct::new(settings(parallel, 1));
    same(&lottery, &lottery.start(), uct);
    let climb = Climb {
        players: 3,
        hand: 5,
    };
    let state = climb_position(&climb, 3, 2);
    let view = climb.observe(&state, Player::new(state.mover as usize));
    same(&climb, &view, |parallel| {
        Ismcts::new(settings(parallel, 1), Redeal)
    });
}

/// What must hold of a tree whatever the threads did: every simulation is in it once, nothing is in
/// flight, no node has a child twice.
fn check<K: Copy + PartialEq + Debug>(tree: &Snapshot<K>, effort: &Effort, simulations: u64) {
    assert_eq!(effort.simulations, simulations);
    assert!(!effort.deterministic);
    let nodes = &tree.nodes;
    assert_eq!(u64::from(nodes[0].visits), simulations);
    assert!(nodes.iter().all(|node| node.in_flight == 0));
    assert_eq!(nodes.len() as u64 - 1, effort.edges);
    let mut below = vec![0_u64; nodes.len()];
    let mut children = vec![Vec::new(); nodes.len()];
    for node in &nodes[1..] {
        below[node.parent as usize] += u64::from(node.visits);
        assert!(!children[node.parent as usize].contains(&node.key));
        children[node.parent as usize].push(node.key);
    }
    let mut ended = 0;
    for (i, node) in nodes.iter().enumerate() {
        // The visit that made a node went no further, and those that lost a race.
        let stopped = u64::from(node.visits) - below[i];
        if !children[i].is_empty() {
            ended += stopped - u64::from(i > 0).min(stopped);
        }
    }
    assert!(ended <= effort.lost_expansions + effort.refused_expansions);
}

/// Traps 25 and 37.
#[test]
fn t_de2_simulations_are_exact_and_nothing_is_lost() {
    let climb = Climb {
        players: 4,
        hand: 4,
    };
    for threads in [2, 3, 7] {
        for n in [1, 2, 5, 1_000, 40_000] {
            let budget = Budget::simulations(n);
            let mut uct = Uct::new(settings(Parallel::Shared, threads));
            let root = NimState { heap: 17, mover: 2 };
            let decision = uct.search(&NIM, &root, &budget, Seed(n)).unwrap();
            check(uct.last_tree().unwrap(), &decision.effort, n);
            let visits: u64 = decision.candidates.iter().map(|c| c.visits).sum();
            assert!(visits <= n && visits + decision.effort.lost_expansions >= n);

            let state = climb_position(&climb, 1, 1);
            let view = climb.observe(&state, Player::new(state.mover as usize));
            let mut ismcts = Ismcts::new(settings(Parallel::Shared, threads), Redeal);
            let decision = ismcts.search(&climb, &view, &budget, Seed(n)).unwrap();
            check(ismcts.tree().unwrap(), &decision.effort, n);
            for c in &decision.candidates {
                assert!(c.visits <= c.availability && c.availability <= n);
            }
        }
    }
}

/// Two players whose returns are 1 and -1: what an edge gained and what its children gained differ
/// by the simulations that ended between them, and have the same parity. A lost return breaks it.
#[test]
fn t_de2_sums_are_those_of_the_simulations() {
    let game = Nim {
        players: 2,
        heap: 21,
    };
    for seed in 0..4 {
        let mut uct = Uct::new(settings(Parallel::Shared, 4));
        let root = NimState { heap: 21, mover: 0 };
        uct.search(&game, &root, &Budget::simulations(30_000), Seed(seed))
            .unwrap();
        let nodes = &uct.last_tree().unwrap().nodes;
        let mut below = vec![(0_i64, 0_i64); nodes.len()];
        for node in &nodes[1..] {
            let parent = &mut below[node.parent as usize];
            parent.0 += i64::from(node.visits);
            parent.1 += node.sum as i64;
            assert_eq!(node.sum, node.sum.trunc());
        }
        for (node, (visits, sum)) in nodes.iter().zip(&below).skip(1) {
            let ended = i64::from(node.visits) - visits;
            let gained = node.sum as i64 + sum;
            assert!(gained.abs() <= ended && (gained - ended) % 2 == 0);
        }
    }
}

#[test]
fn it_converges_on_several_threads() {
    // Heaps that are no multiple of 4 are won by leaving one that is.
    let game = Nim {
        players: 2,
        heap: 15,
    };
    let mut uct = Uct::new(settings(Parallel::Shared, 3));
    let root = NimState { heap: 15, mover: 0 };
    let decision = uct
        .search(&game, &root, &Budget::simulations(60_000), Seed(9))
        .unwrap();
    assert_eq!(decision.action, 3);
    assert!(decision.chosen().mean > 0.8);
    assert!(decision.chosen().std_error > 0.0);
}

#[test]
fn t_bu2_caps_hold_on_several_threads() {
    for nodes in [0, 2, 3, 50, 2_000] {
        let mut uct = Uct::new(settings(Parallel::Shared, 3));
        let root = NimState { heap: 17, mover: 2 };
        let budget = Budget::simulations(5_000).with_nodes(nodes);
        let decision = uct.search(&NIM, &root, &budget, Seed(1)).unwrap();
        assert!(decision.effort.edges <= nodes);
        assert!(decision.effort.refused_expansions > 0);
        check(uct.last_tree().unwrap(), &decision.effort, 5_000);
        let budget = Budget::simulations(5_000).with_bytes(40 * nodes);
        let decision = uct.search(&NIM, &root, &budget, Seed(1)).unwrap();
        // The root is always there.
        assert!(decision.effort.bytes <= (40 * nodes).max(40));
    }
}

#[test]
fn t_bu3_time_and_cancellation_stop_every_thread() {
    let root = NimState { heap: 17, mover: 2 };
    let flag = CancelFlag::new();
    flag.cancel();
    let cancelled = Budget::simulations(u64::from(u32::MAX)).with_cancel(flag);
    let timed = Budget::time(Duration::from_millis(5));
    for (budget, reason) in [
        (cancelled, StopReason::Cancelled),
        (timed, StopReason::Time),
    ] {
        let mut uct = Uct::new(settings(Parallel::Shared, 3));
        let decision = uct.search(&NIM, &root, &budget, Seed(1)).unwrap();
        assert_eq!(decision.effort.stop, reason);
        check(
            uct.last_tree().unwrap(),
            &decision.effort,
            decision.effort.simulations,
        );
        assert!(decision.effort.simulations > 0);
    }
}

/// Values every leaf in the same wrong way.
struct Wrong(f64, Ending);

impl LeafEvaluator<Nim> for Wrong {
    fn evaluate(&self, _: &Nim, _: &mut NimState, _: &mut SimRng, _: &mut Vec<u32>) -> Evaluation {
        Evaluation {
            returns: Returns::splat(3, self.0),
            ending: self.1,
        }
    }
}

#[test]
fn t_er1_errors_of_any_thread_end_the_search() {
    let root = NimState { heap: 17, mover: 2 };
    let run = |evaluator| {
        let settings = settings(Parallel::Shared, 3);
        Uct::with(settings, evaluator, Indexed::default()).search(
            &NIM,
            &root,
            &Budget::simulations(10_000),
            Seed(1),
        )
    };
    let nan = run(Wrong(f64::NAN, Ending::Terminal));
    assert!(matches!(nan, Err(SearchError::NonFiniteReturn { .. })));
    let stuck = run(Wrong(0.0, Ending::Stuck(Player::new(1))));
    assert_eq!(stuck, Err(SearchError::NoActions { player: 1 }));
    assert_eq!(
        run(Wrong(0.0, Ending::CutOff))
            .unwrap()
            .effort
            .truncated_rollouts,
        10_000
    );
}

#[test]
fn what_cannot_be_shared_is_refused() {
    let lottery = Lottery {
        seed: 5,
        players: 2,
        actions: 2,
        plies: 4,
        dice: false,
    };
    let mut uct = Uct::new(settings(Parallel::Shared, 2));
    uct.chance = Chance::explicit();
    let error = uct.search(&lottery, &lottery.start(), &Budget::simulations(5), Seed(1));
    assert!(matches!(
        error,
        Err(SearchError::BadSetting { name: "chance", .. })
    ));
}
