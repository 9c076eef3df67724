//! What common random numbers, and chance outcomes followed in their shares, are worth in Pig (after Veness,
//! Lanctot & Bowling 2011):
//!
//! `cargo run --release -p classics --example pig_common -- POSITIONS RUNS`
//!
//! POSITIONS (200) decisions of two-player Pig to 100 between rolling and holding, with any scores and 2 to 30
//! gathered; every search decides each RUNS (20) times, with other numbers. Flat
//! Monte Carlo plays rollouts with hold20. Its *agreement* is how often it chooses the action that is better in
//! the mean of its rollouts, estimated from all runs with independent numbers. The *regret* of a search is what
//! its choices lose of the probability of winning, exactly. Intervals are 95 % over positions.

use classics::Pig;
use classics::pig::{PigAction, PigState};
use classics::solve::PigSolution;
use search_core::budget::Budget;
use search_core::decision::Decision;
use search_core::expr::Expr;
use search_core::observation::Identity;
use search_core::plugin::{Plugin, SharedPolicy};
use search_core::policy::Observing;
use search_core::rng::{Draw, Seed};
use search_core::search::{Chance, CommonNumbers, Flat, FlatSettings, Searcher, TreeSettings, Uct};
use std::error::Error;

const BUDGETS: [u64; 4] = [16, 64, 256, 1024];
const NUMBERS: [CommonNumbers; 3] = [
    CommonNumbers::Independent,
    CommonNumbers::Running,
    CommonNumbers::EventKeyed,
];

/// A decision, and what the right one is.
struct Position {
    state: PigState,
    /// The probabilities of winning by rolling and by holding, with best play after it.
    exact: [f64; 2],
}

impl Position {
    fn loses(&self, action: PigAction) -> f64 {
        let [roll, hold] = self.exact;
        let chosen = if action == PigAction::Roll {
            roll
        } else {
            hold
        };
        roll.max(hold) - chosen
    }
}

/// Positions with something to hold that does not win at once.
fn positions(game: &Pig, count: usize) -> Result<Vec<Position>, Box<dyn Error>> {
    let solution = PigSolution::new(game.target());
    let mut rng = Seed(20).stream();
    let mut positions = Vec::new();
    while positions.len() < count {
        let scores = [0, 1].map(|_| rng.below(game.target()));
        let total = 2 + rng.below(29);
        if scores[0] + total >= game.target() {
            continue;
        }
        let text = format!("scores={},{} player=0 total={total}", scores[0], scores[1]);
        let state = game.parse_observation(&text)?;
        let values = solution.action_values(scores[0], scores[1], total);
        if let Some((roll, Some(hold))) = values {
            positions.push(Position {
                state,
                exact: [roll, hold],
            });
        }
    }
    Ok(positions)
}

/// What one search decided in one position, run after run.
struct Runs {
    choices: Vec<PigAction>,
    /// Roll less hold, in probability of winning.
    differences: Vec<f64>,
}

fn runs(
    count: u64,
    mut search: impl FnMut(Seed) -> Result<Decision<PigAction>, Box<dyn Error>>,
) -> Result<Runs, Box<dyn Error>> {
    let mut runs = Runs {
        choices: Vec::new(),
        differences: Vec::new(),
    };
    for run in 0..count {
        let decision = search(Seed(21).index(run))?;
        let mean = |action| {
            let found = decision.candidates.iter().find(|c| c.action == action);
            found.map_or(0.0, |c| c.mean)
        };
        runs.choices.push(decision.action);
        let difference = 0.5 * (mean(PigAction::Roll) - mean(PigAction::Hold));
        runs.differences.push(difference);
    }
    Ok(runs)
}

/// A mean with half of its interval.
fn mean(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
    (mean, 1.96 * (squares / (n - 1.0).max(1.0) / n).sqrt())
}

fn variance(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / (n - 1.0).max(1.0)
}

fn regret(positions: &[Position], all: &[Runs]) -> (f64, f64) {
    let lost = positions.iter().zip(all).map(|(position, runs)| {
        let lost = runs.choices.iter().map(|action| position.loses(*action));
        100.0 * lost.sum::<f64>() / runs.choices.len() as f64
    });
    mean(&lost.collect::<Vec<f64>>())
}

