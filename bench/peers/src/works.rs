//! What is measured: the games, and the libraries on each.

use classics::{ConnectFour, KuhnPoker, LeducPoker, Othello, TicTacToe, Whist};
use search_core::game::Game;

use crate::games::Shared;
use crate::measure::Tree;
use crate::{ours, peers};

/// What a library is in a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// What no search can be faster than.
    Ceiling,
    /// Our search.
    Ours,
    /// Another crate.
    Peer,
}

/// A library on a game.
pub struct Library {
    pub name: &'static str,
    pub role: Role,
    pub search: fn(u64) -> Tree,
}

/// A game with those who search it, the ceiling first.
pub struct Work {
    pub name: &'static str,
    pub simulations: u64,
    pub libraries: Vec<Library>,
}

const fn library(name: &'static str, role: Role, search: fn(u64) -> Tree) -> Library {
    Library { name, role, search }
}

fn perfect<G: Shared<Observation = <G as Game>::State>>(
    name: &'static str,
    simulations: u64,
) -> Work {
    Work {
        name,
        simulations,
        libraries: vec![
            library("playouts alone", Role::Ceiling, ours::playouts::<G>),
            library("searchlab uct", Role::Ours, ours::uct::<G>),
            library(
                "monte-carlo-tree-search 0.3.0",
                Role::Peer,
                peers::pacman::search::<G>,
            ),
            library("mcts 0.3.0", Role::Peer, peers::zxqfl::search::<G>),
            library("minimax 0.6.0", Role::Peer, peers::negamax::search::<G>),
            library("ismcts 0.3.3", Role::Peer, peers::dewaeq::search::<G>),
        ],
    }
}

fn hidden<G: Shared>(name: &'static str, simulations: u64) -> Work {
    Work {
        name,
        simulations,
        libraries: vec![
            library("redeals and playouts", Role::Ceiling, ours::redeals::<G>),
            library("searchlab ismcts", Role::Ours, ours::ismcts::<G>),
            library("ismcts 0.3.3", Role::Peer, peers::dewaeq::search::<G>),
        ],
    }
}

/// Everything, with as many simulations as take a second or so.
pub fn all() -> Vec<Work> {
    vec![
        perfect::<TicTacToe>("tic-tac-toe", 400_000),
        perfect::<ConnectFour>("connect-four", 400_000),
        perfect::<Othello>("othello", 40_000),
        hidden::<KuhnPoker>("kuhn-poker", 3_000_000),
        hidden::<LeducPoker>("leduc-poker", 1_500_000),
        hidden::<Whist>("whist", 200_000),
    ]
}
