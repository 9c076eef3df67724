use std::collections::BTreeSet;
use std::sync::Barrier;
use std::sync::atomic::{AtomicU32, Ordering};

use super::*;
use crate::tree::{Indexed, Storage, TreeVisitor};

type Shared = SharedTree<u32>;

const THREADS: usize = 4;

/// Runs `work` on several threads that begin together, each with its number.
fn together(work: impl Fn(usize) + Sync) {
    let barrier = Barrier::new(THREADS);
    std::thread::scope(|scope| {
        for number in 0..THREADS {
            let (barrier, work) = (&barrier, &work);
            scope.spawn(move || {
                barrier.wait();
                work(number);
            });
        }
    });
}

#[test]
fn every_identifier_has_its_own_place() {
    let mut next = (0, 0);
    for id in 0..100_000 {
        let (segment, offset) = place(id);
        assert!((segment, offset) == next, "{id}");
        next = if offset + 1 == (BASE as usize) << segment {
            (segment + 1, 0)
        } else {
            (segment, offset + 1)
        };
    }
    assert!(place(MOST as u32 - 1).0 < SEGMENTS);
}

/// T-DE2: one block is made, by one thread, and nobody sees half of it.
/// Trap 41.
#[test]
fn t_de2_one_thread_makes_the_children_and_all_see_them_whole() {
    for round in 0..500 {
        let tree = Shared::new(Limits::default());
        let makers = AtomicU32::new(0);
        together(|number| {
            let mine: Vec<u32> = (0..7).map(|i| (number * 100 + i) as u32).collect();
            if tree.add_children(Shared::ROOT, &mine).is_ok() {
                makers.fetch_add(1, Ordering::Relaxed);
            }
            let seen: Vec<u32> = tree
                .children(Shared::ROOT)
                .map(|(_, edge)| edge.key().unwrap())
                .collect();
            // Nothing as long as they are being made, then all of one thread.
            assert!(seen.is_empty() || seen.len() == 7, "{seen:?}");
            assert!(
                seen.iter()
                    .zip(seen.iter().skip(1))
                    .all(|(a, b)| a + 1 == *b)
            );
        });
        assert_eq!(makers.into_inner(), 1, "round {round}");
        assert_eq!(tree.len(), 8);
    }
}

/// T-DE2, trap 25: threads that append the same children make each once.
#[test]
fn t_de2_no_child_is_appended_twice() {
    let most = 40;
    for _ in 0..100 {
        let tree = Shared::new(Limits::default());
        together(|number| {
            for i in 0..most {
                let key = (i + number as u32 * 7) % most;
                loop {
                    let mut last = None;
                    let mut there = false;
                    for (id, edge) in tree.children(Shared::ROOT) {
                        last = Some(id);
                        there |= edge.key() == Some(key);
                    }
                    if there || tree.append_child(Shared::ROOT, last, key).is_ok() {
                        break;
                    }
                }
            }
        });
        let keys: Vec<u32> = tree
            .children(Shared::ROOT)
            .map(|(_, edge)| edge.key().unwrap())
            .collect();
        assert_eq!(keys.len(), most as usize);
        assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), most as usize);
        assert_eq!(tree.len(), most + 1);
    }
}

/// T-DE2: no update is lost, and what went in flight came back.
#[test]
fn t_de2_counters_lose_nothing() {
    let tree = Shared::new(Limits::default());
    let edge = tree.edge(Shared::ROOT);
    // More than a time slice of work, so that threads meet on a busy machine too.
    let each = 1_000_000;
    together(|number| {
        for _ in 0..each {
            edge.begin();
            edge.record_availability();
            // Whole numbers: their sum is exact in any order.
            edge.record(Some((number + 1) as f64));
        }
    });
    let all = each * THREADS as u32;
    let expected = Selections {
        visits: all,
        in_flight: 0,
    };
    assert_eq!(edge.selections(), expected);
    assert_eq!(edge.availability(), all);
    assert_eq!(edge.sum(), f64::from(each) * 10.0);
}

