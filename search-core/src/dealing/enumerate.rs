//! All worlds of a small problem, listed without the counting table.

use super::chain::Room;
use super::number::{Number, Scaled};
use super::{DealError, Problem, bits};

/// One world of a problem and its probability.
#[derive(Debug, Clone, PartialEq)]
pub struct World {
    /// The items of every bin.
    pub bins: Vec<u64>,
    /// The probability under the target distribution; 0 only where a float cannot hold it.
    pub probability: f64,
}

impl Problem {
    /// All worlds, by depth-first search over the items: an independent check of [`Problem::plan`]
    /// and an exact expectation for whoever can afford it. In lexicographic order of the bin of
    /// the lowest item, the next one, and so on.
    ///
    /// # Errors
    /// [`DealError::TooManyWorlds`] if there are more than `limit`, and
    /// [`DealError::Contradiction`] if there is none.
    pub fn enumerate(&self, limit: usize) -> Result<Vec<World>, DealError> {
        self.check()?;
        let mut search = Search {
            problem: self,
            items: bits(self.items).collect(),
            limit,
            bins: vec![0; self.bins],
            room: self.room,
            steps: 0,
            worlds: Vec::new(),
        };
        search.visit(0, Scaled::ONE)?;
        let weights = search.worlds.iter().map(|(_, weight)| *weight);
        let total = weights.fold(Scaled::ZERO, |sum, w| sum.plus(w).unwrap_or(sum));
        let worlds = search.worlds.into_iter().map(|(bins, weight)| World {
            bins,
            probability: weight.over(total),
        });
        Ok(worlds.collect())
    }
}

struct Search<'a> {
    problem: &'a Problem,
    items: Vec<usize>,
    limit: usize,
    bins: Vec<u64>,
    room: Room,
    /// Items placed so far, dead ends included.
    steps: usize,
    worlds: Vec<(Vec<u64>, Scaled)>,
}

impl Search<'_> {
    fn visit(&mut self, depth: usize, weight: Scaled) -> Result<(), DealError> {
        // A generous bound on dead ends, so that a search that finds nothing also stops.
        self.steps += 1;
        let full = depth == self.items.len() && self.worlds.len() == self.limit;
        if full || self.steps / 4096 > self.limit {
            return Err(DealError::TooManyWorlds { limit: self.limit });
        }
        let Some(&item) = self.items.get(depth) else {
            self.worlds.push((self.bins.clone(), weight));
            return Ok(());
        };
        for bin in 0..self.problem.bins {
            if self.room[bin] == 0 || !self.problem.allows(item, bin) {
                continue;
            }
            self.room[bin] -= 1;
            self.bins[bin] |= 1 << item;
            // Products of weights may be beyond what a plain number holds.
            let own = Scaled::new(self.problem.weight(item, bin));
            self.visit(depth + 1, weight.times(own).unwrap_or(weight))?;
            self.bins[bin] &= !(1 << item);
            self.room[bin] += 1;
        }
        Ok(())
    }
}
