//! What a tree does at chance turns: draws an outcome, or takes all of them in their shares.

use std::fmt;

use crate::decision::SearchError;
use crate::game::{ChanceOutcomes, Game, ListOutcomes};
use crate::tree::{EdgeKey, Extra, Tree};

/// The outcomes that a simulation follows through the chance nodes of a tree. Rollouts beyond the
/// tree always draw theirs.
#[derive(Default)]
pub enum Chance<G: Game> {
    /// Drawn from the game; a node keeps a child for each outcome met (the default).
    #[default]
    Sampled,
    /// Listed in full when a node is expanded; each visit takes the outcome most behind its share,
    /// the one with the highest `p (N + 1) - n`, where `N` visits have gone on from the node and
    /// `n` of them with this outcome. Ties go by an order that is drawn once a node.
    ///
    /// Of `k` outcomes none is ever ahead of its share `p N` by more than `1 - 1/k`, or behind it by
    /// more than `1/2 + 1/3 + ... + 1/k`: the outcomes of a node are as good as stratified, where
    /// drawn ones stray by the root of their number.
    ///
    /// A block of
    /// outcomes that does not fit the budget is not made, as one of actions, and one of more than
    /// 65,535 never is: the rollout then draws.
    Explicit(ListOutcomes<G>),
    /// Drawn from the game, and not remembered: a node stands for the actions that led to it, whatever
    /// chance drew between them (Perez et al. 2015). Actions are compared with how often they were
    /// available, as over sampled worlds. It finds the best *plan*, which cannot react to what was drawn.
    OpenLoop,
}

impl<G: ChanceOutcomes> Chance<G> {
    /// All outcomes in their shares, of a game that lists them.
    #[must_use]
    pub fn explicit() -> Self {
        Self::Explicit(G::chance_outcomes)
    }
}

impl<G: Game> Clone for Chance<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Chance<G> {}

impl<G: Game> fmt::Debug for Chance<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sampled => "Sampled",
            Self::Explicit(_) => "Explicit",
            Self::OpenLoop => "OpenLoop",
        })
    }
}

/// Whether these are the outcomes of a distribution.
///
/// # Errors
/// [`SearchError::BadOutcomes`] when not.
pub(crate) fn check<C>(outcomes: &[(C, f64)]) -> Result<(), SearchError> {
    let sum: f64 = outcomes.iter().map(|(_, p)| p).sum();
    let positive = outcomes.iter().all(|(_, p)| *p > 0.0);
    if positive && (sum - 1.0).abs() <= 1e-9 {
        return Ok(());
    }
    Err(SearchError::BadOutcomes {
        outcomes: outcomes.len(),
        sum,
    })
}

/// The outcome that is most behind its share at this node, which was left `left` times, and its position.
#[inline]
pub(crate) fn most_behind<A, C, X, T>(tree: &T, id: T::Id, left: u32) -> Option<(T::Id, u32)>
where
    X: Extra,
    A: Copy + 'static,
    C: Copy + 'static,
    T: Tree<EdgeKey<A, C>, X>,
{
    // This visit will be one more.
    let visits = f64::from(left) + 1.0;
    let (mut most, mut found) = (f64::NEG_INFINITY, None);
    for (ordinal, (child, edge)) in (0..).zip(tree.children(id)) {
        let behind = edge.probability() * visits - f64::from(edge.selections());
        if behind > most {
            most = behind;
            found = Some((child, ordinal));
        }
    }
    found
}
