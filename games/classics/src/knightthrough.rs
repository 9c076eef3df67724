//! Knightthrough on two bitboards: [`Knightthrough`].

use rand::Rng;
use search_core::game::{ChanceOutcomes, Game, InfoKey, ListOutcomes, Player, Returns, Turn};
use search_core::observation::Identity;
use search_core::plugin::{Plugin, PluginError};
use search_core::search::expectimax::{CutOff, DepthFirst};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::fmt;
use std::ops::RangeInclusive;

use crate::grid::{STRIDE, Size, Square, squares};
use crate::solve::InitialStates;
use crate::status::Status;

/// Breakthrough with knights: two rows of them a side, which jump forwards only and may capture where
/// they land. Whoever reaches the last row, or captures the last knight, has won: 1, the other -1.
///
/// A knight that is farthest ahead always has a move, so nobody is ever stuck. A game of the General
/// Game Playing competitions; with RAVE and GRAVE in Cazenave 2015.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Knightthrough {
    size: Size,
    board: u64,
    /// The row in which each player wins.
    goals: [u64; 2],
}

/// The options of [`Knightthrough`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KnightthroughOptions {
    /// Columns, 4 to 8: on fewer a knight may be stuck.
    pub width: usize,
    /// Rows, 4 to 8.
    pub height: usize,
}

impl Default for KnightthroughOptions {
    fn default() -> Self {
        Self {
            width: 8,
            height: 8,
        }
    }
}

/// The knights of both players and whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KnightthroughState {
    knights: [u64; 2],
    status: Status,
}

/// A knight's jump.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Jump {
    /// Where it starts.
    pub from: Square,
    /// Where it lands.
    pub to: Square,
}

impl Jump {
    const NOWHERE: Self = Self {
        from: Square::lowest(1),
        to: Square::lowest(1),
    };
}

/// The most jumps there are: four for each of two rows of eight knights.
const MAX_JUMPS: usize = 64;

/// `b2c4`.
impl fmt::Debug for Jump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}{:?}", self.from, self.to)
    }
}

const SIGNS: [char; 2] = ['w', 'b'];

/// Where a knight of a player on a square may land on a board of 8x8.
const JUMPS: [[u64; 64]; 2] = {
    let steps: [(i32, i32); 4] = [(-1, 2), (1, 2), (-2, 1), (2, 1)];
    let mut table = [[0; 64]; 2];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < steps.len() {
            let (dx, dy) = steps[i];
            let x = square % 8 + dx;
            let (up, down) = (square / 8 + dy, square / 8 - dy);
            if 0 <= x && x < 8 {
                if up < 8 {
                    table[0][square as usize] |= 1_u64 << (8 * up + x);
                }
                if down >= 0 {
                    table[1][square as usize] |= 1_u64 << (8 * down + x);
                }
            }
            i += 1;
        }
        square += 1;
    }
    table
};

impl KnightthroughState {
    /// The knights of one player (0 or 1), bit `8 * row + column`.
    #[must_use]
    pub const fn knights(&self, player: Player) -> u64 {
        self.knights[player.index() & 1]
    }
}

impl Default for Knightthrough {
    fn default() -> Self {
        Self::of_size(Size {
            width: 8,
            height: 8,
        })
    }
}

impl Knightthrough {
    /// A board of this size.
    ///
    /// # Errors
    /// When a side is not 4 to 8 squares long.
    pub fn new(width: usize, height: usize) -> Result<Self, PluginError> {
        if (4..=8).contains(&width) && (4..=8).contains(&height) {
            Ok(Self::of_size(Size { width, height }))
        } else {
            Err(PluginError(format!(
                "knightthrough(width={width}, height={height}): expected 4 to 8"
            )))
        }
    }

    const fn of_size(size: Size) -> Self {
        let bottom = (1 << size.width) - 1;
        Self {
            size,
            board: size.squares(),
            goals: [bottom << (STRIDE as usize * (size.height - 1)), bottom],
        }
    }

    const fn start(&self) -> KnightthroughState {
        let [top, bottom] = self.goals;
        KnightthroughState {
            knights: [bottom | bottom << STRIDE, top | top >> STRIDE],
            status: Status::FirstToMove,
        }
    }

    /// The status after `mover` has moved.
    const fn status(&self, knights: [u64; 2], mover: usize) -> Status {
        let won = knights[mover] & self.goals[mover] != 0 || knights[1 - mover] == 0;
        Status::after_move(mover, won, false)
    }

    fn sign(state: &KnightthroughState, square: Square) -> char {
        let owner = state.knights.iter().position(|k| k & square.bit() != 0);
        owner.map_or('.', |player| SIGNS[player])
    }
}

impl Game for Knightthrough {
    type State = KnightthroughState;
    type Action = Jump;
    type Chance = Infallible;
    type Observation = KnightthroughState;

    fn num_players(&self) -> usize {
        2
    }

    #[inline]
    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> KnightthroughState {
        self.start()
    }

    #[inline]
    fn turn(&self, state: &KnightthroughState) -> Turn {
        state.status.turn()
    }

