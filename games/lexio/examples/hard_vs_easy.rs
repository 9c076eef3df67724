//! One player among others, by the duplicate design: the same deals with one `A` among `B`s and one `B`
//! among `A`s, in every seat.
//!
//! ```text
//! cargo run --release -p lexio --example hard_vs_easy -- hard easy 0..64 5
//! cargo run --release -p lexio --example hard_vs_easy -- tune hard 0..64 2 easy
//! ```
//!
//! The arguments are A, B, seeds and rounds; or for coordinate descent where to start, seeds, sweeps, and against
//! whom. Agents are the game's own, and `rollout(base=hard, samples=16, candidates=4)` or
//! `ismcts(sims=500, rollout=hard, prior=hard, select=puct)` over them.
//!
//! Prints the mean difference in points a round with a 95 % interval over seeds, the metrics of both,
//! and how much processor time a decision with a choice takes.

#[path = "common/searches.rs"]
mod searches;

use cpu_time::ThreadTime;
use lexio::hard::{Hard, Term};
use lexio::{Action, Lexio, State};
use search_core::expr::Expr;
use search_core::game::{Game, Player, Turn};
use search_core::plugin::Plugin;
use search_core::policy::Policy;
use search_core::rng::{Seed, SimRng};
use searches::{Failure, policy};

fn range(text: &str) -> Result<std::ops::Range<u64>, Failure> {
    let (low, high) = text.split_once("..").ok_or("seeds are written 0..64")?;
    Ok(low.parse()?..high.parse()?)
}

/// Sums over the rounds of one arm.
#[derive(Default)]
struct Arm {
    rounds: f64,
    metrics: [f64; 4],
    nanos: Vec<u32>,
}

fn play(
    game: &Lexio,
    start: State,
    (focal, lone, others): (usize, &dyn Policy<Lexio>, &dyn Policy<Lexio>),
    legal: &mut Vec<Action>,
    nanos: &mut Vec<u32>,
    rng: &mut SimRng,
) -> State {
    let mut state = start;
    while let Turn::Player(player) = game.turn(&state) {
        game.legal_actions(&state, legal);
        let view = game.observe(&state, player);
        let is_focal = player.index() == focal;
        let policy = if is_focal { lone } else { others };
        let started = ThreadTime::now();
        let action = policy.choose(game, &view, legal, rng);
        if is_focal && legal.len() > 1 {
            nanos.push(started.elapsed().as_nanos() as u32);
        }
        game.apply(&mut state, action);
    }
    state
}

/// The difference of a seed: mean of what the lone player gains in both designs, in its sign.
fn seed_value(
    game: &Lexio,
    (a, b): (&dyn Policy<Lexio>, &dyn Policy<Lexio>),
    seed: u64,
    rounds: u64,
    arms: &mut [Arm; 2],
) -> f64 {
    let seats = game.num_players();
    let mut legal = Vec::new();
    let mut total = 0.0;
    for round in 0..rounds {
        let start = game.initial_state(&mut Seed(seed).index(round).simulation(0));
        for focal in 0..seats {
            for (arm, sign) in [(0, 1.0), (1, -1.0)] {
                let (lone, others) = if arm == 0 { (a, b) } else { (b, a) };
                let mut rng = Seed(seed)
                    .child("play")
                    .index(round)
                    .simulation(focal as u64);
                let nanos = &mut arms[arm].nanos;
                let end = play(
                    game,
                    start,
                    (focal, lone, others),
                    &mut legal,
                    nanos,
                    &mut rng,
                );
                let me = Player::new(focal);
                total += sign * game.returns(&end).of(me);
                arms[arm].rounds += 1.0;
                for (sum, value) in arms[arm].metrics.iter_mut().zip(game.metrics(&end, me)) {
                    *sum += value;
                }
            }
        }
    }
    total / (2 * seats as u64 * rounds) as f64
}

/// The 97.5 % quantile of Student's t, by its expansion at the normal one (Abramowitz & Stegun 26.7.5).
fn quantile(freedom: f64) -> f64 {
    let z: f64 = 1.959_964;
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    z + first / freedom + second / freedom.powi(2)
}

