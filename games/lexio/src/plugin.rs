//! Lexio driven by name.

use rand_chacha::ChaCha8Rng;
use search_core::calibration::Calibrate;
use search_core::expr::{ExprError, Settings};
use search_core::game::{Decisions, History, Player};
use search_core::plugin::{Plugin, PluginError, SharedPolicy};
use search_core::policy::UniformRandom;
use search_core::search::Knowledge;
use std::sync::Arc;

use crate::action::Action;
use crate::determinizer::UniformDeal;
use crate::easy::Easy;
use crate::hard::Hard;
use crate::notation;
use crate::observation::Observation;
use crate::parse;
use crate::picture;
use crate::rules::{LeadRule, Lexio, Options};
use crate::settlement::Holding;
use crate::state::State;

/// Positions to try: for five players under the official deal.
const POSITIONS: [(&str, &str); 3] = [
    (
        "slow-hand",
        "players=5 me=0 hand=3C,3D,4C,4H,5D,7C,9C,10C,11H,12C,12D,2C",
    ),
    (
        "flush-to-beat",
        "players=5 me=2 hand=4H,4S,5S,6S,7H,9H,11H,12D,14H,15H,15S,1S table=3C,8C,10C,11C,12C@0 \
         played=3C,8C,10C,11C,12C/-/-/-/- passed=1 cloud3=0",
    ),
    (
        "two-left",
        "players=5 me=1 hand=7D,11H,13H,2D table=4H@0 \
         played=3C,3H,4C,4H,9D,14C,15C,15S,1C,2C/3S,6H,6S,7S,11C,12S,2H,2S/9C,12H,1H/3D,9S,15D,1S/5C,13C \
         passed=- plays=6/4/3/2/2 passes=2/3/4/3/5 cloud3=0",
    ),
];

impl Plugin for Lexio {
    type Options = Options;
    type Determinizer = UniformDeal;

    const NAME: &'static str = "lexio";
    const ABOUT: &'static str = "Climbing game with 60 tiles for 3 to 5 players: shed them all, and hold no 2 when another does";

    fn from_options(options: Options) -> Result<Self, PluginError> {
        Self::new(options)
    }

    fn determinizer(&self) -> UniformDeal {
        UniformDeal
    }

    fn format_action(&self, action: Action) -> String {
        action.to_string()
    }

    /// Tiles in any order, with any or no separators.
    fn parse_action(&self, text: &str, legal: &[Action]) -> Result<Action, PluginError> {
        let action = notation::parse_play(text)?;
        if legal.binary_search(&action).is_ok() {
            return Ok(action);
        }
        let why = match self.classify(action) {
            None if action.is_pass() => "the leader may not pass".to_owned(),
            None => format!("{action} is not a play"),
            Some(play) => format!("{action} ({}) is not legal here", play.kind()),
        };
        let shown: Vec<String> = legal.iter().take(20).map(Action::to_string).collect();
        let more = match legal.len() - shown.len() {
            0 => String::new(),
            _ => format!(", … ({} in all)", legal.len()),
        };
        Err(PluginError(format!(
            "{why}; legal: {}{more}",
            shown.join(", ")
        )))
    }

    fn picture(&self, observation: &Observation) -> String {
        picture::picture(observation)
    }

    fn format_observation(&self, observation: &Observation) -> Option<String> {
        Some(notation::format_observation(observation))
    }

    fn parse_observation(&self, text: &str) -> Result<Observation, PluginError> {
        parse::parse_observation(self, text)
    }

    /// Those that these rules allow.
    fn positions(&self) -> Vec<(&'static str, String)> {
        POSITIONS
            .iter()
            .filter(|(_, text)| self.parse_observation(text).is_ok())
            .map(|(name, text)| (*name, (*text).to_owned()))
            .collect()
    }

    fn agents(&self) -> Vec<(&'static str, &'static str)> {
        vec![
            (
                "easy",
                "leads the group of its weakest tile, answers cheaply, keeps 2s until another has at most `twos` tiles (8)",
            ),
            (
                "hard",
                "plans its hand and weighs nine terms of every play; `preset` (default, pre_repair), a weight for each term, `urgency`, `estimator`, `ties`, `finish`",
            ),
        ]
    }

    fn agent(
        &self,
        name: &str,
        settings: &mut Settings<'_>,
    ) -> Result<Option<SharedPolicy<Self>>, ExprError> {
        Ok(match name {
            "easy" => Some(Arc::new(Easy {
                twos: settings.get("twos", Easy::default().twos)?,
            }) as SharedPolicy<Self>),
            "hard" => Some(Arc::new(Hard::from_settings(settings)?)),
            "random" => Some(Arc::new(UniformRandom)),
            _ => None,
        })
    }

    fn knowledge(&self) -> Option<Knowledge<Self>> {
        Some(Knowledge::of_keys())
    }

    fn decisions(&self) -> Option<Decisions<Self>> {
        Some(<Self as History>::decisions)
    }

    fn calibration(&self) -> Option<&dyn Calibrate> {
        Some(self)
    }

    fn public_actions(&self) -> bool {
        true
    }

    fn score_unit(&self) -> &'static str {
        "points per round"
    }

    fn metric_names(&self) -> &'static [&'static str] {
        &["first_rate", "effective_count", "two_held", "plays"]
    }

    /// Whether the player won, the effective count left in hand, whether a 2 was left in hand, and
    /// how many plays the player made.
    fn metrics(&self, finished: &State, player: Player) -> Vec<f64> {
        let hand = finished.hand(player);
        let flag = |holds| if holds { 1.0 } else { 0.0 };
        vec![
            flag(finished.winner() == Some(player)),
            self.options().effective(Holding::from(hand)) as f64,
            flag(hand.twos() > 0),
            f64::from(finished.public().plays(player)),
        ]
    }

    fn rounds(&self) -> u32 {
        self.options().rounds
    }

    fn next_round(&self, finished: &State, rng: &mut ChaCha8Rng) -> State {
        let leader = match self.options().lead {
            LeadRule::CloudThree => None,
            LeadRule::LastWinner => finished.winner(),
        };
        self.deal(leader, rng)
    }
}
