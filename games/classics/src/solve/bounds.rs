//! The value of a two-player zero-sum game between two bounds that are proven.

use search_core::game::{InfoKey, Player};
use std::ops::Range;

use super::tree::Node;
use super::{GameTree, Profile};

/// What a pair of strategies proves of the value of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueBounds {
    /// What the first player is sure of with its strategy: what a best response leaves it.
    pub low: f64,
    /// What the second player's strategy holds the first one to.
    pub high: f64,
    /// The last strategies that were looked at.
    pub profile: Profile,
    /// After how many iterations that was.
    pub iterations: u32,
}

impl ValueBounds {
    /// How far apart the bounds are.
    #[must_use]
    pub fn gap(&self) -> f64 {
        self.high - self.low
    }
}

/// Bounds on the value of a two-player zero-sum game to its first player, no further apart than `gap`
/// unless `iterations` were not enough. They hold however good the strategies are, because both come
/// from exact best responses.
///
/// The strategies are those of discounted CFR (Brown & Sandholm 2019, with α = 3/2, β = 0, γ = 2) with
/// alternating updates. What the other player never brings about is not visited.
///
/// ```
/// use classics::KuhnPoker;
/// use classics::solve::{GameTree, value_bounds};
///
/// let bounds = value_bounds(&GameTree::new(&KuhnPoker, 100)?, 1e-4, 10_000);
/// let value = -1.0 / 18.0;
/// assert!(bounds.gap() <= 1e-4 && bounds.low <= value && value <= bounds.high);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn value_bounds<G: InfoKey>(tree: &GameTree<G>, gap: f64, iterations: u32) -> ValueBounds {
    let mut solver = Solver::new(tree);
    let mut best = solver.bounds(0);
    let mut next_look = 8;
    for iteration in 1..=iterations {
        for player in [0, 1] {
            solver.iterate(player, f64::from(iteration));
        }
        if iteration == next_look || iteration == iterations {
            next_look += 8 + next_look / 8;
            let bounds = solver.bounds(iteration);
            best = ValueBounds {
                low: best.low.max(bounds.low),
                high: best.high.min(bounds.high),
                ..bounds
            };
            if best.gap() <= gap {
                break;
            }
        }
    }
    best
}

/// Who decides at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Player(u8),
    Chance,
    Nobody,
}

/// A node, flat.
struct Place {
    owner: Owner,
    /// Where its children begin in `children`, and how many there are.
    first: u32,
    count: u32,
    /// Where the probabilities of its children begin: in `current` for a decision, in `chances` for
    /// chance.
    shares: u32,
    /// The first node after everything below it.
    end: u32,
}

impl Place {
    fn children(&self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }

    fn shares(&self) -> Range<usize> {
        self.shares as usize..(self.shares + self.count) as usize
    }
}

/// An information set.
struct Set {
    owner: u8,
    actions: Range<usize>,
    /// The own action before it.
    parent: Option<usize>,
}

struct Solver<'t, G: InfoKey> {
    tree: &'t GameTree<G>,
    places: Vec<Place>,
    children: Vec<u32>,
    chances: Vec<f64>,
    sets: Vec<Set>,
    // One number an action of an information set, in what follows.
    current: Vec<f64>,
    regrets: Vec<f64>,
    /// The regrets of this iteration.
    fresh: Vec<f64>,
    sums: Vec<f64>,
    /// The probability that the player plays towards an action and takes it.
    own: Vec<f64>,
    // One number a node.
    /// The probability that chance and the other player play towards it.
    rest: Vec<f64>,
    /// The value to the first player.
    values: Vec<f64>,
    visited: Vec<u32>,
}

impl<'t, G: InfoKey> Solver<'t, G> {
    fn new(tree: &'t GameTree<G>) -> Self {
        let nodes = tree.nodes.len();
        let mut solver = Self {
            tree,
            places: Vec::with_capacity(nodes),
            children: Vec::new(),
            chances: Vec::new(),
            sets: Vec::with_capacity(tree.info_sets.len()),
            current: Vec::new(),
            regrets: Vec::new(),
            fresh: Vec::new(),
            sums: Vec::new(),
            own: Vec::new(),
            rest: vec![0.0; nodes],
            values: vec![0.0; nodes],
            visited: Vec::with_capacity(nodes),
        };
        for set in &tree.info_sets {
            let start = solver.current.len();
            let end = start + set.actions.len();
            solver.current.resize(end, 1.0 / set.actions.len() as f64);
            solver.sets.push(Set {
                owner: set.player.index() as u8,
                actions: start..end,
                parent: None,
            });
        }
        let actions = solver.current.len();
        for numbers in [
            &mut solver.regrets,
            &mut solver.fresh,
            &mut solver.sums,
            &mut solver.own,
        ] {
            numbers.resize(actions, 0.0);
        }
        solver.flatten();
        solver
    }

