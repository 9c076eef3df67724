//! EPIMC: PIMC that postpones the moment from which everything is visible.
//!
//! Arjonilla, Saffidine & Cazenave 2024 ("Perfect Information Monte Carlo with Postponing Reasoning").
//! Worlds are sampled as in [`Pimc`], and everything in a world is visible from the `depth`-th decision
//! on, counted from the root's, which is the first. The decisions before that are made on *information
//! sets*: all worlds in which the player to move knows the same share one decision and its statistics. So
//! the search cannot plan to choose differently in worlds that it will not be able to tell apart, not
//! before `depth`. With `depth = 1` only the root is shared and it is PIMC; with a depth as long as the
//! game there is no strategy fusion left.
//!
//! The paper builds the game of the first `depth` decisions, values its ends by the perfect-information
//! method, and solves it. Here both are one tree: a simulation takes the next world in turn, descends by
//! UCB1 through shared decisions, and from `depth` on through decisions of that world alone. The upper
//! part is solved by the statistics of information-set MCTS, one node for what *its mover* knows, and the
//! ends are valued by UCT with as many simulations as the upper part wants: a game with thirty actions
//! has thousands of ends at depth 3, which a fixed share each (and counterfactual regrets over all of
//! them) could not value within a budget. What is given up is the mixed equilibrium of the upper part.
//!
//! What it may know: the searcher's own observation; below `depth`, everything.

mod knowledge;
mod tree;

pub use knowledge::Knowledge;

use crate::budget::{Budget, StopReason};
use crate::decision::{Decision, Effort, SearchError};
use crate::game::{Game, Player, Turn};
use crate::math::Counts;
use crate::observation::Determinizer;
use crate::rng::{Seed, SimRng};
use crate::rollout::{Ending, Evaluation, LeafEvaluator, Rollout};
use crate::search::meter::Meter;
use crate::search::pimc::{Pimc, PimcSettings};
use crate::search::root::{Arm, RootStatistics, usable};
use crate::search::tree_search::{inverse_scale, not_negative};
use crate::search::worlds::{Root, Sampled, Worlds};
use crate::search::{GameKey, Searcher};
use crate::tree::{Indexed, Storage};
use knowledge::Trail;
use tree::{Bandit, Found, Graph};

/// Settings of [`Epimc`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EpimcSettings {
    /// Decisions made on information sets, the root's included; 1 is PIMC.
    pub depth: u32,
    /// Worlds and search. From depth 2 on there is one tree and one thread: the aggregation and the
    /// parallel mode are those of depth 1 only, and the final choice is that of the search.
    pub pimc: PimcSettings,
}

impl Default for EpimcSettings {
    fn default() -> Self {
        Self {
            depth: 2,
            pimc: PimcSettings::default(),
        }
    }
}

/// Extended PIMC with UCT from the depth on.
#[derive(Debug, Clone)]
pub struct Epimc<G: Game, D, E = Rollout, S = Indexed<GameKey<G>>> {
    /// Decisions made on information sets.
    pub depth: u32,
    /// How players' knowledge is told apart.
    pub knowledge: Knowledge<G>,
    /// Where worlds come from, what values a leaf, and the settings.
    pub pimc: Pimc<G, D, E, S>,
    graph: Graph<G::Action>,
}

impl<G: Game, D: Determinizer<G>> Epimc<G, D> {
    /// With random rollouts.
    #[must_use]
    pub fn new(settings: EpimcSettings, knowledge: Knowledge<G>, determinizer: D) -> Self {
        Self::with(settings, knowledge, determinizer, Rollout::default())
    }
}

impl<G: Game, D: Determinizer<G>, E: LeafEvaluator<G>, S: Storage<GameKey<G>>> Epimc<G, D, E, S> {
    /// With this leaf evaluator.
    #[must_use]
    pub fn with(
        settings: EpimcSettings,
        knowledge: Knowledge<G>,
        determinizer: D,
        evaluator: E,
    ) -> Self {
        Self {
            depth: settings.depth,
            knowledge,
            pimc: Pimc::with(settings.pimc, determinizer, evaluator),
            graph: Graph::default(),
        }
    }
}

