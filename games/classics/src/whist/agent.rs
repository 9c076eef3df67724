//! A quick player for rollouts and beginners.

use search_core::policy::Policy;
use search_core::rng::SimRng;

use super::{Card, PLAYERS, Whist, WhistView};

/// Leads its highest card. Otherwise, unless the partner has the trick, takes it if it can: with the
/// cheapest card that does when playing last, else with the dearest. Else throws away its lowest card, no
/// trump if it has another.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct HighLow;

impl Policy<Whist> for HighLow {
    fn choose(&self, game: &Whist, view: &WhistView, legal: &[Card], _: &mut SimRng) -> Card {
        let table = view.table();
        let partner = (view.player().index() + 2) % PLAYERS;
        let partner_has_it = table.winning().is_some_and(|seat| seat.index() == partner);
        let trump = |card: &Card| Some(card.suit()) == game.trump();
        let cost = |card: &&Card| (trump(card), card.rank());
        let takes = |card: &&Card| !partner_has_it && table.would_win(**card, game.trump());
        let taking = || legal.iter().filter(takes);
        let take = match table.trick().len() {
            // Equal ranks: the first suit.
            0 => legal.iter().rev().max_by_key(|card| card.rank()),
            3 => taking().min_by_key(cost),
            _ => taking().max_by_key(cost),
        };
        let low = || legal.iter().min_by_key(cost);
        take.or_else(low).copied().unwrap_or(legal[0])
    }
}
