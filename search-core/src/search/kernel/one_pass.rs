//! A step of information-set search where UCB1 alone decides: children are matched with the legal actions,
//! compared and counted in one pass.

use super::{Leaf, Places};
use crate::decision::Effort;
use crate::game::Game;
use crate::rng::Draw;
use crate::search::key::GameKey;
use crate::search::selection::Ucb;
use crate::tree::{EdgeKey, Extra, Tree};

/// The child to follow among those legal in the leaf's world, and its position: a new one if some action has
/// none. `None` when the legal actions have no places: they need another way.
#[inline]
pub(crate) fn one_pass<G: Game, X: Extra, T: Tree<GameKey<G>, X>>(
    tree: &mut T,
    at: T::Id,
    ucb: Ucb,
    leaf: &mut Leaf<G>,
    places: &mut Places<G::Action>,
    effort: &mut Effort,
) -> Option<Option<(T::Id, u32)>> {
    let Leaf { legal, rng, .. } = leaf;
    let legal = &legal[..];
    let places = places.of(legal)?;
    let mut pass = ucb.pass();
    let mut ties = rng.clone();
    let mut missing = places.taken();
    let (mut last, mut count) = (None, 0);
    for (child, edge) in tree.linked(at) {
        last = Some(child);
        if let EdgeKey::Action(action) = edge.key()
            && let Some(place) = places.find(action)
        {
            pass.offer(tree, at, (child, edge, count), &mut ties);
            edge.record_availability();
            missing ^= place;
            // The other children belong to other worlds.
            if missing == 0 {
                *rng = ties;
                return Some(pass.found());
            }
        }
        count += 1;
    }
    let nth = rng.below(missing.count_ones());
    let untried = places.nth(legal, missing, nth);
    let Some(child) = tree.append_child(at, last, EdgeKey::Action(untried)) else {
        effort.refused_expansions += 1;
        // What is drawn for an action comes before what is drawn for ties.
        let mut pass = ucb.pass();
        for (ordinal, (child, edge)) in (0..).zip(tree.children(at)) {
            let action = edge.key().action();
            if action.is_some_and(|action| places.find(action).is_some()) {
                // As often as before it was counted.
                edge.restore(edge.visits(), edge.sum(), edge.availability() - 1);
                pass.offer(tree, at, (child, edge, ordinal), rng);
                edge.record_availability();
            }
        }
        return Some(pass.found());
    };
    tree.edge(child).record_availability();
    Some(Some((child, count)))
}
