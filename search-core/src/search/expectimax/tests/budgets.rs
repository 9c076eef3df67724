//! Budgets: exact, watched everywhere, and never a reason to compare what was half searched.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::graph::{Graph, Hashed, Node};
use crate::budget::{Budget, CancelFlag, StopReason};
use crate::decision::SearchError;
use crate::game::Returns;
use crate::policy::Evaluator;
use crate::rng::{Draw, Seed};
use crate::search::expectimax::{Expectimax, ExpectimaxSettings, Pruning};

fn graph(index: u64) -> Graph {
    let mut rng = Seed(77).child("graph").simulation(index);
    let span = 3 + rng.below(6) as usize;
    Graph::random(30, span, &mut rng)
}

fn settings(depth: u32) -> ExpectimaxSettings {
    ExpectimaxSettings {
        depth,
        table: 0,
        ..ExpectimaxSettings::default()
    }
}

/// At every budget the choice is the best of the lines searched at the depth in progress, which
/// begin with the best of the depth before, all with their whole values.
#[test]
fn half_an_average_is_never_ranked() {
    let depth = 4;
    let mut interrupted = 0;
    for index in 0..150 {
        let graph = graph(index);
        let plain: Vec<_> = (1..=depth).map(|d| graph.plain_root(d)).collect();
        for pruning in [Pruning::None, Pruning::Star2] {
            let settings = ExpectimaxSettings {
                pruning,
                ..settings(depth)
            };
            let mut search = graph.search(settings);
            let whole = search.search_state(&graph, &0, &Budget::default());
            let nodes = whole.expect("no budget").decision.effort.simulations;
            for limit in 1..=nodes.min(400) {
                let budget = Budget::default().with_nodes(limit);
                let plan = search.search_state(&graph, &0, &budget);
                let decision = plan.expect("one node values a line").decision;
                let report = search.report().expect("there was a search");
                assert!(decision.effort.simulations <= limit);
                if decision.effort.stop != StopReason::Simulations {
                    continue;
                }
                interrupted += 1;
                assert_eq!(decision.effort.simulations, limit);
                assert!(decision.effort.deterministic);
                let (full, action) = (report.depth as usize, decision.action);
                let next = &plain[full].0;
                if report.further == 0 {
                    assert_eq!(action, plain[full - 1].1);
                    continue;
                }
                if full > 0 {
                    // Nothing replaces the best so far but what is as good one turn deeper.
                    let before = plain[full - 1].1;
                    assert!(next[action] >= next[before] - 1e-11);
                    for line in &report.lines {
                        let value = line.value.expect("depth 1 was searched in full");
                        let truth = plain[full - 1].0[line.line[0]];
                        assert!(value.lower <= truth + 1e-12 && truth <= value.upper + 1e-12);
                    }
                } else {
                    for line in &report.lines {
                        let Some(value) = line.value else { continue };
                        let truth = next[line.line[0]];
                        assert!(value.lower <= truth + 1e-12 && truth <= value.upper + 1e-12);
                        assert!(truth <= next[action] + 1e-12);
                    }
                }
            }
        }
    }
    assert!(interrupted > 5_000, "{interrupted}");
}

/// Cancels when it has evaluated a number of positions.
struct Cancelling {
    seen: Arc<AtomicU64>,
    after: u64,
    flag: CancelFlag,
}

impl Evaluator<Graph> for Cancelling {
    fn evaluate(&self, game: &Graph, state: &usize) -> Returns {
        if self.seen.fetch_add(1, Ordering::Relaxed) + 1 == self.after {
            self.flag.cancel();
        }
        Hashed.evaluate(game, state)
    }
}

#[test]
fn the_budget_is_watched_inside_the_search() {
    let mut cancelled = 0;
    for index in 0..100 {
        let graph = graph(index);
        let (seen, flag) = (Arc::new(AtomicU64::new(0)), CancelFlag::new());
        let mut parts = graph.parts();
        parts.evaluator = Arc::new(Cancelling {
            seen: Arc::clone(&seen),
            after: 12,
            flag: flag.clone(),
        });
        let settings = ExpectimaxSettings {
            order_by_evaluation: false,
            ..settings(6)
        };
        let mut search = Expectimax::new(settings, parts);
        let plan = search.search_state(&graph, &0, &Budget::default().with_cancel(flag));
        let effort = plan.expect("depth 1 was searched").decision.effort;
        if effort.stop == StopReason::Cancelled {
            cancelled += 1;
            assert_eq!(seen.load(Ordering::Relaxed), 12);
            assert!(!effort.deterministic);
        }
    }
    assert!(cancelled > 30, "{cancelled}");
}

#[test]
fn a_budget_without_room_for_anything_is_an_error() {
    let graph = graph(0);
    let mut search = graph.search(settings(2));
    for budget in [
        Budget::simulations(0),
        Budget::default().with_nodes(0),
        Budget::time(Duration::ZERO),
    ] {
        let result = search.search_state(&graph, &0, &budget);
        assert_eq!(result.map(|_| ()), Err(SearchError::EmptyBudget));
    }
}

#[test]
fn a_fixed_depth_that_cannot_be_searched_is_an_error() {
    let nodes = vec![
        Node::Decision(0, vec![1, 2]),
        Node::Decision(1, vec![3, 4]),
        Node::Decision(1, vec![3, 4]),
        Node::Terminal(0.0),
        Node::Terminal(0.5),
    ];
    let graph = Graph { nodes, salt: 0 };
    let mut search = graph.search(ExpectimaxSettings {
        deepening: false,
        ..settings(2)
    });
    let result = search.search_state(&graph, &0, &Budget::default().with_nodes(2));
    let expected = SearchError::Unfinished { depth: 2 };
    assert_eq!(result.map(|_| ()), Err(expected));
}

#[test]
fn settings_out_of_range_are_refused() {
    let graph = graph(0);
    for settings in [
        settings(0),
        settings(101),
        ExpectimaxSettings {
            table: (1 << 30) + 1,
            ..settings(1)
        },
    ] {
        let result = graph
            .search(settings)
            .search_state(&graph, &0, &Budget::default());
        assert!(matches!(result, Err(SearchError::BadSetting { .. })));
    }
}

#[test]
fn a_win_at_once_is_played_without_a_search() {
    let nodes = vec![
        Node::Decision(0, vec![1, 3, 2, 3]),
        Node::Decision(1, vec![3]),
        Node::Chance(vec![(3, 1.0)]),
        Node::Terminal(1.0),
    ];
    let graph = Graph { nodes, salt: 0 };
    let mut search = graph.search(settings(3));
    let plan = search.search_state(&graph, &0, &Budget::default().with_nodes(1));
    let decision = plan.expect("a win").decision;
    // Action 0 wins just as surely, but later.
    assert_eq!((decision.action, decision.effort.simulations), (1, 1));
    assert_eq!(decision.chosen().mean, 1.0);
    search.settings.exact_root = true;
    let plan = search.search_state(&graph, &0, &Budget::default());
    assert_eq!(plan.expect("a win").decision.action, 1);
}
