//! Worlds weighed by what the others did: [`Inferring`].
//!
//! Policy inference (Rebstock, Solinas, Buro & Sturtevant 2019): a world is as likely as the cards are
//! dealt that way *and* the others, each seeing only his own part of it, would have acted as they did.
//! A player acts as a model policy with probability `1 - ε` and at random otherwise, so that no single
//! surprise makes a world impossible.
//!
//! What it may know: the searcher's own observation; the model sees, inside a world, what its player
//! would know there.

use rand::Rng;

use crate::decision::SearchError;
use crate::game::{Decisions, Game, Turn};
use crate::observation::{Contradiction, Determinizer, LogWeight};
use crate::policy::Policy;
use crate::rng::SimRng;
use crate::weights::Pool;

/// A determinizer that weighs the worlds of another by the others' observed decisions.
///
/// The weight of a world is the product of
///
/// ```text
/// (1 - ε) π(a | what its player knew in that world) + ε / k
/// ```
///
/// over the decisions of everybody but the searching player, with `k` legal actions, times the weight
/// that the other determinizer gives. `π(a)` is [`Policy::probability`]; of a policy that cannot tell it
/// is 1 or 0 by one draw of its choice: exact when it is deterministic, else unbiased.
pub struct Inferring<G: Game, D, P> {
    determinizer: D,
    decisions: Decisions<G>,
    policy: P,
    epsilon: f64,
    pool: Pool,
}

impl<G: Game, D: Clone, P: Clone> Clone for Inferring<G, D, P> {
    fn clone(&self) -> Self {
        Self {
            determinizer: self.determinizer.clone(),
            decisions: self.decisions,
            policy: self.policy.clone(),
            epsilon: self.epsilon,
            pool: self.pool,
        }
    }
}

impl<G: Game, D, P> Inferring<G, D, P> {
    /// Weighs the worlds of `determinizer` by the `decisions` that an observation shows, as if they were
    /// `policy`'s with probability `1 - epsilon` and random otherwise.
    ///
    /// # Errors
    /// [`SearchError::BadSetting`] when `epsilon` is not within 0 to 1.
    pub fn new(
        determinizer: D,
        decisions: Decisions<G>,
        policy: P,
        epsilon: f64,
    ) -> Result<Self, SearchError> {
        if !(0.0..=1.0).contains(&epsilon) {
            return Err(SearchError::BadSetting {
                name: "epsilon",
                value: epsilon.to_string(),
                expected: "a probability, 0 to 1",
            });
        }
        Ok(Self {
            determinizer,
            decisions,
            policy,
            epsilon,
            pool: Pool::default(),
        })
    }

    /// The same with another pool of worlds.
    #[must_use]
    pub const fn with_pool(mut self, pool: Pool) -> Self {
        self.pool = pool;
        self
    }
}

impl<G: Game, D, P: Policy<G>> Inferring<G, D, P> {
    /// The logarithm of the likelihood of what the others did, if `world` is the truth.
    pub fn log_likelihood(
        &self,
        game: &G,
        observation: &G::Observation,
        world: &G::State,
        rng: &mut SimRng,
    ) -> f64 {
        let me = match game.turn(world) {
            Turn::Player(player) => Some(player),
            _ => None,
        };
        let mut legal = Vec::new();
        let mut log = 0.0;
        (self.decisions)(game, observation, world, &mut |state, player, action| {
            if Some(player) == me {
                return;
            }
            game.legal_actions(state, &mut legal);
            log += match legal.binary_search(&action) {
                Ok(_) => libm::log(self.likelihood(game, state, &legal, action, rng)),
                Err(_) => f64::NEG_INFINITY,
            };
        });
        log
    }

    fn likelihood(
        &self,
        game: &G,
        state: &G::State,
        legal: &[G::Action],
        action: G::Action,
        rng: &mut SimRng,
    ) -> f64 {
        let Turn::Player(player) = game.turn(state) else {
            return 0.0;
        };
        let seen = game.observe(state, player);
        let told = self.policy.probability(game, &seen, legal, action);
        let probability = told.unwrap_or_else(|| {
            let choice = self.policy.choose(game, &seen, legal, rng);
            f64::from(u8::from(choice == action))
        });
        (1.0 - self.epsilon) * probability + self.epsilon / legal.len() as f64
    }
}

impl<G: Game, D: Determinizer<G>, P: Policy<G>> Determinizer<G> for Inferring<G, D, P> {
    type Plan = D::Plan;
    const PERFECT_INFORMATION: bool = D::PERFECT_INFORMATION;

    fn pool(&self) -> Option<Pool> {
        Some(self.pool)
    }

    fn plan(&self, game: &G, observation: &G::Observation) -> Result<D::Plan, Contradiction> {
        self.determinizer.plan(game, observation)
    }

    fn scratch(&self, game: &G, observation: &G::Observation, plan: &D::Plan) -> G::State {
        self.determinizer.scratch(game, observation, plan)
    }

    fn sample<R: Rng + ?Sized>(
        &self,
        game: &G,
        observation: &G::Observation,
        plan: &D::Plan,
        rng: &mut R,
        world: &mut G::State,
    ) -> LogWeight {
        let weight = self
            .determinizer
            .sample(game, observation, plan, rng, world);
        let mut choices = SimRng::new(rng.next_u64());
        weight + self.log_likelihood(game, observation, world, &mut choices)
    }
}
