//! [`Game`] and [`InfoKey`] for [`Lexio`].

use rand::Rng;
use search_core::game::{Game, InfoKey, Player, Returns, Turn};
use std::convert::Infallible;
use std::ops::RangeInclusive;

use crate::action::Action;
use crate::observation::Observation;
use crate::rules::{Lexio, MAX_SEATS, SettleRule};
use crate::settlement::Holding;
use crate::state::State;
use crate::tile::Tile;

impl Lexio {
    /// What each player gains if the round ends now, in seat order.
    #[must_use]
    pub fn settlement(&self, state: &State) -> Returns {
        let holdings: [Holding; MAX_SEATS] = state.hands.map(Holding::from);
        let net = self.options().settle(&holdings[..self.seats()]);
        Returns::from_slice(&net.map(|points| points as f64)[..self.seats()])
    }
}

/// A game is one round.
impl Game for Lexio {
    type State = State;
    type Action = Action;
    type Chance = Infallible;
    type Observation = Observation;

    fn num_players(&self) -> usize {
        self.seats()
    }

    /// A shuffled deal, led by the holder of the cloud 3.
    fn initial_state<R: Rng + ?Sized>(&self, rng: &mut R) -> State {
        self.deal(None, rng)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.winner() {
            Some(_) => Turn::Terminal,
            None => Turn::Player(state.public.to_move()),
        }
    }

    /// The pass first, unless the player leads; then fewer tiles before more.
    #[inline]
    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        out.clear();
        if state.winner().is_some() {
            return;
        }
        let public = &state.public;
        if public.table.is_some() {
            out.push(Action::PASS);
        }
        let hand = state.hands[usize::from(public.turn)];
        self.push_plays(hand, public.table, out);
        if self.must_open_with_cloud3(public) {
            out.retain(|a| a.tiles().contains(Tile::CLOUD_THREE));
        }
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Action) {
        self.advance(state, action);
    }

    fn returns(&self, state: &State) -> Returns {
        self.settlement(state)
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        let (low, high) = self.bounds();
        low..=high
    }

    /// About twice the standard deviation of one player's return between random players.
    ///
    /// That is 7.8, 8.8, 10.6 for 3, 4, 5 players under the difference rule, 7.3, 8.6, 10.4 under
    /// the payer's multiplier, and 6.3, 6.8, 7.8 where only the winner is paid; between easy
    /// players, who end with more 2s, 17 to 30 (20,000 rounds each, `examples/speed.rs`). A larger
    /// factor for 2s widens it. The hard bounds are some thirty times as wide.
    fn return_scale(&self) -> f64 {
        let options = self.options();
        let base = match options.settle {
            SettleRule::Difference | SettleRule::PayerMultiplier => 10.0,
            SettleRule::WinnerOnly => 6.0,
        };
        let twos = match options.two_stack {
            true => (f64::from(options.two_factor) / 2.0).max(1.0),
            false => 1.0,
        };
        (base + 2.0 * f64::from(options.players)) * twos
    }

    /// At most `p = n (h - 1) + 1` plays, since the round ends with the first empty hand of the
    /// `n` hands of `h`, and between two plays at most `n - 1` passes.
    fn max_turns(&self) -> u32 {
        let players = u32::from(self.options().players);
        let plays = players * (u32::from(self.hand_size()) - 1) + 1;
        plays + (plays - 1) * (players - 1)
    }

    /// The settlement as if the round ended now.
    fn cut_off_returns(&self, state: &State) -> Returns {
        self.settlement(state)
    }

    #[inline]
    fn observe(&self, state: &State, player: Player) -> Observation {
        self.view(state, player)
    }
}

/// The observation is the key: two states with the same observation are the same to a player who
/// remembers who played what, though not in which order.
impl InfoKey for Lexio {
    type Key = Observation;

    #[inline]
    fn info_key(&self, state: &State, player: Player) -> Observation {
        self.view(state, player)
    }
}
