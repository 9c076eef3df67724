//! Domineering on a bitboard: [`Domineering`].

use rand::Rng;
use search_core::game::{ChanceOutcomes, Game, InfoKey, ListOutcomes, Player, Returns, Turn};
use search_core::observation::Identity;
use search_core::plugin::{Plugin, PluginError};
use search_core::policy::Evaluator;
use search_core::search::expectimax::DepthFirst;
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::ops::RangeInclusive;

use crate::grid::{LAST_COLUMN, STRIDE, Size, Square, squares};
use crate::solve::InitialStates;
use crate::status::Status;

/// Dominoes on a board, the first player's upright, the second's lying. Whoever cannot place one has
/// lost. Returns are 1 and -1.
///
/// With RAVE and GRAVE in mind (Cazenave 2015): an action is the square of the left or lower half of a
/// domino, so that the same number always means the same domino of the same player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Domineering {
    size: Size,
}

/// The options of [`Domineering`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DomineeringOptions {
    /// Columns, 2 to 8.
    pub width: usize,
    /// Rows, 2 to 8.
    pub height: usize,
}

impl Default for DomineeringOptions {
    fn default() -> Self {
        Self {
            width: 8,
            height: 8,
        }
    }
}

/// The free squares and whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DomineeringState {
    free: u64,
    status: Status,
}

const SIDES: [char; 2] = ['v', 'h'];

/// The places for a domino of player `mover`.
#[inline]
const fn places(free: u64, mover: usize) -> u64 {
    if mover == 0 {
        free & (free >> STRIDE)
    } else {
        free & (free >> 1) & !LAST_COLUMN
    }
}

impl DomineeringState {
    /// The free squares, bit `8 * row + column`.
    #[must_use]
    pub const fn free(&self) -> u64 {
        self.free
    }

    /// A position with `mover` to move, over if `mover` has no place.
    const fn new(free: u64, mover: usize) -> Self {
        let stuck = places(free, mover) == 0;
        let status = Status::after_move(1 - mover, stuck, false);
        Self { free, status }
    }
}

impl Default for Domineering {
    fn default() -> Self {
        let size = Size {
            width: 8,
            height: 8,
        };
        Self { size }
    }
}

impl Domineering {
    /// A board of this size.
    ///
    /// # Errors
    /// When a side is not 2 to 8 squares long.
    pub fn new(width: usize, height: usize) -> Result<Self, PluginError> {
        if (2..=8).contains(&width) && (2..=8).contains(&height) {
            let size = Size { width, height };
            Ok(Self { size })
        } else {
            Err(PluginError(format!(
                "domineering(width={width}, height={height}): expected 2 to 8"
            )))
        }
    }
}

impl Game for Domineering {
    type State = DomineeringState;
    type Action = Square;
    type Chance = Infallible;
    type Observation = DomineeringState;

    fn num_players(&self) -> usize {
        2
    }

    #[inline]
    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> DomineeringState {
        DomineeringState::new(self.size.squares(), 0)
    }

    #[inline]
    fn turn(&self, state: &DomineeringState) -> Turn {
        state.status.turn()
    }

    #[inline]
    fn legal_actions(&self, state: &DomineeringState, out: &mut Vec<Square>) {
        out.clear();
        if !state.status.is_over() {
            out.extend(squares(places(state.free, state.status.mover())));
        }
    }

    #[inline]
    fn apply(&self, state: &mut DomineeringState, action: Square) {
        let (mover, half) = (state.status.mover(), action.bit());
        let step = if mover == 0 { STRIDE } else { 1 };
        *state = DomineeringState::new(state.free & !(half | half << step), 1 - mover);
    }

    #[inline]
    fn returns(&self, state: &DomineeringState) -> Returns {
        state.status.returns()
    }

    fn returns_sum(&self) -> Option<f64> {
        Some(0.0)
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        -1.0..=1.0
    }

    fn max_turns(&self) -> u32 {
        (self.size.width * self.size.height / 2) as u32
    }

