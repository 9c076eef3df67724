//! All answer probabilities of one decision: the slow hand, and the ten slowest of a search over
//! first leads (`cargo run --release -p lexio --example answer_speed`), each by every method, and
//! enumeration beside them.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use lexio::answer::{AnswerProbabilities, Estimator, Seat, Unseen};
use lexio::{Combination, Kind, Lexio, Tiles, parse_tiles};
use std::hint::black_box;

#[path = "../../../bench/benches/common/processor.rs"]
mod processor;
use processor::{Processor, criterion, processor_time};

/// The hand on which the decision of another program took 124 ms, and the ten slowest found here.
const HANDS: [&str; 11] = [
    "3C 3D 4C 4H 5D 7C 9C 10C 11H 12C 12D 2C",
    "3C 3D 3S 4H 6D 6S 7D 10C 12C 13D 13S 2D",
    "3C 4S 5H 6C 6S 7C 12S 14H 15D 1C 2C 2S",
    "3C 3H 3S 4S 6H 7S 9H 10H 11D 12S 13S 1S",
    "3C 3D 4D 6C 7D 8C 9C 14C 15C 15H 15S 1D",
    "3C 3S 7C 10C 11H 12D 13C 13S 14D 15C 15D 1C",
    "3C 3D 4C 5C 5D 6C 6S 8D 14C 15C 15S 2H",
    "3C 3H 4D 7D 9S 10C 10H 11D 12H 13H 13D 13S",
    "3C 3D 5D 7D 9C 9S 11C 12C 13D 14D 15S 1D",
    "3C 6H 6D 6S 7S 9C 12H 13S 1H 2C 2D 2S",
    "3C 4C 8H 8D 8S 9H 9S 10H 12D 13H 15H 1D",
];

struct Decision {
    game: Lexio,
    pool: Tiles,
    plays: Vec<Combination>,
}

impl Decision {
    fn new(hand: &str) -> Self {
        let game = Lexio::default();
        let hand = parse_tiles(hand).expect("tiles");
        let mut actions = Vec::new();
        game.plays(hand, None, &mut actions);
        let plays = actions.iter().filter_map(|a| game.classify(*a));
        Self {
            pool: game.deck() - hand,
            plays: plays.collect(),
            game,
        }
    }

    fn answer(&self, estimator: &Estimator) -> f64 {
        let seats = [Seat::new(12, true); 4];
        let unseen = Unseen::new(&self.game, black_box(self.pool), &seats).expect("a deal");
        let mut answers = AnswerProbabilities::with(estimator.clone(), unseen);
        let of = |play: &Combination| answers.of(*play).expect("an answer").probability;
        self.plays.iter().map(of).sum()
    }

    fn beaters(&self) -> u64 {
        let plays = self.plays.iter();
        plays
            .map(|play| self.game.beaters(black_box(self.pool), *play).total())
            .sum()
    }

    /// Every five-tile set of one suit, classified and compared with every flush.
    fn subsets_of_suits(&self) -> u64 {
        let mut found = 0;
        for &play in self.plays.iter().filter(|p| p.kind() == Kind::Flush) {
            for suit in 0..4_u8 {
                let tiles: Vec<_> = black_box(self.pool)
                    .iter()
                    .filter(|t| t.suit() as u8 == suit)
                    .collect();
                for subset in 0_u32..1 << tiles.len() {
                    if subset.count_ones() == 5 {
                        let held = tiles.iter().enumerate();
                        let five = held.filter(|(i, _)| subset >> i & 1 == 1).map(|(_, t)| *t);
                        let other = self.game.combination(five.collect());
                        found += u64::from(other.is_some_and(|o| o.beats(play)));
                    }
                }
            }
        }
        found
    }

    /// Every beater of every play, listed by the generator of plays.
    fn listed(&self) -> u64 {
        let mut out = Vec::new();
        let mut found = 0;
        for &play in &self.plays {
            self.game.plays(black_box(self.pool), Some(play), &mut out);
            found += out.len() as u64;
        }
        found
    }
}

/// The median seconds of some runs.
fn seconds(mut run: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..11)
        .map(|_| {
            let start = processor_time();
            let mut runs = 0;
            // Asking for the time takes microseconds, so not often.
            while (processor_time() - start).as_secs_f64() < 2e-3 {
                for _ in 0..64 {
                    run();
                }
                runs += 64;
            }
            (processor_time() - start).as_secs_f64() / f64::from(runs)
        })
        .collect();
    times.sort_unstable_by(f64::total_cmp);
    times[5]
}

fn answers(c: &mut Criterion<Processor>) {
    let slow = Decision::new(HANDS[0]);
    let formula = seconds(|| {
        black_box(slow.beaters());
    });
    let sum = seconds(|| {
        black_box(slow.answer(&Estimator::SumCount));
    });
    for (name, time) in [
        (
            "five-tile sets of a suit",
            seconds(|| {
                black_box(slow.subsets_of_suits());
            }),
        ),
        (
            "listing",
            seconds(|| {
                black_box(slow.listed());
            }),
        ),
    ] {
        println!(
            "beaters in closed form: {:.0} times as fast as {name}; sum rule on top: {:.0} times",
            time / formula,
            time / sum
        );
    }
    let mut group = c.benchmark_group("answers/exact");
    for (i, hand) in HANDS.iter().enumerate() {
        let decision = Decision::new(hand);
        group.bench_with_input(BenchmarkId::from_parameter(i), &decision, |b, decision| {
            b.iter(|| decision.answer(&Estimator::Exact));
        });
    }
    group.finish();
    c.bench_function("answers/sum", |b| {
        b.iter(|| slow.answer(&Estimator::SumCount));
    });
    c.bench_function("answers/product", |b| {
        b.iter(|| slow.answer(&Estimator::IndepCount));
    });
    c.bench_function("answers/beaters", |b| b.iter(|| slow.beaters()));
    c.bench_function("answers/subsets of suits", |b| {
        b.iter(|| slow.subsets_of_suits());
    });
    c.bench_function("answers/listed", |b| b.iter(|| slow.listed()));
}

criterion_group! {
    name = benches;
    config = criterion();
    targets = answers
}
criterion_main!(benches);
