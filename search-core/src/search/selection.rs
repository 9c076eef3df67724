//! Which child to descend into: UCB1 with first-play urgency.

use crate::math::Counts;
use crate::rng::{Draw, SimRng};
use crate::tree::{Edge, Extra, Tree};

/// The value of a child that was never tried.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum FirstPlayUrgency {
    /// Every child is tried once before any is tried twice.
    #[default]
    Infinite,
    /// This return, without an exploration term (Gelly & Wang 2006).
    Value(f64),
    /// The mean over the siblings tried so far, less this many return scales.
    ParentMinus(f64),
}

/// UCB1 (Auer, Cesa-Bianchi & Fischer 2002; Kocsis & Szepesvári 2006):
/// `mean / scale + c * sqrt(ln N / n)`, with simulations in flight counted in `N` and `n` but not
/// in the mean (Liu et al. 2020).
#[derive(Clone, Copy)]
pub(crate) struct Ucb {
    pub(crate) exploration: f64,
    pub(crate) inverse_scale: f64,
    pub(crate) urgency: FirstPlayUrgency,
    pub(crate) counts: Counts,
}

/// A child that is legal in this world.
pub(crate) struct Available<I> {
    pub(crate) id: I,
    /// Its position among the children.
    pub(crate) ordinal: u32,
    /// The position of its action among the legal ones.
    pub(crate) position: u32,
}

/// The best so far; ties go to each with equal probability, by the simulation's own stream.
pub(crate) struct Best<I> {
    score: f64,
    ties: u32,
    pub(crate) found: Option<(I, u32)>,
}

impl<I> Best<I> {
    pub(crate) const fn new() -> Self {
        Self {
            score: f64::NEG_INFINITY,
            ties: 0,
            found: None,
        }
    }

    #[inline(always)]
    pub(crate) fn offer(&mut self, score: f64, id: I, ordinal: u32, rng: &mut SimRng) {
        if score > self.score || self.found.is_none() {
            self.score = score;
            self.ties = 1;
            self.found = Some((id, ordinal));
        } else if score == self.score {
            self.ties += 1;
            if rng.below(self.ties) == 0 {
                self.found = Some((id, ordinal));
            }
        }
    }
}

impl Ucb {
    /// The child of `id` to descend into, and its position. `total` is the number of selections
    /// over all children.
    #[inline]
    pub(crate) fn select<K: Copy + 'static, X: Extra, T: Tree<K, X>>(
        &self,
        tree: &T,
        id: T::Id,
        total: u32,
        rng: &mut SimRng,
    ) -> Option<(T::Id, u32)> {
        if self.urgency == FirstPlayUrgency::Infinite {
            // The block was shuffled when it was made, and its children are first tried in order.
            if let Some(untried) = tree.block_child(id, total as usize) {
                return Some((untried, total));
            }
        }
        let bonus = self.exploration * self.counts.sqrt_ln(total);
        let mut best = Best::new();
        for (ordinal, (child, edge)) in tree.children(id).enumerate() {
            let n = edge.selections();
            let score = if n == edge.visits() && n > 0 {
                let (inverse, inverse_root) = self.counts.inverse(n);
                edge.sum() * inverse * self.inverse_scale + bonus * inverse_root
            } else {
                self.unusual(edge, bonus, move || siblings(tree, id))
            };
            best.offer(score, child, ordinal as u32, rng);
        }
        best.found
    }

    /// The same over the children that are legal in this world, each against the number of times
    /// it was available (Cowling, Powley & Whitehouse 2012); this time is counted afterwards.
    #[inline]
    pub(crate) fn select_available<K: Copy + 'static, X: Extra, T: Tree<K, X>>(
        &self,
        tree: &T,
        id: T::Id,
        available: &[Available<T::Id>],
        rng: &mut SimRng,
    ) -> Option<(T::Id, u32)> {
        let mut pass = self.pass();
        for child in available {
            let edge = tree.edge(child.id);
            pass.offer(tree, id, (child.id, edge, child.ordinal), rng);
            edge.record_availability();
        }
        pass.found()
    }

    /// A comparison of available children that come one after the other.
    #[inline]
    pub(crate) fn pass<I: Copy>(self) -> Pass<I> {
        Pass {
            ucb: self,
            best: Best::new(),
            last: 0,
            bonus: 0.0,
        }
    }

    /// The score of a child that was never tried, or has simulations in flight.
    #[cold]
    fn unusual<K: Copy + 'static, X: Extra>(
        &self,
        edge: &Edge<K, X>,
        bonus: f64,
        siblings: impl Fn() -> Option<f64>,
    ) -> f64 {
        let n = edge.selections();
        if n == 0 {
            return match self.urgency {
                FirstPlayUrgency::Infinite => f64::INFINITY,
                FirstPlayUrgency::Value(value) => value * self.inverse_scale,
                FirstPlayUrgency::ParentMinus(loss) => {
                    siblings().map_or(f64::INFINITY, |mean| mean * self.inverse_scale - loss)
                }
            };
        }
        // In flight and nothing known yet: as good as its siblings.
        let mean = if edge.visits() > 0 {
            edge.mean()
        } else {
            siblings().unwrap_or(0.0)
        };
        mean * self.inverse_scale + bonus * self.counts.inverse(n).1
    }
}

