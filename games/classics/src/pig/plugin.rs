//! Pig by name: options, notation, and agents that hold at a total or play for the win.

use search_core::estimate::SharedEquity;
use search_core::expr::{ExprError, Settings};
use search_core::game::{ChanceOutcomes, Game, ListOutcomes, MAX_PLAYERS, Player, Returns};
use search_core::observation::Identity;
use search_core::plugin::{Plugin, PluginError, SharedPolicy};
use search_core::policy::{Evaluator, Policy};
use search_core::rng::SimRng;
use search_core::search::expectimax::DepthFirst;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

use super::{Pig, PigAction, PigState, Stage, Throw, survival};
use crate::solve::PigSolution;
use crate::text::Facts;

/// The options of [`Pig`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PigOptions {
    /// The score that wins, 2 to 1000.
    pub target: u32,
    /// How many play, 2 to 6.
    pub players: u32,
}

impl Default for PigOptions {
    fn default() -> Self {
        Self {
            target: 100,
            players: 2,
        }
    }
}

/// Holds as soon as the turn has gathered this much.
struct HoldAt(u32);

impl Policy<Pig> for HoldAt {
    fn choose(&self, _: &Pig, s: &PigState, legal: &[PigAction], _: &mut SimRng) -> PigAction {
        if s.total() >= self.0 && legal.contains(&PigAction::Hold) {
            PigAction::Hold
        } else {
            legal[0]
        }
    }
}

/// Maximises the probability of winning, by the full solution for two players.
struct Optimal(PigSolution);

impl Policy<Pig> for Optimal {
    fn choose(&self, _: &Pig, s: &PigState, legal: &[PigAction], _: &mut SimRng) -> PigAction {
        let me = s.mover();
        let other = Player::new(1 - me.index().min(1));
        match self.0.action_values(s.score(me), s.score(other), s.total()) {
            Some((roll, Some(hold))) if hold > roll && legal.contains(&PigAction::Hold) => {
                PigAction::Hold
            }
            _ => legal[0],
        }
    }
}

/// The lead in points as a share of the target, what the turn has gathered included; before a throw,
/// the mean over it. One turn of search with it holds at 20 or 21.
struct Lead;

impl Evaluator<Pig> for Lead {
    fn evaluate(&self, game: &Pig, s: &PigState) -> Returns {
        let gathered = f64::from(s.total);
        let gathered = if s.stage == Stage::Roll {
            (gathered + 4.0) * 5.0 / 6.0
        } else {
            gathered
        };
        let mut scores = [0, 1].map(|player| f64::from(s.scores[player]));
        scores[usize::from(s.mover).min(1)] += gathered;
        let target = f64::from(game.target);
        let [first, second] = scores.map(|score| score.min(target) / target);
        Returns::zero_sum(first - second)
    }
}

const KEYS: [&str; 4] = ["scores", "player", "total", "rolling"];

impl Plugin for Pig {
    type Options = PigOptions;
    type Determinizer = Identity;

    const NAME: &'static str = "pig";
    const ABOUT: &'static str =
        "roll or hold: a one loses the turn's total, first to the target wins";

    fn from_options(options: PigOptions) -> Result<Self, PluginError> {
        Self::new(options.target, options.players)
    }

    fn determinizer(&self) -> Identity {
        Identity
    }

    fn list_outcomes(&self) -> Option<ListOutcomes<Self>> {
        Some(Self::chance_outcomes)
    }

    fn format_action(&self, action: PigAction) -> String {
        match action {
            PigAction::Roll => "roll".into(),
            PigAction::Hold => "hold".into(),
        }
    }

    fn format_chance(&self, outcome: Throw) -> String {
        outcome.pips().to_string()
    }

    fn picture(&self, state: &PigState) -> String {
        let mut text = String::new();
        for player in 0..self.num_players() {
            let mark = if player == usize::from(state.mover) {
                '>'
            } else {
                ' '
            };
            let score = state.scores[player];
            let bar = "=".repeat(usize::from(score) * 40 / usize::from(self.target));
            text.push_str(&format!("{mark} player {player}  {score:>4}  {bar}\n"));
        }
        let mover = state.mover;
        text.push_str(&match state.stage {
            Stage::Choice => format!(
                "player {mover} has {} in this turn and needs {} more to win",
                state.total,
                self.target
                    .saturating_sub(state.scores[usize::from(mover)] + state.total)
            ),
            Stage::Roll => format!("player {mover} rolls with {} at stake", state.total),
            Stage::Over => format!("player {mover} has won"),
        });
        text
    }

