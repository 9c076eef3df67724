//! A state as a line of JSON.

use std::fmt::Write;

use crate::board::{Board, STONES_PER_TEAM, Stone, Team};
use crate::game::Curling;
use crate::json::field::team_name;
use crate::notation;
use crate::state::{Phase, State, Verdict};

/// The state as one line that [`read`](super::read) reads back exactly.
#[must_use]
pub fn write(game: &Curling, state: &State) -> String {
    let [first, second] = state.points;
    let mut out = format!(
        "{{\"end\":{},\"shot\":{},\"hammer\":\"{}\",\"points\":[{first},{second}],\"stones\":{{",
        state.end,
        state.shot,
        team_name(state.hammer)
    );
    for team in Team::BOTH {
        let comma = if team == Team::Team0 { "," } else { "}" };
        let _ = write!(
            out,
            "\"{}\":[{}]{comma}",
            team_name(team),
            stones(&state.board, team)
        );
    }
    if game.options().doubles {
        let [first, second] = state.doubles.power_play;
        let _ = write!(
            out,
            ",\"decides\":\"{}\",\"placing\":{},\"power_play\":[{first},{second}]",
            team_name(state.doubles.decider),
            matches!(state.phase, Phase::Place(_))
        );
    }
    match state.phase {
        Phase::Throw(action) => {
            let _ = write!(out, ",\"throwing\":\"{}\"", notation::format(action));
        }
        Phase::Over(Verdict::Conceded(team)) => {
            let _ = write!(out, ",\"conceded\":\"{}\"", team_name(team));
        }
        Phase::Over(Verdict::Horizon) => out.push_str(",\"over\":\"horizon\""),
        Phase::Over(Verdict::Score) | Phase::Aim | Phase::Place(_) => {}
    }
    if state.horizon {
        out.push_str(",\"horizon\":true");
    }
    out.push('}');
    out
}

fn stones(board: &Board, team: Team) -> String {
    let places: Vec<_> = (0..STONES_PER_TEAM)
        .map(|throw| board.get(Stone::of(team, throw)))
        .collect();
    let listed = places
        .iter()
        .rposition(Option::is_some)
        .map_or(0, |i| i + 1);
    let shown = places[..listed].iter().map(|place| match place {
        Some(p) => format!("{{\"x\":{},\"y\":{}}}", number(p.x), number(p.y)),
        None => "null".to_owned(),
    });
    shown.collect::<Vec<_>>().join(",")
}

/// The shortest decimals that read back to exactly this number by way of double precision.
fn number(value: f32) -> String {
    let short = value.to_string();
    if short
        .parse::<f64>()
        .is_ok_and(|v| (v as f32).to_bits() == value.to_bits())
    {
        short
    } else {
        f64::from(value).to_string()
    }
}
