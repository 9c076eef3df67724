//! Stones at rest: [`Board`], [`Point`], [`Stone`], [`Team`].

use serde::{Deserialize, Serialize};

use crate::geometry::{CONTACT, HOUSE_RADIUS, STONE_RADIUS, TEE};

/// Stones a team throws in an end.
pub const STONES_PER_TEAM: usize = 8;
/// Stones of both teams.
pub const STONES: usize = 2 * STONES_PER_TEAM;

/// A place on the sheet in shot coordinates, in metres. Single precision, as in the official
/// simulator: a state holds exactly what it would.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// To the right, seen by the thrower; 0 is the centre line.
    pub x: f32,
    /// From the hack towards the house.
    pub y: f32,
}

impl Point {
    /// The centre of the house.
    pub const TEE: Self = Self::new(0.0, TEE as f32);

    /// The point at these coordinates.
    #[must_use]
    pub const fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }

    /// Distance to another point.
    #[must_use]
    pub fn distance(self, other: Self) -> f64 {
        let (dx, dy) = (
            f64::from(self.x) - f64::from(other.x),
            f64::from(self.y) - f64::from(other.y),
        );
        (dx * dx + dy * dy).sqrt()
    }

    /// Distance to the centre of the house.
    #[must_use]
    pub fn from_tee(self) -> f64 {
        let (x, y) = (f64::from(self.x), f64::from(self.y) - TEE);
        (x * x + y * y).sqrt()
    }

    /// The same point on the other side of the centre line.
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self::new(-self.x, self.y)
    }
}

/// One of the two teams; the team of seat 0 throws first in the first end.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Team {
    /// The team of seat 0.
    #[default]
    Team0,
    /// The team of seat 1.
    Team1,
}

impl Team {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Team0, Self::Team1];

    /// 0 or 1.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other one.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::Team0 => Self::Team1,
            Self::Team1 => Self::Team0,
        }
    }
}

/// One of the sixteen stones: 8 times the team plus the number of the throw within the team.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stone(u8);

impl Stone {
    /// The stone with this index.
    ///
    /// # Panics
    /// If `index` is not below 16.
    #[must_use]
    pub const fn new(index: usize) -> Self {
        assert!(index < STONES, "there are sixteen stones");
        Self(index as u8)
    }

    /// The stone of a team by the number of its throw, from 0.
    ///
    /// # Panics
    /// If `throw` is not below 8.
    #[must_use]
    pub const fn of(team: Team, throw: usize) -> Self {
        assert!(throw < STONES_PER_TEAM, "a team has eight stones");
        Self((team.index() * STONES_PER_TEAM + throw) as u8)
    }

    /// 0 to 15.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whose it is.
    #[must_use]
    pub const fn team(self) -> Team {
        if self.0 < STONES_PER_TEAM as u8 {
            Team::Team0
        } else {
            Team::Team1
        }
    }

    /// The number of its throw within the team, 0 to 7.
    #[must_use]
    pub const fn throw(self) -> usize {
        self.index() % STONES_PER_TEAM
    }
}

/// The stones in play, at rest.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Board {
    points: [Point; STONES],
    in_play: u16,
}

impl Board {
    /// No stone in play.
    pub const EMPTY: Self = Self {
        points: [Point::new(0.0, 0.0); STONES],
        in_play: 0,
    };

    /// Where a stone lies; `None` when it is not in play.
    #[inline]
    #[must_use]
    pub fn get(&self, stone: Stone) -> Option<Point> {
        (self.in_play >> stone.0 & 1 == 1).then(|| self.points[stone.index()])
    }

    /// Puts a stone somewhere.
    #[inline]
    pub fn put(&mut self, stone: Stone, point: Point) {
        self.points[stone.index()] = point;
        self.in_play |= 1 << stone.0;
    }

    /// Takes a stone out of play.
    #[inline]
    pub fn remove(&mut self, stone: Stone) {
        self.points[stone.index()] = Point::default();
        self.in_play &= !(1 << stone.0);
    }

    /// One bit a stone in play, by index.
    #[inline]
    #[must_use]
    pub const fn mask(&self) -> u16 {
        self.in_play
    }

    /// How many stones are in play.
    #[inline]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.in_play.count_ones() as usize
    }

    /// Whether no stone is in play.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.in_play == 0
    }

    /// The stones in play with their places, by index.
    pub fn stones(&self) -> impl Iterator<Item = (Stone, Point)> + '_ {
        let mut left = self.in_play;
        std::iter::from_fn(move || {
            let index = left.trailing_zeros() as usize;
            (index < STONES).then(|| {
                left &= left - 1;
                (Stone::new(index), self.points[index])
            })
        })
    }

    /// The stones of one team.
    pub fn of(&self, team: Team) -> impl Iterator<Item = (Stone, Point)> + '_ {
        self.stones().filter(move |(stone, _)| stone.team() == team)
    }

    /// The board seen in a mirror along the centre line.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut board = Self::EMPTY;
        for (stone, point) in self.stones() {
            board.put(stone, point.mirrored());
        }
        board
    }

    /// The two stones that overlap most, and by how many metres; `None` when none do.
    #[must_use]
    pub fn overlap(&self) -> Option<(Stone, Stone, f64)> {
        let mut worst: Option<(Stone, Stone, f64)> = None;
        for (a, p) in self.stones() {
            for (b, q) in self.stones().filter(|(b, _)| *b > a) {
                let depth = CONTACT - p.distance(q);
                if depth > worst.map_or(0.0, |w| w.2) {
                    worst = Some((a, b, depth));
                }
            }
        }
        worst
    }
}

/// Whether a stone there counts: it touches the house.
#[inline]
#[must_use]
pub fn in_house(point: Point) -> bool {
    point.from_tee() < HOUSE_RADIUS + STONE_RADIUS
}
