//! The path of a stone on an empty sheet of any ice: [`Paths`].
//!
//! On all three models the path of a sliding stone depends on its speed and the side of its spin
//! alone, so all paths are one curve, cut and rotated. This table samples that curve once a game,
//! through [`Simulator::stopping_point`]; aiming is then a few look-ups.

use crate::board::{Board, Point};
use crate::geometry::CONTACT;
use crate::physics::Simulator;
use crate::release::{Release, Spin};

const ROWS: usize = 640;
/// Speed of a draw to the tee on the ice of Digital Curling 3, m/s: the unit of weight is such that
/// this is the same number on every ice.
const TEE_SPEED: f64 = 2.403_35;

/// From a speed to rest, for a stone that turns counter-clockwise: along its heading, to the left of
/// it, and how far the heading still turns to the left.
#[derive(Debug, Clone, Copy)]
struct Row {
    along: f64,
    left: f64,
    turn: f64,
    /// Cosine and sine of `turn`.
    cos: f64,
    sin: f64,
}

impl Row {
    /// No way at all.
    const REST: Self = Self {
        along: 0.0,
        left: 0.0,
        turn: 0.0,
        cos: 1.0,
        sin: 0.0,
    };
}

/// A shot that passes a place with a certain speed left, or stops there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aim {
    /// The place.
    pub target: Point,
    /// At the hack, in the speed of this ice.
    pub speed: f64,
    /// At the hack, radians to the left of straight ahead.
    pub angle: f64,
    /// Which way it turns.
    pub spin: Spin,
    /// Speed at the place, in the speed of this ice.
    pub left: f64,
    /// Heading at the place, radians to the left of straight ahead.
    pub heading: f64,
}

impl Aim {
    /// The release.
    #[must_use]
    pub fn release(&self) -> Release {
        Release::polar(self.speed, self.angle, self.spin)
    }
}

/// The path of a stone by speed, sampled from a model.
#[derive(Debug, Clone)]
pub struct Paths {
    step: f64,
    unit: f64,
    fastest: f64,
    /// How far along the centre line stones are released: not at the hack on the ice of UEC.
    start: f64,
    /// The most weight that can be left at the tee.
    hardest: f64,
    rows: Vec<Row>,
}

impl Paths {
    /// Samples the paths of a model.
    #[must_use]
    pub fn new(model: &impl Simulator) -> Self {
        let fastest = model.max_speed();
        let step = fastest / (ROWS - 3) as f64;
        let start = f64::from(model.stopping_point(Release::polar(0.0, 0.0, Spin::Ccw)).y);
        let mut rows = vec![Row::REST];
        for i in 1..ROWS {
            let stop = model.stopping_point(Release::polar(i as f64 * step, 0.0, Spin::Ccw));
            let (along, left) = (f64::from(stop.y) - start, -f64::from(stop.x));
            let before = rows[i - 1];
            // The path moves along its heading, so what the resting point moves sideways is turning.
            // `along` grows with the square of the speed: this is its mean over the row.
            let mean = (before.along + (before.along * along).sqrt() + along) / 3.0;
            let turn = before.turn + (left - before.left) / mean;
            rows.push(Row {
                along,
                left,
                turn,
                cos: libm::cos(turn),
                sin: libm::sin(turn),
            });
        }
        let tee = model.stop_at(Point::TEE, Spin::Ccw);
        let unit = tee.map_or(1.0, |release| release.speed() / TEE_SPEED);
        let mut paths = Self {
            step,
            unit,
            fastest,
            start,
            hardest: 0.0,
            rows,
        };
        // Somewhat less than the hardest to the middle, so that it can be thrown to the sides too.
        let (mut low, mut high) = (0.0, fastest / unit);
        for _ in 0..30 {
            let weight = 0.5 * (low + high);
            if paths.aim(Point::TEE, weight, Spin::Ccw).is_some() {
                low = weight;
            } else {
                high = weight;
            }
        }
        paths.hardest = 0.95 * low;
        paths
    }

    /// This weight, or the most that a player can have left at the house on this ice: 3.1 on the ice of
    /// Digital Curling 3 and 1.2 on that of the UEC cup, where every hard hit is thrown at that.
    #[must_use]
    pub const fn held(&self, weight: f64) -> f64 {
        if weight < self.hardest {
            weight
        } else {
            self.hardest
        }
    }

    /// Speed of this ice for one m/s of weight: 1 on the ice of Digital Curling 3, about 12.3 on that
    /// of the UEC cup.
    #[must_use]
    pub const fn unit(&self) -> f64 {
        self.unit
    }

    /// Four-point Lagrange interpolation; nothing is left of no speed.
    fn row(&self, speed: f64) -> Row {
        if speed <= 0.0 {
            return Row::REST;
        }
        let at = speed / self.step;
        let i = (at as usize).clamp(1, ROWS - 3);
        let u = at - i as f64;
        let w = [
            -u * (u - 1.0) * (u - 2.0) / 6.0,
            (u + 1.0) * (u - 1.0) * (u - 2.0) / 2.0,
            -(u + 1.0) * u * (u - 2.0) / 2.0,
            (u + 1.0) * u * (u - 1.0) / 6.0,
        ];
        let r = &self.rows[i - 1..i + 3];
        let sum = |f: fn(&Row) -> f64| {
            w[0] * f(&r[0]) + w[1] * f(&r[1]) + w[2] * f(&r[2]) + w[3] * f(&r[3])
        };
        Row {
            along: sum(|r| r.along),
            left: sum(|r| r.left),
            turn: sum(|r| r.turn),
            cos: sum(|r| r.cos),
            sin: sum(|r| r.sin),
        }
    }