fn measure(
    game: &Lexio,
    pair: (&dyn Policy<Lexio>, &dyn Policy<Lexio>),
    seeds: std::ops::Range<u64>,
    rounds: u64,
) -> (f64, f64, [Arm; 2]) {
    let mut arms = [Arm::default(), Arm::default()];
    let values: Vec<f64> = seeds
        .map(|seed| seed_value(game, pair, seed, rounds, &mut arms))
        .collect();
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean, quantile(n - 1.0) * (variance / n).sqrt(), arms)
}

fn report(game: &Lexio, a: &str, b: &str, seeds: &str, rounds: u64) -> Result<(), Failure> {
    let (one, other) = (policy(game, a)?, policy(game, b)?);
    let (mean, half, arms) = measure(game, (&one, &other), range(seeds)?, rounds);
    println!(
        "{a} against {b}, seeds {seeds}, {rounds} rounds: {mean:+.3} [{:+.3}, {:+.3}]",
        mean - half,
        mean + half
    );
    for (name, mut arm) in [a, b].into_iter().zip(arms) {
        arm.nanos.sort_unstable();
        let at = |q: f64| f64::from(arm.nanos[((arm.nanos.len() - 1) as f64 * q) as usize]) / 1e3;
        let mean = |i: usize| arm.metrics[i] / arm.rounds;
        println!(
            "  {name}: first {:.3}, effective {:.2}, 2 held {:.3}, plays {:.2}; a decision {:.1} us p50, {:.1} p99, {:.1} most of {}",
            mean(0),
            mean(1),
            mean(2),
            mean(3),
            at(0.5),
            at(0.99),
            at(1.0),
            arm.nanos.len()
        );
    }
    Ok(())
}

/// Coordinate descent from a hard player: each weight in turn is tried at other values, and the best is
/// kept. Judged by the mean difference to all opponents.
fn tune(
    game: &Lexio,
    start: &str,
    seeds: &str,
    sweeps: u32,
    opponents: &[&str],
) -> Result<(), Failure> {
    let seeds = range(seeds)?;
    let named = opponents.iter().map(|text| policy(game, text));
    let opponents = named.collect::<Result<Vec<_>, _>>()?;
    let start: Expr = start.parse()?;
    let mut hard = Hard::from_settings(&mut start.settings())?;
    let value = |hard: &Hard| {
        let each = opponents
            .iter()
            .map(|opponent| measure(game, (hard, opponent), seeds.clone(), 2).0);
        each.sum::<f64>() / opponents.len() as f64
    };
    let mut best = value(&hard);
    let mut evaluations = 1;
    println!("start {best:+.4}");
    for sweep in 0..sweeps {
        let before = best;
        for term in Term::ALL {
            let now = hard.weights.of(term);
            let tried = [
                0.0,
                0.5 * now,
                0.75 * now,
                1.3 * now,
                2.0 * now,
                now + 0.1,
                now - 0.1,
                now + 0.4,
            ];
            for weight in tried {
                let mut other = hard.clone();
                other.weights.set(term, (weight * 100.0).round() / 100.0);
                if other == hard {
                    continue;
                }
                let score = value(&other);
                evaluations += 1;
                if score > best {
                    (best, hard) = (score, other);
                }
            }
        }
        println!(
            "sweep {sweep}: {:?} {best:+.4} after {evaluations}",
            hard.weights.0
        );
        if best <= before {
            break;
        }
    }
    Ok(())
}

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let game = Lexio::default();
    match args[..] {
        ["tune", start, seeds, sweeps, ref opponents @ ..] => {
            tune(&game, start, seeds, sweeps.parse()?, opponents)
        }
        [a, b, seeds, rounds] => report(&game, a, b, seeds, rounds.parse()?),
        _ => {
            for rounds in [3, 5, 10] {
                report(&game, "hard", "easy", "1000..1032", rounds)?;
            }
            Ok(())
        }
    }
}