impl<G, D, E, S> Searcher<G> for Epimc<G, D, E, S>
where
    G: Game,
    D: Determinizer<G>,
    E: LeafEvaluator<G>,
    S: Storage<GameKey<G>>,
{
    fn search(
        &mut self,
        game: &G,
        observation: &G::Observation,
        budget: &Budget,
        seed: Seed,
    ) -> Result<Decision<G::Action>, SearchError> {
        let bad = |name, expected| SearchError::BadSetting {
            name,
            value: "0".into(),
            expected,
        };
        let settings = &self.pimc.settings;
        match self.depth {
            0 => return Err(bad("depth", "1 or more decisions")),
            1 => return self.pimc.search(game, observation, budget, seed),
            _ if budget.is_empty() => return Err(SearchError::EmptyBudget),
            _ if settings.worlds == 0 => return Err(bad("worlds", "1 or more worlds")),
            _ => {}
        }
        let mut source = Sampled::to_weigh(game, &self.pimc.determinizer, observation)?;
        let root = Root::look(game, &source, seed)?;
        let (scale, choice) = (game.return_scale(), settings.search.final_choice);
        if settings.search.skip_forced && root.legal.len() == 1 {
            return Ok(RootStatistics::<G>::settled().decide(&root, scale, choice, seed));
        }
        not_negative("exploration", settings.search.exploration)?;
        source.weigh(game, budget, seed)?;
        let count = u64::from(settings.worlds).min(budget.simulations.unwrap_or(u64::MAX));
        let mut worlds = Vec::new();
        for index in 0..count {
            let mut world = source.scratch(game);
            let mut rng = seed.index(index).child("world").simulation(0);
            let weight = source.load(game, &mut rng, &mut world);
            if weight != 0.0 {
                return Err(SearchError::WeightedWorlds { log_weight: weight });
            }
            root.agrees(game, &world)?;
            worlds.push(world);
        }
        self.graph.clear(budget.nodes, budget.bytes);
        let mut search = Search {
            game,
            root: &root,
            depth: self.depth,
            knowledge: self.knowledge,
            evaluator: &self.pimc.evaluator,
            bandit: Bandit {
                exploration: settings.search.exploration,
                inverse_scale: inverse_scale(game)?,
                urgency: settings.search.urgency,
                counts: Counts::new(),
            },
            graph: &mut self.graph,
            world: worlds[0].clone(),
            legal: Vec::with_capacity(256),
            path: Vec::with_capacity(64),
            squares: vec![0.0; root.legal.len()],
            effort: Effort::default(),
        };
        let mut statistics = search.run(&worlds, budget, seed)?;
        source.report(&mut statistics.effort);
        Ok(statistics.decide(&root, scale, choice, seed))
    }
}

/// One search in progress.
struct Search<'a, G: Game, E> {
    game: &'a G,
    root: &'a Root<G::Action>,
    depth: u32,
    knowledge: Knowledge<G>,
    evaluator: &'a E,
    bandit: Bandit,
    graph: &'a mut Graph<G::Action>,
    world: G::State,
    legal: Vec<G::Action>,
    /// The edges of a simulation and who chose them.
    path: Vec<(u32, Player)>,
    /// Sums of squares by position of the legal action.
    squares: Vec<f64>,
    effort: Effort,
}

/// The key of the root's decision, whatever the worlds say.
const ROOT: u64 = 0;

