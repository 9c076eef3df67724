//! From a problem to a plan: placing what is forced, classes, the chain, the odds.

use std::sync::OnceLock;

use super::chain::{Chain, Room};
use super::graph::{Class, Graph};
use super::number::{Number, Scaled};
use super::plan::{Odds, Plan};
use super::{DealError, MAX_BINS, MAX_ITEMS, Problem, bits};

impl Problem {
    /// Counts the worlds and prepares to deal them.
    ///
    /// # Errors
    /// [`DealError::Contradiction`] if no world agrees with the facts, naming some that cannot all
    /// hold; [`DealError::TooLarge`] if the counting table exceeds
    /// [`MAX_TABLE`](super::MAX_TABLE).
    pub fn plan(&self) -> Result<Plan, DealError> {
        self.check()?;
        let (placed, room, allowed) = self.place();
        let mut classes: Vec<Class> = Vec::new();
        let mut log_scale = 0.0;
        for item in bits(self.items) {
            let set = allowed[item];
            let row = || bits(u64::from(set)).map(|bin| self.weight(item, bin));
            let (least, most) = (row().fold(f64::MAX, f64::min), row().fold(0.0, f64::max));
            // Only the ratios matter, so the largest becomes 1 unless the least would then vanish.
            let scale = if least / most >= f64::MIN_POSITIVE {
                most
            } else {
                1.0
            };
            log_scale += libm::log(scale);
            if set.count_ones() == 1 {
                continue;
            }
            let mut weights = [1.0; MAX_BINS];
            for (bin, weight) in bits(u64::from(set)).zip(row()) {
                weights[bin] = weight / scale;
            }
            let weights = weights.iter().any(|&w| w != 1.0).then(|| Box::new(weights));
            let same = classes
                .iter_mut()
                .find(|class| class.bins == set && class.weights == weights);
            match same {
                Some(class) => class.items |= 1 << item,
                None => classes.push(Class {
                    items: 1 << item,
                    bins: set,
                    weights,
                }),
            }
        }
        let links = longest_chain(&mut classes);
        let mut later = [0_u8; MAX_BINS];
        for &(items, set) in &links {
            for bin in bits(u64::from(set)) {
                later[bin] += items.count_ones() as u8;
            }
        }
        let chain = Chain::new(&links);
        let graph = Graph::new(&classes, &room, &later)?;
        let (count, log_count, weighted) = measure(&classes, &graph, &chain);
        let (odds, log_weight) = match weighted {
            Measure::Exact(totals) => (Odds::Exact(running(&graph, totals)), log_count),
            Measure::Float(total, totals) => (Odds::Float(shares(&graph, &totals)), total.log()),
        };
        Ok(Plan {
            items: self.items,
            bins: self.bins,
            placed,
            room,
            classes,
            graph,
            odds,
            chain,
            count,
            log_count,
            log_weight: log_weight + log_scale,
            marginals: OnceLock::new(),
        })
    }

    /// Places the items with one possible bin, takes full bins out of the other items' sets, and
    /// repeats that while it changes anything.
    fn place(&self) -> ([u64; MAX_BINS], Room, [u16; MAX_ITEMS]) {
        let (mut placed, mut room, mut allowed) = ([0_u64; MAX_BINS], self.room, self.allowed);
        let mut waiting = self.items;
        loop {
            let open = (0..self.bins).fold(0_u16, |set, bin| set | u16::from(room[bin] > 0) << bin);
            let before = waiting;
            for item in bits(before) {
                allowed[item] &= open;
                if allowed[item].count_ones() == 1 {
                    let bin = allowed[item].trailing_zeros() as usize;
                    placed[bin] |= 1 << item;
                    room[bin] -= 1;
                    waiting &= !(1 << item);
                }
            }
            if waiting == before {
                return (placed, room, allowed);
            }
        }
    }
}

