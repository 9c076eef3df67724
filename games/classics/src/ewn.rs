//! EinStein würfelt nicht: [`Ewn`] (Althöfer 2004).

mod plugin;

pub use plugin::EwnOptions;

use rand::Rng;
use search_core::game::{ChanceOutcomes, Game, InfoKey, Player, Returns, Turn};
use search_core::plugin::PluginError;
use search_core::rng::Draw;
use std::ops::RangeInclusive;

use crate::solve::InitialStates;

/// The most stones a side can have.
pub const MAX_STONES: usize = 6;
/// The cell of a stone that has been removed.
const GONE: u8 = u8::MAX;

/// Two sides race numbered stones across a square board, and a die says which stone must move.
///
/// Side 0 starts in the top left corner and steps right, down or diagonally between them; side 1 is
/// the mirror. Any stone on the target cell, own or other, is removed. When the stone of the number
/// thrown is gone, the nearest lower or the nearest higher one that is left moves, at choice. A side
/// wins by reaching the far corner or when the other has no stone left.
///
/// Cells are numbered row by row from 0 at the top left. The line-up belongs to
/// [`Game::initial_state`]: each side's numbers in random order, unless the game is made without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ewn {
    size: u8,
    stones: u8,
    shuffled: bool,
}

impl Default for Ewn {
    /// The standard game: 5x5, six stones, a six-sided die.
    fn default() -> Self {
        Self {
            size: 5,
            stones: 6,
            shuffled: true,
        }
    }
}

/// Where the stones are, whose turn it is, and what was thrown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EwnState {
    cells: [[u8; MAX_STONES]; 2],
    mover: u8,
    stage: Stage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Stage {
    Roll,
    /// The stone that the die names, from 0.
    Move(u8),
    /// The player to move has won.
    Over,
}

/// A stone of the mover, from 0, and the cell that it goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EwnAction {
    stone: u8,
    to: u8,
}

impl EwnAction {
    /// The stone that moves, from 1.
    #[must_use]
    pub const fn stone(self) -> u8 {
        self.stone + 1
    }

    /// The cell it goes to.
    #[must_use]
    pub const fn to(self) -> u8 {
        self.to
    }
}

/// A throw of the die: the number of a stone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EwnThrow(u8);

impl EwnThrow {
    /// The number thrown, from 1.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0 + 1
    }
}

impl EwnState {
    /// The cell of each stone of a side in order of number, `None` for one that is gone.
    pub fn cells(&self, side: Player) -> impl Iterator<Item = Option<u8>> {
        let cells = self.cells[side.index() & 1];
        cells.into_iter().map(|cell| (cell != GONE).then_some(cell))
    }

    /// Whose turn it is; after the end, who won.
    #[must_use]
    pub const fn mover(&self) -> Player {
        Player::new(self.mover as usize)
    }

    /// What was thrown, from 1, at a player's turn.
    #[must_use]
    pub const fn die(&self) -> Option<u8> {
        match self.stage {
            Stage::Move(stone) => Some(stone + 1),
            Stage::Roll | Stage::Over => None,
        }
    }
}

impl Ewn {
    /// A board of `size` by `size` cells (3 to 8) with `stones` a side, 1, 3 or 6, in a triangle that
    /// leaves the other's corner free. With `shuffled` the numbers stand in random order, else in
    /// reading order from each side's own corner.
    ///
    /// # Errors
    /// When the board or the number of stones is something else.
    pub fn new(size: u32, stones: u32, shuffled: bool) -> Result<Self, PluginError> {
        if !(3..=8).contains(&size) {
            return Err(PluginError::new(format!(
                "ewn(size={size}): expected 3 to 8"
            )));
        }
        if ![1, 3, 6].contains(&stones) || (size == 3 && stones == 6) {
            return Err(PluginError::new(format!(
                "ewn(stones={stones}): expected 1, 3 or 6, and at most 3 on a 3x3 board"
            )));
        }
        Ok(Self {
            size: size as u8,
            stones: stones as u8,
            shuffled,
        })
    }

    /// Cells in a row.
    #[must_use]
    pub const fn size(&self) -> u8 {
        self.size
    }

    /// Stones a side, which is also the number of sides of the die.
    #[must_use]
    pub const fn stones(&self) -> u8 {
        self.stones
    }

    /// The cell that a side races to.
    const fn goal(self, side: usize) -> u8 {
        if side == 0 {
            self.size * self.size - 1
        } else {
            0
        }
    }

