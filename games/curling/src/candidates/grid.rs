//! Shots on a lattice, whatever lies on the board: stopping places over the house and the guard zone,
//! and a row at take-out weight.

use crate::action::Action;
use crate::board::Point;
use crate::geometry::TEE;
use crate::release::Spin;
use crate::shots::Paths;
use crate::shots::named::HIT;

/// Columns to either side of the centre line, and how far apart they are in metres.
const COLUMNS: i32 = 2;
const COLUMN: f32 = 0.6;
/// Stopping places from the tee towards the thrower, in metres.
const ROWS: [f32; 5] = [-0.6, 0.0, 0.6, 1.8, 3.2];
/// The same for the take-out row, through the tee line.
const HIT_COLUMNS: i32 = 4;
const HIT_COLUMN: f32 = 0.35;

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
        }
    }
    out
}
