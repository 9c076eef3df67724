//! Goofspiel for two with hidden cards: [`Goofspiel`].

mod deals;
mod plugin;

pub use deals::GoofspielHands;
pub use plugin::GoofspielOptions;

use rand::Rng;
use search_core::game::{
    ActionObservation, ChanceOutcomes, Game, History, InfoKey, Player, Returns, Turn, VisitDecision,
};
use search_core::plugin::PluginError;
use std::convert::Infallible;
use std::ops::RangeInclusive;

use crate::solve::InitialStates;

/// The most cards a hand can have.
pub const MAX_CARDS: usize = 13;

/// Both players hold cards 1 to `cards` and bid for prizes worth `cards` down to 1, one card a prize:
/// the higher card takes it, of equal cards nobody. Who has more points wins.
///
/// The rules are those of OpenSpiel's `goofspiel(imp_info=True, points_order=descending,
/// returns_type=win_loss)`, in turn: player 0 lays a card face down, then player 1 answers without having
/// seen it, and both are told who took the prize but never the card. The last cards play
/// themselves. Its value is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Goofspiel {
    cards: u8,
}

impl Default for Goofspiel {
    /// With four cards.
    fn default() -> Self {
        Self { cards: 4 }
    }
}

impl Goofspiel {
    /// With 2 to 13 cards a hand.
    ///
    /// # Errors
    /// For any other number.
    pub fn new(cards: u32) -> Result<Self, PluginError> {
        if !(2..=MAX_CARDS as u32).contains(&cards) {
            return Err(PluginError::new(format!(
                "goofspiel(cards={cards}): expected 2 to {MAX_CARDS}"
            )));
        }
        Ok(Self { cards: cards as u8 })
    }

    /// Cards a hand.
    #[must_use]
    pub const fn cards(&self) -> u8 {
        self.cards
    }

    const fn start(self) -> GoofspielState {
        GoofspielState {
            played: [[0; MAX_CARDS]; 2],
            rounds: 0,
            committed: 0,
            hands: [(1 << self.cards) - 1; 2],
            lead: 0,
        }
    }

    /// Both cards of a round are turned up.
    #[inline]
    fn resolve(self, state: &mut GoofspielState, cards: [u8; 2]) {
        let round = usize::from(state.rounds);
        let prize = i16::from(self.cards - state.rounds);
        for (side, card) in cards.into_iter().enumerate() {
            state.played[side][round] = card;
            state.hands[side] &= !(1 << (card - 1));
        }
        state.lead += prize * i16::from(result(cards));
        state.rounds += 1;
        state.committed = 0;
    }

    /// Plays a card, and the last ones of themselves.
    #[inline]
    fn play(self, state: &mut GoofspielState, card: u8) {
        if state.committed == 0 {
            state.committed = card;
            return;
        }
        self.resolve(state, [state.committed, card]);
        if state.rounds + 1 == self.cards {
            let last = state.hands.map(|hand| hand.trailing_zeros() as u8 + 1);
            self.resolve(state, last);
        }
    }
}

/// 1 when the first card is higher, -1 when it is lower, 0 for equal ones.
const fn result(cards: [u8; 2]) -> i8 {
    (cards[0] > cards[1]) as i8 - (cards[0] < cards[1]) as i8
}

/// What both players have played, the truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GoofspielState {
    /// By player and round.
    played: [[u8; MAX_CARDS]; 2],
    /// How many rounds are over.
    rounds: u8,
    /// The card of player 0 that lies face down, or 0.
    committed: u8,
    /// One bit a card that is left, the lowest first; the committed card is still in.
    hands: [u16; 2],
    /// The points of player 0 less those of player 1.
    lead: i16,
}

impl GoofspielState {
    /// What a player has played in the rounds that are over.
    #[must_use]
    pub fn played(&self, player: Player) -> &[u8] {
        &self.played[player.index() & 1][..usize::from(self.rounds)]
    }

    /// The points of player 0 less those of player 1.
    #[must_use]
    pub const fn lead(&self) -> i16 {
        self.lead
    }
}

/// Whether the first card of a round lies on the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Commit {
    /// It does not: player 0 is to move, or the game is over.
    #[default]
    None,
    /// It does, and the observer does not know which it is.
    Hidden,
    /// It is the observer's own.
    Own(u8),
}

