//! The public part of a hand of Leduc poker: betting and the public card.

use search_core::game::{Player, Turn};
use std::fmt;

use crate::kuhn::Rank;

/// One of the six cards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// A rank in suit 0 or 1; `None` for another suit.
    #[must_use]
    pub const fn new(rank: Rank, suit: u8) -> Option<Self> {
        if suit < 2 {
            Some(Self(rank as u8 * 2 + suit))
        } else {
            None
        }
    }

    /// All six, ascending.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..6).map(Self)
    }

    /// `index` below 6.
    pub(super) const fn from_index(index: u8) -> Self {
        Self(index)
    }

    /// Its rank.
    #[must_use]
    pub const fn rank(self) -> Rank {
        match self.0 / 2 {
            0 => Rank::Jack,
            1 => Rank::Queen,
            _ => Rank::King,
        }
    }

    /// `Js`, `Qh`: rank, then suit `s` or `h`. `None` for anything else.
    pub(super) fn from_text(text: &str) -> Option<Self> {
        let mut letters = text.chars();
        let rank = Rank::from_letter(letters.next()?)?;
        let suit = match letters.next()? {
            's' => 0,
            'h' => 1,
            _ => return None,
        };
        letters.next().is_none().then(|| Self::new(rank, suit))?
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suit = if self.0.is_multiple_of(2) { 's' } else { 'h' };
        write!(f, "{}{suit}", self.rank().letter())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What a player does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum LeducAction {
    /// Gives up the pot; only against a raise.
    Fold,
    /// Matches the other player's chips, which without a raise is a check.
    Call,
    /// Puts in 2 more than the other player in the first round, 4 in the second.
    Raise,
}

impl LeducAction {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Fold => "fold",
            Self::Call => "call",
            Self::Raise => "raise",
        }
    }
}

/// How far a hand has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub(super) enum Stage {
    First,
    /// The public card is to be turned up.
    Deal,
    Second,
    Showdown,
    /// The player who is to move has folded.
    Folded,
}

/// The most actions in a round: call, raise, raise, call.
const ROUND: usize = 4;
const RAISES: [u8; 2] = [2, 4];

/// Everything public: the public card, what each player has put in, and every action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Table {
    played: [[LeducAction; ROUND]; 2],
    lengths: [u8; 2],
    chips: [u8; 2],
    raises: u8,
    mover: u8,
    stage: Stage,
    public: Option<Card>,
}

impl Default for Table {
    /// The start of a hand: both antes in, nothing played.
    fn default() -> Self {
        Self {
            played: [[LeducAction::Fold; ROUND]; 2],
            lengths: [0; 2],
            chips: [1; 2],
            raises: 0,
            mover: 0,
            stage: Stage::First,
            public: None,
        }
    }
}

impl Table {
    /// The actions of the first (0) or second (1) round.
    ///
    /// # Panics
    /// For any other round.
    #[must_use]
    pub fn played(&self, round: usize) -> &[LeducAction] {
        &self.played[round][..usize::from(self.lengths[round])]
    }

    /// What each player has put in.
    #[must_use]
    pub const fn chips(&self) -> [u8; 2] {
        self.chips
    }

    /// The public card, once it is turned up.
    #[must_use]
    pub const fn public(&self) -> Option<Card> {
        self.public
    }

    pub(super) const fn stage(&self) -> Stage {
        self.stage
    }

    #[inline]
    pub(super) const fn turn(&self) -> Turn {
        match self.stage {
            Stage::First | Stage::Second => Turn::Player(Player::new(self.mover as usize)),
            Stage::Deal => Turn::Chance,
            Stage::Showdown | Stage::Folded => Turn::Terminal,
        }
    }

    const fn round(&self) -> usize {
        matches!(self.stage, Stage::Second) as usize
    }

    const fn faces_raise(&self) -> bool {
        let mover = self.mover as usize & 1;
        self.chips[mover] < self.chips[1 - mover]
    }

    #[inline]
    pub(super) fn legal_actions(&self, out: &mut Vec<LeducAction>) {
        out.clear();
        if !matches!(self.stage, Stage::First | Stage::Second) {
            return;
        }
        if self.faces_raise() {
            out.push(LeducAction::Fold);
        }
        out.push(LeducAction::Call);
        if self.raises < 2 {
            out.push(LeducAction::Raise);
        }
    }

    #[inline]
    pub(super) fn play(&mut self, action: LeducAction) {
        let (round, mover) = (self.round(), usize::from(self.mover & 1));
        let length = &mut self.lengths[round];
        self.played[round][usize::from(*length) % ROUND] = action;
        *length += 1;
        let opens = *length == 1;
        let matched = self.chips[1 - mover];
        match action {
            LeducAction::Fold => {
                self.stage = Stage::Folded;
                return;
            }
            LeducAction::Raise => {
                self.chips[mover] = matched + RAISES[round];
                self.raises += 1;
            }
            LeducAction::Call => {
                self.chips[mover] = matched;
                // Only the check that opens a round leaves it open.
                if !opens {
                    self.stage = if round == 0 {
                        Stage::Deal
                    } else {
                        Stage::Showdown
                    };
                    self.mover = 0;
                    self.raises = 0;
                    return;
                }
            }
        }
        self.mover = 1 - self.mover;
    }

    pub(super) const fn turn_up(&mut self, card: Card) {
        self.public = Some(card);
        self.stage = Stage::Second;
    }

    /// What the first player wins; 0 before the end.
    pub(super) fn winnings(&self, cards: [Card; 2]) -> f64 {
        let strength = |card: Card| {
            let pair = self.public.is_some_and(|p| p.rank() == card.rank());
            (pair, card.rank())
        };
        let chips = f64::from(self.chips[0].min(self.chips[1]));
        match self.stage {
            Stage::Folded if self.mover == 0 => -chips,
            Stage::Folded => chips,
            Stage::Showdown => match strength(cards[0]).cmp(&strength(cards[1])) {
                std::cmp::Ordering::Greater => chips,
                std::cmp::Ordering::Less => -chips,
                std::cmp::Ordering::Equal => 0.0,
            },
            _ => 0.0,
        }
    }
}
