//! What happened, and what cannot be done, in words.

use std::fmt::Write;

use crate::action::{Kind, Placement};
use crate::board::{Board, Point, Stone, Team};
use crate::game::Curling;
use crate::geometry::{BACK_LINE, STONE_RADIUS, TEE};
use crate::noise::{Deviation, NoiseModel};
use crate::notation::{self, placement_name};
use crate::physics::Simulator;
use crate::release::Release;
use crate::rules::doubles;
use crate::state::{Phase, State};

/// The mark of a stone: 1 to 8 for team 0, A to H for team 1.
#[must_use]
pub fn mark(stone: Stone) -> char {
    let first = match stone.team() {
        Team::Team0 => b'1',
        Team::Team1 => b'A',
    };
    char::from(first + stone.throw() as u8)
}

/// The deviation as text, in the units of the noise.
#[must_use]
pub fn deviation(noise: &NoiseModel, deviation: Deviation) -> String {
    let (first, second) = (deviation.first(), deviation.second());
    if matches!(noise, NoiseModel::Throw { .. }) {
        format!("{first:+.6} m/s {:+.3} mrad", second * 1e3)
    } else {
        format!("{first:+.4} m {second:+.4} m")
    }
}

/// What the throw of `before` with this deviation does: how far from the aim, what is taken out, and
/// whether it is a foul. `None` where nothing is thrown.
#[must_use]
pub fn throw(game: &Curling, before: &State, deviation: Deviation) -> Option<String> {
    let meant = before.aimed()?;
    let release = game.noise().execute(game.model(), meant, deviation);
    let stone = game.stone(before);
    let (after, delivered, foul) = game.throw_judged(before, release, &mut ());
    let mut text = format!("stone {}: {}", mark(stone), miss(game, meant, release));
    match after.get(stone) {
        Some(place) => {
            let _ = write!(text, "; lies {:.2} m from the tee", place.from_tee());
        }
        None if foul.is_none() => text.push_str("; out of play"),
        None => {}
    }
    let gone = gone(&before.board, &after);
    if !gone.is_empty() {
        let _ = write!(text, "; takes out {gone}");
    }
    if let Some(foul) = foul {
        let _ = write!(
            text,
            "; foul, {}: the stones lie as before and the thrown one is gone",
            foul.reason()
        );
    }
    if delivered.cut_short {
        text.push_str("; the simulation was cut short");
    }
    Some(text)
}

/// How far from the aim: where the stone would have stopped, or for one thrown through the house how
/// far aside it passes the tee and how much too fast it was.
fn miss(game: &Curling, meant: Release, release: Release) -> String {
    let (aim, end) = (
        game.model().stopping_point(meant),
        game.model().stopping_point(release),
    );
    if f64::from(aim.y) > BACK_LINE + STONE_RADIUS {
        let aside = (meant.angle() - release.angle()) * TEE;
        let faster = release.speed() - meant.speed();
        let pace = if faster < 0.0 { "slow" } else { "fast" };
        return format!(
            "{} at the tee, {:.3} m/s too {pace}",
            side(aside),
            faster.abs()
        );
    }
    offset(aim, end)
}

fn side(aside: f64) -> String {
    let way = if aside < 0.0 { "left" } else { "right" };
    format!("{:.2} m {way} of the aim", aside.abs())
}

fn offset(aim: Point, end: Point) -> String {
    let long = f64::from(end.y) - f64::from(aim.y);
    let way = if long < 0.0 { "short" } else { "long" };
    let aside = side(f64::from(end.x) - f64::from(aim.x));
    format!("{aside} and {:.2} m {way}", long.abs())
}

fn gone(before: &Board, after: &Board) -> String {
    let missing = before
        .stones()
        .filter(|(stone, _)| after.get(*stone).is_none());
    let marks: Vec<String> = missing.map(|(stone, _)| mark(stone).to_string()).collect();
    marks.join(", ")
}

/// Why `text` is no action in `state`; `None` when it is one.
#[must_use]
pub fn illegal(game: &Curling, state: &State, text: &str) -> Option<String> {
    let action = match notation::parse(text, game.model().max_speed()) {
        Ok(action) => action,
        Err(error) => return Some(error.0),
    };
    match (state.phase, action.kind()) {
        (Phase::Over(_), _) => Some("the match is over".to_owned()),
        (Phase::Throw(_), _) => Some("the shot is decided and being thrown".to_owned()),
        (_, Kind::Concede) | (Phase::Aim, Kind::Shot(_)) => None,
        (Phase::Aim, Kind::Place(_)) => Some(if game.options().doubles {
            "the stones of this end are placed: throw one".to_owned()
        } else {
            "stones are placed only in mixed doubles: throw one".to_owned()
        }),
        (Phase::Place(_), Kind::Shot(_)) => Some(format!(
            "first the stones are placed: {}",
            Placement::ALL
                .into_iter()
                .filter(|p| game.may_place(state, *p))
                .map(placement_name)
                .collect::<Vec<_>>()
                .join(", ")
        )),
        (Phase::Place(_), Kind::Place(placement)) => {
            let refused = doubles::is_power_play(placement) && !game.may_place(state, placement);
            refused.then(|| {
                let why = if game.is_extra_end(state) {
                    "there is no power play in an extra end"
                } else {
                    "the power play is used up: once a match"
                };
                why.to_owned()
            })
        }
    }
}
