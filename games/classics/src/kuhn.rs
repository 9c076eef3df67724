//! Kuhn poker: [`KuhnPoker`], the smallest poker with a bluff in it (Kuhn 1950).

mod plugin;

pub use plugin::equilibrium;

use rand::Rng;
use search_core::game::{
    ChanceOutcomes, Game, History, InfoKey, Player, Returns, Turn, VisitDecision,
};
use search_core::observation::{Contradiction, Determinizer, LogWeight};
use search_core::rng::Draw;
use std::convert::Infallible;
use std::ops::RangeInclusive;

use crate::solve::InitialStates;

/// Three cards, one each, an ante of one, one bet of one. The higher card takes the pot.
///
/// The deal belongs to [`Game::initial_state`]; the six deals are equally likely. Its value for
/// the first player is -1/18.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KuhnPoker;

/// Jack, queen or king.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Rank {
    /// The lowest.
    Jack,
    /// The middle one.
    Queen,
    /// The highest.
    King,
}

impl Rank {
    /// Lowest first.
    pub const ALL: [Self; 3] = [Self::Jack, Self::Queen, Self::King];

    pub(crate) const fn letter(self) -> char {
        match self {
            Self::Jack => 'J',
            Self::Queen => 'Q',
            Self::King => 'K',
        }
    }

    pub(crate) fn from_letter(letter: char) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|rank| rank.letter() == letter.to_ascii_uppercase())
    }
}

/// What a player does. `Check` and `Bet` open; `Fold` and `Call` answer a bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum KuhnAction {
    /// Stays in without paying.
    Check,
    /// Puts in one more chip.
    Bet,
    /// Gives up the pot.
    Fold,
    /// Matches the bet.
    Call,
}

impl KuhnAction {
    const fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Bet => "bet",
            Self::Fold => "fold",
            Self::Call => "call",
        }
    }
}

/// What has been played: one of the nine histories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Line {
    /// Nothing yet; the first player is to open.
    Start,
    /// Check; the second player is to open.
    Check,
    /// Bet; the second player is to answer.
    Bet,
    /// Check, bet; the first player is to answer.
    CheckBet,
    /// Check, check: showdown for the antes.
    CheckCheck,
    /// Bet, fold: the first player takes the antes.
    BetFold,
    /// Bet, call: showdown for two each.
    BetCall,
    /// Check, bet, fold: the second player takes the antes.
    CheckBetFold,
    /// Check, bet, call: showdown for two each.
    CheckBetCall,
}

use KuhnAction::{Bet, Call, Check, Fold};

/// [`Line::then`] in a table, since what is played is hard to predict; a line itself where that is not legal.
const NEXT: [[Line; 4]; 9] = {
    let mut next = [[Line::Start; 4]; 9];
    let mut i = 0;
    while i < 9 {
        let mut j = 0;
        while j < 4 {
            next[i][j] = match Line::ALL[i].then([Check, Bet, Fold, Call][j]) {
                Some(line) => line,
                None => Line::ALL[i],
            };
            j += 1;
        }
        i += 1;
    }
    next
};

/// What the first player gets at the end of each line, and at a showdown with the higher card.
const CHIPS: [f64; 9] = [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 2.0, -1.0, 2.0];

impl Line {
    const ALL: [Self; 9] = [
        Self::Start,
        Self::Check,
        Self::Bet,
        Self::CheckBet,
        Self::CheckCheck,
        Self::BetFold,
        Self::BetCall,
        Self::CheckBetFold,
        Self::CheckBetCall,
    ];

    /// The line after `action`; `None` when that is not legal.
    #[must_use]
    pub const fn then(self, action: KuhnAction) -> Option<Self> {
        Some(match (self, action) {
            (Self::Start, Check) => Self::Check,
            (Self::Start, Bet) => Self::Bet,
            (Self::Check, Check) => Self::CheckCheck,
            (Self::Check, Bet) => Self::CheckBet,
            (Self::Bet, Fold) => Self::BetFold,
            (Self::Bet, Call) => Self::BetCall,
            (Self::CheckBet, Fold) => Self::CheckBetFold,
            (Self::CheckBet, Call) => Self::CheckBetCall,
            _ => return None,
        })
    }

    /// The actions that led here.
    #[must_use]
    pub const fn actions(self) -> &'static [KuhnAction] {
        match self {
            Self::Start => &[],
            Self::Check => &[Check],
            Self::Bet => &[Bet],
            Self::CheckBet => &[Check, Bet],
            Self::CheckCheck => &[Check, Check],
            Self::BetFold => &[Bet, Fold],
            Self::BetCall => &[Bet, Call],
            Self::CheckBetFold => &[Check, Bet, Fold],
            Self::CheckBetCall => &[Check, Bet, Call],
        }
    }

    /// Whose turn it is.
    #[inline]
    #[must_use]
    pub const fn turn(self) -> Turn {
        match self {
            Self::Start | Self::CheckBet => Turn::Player(Player::new(0)),
            Self::Check | Self::Bet => Turn::Player(Player::new(1)),
            _ => Turn::Terminal,
        }
    }

    /// Whether both cards are shown.
    #[must_use]
    pub const fn is_showdown(self) -> bool {
        matches!(self, Self::CheckCheck | Self::BetCall | Self::CheckBetCall)
    }
}

/// Both cards and what has been played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KuhnState {
    cards: [Rank; 2],
    line: Line,
}

