//! Whether, and how likely, somebody can answer a play: [`Answers`].

use search_core::game::Player;

use super::Foresight;
use crate::answer::{AnswerProbabilities, Unseen};
use crate::combination::{Combination, Kind};
use crate::observation::Observation;
use crate::rules::{Lexio, PassRule};
use crate::set::Tiles;

/// What a player foresees of the answers to its plays, in one decision.
#[derive(Debug)]
pub(super) struct Answers<'a> {
    game: &'a Lexio,
    unseen: Tiles,
    /// The most tiles in another hand.
    largest: u32,
    /// For [`Foresight::Possible`] and [`Foresight::Nothing`], what they say of a play that can be answered.
    probabilities: Option<AnswerProbabilities<'a>>,
    nothing: bool,
    /// Whether every seat may answer, so that a single is answered if it can be.
    sure: bool,
}

impl<'a> Answers<'a> {
    pub(super) fn new(game: &'a Lexio, observation: &Observation, foresight: &Foresight) -> Self {
        let others = (0..observation.players()).map(Player::new);
        let others = others.filter(|seat| *seat != observation.me());
        let probabilities = match foresight {
            Foresight::Estimated(estimator) => Unseen::of(game, observation)
                .ok()
                .map(|unseen| AnswerProbabilities::with(estimator.clone(), unseen)),
            _ => None,
        };
        Self {
            game,
            unseen: observation.unseen(game),
            largest: others.map(|seat| observation.left(seat)).max().unwrap_or(0),
            probabilities,
            nothing: *foresight == Foresight::Nothing,
            sure: game.options().pass == PassRule::Soft && foresight.is_exact(),
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

    /// The probability that another seat can answer, as far as it is foreseen.
    pub(super) fn probability(&mut self, play: Combination) -> f64 {
        if self.nothing {
            return 1.0;
        }
        if !self.possible(play) {
            return 0.0;
        }
        if self.sure && play.kind() == Kind::Single {
            return 1.0;
        }
        // An observation that contradicts itself foresees nothing.
        let answer = self.probabilities.as_mut().map(|all| all.of(play));
        answer.map_or(1.0, |answer| {
            answer.map_or(1.0, |answer| answer.probability)
        })
    }
}
