//! Backward induction over every state of a small game.

use search_core::game::{ChanceOutcomes, MAX_PLAYERS, Player, Returns, Turn};
use std::collections::HashMap;
use std::hash::Hash;

use super::InitialStates;

/// How players are taken to choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Play {
    /// Each maximises the own return, seeing everything (max^n); among equals the first action.
    #[default]
    Best,
    /// Each legal action with the same probability.
    Uniform,
}

/// Values by backward induction, with a table of the states seen. The game must be finite and
/// acyclic, and its states few enough to keep; hidden information is ignored, so for such games
/// these are the values that a cheat would see.
///
/// ```
/// use classics::TicTacToe;
/// use classics::solve::BackwardInduction;
///
/// let mut solver = BackwardInduction::new(&TicTacToe);
/// assert_eq!(solver.game_value()[..], [0.0, 0.0]);
/// assert_eq!(solver.states(), 5478);
/// ```
#[derive(Debug)]
pub struct BackwardInduction<'g, G: ChanceOutcomes> {
    game: &'g G,
    play: Play,
    table: HashMap<G::State, Returns>,
}

impl<'g, G: ChanceOutcomes<State: Eq + Hash>> BackwardInduction<'g, G> {
    /// A solver for best play.
    pub fn new(game: &'g G) -> Self {
        Self::with_play(game, Play::Best)
    }

    /// A solver for this kind of play.
    pub fn with_play(game: &'g G, play: Play) -> Self {
        Self {
            game,
            play,
            table: HashMap::new(),
        }
    }

    /// How many different states have been valued.
    #[must_use]
    pub fn states(&self) -> usize {
        self.table.len()
    }

    /// The value of a state for every player.
    pub fn value(&mut self, state: &G::State) -> Returns {
        if let Some(value) = self.table.get(state) {
            return *value;
        }
        let value = match self.game.turn(state) {
            Turn::Terminal => self.game.returns(state),
            Turn::Chance => {
                let mut outcomes = Vec::new();
                self.game.chance_outcomes(state, &mut outcomes);
                let mut mean = Mean::new(self.game.num_players());
                for (outcome, probability) in outcomes {
                    let mut next = state.clone();
                    self.game.apply_chance(&mut next, outcome);
                    mean.add(probability, &self.value(&next));
                }
                mean.returns()
            }
            Turn::Player(player) => {
                let values = self.action_values(state);
                match self.play {
                    Play::Best => best(&values, player),
                    Play::Uniform => {
                        let mut mean = Mean::new(self.game.num_players());
                        let share = 1.0 / values.len() as f64;
                        for (_, value) in &values {
                            mean.add(share, value);
                        }
                        mean.returns()
                    }
                }
            }
        };
        self.table.insert(state.clone(), value);
        value
    }

    /// The value of every legal action, in order; none where no player is to move.
    pub fn action_values(&mut self, state: &G::State) -> Vec<(G::Action, Returns)> {
        let mut actions = Vec::new();
        self.game.legal_actions(state, &mut actions);
        let values = actions.into_iter().map(|action| {
            let mut next = state.clone();
            self.game.apply(&mut next, action);
            (action, self.value(&next))
        });
        values.collect()
    }
}

impl<G: InitialStates + ChanceOutcomes<State: Eq + Hash>> BackwardInduction<'_, G> {
    /// The value of the game: the mean over its initial states.
    pub fn game_value(&mut self) -> Returns {
        let mut mean = Mean::new(self.game.num_players());
        for (state, probability) in self.game.initial_states() {
            mean.add(probability, &self.value(&state));
        }
        mean.returns()
    }
}

fn best<A>(values: &[(A, Returns)], player: Player) -> Returns {
    let mut best = values[0].1;
    for (_, value) in &values[1..] {
        if value.of(player) > best.of(player) {
            best = *value;
        }
    }
    best
}

/// A weighted sum of returns.
pub(super) struct Mean {
    sums: [f64; MAX_PLAYERS],
    players: usize,
}

impl Mean {
    pub(super) const fn new(players: usize) -> Self {
        Self {
            sums: [0.0; MAX_PLAYERS],
            players,
        }
    }

    pub(super) fn add(&mut self, weight: f64, returns: &Returns) {
        for (sum, value) in self.sums.iter_mut().zip(returns.iter()) {
            *sum += weight * value;
        }
    }

    pub(super) fn returns(&self) -> Returns {
        Returns::from_slice(&self.sums[..self.players])
    }
}
