//! What must hold at every node of the trees of kernel regression and widening.

use rand::Rng;
use std::ops::RangeInclusive;

use super::{GrowingTree, Plan, Rule, RuleTree};
use crate::budget::Budget;
use crate::game::{Game, Player, Returns, Turn};
use crate::math::Counts;
use crate::rng::{Draw, Seed, SimRng};
use crate::rollout::Rollout;
use crate::search::continuous::ContinuousActions;
use crate::search::kernel_regression::KrUctSettings;
use crate::search::kernel_regression::rule::KernelRule;
use crate::search::tree_search::Parallel;
use crate::search::widening::{Rave, Widening, WideningRule, WideningSettings};
use crate::tree::EdgeKey;

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
