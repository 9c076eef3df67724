//! Where a simulation's world comes from: the known state, or a sample from an observation.
//!
//! Worlds that come with weights are drawn before the search, weighed and resampled to equal weights;
//! a simulation then takes one of them at random.

use crate::budget::Budget;
use crate::decision::{Effort, SearchError};
use crate::game::{Game, Player, Turn};
use crate::observation::{Determinizer, LogWeight};
use crate::rng::{Draw, Seed, SimRng};
use crate::weights::{Pool, Weights};

/// Fills the world of a simulation.
pub(crate) trait Worlds<G: Game>: Sync {
    /// A state to be overwritten.
    fn scratch(&self, game: &G) -> G::State;
    /// Overwrites `world` with the start of a simulation; returns its log weight.
    fn load(&self, game: &G, rng: &mut SimRng, world: &mut G::State) -> LogWeight;
}

/// Every simulation starts from one known state.
pub(crate) struct Known<'a, S>(pub(crate) &'a S);

impl<G: Game> Worlds<G> for Known<'_, G::State> {
    fn scratch(&self, _: &G) -> G::State {
        self.0.clone()
    }

    #[inline]
    fn load(&self, _: &G, _: &mut SimRng, world: &mut G::State) -> LogWeight {
        world.clone_from(self.0);
        0.0
    }
}

/// Every simulation starts from a fresh world.
pub(crate) struct Sampled<'a, G: Game, D: Determinizer<G>> {
    pub(crate) determinizer: &'a D,
    pub(crate) observation: &'a G::Observation,
    pub(crate) plan: D::Plan,
    /// Whether weights are to be expected: until they are drawn for, any world will do.
    announced: bool,
    pool: Option<Drawn<G::State>>,
}

/// A pool of worlds after resampling.
struct Drawn<S> {
    /// Those that were picked.
    states: Vec<S>,
    /// Positions in `states`, each as often as its world was picked.
    picks: Vec<u32>,
    effective: f64,
    flattened: bool,
}

impl<'a, G: Game, D: Determinizer<G>> Sampled<'a, G, D> {
    /// Worlds without weights.
    pub(crate) fn new(
        game: &G,
        determinizer: &'a D,
        observation: &'a G::Observation,
    ) -> Result<Self, SearchError> {
        Ok(Self {
            plan: determinizer.plan(game, observation)?,
            determinizer,
            observation,
            announced: false,
            pool: None,
        })
    }

    /// Worlds that may come with weights, good for a look at the root: [`Sampled::weigh`] before they are
    /// searched.
    pub(crate) fn to_weigh(
        game: &G,
        determinizer: &'a D,
        observation: &'a G::Observation,
    ) -> Result<Self, SearchError> {
        let mut sampled = Self::new(game, determinizer, observation)?;
        sampled.announced = determinizer.pool().is_some();
        Ok(sampled)
    }

    /// Draws and weighs the pool, if the determinizer asks for one; no more worlds than there will be
    /// simulations.
    pub(crate) fn weigh(
        &mut self,
        game: &G,
        budget: &Budget,
        seed: Seed,
    ) -> Result<(), SearchError> {
        if let Some(pool) = self.determinizer.pool() {
            let most = budget.simulations.unwrap_or(u64::MAX);
            let worlds = u64::from(pool.worlds).min(most);
            self.pool = Some(self.draw(game, worlds, pool, seed.child("pool"))?);
        }
        Ok(())
    }

    fn draw(
        &self,
        game: &G,
        worlds: u64,
        pool: Pool,
        seed: Seed,
    ) -> Result<Drawn<G::State>, SearchError> {
        let bad = |name, value, expected| SearchError::BadSetting {
            name,
            value,
            expected,
        };
        if worlds == 0 {
            return Err(bad("pool", "0".into(), "1 or more worlds"));
        }
        if !(0.0..=1.0).contains(&pool.least) {
            let value = pool.least.to_string();
            return Err(bad("least", value, "a share from 0 to 1"));
        }
        let (mut states, mut logs) = (Vec::new(), Vec::new());
        for i in 0..worlds {
            let mut world = self.scratch(game);
            let mut rng = seed.simulation(i);
            logs.push(self.sample(game, &mut rng, &mut world));
            states.push(world);
        }
        let weights = Weights::tempered(&logs, pool.least)?;
        let mut picks = Vec::new();
        let offset = seed.child("resample").simulation(0).unit();
        weights.resample(states.len(), offset, &mut picks);
        Ok(Drawn::new(states, picks, &weights))
    }

