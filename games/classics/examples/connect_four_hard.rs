//! How often the hard positions of connect four keep their value, by settings: 61 positions in which some
//! legal move gives a win or a draw away (`tests/data/connect4_hard.jsonl`).
//!
//! ```text
//! cargo run --release -p classics --example connect_four_hard -- [SEEDS [SIMULATIONS]]
//! ```
//!
//! With 10 seeds, 1,000 and 10,000 simulations by default; then the positions that the plain search loses
//! in half of the seeds or more.

use std::sync::Arc;

use classics::ConnectFour;
use classics::connect_four::Position;
use search_core::budget::Budget;
use search_core::expr::Expr;
use search_core::observation::Identity;
use search_core::plugin::{Plugin, SharedPolicy};
use search_core::policy::{Observing, RolloutPolicy, UniformRandom};
use search_core::rng::Seed;
use search_core::rollout::Rollout;
use search_core::search::{
    GraphSettings, GraphUct, Mcts, MctsSettings, Searcher, Selector, Sharing, TreeSettings,
};
use search_core::tree::Indexed;

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;
type Playouts = Rollout<Arc<dyn RolloutPolicy<ConnectFour>>>;

/// A position and the sign of the score of every column, 0 to 6; 2 for a full one.
struct Row {
    moves: String,
    position: Position,
    value: i64,
    after: Vec<i64>,
}

fn rows() -> Fallible<Vec<Row>> {
    let mut rows = Vec::new();
    for line in include_str!("../tests/data/connect4_hard.jsonl").lines() {
        let row: serde_json::Value = serde_json::from_str(line)?;
        let (Some(moves), Some(score)) = (row["moves"].as_str(), row["score"].as_i64()) else {
            continue;
        };
        let scores = row["move_scores"].as_array().ok_or("no scores")?;
        rows.push(Row {
            moves: moves.into(),
            position: ConnectFour.parse_observation(moves)?,
            value: score.signum(),
            after: scores
                .iter()
                .map(|s| s.as_i64().map_or(2, i64::signum))
                .collect(),
        });
    }
    Ok(rows)
}

/// Whether the value is kept, by position and seed.
fn kept(
    searcher: &mut dyn Searcher<ConnectFour>,
    rows: &[Row],
    simulations: u64,
    seeds: u64,
) -> Fallible<Vec<Vec<bool>>> {
    let budget = Budget::simulations(simulations);
    let mut all = Vec::new();
    for row in rows {
        let mut kept = Vec::new();
        for seed in 0..seeds {
            let decision = searcher.search(&ConnectFour, &row.position, &budget, Seed(seed))?;
            kept.push(row.after[decision.action.index()] == row.value);
        }
        all.push(kept);
    }
    Ok(all)
}

/// The share over all positions in percent, and its standard error over the seeds.
fn share(kept: &[Vec<bool>], seeds: u64) -> (f64, f64) {
    let shares: Vec<f64> = (0..seeds as usize)
        .map(|seed| kept.iter().filter(|row| row[seed]).count() as f64 / kept.len() as f64)
        .collect();
    let n = shares.len() as f64;
    let mean = shares.iter().sum::<f64>() / n;
    let squares: f64 = shares.iter().map(|s| (s - mean).powi(2)).sum();
    (100.0 * mean, 100.0 * (squares / (n - 1.0) / n).sqrt())
}

fn playouts(easy: bool) -> Fallible<Playouts> {
    let policy: Arc<dyn RolloutPolicy<ConnectFour>> = if easy {
        let named = Expr::word("easy");
        let policy: Option<SharedPolicy<ConnectFour>> =
            ConnectFour.agent("easy", &mut named.settings())?;
        Arc::new(Observing(policy.ok_or("no easy")?))
    } else {
        Arc::new(UniformRandom)
    };
    Ok(Rollout::with_policy(policy))
}

/// `change` of the default settings, on a tree.
fn tree(
    easy: bool,
    change: impl Fn(&mut MctsSettings),
) -> Fallible<Box<dyn Searcher<ConnectFour>>> {
    let mut settings = MctsSettings::default();
    change(&mut settings);
    let mut mcts = Mcts::with(settings, Identity, playouts(easy)?, Indexed::default());
    if settings.minimax > 0.0 {
        mcts.heuristic = ConnectFour.depth_first().map(|parts| parts.evaluator);
    }
    Ok(Box::new(mcts))
}

