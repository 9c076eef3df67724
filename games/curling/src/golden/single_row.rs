//! One row against both models of the ice of Digital Curling 3.

use serde_json::Value;

use super::row::{self, Collisions, Inverse, Noise, Traj, distance};
use super::{Checked, fcv, spread};
use crate::physics::{Ice, Model, Out};

/// Single precision in the order of the official simulator differs from it by the C library alone.
pub(super) const SAME: f64 = 1e-5;
/// One step: a stone may come to rest in the step before or after.
pub(super) const STEP: f64 = 1.5e-3;
/// The closed forms against single precision, metres: up to [`SLOW`] and on the sheet, and beyond.
const CLOSED: (f64, f64) = (0.010, 0.015);
/// The speed of a draw that reaches the back of the house and a little more, m/s.
pub(super) const SLOW: f64 = 2.5001;

/// Holds a figure below a bound.
fn below(what: &str, figure: f64, bound: f64) -> Checked {
    if figure < bound {
        Ok(())
    } else {
        Err(format!(
            "{what}: {figure:.3e} where below {bound:.3e} was expected"
        ))
    }
}

/// Both models, each with its name.
pub(super) fn models() -> [(&'static str, Model); 2] {
    [
        ("fcv1", Model::new(Ice::Fcv1)),
        ("fast", Model::new(Ice::Fast)),
    ]
}

pub(super) fn traj(row: &Value) -> Checked {
    let row: Traj = row::read(row)?;
    let steps = fcv::steps(&row);
    below("fcv1: end, m", steps.end, SAME)?;
    below("fcv1: path, m", steps.path, SAME)?;
    below("fcv1: velocity, m/s or rad/s", steps.velocity, SAME)?;
    below("fcv1: times of rest, steps", steps.time, 1.5)?;
    let speed = distance(row.v0, [0.0; 2]);
    let stays = row.out_of_sheet.is_none();
    for (name, model) in models() {
        let exact = name == "fcv1";
        let got = fcv::single(&model, &row);
        let out = got.out.filter(|out| *out != Out::Hog).map(row::why);
        if out != row.out_of_sheet.as_deref() {
            return Err(format!(
                "{name}: left by {out:?} instead of {:?}",
                row.out_of_sheet
            ));
        }
        let closed = if stays || speed < SLOW {
            CLOSED.0
        } else {
            CLOSED.1
        };
        let bound = if exact && stays { SAME } else { closed };
        if !got.end.is_nan() {
            below(&format!("{name}: end, m"), got.end, bound)?;
        }
        // Between sightings the path is interpolated.
        below(
            &format!("{name}: path, m"),
            got.path,
            if exact { 1e-4 } else { closed },
        )?;
        below(
            &format!("{name}: time, s"),
            got.time,
            if exact { STEP } else { 0.02 },
        )?;
    }
    Ok(())
}

pub(super) fn collisions(row: &Value) -> Checked {
    let row: Collisions = row::read(row)?;
    for (name, model) in models() {
        let got = fcv::throw(&model, &row)?;
        let exact = name == "fcv1";
        if row.n_contacts > 0 {
            // Only the distribution is specified: flips and distances are for all rows together.
            below(
                &format!("{name}: place, m"),
                got.place,
                if exact { 0.05 } else { 10.0 },
            )?;
            if let Some(first) = got.first.filter(|_| exact) {
                below("fcv1: place of the first contact, m", first.place, SAME)?;
                below("fcv1: motion after it, m/s or rad/s", first.after, SAME)?;
                below("fcv1: its impulse, N s", first.impulse, 1e-3)?;
                below("fcv1: its time, s", first.time, STEP)?;
            }
            continue;
        }
        if got.flips + got.reasons > 0 || got.contacts != 0 {
            return Err(format!("{name}: the stone should touch none, but {got:?}"));
        }
        below(
            &format!("{name}: place, m"),
            got.place,
            if exact { SAME } else { CLOSED.0 },
        )?;
        below(
            &format!("{name}: time, s"),
            got.time,
            if exact { STEP } else { 0.05 },
        )?;
        below(
            &format!("{name}: time out, s"),
            got.removal.0,
            if exact { STEP } else { 0.02 },
        )?;
        // The rows give it in six digits, and a step is up to four millimetres.
        below(
            &format!("{name}: place out, m"),
            got.removal.1,
            if exact { 1e-4 } else { 0.02 },
        )?;
    }
    Ok(())
}

/// Metres that single precision turns a shot away from the closed forms, and what a metre is worth
/// at release, 1/s: a little more than a shot of two metres a second and over.
const ANISOTROPY: f64 = 0.005;
const RELEASE_PER_METRE: f64 = 0.04;

pub(super) fn inverse(row: &Value) -> Checked {
    let row: Inverse = row::read(row)?;
    below(
        "fcv1: miss of the row's own release, m",
        fcv::own_miss(&row),
        SAME,
    )?;
    for (name, model) in models() {
        let got = fcv::aim(&model, &row)?;
        let bound = RELEASE_PER_METRE * (row.residual_m + ANISOTROPY);
        below(&format!("{name}: release, m/s"), got.release, bound)?;
        let exact = name == "fcv1";
        below(
            &format!("{name}: residual, m"),
            got.residual,
            if exact { 0.010 } else { 0.002 },
        )?;
        below(
            &format!("{name}: speed at the target, m/s"),
            got.speed,
            0.005,
        )?;
    }
    Ok(())
}

/// The shot as it was meant; the spread is for all executions together.
pub(super) fn noise(row: &Value) -> Checked {
    let row: Noise = row::read(row)?;
    for (name, model) in models() {
        let (contacts, ends) = spread::meant(&model, &row)?;
        for (ours, theirs) in ends.iter().zip(&row.noise_free) {
            let apart = match (ours, theirs) {
                (Some(a), Some(b)) => distance(*a, *b),
                (None, None) => 0.0,
                _ => return Err(format!("{name}: {ours:?} instead of {theirs:?}")),
            };
            // The rows round to a micrometre.
            let bound = match (name, contacts) {
                ("fcv1", 0) => SAME,
                ("fcv1", _) => 1e-3,
                (_, 0) => CLOSED.0,
                _ => 0.5,
            };
            below(&format!("{name}: place as meant, m"), apart, bound)?;
        }
    }
    Ok(())
}
