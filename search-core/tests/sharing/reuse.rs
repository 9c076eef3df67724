//! Going on with the tree of the decision before: T-TR1, traps 26, 34 and 45.

use crate::common::{Lottery, LotteryState, Nim, NimState};
use search_core::budget::Budget;
use search_core::decision::Decision;
use search_core::game::{Game, Turn};
use search_core::rng::{Draw, Seed, SimRng};
use search_core::rollout::Rollout;
use search_core::search::{Parallel, Searcher, TreeSettings, Uct};
use search_core::tree::{
    Boxed, EdgeKey, Indexed, Limits, Snapshot, SnapshotNode, Storage, Tree, TreeVisitor,
};

/// Grows a tree at random: blocks and chains, every counter another number.
struct Grow {
    rng: SimRng,
    nodes: usize,
}

impl TreeVisitor<u32> for Grow {
    type Output = Snapshot<u32>;

    fn visit<T: Tree<u32>>(mut self, tree: &mut T) -> Snapshot<u32> {
        let mut ids = vec![tree.root()];
        while ids.len() < self.nodes {
            let at = ids[self.rng.below(ids.len() as u32) as usize];
            let children: Vec<_> = tree.children(at).map(|(id, _)| id).collect();
            let key = self.rng.below(1 << 30);
            if children.is_empty() && self.rng.below(2) == 0 {
                let keys: Vec<u32> = (0..1 + key % 4).map(|i| key ^ i).collect();
                assert!(tree.add_children(at, &keys));
                ids.extend(tree.children(at).map(|(id, _)| id));
            } else {
                ids.extend(tree.append_child(at, children.last().copied(), key));
            }
        }
        for id in ids {
            let (visits, sum) = (self.rng.below(1_000), self.rng.unit());
            tree.edge(id).restore(visits, sum, self.rng.below(1_000));
        }
        Snapshot::of(tree)
    }
}

struct Look;

impl TreeVisitor<u32> for Look {
    type Output = Snapshot<u32>;

    fn visit<T: Tree<u32>>(self, tree: &mut T) -> Snapshot<u32> {
        Snapshot::of(tree)
    }
}

/// The nodes below one of a snapshot, level by level, itself first.
fn below<K: Copy>(tree: &Snapshot<K>, root: usize) -> Vec<SnapshotNode<K>> {
    let mut old = vec![root];
    let mut nodes = vec![SnapshotNode {
        parent: 0,
        depth: 0,
        ..tree.nodes[root].clone()
    }];
    let mut at = 0;
    while at < old.len() {
        for (i, node) in tree.nodes.iter().enumerate().skip(1) {
            if node.parent as usize == old[at] {
                old.push(i);
                nodes.push(SnapshotNode {
                    parent: at as u32,
                    depth: nodes[at].depth + 1,
                    ..node.clone()
                });
            }
        }
        at += 1;
    }
    nodes
}

/// The keys from the root to a node.
fn path<K: Copy>(tree: &Snapshot<K>, mut at: usize) -> Vec<K> {
    let mut keys = Vec::new();
    while at != 0 {
        keys.push(tree.nodes[at].key);
        at = tree.nodes[at].parent as usize;
    }
    keys.reverse();
    keys
}

/// T-TR1, trap 34: what is kept is the subtree, counter by counter, and it can grow on.
#[test]
fn t_tr1_what_is_kept_is_the_subtree() {
    let mut kept = 0;
    for seed in 0..300 {
        let mut rng = Seed(seed).simulation(0);
        let mut storage = Indexed::default();
        let grow = Grow {
            rng: rng.clone(),
            nodes: 60,
        };
        let whole = storage.with(0, Limits::default(), grow);
        let at = rng.below(whole.nodes.len() as u32) as usize;
        let mut expected = below(&whole, at);
        let visits: u32 = expected
            .iter()
            .filter(|n| n.depth == 1)
            .map(|n| n.visits)
            .sum();
        let found = storage.reroot(&path(&whole, at));
        if expected.len() == 1 {
            assert_eq!(found, None);
            continue;
        }
        // Keys may come twice below one node here; then the first is meant.
        kept += 1;
        assert_eq!(found, Some(visits));
        (
            expected[0].visits,
            expected[0].sum,
            expected[0].availability,
        ) = (visits, 0.0, 0);
        let now = storage.revisit(Look).unwrap();
        assert_eq!(now.nodes, expected);
        // The same growth from a copy of the subtree and from what is kept of it.
        let more = |rng| Grow { rng, nodes: 40 };
        let grown = storage.with(0, Limits::default(), more(rng.clone()));
        assert!(grown.nodes.len() >= expected.len());
        // Only what was kept once is begun from.
        let fresh = storage.with(7, Limits::default(), Look);
        assert_eq!(fresh.nodes.len(), 1);
    }
    assert!(kept > 50);
}

