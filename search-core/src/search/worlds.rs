//! Where a simulation's world comes from: the known state, or a sample from an observation.

use crate::decision::SearchError;
use crate::game::{Game, Player, Turn};
use crate::observation::{Determinizer, LogWeight};
use crate::rng::{Seed, SimRng};

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
}

impl<'a, G: Game, D: Determinizer<G>> Sampled<'a, G, D> {
    pub(crate) fn new(
        game: &G,
        determinizer: &'a D,
        observation: &'a G::Observation,
    ) -> Result<Self, SearchError> {
        Ok(Self {
            plan: determinizer.plan(game, observation)?,
            determinizer,
            observation,
        })
    }
}

impl<G: Game, D: Determinizer<G>> Worlds<G> for Sampled<'_, G, D> {
    fn scratch(&self, game: &G) -> G::State {
        self.determinizer
            .scratch(game, self.observation, &self.plan)
    }

    #[inline]
    fn load(&self, game: &G, rng: &mut SimRng, world: &mut G::State) -> LogWeight {
        self.determinizer
            .sample(game, self.observation, &self.plan, rng, world)
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
