//! The candidates of a search on the sheet: where they come to rest, coloured by value.

use search_core::plugin::Rated;

use super::canvas::{Anchor, Canvas, Colour, Paint, Type};
use super::colours::Scale;
use super::labels::{Labels, around};
use super::sheet::View;
use super::{MARGIN, TITLE, draw_head, plain_name, value_name, value_title};
use crate::action::Action;
use crate::board::Point;
use crate::game::Curling;
use crate::state::State;
use crate::trace::Trace;

/// Pixels a metre.
const SCALE: f64 = 78.0;
/// Width of the list beside the sheet.
const LIST: f64 = 420.0;
/// Height of a line of the list.
const LINE: f64 = 34.0;
/// How many of the best are named.
const NAMED: usize = 12;
/// How many of them show their way.
const PATHS: usize = 5;

/// The sheet with its stones and the candidates on it: where each would come to rest without noise,
/// coloured by its value, the best few with their ways, their names and values.
///
/// A candidate whose value is not a number is grey, one whose stone goes out of play is a cross at
/// the place it leaves. Actions that are not shots are only listed.
#[must_use]
pub fn candidates(game: &Curling, state: &State, rated: &[Rated<Action>]) -> String {
    candidates_named(game, state, rated, &plain_name)
}

/// The same with names of one's own.
#[must_use]
pub fn candidates_named(
    game: &Curling,
    state: &State,
    rated: &[Rated<Action>],
    name: &dyn Fn(Action) -> String,
) -> String {
    let objective = game.options().objective;
    let marks = marks(game, state, rated);
    let scale = Scale::over(rated.iter().map(|r| r.value));
    let view = View::house([MARGIN, MARGIN + TITLE], SCALE);
    let [left, top, w, h] = view.area();
    let mut canvas = Canvas::new(w + LIST + 3.0 * MARGIN, h + TITLE + 2.0 * MARGIN);
    draw_head(&mut canvas, game, state, "Candidates");
    view.draw_sheet(&mut canvas);
    canvas.clipped(view.area(), |canvas| {
        // The best last, on top.
        for mark in marks.iter().take(PATHS).rev() {
            draw_paths(canvas, &view, mark, scale.colour(mark.rated.value));
        }
        view.draw_stones(canvas, &state.board);
        for mark in marks.iter().rev() {
            let about = format!(
                "{}: {}{}",
                name(mark.rated.action),
                value_name(objective, mark.rated.value),
                visits(mark.rated.visits).map_or_else(String::new, |v| format!(", {v}"))
            );
            let colour = scale.colour(mark.rated.value);
            canvas.explained(&about, |canvas| draw_mark(canvas, &view, mark, colour));
        }
    });
    draw_ranks(&mut canvas, &view, state, &marks);

    let x = left + w + MARGIN;
    for (i, mark) in marks.iter().take(NAMED).enumerate() {
        let y = top + LINE * i as f64;
        let colour = scale.colour(mark.rated.value);
        canvas.circle([x + 10.0, y + 12.0], 10.0, Paint::fill(colour));
        let rank = Type::new(11.0).bold().at(Anchor::Middle);
        let at = [x + 10.0, y + 16.0];
        canvas.text(at, rank.coloured(colour.ink()), &(i + 1).to_string());
        let value = value_name(objective, mark.rated.value);
        let look = Type::new(13.0);
        let room = LIST - 28.0 - look.bold().width(&value) - 8.0;
        let called = look.fit(&name(mark.rated.action), room);
        canvas.text([x + 28.0, y + 11.0], look, &called);
        let right = look.bold().at(Anchor::End);
        canvas.text([x + LIST, y + 11.0], right, &value);
        let small = Type::new(10.5).coloured(Colour::FAINT);
        canvas.text([x + 28.0, y + 24.0], small, &mark.in_words());
    }
    let shown = marks.len().min(NAMED);
    if marks.len() > shown {
        let rest = format!("and {} more", marks.len() - shown);
        let look = Type::new(11.0).coloured(Colour::FAINT);
        let y = top + LINE * shown as f64 + 11.0;
        canvas.text([x + 28.0, y], look, &rest);
    }
    if marks.iter().any(|m| m.rated.value.is_finite()) {
        let word = |v: f64| value_name(objective, v);
        let title = value_title(objective);
        scale.bar(&mut canvas, [x, top + h - 46.0], LIST, title, word);
    }
    canvas.finish("Candidates of a curling shot")
}

/// A candidate and what its shot does without noise.
struct Mark {
    rated: Rated<Action>,
    /// `None` for an action that is no shot.
    shot: Option<Shot>,
}

