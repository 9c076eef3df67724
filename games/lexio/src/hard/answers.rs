//! Whether, and how likely, somebody can answer a play: [`Answers`].

use search_core::game::Player;

use super::Estimator;
use crate::combination::{Combination, Kind};
use crate::observation::Observation;
use crate::rules::{Lexio, MAX_SEATS};
use crate::set::Tiles;

/// The tiles that a player does not see, and how many of them each other seat holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answers<'a> {
    game: &'a Lexio,
    estimator: Estimator,
    unseen: Tiles,
    /// Tiles of every seat; 0 for the player's own.
    left: [u32; MAX_SEATS],
    largest: u32,
}

impl<'a> Answers<'a> {
    pub(super) fn new(game: &'a Lexio, observation: &Observation, estimator: Estimator) -> Self {
        let mut left = [0; MAX_SEATS];
        for (seat, left) in left.iter_mut().enumerate().take(observation.players()) {
            if seat != observation.me().index() {
                *left = observation.left(Player::new(seat));
            }
        }
        Self {
            game,
            estimator,
            unseen: observation.unseen(game),
            left,
            largest: left.iter().copied().max().unwrap_or(0),
        }
    }

    /// The tiles that the player does not see.
    pub(super) const fn unseen(&self) -> Tiles {
        self.unseen
    }

    /// Whether the unseen tiles hold a stronger play that fits in a hand.
    pub(super) fn possible(&self, play: Combination) -> bool {
        self.largest >= play.kind().size() && self.game.beatable(self.unseen, play)
    }

    /// An estimate of the probability that another seat can answer, if the unseen tiles are dealt at random.
    pub(super) fn probability(&self, play: Combination) -> f64 {
        match self.estimator {
            Estimator::None => 1.0,
            _ if !self.possible(play) => 0.0,
            Estimator::Possible => 1.0,
            Estimator::SumCount | Estimator::Exact => self.sum(play),
            Estimator::IndepCount => self.product(play),
        }
    }

    fn sum(&self, play: Combination) -> f64 {
        let (k, beaters) = (play.kind().size(), self.beaters(play));
        let one: f64 = self.left.iter().map(|&n| self.share(n, k)).sum();
        1.0 - power(1.0 - one.min(1.0), beaters)
    }

    fn product(&self, play: Combination) -> f64 {
        let (k, beaters) = (play.kind().size(), self.beaters(play));
        let none = |n: &u32| power(1.0 - self.share(*n, k), beaters);
        1.0 - self.left.iter().map(none).product::<f64>()
    }

    /// The probability that `k` certain tiles are all in one hand of `n`.
    fn share(&self, n: u32, k: u32) -> f64 {
        let of = f64::from(self.unseen.len());
        (0..k)
            .map(|i| f64::from(n.saturating_sub(i)) / (of - f64::from(i)).max(1.0))
            .product()
    }

    /// How many stronger plays the unseen tiles hold.
    fn beaters(&self, play: Combination) -> u32 {
        let mut found = Vec::new();
        match play.kind() {
            Kind::Single | Kind::Pair | Kind::Triple => {
                self.game.plays(self.unseen, Some(play), &mut found);
                found.len() as u32
            }
            Kind::Straight => 6_000,
            Kind::Flush => 3_000,
            Kind::FullHouse => 1_000,
            Kind::Four => 60,
            Kind::StraightFlush => 10,
        }
    }
}

/// `base` to a whole power, by squaring.
fn power(mut base: f64, mut exponent: u32) -> f64 {
    let mut result = 1.0;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result *= base;
        }
        base *= base;
        exponent >>= 1;
    }
    result
}
