//! EinStein würfelt nicht on small boards, by recursion with a dense table.

use search_core::game::{Game, Turn};

use crate::Ewn;
use crate::ewn::{EwnAction, EwnState};

/// The most entries of the table: 128 MiB.
const MOST: usize = 1 << 24;

/// The probability of winning for the player to throw, of every position that was asked for and all
/// that can follow it.
///
/// A position is turned so that the player to throw goes down and right, and the cells of the stones
/// are the digits of its index; a stone that is gone takes the place of the corner where it would have
/// won, on which nobody can stand while the game goes on.
///
/// ```
/// use classics::{Ewn, solve::EwnSolution};
/// let game = Ewn::new(3, 3, false).unwrap();
/// let mut solution = EwnSolution::new(game).unwrap();
/// let cells = |list: [u8; 3]| list.map(Some);
/// let start = game.position([&cells([0, 1, 3]), &cells([8, 7, 5])], 0, None).unwrap();
/// assert!((solution.before_throw(&start) - 0.699588477).abs() < 1e-9);
/// ```
#[derive(Debug, Clone)]
pub struct EwnSolution {
    game: Ewn,
    /// One more than the value; 0 where it is not known yet.
    table: Vec<f64>,
    known: usize,
}

impl EwnSolution {
    /// A solution in which nothing is solved yet; `None` for a game of more than 2^24 indices. 3x3 and
    /// 4x4 with three stones fit.
    #[must_use]
    pub fn new(game: Ewn) -> Option<Self> {
        let size = Self::size(game)?;
        Some(Self {
            game,
            table: vec![0.0; size],
            known: 0,
        })
    }

    /// Whether [`EwnSolution::new`] has a solution of this game.
    #[must_use]
    pub fn fits(game: Ewn) -> bool {
        Self::size(game).is_some()
    }

    fn size(game: Ewn) -> Option<usize> {
        let cells = usize::from(game.size()).pow(2);
        cells
            .checked_pow(2 * u32::from(game.stones()))
            .filter(|size| *size <= MOST)
    }

    /// How many positions have been valued.
    #[must_use]
    pub const fn positions(&self) -> usize {
        self.known
    }

    fn index(&self, state: &EwnState) -> usize {
        let cells = usize::from(self.game.size()).pow(2);
        let stones = self.game.seen_by_mover(state);
        stones.fold(0, |index, (own, cell)| {
            let gone = if own { cells - 1 } else { 0 };
            index * cells + cell.map_or(gone, usize::from)
        })
    }

    /// The probability that the player to move wins, before the throw if it has not been made; 1 when
    /// the game is over, since it then is the winner's.
    pub fn win_probability(&mut self, state: &EwnState) -> f64 {
        match self.game.turn(state) {
            Turn::Terminal => 1.0,
            Turn::Chance => self.before_throw(state),
            Turn::Player(_) => state.die().map_or(1.0, |die| self.best(state, die - 1)),
        }
    }

    /// The probability that the player to throw wins, whether or not the throw has been made; 1 when the
    /// game is over.
    pub fn before_throw(&mut self, state: &EwnState) -> f64 {
        if self.game.turn(state) == Turn::Terminal {
            return 1.0;
        }
        let index = self.index(state);
        if self.table[index] > 0.0 {
            return self.table[index] - 1.0;
        }
        let dice = self.game.stones();
        let sum: f64 = (0..dice).map(|die| self.best(state, die)).sum();
        let value = sum / f64::from(dice);
        self.table[index] = value + 1.0;
        self.known += 1;
        value
    }

    fn best(&mut self, state: &EwnState, die: u8) -> f64 {
        let game = self.game;
        let mut best = 0.0_f64;
        game.moves(state, die, |action| {
            if best < 1.0 {
                best = best.max(self.after(state, action));
            }
        });
        best
    }

    /// What a move is worth to the player who makes it.
    fn after(&mut self, state: &EwnState, action: EwnAction) -> f64 {
        let mut next = *state;
        self.game.apply(&mut next, action);
        match self.game.turn(&next) {
            Turn::Terminal => 1.0,
            _ => 1.0 - self.before_throw(&next),
        }
    }

    /// The probability of winning by every legal move, in order; none where no player is to move.
    pub fn action_values(&mut self, state: &EwnState) -> Vec<(EwnAction, f64)> {
        let mut legal = Vec::new();
        self.game.legal_actions(state, &mut legal);
        let values = legal
            .into_iter()
            .map(|action| (action, self.after(state, action)));
        values.collect()
    }
}