    fn sample(&self, game: &G, rng: &mut SimRng, world: &mut G::State) -> LogWeight {
        self.determinizer
            .sample(game, self.observation, &self.plan, rng, world)
    }

    /// Notes what became of the weights.
    pub(crate) fn report(&self, effort: &mut Effort) {
        if let Some(pool) = &self.pool {
            effort.worlds = pool.picks.len() as u64;
            effort.effective_sample_size = pool.effective;
            effort.flattened_weights = u64::from(pool.flattened);
        }
    }
}

impl<S> Drawn<S> {
    /// Keeps the worlds that are picked, in their order.
    fn new(states: Vec<S>, mut picks: Vec<u32>, weights: &Weights) -> Self {
        let mut kept = Vec::new();
        let mut states = states.into_iter().zip(0..);
        let mut last = None;
        for pick in &mut picks {
            if last != Some(*pick) {
                last = Some(*pick);
                let state = states.find(|(_, i)| i == pick);
                kept.extend(state.map(|(state, _)| state));
            }
            *pick = kept.len() as u32 - 1;
        }
        Self {
            states: kept,
            picks,
            effective: weights.effective_sample_size(),
            flattened: weights.exponent() < 1.0,
        }
    }
}

impl<G: Game, D: Determinizer<G>> Worlds<G> for Sampled<'_, G, D> {
    fn scratch(&self, game: &G) -> G::State {
        self.determinizer
            .scratch(game, self.observation, &self.plan)
    }

    #[inline]
    fn load(&self, game: &G, rng: &mut SimRng, world: &mut G::State) -> LogWeight {
        let Some(pool) = &self.pool else {
            let weight = self.sample(game, rng, world);
            return if self.announced { 0.0 } else { weight };
        };
        let pick = rng.below(pool.picks.len() as u32) as usize;
        world.clone_from(&pool.states[pool.picks[pick] as usize]);
        0.0
    }
}

/// Worlds of any kind, asked once a simulation: what searches them is compiled once a game.
impl<G: Game> Worlds<G> for &dyn Worlds<G> {
    fn scratch(&self, game: &G) -> G::State {
        (**self).scratch(game)
    }

    #[inline]
    fn load(&self, game: &G, rng: &mut SimRng, world: &mut G::State) -> LogWeight {
        (**self).load(game, rng, world)
    }
}

/// What there is to decide: who decides, and between which actions.
pub(crate) struct Root<A> {
    pub(crate) player: Player,
    /// Ascending, never empty.
    pub(crate) legal: Vec<A>,
}

impl<A> Root<A> {
    /// Looks at the root through one sampled world. Every world of one observation has the same
    /// player to move and the same legal actions.
    pub(crate) fn look<G: Game<Action = A>>(
        game: &G,
        worlds: &impl Worlds<G>,
        seed: Seed,
    ) -> Result<Self, SearchError> {
        let mut world = worlds.scratch(game);
        let weight = worlds.load(game, &mut seed.child("root").simulation(0), &mut world);
        if weight != 0.0 {
            return Err(SearchError::WeightedWorlds { log_weight: weight });
        }
        let player = match game.turn(&world) {
            Turn::Player(player) => player,
            Turn::Chance => return Err(SearchError::ChanceRoot),
            Turn::Terminal => return Err(SearchError::TerminalRoot),
        };
        let mut legal = Vec::new();
        game.legal_actions(&world, &mut legal);
        if legal.is_empty() {
            return Err(SearchError::NoActions {
                player: player.index(),
            });
        }
        Ok(Self { player, legal })
    }

    /// Whether the same player is to move in this world, too.
    ///
    /// # Errors
    /// [`SearchError::MixedWorlds`] when not.
    pub(crate) fn agrees<G: Game>(&self, game: &G, world: &G::State) -> Result<(), SearchError> {
        if game.turn(world) == Turn::Player(self.player) {
            return Ok(());
        }
        Err(SearchError::MixedWorlds {
            player: self.player.index(),
        })
    }
}
