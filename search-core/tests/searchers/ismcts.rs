//! Information-set MCTS: T-IS1, T-IS2, T-IS6.

use crate::common::{Climb, ClimbView, Nim, NimState, PASS, Redeal, climb_position};
use search_core::budget::Budget;
use search_core::game::{Game, Player, Turn};
use search_core::observation::{Determinizer, Identity};
use search_core::rng::{Draw, Seed};
use search_core::search::{Ismcts, Parallel, Pimc, PimcSettings, Searcher, TreeSettings, Uct};
use search_core::tree::{EdgeKey, Snapshot};
use std::collections::BTreeMap;

fn keep() -> TreeSettings {
    TreeSettings {
        keep_tree: true,
        ..TreeSettings::default()
    }
}

/// One node of the plain re-implementation: its visits and, per action, visits, sum, availability.
#[derive(Default)]
struct PlainNode {
    children: Vec<u8>,
}

#[derive(Default, Clone, Debug, PartialEq)]
struct PlainEdge {
    visits: u32,
    sum: f64,
    legal_since_birth: u32,
}

/// SO-ISMCTS written down a second time, from the paper, with hash maps keyed by the history. It
/// draws in the same order as the searcher, so the trees must agree edge by edge; its availability
/// is recounted from a log of every visit at the end.
fn plain_ismcts(
    game: &Climb,
    view: &ClimbView,
    n: u64,
    seed: Seed,
    c: f64,
) -> BTreeMap<Vec<u8>, PlainEdge> {
    let plan = Redeal.plan(game, view).unwrap();
    let mut nodes: BTreeMap<Vec<u8>, PlainNode> = BTreeMap::new();
    let mut edges: BTreeMap<Vec<u8>, PlainEdge> = BTreeMap::new();
    let mut births: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    let mut log: BTreeMap<Vec<u8>, Vec<Vec<u8>>> = BTreeMap::new();
    let mut legal = Vec::new();
    let scale = game.return_scale();
    for i in 0..n {
        let mut rng = seed.simulation(i);
        let mut world = Redeal.scratch(game, view, &plan);
        Redeal.sample(game, view, &plan, &mut rng, &mut world);
        let mut history: Vec<u8> = Vec::new();
        let mut path: Vec<(Vec<u8>, Player)> = Vec::new();
        while let Turn::Player(player) = game.turn(&world) {
            game.legal_actions(&world, &mut legal);
            log.entry(history.clone()).or_default().push(legal.clone());
            let visit = log[&history].len();
            let node = nodes.entry(history.clone()).or_default();
            let untried: Vec<u8> = legal
                .iter()
                .copied()
                .filter(|a| !node.children.contains(a))
                .collect();
            let expands = !untried.is_empty();
            let action = if expands {
                let action = untried[rng.below(untried.len() as u32) as usize];
                node.children.push(action);
                let mut key = history.clone();
                key.push(action);
                births.insert(key.clone(), visit);
                edges.insert(key, PlainEdge::default());
                action
            } else {
                let mut best = (f64::NEG_INFINITY, 0, 0);
                for &a in node.children.iter().filter(|a| legal.contains(a)) {
                    let mut key = history.clone();
                    key.push(a);
                    let edge = &edges[&key];
                    // Times it was legal since its birth, this visit not counted yet.
                    let available = log[&history][births[&key] - 1..visit - 1]
                        .iter()
                        .filter(|l| l.contains(&a))
                        .count() as f64;
                    let n = f64::from(edge.visits);
                    let bonus = c * libm::log(available).sqrt();
                    let score = edge.sum * (1.0 / n) * (1.0 / scale) + bonus * (1.0 / n.sqrt());
                    if score > best.0 {
                        best = (score, a, 1);
                    } else if score == best.0 {
                        best.2 += 1;
                        if rng.below(best.2) == 0 {
                            best.1 = a;
                        }
                    }
                }
                best.1
            };
            history.push(action);
            path.push((history.clone(), player));
            game.apply(&mut world, action);
            if expands {
                break;
            }
        }
        while let Turn::Player(_) = game.turn(&world) {
            game.legal_actions(&world, &mut legal);
            let action = legal[rng.below(legal.len() as u32) as usize];
            game.apply(&mut world, action);
        }
        let returns = game.returns(&world);
        for (key, player) in path {
            let edge = edges.get_mut(&key).unwrap();
            edge.visits += 1;
            edge.sum += returns.of(player);
        }
    }
    for (key, edge) in &mut edges {
        let (action, parent) = key.split_last().unwrap();
        let visits = &log[parent][births[key] - 1..];
        edge.legal_since_birth = visits.iter().filter(|l| l.contains(action)).count() as u32;
    }
    edges
}

