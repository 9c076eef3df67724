//! A tree over hidden worlds: player 0 does not see which it is, player 1 does.

use rand::Rng;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ops::RangeInclusive;

use search_core::game::{Game, InfoKey, Player, Returns, Turn};
use search_core::observation::{Contradiction, Determinizer, LogWeight};
use search_core::rng::{Draw, Seed, SimRng};
use search_core::weights::Pool;

pub(crate) enum Node {
    /// Who decides, and where each action leads. At a decision of player 0 the worlds fall into cells
    /// that can be told apart.
    Decide {
        player: usize,
        cells: Vec<usize>,
        next: Vec<usize>,
    },
    /// What player 0 gains in each world.
    Leaf(Vec<f64>),
}

/// Two players, or one if player 1 never moves. The root is node 0.
pub(crate) struct Veiled {
    pub(crate) nodes: Vec<Node>,
    pub(crate) worlds: usize,
    pub(crate) players: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct At {
    pub(crate) world: usize,
    pub(crate) node: usize,
}

/// What a player sees: the node, and the worlds that may be.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Seen {
    player: usize,
    node: usize,
    cell: usize,
}

impl Veiled {
    pub(crate) fn leaf(&mut self, values: &[f64]) -> usize {
        assert_eq!(values.len(), self.worlds);
        self.nodes.push(Node::Leaf(values.to_vec()));
        self.nodes.len() - 1
    }

    pub(crate) fn new(worlds: usize, players: usize) -> Self {
        Self {
            nodes: vec![Node::Leaf(Vec::new())],
            worlds,
            players,
        }
    }

    pub(crate) fn decide(&mut self, player: usize, next: &[usize]) -> usize {
        self.nodes.push(Node::Decide {
            player,
            cells: vec![0; self.worlds],
            next: next.to_vec(),
        });
        self.nodes.len() - 1
    }

    pub(crate) fn root(mut self, player: usize, next: &[usize]) -> Self {
        let node = self.decide(player, next);
        self.nodes.swap(0, node);
        self
    }

    /// A full random tree. `players[i]` decides at level `i`; leaves are drawn by `leaf`. Where
    /// `reveal`, player 0 sees more and more of the world on the way down.
    pub(crate) fn random(
        worlds: usize,
        players: &[usize],
        branching: u32,
        reveal: bool,
        rng: &mut SimRng,
        leaf: &mut dyn FnMut(&mut SimRng) -> f64,
    ) -> Self {
        let two = players.contains(&1);
        let mut tree = Self::new(worlds, 1 + usize::from(two));
        let cells = vec![0; worlds];
        let root = tree.grow(players, branching, reveal, &cells, rng, leaf);
        tree.nodes.swap(0, root);
        tree
    }

    fn grow(
        &mut self,
        players: &[usize],
        branching: u32,
        reveal: bool,
        cells: &[usize],
        rng: &mut SimRng,
        leaf: &mut dyn FnMut(&mut SimRng) -> f64,
    ) -> usize {
        let Some((&player, rest)) = players.split_first() else {
            let values = (0..self.worlds).map(|_| leaf(rng)).collect();
            self.nodes.push(Node::Leaf(values));
            return self.nodes.len() - 1;
        };
        let next = (0..branching)
            .map(|_| {
                // Every cell may be split in two.
                let finer: Vec<usize> = cells
                    .iter()
                    .map(|c| 2 * c + usize::from(reveal && rng.below(4) == 0))
                    .collect();
                self.grow(rest, branching, reveal, &finer, rng, leaf)
            })
            .collect();
        self.nodes.push(Node::Decide {
            player,
            cells: cells.to_vec(),
            next,
        });
        self.nodes.len() - 1
    }