    /// The cells in which a side starts, in reading order from its own corner.
    fn home(self, side: usize) -> [u8; MAX_STONES] {
        let mut home = [GONE; MAX_STONES];
        let far = self.size * self.size - 1;
        let cells = (0..far).filter(|cell| {
            let (row, column) = (cell / self.size, cell % self.size);
            (row + column + 1) * (row + column + 2) / 2 <= self.stones
        });
        for (place, cell) in home.iter_mut().zip(cells) {
            *place = if side == 0 { cell } else { far - cell };
        }
        home
    }

    /// A position: the cell of each stone in order of number (`None` for one that is gone), whose turn
    /// it is, and what was thrown, from 1, or `None` before the throw. A position that is won belongs to
    /// the winner, whoever `player` is.
    ///
    /// # Errors
    /// When it is not a position of this board.
    pub fn position(
        &self,
        cells: [&[Option<u8>]; 2],
        player: usize,
        die: Option<u8>,
    ) -> Result<EwnState, PluginError> {
        let bad = |what: String| PluginError::new(format!("not a position of ewn: {what}"));
        let mut state = EwnState {
            cells: [[GONE; MAX_STONES]; 2],
            mover: (player & 1) as u8,
            stage: Stage::Roll,
        };
        let mut taken = 0_u64;
        for (side, list) in cells.into_iter().enumerate() {
            if list.len() != usize::from(self.stones) {
                return Err(bad(format!(
                    "{} stones instead of {}",
                    list.len(),
                    self.stones
                )));
            }
            for (stone, cell) in list.iter().enumerate() {
                let Some(cell) = *cell else { continue };
                if cell >= self.size * self.size || taken >> cell & 1 == 1 {
                    return Err(bad(format!("cell {cell} is off the board or taken twice")));
                }
                taken |= 1 << cell;
                state.cells[side][stone] = cell;
            }
        }
        let won = [0, 1].map(|side| self.has_won(&state, side));
        match won {
            [true, true] => return Err(bad("both sides have won".into())),
            [false, false] => {}
            [first, _] => {
                state.mover = u8::from(!first);
                state.stage = Stage::Over;
                return Ok(state);
            }
        }
        match die {
            None => {}
            Some(number) if (1..=self.stones).contains(&number) => {
                state.stage = Stage::Move(number - 1);
            }
            Some(number) => {
                return Err(bad(format!("die={number} should be 1 to {}", self.stones)));
            }
        }
        Ok(state)
    }

    fn has_won(self, state: &EwnState, side: usize) -> bool {
        let left = |side: usize| state.cells[side].iter().any(|cell| *cell != GONE);
        state.cells[side].contains(&self.goal(side)) || !left(1 - side)
    }

    /// The stone that the die names, or the nearest lower and higher ones that are left.
    #[inline]
    fn candidates(self, cells: &[u8; MAX_STONES], die: u8) -> [Option<u8>; 2] {
        let left = |stone: &u8| cells[usize::from(*stone)] != GONE;
        if left(&die) {
            return [Some(die), None];
        }
        [(0..die).rev().find(left), (die + 1..self.stones).find(left)]
    }

    /// Shows every move of the player to move after this throw, ascending.
    #[inline]
    pub(crate) fn moves(self, state: &EwnState, die: u8, mut visit: impl FnMut(EwnAction)) {
        let side = usize::from(state.mover & 1);
        let cells = &state.cells[side];
        let (n, last) = (self.size, self.size - 1);
        for stone in self.candidates(cells, die).into_iter().flatten() {
            let cell = cells[usize::from(stone)];
            let (row, column) = (cell / n, cell % n);
            let mut go = |to| visit(EwnAction { stone, to });
            if side == 0 {
                let (right, down) = (column < last, row < last);
                if right {
                    go(cell + 1);
                }
                if down {
                    go(cell + n);
                }
                if right && down {
                    go(cell + n + 1);
                }
            } else {
                let (left, up) = (column > 0, row > 0);
                if left && up {
                    go(cell - n - 1);
                }
                if up {
                    go(cell - n);
                }
                if left {
                    go(cell - 1);
                }
            }
        }
    }

    /// The stones as the player to move sees them: the own ones first, both turned so that the own goal
    /// is the last cell; `None` for a stone that is gone.
    pub(crate) fn seen_by_mover(
        self,
        state: &EwnState,
    ) -> impl Iterator<Item = (bool, Option<u8>)> {
        let mover = usize::from(state.mover & 1);
        let far = self.size * self.size - 1;
        let stones = usize::from(self.stones);
        [mover, 1 - mover].into_iter().flat_map(move |side| {
            let cells = state.cells[side].into_iter().take(stones);
            cells.map(move |cell| {
                let turned = if mover == 0 {
                    cell
                } else {
                    far.wrapping_sub(cell)
                };
                (side == mover, (cell != GONE).then_some(turned))
            })
        })
    }
}

