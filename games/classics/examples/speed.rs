//! How fast the rules are: random playouts a second from the start, and redeals with a playout each for
//! the games with hidden hands, in seconds of processor time.
//!
//! `cargo run --release -p classics --example speed`, or with the names of games after `--`.

use classics::leduc::LeducDeals;
use classics::whist::WhistDeals;
use classics::{ConnectFour, LeducPoker, Othello, TicTacToe, Whist};
use search_core::game::{Game, Player, Turn};
use search_core::observation::{Contradiction, Determinizer};
use search_core::plugin::Plugin;
use search_core::rng::{Draw, Seed};
use search_core::rollout::{LeafEvaluator, Rollout};
use std::hint::black_box;
use std::time::Instant;

/// Seconds of processor time where the system tells (Linux, in steps of 10 ms), else of the clock.
struct Stopwatch(Instant, Option<f64>);

impl Stopwatch {
    fn start() -> Self {
        Self(Instant::now(), Self::processor())
    }

    fn processor() -> Option<f64> {
        let text = std::fs::read_to_string("/proc/self/stat").ok()?;
        // Fields 14 and 15, in hundredths: the second one may hold spaces, but ends with `)`.
        let mut fields = text.rsplit(')').next()?.split_whitespace().skip(11);
        let mut next = || fields.next()?.parse::<f64>().ok();
        Some((next()? + next()?) / 100.0)
    }

    fn seconds(&self) -> f64 {
        match (self.1, Self::processor()) {
            (Some(start), Some(now)) => now - start,
            _ => self.0.elapsed().as_secs_f64(),
        }
    }
}

/// Runs of about a second each.
const RUNS: usize = 5;

/// Repeats `batch`, which does `count` things, for a second, five times over; the median a second.
fn rate(count: u64, mut batch: impl FnMut()) -> f64 {
    let mut rates: Vec<f64> = (0..RUNS)
        .map(|_| {
            let watch = Stopwatch::start();
            let mut done = 0;
            loop {
                batch();
                done += count;
                let seconds = watch.seconds();
                if seconds >= 1.0 {
                    return done as f64 / seconds;
                }
            }
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    rates[RUNS / 2]
}

/// Playouts in a batch.
const BATCH: u64 = 20_000;

/// As a search plays: a copy of the start and the generator of the simulation for each.
#[inline(never)]
fn playouts<G: Game>(game: &G, start: &G::State) {
    let rollout = Rollout::random();
    let mut world = start.clone();
    let mut legal = Vec::new();
    for i in 0..BATCH {
        let mut rng = Seed(1).simulation(i);
        world.clone_from(start);
        black_box(rollout.evaluate(game, &mut world, &mut rng, &mut legal));
    }
}

/// Worlds of one observation, each played out if `play` says so.
#[inline(never)]
fn redeals<G: Game, D: Determinizer<G>>(
    game: &G,
    determinizer: &D,
    view: &G::Observation,
    play: bool,
) -> Result<(), Contradiction> {
    let plan = determinizer.plan(game, view)?;
    let mut world = determinizer.scratch(game, view, &plan);
    let mut legal = Vec::new();
    for i in 0..BATCH {
        let mut rng = Seed(1).simulation(i);
        determinizer.sample(game, view, &plan, &mut rng, &mut world);
        if play {
            black_box(Rollout::random().evaluate(game, &mut world, &mut rng, &mut legal));
        } else {
            black_box(&world);
        }
    }
    Ok(())
}

/// `plies` random plies from the start of a game.
fn after<G: Game>(game: &G, plies: u32) -> G::State {
    let mut rng = Seed(2).simulation(0);
    let mut state = game.initial_state(&mut rng);
    let mut legal = Vec::new();
    for _ in 0..plies {
        game.legal_actions(&state, &mut legal);
        if let Some(action) = rng.pick(&legal) {
            game.apply(&mut state, action);
        }
    }
    state
}

fn plies<G: Game>(game: &G, start: &G::State) -> f64 {
    let games = 2_000;
    let mut turns = 0;
    for i in 0..games {
        let mut rng = Seed(1).simulation(i);
        let mut state = start.clone();
        let mut legal = Vec::new();
        while let Turn::Player(_) = game.turn(&state) {
            game.legal_actions(&state, &mut legal);
            game.apply(&mut state, rng.pick(&legal).unwrap_or(legal[0]));
            turns += 1;
        }
    }
    turns as f64 / games as f64
}

fn perfect<G: Plugin>(game: &G) {
    let start = after(game, 0);
    let (rate, plies) = (rate(BATCH, || playouts(game, &start)), plies(game, &start));
    println!(
        "{:<14} {rate:>12.0} playouts/s, {plies:.1} plies each, {:.1} ns a ply",
        G::NAME,
        1e9 / (rate * plies)
    );
}

fn hidden<G: Plugin, D: Determinizer<G>>(
    game: &G,
    determinizer: &D,
    plies: &[u32],
) -> Result<(), Contradiction> {
    perfect(game);
    for &plies in plies {
        let state = after(game, plies);
        let player = match game.turn(&state) {
            Turn::Player(player) => player,
            _ => Player::new(0),
        };
        let view = game.observe(&state, player);
        redeals(game, determinizer, &view, false)?;
        let run = |play| {
            rate(BATCH, || {
                let _ = redeals(game, determinizer, &view, play);
            })
        };
        println!(
            "  after {plies:>2} plies {:>10.0} redeals/s, {:.0} redeals with a playout/s, {:.0} playouts/s",
            run(false),
            run(true),
            rate(BATCH, || playouts(game, &state)),
        );
    }
    Ok(())
}

fn main() -> Result<(), Contradiction> {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let wanted = |name: &str| names.is_empty() || names.iter().any(|n| n == name);
    if wanted("tic-tac-toe") {
        perfect(&TicTacToe);
    }
    if wanted("connect-four") {
        perfect(&ConnectFour);
    }
    if wanted("othello") {
        perfect(&Othello);
    }
    if wanted("leduc-poker") {
        hidden(&LeducPoker, &LeducDeals, &[0])?;
    }
    if wanted("whist") {
        hidden(&Whist::default(), &WhistDeals, &[0, 8, 20, 32, 44])?;
    }
    Ok(())
}
