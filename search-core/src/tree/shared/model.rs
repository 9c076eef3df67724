//! Model checks: the real tree over the atomics of loom, with two threads in every order, and with every
//! value that a load may see.
//!
//! ```text
//! RUSTFLAGS="--cfg loom" CARGO_TARGET_DIR=target/loom cargo test -p search-core --lib tree::shared::model
//! ```

use loom::sync::Arc;

use super::*;

type Shared = SharedTree<u32>;

const ROOT: u32 = Shared::ROOT;

/// Checks every run of `first` and `second` side by side on a tree of at most so many edges beside the
/// root, which `prepare` sets up; `after` sees the tree and what they return.
fn check<T: 'static>(
    edges: u64,
    prepare: fn(&Shared),
    both: (fn(&Shared) -> T, fn(&Shared) -> T),
    after: fn(&Shared, T, T),
) {
    check_up_to(None, edges, prepare, both, after);
}

/// As [`check`], but only runs in which a thread is interrupted so often at most.
fn check_up_to<T: 'static>(
    interruptions: Option<usize>,
    edges: u64,
    prepare: fn(&Shared),
    (first, second): (fn(&Shared) -> T, fn(&Shared) -> T),
    after: fn(&Shared, T, T),
) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = interruptions;
    model.check(move || {
        let limits = Limits {
            edges: Some(edges),
            bytes: None,
        };
        let tree = Arc::new(Shared::new(limits));
        prepare(&tree);
        let other = Arc::clone(&tree);
        let other = loom::thread::spawn(move || second(&other));
        let one = first(&tree);
        let other = other.join().unwrap();
        after(&tree, one, other);
    });
}

fn keys(tree: &Shared, id: u32) -> Vec<u32> {
    let key = |(_, edge): (u32, &SharedEdge<u32>)| edge.key().expect("published with its key");
    tree.children(id).map(key).collect()
}

/// What a search does at a chance node: the child of this key, made if there is none.
fn follow(tree: &Shared, id: u32, key: u32) -> Result<u32, NotMade> {
    let mut last = None;
    for (child, edge) in tree.children(id) {
        if edge.key() == Some(key) {
            return Ok(child);
        }
        last = Some(child);
    }
    tree.append_child(id, last, key)
}

/// T-DE2: one block, across two segments, seen whole or not at all.
#[test]
fn one_of_two_threads_makes_the_block_and_nobody_sees_half_of_it() {
    fn expand(tree: &Shared, mine: [u32; 2]) -> Result<(), NotMade> {
        let made = tree.add_children(ROOT, &mine);
        let seen = keys(tree, ROOT);
        assert!(made.is_err() || seen == mine, "{seen:?}");
        assert!(matches!(seen[..], [] | [10, 11] | [20, 21]), "{seen:?}");
        made
    }
    check(
        8,
        |_| (),
        (|tree| expand(tree, [10, 11]), |tree| expand(tree, [20, 21])),
        |tree, one, other| {
            let outcomes = [(one, other), (other, one)];
            assert!(outcomes.contains(&(Ok(()), Err(NotMade::Taken))));
            assert_eq!(keys(tree, ROOT).len(), 2);
            assert_eq!(tree.len(), 3);
        },
    );
}

#[test]
fn who_only_looks_sees_a_block_whole_or_not_at_all() {
    check(
        8,
        |_| (),
        (
            |tree| assert_eq!(tree.add_children(ROOT, &[10, 11]), Ok(())),
            |tree| {
                let second = tree.block_child(ROOT, 1);
                let key = second.map(|id| tree.edge(id).key());
                assert!(matches!(key, None | Some(Some(11))), "{key:?}");
                let seen = keys(tree, ROOT);
                assert!(matches!(seen[..], [] | [10, 11]), "{seen:?}");
            },
        ),
        |tree, (), ()| assert_eq!(keys(tree, ROOT), [10, 11]),
    );
}

#[test]
fn an_outcome_that_two_threads_meet_has_one_child() {
    check(
        8,
        |_| (),
        (|tree| follow(tree, ROOT, 7), |tree| follow(tree, ROOT, 7)),
        |tree, one, other| {
            assert_eq!(keys(tree, ROOT), [7]);
            assert_eq!(tree.len(), 2);
            for result in [one, other] {
                assert!(matches!(result, Ok(1) | Err(NotMade::Taken)), "{result:?}");
            }
            assert!(one.is_ok() || other.is_ok());
        },
    );
}