/// On a graph.
fn graph(easy: bool, c: f64, sharing: Sharing) -> Fallible<Box<dyn Searcher<ConnectFour>>> {
    let settings = GraphSettings {
        sharing,
        exploration: c,
        ..GraphSettings::default()
    };
    let parts = ConnectFour.depth_first().ok_or("no key")?;
    let key = parts.key.ok_or("no key")?;
    Ok(Box::new(GraphUct::with(settings, key, playouts(easy)?)))
}

fn exploring(c: f64) -> impl Fn(&mut MctsSettings) {
    move |settings| {
        settings.tree = TreeSettings {
            exploration: c,
            ..settings.tree
        };
    }
}

/// A searcher with its name.
type Named = (&'static str, Box<dyn Searcher<ConnectFour>>);

/// What is compared, as `searchlab` would be asked for it.
fn searchers() -> Fallible<Vec<Named>> {
    let solve = |s: &mut MctsSettings| s.solver = true;
    let minimax = |s: &mut MctsSettings| s.minimax = 0.2;
    let tuned = |s: &mut MctsSettings| {
        s.selector = Selector::Ucb1Tuned;
        s.tree.exploration = 1.0;
    };
    let both = |s: &mut MctsSettings| {
        solve(s);
        minimax(s);
    };
    let wide = |s: &mut MctsSettings| {
        both(s);
        s.tree.exploration = 1.4;
    };
    Ok(vec![
        ("uct", tree(false, |_| ())?),
        ("uct(c=1)", tree(false, exploring(1.0))?),
        ("uct(c=1.4)", tree(false, exploring(1.4))?),
        ("uct(c=2)", tree(false, exploring(2.0))?),
        ("uct(select=tuned, c=1)", tree(false, tuned)?),
        ("uct(solver=true)", tree(false, solve)?),
        ("uct(minimax=0.2)", tree(false, minimax)?),
        ("uct(minimax=0.2, solver=true)", tree(false, both)?),
        ("uct(c=1.4, minimax=0.2, solver=true)", tree(false, wide)?),
        ("uct(rollout=easy)", tree(true, |_| ())?),
        ("uct(rollout=easy, solver=true)", tree(true, solve)?),
        (
            "uct(rollout=easy, minimax=0.2, solver=true)",
            tree(true, both)?,
        ),
        ("graph-uct", graph(false, 0.7, Sharing::Recomputed)?),
        ("graph-uct(c=1.4)", graph(false, 1.4, Sharing::Recomputed)?),
        (
            "graph-uct(rollout=easy)",
            graph(true, 0.7, Sharing::Recomputed)?,
        ),
    ])
}

fn main() -> Fallible<()> {
    let mut numbers = Vec::new();
    for argument in std::env::args().skip(1) {
        numbers.push(argument.parse::<u64>()?);
    }
    let seeds = numbers.first().copied().unwrap_or(10).max(2);
    let budgets = match numbers.get(1) {
        Some(&simulations) => vec![simulations],
        None => vec![1_000, 10_000],
    };
    let rows = rows()?;
    println!("{} positions, {seeds} seeds", rows.len());
    let mut lost = Vec::new();
    for (name, mut searcher) in searchers()? {
        print!("{name:45}");
        for &simulations in &budgets {
            let kept = kept(&mut *searcher, &rows, simulations, seeds)?;
            let (mean, error) = share(&kept, seeds);
            print!("  {mean:5.2} % ± {error:.2}");
            if name == "uct" {
                let often = |row: &&(usize, usize)| 2 * row.1 >= seeds as usize;
                let losses = kept.iter().map(|row| row.iter().filter(|k| !**k).count());
                let rows: Vec<(usize, usize)> = losses.enumerate().collect();
                lost.push((
                    simulations,
                    rows.iter().filter(often).copied().collect::<Vec<_>>(),
                ));
            }
        }
        println!();
    }
    for (simulations, often) in lost {
        println!("lost by `uct` in half of the seeds or more, at {simulations} simulations:");
        for (row, times) in often {
            println!("  {:35} {times} of {seeds}", rows[row].moves);
        }
    }
    Ok(())
}