    /// The best mean over `worlds` that player 0 alone can plan for, seeing only cells for `depth` decisions
    /// and everything after these: with depth enough, the truth.
    pub(crate) fn planned(&self, node: usize, worlds: &[usize], depth: u32) -> f64 {
        if depth == 0 {
            let open = worlds.iter().map(|w| self.open(node, *w));
            return open.sum::<f64>() / worlds.len() as f64;
        }
        match &self.nodes[node] {
            Node::Leaf(values) => {
                worlds.iter().map(|w| values[*w]).sum::<f64>() / worlds.len() as f64
            }
            Node::Decide { cells, next, .. } => {
                let mut by_cell: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
                for &world in worlds {
                    by_cell.entry(cells[world]).or_default().push(world);
                }
                let sum: f64 = by_cell
                    .values()
                    .map(|part| {
                        let best = next.iter().map(|n| self.planned(*n, part, depth - 1));
                        best.fold(f64::NEG_INFINITY, f64::max) * part.len() as f64
                    })
                    .sum();
                sum / worlds.len() as f64
            }
        }
    }

    /// What player 0 gains in one world when everybody sees it.
    pub(crate) fn open(&self, node: usize, world: usize) -> f64 {
        match &self.nodes[node] {
            Node::Leaf(values) => values[world],
            Node::Decide { player, next, .. } => {
                let values = next.iter().map(|n| self.open(*n, world));
                match player {
                    0 => values.fold(f64::NEG_INFINITY, f64::max),
                    _ => values.fold(f64::INFINITY, f64::min),
                }
            }
        }
    }

    /// What player 0 gains in one world by a plan (an action for each node), against an opponent who
    /// sees the world and knows the plan.
    fn held(&self, node: usize, world: usize, plan: &BTreeMap<usize, usize>) -> f64 {
        match &self.nodes[node] {
            Node::Leaf(values) => values[world],
            Node::Decide {
                player: 0, next, ..
            } => self.held(next[plan[&node]], world, plan),
            Node::Decide { next, .. } => next
                .iter()
                .map(|n| self.held(*n, world, plan))
                .fold(f64::INFINITY, f64::min),
        }
    }

    /// The most worlds that a plan of player 0 wins from `node`, by trying all plans.
    pub(crate) fn most_won(&self, node: usize, worlds: &[usize]) -> usize {
        let own: Vec<(usize, usize)> = (0..self.nodes.len())
            .filter_map(|i| match &self.nodes[i] {
                Node::Decide {
                    player: 0, next, ..
                } if self.reaches(node, i) => Some((i, next.len())),
                _ => None,
            })
            .collect();
        let plans: usize = own.iter().map(|(_, n)| n).product();
        (0..plans)
            .map(|mut number| {
                let mut plan = BTreeMap::new();
                for (i, n) in &own {
                    plan.insert(*i, number % n);
                    number /= n;
                }
                let won = worlds.iter().filter(|w| self.held(node, **w, &plan) > 0.0);
                won.count()
            })
            .max()
            .unwrap_or(0)
    }

    fn reaches(&self, from: usize, to: usize) -> bool {
        from == to
            || match &self.nodes[from] {
                Node::Decide { next, .. } => next.iter().any(|n| self.reaches(*n, to)),
                Node::Leaf(_) => false,
            }
    }

    pub(crate) fn children(&self, node: usize) -> &[usize] {
        match &self.nodes[node] {
            Node::Decide { next, .. } => next,
            Node::Leaf(_) => &[],
        }
    }

    /// The worlds that a search with this seed draws.
    pub(crate) fn drawn(&self, count: u32, seed: Seed) -> Vec<usize> {
        let plan = AnyWorld.plan(self, &self.seen()).unwrap();
        let mut world = AnyWorld.scratch(self, &self.seen(), &plan);
        (0..u64::from(count))
            .map(|i| {
                let mut rng = seed.index(i).child("world").simulation(0);
                AnyWorld.sample(self, &self.seen(), &plan, &mut rng, &mut world);
                world.world
            })
            .collect()
    }

    /// The view of player 0 at the root.
    pub(crate) fn seen(&self) -> Seen {
        self.observe(&At { world: 0, node: 0 }, Player::new(0))
    }
}

impl Game for Veiled {
    type State = At;
    type Action = u8;
    type Chance = Infallible;
    type Observation = Seen;

