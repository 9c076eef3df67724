//! UCB1 over edges that other threads are changing. With one thread the scores, and the draws that
//! break ties, are those of the serial search.

use crate::math::Counts;
use crate::rng::SimRng;
use crate::search::selection::{Available, Best, FirstPlayUrgency};
use crate::tree::shared::{SharedEdge, SharedTree};

/// The rule with its constants.
pub(super) struct Ucb {
    pub(super) exploration: f64,
    pub(super) inverse_scale: f64,
    pub(super) urgency: FirstPlayUrgency,
    pub(super) counts: Counts,
}

impl Ucb {
    /// The child of `id` to descend into, and its position. `total` is the number of simulations that
    /// went on from there before.
    #[inline]
    pub(super) fn select<K: Copy + 'static>(
        &self,
        tree: &SharedTree<K>,
        id: u32,
        total: u32,
        rng: &mut SimRng,
    ) -> Option<(u32, u32)> {
        if self.urgency == FirstPlayUrgency::Infinite
            && let Some(untried) = tree.block_child(id, total)
        {
            // Two threads may try the same one; those left out are tried once the block is through.
            return Some((untried, total));
        }
        let bonus = self.exploration * self.counts.sqrt_ln(total);
        let mut best = Best::new();
        for (ordinal, (child, edge)) in (0..).zip(tree.children(id)) {
            let score = self.score(tree, id, edge, bonus);
            best.offer(score, child, ordinal, rng);
        }
        best.found
    }

    /// The same over the children that are legal in this world, each against the number of times it
    /// was available; this time is counted afterwards.
    #[inline]
    pub(super) fn select_available<K: Copy + 'static>(
        &self,
        tree: &SharedTree<K>,
        id: u32,
        available: &[Available<u32>],
        rng: &mut SimRng,
    ) -> Option<(u32, u32)> {
        let mut best = Best::new();
        let (mut last, mut bonus) = (0, 0.0);
        for child in available {
            let edge = tree.edge(child.id);
            let times = edge.availability();
            if times != last {
                last = times;
                bonus = self.exploration * self.counts.sqrt_ln(last);
            }
            let score = self.score(tree, id, edge, bonus);
            best.offer(score, child.id, child.ordinal, rng);
            edge.record_availability();
        }
        best.found
    }

    #[inline]
    fn score<K: Copy + 'static>(
        &self,
        tree: &SharedTree<K>,
        parent: u32,
        edge: &SharedEdge<K>,
        bonus: f64,
    ) -> f64 {
        let selections = edge.selections();
        if selections.in_flight == 0 && selections.visits > 0 {
            let (inverse, inverse_root) = self.counts.inverse(selections.visits);
            return edge.sum() * inverse * self.inverse_scale + bonus * inverse_root;
        }
        self.unusual(tree, parent, edge, bonus)
    }

    /// The score of a child that was never tried, or has simulations in flight.
    #[cold]
    fn unusual<K: Copy + 'static>(
        &self,
        tree: &SharedTree<K>,
        parent: u32,
        edge: &SharedEdge<K>,
        bonus: f64,
    ) -> f64 {
        let selections = edge.selections();
        if selections.total() == 0 {
            return match self.urgency {
                FirstPlayUrgency::Infinite => f64::INFINITY,
                FirstPlayUrgency::Value(value) => value * self.inverse_scale,
                FirstPlayUrgency::ParentMinus(loss) => siblings(tree, parent)
                    .map_or(f64::INFINITY, |mean| mean * self.inverse_scale - loss),
            };
        }
        // In flight and nothing known yet: as good as its siblings.
        let mean = if selections.visits > 0 {
            edge.sum() / f64::from(selections.visits)
        } else {
            siblings(tree, parent).unwrap_or(0.0)
        };
        mean * self.inverse_scale + bonus * self.counts.inverse(selections.total()).1
    }
}

/// The mean over all children of a node that have visits.
fn siblings<K: Copy + 'static>(tree: &SharedTree<K>, id: u32) -> Option<f64> {
    let (mut sum, mut visits) = (0.0, 0_u64);
    for (_, edge) in tree.children(id) {
        sum += edge.sum();
        visits += u64::from(edge.selections().visits);
    }
    (visits > 0).then(|| sum / visits as f64)
}
