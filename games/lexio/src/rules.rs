//! The rules with their options: [`Options`] as they are written, [`Lexio`] ready to play.

use search_core::plugin::PluginError;
use serde::{Deserialize, Serialize};

use crate::set::Tiles;
use crate::settlement;
use crate::straight::Straights;

/// The most seats a table has.
pub const MAX_SEATS: usize = 5;

/// Which number sets are straights, and in what order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StraightRule {
    /// `3-4-5-6-7` up to the four highest numbers with the 1, then `2-3-4-5-6`, then `1-2-3-4-5`.
    #[default]
    Official,
    /// As official, and the three highest numbers with the 1 and the 2 are a straight just above
    /// the four highest numbers with the 1.
    Top12,
    /// Neither `2-3-4-5-6` nor `1-2-3-4-5` is a straight.
    NoLow,
    /// `1-2-3-4-5` is the weakest straight and `2-3-4-5-6` the next.
    LowWeak,
}

/// What a pass costs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PassRule {
    /// Nothing: who passed may play when the turn comes back.
    #[default]
    Soft,
    /// Who passed is out until the trick ends.
    Hard,
}

/// Who leads a round.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeadRule {
    /// The holder of the cloud 3, every round.
    #[default]
    CloudThree,
    /// The holder of the cloud 3 in the first round of a match, then the winner of the last one.
    LastWinner,
}

/// Who pays whom how much at the end of a round.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SettleRule {
    /// Everybody pays everybody with a smaller effective count the difference.
    #[default]
    Difference,
    /// Everybody pays everybody with fewer tiles the difference, multiplied for the payer's 2s.
    PayerMultiplier,
    /// Everybody pays the winner his effective count.
    WinnerOnly,
}

/// Which tiles are dealt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DealRule {
    /// Numbers 1 to 9, 13, 15 for 3, 4, 5 players: hands of 12, 13, 12.
    #[default]
    Official,
    /// All 60 tiles whatever the number of players: hands of 20, 15, 12.
    AllTiles,
}

/// The options of the game, with the publisher's rules for five players as the default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "snake_case")]
pub struct Options {
    /// 3, 4 or 5.
    pub players: u8,
    /// How many rounds make a match, 1 to 1000.
    pub rounds: u32,
    /// Which tiles are dealt.
    pub deal: DealRule,
    /// Which number sets are straights.
    pub straights: StraightRule,
    /// What a pass costs.
    pub pass: PassRule,
    /// Who leads.
    pub lead: LeadRule,
    /// Whether a player who leads for holding the cloud 3 must play it at once.
    pub first_play_has_cloud3: bool,
    /// Who pays whom.
    pub settle: SettleRule,
    /// By how much a 2 left in hand multiplies, 1 to 4.
    pub two_factor: u8,
    /// Whether every 2 multiplies; otherwise any number of them does so once.
    pub two_stack: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            players: 5,
            rounds: 5,
            deal: DealRule::default(),
            straights: StraightRule::default(),
            pass: PassRule::default(),
            lead: LeadRule::default(),
            first_play_has_cloud3: false,
            settle: SettleRule::default(),
            two_factor: 2,
            two_stack: true,
        }
    }
}

/// The game: one round of Lexio under certain rules.
#[derive(Debug, Clone)]
pub struct Lexio {
    options: Options,
    max_number: u8,
    hand_size: u8,
    deck: Tiles,
    straights: Straights,
    bounds: (f64, f64),
}

impl Default for Lexio {
    fn default() -> Self {
        Self::prepared(Options::default())
    }
}

impl Lexio {
    /// The rules with these options.
    ///
    /// # Errors
    /// When an option is out of range, saying what would be right.
    pub fn new(options: Options) -> Result<Self, PluginError> {
        let refuse = |message: String| Err(PluginError(message));
        if !(3..=5).contains(&options.players) {
            return refuse(format!(
                "players={}: Lexio is for 3, 4 or 5 players",
                options.players
            ));
        }
        if !(1..=1000).contains(&options.rounds) {
            return refuse(format!(
                "rounds={}: a match has 1 to 1000 rounds (the usual number is 5)",
                options.rounds
            ));
        }
        if !(1..=4).contains(&options.two_factor) {
            return refuse(format!(
                "two_factor={}: a 2 left in hand multiplies by 1 to 4 (the usual factor is 2)",
                options.two_factor
            ));
        }
        Ok(Self::prepared(options))
    }

    fn prepared(options: Options) -> Self {
        let (max_number, hand_size) = match (options.deal, options.players) {
            (DealRule::Official, 3) => (9, 12),
            (DealRule::Official, 4) => (13, 13),
            (_, players) => (15, 60 / players),
        };
        Self {
            max_number,
            hand_size,
            deck: Tiles::up_to_number(max_number),
            straights: Straights::new(options.straights, max_number),
            bounds: settlement::bounds(&options, hand_size),
            options,
        }
    }

    /// The official rules for 3, 4 or 5 players.
    ///
    /// # Errors
    /// For another number of players.
    pub fn for_players(players: u8) -> Result<Self, PluginError> {
        Self::new(Options {
            players,
            ..Options::default()
        })
    }

    /// The options.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// How many sit at the table.
    #[inline]
    #[must_use]
    pub const fn seats(&self) -> usize {
        self.options.players as usize
    }

    /// The highest number in use: 9, 13 or 15.
    #[must_use]
    pub const fn max_number(&self) -> u8 {
        self.max_number
    }

    /// How many tiles each player is dealt.
    #[inline]
    #[must_use]
    pub const fn hand_size(&self) -> u8 {
        self.hand_size
    }

    /// The tiles in use. All of them are dealt: every tile that one does not see is in a hand.
    #[inline]
    #[must_use]
    pub const fn deck(&self) -> Tiles {
        self.deck
    }

    /// The straights.
    #[inline]
    #[must_use]
    pub const fn straights(&self) -> &Straights {
        &self.straights
    }

    /// Hard bounds on what a round pays one player.
    pub(crate) const fn bounds(&self) -> (f64, f64) {
        self.bounds
    }
}
