//! The value of a two-player zero-sum game between two bounds that are proven.

use search_core::game::{InfoKey, Player};

use super::tree::Node;
use super::{GameTree, Profile};

/// What a pair of strategies proves of the value of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueBounds {
    /// What the first player is sure of with its strategy: what a best response leaves it.
    pub low: f64,
    /// What the second player's strategy holds the first one to.
    pub high: f64,
    /// The strategies.
    pub profile: Profile,
    /// After how many iterations they were found.
    pub iterations: u32,
}

impl ValueBounds {
    /// How far apart the bounds are: the sum of what both players could gain.
    #[must_use]
    pub fn gap(&self) -> f64 {
        self.high - self.low
    }
}

/// Bounds on the value of a two-player zero-sum game to its first player, no further apart than `gap`
/// unless `iterations` were not enough. They hold however good the strategies are, because both are
/// exact best responses.
///
/// The strategies are the average of predictive CFR+ (Farina, Kroer & Sandholm 2021, section 5), in
/// which the last regret counts once more as what is expected next, with alternating updates and weight
/// `t²` for iteration `t`.
///
/// ```
/// use classics::KuhnPoker;
/// use classics::solve::{GameTree, value_bounds};
///
/// let bounds = value_bounds(&GameTree::new(&KuhnPoker, 100)?, 1e-6, 10_000);
/// let value = -1.0 / 18.0;
/// assert!(bounds.gap() <= 1e-6 && bounds.low <= value && value <= bounds.high);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn value_bounds<G: InfoKey>(tree: &GameTree<G>, gap: f64, iterations: u32) -> ValueBounds {
    let mut solver = Solver::new(tree);
    let mut best = solver.bounds(0);
    let mut next_look = 8;
    for iteration in 1..=iterations {
        for player in [0, 1] {
            solver.iterate(player, f64::from(iteration).powi(2));
        }
        if iteration == next_look || iteration == iterations {
            next_look += 8 + next_look / 8;
            let bounds = solver.bounds(iteration);
            best.low = best.low.max(bounds.low);
            best.high = best.high.min(bounds.high);
            best.profile = bounds.profile;
            best.iterations = iteration;
            if best.gap() <= gap {
                break;
            }
        }
    }
    best
}

struct Solver<'t, G: InfoKey> {
    tree: &'t GameTree<G>,
    /// Where the actions of an information set begin in what follows.
    starts: Vec<usize>,
    current: Vec<f64>,
    /// What an action was worth more than the strategy, summed and never below 0.
    regrets: Vec<f64>,
    /// The regrets of the last iteration, which are expected again.
    last: Vec<f64>,
    sums: Vec<f64>,
    /// Of every node: the probability that the player plays towards it, and that the rest does.
    reach: Vec<[f64; 2]>,
    values: Vec<f64>,
}

impl<'t, G: InfoKey> Solver<'t, G> {
    fn new(tree: &'t GameTree<G>) -> Self {
        let mut starts = Vec::with_capacity(tree.info_sets.len() + 1);
        let mut actions = 0;
        let mut current = Vec::new();
        for set in &tree.info_sets {
            starts.push(actions);
            actions += set.actions.len();
            current.resize(actions, 1.0 / set.actions.len() as f64);
        }
        starts.push(actions);
        Self {
            tree,
            starts,
            current,
            regrets: vec![0.0; actions],
            last: vec![0.0; actions],
            sums: vec![0.0; actions],
            reach: vec![[0.0; 2]; tree.nodes.len()],
            values: vec![0.0; tree.nodes.len()],
        }
    }

    fn owner(&self, info_set: usize) -> usize {
        self.tree.info_sets[info_set].player.index()
    }

    fn iterate(&mut self, player: usize, weight: f64) {
        self.find_reach(player);
        for set in 0..self.starts.len() - 1 {
            if self.owner(set) == player {
                self.last[self.starts[set]..self.starts[set + 1]].fill(0.0);
            }
        }
        self.find_regrets(player, weight);
        for set in 0..self.starts.len() - 1 {
            if self.owner(set) == player {
                self.match_regrets(self.starts[set]..self.starts[set + 1]);
            }
        }
    }

    /// Down the tree: parents come before their children.
    fn find_reach(&mut self, player: usize) {
        self.reach[0] = [1.0; 2];
        for (index, node) in self.tree.nodes.iter().enumerate() {
            let [own, rest] = self.reach[index];
            match node {
                Node::Terminal(_) => {}
                Node::Chance(children) => {
                    for (probability, child) in children {
                        self.reach[*child as usize] = [own, rest * probability];
                    }
                }
                Node::Decision { info_set, children } => {
                    let set = info_set.0 as usize;
                    let moves = self.owner(set) == player;
                    for (child, share) in children.iter().zip(&self.current[self.starts[set]..]) {
                        self.reach[*child as usize] = if moves {
                            [own * share, rest]
                        } else {
                            [own, rest * share]
                        };
                    }
                }
            }
        }
    }

    /// Up the tree: values for the player, and from them the regrets of this iteration, left in `last`.
    fn find_regrets(&mut self, player: usize, weight: f64) {
        for (index, node) in self.tree.nodes.iter().enumerate().rev() {
            self.values[index] = match node {
                Node::Terminal(returns) => returns.of(Player::new(player)),
                Node::Chance(children) => {
                    let parts = children
                        .iter()
                        .map(|(p, child)| p * self.values[*child as usize]);
                    parts.sum()
                }
                Node::Decision { info_set, children } => {
                    let set = info_set.0 as usize;
                    let start = self.starts[set];
                    let shares = &self.current[start..self.starts[set + 1]];
                    let parts = children.iter().zip(shares);
                    let value: f64 = parts
                        .map(|(child, share)| share * self.values[*child as usize])
                        .sum();
                    if self.owner(set) == player {
                        let [own, rest] = self.reach[index];
                        for (action, child) in children.iter().enumerate() {
                            let at = start + action;
                            self.last[at] += rest * (self.values[*child as usize] - value);
                            self.sums[at] += weight * own * self.current[at];
                        }
                    }
                    value
                }
            };
        }
    }

    /// Adds the regrets of this iteration and plays in proportion to them, the last ones counted once
    /// more; uniformly where there are none.
    fn match_regrets(&mut self, actions: std::ops::Range<usize>) {
        let share = 1.0 / actions.len() as f64;
        let mut sum = 0.0;
        for at in actions.clone() {
            self.regrets[at] = (self.regrets[at] + self.last[at]).max(0.0);
            self.current[at] = (self.regrets[at] + self.last[at]).max(0.0);
            sum += self.current[at];
        }
        for at in actions {
            self.current[at] = if sum > 0.0 {
                self.current[at] / sum
            } else {
                share
            };
        }
    }

    fn bounds(&self, iterations: u32) -> ValueBounds {
        let rows = self.starts.windows(2).map(|ends| {
            let row = &self.sums[ends[0]..ends[1]];
            let sum: f64 = row.iter().sum();
            let share = 1.0 / row.len() as f64;
            let normal = row.iter().map(|s| if sum > 0.0 { s / sum } else { share });
            normal.collect()
        });
        let profile = Profile {
            rows: rows.collect(),
        };
        let best = |player| self.tree.best_response(&profile, Player::new(player)).value;
        ValueBounds {
            low: -best(1),
            high: best(0),
            iterations,
            profile,
        }
    }
}
