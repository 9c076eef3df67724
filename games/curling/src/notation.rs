//! Actions as text: `ccw 2.403350 3.140`, `centre_guard`, `concede`.
//!
//! A shot is its spin, its speed in metres a second and its angle in milliradians to the left of
//! straight ahead: exactly the fixed point of an [`Action`], so a text denotes one action.

use search_core::plugin::PluginError;

use crate::action::{Action, Kind, Placement};
use crate::release::Spin;

/// The widest angle that is read, in milliradians: a stone is thrown forwards.
pub const MOST_ANGLE: f64 = 1570.796;

/// The widest angle that an [`Action`] holds, in milliradians.
pub(crate) const FULL_TURN: f64 = 6300.0;

/// An action as text.
#[must_use]
pub fn format(action: Action) -> String {
    match action.kind() {
        Kind::Shot(_) => format!(
            "{} {:.6} {:.3}",
            action.spin().name(),
            action.speed(),
            action.angle() * 1e3
        ),
        Kind::Place(placement) => placement_name(placement).to_owned(),
        Kind::Concede => "concede".to_owned(),
    }
}

/// The name of a placement.
#[must_use]
pub const fn placement_name(placement: Placement) -> &'static str {
    match placement {
        Placement::CentreGuard => "centre_guard",
        Placement::CentreHouse => "centre_house",
        Placement::PowerPlayLeft => "pp_left",
        Placement::PowerPlayRight => "pp_right",
    }
}

/// Reads an action: any shot up to `fastest` metres a second, a placement (the American spelling
/// too), or `concede`. Upper and lower case are the same; commas may stand for spaces, and the units
/// `m/s` and `mrad` may follow the numbers.
///
/// # Errors
/// Saying what would be right.
pub fn parse(text: &str, fastest: f64) -> Result<Action, PluginError> {
    parse_within(text, fastest, MOST_ANGLE)
}

/// [`parse`] with angles up to `widest` milliradians either way.
pub(crate) fn parse_within(text: &str, fastest: f64, widest: f64) -> Result<Action, PluginError> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| c.is_whitespace() || c == ',')
        .filter(|w| !matches!(*w, "" | "m/s" | "mrad"))
        .collect();
    let spin = match words.first() {
        Some(&"ccw") => Spin::Ccw,
        Some(&"cw") => Spin::Cw,
        _ => return by_name(text, &words),
    };
    let [_, speed, angle] = words.as_slice() else {
        let shown: String = text.trim().chars().take(40).collect();
        return Err(PluginError(format!(
            "`{shown}`: after the spin come the speed in m/s and the angle in mrad to the left, as in `ccw 2.403350 3.140`"
        )));
    };
    let speed = number(speed, "speed", "m/s", 0.0, fastest)?;
    let angle = number(angle, "angle", "mrad", -widest, widest)?;
    Ok(Action::polar(speed, angle / 1e3, spin))
}

fn by_name(text: &str, words: &[&str]) -> Result<Action, PluginError> {
    let name = words
        .join("_")
        .replace('-', "_")
        .replace("center", "centre");
    if name == "concede" {
        return Ok(Action::CONCEDE);
    }
    let placement = Placement::ALL
        .into_iter()
        .find(|p| placement_name(*p) == name);
    placement.map(Action::place).ok_or_else(|| {
        let shown: String = text.trim().chars().take(40).collect();
        PluginError(format!(
            "`{shown}` is not an action: write a shot as spin, speed in m/s and angle in mrad to the left, as in `ccw 2.403350 3.140`, a placing as {}, or `concede`",
            Placement::ALL.map(placement_name).join(", ")
        ))
    })
}

fn number(text: &str, what: &str, unit: &str, least: f64, most: f64) -> Result<f64, PluginError> {
    let value: Option<f64> = text.parse().ok();
    value.filter(|v| (least..=most).contains(v)).ok_or_else(|| {
        let shown: String = text.chars().take(24).collect();
        PluginError(format!(
            "{what} `{shown}`: expected a number from {least} to {most} {unit}"
        ))
    })
}
