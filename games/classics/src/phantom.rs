//! Phantom (m,n,k): *k* in a row on a board on which nobody sees the other's marks. [`Phantom`].

mod plugin;
mod worlds;

pub use plugin::PhantomOptions;
pub use worlds::{PhantomPlan, PhantomWorlds};

use rand::Rng;
use search_core::game::{
    ActionObservation, ChanceOutcomes, Game, History, InfoKey, Player, Returns, Turn, UNNOTICED,
    VisitDecision,
};
use search_core::plugin::PluginError;
use std::convert::Infallible;
use std::fmt;
use std::ops::RangeInclusive;

use crate::grid::{STRIDE, Size, Square, squares};
use crate::solve::InitialStates;
use crate::status::Status;

/// The longest side of the board.
const MAX_SIDE: usize = 5;
/// The most squares.
const MAX_SQUARES: usize = MAX_SIDE * MAX_SIDE;

/// Two players mark squares in turn; *k* own marks in a row win (1, and -1 for the other), a full
/// board is drawn (0). Each sees the own marks only. Who tries a square that the other has marked is
/// told so, knows it from then on, and tries again; the other hears nothing of it. Everybody knows whose
/// turn it is, and so how many marks there are; at the end everything is shown.
///
/// `Phantom::default()` is Phantom (4,4,4), on which Cowling, Powley & Whitehouse (2012) compare
/// determinized UCT with SO- and MO-ISMCTS; 3x3 with three in a row is phantom tic-tac-toe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Phantom {
    size: Size,
    squares: u64,
    in_a_row: u32,
}

/// What one player has tried, in order; a square is tried at most once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Tries {
    squares: [Square; MAX_SQUARES],
    len: u8,
}

impl Tries {
    /// The squares in the order in which they were tried.
    #[must_use]
    pub fn squares(&self) -> &[Square] {
        &self.squares[..usize::from(self.len)]
    }

    /// Adds a try; nothing where there is no room, which cannot be on a board of this game.
    #[inline]
    fn push(&mut self, square: Square) {
        if let Some(place) = self.squares.get_mut(usize::from(self.len)) {
            *place = square;
            self.len += 1;
        }
    }
}

impl fmt::Debug for Tries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.squares().fmt(f)
    }
}

/// The marks of both players, what each knows of the other's, and what each has tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct PhantomState {
    marks: [u64; 2],
    /// The other's marks that each player has run into.
    known: [u64; 2],
    tries: [Tries; 2],
    status: Status,
}

impl PhantomState {
    /// The marks of one player (0 or 1), bit `8 * row + column`.
    #[must_use]
    pub const fn marks(&self, player: Player) -> u64 {
        self.marks[player.index() & 1]
    }

    /// The marks of the other player that `player` has run into.
    #[must_use]
    pub const fn known(&self, player: Player) -> u64 {
        self.known[player.index() & 1]
    }

    /// What one player has tried.
    #[must_use]
    pub const fn tries(&self, player: Player) -> &Tries {
        &self.tries[player.index() & 1]
    }
}

/// What one player knows. It is also the information set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PhantomView {
    player: Player,
    own: u64,
    known: u64,
    tries: Tries,
    /// What the other has tried: empty before the end.
    shown: Tries,
    status: Status,
}

impl PhantomView {
    /// Who looks.
    #[must_use]
    pub const fn player(&self) -> Player {
        self.player
    }

    /// The own marks, bit `8 * row + column`.
    #[must_use]
    pub const fn own(&self) -> u64 {
        self.own
    }

    /// The other's marks that the player has run into.
    #[must_use]
    pub const fn known(&self) -> u64 {
        self.known
    }

    /// What the player has tried.
    #[must_use]
    pub const fn tries(&self) -> &Tries {
        &self.tries
    }

    /// Whose turn it is.
    #[must_use]
    pub const fn turn(&self) -> Turn {
        self.status.turn()
    }

    /// How many marks the other has. Before the end it follows from the turn, for the marks alternate.
    #[must_use]
    pub fn others(&self) -> u32 {
        let own = self.own.count_ones();
        let waits = self.status.mover() != self.player.index();
        (own + self.player.index() as u32).saturating_sub(u32::from(waits))
    }
}

impl Default for Phantom {
    fn default() -> Self {
        let size = Size {
            width: 4,
            height: 4,
        };
        Self {
            size,
            squares: size.squares(),
            in_a_row: 4,
        }
    }
}

impl Phantom {
    /// A board of this size, on which so many in a row win.
    ///
    /// # Errors
    /// When a side is not 2 to 5 squares long, or `in_a_row` is not 3 to the longer side.
    pub fn new(width: usize, height: usize, in_a_row: u32) -> Result<Self, PluginError> {
        let longer = width.max(height) as u32;
        let sides = 2..=MAX_SIDE;
        if !sides.contains(&width) || !sides.contains(&height) {
            return Err(PluginError(format!(
                "phantom(width={width}, height={height}): expected 2 to {MAX_SIDE}"
            )));
        }
        if !(3..=longer).contains(&in_a_row) {
            return Err(PluginError(format!(
                "phantom(width={width}, height={height}, in_a_row={in_a_row}): expected 3 to the longer side of the board, which is to have 3 squares at least"
            )));
        }
        let size = Size { width, height };
        Ok(Self {
            size,
            squares: size.squares(),
            in_a_row,
        })
    }