impl Game for Ewn {
    type State = EwnState;
    type Action = EwnAction;
    type Chance = EwnThrow;
    type Observation = EwnState;

    fn num_players(&self) -> usize {
        2
    }

    fn initial_state<R: Rng + ?Sized>(&self, rng: &mut R) -> EwnState {
        let mut cells = [0, 1].map(|side| self.home(side));
        if self.shuffled {
            for side in &mut cells {
                rng.shuffle(&mut side[..usize::from(self.stones)]);
            }
        }
        EwnState {
            cells,
            mover: 0,
            stage: Stage::Roll,
        }
    }

    #[inline]
    fn turn(&self, state: &EwnState) -> Turn {
        match state.stage {
            Stage::Roll => Turn::Chance,
            Stage::Move(_) => Turn::Player(state.mover()),
            Stage::Over => Turn::Terminal,
        }
    }

    #[inline]
    fn legal_actions(&self, state: &EwnState, out: &mut Vec<EwnAction>) {
        out.clear();
        if let Stage::Move(die) = state.stage {
            self.moves(state, die, |action| out.push(action));
        }
    }

    #[inline]
    fn apply(&self, state: &mut EwnState, action: EwnAction) {
        let side = usize::from(state.mover & 1);
        for cell in state.cells.as_flattened_mut() {
            if *cell == action.to {
                *cell = GONE;
            }
        }
        state.cells[side][usize::from(action.stone)] = action.to;
        let other_is_gone = state.cells[1 - side] == [GONE; MAX_STONES];
        if action.to == self.goal(side) || other_is_gone {
            state.stage = Stage::Over;
        } else {
            state.mover = 1 - state.mover;
            state.stage = Stage::Roll;
        }
    }

    #[inline]
    fn sample_chance<R: Rng + ?Sized>(&self, _: &EwnState, rng: &mut R) -> EwnThrow {
        EwnThrow(rng.below(u32::from(self.stones)) as u8)
    }

    #[inline]
    fn apply_chance(&self, state: &mut EwnState, outcome: EwnThrow) {
        state.stage = Stage::Move(outcome.0);
    }

    fn returns(&self, state: &EwnState) -> Returns {
        Returns::zero_sum(match (state.stage, state.mover) {
            (Stage::Over, 0) => 1.0,
            (Stage::Over, _) => -1.0,
            _ => 0.0,
        })
    }

    fn returns_sum(&self) -> Option<f64> {
        Some(0.0)
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        -1.0..=1.0
    }

    /// Every move is a step towards the goal, and every move has its throw.
    fn max_turns(&self) -> u32 {
        8 * u32::from(self.stones) * u32::from(self.size - 1)
    }

    fn observe(&self, state: &EwnState, _: Player) -> EwnState {
        *state
    }
}

impl ChanceOutcomes for Ewn {
    fn chance_outcomes(&self, state: &EwnState, out: &mut Vec<(EwnThrow, f64)>) {
        out.clear();
        if state.stage == Stage::Roll {
            let share = 1.0 / f64::from(self.stones);
            out.extend((0..self.stones).map(|stone| (EwnThrow(stone), share)));
        }
    }
}

impl InfoKey for Ewn {
    type Key = EwnState;
    fn info_key(&self, state: &EwnState, _: Player) -> EwnState {
        *state
    }
}

/// Every order of the first `length` cells.
fn orders(cells: [u8; MAX_STONES], length: usize) -> Vec<[u8; MAX_STONES]> {
    let mut all = vec![cells];
    for place in 0..length {
        all = all
            .into_iter()
            .flat_map(|order| {
                (place..length).map(move |from| {
                    let mut order = order;
                    order.swap(place, from);
                    order
                })
            })
            .collect();
    }
    all
}

impl InitialStates for Ewn {
    fn initial_states(&self) -> Vec<(EwnState, f64)> {
        let length = if self.shuffled {
            usize::from(self.stones)
        } else {
            0
        };
        let [first, second] = [0, 1].map(|side| orders(self.home(side), length));
        let share = 1.0 / (first.len() * second.len()) as f64;
        let pairs = first
            .iter()
            .flat_map(|a| second.iter().map(move |b| [*a, *b]));
        let state = |cells| EwnState {
            cells,
            mover: 0,
            stage: Stage::Roll,
        };
        pairs.map(|cells| (state(cells), share)).collect()
    }
}
