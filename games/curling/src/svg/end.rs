//! The shots of an end, one panel each.

use super::canvas::{Anchor, Canvas, Colour, Paint, Type};
use super::sheet::View;
use super::{MARGIN, TITLE, colours, plain_name, team_name};
use crate::action::Action;
use crate::board::Team;
use crate::game::Curling;
use crate::noise::Deviation;
use crate::state::State;
use crate::trace::Trace;

/// A shot that was thrown.
#[derive(Debug, Clone, PartialEq)]
pub struct Thrown {
    /// The match before it.
    pub before: State,
    /// What was meant.
    pub action: Action,
    /// What noise made of it.
    pub deviation: Deviation,
    /// What stands above its panel, the name of the shot say; the action itself when empty.
    pub name: String,
}

/// Pixels a metre.
const SCALE: f64 = 36.0;
/// Panels in a row.
const COLUMNS: usize = 8;
/// Between two panels.
const GAP: f64 = 10.0;
/// Above each panel.
const HEAD: f64 = 34.0;

/// One panel a shot: the stones before it, the ways of all that moved, what lies there afterwards; stones
/// that went out of play are pale where they lay.
#[must_use]
pub fn end(game: &Curling, shots: &[Thrown], title: &str) -> String {
    let [_, _, w, h] = View::house([0.0, 0.0], SCALE).area();
    let columns = shots.len().clamp(1, COLUMNS);
    let rows = shots.len().div_ceil(COLUMNS).max(1);
    let width = 2.0 * MARGIN + columns as f64 * (w + GAP) - GAP;
    let height = 2.0 * MARGIN + TITLE + rows as f64 * (HEAD + h + GAP) - GAP;
    let mut canvas = Canvas::new(width, height);
    canvas.text([MARGIN, MARGIN + 14.0], Type::new(17.0).bold(), title);
    let look = Type::new(11.5).coloured(Colour::FAINT);
    canvas.text([MARGIN, MARGIN + 32.0], look, &outcome(game, shots));
    for (i, shot) in shots.iter().enumerate() {
        let corner = [
            MARGIN + (i % COLUMNS) as f64 * (w + GAP),
            MARGIN + TITLE + (i / COLUMNS) as f64 * (HEAD + h + GAP),
        ];
        panel(&mut canvas, game, shot, corner);
    }
    canvas.finish(title)
}

fn panel(canvas: &mut Canvas, game: &Curling, shot: &Thrown, [x, y]: [f64; 2]) {
    let view = View::house([x, y + HEAD], SCALE);
    let [_, _, w, _] = view.area();
    let before = &shot.before;
    let mut trace = Trace::new();
    let mut board = before.board;
    let mut foul = false;
    if let Some(meant) = shot.action.release() {
        let release = game.noise().execute(game.model(), meant, shot.deviation);
        (board, _, foul) = game.throw(before, release, &mut trace);
    }
    let colour = colours::team(before.thrower());
    canvas.circle(
        [x + 6.0, y + 9.0],
        6.0,
        Paint::fill(colour).with_stroke(Colour::INK, 0.6),
    );
    let bold = Type::new(12.0).bold();
    let number = (before.shot + 1).to_string();
    canvas.text([x + 17.0, y + 13.0], bold, &number);
    let name = match shot.name.as_str() {
        "" => plain_name(shot.action),
        name => name.into(),
    };
    let look = Type::new(10.0).coloured(Colour::INK);
    let start = 24.0 + bold.width(&number);
    canvas.text([x + start, y + 13.0], look, &look.fit(&name, w - start));
    let note = if foul {
        "free guard zone: put back"
    } else {
        ""
    };
    let small = Type::new(10.0).coloured(Colour::FAINT);
    canvas.text([x + 17.0, y + 27.0], small, note);

    view.draw_sheet(canvas);
    canvas.clipped(view.area(), |canvas| {
        for (stone, point) in before.board.stones() {
            if board.get(stone).is_none() {
                view.draw_stone(canvas, stone, [point.x.into(), point.y.into()], 0.75);
            }
        }
        for stone in trace.moved() {
            let paint = if stone == game.stone(before) {
                Paint::stroke(Colour::INK, 1.2)
            } else {
                Paint::stroke(Colour::FAINT, 1.0).dashed()
            };
            view.draw_path(canvas, trace.path(stone), paint);
        }
        view.draw_stones(canvas, &board);
        view.draw_contacts(canvas, trace.contacts());
    });
    for departure in trace.departures() {
        canvas.cross(view.held(departure.place, 4.0), 3.0, Colour::FAINT);
    }
    let counted = game.score(&board);
    let standing = counted.map_or("–".into(), |(team, n)| match team {
        Team::Team0 => format!("red {n}"),
        Team::Team1 => format!("yellow {n}"),
    });
    let corner = [x + w - 4.0, view.area()[1] + view.area()[3] - 5.0];
    canvas.text(corner, small.at(Anchor::End), &standing);
}

/// Who scores with the last shot, in words.
fn outcome(game: &Curling, shots: &[Thrown]) -> String {
    let Some(last) = shots.last() else {
        return "no shots".into();
    };
    let mut board = last.before.board;
    if let Some(meant) = last.action.release() {
        let release = game.noise().execute(game.model(), meant, last.deviation);
        board = game.throw(&last.before, release, &mut ()).0;
    }
    let complete = last.before.shot + 1 == game.shots();
    let verb = if complete { "scores" } else { "would score" };
    let counted = match game.score(&board) {
        None => format!("nobody {verb}"),
        Some((team, n)) => format!("{} {verb} {n}", team_name(team)),
    };
    format!(
        "{} shots · {} has the hammer · {counted}",
        shots.len(),
        team_name(last.before.hammer),
    )
}
