//! Values: with any pruning, table and order they are those of the plain recursion.

use super::graph::{Graph, Shuffled};
use crate::budget::{Budget, StopReason};
use crate::rng::{Draw, Seed, SimRng};
use crate::search::expectimax::bound::{Bound, Window};
use crate::search::expectimax::engine::{Engine, Memory};
use crate::search::expectimax::{Expectimax, ExpectimaxSettings, Nodes, Pruning};
use crate::search::meter::Meter;

const PRUNINGS: [Pruning; 3] = [Pruning::None, Pruning::Star1, Pruning::Star2];

fn settings(depth: u32, pruning: Pruning) -> ExpectimaxSettings {
    ExpectimaxSettings {
        depth,
        pruning,
        table: 0,
        deepening: false,
        order_by_evaluation: false,
        exact_root: false,
        skip_forced: false,
    }
}

/// Every combination that must not matter.
fn variants(depth: u32) -> Vec<ExpectimaxSettings> {
    let mut all = Vec::new();
    for pruning in PRUNINGS {
        for bits in 0..16_u32 {
            all.push(ExpectimaxSettings {
                table: if bits & 1 == 0 { 0 } else { 64 },
                deepening: bits & 2 != 0,
                order_by_evaluation: bits & 4 != 0,
                exact_root: bits & 8 != 0,
                ..settings(depth, pruning)
            });
        }
    }
    all
}

fn graphs(count: u64) -> impl Iterator<Item = (Graph, SimRng)> {
    (0..count).map(|i| {
        let mut rng = Seed(51).child("graph").simulation(i);
        let span = 3 + rng.below(12) as usize;
        (Graph::random(40, span, &mut rng), rng)
    })
}

/// T-EX1.
/// Trap 48.
#[test]
fn every_pruning_gives_the_value_of_the_plain_recursion() {
    for (number, (graph, mut rng)) in graphs(1200).enumerate() {
        let depth = 1 + rng.below(4);
        let (values, best) = graph.plain_root(depth);
        for settings in variants(depth) {
            let mut search = graph.search(settings);
            let plan = search.search_state(&graph, &0, &Budget::default());
            let plan = plan.expect("it can be searched");
            let at = format!("graph {number}, {settings:?}: {values:?}");
            assert_eq!(plan.decision.action, best, "{at}");
            let chosen = plan.decision.chosen();
            assert!((chosen.mean - values[best]).abs() < 1e-12, "{at}");
            if plan.decision.effort.stop == StopReason::Settled && search.settings.depth > 1 {
                continue;
            }
            for candidate in &plan.decision.candidates {
                let value = values[candidate.action];
                if candidate.std_error == 0.0 {
                    assert!((candidate.mean - value).abs() < 1e-12, "{at}");
                } else if candidate.visits > 0 {
                    assert!(!settings.exact_root && pruned(settings), "{at}");
                    assert!(candidate.mean >= value - 1e-12, "{at}");
                    assert!(candidate.mean < values[best], "{at}");
                }
            }
        }
    }
}

const fn pruned(settings: ExpectimaxSettings) -> bool {
    !matches!(settings.pruning, Pruning::None)
}

/// T-EX2.
#[test]
fn what_comes_back_brackets_the_value_for_any_window() {
    for (graph, mut rng) in graphs(1500) {
        let depth = 1 + rng.below(4);
        let value = graph.plain(0, depth);
        for pruning in [Pruning::Star1, Pruning::Star2] {
            for table in [0, 64] {
                let (a, b) = (2.2 * rng.unit() - 1.1, 2.2 * rng.unit() - 1.1);
                let window = Window {
                    alpha: a.min(b),
                    beta: a.max(b),
                };
                let parts = graph.parts();
                let budget = Budget::default();
                let mut memory = Memory::default();
                memory.table.clear(table);
                let mut engine = Engine {
                    game: &graph,
                    parts: &parts,
                    settings: ExpectimaxSettings {
                        table,
                        ..settings(depth, pruning)
                    },
                    memory: &mut memory,
                    meter: Meter::new(&budget, None, None, false),
                    nodes: Nodes::default(),
                    range: Bound {
                        lower: -1.0,
                        upper: 1.0,
                        complete: true,
                    },
                    tie: 2e-12,
                    single_actions: true,
                };
                // Twice: the second time the table answers.
                for _ in 0..2 {
                    let Ok(found) = engine.value(&0, depth, window) else {
                        panic!("nothing ends this search");
                    };
                    assert!(found.lower <= value + 1e-12, "{found:?} {value}");
                    assert!(found.upper >= value - 1e-12, "{found:?} {value}");
                    let outside =
                        found.upper <= window.alpha + 1e-12 || found.lower >= window.beta - 1e-12;
                    assert!(outside || found.width() < 1e-12, "{found:?} {window:?}");
                }
            }
        }
    }
}

