//! `minimax` 0.6: tree search over strictly alternating players, vectors of children.

use std::marker::PhantomData;

use minimax::strategies::mcts::{MCTSOptions, MonteCarloTreeSearch};
use minimax::{Game as Rules, Strategy, Winner};
use search_core::game::Turn;

use crate::games::{Shared, start};
use crate::measure::Tree;

struct Of<G>(PhantomData<fn() -> G>);

#[derive(Clone, Copy)]
struct Position<S> {
    state: S,
    just_moved: usize,
}

fn winner<G: Shared>(position: &Position<G::State>) -> Option<Winner> {
    let game = G::default();
    if game.turn(&position.state) != Turn::Terminal {
        return None;
    }
    Some(match game.returns(&position.state)[position.just_moved] {
        v if v > 0.0 => Winner::PlayerJustMoved,
        v if v < 0.0 => Winner::PlayerToMove,
        _ => Winner::Draw,
    })
}

impl<G: Shared> Rules for Of<G> {
    type S = Position<G::State>;
    type M = G::Action;

    fn generate_moves(position: &Self::S, moves: &mut Vec<G::Action>) -> Option<Winner> {
        let won = winner::<G>(position);
        if won.is_none() {
            G::default().legal_actions(&position.state, moves);
        }
        won
    }

    fn apply(position: &mut Self::S, action: G::Action) -> Option<Self::S> {
        let mut next = *position;
        G::default().apply(&mut next.state, action);
        next.just_moved ^= 1;
        Some(next)
    }

    fn get_winner(position: &Self::S) -> Option<Winner> {
        winner::<G>(position)
    }
}

/// The tree is gone when the search returns.
pub fn search<G: Shared>(simulations: u64) -> Tree {
    let options = MCTSOptions::default().with_num_threads(1);
    let mut search = MonteCarloTreeSearch::<Of<G>>::new(options);
    search.set_max_rollouts(simulations as u32);
    let position = Position {
        state: start::<G>(),
        just_moved: 1,
    };
    std::hint::black_box(search.choose_move(&position));
    Tree::gone(simulations)
}
