//! What simulations, threads and searches share: one tree for several threads, one node for several
//! ways to a position, one tree for several decisions, batches.

mod batch;
#[path = "../searchers/common.rs"]
mod common;
mod graph;
mod reuse;
mod shared;
