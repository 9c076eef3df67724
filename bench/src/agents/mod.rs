//! From an expression such as `"ismcts(sims=2000, c=0.7)"` to an agent, for any game.
//!
//! A name is looked up among the agents a user registered for the game, then `random`, then the
//! game's own policies and agents, then the searchers of [`searchers`].

mod continuous;
mod expectimax;
mod flat_family;
mod guided;
mod inference;
mod known_state;
mod observers;
mod postponing;
pub mod searchers;
mod setup;
mod sharing;
mod wrap;

use std::sync::Arc;

use search_core::agent::{Agent, PolicyAgent, WithFallback};
use search_core::budget::Budget;
use search_core::expr::{Expr, ExprError, Settings, hint};
use search_core::plugin::{Plugin, SharedPolicy};
use search_core::policy::UniformRandom;

use crate::study::axis::Parameter;
pub use setup::{Setup, shared_keys};
pub use wrap::Note;
use wrap::{Covers, Noted, Salted};

/// What an agent is built for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Playing: what can fail is covered by a fallback, and counted.
    Match,
    /// Looking at one position: an error is shown as it is.
    Analysis {
        /// Whether the tree is wanted afterwards.
        keep_tree: bool,
    },
}

/// Where an agent is built: the game and the defaults.
pub struct Context<'a, P: Plugin> {
    /// The rules.
    pub game: &'a P,
    /// Agents that were registered for this game.
    pub extras: &'a [Extra<P>],
    /// Threads an agent may use when its expression does not say.
    pub threads: usize,
    /// What it is for.
    pub purpose: Purpose,
}

impl<P: Plugin> Clone for Context<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<P: Plugin> Copy for Context<'_, P> {}

/// Constructs an agent from its settings.
pub type Construct<P> =
    dyn Fn(&Setup<'_, P>, &mut Settings<'_>) -> Result<Box<dyn Agent<P>>, ExprError> + Send + Sync;

/// An agent registered for one game.
pub struct Extra<P: Plugin> {
    /// Its name in expressions.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    construct: Arc<Construct<P>>,
}

impl<P: Plugin> Clone for Extra<P> {
    fn clone(&self) -> Self {
        Self {
            name: self.name,
            about: self.about,
            construct: Arc::clone(&self.construct),
        }
    }
}

impl<P: Plugin> Extra<P> {
    /// An agent with its constructor.
    pub fn new(
        name: &'static str,
        about: &'static str,
        construct: impl Fn(&Setup<'_, P>, &mut Settings<'_>) -> Result<Box<dyn Agent<P>>, ExprError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        Self {
            name,
            about,
            construct: Arc::new(construct),
        }
    }
}

/// An agent, ready to play.
pub struct Built<P: Plugin> {
    /// The agent.
    pub agent: Box<dyn Agent<P>>,
    /// Where the reason of its latest failure is noted.
    pub note: Note,
    /// Its settings with their values, those apart that every agent or search has.
    pub parameters: Vec<Parameter>,
}

/// Whether an expression mentions the clock, or lets threads race, so that results cannot be repeated.
#[must_use]
pub fn uses_clock(expr: &Expr) -> bool {
    let mut args = expr.args.iter();
    args.any(|(key, value)| {
        let races = key == "parallel" && value.name == "shared";
        key == "time" || key == "timeout" || races || uses_clock(value)
    })
}

/// The agent that `expr` describes.
///
/// # Errors
/// When there is no such agent, or a setting does not exist or cannot be used; the nearest known
/// one is named.
pub fn build<P: Plugin>(context: &Context<'_, P>, expr: &Expr) -> Result<Built<P>, ExprError> {
    let mut settings = expr.settings();
    let raw = raw_agent(context, expr, &mut settings)?;
    let parameters = parameters(expr, &settings);
    let covers = Covers::read(&mut settings)?;
    settings.finish()?;

    let note = Note::default();
    let mut agent = raw.agent;
    let asked = covers.fallback.is_some() || covers.timeout.is_some();
    if context.purpose == Purpose::Match && (raw.can_fail || asked) {
        let noted = Noted::new(agent, note.clone());
        agent = Box::new(WithFallback {
            agent: Box::new(noted),
            fallback: fallback(context, covers.fallback)?,
            limit: covers.timeout,
        });
    }
    if let Some(salt) = covers.seed {
        agent = Box::new(Salted::new(agent, salt));
    }
    Ok(Built {
        agent,
        note,
        parameters,
    })
}

