//! How much hangs on what cannot be read in the paper: over positions of seeded self-play, how often
//! the chosen shot changes when one constant takes its other reading, and what the changed choice
//! costs by the default evaluation, in returns from -1 to 1. Unknown are changed choices for which the
//! default sought no replies (depth 2 only); the mean is over the other positions.
//!
//! `cargo run --release -p curling --example sensitivity -- [POSITIONS] [DEPTH]`

use curling::evaluation::{Back, Combine, Evaluation, Others, WeightBy};
use curling::lattice::{Found, Grid, LatticeAgent, LatticeSettings, Mass};
use curling::{Curling, CurlingOptions, State};
use search_core::budget::Budget;
use search_core::game::{Game, Turn};
use search_core::plugin::PluginError;
use search_core::rng::Seed;

type Reading = (&'static str, LatticeSettings);

fn readings(usual: LatticeSettings) -> Vec<Reading> {
    let with = |change: fn(&mut Evaluation)| {
        let mut evaluation = usual.evaluation;
        change(&mut evaluation);
        LatticeSettings {
            evaluation,
            ..usual
        }
    };
    let grid = |change: fn(&mut Grid)| {
        let mut grid = usual.grid.unwrap_or(Grid::DC3);
        change(&mut grid);
        LatticeSettings {
            grid: Some(grid),
            ..usual
        }
    };
    vec![
        ("N = J + T + D", with(|e| e.combine = Combine::Sum)),
        ("n_s: own stones nearer", with(|e| e.nearer = Others::Same)),
        (
            "n_s: other stones nearer",
            with(|e| e.nearer = Others::Opposing),
        ),
        ("back mask along the line", with(|e| e.behind = Back::Line)),
        ("D over all stones", with(|e| e.double_with = Others::All)),
        ("beta = 1.83", with(|e| e.beta = 1.83)),
        ("b = 1.83", with(|e| e.double_along = 1.83)),
        (
            "mu by the team to throw",
            with(|e| e.mu_by = WeightBy::Mover),
        ),
        (
            "mu swapped",
            with(|e| (e.mu_first, e.mu_second) = (e.mu_second, e.mu_first)),
        ),
        ("mu = 0", with(|e| (e.mu_first, e.mu_second) = (0.0, 0.0))),
        ("row of take-outs not moved", grid(|g| g.shift = Some(0.0))),
        (
            "weights by density",
            LatticeSettings {
                mass: Mass::Density,
                ..usual
            },
        ),
        (
            "thinned",
            LatticeSettings {
                thin: true,
                ..usual
            },
        ),
        (
            "no noise",
            LatticeSettings {
                uncertainty: false,
                ..usual
            },
        ),
    ]
}

/// Positions before a shot, one from each match of a few random and then chosen shots.
fn positions(game: &Curling, count: u64) -> Vec<State> {
    let settings = LatticeSettings {
        depth: 1,
        ..LatticeSettings::default()
    };
    let mut agent = LatticeAgent::new(settings, &Budget::default());
    let mut states = Vec::new();
    for number in 0..count {
        let mut rng = Seed(2016).index(number).stream();
        let mut state = game.initial_state(&mut rng);
        for _ in 0..number % 16 {
            let (found, actions) = agent.find(game, &state);
            let Some(action) = found.best.and_then(|m| actions[m]) else {
                break;
            };
            game.apply(&mut state, action);
            if game.turn(&state) == Turn::Chance {
                let luck = game.sample_chance(&state, &mut rng);
                game.apply_chance(&mut state, luck);
            }
        }
        states.push(state);
    }
    states
}

/// What a search thinks of candidate `m`; `None` where it sought no replies and should have.
fn worth(found: &Found, m: usize) -> Option<f64> {
    if found.deep.is_empty() {
        Some(found.shallow[m])
    } else {
        found.deep[m]
    }
}

fn main() -> Result<(), PluginError> {
    let mut args = std::env::args().skip(1).map(|a| a.parse::<u64>());
    let count = args.next().and_then(Result::ok).unwrap_or(64);
    let depth = args.next().and_then(Result::ok).unwrap_or(1) as u32;
    let game = Curling::new(CurlingOptions::default())?;
    let states = positions(&game, count);
    let usual = LatticeSettings {
        depth,
        ..LatticeSettings::default()
    };
    let mut agent = LatticeAgent::new(usual, &Budget::default());
    let reference: Vec<Found> = states.iter().map(|s| agent.find(&game, s).0).collect();
    println!("{count} positions, depth {depth}");
    println!(
        "{:<28} {:>8} {:>10} {:>10} {:>8}",
        "reading", "changed", "mean cost", "most", "unknown"
    );
    for (name, settings) in readings(usual) {
        let mut agent = LatticeAgent::new(settings, &Budget::default());
        let (mut changed, mut unknown, mut cost, mut most) = (0, 0, 0.0, 0.0_f64);
        for (state, found) in states.iter().zip(&reference) {
            let other = agent.find(&game, state).0;
            let (Some(a), Some(b)) = (found.best, other.best) else {
                continue;
            };
            if a != b {
                // Another lattice has other shots, which it values itself.
                let judge = if settings.grid.is_some() {
                    &other
                } else {
                    found
                };
                changed += 1;
                let Some(loss) = worth(found, a).zip(worth(judge, b)).map(|(a, b)| a - b) else {
                    unknown += 1;
                    continue;
                };
                cost += loss;
                most = most.max(loss);
            }
        }
        let share = 100.0 * f64::from(changed) / states.len() as f64;
        let mean = cost / (states.len() - unknown) as f64;
        println!("{name:<28} {share:>7.0}% {mean:>10.4} {most:>10.4} {unknown:>8}");
    }
    Ok(())
}
