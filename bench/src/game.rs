//! The object-safe face of a game, and the adapter that gives it to every [`Plugin`].
//!
//! Types are erased here: once a verb for `play` and `search`, once a match for experiments, never
//! inside a loop over decisions.

mod analyse;
mod equity;
mod examine;
mod pace;
mod perft;
mod standing;
mod table;

use std::any::Any;
use std::marker::PhantomData;

use search_core::calibration::Calibrate;
use search_core::expr::Expr;
use search_core::plugin::Plugin;
use serde::Serialize;
use serde_json::Value;

use crate::agents::{Context, Extra, Purpose, build};
use crate::error::{Error, Result};
use crate::experiment::capture::standing::Script;
use crate::experiment::capture::watch::TypedWatcher;
use crate::experiment::capture::{Cast, Watcher};
use crate::experiment::range::ReturnBounds;
use crate::experiment::referee::{Referee, TypedReferee};
use crate::options::{configure, default_options};
use crate::study::axis::Parameter;

pub use analyse::{CandidateRow, EffortRow, SearchReport, SearchRequest, TreeRow};
pub use equity::{
    EquityReport, EquityRequest, EquityRow, EquityStep, Favour, NaiveRow, Position, VerdictRow,
};
pub use examine::{Examination, Finding, Scope};
pub use pace::Pace;
pub use perft::{DepthRow, PerftReport, PerftRequest};
pub use standing::{Answer, StandingReport};
pub use table::{Audience, Event, PlayReport, Question};

/// A name with a line or a text about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Named {
    /// The name.
    pub name: String,
    /// The line or the text.
    pub about: String,
}

/// What `games` lists about a game with its default options.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GameInfo {
    /// Its name.
    pub name: String,
    /// One line about it.
    pub about: String,
    /// Players with the default options.
    pub players: usize,
    /// Rounds of a match.
    pub rounds: u32,
    /// The unit of the score.
    pub unit: String,
    /// The options with their defaults.
    pub options: Value,
    /// The agents of this game, `random` included, the searchers apart.
    pub agents: Vec<Named>,
    /// Auxiliary metrics.
    pub metrics: Vec<String>,
    /// Policies of `equity`; none where the game has no exact survival.
    pub equity: Vec<Named>,
    /// Positions to try.
    pub positions: Vec<Named>,
}

/// What is known about a game with its options.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GameFacts {
    /// The game as an expression.
    pub game: String,
    /// Every option, defaults included.
    pub options: Value,
    /// Players.
    pub players: usize,
    /// Rounds of a match.
    pub rounds: u32,
    /// The unit of the score.
    pub unit: String,
    /// Auxiliary metrics.
    pub metrics: Vec<String>,
    /// Whether everybody sees every action and chance outcome as it happens.
    pub public_actions: bool,
    /// What the rules say about the returns of one player.
    #[serde(skip)]
    pub returns: ReturnBounds,
}

/// A game by name, its options still open.
pub trait GameEntry: Any + Send + Sync {
    /// Its name.
    fn name(&self) -> &'static str;
    /// One line about it.
    fn about(&self) -> &'static str;
    /// What `games` lists.
    ///
    /// # Errors
    /// When the game refuses its own defaults.
    fn info(&self) -> Result<GameInfo>;
    /// The game with the options of an expression.
    ///
    /// # Errors
    /// When an option does not exist or cannot be used.
    fn open(&self, expr: &Expr) -> Result<Box<dyn OpenGame>>;
}

/// A game with its options: what the verbs work with.
pub trait OpenGame: Send + Sync {
    /// What is known about it.
    fn facts(&self) -> &GameFacts;

    /// The agent that `search` asks when nobody names one.
    fn default_agent(&self) -> Option<&'static str>;

    /// The names of its own agents, `random` included, the searchers apart.
    fn agent_names(&self) -> Vec<String>;

    /// Whether a text is a position of this game or the name of one.
    fn is_position(&self, text: &str) -> bool;

    /// Refuses an agent that this game does not have, before anything is played.
    ///
    /// # Errors
    /// Naming the nearest agent or setting.
    fn check_agent(&self, expr: &Expr) -> Result<()>;

    /// The settings of an agent with their values, those apart that every agent or search has.
    ///
    /// # Errors
    /// When the agent does not exist or cannot be used.
    fn parameters(&self, expr: &Expr) -> Result<Vec<Parameter>>;

