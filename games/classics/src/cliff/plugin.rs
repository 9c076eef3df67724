//! The cliff by name: options, notation, and agents with a fixed aim.

use search_core::expr::{ExprError, Settings};
use search_core::observation::Identity;
use search_core::plugin::{Plugin, PluginError, SharedPolicy};
use search_core::policy::Policy;
use search_core::rng::SimRng;
use search_core::search::continuous::ContinuousActions;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

use super::{Aim, AnyAim, Cliff, CliffState, Deviation, PARTS, best_aim};

/// The options of [`Cliff`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CliffOptions {
    /// How many play, 1 or 2.
    pub players: u32,
    /// Shots a player, 1 to 100.
    pub shots: u32,
    /// Aims that are listed, 2 to 1001; any other may be played as well.
    pub aims: u32,
    /// Standard deviation of where a stone stops, 0 to 0.25.
    pub sigma: f64,
    /// What is lost beyond the edge, 0 to 10.
    pub fall: f64,
}

impl Default for CliffOptions {
    fn default() -> Self {
        let game = Cliff::default();
        Self {
            players: game.players.into(),
            shots: game.shots.into(),
            aims: game.aims.into(),
            sigma: game.sigma,
            fall: game.fall,
        }
    }
}

/// Always aims there.
struct Always(Aim);

impl Policy<Cliff> for Always {
    fn choose(&self, _: &Cliff, _: &CliffState, _: &[Aim], _: &mut SimRng) -> Aim {
        self.0
    }
}

impl Plugin for Cliff {
    type Options = CliffOptions;
    type Determinizer = Identity;

    const NAME: &'static str = "cliff";
    const ABOUT: &'static str =
        "a stone pushed towards an edge, with noise: the smallest game of continuous actions";

    fn from_options(options: CliffOptions) -> Result<Self, PluginError> {
        Self::new(&options)
    }

    fn determinizer(&self) -> Identity {
        Identity
    }

    fn format_action(&self, aim: Aim) -> String {
        format!("{:.6}", aim.x())
    }

    /// Any number in range, listed or not.
    fn parse_action(&self, text: &str, _: &[Aim]) -> Result<Aim, PluginError> {
        match text.trim().parse::<f64>() {
            Ok(x) if Aim::RANGE.contains(&x) => Ok(Aim::new(x)),
            _ => Err(PluginError(format!(
                "`{}` is no aim: expected a number from {} to {}, 1 is the edge",
                text.trim(),
                Aim::RANGE.start(),
                Aim::RANGE.end()
            ))),
        }
    }

    fn format_chance(&self, deviation: Deviation) -> String {
        format!("{:+.6}", f64::from(deviation.0) / PARTS)
    }

    fn picture(&self, state: &CliffState) -> String {
        format!(
            "shots made: {} of {}\npaid: {:.6}, {:.6}\n",
            state.made,
            self.all_shots(),
            state.paid[0],
            state.paid[1]
        )
    }

    fn agents(&self) -> Vec<(&'static str, &'static str)> {
        vec![
            ("optimal", "the aim with the best mean"),
            ("edge", "the aim that is best without noise"),
        ]
    }

    fn agent(
        &self,
        name: &str,
        _: &mut Settings<'_>,
    ) -> Result<Option<SharedPolicy<Self>>, ExprError> {
        Ok(match name {
            "optimal" => Some(Arc::new(Always(Aim::new(best_aim(self))))),
            "edge" => Some(Arc::new(Always(Aim::new(1.0)))),
            _ => None,
        })
    }

    const HAS_CONTINUOUS_ACTIONS: bool = true;

    fn continuous_actions(&self) -> Option<Arc<dyn ContinuousActions<Self>>> {
        Some(Arc::new(AnyAim))
    }

    fn public_actions(&self) -> bool {
        true
    }

    fn score_unit(&self) -> &'static str {
        "pay per shot"
    }
}
