//! UCT on the graph of positions: T-TR2, trap 43, and the search on a tree where there is nothing to
//! share.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::ops::RangeInclusive;

use rand::Rng;

use crate::common::{Lottery, LotteryState, Nim, NimState};
use search_core::budget::Budget;
use search_core::decision::{Decision, SearchError};
use search_core::game::{Game, Player, Returns, Turn};
use search_core::rng::{Seed, SimRng, mix64};
use search_core::rollout::{Ending, Evaluation, LeafEvaluator};
use search_core::search::{
    FirstPlayUrgency, GraphSettings, GraphUct, Searcher, Sharing, TreeSettings, Uct,
};

const WAYS: [Sharing; 3] = [Sharing::Edges, Sharing::Nodes, Sharing::Recomputed];

fn by_path(_: &Lottery, s: &LotteryState) -> u128 {
    u128::from(s.path)
}

fn by_heap(_: &Nim, s: &NimState) -> u128 {
    u128::from(s.heap)
}

fn settings(sharing: Sharing) -> GraphSettings {
    GraphSettings {
        sharing,
        ..GraphSettings::default()
    }
}

/// What is decided, without what a graph and a tree differ in.
fn said(decision: &Decision<u8>) -> String {
    format!(
        "{:?} {:?} {}",
        decision.action, decision.candidates, decision.effort.depth
    )
}

#[test]
fn where_nothing_comes_twice_it_is_the_search_on_a_tree() {
    for players in [1, 2, 3] {
        let game = Lottery {
            seed: 5,
            players,
            actions: 3,
            plies: 6,
            dice: false,
        };
        for urgency in [
            FirstPlayUrgency::Infinite,
            FirstPlayUrgency::ParentMinus(0.2),
        ] {
            let tree = Uct::new(TreeSettings {
                urgency,
                ..TreeSettings::default()
            })
            .search(&game, &game.start(), &Budget::simulations(20_000), Seed(3))
            .unwrap();
            for sharing in [Sharing::Edges, Sharing::Nodes] {
                let settings = GraphSettings {
                    urgency,
                    ..settings(sharing)
                };
                let mut graph = GraphUct::new(settings, by_path);
                let decision = graph
                    .search(&game, &game.start(), &Budget::simulations(20_000), Seed(3))
                    .unwrap();
                assert_eq!(said(&decision), said(&tree), "{sharing:?}");
                assert_eq!(decision.effort.edges, tree.effort.edges);
            }
        }
    }
}

/// Two players step right or up in turns on a grid; the place they come to after so many plies has a
/// value of its own.
#[derive(Debug, Clone)]
struct Grid {
    plies: u32,
    seed: u64,
}

type Place = (u32, u32);

impl Grid {
    fn value(&self, (right, up): Place) -> f64 {
        if right + up == self.plies {
            return (mix64(self.seed ^ u64::from(right)) % 101) as f64 / 50.0 - 1.0;
        }
        let sign = if (right + up) % 2 == 0 { 1.0 } else { -1.0 };
        let ways = [(right + 1, up), (right, up + 1)];
        let best = ways.into_iter().map(|to| sign * self.value(to));
        sign * best.fold(f64::NEG_INFINITY, f64::max)
    }
}

impl Game for Grid {
    type State = Place;
    type Action = u8;
    type Chance = Infallible;
    type Observation = Place;

    fn num_players(&self) -> usize {
        2
    }
    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> Place {
        (0, 0)
    }
    fn turn(&self, s: &Place) -> Turn {
        match s.0 + s.1 {
            n if n == self.plies => Turn::Terminal,
            n => Turn::Player(Player::new(n as usize % 2)),
        }
    }
    fn legal_actions(&self, s: &Place, out: &mut Vec<u8>) {
        out.clear();
        if self.turn(s) != Turn::Terminal {
            out.extend([0, 1]);
        }
    }
    fn apply(&self, s: &mut Place, a: u8) {
        if a == 0 {
            s.0 += 1;
        } else {
            s.1 += 1;
        }
    }
    fn returns(&self, s: &Place) -> Returns {
        Returns::zero_sum(self.value(*s))
    }
    fn return_bounds(&self) -> RangeInclusive<f64> {
        -1.0..=1.0
    }
    fn observe(&self, s: &Place, _: Player) -> Place {
        *s
    }
}

fn by_place(_: &Grid, s: &Place) -> u128 {
    u128::from(s.0) << 32 | u128::from(s.1)
}

