//! The lines at the root: [`Root`], their values, and which is best.

use super::bound::Bound;
use super::expand::{Continuation, Line};
use crate::decision::Candidate;
use crate::game::{Game, Turn};

/// A line at the root and what was found out about it.
#[derive(Debug, Clone, PartialEq)]
pub struct LineValue<A> {
    /// The actions.
    pub line: Line<A>,
    /// Its value for the player to move, at the depth that was searched in full; `None` when it was
    /// never looked at.
    pub value: Option<Bound>,
    /// Positions looked at after it.
    pub nodes: u64,
}

/// The lines at the root. Values are those of the player to move.
pub(super) struct Root<G: Game> {
    pub(super) continuations: Vec<Continuation<G>>,
    /// Whether a line ends the game.
    pub(super) ends: Vec<bool>,
    /// The values of the last full depth.
    pub(super) values: Vec<Option<Bound>>,
    /// The values of the depth in progress.
    pub(super) fresh: Vec<Option<Bound>>,
    pub(super) nodes: Vec<u64>,
    /// The order of the next depth.
    pub(super) order: Vec<usize>,
}

impl<G: Game> Root<G> {
    pub(super) fn new(game: &G, continuations: Vec<Continuation<G>>) -> Self {
        let count = continuations.len();
        Self {
            ends: continuations
                .iter()
                .map(|c| game.turn(&c.state) == Turn::Terminal)
                .collect(),
            continuations,
            values: vec![None; count],
            fresh: vec![None; count],
            nodes: vec![0; count],
            order: (0..count).collect(),
        }
    }

    /// The depth in progress was searched in full.
    pub(super) fn complete_depth(&mut self, tie: f64) {
        self.values.copy_from_slice(&self.fresh);
        self.fresh.fill(None);
        let best = self.best(&self.values, tie);
        let upper = |i: usize| self.values[i].map_or(f64::NEG_INFINITY, |v| v.upper);
        // A stable sort: what cannot be told apart stays as it was.
        crate::order::sort_by(&mut self.order, &|a, b| {
            let first = (best == Some(b)).cmp(&(best == Some(a)));
            first.then(upper(b).total_cmp(&upper(a)))
        });
    }

    /// The best line of those with an exact value; ties to within `tie` go to the end of the game,
    /// then to the smallest line.
    pub(super) fn best(&self, values: &[Option<Bound>], tie: f64) -> Option<usize> {
        let exact = |i: usize| values[i].filter(Bound::is_exact);
        let indices = 0..values.len();
        let most = indices
            .clone()
            .filter_map(exact)
            .map(|v| v.lower)
            .max_by(f64::total_cmp)?;
        indices
            .filter(|&i| exact(i).is_some_and(|v| v.lower >= most - tie))
            .min_by(|&a, &b| {
                let line = |i: usize| &*self.continuations[i].line;
                let ends = self.ends[b].cmp(&self.ends[a]);
                ends.then_with(|| line(a).cmp(line(b)))
            })
    }

    /// The entries of the legal actions: what is known of the best line that begins with each.
    pub(super) fn candidates(
        &self,
        legal: &[G::Action],
        chosen: G::Action,
    ) -> Vec<Candidate<G::Action>> {
        let candidate = |&action: &G::Action| {
            let mut bound: Option<Bound> = None;
            let mut visits = 0;
            for (i, continuation) in self.continuations.iter().enumerate() {
                if continuation.line.first() != action {
                    continue;
                }
                visits += self.nodes[i];
                let Some(value) = self.values[i] else {
                    continue;
                };
                bound = Some(bound.map_or(value, |b| Bound {
                    lower: b.lower.max(value.lower),
                    upper: b.upper.max(value.upper),
                    complete: b.complete && value.complete,
                }));
            }
            Candidate {
                action,
                visits,
                mean: bound.map_or(f64::NAN, |b| b.upper),
                std_error: match bound {
                    Some(b) if b.is_exact() => 0.0,
                    _ => f64::NAN,
                },
                availability: visits,
                policy: if action == chosen { 1.0 } else { 0.0 },
                proven: None,
                versus_chosen: None,
            }
        };
        legal.iter().map(candidate).collect()
    }
}
