//! Exact best responses, and how far from an equilibrium a profile is.

use search_core::game::{InfoKey, Player};

use super::induction::Mean;
use super::tree::Node;
use super::{GameTree, InfoSetIndex, Profile};
use search_core::game::Returns;

/// A pure strategy that does best against the others' strategies.
#[derive(Debug, Clone, PartialEq)]
pub struct BestResponse {
    /// What it is worth to its player.
    pub value: f64,
    /// The profile it answers with the responder's strategy in place.
    pub profile: Profile,
}

impl<G: InfoKey> GameTree<G> {
    /// The best response of `player` to what the others do in `profile`; among equals, and in
    /// information sets that are never reached, the first action.
    ///
    /// One action is chosen for a whole information set: the one with the greatest sum, over its
    /// nodes, of the probability that chance and the others bring it about times what follows. The
    /// player must have perfect recall.
    #[must_use]
    pub fn best_response(&self, profile: &Profile, player: Player) -> BestResponse {
        let mut search = Responder {
            tree: self,
            profile,
            player,
            reach: self.reach_without(player, profile),
            choices: vec![None; self.info_sets.len()],
            values: vec![None; self.nodes.len()],
        };
        let value = search.value(0).of(player);
        let mut answer = profile.clone();
        for (index, set) in self.info_sets() {
            if set.player == player {
                let choice = search.choice(index);
                let row = &mut answer.rows[index.0 as usize];
                row.fill(0.0);
                row[choice] = 1.0;
            }
        }
        BestResponse {
            value,
            profile: answer,
        }
    }

    /// The sum over the players of what each would gain by switching alone to a best response: 0
    /// exactly at a Nash equilibrium.
    #[must_use]
    pub fn nash_conv(&self, profile: &Profile) -> f64 {
        let value = self.value(profile);
        let players = (0..self.players).map(Player::new);
        players
            .map(|player| self.best_response(profile, player).value - value.of(player))
            .sum()
    }

    /// [`GameTree::nash_conv`] divided by the number of players: in a two-player zero-sum game,
    /// the mean over the seats of what a best responder takes from the game value.
    #[must_use]
    pub fn exploitability(&self, profile: &Profile) -> f64 {
        self.nash_conv(profile) / self.players as f64
    }
}

struct Responder<'t, G: InfoKey> {
    tree: &'t GameTree<G>,
    profile: &'t Profile,
    player: Player,
    reach: Vec<f64>,
    choices: Vec<Option<usize>>,
    values: Vec<Option<Returns>>,
}

impl<G: InfoKey> Responder<'_, G> {
    fn value(&mut self, node: u32) -> Returns {
        if let Some(value) = self.values[node as usize] {
            return value;
        }
        let tree = self.tree;
        let value = match &tree.nodes[node as usize] {
            Node::Terminal(returns) => *returns,
            Node::Chance(children) => {
                let mut mean = Mean::new(tree.players);
                for (probability, child) in children {
                    mean.add(*probability, &self.value(*child));
                }
                mean.returns()
            }
            Node::Decision { info_set, children } => {
                if tree.info_sets[info_set.0 as usize].player == self.player {
                    let choice = self.choice(*info_set);
                    self.value(children[choice])
                } else {
                    let profile = self.profile;
                    let mut mean = Mean::new(tree.players);
                    for (child, probability) in children.iter().zip(&profile[*info_set]) {
                        mean.add(*probability, &self.value(*child));
                    }
                    mean.returns()
                }
            }
        };
        self.values[node as usize] = Some(value);
        value
    }

    fn choice(&mut self, index: InfoSetIndex) -> usize {
        if let Some(choice) = self.choices[index.0 as usize] {
            return choice;
        }
        let tree = self.tree;
        let set = &tree.info_sets[index.0 as usize];
        let mut sums = vec![0.0; set.actions.len()];
        for &node in &set.nodes {
            let Node::Decision { children, .. } = &tree.nodes[node as usize] else {
                continue;
            };
            let reach = self.reach[node as usize];
            for (sum, child) in sums.iter_mut().zip(children) {
                *sum += reach * self.value(*child).of(self.player);
            }
        }
        let choice = first_best(&sums);
        self.choices[index.0 as usize] = Some(choice);
        choice
    }
}

/// The index of the greatest value, the first among equals.
pub(super) fn first_best(values: &[f64]) -> usize {
    let mut best = 0;
    for (i, value) in values.iter().enumerate() {
        if *value > values[best] {
            best = i;
        }
    }
    best
}
