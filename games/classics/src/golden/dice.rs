//! Rows of dice games in which everybody sees everything: EinStein würfelt nicht, bearing off.

use search_core::game::Player;
use search_core::plugin::Outcome;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::{Checked, number, whole};
use crate::bearoff::MAX_POINTS;
use crate::solve::{BackwardInduction, EwnSolution};
use crate::{BearOff, Ewn};

/// Values are given to twelve places.
const PLACES: f64 = 1e-12;

/// The numbers of a list; -1 stands for `None`.
fn list(row: &Value, field: &str) -> Result<Vec<Option<u8>>, String> {
    let bad = || {
        format!(
            "{field}: expected a list of whole numbers, found {}",
            row[field]
        )
    };
    let numbers = row[field].as_array().ok_or_else(bad)?.iter();
    numbers
        .map(|n| match n.as_i64() {
            Some(-1) => Ok(None),
            Some(n) => u8::try_from(n).map(Some).map_err(|_| bad()),
            None => Err(bad()),
        })
        .collect()
}

pub(super) fn ewn(row: &Value) -> Checked {
    static SOLVED: Mutex<BTreeMap<(u32, u32), EwnSolution>> = Mutex::new(BTreeMap::new());
    let (size, stones) = (whole(row, "n")?, whole(row, "pieces")?);
    let game = Ewn::new(size, stones, true).map_err(|e| e.to_string())?;
    let mut solved = SOLVED.lock().unwrap_or_else(PoisonError::into_inner);
    let solution = match solved.entry((size, stones)) {
        std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
        std::collections::btree_map::Entry::Vacant(place) => {
            let Some(solution) = EwnSolution::new(game) else {
                let reason = format!("no solution of {size}x{size} with {stones} stones");
                return Ok(Outcome::Skip(reason));
            };
            place.insert(solution)
        }
    };
    if row["kind"] == "ewn/start" {
        ewn_start(row, game, solution)
    } else {
        ewn_position(row, game, solution)
    }
}

fn ewn_start(row: &Value, game: Ewn, solution: &mut EwnSolution) -> Checked {
    let (first, second) = (list(row, "first")?, list(row, "second")?);
    let start = game
        .position([&first, &second], 0, None)
        .map_err(|e| e.to_string())?;
    number(row, "p_first", Some(solution.before_throw(&start)), PLACES)?;
    Ok(Outcome::Pass)
}

fn ewn_position(row: &Value, game: Ewn, solution: &mut EwnSolution) -> Checked {
    let (mover, other) = (list(row, "mover")?, list(row, "other")?);
    let side = match whole(row, "side")? {
        side @ (0 | 1) => side as usize,
        side => return Err(format!("side: expected 0 or 1, found {side}")),
    };
    let mut sides = [&mover[..], &other[..]];
    if side == 1 {
        sides.swap(0, 1);
    }
    let die = whole(row, "die")?.min(255) as u8;
    let state = game
        .position(sides, side, Some(die))
        .map_err(|e| e.to_string())?;
    if state.die().is_none() || state.mover() != Player::new(side) {
        return Err("the game would be over there".into());
    }
    number(row, "value", Some(solution.win_probability(&state)), PLACES)?;
    number(
        row,
        "value_before_roll",
        Some(solution.before_throw(&state)),
        PLACES,
    )?;
    let (stone, to) = (whole(row, "best_piece")?, whole(row, "best_to")?);
    let values = solution.action_values(&state);
    let best = values
        .iter()
        .map(|(_, v)| *v)
        .fold(f64::NEG_INFINITY, f64::max);
    let named = values
        .iter()
        .find(|(a, _)| (u32::from(a.stone()), u32::from(a.to())) == (stone, to));
    match named {
        Some((_, value)) if best - value <= PLACES => Ok(Outcome::Pass),
        Some((_, value)) => Err(format!(
            "best_piece, best_to: stone {stone} to {to} is worth {value}, another move {best}"
        )),
        None => Err(format!(
            "best_piece, best_to: stone {stone} to {to} is not legal"
        )),
    }
}

/// One game for every number of points, with as many checkers as the rows have.
static BEAR_OFFS: [BearOff; MAX_POINTS] = BearOff::of_three();

type BearOffSolver = Mutex<BackwardInduction<'static, BearOff>>;

pub(super) fn bear_off(row: &Value) -> Checked {
    static SOLVED: LazyLock<[BearOffSolver; MAX_POINTS]> = LazyLock::new(|| {
        std::array::from_fn(|i| Mutex::new(BackwardInduction::new(&BEAR_OFFS[i])))
    });
    let points = whole(row, "points")? as usize;
    let (Some(game), Some(solved)) = (
        points.checked_sub(1).and_then(|i| BEAR_OFFS.get(i)),
        points.checked_sub(1).and_then(|i| SOLVED.get(i)),
    ) else {
        return Err(format!(
            "points: expected 1 to {MAX_POINTS}, found {points}"
        ));
    };
    let side = |field| -> Result<Vec<u8>, String> {
        let counts = list(row, field)?.into_iter();
        let counts: Option<Vec<u8>> = counts.collect();
        counts.ok_or_else(|| format!("{field}: a number of checkers is below 0"))
    };
    let (mover, other) = (side("mover")?, side("other")?);
    let state = game
        .position([&mover, &other], 0, &[])
        .map_err(|e| e.to_string())?;
    let mut solver = solved.lock().unwrap_or_else(PoisonError::into_inner);
    let value = solver.value(&state).of(Player::new(0));
    number(row, "p_win_before_roll", Some(0.5 * (value + 1.0)), PLACES)?;
    Ok(Outcome::Pass)
}
