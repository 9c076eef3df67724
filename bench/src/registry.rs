//! Games, agents and answer checkers by name.

use std::marker::PhantomData;

use search_core::agent::Agent;
use search_core::expr::{Expr, ExprError, Settings, hint};
use search_core::plugin::Plugin;

use crate::agents::{Extra, Setup};
use crate::conform::{Checker, Checkers, Summary};
use crate::error::{Error, Result};
use crate::game::{Entry, GameEntry, OpenGame};

/// What the command line knows by name.
#[derive(Default)]
pub struct Registry {
    games: Vec<Box<dyn GameEntry>>,
    checkers: Checkers,
}

impl Registry {
    /// An empty registry.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// No game: the unit tests of this crate need none, and would compile every searcher for every
    /// game a second time.
    #[cfg(test)]
    #[must_use]
    pub fn standard() -> Self {
        Self::new()
    }

    /// Every built-in game, and the checkers of their known answers.
    #[cfg(not(test))]
    #[must_use]
    pub fn standard() -> Self {
        Self::new()
            .with::<lexio::Lexio>()
            .with::<dice_chess::DiceChess>()
            .with::<curling::Curling>()
            .with::<classics::TicTacToe>()
            .with::<classics::ConnectFour>()
            .with::<classics::Othello>()
            .with::<classics::Whist>()
            .with::<classics::Pig>()
            .with::<classics::Cliff>()
            .with::<classics::KuhnPoker>()
            .with::<classics::LeducPoker>()
            .with::<classics::Ewn>()
            .with::<classics::BearOff>()
            .with::<classics::LiarsDice>()
            .with::<classics::Goofspiel>()
            .with::<classics::SafeGuess>()
            .with::<classics::TreeGame>()
            .with::<classics::Phantom>()
            .with::<classics::Synthetic>()
            .with::<classics::Domineering>()
            .with::<classics::Knightthrough>()
            .with_checker("lexio", lexio::golden::check_row)
            .with_checker("bigtwo", lexio::golden::check_row)
            .with_checker("connect4", classics::golden::check_row)
            .with_checker("dice-chess", dice_chess::golden::check_row)
            .with_checker("curling", curling::golden::check_row)
            .with_summary("curling", curling::golden::check_all)
            .with_checker("pig", classics::golden::check_row)
            .with_checker("toy", classics::golden::check_row)
            .with_checker("efg", classics::golden::check_row)
            .with_checker("ewn", classics::golden::check_row)
            .with_checker("bearoff", classics::golden::check_row)
            .with_checker("statistics", crate::statistics::golden::check_row)
    }

    /// Adds a game. A game of the same name is replaced.
    #[must_use]
    pub fn with<P: Plugin>(mut self) -> Self {
        let entry = Entry::<P>::new();
        self.games.retain(|g| g.name() != P::NAME);
        self.games.push(Box::new(entry));
        self
    }

    /// Adds a game that is no plugin.
    #[cfg(test)]
    #[must_use]
    pub(crate) fn with_entry(mut self, entry: impl GameEntry) -> Self {
        self.games.push(Box::new(entry));
        self
    }

    /// [`Registry::with`] for callers that have the type as a value.
    #[must_use]
    pub fn with_type<P: Plugin>(self, _: PhantomData<P>) -> Self {
        self.with::<P>()
    }

    /// Adds an agent of one's own to a game: a searcher under test, say. It is found before the
    /// game's own agents and the built-in searchers of the same name.
    ///
    /// Read what it needs from the [`Settings`]; keys that nobody asks for are refused afterwards.
    /// The budget and the other shared keys are already in the [`Setup`].
    #[must_use]
    pub fn with_agent<P: Plugin>(
        mut self,
        name: &'static str,
        about: &'static str,
        construct: impl Fn(
            &Setup<'_, P>,
            &mut Settings<'_>,
        ) -> std::result::Result<Box<dyn Agent<P>>, ExprError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        if !self.games.iter().any(|g| g.name() == P::NAME) {
            self = self.with::<P>();
        }
        for game in &mut self.games {
            let any: &mut dyn std::any::Any = &mut **game;
            if let Some(entry) = any.downcast_mut::<Entry<P>>() {
                entry.add(Extra::new(name, about, construct));
                break;
            }
        }
        self
    }

    /// Adds a checker for the rows whose `kind` is `prefix` or begins with `prefix/`.
    #[must_use]
    pub fn with_checker(mut self, prefix: &'static str, check: Checker) -> Self {
        self.checkers.add(prefix, check);
        self
    }

    /// Adds what is held over all rows together of a kind that is `prefix` or begins with `prefix/`.
    #[must_use]
    pub fn with_summary(mut self, prefix: &'static str, summary: Summary) -> Self {
        self.checkers.add_summary(prefix, summary);
        self
    }

    /// The games in the order they were added.
    pub fn games(&self) -> impl Iterator<Item = &dyn GameEntry> {
        self.games.iter().map(|g| &**g)
    }

    /// The checkers of known answers.
    #[must_use]
    pub fn checkers(&self) -> &Checkers {
        &self.checkers
    }

    /// The game of this name.
    ///
    /// # Errors
    /// When there is none, naming the nearest.
    pub fn game(&self, name: &str) -> Result<&dyn GameEntry> {
        self.games().find(|g| g.name() == name).ok_or_else(|| {
            let error = ExprError::UnknownName {
                what: "game",
                name: name.into(),
                hint: hint(name, self.games().map(GameEntry::name)),
            };
            Error::Input(format!("{error}\n  see: searchlab games"))
        })
    }

    /// The game that an expression such as `lexio(players=5)` describes.
    ///
    /// # Errors
    /// When the game or one of its options does not exist or cannot be used.
    pub fn open(&self, text: &str) -> Result<Box<dyn OpenGame>> {
        let expr: Expr = text.parse()?;
        self.game(&expr.name)?.open(&expr)
    }
}