    fn num_players(&self) -> usize {
        self.players
    }

    fn initial_state<R: Rng + ?Sized>(&self, rng: &mut R) -> At {
        At {
            world: rng.below(self.worlds as u32) as usize,
            node: 0,
        }
    }

    fn turn(&self, s: &At) -> Turn {
        match &self.nodes[s.node] {
            Node::Decide { player, .. } => Turn::Player(Player::new(*player)),
            Node::Leaf(_) => Turn::Terminal,
        }
    }

    fn legal_actions(&self, s: &At, out: &mut Vec<u8>) {
        out.clear();
        out.extend(0..self.children(s.node).len() as u8);
    }

    fn apply(&self, s: &mut At, a: u8) {
        s.node = self.children(s.node)[usize::from(a)];
    }

    fn returns(&self, s: &At) -> Returns {
        let value = match &self.nodes[s.node] {
            Node::Leaf(values) => values[s.world],
            Node::Decide { .. } => 0.0,
        };
        match self.players {
            1 => Returns::splat(1, value),
            _ => Returns::zero_sum(value),
        }
    }

    fn return_bounds(&self) -> RangeInclusive<f64> {
        -1.0..=1.0
    }

    fn observe(&self, s: &At, player: Player) -> Seen {
        let cell = match (&self.nodes[s.node], player.index()) {
            (Node::Decide { cells, .. }, 0) => cells[s.world],
            (Node::Leaf(_), 0) => 0,
            _ => s.world,
        };
        Seen {
            player: player.index(),
            node: s.node,
            cell,
        }
    }
}

impl InfoKey for Veiled {
    type Key = Seen;
    fn info_key(&self, state: &At, player: Player) -> Seen {
        self.observe(state, player)
    }
}

/// Every world that is left, with equal probability.
#[derive(Debug, Clone)]
pub(crate) struct AnyWorld;

impl Determinizer<Veiled> for AnyWorld {
    type Plan = Vec<usize>;

    fn plan(&self, game: &Veiled, seen: &Seen) -> Result<Vec<usize>, Contradiction> {
        let worlds: Vec<usize> = (0..game.worlds)
            .filter(|&world| {
                let at = At {
                    world,
                    node: seen.node,
                };
                game.observe(&at, Player::new(seen.player)) == *seen
            })
            .collect();
        match worlds.is_empty() {
            true => Err(Contradiction::new("no such world")),
            false => Ok(worlds),
        }
    }

    fn scratch(&self, _: &Veiled, seen: &Seen, plan: &Vec<usize>) -> At {
        At {
            world: plan[0],
            node: seen.node,
        }
    }

    fn sample<R: Rng + ?Sized>(
        &self,
        _: &Veiled,
        seen: &Seen,
        plan: &Vec<usize>,
        rng: &mut R,
        world: &mut At,
    ) -> LogWeight {
        world.world = plan[rng.below(plan.len() as u32) as usize];
        world.node = seen.node;
        0.0
    }
}

/// The same worlds with given log weights.
#[derive(Debug, Clone)]
pub(crate) struct Skewed {
    pub(crate) logs: Vec<f64>,
    pub(crate) pool: Option<Pool>,
}

impl Determinizer<Veiled> for Skewed {
    type Plan = Vec<usize>;

    fn pool(&self) -> Option<Pool> {
        self.pool
    }

    fn plan(&self, game: &Veiled, seen: &Seen) -> Result<Vec<usize>, Contradiction> {
        AnyWorld.plan(game, seen)
    }

    fn scratch(&self, game: &Veiled, seen: &Seen, plan: &Vec<usize>) -> At {
        AnyWorld.scratch(game, seen, plan)
    }

    fn sample<R: Rng + ?Sized>(
        &self,
        game: &Veiled,
        seen: &Seen,
        plan: &Vec<usize>,
        rng: &mut R,
        world: &mut At,
    ) -> LogWeight {
        AnyWorld.sample(game, seen, plan, rng, world);
        self.logs[world.world]
    }
}
