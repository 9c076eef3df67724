//! What a game adds to be driven by name: [`Plugin`].

use rand_chacha::ChaCha8Rng;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use thiserror::Error;

use crate::agent::Agent;
use crate::budget::Budget;
use crate::estimate::SharedEquity;
use crate::expr::{ExprError, Settings};
use crate::game::{Decisions, Game, ListOutcomes, Player, Sight};
use crate::observation::Determinizer;
use crate::policy::Policy;
use crate::search::Knowledge;
use crate::search::continuous::ContinuousActions;
use crate::search::expectimax::{DepthFirst, StateKey};

/// Text or options that a game cannot use: what is wrong, where, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct PluginError(pub String);

impl PluginError {
    /// An error with its message.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

/// What became of one row of a file of known answers, for `conform`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The implementation agrees.
    Pass,
    /// It does not: which field, what was expected and what came out.
    Fail(String),
    /// The row was not checked, and why.
    Skip(String),
}

/// What was held over all rows of one kind in a file of known answers: quantiles and rates that no
/// single row can show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Held {
    /// What was measured, say `fast: single contact, p90`.
    pub what: String,
    /// What was asked, say `< 20 mm`.
    pub asked: String,
    /// What came out, say `4.1 mm of 289 shots`.
    pub measured: String,
    /// Whether it is so.
    pub holds: bool,
}

/// One candidate of a search, for a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rated<A> {
    /// The action.
    pub action: A,
    /// Its mean return for the player to move; not a number where nothing was tried.
    pub value: f64,
    /// How often it was tried.
    pub visits: u64,
}

/// The options of a game that has none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoOptions {}

/// What `perft` counts of a position that has more to count than plies: one row a case.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PerftTable {
    /// What a row is for, say `roll`.
    pub case: &'static str,
    /// What is counted in each row; the first column is the weight of the row.
    pub columns: Vec<&'static str>,
    /// The name of each case and its counts, in the order of the columns.
    pub rows: Vec<(String, Vec<u64>)>,
    /// Totals over the rows, each with what it is.
    pub totals: Vec<(&'static str, f64)>,
}

/// A numeric setting of a named agent: what ablation, sweeps and tuning may vary.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Parameter {
    /// Its key in the agent language.
    pub key: &'static str,
    /// What it is without being given, or what it is given as.
    pub value: f64,
    /// One line about it.
    pub about: &'static str,
}

/// A boxed policy of a game.
pub type SharedPolicy<G> = Arc<dyn Policy<G>>;