/// The searcher's tree keyed by history.
fn by_history<C: Copy>(tree: &Snapshot<EdgeKey<u8, C>>) -> BTreeMap<Vec<u8>, PlainEdge> {
    let mut histories: Vec<Vec<u8>> = vec![Vec::new()];
    let mut edges = BTreeMap::new();
    for node in &tree.nodes[1..] {
        let mut history = histories[node.parent as usize].clone();
        history.push(node.key.action().unwrap());
        histories.push(history.clone());
        edges.insert(
            history,
            PlainEdge {
                visits: node.visits,
                sum: node.sum,
                legal_since_birth: node.availability,
            },
        );
    }
    edges
}

#[test]
fn t_is1_availability_against_a_recount() {
    let game = Climb {
        players: 3,
        hand: 4,
    };
    for seed in 0..5 {
        let state = climb_position(&game, seed, seed as usize);
        let Turn::Player(player) = game.turn(&state) else {
            unreachable!()
        };
        let view = game.observe(&state, player);
        let mut search = Ismcts::new(keep(), Redeal);
        search
            .search(&game, &view, &Budget::simulations(3_000), Seed(seed))
            .unwrap();
        let ours = by_history(search.tree().unwrap());
        let plain = plain_ismcts(&game, &view, 3_000, Seed(seed), 0.7);
        assert_eq!(ours.len(), plain.len());
        assert!(ours.len() > 200, "{}", ours.len());
        for (history, edge) in &ours {
            assert_eq!(edge, &plain[history], "seed {seed}, after {history:?}");
            assert!(edge.visits <= edge.legal_since_birth);
        }
    }
}

/// `sum of n(e) = N(v)` at the root and `N(v) - 1` elsewhere: the visit that made a node chose no child.
fn check_visit_sums<K: Copy>(tree: &Snapshot<K>) {
    let mut sums = vec![0; tree.nodes.len()];
    for node in &tree.nodes[1..] {
        sums[node.parent as usize] += node.visits;
    }
    for (i, (node, sum)) in tree.nodes.iter().zip(&sums).enumerate() {
        assert_eq!(node.in_flight, 0);
        let has_children = tree.nodes.iter().skip(1).any(|n| n.parent == i as u32);
        if i == 0 {
            assert_eq!(*sum, node.visits);
        } else if has_children {
            assert_eq!(*sum, node.visits - 1);
        }
    }
}

#[test]
fn t_is1_visits_add_up() {
    let game = Climb {
        players: 3,
        hand: 4,
    };
    let state = climb_position(&game, 9, 2);
    let view = game.observe(&state, Player::new(state.mover as usize));
    let mut search = Ismcts::new(keep(), Redeal);
    search
        .search(&game, &view, &Budget::simulations(2_000), Seed(4))
        .unwrap();
    check_visit_sums(search.tree().unwrap());
    let nim = Nim {
        players: 3,
        heap: 12,
    };
    let mut search = Uct::<Nim>::new(keep());
    search
        .search(
            &nim,
            &NimState { heap: 12, mover: 0 },
            &Budget::simulations(5_000),
            Seed(4),
        )
        .unwrap();
    check_visit_sums(search.tree().unwrap());
}

#[test]
fn t_is1_merged_trees_add_up() {
    let game = Climb {
        players: 3,
        hand: 4,
    };
    let state = climb_position(&game, 9, 0);
    let view = game.observe(&state, Player::new(state.mover as usize));
    let settings = TreeSettings {
        parallel: Parallel::Root { trees: 5 },
        ..TreeSettings::default()
    };
    let decision = Ismcts::new(settings, Redeal)
        .search(&game, &view, &Budget::simulations(1_003), Seed(4))
        .unwrap();
    let arms = decision.candidates.len() as u64;
    assert!(arms > 2);
    let visits: u64 = decision.candidates.iter().map(|c| c.visits).sum();
    assert_eq!(visits, 1_003);
    for candidate in &decision.candidates {
        // One's own cards can be played in every world: always available but for the visits before
        // the edge was made, fewer than there are edges in each tree.
        assert!(candidate.availability <= 1_003);
        assert!(candidate.availability > 1_003 - 5 * arms, "{candidate:?}");
        assert!((candidate.policy - candidate.visits as f64 / 1_003.0).abs() < 1e-12);
    }
}

