//! The value of a process by going through everything that can happen, for a few turns.

use cozy_chess::Color;
use std::collections::HashMap;

use super::Policy;
use crate::board::Board;
use crate::capture::king_captures;
use crate::dice::Roll;
use crate::survival::material;
use crate::turns::{PlayedTurn, legal_turns};

/// The probabilities that White wins, that Black does, and that it is open.
pub(super) type Masses = [f64; 3];

/// How the game goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Scheme {
    /// As the policy says.
    Policy(Policy),
    /// Biased, as the public engine has it (T4): the rolls that can take the king are absorbed, and
    /// then come up again without the turns that take it; a roll without a turn is thrown again.
    Engine,
}

#[derive(Default)]
pub(super) struct Exact {
    known: HashMap<(Scheme, Board, Color, u32), Masses>,
}

fn add(to: &mut Masses, weight: f64, masses: Masses) {
    for (to, mass) in to.iter_mut().zip(masses) {
        *to += weight * mass;
    }
}

fn won(side: Color) -> Masses {
    match side {
        Color::White => [1.0, 0.0, 0.0],
        Color::Black => [0.0, 1.0, 0.0],
    }
}

impl Exact {
    pub(super) fn value(
        &mut self,
        scheme: Scheme,
        board: &Board,
        side: Color,
        plies: u32,
    ) -> Masses {
        if plies == 0 {
            return [0.0, 0.0, 1.0];
        }
        let key = (scheme, *board, side, plies);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let masses = match scheme {
            Scheme::Policy(policy) => self.policy(policy, board, side, plies),
            Scheme::Engine => self.engine(board, side, plies),
        };
        self.known.insert(key, masses);
        masses
    }

    fn policy(&mut self, policy: Policy, board: &Board, side: Color, plies: u32) -> Masses {
        let scheme = Scheme::Policy(policy);
        let mut masses = [0.0; 3];
        for roll in Roll::all() {
            let weight = f64::from(roll.weight()) / 216.0;
            let mut turns = legal_turns(board, side, roll.pool());
            let takes = turns.iter().any(|t| t.takes_king);
            if takes && policy != Policy::Random {
                add(&mut masses, weight, won(side));
                continue;
            }
            if policy == Policy::Greedy {
                let most = turns.iter().map(|t| material(&t.board, side)).max();
                turns.retain(|t| Some(material(&t.board, side)) == most);
                let mut seen = std::collections::HashSet::new();
                turns.retain(|t| seen.insert(t.board));
            }
            add(
                &mut masses,
                weight,
                self.mean(scheme, board, side, plies, &turns),
            );
        }
        masses
    }

    fn engine(&mut self, board: &Board, side: Color, plies: u32) -> Masses {
        let probability = f64::from(king_captures(board, side).weight()) / 216.0;
        let (mut masses, mut total) = ([0.0; 3], 0.0);
        for roll in Roll::all() {
            let mut turns = legal_turns(board, side, roll.pool());
            turns.retain(|t| !t.takes_king);
            if !turns.is_empty() {
                let weight = f64::from(roll.weight());
                let after = self.mean(Scheme::Engine, board, side, plies, &turns);
                add(&mut masses, weight, after);
                total += weight;
            }
        }
        let mut result = won(side).map(|mass| mass * probability);
        if total > 0.0 {
            add(&mut result, (1.0 - probability) / total, masses);
        } else {
            result[2] += 1.0 - probability;
        }
        result
    }

    /// The mean over these turns; a pass if there are none.
    fn mean(
        &mut self,
        scheme: Scheme,
        board: &Board,
        side: Color,
        plies: u32,
        turns: &[PlayedTurn],
    ) -> Masses {
        let pass = [PlayedTurn {
            moves: crate::turns::TurnMoves::PASS,
            board: *board,
            takes_king: false,
        }];
        let turns = if turns.is_empty() { &pass } else { turns };
        let mut masses = [0.0; 3];
        for turn in turns {
            let after = if turn.takes_king {
                won(side)
            } else {
                let mut board = turn.board;
                board.end_turn(side);
                self.value(scheme, &board, !side, plies - 1)
            };
            add(&mut masses, 1.0 / turns.len() as f64, after);
        }
        masses
    }
}