/// What one player knows: the own cards and who took the prizes. It is also the information set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GoofspielView {
    /// Who looks.
    pub player: Player,
    /// The own card of each round that is over; 0 for the rest.
    pub own: [u8; MAX_CARDS],
    /// Who took the prize: 1 the observer, -1 the other player, 0 nobody, or not yet.
    pub results: [i8; MAX_CARDS],
    /// How many rounds are over.
    pub rounds: u8,
    /// The card of the round that is not.
    pub commit: Commit,
}

impl Game for Goofspiel {
    type State = GoofspielState;
    /// A card, from 1.
    type Action = u8;
    type Chance = Infallible;
    type Observation = GoofspielView;

    fn num_players(&self) -> usize {
        2
    }

    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> GoofspielState {
        self.start()
    }

    #[inline]
    fn turn(&self, state: &GoofspielState) -> Turn {
        if state.rounds == self.cards {
            Turn::Terminal
        } else {
            Turn::Player(Player::new(usize::from(state.committed != 0)))
        }
    }

    #[inline]
    fn legal_actions(&self, state: &GoofspielState, out: &mut Vec<u8>) {
        out.clear();
        if let Turn::Player(player) = self.turn(state) {
            let hand = state.hands[player.index()];
            out.extend(
                (0..self.cards)
                    .filter(|i| hand >> i & 1 == 1)
                    .map(|i| i + 1),
            );
        }
    }

    #[inline]
    fn apply(&self, state: &mut GoofspielState, action: u8) {
        self.play(state, action);
    }

    fn returns(&self, state: &GoofspielState) -> Returns {
        let over = state.rounds == self.cards;
        Returns::zero_sum(if over {
            f64::from(state.lead.signum())
        } else {
            0.0
        })
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        -1.0..=1.0
    }

    fn max_turns(&self) -> u32 {
        2 * u32::from(self.cards - 1)
    }

    fn observe(&self, state: &GoofspielState, player: Player) -> GoofspielView {
        let me = player.index() & 1;
        let mut results = [0; MAX_CARDS];
        for (round, out) in results[..usize::from(state.rounds)].iter_mut().enumerate() {
            *out = result([state.played[me][round], state.played[1 - me][round]]);
        }
        GoofspielView {
            player,
            own: state.played[me],
            results,
            rounds: state.rounds,
            commit: match state.committed {
                0 => Commit::None,
                card if me == 0 => Commit::Own(card),
                _ => Commit::Hidden,
            },
        }
    }
}

impl ChanceOutcomes for Goofspiel {
    fn chance_outcomes(&self, _: &GoofspielState, out: &mut Vec<(Infallible, f64)>) {
        out.clear();
    }
}

impl InfoKey for Goofspiel {
    type Key = GoofspielView;
    fn info_key(&self, state: &GoofspielState, player: Player) -> GoofspielView {
        self.observe(state, player)
    }
}

impl ActionObservation for Goofspiel {
    /// The own card, and who takes the prizes that it decides.
    fn observe_action(&self, state: &GoofspielState, action: u8, observer: Player) -> u64 {
        let own = self.turn(state) == Turn::Player(observer);
        let mut seen = if own { u64::from(action) } else { 0 };
        let mut after = *state;
        self.play(&mut after, action);
        for round in usize::from(state.rounds)..usize::from(after.rounds) {
            let result = result([after.played[0][round], after.played[1][round]]);
            seen = seen << 2 | (result + 2) as u64;
        }
        seen
    }

    fn observe_chance(&self, _: &GoofspielState, outcome: Infallible, _: Player) -> u64 {
        match outcome {}
    }
}

impl History for Goofspiel {
    /// Every decision of either player as it was in `world`, the card that lies face down included.
    fn decisions(
        &self,
        _: &GoofspielView,
        world: &GoofspielState,
        visit: &mut VisitDecision<'_, Self>,
    ) {
        let mut state = self.start();
        // The last cards play themselves.
        let decided = world.rounds.min(self.cards - 1);
        for round in 0..usize::from(decided) {
            for side in 0..2 {
                let card = world.played[side][round];
                visit(&state, Player::new(side), card);
                self.play(&mut state, card);
            }
        }
        if world.committed != 0 {
            visit(&state, Player::new(0), world.committed);
        }
    }
}

impl InitialStates for Goofspiel {
    fn initial_states(&self) -> Vec<(GoofspielState, f64)> {
        vec![(self.start(), 1.0)]
    }
}
