//! The easy player: [`Easy`].

use search_core::policy::Policy;
use search_core::rng::SimRng;

use crate::action::Action;
use crate::groups::Groups;
use crate::observation::Observation;
use crate::rules::Lexio;
use crate::set::Tiles;

/// Sheds the weakest tiles in the largest groups, answers cheaply, keeps the 2s.
///
/// It splits its hand into the fewest [`Groups`]. Leading, it plays the group with its weakest
/// tile. Following, it plays the cheapest reply that breaks no planned five-tile play, else
/// passes. It plays 2s only to go out, or once another player has at most two tiles left; going
/// out comes first in any case. Deterministic, and never allocates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Easy;

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
            None => lead(game, observation, legal),
            Some(_) => reply(game, observation, legal),
        };
        wanted
            .or_else(|| legal.first().copied())
            .unwrap_or_default()
    }
}

/// Whether a play keeps the 2s that should be kept.
fn keeps_twos(observation: &Observation, tiles: Tiles) -> bool {
    tiles.twos() == 0 || observation.fewest_left_to_others() <= 2
}

/// The group of the weakest tile; if that would spend a 2, of the next one for which it does not.
fn lead(game: &Lexio, observation: &Observation, legal: &[Action]) -> Option<Action> {
    let hand = observation.hand();
    let groups = Groups::fewest(game, hand);
    let of_tile = |tile| {
        let action = Action::from_tiles(groups.group_of(tile))?;
        legal.binary_search(&action).is_ok().then_some(action)
    };
    let frugal = |action: &Action| keeps_twos(observation, action.tiles());
    let mut planned = hand.iter().filter_map(of_tile);
    planned
        .clone()
        .find(frugal)
        .or_else(|| planned.next())
        .or_else(|| legal.iter().copied().find(frugal))
}

/// The weakest reply that breaks no planned five and keeps the 2s; the pass if there is none.
fn reply(game: &Lexio, observation: &Observation, legal: &[Action]) -> Option<Action> {
    let frugal = |a: &&Action| !a.is_pass() && keeps_twos(observation, a.tiles());
    let mut replies = legal.iter().filter(frugal).peekable();
    replies.peek()?;
    let groups = Groups::fewest(game, observation.hand());
    replies
        .filter(|a| !groups.breaks_a_five(a.tiles()))
        .min_by_key(|a| (game.classify(**a).map(|c| c.strength()), **a))
        .copied()
}
