//! Strategy fusion in three decisions: [`SafeGuess`].

use rand::Rng;
use search_core::game::{ChanceOutcomes, Game, InfoKey, ListOutcomes, Player, Returns, Turn};
use search_core::observation::{Contradiction, Determinizer, LogWeight};
use search_core::plugin::{Plugin, PluginError};
use search_core::rng::Draw;
use search_core::search::Knowledge;
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::ops::RangeInclusive;

use crate::solve::InitialStates;

/// One player, one hidden coin. `safe` ends the game with a sure 0.3; `gamble` leads to a guess of
/// the coin for 1 or -1, worth 0 to somebody who cannot see it.
///
/// In every single world the guess is easy, so a search that decides world by world (PIMC) takes
/// `gamble` for worth 1. That is strategy fusion (Frank & Basin 1998).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SafeGuess {
    safe: f64,
}

impl Default for SafeGuess {
    fn default() -> Self {
        Self { safe: 0.3 }
    }
}

/// The options of [`SafeGuess`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SafeGuessOptions {
    /// What `safe` pays, -1 to 1.
    pub safe: f64,
}

impl Default for SafeGuessOptions {
    fn default() -> Self {
        Self { safe: 0.3 }
    }
}

/// A side of the coin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Coin {
    /// One side.
    Heads,
    /// The other.
    Tails,
}

/// What the player does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum SafeGuessAction {
    /// Takes the sure payment.
    Safe,
    /// Goes on to guess.
    Gamble,
    /// Guesses heads.
    Heads,
    /// Guesses tails.
    Tails,
}

/// How far the game has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Progress {
    /// Safe or gamble?
    Choice,
    /// Heads or tails?
    Guess,
    /// The sure payment was taken.
    Paid,
    /// The coin was guessed and shown.
    Guessed(Coin),
}

/// The coin and how far the game has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SafeGuessState {
    coin: Coin,
    progress: Progress,
}

/// What the player knows. It is also the information set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SafeGuessView {
    /// How far the game has come.
    pub progress: Progress,
    /// The coin, after a guess.
    pub shown: Option<Coin>,
}

const COINS: [Coin; 2] = [Coin::Heads, Coin::Tails];

/// Either side of the coin with probability one half, until it is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FairCoin;

impl Determinizer<SafeGuess> for FairCoin {
    type Plan = ();

    fn plan(&self, _: &SafeGuess, view: &SafeGuessView) -> Result<(), Contradiction> {
        let guessed = matches!(view.progress, Progress::Guessed(_));
        if view.shown.is_some() == guessed {
            Ok(())
        } else {
            Err(Contradiction::new(
                "the coin is shown after a guess and only then",
            ))
        }
    }

    fn scratch(&self, _: &SafeGuess, view: &SafeGuessView, (): &()) -> SafeGuessState {
        SafeGuessState {
            coin: Coin::Heads,
            progress: view.progress,
        }
    }

    fn sample<R: Rng + ?Sized>(
        &self,
        _: &SafeGuess,
        view: &SafeGuessView,
        (): &(),
        rng: &mut R,
        world: &mut SafeGuessState,
    ) -> LogWeight {
        let drawn = COINS[rng.below(2) as usize];
        world.coin = view.shown.unwrap_or(drawn);
        world.progress = view.progress;
        0.0
    }
}

impl Game for SafeGuess {
    type State = SafeGuessState;
    type Action = SafeGuessAction;
    type Chance = Infallible;
    type Observation = SafeGuessView;

    fn num_players(&self) -> usize {
        1
    }

    fn initial_state<R: Rng + ?Sized>(&self, rng: &mut R) -> SafeGuessState {
        SafeGuessState {
            coin: COINS[rng.below(2) as usize],
            progress: Progress::Choice,
        }
    }

    fn turn(&self, state: &SafeGuessState) -> Turn {
        match state.progress {
            Progress::Choice | Progress::Guess => Turn::Player(Player::new(0)),
            Progress::Paid | Progress::Guessed(_) => Turn::Terminal,
        }
    }

    fn legal_actions(&self, state: &SafeGuessState, out: &mut Vec<SafeGuessAction>) {
        out.clear();
        match state.progress {
            Progress::Choice => {
                out.extend_from_slice(&[SafeGuessAction::Safe, SafeGuessAction::Gamble]);
            }
            Progress::Guess => {
                out.extend_from_slice(&[SafeGuessAction::Heads, SafeGuessAction::Tails]);
            }
            Progress::Paid | Progress::Guessed(_) => {}
        }
    }

