//! The sheet, its stones and their ways, seen from above with the thrower at the bottom.

use super::canvas::{Anchor, Canvas, Colour, Paint, Type};
use super::colours;
use crate::board::{Board, Stone};
use crate::geometry::{
    BACK_LINE, BUTTON, EIGHT_FOOT, FOUR_FOOT, HOG_LINE, HOUSE_RADIUS, NEAR_BOARD, SHEET_WIDTH,
    STONE_RADIUS, TEE,
};
use crate::physics::{Contact, Sighting};

/// Which part of the sheet is shown, where and how large.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    left: f64,
    top: f64,
    /// Pixels a metre.
    scale: f64,
    /// Metres of y at the bottom and at the top.
    y: [f64; 2],
}

impl View {
    /// The end with the house, its upper left corner there.
    pub(super) const fn house([left, top]: [f64; 2], scale: f64) -> Self {
        Self {
            left,
            top,
            scale,
            y: [HOG_LINE - 0.5, BACK_LINE + 0.65],
        }
    }

    /// From behind the hack to behind the house.
    pub(super) const fn whole([left, top]: [f64; 2], scale: f64) -> Self {
        Self {
            left,
            top,
            scale,
            y: [NEAR_BOARD, BACK_LINE + 0.65],
        }
    }

    /// Left, top, width, height in pixels.
    pub(super) fn area(&self) -> [f64; 4] {
        let height = self.scale * (self.y[1] - self.y[0]);
        [self.left, self.top, self.scale * SHEET_WIDTH, height]
    }

    /// A place on the sheet in pixels.
    pub(super) fn at(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [
            self.left + self.scale * (x + SHEET_WIDTH / 2.0),
            self.top + self.scale * (self.y[1] - y),
        ]
    }

    /// Metres in pixels.
    pub(super) fn length(&self, metres: f64) -> f64 {
        self.scale * metres
    }

    /// The nearest point to a place that is within the view by this many pixels.
    pub(super) fn held(&self, place: [f64; 2], margin: f64) -> [f64; 2] {
        let ([x, y], [left, top, w, h]) = (self.at(place), self.area());
        [
            x.clamp(left + margin, left + w - margin),
            y.clamp(top + margin, top + h - margin),
        ]
    }

    /// Ice, rings and lines.
    pub(super) fn draw_sheet(&self, canvas: &mut Canvas) {
        canvas.rect(self.area(), 0.0, Paint::fill(Colour::ICE));
        let rings = [
            (HOUSE_RADIUS, Colour(0xb9, 0xd6, 0xee)),
            (EIGHT_FOOT, Colour(0xfd, 0xfe, 0xff)),
            (FOUR_FOOT, Colour(0xf3, 0xc5, 0xc3)),
            (BUTTON, Colour(0xfd, 0xfe, 0xff)),
        ];
        for (radius, colour) in rings {
            let paint = Paint::fill(colour).with_stroke(Colour::LINE, 0.5);
            canvas.circle(self.at([0.0, TEE]), self.length(radius), paint);
        }
        let half = SHEET_WIDTH / 2.0;
        let across = |y: f64| [self.at([-half, y]), self.at([half, y])];
        let hog = Paint::stroke(Colour(0xd9, 0x7b, 0x7b), self.length(0.05).max(1.0));
        for (y, paint) in [
            (HOG_LINE, hog),
            (TEE, Paint::stroke(Colour::LINE, 1.0)),
            (BACK_LINE, Paint::stroke(Colour::LINE, 1.0)),
        ] {
            let [a, b] = across(y);
            canvas.line(a, b, paint);
        }
        let (a, b) = (self.at([0.0, self.y[0]]), self.at([0.0, self.y[1]]));
        canvas.line(a, b, Paint::stroke(Colour::LINE, 1.0));
        canvas.rect(self.area(), 0.0, Paint::stroke(Colour::LINE, 1.0));
    }

    /// All stones with the numbers of their throws, from 1.
    pub(super) fn draw_stones(&self, canvas: &mut Canvas, board: &Board) {
        for (stone, point) in board.stones() {
            self.draw_stone(canvas, stone, [point.x.into(), point.y.into()], 0.0);
        }
    }

