//! What execution noise makes of one shot: where many throws of it come to rest.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::canvas::{Canvas, Colour, Paint, Type};
use super::sheet::View;
use super::{MARGIN, TITLE, draw_head, plain_name};
use crate::action::Action;
use crate::game::Curling;
use crate::state::State;
use crate::trace::Trace;

/// Where the stone of a shot comes to rest under noise.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cloud {
    /// The resting places of the throws that touched no other stone, in metres.
    pub clean: Vec<[f64; 2]>,
    /// Of those that touched one.
    pub touched: Vec<[f64; 2]>,
    /// Throws after which the stone is out of play.
    pub out: u32,
    /// Throws that broke the free guard zone; they are in `out` as well.
    pub fouls: u32,
}

/// Mean and spread of places in the plane.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Spread {
    mean: [f64; 2],
    /// Standard deviations along the two axes of the ellipse, the greater first.
    axes: [f64; 2],
    /// Radians from +x to the first axis, counter-clockwise.
    turn: f64,
    /// Standard deviations of x and y.
    sd: [f64; 2],
}

impl Cloud {
    /// Throws a shot so many times; the same seed gives the same throws. Empty when `action` is not a
    /// shot.
    #[must_use]
    pub fn throw(game: &Curling, state: &State, action: Action, throws: u32, seed: u64) -> Self {
        let mut cloud = Self::default();
        let Some(meant) = action.release() else {
            return cloud;
        };
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let stone = game.stone(state);
        for _ in 0..throws {
            let deviation = game.noise().sample(&mut rng);
            let release = game.noise().execute(game.model(), meant, deviation);
            let (board, delivered, foul) = game.throw(state, release, &mut ());
            cloud.fouls += u32::from(foul);
            match board.get(stone).filter(|_| !foul) {
                None => cloud.out += 1,
                Some(p) if delivered.contacts == 0 => cloud.clean.push([p.x.into(), p.y.into()]),
                Some(p) => cloud.touched.push([p.x.into(), p.y.into()]),
            }
        }
        cloud
    }

    fn throws(&self) -> usize {
        self.clean.len() + self.touched.len() + self.out as usize
    }
}

impl Spread {
    /// Of at least three places; the eigenvalues of a symmetric 2 by 2 matrix in closed form.
    fn of(places: &[[f64; 2]]) -> Option<Self> {
        if places.len() < 3 {
            return None;
        }
        let n = places.len() as f64;
        let mean = [0, 1].map(|i| places.iter().map(|p| p[i]).sum::<f64>() / n);
        let moment = |i: usize, j: usize| {
            let terms = places.iter().map(|p| (p[i] - mean[i]) * (p[j] - mean[j]));
            terms.sum::<f64>() / (n - 1.0)
        };
        let (xx, xy, yy) = (moment(0, 0), moment(0, 1), moment(1, 1));
        let (middle, half) = ((xx + yy) / 2.0, (xx - yy) / 2.0);
        let root = (half * half + xy * xy).sqrt();
        Some(Self {
            mean,
            axes: [middle + root, (middle - root).max(0.0)].map(f64::sqrt),
            turn: 0.5 * libm::atan2(2.0 * xy, xx - yy),
            sd: [xx.sqrt(), yy.sqrt()],
        })
    }
}

/// Pixels a metre.
const SCALE: f64 = 78.0;
/// Width of the text beside the sheet.
const SIDE: f64 = 250.0;
const CLEAN: Colour = Colour(0x1b, 0x6e, 0xc2);
const TOUCHED: Colour = Colour(0xd9, 0x6c, 0x06);

/// Scale factors of an ellipse that holds half and 95 % of a normal cloud: -2 ln of the share outside
/// is the squared radius.
const RADII: [(f64, &str); 2] = [(1.177_410, "50 %"), (2.447_747, "95 %")];

/// A picture of `throws` executions of one shot: the way without noise, where the stone came to rest,
/// and the ellipses that would hold 50 % and 95 % of the throws that touched nothing if they were
/// normal.
#[must_use]
pub fn cloud(game: &Curling, state: &State, action: Action, throws: u32, seed: u64) -> String {
    let cloud = Cloud::throw(game, state, action, throws, seed);
    let view = View::house([MARGIN, MARGIN + TITLE], SCALE);
    let [left, top, w, h] = view.area();
    let mut canvas = Canvas::new(w + SIDE + 3.0 * MARGIN, h + TITLE + 2.0 * MARGIN);
    let title = format!("Execution noise of {}", plain_name(action));
    draw_head(&mut canvas, game, state, &title);
    view.draw_sheet(&mut canvas);
    let spread = Spread::of(&cloud.clean);
    canvas.clipped(view.area(), |canvas| {
        draw_meant(canvas, &view, game, state, action);
        view.draw_stones(canvas, &state.board);
        for (places, colour) in [(&cloud.touched, TOUCHED), (&cloud.clean, CLEAN)] {
            for place in places {
                canvas.circle(view.at(*place), 2.2, Paint::fill(colour).faded(0.45));
            }
        }
        if let Some(spread) = &spread {
            draw_spread(canvas, &view, spread);
        }
    });
    draw_side(
        &mut canvas,
        [left + w + MARGIN, top],
        &cloud,
        spread.as_ref(),
    );
    canvas.finish("Execution noise of a curling shot")
}

