//! Curling driven by name.

use search_core::agent::Agent;
use search_core::budget::Budget;
use search_core::expr::{ExprError, Settings};
use search_core::game::{ChanceOutcomes, ListOutcomes, Player};
use search_core::plugin::{Plugin, PluginError, Rated, SharedPolicy};
use search_core::search::continuous::ContinuousActions;
use std::sync::Arc;

use crate::action::{Action, Kind};
use crate::board::Team;
use crate::game::{Curling, ThisEnd};
use crate::noise::Deviation;
use crate::options::{CurlingOptions, Objective};
use crate::physics::Simulator;
use crate::state::{Phase, State, Verdict};
use crate::{bots, explain, json, lattice, notation, picture, shots, svg};

/// Positions to try in the game of four: name and JSON.
pub const POSITIONS: [(&str, &str); 8] = [
    ("start", r#"{}"#),
    (
        "hammer-to-win",
        r#"{"end":7,"shot":15,"hammer":"team1","points":[5,5],"stones":{"team0":[[-0.4,36.1],[0.35,38.9],null,[0.9,37.6]],"team1":[null,[-0.8,38.1],null,[0.05,35.2]]}}"#,
    ),
    (
        "last-stone-down-one",
        r#"{"end":7,"shot":15,"hammer":"team1","points":[4,3],"stones":{"team0":[[0.1,38.7],null,null,null,[-1.1,37.9]],"team1":[[0.75,38.3],null,[-0.55,38.95],[1.3,36.0]]}}"#,
    ),
    (
        "guarded-stone",
        r#"{"end":3,"shot":9,"hammer":"team1","points":[2,2],"stones":{"team0":[[0.02,35.0],[0.06,36.0],[0.1,38.3]],"team1":[null,[-1.0,37.5]]}}"#,
    ),
    (
        "double-take-out",
        r#"{"end":5,"shot":13,"hammer":"team1","points":[3,4],"stones":{"team0":[[-0.25,38.6],[0.45,38.75],[1.6,34.2]],"team1":[[-1.4,37.7]]}}"#,
    ),
    (
        "freeze",
        r#"{"end":2,"shot":7,"hammer":"team1","points":[1,0],"stones":{"team0":[[0.2,37.9],[-1.6,34.9]],"team1":[[1.5,35.1]]}}"#,
    ),
    (
        "free-guard-zone",
        r#"{"end":0,"shot":3,"hammer":"team1","points":[0,0],"stones":{"team0":[[0.0,34.2],[0.05,35.5]],"team1":[[-0.3,38.2]]}}"#,
    ),
    (
        "blank-or-take-one",
        r#"{"end":6,"shot":15,"hammer":"team1","points":[5,5],"stones":{"team0":[],"team1":[]}}"#,
    ),
];

/// Positions to try in mixed doubles.
pub const DOUBLES_POSITIONS: [(&str, &str); 4] = [
    ("start", r#"{}"#),
    (
        "extra-end",
        r#"{"end":8,"hammer":"team0","points":[6,6],"placing":true,"power_play":[true,false]}"#,
    ),
    (
        "free-stones",
        r#"{"end":1,"shot":2,"hammer":"team1","points":[0,2],"decides":"team1","power_play":[false,false],"stones":{"team0":[[0.3,37.0],null,null,null,null,null,null,[0,35.35]],"team1":[[-0.2,38.1],null,null,null,null,null,null,[0,38.87]]}}"#,
    ),
    (
        "last-stone",
        r#"{"end":7,"shot":9,"hammer":"team1","points":[5,4],"decides":"team1","power_play":[true,true],"stones":{"team0":[[0.3,38.3],null,[-0.5,38.9],null,[0.1,36.2]],"team1":[[-0.9,38.1],null,null,null,null,null,null,[1.219,38.26]]}}"#,
    ),
];

impl Plugin for Curling {
    type Options = CurlingOptions;
    type Determinizer = ThisEnd;

    const NAME: &'static str = "curling";
    const ABOUT: &'static str =
        "Digital curling: sixteen stones an end, each thrown with noise, towards the tee";

    fn from_options(options: CurlingOptions) -> Result<Self, PluginError> {
        Self::new(options)
    }

    fn determinizer(&self) -> ThisEnd {
        ThisEnd
    }

    fn format_action(&self, action: Action) -> String {
        notation::format(action)
    }

    /// Any shot in range, not only the candidates that are listed, and `concede`; of the placings of
    /// mixed doubles only those that are listed.
    fn parse_action(&self, text: &str, legal: &[Action]) -> Result<Action, PluginError> {
        let action = notation::parse(text, self.model().max_speed())?;
        let Some(listed) = legal.first() else {
            return Err(PluginError::new("nobody is to move here"));
        };
        let placing = matches!(listed.kind(), Kind::Place(_));
        let fits = match action.kind() {
            Kind::Shot(_) => !placing,
            Kind::Place(_) => legal.contains(&action),
            Kind::Concede => true,
        };
        if fits {
            return Ok(action);
        }
        let expected = if placing {
            let names: Vec<String> = legal.iter().map(|a| notation::format(*a)).collect();
            names.join(", ")
        } else {
            "a shot such as `ccw 2.403350 3.140`".to_owned()
        };
        Err(PluginError(format!(
            "`{}` is not a legal action here; expected {expected}",
            notation::format(action)
        )))
    }

    fn explain_illegal(&self, state: &State, text: &str, _: &[Action]) -> Option<String> {
        explain::illegal(self, state, text)
    }

    fn describe_action(&self, state: &State, action: Action) -> Option<String> {
        Some(shots::describe(self, state, action))
    }

    fn drawing(&self, state: &State, rated: &[Rated<Action>]) -> Option<String> {
        Some(svg::candidates_named(self, state, rated, &|action| {
            shots::describe(self, state, action)
        }))
    }

    fn default_agent(&self) -> Option<&'static str> {
        Some("lattice")
    }

    fn agents(&self) -> Vec<(&'static str, &'static str)> {
        bots::POLICIES.to_vec()
    }

    fn agent(
        &self,
        name: &str,
        settings: &mut Settings<'_>,
    ) -> Result<Option<SharedPolicy<Self>>, ExprError> {
        bots::policy(name, settings)
    }

    fn own_agents(&self) -> Vec<(&'static str, &'static str)> {
        lattice::AGENTS.to_vec()
    }

    fn own_agent(
        &self,
        name: &str,
        settings: &mut Settings<'_>,
        budget: &Budget,
    ) -> Result<Option<Box<dyn Agent<Self>>>, ExprError> {
        lattice::agent(name, settings, budget)
    }

    /// The outcomes of a discretised noise (`noise_points`); none of a continuous one.
    fn list_outcomes(&self) -> Option<ListOutcomes<Self>> {
        (!self.outcomes().is_empty()).then_some(Self::chance_outcomes)
    }

    const HAS_CONTINUOUS_ACTIONS: bool = true;

    fn continuous_actions(&self) -> Option<Arc<dyn ContinuousActions<Self>>> {
        Some(Arc::new(crate::continuous::ExecutedShots::new(self)))
    }

    fn win_probability(&self, value: f64) -> Option<f64> {
        match self.options().objective {
            Objective::Win => Some(0.5 * (value + 1.0)),
            Objective::Points => None,
        }
    }

    fn format_chance(&self, outcome: Deviation) -> String {
        explain::deviation(self.noise(), outcome)
    }

    fn explain_chance(&self, before: &State, outcome: Deviation) -> Option<String> {
        explain::throw(self, before, outcome)
    }

    fn picture(&self, state: &State) -> String {
        picture::picture(self, state)
    }

    fn format_observation(&self, state: &State) -> Option<String> {
        Some(json::write(self, state))
    }

    fn parse_observation(&self, text: &str) -> Result<State, PluginError> {
        let state = json::read(self, text)?;
        if state.horizon {
            return Err(PluginError::new(
                "horizon: only within a search, which sets it itself: leave it out",
            ));
        }
        Ok(state)
    }

    /// Those that this match can reach: a match of fewer ends than a position has is left out.
    fn positions(&self) -> Vec<(&'static str, String)> {
        let all: &[_] = if self.options().doubles {
            &DOUBLES_POSITIONS
        } else {
            &POSITIONS
        };
        all.iter()
            .filter(|(_, text)| json::read(self, text).is_ok())
            .map(|(name, text)| (*name, (*text).to_owned()))
            .collect()
    }

    fn public_actions(&self) -> bool {
        true
    }

    fn score_unit(&self) -> &'static str {
        match self.options().objective {
            Objective::Win => "result per match (win 1, loss -1)",
            Objective::Points => "points per match",
        }
    }

    fn metric_names(&self) -> &'static [&'static str] {
        &["win_rate", "draw_rate", "points", "ends"]
    }

    /// Whether the player won, whether the match was drawn, the player's points less the other's,
    /// and the ends played, extra ends too.
    fn metrics(&self, finished: &State, player: Player) -> Vec<f64> {
        let team = Team::BOTH[player.index() & 1];
        let lead = finished.lead(team);
        let (won, drawn) = match finished.phase {
            Phase::Over(Verdict::Conceded(loser)) => (loser != team, false),
            _ => (lead > 0, lead == 0),
        };
        let flag = |holds| if holds { 1.0 } else { 0.0 };
        vec![
            flag(won),
            flag(drawn),
            f64::from(lead),
            f64::from(finished.end),
        ]
    }
}