    fn apply(&self, state: &mut SafeGuessState, action: SafeGuessAction) {
        state.progress = match action {
            SafeGuessAction::Safe => Progress::Paid,
            SafeGuessAction::Gamble => Progress::Guess,
            SafeGuessAction::Heads => Progress::Guessed(Coin::Heads),
            SafeGuessAction::Tails => Progress::Guessed(Coin::Tails),
        };
    }

    fn returns(&self, state: &SafeGuessState) -> Returns {
        Returns::splat(
            1,
            match state.progress {
                Progress::Paid => self.safe,
                Progress::Guessed(coin) if coin == state.coin => 1.0,
                Progress::Guessed(_) => -1.0,
                _ => 0.0,
            },
        )
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        -1.0..=1.0
    }

    fn max_turns(&self) -> u32 {
        2
    }

    fn observe(&self, state: &SafeGuessState, _: Player) -> SafeGuessView {
        let guessed = matches!(state.progress, Progress::Guessed(_));
        SafeGuessView {
            progress: state.progress,
            shown: guessed.then_some(state.coin),
        }
    }
}

impl ChanceOutcomes for SafeGuess {
    fn chance_outcomes(&self, _: &SafeGuessState, out: &mut Vec<(Infallible, f64)>) {
        out.clear();
    }
}

impl InfoKey for SafeGuess {
    type Key = SafeGuessView;
    fn info_key(&self, state: &SafeGuessState, player: Player) -> SafeGuessView {
        self.observe(state, player)
    }
}

impl InitialStates for SafeGuess {
    fn initial_states(&self) -> Vec<(SafeGuessState, f64)> {
        let progress = Progress::Choice;
        COINS
            .into_iter()
            .map(|coin| (SafeGuessState { coin, progress }, 0.5))
            .collect()
    }
}

/// Position texts, except after a guess.
const TEXTS: [(&str, Progress); 3] = [
    ("choice", Progress::Choice),
    ("guess", Progress::Guess),
    ("paid", Progress::Paid),
];

impl Plugin for SafeGuess {
    type Options = SafeGuessOptions;
    type Determinizer = FairCoin;

    const NAME: &'static str = "safe-guess";
    const ABOUT: &'static str = "a sure payment, or a guess that only seems easy: strategy fusion";

    fn from_options(options: SafeGuessOptions) -> Result<Self, PluginError> {
        if (-1.0..=1.0).contains(&options.safe) {
            Ok(Self { safe: options.safe })
        } else {
            Err(PluginError::new(format!(
                "safe-guess(safe={}): expected -1 to 1",
                options.safe
            )))
        }
    }

    fn determinizer(&self) -> FairCoin {
        FairCoin
    }

    fn list_outcomes(&self) -> Option<ListOutcomes<Self>> {
        Some(Self::chance_outcomes)
    }

    fn knowledge(&self) -> Option<Knowledge<Self>> {
        Some(Knowledge::of_keys())
    }

    fn format_action(&self, action: SafeGuessAction) -> String {
        format!("{action:?}").to_lowercase()
    }

    fn picture(&self, view: &SafeGuessView) -> String {
        match (view.progress, view.shown) {
            (Progress::Choice, _) => format!("the coin is hidden; safe pays {}", self.safe),
            (Progress::Guess, _) => "the coin is hidden; guess right for 1, wrong for -1".into(),
            (Progress::Paid, _) => format!("{} was paid", self.safe),
            (Progress::Guessed(guess), None) => format!("guessed {guess:?}"),
            (Progress::Guessed(guess), Some(coin)) => {
                format!("guessed {guess:?}, the coin shows {coin:?}")
            }
        }
    }

    fn format_observation(&self, view: &SafeGuessView) -> Option<String> {
        let found = TEXTS.iter().find(|(_, p)| *p == view.progress);
        found.map(|(text, _)| (*text).into())
    }

    fn parse_observation(&self, text: &str) -> Result<SafeGuessView, PluginError> {
        let found = TEXTS.iter().find(|(name, _)| *name == text.trim());
        found
            .map(|(_, progress)| SafeGuessView {
                progress: *progress,
                shown: None,
            })
            .ok_or_else(|| {
                PluginError::new(format!(
                    "`{}` is not a safe-guess position: expected choice, guess or paid",
                    text.trim()
                ))
            })
    }

    fn positions(&self) -> Vec<(&'static str, String)> {
        vec![
            ("safe or gamble", "choice".into()),
            ("heads or tails", "guess".into()),
        ]
    }
}
