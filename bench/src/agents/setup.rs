//! The settings that every searcher shares, read once.

use std::num::NonZeroUsize;
use std::time::Duration;

use search_core::agent::Agent;
use search_core::budget::Budget;
use search_core::expr::{Expr, ExprError, Settings};
use search_core::plugin::{Plugin, SharedPolicy};
use search_core::search::Parallel;

use super::{Context, Purpose, known_names, named_policy, raw_agent, unknown_agent};

/// Simulations a decision when the expression gives neither `sims` nor `time`.
const DEFAULT_SIMULATIONS: u64 = 1000;

/// The trees count visits in 32 bits.
pub(super) const MOST_SIMULATIONS: u64 = u32::MAX as u64 - 1;

/// As for `--threads`.
const MOST_THREADS: u64 = 1024;

/// The keys that every searcher understands, each with a line about it.
#[must_use]
pub fn shared_keys() -> &'static [(&'static str, &'static str)] {
    &[
        ("sims", "simulations a decision (1000)"),
        ("time", "wall-clock time a decision, 50ms; not reproducible"),
        ("nodes", "most edges in the tree"),
        ("bytes", "most bytes of the tree"),
        (
            "parallel",
            "none, root (trees=8), batch (batch=32) or shared (threads=2, say; not reproducible)",
        ),
        ("threads", "threads of one search (1)"),
        ("seed", "a salt for its random numbers"),
        (
            "fallback",
            "who decides when it fails (the game's first agent after random)",
        ),
        (
            "timeout",
            "a longer decision is the fallback's; not reproducible",
        ),
    ]
}

/// What a searcher is constructed with: the game, and the settings that all of them share.
pub struct Setup<'a, P: Plugin> {
    /// The rules.
    pub game: &'a P,
    /// What a decision may spend.
    pub budget: Budget,
    /// The simulations that the expression asks for, if it does.
    pub simulations: Option<u64>,
    /// How the search spreads over threads.
    pub parallel: Parallel,
    /// Threads of one search.
    pub threads: NonZeroUsize,
    context: Context<'a, P>,
}

impl<'a, P: Plugin> Setup<'a, P> {
    pub(super) fn read(
        context: &Context<'a, P>,
        settings: &mut Settings<'_>,
    ) -> Result<Self, ExprError> {
        let shared = Shared::read(settings)?;
        let threads = shared.threads.unwrap_or(context.threads);
        Ok(Self {
            game: context.game,
            budget: shared.budget,
            simulations: shared.simulations,
            parallel: shared.parallel,
            threads: NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN),
            context: *context,
        })
    }

    /// Whether a single legal action is played without a search: in a match it is, at an analysis
    /// its value is wanted.
    #[must_use]
    pub fn skip_forced(&self) -> bool {
        self.context.purpose == Purpose::Match
    }

    /// Whether a search keeps its tree to be looked at.
    #[must_use]
    pub fn keep_tree(&self) -> bool {
        self.context.purpose == Purpose::Analysis { keep_tree: true }
    }

    /// The policy at `key`, `random` or one of the game's own, for rollouts say; `None` when the
    /// key is not given.
    ///
    /// # Errors
    /// When it does not exist or one of its settings cannot be used.
    pub fn policy(
        &self,
        settings: &mut Settings<'_>,
        key: &'static str,
    ) -> Result<Option<SharedPolicy<P>>, ExprError> {
        settings.expr(key).map(|e| self.named(e)).transpose()
    }

    /// The policy that an expression names.
    ///
    /// # Errors
    /// As [`Setup::policy`].
    pub fn named(&self, expr: &Expr) -> Result<SharedPolicy<P>, ExprError> {
        let mut settings = expr.settings();
        let policy = named_policy(self.game, expr, &mut settings)?
            .ok_or_else(|| self.no_policy(&expr.name))?;
        settings.finish()?;
        Ok(policy)
    }

    /// Why a name is no policy: rollouts need a player that decides at once.
    fn no_policy(&self, name: &str) -> ExprError {
        let mut policies = vec!["random"];
        policies.extend(self.game.agents().iter().map(|(name, _)| *name));
        policies.dedup();
        let searches = known_names(self.game, self.context.extras).contains(&name);
        if searches && !policies.contains(&name) {
            return ExprError::Other(format!(
                "`{name}` cannot play rollouts, which need an agent that decides at once (known: {})",
                policies.join(", ")
            ));
        }
        unknown_agent(&self.context, name)
    }

    /// The agent at `key`, searchers included, without a fallback; `None` when the key is not given.
    ///
    /// # Errors
    /// When it does not exist or one of its settings cannot be used.
    pub fn agent(
        &self,
        settings: &mut Settings<'_>,
        key: &'static str,
    ) -> Result<Option<Box<dyn Agent<P>>>, ExprError> {
        let Some(expr) = settings.expr(key) else {
            return Ok(None);
        };
        let mut inner = expr.settings();
        let agent = raw_agent(&self.context, expr, &mut inner)?.agent;
        inner.finish()?;
        Ok(Some(agent))
    }
}

