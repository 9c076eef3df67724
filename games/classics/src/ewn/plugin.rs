//! EinStein würfelt nicht by name: options, notation, and the agent that knows the answer.

use search_core::expr::{ExprError, Settings};
use search_core::game::{ChanceOutcomes, ListOutcomes, Player, Returns};
use search_core::observation::Identity;
use search_core::plugin::{Plugin, PluginError, SharedPolicy};
use search_core::policy::{Evaluator, Policy};
use search_core::rng::SimRng;
use search_core::search::expectimax::DepthFirst;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, PoisonError};

use super::{Ewn, EwnAction, EwnState, EwnThrow, GONE, Stage};
use crate::solve::EwnSolution;
use crate::text::Facts;

/// The options of [`Ewn`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EwnOptions {
    /// Cells in a row, 3 to 8.
    pub size: u32,
    /// Stones a side and sides of the die: 1, 3 or 6.
    pub stones: u32,
    /// Whether the numbers stand in random order at the start, or in reading order.
    pub shuffled: bool,
}

impl Default for EwnOptions {
    fn default() -> Self {
        Self {
            size: 5,
            stones: 6,
            shuffled: true,
        }
    }
}

/// How much nearer the goal the stones are that a throw can move: the mean over the throws of the
/// distance (in diagonal steps at best) of the nearer candidate, the other's less the own, as a share of
/// the board. Half a step counts for the throw.
struct Race;

impl Race {
    fn distance(game: Ewn, state: &EwnState, side: usize) -> f64 {
        let n = game.size;
        let away = |stone: u8| {
            let cell = state.cells[side][usize::from(stone)];
            let (row, column) = (cell / n, cell % n);
            if side == 0 {
                (n - 1 - row).max(n - 1 - column)
            } else {
                row.max(column)
            }
        };
        let nearest = |die| {
            let candidates = game.candidates(&state.cells[side], die);
            candidates.into_iter().flatten().map(away).min()
        };
        let sum: u32 = (0..game.stones)
            .map(|die| u32::from(nearest(die).unwrap_or(n)))
            .sum();
        f64::from(sum) / f64::from(game.stones)
    }
}

impl Evaluator<Ewn> for Race {
    fn evaluate(&self, game: &Ewn, state: &EwnState) -> Returns {
        let [first, second] = [0, 1].map(|side| Self::distance(*game, state, side));
        let throw = if state.mover == 0 { 0.5 } else { -0.5 };
        let lead = (second - first + throw) / f64::from(game.size);
        Returns::zero_sum(lead.clamp(-1.0, 1.0))
    }
}

/// Maximises the probability of winning, by the full solution; the first of equals.
struct Optimal(Mutex<EwnSolution>);

impl Policy<Ewn> for Optimal {
    fn choose(&self, _: &Ewn, state: &EwnState, legal: &[EwnAction], _: &mut SimRng) -> EwnAction {
        let mut solution = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let values = solution.action_values(state);
        let mut best = (legal[0], f64::NEG_INFINITY);
        for (action, value) in values {
            if value > best.1 && legal.contains(&action) {
                best = (action, value);
            }
        }
        best.0
    }
}

/// Column letter from the left, row from the bottom.
fn cell_name(size: u8, cell: u8) -> String {
    let column = char::from(b'a' + cell % size);
    format!("{column}{}", size - cell / size)
}

fn read_cell(size: u8, name: &str) -> Option<u8> {
    let mut letters = name.chars();
    let column = (letters.next()? as u32).checked_sub('a'.into())?;
    let row: u32 = letters.as_str().parse().ok()?;
    let n = u32::from(size);
    (column < n && (1..=n).contains(&row)).then(|| ((n - row) * n + column) as u8)
}

const KEYS: [&str; 4] = ["first", "second", "player", "die"];
const EXAMPLE: &str = "first=a5,b5,c5,a4,b4,a3 second=e1,d1,c1,e2,d2,e3 player=0 die=3";

impl Ewn {
    fn text(&self, state: &EwnState) -> String {
        let list = |side: usize| {
            let cells = &state.cells[side][..usize::from(self.stones)];
            let names = cells.iter().map(|cell| match *cell {
                GONE => "-".into(),
                cell => cell_name(self.size, cell),
            });
            names.collect::<Vec<String>>().join(",")
        };
        let die = state
            .die()
            .map_or(String::new(), |die| format!(" die={die}"));
        format!(
            "first={} second={} player={}{die}",
            list(0),
            list(1),
            state.mover
        )
    }
}

impl Plugin for Ewn {
    type Options = EwnOptions;
    type Determinizer = Identity;

    const NAME: &'static str = "ewn";
    const ABOUT: &'static str =
        "EinStein würfelt nicht: a die names the stone, first to the far corner wins";

    fn from_options(options: EwnOptions) -> Result<Self, PluginError> {
        Self::new(options.size, options.stones, options.shuffled)
    }