impl KuhnState {
    /// A hand with these cards, the first player's first; `None` when they are the same card.
    #[must_use]
    pub fn new(cards: [Rank; 2], line: Line) -> Option<Self> {
        (cards[0] != cards[1]).then_some(Self { cards, line })
    }

    /// The card of each player.
    #[must_use]
    pub const fn cards(&self) -> [Rank; 2] {
        self.cards
    }

    /// What has been played.
    #[must_use]
    pub const fn line(&self) -> Line {
        self.line
    }
}

/// What one player knows: the own card, what has been played, and at a showdown the other card.
/// It is also the information set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KuhnView {
    /// Who looks.
    pub player: Player,
    /// The own card.
    pub card: Rank,
    /// What has been played.
    pub line: Line,
    /// The other player's card, once it is shown.
    pub shown: Option<Rank>,
}

/// Gives the other player each card that the observer does not hold with the same probability:
/// the deals are equally likely, and nothing is read into the other player's actions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KuhnDeals;

impl Determinizer<KuhnPoker> for KuhnDeals {
    /// The cards that the other player may hold.
    type Plan = Vec<Rank>;

    fn plan(&self, _: &KuhnPoker, view: &KuhnView) -> Result<Vec<Rank>, Contradiction> {
        if view.player.index() > 1 {
            return Err(Contradiction::new("there are two players"));
        }
        match view.shown {
            Some(_) if !view.line.is_showdown() => {
                Err(Contradiction::new("a card is shown before the showdown"))
            }
            None if view.line.is_showdown() => {
                Err(Contradiction::new("a showdown without the other card"))
            }
            Some(card) if card == view.card => {
                Err(Contradiction::new("both players hold the same card"))
            }
            Some(card) => Ok(vec![card]),
            None => Ok(Rank::ALL
                .into_iter()
                .filter(|card| *card != view.card)
                .collect()),
        }
    }

    fn scratch(&self, _: &KuhnPoker, view: &KuhnView, plan: &Vec<Rank>) -> KuhnState {
        KuhnState {
            cards: [view.card, plan[0]],
            line: view.line,
        }
    }

    #[inline]
    fn sample<R: Rng + ?Sized>(
        &self,
        _: &KuhnPoker,
        view: &KuhnView,
        plan: &Vec<Rank>,
        rng: &mut R,
        world: &mut KuhnState,
    ) -> LogWeight {
        let other = plan[rng.below(plan.len() as u32) as usize];
        let me = view.player.index();
        world.cards[me] = view.card;
        world.cards[1 - me] = other;
        world.line = view.line;
        0.0
    }
}

impl Game for KuhnPoker {
    type State = KuhnState;
    type Action = KuhnAction;
    type Chance = Infallible;
    type Observation = KuhnView;

    fn num_players(&self) -> usize {
        2
    }

    fn initial_state<R: Rng + ?Sized>(&self, rng: &mut R) -> KuhnState {
        let mut deck = Rank::ALL;
        rng.shuffle(&mut deck);
        KuhnState {
            cards: [deck[0], deck[1]],
            line: Line::Start,
        }
    }

    #[inline]
    fn turn(&self, state: &KuhnState) -> Turn {
        state.line.turn()
    }

    #[inline]
    fn legal_actions(&self, state: &KuhnState, out: &mut Vec<KuhnAction>) {
        out.clear();
        match state.line {
            Line::Start | Line::Check => out.extend_from_slice(&[Check, Bet]),
            Line::Bet | Line::CheckBet => out.extend_from_slice(&[Fold, Call]),
            _ => {}
        }
    }

    #[inline]
    fn apply(&self, state: &mut KuhnState, action: KuhnAction) {
        state.line = NEXT[state.line as usize][action as usize];
    }

    #[inline]
    fn returns(&self, state: &KuhnState) -> Returns {
        let lower = state.line.is_showdown() && state.cards[0] < state.cards[1];
        Returns::zero_sum(CHIPS[state.line as usize] * [1.0, -1.0][usize::from(lower)])
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        -2.0..=2.0
    }

    fn max_turns(&self) -> u32 {
        3
    }

    fn observe(&self, state: &KuhnState, player: Player) -> KuhnView {
        let me = player.index() & 1;
        KuhnView {
            player,
            card: state.cards[me],
            line: state.line,
            shown: state.line.is_showdown().then_some(state.cards[1 - me]),
        }
    }
}

impl ChanceOutcomes for KuhnPoker {
    fn chance_outcomes(&self, _: &KuhnState, out: &mut Vec<(Infallible, f64)>) {
        out.clear();
    }
}

impl InfoKey for KuhnPoker {
    type Key = KuhnView;
    fn info_key(&self, state: &KuhnState, player: Player) -> KuhnView {
        self.observe(state, player)
    }
}

impl History for KuhnPoker {
    fn decisions(&self, view: &KuhnView, world: &KuhnState, visit: &mut VisitDecision<'_, Self>) {
        let mut state = KuhnState {
            line: Line::Start,
            ..*world
        };
        for &action in view.line.actions() {
            if let Turn::Player(player) = self.turn(&state) {
                visit(&state, player, action);
            }
            self.apply(&mut state, action);
        }
    }
}

impl InitialStates for KuhnPoker {
    fn initial_states(&self) -> Vec<(KuhnState, f64)> {
        let pairs = Rank::ALL
            .into_iter()
            .flat_map(|a| Rank::ALL.into_iter().map(move |b| [a, b]));
        pairs
            .filter_map(|cards| KuhnState::new(cards, Line::Start))
            .map(|state| (state, 1.0 / 6.0))
            .collect()
    }
}