    #[inline]
    fn legal_actions(&self, state: &KnightthroughState, out: &mut Vec<Jump>) {
        out.clear();
        if state.status.is_over() {
            return;
        }
        let mover = state.status.mover();
        let own = state.knights[mover];
        let open = self.board & !own;
        // Into a fixed place first: sixty jumps one by one into a list that may grow take longer.
        let (mut jumps, mut count) = ([Jump::NOWHERE; MAX_JUMPS], 0);
        for from in squares(own) {
            for to in squares(JUMPS[mover][from.index()] & open) {
                jumps[count % MAX_JUMPS] = Jump { from, to };
                count += 1;
            }
        }
        out.extend_from_slice(&jumps[..count]);
    }

    #[inline]
    fn apply(&self, state: &mut KnightthroughState, action: Jump) {
        let mover = state.status.mover();
        state.knights[mover] ^= action.from.bit() | action.to.bit();
        state.knights[1 - mover] &= !action.to.bit();
        state.status = self.status(state.knights, mover);
    }

    #[inline]
    fn returns(&self, state: &KnightthroughState) -> Returns {
        state.status.returns()
    }

    fn returns_sum(&self) -> Option<f64> {
        Some(0.0)
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        -1.0..=1.0
    }

    /// Every jump is at least one row forwards.
    fn max_turns(&self) -> u32 {
        (4 * self.size.width * (self.size.height - 1)) as u32
    }

    #[inline]
    fn observe(&self, state: &KnightthroughState, _: Player) -> KnightthroughState {
        *state
    }
}

impl ChanceOutcomes for Knightthrough {
    fn chance_outcomes(&self, _: &KnightthroughState, out: &mut Vec<(Infallible, f64)>) {
        out.clear();
    }
}

impl InfoKey for Knightthrough {
    type Key = KnightthroughState;
    fn info_key(&self, state: &KnightthroughState, _: Player) -> KnightthroughState {
        *state
    }
}

impl InitialStates for Knightthrough {
    fn initial_states(&self) -> Vec<(KnightthroughState, f64)> {
        vec![(self.start(), 1.0)]
    }
}

impl Plugin for Knightthrough {
    type Options = KnightthroughOptions;
    type Determinizer = Identity;

    const NAME: &'static str = "knightthrough";
    const ABOUT: &'static str = "knights that jump forwards only; the first on the last row wins";

    fn from_options(options: KnightthroughOptions) -> Result<Self, PluginError> {
        Self::new(options.width, options.height)
    }

    fn determinizer(&self) -> Identity {
        Identity
    }

    fn list_outcomes(&self) -> Option<ListOutcomes<Self>> {
        Some(Self::chance_outcomes)
    }

    fn picture(&self, state: &KnightthroughState) -> String {
        let board = self.size.picture(|square| Self::sign(state, square));
        format!("{board}   {} (w upwards)", state.status.describe(SIGNS))
    }

    /// The rows from the top and who is to move: `bbbb/bbbb/..../wwww/wwww w`.
    fn format_observation(&self, state: &KnightthroughState) -> Option<String> {
        let rows = self.size.rows(|square| Self::sign(state, square));
        // After the end it would be the loser's turn.
        let mover = match state.status {
            Status::FirstWon => 1,
            Status::SecondWon => 0,
            playing => playing.mover(),
        };
        Some(format!("{rows} {}", SIGNS[mover]))
    }

    fn parse_observation(&self, text: &str) -> Result<KnightthroughState, PluginError> {
        let bad = |what: String| {
            let start = self.start();
            PluginError(format!(
                "`{}` is not a knightthrough position: {what}; expected rows of w, b and . from the top and who is to move, say `{} w`",
                text.trim(),
                self.size.rows(|square| Self::sign(&start, square))
            ))
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let [rows, side] = words[..] else {
            return Err(bad(format!("{} words instead of two", words.len())));
        };
        let mover = match side.to_ascii_lowercase().as_str() {
            "w" => 0,
            "b" => 1,
            other => return Err(bad(format!("`{other}` is neither w nor b"))),
        };
        let [white, black, _] = self
            .size
            .read_rows(rows, ['w', 'b', '.'])
            .map_err(|error| bad(error.0))?;
        let knights = [white, black];
        let late = knights[mover] & self.goals[mover] != 0 || knights[1 - mover] == 0;
        if late || white.count_ones().max(black.count_ones()) as usize > 2 * self.size.width {
            return Err(bad("it cannot come about".into()));
        }
        let status = self.status(knights, 1 - mover);
        Ok(KnightthroughState { knights, status })
    }

    fn positions(&self) -> Vec<(&'static str, String)> {
        let start = self.format_observation(&self.start());
        start.map(|text| ("start", text)).into_iter().collect()
    }

    /// Nothing is known of a position before its end.
    fn depth_first(&self) -> Option<DepthFirst<Self>> {
        let parts = DepthFirst::new(CutOff);
        Some(parts.with_key(|_, state: &KnightthroughState| {
            // White's last row is empty before the end, and holds one knight after it: two say that
            // black is to move.
            let [white, black] = state.knights.map(u128::from);
            let black_moves = state.status == Status::SecondToMove;
            black << 64 | white | if black_moves { 0b11 << 62 } else { 0 }
        }))
    }

    fn public_actions(&self) -> bool {
        true
    }

    fn score_unit(&self) -> &'static str {
        "result per game (win 1, loss -1)"
    }
}
