//! Connect four, 7x6, on two bitboards: [`ConnectFour`].
//!
//! Built for playouts: the outcome is part of the state, legal columns come from a table of eight
//! bytes, and a win is looked for among the stones of the player who has just moved.

mod agent;
mod evaluation;
mod text;

use rand::Rng;
use search_core::expr::{ExprError, Settings};
use search_core::game::{ChanceOutcomes, Game, InfoKey, ListOutcomes, Player, Returns, Turn};
use search_core::observation::Identity;
use search_core::plugin::{NoOptions, Plugin, PluginError, SharedPolicy};
use search_core::search::expectimax::DepthFirst;
use std::convert::Infallible;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::solve::InitialStates;
use crate::status::Status;

/// Columns of the board.
pub const COLUMNS: usize = 7;
/// Rows of the board.
pub const ROWS: usize = 6;
/// Bits a column takes: its rows and an empty one above, so that lines do not wrap.
pub(crate) const STRIDE: usize = ROWS + 1;

/// Four in a row on a 7x6 board into which stones fall. Returns are 1, 0 and -1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ConnectFour;

/// The stones and whose turn it is. Bit `7 * column + row` is a stone, row 0 at the bottom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Position {
    /// The stones of the player whose move it is or, after the end, would be. Not a pair of boards
    /// indexed by player: where the next stone goes must not wait for whose turn it is, which
    /// waits for whether somebody has won.
    own: u64,
    all: u64,
    status: Status,
}

/// A column, 0 to 6 from the left; written 1 to 7.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Column(u8);

/// The bottom cell of every column.
pub(crate) const BOTTOM: u64 = {
    let mut mask = 0;
    let mut column = 0;
    while column < COLUMNS {
        mask |= 1 << (STRIDE * column);
        column += 1;
    }
    mask
};
/// The top cell of every column.
pub(crate) const TOP: u64 = BOTTOM << (ROWS - 1);
/// Every cell.
pub(crate) const FULL: u64 = BOTTOM * ((1 << ROWS) - 1);

/// The open columns, in order, for every set of open columns; what follows them is not used.
const OPEN: [[Column; 8]; 1 << COLUMNS] = {
    let mut table = [[Column(0); 8]; 1 << COLUMNS];
    let mut set = 0;
    while set < table.len() {
        let (mut column, mut count) = (0, 0);
        while column < COLUMNS {
            if set >> column & 1 == 1 {
                table[set][count] = Column(column as u8);
                count += 1;
            }
            column += 1;
        }
        set += 1;
    }
    table
};

/// Gathers bits 0, 7, 14, … 42 into bits 42 to 48: the seven partial products that meet there
/// are the only ones that do, so nothing carries.
const GATHER: u64 = {
    let mut factor = 0;
    let mut i = 1;
    while i <= COLUMNS {
        factor |= 1 << (6 * i);
        i += 1;
    }
    factor
};

/// Whether these stones hold four in a row.
#[inline]
#[must_use]
pub(crate) const fn has_four(stones: u64) -> bool {
    let vertical = stones & (stones >> 1);
    let horizontal = stones & (stones >> STRIDE);
    let falling = stones & (stones >> (STRIDE - 1));
    let rising = stones & (stones >> (STRIDE + 1));
    (vertical & (vertical >> 2))
        | (horizontal & (horizontal >> (2 * STRIDE)))
        | (falling & (falling >> (2 * (STRIDE - 1))))
        | (rising & (rising >> (2 * (STRIDE + 1))))
        != 0
}

impl Column {
    /// The column with this index, 0 to 6 from the left.
    #[must_use]
    pub const fn new(index: usize) -> Option<Self> {
        if index < COLUMNS {
            Some(Self(index as u8))
        } else {
            None
        }
    }

    /// The index, 0 to 6 from the left.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// `1` to `7`.
impl fmt::Debug for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

impl Position {
    /// The stones of one player (0 or 1), bit `7 * column + row`.
    #[inline]
    #[must_use]
    pub const fn stones(&self, player: Player) -> u64 {
        if player.index() as u32 == self.plies() % 2 {
            self.own
        } else {
            self.other()
        }
    }

    /// How many stones are on the board.
    #[inline]
    #[must_use]
    pub const fn plies(&self) -> u32 {
        self.all.count_ones()
    }

    /// Whether a column has room, in a game that is not over.
    #[inline]
    #[must_use]
    pub const fn is_legal(&self, column: Column) -> bool {
        !self.status.is_over() && self.all >> (STRIDE * column.index() + ROWS - 1) & 1 == 0
    }

    /// The stones of the player whose move it is not.
    #[inline]
    pub(crate) const fn other(&self) -> u64 {
        self.own ^ self.all
    }