    fn format_observation(&self, state: &PigState) -> Option<String> {
        let scores: Vec<String> = state.scores[..self.num_players()]
            .iter()
            .map(u16::to_string)
            .collect();
        let rolling = if state.stage == Stage::Roll {
            " rolling=yes"
        } else {
            ""
        };
        Some(format!(
            "scores={} player={} total={}{rolling}",
            scores.join(","),
            state.mover,
            state.total
        ))
    }

    fn parse_observation(&self, text: &str) -> Result<PigState, PluginError> {
        let zeros = vec!["0"; self.num_players()].join(",");
        let facts = Facts::read(Self::NAME, text, &KEYS, "scores=40,62 player=0 total=11")?;
        let target = u64::from(self.target);
        let mut scores = Vec::new();
        for score in facts.get("scores").unwrap_or(&zeros).split(',') {
            scores.push(facts.number_in("scores", score, target + 6)? as u32);
        }
        let number = |key, end| match facts.get(key) {
            Some(_) => facts.number(key, end),
            None => Ok(0),
        };
        facts.need("scores")?;
        let player = number("player", MAX_PLAYERS as u64)? as usize;
        let total = number("total", target)? as u32;
        let rolling = match facts.get("rolling") {
            None | Some("no") => false,
            Some("yes") => true,
            Some(other) => return Err(facts.bad(&format!("rolling={other} should be yes or no"))),
        };
        let won = scores.get(player).copied().filter(|&s| s >= self.target());
        if won.is_some() && total == 0 && !rolling {
            scores[player] = 0;
        }
        let mut state = self
            .choice(&scores, player, total)
            .map_err(|error| facts.bad(&error.to_string()))?;
        if let Some(score) = won {
            state.scores[player] = score as u16;
            state.stage = Stage::Over;
        } else if rolling {
            state.stage = Stage::Roll;
        }
        Ok(state)
    }

    fn positions(&self) -> Vec<(&'static str, String)> {
        let rest = ",0".repeat(self.num_players() - 1);
        let behind = vec!["0"; self.num_players() - 2].join(",");
        let comma = if behind.is_empty() { "" } else { "," };
        let last = self.target - 1;
        let some = (self.target / 5).min(last);
        vec![
            ("start", format!("scores=0{rest} player=0 total=0")),
            (
                "a fifth of the way",
                format!("scores=0{rest} player=0 total={some}"),
            ),
            (
                "the other needs one more",
                format!("scores=0,{last}{comma}{behind} player=0 total={some}"),
            ),
        ]
    }

    fn agents(&self) -> Vec<(&'static str, &'static str)> {
        let mut agents = vec![
            ("hold20", "holds as soon as the turn has gathered 20"),
            ("hold", "holds at a total: `at`, 20 unless given"),
        ];
        if self.num_players() == 2 {
            agents.push(("optimal", "maximises the probability of winning"));
        }
        agents
    }

    fn agent(
        &self,
        name: &str,
        settings: &mut Settings<'_>,
    ) -> Result<Option<SharedPolicy<Self>>, ExprError> {
        Ok(match name {
            "hold20" => Some(Arc::new(HoldAt(20))),
            "hold" => Some(Arc::new(HoldAt(settings.get("at", 20)?))),
            "optimal" if self.num_players() == 2 => {
                Some(Arc::new(Optimal(PigSolution::new(self.target()))))
            }
            _ => None,
        })
    }

    const HAS_SURVIVAL: bool = true;

    fn survival_policies(&self) -> Vec<(&'static str, &'static str)> {
        if self.num_players() == 2 {
            survival::POLICIES.to_vec()
        } else {
            Vec::new()
        }
    }

    fn survival(
        &self,
        name: &str,
        settings: &mut Settings<'_>,
        control: bool,
    ) -> Result<Option<SharedEquity<Self>>, ExprError> {
        if self.num_players() == 2 {
            survival::process(self, name, settings, control)
        } else {
            Ok(None)
        }
    }

    /// For two players: with more, what one gains is not one other's loss.
    fn depth_first(&self) -> Option<DepthFirst<Self>> {
        let parts = DepthFirst::new(Lead)
            .with_chance()
            .with_key(|_, s: &PigState| {
                let parts = [s.scores[0], s.scores[1], s.total, s.mover.into()];
                let key = parts
                    .iter()
                    .fold(0, |key, &part| key << 16 | u128::from(part));
                key << 8 | s.stage as u128
            });
        (self.players == 2).then_some(parts)
    }

    fn public_actions(&self) -> bool {
        true
    }

    fn score_unit(&self) -> &'static str {
        "result per game (win 1; the others share -1)"
    }
}
