//! Where the row of take-outs lies so that it covers the sheet after the curl.

use crate::board::{Board, Point, Stone};
use crate::evaluation::TAKEOUT_DISTANCE;
use crate::geometry::TEE;
use crate::physics::{Recorder, Sighting, Simulator};
use crate::release::Spin;

/// Finds where a stone crosses the tee line.
#[derive(Debug, Default)]
struct Crossing {
    last: Option<[f64; 2]>,
    x: Option<f64>,
}

impl Recorder for Crossing {
    const CONTACTS: bool = false;

    fn sighting(&mut self, sighting: &Sighting) {
        let now = sighting.place;
        if let (Some(last), None) = (self.last, self.x)
            && now[1] >= TEE
        {
            let share = (TEE - last[1]) / (now[1] - last[1]);
            self.x = Some(last[0] + share * (now[0] - last[0]));
        }
        self.last = Some(now);
    }
}

/// How far right of the centre line a counter-clockwise take-out would stop that passes over the tee:
/// 0 where the model shows no path.
pub(super) fn shift(model: &impl Simulator) -> f64 {
    let mut x = 0.0;
    // The sheet turns with the shot, so that a step or two settle it.
    for _ in 0..4 {
        let target = Point::new(x as f32, (TEE + TAKEOUT_DISTANCE) as f32);
        let Some(release) = model.stop_at(target, Spin::Ccw) else {
            return 0.0;
        };
        let mut crossing = Crossing::default();
        model.deliver(
            &mut Board::EMPTY.clone(),
            Stone::new(0),
            release,
            &mut crossing,
        );
        match crossing.x {
            Some(off) => x -= off * (TEE + TAKEOUT_DISTANCE) / TEE,
            None => return 0.0,
        }
    }
    x
}
