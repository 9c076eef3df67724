//! The built-in trees, and trees by name.

use search_core::expr::hint;
use search_core::game::{ChanceOutcomes, Game, ListOutcomes, Player};
use search_core::plugin::{Plugin, PluginError};
use search_core::search::Knowledge;
use serde::{Deserialize, Serialize};

use super::{Kind, Sight, ToyAction, ToyView, ToyWorlds, TreeGame};

const SOURCES: [&str; 2] = [
    include_str!("../../data/toys.jsonl"),
    include_str!("../../data/two_move.jsonl"),
];

/// The options of [`TreeGame`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ToyOptions {
    /// Which of the built-in trees; see [`TreeGame::builtin_ids`].
    pub id: String,
}

impl Default for ToyOptions {
    fn default() -> Self {
        Self {
            id: "strategy_fusion".into(),
        }
    }
}

/// The id and the text of every built-in tree.
fn builtins() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = SOURCES.into_iter().flat_map(str::lines);
    lines.filter_map(|line| {
        let (_, rest) = line.split_once("\"id\": \"")?;
        Some((rest.split_once('"')?.0, line))
    })
}

impl TreeGame {
    /// The ids of the built-in trees, in the order of their file.
    pub fn builtin_ids() -> impl Iterator<Item = &'static str> {
        builtins().map(|(id, _)| id)
    }

    /// A built-in tree.
    ///
    /// # Errors
    /// When there is none of this id, naming the nearest.
    pub fn builtin(id: &str) -> Result<Self, PluginError> {
        match builtins().find(|(known, _)| *known == id) {
            Some((_, text)) => Self::from_json(text),
            None => Err(PluginError::new(format!(
                "unknown tree `{id}`{}",
                hint(id, Self::builtin_ids())
            ))),
        }
    }

    /// `p0:root`, the notation of an information set.
    fn name(&self, view: &ToyView) -> Option<String> {
        let Sight::ToMove(id) = view.sight else {
            return None;
        };
        let (player, label) = self.info_set(id)?;
        Some(format!("p{}:{label}", player.index()))
    }

    fn names(&self) -> Vec<String> {
        let sets = self.0.info_sets.iter();
        sets.map(|set| format!("p{}:{}", set.player.index(), set.label))
            .collect()
    }
}

impl Plugin for TreeGame {
    type Options = ToyOptions;
    type Determinizer = ToyWorlds;

    const NAME: &'static str = "toy";
    const ABOUT: &'static str = "little trees, one difficulty each: strategy_fusion, revealed_before_guess, non_locality, hidden_move_pennies, rare_move, maxn3_consecutive, general_sum, chance_choice, star_cut, all_lost, draw_or_win, forced_root, two_move";

    fn from_options(options: ToyOptions) -> Result<Self, PluginError> {
        Self::builtin(&options.id)
    }

    fn determinizer(&self) -> ToyWorlds {
        ToyWorlds
    }

    fn list_outcomes(&self) -> Option<ListOutcomes<Self>> {
        Some(Self::chance_outcomes)
    }

    fn sight(&self) -> Option<search_core::game::Sight<Self>> {
        Some(search_core::game::Sight::of_game())
    }

    fn knowledge(&self) -> Option<Knowledge<Self>> {
        Some(Knowledge::of_keys())
    }

    fn format_action(&self, action: ToyAction) -> String {
        self.label(action).into()
    }

    fn parse_action(&self, text: &str, legal: &[ToyAction]) -> Result<ToyAction, PluginError> {
        let found = self.action(text.trim()).filter(|a| legal.contains(a));
        found.ok_or_else(|| {
            let names: Vec<&str> = legal.iter().map(|a| self.label(*a)).collect();
            PluginError::new(format!(
                "`{}` is not a legal action here; legal: {}",
                text.trim(),
                names.join(", ")
            ))
        })
    }

    fn picture(&self, view: &ToyView) -> String {
        let me = view.player.index();
        match view.sight {
            Sight::ToMove(id) => {
                let label = self.info_set(id).map_or("?", |(_, label)| label);
                let mut text = format!("player {me} to move in {label}");
                let worlds = self.worlds(view);
                if let Some(Kind::Decision { moves, .. }) = worlds.first().map(|w| self.kind(w.0)) {
                    let names: Vec<&str> = moves.iter().map(|(a, _)| self.label(*a)).collect();
                    text.push_str(&format!(": {}", names.join(", ")));
                }
                if worlds.len() > 1 {
                    text.push_str(&format!(" ({} worlds possible)", worlds.len()));
                }
                text
            }
            Sight::Waiting { turn, memory } => {
                let turn = turn.map_or("chance".into(), |p| format!("player {}", p.index()));
                let last = memory.map_or(String::new(), |(_, action)| {
                    format!("; player {me} last played {}", self.label(action))
                });
                format!("{turn} to move{last}")
            }
            Sight::Over(state) => format!("over: {:?}", self.returns(&state)),
        }
    }

    fn format_observation(&self, view: &ToyView) -> Option<String> {
        self.name(view)
    }

    /// Reads `p0:root`, or `root` alone where one player has an information set of that label.
    fn parse_observation(&self, text: &str) -> Result<ToyView, PluginError> {
        let wanted = text.trim();
        let players = (0..self.num_players()).map(Player::new);
        let views: Vec<ToyView> = players
            .filter_map(|player| {
                let prefix = format!("p{}:", player.index());
                let label = wanted.strip_prefix(prefix.as_str());
                self.view(player, label.unwrap_or(wanted))
            })
            .collect();
        match views[..] {
            [view] => Ok(view),
            _ => Err(PluginError::new(format!(
                "`{wanted}` is not one information set of {}{}",
                self.id(),
                hint(wanted, self.names().iter().map(String::as_str))
            ))),
        }
    }

    fn positions(&self) -> Vec<(&'static str, String)> {
        let names = self.names();
        let first = names.first().cloned().map(|name| ("first decision", name));
        let last = names.last().cloned().map(|name| ("last decision", name));
        first.into_iter().chain(last).collect()
    }
}
