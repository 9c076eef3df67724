//! How long all answer probabilities of one decision take: on the slow hand, on the ten slowest
//! hands of a search over random deals, and against enumeration in the same run.
//!
//! `cargo run --release -p lexio --example answer_speed -- [deals]`

use lexio::answer::{AnswerProbabilities, Estimator, Seat, Unseen};
use lexio::{Action, Combination, Lexio, Tiles, parse_tiles};
use search_core::game::Game;
use search_core::rng::Seed;
use std::hint::black_box;
use std::time::Instant;

const SLOW: &str = "3C 3D 4C 4H 5D 7C 9C 10C 11H 12C 12D 2C";

fn plays(game: &Lexio, hand: Tiles) -> Vec<Combination> {
    let mut actions: Vec<Action> = Vec::new();
    game.plays(hand, None, &mut actions);
    actions.iter().filter_map(|a| game.classify(*a)).collect()
}

/// All plays of a hand, answered. The sum keeps the compiler honest.
fn decide(game: &Lexio, hand: Tiles, plays: &[Combination], estimator: &Estimator) -> f64 {
    let size = game.hand_size();
    let seats = vec![Seat::new(size, true); game.seats() - 1];
    let unseen = Unseen::new(game, game.deck() - hand, &seats).expect("a deal");
    let mut answers = AnswerProbabilities::with(estimator.clone(), unseen);
    plays
        .iter()
        .map(|play| answers.of(*play).expect("an answer").probability)
        .sum()
}

/// With one seat of the four out of the trick, as after a hard pass.
fn decide_among_three(game: &Lexio, hand: Tiles, plays: &[Combination]) -> f64 {
    let mut seats = [Seat::new(game.hand_size(), true); 4];
    seats[3].eligible = false;
    let unseen = Unseen::new(game, game.deck() - hand, &seats).expect("a deal");
    let mut answers = AnswerProbabilities::new(unseen);
    let of = |play: &Combination| answers.of(*play).expect("an answer").probability;
    plays.iter().map(of).sum()
}

/// The median of `rounds` runs, in microseconds.
fn median(rounds: usize, mut run: impl FnMut() -> f64) -> f64 {
    let mut times: Vec<f64> = (0..rounds)
        .map(|_| {
            let started = Instant::now();
            black_box(run());
            started.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_unstable_by(f64::total_cmp);
    times[rounds / 2]
}

/// Counts beaters by making every five-tile subset of each suit, as the source's first version did
/// for flushes, and lists those of other plays.
fn by_subsets(game: &Lexio, pool: Tiles, plays: &[Combination]) -> u64 {
    let mut found = 0;
    for &play in plays.iter().filter(|p| p.kind().size() == 5) {
        for suit in 0..4_u8 {
            let tiles: Vec<_> = pool.iter().filter(|t| t.suit() as u8 == suit).collect();
            for subset in 0_u32..1 << tiles.len() {
                if subset.count_ones() == 5 {
                    let held = tiles.iter().enumerate();
                    let five = held.filter(|(i, _)| subset >> i & 1 == 1).map(|(_, t)| *t);
                    let other = game.combination(five.collect());
                    found += u64::from(other.is_some_and(|o| o.beats(play)));
                }
            }
        }
    }
    found
}

/// Lists every beater of every play.
fn by_listing(game: &Lexio, pool: Tiles, plays: &[Combination]) -> u64 {
    let mut out = Vec::new();
    let count = |play: &Combination| {
        game.plays(pool, Some(*play), &mut out);
        out.len() as u64
    };
    plays.iter().map(count).sum()
}

fn by_formula(game: &Lexio, pool: Tiles, plays: &[Combination]) -> u64 {
    plays.iter().map(|p| game.beaters(pool, *p).total()).sum()
}

fn estimators() -> [(&'static str, Estimator); 4] {
    [
        ("exact", Estimator::Exact),
        ("sampled, 4096 worlds", Estimator::Sampled { worlds: 4096 }),
        ("product rule", Estimator::IndepCount),
        ("sum rule", Estimator::SumCount),
    ]
}

/// What being exact about five tiles costs: all deals of all unseen tiles between two seats.
fn exact_fives() -> Result<(), Box<dyn std::error::Error>> {
    let game = Lexio::for_players(3)?;
    let target = game
        .combination(parse_tiles("3C 4H 5D 6S 7C")?)
        .ok_or("a play")?;
    println!("exact about five tiles, two seats with all unseen tiles:");
    for tiles in [12_u32, 14, 16, 18, 20, 22, 24] {
        let mut pool = (game.deck() - target.tiles()).iter().collect::<Vec<_>>();
        pool.truncate(tiles as usize);
        let seats = [Seat::new(tiles as u8 / 2, true); 2];
        let unseen = Unseen::new(&game, pool.into_iter().collect(), &seats)?;
        let time = median(5, || {
            let mut answers = AnswerProbabilities::new(unseen).with_limit(u64::MAX);
            answers.of(target).expect("an answer").probability
        });
        println!("  {tiles} tiles: {time:.0} us");
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let deals: u64 = std::env::args().nth(1).map_or(Ok(2000), |n| n.parse())?;
    let game = Lexio::default();
    let hand = parse_tiles(SLOW)?;
    let pool = game.deck() - hand;
    let all = plays(&game, hand);
    println!(
        "the slow hand: {} plays; medians in microseconds",
        all.len()
    );
    for (name, estimator) in estimators() {
        let time = median(201, || decide(&game, black_box(hand), &all, &estimator));
        println!("  {name}: {time:.1}");
    }
    let time = median(201, || decide_among_three(&game, black_box(hand), &all));
    println!("  exact, one seat out of the trick: {time:.1}");
    let formula = median(201, || by_formula(&game, black_box(pool), &all) as f64);
    println!("  beaters of all plays in closed form: {formula:.2}");
    for (name, time) in [
        (
            "listed",
            median(11, || by_listing(&game, black_box(pool), &all) as f64),
        ),
        (
            "flushes from all subsets of a suit",
            median(11, || by_subsets(&game, black_box(pool), &all) as f64),
        ),
    ] {
        println!("  {name}: {time:.0}, {:.0} times that", time / formula);
    }

    exact_fives()?;

    // The slowest of many first leads, by the best of three runs each.
    for players in 3..=5 {
        let game = Lexio::for_players(players)?;
        let mut timed = Vec::new();
        for deal in 0..deals {
            let state = game.initial_state(&mut Seed(1).simulation(deal));
            let hand = state.hand(state.public().to_move());
            let all = plays(&game, hand);
            let run = || {
                let started = Instant::now();
                black_box(decide(&game, hand, &all, &Estimator::Exact));
                started.elapsed().as_secs_f64() * 1e6
            };
            let best = (0..3).map(|_| run()).fold(f64::INFINITY, f64::min);
            timed.push((best, hand, all));
        }
        timed.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        println!("{players} players, the ten slowest of {deals} first leads:");
        for (_, hand, all) in timed.iter().take(10) {
            let time = median(51, || decide(&game, *hand, all, &Estimator::Exact));
            println!("  {time:.0} us, {} plays: {hand}", all.len());
        }
    }
    Ok(())
}
