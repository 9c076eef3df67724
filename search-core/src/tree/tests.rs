use super::*;

type Key = EdgeKey<u32, std::convert::Infallible>;

struct Build<F>(F);

trait Job {
    type Output;
    fn run<T: Tree<Key>>(self, tree: &mut T) -> Self::Output;
}

impl<J: Job> TreeVisitor<Key> for Build<J> {
    type Output = J::Output;
    fn visit<T: Tree<Key>>(self, tree: &mut T) -> J::Output {
        self.0.run(tree)
    }
}

fn on_all<J: Job + Clone>(job: &J, limits: Limits) -> Vec<J::Output> {
    let key = EdgeKey::Action(0);
    vec![
        Indexed::default().with(key, limits, Build(job.clone())),
        Bump::default().with(key, limits, Build(job.clone())),
        Typed.with(key, limits, Build(job.clone())),
        Boxed.with(key, limits, Build(job.clone())),
    ]
}

#[derive(Clone)]
struct Mixed;

impl Job for Mixed {
    type Output = (u64, Vec<u32>, usize);
    fn run<T: Tree<Key>>(self, tree: &mut T) -> Self::Output {
        let root = tree.root();
        let keys: Vec<Key> = [5, 3, 9].map(EdgeKey::Action).to_vec();
        assert!(!tree.has_children(root));
        assert!(tree.add_children(root, &keys));
        let second = tree.block_child(root, 1).unwrap();
        assert!(tree.block_child(root, 3).is_none());
        // A block, then appended children behind it; and a node with appended children only.
        let last = tree.children(root).last().unwrap().0;
        let extra = tree
            .append_child(root, Some(last), EdgeKey::Action(7))
            .unwrap();
        tree.append_child(root, Some(extra), EdgeKey::Action(8))
            .unwrap();
        let a = tree.append_child(second, None, EdgeKey::Action(1)).unwrap();
        let b = tree
            .append_child(second, Some(a), EdgeKey::Action(2))
            .unwrap();
        tree.edge(b).record(0.25);
        tree.edge(second).record(-1.5);
        tree.edge(second).record_availability();
        let order = tree
            .children(root)
            .map(|(_, e)| e.key().action().unwrap())
            .collect();
        (tree.checksum(), order, tree.len())
    }
}

#[test]
fn all_storages_hold_the_same_tree() {
    let results = on_all(&Mixed, Limits::default());
    assert_eq!(results[0].1, [5, 3, 9, 7, 8]);
    assert_eq!(results[0].2, 8);
    assert!(results.iter().all(|r| *r == results[0]), "{results:?}");
}

#[derive(Clone)]
struct Fill(usize);

impl Job for Fill {
    type Output = (usize, usize);
    fn run<T: Tree<Key>>(self, tree: &mut T) -> Self::Output {
        let keys: Vec<Key> = (0..self.0 as u32).map(EdgeKey::Action).collect();
        let mut frontier = vec![tree.root()];
        while let Some(id) = frontier.pop() {
            if !tree.add_children(id, &keys) {
                break;
            }
            frontier.extend(tree.children(id).map(|(child, _)| child));
        }
        // What a block no longer fits, single children still may.
        let id = frontier[0];
        let mut last = None;
        while let Some(child) = tree.append_child(id, last, EdgeKey::Action(99)) {
            last = Some(child);
        }
        (tree.len(), tree.bytes())
    }
}

#[test]
fn edge_limits_are_exact() {
    for (len, _) in on_all(
        &Fill(7),
        Limits {
            edges: Some(100),
            bytes: None,
        },
    ) {
        assert_eq!(len, 101);
    }
}

#[test]
fn byte_limits_are_never_exceeded() {
    for (len, bytes) in on_all(
        &Fill(7),
        Limits {
            edges: None,
            bytes: Some(4_096),
        },
    ) {
        assert!(bytes <= 4_096, "{bytes}");
        assert!(len > 50);
    }
    assert_eq!(Indexed::<Key>::BYTES_PER_EDGE, 32);
}

/// Appends children until none fits: in a chain, or all to the root.
#[derive(Clone)]
struct Append {
    chain: bool,
}

impl Job for Append {
    type Output = (usize, usize);
    fn run<T: Tree<Key>>(self, tree: &mut T) -> Self::Output {
        let (mut id, mut last) = (tree.root(), None);
        while let Some(child) = tree.append_child(id, last, EdgeKey::Action(1)) {
            if self.chain {
                id = child;
            } else {
                last = Some(child);
            }
        }
        (tree.len(), tree.bytes())
    }
}

