//! How fast the rules are: playouts, and worlds with a playout each.

use std::hint::black_box;
use std::time::Duration;

use search_core::game::{Player, Turn};
use search_core::observation::Determinizer;
use search_core::plugin::Plugin;
use search_core::policy::{RolloutPolicy, UniformRandom};
use search_core::rng::{Seed, SimRng};
use search_core::rollout::{LeafEvaluator, Rollout};

use crate::error::{Error, Result};

/// How fast the rules of a game are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// Random playouts from the start a processor second.
    pub playouts_per_second: f64,
    /// Turns of a playout, chance's included.
    pub turns: f64,
    /// Worlds sampled and played out a processor second; none where nothing is hidden.
    pub redeals_per_second: Option<f64>,
}

/// The most decisions of one match before it is called endless.
const MOST_TURNS: u32 = 1_000_000;

/// Measures the start of seed 0 for about so much processor time, twice where worlds are sampled.
pub(super) fn pace<P: Plugin>(game: &P, time: Duration) -> Result<Pace> {
    let start = game.initial_state(&mut Seed(0).simulation(0));
    let mut world = start.clone();
    let mut legal = Vec::new();
    let rollout = Rollout::random();
    let playouts_per_second = rate(time, |i| {
        let mut rng = Seed(1).simulation(i);
        world.clone_from(&start);
        black_box(rollout.evaluate(game, &mut world, &mut rng, &mut legal));
    });
    let redeals_per_second = if P::Determinizer::PERFECT_INFORMATION {
        None
    } else {
        Some(redeals(game, &start, time)?)
    };
    Ok(Pace {
        playouts_per_second,
        turns: turns(game, &start),
        redeals_per_second,
    })
}

/// Worlds of what the first player to move knows, each played out.
fn redeals<P: Plugin>(game: &P, start: &P::State, time: Duration) -> Result<f64> {
    let mut state = start.clone();
    let player = first_to_move(game, &mut state)?;
    let view = game.observe(&state, player);
    let determinizer = game.determinizer();
    let plan = determinizer.plan(game, &view);
    let plan = plan.map_err(|e| Error::Failed(format!("{}: {e}", P::NAME)))?;
    let mut world = determinizer.scratch(game, &view, &plan);
    let mut legal = Vec::new();
    Ok(rate(time, |i| {
        let mut rng = Seed(1).simulation(i);
        determinizer.sample(game, &view, &plan, &mut rng, &mut world);
        black_box(Rollout::random().evaluate(game, &mut world, &mut rng, &mut legal));
    }))
}

fn first_to_move<P: Plugin>(game: &P, state: &mut P::State) -> Result<Player> {
    let mut rng = Seed(0).child("chance").simulation(0);
    for _ in 0..MOST_TURNS {
        match game.turn(state) {
            Turn::Player(player) => return Ok(player),
            Turn::Chance => {
                let outcome = game.sample_chance(state, &mut rng);
                game.apply_chance(state, outcome);
            }
            Turn::Terminal => break,
        }
    }
    Err(Error::Failed(format!("{}: nobody is to move", P::NAME)))
}

/// The mean number of turns of 100 playouts, the ones that are timed.
fn turns<P: Plugin>(game: &P, start: &P::State) -> f64 {
    let mut legal = Vec::new();
    let mut one = |mut rng: SimRng| {
        let mut state = start.clone();
        for turn in 0..game.max_turns() {
            match game.turn(&state) {
                Turn::Player(player) => {
                    game.legal_actions(&state, &mut legal);
                    let action =
                        UniformRandom.choose_in_world(game, &state, player, &legal, &mut rng);
                    game.apply(&mut state, action);
                }
                Turn::Chance => {
                    let outcome = game.sample_chance(&state, &mut rng);
                    game.apply_chance(&mut state, outcome);
                }
                Turn::Terminal => return turn,
            }
        }
        game.max_turns()
    };
    let all: u64 = (0..100)
        .map(|i| u64::from(one(Seed(1).simulation(i))))
        .sum();
    all as f64 / 100.0
}

/// Calls a processor second, over about so much time; each call gets its number.
fn rate(time: Duration, mut call: impl FnMut(u64)) -> f64 {
    let now = || cpu_time::ProcessTime::now().as_duration();
    let start = now();
    let mut calls = 0;
    let mut chunk = 1;
    loop {
        for i in calls..calls + chunk {
            call(i);
        }
        calls += chunk;
        let spent = now() - start;
        if spent >= time {
            return calls as f64 / spent.as_secs_f64();
        }
        // Looking at the clock must cost nothing.
        if spent * 20 < time {
            chunk *= 2;
        }
    }
}
