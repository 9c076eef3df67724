//! Tic-tac-toe on two bitboards: [`TicTacToe`].

use rand::Rng;
use search_core::expr::{ExprError, Settings};
use search_core::game::{ChanceOutcomes, Game, InfoKey, ListOutcomes, Player, Returns, Turn};
use search_core::observation::Identity;
use search_core::plugin::{NoOptions, Plugin, PluginError, SharedPolicy};
use search_core::policy::Policy;
use search_core::rng::{Draw, SimRng};
use search_core::search::expectimax::{CutOff, DepthFirst};
use std::convert::Infallible;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::solve::{BackwardInduction, InitialStates};
use crate::status::Status;

/// Noughts and crosses: three in a row on a 3x3 board. Returns are 1, 0 and -1; x moves first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TicTacToe;

/// The board and whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Board {
    marks: [u16; 2],
    status: Status,
}

/// A cell, 0 to 8 in reading order: `a3 b3 c3` in the top row, `a1 b1 c1` in the bottom row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

const FULL: u16 = 0b1_1111_1111;
const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];
const SIGNS: [char; 2] = ['x', 'o'];

/// Bit `m` is set when the marks `m` hold a line: one load instead of eight comparisons.
const WON: [u64; 8] = {
    let mut table = [0; 8];
    let mut marks = 0_u16;
    while marks <= FULL {
        let mut line = 0;
        while line < LINES.len() {
            if marks & LINES[line] == LINES[line] {
                table[(marks >> 6) as usize] |= 1 << (marks & 63);
            }
            line += 1;
        }
        marks += 1;
    }
    table
};

#[inline]
const fn won(marks: u16) -> bool {
    WON[(marks >> 6) as usize & 7] >> (marks & 63) & 1 == 1
}

impl Cell {
    /// The cell with this index, 0 to 8 in reading order.
    #[must_use]
    pub const fn new(index: usize) -> Option<Self> {
        if index < 9 {
            Some(Self(index as u8))
        } else {
            None
        }
    }

    /// The index, 0 to 8 in reading order.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (row, column) = (self.0 / 3, self.0 % 3);
        write!(f, "{}{}", char::from(b'a' + column), 3 - row)
    }
}

impl Board {
    /// The mark in a cell: the player who put it there.
    #[must_use]
    pub fn mark(&self, cell: Cell) -> Option<Player> {
        let bit = 1 << cell.0;
        let owner = self.marks.iter().position(|m| m & bit != 0)?;
        Some(Player::new(owner))
    }

    /// How many marks are on the board.
    #[must_use]
    pub const fn plies(&self) -> u32 {
        (self.marks[0] | self.marks[1]).count_ones()
    }
}

/// `xo./.x./..o`: three rows from the top.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for index in 0..9 {
            if index == 3 || index == 6 {
                f.write_str("/")?;
            }
            let sign = self
                .mark(Cell(index))
                .map_or('.', |player| SIGNS[player.index()]);
            write!(f, "{sign}")?;
        }
        Ok(())
    }
}

impl std::str::FromStr for Board {
    type Err = PluginError;

    fn from_str(text: &str) -> Result<Self, PluginError> {
        let bad = |what: String| {
            PluginError::new(format!(
                "`{}` is not a tic-tac-toe position: {what}; expected nine of x, o and . with / between rows, say x.o/.x./..o",
                text.trim()
            ))
        };
        let mut marks = [0_u16; 2];
        let mut cells = 0;
        for (at, c) in text.trim().chars().enumerate() {
            if c == '/' && (cells == 3 || cells == 6) {
                continue;
            }
            if cells == 9 {
                return Err(bad("more than nine cells".into()));
            }
            match c.to_ascii_lowercase() {
                'x' => marks[0] |= 1 << cells,
                'o' => marks[1] |= 1 << cells,
                '.' => {}
                other => return Err(bad(format!("`{other}` at character {}", at + 1))),
            }
            cells += 1;
        }
        if cells < 9 {
            return Err(bad(format!("{cells} cells instead of nine")));
        }
        let [x, o] = marks.map(u16::count_ones);
        let mover = match x.wrapping_sub(o) {
            0 => 0,
            1 => 1,
            _ => return Err(bad(format!("{x} x and {o} o cannot come about in turn"))),
        };
        let wins = marks.map(won);
        if wins[mover] {
            let late = SIGNS[1 - mover];
            return Err(bad(format!("{late} has moved after the game was over")));
        }
        let full = marks[0] | marks[1] == FULL;
        Ok(Self {
            marks,
            status: Status::after_move(1 - mover, wins[1 - mover], full),
        })
    }
}

impl Game for TicTacToe {
    type State = Board;
    type Action = Cell;
    type Chance = Infallible;
    type Observation = Board;

    fn num_players(&self) -> usize {
        2
    }

    #[inline]
    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> Board {
        Board::default()
    }

    #[inline]
    fn turn(&self, board: &Board) -> Turn {
        board.status.turn()
    }

    #[inline]
    fn legal_actions(&self, board: &Board, out: &mut Vec<Cell>) {
        out.clear();
        if board.status.is_over() {
            return;
        }
        let mut free = !(board.marks[0] | board.marks[1]) & FULL;
        while free != 0 {
            out.push(Cell(free.trailing_zeros() as u8));
            free &= free - 1;
        }
    }

