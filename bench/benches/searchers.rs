//! Simulations a second of each search, beside its ceiling: playouts alone, or redeals and
//! playouts, on the same game code. `shares` shows the ratio.

#[path = "common/mod.rs"]
mod common;

use common::{Processor, criterion, subjects};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn searchers(c: &mut Criterion<Processor>) {
    for mut subject in subjects(10) {
        // `uct/connect-four` is the group, the storage the row; for others the search is the row.
        let (group, row) = match subject.name.rsplit_once('/') {
            Some((group, row)) if group.contains('/') => (group, row),
            _ => (subject.name, "indexed"),
        };
        let mut group = c.benchmark_group(group);
        group.throughput(Throughput::Elements(subject.simulations));
        group.bench_function(row, |b| b.iter(|| (subject.search)()));
        if row == "indexed" {
            group.bench_function(subject.ceiling_name, |b| b.iter(|| (subject.ceiling)()));
        }
        group.finish();
    }
}

criterion_group! { name = benches; config = criterion(); targets = searchers }
criterion_main!(benches);
