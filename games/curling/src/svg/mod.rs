//! Pictures of the sheet as SVG: the candidates of a search ([`candidates`]), what noise makes of one
//! shot ([`cloud`]), and the shots of an end ([`end`]).
//!
//! Every picture is one valid XML document with its own light background, written with fixed
//! decimals: the same input gives the same bytes.

mod canvas;
mod cloud;
mod colours;
mod end;
mod heat;
mod labels;
mod sheet;

pub use cloud::{Cloud, cloud};
pub use end::{Thrown, end};
pub use heat::{candidates, candidates_named};

use canvas::{Canvas, Colour, Type};

use crate::action::{Action, Kind};
use crate::board::Board;
use crate::game::Curling;
use crate::options::Objective;
use crate::state::State;

/// Space around everything, in pixels.
const MARGIN: f64 = 16.0;
/// Room for the title.
const TITLE: f64 = 48.0;

/// A board alone: the end with the house, or the whole sheet, at `scale` pixels a metre.
#[must_use]
pub fn board(board: &Board, whole: bool, scale: f64) -> String {
    let corner = [MARGIN, MARGIN];
    let view = if whole {
        sheet::View::whole(corner, scale)
    } else {
        sheet::View::house(corner, scale)
    };
    let [_, _, w, h] = view.area();
    let mut canvas = Canvas::new(w + 2.0 * MARGIN, h + 2.0 * MARGIN);
    view.draw_sheet(&mut canvas);
    view.draw_stones(&mut canvas, board);
    canvas.finish("Curling sheet")
}

/// An action without what it means.
fn plain_name(action: Action) -> String {
    match action.kind() {
        Kind::Shot(_) => format!(
            "{} {:.3} m/s {:+.2}°",
            action.spin().name(),
            action.speed(),
            action.angle().to_degrees()
        ),
        other => format!("{other:?}"),
    }
}

/// A mean return for the player to move, in words.
fn value_name(objective: Objective, value: f64) -> String {
    match objective {
        _ if !value.is_finite() => "–".into(),
        Objective::Win => format!("{:.1} %", 50.0 * (1.0 + value)),
        Objective::Points => format!("{value:+.2}"),
    }
}

const fn value_title(objective: Objective) -> &'static str {
    match objective {
        Objective::Win => "wins the match",
        Objective::Points => "difference of points",
    }
}

/// Where a match stands, in two lines above a picture.
fn draw_head(canvas: &mut Canvas, game: &Curling, state: &State, title: &str) {
    let look = Type::new(17.0).bold();
    canvas.text([MARGIN, MARGIN + 14.0], look, title);
    let standing = format!(
        "end {} of {}, shot {} of {}, {} : {} points, {} to throw, {} has the hammer",
        state.end + 1,
        game.options().ends,
        state.shot + 1,
        game.shots(),
        state.points[0],
        state.points[1],
        team_name(state.thrower()),
        team_name(state.hammer),
    );
    let look = Type::new(11.5).coloured(Colour::FAINT);
    canvas.text([MARGIN, MARGIN + 32.0], look, &standing);
}

const fn team_name(team: crate::board::Team) -> &'static str {
    match team {
        crate::board::Team::Team0 => "red (team 0)",
        crate::board::Team::Team1 => "yellow (team 1)",
    }
}
