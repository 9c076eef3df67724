//! The built-in searchers by name: one row of [`SEARCHERS`] and one arm of [`construct`] each.
//!
//! To add one, write its row, and an arm that reads its own keys and returns the agent:
//!
//! ```ignore
//! "uct" => {
//!     let c = settings.get("c", 0.7)?;
//!     let searcher = Uct::new(setup.game.determinizer()).exploration(c);
//!     searching(searcher, setup)
//! }
//! ```
//!
//! The shared keys are read already: `setup.budget`, `setup.parallel`, `setup.threads`.
//! `setup.policy(settings, "rollout")` reads the policy of another name. Keys that nobody asked
//! for are refused by the caller, and the agent is covered by a fallback there too.

use search_core::agent::{Agent, SearchAgent};
use search_core::expr::{ExprError, Settings};
use search_core::plugin::Plugin;
use search_core::search::Searcher;

use super::setup::Setup;

/// What is written about a searcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct SearcherInfo {
    /// Its name in expressions.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// Its own keys, each with a line about it; the shared ones come on top.
    pub keys: &'static [(&'static str, &'static str)],
    /// An expression that works as printed.
    pub example: &'static str,
}

/// The searchers that [`construct`] knows.
pub const SEARCHERS: &[SearcherInfo] = &[];

/// The searcher of this name; `None` for a name without an arm.
///
/// # Errors
/// When a setting cannot be used.
pub fn construct<P: Plugin>(
    name: &str,
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
) -> Result<Option<Box<dyn Agent<P>>>, ExprError> {
    // `match name { "uct" => …, _ => Ok(None) }` once there is a first one.
    let _ = (name, setup, settings);
    Ok(None)
}

/// An agent that searches with the budget of the setup: what an arm of [`construct`] returns.
///
/// # Errors
/// Never; the type is that of [`construct`].
pub fn searching<P: Plugin, S: Searcher<P> + Send + 'static>(
    searcher: S,
    setup: &Setup<'_, P>,
) -> Result<Option<Box<dyn Agent<P>>>, ExprError> {
    let budget = setup.budget.clone();
    Ok(Some(Box::new(SearchAgent { searcher, budget })))
}
