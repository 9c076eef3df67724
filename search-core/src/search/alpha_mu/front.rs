//! Pareto fronts of sets of won worlds.

/// Sets of worlds that one side may win, none contained in another. A set is a bit a world.
///
/// The side chooses between the sets of its front, so the front of its own decision is the union of the
/// fronts of the actions. The other side sees the world and chooses in each of them by itself: the front
/// of its decision has, for every choice of one set an action, the worlds that are in all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Front {
    sets: Vec<u128>,
}

impl Front {
    /// Nothing to choose from.
    pub(super) const fn empty() -> Self {
        Self { sets: Vec::new() }
    }

    pub(super) fn of(set: u128) -> Self {
        Self { sets: vec![set] }
    }

    /// The number of worlds won by the best set.
    pub(super) fn most(&self) -> u32 {
        let counts = self.sets.iter().map(|set| set.count_ones());
        counts.max().unwrap_or(0)
    }

    /// Adds a set, unless it is contained in another; drops those that it contains.
    pub(super) fn add(&mut self, set: u128) {
        if self.sets.iter().any(|other| set & !other == 0) {
            return;
        }
        self.sets.retain(|other| other & !set != 0);
        self.sets.push(set);
    }

    /// The front of a decision of the side's own: whatever either offers.
    pub(super) fn or(&mut self, other: &Self) {
        for &set in &other.sets {
            self.add(set);
        }
    }

    /// The front of a decision of the other side's. An action that is not `possible` in a world cannot
    /// be chosen there, so it takes nothing away.
    pub(super) fn and(&self, other: &Self, possible: u128) -> Self {
        let mut product = Self::empty();
        for mine in &self.sets {
            for theirs in &other.sets {
                product.add(mine & (theirs | !possible));
            }
        }
        product
    }

    /// Adds worlds that are won anyhow.
    pub(super) fn with(mut self, won: u128) -> Self {
        for set in &mut self.sets {
            *set |= won;
        }
        self
    }

    /// Whether every set is contained in one of `other`'s: there is nothing in it for somebody who has
    /// `other`.
    pub(super) fn within(&self, other: &Self) -> bool {
        let contained = |set: &u128| other.sets.iter().any(|larger| set & !larger == 0);
        self.sets.iter().all(contained)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `[1 0 0]` of the papers: the first world is the lowest bit.
    fn front(vectors: &[[u8; 3]]) -> Front {
        let mut front = Front::empty();
        for vector in vectors {
            let bits = (0..3).map(|i| u128::from(vector[i]) << i);
            front.add(bits.sum());
        }
        front
    }

    fn same(a: &Front, b: &Front) -> bool {
        a.within(b) && b.within(a) && a.sets.len() == b.sets.len()
    }

    const ALL: u128 = 7;

    /// T-NL1: the products of Cazenave & Ventos.
    #[test]
    fn t_nl1_the_product_is_that_of_the_paper() {
        let product = front(&[[0, 1, 1], [1, 1, 0]]).and(&front(&[[1, 1, 0], [1, 0, 1]]), ALL);
        assert!(
            same(&product, &front(&[[0, 0, 1], [1, 1, 0]])),
            "{product:?}"
        );
        // Non-locality: taking [0 1 1] where it is offered, for its two worlds, leaves nothing.
        let kept = front(&[[1, 0, 0], [0, 1, 1]]).and(&front(&[[1, 0, 0]]), ALL);
        assert!(same(&kept, &front(&[[1, 0, 0]])));
        assert_eq!(front(&[[0, 1, 1]]).and(&front(&[[1, 0, 0]]), ALL).most(), 0);
    }

    #[test]
    fn what_is_contained_is_dropped() {
        let mut a = front(&[[1, 0, 0], [0, 1, 1], [0, 1, 0], [1, 0, 0]]);
        assert_eq!(a.sets.len(), 2);
        a.or(&front(&[[1, 1, 1]]));
        assert_eq!((a.sets.len(), a.most()), (1, 3));
        assert!(front(&[[1, 0, 0], [0, 0, 1]]).within(&a));
        assert!(!a.within(&front(&[[1, 1, 0], [0, 1, 1]])));
        assert!(Front::empty().within(&Front::empty()));
    }

    #[test]
    fn an_action_counts_only_where_it_is_possible() {
        let product = front(&[[1, 1, 1]]).and(&front(&[[0, 0, 0]]), 0b010);
        assert!(same(&product, &front(&[[1, 0, 1]])));
        assert!(same(&front(&[[0, 1, 0]]).with(1), &front(&[[1, 1, 0]])));
    }
}