#[test]
fn pruning_never_looks_at_more_leaves_than_none() {
    let (mut saved_1, mut saved_2) = (0, 0);
    for (graph, mut rng) in graphs(1000) {
        let depth = 1 + rng.below(5);
        let leaves = PRUNINGS.map(|pruning| {
            let mut search = graph.search(settings(depth, pruning));
            let _ = search.search_state(&graph, &0, &Budget::default());
            search.report().map_or(0, |r| r.nodes.leaves)
        });
        assert!(leaves[1] <= leaves[0], "{leaves:?}");
        assert!(leaves[2] <= leaves[0], "{leaves:?}");
        saved_1 += leaves[0] - leaves[1];
        saved_2 += leaves[0] - leaves[2];
    }
    assert!(saved_1 > 0 && saved_2 > saved_1, "{saved_1} {saved_2}");
}

#[test]
fn the_order_of_the_expansion_does_not_matter() {
    for (number, (graph, mut rng)) in graphs(600).enumerate() {
        let depth = 1 + rng.below(4);
        let (values, best) = graph.plain_root(depth);
        for pruning in PRUNINGS {
            for at_once in [false, true] {
                let salt = rng.next();
                let parts = graph.parts().with_expand(Shuffled { salt, at_once });
                let settings = ExpectimaxSettings {
                    depth,
                    pruning,
                    table: 64,
                    ..ExpectimaxSettings::default()
                };
                let mut search = Expectimax::new(settings, parts);
                let plan = search.search_state(&graph, &0, &Budget::default());
                let decision = plan.expect("it can be searched").decision;
                assert_eq!(decision.action, best, "graph {number}");
                assert!((decision.chosen().mean - values[best]).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn a_searcher_used_before_gives_the_same_bits() {
    let mut used: Option<Expectimax<Graph>> = None;
    for (graph, _) in graphs(50) {
        let settings = ExpectimaxSettings {
            depth: 4,
            table: 256,
            ..ExpectimaxSettings::default()
        };
        let mut fresh = graph.search(settings);
        let used = used.get_or_insert_with(|| graph.search(settings));
        for budget in [Budget::default(), Budget::default().with_nodes(30)] {
            let a = fresh.search_state(&graph, &0, &budget);
            let b = used.search_state(&graph, &0, &budget);
            assert_eq!(format!("{a:?}"), format!("{b:?}"));
            assert_eq!(
                format!("{:?}", fresh.report()),
                format!("{:?}", used.report())
            );
        }
    }
}

#[test]
fn deepening_stops_when_the_game_is_searched_to_its_end() {
    for (graph, _) in graphs(40) {
        let settings = ExpectimaxSettings {
            depth: ExpectimaxSettings::MAX_DEPTH,
            table: 1 << 10,
            ..ExpectimaxSettings::default()
        };
        let mut search = graph.search(settings);
        let plan = search.search_state(&graph, &0, &Budget::default());
        let plan = plan.expect("it can be searched");
        assert_eq!(plan.decision.effort.stop, StopReason::Settled);
        let (values, best) = graph.plain_root(60);
        assert_eq!(plan.decision.action, best);
        assert!((plan.decision.chosen().mean - values[best]).abs() < 1e-12);
    }
}
