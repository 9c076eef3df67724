//! Worlds weighed by what the others did, for every searcher that samples worlds: `infer=NAME`.

use rand::Rng;
use search_core::expr::{Expr, ExprError, Settings};
use search_core::inference::Inferring;
use search_core::observation::{Contradiction, Determinizer, LogWeight};
use search_core::plugin::{Plugin, SharedPolicy};
use search_core::weights::Pool;

use super::setup::{Setup, within};

/// The keys, read by [`worlds`].
pub(super) const INFER: (&str, &str) = (
    "infer",
    "weigh worlds by how likely this policy acts as the others did",
);
pub(super) const INFER_EPS: (&str, &str) = (
    "infer_eps",
    "how often the others act at random instead, 0 to 1 (0.2)",
);
pub(super) const POOL: (&str, &str) = ("pool", "worlds that are weighed (256)");

/// Worlds are kept.
const MOST_POOL: u64 = 1_000_000;

/// The game's own determinizer, plain or with weights.
pub(super) enum Worlds<P: Plugin> {
    Plain(P::Determinizer),
    Inferred(Inferring<P, P::Determinizer, SharedPolicy<P>>),
}

impl<P: Plugin> Clone for Worlds<P> {
    fn clone(&self) -> Self {
        match self {
            Self::Plain(plain) => Self::Plain(plain.clone()),
            Self::Inferred(inferred) => Self::Inferred(inferred.clone()),
        }
    }
}

/// The determinizer that the settings ask for.
pub(super) fn worlds<P: Plugin>(
    setup: &Setup<'_, P>,
    settings: &mut Settings<'_>,
) -> Result<Worlds<P>, ExprError> {
    let plain = setup.game.determinizer();
    let given = settings.expr("infer").cloned();
    let Some((policy, given)) = setup.policy(settings, "infer")?.zip(given) else {
        return Ok(Worlds::Plain(plain));
    };
    let Some(decisions) = setup.game.decisions() else {
        let reason = format!(
            "the observations of {} do not tell what was decided before: leave it out",
            P::NAME
        );
        return Err(settings.bad("infer", &given, reason));
    };
    let epsilon: f64 = settings.get("infer_eps", 0.2)?;
    let default = Pool::default();
    let worlds = within(settings, "pool", MOST_POOL)?;
    let pool = Pool {
        worlds: worlds.map_or(default.worlds, |n| n as u32),
        ..default
    };
    match Inferring::new(plain, decisions, policy, epsilon) {
        Ok(inferring) => Ok(Worlds::Inferred(inferring.with_pool(pool))),
        Err(_) => {
            let given = Expr::word(epsilon.to_string());
            Err(settings.bad("infer_eps", &given, "expected a number from 0 to 1".into()))
        }
    }
}

impl<P: Plugin> Determinizer<P> for Worlds<P> {
    type Plan = <P::Determinizer as Determinizer<P>>::Plan;
    const PERFECT_INFORMATION: bool = P::Determinizer::PERFECT_INFORMATION;

    fn pool(&self) -> Option<Pool> {
        match self {
            Self::Plain(plain) => plain.pool(),
            Self::Inferred(inferred) => inferred.pool(),
        }
    }

    fn plan(&self, game: &P, observation: &P::Observation) -> Result<Self::Plan, Contradiction> {
        match self {
            Self::Plain(plain) => plain.plan(game, observation),
            Self::Inferred(inferred) => inferred.plan(game, observation),
        }
    }

    fn scratch(&self, game: &P, observation: &P::Observation, plan: &Self::Plan) -> P::State {
        match self {
            Self::Plain(plain) => plain.scratch(game, observation, plan),
            Self::Inferred(inferred) => inferred.scratch(game, observation, plan),
        }
    }

    #[inline]
    fn sample<R: Rng + ?Sized>(
        &self,
        game: &P,
        observation: &P::Observation,
        plan: &Self::Plan,
        rng: &mut R,
        world: &mut P::State,
    ) -> LogWeight {
        match self {
            Self::Plain(plain) => plain.sample(game, observation, plan, rng, world),
            Self::Inferred(inferred) => inferred.sample(game, observation, plan, rng, world),
        }
    }
}
