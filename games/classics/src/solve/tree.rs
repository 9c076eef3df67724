//! Every history of a small game, and the value of strategies in it.

use search_core::game::{ChanceOutcomes, InfoKey, Player, Returns, Turn};
use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Index;
use thiserror::Error;

use super::induction::Mean;
use super::{BadBehaviour, Behaviour, InitialStates};

/// Which information set of a [`GameTree`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InfoSetIndex(pub(super) u32);

/// The decision of one player that cannot be told apart from others.
pub struct InfoSet<G: InfoKey> {
    /// Who decides.
    pub player: Player,
    /// What the game calls it.
    pub key: G::Key,
    /// What the player sees.
    pub observation: G::Observation,
    /// The legal actions, ascending.
    pub actions: Vec<G::Action>,
    /// The nodes that belong to it.
    pub(super) nodes: Vec<u32>,
}

#[derive(Debug, Clone)]
pub(super) enum Node {
    Terminal(Returns),
    Chance(Vec<(f64, u32)>),
    Decision {
        info_set: InfoSetIndex,
        children: Vec<u32>,
    },
}

/// The extensive form of a game: every history from every initial state. A child comes after its
/// parent, and node 0 is the draw of the initial state.
///
/// ```
/// use classics::KuhnPoker;
/// use classics::solve::{GameTree, Uniform};
/// use search_core::game::Player;
///
/// let tree = GameTree::new(&KuhnPoker, 100)?;
/// let uniform = tree.tabulate(&KuhnPoker, &Uniform)?;
/// assert!((tree.value(&uniform)[0] - 0.125).abs() < 1e-12);
/// assert!((tree.best_response(&uniform, Player::new(0)).value - 0.5).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct GameTree<G: InfoKey> {
    pub(super) players: usize,
    pub(super) nodes: Vec<Node>,
    pub(super) info_sets: Vec<InfoSet<G>>,
}

/// The game has more nodes than allowed, or its information sets contradict themselves.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TooLarge {
    /// More nodes than the limit.
    #[error("the game has more than {limit} nodes")]
    Nodes {
        /// The limit.
        limit: usize,
    },
    /// One key for decisions that differ in player or legal actions.
    #[error("information set {key} has different players or actions in different states")]
    InfoSet {
        /// The key.
        key: String,
    },
}

/// One probability an action for every information set of a tree: everybody's strategy.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    pub(super) rows: Vec<Vec<f64>>,
}

impl Index<InfoSetIndex> for Profile {
    type Output = [f64];
    fn index(&self, index: InfoSetIndex) -> &[f64] {
        &self.rows[index.0 as usize]
    }
}

impl<G: InfoKey + ChanceOutcomes + InitialStates> GameTree<G> {
    /// Every history of a game.
    ///
    /// # Errors
    /// When there are more than `limit` nodes, or an information set is not one.
    pub fn new(game: &G, limit: usize) -> Result<Self, TooLarge> {
        let mut builder = Builder {
            game,
            limit,
            known: HashMap::new(),
            tree: Self {
                players: game.num_players(),
                nodes: vec![Node::Chance(Vec::new())],
                info_sets: Vec::new(),
            },
        };
        let mut deals = Vec::new();
        for (state, probability) in game.initial_states() {
            deals.push((probability, builder.node(&state)?));
        }
        builder.tree.nodes[0] = Node::Chance(deals);
        Ok(builder.tree)
    }

    /// Asks a behaviour in every information set.
    ///
    /// # Errors
    /// When it does not give probabilities.
    pub fn tabulate(
        &self,
        game: &G,
        behaviour: &impl Behaviour<G>,
    ) -> Result<Profile, BadBehaviour> {
        let rows = self.info_sets.iter().map(|set| {
            let row =
                behaviour.probabilities(game, set.player, &set.key, &set.observation, &set.actions);
            let sum: f64 = row.iter().sum();
            let good = row.len() == set.actions.len()
                && row.iter().all(|p| *p >= 0.0)
                && (sum - 1.0).abs() < 1e-9;
            if good {
                Ok(row)
            } else {
                Err(BadBehaviour {
                    key: format!("{:?}", set.key),
                    actions: set.actions.len(),
                    row,
                })
            }
        });
        let rows = rows.collect::<Result<_, _>>()?;
        Ok(Profile { rows })
    }
}