    /// The shot that has `weight` left at `target` (0: stops there); `None` when a player cannot
    /// throw it. Weight is in m/s of the ice of Digital Curling 3: see [`Paths::unit`].
    #[must_use]
    pub fn aim(&self, target: Point, weight: f64, spin: Spin) -> Option<Aim> {
        let (x, y) = (f64::from(target.x), f64::from(target.y) - self.start);
        let distance = (x * x + y * y).sqrt();
        let left = weight * self.unit;
        if !(distance > 0.5 && distance < 100.0 && left >= 0.0 && left < self.fastest) {
            return None;
        }
        let end = self.row(left);
        // Newton's method: the way grows with the speed as the first part of it does.
        let mut speed = self.weight_for(distance + end.along) * self.unit;
        let mut miss = f64::INFINITY;
        let mut start = self.row(speed);
        let (mut along, mut aside) = (0.0, 0.0);
        for _ in 0..6 {
            (along, aside) = between(&start, &end);
            miss = (along * along + aside * aside).sqrt() - distance;
            if miss.abs() < 2e-5 {
                break;
            }
            let i = ((speed / self.step) as usize).clamp(1, ROWS - 2);
            let slope = (self.rows[i + 1].along - self.rows[i].along) / self.step;
            speed = (speed - miss / slope).clamp(left, self.fastest + self.step);
            start = self.row(speed);
        }
        if speed > self.fastest || miss.abs() > 1e-3 {
            return None;
        }
        let sign = spin.sign();
        let angle = libm::atan2(-x, y) - sign * libm::atan2(aside, along);
        let turned = start.turn - end.turn;
        Some(Aim {
            target,
            speed,
            angle,
            spin,
            left,
            heading: angle + sign * turned,
        })
    }

    /// The weight with which a stone starts that stops this many metres on.
    #[must_use]
    pub fn weight_for(&self, metres: f64) -> f64 {
        let i = self.rows.partition_point(|row| row.along < metres);
        let i = i.clamp(1, ROWS - 1);
        let (a, b) = (self.rows[i - 1].along, self.rows[i].along);
        // The way grows with the square of the speed.
        let part = (metres.max(0.0).sqrt() - a.sqrt()) / (b.sqrt() - a.sqrt());
        (i as f64 - 1.0 + part).max(0.0) * self.step / self.unit
    }

    /// How far the way of an aim is from the nearest stone in it, in metres between the edges:
    /// negative when it touches. `ignored` has one bit a stone that does not count. Looks at the last
    /// seven metres; 2 when nothing is nearer.
    #[must_use]
    pub fn clearance(&self, aim: &Aim, board: &Board, ignored: u16) -> f64 {
        if board.mask() & !ignored == 0 {
            return 2.0;
        }
        let track = self.track(aim);
        let mut least = 2.0 + CONTACT;
        for (stone, point) in board.stones() {
            if ignored >> stone.index() & 1 == 0 {
                least = track.distance(point).min(least);
            }
        }
        least - CONTACT
    }

    fn track(&self, aim: &Aim) -> Track {
        let (x, y) = (
            f64::from(aim.target.x),
            f64::from(aim.target.y) - self.start,
        );
        let distance = (x * x + y * y).sqrt();
        let lost = aim.speed * aim.speed - aim.left * aim.left;
        let start = self.row(aim.speed);
        let (sin, cos) = (libm::sin(aim.angle), libm::cos(aim.angle));
        Track(BACK.map(|metres| {
            if metres == 0.0 {
                return aim.target;
            }
            // At about constant deceleration the square of the speed falls with the way.
            let squared = aim.left * aim.left + lost * metres / distance;
            let (along, aside) = between(&start, &self.row(squared.sqrt()));
            let aside = aim.spin.sign() * aside;
            Point::new(
                (-along * sin - aside * cos) as f32,
                (self.start + along * cos - aside * sin) as f32,
            )
        }))
    }
}

/// Ways before the end of a path at which it is sampled.
const BACK: [f64; 6] = [0.0, 0.5, 1.2, 2.4, 4.4, 7.2];

/// The last metres of a path, from its end back.
struct Track([Point; 6]);

impl Track {
    /// Distance of a point from the path, by its distance along x.
    fn distance(&self, point: Point) -> f64 {
        let end = self.0[0];
        if point.y >= end.y {
            return point.distance(end);
        }
        for pair in self.0.windows(2) {
            let (near, far) = (pair[0], pair[1]);
            if point.y >= far.y {
                let (dx, dy) = (f64::from(near.x - far.x), f64::from(near.y - far.y));
                let at = f64::from(far.x) + dx * f64::from(point.y - far.y) / dy;
                let across = (f64::from(point.x) - at).abs() * dy / (dx * dx + dy * dy).sqrt();
                return across;
            }
        }
        f64::INFINITY
    }
}

/// The way from one speed to another: along the heading at the first, and to the left of it.
fn between(start: &Row, end: &Row) -> (f64, f64) {
    if end.along == 0.0 {
        return (start.along, start.left);
    }
    let cos = start.cos * end.cos + start.sin * end.sin;
    let sin = start.sin * end.cos - start.cos * end.sin;
    (
        start.along - (end.along * cos - end.left * sin),
        start.left - (end.along * sin + end.left * cos),
    )
}
