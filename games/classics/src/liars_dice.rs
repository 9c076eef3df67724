//! Liar's dice for two with one die each: [`LiarsDice`].

mod plugin;

pub use plugin::LiarsDiceOptions;

use rand::Rng;
use search_core::game::{
    ChanceOutcomes, Game, History, InfoKey, Player, Returns, Turn, VisitDecision,
};
use search_core::observation::{Contradiction, Determinizer, LogWeight};
use search_core::plugin::PluginError;
use search_core::rng::Draw;
use std::convert::Infallible;
use std::ops::RangeInclusive;

use crate::solve::InitialStates;

/// Dice on the table: one each.
const DICE: u8 = 2;

/// Each player throws one die in secret. In turn they bid how many dice at least show a face, every bid
/// above the one before (more dice, or as many of a higher face), or call the other a liar. The highest
/// face is wild and counts for every other. When the last bid holds its bidder wins, else the caller.
///
/// The rules, and the order of the bids, are those of OpenSpiel's `liars_dice(numdice=1)`. The throw
/// belongs to [`Game::initial_state`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LiarsDice {
    sides: u8,
}

impl Default for LiarsDice {
    /// With six-sided dice; the value for the first player is -7/258.
    fn default() -> Self {
        Self { sides: 6 }
    }
}

impl LiarsDice {
    /// With dice of 2 to 6 sides.
    ///
    /// # Errors
    /// For any other number.
    pub fn new(sides: u32) -> Result<Self, PluginError> {
        if !(2..=6).contains(&sides) {
            return Err(PluginError::new(format!(
                "liars-dice(sides={sides}): expected 2 to 6"
            )));
        }
        Ok(Self { sides: sides as u8 })
    }

    /// The sides of a die.
    #[must_use]
    pub const fn sides(&self) -> u8 {
        self.sides
    }

    /// The bid with this place in the order, from 0.
    const fn bid(self, place: u8) -> LiarsAction {
        LiarsAction::Bid {
            quantity: place / self.sides + 1,
            face: place % self.sides + 1,
        }
    }

    /// The place of a bid in the order, from 0; `None` for a call.
    const fn place(self, action: LiarsAction) -> Option<u8> {
        match action {
            LiarsAction::Bid { quantity, face } => Some((quantity - 1) * self.sides + face - 1),
            LiarsAction::Liar => None,
        }
    }

    /// The bids that were made, in order.
    pub fn bids(&self, talk: Talk) -> impl Iterator<Item = LiarsAction> {
        let game = *self;
        let places = (0..DICE * self.sides).filter(move |place| talk.bids >> place & 1 == 1);
        places.map(move |place| game.bid(place))
    }

    /// Whether the last bid holds.
    fn last_bid_holds(self, state: &LiarsState) -> bool {
        let Some(LiarsAction::Bid { quantity, face }) = state.talk.last().map(|p| self.bid(p))
        else {
            return false;
        };
        let shows = |die: &&u8| **die == face || **die == self.sides;
        state.dice.iter().filter(shows).count() >= usize::from(quantity)
    }
}

/// What a player says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LiarsAction {
    /// At least this many dice show this face or the wild one.
    Bid {
        /// 1 or 2.
        quantity: u8,
        /// 1 to the number of sides.
        face: u8,
    },
    /// The last bid does not hold.
    Liar,
}

/// What has been said: bids only rise, so the set of them is their sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Talk {
    /// One bit a bid, the lowest first.
    bids: u16,
    called: bool,
}

impl Talk {
    /// Whether somebody has called the other a liar, which ends the game.
    #[must_use]
    pub const fn called(self) -> bool {
        self.called
    }

    /// The place of the last bid.
    #[inline]
    fn last(self) -> Option<u8> {
        self.bids.checked_ilog2().map(|place| place as u8)
    }

    #[inline]
    const fn turn(self) -> Turn {
        if self.called {
            Turn::Terminal
        } else {
            Turn::Player(Player::new(self.bids.count_ones() as usize & 1))
        }
    }
}

/// Both dice and what has been said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LiarsState {
    dice: [u8; 2],
    talk: Talk,
}

impl LiarsState {
    /// The dice of both players, from 1.
    #[must_use]
    pub const fn dice(&self) -> [u8; 2] {
        self.dice
    }

    /// What has been said.
    #[must_use]
    pub const fn talk(&self) -> Talk {
        self.talk
    }
}

/// What one player knows: the own die, what has been said, and after a call the other die. It is also
/// the information set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LiarsView {
    /// Who looks.
    pub player: Player,
    /// The own die, from 1.
    pub die: u8,
    /// What has been said.
    pub talk: Talk,
    /// The other die, once it is shown.
    pub shown: Option<u8>,
}

/// Gives the other player every face with the same probability; nothing is read into the bids.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LiarsThrows;

impl Determinizer<LiarsDice> for LiarsThrows {
    /// The other die where it is shown.
    type Plan = Option<u8>;

