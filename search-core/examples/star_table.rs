//! How many leaves star pruning saves, on complete trees of decisions and chance nodes in turns.
//!
//! ```text
//! cargo run --release -p search-core --example star_table [TREES]
//! ```
//!
//! Players move in turns, every decision is followed by a chance node with equally likely outcomes,
//! leaves are independent and uniform on [0, 1]. Decisions list their actions in random order, or
//! the best first. No transposition table, no deepening, no ordering by the search: what is saved
//! is saved by the windows alone. Every value is compared with that of the plain search.

use std::ops::RangeInclusive;
use std::process::ExitCode;

use rand::Rng;
use search_core::budget::Budget;
use search_core::game::{ChanceOutcomes, Game, Player, Returns, Turn};
use search_core::rng::{Draw, Seed};
use search_core::search::expectimax::{Continuation, CutOff, DepthFirst, Expand, Line};
use search_core::search::{Expectimax, ExpectimaxSettings, Pruning};

/// Actions, outcomes and plies.
const SHAPES: [(usize, usize, usize); 6] = [
    (4, 4, 2),
    (8, 6, 2),
    (20, 6, 2),
    (20, 21, 2),
    (4, 4, 3),
    (6, 3, 3),
];

/// A complete tree. Level 0 is the root; even levels are decisions, odd ones chance nodes.
struct Tree {
    actions: usize,
    outcomes: usize,
    /// The values of all nodes, level by level, for player 0.
    values: Vec<Vec<f64>>,
}

impl Tree {
    fn random((actions, outcomes, plies): (usize, usize, usize), rng: &mut impl Rng) -> Self {
        let leaves = (actions * outcomes).pow(plies as u32);
        let mut values = vec![(0..leaves).map(|_| rng.unit()).collect::<Vec<f64>>()];
        for ply in (0..plies).rev() {
            let means = values[0].chunks(outcomes);
            let means: Vec<f64> = means
                .map(|c| c.iter().sum::<f64>() / outcomes as f64)
                .collect();
            let better = if ply % 2 == 0 { f64::max } else { f64::min };
            let best = means.chunks(actions);
            let best = best
                .map(|c| c.iter().copied().reduce(better).unwrap_or(0.0))
                .collect();
            values.insert(0, means);
            values.insert(0, best);
        }
        Self {
            actions,
            outcomes,
            values,
        }
    }
}

/// A node: its level and its number there.
type Place = (usize, usize);

impl Game for Tree {
    type State = Place;
    type Action = u16;
    type Chance = u16;
    type Observation = Place;

    fn num_players(&self) -> usize {
        2
    }

    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> Place {
        (0, 0)
    }

    fn turn(&self, &(level, _): &Place) -> Turn {
        if level + 1 == self.values.len() {
            Turn::Terminal
        } else if level % 2 == 1 {
            Turn::Chance
        } else {
            Turn::Player(Player::new(level / 2 % 2))
        }
    }

    fn legal_actions(&self, state: &Place, out: &mut Vec<u16>) {
        out.clear();
        if let Turn::Player(_) = self.turn(state) {
            out.extend(0..self.actions as u16);
        }
    }

    fn apply(&self, (level, index): &mut Place, action: u16) {
        *level += 1;
        *index = *index * self.actions + usize::from(action);
    }

    fn apply_chance(&self, (level, index): &mut Place, outcome: u16) {
        *level += 1;
        *index = *index * self.outcomes + usize::from(outcome);
    }

    fn returns(&self, &(level, index): &Place) -> Returns {
        let value = self.values[level][index];
        // Opposite returns: 0 to 1 for player 0 as -1 to 1.
        Returns::zero_sum(2.0 * value - 1.0)
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        -1.0..=1.0
    }

    fn observe(&self, state: &Place, _: Player) -> Place {
        *state
    }
}

impl ChanceOutcomes for Tree {
    fn chance_outcomes(&self, _: &Place, out: &mut Vec<(u16, f64)>) {
        out.clear();
        let probability = 1.0 / self.outcomes as f64;
        out.extend((0..self.outcomes as u16).map(|i| (i, probability)));
    }
}

/// Lists the best action first, as an oracle would.
struct BestFirst;

impl Expand<Tree> for BestFirst {
    fn expand(&self, tree: &Tree, state: &Place, out: &mut Vec<Continuation<Tree>>) {
        out.clear();
        for action in 0..tree.actions as u16 {
            let mut state = *state;
            tree.apply(&mut state, action);
            let line = Line::new(action);
            out.push(Continuation { line, state });
        }
        let sign = if (state.0 / 2).is_multiple_of(2) {
            -1.0
        } else {
            1.0
        };
        let rank = |c: &Continuation<Tree>| sign * tree.values[c.state.0][c.state.1];
        out.sort_by(|a, b| rank(a).total_cmp(&rank(b)));
    }
}

/// Leaves looked at, and the value of the root's best action.
fn search(tree: &Tree, pruning: Pruning, best_first: bool) -> Result<(u64, f64), String> {
    let parts = DepthFirst::new(CutOff).with_chance();
    let parts = if best_first {
        parts.with_expand(BestFirst)
    } else {
        parts
    };
    let settings = ExpectimaxSettings {
        depth: tree.values.len() as u32 / 2 + 1,
        pruning,
        table: 0,
        deepening: false,
        order_by_evaluation: false,
        ..ExpectimaxSettings::default()
    };
    let mut search = Expectimax::new(settings, parts);
    let plan = search.search_state(tree, &(0, 0), &Budget::default());
    let value = plan.map_err(|e| e.to_string())?.decision.chosen().mean;
    let report = search.report().ok_or("no report")?;
    Ok((report.nodes.leaves, value))
}

fn row(shape: (usize, usize, usize), trees: u64) -> Result<String, String> {
    let (actions, outcomes, plies) = shape;
    let mut leaves = [0_u64; 5];
    for index in 0..trees {
        let tree = Tree::random(shape, &mut Seed(16).child("star").simulation(index));
        let (all, value) = search(&tree, Pruning::None, false)?;
        leaves[0] += all;
        for best_first in [false, true] {
            for pruning in [Pruning::Star1, Pruning::Star2] {
                let (looked_at, same) = search(&tree, pruning, best_first)?;
                if (same - value).abs() > 1e-12 {
                    return Err(format!("{pruning:?} gives {same} instead of {value}"));
                }
                let column =
                    1 + 2 * usize::from(best_first) + usize::from(pruning == Pruning::Star2);
                leaves[column] += looked_at;
            }
        }
    }
    let saved = |column: usize| 100.0 * (1.0 - leaves[column] as f64 / leaves[0] as f64);
    Ok(format!(
        "{actions:>2},{outcomes:>2},{plies}  {:>8}  {:>5.1} %  {:>5.1} %  {:>5.1} %  {:>5.1} %",
        leaves[0] / trees,
        saved(1),
        saved(2),
        saved(3),
        saved(4)
    ))
}

fn main() -> ExitCode {
    let trees = match std::env::args().nth(1).map(|text| text.parse::<u64>()) {
        None => 20,
        Some(Ok(n)) if n > 0 => n,
        _ => {
            eprintln!("expected a number of trees, at least 1");
            return ExitCode::FAILURE;
        }
    };
    println!("leaves saved, means over {trees} trees");
    println!("                   random order      best first");
    println!("b, o,plies leaves   Star1    Star2    Star1    Star2");
    for shape in SHAPES {
        match row(shape, trees) {
            Ok(row) => println!("{row}"),
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