    #[inline]
    fn observe(&self, state: &DomineeringState, _: Player) -> DomineeringState {
        *state
    }
}

impl ChanceOutcomes for Domineering {
    fn chance_outcomes(&self, _: &DomineeringState, out: &mut Vec<(Infallible, f64)>) {
        out.clear();
    }
}

impl InfoKey for Domineering {
    type Key = DomineeringState;
    fn info_key(&self, state: &DomineeringState, _: Player) -> DomineeringState {
        *state
    }
}

impl InitialStates for Domineering {
    fn initial_states(&self) -> Vec<(DomineeringState, f64)> {
        vec![(DomineeringState::new(self.size.squares(), 0), 1.0)]
    }
}

/// How many more places one player has than the other, as a share of all.
#[derive(Debug, Clone, Copy, Default)]
struct Mobility;

impl Evaluator<Domineering> for Mobility {
    fn evaluate(&self, _: &Domineering, state: &DomineeringState) -> Returns {
        if state.status.is_over() {
            return state.status.returns();
        }
        let [v, h] = [0, 1].map(|player| f64::from(places(state.free, player).count_ones()));
        Returns::zero_sum((v - h) / (v + h + 1.0))
    }
}

impl Plugin for Domineering {
    type Options = DomineeringOptions;
    type Determinizer = Identity;

    const NAME: &'static str = "domineering";
    const ABOUT: &'static str =
        "upright dominoes against lying ones; who cannot place one has lost";

    fn from_options(options: DomineeringOptions) -> Result<Self, PluginError> {
        Self::new(options.width, options.height)
    }

    fn determinizer(&self) -> Identity {
        Identity
    }

    fn list_outcomes(&self) -> Option<ListOutcomes<Self>> {
        Some(Self::chance_outcomes)
    }

    fn picture(&self, state: &DomineeringState) -> String {
        let board = self.size.picture(|s| sign(state.free, s));
        let status = state.status.describe(SIDES);
        format!("{board}   {status} (v upright, h lying)")
    }

    /// The rows from the top, `#` where a square is covered, and who is to move: `../#./#. h`.
    fn format_observation(&self, state: &DomineeringState) -> Option<String> {
        let rows = self.size.rows(|s| sign(state.free, s));
        // Who has won is whoever was not stuck.
        let mover = match state.status {
            Status::FirstWon => 1,
            Status::SecondWon => 0,
            playing => playing.mover(),
        };
        Some(format!("{rows} {}", SIDES[mover]))
    }

    fn parse_observation(&self, text: &str) -> Result<DomineeringState, PluginError> {
        let bad = |what: String| {
            let start = self.size.rows(|_| '.');
            PluginError(format!(
                "`{}` is not a domineering position: {what}; expected rows of . and # from the top and who is to move, say `{start} v`",
                text.trim()
            ))
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let [rows, side] = words[..] else {
            return Err(bad(format!("{} words instead of two", words.len())));
        };
        let mover = match side.to_ascii_lowercase().as_str() {
            "v" => 0,
            "h" => 1,
            other => return Err(bad(format!("`{other}` is neither v nor h"))),
        };
        let [free, _] = self
            .size
            .read_rows(rows, ['.', '#'])
            .map_err(|error| bad(error.0))?;
        Ok(DomineeringState::new(free, mover))
    }

    fn positions(&self) -> Vec<(&'static str, String)> {
        vec![("start", format!("{} v", self.size.rows(|_| '.')))]
    }

    fn depth_first(&self) -> Option<DepthFirst<Self>> {
        let parts = DepthFirst::new(Mobility);
        Some(parts.with_key(|_, state: &DomineeringState| {
            u128::from(state.free) << 8 | u128::from(state.status as u8)
        }))
    }

    fn public_actions(&self) -> bool {
        true
    }

    fn score_unit(&self) -> &'static str {
        "result per game (win 1, loss -1)"
    }
}

fn sign(free: u64, square: Square) -> char {
    if free & square.bit() == 0 { '#' } else { '.' }
}
