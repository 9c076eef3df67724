//! The way up: one simulation more on every edge of its path.

use super::{Path, Step, Tally};
use crate::decision::SearchError;
use crate::game::{Game, Returns};
use crate::rollout::Ending;
use crate::search::key::GameKey;
use crate::search::root::usable;
use crate::search::rule::Rule;
use crate::tree::{EdgeKey, Extra, Tree};

/// Counts the path of a simulation as in flight, or no longer.
pub(super) fn mark<K: Copy + 'static, X: Extra, T: Tree<K, X>>(
    tree: &T,
    path: &Path<T::Id>,
    begins: bool,
) {
    for step in &path.steps {
        tree.edge(step.id).set_in_flight(begins);
    }
}

#[cold]
fn non_finite<G: Game, X: Extra, T: Tree<GameKey<G>, X>>(
    tree: &T,
    path: &Path<T::Id>,
    player: usize,
    value: f64,
) -> SearchError {
    let first = path.steps.get(1).map(|step| tree.edge(step.id).key());
    SearchError::NonFiniteReturn {
        player,
        value,
        action: format!("{:?}", first.and_then(EdgeKey::action)),
    }
}

/// Adds one simulation to every edge on its path: to each what it is worth to the player who chose it.
#[inline]
pub(super) fn backup<G: Game, R: Rule<G>, T: Tree<GameKey<G>, R::Extra>>(
    rule: &R,
    tree: &T,
    path: &Path<T::Id>,
    (returns, ending): (&Returns, Ending),
    tally: &mut Tally,
) -> Result<(), SearchError> {
    let Tally {
        effort,
        root_squares,
    } = tally;
    if let Some(player) = returns.iter().position(|value| !usable(*value)) {
        return Err(non_finite::<G, R::Extra, T>(
            tree,
            path,
            player,
            returns[player],
        ));
    }
    match ending {
        Ending::Terminal => {}
        Ending::CutOff => effort.truncated_rollouts += 1,
        Ending::Stuck(player) => {
            let player = player.index();
            return Err(SearchError::NoActions { player });
        }
    }
    effort.depth = effort.depth.max(path.steps.len() as u32 - 1);
    for step in &path.steps {
        let edge = tree.edge(step.id);
        match step.chooser {
            Some(player) => edge.record(rule.worth(returns, player)),
            None => edge.record_visit(),
        }
    }
    if let Some(Step {
        chooser: Some(player),
        ..
    }) = path.steps.get(1)
    {
        let ordinal = path.root_ordinal as usize;
        if root_squares.len() <= ordinal {
            root_squares.resize(ordinal + 1, 0.0);
        }
        let value = rule.worth(returns, *player);
        root_squares[ordinal] += value * value;
    }
    Ok(())
}
