//! Leaf correlation, bias and disambiguation of a game: [`Bcd`].

use rand::Rng;
use search_core::game::{Game, InfoKey, MAX_PLAYERS, Player, Returns, Turn};
use search_core::rng::{Draw, Seed};
use std::cmp::Ordering;

use super::GameTree;
use super::tree::Node;

/// Three numbers that say how well perfect-information Monte Carlo may do in a game (Long, Sturtevant,
/// Buro & Furtak 2010): badly where leaf correlation and disambiguation are low.
///
/// Each is `None` where there is nothing to measure it on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bcd {
    /// Leaf correlation, 0 to 1: the share of last decisions whose choices all come to the same.
    pub correlation: Option<f64>,
    /// Bias, 0 to 1: the share of those that the reference player wins, a draw counting as half.
    pub bias: Option<f64>,
    /// Disambiguation: \\(2(1-\rho)/(2-\rho)\\) with \\(\rho\\) the mean ratio of the sizes of a player's
    /// information sets from one decision to the next. It is the probability with which a set is broken in
    /// half, and the halves again, without end; 0 if sets keep their size, negative if they grow.
    pub disambiguation: Option<f64>,
}

/// How a leaf counts: lost, drawn or won by a player, by the sign of the return.
fn outcome(returns: &Returns, reference: Player) -> Option<Ordering> {
    returns.of(reference).partial_cmp(&0.0)
}

/// The last decisions that have been seen.
#[derive(Debug, Clone, Copy, Default)]
struct Leaves {
    decisions: u64,
    same: u64,
    /// Twice the number of wins.
    won: u64,
}

impl Leaves {
    /// Counts a decision with these leaves below.
    fn count(&mut self, mut outcomes: impl Iterator<Item = Option<Ordering>>) {
        let first = outcomes.next().flatten();
        self.decisions += 1;
        if outcomes.all(|outcome| outcome == first) {
            self.same += 1;
            self.won += match first {
                Some(Ordering::Greater) => 2,
                Some(Ordering::Equal) => 1,
                _ => 0,
            };
        }
    }

    fn bcd(&self, disambiguation: Option<f64>) -> Bcd {
        let share = |part: u64, all: u64| (all > 0).then(|| part as f64 / all as f64);
        Bcd {
            correlation: share(self.same, self.decisions),
            bias: share(self.won, 2 * self.same),
            disambiguation,
        }
    }
}

impl<G: InfoKey> GameTree<G> {
    /// The three numbers, from every node of the tree counted once. A last decision is one after which
    /// the game is over whatever is chosen. Information sets of one node have nothing left to break
    /// and are not followed; small sets can be halved a few times only, so that \\(\rho\\) comes out
    /// larger, and disambiguation smaller, than in the limit.
    #[must_use]
    pub fn bcd(&self, reference: Player) -> Bcd {
        let mut leaves = Leaves::default();
        for node in &self.nodes {
            if let Node::Decision { children, .. } = node {
                let ends = children.iter().map(|child| &self.nodes[*child as usize]);
                let ends: Option<Vec<_>> = ends
                    .map(|end| match end {
                        Node::Terminal(returns) => Some(outcome(returns, reference)),
                        _ => None,
                    })
                    .collect();
                if let Some(ends) = ends {
                    leaves.count(ends.into_iter());
                }
            }
        }
        let ratio = self.mean_ratio();
        leaves.bcd(ratio.map(|ratio| 2.0 * (1.0 - ratio) / (2.0 - ratio)))
    }

    /// The mean, over the decisions of a player who has decided before in a set of several nodes, of the
    /// size of the set over the size of the set before.
    fn mean_ratio(&self) -> Option<f64> {
        let size = |set: u32| self.info_sets[set as usize].nodes.len() as f64;
        // The last set of every player on the way to each node; children come after their parents.
        let mut last: Vec<[Option<u32>; MAX_PLAYERS]> = vec![[None; MAX_PLAYERS]; self.nodes.len()];
        let (mut sum, mut count) = (0.0, 0_u64);
        for (index, node) in self.nodes.iter().enumerate() {
            let mut here = last[index];
            match node {
                Node::Terminal(_) => {}
                Node::Chance(children) => {
                    for (_, child) in children {
                        last[*child as usize] = here;
                    }
                }
                Node::Decision { info_set, children } => {
                    let player = self.info_sets[info_set.0 as usize].player.index();
                    if let Some(before) = here[player].filter(|set| size(*set) > 1.0) {
                        sum += size(info_set.0) / size(before);
                        count += 1;
                    }
                    here[player] = Some(info_set.0);
                    for child in children {
                        last[*child as usize] = here;
                    }
                }
            }
        }
        (count > 0).then(|| sum / count as f64)
    }
}

/// Leaf correlation and bias of a game too large for [`GameTree`], at the last decisions of `playouts`
/// random games (those after which it was over whatever was chosen): a decision counts as often as it
/// comes up, not once. Disambiguation is `None`: it needs the sizes of information sets.
#[must_use]
pub fn sampled_bcd<G: Game>(game: &G, reference: Player, playouts: u64, seed: Seed) -> Bcd {
    let mut leaves = Leaves::default();
    let mut legal = Vec::new();
    for playout in 0..playouts {
        let mut rng = seed.simulation(playout);
        let mut state = game.initial_state(&mut rng);
        let Some(last) = last_decision(game, &mut state, &mut legal, &mut rng) else {
            continue;
        };
        game.legal_actions(&last, &mut legal);
        let ends = legal.iter().map(|action| {
            let mut end = last.clone();
            game.apply(&mut end, *action);
            (game.turn(&end) == Turn::Terminal).then(|| outcome(&game.returns(&end), reference))
        });
        if let Some(ends) = ends.collect::<Option<Vec<_>>>() {
            leaves.count(ends.into_iter());
        }
    }
    leaves.bcd(None)
}

/// Plays at random to the end; the state in which the last action was chosen.
fn last_decision<G: Game, R: Rng>(
    game: &G,
    state: &mut G::State,
    legal: &mut Vec<G::Action>,
    rng: &mut R,
) -> Option<G::State> {
    let mut last = None;
    loop {
        match game.turn(state) {
            Turn::Terminal => return last,
            Turn::Chance => {
                let outcome = game.sample_chance(state, rng);
                game.apply_chance(state, outcome);
                last = None;
            }
            Turn::Player(_) => {
                game.legal_actions(state, legal);
                let action = rng.pick(legal)?;
                last = Some(state.clone());
                game.apply(state, action);
            }
        }
    }
}