#[test]
fn what_does_not_fit_or_is_not_there_is_not_kept() {
    let mut storage = Indexed::default();
    let grow = || Grow {
        rng: Seed(1).simulation(0),
        nodes: 50,
    };
    assert_eq!(storage.reroot(&[]), None);
    assert_eq!(storage.revisit(Look), None);
    let whole = storage.with(0, Limits::default(), grow());
    assert_eq!(storage.reroot(&[u32::MAX]), None);
    assert_eq!(storage.with(0, Limits::default(), Look).nodes.len(), 1);
    storage.with(0, Limits::default(), grow());
    assert!(storage.reroot(&[]).is_some());
    let small = Limits {
        edges: Some(whole.nodes.len() as u64 - 2),
        bytes: None,
    };
    assert_eq!(storage.with(0, small, Look).nodes.len(), 1);
    storage.with(0, Limits::default(), grow());
    assert!(storage.reroot(&[]).is_some());
    storage.forget();
    assert_eq!(storage.with(0, Limits::default(), Look).nodes.len(), 1);
}

const NIM: Nim = Nim {
    players: 2,
    heap: 401,
};

fn uct() -> Uct<Nim> {
    Uct::new(TreeSettings {
        keep_tree: true,
        ..TreeSettings::default()
    })
}

fn played(actions: &[u32]) -> Vec<EdgeKey<u32, std::convert::Infallible>> {
    actions.iter().map(|&a| EdgeKey::Action(a)).collect()
}

fn text<A: std::fmt::Debug>(decision: &Decision<A>) -> String {
    format!("{decision:?}")
}

/// T-TR1, traps 26 and 34: over 200 moves with a tree that is kept, every choice is legal, memory
/// stays bounded, and what is inherited is what the tree said.
#[test]
fn t_tr1_two_hundred_moves_with_one_tree() {
    let mut state = NIM.initial_state(&mut Seed(0).stream());
    let mut rng = Seed(8).simulation(0);
    let (mut uct, budget) = (uct(), Budget::simulations(400));
    let (mut moves, mut inherited, mut reused) = (0, 0, 0);
    let mut legal = Vec::new();
    while NIM.turn(&state) != Turn::Terminal {
        let decision = uct.search(&NIM, &state, &budget, Seed(moves)).unwrap();
        assert_eq!(decision.effort.inherited, inherited);
        assert_eq!(decision.effort.simulations, 400);
        let visits: u64 = decision.candidates.iter().map(|c| c.visits).sum();
        assert_eq!(visits, 400 + inherited);
        for c in decision.candidates.iter().filter(|c| c.visits > 1) {
            assert!(c.std_error.is_finite() && c.visits <= c.availability);
        }
        // Three edges a simulation at most, of this search and of those it inherits from.
        assert!(decision.effort.edges <= 3 * (400 + inherited + 1));
        assert!(decision.effort.edges < 3_000);
        NIM.legal_actions(&state, &mut legal);
        assert!(legal.contains(&decision.action));
        NIM.apply(&mut state, decision.action);
        let mut line = vec![decision.action];
        if NIM.turn(&state) != Turn::Terminal {
            NIM.legal_actions(&state, &mut legal);
            let reply = rng.pick(&legal).unwrap();
            NIM.apply(&mut state, reply);
            line.push(reply);
        }
        let tree = uct.last_tree().unwrap().clone();
        let kept = uct.advance(&played(&line));
        // By hand: the visits below the node of that line.
        let mut at = Some(0);
        for key in played(&line) {
            at = at.and_then(|at| {
                (1..tree.nodes.len())
                    .find(|&i| tree.nodes[i].parent as usize == at && tree.nodes[i].key == key)
            });
        }
        let sum = at.map_or(0, |at| {
            let children = tree.nodes[1..].iter().filter(|n| n.parent as usize == at);
            children.map(|n| u64::from(n.visits)).sum()
        });
        assert_eq!(kept.unwrap_or(0), sum);
        inherited = sum;
        reused += u64::from(sum > 0);
        moves += 1;
    }
    assert!(moves >= 67 && reused > moves / 2, "{reused} of {moves}");
}