/// A comparison of available children, in their order.
pub(crate) struct Pass<I> {
    ucb: Ucb,
    best: Best<I>,
    /// Siblings were often available equally often.
    last: u32,
    bonus: f64,
}

impl<I: Copy> Pass<I> {
    /// Compares one more child of a node. In line, or what it remembers would go through memory.
    #[inline(always)]
    pub(crate) fn offer<K: Copy + 'static, X: Extra, T: Tree<K, X, Id = I>>(
        &mut self,
        tree: &T,
        parent: I,
        (child, edge, ordinal): (I, &Edge<K, X>, u32),
        rng: &mut SimRng,
    ) {
        let ucb = self.ucb;
        if edge.availability() != self.last {
            self.last = edge.availability();
            self.bonus = ucb.exploration * ucb.counts.sqrt_ln(self.last);
        }
        let n = edge.selections();
        let score = if n == edge.visits() && n > 0 {
            let (inverse, inverse_root) = ucb.counts.inverse(n);
            edge.sum() * inverse * ucb.inverse_scale + self.bonus * inverse_root
        } else {
            ucb.unusual(edge, self.bonus, move || siblings(tree, parent))
        };
        self.best.offer(score, child, ordinal, rng);
    }

    /// The best child so far, and its position.
    #[inline]
    pub(crate) fn found(self) -> Option<(I, u32)> {
        self.best.found
    }
}

