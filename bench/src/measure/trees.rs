//! One search on every storage: the same tree, how fast it grows, what it weighs, how it goes.
//!
//! A tree lives inside [`Storage::with`] and some storages give it up at its end, so a storage is
//! wrapped in one that takes the time and the bytes when the search is done and the tree is still
//! there.

use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use classics::ConnectFour;
use lexio::{Lexio, UniformDeal};
use search_core::budget::Budget;
use search_core::decision::{Decision, SearchError};
use search_core::game::{Game, Turn};
use search_core::rng::Seed;
use search_core::rollout::Rollout;
use search_core::search::{GameKey, Ismcts, Searcher, TreeSettings, Uct};
use search_core::tree::{Boxed, Bump, Indexed, Limits, Storage, Tree, TreeVisitor, Typed};
use serde::Serialize;

use super::{Extent, heap, median, processor_time};
use crate::error::{Error, Result};

/// One search on one storage.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The search and its game.
    pub search: &'static str,
    /// The storage.
    pub storage: &'static str,
    /// Simulations of a search.
    pub simulations: u64,
    /// Edges of its tree, the root counted.
    pub edges: u64,
    /// [`Tree::checksum`] of the tree, as hexadecimal digits.
    pub checksum: String,
    /// Whether that is the checksum on the first storage.
    pub same_tree: bool,
    /// Simulations a processor second.
    pub simulations_per_second: f64,
    /// Edges a processor second.
    pub edges_per_second: f64,
    /// Bytes an edge that the storage says it uses.
    pub bytes_per_edge: f64,
    /// Bytes an edge that the allocator was asked for, room to grow included; none where it does not
    /// count.
    pub heap_per_edge: Option<f64>,
    /// The most bytes that the search held at any time.
    pub heap_peak: Option<u64>,
    /// Milliseconds to be rid of the tree.
    pub drop_ms: f64,
}

/// What was seen of a tree when its search was done.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    edges: u64,
    bytes: u64,
    /// Only where it is asked for: it takes as long as a search.
    checksum: u64,
    heap: u64,
    at: Duration,
}

/// A storage that is watched.
#[derive(Default)]
struct Watched<S> {
    storage: S,
    seen: Arc<Mutex<Seen>>,
    sums: bool,
}

/// A visitor that looks at the tree after another's work.
struct Looking<'a, V> {
    visitor: V,
    seen: &'a Mutex<Seen>,
    sums: bool,
}

impl<K: Copy + Hash + 'static, V: TreeVisitor<K>> TreeVisitor<K> for Looking<'_, V> {
    type Output = V::Output;

    fn visit<T: Tree<K>>(self, tree: &mut T) -> V::Output {
        let output = self.visitor.visit(tree);
        let seen = Seen {
            edges: tree.len() as u64,
            bytes: tree.bytes() as u64,
            heap: heap::held(),
            checksum: if self.sums { tree.checksum() } else { 0 },
            at: processor_time(),
        };
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = seen;
        output
    }
}

impl<K: Copy + Hash + 'static, S: Storage<K>> Storage<K> for Watched<S> {
    fn with<V: TreeVisitor<K>>(&mut self, root_key: K, limits: Limits, visitor: V) -> V::Output {
        let visitor = Looking {
            visitor,
            seen: &self.seen,
            sums: self.sums,
        };
        self.storage.with(root_key, limits, visitor)
    }
}

/// One search on one storage, with its figures so far.
struct Subject {
    search: &'static str,
    storage: &'static str,
    simulations: u64,
    run: Box<dyn Fn(bool) -> Result<Run>>,
}

/// One run of it.
struct Run {
    seen: Seen,
    /// Processor time when it began, and when all was gone.
    began: Duration,
    gone: Duration,
    peak: Option<u64>,
}