/// One child more would not fit: on the storages whose edges are all of one size to the byte, and in
/// boxes, where a list may have to double, by the growth of that list.
#[test]
fn byte_limits_are_used_up() {
    for chain in [false, true] {
        for most in [1_000_u64, 4_096, 100_001] {
            let limits = Limits {
                edges: None,
                bytes: Some(most),
            };
            let results = on_all(&Append { chain }, limits);
            for (i, (len, bytes)) in results.iter().enumerate() {
                assert!(*bytes as u64 <= most, "{i}: {bytes} of {most}");
                let each = bytes / len;
                let list = if i == 3 && !chain { 4 * len } else { 0 };
                let next = (bytes + each + list + 8) as u64;
                assert!(next > most, "{i}: {bytes} of {most} in {len}");
            }
        }
    }
}

/// A limit beyond all memory is no reason to ask the system for it.
#[test]
fn limits_beyond_all_memory_are_none() {
    let limits = Limits {
        edges: Some(u64::MAX),
        bytes: Some(u64::MAX),
    };
    let results = on_all(&Mixed, limits);
    assert!(results.iter().all(|r| r.2 == 8));
}

#[derive(Clone)]
struct DeepAppended;

impl Job for DeepAppended {
    type Output = usize;
    fn run<T: Tree<Key>>(self, tree: &mut T) -> usize {
        let mut id = tree.root();
        for _ in 0..1 << 20 {
            id = tree.append_child(id, None, EdgeKey::Action(1)).unwrap();
        }
        tree.len()
    }
}

#[derive(Clone)]
struct Deep;

impl Job for Deep {
    type Output = usize;
    fn run<T: Tree<Key>>(self, tree: &mut T) -> usize {
        let mut id = tree.root();
        for _ in 0..1 << 20 {
            assert!(tree.add_children(id, &[EdgeKey::Action(1)]));
            id = tree.block_child(id, 0).unwrap();
        }
        tree.len()
    }
}

#[test]
fn deep_chains_build_and_drop_on_a_small_stack() {
    let thread = std::thread::Builder::new().stack_size(128 * 1024);
    let lens = thread
        .spawn(|| {
            let mut lens = on_all(&Deep, Limits::default());
            lens.extend(on_all(&DeepAppended, Limits::default()));
            lens
        })
        .unwrap()
        .join()
        .unwrap();
    assert_eq!(lens, [(1 << 20) + 1; 8]);
}

#[test]
fn memory_is_reused_and_forgotten() {
    let mut storage = Indexed::default();
    let first = storage.with(EdgeKey::Action(0), Limits::default(), Build(Mixed));
    let again = storage.with(EdgeKey::Action(0), Limits::default(), Build(Mixed));
    assert_eq!(first, again);
}

/// Trap 40.
#[test]
fn large_counts_stay_exact() {
    let edge: Edge<_> = Edge::new(EdgeKey::<u32, u8>::Action(0));
    edge.restore(1 << 24, 0.0, 0);
    edge.record(1.0);
    assert_eq!((edge.visits(), edge.sum()), ((1 << 24) + 1, 1.0));
    edge.restore(u32::MAX - 1, f64::from(u32::MAX - 1), 0);
    edge.record(1.0);
    assert_eq!(edge.mean(), 1.0);
}

/// Children of two nodes, appended in turns.
#[derive(Clone)]
struct Turns;

impl Job for Turns {
    type Output = (Vec<Vec<u32>>, usize);
    fn run<T: Tree<Key>>(self, tree: &mut T) -> Self::Output {
        let root = tree.root();
        assert!(tree.add_children(root, &[EdgeKey::Action(0), EdgeKey::Action(1)]));
        let parents: Vec<T::Id> = tree.children(root).map(|(id, _)| id).collect();
        let mut made: Vec<Vec<T::Id>> = vec![Vec::new(); 2];
        for i in 0..100 {
            for (parent, made) in parents.iter().zip(&mut made) {
                let last = made.last().copied();
                let child = tree.append_child(*parent, last, EdgeKey::Action(i));
                made.push(child.unwrap());
            }
        }
        let number = |key: Key| key.action().unwrap();
        for (parent, made) in parents.iter().zip(&made) {
            let linked: Vec<u32> = tree.linked(*parent).map(|(_, e)| number(e.key())).collect();
            assert_eq!(linked, (0..100).collect::<Vec<u32>>());
            assert!(
                tree.children(*parent)
                    .map(|(id, _)| id)
                    .eq(made.iter().copied())
            );
        }
        let keys = |made: &Vec<T::Id>| {
            let keys = made.iter().map(|&id| number(tree.edge(id).key()));
            keys.collect()
        };
        (made.iter().map(keys).collect(), tree.len())
    }
}

/// What is kept free for one node is never given to another, and counts as no edge.
#[test]
fn children_appended_in_turns_stay_with_their_node() {
    let results = on_all(&Turns, Limits::default());
    for (keys, len) in results {
        assert!(keys.iter().all(|k| k.iter().copied().eq(0..100)));
        assert_eq!(len, 203);
    }
    let tight = Limits {
        edges: Some(202),
        bytes: None,
    };
    assert!(on_all(&Turns, tight).iter().all(|(_, len)| *len == 203));
}