/// T-TR2, trap 43: on a grid of ten plies the graph has one node a place and comes to the value that
/// backward induction gives, as the tree does.
#[test]
fn t_tr2_a_grid_has_one_node_a_place_and_the_value_of_the_tree() {
    for seed in 0..5 {
        let game = Grid { plies: 10, seed };
        let exact = game.value((0, 0));
        let budget = Budget::simulations(60_000);
        let tree = Uct::default()
            .search(&game, &(0, 0), &budget, Seed(seed))
            .unwrap();
        assert!((tree.chosen().mean - exact).abs() < 0.15);
        for sharing in WAYS {
            let mut graph = GraphUct::new(settings(sharing), by_place);
            let decision = graph.search(&game, &(0, 0), &budget, Seed(seed)).unwrap();
            let mean = decision.chosen().mean;
            assert!(
                (mean - exact).abs() < 0.15,
                "{sharing:?}: {mean}, not {exact}"
            );
            let after = [(1, 0), (0, 1)][usize::from(decision.action)];
            assert!((game.value(after) - exact).abs() < 0.15);
            assert!(graph.positions() <= 66, "{}", graph.positions());
            let settings = GraphSettings {
                exploration: 50.0,
                ..settings(sharing)
            };
            let mut everywhere = GraphUct::new(settings, by_place);
            let decision = everywhere
                .search(&game, &(0, 0), &budget, Seed(seed))
                .unwrap();
            assert_eq!(everywhere.positions(), 66);
            assert_eq!(decision.effort.edges, 2 * 55);
        }
    }
}

/// T-TR2: the nodes are the positions that can be reached, however many players there are.
#[test]
fn t_tr2_nodes_are_the_distinct_positions() {
    for (players, heap) in [(2, 17), (3, 13), (1, 9)] {
        let game = Nim { players, heap };
        let mut reached = BTreeSet::new();
        let mut stack = vec![(heap, 0)];
        while let Some((heap, mover)) = stack.pop() {
            // Nobody is to move after the end, so that all ends are one position to the key.
            let whose = if heap == 0 { 0 } else { mover };
            if reached.insert((heap, whose)) {
                stack.extend((1..=heap.min(3)).map(|n| (heap - n, (mover + 1) % players)));
            }
        }
        for sharing in WAYS {
            // Returns depend on who has taken the last, so that the ends must not be shared.
            let settings = GraphSettings {
                exploration: 20.0,
                ..settings(sharing)
            };
            let mut graph = GraphUct::new(settings, |game, s| by_heap(game, s) << 8);
            let root = NimState { heap, mover: 0 };
            graph
                .search(&game, &root, &Budget::simulations(30_000), Seed(1))
                .unwrap();
            assert_eq!(graph.positions(), reached.len(), "{sharing:?}");
        }
    }
}

#[test]
fn it_converges_for_two_and_three_players() {
    let key = |_: &Nim, s: &NimState| u128::from(s.heap) << 8 | s.mover as u128;
    for heap in [5, 6, 7, 13, 14, 15] {
        let game = Nim { players: 2, heap };
        let root = NimState { heap, mover: 0 };
        for sharing in WAYS {
            let mut graph = GraphUct::new(settings(sharing), key);
            let decision = graph
                .search(&game, &root, &Budget::simulations(20_000), Seed(2))
                .unwrap();
            assert_eq!(decision.action, heap % 4, "{sharing:?}");
            assert!(decision.chosen().mean > 0.8, "{sharing:?}");
        }
    }
}

/// Two rooms, and a door out of each that pays: going from one to the other can go on for ever.
#[derive(Debug, Clone)]
struct Rooms {
    players: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Room {
    at: u8,
    mover: usize,
    out: bool,
}

impl Game for Rooms {
    type State = Room;
    type Action = u8;
    type Chance = Infallible;
    type Observation = Room;

