//! How a free stone slides on the ice of UEC: [`advance`], and its limit from a speed to a speed.
//!
//! In every step of a millisecond a stone moves by its velocity, then its speed falls by [`LOSS`] and
//! its heading turns by [`CURL`] times the loss over the new speed, towards the sign of its spin. So
//! the speeds of the steps are an arithmetic series, the heading is a logarithm (a logarithmic
//! spiral), and the sum of the moves is the integral of a power, by the midpoint rule: to a
//! micrometre what the steps themselves give.

/// Deceleration of every moving stone, in the model's metres a second squared.
pub const DECELERATION: f64 = 12.009_216;
/// Turn of the heading: this times the loss of speed over the speed.
pub const CURL: f64 = 0.066_696;
/// A step, in seconds.
pub const STEP: f64 = 0.001;
/// What a stone loses of its speed in a step.
pub const LOSS: f64 = DECELERATION * STEP;

/// A complex number: along and to the left.
pub type Pair = [f64; 2];

#[inline]
pub(super) fn times(a: Pair, b: Pair) -> Pair {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

#[inline]
pub(super) fn length(a: Pair) -> f64 {
    (a[0] * a[0] + a[1] * a[1]).sqrt()
}

/// The unit number of this angle.
#[inline]
pub(super) fn unit(angle: f64) -> Pair {
    let (sin, cos) = libm::sincos(angle);
    [cos, sin]
}

/// The way left at speed `u` on the path that had speed `start`, relative to the heading there, times
/// the deceleration: the integral of `(p + LOSS / 2) (pivot / p)^(i sign CURL)` from 0 to `u`, with
/// `pivot = start - LOSS / 2`.
#[inline]
fn integral(u: f64, pivot: f64, sign: f64) -> Pair {
    const SECOND: f64 = 1.0 / (4.0 + CURL * CURL);
    const FIRST: f64 = 0.5 * LOSS / (1.0 + CURL * CURL);
    if sign == 0.0 {
        return [0.5 * u * (u + LOSS), 0.0];
    }
    let curl = sign * CURL;
    let along = 2.0 * SECOND * u + FIRST;
    let left = curl * (SECOND * u + FIRST);
    let turn = unit(curl * libm::log(pivot / u));
    times([u * along, u * left], turn)
}

/// The way from speed `start` to speed `end`, along the heading at `start` and to the left of it, for
/// a stone that turns by `sign` (1 counter-clockwise, -1 clockwise, 0 not at all).
#[inline]
#[must_use]
pub fn way(start: f64, end: f64, sign: f64) -> Pair {
    if start <= LOSS {
        return [start * STEP, 0.0];
    }
    let pivot = start - 0.5 * LOSS;
    let from = integral(start, pivot, sign);
    let to = if end > 0.0 {
        integral(end, pivot, sign)
    } else {
        [0.0, 0.0]
    };
    [
        (from[0] - to[0]) / DECELERATION,
        (from[1] - to[1]) / DECELERATION,
    ]
}

/// What `steps` steps do to a stone that nothing touches: its move and its velocity after them.
#[inline]
#[must_use]
pub fn advance(velocity: Pair, sign: f64, steps: u32) -> (Pair, Pair) {
    let start = length(velocity);
    if start == 0.0 || steps == 0 {
        return ([0.0, 0.0], velocity);
    }
    let end = (start - f64::from(steps) * LOSS).max(0.0);
    let heading = [velocity[0] / start, velocity[1] / start];
    let moved = times(heading, way(start, end, sign));
    if end == 0.0 {
        return (moved, [0.0, 0.0]);
    }
    let turn = turned(start, end, sign);
    let after = times(heading, unit(turn));
    (moved, [end * after[0], end * after[1]])
}

/// By how much the heading turns from speed `start` to speed `end`.
#[inline]
fn turned(start: f64, end: f64, sign: f64) -> f64 {
    let pivot = (end - 0.5 * LOSS).max(0.25 * LOSS);
    sign * CURL * libm::log((start - 0.5 * LOSS) / pivot)
}

/// One application of friction: `loss` of the speed and the turn that comes with it, or rest.
#[inline]
#[must_use]
pub fn slow(velocity: Pair, sign: f64, loss: f64) -> Pair {
    let speed = length(velocity);
    if speed <= loss {
        return [0.0, 0.0];
    }
    let left = speed - loss;
    // Sideways by `CURL * loss`, then back to the speed it had.
    let (along, side) = (left, sign * CURL * loss);
    let scale = left / ((along * along + side * side).sqrt() * speed);
    let turned = times(velocity, [along, side]);
    [turned[0] * scale, turned[1] * scale]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stepped(mut velocity: Pair, sign: f64, steps: u32) -> (Pair, Pair) {
        let mut place = [0.0, 0.0];
        for _ in 0..steps {
            place = [place[0] + velocity[0] * STEP, place[1] + velocity[1] * STEP];
            velocity = slow(velocity, sign, LOSS);
        }
        (place, velocity)
    }

    #[test]
    fn the_closed_form_is_what_the_steps_sum_to() {
        for start in [[0.99, 29.6], [-4.0, 12.0], [0.3, -0.5], [0.0, 0.02]] {
            for sign in [1.0, -1.0, 0.0] {
                for steps in [1, 7, 300, 900, 2400, 3000] {
                    let (place, velocity) = advance(start, sign, steps);
                    let (truth, left) = stepped(start, sign, steps);
                    for i in 0..2 {
                        assert!(
                            (place[i] - truth[i]).abs() < 1e-5,
                            "{start:?} {sign} {steps}"
                        );
                        assert!(
                            (velocity[i] - left[i]).abs() < 1e-3,
                            "{start:?} {sign} {steps}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_piece_and_the_next_are_the_whole() {
        let start = [1.0, 28.0];
        let (a, v) = advance(start, 1.0, 800);
        let (b, w) = advance(v, 1.0, 700);
        let (whole, end) = advance(start, 1.0, 1500);
        for i in 0..2 {
            assert!((a[i] + b[i] - whole[i]).abs() < 1e-7);
            assert!((w[i] - end[i]).abs() < 1e-7);
        }
    }

    #[test]
    fn it_tends_to_the_logarithmic_spiral() {
        // Stop = v |v| / (mu (2 - i k)): physics of the continuous limit.
        let v = 29.576_37_f64;
        let norm = v * v / (DECELERATION * (4.0 + CURL * CURL));
        let rest = way(v, 0.0, 1.0);
        assert!((rest[0] - 2.0 * norm).abs() < 0.02, "{rest:?}");
        assert!((rest[1] - CURL * norm).abs() < 0.002, "{rest:?}");
    }
}