    fn plan(&self, game: &LiarsDice, view: &LiarsView) -> Result<Option<u8>, Contradiction> {
        let is_face = |die| (1..=game.sides).contains(&die);
        if view.player.index() > 1 {
            return Err(Contradiction::new("there are two players"));
        }
        if !is_face(view.die) || !view.shown.is_none_or(is_face) {
            return Err(Contradiction::new(
                "a die shows a face that it does not have",
            ));
        }
        if u32::from(view.talk.bids) >> (DICE * game.sides) != 0 {
            return Err(Contradiction::new("a bid that there is not"));
        }
        if view.talk.called && view.talk.bids == 0 {
            return Err(Contradiction::new("a call without a bid"));
        }
        if view.shown.is_some() != view.talk.called {
            return Err(Contradiction::new(
                "the other die is shown after a call and only then",
            ));
        }
        Ok(view.shown)
    }

    fn scratch(&self, _: &LiarsDice, view: &LiarsView, _: &Option<u8>) -> LiarsState {
        LiarsState {
            dice: [view.die; 2],
            talk: view.talk,
        }
    }

    #[inline]
    fn sample<R: Rng + ?Sized>(
        &self,
        game: &LiarsDice,
        view: &LiarsView,
        shown: &Option<u8>,
        rng: &mut R,
        world: &mut LiarsState,
    ) -> LogWeight {
        let me = view.player.index();
        world.dice[me] = view.die;
        world.dice[1 - me] = match shown {
            Some(die) => *die,
            None => rng.below(game.sides.into()) as u8 + 1,
        };
        world.talk = view.talk;
        0.0
    }
}

impl Game for LiarsDice {
    type State = LiarsState;
    type Action = LiarsAction;
    type Chance = Infallible;
    type Observation = LiarsView;

    fn num_players(&self) -> usize {
        2
    }

    fn initial_state<R: Rng + ?Sized>(&self, rng: &mut R) -> LiarsState {
        let mut throw = || rng.below(self.sides.into()) as u8 + 1;
        LiarsState {
            dice: [throw(), throw()],
            talk: Talk::default(),
        }
    }

    #[inline]
    fn turn(&self, state: &LiarsState) -> Turn {
        state.talk.turn()
    }

    #[inline]
    fn legal_actions(&self, state: &LiarsState, out: &mut Vec<LiarsAction>) {
        out.clear();
        if state.talk.called {
            return;
        }
        let last = state.talk.last();
        let next = last.map_or(0, |place| place + 1);
        out.extend((next..DICE * self.sides).map(|place| self.bid(place)));
        if last.is_some() {
            out.push(LiarsAction::Liar);
        }
    }

    #[inline]
    fn apply(&self, state: &mut LiarsState, action: LiarsAction) {
        match self.place(action) {
            Some(place) => state.talk.bids |= 1 << place,
            None => state.talk.called = true,
        }
    }

    fn returns(&self, state: &LiarsState) -> Returns {
        if !state.talk.called {
            return Returns::zero_sum(0.0);
        }
        let first_bid_last = state.talk.bids.count_ones() & 1 == 1;
        let first_wins = first_bid_last == self.last_bid_holds(state);
        Returns::zero_sum(if first_wins { 1.0 } else { -1.0 })
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        -1.0..=1.0
    }

    /// Every bid once, and a call.
    fn max_turns(&self) -> u32 {
        u32::from(DICE * self.sides) + 1
    }

    fn observe(&self, state: &LiarsState, player: Player) -> LiarsView {
        let me = player.index() & 1;
        LiarsView {
            player,
            die: state.dice[me],
            talk: state.talk,
            shown: state.talk.called.then_some(state.dice[1 - me]),
        }
    }
}

impl ChanceOutcomes for LiarsDice {
    fn chance_outcomes(&self, _: &LiarsState, out: &mut Vec<(Infallible, f64)>) {
        out.clear();
    }
}

impl InfoKey for LiarsDice {
    type Key = LiarsView;
    fn info_key(&self, state: &LiarsState, player: Player) -> LiarsView {
        self.observe(state, player)
    }
}

impl History for LiarsDice {
    fn decisions(&self, view: &LiarsView, world: &LiarsState, visit: &mut VisitDecision<'_, Self>) {
        let mut state = LiarsState {
            dice: world.dice,
            talk: Talk::default(),
        };
        let call = view.talk.called.then_some(LiarsAction::Liar);
        for action in self.bids(view.talk).chain(call) {
            if let Turn::Player(player) = self.turn(&state) {
                visit(&state, player, action);
            }
            self.apply(&mut state, action);
        }
    }
}

impl InitialStates for LiarsDice {
    fn initial_states(&self) -> Vec<(LiarsState, f64)> {
        let faces = || 1..=self.sides;
        let share = 1.0 / f64::from(u32::from(self.sides).pow(2));
        let throws = faces().flat_map(|a| faces().map(move |b| [a, b]));
        let state = |dice| LiarsState {
            dice,
            talk: Talk::default(),
        };
        throws.map(|dice| (state(dice), share)).collect()
    }
}
