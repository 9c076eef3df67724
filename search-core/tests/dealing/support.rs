//! Random small problems, the example of six cards, and the chi-square test.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use search_core::dealing::{Problem, World};
use search_core::rng::{Draw, Seed, SimRng};
use std::collections::HashMap;

/// What a test knows of a problem without asking it.
#[derive(Debug, Clone)]
pub(crate) struct Facts {
    pub(crate) capacities: Vec<u8>,
    /// The bins every item may lie in.
    pub(crate) allowed: Vec<u16>,
    /// Weights by item and bin; empty for the uniform distribution.
    pub(crate) weights: Vec<Vec<f64>>,
}

impl Facts {
    pub(crate) fn problem(&self) -> Problem {
        let mut problem = Problem::numbered(self.allowed.len(), &self.capacities).unwrap();
        for (item, &set) in self.allowed.iter().enumerate() {
            problem.only(1 << item, set).unwrap();
        }
        for (item, row) in self.weights.iter().enumerate() {
            for (bin, &weight) in row.iter().enumerate() {
                problem.weigh(item, bin, weight).unwrap();
            }
        }
        problem
    }

    /// Every legal world with its unnormalised weight, by counting through all `bins^items`
    /// assignments: shares no code with the crate.
    pub(crate) fn brute(&self) -> Vec<(Vec<u8>, f64)> {
        let (n, bins) = (self.allowed.len(), self.capacities.len());
        let mut worlds = Vec::new();
        for mut code in 0..bins.pow(n as u32) {
            let mut room = self.capacities.clone();
            let mut world = Vec::with_capacity(n);
            let mut weight = 1.0;
            for item in 0..n {
                let bin = code % bins;
                code /= bins;
                if room[bin] == 0 || self.allowed[item] >> bin & 1 == 0 {
                    break;
                }
                room[bin] -= 1;
                world.push(bin as u8);
                weight *= self.weights.get(item).map_or(1.0, |row| row[bin]);
            }
            if world.len() == n {
                worlds.push((world, weight));
            }
        }
        worlds
    }
}

/// How the sets of bins are made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Shape {
    /// Any sets.
    Any,
    /// Few different sets, so that classes are large.
    Classes,
    /// Nested sets.
    Chain,
}

/// A random problem, not always a possible one.
pub(crate) fn random(rng: &mut SimRng, shape: Shape, weighted: bool) -> Facts {
    let bins = 2 + rng.below(3) as usize;
    let n = 4 + rng.below(if bins == 4 { 4 } else { 5 }) as usize;
    let mut capacities = vec![0_u8; bins];
    for _ in 0..n {
        capacities[rng.below(bins as u32) as usize] += 1;
    }
    let all = (1_u16 << bins) - 1;
    let any = |rng: &mut SimRng| loop {
        let set = rng.below(u32::from(all)) as u16 + 1;
        // Most items can go to most places, or few problems would be possible.
        if set.count_ones() >= 2 || rng.below(8) == 0 {
            return set;
        }
    };
    let few = [any(rng), any(rng), all];
    let mut nested = [all; 3];
    nested[1] &= any(rng);
    nested[0] = nested[1] & any(rng);
    let allowed: Vec<u16> = (0..n)
        .map(|_| match shape {
            Shape::Any => any(rng),
            Shape::Classes => few[rng.below(3) as usize],
            Shape::Chain => nested[rng.below(3) as usize],
        })
        .collect();
    // Few levels, so that some items share their weights and some rows are proportional.
    let level = |rng: &mut SimRng| [0.25, 1.0, 1.0, 3.5][rng.below(4) as usize];
    let weights = if weighted {
        (0..n)
            .map(|_| (0..bins).map(|_| level(rng)).collect())
            .collect()
    } else {
        Vec::new()
    };
    Facts {
        capacities,
        allowed,
        weights,
    }
}

/// Random problems as a proptest strategy; fixed seeds, so that a run repeats.
pub(crate) fn any_facts() -> impl Strategy<Value = Facts> {
    let shapes = prop_oneof![Just(Shape::Any), Just(Shape::Classes), Just(Shape::Chain)];
    (any::<u64>(), shapes, any::<bool>())
        .prop_map(|(key, shape, weighted)| random(&mut SimRng::new(key), shape, weighted))
}

pub(crate) fn fixed(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(20_240_611),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Six cards, three seats of two; the three cards 0, 1, 2 (of the forbidden rank) are not with
/// seat 2. 18 of the 90 worlds are legal.
pub(crate) fn six_cards() -> Facts {
    Facts {
        capacities: vec![2, 2, 2],
        allowed: vec![0b011, 0b011, 0b011, 0b111, 0b111, 0b111],
        weights: Vec::new(),
    }
}

/// Pearson's statistic of a sampler against a distribution, as a multiple of its bound: above 1
/// the test fails. The bound is the 1 - 1e-7 quantile (Wilson & Hilferty 1931); cells that expect
/// fewer than 8 draws are merged. A draw outside the support fails at once.
pub(crate) fn chi_square<K: std::hash::Hash + Eq>(
    law: &[(K, f64)],
    draws: u32,
    mut draw: impl FnMut(u32) -> K,
) -> f64 {
    let index: HashMap<&K, usize> = law.iter().enumerate().map(|(i, (k, _))| (k, i)).collect();
    let mut counts = vec![0_u32; law.len()];
    for i in 0..draws {
        match index.get(&draw(i)) {
            Some(&cell) => counts[cell] += 1,
            None => return f64::INFINITY,
        }
    }
    let (mut merged, mut merged_expected) = (0.0, 0.0);
    let (mut statistic, mut cells) = (0.0, 0_u32);
    for (count, (_, p)) in counts.iter().zip(law) {
        let expected = p * f64::from(draws);
        if expected < 8.0 {
            merged += f64::from(*count);
            merged_expected += expected;
        } else {
            // T-DT2: a world that should come up eight times does come up (8 draws expected are
            // missed with probability 3e-4, so only where 40 are expected is it an error).
            assert!(*count > 0 || expected < 40.0, "a world never came up");
            statistic += (f64::from(*count) - expected).powi(2) / expected;
            cells += 1;
        }
    }
    if merged_expected >= 8.0 {
        statistic += (merged - merged_expected).powi(2) / merged_expected;
        cells += 1;
    }
    if cells < 2 {
        return 0.0;
    }
    let freedom = f64::from(cells - 1);
    let spread = 2.0 / (9.0 * freedom);
    let bound = freedom * (1.0 - spread + 5.2 * spread.sqrt()).powi(3);
    statistic / bound
}

/// The distribution over masks that the enumeration gives.
pub(crate) fn law(worlds: &[World]) -> Vec<(Vec<u64>, f64)> {
    worlds
        .iter()
        .map(|world| (world.bins.clone(), world.probability))
        .collect()
}

/// [`chi_square`] of the planned sampler against the enumeration of its problem.
pub(crate) fn fit(problem: &Problem, draws: u32, seed: Seed) -> f64 {
    let law = law(&problem.enumerate(20_000).unwrap());
    let plan = problem.plan().unwrap();
    chi_square(&law, draws, |i| {
        let mut bins = vec![0; plan.bins()];
        plan.deal(&mut seed.simulation(u64::from(i)), &mut bins);
        bins
    })
}
