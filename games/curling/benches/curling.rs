//! Curling: shots of both models of the official ice, in the same run, aiming, and the table.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use curling::physics::Simulator;
use curling::physics::fast::Fast;
use curling::physics::fcv1::Fcv1;
use curling::physics::friction::Table;
use curling::{Board, Point, Release, Spin, Stone};
use std::hint::black_box;
use std::time::Duration;

mod common;
use common::{Processor, cases, criterion, processor_time, throws};

fn shot<S: Simulator>(model: &S, board: &Board, release: Release) -> Board {
    let mut board = *black_box(board);
    model.deliver(&mut board, Stone::new(8), black_box(release), &mut ());
    board
}

/// Seconds a shot over a list, the median of some rounds of at least 10 ms.
fn seconds<S: Simulator>(model: &S, board: &Board, list: &[Release], rounds: usize) -> f64 {
    let mut times: Vec<f64> = (0..rounds)
        .map(|_| {
            let start = processor_time();
            let mut shots = 0;
            while processor_time() - start < Duration::from_millis(10) {
                for release in list {
                    black_box(shot(model, board, *release));
                    shots += 1;
                }
            }
            (processor_time() - start).as_secs_f64() / f64::from(shots)
        })
        .collect();
    times.sort_unstable_by(f64::total_cmp);
    times[rounds / 2]
}

fn shots(c: &mut Criterion<Processor>) {
    let (fast, fcv1) = (Fast::new(), Fcv1::new());
    let draw = fast.stop_at(Point::TEE, Spin::Ccw).expect("a draw");
    for (name, boards, speed) in cases() {
        let list = throws(draw, speed);
        let few: Vec<Release> = list.iter().step_by(17).copied().collect();
        // The board that takes longest stands for all.
        let timed = boards.iter().map(|b| (b, seconds(&fast, b, &list, 5)));
        let (board, _) = timed.max_by(|a, b| a.1.total_cmp(&b.1)).expect("a board");
        let (quick, slow) = (
            seconds(&fast, board, &list, 21),
            seconds(&fcv1, board, &few, 3),
        );
        println!(
            "curling/{name}: fast {:.0} shots/s, fcv1 {:.0}, ratio {:.0}",
            1.0 / quick,
            1.0 / slow,
            slow / quick
        );
        let mut group = c.benchmark_group("curling/fast");
        group.throughput(Throughput::Elements(list.len() as u64));
        group.bench_function(name, |b| {
            b.iter(|| {
                for r in &list {
                    black_box(shot(&fast, board, *r));
                }
            });
        });
        group.finish();
        let mut group = c.benchmark_group("curling/fcv1");
        group.throughput(Throughput::Elements(few.len() as u64));
        group.bench_function(name, |b| {
            b.iter(|| {
                for r in &few {
                    black_box(shot(&fcv1, board, *r));
                }
            });
        });
        group.finish();
    }
}

fn aiming(c: &mut Criterion<Processor>) {
    let fast = Fast::new();
    let mut group = c.benchmark_group("curling/inverse");
    group.bench_function("stop-at", |b| {
        b.iter(|| fast.stop_at(black_box(Point::new(0.5, 38.0)), Spin::Cw));
    });
    group.finish();
    let mut group = c.benchmark_group("curling");
    group.bench_function("table", |b| b.iter(Table::new));
    group.finish();
}

criterion_group! {
    name = benches;
    config = criterion();
    targets = shots, aiming
}
criterion_main!(benches);
