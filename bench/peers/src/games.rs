//! The games as all libraries see them: our own code, with small numbers for actions.

use std::cell::RefCell;

use classics::connect_four::Column;
use classics::kuhn::{KuhnAction, KuhnDeals};
use classics::leduc::{LeducAction, LeducDeals};
use classics::othello::Move;
use classics::tic_tac_toe::Cell;
use classics::whist::{Card, Suit, WhistDeals};
use classics::{ConnectFour, KuhnPoker, LeducPoker, Othello, TicTacToe, Whist};
use search_core::game::{Game, Returns, Turn};
use search_core::observation::{Determinizer, Identity};
use search_core::rng::{Seed, SimRng};
use search_core::rollout::{LeafEvaluator, Rollout};

/// A game that every library is asked to search.
pub trait Shared: Game<State: Copy> + Default + Copy + 'static {
    /// Where worlds come from.
    type Worlds: Determinizer<Self> + Default + Copy;

    /// The number of an action, below 64.
    fn number(action: Self::Action) -> u32;

    /// The action of a number.
    fn action(number: u32) -> Self::Action;

    /// Works with memory that is kept: libraries that hand over a state and nothing else would
    /// have to allocate a list of actions every turn.
    fn with_scratch<T>(work: impl FnOnce(&mut Scratch<Self>) -> T) -> T;
}

/// Memory for playouts outside of a search's own.
pub struct Scratch<G: Game> {
    /// Legal actions.
    pub legal: Vec<G::Action>,
    /// Random numbers.
    pub rng: SimRng,
}

impl<G: Game> Default for Scratch<G> {
    fn default() -> Self {
        Self {
            legal: Vec::with_capacity(64),
            rng: Seed(1).simulation(0),
        }
    }
}

macro_rules! shared {
    ($game:ty, $worlds:ty, $number:expr, $action:expr) => {
        impl Shared for $game {
            type Worlds = $worlds;

            #[inline]
            fn number(action: Self::Action) -> u32 {
                let number: fn(Self::Action) -> u32 = $number;
                number(action)
            }

            #[inline]
            fn action(number: u32) -> Self::Action {
                let action: fn(u32) -> Self::Action = $action;
                action(number)
            }

            #[inline]
            fn with_scratch<T>(work: impl FnOnce(&mut Scratch<Self>) -> T) -> T {
                thread_local! {
                    static SCRATCH: RefCell<Scratch<$game>> = RefCell::default();
                }
                SCRATCH.with_borrow_mut(work)
            }
        }
    };
}

shared!(TicTacToe, Identity, |cell| cell.index() as u32, |number| {
    Cell::new(number as usize).expect("a cell")
});
shared!(
    ConnectFour,
    Identity,
    |column| column.index() as u32,
    |number| Column::new(number as usize).expect("a column")
);
shared!(KuhnPoker, KuhnDeals, |action| action as u32, |number| {
    use KuhnAction::{Bet, Call, Check, Fold};
    [Check, Bet, Fold, Call][number as usize]
});
shared!(LeducPoker, LeducDeals, |action| action as u32, |number| {
    use LeducAction::{Call, Fold, Raise};
    [Fold, Call, Raise][number as usize]
});

/// A square that is taken from the start, so that its number is free for the pass.
const PASS: u32 = 27;

shared!(
    Othello,
    Identity,
    |action| action.square().map_or(PASS, |square| square as u32),
    |number| match number {
        PASS => Move::PASS,
        number => Move::new(number as usize).expect("a square"),
    }
);
shared!(Whist, WhistDeals, |card| card.index() as u32, |number| {
    Card::new(Suit::ALL[number as usize >> 4], number as usize & 15).expect("a card")
});

/// Plays to the end at random: the same code for every library that lets one play out oneself.
#[inline]
pub fn play_out<G: Shared>(
    state: &mut G::State,
    legal: &mut Vec<G::Action>,
    rng: &mut SimRng,
) -> Returns {
    Rollout::random()
        .evaluate(&G::default(), state, rng, legal)
        .returns
}

/// Draws for chance until it is somebody's turn.
#[inline]
pub fn settle<G: Shared>(state: &mut G::State, rng: &mut SimRng) {
    let game = G::default();
    while game.turn(state) == Turn::Chance {
        let outcome = game.sample_chance(state, rng);
        game.apply_chance(state, outcome);
    }
}

/// The state in which every search begins.
pub fn start<G: Shared>() -> G::State {
    G::default().initial_state(&mut Seed(0).simulation(0))
}