impl<G: Game, E: LeafEvaluator<G>> Search<'_, G, E> {
    fn run(
        &mut self,
        worlds: &[G::State],
        budget: &Budget,
        seed: Seed,
    ) -> Result<RootStatistics<G>, SearchError> {
        let mut meter = Meter::new(budget, budget.simulations, budget.time, true);
        let count = worlds.len() as u64;
        let mut done = 0;
        self.effort.stop = loop {
            if let Some(reason) = meter.stop(done, self.graph.len() as u64) {
                break reason;
            }
            let index = done % count;
            let mut rng = seed.index(index).simulation(done / count);
            self.world.clone_from(&worlds[index as usize]);
            self.descend(index, &mut rng)?;
            let evaluation =
                self.evaluator
                    .evaluate(self.game, &mut self.world, &mut rng, &mut self.legal);
            self.back_up(&evaluation)?;
            done += 1;
        };
        Ok(self.finish(done, count))
    }

    /// Follows the tree in this world to where it ends.
    fn descend(&mut self, index: u64, rng: &mut SimRng) -> Result<(), SearchError> {
        let (game, knowledge) = (self.game, self.knowledge);
        let mut trail = Trail::new(index);
        self.path.clear();
        loop {
            let shared = (self.path.len() as u32) < self.depth;
            match game.turn(&self.world) {
                Turn::Terminal => return Ok(()),
                Turn::Chance => {
                    let outcome = game.sample_chance(&self.world, rng);
                    trail.outcome(&knowledge, game, &self.world, outcome, shared);
                    game.apply_chance(&mut self.world, outcome);
                }
                Turn::Player(player) => {
                    let key = match (self.path.is_empty(), shared) {
                        (true, _) => ROOT,
                        (_, true) => {
                            trail.shared(&knowledge, game, &self.world, player, self.root.player)
                        }
                        _ => trail.alone(),
                    };
                    let Some(action) = self.decide(key, player, rng)? else {
                        return Ok(());
                    };
                    trail.action(&knowledge, game, &self.world, action, shared);
                    game.apply(&mut self.world, action);
                }
            }
        }
    }

    /// The action to follow at a decision; `None` where the tree ends.
    fn decide(
        &mut self,
        key: u64,
        player: Player,
        rng: &mut SimRng,
    ) -> Result<Option<G::Action>, SearchError> {
        let node = match self.graph.find(key) {
            Found::Known(node) => node,
            // A simulation goes one decision beyond those known before it; the root is known.
            Found::New(node) if self.path.is_empty() => node,
            Found::New(_) => return Ok(None),
            Found::Full => {
                self.effort.refused_expansions += 1;
                return Ok(None);
            }
        };
        self.game.legal_actions(&self.world, &mut self.legal);
        let index = player.index();
        if self.legal.is_empty() {
            return Err(SearchError::NoActions { player: index });
        }
        if !self.graph.expand(node, &self.legal, rng) {
            self.effort.refused_expansions += 1;
            return Ok(None);
        }
        let edge = self.graph.select(node, &self.bandit, rng);
        let action = self.graph.edge(edge).action;
        let known = self.graph.actions(node) == self.legal.len();
        if !known || self.legal.binary_search(&action).is_err() {
            return Err(SearchError::MixedActions { player: index });
        }
        self.path.push((edge, player));
        Ok(Some(action))
    }

    fn back_up(&mut self, evaluation: &Evaluation) -> Result<(), SearchError> {
        let returns = &evaluation.returns;
        if let Some(player) = returns.iter().position(|value| !usable(*value)) {
            let first = self.path.first().map(|(e, _)| self.graph.edge(*e).action);
            return Err(SearchError::NonFiniteReturn {
                player,
                value: returns[player],
                action: format!("{first:?}"),
            });
        }
        match evaluation.ending {
            Ending::Terminal => {}
            Ending::CutOff => self.effort.truncated_rollouts += 1,
            Ending::Stuck(player) => {
                let player = player.index();
                return Err(SearchError::NoActions { player });
            }
        }
        self.effort.depth = self.effort.depth.max(self.path.len() as u32);
        for &(edge, player) in &self.path {
            let edge = self.graph.edge(edge);
            edge.visits += 1;
            edge.sum += returns.of(player);
        }
        if let Some(&(edge, player)) = self.path.first() {
            let action = self.graph.edge(edge).action;
            let value = returns.of(player);
            if let Ok(position) = self.root.legal.binary_search(&action) {
                self.squares[position] += value * value;
            }
        }
        Ok(())
    }

    fn finish(&mut self, done: u64, worlds: u64) -> RootStatistics<G> {
        let mut effort = std::mem::take(&mut self.effort);
        effort.simulations = done;
        effort.worlds = worlds.min(done);
        effort.effective_sample_size = effort.worlds as f64;
        effort.edges = self.graph.len() as u64;
        effort.bytes = self.graph.bytes() as u64;
        effort.deterministic = effort.stop == StopReason::Simulations;
        let mut statistics = RootStatistics::empty();
        statistics.effort = effort;
        if let Found::Known(root) = self.graph.find(ROOT) {
            let edges = self.graph.edges(root).iter();
            statistics.arms = edges
                .map(|edge| {
                    let position = self.root.legal.binary_search(&edge.action);
                    Arm {
                        bounds: None,
                        action: edge.action,
                        visits: u64::from(edge.visits),
                        sum: edge.sum,
                        sum_of_squares: position.map_or(0.0, |i| self.squares[i]),
                        availability: done,
                    }
                })
                .collect();
        }
        statistics
    }
}