/// What an agent asked for beside what all have.
fn parameters(expr: &Expr, settings: &Settings<'_>) -> Vec<Parameter> {
    let own = |key: &str| !shared_keys().iter().any(|(shared, _)| *shared == key);
    let asked = settings.asked().iter().filter(|asked| own(asked.key));
    asked
        .map(|asked| {
            let given = expr.args.iter().find(|(key, _)| key == asked.key);
            Parameter {
                key: asked.key.into(),
                value: given
                    .map(|(_, value)| value.to_string())
                    .or_else(|| asked.default.clone()),
            }
        })
        .collect()
}

/// An agent without its covers.
struct Raw<P: Plugin> {
    agent: Box<dyn Agent<P>>,
    can_fail: bool,
}

fn raw_agent<P: Plugin>(
    context: &Context<'_, P>,
    expr: &Expr,
    settings: &mut Settings<'_>,
) -> Result<Raw<P>, ExprError> {
    let fallible = |agent| Raw {
        agent,
        can_fail: true,
    };
    if let Some(extra) = context.extras.iter().find(|e| e.name == expr.name) {
        let setup = Setup::read(context, settings)?;
        return (extra.construct)(&setup, settings).map(fallible);
    }
    if let Some(policy) = named_policy(context.game, expr, settings)? {
        return Ok(Raw {
            agent: Box::new(PolicyAgent(policy)),
            can_fail: false,
        });
    }
    if context.game.own_agents().iter().any(|a| a.0 == expr.name) {
        let setup = Setup::read(context, settings)?;
        let budget = Budget {
            simulations: setup.simulations,
            ..setup.budget
        };
        if let Some(agent) = context.game.own_agent(&expr.name, settings, &budget)? {
            return Ok(fallible(agent));
        }
    }
    if searchers::SEARCHERS.iter().any(|s| s.name == expr.name) {
        let setup = Setup::read(context, settings)?;
        if let Some(agent) = searchers::construct(&expr.name, &setup, settings)? {
            return Ok(fallible(agent));
        }
    }
    Err(unknown_agent(context, &expr.name))
}

/// `random` or one of the game's own.
fn named_policy<P: Plugin>(
    game: &P,
    expr: &Expr,
    settings: &mut Settings<'_>,
) -> Result<Option<SharedPolicy<P>>, ExprError> {
    if expr.name == "random" {
        return Ok(Some(Arc::new(UniformRandom)));
    }
    game.agent(&expr.name, settings)
}

/// Who decides when the agent cannot: what was asked for, else the game's first agent.
fn fallback<P: Plugin>(
    context: &Context<'_, P>,
    asked: Option<&Expr>,
) -> Result<Box<dyn Agent<P>>, ExprError> {
    let first = context.game.agents().first().map(|(name, _)| *name);
    let default = Expr::word(first.unwrap_or("random"));
    let expr = asked.unwrap_or(&default);
    let mut settings = expr.settings();
    let agent = raw_agent(context, expr, &mut settings)?.agent;
    settings.finish()?;
    Ok(agent)
}

/// Every name that can be written for an agent of this game, `human` apart.
#[must_use]
pub fn known_names<P: Plugin>(game: &P, extras: &[Extra<P>]) -> Vec<&'static str> {
    let mut names = vec!["random"];
    names.extend(game.agents().iter().map(|(name, _)| *name));
    names.extend(game.own_agents().iter().map(|(name, _)| *name));
    names.extend(extras.iter().map(|e| e.name));
    names.extend(searchers::SEARCHERS.iter().map(|s| s.name));
    names
}

fn unknown_agent<P: Plugin>(context: &Context<'_, P>, name: &str) -> ExprError {
    if name == "human" {
        return ExprError::Other(format!(
            "`human` sits at the terminal and can only play: searchlab play --game {} --agents human,…",
            P::NAME
        ));
    }
    ExprError::UnknownName {
        what: "agent",
        name: name.into(),
        hint: hint(name, known_names(context.game, context.extras)),
    }
}
