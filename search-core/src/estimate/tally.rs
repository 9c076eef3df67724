//! What rollouts add up to: [`Sample`] of one, [`Tally`] of many.

use super::equity::Equity;
use super::pool::{JointMoments, Moments};
use crate::game::{Player, Returns};

/// How the mass of one rollout ended. `wins`, `drawn` and `undecided` sum to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Sample {
    /// What each player won.
    pub wins: [f64; 2],
    /// What ended with equal returns.
    pub drawn: f64,
    /// What did not end.
    pub undecided: f64,
    /// The return of player 0, what did not end at [`crate::game::Game::cut_off_returns`].
    pub score: f64,
    /// The luck of the draws, each times the mass that was left; its expectation is 0.
    pub luck: f64,
    /// Whether anything was drawn at all.
    pub drew: bool,
}

impl Sample {
    pub(super) fn ends(&mut self, mass: f64, returns: &Returns) {
        let (own, other) = (returns.of(Player::new(0)), returns.of(Player::new(1)));
        self.score += mass * own;
        if own > other {
            self.wins[0] += mass;
        } else if other > own {
            self.wins[1] += mass;
        } else {
            self.drawn += mass;
        }
    }
}

/// The pooled samples of rollouts. Tallies of the same position from different rollouts merge into
/// that of all of them, with the same bits whenever the same batches are merged in the same order.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Tally {
    /// With the control variate applied.
    pub(super) wins: [Moments; 2],
    pub(super) edge: Moments,
    pub(super) drawn: Moments,
    pub(super) undecided: Moments,
    pub(super) score: Moments,
    /// Player 0's wins before the control variate, and the luck.
    pub(super) raw: JointMoments,
    pub(super) drew: bool,
}

impl Tally {
    /// Adds a rollout, `beta` times its luck taken from player 0 and given to player 1.
    #[inline]
    pub fn push(&mut self, sample: &Sample, beta: f64) {
        let fluke = beta * sample.luck;
        let wins = [sample.wins[0] - fluke, sample.wins[1] + fluke];
        self.wins[0].push(wins[0]);
        self.wins[1].push(wins[1]);
        self.edge.push(wins[0] - wins[1]);
        self.drawn.push(sample.drawn);
        self.undecided.push(sample.undecided);
        self.score.push(sample.score);
        self.raw.push(sample.wins[0], sample.luck);
        self.drew |= sample.drew;
    }

    /// Adds what another tally holds.
    pub fn merge(&mut self, other: &Self) {
        self.wins[0].merge(&other.wins[0]);
        self.wins[1].merge(&other.wins[1]);
        self.edge.merge(&other.edge);
        self.drawn.merge(&other.drawn);
        self.undecided.merge(&other.undecided);
        self.score.merge(&other.score);
        self.raw.merge(&other.raw);
        self.drew |= other.drew;
    }

    /// How many rollouts.
    #[must_use]
    pub const fn rollouts(&self) -> u64 {
        self.wins[0].count()
    }

    /// The estimate they give.
    #[must_use]
    pub fn equity(&self) -> Equity {
        Equity::of(self)
    }
}