struct Builder<'g, G: InfoKey> {
    game: &'g G,
    limit: usize,
    known: HashMap<G::Key, InfoSetIndex>,
    tree: GameTree<G>,
}

impl<G: InfoKey + ChanceOutcomes> Builder<'_, G> {
    fn node(&mut self, state: &G::State) -> Result<u32, TooLarge> {
        let index = self.tree.nodes.len();
        if index >= self.limit {
            return Err(TooLarge::Nodes { limit: self.limit });
        }
        self.tree.nodes.push(Node::Chance(Vec::new()));
        let node = match self.game.turn(state) {
            Turn::Terminal => Node::Terminal(self.game.returns(state)),
            Turn::Chance => {
                let mut outcomes = Vec::new();
                self.game.chance_outcomes(state, &mut outcomes);
                let mut children = Vec::with_capacity(outcomes.len());
                for (outcome, probability) in outcomes {
                    let mut next = state.clone();
                    self.game.apply_chance(&mut next, outcome);
                    children.push((probability, self.node(&next)?));
                }
                Node::Chance(children)
            }
            Turn::Player(player) => {
                let mut actions = Vec::new();
                self.game.legal_actions(state, &mut actions);
                let info_set = self.info_set(state, player, &actions)?;
                self.tree.info_sets[info_set.0 as usize]
                    .nodes
                    .push(index as u32);
                let mut children = Vec::with_capacity(actions.len());
                for action in actions {
                    let mut next = state.clone();
                    self.game.apply(&mut next, action);
                    children.push(self.node(&next)?);
                }
                Node::Decision { info_set, children }
            }
        };
        self.tree.nodes[index] = node;
        Ok(index as u32)
    }

    fn info_set(
        &mut self,
        state: &G::State,
        player: Player,
        actions: &[G::Action],
    ) -> Result<InfoSetIndex, TooLarge> {
        let key = self.game.info_key(state, player);
        let fresh = InfoSetIndex(self.tree.info_sets.len() as u32);
        let index = *self.known.entry(key.clone()).or_insert(fresh);
        if index == fresh {
            self.tree.info_sets.push(InfoSet {
                player,
                key,
                observation: self.game.observe(state, player),
                actions: actions.to_vec(),
                nodes: Vec::new(),
            });
        } else {
            let set = &self.tree.info_sets[index.0 as usize];
            if set.player != player || set.actions != actions {
                let key = format!("{key:?}");
                return Err(TooLarge::InfoSet { key });
            }
        }
        Ok(index)
    }
}

impl<G: InfoKey> GameTree<G> {
    /// How many nodes there are, the draw of the initial state included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: there is always node 0.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The information sets with their indices.
    pub fn info_sets(&self) -> impl Iterator<Item = (InfoSetIndex, &InfoSet<G>)> {
        let sets = self.info_sets.iter().enumerate();
        sets.map(|(i, set)| (InfoSetIndex(i as u32), set))
    }

    /// Uniformly random play.
    #[must_use]
    pub fn uniform(&self) -> Profile {
        let rows = self.info_sets.iter().map(|set| {
            let actions = set.actions.len();
            vec![1.0 / actions as f64; actions]
        });
        Profile {
            rows: rows.collect(),
        }
    }