    fn determinizer(&self) -> Identity {
        Identity
    }

    fn list_outcomes(&self) -> Option<ListOutcomes<Self>> {
        Some(Self::chance_outcomes)
    }

    /// `2-c4`: stone 2 goes to c4.
    fn format_action(&self, action: EwnAction) -> String {
        format!("{}-{}", action.stone(), cell_name(self.size, action.to))
    }

    fn format_chance(&self, outcome: EwnThrow) -> String {
        outcome.number().to_string()
    }

    fn win_probability(&self, value: f64) -> Option<f64> {
        Some(0.5 * (value + 1.0))
    }

    /// Side 0 has plain numbers, side 1 primed ones.
    fn picture(&self, state: &EwnState) -> String {
        let mut text = String::new();
        for row in 0..self.size {
            text.push_str(&format!("{} ", self.size - row));
            for column in 0..self.size {
                let cell = row * self.size + column;
                let find = |side: usize| state.cells[side].iter().position(|c| *c == cell);
                text.push_str(&match (find(0), find(1)) {
                    (Some(stone), _) => format!(" {} ", stone + 1),
                    (_, Some(stone)) => format!(" {}'", stone + 1),
                    _ => " . ".into(),
                });
            }
            text.push('\n');
        }
        text.push_str("  ");
        for column in 0..self.size {
            text.push_str(&format!(" {} ", char::from(b'a' + column)));
        }
        let mark = if state.mover == 0 { "" } else { "'" };
        let mover = format!("player {} (stones 1{mark}, 2{mark}, …)", state.mover);
        text.push_str(&match state.stage {
            Stage::Roll => format!("  {mover} throws"),
            Stage::Move(die) => format!("  {mover} threw {} and is to move", die + 1),
            Stage::Over => format!("  {mover} has won"),
        });
        text
    }

    fn format_observation(&self, state: &EwnState) -> Option<String> {
        Some(self.text(state))
    }

    fn parse_observation(&self, text: &str) -> Result<EwnState, PluginError> {
        let facts = Facts::read(Self::NAME, text, &KEYS, EXAMPLE)?;
        let mut sides = [Vec::new(), Vec::new()];
        for (side, key) in sides.iter_mut().zip(["first", "second"]) {
            for name in facts.need(key)?.split(',') {
                let cell = match name {
                    "-" => None,
                    _ => Some(read_cell(self.size, name).ok_or_else(|| {
                        facts.bad(&format!("{key}: `{name}` is not a cell of the board"))
                    })?),
                };
                side.push(cell);
            }
        }
        let player = facts.number("player", 2)? as usize;
        let die = match facts.get("die") {
            Some(_) => Some(facts.number("die", u64::from(self.stones) + 1)? as u8),
            None => None,
        };
        let state = self
            .position([&sides[0], &sides[1]], player, die)
            .map_err(|error| facts.bad(&error.to_string()))?;
        if state.stage == Stage::Over && state.mover() != Player::new(player) {
            let winner = state.mover;
            return Err(facts.bad(&format!("player {winner} has won, so player={winner}")));
        }
        Ok(state)
    }

    fn positions(&self) -> Vec<(&'static str, String)> {
        let mut state = EwnState {
            cells: [0, 1].map(|side| self.home(side)),
            mover: 0,
            stage: Stage::Roll,
        };
        let start = self.text(&state);
        state.stage = Stage::Move(self.stones / 2);
        vec![("start", start), ("first move", self.text(&state))]
    }

    fn agents(&self) -> Vec<(&'static str, &'static str)> {
        if EwnSolution::fits(*self) {
            vec![(
                "optimal",
                "maximises the probability of winning, by the full solution",
            )]
        } else {
            Vec::new()
        }
    }

    fn agent(
        &self,
        name: &str,
        _: &mut Settings<'_>,
    ) -> Result<Option<SharedPolicy<Self>>, ExprError> {
        let solution = (name == "optimal")
            .then(|| EwnSolution::new(*self))
            .flatten();
        Ok(solution.map(|solution| Arc::new(Optimal(Mutex::new(solution))) as SharedPolicy<Self>))
    }

    fn depth_first(&self) -> Option<DepthFirst<Self>> {
        let parts = DepthFirst::new(Race).with_chance();
        Some(parts.with_key(|_, state: &EwnState| {
            let stage = match state.stage {
                Stage::Roll => 0,
                Stage::Move(die) => u128::from(die) + 1,
                Stage::Over => 15,
            };
            let cells = state.cells.as_flattened().iter();
            // Cells are below 64, and 127 stands for a stone that is gone.
            cells.fold(stage << 1 | u128::from(state.mover), |key, cell| {
                key << 7 | u128::from(cell & 127)
            })
        }))
    }

    fn public_actions(&self) -> bool {
        true
    }

    fn score_unit(&self) -> &'static str {
        "result per game (win 1, loss -1)"
    }
}