    /// Whether these marks hold a row. There is an empty column on the right of every board, so that
    /// no row runs around the edge.
    #[inline]
    fn has_row(&self, marks: u64) -> bool {
        [1, STRIDE - 1, STRIDE, STRIDE + 1].into_iter().any(|step| {
            // Doubles the length of the runs that are left, up to the one that is wanted.
            let (mut runs, mut length) = (marks, 1);
            while length < self.in_a_row {
                let more = length.min(self.in_a_row - length);
                runs &= runs >> (step * more);
                length += more;
            }
            runs != 0
        })
    }
}

impl Game for Phantom {
    type State = PhantomState;
    type Action = Square;
    type Chance = Infallible;
    type Observation = PhantomView;

    fn num_players(&self) -> usize {
        2
    }

    #[inline]
    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> PhantomState {
        PhantomState::default()
    }

    #[inline]
    fn turn(&self, state: &PhantomState) -> Turn {
        state.status.turn()
    }

    #[inline]
    fn legal_actions(&self, state: &PhantomState, out: &mut Vec<Square>) {
        out.clear();
        if state.status.is_over() {
            return;
        }
        let mover = state.status.mover();
        out.extend(squares(
            self.squares & !(state.marks[mover] | state.known[mover]),
        ));
    }

    #[inline]
    fn apply(&self, state: &mut PhantomState, action: Square) {
        let (mover, bit) = (state.status.mover(), action.bit());
        state.tries[mover].push(action);
        if state.marks[1 - mover] & bit != 0 {
            state.known[mover] |= bit;
            return;
        }
        state.marks[mover] |= bit;
        let won = self.has_row(state.marks[mover]);
        let full = state.marks[0] | state.marks[1] == self.squares;
        state.status = Status::after_move(mover, won, full);
    }

    #[inline]
    fn returns(&self, state: &PhantomState) -> Returns {
        state.status.returns()
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        -1.0..=1.0
    }

    /// Every square is marked once, and run into once at most.
    fn max_turns(&self) -> u32 {
        2 * self.squares.count_ones()
    }

    #[inline]
    fn observe(&self, state: &PhantomState, player: Player) -> PhantomView {
        let me = player.index() & 1;
        let over = state.status.is_over();
        PhantomView {
            player: Player::new(me),
            own: state.marks[me],
            known: state.known[me],
            tries: state.tries[me],
            shown: if over {
                state.tries[1 - me]
            } else {
                Tries::default()
            },
            status: state.status,
        }
    }
}

impl ChanceOutcomes for Phantom {
    fn chance_outcomes(&self, _: &PhantomState, out: &mut Vec<(Infallible, f64)>) {
        out.clear();
    }
}

impl InfoKey for Phantom {
    type Key = PhantomView;
    fn info_key(&self, state: &PhantomState, player: Player) -> PhantomView {
        self.observe(state, player)
    }
}

impl InitialStates for Phantom {
    fn initial_states(&self) -> Vec<(PhantomState, f64)> {
        vec![(PhantomState::default(), 1.0)]
    }
}

/// The player who tries a square sees which, and whether it was free. The other does not notice a try of
/// a square that was not, and sees a mark somewhere (1), or the mark that wins (2).
impl ActionObservation for Phantom {
    #[inline]
    fn observe_action(&self, state: &PhantomState, action: Square, observer: Player) -> u64 {
        let mover = state.status.mover();
        let hit = state.marks[1 - mover] & action.bit() != 0;
        if observer.index() == mover {
            2 * action.index() as u64 + u64::from(hit)
        } else if hit {
            UNNOTICED
        } else {
            1 + u64::from(self.has_row(state.marks[mover] | action.bit()))
        }
    }

    fn observe_chance(&self, _: &PhantomState, outcome: Infallible, _: Player) -> u64 {
        match outcome {}
    }
}

/// Both players' tries. Those of the other are hidden: in a world they are as the world has them.
impl History for Phantom {
    fn decisions(
        &self,
        _: &PhantomView,
        world: &PhantomState,
        visit: &mut VisitDecision<'_, Self>,
    ) {
        self.replay(world.tries, visit);
    }
}

impl Phantom {
    /// Plays what the players have tried from the start, each try shown to `visit` before it is made.
    fn replay(&self, tries: [Tries; 2], visit: &mut VisitDecision<'_, Self>) -> PhantomState {
        let mut state = PhantomState::default();
        while !state.status.is_over() {
            let mover = state.status.mover();
            let next = usize::from(state.tries[mover].len);
            let Some(&square) = tries[mover].squares().get(next) else {
                break;
            };
            visit(&state, Player::new(mover), square);
            self.apply(&mut state, square);
        }
        state
    }
}