    #[inline]
    fn apply(&self, board: &mut Board, action: Cell) {
        let mover = board.status.mover();
        board.marks[mover] |= 1 << action.0;
        let full = board.marks[0] | board.marks[1] == FULL;
        board.status = Status::after_move(mover, won(board.marks[mover]), full);
    }

    #[inline]
    fn returns(&self, board: &Board) -> Returns {
        board.status.returns()
    }

    fn returns_sum(&self) -> Option<f64> {
        Some(0.0)
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        -1.0..=1.0
    }

    fn max_turns(&self) -> u32 {
        9
    }

    fn observe(&self, board: &Board, _: Player) -> Board {
        *board
    }
}

impl ChanceOutcomes for TicTacToe {
    fn chance_outcomes(&self, _: &Board, out: &mut Vec<(Infallible, f64)>) {
        out.clear();
    }
}

impl InfoKey for TicTacToe {
    type Key = Board;
    fn info_key(&self, board: &Board, _: Player) -> Board {
        *board
    }
}

impl InitialStates for TicTacToe {
    fn initial_states(&self) -> Vec<(Board, f64)> {
        vec![(Board::default(), 1.0)]
    }
}

/// Plays a random one of the moves that are best by the full solution.
struct Perfect;

impl Policy<TicTacToe> for Perfect {
    fn choose(&self, game: &TicTacToe, board: &Board, legal: &[Cell], rng: &mut SimRng) -> Cell {
        let mut solver = BackwardInduction::new(game);
        let values = solver.action_values(board);
        let player = Player::new(board.status.mover());
        let best = values
            .iter()
            .map(|(_, v)| v.of(player))
            .fold(f64::NEG_INFINITY, f64::max);
        let good: Vec<Cell> = values
            .iter()
            .filter(|(_, v)| v.of(player) == best)
            .map(|(a, _)| *a)
            .collect();
        rng.pick(&good).unwrap_or(legal[0])
    }
}

impl Plugin for TicTacToe {
    type Options = NoOptions;
    type Determinizer = Identity;

    const NAME: &'static str = "tic-tac-toe";
    const ABOUT: &'static str = "three in a row on a 3x3 board; a draw between good players";

    fn from_options(_: NoOptions) -> Result<Self, PluginError> {
        Ok(Self)
    }

    fn determinizer(&self) -> Identity {
        Identity
    }

    fn list_outcomes(&self) -> Option<ListOutcomes<Self>> {
        Some(Self::chance_outcomes)
    }

    /// Reads `b2` and also the cell's number in reading order, 1 to 9.
    fn parse_action(&self, text: &str, legal: &[Cell]) -> Result<Cell, PluginError> {
        let wanted = text.trim().to_ascii_lowercase();
        let found = legal
            .iter()
            .find(|cell| format!("{cell:?}") == wanted || (cell.0 + 1).to_string() == wanted);
        found.copied().ok_or_else(|| {
            let names: Vec<String> = legal.iter().map(|cell| format!("{cell:?}")).collect();
            PluginError::new(format!(
                "`{wanted}` is not a free cell; free: {} (or their numbers, 1 to 9 in reading order)",
                names.join(", ")
            ))
        })
    }

    fn picture(&self, board: &Board) -> String {
        let mut text = String::new();
        for row in 0..3_u8 {
            text.push_str(&format!("{} ", 3 - row));
            for column in 0..3 {
                let mark = board.mark(Cell(3 * row + column));
                let sign = mark.map_or('.', |player| SIGNS[player.index()]);
                text.push_str(&format!(" {sign}"));
            }
            text.push('\n');
        }
        text.push_str(&format!("   a b c   {}", board.status.describe(SIGNS)));
        text
    }

    fn format_observation(&self, board: &Board) -> Option<String> {
        Some(board.to_string())
    }

    fn parse_observation(&self, text: &str) -> Result<Board, PluginError> {
        text.parse()
    }

    fn positions(&self) -> Vec<(&'static str, String)> {
        vec![
            ("start", ".../.../...".into()),
            ("only corners hold", "o../.x./..x".into()),
            ("only c3 wins", ".x./.../..o".into()),
        ]
    }

    fn agents(&self) -> Vec<(&'static str, &'static str)> {
        vec![("perfect", "never loses: a random one of the best moves")]
    }

    fn agent(
        &self,
        name: &str,
        _: &mut Settings<'_>,
    ) -> Result<Option<SharedPolicy<Self>>, ExprError> {
        Ok((name == "perfect").then(|| Arc::new(Perfect) as SharedPolicy<Self>))
    }

    /// Nothing is known of a position before its end: nine turns settle it.
    fn depth_first(&self) -> Option<DepthFirst<Self>> {
        Some(DepthFirst::new(CutOff).with_key(|_, board: &Board| {
            let [x, o] = board.marks.map(u128::from);
            x << 9 | o
        }))
    }

    fn public_actions(&self) -> bool {
        true
    }

    fn score_unit(&self) -> &'static str {
        "result per game (win 1, draw 0, loss -1)"
    }
}
