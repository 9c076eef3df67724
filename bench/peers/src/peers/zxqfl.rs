//! `mcts` 0.3: lock-free UCT, a box a node.

use mcts::tree_policy::UCTPolicy;
use mcts::{Evaluator, GameState, MCTS, MCTSManager, SearchHandle};
use search_core::game::Turn;

use crate::games::{Scratch, Shared, play_out, start};
use crate::measure::Tree;

#[derive(Clone)]
struct Position<G: Shared>(G::State);

impl<G: Shared> GameState for Position<G> {
    type Move = G::Action;
    type Player = usize;
    type MoveList = Vec<G::Action>;

    fn current_player(&self) -> usize {
        match G::default().turn(&self.0) {
            Turn::Player(player) => player.index(),
            _ => 0,
        }
    }

    fn available_moves(&self) -> Vec<G::Action> {
        let mut moves = Vec::new();
        G::default().legal_actions(&self.0, &mut moves);
        moves
    }

    fn make_move(&mut self, action: &G::Action) {
        G::default().apply(&mut self.0, *action);
    }
}

#[derive(Default)]
struct Playout;

struct Spec<G>(std::marker::PhantomData<fn() -> G>);

impl<G: Shared> MCTS for Spec<G>
where
    G::State: Sync,
{
    type State = Position<G>;
    type Eval = Playout;
    type TreePolicy = UCTPolicy;
    type NodeData = ();
    type TranspositionTable = ();
    type ExtraThreadData = Scratch<G>;
}

impl<G: Shared> Evaluator<Spec<G>> for Playout {
    /// To the first player.
    type StateEvaluation = i64;

    fn evaluate_new_state(
        &self,
        state: &Position<G>,
        moves: &Vec<G::Action>,
        handle: Option<SearchHandle<Spec<G>>>,
    ) -> (Vec<()>, i64) {
        let value = handle.map_or(0, |mut handle| {
            let Scratch { legal, rng } = &mut handle.thread_data().extra_data;
            play_out::<G>(&mut state.0.clone(), legal, rng)[0] as i64
        });
        (vec![(); moves.len()], value)
    }

    fn evaluate_existing_state(
        &self,
        _: &Position<G>,
        value: &i64,
        _: SearchHandle<Spec<G>>,
    ) -> i64 {
        *value
    }

    fn interpret_evaluation_for_player(&self, value: &i64, player: &usize) -> i64 {
        if *player == 0 { *value } else { -*value }
    }
}

pub fn search<G: Shared>(simulations: u64) -> Tree {
    let spec = Spec::<G>(std::marker::PhantomData);
    let state = Position(start::<G>());
    // Our constant 0.7 on returns divided by 2; this library has a 2 of its own.
    let mut search = MCTSManager::new(state, spec, Playout, UCTPolicy::new(0.7), ());
    search.playout_n(simulations);
    let nodes = search.tree().num_nodes() as u64;
    Tree::new(simulations, Some(nodes), search)
}