/// Caps on edges and bytes hold for any number of threads.
#[test]
fn the_caps_are_exact() {
    let bytes = |edges: u64| edges * Shared::BYTES_PER_EDGE as u64;
    for most in [0_u64, 1, 6, 1_022, 1_023, 1_024, 1_025, 5_000] {
        for limits in [
            Limits {
                edges: Some(most),
                bytes: None,
            },
            Limits {
                edges: None,
                bytes: Some(bytes(most + 1) + 3),
            },
        ] {
            let tree = Shared::new(limits);
            together(|_| {
                let mut last = None;
                for key in 0..3_000 {
                    last = tree.append_child(Shared::ROOT, last, key).ok().or(last);
                    let _ = last.map(|id| tree.add_children(id, &[1, 2, 3]));
                }
            });
            assert!(u64::from(tree.len()) <= most + 1, "{limits:?}");
            let held: usize = tree
                .segments
                .iter()
                .filter_map(OnceLock::get)
                .map(|s| s.len())
                .sum();
            assert!(limits.bytes.is_none_or(|b| bytes(held as u64) <= b));
            // One more at a time, and it is full to the last edge.
            while tree.claim(1).is_some() {}
            assert_eq!(u64::from(tree.len()), most + 1);
        }
    }
}

/// A block that lies in several segments is one block.
#[test]
fn blocks_cross_segments() {
    let tree = Shared::new(Limits::default());
    let keys: Vec<u32> = (0..60_000).collect();
    assert_eq!(tree.add_children(Shared::ROOT, &keys), Ok(()));
    let seen: Vec<u32> = tree
        .children(Shared::ROOT)
        .map(|(_, edge)| edge.key().unwrap())
        .collect();
    assert_eq!(seen, keys);
    for (id, edge) in tree.children(Shared::ROOT) {
        assert!(std::ptr::eq(edge, tree.edge(id)));
        assert_eq!(tree.block_child(Shared::ROOT, id - 1), Some(id));
    }
    assert_eq!(tree.block_child(Shared::ROOT, 60_000), None);
    assert_eq!(tree.add_children(Shared::ROOT, &[1]), Err(NotMade::Taken));
    assert_eq!(tree.add_children(1, &[]), Err(NotMade::Full));
}

/// Trap 35: a deep tree is freed on a small stack.
#[test]
fn a_chain_drops_without_recursion() {
    let chain = || {
        let tree = Shared::new(Limits::default());
        let mut at = Shared::ROOT;
        for key in 0..200_000 {
            at = tree.append_child(at, None, key).unwrap();
        }
        drop(tree);
    };
    let small = std::thread::Builder::new().stack_size(512 * 1024);
    small.spawn(chain).unwrap().join().unwrap();
}

struct CopyOf<'a>(&'a Shared);

impl TreeVisitor<u32> for CopyOf<'_> {
    type Output = Vec<(u32, u32, f64, u32, u16)>;

    fn visit<T: Tree<u32>>(self, tree: &mut T) -> Self::Output {
        self.0.copy_to(tree);
        let snapshot = crate::tree::Snapshot::of(tree);
        let nodes = snapshot.nodes.iter();
        nodes
            .map(|n| (n.parent, n.visits, n.sum, n.availability, n.in_flight))
            .collect()
    }
}

#[test]
fn a_copy_has_everything() {
    let tree = Shared::new(Limits::default());
    tree.add_children(Shared::ROOT, &[4, 5]).unwrap();
    let a = tree.append_child(1, None, 6).unwrap();
    let b = tree.append_child(1, Some(a), 7).unwrap();
    tree.edge(b).begin();
    tree.edge(b).record(Some(2.5));
    tree.edge(b).begin();
    tree.edge(a).record_availability();
    let copy = Indexed::default().with(0, Limits::default(), CopyOf(&tree));
    let rest = (0, 0, 0.0, 0, 0);
    let expected = [rest, rest, rest, (1, 0, 0.0, 1, 0), (1, 1, 2.5, 0, 1)];
    assert_eq!(copy, expected);
}
