//! The sampler draws from the target distribution.

use crate::support::{Shape, chi_square, fit, random, six_cards};
use search_core::dealing::Problem;
use search_core::rng::{Draw, Seed};

/// Draws a world in the chi-square tests of random problems.
const DRAWS_A_WORLD: u32 = 60;

fn many(shape: Shape, weighted: bool, problems: usize, seed: Seed) {
    let mut rng = seed.simulation(0);
    let mut done = 0;
    while done < problems {
        let facts = random(&mut rng, shape, weighted);
        let problem = facts.problem();
        let Ok(worlds) = problem.enumerate(600) else {
            continue;
        };
        if worlds.len() < 2 {
            continue;
        }
        done += 1;
        let draws = worlds.len() as u32 * DRAWS_A_WORLD;
        let ratio = fit(&problem, draws, seed.index(done as u64));
        assert!(ratio < 1.0, "{ratio} for {facts:?}");
    }
}

#[test]
fn t_dt2_every_world_comes_up() {
    let mut rng = Seed(21).simulation(0);
    let mut done = 0;
    while done < 40 {
        let facts = random(
            &mut rng,
            [Shape::Any, Shape::Chain][done % 2],
            done % 3 == 0,
        );
        let worlds = facts.brute();
        if worlds.is_empty() || worlds.len() > 300 {
            continue;
        }
        done += 1;
        let plan = facts.problem().plan().unwrap();
        let mut missing: std::collections::HashSet<Vec<u8>> =
            worlds.iter().map(|(world, _)| world.clone()).collect();
        let mut bins = vec![0; facts.allowed.len()];
        // A bound that the rarest world of these problems clears by far.
        for i in 0..2_000_000 {
            plan.deal_bins(&mut Seed(22).simulation(i), &mut bins);
            missing.remove(&bins);
            if missing.is_empty() {
                break;
            }
        }
        assert!(
            missing.is_empty(),
            "{} worlds missing in {facts:?}",
            missing.len()
        );
    }
}

#[test]
fn t_dt3_uniform_over_all_worlds() {
    let facts = six_cards();
    assert_eq!(facts.brute().len(), 18);
    assert!(fit(&facts.problem(), 100_000, Seed(30)) < 1.0);

    let free = Problem::numbered(6, &[2, 2, 2]).unwrap();
    assert_eq!(free.enumerate(100).unwrap().len(), 90);
    assert!(fit(&free, 200_000, Seed(31)) < 1.0);
    // Items anywhere in the word, and every way to split unevenly.
    let sparse = Problem::new(0x8000_4000_0101_0011, &[1, 4, 1]).unwrap();
    assert!(fit(&sparse, 100_000, Seed(32)) < 1.0);
}

#[test]
fn t_dt3_uniform_with_any_sets() {
    many(Shape::Any, false, 60, Seed(33));
}

#[test]
fn t_dt3_uniform_with_classes() {
    many(Shape::Classes, false, 60, Seed(34));
}

#[test]
fn t_dt3_uniform_with_a_chain() {
    many(Shape::Chain, false, 60, Seed(35));
}

#[test]
fn t_dt3_weighted() {
    many(Shape::Any, true, 40, Seed(36));
    many(Shape::Classes, true, 40, Seed(37));
}

/// Whole classes of weighted items, and weights beside an unweighted chain.
#[test]
fn t_dt3_weighted_classes() {
    let mut problem = Problem::numbered(9, &[3, 4, 2]).unwrap();
    for item in 0..4 {
        problem
            .weigh(item, 0, 5.0)
            .unwrap()
            .weigh(item, 2, 0.5)
            .unwrap();
    }
    assert!(fit(&problem, 200_000, Seed(38)) < 1.0);
    problem.forbid(0b11000, 0b010).unwrap();
    assert!(fit(&problem, 200_000, Seed(39)) < 1.0);
}

