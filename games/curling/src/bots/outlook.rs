//! What a board is worth before the end is over: [`Outlook`].
//!
//! The score to come is taken as normal around an expectation that a player would read off the board:
//! the score as it lies, what each stone may become, and the hammer. The more stones and shots are
//! still there, the wider it is. The win table then says what a wide or narrow chance is worth at this
//! lead, which is what makes a side that is ahead keep the sheet clean and one that is behind fill it.

use crate::board::{Board, Point, Team, in_house};
use crate::game::Curling;
use crate::geometry::HOUSE_RADIUS;
use crate::options::Objective;
use crate::state::State;

/// How a board is read. Points, unless it says otherwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outlook {
    /// How fast the score as it lies loses weight with every shot to come.
    pub fading: f64,
    /// A stone on the button that is open.
    pub open: f64,
    /// What cover adds to it.
    pub cover: f64,
    /// The last stone, before the first.
    pub hammer: f64,
    /// Standard deviation of an end that is all but over, and what every shot to come adds to its
    /// square.
    pub spread: [f64; 2],
    /// What every stone in play adds to the square, as long as shots are to come.
    pub clutter: f64,
}

impl Default for Outlook {
    fn default() -> Self {
        Self {
            fading: 0.3,
            open: 0.42,
            cover: 0.35,
            hammer: 0.85,
            spread: [0.3, 0.13],
            clutter: 0.05,
        }
    }
}

/// Scores further from zero than this are not looked at.
const MOST: i32 = 5;

impl Outlook {
    /// What `state` is worth to `team`, higher is better: the probability to win the match, or the
    /// points to come where the match is played for points. Call it at the start of a turn.
    #[must_use]
    pub fn value(&self, game: &Curling, state: &State, team: Team) -> f64 {
        let left = f64::from(game.shots().saturating_sub(state.shot));
        let mean = self.expected(game, state, left, team);
        let variance = self.spread[0] * self.spread[0]
            + self.spread[1] * left
            + self.clutter * state.board.len() as f64 * left / (left + 2.0);
        match game.options().objective {
            Objective::Points => mean,
            Objective::Win => average(mean, variance, |points| settled(game, state, team, points)),
        }
    }

    /// The points that `team` is expected to score, with this many shots to come.
    fn expected(&self, game: &Curling, state: &State, left: f64, team: Team) -> f64 {
        let board = &state.board;
        let lies = game.score(board).map_or(0.0, |(who, n)| {
            if who == team {
                f64::from(n)
            } else {
                -f64::from(n)
            }
        });
        let mut stones = 0.0;
        for side in Team::BOTH {
            let sign = if side == team { 1.0 } else { -1.0 };
            let other = best(board, side.opponent());
            for (_, point) in board.of(side) {
                stones += sign * self.stone(board, point, other);
            }
        }
        let sure = 1.0 / (1.0 + self.fading * left);
        let last = if state.hammer == team {
            self.hammer
        } else {
            -self.hammer
        };
        sure * lies + (1.0 - sure) * stones + last * left / (left + 1.5)
    }

    /// What one stone in the house may become.
    fn stone(&self, board: &Board, point: Point, other: f64) -> f64 {
        if !in_house(point) {
            return 0.0;
        }
        let distance = point.from_tee();
        let near = 1.0 - 0.6 * distance / HOUSE_RADIUS;
        let behind = if distance < other { 1.0 } else { 0.5 };
        near * behind * (self.open + self.cover * covered(board, point))
    }
}

/// How well other stones cover a place, 0 to 1.
fn covered(board: &Board, point: Point) -> f64 {
    board
        .stones()
        .filter(|(_, p)| p.y < point.y - 0.25)
        .map(|(_, p)| 1.0 - f64::from((p.x - point.x).abs()) / 0.4)
        .fold(0.0, f64::max)
}

/// Distance of the nearest stone of a team in the house from the tee.
fn best(board: &Board, team: Team) -> f64 {
    board
        .of(team)
        .filter(|(_, p)| in_house(*p))
        .map(|(_, p)| p.from_tee())
        .fold(f64::INFINITY, f64::min)
}

/// The mean of `value` over whole scores, normal around `mean`.
fn average(mean: f64, variance: f64, value: impl Fn(i32) -> f64) -> f64 {
    let (mut sum, mut total) = (0.0, 0.0);
    for points in -MOST..=MOST {
        let off = f64::from(points) - mean;
        let weight = libm::exp(-0.5 * off * off / variance) + 1e-12;
        sum += weight * value(points);
        total += weight;
    }
    sum / total
}

/// The probability that `team` wins the match when it scores `points` in this end, negative for the
/// other team.
fn settled(game: &Curling, state: &State, team: Team, points: i32) -> f64 {
    let mut after = *state;
    let who = if points > 0 { team } else { team.opponent() };
    if points != 0 {
        after.points[who.index()] += points.unsigned_abs() as u16;
        after.hammer = who.opponent();
    }
    after.end = after.end.saturating_add(1);
    let lead = after.lead(team);
    if after.end >= game.options().ends && lead != 0 {
        return if lead > 0 { 1.0 } else { 0.0 };
    }
    game.win_probability(&after, team)
}

/// What `team` has of a state in which the end, or the match, has just been settled.
#[must_use]
pub fn after_end(game: &Curling, state: &State, team: Team) -> f64 {
    let lead = state.lead(team);
    match game.options().objective {
        // The hammer of the next end is worth about as much as a point less than half.
        Objective::Points => f64::from(lead) + if state.hammer == team { 0.4 } else { -0.4 },
        Objective::Win if state.end >= game.options().ends && lead != 0 => {
            if lead > 0 {
                1.0
            } else {
                0.0
            }
        }
        Objective::Win => game.win_probability(state, team),
    }
}