/// Traps 26 and 45: an unseen line, another position, and several trees begin afresh, bit for bit.
#[test]
fn what_cannot_be_kept_begins_afresh() {
    let at = |heap| NimState { heap, mover: 0 };
    let budget = Budget::simulations(300);
    let fresh = text(&uct().search(&NIM, &at(2), &budget, Seed(2)).unwrap());
    let mut search = uct();
    let first = |search: &mut Uct<Nim>| search.search(&NIM, &at(20), &budget, Seed(1)).unwrap();
    // Nothing was played.
    first(&mut search);
    assert_eq!(
        text(&search.search(&NIM, &at(2), &budget, Seed(2)).unwrap()),
        fresh
    );
    // It is not in the tree.
    first(&mut search);
    assert_eq!(search.advance(&played(&[1, 9])), None);
    assert_eq!(
        text(&search.search(&NIM, &at(2), &budget, Seed(2)).unwrap()),
        fresh
    );
    // The tree is of a position with three actions, this one has two.
    first(&mut search);
    assert!(search.advance(&played(&[1])).is_some());
    assert_eq!(
        text(&search.search(&NIM, &at(2), &budget, Seed(2)).unwrap()),
        fresh
    );
    // Told to.
    first(&mut search);
    assert!(search.advance(&played(&[1])).is_some());
    search.restart();
    assert_eq!(
        text(&search.search(&NIM, &at(2), &budget, Seed(2)).unwrap()),
        fresh
    );
    // It does not fit.
    first(&mut search);
    assert!(search.advance(&played(&[3])).is_some());
    let small = budget.clone().with_nodes(9);
    let decision = search.search(&NIM, &at(17), &small, Seed(2)).unwrap();
    assert_eq!(decision.effort.inherited, 0);
    assert_eq!(
        text(&decision),
        text(&uct().search(&NIM, &at(17), &small, Seed(2)).unwrap())
    );
    // Several trees, several threads in one, and storages that keep nothing.
    for parallel in [Parallel::Root { trees: 2 }, Parallel::Shared] {
        let mut search = uct();
        first(&mut search);
        search.settings.parallel = parallel;
        first(&mut search);
        assert_eq!(search.advance(&played(&[1])), None);
        first(&mut search);
    }
    let mut boxed = Uct::with(TreeSettings::default(), Rollout::random(), Boxed);
    boxed.search(&NIM, &at(20), &budget, Seed(1)).unwrap();
    assert_eq!(boxed.advance(&played(&[1])), None);
}

/// A tree that is kept is as good as the simulations that made it.
#[test]
fn t_tr1_kept_simulations_are_worth_new_ones() {
    let at = |heap| NimState { heap, mover: 0 };
    let (mut search, mut right, mut apart) = (uct(), [0, 0], 0.0);
    for seed in 0..40 {
        search
            .search(&NIM, &at(11), &Budget::simulations(3_000), Seed(seed))
            .unwrap();
        let inherited = search.advance(&played(&[3, 1])).unwrap();
        let reused = search
            .search(&NIM, &at(7), &Budget::simulations(300), Seed(seed + 100))
            .unwrap();
        assert_eq!(reused.effort.inherited, inherited);
        let budget = Budget::simulations(300 + inherited);
        let fresh = uct()
            .search(&NIM, &at(7), &budget, Seed(seed + 200))
            .unwrap();
        for (count, decision) in right.iter_mut().zip([&reused, &fresh]) {
            *count += u32::from(decision.action == 3);
        }
        apart += (reused.chosen().mean - fresh.chosen().mean) / 40.0;
    }
    assert!(right[0] >= 35 && right[1] >= 35, "{right:?}");
    assert!(apart.abs() < 0.1, "{apart}");
}

/// With chance between, positions are found by what they are.
#[test]
fn a_position_is_found_behind_chance_and_others_are_not() {
    let game = Lottery {
        seed: 5,
        players: 2,
        actions: 2,
        plies: 8,
        dice: false,
    };
    let mut uct = Uct::<Lottery>::default();
    let (mut state, mut rng) = (game.start(), Seed(4).simulation(0));
    let budget = Budget::simulations(5_000);
    let mut total = 0;
    while game.turn(&state) != Turn::Terminal {
        let decision = uct.search(&game, &state, &budget, Seed(3)).unwrap();
        total += decision.effort.inherited;
        let before = state.clone();
        game.apply(&mut state, decision.action);
        let outcome = game.sample_chance(&state, &mut rng);
        game.apply_chance(&mut state, outcome);
        let is_it = |s: &LotteryState| *s == state;
        // Two plies are too few when one is allowed.
        if before.ply == 4 {
            assert_eq!(uct.follow(&game, &before, 1, is_it), None);
            assert_eq!(uct.follow(&game, &before, 9, is_it), None);
        } else if state.ply < 8 {
            let kept = uct.follow(&game, &before, 4, is_it);
            assert!(kept.is_some(), "at {}", before.ply);
        }
    }
    assert!(total > 1_000, "{total}");
}

/// T-TR1: of what is inherited only means are known, and standard errors are still those of so many
/// returns of 1 and -1.
#[test]
fn t_tr1_standard_errors_are_of_all_simulations() {
    let game = Nim {
        players: 2,
        heap: 30,
    };
    let mut uct = Uct::default();
    let budget = Budget::simulations(6_000);
    let root = NimState { heap: 30, mover: 0 };
    uct.search(&game, &root, &budget, Seed(1)).unwrap();
    let kept = uct.advance(&[EdgeKey::Action(1), EdgeKey::Action(3)]);
    assert!(kept.unwrap() > 100, "{kept:?}");
    let root = NimState { heap: 26, mover: 0 };
    let decision = uct.search(&game, &root, &budget, Seed(2)).unwrap();
    assert_eq!(Some(decision.effort.inherited), kept);
    for candidate in &decision.candidates {
        let variance = 1.0 - candidate.mean * candidate.mean;
        let expected = (variance / candidate.visits as f64).sqrt();
        let ratio = candidate.std_error / expected;
        assert!((0.8..1.25).contains(&ratio), "{candidate:?}");
    }
}