    /// One stone: granite with the handle in the colour of its team.
    pub(super) fn draw_stone(&self, canvas: &mut Canvas, stone: Stone, place: [f64; 2], fade: f64) {
        let (at, r) = (self.at(place), self.length(STONE_RADIUS));
        let granite = Paint::fill(Colour(0x6b, 0x72, 0x80)).with_stroke(Colour::INK, 0.8);
        canvas.circle(at, r, granite.faded(fade));
        let handle = colours::team(stone.team());
        canvas.circle(at, 0.7 * r, Paint::fill(handle).faded(fade));
        let size = 0.95 * r;
        // Below six pixels a number is a smudge.
        if size >= 6.0 && fade == 0.0 {
            let look = Type::new(size).bold().at(Anchor::Middle);
            let number = (stone.throw() + 1).to_string();
            canvas.text(
                [at[0], at[1] + 0.36 * size],
                look.coloured(handle.ink()),
                &number,
            );
        }
    }

    /// The way of a stone.
    pub(super) fn draw_path(&self, canvas: &mut Canvas, path: &[Sighting], paint: Paint) {
        let points: Vec<[f64; 2]> = path.iter().map(|s| self.at(s.place)).collect();
        let points = simplified(&points, 0.3);
        if points.len() > 1 {
            canvas.polyline(&points, paint);
        }
    }

    /// Where stones met: a small ring between the two.
    pub(super) fn draw_contacts(&self, canvas: &mut Canvas, contacts: &[Contact]) {
        for contact in contacts {
            let [a, b] = contact.places;
            let middle = [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0];
            let paint = Paint::fill(Colour::PAPER).with_stroke(Colour::INK, 1.0);
            canvas.circle(self.at(middle), self.length(0.03).max(1.5), paint);
        }
    }
}

/// The points that a line needs to be nowhere farther than `most` from the given one (Douglas and
/// Peucker 1973).
fn simplified(points: &[[f64; 2]], most: f64) -> Vec<[f64; 2]> {
    let mut keep = vec![false; points.len()];
    let mut spans = vec![(0, points.len().saturating_sub(1))];
    for end in [0, points.len().saturating_sub(1)] {
        if let Some(k) = keep.get_mut(end) {
            *k = true;
        }
    }
    while let Some((from, to)) = spans.pop() {
        let farthest = (from + 1..to)
            .map(|i| (i, distance(points[i], points[from], points[to])))
            .max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((i, _)) = farthest.filter(|(_, far)| *far > most) {
            keep[i] = true;
            spans.extend([(from, i), (i, to)]);
        }
    }
    let kept = points.iter().zip(keep).filter(|(_, keep)| *keep);
    kept.map(|(point, _)| *point).collect()
}

/// From a point to the segment between two others.
fn distance(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let squared = dx * dx + dy * dy;
    let share = if squared > 0.0 {
        (((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let (x, y) = (a[0] + share * dx - p[0], a[1] + share * dy - p[1]);
    (x * x + y * y).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_keep_their_proportions() {
        let view = View::house([10.0, 20.0], 100.0);
        let [left, top, w, h] = view.area();
        assert_eq!(view.at([-SHEET_WIDTH / 2.0, BACK_LINE + 0.65]), [left, top]);
        let corner = view.at([SHEET_WIDTH / 2.0, HOG_LINE - 0.5]);
        assert!((corner[0] - left - w).abs() < 1e-9 && (corner[1] - top - h).abs() < 1e-9);
        // A stone to the right of the tee is to the right, one behind it above.
        let tee = view.at([0.0, TEE]);
        assert!((view.at([1.0, TEE])[0] - tee[0] - 100.0).abs() < 1e-9);
        assert!((view.at([0.0, TEE + 1.0])[1] - tee[1] + 100.0).abs() < 1e-9);
        let held = view.held([9.0, 0.0], 5.0);
        assert!((held[0] - left - w + 5.0).abs() < 1e-9);
        assert!((held[1] - top - h + 5.0).abs() < 1e-9);
    }

    #[test]
    fn simplified_lines_stay_near() {
        let points: Vec<[f64; 2]> = (0..400)
            .map(|i| {
                let t = f64::from(i) / 40.0;
                [10.0 * t, 30.0 * libm::sin(t)]
            })
            .collect();
        let few = simplified(&points, 0.5);
        assert!(few.len() < 60, "{}", few.len());
        assert_eq!((few[0], few[few.len() - 1]), (points[0], points[399]));
        for p in &points {
            let near = few.windows(2).map(|w| distance(*p, w[0], w[1]));
            assert!(near.fold(f64::INFINITY, f64::min) <= 0.5 + 1e-9);
        }
        assert!(simplified(&[], 1.0).is_empty());
        assert_eq!(simplified(&[[1.0, 1.0]], 1.0).len(), 1);
        let closed = [[0.0, 0.0], [5.0, 0.0], [0.0, 0.0]];
        assert_eq!(simplified(&closed, 1.0), closed);
    }
}