    /// The same game for players who do not tell information sets apart to which `key` gives the same:
    /// suits in a game where only ranks count, say. Each takes the place of the first of its kind.
    ///
    /// # Errors
    /// When sets of one player and key differ in legal actions.
    pub fn merged<K: Eq + Hash>(
        mut self,
        key: impl Fn(&InfoSet<G>) -> K,
    ) -> Result<Self, TooLarge> {
        let mut known: HashMap<(Player, K), usize> = HashMap::new();
        let mut kept: Vec<InfoSet<G>> = Vec::new();
        let mut places = Vec::with_capacity(self.info_sets.len());
        for set in std::mem::take(&mut self.info_sets) {
            let place = *known.entry((set.player, key(&set))).or_insert(kept.len());
            places.push(InfoSetIndex(place as u32));
            match kept.get_mut(place) {
                None => kept.push(set),
                Some(first) if first.actions == set.actions => first.nodes.extend(set.nodes),
                Some(_) => {
                    let key = format!("{:?}", set.key);
                    return Err(TooLarge::InfoSet { key });
                }
            }
        }
        for node in &mut self.nodes {
            if let Node::Decision { info_set, .. } = node {
                *info_set = places[info_set.0 as usize];
            }
        }
        self.info_sets = kept;
        Ok(self)
    }

    /// `profile` with the strategy of one player taken from another.
    #[must_use]
    pub fn with_player(&self, profile: &Profile, player: Player, from: &Profile) -> Profile {
        let mut mixed = profile.clone();
        for (index, set) in self.info_sets() {
            if set.player == player {
                mixed.rows[index.0 as usize].copy_from_slice(&from[index]);
            }
        }
        mixed
    }

    /// What everybody can expect when all play as `profile` says.
    #[must_use]
    pub fn value(&self, profile: &Profile) -> Returns {
        self.values_with(profile)[0]
    }

    /// The value of every node when all play as `profile` says.
    pub(super) fn values_with(&self, profile: &Profile) -> Vec<Returns> {
        self.values_by(|info_set, children, values| {
            let mut mean = Mean::new(self.players);
            for (child, probability) in children.iter().zip(&profile[info_set]) {
                mean.add(*probability, &values[*child as usize]);
            }
            mean.returns()
        })
    }

    /// The children of a decision.
    pub(super) fn children(&self, node: u32) -> &[u32] {
        match &self.nodes[node as usize] {
            Node::Decision { children, .. } => children,
            _ => &[],
        }
    }

    /// The value of every node, the last first, where `decide` gives that of a decision.
    pub(super) fn values_by(
        &self,
        mut decide: impl FnMut(InfoSetIndex, &[u32], &[Returns]) -> Returns,
    ) -> Vec<Returns> {
        let mut values = vec![Returns::splat(self.players, 0.0); self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate().rev() {
            values[index] = match node {
                Node::Terminal(returns) => *returns,
                Node::Chance(children) => {
                    let mut mean = Mean::new(self.players);
                    for (probability, child) in children {
                        mean.add(*probability, &values[*child as usize]);
                    }
                    mean.returns()
                }
                Node::Decision { info_set, children } => decide(*info_set, children, &values),
            };
        }
        values
    }

    /// The probability of every node when `player` plays towards it and the others, chance
    /// included, as `profile` says.
    pub(super) fn reach_without(&self, player: Player, profile: &Profile) -> Vec<f64> {
        let mut reach = vec![0.0; self.nodes.len()];
        reach[0] = 1.0;
        for (index, node) in self.nodes.iter().enumerate() {
            let here = reach[index];
            match node {
                Node::Terminal(_) => {}
                Node::Chance(children) => {
                    for (probability, child) in children {
                        reach[*child as usize] = here * probability;
                    }
                }
                Node::Decision { info_set, children } => {
                    let own = self.info_sets[info_set.0 as usize].player == player;
                    for (child, probability) in children.iter().zip(&profile[*info_set]) {
                        let factor = if own { 1.0 } else { *probability };
                        reach[*child as usize] = here * factor;
                    }
                }
            }
        }
        reach
    }
}
