//! Student's t with five degrees of freedom: sampling, quantiles, and its density.

use rand::Rng;
use std::f64::consts::{FRAC_PI_2, PI};

use super::{normal_pair, unit};

/// Degrees of freedom, as in the KR-UCT paper (Yee, Lisy and Bowling 2016).
pub const FREEDOM: f64 = 5.0;

/// Draws one: a normal number over the root of a fifth of a chi-square number with five degrees of
/// freedom, which is the square of a normal number and two exponential ones.
pub fn sample<R: Rng + ?Sized>(rng: &mut R) -> f64 {
    let (a, b) = normal_pair(rng);
    let chi = b * b - 2.0 * (libm::log(unit(rng)) + libm::log(unit(rng)));
    a / (chi / FREEDOM).sqrt()
}

/// The density at `t` over that at 0.
#[must_use]
pub fn relative_density(t: f64) -> f64 {
    let base = 1.0 / (1.0 + t * t / FREEDOM);
    base * base * base
}

/// The probability of at most `t` (closed form for five degrees of freedom).
#[must_use]
pub fn cumulative(t: f64) -> f64 {
    below(libm::atan(t / FREEDOM.sqrt()))
}

/// The same by the angle whose tangent is t over the root of five.
fn below(angle: f64) -> f64 {
    let (sin, cos) = libm::sincos(angle);
    0.5 + (angle + sin * cos * (1.0 + 2.0 / 3.0 * cos * cos)) / PI
}

/// The number that is not exceeded with this probability.
#[must_use]
pub fn quantile(probability: f64) -> f64 {
    let (mut low, mut high) = (-FRAC_PI_2, FRAC_PI_2);
    for _ in 0..64 {
        let middle = 0.5 * (low + high);
        if below(middle) < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    FREEDOM.sqrt() * libm::tan(0.5 * (low + high))
}

/// The mean of `t` times its indicator above `t`: the density's first moment from `t` on.
#[must_use]
pub fn moment_above(t: f64) -> f64 {
    let base = 1.0 / (1.0 + t * t / FREEDOM);
    // 5/4 of the density at 0, which is 8 / (3 pi sqrt 5).
    1.25 * 8.0 / (3.0 * PI * FREEDOM.sqrt()) * base * base
}
