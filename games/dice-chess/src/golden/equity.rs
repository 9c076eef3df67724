//! Who wins if both sides take the king when they can and else play any legal turn.

use cozy_chess::Color;
use search_core::estimate::{Equity, Rollouts};
use search_core::rng::Seed;
use serde_json::Value;
use std::collections::HashMap;

use super::Checked;
use super::row::{field, integer, near, number, position};
use crate::board::Board;
use crate::dice::Roll;
use crate::game::DiceChess;
use crate::position::Position;
use crate::survival::PolicyProcess;
use crate::turns::legal_turns;

/// The probabilities that White wins, that Black does, and that it is open.
type Masses = [f64; 3];

const NAMES: [&str; 3] = ["white", "black", "undecided"];

/// The exact value by going through everything that can happen, without the process that is checked.
fn value(
    known: &mut HashMap<(Board, Color, u64), Masses>,
    board: &Board,
    side: Color,
    plies: u64,
) -> Masses {
    if plies == 0 {
        return [0.0, 0.0, 1.0];
    }
    let key = (*board, side, plies);
    if let Some(&masses) = known.get(&key) {
        return masses;
    }
    let mut sum = [0.0; 3];
    let mut add = |weight: f64, masses: Masses| {
        for (sum, mass) in sum.iter_mut().zip(masses) {
            *sum += weight * mass;
        }
    };
    for roll in Roll::all() {
        let weight = f64::from(roll.weight()) / f64::from(Roll::TOTAL_WEIGHT);
        let turns = legal_turns(board, side, roll.pool());
        if turns.iter().any(|t| t.takes_king) {
            let mut won = [0.0; 3];
            won[side as usize] = 1.0;
            add(weight, won);
            continue;
        }
        let mut after = |mut board: Board| {
            board.end_turn(side);
            value(known, &board, !side, plies - 1)
        };
        if turns.is_empty() {
            add(weight, after(*board));
        }
        for turn in &turns {
            add(weight / turns.len() as f64, after(turn.board));
        }
    }
    known.insert(key, sum);
    sum
}

fn rollouts(start: &Position, plies: u64, rollouts: u64) -> Result<Equity, String> {
    let settings = Rollouts {
        rollouts,
        plies: u32::try_from(plies).map_err(|_| "field `plies` is too large")?,
        ..Rollouts::default()
    };
    let (game, process) = (DiceChess::default(), PolicyProcess::default());
    settings
        .estimate(&game, &process, start, Seed(1), &mut |_| ())
        .map_err(|e| e.to_string())
}

const fn masses(equity: &Equity) -> Masses {
    [equity.wins[0], equity.wins[1], equity.undecided]
}

/// An exact row: the enumeration equals it, and rollouts are within five standard errors.
pub(super) fn exact(row: &Value) -> Checked {
    let start = position(row)?;
    let plies = integer(row, "plies")?;
    let expected = field(row, "expected")?;
    let tolerance = number(row, "tolerance")?;
    let found = value(&mut HashMap::new(), &start.board, start.side, plies);
    let sampled = rollouts(&start, plies, 4096)?;
    // The standard error of Black's wins is at most the sum of those of White's and of the edge.
    let slack = 5.0 * (sampled.std_error + sampled.edge_error) + tolerance;
    for (i, name) in NAMES.into_iter().enumerate() {
        let name = format!("correct_{name}");
        let wanted = number(expected, &name)?;
        near(&name, wanted, found[i], tolerance)?;
        let bound = if i == 0 {
            5.0 * sampled.std_error + tolerance
        } else {
            slack
        };
        let sampled = masses(&sampled)[i];
        near(&format!("{name} by rollouts"), wanted, sampled, bound)?;
    }
    Ok(())
}

/// A row that is itself an estimate: within its tolerance.
pub(super) fn sampled(row: &Value) -> Checked {
    let start = position(row)?;
    let found = rollouts(&start, integer(row, "plies")?, 8192)?;
    let expected = field(row, "expected")?;
    let tolerance = number(row, "tolerance")?;
    for (name, got) in NAMES.into_iter().zip(masses(&found)) {
        let name = format!("correct_{name}");
        near(&name, number(expected, &name)?, got, tolerance)?;
    }
    Ok(())
}