/// A game that can be driven by name: notation, options, named agents, a score with its unit,
/// auxiliary metrics, and a picture.
///
/// Only `NAME`, `ABOUT`, the options, the determinizer and the picture have no default.
pub trait Plugin: Game + 'static {
    /// The options with their defaults. Derive `Serialize`, `Deserialize` and `Default`, and put
    /// `#[serde(default, deny_unknown_fields)]` on it.
    type Options: Serialize + DeserializeOwned + Default + Clone;
    /// How worlds are sampled; [`Identity`](crate::observation::Identity) for perfect information.
    type Determinizer: Determinizer<Self> + Clone + 'static;

    /// The name on the command line, say `connect-four`.
    const NAME: &'static str;
    /// One line about the game.
    const ABOUT: &'static str;

    /// The rules with these options.
    ///
    /// # Errors
    /// When an option is out of range, saying what would be right.
    fn from_options(options: Self::Options) -> Result<Self, PluginError>;

    /// The determinizer that searches use.
    fn determinizer(&self) -> Self::Determinizer;

    /// How the outcomes of a chance turn are listed: `Some(Self::chance_outcomes)` for a game with
    /// [`ChanceOutcomes`](crate::game::ChanceOutcomes), which searches with `chance=explicit` need.
    fn list_outcomes(&self) -> Option<ListOutcomes<Self>> {
        None
    }

    /// An action as text, without spaces at the ends and different for different actions.
    fn format_action(&self, action: Self::Action) -> String {
        format!("{action:?}")
    }

    /// The action among `legal` that `text` means. The default compares with
    /// [`Plugin::format_action`], ignoring case and spaces.
    ///
    /// # Errors
    /// When none fits, with the legal actions if they are few.
    fn parse_action(
        &self,
        text: &str,
        legal: &[Self::Action],
    ) -> Result<Self::Action, PluginError> {
        let normal = |s: &str| {
            s.chars()
                .filter(|c| !c.is_whitespace())
                .flat_map(char::to_lowercase)
                .collect::<String>()
        };
        let wanted = normal(text);
        let found = legal
            .iter()
            .find(|a| normal(&self.format_action(**a)) == wanted);
        found.copied().ok_or_else(|| {
            let mut names: Vec<String> = legal
                .iter()
                .take(20)
                .map(|a| self.format_action(*a))
                .collect();
            if legal.len() > names.len() {
                names.push(format!("… ({} in all)", legal.len()));
            }
            PluginError(format!(
                "`{}` is not a legal action here; legal: {}",
                text.trim(),
                names.join(", ")
            ))
        })
    }

    /// Why `text` is no legal action of the player who sees `observation`, for a person, when the game
    /// can say more than [`Plugin::parse_action`] does without the position.
    fn explain_illegal(
        &self,
        observation: &Self::Observation,
        text: &str,
        legal: &[Self::Action],
    ) -> Option<String> {
        let _ = (observation, text, legal);
        None
    }

    /// What an action means in the position of `observation`, for a person: the name of a shot, say.
    fn describe_action(
        &self,
        observation: &Self::Observation,
        action: Self::Action,
    ) -> Option<String> {
        let _ = (observation, action);
        None
    }

    /// A mean return of the player to move as a probability of winning, where it is one.
    fn win_probability(&self, value: f64) -> Option<f64> {
        let _ = value;
        None
    }

    /// The agent that `search` asks when nobody names one.
    fn default_agent(&self) -> Option<&'static str> {
        None
    }

    /// A chance outcome as text.
    fn format_chance(&self, outcome: Self::Chance) -> String {
        format!("{outcome:?}")
    }

    /// What a chance outcome means in the state where it was drawn, for a person, when it is more than
    /// [`Plugin::format_chance`] says: that a turn is passed, say.
    fn explain_chance(&self, before: &Self::State, outcome: Self::Chance) -> Option<String> {
        let _ = (before, outcome);
        None
    }

    /// The counts of `perft` for a position, all of them or only the case that `only` names; `None`
    /// for a game that counts nothing but plies.
    ///
    /// # Errors
    /// When there is no such case, saying what would be right.
    fn perft_table(
        &self,
        observation: &Self::Observation,
        only: Option<&str>,
    ) -> Result<Option<PerftTable>, PluginError> {
        let _ = (observation, only);
        Ok(None)
    }

    /// What `observation` shows, over several lines, for a person.
    fn picture(&self, observation: &Self::Observation) -> String;

    /// A drawing of what `observation` shows with the candidates of a search on it, the most visited
    /// first, as SVG; `None`, whatever the candidates, for a game that has none.
    fn drawing(
        &self,
        observation: &Self::Observation,
        rated: &[Rated<Self::Action>],
    ) -> Option<String> {
        let _ = (observation, rated);
        None
    }

    /// An observation as one line that [`Plugin::parse_observation`] reads; `None` when the game
    /// has no such notation.
    fn format_observation(&self, observation: &Self::Observation) -> Option<String> {
        let _ = observation;
        None
    }

    /// Reads an observation.
    ///
    /// # Errors
    /// When the text is not an observation of this game, saying where and what would be right.
    fn parse_observation(&self, text: &str) -> Result<Self::Observation, PluginError> {
        let _ = text;
        Err(PluginError(format!(
            "{} has no notation for positions yet; leave out --position to search from the start",
            Self::NAME
        )))
    }

    /// Positions worth trying: name and text for [`Plugin::parse_observation`].
    fn positions(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The game's own agents, `random` apart: name and one line about it. The first is the fallback of
    /// an agent that fails.
    fn agents(&self) -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }

    /// The policy behind a named agent; `None` for a name it does not have. Read every setting from `settings`; the caller refuses the rest.
    ///
    /// # Errors
    /// When a setting cannot be used.
    fn agent(
        &self,
        name: &str,
        settings: &mut Settings<'_>,
    ) -> Result<Option<SharedPolicy<Self>>, ExprError> {
        let _ = (name, settings);
        Ok(None)
    }

    /// The numeric settings of a named agent that may be varied, each with the value that it has under
    /// `settings`: its default where it is not given. None for an agent without any, and for a name that
    /// [`Plugin::agent`] does not have.
    ///
    /// # Errors
    /// When a setting cannot be used.
    fn parameters(
        &self,
        name: &str,
        settings: &mut Settings<'_>,
    ) -> Result<Vec<Parameter>, ExprError> {
        let _ = (name, settings);
        Ok(Vec::new())
    }

    /// The policies for which [`Plugin::survival`] has a process: name and one line about it, the
    /// first is the default. None where the probability of ending in the coming turn cannot be computed.
    fn survival_policies(&self) -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }

    /// The state before the chance event that led to this one, when nothing else has happened since: a
    /// position with its dice rolled, before they fell. `None` where there is no such state.
    fn before_chance(&self, state: &Self::State) -> Option<Self::State> {
        let _ = state;
        None
    }

    /// The process in which both players follow a named policy, for estimates of who wins; `None`
    /// for a name it does not have. `control` asks for the luck of the draws, which may cost
    /// time. Read every setting from `settings`; the caller refuses the rest.
    ///
    /// # Errors
    /// When a setting cannot be used.
    fn survival(
        &self,
        name: &str,
        settings: &mut Settings<'_>,
        control: bool,
    ) -> Result<Option<SharedEquity<Self>>, ExprError> {
        let _ = (name, settings, control);
        Ok(None)
    }

    /// The game's own agents that are more than a policy because they remember or search: name and
    /// one line about it. [`Plugin::own_agent`] makes them.
    fn own_agents(&self) -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }

    /// The agent of this name, one of [`Plugin::own_agents`]; `None` for a name it does not have.
    /// `budget` is what a decision may spend as far as the settings that all searches share say so,
    /// and empty where they do not. Read every other setting from `settings`; the caller refuses the
    /// rest, and covers a failure with a fallback.
    ///
    /// # Errors
    /// When a setting cannot be used.
    fn own_agent(
        &self,
        name: &str,
        settings: &mut Settings<'_>,
        budget: &Budget,
    ) -> Result<Option<Box<dyn Agent<Self>>>, ExprError> {
        let _ = (name, settings, budget);
        Ok(None)
    }

    /// What a depth-first search needs beyond the rules; `None` for a game that it cannot search,
    /// say one that hides something.
    fn depth_first(&self) -> Option<DepthFirst<Self>> {
        None
    }

    /// A key of states, equal for states from which the game goes on in the same way: searches that share
    /// what they know of a position need it. By default that of [`Plugin::depth_first`].
    fn state_key(&self) -> Option<StateKey<Self>> {
        self.depth_first().and_then(|game| game.key)
    }

    /// What players see of each other's actions and of chance: `Some(Sight::of_game())` for a game with
    /// [`ActionObservation`](crate::game::ActionObservation), which searches with a tree for each player
    /// need; by default what everybody sees, for a game with [`Plugin::public_actions`].
    fn sight(&self) -> Option<Sight<Self>> {
        self.public_actions().then(Sight::public)
    }

    /// How searches tell apart what players know below the root: `Some(Knowledge::of_keys())` for a game
    /// with [`InfoKey`](crate::game::InfoKey), by default what [`Plugin::sight`] shows.
    fn knowledge(&self) -> Option<Knowledge<Self>> {
        self.sight().map(Knowledge::Sight)
    }

    /// What was decided before an observation: `Some(Self::decisions)` for a game with
    /// [`History`](crate::game::History), which inference from the others' actions needs.
    fn decisions(&self) -> Option<Decisions<Self>> {
        None
    }

    /// Whether [`Plugin::continuous_actions`] gives anything. The searches for it are compiled for such
    /// games only.
    const HAS_CONTINUOUS_ACTIONS: bool = false;

    /// What searches over a continuum of actions need beyond the rules; `None` for a game whose legal
    /// actions are all there are. Set [`Plugin::HAS_CONTINUOUS_ACTIONS`] with it.
    fn continuous_actions(&self) -> Option<Arc<dyn ContinuousActions<Self>>> {
        None
    }

    /// Whether everybody sees every action and chance outcome as it happens, so that they may be shown
    /// to a person at the table. The deal is not meant.
    fn public_actions(&self) -> bool {
        false
    }

    /// The unit of a return, say `points per round`.
    fn score_unit(&self) -> &'static str {
        "return per game"
    }

    /// Names of the auxiliary metrics that [`Plugin::metrics`] gives.
    fn metric_names(&self) -> &'static [&'static str] {
        &[]
    }

    /// The auxiliary metrics of one player in a finished round, in the order of their names.
    fn metrics(&self, finished: &Self::State, player: Player) -> Vec<f64> {
        let _ = (finished, player);
        Vec::new()
    }

    /// How many rounds make a match. A round is one game from [`Game::initial_state`] to its end;
    /// a search never looks beyond it, and the score of a match is the mean over its rounds.
    fn rounds(&self) -> u32 {
        1
    }

    /// The start of the next round of a match.
    fn next_round(&self, finished: &Self::State, rng: &mut ChaCha8Rng) -> Self::State {
        let _ = finished;
        self.initial_state(rng)
    }
}
