//! `monte-carlo-tree-search` 0.3: UCB on two flat vectors, two players.

use monte_carlo_tree_search::{GameState, Player, Search, TwoPlayerGame, Ucb};
use rand09::RngCore;
use search_core::game::Turn;
use search_core::rng::{Seed, SimRng};

use crate::games::{Shared, start};
use crate::measure::Tree;

#[derive(Clone)]
struct Position<G: Shared>(G::State);

impl<G: Shared> TwoPlayerGame for Position<G> {
    type Move = G::Action;

    fn state<'a>(&self, moves: &'a mut Vec<G::Action>) -> GameState<'a, G::Action> {
        let game = G::default();
        if game.turn(&self.0) == Turn::Terminal {
            let value = game.returns(&self.0)[0];
            return match value {
                v if v > 0.0 => GameState::WinPlayerOne,
                v if v < 0.0 => GameState::WinPlayerTwo,
                _ => GameState::Draw,
            };
        }
        game.legal_actions(&self.0, moves);
        GameState::Moves(moves)
    }

    fn play(&mut self, action: &G::Action) {
        G::default().apply(&mut self.0, *action);
    }

    fn current_player(&self) -> Player {
        match G::default().turn(&self.0) {
            Turn::Player(player) if player.index() == 1 => Player::Two,
            _ => Player::One,
        }
    }
}

/// The generator that our searches use, for a library that takes any.
struct Random(SimRng);

impl RngCore for Random {
    fn next_u32(&mut self) -> u32 {
        (self.0.next() >> 32) as u32
    }
    fn next_u64(&mut self) -> u64 {
        self.0.next()
    }
    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            let word = self.0.next().to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
    }
}

pub fn search<G: Shared>(simulations: u64) -> Tree {
    let mut rng = Random(Seed(1).simulation(0));
    let policy = Ucb::new();
    let search = Search::with_playouts(
        Position::<G>(start::<G>()),
        policy,
        simulations as u32,
        &mut rng,
    );
    let nodes = search.num_nodes() as u64;
    Tree::new(simulations, Some(nodes), search)
}
