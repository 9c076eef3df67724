//! [`Survival`]: a process of which the probability of ending in the coming turn is known.

use crate::game::{Game, Returns, Turn};
use crate::plugin::PluginError;
use crate::rng::SimRng;

/// What the coming turn may end in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Absorption {
    /// The exact probability that the game ends in this turn, 0 to 1.
    pub probability: f64,
    /// The returns if it does; read only where the probability is positive.
    pub returns: Returns,
}

/// A game with the policies of both sides, in which the player whose turn comes up may end the game
/// at once, with a probability that can be computed exactly before chance is asked.
///
/// In dice chess that is the share of the 216 rolls with which the king can be taken, for a player
/// who always takes it. A rollout then need not throw the die for it: it adds the probability and
/// goes on with what is left, see [`Rollouts`](super::Rollouts).
///
/// # What makes it unbiased
///
/// `absorption` and `survive` must belong to **the same policy**: with `E` the event that the game
/// ends in this turn, `absorption` gives `P(E | state)` and `survive` draws from
/// `P(next state | state, not E)`. Whatever is wrong with that is a bias which no number of
/// rollouts and no standard error shows. Two mistakes are easy in a game of dice:
///
/// * dropping the *moves* that end the game instead of the *rolls* that allow it. If the policy
///   ends the game whenever the roll allows it, a roll that does is absorbed as a whole, also
///   its quiet moves;
/// * rolling again after a roll without a legal move. Where the rules say that such a roll passes,
///   passing survives.
///
/// [`check_survival`](crate::testing::check_survival) finds both by playing the game itself.
pub trait Survival<G: Game>: Send + Sync {
    /// What [`Survival::absorption`] worked out and [`Survival::survive`] uses again: one for each
    /// batch of rollouts, never read across states.
    type Memory: Default + Send;

    /// The exact probability that the game ends in the coming turn, and the returns then.
    ///
    /// `state` is one that [`Survival::check_start`] accepts or that [`Survival::survive`] left,
    /// and not the end of the game.
    fn absorption(&self, game: &G, state: &G::State, memory: &mut Self::Memory) -> Absorption;

    /// Plays the turn on the condition that it does not end the game by absorption: makes `state`
    /// the one before the next turn, drawn from the exact conditional law. Called right after
    /// `absorption` of the same state with a probability below 1.
    ///
    /// The game may end here all the same, say by a rule about draws: then `state` is
    /// [`Turn::Terminal`] and its [`Game::returns`] are what is left of the rollout.
    ///
    /// Returns the luck of the draw, for a control variate: the value of the new state less the
    /// exact expectation of that value over the conditional law, as player 0's probability of
    /// winning. Any valuation will do, as long as the expectation is that of the same one. 0.0
    /// where none is computed.
    fn survive(
        &self,
        game: &G,
        state: &mut G::State,
        memory: &mut Self::Memory,
        rng: &mut SimRng,
    ) -> f64;

    /// Whether [`Survival::survive`] may end the game, say by a rule about draws. Where it cannot, the
    /// draw after the last turn that counts is left out, and what needs no other draw is exact.
    fn survivors_may_end(&self) -> bool {
        true
    }

    /// Refuses a state from which the process cannot start, saying what would be right. The default
    /// accepts chance turns.
    ///
    /// # Errors
    /// When the process cannot start there.
    fn check_start(&self, game: &G, state: &G::State) -> Result<(), PluginError> {
        match game.turn(state) {
            Turn::Chance => Ok(()),
            Turn::Player(_) => Err(PluginError::new(
                "a player is to move there; give a position before the roll",
            )),
            Turn::Terminal => Err(PluginError::new("the game is over there")),
        }
    }

    /// What the two players are called, player 0 first.
    fn labels(&self) -> [&'static str; 2] {
        ["player 0", "player 1"]
    }
}
