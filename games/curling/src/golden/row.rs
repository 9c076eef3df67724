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
    #[serde(default)]
    pub shot_kind: String,
}

/// Many executions of one shot.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Noise {
    pub name: String,
    pub v0: [f64; 2],
    pub omega0: f64,
    pub opponents: Vec<[f32; 2]>,
    pub samples: u32,
    pub noise_free: Vec<Option<[f64; 2]>>,
    /// The thrown stone, then the opponents.
    pub stones: Vec<Spread>,
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
