//! Counterfactual regret minimisation.

use search_core::game::{InfoKey, MAX_PLAYERS, Player};

use super::tree::Node;
use super::{GameTree, Profile};

/// CFR+ (Tammelin 2014): regrets that never go below zero, players in turn, and an average
/// strategy in which iteration `t` weighs `t`. In a two-player zero-sum game it approaches an
/// equilibrium; see [`GameTree::nash_conv`] for how close it is.
#[must_use]
pub fn cfr_plus<G: InfoKey>(tree: &GameTree<G>, iterations: u32) -> Profile {
    let zeros = || -> Vec<Vec<f64>> {
        let sets = tree.info_sets.iter();
        sets.map(|set| vec![0.0; set.actions.len()]).collect()
    };
    let mut solver = Solver {
        tree,
        current: tree.uniform(),
        regrets: zeros(),
        sums: zeros(),
        player: Player::default(),
        weight: 0.0,
    };
    for iteration in 1..=iterations {
        solver.weight = f64::from(iteration);
        for player in (0..tree.players).map(Player::new) {
            solver.player = player;
            solver.visit(0, [1.0; MAX_PLAYERS + 1]);
            solver.update();
        }
    }
    let mut average = Profile { rows: solver.sums };
    average.rows.iter_mut().for_each(|row| normalise(row));
    average
}

struct Solver<'t, G: InfoKey> {
    tree: &'t GameTree<G>,
    current: Profile,
    regrets: Vec<Vec<f64>>,
    sums: Vec<Vec<f64>>,
    /// Whose regrets are being updated.
    player: Player,
    weight: f64,
}

impl<G: InfoKey> Solver<'_, G> {
    /// The value of a node for the player; `reach` holds each player's probability of playing
    /// towards it, then chance's.
    fn visit(&mut self, node: u32, reach: [f64; MAX_PLAYERS + 1]) -> f64 {
        let tree = self.tree;
        match &tree.nodes[node as usize] {
            Node::Terminal(returns) => returns.of(self.player),
            Node::Chance(children) => {
                let mut value = 0.0;
                for (probability, child) in children {
                    let mut reach = reach;
                    reach[MAX_PLAYERS] *= probability;
                    value += probability * self.visit(*child, reach);
                }
                value
            }
            Node::Decision { info_set, children } => {
                let set = info_set.0 as usize;
                let owner = tree.info_sets[set].player;
                let mut values = [0.0; 16];
                let mut many = Vec::new();
                let values = if children.len() <= values.len() {
                    &mut values[..children.len()]
                } else {
                    many.resize(children.len(), 0.0);
                    &mut many[..]
                };
                let mut value = 0.0;
                for (action, child) in children.iter().enumerate() {
                    let probability = self.current.rows[set][action];
                    let mut next = reach;
                    next[owner.index()] *= probability;
                    values[action] = self.visit(*child, next);
                    value += probability * values[action];
                }
                if owner == self.player {
                    let own = reach[owner.index()];
                    let others: f64 = reach
                        .iter()
                        .enumerate()
                        .filter(|(i, _)| *i != owner.index())
                        .map(|(_, r)| r)
                        .product();
                    for (action, action_value) in values.iter().enumerate() {
                        self.regrets[set][action] += others * (action_value - value);
                        self.sums[set][action] +=
                            self.weight * own * self.current.rows[set][action];
                    }
                }
                value
            }
        }
    }

    /// Forgets negative regrets and matches the rest.
    fn update(&mut self) {
        for (index, set) in self.tree.info_sets.iter().enumerate() {
            if set.player == self.player {
                let regrets = &mut self.regrets[index];
                for regret in regrets.iter_mut() {
                    *regret = regret.max(0.0);
                }
                self.current.rows[index].copy_from_slice(regrets);
                normalise(&mut self.current.rows[index]);
            }
        }
    }
}

/// Scales to a sum of 1; uniform when everything is 0.
fn normalise(row: &mut [f64]) {
    let sum: f64 = row.iter().sum();
    let share = 1.0 / row.len() as f64;
    for value in row {
        *value = if sum > 0.0 { *value / sum } else { share };
    }
}