/// Trap 30: of the seed alone.
#[test]
fn every_world_of_pimc_is_another_one() {
    let game = Climb {
        players: 3,
        hand: 5,
    };
    let state = climb_position(&game, 2, 0);
    let view = game.observe(&state, Player::new(state.mover as usize));
    let decision = Pimc::new(PimcSettings::default(), Redeal)
        .search(&game, &view, &Budget::simulations(2_000), Seed(4))
        .unwrap();
    for candidate in &decision.candidates {
        // The error is over the means of the worlds: of one world 40 times it would be 0.
        assert!(candidate.std_error > 0.01, "{candidate:?}");
        assert_eq!(candidate.availability, 40);
    }
}

#[test]
fn t_is2_with_perfect_information_availability_is_age() {
    let game = Nim {
        players: 2,
        heap: 12,
    };
    let state = NimState { heap: 12, mover: 0 };
    let mut search = Ismcts::new(keep(), Identity);
    search
        .search(&game, &state, &Budget::simulations(4_000), Seed(2))
        .unwrap();
    let tree = search.tree().unwrap();
    for (i, node) in tree.nodes.iter().enumerate() {
        let choosing = node.visits - u32::from(i > 0);
        let children = tree.nodes.iter().skip(1).filter(|n| n.parent == i as u32);
        for (birth, child) in children.enumerate() {
            // Child number k is born in the (k + 1)-th visit that chose: N - birth + 1.
            assert_eq!(child.availability, choosing - birth as u32);
        }
    }
}

#[test]
fn t_is2_with_perfect_information_it_is_uct() {
    let game = Nim {
        players: 2,
        heap: 14,
    };
    let state = NimState { heap: 14, mover: 0 };
    let runs = 40;
    let share = |ismcts: bool| {
        let shares: Vec<f64> = (0..runs)
            .map(|seed| {
                let budget = Budget::simulations(2_000);
                let decision = if ismcts {
                    Ismcts::new(TreeSettings::default(), Identity).search(
                        &game,
                        &state,
                        &budget,
                        Seed(seed),
                    )
                } else {
                    Uct::default().search(&game, &state, &budget, Seed(1_000 + seed))
                };
                decision.unwrap().candidate(2).unwrap().policy
            })
            .collect();
        let mean = shares.iter().sum::<f64>() / runs as f64;
        let var = shares.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / (runs as f64 - 1.0);
        (mean, var / runs as f64)
    };
    let (a, b) = (share(true), share(false));
    let z = (a.0 - b.0) / (a.1 + b.1).sqrt();
    assert!(z.abs() < 5.0, "{a:?} {b:?} z = {z}");
}

#[test]
fn t_is6_hidden_cards_do_not_matter() {
    let game = Climb {
        players: 3,
        hand: 4,
    };
    for seed in 0..10 {
        let state = climb_position(&game, seed, 3);
        let me = Player::new(state.mover as usize);
        // The same position with the hidden cards of the other two exchanged at random.
        let mut other = state.clone();
        let view = game.observe(&state, me);
        let plan = Redeal.plan(&game, &view).unwrap();
        Redeal.sample(&game, &view, &plan, &mut Seed(seed).stream(), &mut other);
        let run = |state| {
            let view = game.observe(state, me);
            let mut search = Ismcts::new(keep(), Redeal);
            let decision = search
                .search(&game, &view, &Budget::simulations(500), Seed(seed))
                .unwrap();
            (decision, search.tree().unwrap().checksum)
        };
        assert_eq!(format!("{:?}", run(&state)), format!("{:?}", run(&other)));
    }
}

#[test]
fn only_legal_actions_are_chosen() {
    let game = Climb {
        players: 3,
        hand: 4,
    };
    for seed in 0..50 {
        let state = climb_position(&game, seed, 4);
        let view = game.observe(&state, Player::new(state.mover as usize));
        for n in [1, 2, 3, 50] {
            let decision = Ismcts::new(TreeSettings::default(), Redeal)
                .search(&game, &view, &Budget::simulations(n), Seed(seed))
                .unwrap();
            let mut legal = Vec::new();
            game.legal_actions(&state, &mut legal);
            assert!(legal.contains(&decision.action));
            assert_eq!(decision.candidates.len(), legal.len());
            assert_eq!(legal.contains(&PASS), state.table.is_some());
        }
    }
}
