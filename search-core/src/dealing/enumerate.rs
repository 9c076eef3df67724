//! All worlds of a small problem, listed without the counting table.

use super::chain::Room;
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
        search.visit(0, 1.0)?;
        let mut worlds = search.worlds;
        let total: f64 = worlds.iter().map(|world| world.probability).sum();
        for world in &mut worlds {
            world.probability /= total;
        }
        Ok(worlds)
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
    worlds: Vec<World>,
}

impl Search<'_> {
    fn visit(&mut self, depth: usize, weight: f64) -> Result<(), DealError> {
        // A generous bound on dead ends, so that a search that finds nothing also stops.
        self.steps += 1;
        let full = depth == self.items.len() && self.worlds.len() == self.limit;
        if full || self.steps / 4096 > self.limit {
            return Err(DealError::TooManyWorlds { limit: self.limit });
        }
        let Some(&item) = self.items.get(depth) else {
            self.worlds.push(World {
                bins: self.bins.clone(),
                probability: weight,
            });
            return Ok(());
        };
        // The largest weight of an item is 1 here, so that products do not overflow.
        let allowed = |bin: &usize| self.problem.allows(item, *bin);
        let largest = (0..self.problem.bins)
            .filter(allowed)
            .map(|bin| self.problem.weight(item, bin))
            .fold(0.0, f64::max);
        for bin in 0..self.problem.bins {
            if self.room[bin] == 0 || !self.problem.allows(item, bin) {
                continue;
            }
            self.room[bin] -= 1;
            self.bins[bin] |= 1 << item;
            self.visit(
                depth + 1,
                weight * (self.problem.weight(item, bin) / largest),
            )?;
            self.bins[bin] &= !(1 << item);
            self.room[bin] += 1;
        }
        Ok(())
    }
}
