//! Dice chess: king captures (fast, and plainly in the same run), turns, rollouts and games.

use cozy_chess::Color;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dice_chess::capture::{RollSet, king_captures};
use dice_chess::legality::can_capture;
use dice_chess::results::TurnResults;
use dice_chess::sampler::TurnSampler;
use dice_chess::survival::{Policy, PolicyProcess};
use dice_chess::turns::legal_turns;
use dice_chess::{Board, DiceChess, DiceChessOptions, Roll};
use search_core::estimate::Rollouts;
use search_core::game::{Game, Turn};
use search_core::rng::{Draw, Seed};
use std::hint::black_box;
use std::time::Duration;

#[path = "common/mod.rs"]
mod common;
use common::{Processor, criterion, positions, processor_time};

/// The same as [`king_captures`] by trying every sequence of every roll.
fn plain(board: &Board, side: Color) -> RollSet {
    Roll::all()
        .filter(|roll| can_capture(board, side, roll.pool()))
        .fold(RollSet::NONE, RollSet::with)
}

fn captures(c: &mut Criterion<Processor>) {
    let mut group = c.benchmark_group("dice-chess/king-capture");
    for (name, position) in positions() {
        let (board, side) = (position.board, position.side);
        group.bench_function(name, |b| {
            b.iter(|| king_captures(black_box(&board), side));
        });
        group.bench_function(format!("plain/{name}"), |b| {
            b.iter(|| plain(black_box(&board), side));
        });
        let (fast, slow) = (
            seconds(|| king_captures(black_box(&board), side)),
            seconds(|| plain(black_box(&board), side)),
        );
        println!(
            "king-capture/{name}: {:.0} times as fast as every sequence of every roll",
            slow / fast
        );
    }
    group.finish();
}

/// The median time of a call over 21 rounds of at least 5 ms.
fn seconds<T>(mut call: impl FnMut() -> T) -> f64 {
    let mut times: Vec<f64> = (0..21)
        .map(|_| {
            let start = processor_time();
            let mut calls = 0;
            while processor_time() - start < Duration::from_millis(5) {
                for _ in 0..64 {
                    black_box(call());
                    calls += 1;
                }
            }
            (processor_time() - start).as_secs_f64() / f64::from(calls)
        })
        .collect();
    times.sort_unstable_by(f64::total_cmp);
    times[10]
}

fn turns(c: &mut Criterion<Processor>) {
    for (name, position) in positions() {
        let (board, side) = (position.board, position.side);
        let mut results = TurnResults::new();
        let mut sampler = TurnSampler::new();
        let (mut paths, mut distinct) = (0, 0);
        results.expand_all(&board, side, 0);
        for roll in Roll::all() {
            paths += legal_turns(&board, side, roll.pool()).len() as u64;
            distinct += results.choose(roll.pool()).len() as u64;
        }
        let mut group = c.benchmark_group("dice-chess/turns");
        group.throughput(Throughput::Elements(paths));
        group.bench_function(format!("paths/{name}"), |b| {
            b.iter(|| {
                let count = |roll: Roll| legal_turns(&board, side, roll.pool()).len();
                Roll::all().map(count).sum::<usize>()
            });
        });
        group.throughput(Throughput::Elements(distinct));
        group.bench_function(format!("distinct-all-rolls/{name}"), |b| {
            b.iter(|| {
                results.expand_all(black_box(&board), side, 0);
                let mut count = |roll: Roll| results.choose(roll.pool()).len();
                Roll::all().map(&mut count).sum::<usize>()
            });
        });
        group.bench_function(format!("distinct-by-roll/{name}"), |b| {
            b.iter(|| {
                let mut count = |roll: Roll| {
                    results.expand(black_box(&board), side, roll.pool(), 0);
                    results.choose(roll.pool()).len()
                };
                Roll::all().map(&mut count).sum::<usize>()
            });
        });
        let quiet = king_captures(&board, side).complement();
        let mut rng = Seed(1).simulation(0);
        group.throughput(Throughput::Elements(1));
        group.bench_function(format!("random/{name}"), |b| {
            b.iter(|| {
                let roll = quiet.nth(rng.below(quiet.weight())).expect("a roll");
                sampler.sample_quiet(black_box(&board), side, roll.pool(), &mut rng)
            });
        });
        group.finish();
    }
}

/// As many rollouts as make up a second or so: how many a second.
fn rollouts(c: &mut Criterion<Processor>) {
    let game = DiceChess::default();
    let mut group = c.benchmark_group("dice-chess/rollouts");
    for (name, position) in positions() {
        for policy in Policy::ALL {
            let count = if policy == Policy::CaptureAware {
                64
            } else {
                8
            };
            let limits = Rollouts {
                rollouts: count,
                plies: 60,
                ..Rollouts::default()
            };
            group.throughput(Throughput::Elements(count));
            let process = PolicyProcess::new(policy);
            let mut seed = 0;
            group.bench_function(format!("{policy}/{name}"), |b| {
                b.iter(|| {
                    seed += 1;
                    limits
                        .estimate(&game, &process, &position, Seed(seed), &mut |_| {})
                        .expect("an estimate")
                });
            });
        }
    }
    group.finish();
}

/// Random games through the interface that searches use, micro-move by micro-move.
fn games(c: &mut Criterion<Processor>) {
    let mut group = c.benchmark_group("dice-chess/games");
    let policies = [
        ("hosts", DiceChessOptions::default()),
        (
            "no-draws",
            DiceChessOptions {
                draw_clock: 0,
                max_plies: 0,
            },
        ),
    ];
    for (name, options) in policies {
        let game = DiceChess::new(&options).expect("options");
        let mut index = 0;
        group.throughput(Throughput::Elements(1));
        group.bench_function(format!("random/{name}"), |b| {
            let mut legal = Vec::new();
            b.iter(|| {
                index += 1;
                let mut rng = Seed(1).simulation(index);
                let mut state = game.initial_state(&mut rng);
                loop {
                    match game.turn(&state) {
                        Turn::Chance => {
                            let roll = game.sample_chance(&state, &mut rng);
                            game.apply_chance(&mut state, roll);
                        }
                        Turn::Player(_) => {
                            game.legal_actions(&state, &mut legal);
                            let action = rng.pick(&legal).expect("an action");
                            game.apply(&mut state, action);
                        }
                        Turn::Terminal => break,
                    }
                }
                game.returns(&state)
            });
        });
    }
    group.finish();
}

criterion_group!(
    name = benches;
    config = criterion();
    targets = captures, turns, rollouts, games
);
criterion_main!(benches);
