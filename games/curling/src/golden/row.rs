//! The fields of a row, by kind.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

use crate::board::{Board, Point, STONES, Stone};
use crate::physics::Out;
use crate::release::Release;

/// Reads a row, or says what is wrong with it.
pub(super) fn read<'a, T: Deserialize<'a>>(row: &'a Value) -> Result<T, String> {
    T::deserialize(row).map_err(|e| format!("the row cannot be read: {e}"))
}

/// How often the shot of a row may be thrown: at least twice for a deviation, and not for hours.
const EXECUTIONS: std::ops::RangeInclusive<u64> = 2..=1_000_000;

/// The number of executions of a row, or what would be right.
pub(super) fn executions(number: &Value) -> Result<u32, String> {
    match number.as_u64().filter(|n| EXECUTIONS.contains(n)) {
        Some(number) => Ok(number as u32),
        None => Err(format!(
            "expected {} to {} executions, found {number}",
            EXECUTIONS.start(),
            EXECUTIONS.end()
        )),
    }
}

fn samples<'a, D: serde::Deserializer<'a>>(field: D) -> Result<u32, D::Error> {
    let number = Value::deserialize(field)?;
    executions(&number).map_err(|e| serde::de::Error::custom(format!("field `samples`: {e}")))
}

/// One stone on endless ice.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Traj {
    pub v0: [f64; 2],
    pub omega0: f64,
    #[serde(rename = "final")]
    pub end: [f64; 2],
    pub t_lin_stop: f64,
    pub t_all_stop: f64,
    /// The first removal that a match would make, and when.
    pub out_of_sheet: Option<String>,
    pub t_out: f64,
    /// Time, place, velocity, angular velocity.
    pub path: Vec<[f64; 6]>,
}

/// A stone thrown at others.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Collisions {
    pub shooter: usize,
    pub v0: [f64; 2],
    pub omega0: f64,
    pub before: Vec<Option<[f32; 2]>>,
    #[serde(rename = "final")]
    pub end: Vec<Option<[f64; 2]>>,
    pub removed: BTreeMap<String, Removed>,
    pub n_contacts: u32,
    pub t_all_stop: f64,
    pub first: Option<First>,
    /// Time, two stones, normal and tangential impulse.
    #[serde(default)]
    pub events: Vec<(f64, usize, usize, f64, f64)>,
}

/// How a stone left.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Removed {
    pub why: String,
    pub t: f64,
    pub at: [f64; 2],
}

/// The first contact: place, velocity and angular velocity of both stones around it.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct First {
    pub a: usize,
    pub b: usize,
    pub jn: f64,
    pub jt: f64,
    pub a_pre: [f64; 5],
    pub b_pre: [f64; 5],
    pub a_post: [f64; 5],
    pub b_post: [f64; 5],
}

/// How to throw so that a stone stops, or passes with a speed.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Inverse {
    pub target: [f32; 2],
    pub omega0: f64,
    pub v0: [f64; 2],
    pub end_speed: f64,
    pub residual_m: f64,
}

/// Many executions of one shot.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Noise {
    pub name: String,
    pub v0: [f64; 2],
    pub omega0: f64,
    pub opponents: Vec<[f32; 2]>,
    #[serde(deserialize_with = "samples")]
    pub samples: u32,
    pub seed: u32,
    pub stddev_speed: f32,
    pub stddev_angle: f32,
    pub measured_noise: Measured,
    pub noise_free: Vec<Option<[f64; 2]>>,
    /// The thrown stone, then the opponents.
    pub stones: Vec<Spread>,
}

/// The deviations that the executions of a row had.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Measured {
    pub speed_mean: f64,
    pub speed_sd: f64,
    pub angle_mean: f64,
    pub angle_sd: f64,
}

/// What became of one stone over all executions.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Spread {
    pub n_in_play: u32,
    pub mean: Option<[f64; 2]>,
    pub sd: Option<[f64; 2]>,
}

/// The release of a row.
pub(super) fn release(v0: [f64; 2], omega0: f64) -> Release {
    Release {
        vx: v0[0],
        vy: v0[1],
        omega: omega0,
    }
}

/// The stones of a row, `null` for those not in play.
pub(super) fn board(places: &[Option<[f32; 2]>]) -> Result<Board, String> {
    if places.len() != STONES {
        return Err(format!(
            "{} stones where {STONES} were expected",
            places.len()
        ));
    }
    let mut board = Board::EMPTY;
    for (index, place) in places.iter().enumerate() {
        if let Some([x, y]) = *place {
            board.put(Stone::new(index), Point::new(x, y));
        }
    }
    Ok(board)
}

/// The stone with this index.
pub(super) fn stone(index: usize) -> Result<Stone, String> {
    if index < STONES {
        Ok(Stone::new(index))
    } else {
        Err(format!("stone {index} where below {STONES} was expected"))
    }
}

/// The name that the rows use.
pub(super) const fn why(out: Out) -> &'static str {
    match out {
        Out::Side => "side",
        Out::Back => "back",
        Out::Hog => "hog",
        Out::Near => "near",
    }
}

pub(super) fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    libm::hypot(a[0] - b[0], a[1] - b[1])
}
