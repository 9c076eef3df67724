//! A chain of plays that nobody can answer: [`Finishes`].

use super::answers::Answers;
use crate::action::Action;
use crate::rules::Lexio;
use crate::set::Tiles;

/// Looks for plays that win the round whatever the others hold: all but the last cannot be answered, so
/// that the lead is kept, and the last one empties the hand.
#[derive(Debug)]
pub(super) struct Finishes {
    /// Plays of the hand that cannot be answered.
    certain: Vec<Action>,
}

impl Default for Finishes {
    /// With room for the plays of any hand of 13.
    fn default() -> Self {
        Self {
            certain: Vec::with_capacity(1_500),
        }
    }
}

impl Finishes {
    /// The first play of such a chain, if there is one that starts with a legal play.
    pub(super) fn find(
        &mut self,
        game: &Lexio,
        answers: &Answers<'_>,
        hand: Tiles,
        legal: &[Action],
    ) -> Option<Action> {
        let certain = |action: &Action| {
            let play = game.classify(*action);
            play.is_some_and(|play| !answers.possible(play))
        };
        if !legal.iter().any(certain) {
            return None;
        }
        self.certain.clear();
        game.push_plays(hand, None, &mut self.certain);
        self.certain.retain(certain);
        let firsts = legal.iter().rev().filter(|action| certain(action));
        let all = self.certain.len();
        firsts
            .copied()
            .find(|first| self.ends(game, hand - first.tiles(), all))
    }

    /// Whether a hand that leads can be emptied by the first `count` certain plays and a last one. In which
    /// order they are played does not matter, so only one is tried.
    fn ends(&self, game: &Lexio, hand: Tiles, count: usize) -> bool {
        let all = Action::from_tiles(hand);
        let is_last = all.and_then(|all| game.classify(all)).is_some();
        is_last
            || (0..count).rev().any(|i| {
                let tiles = self.certain[i].tiles();
                tiles.is_subset_of(hand) && self.ends(game, hand - tiles, i)
            })
    }
}
