//! Whist, the plain game of tricks: [`Whist`].
//!
//! Built for searches with hidden hands: hands are bit sets, a state is 96 bytes of plain data with the
//! whole record in it, and a redeal costs less than a playout.

mod agent;
mod card;
mod deal;
mod plugin;
mod table;
mod text;

pub use card::{Card, Suit};
pub use deal::{WhistDeals, WhistPlan};
pub use plugin::{Trump, WhistOptions};
pub use table::{DECK, PLAYERS, TRICKS, Table};

use rand::Rng;
use search_core::game::{
    ChanceOutcomes, Game, History, InfoKey, Player, Returns, Turn, VisitDecision,
};
use search_core::plugin::PluginError;
use search_core::rng::Draw;
use std::convert::Infallible;
use std::ops::RangeInclusive;

/// Whist for four: 52 cards, 13 tricks, seats 0 and 2 against 1 and 3. Follow suit if you can; the highest
/// trump takes the trick, or else the highest card of the suit that was led, and leads to the next. Seat 0
/// leads first.
///
/// The return of a player is the number of tricks of the side beyond 6.5: -6.5 to 6.5, and what one side
/// gains the other loses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Whist {
    trump: Option<Suit>,
}

impl Whist {
    /// The game with this suit as trumps, or with none.
    #[must_use]
    pub const fn new(trump: Option<Suit>) -> Self {
        Self { trump }
    }

    /// The suit of trumps.
    #[must_use]
    pub const fn trump(&self) -> Option<Suit> {
        self.trump
    }
}

/// All four hands and everything public.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WhistState {
    /// By seat, bit [`Card::index`] a card.
    hands: [u64; PLAYERS],
    table: Table,
}

impl WhistState {
    /// The start with these hands, bit [`Card::index`] a card; `None` unless they are 13 cards each and
    /// the whole pack.
    #[must_use]
    pub fn new(hands: [u64; PLAYERS]) -> Option<Self> {
        let sizes = hands
            .iter()
            .all(|hand| hand.count_ones() as usize == TRICKS);
        let all = hands.iter().fold(0, |all, hand| all | hand);
        (sizes && all == DECK).then_some(Self {
            hands,
            table: Table::default(),
        })
    }

    /// What every seat still holds, bit [`Card::index`] a card.
    #[must_use]
    pub const fn hands(&self) -> &[u64; PLAYERS] {
        &self.hands
    }

    /// Everything public.
    #[must_use]
    pub const fn table(&self) -> &Table {
        &self.table
    }

    #[inline]
    fn play(&mut self, card: Card, trump: Option<Suit>) {
        self.hands[self.table.seat()] &= !card.bit();
        self.table.play(card, trump);
    }
}

/// What one player knows: the own hand and everything public. It is also the information set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WhistView {
    player: Player,
    hand: u64,
    table: Table,
}

impl WhistView {
    /// What `player` knows who holds `hand` after the cards of `played`, in order.
    ///
    /// # Errors
    /// When a card is in two places or not one of the pack, when a player follows suit after having shown
    /// that there is none left, when `player` did not follow and could have, and when the hand has not as
    /// many cards as it must have.
    pub fn new(
        game: &Whist,
        player: Player,
        hand: u64,
        played: &[Card],
    ) -> Result<Self, PluginError> {
        if player.index() >= PLAYERS {
            return Err(PluginError::new("the players are 0 to 3"));
        }
        if hand & !DECK != 0 {
            return Err(PluginError::new("the hand has a card that does not exist"));
        }
        let (table, own) = Table::replay(game.trump, played, player)?;
        // From the end: the cards held at each of the own plays.
        let mut held = hand;
        for (card, led) in own.into_iter().flatten().rev() {
            if held & card.bit() != 0 {
                return Err(PluginError::new(format!("{card} is in two places")));
            }
            held |= card.bit();
            let revoke = led.is_some_and(|suit| card.suit() != suit && held & suit.mask() != 0);
            if revoke {
                return Err(PluginError::new(format!(
                    "player {} plays {card} and could have followed suit",
                    player.index()
                )));
            }
        }
        if held & table.played_mask() & !own_mask(&own) != 0 {
            return Err(PluginError::new("a card of the hand has been played"));
        }
        if held.count_ones() as usize != TRICKS {
            return Err(PluginError::new(format!(
                "player {} holds {} cards, which should be {}",
                player.index(),
                hand.count_ones(),
                TRICKS - own.iter().flatten().count()
            )));
        }
        Ok(Self {
            player,
            hand,
            table,
        })
    }