/// Runs a search once; with `weigh` the allocator counts and the tree is summed up, which takes time.
fn run<G: Game, S: Default, R: Searcher<G>>(
    game: &G,
    simulations: u64,
    weigh: bool,
    new: impl Fn(Watched<S>) -> R,
) -> Result<Run> {
    let seen = Arc::new(Mutex::new(Seen::default()));
    let watched = Watched {
        storage: S::default(),
        seen: Arc::clone(&seen),
        sums: weigh,
    };
    let state = game.initial_state(&mut Seed(0).simulation(0));
    let Turn::Player(player) = game.turn(&state) else {
        return Err(Error::Failed("nobody is to move at the start".into()));
    };
    let view = game.observe(&state, player);
    let budget = Budget::simulations(simulations);
    let search = || -> Result<Decision<G::Action>, SearchError> {
        let mut searcher = new(watched);
        searcher.search(game, &view, &budget, Seed(1))
    };
    let began = processor_time();
    let (decision, heap) = if weigh {
        heap::measure(search)
    } else {
        (search(), None)
    };
    let gone = processor_time();
    decision.map_err(|e| Error::Failed(e.to_string()))?;
    let seen = *seen.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(Run {
        seen,
        began,
        gone,
        peak: heap.map(|h| h.peak),
    })
}

/// The subjects of one search: a macro, since each storage is another type.
macro_rules! on_all_storages {
    ($search:expr, $simulations:expr, $game:ty, |$storage:ident| $new:expr) => {
        on_all_storages!(@ $search, $simulations, $game, |$storage| $new, [
            ("indexed", Indexed<GameKey<$game>>),
            ("bumpalo", Bump),
            ("typed-arena", Typed),
            ("boxed", Boxed),
        ])
    };
    (@ $search:expr, $simulations:expr, $game:ty, |$storage:ident| $new:expr,
        [$(($name:expr, $kind:ty),)*]) => {
        vec![$(
            Subject {
                search: $search,
                storage: $name,
                simulations: $simulations,
                run: Box::new(move |weigh| {
                    let game = <$game>::default();
                    run(&game, $simulations, weigh, |$storage: Watched<$kind>| $new)
                }),
            },
        )*]
    };
}

fn subjects(extent: Extent<'_>) -> Vec<Subject> {
    let (deep, wide) = (extent.simulations(400_000), extent.simulations(100_000));
    let settings = TreeSettings::default();
    let random = Rollout::random();
    let mut subjects: Vec<Subject> =
        on_all_storages!("uct/connect-four", deep, ConnectFour, |storage| {
            Uct::with(settings, random, storage)
        });
    let others: Vec<Subject> = on_all_storages!("ismcts/lexio", wide, Lexio, |storage| {
        Ismcts::with(settings, UniformDeal, random, storage)
    });
    subjects.extend(others);
    subjects.retain(|s| extent.wants(&format!("{}/{}", s.search, s.storage)));
    subjects
}

/// Measures every search on every storage.
///
/// # Errors
/// When a search fails.
pub fn measure(extent: Extent<'_>) -> Result<Vec<Row>> {
    let subjects = subjects(extent);
    let weighed: Vec<Run> = subjects
        .iter()
        .map(|s| (s.run)(true))
        .collect::<Result<_>>()?;
    let mut times = vec![(Vec::new(), Vec::new()); subjects.len()];
    for _ in 0..extent.turns() {
        for (subject, (searches, drops)) in subjects.iter().zip(&mut times) {
            let run = (subject.run)(false)?;
            searches.push((run.seen.at - run.began).as_secs_f64().max(1e-9));
            drops.push((run.gone - run.seen.at).as_secs_f64());
        }
    }
    let mut rows: Vec<Row> = Vec::new();
    for ((subject, run), (searches, drops)) in subjects.iter().zip(&weighed).zip(times) {
        let seconds = median(searches);
        let edges = run.seen.edges as f64;
        let checksum = format!("{:016x}", run.seen.checksum);
        let first = rows.iter().find(|r| r.search == subject.search);
        rows.push(Row {
            search: subject.search,
            storage: subject.storage,
            simulations: subject.simulations,
            edges: run.seen.edges,
            same_tree: first.is_none_or(|r| r.checksum == checksum && r.edges == run.seen.edges),
            checksum,
            simulations_per_second: subject.simulations as f64 / seconds,
            edges_per_second: edges / seconds,
            bytes_per_edge: run.seen.bytes as f64 / edges,
            heap_per_edge: run.peak.map(|_| run.seen.heap as f64 / edges),
            heap_peak: run.peak,
            drop_ms: 1000.0 * median(drops),
        });
    }
    Ok(rows)
}