    fn num_players(&self) -> usize {
        self.players
    }
    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> Room {
        Room {
            at: 0,
            mover: 0,
            out: false,
        }
    }
    fn turn(&self, s: &Room) -> Turn {
        if s.out {
            Turn::Terminal
        } else {
            Turn::Player(Player::new(s.mover))
        }
    }
    fn legal_actions(&self, s: &Room, out: &mut Vec<u8>) {
        out.clear();
        if !s.out {
            out.extend([0, 1]);
        }
    }
    fn apply(&self, s: &mut Room, a: u8) {
        if a == 0 {
            s.at = 1 - s.at;
            s.mover = (s.mover + 1) % self.players;
        } else {
            s.out = true;
        }
    }
    fn returns(&self, s: &Room) -> Returns {
        let mut returns = Returns::splat(self.players, 0.0);
        returns.set(Player::new(s.mover), [0.3, 0.9][usize::from(s.at)]);
        returns
    }
    fn return_bounds(&self) -> RangeInclusive<f64> {
        0.0..=1.0
    }
    fn cut_off_returns(&self, _: &Room) -> Returns {
        Returns::splat(self.players, 0.0)
    }
    fn observe(&self, s: &Room, _: Player) -> Room {
        s.clone()
    }
}

/// T-TR2, trap 43: going round ends the simulation, which is counted.
#[test]
fn t_tr2_cycles_end() {
    for players in [1, 2] {
        let game = Rooms { players };
        let root = Room {
            at: 0,
            mover: 0,
            out: false,
        };
        for sharing in WAYS {
            let key = |_: &Rooms, s: &Room| {
                u128::from(s.at) | u128::from(s.out) << 1 | (s.mover as u128) << 2
            };
            let mut graph = GraphUct::new(settings(sharing), key);
            let decision = graph
                .search(&game, &root, &Budget::simulations(20_000), Seed(4))
                .unwrap();
            // Alone: through the other room. With two players the other one would take the better door.
            assert_eq!(decision.action, [0, 1][players - 1], "{sharing:?}");
            assert!(decision.effort.truncated_rollouts > 0);
            assert_eq!(decision.effort.simulations, 20_000);
            assert_eq!(graph.positions(), 4);
            // Nobody goes through a room twice: there are two.
            assert!(decision.effort.depth <= 2);
        }
    }
}

#[test]
fn t_bu1_t_bu2_budgets_are_exact() {
    let game = Nim {
        players: 2,
        heap: 30,
    };
    let root = NimState { heap: 30, mover: 1 };
    for sharing in WAYS {
        let mut graph = GraphUct::new(settings(sharing), by_heap);
        let mut search = |budget: &Budget| graph.search(&game, &root, budget, Seed(1));
        assert_eq!(
            search(&Budget::simulations(0)).unwrap_err(),
            SearchError::EmptyBudget
        );
        for n in [1, 2, 3, 1_000] {
            let decision = search(&Budget::simulations(n)).unwrap();
            assert_eq!(decision.effort.simulations, n);
            assert!((1..=3).contains(&decision.action));
            assert!(decision.effort.deterministic);
            assert_eq!(decision.candidates.iter().map(|c| c.visits).sum::<u64>(), n);
        }
        for cap in [0, 3, 4, 20] {
            let decision = search(&Budget::simulations(500).with_nodes(cap)).unwrap();
            assert!(decision.effort.edges <= cap);
            assert!(decision.effort.refused_expansions > 0);
            assert_eq!(decision.effort.simulations, 500);
        }
        for cap in [300, 700, 2_000] {
            let decision = search(&Budget::simulations(500).with_bytes(cap)).unwrap();
            assert!(decision.effort.bytes <= cap, "{}", decision.effort.bytes);
            assert!(decision.effort.refused_expansions > 0);
        }
        let over = NimState { heap: 0, mover: 1 };
        let end = GraphUct::new(settings(sharing), by_heap).search(
            &game,
            &over,
            &Budget::simulations(5),
            Seed(1),
        );
        assert_eq!(end.unwrap_err(), SearchError::TerminalRoot);
    }
    let bad = GraphSettings {
        exploration: f64::NAN,
        ..GraphSettings::default()
    };
    let error = GraphUct::new(bad, by_heap).search(&game, &root, &Budget::simulations(5), Seed(1));
    assert!(matches!(error, Err(SearchError::BadSetting { .. })));
}

/// Values every leaf in the same wrong way.
struct Wrong(f64, Ending);

impl LeafEvaluator<Nim> for Wrong {
    fn evaluate(&self, _: &Nim, _: &mut NimState, _: &mut SimRng, _: &mut Vec<u32>) -> Evaluation {
        Evaluation {
            returns: Returns::splat(2, self.0),
            ending: self.1,
        }
    }
}

#[test]
fn t_er1_wrong_values_are_errors() {
    let game = Nim {
        players: 2,
        heap: 9,
    };
    let root = NimState { heap: 9, mover: 0 };
    let run = |evaluator| {
        GraphUct::with(GraphSettings::default(), by_heap, evaluator).search(
            &game,
            &root,
            &Budget::simulations(50),
            Seed(1),
        )
    };
    let nan = run(Wrong(f64::NAN, Ending::Terminal));
    assert!(matches!(nan, Err(SearchError::NonFiniteReturn { .. })));
    let stuck = run(Wrong(0.0, Ending::Stuck(Player::new(1))));
    assert_eq!(stuck.unwrap_err(), SearchError::NoActions { player: 1 });
}

#[test]
fn memory_kept_between_searches_does_not_matter() {
    let game = Nim {
        players: 3,
        heap: 15,
    };
    let mut kept = GraphUct::new(GraphSettings::default(), by_heap);
    for heap in [15, 7, 12] {
        let root = NimState { heap, mover: 2 };
        let budget = Budget::simulations(900);
        let mut fresh = GraphUct::new(GraphSettings::default(), by_heap);
        let (a, b) = (
            kept.search(&game, &root, &budget, Seed(6)).unwrap(),
            fresh.search(&game, &root, &budget, Seed(6)).unwrap(),
        );
        assert_eq!(format!("{a:?}"), format!("{b:?}"));
    }
}
