//! What must hold at every node of the trees of kernel regression and widening.

use rand::Rng;
use std::ops::RangeInclusive;

use super::{Child, GrowingTree, Leaf, Memory, Plan, Rule, RuleTree, Step};
use crate::budget::Budget;
use crate::decision::Effort;
use crate::game::{Game, Player, Returns, Turn};
use crate::math::Counts;
use crate::rng::{Draw, Seed, SimRng};
use crate::rollout::Rollout;
use crate::search::continuous::ContinuousActions;
use crate::search::kernel_regression::KrUctSettings;
use crate::search::kernel_regression::rule::{KernelRule, Smoothed};
use crate::search::tree_search::Parallel;
use crate::search::widening::{Amaf, Rave, Widening, WideningRule, WideningSettings};
use crate::tree::{EdgeKey, Limits};

/// Two players shift a point in turns, a noise shifts it on; whoever it is nearer to is paid more.
struct Line;

#[derive(Clone, Default)]
struct Point {
    at: i32,
    ply: u32,
}

impl Game for Line {
    type State = Point;
    type Action = i32;
    type Chance = i32;
    type Observation = Point;

    fn num_players(&self) -> usize {
        2
    }
    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> Point {
        Point::default()
    }
    fn turn(&self, s: &Point) -> Turn {
        match s.ply {
            6 => Turn::Terminal,
            ply if ply % 2 == 1 => Turn::Chance,
            ply => Turn::Player(Player::new(ply as usize / 2 % 2)),
        }
    }
    fn legal_actions(&self, s: &Point, out: &mut Vec<i32>) {
        out.clear();
        if matches!(self.turn(s), Turn::Player(_)) {
            out.extend([-40, -20, 0, 20, 40]);
        }
    }
    fn apply(&self, s: &mut Point, shift: i32) {
        s.at += shift;
        s.ply += 1;
    }
    fn sample_chance<R: Rng + ?Sized>(&self, _: &Point, rng: &mut R) -> i32 {
        rng.below(21) as i32 - 10
    }
    fn apply_chance(&self, s: &mut Point, shift: i32) {
        s.at += shift;
        s.ply += 1;
    }
    fn returns(&self, s: &Point) -> Returns {
        Returns::zero_sum(f64::from(s.at % 50) / 50.0)
    }
    fn return_bounds(&self) -> RangeInclusive<f64> {
        -1.0..=1.0
    }
    fn observe(&self, s: &Point, _: Player) -> Point {
        s.clone()
    }
}

/// The noise of [`Line`], with a triangular kernel.
struct Shifts;

impl ContinuousActions<Line> for Shifts {
    fn execute(&self, game: &Line, s: &Point, action: i32, rng: &mut SimRng) -> i32 {
        action + game.sample_chance(s, rng)
    }
    fn kernel(&self, _: &Line, _: &Point, a: i32, b: i32) -> f64 {
        (1.0 - f64::from((a - b).abs()) / 17.0).max(0.0)
    }
    fn exactly(&self, _: &Line, _: &Point) -> i32 {
        0
    }
}

const SIMULATIONS: u64 = 3_000;
const MODES: [Parallel; 2] = [Parallel::Serial, Parallel::Batch { size: 13 }];

fn grow<R: Rule<Line>>(rule: &R, parallel: Parallel) -> RuleTree<Line, R> {
    let plan = Plan {
        game: &Line,
        state: &Point::default(),
        rule,
        evaluator: &Rollout::random(),
        parallel,
        threads: 1,
    };
    let grown = plan
        .run(&Budget::simulations(SIMULATIONS), Seed(5))
        .unwrap();
    grown.1.unwrap()
}

/// Visits add up, whatever the rule: every simulation that came on is on one child.
fn visits_add_up<K: Copy, X: Copy + Default>(tree: &GrowingTree<K, X>) {
    let mut edges = 0;
    for at in 0..tree.nodes() {
        let node = tree.node(at);
        let (mut visits, mut selections) = (0, 0);
        for child in tree.children(at) {
            visits += child.visits;
            selections += child.selections;
        }
        assert_eq!((visits, selections), (node.descents, node.descents));
        assert!(node.descents <= node.arrivals);
        edges += u64::from(tree.len(at));
    }
    assert_eq!(
        (edges, u64::from(tree.node(0).arrivals)),
        (tree.edges(), SIMULATIONS)
    );
}