fn flat(
    game: &Pig,
    policy: &SharedPolicy<Pig>,
    positions: &[Position],
    count: u64,
) -> Result<(), Box<dyn Error>> {
    println!("flat Monte Carlo with hold20");
    println!(
        "  simulations  numbers       agreement      regret            variance of the difference, independent over this"
    );
    let mut all = Vec::new();
    for simulations in BUDGETS {
        for numbers in NUMBERS {
            let settings = FlatSettings {
                numbers,
                ..FlatSettings::default()
            };
            let mut searched = Vec::new();
            for position in positions {
                let mut search = Flat {
                    settings,
                    determinizer: Identity,
                    policy: Observing(policy.clone()),
                };
                let budget = Budget::simulations(simulations);
                searched.push(runs(count, |seed| {
                    Ok(search.search(game, &position.state, &budget, seed)?)
                })?);
            }
            all.push((simulations, numbers, searched));
        }
    }
    // Which action is better in the mean of rollouts: what the largest independent runs say together.
    let better: Vec<PigAction> = (0..positions.len())
        .map(|i| {
            let independent = all.iter().filter(|row| row.1 == CommonNumbers::Independent);
            let sum: f64 = independent
                .map(|row| row.0 as f64 * row.2[i].differences.iter().sum::<f64>())
                .sum();
            if sum > 0.0 {
                PigAction::Roll
            } else {
                PigAction::Hold
            }
        })
        .collect();
    let spread = |searched: &[Runs]| {
        let sum: f64 = searched.iter().map(|r| variance(&r.differences)).sum();
        sum / searched.len() as f64
    };
    let mut alone = 0.0;
    for (simulations, numbers, searched) in &all {
        let agrees = searched.iter().zip(&better).map(|(runs, better)| {
            let same = runs.choices.iter().filter(|choice| *choice == better);
            100.0 * same.count() as f64 / runs.choices.len() as f64
        });
        let (agreement, within) = mean(&agrees.collect::<Vec<f64>>());
        let (lost, lost_within) = regret(positions, searched);
        if *numbers == CommonNumbers::Independent {
            alone = spread(searched);
        }
        let (name, ratio) = (format!("{numbers:?}"), alone / spread(searched));
        println!(
            "  {simulations:>11}  {name:<12} {agreement:>5.1} ± {within:>3.1} %  {lost:>6.3} ± {lost_within:.3} %   {ratio:.2}"
        );
    }
    Ok(())
}

fn trees(game: &Pig, positions: &[Position], count: u64) -> Result<(), Box<dyn Error>> {
    println!("UCT with random rollouts");
    println!("  simulations  drawn: regret     in their shares: regret   better by");
    for simulations in BUDGETS {
        let mut of_positions = Vec::new();
        let mut printed = format!("  {simulations:>11}");
        for chance in [Chance::Sampled, Chance::explicit()] {
            let mut searched = Vec::new();
            for position in positions {
                let mut search = Uct::new(TreeSettings::default());
                search.chance = chance;
                let budget = Budget::simulations(simulations);
                searched.push(runs(count, |seed| {
                    Ok(search.search(game, &position.state, &budget, seed)?)
                })?);
            }
            let (lost, within) = regret(positions, &searched);
            printed += &format!("  {lost:>6.3} ± {within:.3} %");
            let lost = searched.iter().zip(positions).map(|(runs, position)| {
                let sum: f64 = runs.choices.iter().map(|a| position.loses(*a)).sum();
                100.0 * sum / count as f64
            });
            of_positions.push(lost.collect::<Vec<f64>>());
        }
        let paired = of_positions[0].iter().zip(&of_positions[1]);
        let (gain, within) = mean(&paired.map(|(a, b)| a - b).collect::<Vec<f64>>());
        println!("{printed}  {gain:>+6.3} ± {within:.3} %");
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let mut number = |default| words.next().map_or(Ok(default), |text| text.parse::<u64>());
    let (count, runs) = (number(200)?, number(20)?);
    if count < 2 || runs < 2 {
        return Err("give two positions and two runs at least".into());
    }
    let game = Pig::default();
    let positions = positions(&game, count as usize)?;
    let name = Expr::word("hold20");
    let policy = game.agent("hold20", &mut name.settings())?;
    let policy = policy.ok_or("Pig has hold20")?;
    flat(&game, &policy, &positions, runs)?;
    trees(&game, &positions, runs)
}