    fn flatten(&mut self) {
        // The last own action of each player before a node.
        let mut before = vec![[None; 2]; self.tree.nodes.len()];
        for (index, node) in self.tree.nodes.iter().enumerate() {
            let first = self.children.len();
            let (owner, shares) = match node {
                Node::Terminal(returns) => {
                    self.values[index] = returns.of(Player::new(0));
                    (Owner::Nobody, 0)
                }
                Node::Chance(outcomes) => {
                    let start = self.chances.len();
                    for (probability, child) in outcomes {
                        self.chances.push(*probability);
                        self.children.push(*child);
                        before[*child as usize] = before[index];
                    }
                    (Owner::Chance, start)
                }
                Node::Decision { info_set, children } => {
                    let set = &mut self.sets[info_set.0 as usize];
                    let player = usize::from(set.owner);
                    set.parent = before[index][player];
                    for (action, child) in set.actions.clone().zip(children) {
                        self.children.push(*child);
                        before[*child as usize] = before[index];
                        before[*child as usize][player] = Some(action);
                    }
                    (Owner::Player(set.owner), set.actions.start)
                }
            };
            self.places.push(Place {
                owner,
                first: first as u32,
                count: (self.children.len() - first) as u32,
                shares: shares as u32,
                end: index as u32 + 1,
            });
        }
        for index in (0..self.places.len()).rev() {
            if let Some(last) = self.places[index].children().last() {
                self.places[index].end = self.places[self.children[last] as usize].end;
            }
        }
    }

    /// Iteration `t` for one player.
    fn iterate(&mut self, player: u8, t: f64) {
        self.add_to_average(player, t * t);
        self.find_reach(player);
        self.find_regrets(player);
        let kept = t * t.sqrt() / (t * t.sqrt() + 1.0);
        for set in self.sets.iter().filter(|set| set.owner == player) {
            let mut sum = 0.0;
            for at in set.actions.clone() {
                let regret = self.regrets[at] + self.fresh[at];
                self.regrets[at] = regret * if regret > 0.0 { kept } else { 0.5 };
                self.fresh[at] = 0.0;
                self.current[at] = regret.max(0.0);
                sum += self.current[at];
            }
            let share = 1.0 / set.actions.len() as f64;
            for current in &mut self.current[set.actions.clone()] {
                *current = if sum > 0.0 { *current / sum } else { share };
            }
        }
    }

    fn add_to_average(&mut self, player: u8, weight: f64) {
        // A set comes after those that lead to it.
        for set in self.sets.iter().filter(|set| set.owner == player) {
            let reach = set.parent.map_or(1.0, |action| self.own[action]);
            for at in set.actions.clone() {
                self.own[at] = reach * self.current[at];
                self.sums[at] += weight * self.own[at];
            }
        }
    }

    /// Down the tree: parents come before their children, and a subtree is one piece.
    fn find_reach(&mut self, player: u8) {
        self.visited.clear();
        self.rest[0] = 1.0;
        let mut index = 0;
        while let Some(place) = self.places.get(index) {
            let rest = self.rest[index];
            if rest == 0.0 || place.owner == Owner::Nobody {
                index = place.end as usize;
                continue;
            }
            self.visited.push(index as u32);
            let children = &self.children[place.children()];
            let shares = match place.owner {
                Owner::Chance => &self.chances[place.shares()],
                _ => &self.current[place.shares()],
            };
            let own = place.owner == Owner::Player(player);
            for (child, share) in children.iter().zip(shares) {
                self.rest[*child as usize] = if own { rest } else { rest * share };
            }
            index += 1;
        }
    }

    /// Up the tree: values, and from them regrets.
    fn find_regrets(&mut self, player: u8) {
        let sign = if player == 0 { 1.0 } else { -1.0 };
        for &index in self.visited.iter().rev() {
            let index = index as usize;
            let place = &self.places[index];
            let children = &self.children[place.children()];
            let shares = match place.owner {
                Owner::Chance => &self.chances[place.shares()],
                _ => &self.current[place.shares()],
            };
            let parts = children.iter().zip(shares);
            // What was not visited has no share, and a value from before.
            let value: f64 = parts
                .map(|(child, share)| share * self.values[*child as usize])
                .sum();
            if place.owner == Owner::Player(player) {
                let weight = sign * self.rest[index];
                let fresh = &mut self.fresh[place.shares()];
                for (child, fresh) in children.iter().zip(fresh) {
                    *fresh += weight * (self.values[*child as usize] - value);
                }
            }
            self.values[index] = value;
        }
    }

    /// The bounds that the average strategies prove.
    fn bounds(&self, iterations: u32) -> ValueBounds {
        let rows = self.sets.iter().map(|set| {
            let row = &self.sums[set.actions.clone()];
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