#[test]
fn t_kr1_masses_and_values_are_the_sums_over_siblings() {
    for parallel in MODES {
        let settings = KrUctSettings::default();
        let rule = KernelRule {
            game: &Line,
            actions: &Shifts,
            settings,
            inverse_scale: 0.5,
        };
        let tree = grow(&rule, parallel);
        visits_add_up(&tree);
        let (mut checked, mut added) = (0, 0);
        for at in 0..tree.nodes() {
            let tried = &tree.children(at)[..tree.node(at).tried as usize];
            let action = |i: usize| match tried[i].key {
                EdgeKey::Action(a) => a,
                EdgeKey::Chance(_) => panic!("the noise is played exactly"),
            };
            let seen = tried.iter().filter(|c| c.visits > 0);
            let means: Vec<f64> = seen.map(|c| c.sum / f64::from(c.visits)).collect();
            let low = means.iter().copied().fold(f64::INFINITY, f64::min);
            let high = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            for i in 0..tried.len() {
                let (mut mass, mut weighted) = (0.0, 0.0);
                for (j, other) in tried.iter().enumerate() {
                    let kernel = Shifts.kernel(&Line, &Point::default(), action(i), action(j));
                    mass += kernel * f64::from(other.visits);
                    weighted += kernel * other.sum;
                }
                let sums = tried[i].extra.sums;
                assert!((sums.mass - mass).abs() < 1e-9 * mass.max(1.0));
                assert!((tried[i].extra.selected - mass).abs() < 1e-9 * mass.max(1.0));
                assert!((sums.weighted - weighted).abs() < 1e-9 * mass.max(1.0));
                let mean = sums.mean();
                assert!(
                    low - 1e-9 <= mean && mean <= high + 1e-9,
                    "{low} {mean} {high}"
                );
                checked += 1;
            }
            // Listed actions first, and then no more than the widening allows, unless the game is over.
            let ended = tried.iter().any(|child| tree.ends(child));
            let most = settings.widening.power(tree.node(at).descents) + 1.0;
            assert!(ended || f64::from(tree.len(at)) <= most.max(5.0));
            added += tried.len().saturating_sub(5);
            if tried.len() > 5 {
                let first: Vec<i32> = (0..5).map(action).collect();
                assert!(first.iter().all(|a| a % 20 == 0), "{first:?}");
            }
        }
        assert!(checked > 2_500 && added > 300, "{checked} {added}");
    }
}

/// Trap 20.
#[test]
fn t_pw1_child_counts_are_bounded_at_every_node() {
    let widening = |factor, exponent| Widening { factor, exponent };
    for (actions, outcomes) in [
        (widening(1.0, 0.5), widening(1.0, 0.25)),
        (widening(0.7, 0.3), widening(2.0, 0.5)),
        (widening(3.0, 0.0), widening(0.1, 1.0)),
    ] {
        for parallel in MODES {
            let rule = WideningRule {
                game: &Line,
                actions: &Shifts,
                settings: WideningSettings {
                    actions,
                    outcomes,
                    rave: Some(Rave {
                        bias: 0.1,
                        alike: false,
                    }),
                    ..WideningSettings::default()
                },
                inverse_scale: 0.5,
                counts: Counts::new(),
            };
            let tree = grow(&rule, parallel);
            visits_add_up(&tree);
            let (mut full, mut chances) = (0, 0);
            for at in 0..tree.nodes() {
                let node = tree.node(at);
                let chance = tree.children(at).iter().any(|c| c.key.action().is_none());
                let (limit, count) = if chance {
                    (outcomes, tree.len(at))
                } else {
                    (actions, node.tried)
                };
                // k N^a, by the library of the platform.
                let most = limit.factor * f64::from(node.descents.max(1)).powf(limit.exponent);
                assert!(
                    f64::from(count) <= (most - 1e-9).ceil().max(1.0),
                    "{count} > {most}"
                );
                full += u32::from(count > 1 && f64::from(count) >= most);
                chances += u32::from(chance);
                for child in tree.children(at) {
                    let amaf = child.extra.visits;
                    assert!(amaf >= f64::from(if chance { 0 } else { child.visits }));
                    assert!(amaf <= f64::from(node.descents));
                }
            }
            assert!(full > 5 && chances > 5, "{full} {chances}");
        }
    }
}

