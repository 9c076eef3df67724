//! Values as colours, and the bar that says which is which.

use super::canvas::{Anchor, Canvas, Colour, Paint, Type};
use crate::board::Team;

/// Anchors of a scale that grows evenly darker and is told apart by the colour-blind too, from low to
/// high (after `viridis`, Smith and van der Walt 2015, without its lightest end).
const ANCHORS: [Colour; 5] = [
    Colour(0x44, 0x01, 0x54),
    Colour(0x3b, 0x52, 0x8b),
    Colour(0x21, 0x91, 0x8c),
    Colour(0x5e, 0xc9, 0x62),
    Colour(0xe6, 0xd8, 0x1f),
];

/// The colour of a team's handles.
pub(super) const fn team(team: Team) -> Colour {
    match team {
        Team::Team0 => Colour(0xd0, 0x2f, 0x3a),
        Team::Team1 => Colour(0xf4, 0xc4, 0x30),
    }
}

/// From values to colours: linear between the least and the greatest.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    /// Over the finite ones of some values.
    pub(super) fn over(values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = values
            .filter(|v| v.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| {
                (l.min(v), h.max(v))
            });
        match low <= high {
            true => Self { low, high },
            false => Self {
                low: 0.0,
                high: 0.0,
            },
        }
    }

    /// The colour of a value; grey for one that is not a number.
    pub(super) fn colour(&self, value: f64) -> Colour {
        if !value.is_finite() {
            return Colour::FAINT;
        }
        let span = self.high - self.low;
        let share = if span > 0.0 {
            ((value - self.low) / span).clamp(0.0, 1.0)
        } else {
            1.0
        };
        let last = ANCHORS.len() - 1;
        let at = share * last as f64;
        let i = (at as usize).min(last - 1);
        let mix = |a: u8, b: u8| {
            let x = f64::from(a) + (at - i as f64) * (f64::from(b) - f64::from(a));
            x.round() as u8
        };
        let (a, b) = (ANCHORS[i], ANCHORS[i + 1]);
        Colour(mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
    }

    /// The bar with its title above and five values below, at x, y, with this width. 46 pixels high.
    pub(super) fn bar(
        &self,
        canvas: &mut Canvas,
        [x, y]: [f64; 2],
        width: f64,
        title: &str,
        word: impl Fn(f64) -> String,
    ) {
        const STEPS: usize = 48;
        let look = Type::new(11.0).coloured(Colour::FAINT);
        canvas.text([x, y + 10.0], look, title);
        let value = |share: f64| self.low + share * (self.high - self.low);
        let step = width / STEPS as f64;
        for i in 0..STEPS {
            let colour = self.colour(value((i as f64 + 0.5) / STEPS as f64));
            // A little wider than a step, so that no seams show.
            let area = [x + i as f64 * step, y + 16.0, step + 0.5, 12.0];
            canvas.rect(area, 0.0, Paint::fill(colour));
        }
        let ticks = if self.high > self.low { 3 } else { 1 };
        for i in 0..ticks {
            let share = i as f64 / 2.0;
            let anchor = [Anchor::Start, Anchor::Middle, Anchor::End][i];
            let at = [x + share * width, y + 42.0];
            canvas.text(at, look.at(anchor), &word(value(share)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_a_scale_are_its_values() {
        let scale = Scale::over([0.5, f64::NAN, -0.25, 0.0].into_iter());
        assert_eq!(scale.colour(-0.25), ANCHORS[0]);
        assert_eq!(scale.colour(0.5), ANCHORS[4]);
        assert_eq!(scale.colour(0.125), ANCHORS[2]);
        assert_eq!(scale.colour(9.0), ANCHORS[4]);
        assert_eq!(scale.colour(f64::NAN), Colour::FAINT);
        // One value or none at all.
        assert_eq!(Scale::over([3.0].into_iter()).colour(3.0), ANCHORS[4]);
        assert_eq!(Scale::over([].into_iter()).colour(3.0), ANCHORS[4]);
    }
}