    /// Who looks.
    #[must_use]
    pub const fn player(&self) -> Player {
        self.player
    }

    /// What the player holds, bit [`Card::index`] a card.
    #[must_use]
    pub const fn hand(&self) -> u64 {
        self.hand
    }

    /// Everything public.
    #[must_use]
    pub const fn table(&self) -> &Table {
        &self.table
    }

    /// The cards that the others hold among them.
    #[must_use]
    pub fn unseen(&self) -> u64 {
        DECK & !self.hand & !self.table.played_mask()
    }
}

fn own_mask(own: &[Option<(Card, Option<Suit>)>; TRICKS]) -> u64 {
    own.iter()
        .flatten()
        .fold(0, |mask, (card, _)| mask | card.bit())
}

impl Game for Whist {
    type State = WhistState;
    type Action = Card;
    type Chance = Infallible;
    type Observation = WhistView;

    fn num_players(&self) -> usize {
        PLAYERS
    }

    fn initial_state<R: Rng + ?Sized>(&self, rng: &mut R) -> WhistState {
        let mut deck = Card::deck();
        rng.shuffle(&mut deck);
        let mut hands = [0; PLAYERS];
        for (hand, cards) in hands.iter_mut().zip(deck.chunks(TRICKS)) {
            *hand = cards.iter().fold(0, |hand, card| hand | card.bit());
        }
        WhistState {
            hands,
            table: Table::default(),
        }
    }

    #[inline]
    fn turn(&self, state: &WhistState) -> Turn {
        state.table.turn()
    }

    #[inline]
    fn legal_actions(&self, state: &WhistState, out: &mut Vec<Card>) {
        let hand = state.hands[state.table.seat()];
        state.table.playable(hand, out);
    }

    #[inline]
    fn apply(&self, state: &mut WhistState, action: Card) {
        state.play(action, self.trump);
    }

    #[inline]
    fn returns(&self, state: &WhistState) -> Returns {
        let value = f64::from(state.table.tricks(0)) - 0.5 * TRICKS as f64;
        Returns::from_slice(&[value, -value, value, -value])
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        let most = 0.5 * TRICKS as f64;
        -most..=most
    }

    /// 4.5 tricks: twice the standard deviation of random play.
    fn return_scale(&self) -> f64 {
        4.5
    }

    fn max_turns(&self) -> u32 {
        (PLAYERS * TRICKS) as u32
    }

    #[inline]
    fn observe(&self, state: &WhistState, player: Player) -> WhistView {
        WhistView {
            player,
            hand: state.hands[player.index() % PLAYERS],
            table: state.table,
        }
    }
}

impl ChanceOutcomes for Whist {
    fn chance_outcomes(&self, _: &WhistState, out: &mut Vec<(Infallible, f64)>) {
        out.clear();
    }
}

impl InfoKey for Whist {
    type Key = WhistView;
    fn info_key(&self, state: &WhistState, player: Player) -> WhistView {
        self.observe(state, player)
    }
}

impl History for Whist {
    fn decisions(&self, view: &WhistView, world: &WhistState, visit: &mut VisitDecision<'_, Self>) {
        let played = view.table.played();
        let mut state = WhistState {
            hands: world.hands,
            table: Table::default(),
        };
        // Everybody takes back what was played, then it is played again.
        let mut table = Table::default();
        for card in played {
            state.hands[table.seat()] |= card.bit();
            table.play(*card, self.trump);
        }
        for card in played {
            visit(&state, Player::new(state.table.seat()), *card);
            state.play(*card, self.trump);
        }
    }
}