/// The mean over all children of a node that have visits.
pub(crate) fn siblings<K: Copy + 'static, X: Extra, T: Tree<K, X>>(
    tree: &T,
    id: T::Id,
) -> Option<f64> {
    let (mut sum, mut visits) = (0.0, 0_u64);
    for (_, edge) in tree.children(id) {
        sum += edge.sum();
        visits += u64::from(edge.visits());
    }
    (visits > 0).then(|| sum / visits as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Seed;
    use crate::tree::{Indexed, Limits, Storage, TreeVisitor};

    /// Counters of one child: visits, sum of returns, availability.
    type Child = (u32, f64, u32);

    /// What both selections choose among these children.
    struct Choose<'a> {
        ucb: Ucb,
        children: &'a [Child],
        /// Simulations in flight at the first child.
        in_flight: u32,
    }

    impl TreeVisitor<u32> for Choose<'_> {
        type Output = (u32, u32);

        fn visit<T: Tree<u32>>(self, tree: &mut T) -> (u32, u32) {
            let keys: Vec<u32> = (0..self.children.len() as u32).collect();
            assert!(tree.add_children(tree.root(), &keys));
            let mut available = Vec::new();
            let ids: Vec<T::Id> = tree.children(tree.root()).map(|(id, _)| id).collect();
            for (ordinal, (&id, &(visits, sum, times))) in (0..).zip(ids.iter().zip(self.children))
            {
                tree.edge(id).restore(visits, sum, times);
                available.push(Available {
                    id,
                    ordinal,
                    position: ordinal,
                });
            }
            for _ in 0..self.in_flight {
                tree.edge(ids[0]).set_in_flight(true);
            }
            let total = self.in_flight + self.children.iter().map(|c| c.0).sum::<u32>();
            let mut rng = Seed(1).simulation(0);
            let all = self.ucb.select(tree, tree.root(), total, &mut rng);
            let some = self
                .ucb
                .select_available(tree, tree.root(), &available, &mut rng);
            (all.unwrap().1, some.unwrap().1)
        }
    }

    /// The child with the highest `mean / scale + c sqrt(ln N / n)`, straight from the paper.
    fn by_formula(children: &[Child], c: f64, scale: f64, count: impl Fn(&Child) -> f64) -> u32 {
        let score = |child: &Child| {
            let n = f64::from(child.0);
            child.1 / n / scale + c * (count(child).ln() / n).sqrt()
        };
        let best = (0..children.len())
            .max_by(|&i, &j| score(&children[i]).total_cmp(&score(&children[j])));
        best.unwrap() as u32
    }

    /// Traps 1 and 2: the logarithm is of the selections at the parent, the mean over the visits of the child.
    #[test]
    fn ucb1_is_the_formula_for_any_counts_scale_and_constant() {
        let mut rng = Seed(3).simulation(0);
        for case in 0..2_000 {
            let (c, scale) = (0.2 + rng.unit(), 0.5 + 20.0 * rng.unit());
            // Small counts, and counts beyond the tables.
            let most = [3, 30, 3_000, 3_000_000][case % 4];
            let children: Vec<Child> = (0..2 + rng.below(8))
                .map(|_| {
                    let visits = 1 + rng.below(most);
                    let mean = scale * (rng.unit() - 0.5);
                    (visits, mean * f64::from(visits), visits + rng.below(most))
                })
                .collect();
            let ucb = Ucb {
                exploration: c,
                inverse_scale: 1.0 / scale,
                urgency: FirstPlayUrgency::Infinite,
                counts: Counts::new(),
            };
            let choose = Choose {
                ucb,
                children: &children,
                in_flight: 0,
            };
            let (all, available) = Indexed::default().with(0, Limits::default(), choose);
            let total: u32 = children.iter().map(|child| child.0).sum();
            assert_eq!(all, by_formula(&children, c, scale, |_| f64::from(total)));
            let expected = by_formula(&children, c, scale, |child| f64::from(child.2));
            assert_eq!(available, expected, "{children:?}");
        }
    }

    /// Simulations in flight count for the exploration term and not for the mean (Liu et al. 2020): the first
    /// child stays the best with five of them, and is explored enough with forty.
    #[test]
    fn in_flight_is_no_loss() {
        let choose = |exploration, in_flight| {
            let choose = Choose {
                ucb: Ucb {
                    exploration,
                    inverse_scale: 1.0,
                    urgency: FirstPlayUrgency::Infinite,
                    counts: Counts::new(),
                },
                children: &[(10, 8.0, 20), (10, 6.0, 20)],
                in_flight,
            };
            Indexed::default().with(0, Limits::default(), choose)
        };
        // 0.8 + 0.1 sqrt(ln 25 / 15) against 0.6 + 0.1 sqrt(ln 25 / 10).
        assert_eq!(choose(0.1, 5), (0, 0));
        // 0.8 + 0.7 sqrt(ln 60 / 50) = 1.00 against 0.6 + 0.7 sqrt(ln 60 / 10) = 1.05.
        assert_eq!(choose(0.7, 40).0, 1);
    }
}