#[test]
fn a_small_tree_goes_on_without_growing() {
    for edges in [0, 3, 5, 6, 40] {
        let rule = KernelRule {
            game: &Line,
            actions: &Shifts,
            settings: KrUctSettings::default(),
            inverse_scale: 0.5,
        };
        let plan = Plan {
            game: &Line,
            state: &Point::default(),
            rule: &rule,
            evaluator: &Rollout::random(),
            parallel: Parallel::Serial,
            threads: 1,
        };
        let budget = Budget::simulations(500).with_nodes(edges);
        let (statistics, tree) = plan.run(&budget, Seed(1)).unwrap();
        assert!(tree.unwrap().edges() <= edges);
        assert_eq!(statistics.effort.simulations, 500);
        assert!(statistics.effort.refused_expansions > 0);
    }
}

/// A simulation at the root of [`Line`] that has not gone anywhere.
fn leaf(world: Point, seed: u64) -> Leaf<Line> {
    Leaf {
        world,
        rng: Seed(seed).simulation(0),
        legal: Vec::new(),
        path: Vec::new(),
        states: Vec::new(),
        played: Vec::new(),
        evaluation: None,
    }
}

fn memory<R: Rule<Line>>() -> Memory<Line, R> {
    Memory {
        keys: Vec::new(),
        scratch: R::Scratch::default(),
        effort: Effort::default(),
    }
}

/// A tree whose root has these children with so many selections, all tried.
fn rooted<X: Copy + Default>(
    children: &[(EdgeKey<i32, i32>, u32)],
) -> GrowingTree<EdgeKey<i32, i32>, X> {
    let mut tree = GrowingTree::new(Limits::default());
    assert!(tree.add_block(0, children.iter().map(|(key, _)| *key)));
    for (child, (_, selections)) in tree.children_mut(0).iter_mut().zip(children) {
        (child.selections, child.visits) = (*selections, *selections);
    }
    let node = tree.node_mut(0);
    node.tried = children.len() as u32;
    node.descents = children.iter().map(|(_, selections)| selections).sum();
    tree
}

/// Next to the best action, alike enough, and where least was executed: counting executions, not
/// neighbours.
#[test]
fn an_added_action_has_the_least_mass() {
    let children = [(0, 10), (-12, 1), (25, 1000)];
    for (threshold, least) in [(0.02, -10), (0.5, 8)] {
        let rule = KernelRule {
            game: &Line,
            actions: &Shifts,
            settings: KrUctSettings {
                exploration: 0.0,
                tries: 400,
                threshold,
                widening: Widening {
                    factor: 100.0,
                    exponent: 0.5,
                },
                ..KrUctSettings::default()
            },
            inverse_scale: 0.5,
        };
        for seed in 0..8 {
            let mut tree = rooted(&children.map(|(a, n)| (EdgeKey::Action(a), n)));
            for (i, child) in tree.children_mut(0).iter_mut().enumerate() {
                let extra: &mut Smoothed = &mut child.extra;
                extra
                    .sums
                    .add(1.0, 10.0, if i == 0 { 9.0 } else { -9.0 }, 9.0);
                extra.selected = 10.0;
            }
            let found = rule.choose(
                &mut tree,
                0,
                &mut leaf(Point::default(), seed),
                &mut memory(),
            );
            assert_eq!(found, Some(3));
            assert_eq!(tree.child(0, 3).key.action(), Some(least), "{seed}");
        }
    }
}

fn widening_rule(settings: WideningSettings) -> WideningRule<'static, Line> {
    WideningRule {
        game: &Line,
        actions: &Shifts,
        settings,
        inverse_scale: 0.5,
        counts: Counts::new(),
    }
}

