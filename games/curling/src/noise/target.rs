//! Noise of the target: the tee, missed by so much, tells by how much a velocity is missed.
//!
//! UEC's simulator draws n around the tee and adds `v(tee) - v(tee + n)` to the velocity of the shot,
//! v being the release that stops there with the spin of the shot (Katoh, Iizuka and Yamamoto 2016,
//! eq. 4 to 7). So a stone aimed at q stops near q - n, with nearly the same n for every q.

use crate::board::Point;
use crate::geometry::TEE;
use crate::physics::Simulator;
use crate::release::{Release, Spin};

use super::Deviation;

pub(super) fn execute(model: &impl Simulator, meant: Release, deviation: Deviation) -> Release {
    if deviation == Deviation::NONE {
        return meant;
    }
    let aim = |x: f64, y: f64| model.stop_at(Point::new(x as f32, (TEE + y) as f32), meant.spin());
    let missed = aim(deviation.first(), deviation.second());
    match (aim(0.0, 0.0), missed) {
        (Some(tee), Some(missed)) => Release {
            vx: meant.vx + (tee.vx - missed.vx),
            vy: meant.vy + (tee.vy - missed.vy),
            omega: meant.omega,
        },
        _ => meant,
    }
}

/// The derivative of the stopping point by the velocity: rows x and y, columns vx and vy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Jacobian(pub [[f64; 2]; 2]);

impl Jacobian {
    /// At a release, by central differences of a hundredth of its speed: places are known to four
    /// micrometres, so this is good to about 1e-4.
    #[must_use]
    pub fn of(model: &impl Simulator, release: Release) -> Self {
        let step = 0.01 * release.speed();
        if step == 0.0 {
            return Self([[0.0; 2]; 2]);
        }
        let along = |dx: f64, dy: f64| {
            let at = |sign: f64| {
                model.stopping_point(Release {
                    vx: release.vx + sign * dx,
                    vy: release.vy + sign * dy,
                    omega: release.omega,
                })
            };
            let (a, b) = (at(1.0), at(-1.0));
            let slope = |a: f32, b: f32| (f64::from(a) - f64::from(b)) / (2.0 * step);
            [slope(a.x, b.x), slope(a.y, b.y)]
        };
        let (x, y) = (along(step, 0.0), along(0.0, step));
        Self([[x[0], y[0]], [x[1], y[1]]])
    }

    /// The product with a matrix.
    #[must_use]
    pub fn times(&self, m: [[f64; 2]; 2]) -> [[f64; 2]; 2] {
        let cell = |i: usize, j: usize| self.0[i][0] * m[0][j] + self.0[i][1] * m[1][j];
        [[cell(0, 0), cell(0, 1)], [cell(1, 0), cell(1, 1)]]
    }

    /// The inverse, `None` when there is none.
    #[must_use]
    pub fn inverse(&self) -> Option<Self> {
        let [[a, b], [c, d]] = self.0;
        let det = a * d - b * c;
        (det != 0.0).then(|| Self([[d / det, -b / det], [-c / det, a / det]]))
    }
}

/// The derivative at a draw to the tee; all zero when the model cannot reach it.
pub(super) fn at_tee(model: &impl Simulator, spin: Spin) -> Jacobian {
    match model.stop_at(Point::TEE, spin) {
        Some(release) => Jacobian::of(model, release),
        None => Jacobian([[0.0; 2]; 2]),
    }
}

/// What steps of the deviation, x and y at the tee, add to the velocity: columns, by vx and vy.
pub(super) fn velocity_steps(
    model: &impl Simulator,
    spin: Spin,
    [x, y]: [f64; 2],
) -> [[f64; 2]; 2] {
    let inverse = at_tee(model, spin).inverse();
    inverse.map_or([[0.0; 2]; 2], |j| j.times([[x, 0.0], [0.0, y]]))
}
