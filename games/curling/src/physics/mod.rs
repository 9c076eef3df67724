//! What a thrown stone does: one trait, [`Simulator`], and its models.

pub mod fast;
pub mod fcv1;
pub mod friction;
pub mod inverse;
mod path;
pub mod uec;

use crate::board::{Board, Point, Stone};
use crate::release::{Release, Spin};

/// Why a stone left the sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Out {
    /// It touched a side line.
    Side,
    /// It crossed the back line.
    Back,
    /// It came to rest without crossing the far hog line.
    Hog,
    /// It slid back behind the thrower.
    Near,
}

/// Two stones that met.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// Seconds since the release.
    pub time: f64,
    /// The two stones.
    pub stones: [Stone; 2],
    /// Their centres.
    pub places: [[f64; 2]; 2],
    /// Velocity (x, y) and angular velocity of each, before.
    pub before: [[f64; 3]; 2],
    /// The same after.
    pub after: [[f64; 3]; 2],
}

/// A stone on the move, for pictures and checks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sighting {
    /// Seconds since the release.
    pub time: f64,
    /// Which stone.
    pub stone: Stone,
    /// Its centre in shot coordinates.
    pub place: [f64; 2],
    /// Velocity (x, y) and angular velocity.
    pub velocity: [f64; 3],
}

/// Watches a shot. All methods do nothing by default; `()` watches nothing and costs nothing.
pub trait Recorder {
    /// Whether to call [`Recorder::sighting`] at all.
    const SIGHTINGS: bool = true;
    /// Whether to call [`Recorder::contact`] at all.
    const CONTACTS: bool = true;

    /// A moving stone: at the start and end of every piece of its path and at least every quarter of a
    /// second between; in time order for each stone.
    fn sighting(&mut self, sighting: &Sighting) {
        let _ = sighting;
    }
    /// An impulse between two stones.
    fn contact(&mut self, contact: &Contact) {
        let _ = contact;
    }
    /// A stone leaves: seconds since the release, where its centre was, why.
    fn out(&mut self, time: f64, stone: Stone, place: [f64; 2], why: Out) {
        let _ = (time, stone, place, why);
    }
}

impl Recorder for () {
    const SIGHTINGS: bool = false;
    const CONTACTS: bool = false;
}

/// What became of a shot, beside the board.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Delivered {
    /// Impulses between stones.
    pub contacts: u32,
    /// Seconds until everything was at rest.
    pub seconds: f64,
    /// One bit a stone that was taken out of play, the thrown one included.
    pub removed: u16,
    /// Whether the simulator gave up and stopped all stones where they were (a limit on events or
    /// time was reached): a silent substitute, to be counted.
    pub cut_short: bool,
}

/// Rules of thumb that hold for every model, and what it does with a shot.
pub trait Simulator: Send + Sync {
    /// Throws `stone` and leaves on `board` what is in play when everything is at rest, by the
    /// removal rules of this model: lines, not the free guard zone. Never allocates.
    fn deliver<R: Recorder>(
        &self,
        board: &mut Board,
        stone: Stone,
        release: Release,
        recorder: &mut R,
    ) -> Delivered;

    /// The release that stops at `target` on an empty sheet; `None` when there is none within the
    /// model's speeds.
    fn stop_at(&self, target: Point, spin: Spin) -> Option<Release>;

    /// The release whose stone passes through `target` with `speed` metres a second left on an
    /// empty sheet, in this model's units of speed; `None` when there is none.
    fn pass_through(&self, target: Point, speed: f64, spin: Spin) -> Option<Release>;

    /// Where a release stops on a sheet without stones and without lines.
    fn stopping_point(&self, release: Release) -> Point;

    /// The fastest release that a player can intend, in metres a second.
    fn max_speed(&self) -> f64;
}

/// A model by name.
#[derive(Debug, Clone)]
pub enum Model {
    /// The physics of `fcv1` from event to event.
    Fast(fast::Fast),
    /// Digital Curling 3 step by step.
    Fcv1(fcv1::Fcv1),
    /// UEC 2015-16.
    Uec(uec::Uec),
}

/// The name that options use for a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ice {
    /// The physics of `fcv1` by closed forms from event to event.
    #[default]
    Fast,
    /// Digital Curling 3: single precision, steps of a millisecond.
    Fcv1,
    /// The simulator of 2015-16 that the expectimax paper used.
    Uec,
}

impl Model {
    /// The model of this name.
    #[must_use]
    pub fn new(ice: Ice) -> Self {
        match ice {
            Ice::Fast => Self::Fast(fast::Fast::new()),
            Ice::Fcv1 => Self::Fcv1(fcv1::Fcv1::new()),
            Ice::Uec => Self::Uec(uec::Uec),
        }
    }
}

impl Simulator for Model {
    fn deliver<R: Recorder>(
        &self,
        board: &mut Board,
        stone: Stone,
        release: Release,
        recorder: &mut R,
    ) -> Delivered {
        match self {
            Self::Fast(model) => model.deliver(board, stone, release, recorder),
            Self::Fcv1(model) => model.deliver(board, stone, release, recorder),
            Self::Uec(model) => model.deliver(board, stone, release, recorder),
        }
    }

    fn stop_at(&self, target: Point, spin: Spin) -> Option<Release> {
        match self {
            Self::Fast(model) => model.stop_at(target, spin),
            Self::Fcv1(model) => model.stop_at(target, spin),
            Self::Uec(model) => model.stop_at(target, spin),
        }
    }

    fn pass_through(&self, target: Point, speed: f64, spin: Spin) -> Option<Release> {
        match self {
            Self::Fast(model) => model.pass_through(target, speed, spin),
            Self::Fcv1(model) => model.pass_through(target, speed, spin),
            Self::Uec(model) => model.pass_through(target, speed, spin),
        }
    }

    fn stopping_point(&self, release: Release) -> Point {
        match self {
            Self::Fast(model) => model.stopping_point(release),
            Self::Fcv1(model) => model.stopping_point(release),
            Self::Uec(model) => model.stopping_point(release),
        }
    }

    fn max_speed(&self) -> f64 {
        match self {
            Self::Fast(model) => model.max_speed(),
            Self::Fcv1(model) => model.max_speed(),
            Self::Uec(model) => model.max_speed(),
        }
    }
}
