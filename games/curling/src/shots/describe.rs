//! What a shot does, in one line: [`describe`].

use crate::action::{Action, Kind, Placement};
use crate::board::{Board, Point, Stone, in_house};
use crate::game::Curling;
use crate::geometry::{BUTTON, CONTACT, EIGHT_FOOT, FOUR_FOOT, HOG_LINE, STONE_RADIUS, TEE};
use crate::release::Release;
use crate::shots::named::stone_name;
use crate::state::State;

/// Stones nearer than this to each other are frozen, in metres between the edges.
const FROZEN: f64 = 0.05;
/// A stone nearer than this to the level of the tee guards nothing in the house, in metres.
const BESIDE: f64 = 1.0;
/// A stone moved less than this was only touched, in metres.
const NUDGED: f64 = 0.15;

/// What an action does when it is thrown as meant, in at most 48 characters: by one throw without
/// noise on the ice of the game.
#[must_use]
pub fn describe(game: &Curling, state: &State, action: Action) -> String {
    match action.kind() {
        Kind::Shot(release) => describe_shot(game, state, release),
        Kind::Place(Placement::CentreGuard) => "own guard in the centre, throw first".to_owned(),
        Kind::Place(Placement::CentreHouse) => "own stone in the house, throw second".to_owned(),
        Kind::Place(Placement::PowerPlayLeft) => "power play on the left".to_owned(),
        Kind::Place(Placement::PowerPlayRight) => "power play on the right".to_owned(),
        Kind::Concede => "concede".to_owned(),
    }
}

fn describe_shot(game: &Curling, state: &State, release: Release) -> String {
    let stone = game.stone(state);
    let (board, delivered, foul) = game.throw(state, release, &mut ());
    if foul {
        return "foul: a guard of the free zone goes".to_owned();
    }
    let gone: Vec<Stone> = state
        .board
        .stones()
        .filter(|(s, _)| *s != stone && board.get(*s).is_none())
        .map(|(s, _)| s)
        .collect();
    if !gone.is_empty() {
        return hit(&gone, board.get(stone));
    }
    let moved = furthest(&state.board, &board, stone);
    match (moved, board.get(stone)) {
        (Some((s, to, by)), _) if by > NUDGED => {
            let verb = if s.team() == stone.team() {
                "raises"
            } else {
                "pushes"
            };
            format!("{verb} {} to {}", stone_name(s), ring(to))
        }
        (_, Some(at)) => rest(&board, stone, at, delivered.contacts > 0),
        (_, None) => missed(game, release).to_owned(),
    }
}

fn hit(gone: &[Stone], thrown: Option<Point>) -> String {
    let what = match *gone {
        [one] => format!("takes out {}", stone_name(one)),
        [a, b] if a.team() == b.team() => {
            format!("takes out #{} and {}", a.throw() + 1, stone_name(b))
        }
        _ => format!("takes out {} stones", gone.len()),
    };
    match thrown {
        None => format!("{what}, rolls out"),
        Some(at) if in_house(at) => format!("{what}, to {}", ring(at)),
        Some(_) => format!("{what}, stays a guard"),
    }
}

/// The stone other than the thrown one that moved most, where to and how far.
fn furthest(before: &Board, after: &Board, thrown: Stone) -> Option<(Stone, Point, f64)> {
    before
        .stones()
        .filter(|(s, _)| *s != thrown)
        .filter_map(|(s, from)| after.get(s).map(|to| (s, to, from.distance(to))))
        .max_by(|a, b| a.2.total_cmp(&b.2))
}

fn rest(board: &Board, thrown: Stone, at: Point, touched: bool) -> String {
    let near = board
        .stones()
        .filter(|(s, _)| *s != thrown)
        .map(|(s, p)| (s, p.distance(at) - CONTACT))
        .min_by(|a, b| a.1.total_cmp(&b.1));
    if let Some((s, _)) = near.filter(|(_, gap)| *gap < FROZEN || touched && *gap < 2.0 * FROZEN) {
        return format!("freeze on {}, {}", stone_name(s), ring(at));
    }
    let (x, y) = (f64::from(at.x), TEE - f64::from(at.y));
    let side = match x {
        x if x.abs() < 0.1 => String::new(),
        x if x < 0.0 => format!(", {:.1} m left", -x),
        x => format!(", {x:.1} m right"),
    };
    let cover = cover(board, thrown, at).map_or("", |()| ", behind cover");
    if in_house(at) {
        format!("draw to {}{side}{cover}", ring(at))
    } else if y > BESIDE {
        format!("guard {y:.1} m before the tee{side}")
    } else {
        let place = if y > 0.0 { "beside" } else { "behind" };
        format!("draw {place} the house{side}")
    }
}

/// Whether a stone lies in the straight way to a place in the house, at least half a metre before it.
fn cover(board: &Board, thrown: Stone, at: Point) -> Option<()> {
    board
        .stones()
        .filter(|(s, _)| *s != thrown)
        .any(|(_, p)| p.y < at.y - 0.5 && f64::from((p.x - at.x).abs()) < STONE_RADIUS)
        .then_some(())
}

fn ring(at: Point) -> &'static str {
    match at.from_tee() {
        d if d < BUTTON => "the button",
        d if d < FOUR_FOOT + STONE_RADIUS => "the 4-foot",
        d if d < EIGHT_FOOT + STONE_RADIUS => "the 8-foot",
        _ if in_house(at) => "the 12-foot",
        _ if f64::from(at.y) < TEE => "the guard zone",
        _ => "behind the house",
    }
}

/// What became of a stone that is gone and changed nothing.
fn missed(game: &Curling, release: Release) -> &'static str {
    use crate::physics::Simulator;
    let stop = game.model().stopping_point(release);
    if f64::from(stop.y) - STONE_RADIUS <= HOG_LINE {
        "short of the hog line"
    } else if f64::from(stop.x.abs()) > 2.2 && f64::from(stop.y) < TEE + 3.0 {
        "over the side line"
    } else {
        "through the house"
    }
}
