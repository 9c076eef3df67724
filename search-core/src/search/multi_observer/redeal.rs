//! A world as another player sees it: [`Redeal`].

use crate::decision::SearchError;
use crate::game::{Game, Player};
use crate::observation::Determinizer;
use crate::rng::SimRng;

/// Resamples a world from what one of its players knows.
pub(crate) trait Redeal<G: Game>: Sync {
    /// Whether there is anything to resample.
    const ACTIVE: bool;

    /// Overwrites `out` with a world that `player` cannot tell from `world`. `false`, with nothing
    /// of use in `out`, when what the player sees admits none.
    fn redeal(
        &self,
        game: &G,
        world: &G::State,
        player: Player,
        rng: &mut SimRng,
        out: &mut G::State,
    ) -> Result<bool, SearchError>;
}

/// Everybody decides in the searcher's world.
pub(crate) struct NoRedeal;

impl<G: Game> Redeal<G> for NoRedeal {
    const ACTIVE: bool = false;

    fn redeal(
        &self,
        _: &G,
        _: &G::State,
        _: Player,
        _: &mut SimRng,
        _: &mut G::State,
    ) -> Result<bool, SearchError> {
        Ok(false)
    }
}

/// Resamples with a determinizer.
pub(crate) struct RedealBy<'a, D>(pub(crate) &'a D);

impl<G: Game, D: Determinizer<G>> Redeal<G> for RedealBy<'_, D> {
    const ACTIVE: bool = !D::PERFECT_INFORMATION;

    fn redeal(
        &self,
        game: &G,
        world: &G::State,
        player: Player,
        rng: &mut SimRng,
        out: &mut G::State,
    ) -> Result<bool, SearchError> {
        let observation = game.observe(world, player);
        let Ok(plan) = self.0.plan(game, &observation) else {
            return Ok(false);
        };
        // Of the right shape, without asking for memory.
        out.clone_from(world);
        let weight = self.0.sample(game, &observation, &plan, rng, out);
        if weight != 0.0 {
            return Err(SearchError::WeightedWorlds { log_weight: weight });
        }
        Ok(true)
    }
}