/// What does not depend on the game.
struct Shared {
    budget: Budget,
    simulations: Option<u64>,
    parallel: Parallel,
    threads: Option<usize>,
}

impl Shared {
    fn read(settings: &mut Settings<'_>) -> Result<Self, ExprError> {
        let simulations = within(settings, "sims", MOST_SIMULATIONS)?;
        let time = positive_time(settings, "time")?;
        let budget = Budget {
            simulations: match (simulations, time) {
                (None, None) => Some(DEFAULT_SIMULATIONS),
                (given, _) => given,
            },
            time,
            nodes: positive(settings, "nodes")?,
            bytes: positive(settings, "bytes")?,
            ..Budget::default()
        };
        Ok(Self {
            budget,
            simulations,
            parallel: parallel(settings)?,
            threads: within(settings, "threads", MOST_THREADS)?.and_then(|n| n.try_into().ok()),
        })
    }
}

/// How the search uses threads, with the number its result depends on.
fn parallel(settings: &mut Settings<'_>) -> Result<Parallel, ExprError> {
    let mode = settings.choice("parallel", &["none", "root", "batch", "shared"])?;
    let mut number = |key, default: u32| {
        let given = settings.optional::<u32>(key)?;
        match given {
            Some(n) if n == 0 || n > 65_535 => Err(settings.bad(
                key,
                &Expr::word(n.to_string()),
                "expected 1 to 65535".into(),
            )),
            given => Ok(given.unwrap_or(default)),
        }
    };
    Ok(match mode {
        "root" => Parallel::Root {
            trees: number("trees", 8)?,
        },
        "batch" => Parallel::Batch {
            size: number("batch", 32)?,
        },
        "shared" => Parallel::Shared,
        _ => Parallel::Serial,
    })
}

/// A whole number of at least 1.
fn positive(settings: &mut Settings<'_>, key: &'static str) -> Result<Option<u64>, ExprError> {
    match settings.optional::<u64>(key)? {
        Some(0) => Err(settings.bad(key, &Expr::word("0"), "expected at least 1".into())),
        other => Ok(other),
    }
}

/// A whole number from 1 to `most`.
pub(super) fn within(
    settings: &mut Settings<'_>,
    key: &'static str,
    most: u64,
) -> Result<Option<u64>, ExprError> {
    let given = settings.expr(key).cloned();
    match (settings.optional::<u64>(key), given) {
        (Ok(Some(n)), _) if (1..=most).contains(&n) => Ok(Some(n)),
        (Ok(None), _) | (_, None) => Ok(None),
        (_, Some(given)) => Err(settings.bad(
            key,
            &given,
            format!("expected a whole number from 1 to {most}"),
        )),
    }
}

/// A time above 0.
pub(super) fn positive_time(
    settings: &mut Settings<'_>,
    key: &'static str,
) -> Result<Option<Duration>, ExprError> {
    let given = settings.expr(key).cloned();
    match (settings.duration(key)?, given) {
        (Some(Duration::ZERO), Some(expr)) => {
            Err(settings.bad(key, &expr, "expected a time above 0, such as 50ms".into()))
        }
        (time, _) => Ok(time),
    }
}
