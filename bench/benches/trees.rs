//! What it costs to build a tree of 400,000 edges, to be rid of it, and to build it where one was
//! before, on each storage.
//!
//! A tree lives inside [`Storage::with`] and is dropped at its end: the visitor tells when the tree
//! was built, and what comes after that is dropping. Each tree gets fresh memory, so building
//! includes what the allocator does to find it; a tree that reuses a storage gets what the last one
//! left, which typed arenas and boxes do not keep.

#[path = "common/mod.rs"]
mod common;

use common::{Processor, criterion, processor_time};
use criterion::{Criterion, criterion_group, criterion_main};
use search_core::tree::{Boxed, Bump, EdgeKey, Indexed, Limits, Storage, Tree, TreeVisitor, Typed};
use std::convert::Infallible;
use std::time::Duration;

type Key = EdgeKey<u32, Infallible>;

const EDGES: usize = 400_000;
const CHILDREN: u32 = 8;

/// Fills a tree breadth first; tells when it was done.
struct Fill;

impl TreeVisitor<Key> for Fill {
    type Output = Duration;

    fn visit<T: Tree<Key>>(self, tree: &mut T) -> Duration {
        let keys: Vec<Key> = (0..CHILDREN).map(EdgeKey::Action).collect();
        let mut nodes = std::collections::VecDeque::from([tree.root()]);
        while tree.len() <= EDGES - keys.len() {
            let Some(node) = nodes.pop_front() else { break };
            if tree.add_children(node, &keys) {
                nodes.extend(tree.children(node).map(|(child, _)| child));
            }
        }
        drop(nodes);
        processor_time()
    }
}

fn storage<S: Storage<Key>>(c: &mut Criterion<Processor>, name: &str) {
    let run = |storage: &mut S| storage.with(EdgeKey::Action(0), Limits::default(), Fill);
    c.bench_function(&format!("tree/build/400k/{name}"), |b| {
        b.iter_custom(|iterations| {
            let mut spent = Duration::ZERO;
            for _ in 0..iterations {
                let mut storage = S::default();
                let start = processor_time();
                spent += run(&mut storage) - start;
            }
            spent
        });
    });
    let mut used = S::default();
    run(&mut used);
    c.bench_function(&format!("tree/reuse/400k/{name}"), |b| {
        b.iter_custom(|iterations| {
            let mut spent = Duration::ZERO;
            for _ in 0..iterations {
                let start = processor_time();
                run(&mut used);
                spent += processor_time() - start;
            }
            spent
        });
    });
    c.bench_function(&format!("tree/drop/400k/{name}"), |b| {
        b.iter_custom(|iterations| {
            let mut spent = Duration::ZERO;
            for _ in 0..iterations {
                let mut storage = S::default();
                let built = run(&mut storage);
                drop(storage);
                spent += processor_time() - built;
            }
            spent
        });
    });
}

fn trees(c: &mut Criterion<Processor>) {
    storage::<Indexed<Key>>(c, "indexed");
    storage::<Bump>(c, "bumpalo");
    storage::<Typed>(c, "typed-arena");
    storage::<Boxed>(c, "boxed");
}

criterion_group! { name = benches; config = criterion(); targets = trees }
criterion_main!(benches);