#[test]
fn t_dt7_relabelled_items_permute_the_distribution() {
    let mut rng = Seed(70).simulation(0);
    let mut done = 0;
    while done < 30 {
        let facts = random(
            &mut rng,
            [Shape::Any, Shape::Classes, Shape::Chain][done % 3],
            done % 2 == 0,
        );
        let worlds = facts.brute();
        if worlds.len() < 2 || worlds.len() > 400 {
            continue;
        }
        done += 1;
        let n = facts.allowed.len();
        let mut to: Vec<usize> = (0..n).collect();
        rng.shuffle(&mut to);
        // Item `i` of the old problem is item `to[i]` of the new one.
        let mut relabelled = facts.clone();
        for (i, &j) in to.iter().enumerate() {
            relabelled.allowed[j] = facts.allowed[i];
            if let Some(row) = facts.weights.get(i) {
                relabelled.weights[j] = row.clone();
            }
        }
        let (old, new) = (
            facts.problem().plan().unwrap(),
            relabelled.problem().plan().unwrap(),
        );
        assert_eq!(old.count(), new.count());
        for (i, &j) in to.iter().enumerate() {
            for bin in 0..old.bins() {
                assert!((old.marginal(i, bin) - new.marginal(j, bin)).abs() < 1e-12);
            }
        }
        let total: f64 = worlds.iter().map(|(_, weight)| weight).sum();
        let law: Vec<(Vec<u8>, f64)> = worlds.into_iter().map(|(x, w)| (x, w / total)).collect();
        let mut bins = vec![0; n];
        let ratio = chi_square(&law, law.len() as u32 * DRAWS_A_WORLD, |i| {
            new.deal_bins(&mut Seed(71).simulation(u64::from(i)), &mut bins);
            to.iter().map(|&j| bins[j]).collect()
        });
        assert!(ratio < 1.0, "{ratio} for {facts:?} relabelled by {to:?}");
    }
}

#[test]
fn t_dt8_deals_are_a_function_of_the_generator() {
    let mut problem = Problem::numbered(20, &[5, 5, 6, 4]).unwrap();
    problem
        .forbid(0xF, 0b0001)
        .unwrap()
        .forbid(0x3C, 0b0110)
        .unwrap();
    let deal = |plan: &search_core::dealing::Plan, i: u64| {
        let mut bins = [0; 4];
        plan.deal(&mut Seed(80).simulation(i), &mut bins);
        bins
    };
    let plan = problem.plan().unwrap();
    let first: Vec<_> = (0..200).map(|i| deal(&plan, i)).collect();
    // The same plan again, backwards, with other uses in between; a clone; a new plan.
    for i in (0..200).rev() {
        assert!(plan.marginal(0, 1) > 0.0);
        assert_eq!(deal(&plan, i), first[i as usize]);
        assert_eq!(deal(&plan.clone(), i), first[i as usize]);
    }
    let again = problem.plan().unwrap();
    assert!((0..200).all(|i| deal(&again, i) == first[i as usize]));
    // And from several threads at once.
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| assert!((0..200).all(|i| deal(&plan, i) == first[i as usize])));
        }
    });
    // The two forms of a deal are one world.
    for (i, masks) in first.iter().enumerate() {
        let mut bins = [9_u8; 20];
        plan.deal_bins(&mut Seed(80).simulation(i as u64), &mut bins);
        assert!((0..20).all(|item| masks[usize::from(bins[item])] >> item & 1 == 1));
    }
}

/// Golden worlds: a change here changes every stored result.
#[test]
fn t_dt8_deals_are_frozen() {
    let deal = |problem: &Problem| {
        let mut bins = [0; 4];
        problem
            .plan()
            .unwrap()
            .deal(&mut Seed(0).simulation(0), &mut bins);
        bins
    };
    let mut problem = Problem::numbered(48, &[12; 4]).unwrap();
    assert_eq!(deal(&problem), FREE);
    problem.forbid(0xFF, 1).unwrap().forbid(0xFF00, 4).unwrap();
    assert_eq!(deal(&problem), TABLE);
    problem.weigh(40, 2, 0.125).unwrap();
    assert_eq!(deal(&problem), WEIGHTED);
}

const FREE: [u64; 4] = [
    0x532b10000128,
    0x88000a2c0cc4,
    0x2040e5508202,
    0x49400837011,
];
const TABLE: [u64; 4] = [
    0xc3080619c00,
    0x220320066205,
    0x404c48980052,
    0x9180170001a8,
];
const WEIGHTED: [u64; 4] = [
    0x80a418565000,
    0x4040a4002f21,
    0x181b0221000e,
    0x2700418880d0,
];
