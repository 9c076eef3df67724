//! Shots on a lattice, whatever lies on the board: stopping places over the house and the guard zone,
//! and a row at take-out weight.

use crate::action::Action;
use crate::board::Point;
use crate::geometry::TEE;
use crate::release::Spin;
use crate::shots::Paths;
use crate::shots::named::{HIT, PEEL};

/// Half-widths in columns of half a metre.
const COLUMNS: i32 = 3;
const COLUMN: f32 = 0.5;
/// Stopping places from the tee towards the thrower, in metres.
const ROWS: [f32; 7] = [-1.2, -0.6, 0.0, 0.6, 1.2, 2.4, 3.6];
/// Columns of the take-out row, a stone apart.
const HIT_COLUMNS: i32 = 6;
const HIT_COLUMN: f32 = 0.29;

/// The lattice on an ice, the same for every board; in no order.
pub(crate) fn lattice(paths: &Paths) -> Vec<Action> {
    let mut out = Vec::new();
    let tee = TEE as f32;
    for spin in Spin::BOTH {
        let mut push = |x: f32, y: f32, weight: f64| {
            let aim = paths.aim(Point::new(x, y), weight, spin);
            out.extend(aim.as_ref().map(super::action));
        };
        for column in -COLUMNS..=COLUMNS {
            for row in ROWS {
                push(column as f32 * COLUMN, tee - row, 0.0);
            }
        }
        for column in -HIT_COLUMNS..=HIT_COLUMNS {
            push(column as f32 * HIT_COLUMN, tee, paths.held(HIT));
            push(column as f32 * HIT_COLUMN, tee, paths.held(PEEL));
        }
    }
    out
}