/// Takes out of `classes` the chain that would cost the table most, narrowest class first, and
/// puts the others in the order in which the table deals them.
fn longest_chain(classes: &mut Vec<Class>) -> Vec<(u64, u16)> {
    // In how many ways a class can be spread over its bins, as a factor of the table's size.
    let spread = |class: &Class| -> f64 {
        let bins = class.bins.count_ones();
        (1..bins).fold(1.0, |ways, i| {
            ways * f64::from(class.size() + i) / f64::from(i)
        })
    };
    classes.sort_by(|a, b| {
        let width = |class: &Class| class.bins.count_ones();
        width(a)
            .cmp(&width(b))
            .then(spread(a).total_cmp(&spread(b)))
            .then(a.bins.cmp(&b.bins))
            .then(a.items.trailing_zeros().cmp(&b.items.trailing_zeros()))
    });
    // The best chain that ends with a class, and the class before it there.
    let mut best: Vec<(f64, Option<usize>)> = Vec::with_capacity(classes.len());
    for (i, class) in classes.iter().enumerate() {
        let mut gain = (1.0, None);
        for (j, narrower) in classes[..i].iter().enumerate() {
            let nested = narrower.bins & !class.bins == 0;
            if nested && narrower.weights.is_none() && best[j].0 > gain.0 {
                gain = (best[j].0, Some(j));
            }
        }
        best.push((gain.0 * spread(class), gain.1));
    }
    let mut next = (0..classes.len())
        .filter(|&i| classes[i].weights.is_none())
        .max_by(|&i, &j| best[i].0.total_cmp(&best[j].0));
    let mut links = Vec::new();
    while let Some(i) = next {
        // Later classes have been taken out already: the indices below `i` still hold.
        let class = classes.remove(i);
        links.push((class.items, class.bins));
        next = best[i].1;
    }
    links.reverse();
    links
}

/// What the odds are made of.
enum Measure {
    Exact(Vec<u128>),
    Float(Scaled, Vec<Scaled>),
}

/// The number of worlds, its logarithm, and the totals of the edges.
fn measure(classes: &[Class], graph: &Graph, chain: &Chain) -> (Option<u128>, f64, Measure) {
    let exact = graph.totals::<u128>(classes, chain, |_, _, _| 1);
    let weighted = classes.iter().any(|class| class.weights.is_some());
    let float = |weighted: bool| {
        let power = |k: usize, bin: usize, n: u8| {
            let weight = classes[k].weights.as_ref().filter(|_| weighted);
            let base = weight.map_or(Scaled::ONE, |weights| Scaled::new(weights[bin]));
            (0..n).fold(Scaled::ONE, |product, _| {
                product.times(base).unwrap_or(product)
            })
        };
        let totals = graph.totals::<Scaled>(classes, chain, power);
        totals.unwrap_or((Scaled::ZERO, Vec::new()))
    };
    let log_count = match &exact {
        Some((count, _)) => libm::log(*count as f64),
        None => float(false).0.log(),
    };
    match exact {
        Some((count, totals)) if !weighted => (Some(count), log_count, Measure::Exact(totals)),
        exact => {
            let (total, totals) = float(true);
            let count = exact.map(|(count, _)| count);
            (count, log_count, Measure::Float(total, totals))
        }
    }
}

/// Running sums over the edges of every state.
fn running(graph: &Graph, mut totals: Vec<u128>) -> Vec<u128> {
    for &id in &graph.order {
        let mut sum = 0;
        for (_, edge) in graph.edges(id) {
            sum += totals[edge];
            totals[edge] = sum;
        }
    }
    totals
}

/// Running sums over the edges of every state, as shares of the state's total: the last edge that
/// can be taken, and those after it, have exactly 1.
fn shares(graph: &Graph, totals: &[Scaled]) -> Vec<f64> {
    let mut shares = vec![1.0; totals.len()];
    for &id in &graph.order {
        let sum = graph.edges(id).fold(Scaled::ZERO, |sum, (_, edge)| {
            sum.plus(totals[edge]).unwrap_or(sum)
        });
        let Some((_, last)) = graph
            .edges(id)
            .filter(|&(_, e)| totals[e] != Scaled::ZERO)
            .last()
        else {
            continue;
        };
        let mut share = 0.0;
        for (_, edge) in graph.edges(id).take_while(|&(_, edge)| edge < last) {
            share += totals[edge].over(sum);
            shares[edge] = f64::min(share, 1.0);
        }
    }
    shares
}