fn draw_meant(canvas: &mut Canvas, view: &View, game: &Curling, state: &State, action: Action) {
    let Some(release) = action.release() else {
        return;
    };
    let mut trace = Trace::new();
    let _ = game.throw(state, release, &mut trace);
    for stone in trace.moved() {
        let paint = if stone == game.stone(state) {
            Paint::stroke(Colour::INK, 1.6)
        } else {
            Paint::stroke(Colour::FAINT, 1.2).dashed()
        };
        view.draw_path(canvas, trace.path(stone), paint);
    }
    view.draw_contacts(canvas, trace.contacts());
}

fn draw_spread(canvas: &mut Canvas, view: &View, spread: &Spread) {
    let centre = view.at(spread.mean);
    for (radius, _) in RADII {
        let axes = spread.axes.map(|a| view.length(radius * a));
        // Pixels grow downwards: a turn to the left is one against the clock there too.
        let turn = -spread.turn.to_degrees();
        canvas.ellipse(centre, axes, turn, Paint::stroke(Colour::INK, 1.3));
    }
    canvas.circle(centre, 2.5, Paint::fill(Colour::INK));
}

fn draw_side(canvas: &mut Canvas, [x, y]: [f64; 2], cloud: &Cloud, spread: Option<&Spread>) {
    let throws = cloud.throws();
    let share = |n: usize| {
        let percent = 100.0 * n as f64 / throws.max(1) as f64;
        format!("{n} ({percent:.1} %)")
    };
    let look = Type::new(13.0);
    canvas.text([x, y + 12.0], look.bold(), &format!("{throws} throws"));
    let mut line = y + 36.0;
    let groups = [
        (Some(CLEAN), "touched nothing", cloud.clean.len()),
        (Some(TOUCHED), "touched a stone", cloud.touched.len()),
        (None, "out of play", cloud.out as usize),
        (None, "of them fouls", cloud.fouls as usize),
    ];
    for (colour, what, n) in groups {
        if let Some(colour) = colour {
            canvas.circle([x + 5.0, line - 4.0], 5.0, Paint::fill(colour));
        }
        canvas.text([x + 18.0, line], look, what);
        let number = look.at(super::canvas::Anchor::End);
        canvas.text([x + SIDE, line], number, &share(n));
        line += 22.0;
    }
    let Some(spread) = spread else { return };
    line += 12.0;
    canvas.text([x, line], look.bold(), "Of those that touched nothing");
    let [sx, sy] = spread.sd;
    let rows = [
        format!("mean x {:+.3} m, y {:.3} m", spread.mean[0], spread.mean[1]),
        format!("s.d. x {sx:.3} m, y {sy:.3} m"),
        "ellipses: 50 % and 95 % if normal".to_string(),
    ];
    for row in rows {
        line += 20.0;
        canvas.text([x, line], look.coloured(Colour::FAINT), &row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ellipse_is_that_of_the_places() {
        // Points on an ellipse of half axes 2 and 1, turned by 30 degrees, around (5, 7): the
        // covariance is half of the squared axes, with n - 1 in place of n.
        let turn = std::f64::consts::FRAC_PI_6;
        let n = 1000;
        let places: Vec<[f64; 2]> = (0..n)
            .map(|i| {
                let t = std::f64::consts::TAU * f64::from(i) / f64::from(n);
                let (a, b) = (2.0 * libm::cos(t), libm::sin(t));
                let (s, c) = (libm::sin(turn), libm::cos(turn));
                [5.0 + a * c - b * s, 7.0 + a * s + b * c]
            })
            .collect();
        let spread = Spread::of(&places).unwrap();
        let scale = (f64::from(n) / f64::from(n - 1) / 2.0).sqrt();
        assert!((spread.axes[0] - 2.0 * scale).abs() < 1e-9);
        assert!((spread.axes[1] - scale).abs() < 1e-9);
        assert!((spread.turn - turn).abs() < 1e-9);
        assert!((spread.mean[0] - 5.0).abs() < 1e-9 && (spread.mean[1] - 7.0).abs() < 1e-9);
        assert_eq!(Spread::of(&places[..2]), None);
    }

    #[test]
    fn the_radii_hold_what_they_say() {
        for ((radius, _), outside) in RADII.iter().zip([0.5_f64, 0.05]) {
            assert!((radius * radius + 2.0 * libm::log(outside)).abs() < 1e-5);
        }
    }
}