struct Shot {
    trace: Trace,
    thrown: crate::board::Stone,
    /// Where the thrown stone rests, or the last place it was seen.
    place: [f64; 2],
    rests: bool,
    contacts: u32,
    foul: bool,
}

impl Mark {
    fn in_words(&self) -> String {
        let mut parts = Vec::new();
        parts.extend(visits(self.rated.visits));
        if let Some(shot) = &self.shot {
            parts.push(match shot.contacts {
                0 => "touches nothing".into(),
                1 => "1 contact".into(),
                n => format!("{n} contacts"),
            });
            if shot.foul {
                parts.push("breaks the free guard zone".into());
            } else if !shot.rests {
                parts.push("goes out of play".into());
            }
        }
        parts.join(" · ")
    }
}

/// How often a search tried a candidate; searches that value each exactly once say nothing.
fn visits(count: u64) -> Option<String> {
    (count > 1).then(|| format!("{count} visits"))
}

/// The candidates, the best first; those without a value last; equals in the order given.
fn marks(game: &Curling, state: &State, rated: &[Rated<Action>]) -> Vec<Mark> {
    let mut sorted: Vec<Rated<Action>> = rated.to_vec();
    let key = |r: &Rated<Action>| {
        if r.value.is_nan() {
            f64::NEG_INFINITY
        } else {
            r.value
        }
    };
    sorted.sort_by(|a, b| key(b).total_cmp(&key(a)));
    let mark = |rated: Rated<Action>| Mark {
        rated,
        shot: thrown(game, state, rated.action),
    };
    sorted.into_iter().map(mark).collect()
}

fn thrown(game: &Curling, state: &State, action: Action) -> Option<Shot> {
    let release = action.release()?;
    let mut trace = Trace::new();
    let (board, delivered, foul) = game.throw(state, release, &mut trace);
    let thrown = game.stone(state);
    let rest = board.get(thrown).filter(|_| !foul);
    let last = trace.path(thrown).last().map(|s| s.place);
    Some(Shot {
        thrown,
        place: rest
            .map(|p: Point| [p.x.into(), p.y.into()])
            .or(last)
            .unwrap_or_default(),
        rests: rest.is_some(),
        contacts: delivered.contacts,
        foul,
        trace,
    })
}

fn draw_paths(canvas: &mut Canvas, view: &View, mark: &Mark, colour: Colour) {
    let Some(shot) = &mark.shot else { return };
    for stone in shot.trace.moved() {
        let path = shot.trace.path(stone);
        if stone == shot.thrown {
            // A dark edge, so that light colours show on the ice.
            view.draw_path(canvas, path, Paint::stroke(Colour::INK, 3.4).faded(0.65));
            view.draw_path(canvas, path, Paint::stroke(colour, 2.2));
        } else {
            view.draw_path(canvas, path, Paint::stroke(colour, 1.4).dashed());
        }
    }
}

fn draw_mark(canvas: &mut Canvas, view: &View, mark: &Mark, colour: Colour) {
    let Some(shot) = &mark.shot else { return };
    if shot.rests {
        let paint = Paint::fill(colour).with_stroke(Colour::INK, 0.7);
        canvas.circle(view.at(shot.place), 6.0, paint);
    } else {
        canvas.cross(view.held(shot.place, 7.0), 4.0, colour);
    }
}

/// The ranks of those that show their way, beside their marks.
fn draw_ranks(canvas: &mut Canvas, view: &View, state: &State, marks: &[Mark]) {
    let mut labels = Labels::default();
    let stone = 2.0 * view.length(crate::geometry::STONE_RADIUS);
    for (_, point) in state.board.stones() {
        let at = view.at([point.x.into(), point.y.into()]);
        labels.keep_free(around(at, [stone, stone]));
    }
    for shot in marks.iter().filter_map(|m| m.shot.as_ref()) {
        labels.keep_free(around(view.held(shot.place, 7.0), [13.0, 13.0]));
    }
    let look = Type::new(11.0).bold().at(Anchor::Middle);
    for (i, mark) in marks.iter().take(NAMED).enumerate() {
        let Some(shot) = &mark.shot else { continue };
        let place = view.held(shot.place, 7.0);
        let size = [15.0, 14.0];
        let Some(at) = labels.place(place, size, 7.0, &view.area()) else {
            continue;
        };
        canvas.line(place, at, Paint::stroke(Colour::INK, 0.7).faded(0.3));
        let [x, y, w, h] = around(at, size);
        let paint = Paint::fill(Colour::PAPER).with_stroke(Colour::INK, 0.7);
        canvas.rect([x, y, w, h], 3.0, paint);
        canvas.text([at[0], at[1] + 4.0], look, &(i + 1).to_string());
    }
}
