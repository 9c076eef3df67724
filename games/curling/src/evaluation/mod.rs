//! The static evaluation of Katoh, Iizuka & Yamamoto (2016): [`Evaluation`].
//!
//! A position is worth `e(s) = W(s) + mu * sum_i u(i) N(i)` to a team: `W` is the probability that it
//! wins if the end were scored as the board lies, and `N = J T D` says how much is stone `i`, of this
//! team (`u = 1`) or the other (`u = -1`), to count for later (eq. 16-29). `J` rates its place, `T`
//! how hard it is to take out, `D` how hard together with another. After the last stone of an end `W`
//! is all. Where the printed text cannot be read, there is an option, and its default is the likeliest
//! reading.

mod takeout;

use serde::{Deserialize, Serialize};

use crate::board::{Board, STONES, Team};
use crate::game::Curling;
use crate::geometry::{STONE_RADIUS, TEE};
use crate::options::Objective;
use crate::state::{Phase, State, Verdict};

pub use takeout::{AIMS, Approach, Back, TAKEOUT_DISTANCE};

/// How the three terms of a stone make one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Combine {
    /// `J T D`.
    #[default]
    Product,
    /// `J + T + D`.
    Sum,
}

/// Which other stones a term looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Others {
    /// All.
    All,
    /// Those of the same team.
    Same,
    /// Those of the other team.
    Opposing,
}

impl Others {
    fn include(self, same_team: bool) -> bool {
        match self {
            Self::All => true,
            Self::Same => same_team,
            Self::Opposing => !same_team,
        }
    }
}

/// Whose turn decides about the weight `mu`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WeightBy {
    /// The team whose value is asked for: the one that searches.
    #[default]
    Decider,
    /// The team to throw in the position that is evaluated.
    Mover,
}

/// The constants, in metres where they are lengths, with the names and defaults of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Evaluation {
    /// Weight of the stones for the team that throws first in the end.
    pub mu_first: f64,
    /// For the other.
    pub mu_second: f64,
    /// Whose turn chooses between the two.
    pub mu_by: WeightBy,
    /// How a stone's terms are combined.
    pub combine: Combine,
    /// `w1`: weight of the rank `k = 1 / (1 + n_s)` in `J`.
    pub rank: f64,
    /// `w2`: weight of the place `h = hx hy` in `J`.
    pub place: f64,
    /// Which stones nearer to the tee `n_s` counts.
    pub nearer: Others,
    /// `alpha`: half the width of `hx`.
    pub alpha: f64,
    /// `beta`: how far behind the tee `hy` reaches.
    pub beta: f64,
    /// `gamma`: how far in front.
    pub gamma: f64,
    /// `w3`: weight of the stones in front, in `T`.
    pub front: f64,
    /// `w4`: weight of the stones behind.
    pub back: f64,
    /// `c`: the difficulty of a stone is at least this.
    pub least: f64,
    /// What a stone behind is in the way of.
    pub behind: Back,
    /// `a`: how far apart two stones side by side must be for no double take-out.
    pub double_across: f64,
    /// `b`: how much farther apart if one is straight behind the other.
    pub double_along: f64,
    /// Which stones make a double take-out.
    pub double_with: Others,
    /// Points that count as much as a won match, for `mu` when the match is for points.
    pub points_per_win: f64,
}

/// Radius of the 8-foot ring in the paper.
const RING: f64 = 1.22;

impl Default for Evaluation {
    fn default() -> Self {
        Self {
            mu_first: 0.1,
            mu_second: 0.2,
            mu_by: WeightBy::Decider,
            combine: Combine::Product,
            rank: 1.0,
            place: 1.0,
            nearer: Others::All,
            alpha: RING + STONE_RADIUS,
            beta: RING,
            gamma: RING + STONE_RADIUS,
            front: 1.0,
            back: 2.0,
            least: 0.3,
            behind: Back::Path,
            double_across: 0.915,
            double_along: RING,
            double_with: Others::Same,
            points_per_win: 4.0,
        }
    }
}

/// One stone while a board is evaluated.
#[derive(Debug, Clone, Copy, Default)]
struct Body {
    x: f64,
    /// In front of the tee is negative.
    y: f64,
    /// Squared distance from the tee.
    square: f64,
    own: bool,
}

/// The terms of one stone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Terms {
    /// `J`.
    pub place: f64,
    /// `T`.
    pub takeout: f64,
    /// `D`.
    pub double: f64,
}

impl Evaluation {
    /// Probability that `team` wins, as far as this evaluation sees; not held to 0 to 1. `approach` is
    /// made of the game's ice.
    #[must_use]
    pub fn evaluate(&self, game: &Curling, approach: &Approach, state: &State, team: Team) -> f64 {
        match settled(game, state, team) {
            Some(exact) => exact,
            None => {
                as_it_lies(game, state, team)
                    + self.weight(state, team) * self.stones(approach, &state.board, team)
            }
        }
    }

    /// The same in the returns of the game: twice the probability less one, or points.
    #[must_use]
    pub fn value(&self, game: &Curling, approach: &Approach, state: &State, team: Team) -> f64 {
        if game.options().objective == Objective::Win {
            return 2.0 * self.evaluate(game, approach, state, team) - 1.0;
        }
        let lead = f64::from(state.lead(team));
        if settled(game, state, team).is_some() {
            return lead;
        }
        let end = game.score(&state.board).map_or(0.0, |(scorer, points)| {
            f64::from(points) * if scorer == team { 1.0 } else { -1.0 }
        });
        let weight = self.points_per_win * self.weight(state, team);
        lead + end + weight * self.stones(approach, &state.board, team)
    }

