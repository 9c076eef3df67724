//! How fast the rules are, and what a round is worth: playouts and legal actions a second, the
//! spread of a return, easy against random.
//!
//! `cargo run --release -p lexio --example speed`

use lexio::{Easy, Lexio, Options, SettleRule, UniformDeal};
use search_core::game::{Game, Player, Turn};
use search_core::observation::{Contradiction, Determinizer};
use search_core::policy::{Observing, RolloutPolicy, UniformRandom};
use search_core::rng::Seed;
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

type Policy = dyn RolloutPolicy<Lexio>;

/// Plays rounds; the sum and the sum of squares of the returns of seat 0, and the turns taken.
fn rounds(game: &Lexio, policies: &[&Policy], seed: Seed, count: u64) -> (f64, f64, u64) {
    let (mut sum, mut squares, mut turns) = (0.0, 0.0, 0);
    let mut legal = Vec::new();
    for i in 0..count {
        let mut rng = seed.simulation(i);
        let mut state = game.initial_state(&mut rng);
        while let Turn::Player(player) = game.turn(&state) {
            game.legal_actions(&state, &mut legal);
            let policy = policies[player.index()];
            let action = policy.choose_in_world(game, &state, player, &legal, &mut rng);
            game.apply(&mut state, action);
            turns += 1;
        }
        let value = game.returns(&state).of(Player::new(0));
        sum += value;
        squares += value * value;
    }
    (sum, squares, turns)
}

/// Monomorphic, as a searcher would run it.
fn playouts(game: &Lexio, count: u64) -> u64 {
    let mut turns = 0;
    let mut legal = Vec::new();
    for i in 0..count {
        let mut rng = Seed(1).simulation(i);
        let mut state = game.initial_state(&mut rng);
        while let Turn::Player(player) = game.turn(&state) {
            game.legal_actions(&state, &mut legal);
            let action = UniformRandom.choose_in_world(game, &state, player, &legal, &mut rng);
            game.apply(&mut state, action);
            turns += 1;
        }
        black_box(game.returns(&state));
    }
    turns
}

/// States met in random rounds, one in seven.
fn sample_states(game: &Lexio) -> Vec<lexio::State> {
    let (mut states, mut legal, mut met) = (Vec::new(), Vec::new(), 0);
    for i in 0..2_000 {
        let mut rng = Seed(2).simulation(i);
        let mut state = game.initial_state(&mut rng);
        while let Turn::Player(player) = game.turn(&state) {
            met += 1;
            if met % 7 == 0 {
                states.push(state);
            }
            game.legal_actions(&state, &mut legal);
            let action = UniformRandom.choose_in_world(game, &state, player, &legal, &mut rng);
            game.apply(&mut state, action);
        }
    }
    states
}

fn legal_actions(game: &Lexio, what: &str, states: &[lexio::State]) {
    let mut legal = Vec::new();
    let started = Stopwatch::start();
    let repeats = 60_000_000 / (states.len() * 4);
    let mut found = 0;
    for _ in 0..repeats {
        for state in states {
            game.legal_actions(black_box(state), &mut legal);
            found += legal.len();
        }
    }
    let calls = (repeats * states.len()) as f64;
    println!(
        "  legal actions, {what}: {:.0} ns, {:.1} actions",
        started.seconds() * 1e9 / calls,
        found as f64 / calls
    );
}

/// Worlds a second from the start of a round.
fn redeals(game: &Lexio) -> Result<(), Contradiction> {
    let state = game.initial_state(&mut Seed(4).simulation(0));
    let view = game.observe(&state, Player::new(1));
    let plan = UniformDeal.plan(game, &view)?;
    let mut world = UniformDeal.scratch(game, &view, &plan);
    let started = Stopwatch::start();
    let count = 3_000_000;
    for i in 0..count {
        let mut rng = Seed(5).simulation(i);
        UniformDeal.sample(game, &view, &plan, &mut rng, &mut world);
        black_box(&world);
    }
    let each = started.seconds() * 1e9 / count as f64;
    println!("  worlds from the start: {each:.0} ns");
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for players in 3..=5 {
        let game = Lexio::for_players(players)?;
        println!("{players} players, bounds {:?}", game.return_bounds());
        let count = 500_000;
        playouts(&game, 10_000);
        let started = Stopwatch::start();
        let turns = playouts(&game, count) as f64;
        let seconds = started.seconds();
        println!(
            "  random rounds: {:.0}/s, {:.1} turns each, {:.0} ns a turn",
            count as f64 / seconds,
            turns / count as f64,
            seconds * 1e9 / turns
        );
        redeals(&game)?;
        let states = sample_states(&game);
        let split = |test: &dyn Fn(Option<u32>) -> bool| {
            let size = |s: &lexio::State| s.public().table().map(|t| t.kind().size());
            states
                .iter()
                .copied()
                .filter(|s| test(size(s)))
                .collect::<Vec<_>>()
        };
        legal_actions(&game, "leads", &split(&|size| size.is_none()));
        legal_actions(&game, "replies", &split(&|size| size.is_some()));
        legal_actions(&game, "replies to a five", &split(&|size| size == Some(5)));
        let easy: &Policy = &Observing(Easy::default());
        let random: &Policy = &UniformRandom;
        let seats = usize::from(players);
        for settle in [
            SettleRule::Difference,
            SettleRule::PayerMultiplier,
            SettleRule::WinnerOnly,
        ] {
            let game = Lexio::new(Options {
                players,
                settle,
                ..Options::default()
            })?;
            for (name, all, first) in [
                ("random", vec![random; seats], random),
                ("easy", vec![easy; seats], easy),
                ("easy among random", vec![random; seats], easy),
            ] {
                let mut policies = all;
                policies[0] = first;
                let started = Stopwatch::start();
                let n = 20_000;
                let (sum, squares, _) = rounds(&game, &policies, Seed(3), n);
                let mean = sum / n as f64;
                let deviation = (squares / n as f64 - mean * mean).sqrt();
                println!(
                    "  {settle:?}, {name}: mean {mean:.2} +- {:.2}, standard deviation {deviation:.1}, {:.0} rounds/s",
                    deviation / (n as f64).sqrt(),
                    n as f64 / started.seconds(),
                );
            }
        }
    }
    Ok(())
}