    /// A referee with these agents; `threads` is what a searcher may use when its expression does
    /// not say.
    ///
    /// # Errors
    /// When an agent does not exist or cannot be used.
    fn referee<'a>(&'a self, agents: &[Expr], threads: usize) -> Result<Box<dyn Referee + 'a>>;

    /// Plays the match of a seed before an audience; `human` asks it.
    ///
    /// # Errors
    /// When an agent cannot be used, the rules break their contract, or the audience is gone.
    fn play(&self, agents: &[Expr], seed: u64, audience: &mut dyn Audience) -> Result<PlayReport>;

    /// Analyses one position.
    ///
    /// # Errors
    /// When the position or the agent cannot be used, or the search fails.
    fn search(&self, request: &SearchRequest<'_>) -> Result<SearchReport>;

    /// Estimates by survival rollouts who will win from a position; `watch` sees it come about.
    ///
    /// # Errors
    /// When the game has no exact survival, or the position, the policy or a setting cannot be
    /// used, or the audience is gone.
    fn equity(
        &self,
        request: &EquityRequest<'_>,
        watch: &mut dyn FnMut(EquityStep<'_>) -> Result<()>,
    ) -> Result<EquityReport>;

    /// A watcher of this game with a cast.
    ///
    /// # Errors
    /// When an agent does not exist or cannot be used.
    fn watcher<'a>(&'a self, cast: &Cast) -> Result<Box<dyn Watcher + 'a>>;

    /// The position to which a script leads.
    ///
    /// # Errors
    /// When a turn of it is not what the game makes of it.
    fn stand(&self, script: &Script<'_>) -> Result<StandingReport>;

    /// What an agent chooses there, and what the texts of some actions mean there.
    ///
    /// # Errors
    /// When the script does not replay, a text means no legal action, or the agent fails.
    fn answer(&self, script: &Script<'_>, agent: &Expr, texts: &[&str]) -> Result<Answer>;

    /// Counts what follows a position.
    ///
    /// # Errors
    /// When the position cannot be used, or there is nothing of this kind to count.
    fn perft(&self, request: &PerftRequest<'_>) -> Result<PerftReport>;

    /// The tables by which an estimator of the game is calibrated, where it has any.
    fn calibration(&self) -> Option<&dyn Calibrate>;

    /// Holds the game against one of its contracts.
    fn examine(&self, what: Examination, scope: Scope) -> Finding;

    /// Measures how fast the rules are, in about so much processor time, twice that where something is
    /// hidden.
    ///
    /// # Errors
    /// When nobody is ever to move.
    fn pace(&self, time: std::time::Duration) -> Result<Pace>;
}

/// A plugin as a [`GameEntry`].
pub struct Entry<P: Plugin> {
    extras: Vec<Extra<P>>,
    game: PhantomData<fn() -> P>,
}

impl<P: Plugin> Default for Entry<P> {
    fn default() -> Self {
        Self {
            extras: Vec::new(),
            game: PhantomData,
        }
    }
}

impl<P: Plugin> Entry<P> {
    /// The entry of a game.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an agent of one's own.
    pub fn add(&mut self, extra: Extra<P>) {
        self.extras.retain(|e| e.name != extra.name);
        self.extras.push(extra);
    }
}

impl<P: Plugin> GameEntry for Entry<P> {
    fn name(&self) -> &'static str {
        P::NAME
    }

    fn about(&self) -> &'static str {
        P::ABOUT
    }

    fn info(&self) -> Result<GameInfo> {
        let game = configure::<P>(&Expr::word(P::NAME))?.game;
        let agents = agents(&game, &self.extras);
        Ok(GameInfo {
            name: P::NAME.into(),
            about: P::ABOUT.into(),
            players: game.num_players(),
            rounds: game.rounds().max(1),
            unit: game.score_unit().into(),
            options: default_options::<P>(),
            agents,
            metrics: strings(game.metric_names()),
            equity: game
                .survival_policies()
                .iter()
                .map(|(n, a)| named(n, a))
                .collect(),
            positions: game.positions().iter().map(|(n, t)| named(n, t)).collect(),
        })
    }

    fn open(&self, expr: &Expr) -> Result<Box<dyn OpenGame>> {
        let configured = configure::<P>(expr)?;
        let game = configured.game;
        let facts = GameFacts {
            game: expr.to_string(),
            options: configured.options,
            players: game.num_players(),
            rounds: game.rounds().max(1),
            unit: game.score_unit().into(),
            metrics: strings(game.metric_names()),
            public_actions: game.public_actions(),
            returns: ReturnBounds {
                low: *game.return_bounds().start(),
                high: *game.return_bounds().end(),
                sum: game.returns_sum(),
                scale: game.return_scale(),
            },
        };
        Ok(Box::new(Opened {
            game,
            facts,
            extras: self.extras.clone(),
        }))
    }
}

fn named(name: &str, about: &str) -> Named {
    Named {
        name: name.into(),
        about: about.into(),
    }
}

/// The agents of a game, `random` included, the searchers apart.
fn agents<P: Plugin>(game: &P, extras: &[Extra<P>]) -> Vec<Named> {
    let mut agents: Vec<Named> = game.agents().iter().map(|(n, a)| named(n, a)).collect();
    if !agents.iter().any(|a| a.name == "random") {
        let about = "any legal action with the same probability";
        agents.insert(0, named("random", about));
    }
    agents.extend(game.own_agents().iter().map(|(n, a)| named(n, a)));
    agents.extend(extras.iter().map(|e| named(e.name, e.about)));
    agents
}

fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

/// A plugin with its options as an [`OpenGame`].
struct Opened<P: Plugin> {
    game: P,
    facts: GameFacts,
    extras: Vec<Extra<P>>,
}

impl<P: Plugin> Opened<P> {
    fn context(&self, purpose: Purpose, threads: usize) -> Context<'_, P> {
        Context {
            game: &self.game,
            extras: &self.extras,
            threads,
            purpose,
        }
    }

    /// Text that is not an agent of this game gets a hint to the list.
    fn in_context<T>(&self, result: Result<T, search_core::expr::ExprError>) -> Result<T> {
        result.map_err(|e| Error::Input(format!("{e}\n  see: searchlab games {}", P::NAME)))
    }
}

