//! Rollouts of rollouts: [`nested`].

use std::sync::Arc;

use crate::budget::Budget;
use crate::decision::SearchError;
use crate::game::Game;
use crate::observation::Determinizer;
use crate::policy::{Evaluator, Policy};
use crate::search::search_policy::SearchPolicy;

use super::{RolloutImprovement, RolloutSettings};

/// The policy of this level over `base`: level 1 is `base` itself, and one of level `l` plays what
/// rollout improvement of the policy of level `l - 1` chooses, everybody following that policy in the
/// rollouts, each from its own observation and with worlds of its own.
///
/// For one player these are the nested searches of Cazenave 2009 without the memory of the best line;
/// with hidden information level 2 is the imperfect-information Monte Carlo of Furtak & Buro 2013. Each
/// level costs `samples` times the number of candidates rollouts a decision of the level below.
///
/// The searches run on one thread each: `settings.threads` is not used. `evaluator` values rollouts that
/// [`RolloutSettings::max_turns`] stops.
///
/// # Errors
/// [`SearchError::BadSetting`] for a level of 0 or above 4.
pub fn nested<G, D>(
    level: u32,
    settings: RolloutSettings,
    determinizer: &D,
    evaluator: Option<&Arc<dyn Evaluator<G>>>,
    base: Arc<dyn Policy<G>>,
) -> Result<Arc<dyn Policy<G>>, SearchError>
where
    G: Game + 'static,
    D: Determinizer<G> + Clone + 'static,
{
    if !(1..=4).contains(&level) {
        return Err(SearchError::BadSetting {
            name: "level",
            value: level.to_string(),
            expected: "1 to 4: each level costs hundreds of times the one below",
        });
    }
    settings.check()?;
    let mut policy = base;
    for _ in 1..level {
        let (below, determinizer) = (policy, determinizer.clone());
        let evaluator = evaluator.cloned();
        let settings = RolloutSettings {
            threads: 1,
            ..settings
        };
        let search = move || {
            let (own, others) = (Arc::clone(&below), Arc::clone(&below));
            let mut search = RolloutImprovement::new(settings, determinizer.clone(), own, others);
            search.evaluator.clone_from(&evaluator);
            search
        };
        policy = Arc::new(SearchPolicy::new(Budget::default(), search)?);
    }
    Ok(policy)
}
