//! Exact marginals: forward over the table, then through the chain.

use super::plan::{Odds, Plan};
use super::{MAX_BINS, MAX_ITEMS, bits};

impl Plan {
    /// The probability that `item` lies in `bin`, to 1e-12; 0 for an item or a bin that is not of
    /// the problem. The first call computes all of them, with one pass over the table.
    #[must_use]
    pub fn marginal(&self, item: usize, bin: usize) -> f64 {
        if item >= MAX_ITEMS || bin >= self.bins {
            return 0.0;
        }
        self.marginals.get_or_init(|| self.all_marginals())[item][bin]
    }

    fn all_marginals(&self) -> Box<[[f64; MAX_BINS]; MAX_ITEMS]> {
        let mut sums = Box::new([[0.0; MAX_BINS]; MAX_ITEMS]);
        let lowest = |items: u64| items.trailing_zeros() as usize;
        let mut groups: Vec<u64> = self.classes.iter().map(|class| class.items).collect();
        let mut reach = vec![0.0; self.graph.states.len()];
        reach[0] = 1.0;
        for &id in &self.graph.order {
            let state = self.graph.states[id as usize];
            let class = &self.classes[usize::from(state.class)];
            let row = &mut sums[lowest(class.items)];
            for (n, edge) in self.graph.edges(id) {
                let p = reach[id as usize]
                    * self.chance(state.first as usize, usize::from(state.edges), edge);
                reach[self.graph.targets[edge] as usize] += p;
                let each = p / f64::from(class.size());
                row[usize::from(state.bin)] += each * f64::from(n);
                let remainder = self.graph.remainder(state, n, edge);
                row[class.last_bin()] += each * f64::from(remainder);
            }
        }
        for (id, room) in &self.graph.ends {
            let p = reach[*id as usize];
            if p > 0.0 {
                self.chain
                    .marginals(room, |items, bin, q| sums[lowest(items)][bin] += p * q);
            }
        }
        groups.extend(self.chain.groups());
        for items in groups {
            let row = sums[lowest(items)];
            for item in bits(items) {
                sums[item] = row;
            }
        }
        for (bin, &mask) in self.placed.iter().enumerate() {
            for item in bits(mask) {
                sums[item][bin] = 1.0;
            }
        }
        sums
    }

    /// The probability of an edge among the `edges` edges from `first` on.
    fn chance(&self, first: usize, edges: usize, edge: usize) -> f64 {
        match &self.odds {
            Odds::Exact(sums) => {
                let before = if edge == first { 0 } else { sums[edge - 1] };
                let total = sums[first + edges - 1];
                if total == 0 {
                    0.0
                } else {
                    (sums[edge] - before) as f64 / total as f64
                }
            }
            Odds::Float(shares) => {
                let before = if edge == first { 0.0 } else { shares[edge - 1] };
                shares[edge] - before
            }
        }
    }
}