impl<P: Plugin> OpenGame for Opened<P> {
    fn facts(&self) -> &GameFacts {
        &self.facts
    }

    fn default_agent(&self) -> Option<&'static str> {
        self.game.default_agent()
    }

    fn agent_names(&self) -> Vec<String> {
        let agents = agents(&self.game, &self.extras).into_iter();
        agents.map(|a| a.name).collect()
    }

    fn is_position(&self, text: &str) -> bool {
        analyse::parse_observation(&self.game, text).is_ok()
    }

    fn check_agent(&self, expr: &Expr) -> Result<()> {
        let context = self.context(Purpose::Match, 1);
        self.in_context(build(&context, expr)).map(|_| ())
    }

    fn parameters(&self, expr: &Expr) -> Result<Vec<Parameter>> {
        let context = self.context(Purpose::Match, 1);
        Ok(self.in_context(build(&context, expr))?.parameters)
    }

    fn referee<'a>(&'a self, agents: &[Expr], threads: usize) -> Result<Box<dyn Referee + 'a>> {
        let context = self.context(Purpose::Match, threads);
        let built: Result<Vec<_>, _> = agents.iter().map(|e| build(&context, e)).collect();
        let built = self.in_context(built)?;
        Ok(Box::new(TypedReferee::new(&self.game, built)))
    }

    fn play(&self, agents: &[Expr], seed: u64, audience: &mut dyn Audience) -> Result<PlayReport> {
        let context = self.context(Purpose::Match, 1);
        let seats = agents.iter().map(|e| {
            if e.name == "human" && e.args.is_empty() {
                return Ok(None);
            }
            build(&context, e).map(Some)
        });
        let seats: Result<Vec<_>, _> = seats.collect();
        table::play(&self.game, self.in_context(seats)?, agents, seed, audience)
    }

    fn search(&self, request: &SearchRequest<'_>) -> Result<SearchReport> {
        let context = self.context(
            Purpose::Analysis {
                keep_tree: request.keep_tree,
            },
            request.threads,
        );
        let agent = self.in_context(build(&context, request.agent))?.agent;
        analyse::search(&self.game, agent, request)
    }

    fn equity(
        &self,
        request: &EquityRequest<'_>,
        watch: &mut dyn FnMut(EquityStep<'_>) -> Result<()>,
    ) -> Result<EquityReport> {
        equity::equity(&self.game, request, watch)
    }

    fn watcher<'a>(&'a self, cast: &Cast) -> Result<Box<dyn Watcher + 'a>> {
        let context = self.context(Purpose::Match, 1);
        let make = |expr| self.in_context(build(&context, expr));
        let [a, b] = [make(&cast.a)?, make(&cast.b)?];
        let [others, by] = [make(&cast.others)?, make(&cast.by)?];
        Ok(Box::new(TypedWatcher::new(&self.game, [a, b, others, by])))
    }

    fn stand(&self, script: &Script<'_>) -> Result<StandingReport> {
        standing::report(&self.game, script)
    }

    fn answer(&self, script: &Script<'_>, agent: &Expr, texts: &[&str]) -> Result<Answer> {
        let context = self.context(Purpose::Match, 1);
        let built = self.in_context(build(&context, agent))?;
        standing::answer(&self.game, script, built, texts)
    }

    fn perft(&self, request: &PerftRequest<'_>) -> Result<PerftReport> {
        perft::perft(&self.game, request)
    }

    fn calibration(&self) -> Option<&dyn Calibrate> {
        self.game.calibration()
    }

    fn examine(&self, what: Examination, scope: Scope) -> Finding {
        examine::examine(&self.game, what, scope)
    }

    fn pace(&self, time: std::time::Duration) -> Result<Pace> {
        pace::pace(&self.game, time)
    }
}
