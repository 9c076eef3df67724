//! The easy player: [`Easy`].

use search_core::policy::Policy;
use search_core::rng::SimRng;

use crate::action::Action;
use crate::groups::Groups;
use crate::observation::Observation;
use crate::rules::Lexio;
use crate::set::Tiles;

/// Sheds the weakest tiles in the largest groups, answers cheaply, keeps the 2s for a while.
///
/// It splits its hand into the fewest [`Groups`]. Leading, it plays the group with its weakest
/// tile. Following, it plays the cheapest reply that breaks no planned five-tile play, else
/// passes. It plays 2s only to go out, or once another player has few tiles left; going out comes
/// first in any case. Deterministic, and never allocates.
///
/// When to let go of the 2s decides whether it earns anything, since each one left in hand doubles
/// the loss. Points a round of one such player among random ones, 10,000 rounds, standard errors
/// 0.3, for [`Easy::twos`] of 2, 5, 8 and 20 (never kept):
///
/// | players | 2 | 5 | 8 | 20 |
/// |---|---|---|---|---|
/// | 3 | -4.5 | -0.9 | 3.3 | 4.1 |
/// | 4 | -3.1 | -0.2 | 2.7 | 2.9 |
/// | 5 | -0.9 | 1.5 | 2.8 | 2.7 |
///
/// With 2 it wins the most rounds and loses money all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Easy {
    /// 2s are kept while every other player has more tiles than this.
    pub twos: u32,
}

impl Default for Easy {
    fn default() -> Self {
        Self { twos: 8 }
    }
}

impl Policy<Lexio> for Easy {
    fn choose(
        &self,
        game: &Lexio,
        observation: &Observation,
        legal: &[Action],
        _: &mut SimRng,
    ) -> Action {
        let hand = observation.hand();
        // Actions ascend by size first, so playing everything can only be the last.
        if let Some(last) = legal.last().filter(|a| a.tiles() == hand) {
            return *last;
        }
        let wanted = match observation.public().table() {
            None => self.lead(game, observation, legal),
            Some(_) => self.reply(game, observation, legal),
        };
        wanted
            .or_else(|| legal.first().copied())
            .unwrap_or_default()
    }
}

impl Easy {
    /// Whether a play keeps the 2s that should be kept.
    fn keeps_twos(self, observation: &Observation, tiles: Tiles) -> bool {
        tiles.twos() == 0 || observation.fewest_left_to_others() <= self.twos
    }

    /// The group of the weakest tile; if that would spend a 2, of the next one for which it does not.
    fn lead(self, game: &Lexio, observation: &Observation, legal: &[Action]) -> Option<Action> {
        let hand = observation.hand();
        let groups = Groups::fewest(game, hand);
        let of_tile = |tile| {
            let action = Action::from_tiles(groups.group_of(tile))?;
            legal.binary_search(&action).is_ok().then_some(action)
        };
        let frugal = |action: &Action| self.keeps_twos(observation, action.tiles());
        let mut planned = hand.iter().filter_map(of_tile);
        planned
            .clone()
            .find(frugal)
            .or_else(|| planned.next())
            .or_else(|| legal.iter().copied().find(frugal))
    }

    /// The weakest reply that breaks no planned five and keeps the 2s; the pass if there is none.
    fn reply(self, game: &Lexio, observation: &Observation, legal: &[Action]) -> Option<Action> {
        let frugal = |a: &&Action| !a.is_pass() && self.keeps_twos(observation, a.tiles());
        let mut replies = legal.iter().filter(frugal).peekable();
        replies.peek()?;
        let groups = Groups::fewest(game, observation.hand());
        replies
            .filter(|a| !groups.breaks_a_five(a.tiles()))
            .min_by_key(|a| (game.classify(**a).map(|c| c.strength()), **a))
            .copied()
    }
}