    /// The stones of the player whose move it is, and all stones.
    #[inline]
    pub(crate) const fn boards(&self) -> (u64, u64) {
        (self.own, self.all)
    }

    #[inline]
    pub(crate) const fn is_over(&self) -> bool {
        self.status.is_over()
    }

    /// Drops a stone of the player to move.
    #[inline]
    pub(crate) const fn drop_stone(&mut self, column: Column) {
        // Adding one at the bottom of a column carries to its first empty cell.
        let cell = (self.all + (1 << (STRIDE * column.index()))) & !self.all;
        let stones = self.own | cell;
        self.own = self.other();
        self.all |= cell;
        let full = self.all == FULL;
        self.status = Status::after_move(self.status.mover(), has_four(stones), full);
    }
}

impl Game for ConnectFour {
    type State = Position;
    type Action = Column;
    type Chance = Infallible;
    type Observation = Position;

    fn num_players(&self) -> usize {
        2
    }

    #[inline]
    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> Position {
        Position::default()
    }

    #[inline]
    fn turn(&self, position: &Position) -> Turn {
        position.status.turn()
    }

    #[inline]
    fn legal_actions(&self, position: &Position, out: &mut Vec<Column>) {
        out.clear();
        if position.status.is_over() {
            return;
        }
        let open = (!position.all & TOP) >> (ROWS - 1);
        let set = (open.wrapping_mul(GATHER) >> (STRIDE * (COLUMNS - 1))) as usize & 0x7F;
        // Always eight bytes, one store; then the length alone depends on the position.
        out.extend_from_slice(&OPEN[set]);
        out.truncate(set.count_ones() as usize);
    }

    #[inline]
    fn apply(&self, position: &mut Position, action: Column) {
        position.drop_stone(action);
    }

    #[inline]
    fn returns(&self, position: &Position) -> Returns {
        position.status.returns()
    }

    fn returns_sum(&self) -> Option<f64> {
        Some(0.0)
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        -1.0..=1.0
    }

    fn max_turns(&self) -> u32 {
        (COLUMNS * ROWS) as u32
    }

    #[inline]
    fn observe(&self, position: &Position, _: Player) -> Position {
        *position
    }
}

impl ChanceOutcomes for ConnectFour {
    fn chance_outcomes(&self, _: &Position, out: &mut Vec<(Infallible, f64)>) {
        out.clear();
    }
}

impl InfoKey for ConnectFour {
    type Key = Position;
    fn info_key(&self, position: &Position, _: Player) -> Position {
        *position
    }
}

impl InitialStates for ConnectFour {
    fn initial_states(&self) -> Vec<(Position, f64)> {
        vec![(Position::default(), 1.0)]
    }
}

impl Plugin for ConnectFour {
    type Options = NoOptions;
    type Determinizer = Identity;

    const NAME: &'static str = "connect-four";
    const ABOUT: &'static str = "four in a row on a 7x6 board into which stones fall";

    fn from_options(_: NoOptions) -> Result<Self, PluginError> {
        Ok(Self)
    }

    fn determinizer(&self) -> Identity {
        Identity
    }

    fn list_outcomes(&self) -> Option<ListOutcomes<Self>> {
        Some(Self::chance_outcomes)
    }

    fn picture(&self, position: &Position) -> String {
        text::picture(position)
    }

    /// The columns played, `4453`. The order in which the stones came is not part of a position,
    /// so a text that reads back to the same position may name another order.
    fn format_observation(&self, position: &Position) -> Option<String> {
        Some(position.to_string())
    }

    fn parse_observation(&self, text: &str) -> Result<Position, PluginError> {
        text.parse()
    }

    fn positions(&self) -> Vec<(&'static str, String)> {
        vec![
            ("start", String::new()),
            ("a double threat wins", "4433".into()),
            ("only 2 wins", "55117162247355".into()),
            ("only 4 draws", "51745753452254".into()),
        ]
    }

    fn agents(&self) -> Vec<(&'static str, &'static str)> {
        vec![(
            "easy",
            "wins or blocks at once when it can, otherwise random with a liking for the centre",
        )]
    }

    fn agent(
        &self,
        name: &str,
        _: &mut Settings<'_>,
    ) -> Result<Option<SharedPolicy<Self>>, ExprError> {
        Ok((name == "easy").then(|| Arc::new(agent::Easy) as SharedPolicy<Self>))
    }

    fn depth_first(&self) -> Option<DepthFirst<Self>> {
        Some(
            DepthFirst::new(evaluation::Threats).with_key(|_, position: &Position| {
                u128::from(position.own) << 64 | u128::from(position.all)
            }),
        )
    }

    fn public_actions(&self) -> bool {
        true
    }

    fn score_unit(&self) -> &'static str {
        "result per game (win 1, draw 0, loss -1)"
    }
}