/// An execution that is there already is followed itself, not the action that was meant.
#[test]
fn an_execution_met_before_is_followed() {
    let rule = widening_rule(WideningSettings {
        exploration: 0.0,
        actions: Widening {
            factor: 100.0,
            exponent: 0.5,
        },
        ..WideningSettings::default()
    });
    let children: Vec<_> = (-10..=10).map(|a| (EdgeKey::Action(a), 3)).collect();
    let mut followed = std::collections::BTreeSet::new();
    for seed in 0..200 {
        let mut tree = rooted(&children);
        tree.children_mut(0)[10].sum = 3.0;
        let mut leaf = leaf(Point::default(), seed);
        followed.extend(rule.choose(&mut tree, 0, &mut leaf, &mut memory()));
        assert_eq!(tree.len(0), 21);
    }
    assert_eq!(followed.len(), 21);
}

#[test]
fn a_full_chance_node_is_left_in_proportion_to_its_visits() {
    let rule = widening_rule(WideningSettings {
        outcomes: Widening {
            factor: 1.0,
            exponent: 0.0,
        },
        ..WideningSettings::default()
    });
    let mut tree = rooted(&[(EdgeKey::Chance(-3), 10), (EdgeKey::Chance(5), 90)]);
    let world = Point { at: 0, ply: 1 };
    let mut second = 0;
    for seed in 0..1000 {
        let mut leaf = leaf(world.clone(), seed);
        second += rule.draw(&mut tree, 0, &mut leaf, &mut memory()).unwrap();
    }
    // Five standard deviations around 900.
    assert!((852..=948).contains(&second), "{second}");
}

/// What the same player played from this turn on counts, once a simulation; nothing else does.
#[test]
fn all_moves_as_first_are_those_of_the_player_from_here_on() {
    let rule = widening_rule(WideningSettings {
        rave: Some(Rave {
            bias: 0.0,
            alike: false,
        }),
        ..WideningSettings::default()
    });
    let children = [0, 20, -20, 40].map(|a| (EdgeKey::Action(a), 1));
    let mut tree = rooted(&children);
    let below = tree.descend(0, 0);
    assert!(tree.add_block(below, children.iter().map(|(key, _)| *key)));
    let (first, second) = (Player::new(0), Player::new(1));
    let mut leaf = leaf(Point::default(), 1);
    let step = |node, chooser| Step {
        node,
        position: 0,
        chooser,
    };
    leaf.path = vec![
        step(0, Some(first)),
        step(0, None),
        step(below, Some(first)),
    ];
    leaf.played = vec![(first, 0), (first, 20), (second, -20), (first, 20)];
    rule.record(&mut tree, 0, &leaf, 1.0);
    rule.record(&mut tree, 2, &leaf, 1.0);
    let counts = |at| {
        let children = tree.children(at).iter();
        children.map(|c| c.extra.visits).collect::<Vec<_>>()
    };
    assert_eq!(counts(0), [1.0, 1.0, 0.0, 0.0]);
    assert_eq!(counts(below), [0.0, 1.0, 0.0, 0.0]);
}

#[test]
fn both_kinds_of_values_are_on_one_scale() {
    let rule = widening_rule(WideningSettings {
        exploration: 0.0,
        actions: Widening {
            factor: 0.1,
            exponent: 0.0,
        },
        rave: Some(Rave {
            bias: 0.0,
            alike: false,
        }),
        ..WideningSettings::default()
    });
    let mut tree = rooted(&[(EdgeKey::Action(0), 1), (EdgeKey::Action(20), 1)]);
    let children: &mut [Child<_, Amaf>] = tree.children_mut(0);
    children[0].sum = 0.8;
    (children[1].extra.visits, children[1].extra.sum) = (1e6, 0.6e6);
    for seed in 0..10 {
        let mut leaf = leaf(Point::default(), seed);
        assert_eq!(rule.choose(&mut tree, 0, &mut leaf, &mut memory()), Some(0));
    }
}
