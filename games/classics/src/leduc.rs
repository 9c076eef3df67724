//! Leduc poker: [`LeducPoker`] (Southey et al. 2005), with the rules of OpenSpiel.

mod plugin;
mod table;

pub use table::{Card, LeducAction, Table};

use rand::Rng;
use search_core::game::{
    ChanceOutcomes, Game, History, InfoKey, Player, Returns, Turn, VisitDecision,
};
use search_core::observation::{Contradiction, Determinizer, LogWeight};
use search_core::rng::Draw;
use std::ops::RangeInclusive;

use crate::solve::InitialStates;
use table::Stage;

/// Six cards (jack, queen, king in two suits), one each and one public between two rounds of
/// betting; ante 1, raises of 2 then 4, at most two raises a round. A pair with the public card
/// wins, then the higher rank; equal ranks share the pot. The first player opens both rounds.
///
/// The private cards are dealt in [`Game::initial_state`], all thirty ordered pairs equally likely;
/// the public card is a chance turn. Its value for the first player is -0.0856064.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeducPoker;

/// Both private cards and everything public.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LeducState {
    cards: [Card; 2],
    table: Table,
}

impl LeducState {
    /// The start of a hand with these private cards; `None` when they are the same card.
    #[must_use]
    pub fn new(cards: [Card; 2]) -> Option<Self> {
        (cards[0] != cards[1]).then_some(Self {
            cards,
            table: Table::default(),
        })
    }

    /// The private card of each player.
    #[must_use]
    pub const fn cards(&self) -> [Card; 2] {
        self.cards
    }

    /// Everything public.
    #[must_use]
    pub const fn table(&self) -> &Table {
        &self.table
    }

    /// The cards that nobody holds.
    fn undealt(&self) -> impl Iterator<Item = Card> {
        let cards = self.cards;
        Card::all().filter(move |card| !cards.contains(card))
    }
}

/// What one player knows: the own card, everything public, and at a showdown the other card. It is
/// also the information set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LeducView {
    /// Who looks.
    pub player: Player,
    /// The own card.
    pub card: Card,
    /// Everything public.
    pub table: Table,
    /// The other player's card, once it is shown.
    pub shown: Option<Card>,
}

/// Gives the other player each unseen card with the same probability: the deals are equally
/// likely, and nothing is read into the other player's actions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeducDeals;

impl Determinizer<LeducPoker> for LeducDeals {
    /// The cards that the other player may hold.
    type Plan = Vec<Card>;

    fn plan(&self, _: &LeducPoker, view: &LeducView) -> Result<Vec<Card>, Contradiction> {
        let table = &view.table;
        if view.player.index() > 1 {
            return Err(Contradiction::new("there are two players"));
        }
        let showdown = table.stage() == Stage::Showdown;
        if view.shown.is_some() != showdown {
            return Err(Contradiction::new(
                "the other card is shown at a showdown and only there",
            ));
        }
        let seen = [Some(view.card), table.public(), view.shown];
        let clash = seen
            .iter()
            .enumerate()
            .any(|(i, card)| card.is_some() && seen[..i].contains(card));
        if clash {
            return Err(Contradiction::new("a card is in two places"));
        }
        Ok(match view.shown {
            Some(card) => vec![card],
            None => Card::all()
                .filter(|card| !seen.contains(&Some(*card)))
                .collect(),
        })
    }

    fn scratch(&self, _: &LeducPoker, view: &LeducView, plan: &Vec<Card>) -> LeducState {
        LeducState {
            cards: [view.card, plan[0]],
            table: view.table,
        }
    }

    #[inline]
    fn sample<R: Rng + ?Sized>(
        &self,
        _: &LeducPoker,
        view: &LeducView,
        plan: &Vec<Card>,
        rng: &mut R,
        world: &mut LeducState,
    ) -> LogWeight {
        let me = view.player.index();
        world.cards[me] = view.card;
        world.cards[1 - me] = plan[rng.below(plan.len() as u32) as usize];
        world.table = view.table;
        0.0
    }
}

impl Game for LeducPoker {
    type State = LeducState;
    type Action = LeducAction;
    type Chance = Card;
    type Observation = LeducView;

    fn num_players(&self) -> usize {
        2
    }

    fn initial_state<R: Rng + ?Sized>(&self, rng: &mut R) -> LeducState {
        let first = rng.below(6) as u8;
        let second = rng.below(5) as u8;
        let second = second + u8::from(second >= first);
        LeducState {
            cards: [Card::from_index(first), Card::from_index(second)],
            table: Table::default(),
        }
    }

    #[inline]
    fn turn(&self, state: &LeducState) -> Turn {
        state.table.turn()
    }

    #[inline]
    fn legal_actions(&self, state: &LeducState, out: &mut Vec<LeducAction>) {
        state.table.legal_actions(out);
    }

    #[inline]
    fn apply(&self, state: &mut LeducState, action: LeducAction) {
        state.table.play(action);
    }

    fn sample_chance<R: Rng + ?Sized>(&self, state: &LeducState, rng: &mut R) -> Card {
        let ticket = rng.below(4) as usize;
        state.undealt().nth(ticket).unwrap_or(state.cards[0])
    }

    fn apply_chance(&self, state: &mut LeducState, outcome: Card) {
        state.table.turn_up(outcome);
    }

    fn returns(&self, state: &LeducState) -> Returns {
        Returns::zero_sum(state.table.winnings(state.cards))
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        -13.0..=13.0
    }

    fn max_turns(&self) -> u32 {
        9
    }

    fn observe(&self, state: &LeducState, player: Player) -> LeducView {
        let me = player.index() & 1;
        let showdown = state.table.stage() == Stage::Showdown;
        LeducView {
            player,
            card: state.cards[me],
            table: state.table,
            shown: showdown.then_some(state.cards[1 - me]),
        }
    }
}

impl ChanceOutcomes for LeducPoker {
    fn chance_outcomes(&self, state: &LeducState, out: &mut Vec<(Card, f64)>) {
        out.clear();
        if self.turn(state) == Turn::Chance {
            out.extend(state.undealt().map(|card| (card, 0.25)));
        }
    }
}

impl InfoKey for LeducPoker {
    type Key = LeducView;
    fn info_key(&self, state: &LeducState, player: Player) -> LeducView {
        self.observe(state, player)
    }
}

impl History for LeducPoker {
    fn decisions(&self, view: &LeducView, world: &LeducState, visit: &mut VisitDecision<'_, Self>) {
        let mut state = LeducState {
            table: Table::default(),
            ..*world
        };
        for round in 0..2 {
            if let (1, Some(public)) = (round, view.table.public()) {
                self.apply_chance(&mut state, public);
            }
            for &action in view.table.played(round) {
                if let Turn::Player(player) = self.turn(&state) {
                    visit(&state, player, action);
                }
                self.apply(&mut state, action);
            }
        }
    }
}

impl InitialStates for LeducPoker {
    fn initial_states(&self) -> Vec<(LeducState, f64)> {
        let pairs = Card::all().flat_map(|a| Card::all().map(move |b| [a, b]));
        pairs
            .filter_map(LeducState::new)
            .map(|state| (state, 1.0 / 30.0))
            .collect()
    }
}