#[test]
fn no_child_is_lost_where_two_are_appended() {
    check(
        8,
        |tree| assert_eq!(follow(tree, ROOT, 5), Ok(1)),
        (|tree| follow(tree, ROOT, 7), |tree| follow(tree, ROOT, 8)),
        |tree, one, other| {
            let mut expected = vec![5];
            let made = |result: Result<u32, NotMade>, key| {
                assert_ne!(result, Err(NotMade::Full));
                result.is_ok().then_some(key)
            };
            expected.extend(made(one, 7).into_iter().chain(made(other, 8)));
            let mut seen = keys(tree, ROOT);
            seen.sort_unstable();
            assert_eq!(seen, expected);
            assert_eq!(tree.len() as usize, 1 + expected.len());
        },
    );
}

/// Counters that are loaded and stored instead of added to lose a visit in some order.
#[test]
fn counters_add_up_and_nothing_stays_in_flight() {
    fn simulate(tree: &Shared, value: f64) -> u32 {
        let root = tree.edge(ROOT);
        let before = root.begin();
        assert!(root.selections().in_flight >= 1);
        root.record_availability();
        root.record(Some(value));
        before.total()
    }
    check(
        8,
        |_| (),
        (|tree| simulate(tree, 1.0), |tree| simulate(tree, 2.0)),
        |tree, one, other| {
            assert_eq!(one + other, 1, "one came first");
            let root = tree.edge(ROOT);
            let (visits, in_flight) = (2, 0);
            assert_eq!(root.selections(), Selections { visits, in_flight });
            assert_eq!((root.sum(), root.availability()), (3.0, 2));
        },
    );
}

/// Two nodes are expanded and there is room for one block: the limit is kept, and who is refused leaves
/// the node as it was.
#[test]
fn the_limit_is_exact() {
    check(
        5,
        |tree| assert_eq!(tree.add_children(ROOT, &[1, 2]), Ok(())),
        (
            |tree| tree.add_children(1, &[10, 11]),
            |tree| tree.add_children(2, &[20, 21]),
        ),
        |tree, one, other| {
            let outcomes = [(one, other), (other, one)];
            assert!(outcomes.contains(&(Ok(()), Err(NotMade::Full))));
            assert_eq!(tree.len(), 5);
            let refused = if one.is_err() { 1 } else { 2 };
            assert!(!tree.is_expanded(refused));
            assert_eq!(tree.append_child(refused, None, 30), Ok(5));
            assert_eq!(tree.append_child(5, None, 31), Err(NotMade::Full));
        },
    );
}

/// One simulation of each thread, from the root to a child and back.
#[test]
fn two_simulations_leave_a_tree_that_adds_up() {
    fn simulate(tree: &Shared) -> bool {
        tree.edge(ROOT).begin();
        if !tree.is_expanded(ROOT) {
            let _ = tree.add_children(ROOT, &[1, 2]);
        }
        let child = tree
            .children(ROOT)
            .min_by_key(|(_, edge)| edge.selections().total());
        if let Some((_, edge)) = child {
            edge.begin();
            edge.record(Some(1.0));
        }
        let found = child.is_some();
        tree.edge(ROOT).record(None);
        found
    }
    check_up_to(
        Some(3),
        8,
        |_| (),
        (simulate, simulate),
        |tree, one, other| {
            let found = u32::from(one) + u32::from(other);
            assert!(found >= 1, "who made the children follows one");
            let root = tree.edge(ROOT).selections();
            assert_eq!((root.visits, root.in_flight), (2, 0));
            let children: Vec<_> = tree.children(ROOT).map(|(_, edge)| edge).collect();
            assert_eq!(children.len(), 2);
            let visits: u32 = children.iter().map(|e| e.selections().visits).sum();
            let sum: f64 = children.iter().map(|e| e.sum()).sum();
            assert_eq!((visits, sum), (found, f64::from(found)));
            assert!(children.iter().all(|e| e.selections().in_flight == 0));
        },
    );
}
