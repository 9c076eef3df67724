//! Bearing off by name: options and notation.

use search_core::game::{ChanceOutcomes, ListOutcomes, Player, Returns, Turn};
use search_core::observation::Identity;
use search_core::plugin::{Plugin, PluginError};
use search_core::policy::Evaluator;
use search_core::search::expectimax::DepthFirst;
use serde::{Deserialize, Serialize};

use super::{BearOff, BearOffMove, BearOffRoll, BearOffState};
use crate::text::Facts;
use search_core::game::Game;

/// The options of [`BearOff`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BearOffOptions {
    /// The points, 1 to 6.
    pub points: u32,
    /// Checkers a side, 1 to 15.
    pub checkers: u32,
}

impl Default for BearOffOptions {
    fn default() -> Self {
        Self {
            points: 3,
            checkers: 3,
        }
    }
}

/// The lead in pips as a share of what all checkers need at most; half a throw counts for the player to
/// throw (the mean throw is 8 1/6 pips).
struct Lead;

impl Evaluator<BearOff> for Lead {
    fn evaluate(&self, game: &BearOff, state: &BearOffState) -> Returns {
        let [first, second] = [0, 1].map(|side| f64::from(state.pips(side)));
        let throw = if state.mover == 0 { 4.0 } else { -4.0 };
        let most = f64::from(game.points) * f64::from(game.checkers);
        Returns::zero_sum(((second - first + throw) / most).clamp(-1.0, 1.0))
    }
}

fn list<T: ToString>(numbers: impl IntoIterator<Item = T>) -> String {
    let numbers: Vec<String> = numbers.into_iter().map(|n| n.to_string()).collect();
    numbers.join(",")
}

impl BearOff {
    fn text(&self, state: &BearOffState) -> String {
        let side = |side: usize| list(&state.checkers[side][..usize::from(self.points)]);
        let dice = list(state.dice());
        let dice = if dice.is_empty() {
            dice
        } else {
            format!(" dice={dice}")
        };
        format!(
            "checkers={}/{} player={}{dice}",
            side(0),
            side(1),
            state.mover
        )
    }
}

const KEYS: [&str; 3] = ["checkers", "player", "dice"];
const EXAMPLE: &str = "checkers=0,1,2/1,0,1 player=0 dice=1,3";

impl Plugin for BearOff {
    type Options = BearOffOptions;
    type Determinizer = Identity;

    const NAME: &'static str = "bearoff";
    const ABOUT: &'static str = "the end of backgammon: two dice, first to bear off all checkers";

    fn from_options(options: BearOffOptions) -> Result<Self, PluginError> {
        Self::new(options.points, options.checkers)
    }

    fn determinizer(&self) -> Identity {
        Identity
    }

    fn list_outcomes(&self) -> Option<ListOutcomes<Self>> {
        Some(Self::chance_outcomes)
    }

    /// `3-2`: the checker on point 3, by the 2.
    fn format_action(&self, action: BearOffMove) -> String {
        format!("{}-{}", action.point, action.pips)
    }

    fn describe_action(&self, _: &BearOffState, action: BearOffMove) -> Option<String> {
        Some(match action.point.checked_sub(action.pips) {
            Some(to) if to > 0 => format!("from point {} to point {to}", action.point),
            _ => format!("off from point {}", action.point),
        })
    }

    fn format_chance(&self, outcome: BearOffRoll) -> String {
        list(outcome.numbers())
    }

    fn win_probability(&self, value: f64) -> Option<f64> {
        Some(0.5 * (value + 1.0))
    }

    fn picture(&self, state: &BearOffState) -> String {
        let mut text = String::from("point     ");
        for point in 1..=self.points {
            text.push_str(&format!("{point:>3}"));
        }
        for side in 0..2 {
            let mark = if side == usize::from(state.mover) {
                '>'
            } else {
                ' '
            };
            text.push_str(&format!("\n{mark} player {side}"));
            for count in &state.checkers[side][..usize::from(self.points)] {
                text.push_str(&format!("{count:>3}"));
            }
        }
        let mover = state.mover;
        text.push_str(&match self.turn(state) {
            Turn::Terminal => format!("\nplayer {mover} has won"),
            Turn::Chance => format!("\nplayer {mover} throws"),
            Turn::Player(_) => format!("\nplayer {mover} has {} to play", list(state.dice())),
        });
        text
    }

    fn format_observation(&self, state: &BearOffState) -> Option<String> {
        Some(self.text(state))
    }

    fn parse_observation(&self, text: &str) -> Result<BearOffState, PluginError> {
        let facts = Facts::read(Self::NAME, text, &KEYS, EXAMPLE)?;
        let numbers = |key: &str, value: &str, end: u64| -> Result<Vec<u8>, PluginError> {
            let numbers = value.split(',');
            numbers
                .map(|n| facts.number_in(key, n, end).map(|n| n as u8))
                .collect()
        };
        let checkers = facts.need("checkers")?;
        let Some((first, second)) = checkers.split_once('/') else {
            return Err(facts.bad("checkers= should be the two sides with a `/` between"));
        };
        let most = u64::from(self.checkers) + 1;
        let first = numbers("checkers", first, most)?;
        let second = numbers("checkers", second, most)?;
        let dice = match facts.get("dice") {
            Some(dice) => numbers("dice", dice, 7)?,
            None => Vec::new(),
        };
        let player = facts.number("player", 2)? as usize;
        let state = self
            .position([&first, &second], player, &dice)
            .map_err(|error| facts.bad(&error.to_string()))?;
        if state.mover() != Player::new(player) {
            let winner = state.mover;
            return Err(facts.bad(&format!("player {winner} has won, so player={winner}")));
        }
        Ok(state)
    }

    fn positions(&self) -> Vec<(&'static str, String)> {
        let start = self.initial_state(&mut search_core::rng::SimRng::new(0));
        let mut thrown = start;
        self.apply_chance(&mut thrown, BearOffRoll(1, 2));
        vec![
            ("start", self.text(&start)),
            ("a low throw", self.text(&thrown)),
        ]
    }

    fn depth_first(&self) -> Option<DepthFirst<Self>> {
        let parts = DepthFirst::new(Lead).with_chance();
        Some(parts.with_key(|_, state: &BearOffState| {
            let counts = state.checkers.as_flattened().iter();
            let counts = counts.fold(u128::from(state.mover), |key, n| key << 4 | u128::from(*n));
            let dice = state.dice.pips.iter().chain(&state.dice.left);
            dice.fold(counts, |key, n| key << 3 | u128::from(*n))
        }))
    }

    fn public_actions(&self) -> bool {
        true
    }

    fn score_unit(&self) -> &'static str {
        "result per game (win 1, loss -1)"
    }
}
