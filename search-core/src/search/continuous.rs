//! Games whose legal actions are only a sample of a continuum: [`ContinuousActions`].

use crate::game::Game;
use crate::rng::SimRng;

/// What searches over a continuum of actions need beyond the rules: actions that
/// [`Game::legal_actions`] does not list, how alike two actions are, and how to play one exactly.
///
/// `legal_actions` gives the candidates that are known without search; [`Game::apply`] takes any
/// action that this makes as well, and [`Game::accepts`] says so. Execution noise is the chance turn
/// that follows an action.
pub trait ContinuousActions<G: Game>: Send + Sync {
    /// An action as chance may turn `action` into: the same execution noise, as another action.
    fn execute(&self, game: &G, state: &G::State, action: G::Action, rng: &mut SimRng)
    -> G::Action;

    /// How alike two actions are: the density of the execution noise that turns one into the other,
    /// divided by its density at nothing. 1 for equal actions, symmetric, 0 where there is no
    /// way from one to the other.
    fn kernel(&self, game: &G, state: &G::State, a: G::Action, b: G::Action) -> f64;

    /// The chance outcome that leaves an action as it was meant.
    fn exactly(&self, game: &G, state: &G::State) -> G::Chance;

    /// Whether the chance turn of `state`, which follows an action, is its execution noise. Any other
    /// is drawn. A game without chance turns says `false`.
    fn is_execution(&self, game: &G, state: &G::State) -> bool {
        let _ = (game, state);
        true
    }
}