    /// `mu`.
    fn weight(&self, state: &State, team: Team) -> f64 {
        let turn = match self.mu_by {
            WeightBy::Decider => team,
            WeightBy::Mover => state.thrower(),
        };
        if turn == state.hammer {
            self.mu_second
        } else {
            self.mu_first
        }
    }

    /// The sum of `N` over the stones of `team` less that over the others.
    #[must_use]
    pub fn stones(&self, approach: &Approach, board: &Board, team: Team) -> f64 {
        let (bodies, len) = gather(board, team);
        let bodies = &bodies[..len];
        let mut sum = 0.0;
        for i in 0..len {
            let terms = self.terms_of(approach, bodies, i);
            let n = match self.combine {
                Combine::Product => terms.place * terms.takeout * terms.double,
                Combine::Sum => terms.place + terms.takeout + terms.double,
            };
            sum += if bodies[i].own { n } else { -n };
        }
        sum
    }

    /// The terms of every stone, in the order of the board.
    #[must_use]
    pub fn terms(&self, approach: &Approach, board: &Board) -> Vec<Terms> {
        let (bodies, len) = gather(board, Team::Team0);
        (0..len)
            .map(|i| self.terms_of(approach, &bodies[..len], i))
            .collect()
    }

    fn terms_of(&self, approach: &Approach, bodies: &[Body], i: usize) -> Terms {
        Terms {
            place: self.place_value(bodies, i),
            takeout: self.difficulty(approach, bodies, i),
            double: self.double_difficulty(bodies, i),
        }
    }

    /// `J` (eq. 18-22).
    fn place_value(&self, bodies: &[Body], i: usize) -> f64 {
        let stone = &bodies[i];
        let nearer = bodies
            .iter()
            .filter(|b| b.square < stone.square && self.nearer.include(b.own == stone.own))
            .count();
        let across = (1.0 - stone.x.abs() / self.alpha).max(0.0);
        let behind = stone.y;
        let along = if behind > 0.0 {
            let left = (1.0 - behind / self.beta).max(0.0);
            left * left
        } else {
            (1.0 - (behind / self.gamma) * (behind / self.gamma)).max(0.0)
        };
        self.rank / (1.0 + nearer as f64) + self.place * across * along
    }

    /// `T` (eq. 23-26): of the two turns the attacker takes the easier.
    fn difficulty(&self, approach: &Approach, bodies: &[Body], i: usize) -> f64 {
        let of = |open: u32| 1.0 / f64::from(open.count_ones() + 1);
        let side = |sign: f64| {
            let (front, back) = approach.open(bodies, i, sign, self.behind);
            self.front * of(front) + self.back * of(back)
        };
        side(1.0).min(side(-1.0)) + self.least
    }

    /// `D` (eq. 27-29).
    fn double_difficulty(&self, bodies: &[Body], i: usize) -> f64 {
        let stone = &bodies[i];
        let mut least = 1.0_f64;
        for (j, other) in bodies.iter().enumerate() {
            if j == i || !self.double_with.include(other.own == stone.own) {
                continue;
            }
            let (dx, dy) = (other.x - stone.x, other.y - stone.y);
            let square = dx * dx + dy * dy;
            let most = self.double_across + self.double_along;
            if square >= most * most {
                continue;
            }
            let cos = dy.abs() / square.sqrt().max(1e-9);
            let limit = self.double_across + self.double_along * cos;
            least = least.min(square / (limit * limit));
        }
        least
    }
}

fn gather(board: &Board, team: Team) -> ([Body; STONES], usize) {
    let mut bodies = [Body::default(); STONES];
    let mut len = 0;
    for (stone, point) in board.stones() {
        let (x, y) = (f64::from(point.x), f64::from(point.y) - TEE);
        bodies[len] = Body {
            x,
            y,
            square: x * x + y * y,
            own: stone.team() == team,
        };
        len += 1;
    }
    (bodies, len)
}

/// The probability that `team` wins where nothing of an end is on the ice: at the start of an end, or
/// when it or the match is over.
fn settled(game: &Curling, state: &State, team: Team) -> Option<f64> {
    match state.phase {
        Phase::Over(Verdict::Conceded(loser)) => Some(f64::from(u8::from(loser != team))),
        Phase::Over(Verdict::Score) => Some(match state.lead(team).signum() {
            1 => 1.0,
            0 => 0.5,
            _ => 0.0,
        }),
        Phase::Over(Verdict::Horizon) => Some(game.win_probability(state, team)),
        _ if state.shot == 0 && state.board.is_empty() => Some(game.win_probability(state, team)),
        _ => None,
    }
}

/// `W`: the probability that `team` wins if the end were over now.
#[must_use]
pub fn as_it_lies(game: &Curling, state: &State, team: Team) -> f64 {
    let mut lead = state.lead(team);
    let mut hammer = state.hammer;
    if let Some((scorer, points)) = game.score(&state.board) {
        lead += if scorer == team {
            i32::from(points)
        } else {
            -i32::from(points)
        };
        hammer = scorer.opponent();
    }
    let left = usize::from(game.options().ends.saturating_sub(state.end + 1));
    if team == hammer {
        game.win_table().hammer(left, lead)
    } else {
        game.win_table().other(left, lead)
    }
}

#[cfg(test)]
mod tests;
