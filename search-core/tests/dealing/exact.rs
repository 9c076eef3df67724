//! Counts, marginals, contradictions and errors: nothing random about them.

use crate::support::{any_facts, fixed, six_cards};
use proptest::prelude::*;
use search_core::dealing::{DealError, MAX_TABLE, Problem};
use search_core::observation::Contradiction;

proptest! {
    #![proptest_config(fixed(400))]

    #[test]
    fn t_dt4_counts_and_marginals_equal_enumeration(facts in any_facts()) {
        let problem = facts.problem();
        let worlds = facts.brute();
        prop_assume!(!worlds.is_empty());
        let plan = problem.plan().unwrap();
        prop_assert_eq!(plan.count(), Some(worlds.len() as u128));
        prop_assert!((plan.log_count() - (worlds.len() as f64).ln()).abs() < 1e-12);
        let total: f64 = worlds.iter().map(|(_, weight)| weight).sum();
        prop_assert!((plan.log_weight() - total.ln()).abs() < 1e-11);
        for item in 0..facts.allowed.len() {
            for bin in 0..facts.capacities.len() {
                let inside = worlds.iter().filter(|(x, _)| usize::from(x[item]) == bin);
                let exact = inside.map(|(_, weight)| weight).sum::<f64>() / total;
                let ours = plan.marginal(item, bin);
                prop_assert!((ours - exact).abs() < 1e-12, "item {} bin {}: {} {}", item, bin, ours, exact);
            }
        }
        // The crate's own enumeration lists the same worlds with the same probabilities.
        let mut listed: Vec<(Vec<u64>, f64)> = problem
            .enumerate(worlds.len())
            .unwrap()
            .into_iter()
            .map(|world| (world.bins, world.probability))
            .collect();
        let mut expected: Vec<(Vec<u64>, f64)> = worlds
            .iter()
            .map(|(x, weight)| {
                let mut bins = vec![0_u64; facts.capacities.len()];
                for (item, &bin) in x.iter().enumerate() {
                    bins[usize::from(bin)] |= 1 << item;
                }
                (bins, weight / total)
            })
            .collect();
        listed.sort_by(|a, b| a.0.cmp(&b.0));
        expected.sort_by(|a, b| a.0.cmp(&b.0));
        prop_assert_eq!(listed.len(), expected.len());
        for (a, b) in listed.iter().zip(&expected) {
            prop_assert!(a.0 == b.0 && (a.1 - b.1).abs() < 1e-12);
        }
        let too_few = problem.enumerate(worlds.len() - 1);
        prop_assert_eq!(too_few, Err(DealError::TooManyWorlds { limit: worlds.len() - 1 }));
    }

    #[test]
    fn t_dt6_contradiction_exactly_where_no_world_exists(facts in any_facts()) {
        let problem = facts.problem();
        let contradicted = matches!(problem.plan(), Err(DealError::Contradiction(_)));
        prop_assert_eq!(contradicted, facts.brute().is_empty());
        prop_assert_eq!(matches!(problem.enumerate(9_999), Err(DealError::Contradiction(_))), contradicted);
    }
}

#[test]
fn t_dt4_six_cards() {
    let plan = six_cards().problem().plan().unwrap();
    assert_eq!(plan.count(), Some(18));
    assert_eq!(plan.table_len(), 0, "a chain needs no table");
    for (item, bin, p) in [
        (0, 0, 0.5),
        (0, 2, 0.0),
        (3, 0, 1.0 / 6.0),
        (3, 2, 2.0 / 3.0),
    ] {
        assert!((plan.marginal(item, bin) - p).abs() < 1e-15);
    }
    assert_eq!(plan.marginal(6, 0), 0.0);
    assert_eq!(plan.marginal(0, 3), 0.0);
    assert_eq!(plan.marginal(64, 0), 0.0);
}

#[test]
fn t_dt4_large_counts() {
    let lexio = Problem::numbered(48, &[12; 4]).unwrap().plan().unwrap();
    assert_eq!(lexio.count(), Some(235_809_301_462_142_612_780_721_600));
    // 64! / 4!^16 is about 2^222: beyond 128 bits, by its logarithm only.
    let wide = Problem::numbered(64, &[4; 16]).unwrap().plan().unwrap();
    assert_eq!(wide.count(), None);
    assert!((wide.log_count() - 154.319_338_197_074_07).abs() < 1e-10);
    assert!((wide.marginal(5, 5) - 1.0 / 16.0).abs() < 1e-12);
    // The same with a table: every fact takes a factor that is known.
    let mut problem = Problem::numbered(64, &[4; 16]).unwrap();
    problem
        .forbid(1, 0x00FF)
        .unwrap()
        .forbid(2, 0xFF00)
        .unwrap();
    let plan = problem.plan().unwrap();
    assert_eq!(plan.count(), None);
    let factor: f64 = 0.5 * (32.0 / 63.0);
    assert!((plan.log_count() - (154.319_338_197_074_07 + factor.ln())).abs() < 1e-10);
    assert!((plan.marginal(0, 9) - 0.125).abs() < 1e-12);
}

#[test]
fn t_dt4_extreme_weights_do_not_overflow_or_vanish() {
    let mut problem = Problem::numbered(64, &[16; 4]).unwrap();
    for item in 0..64 {
        problem
            .weigh(item, 0, 1e-290)
            .unwrap()
            .weigh(item, 1, 1e290)
            .unwrap();
    }
    let plan = problem.plan().unwrap();
    // Every world has 16 items in each bin, so all worlds weigh the same after all.
    assert!((plan.marginal(7, 0) - 0.25).abs() < 1e-12);
    assert!((plan.log_weight() - plan.log_count()).abs() < 1e-8);
    // Ratios beyond the range of a float: still a world, and the least unlikely one.
    let mut problem = Problem::numbered(2, &[1, 1]).unwrap();
    problem
        .weigh(0, 0, 1e-300)
        .unwrap()
        .weigh(0, 1, 1e300)
        .unwrap();
    problem
        .weigh(1, 0, 1e-300)
        .unwrap()
        .weigh(1, 1, 1e300)
        .unwrap();
    let plan = problem.plan().unwrap();
    assert!((plan.marginal(0, 0) - 0.5).abs() < 1e-12);
}

#[test]
fn t_dt6_contradictions_name_the_facts() {
    let reason = |problem: &Problem| match problem.plan() {
        Err(DealError::Contradiction(contradiction)) => contradiction.reason,
        other => panic!("{other:?}"),
    };
    let mut problem = Problem::numbered(6, &[2, 2, 2]).unwrap();
    problem.only(0b10_1100, 0b010).unwrap();
    assert_eq!(
        reason(&problem),
        "the 3 items 2, 3, 5 can lie only in bin 1, where there is room for 2"
    );
    let mut problem = Problem::numbered(6, &[1, 1, 4]).unwrap();
    problem.only(0b000_111, 0b011).unwrap();
    assert_eq!(
        reason(&problem),
        "bin 2 must be filled with 4, but only the 3 items 3, 4, 5 can lie there"
    );
    problem.forbid(0b000_001, 0b011).unwrap();
    assert_eq!(reason(&problem), "item 0 can lie in no bin");
    // Two facts of which each alone is possible.
    let mut problem = Problem::numbered(4, &[2, 2]).unwrap();
    problem.forbid(0b0011, 0b01).unwrap();
    assert!(problem.plan().is_ok());
    problem.forbid(0b0110, 0b10).unwrap();
    assert_eq!(reason(&problem), "item 1 can lie in no bin");
}

#[test]
fn t_dt6_a_large_contradiction_is_found_at_once() {
    // 64 items, 16 bins, and the 33 items of nine bins do not fit into eight of them.
    let mut problem = Problem::numbered(64, &[4; 16]).unwrap();
    for item in 0..33 {
        let bins = if item % 2 == 0 { 0x0F } else { 0xF0 } | 1 << (item % 8);
        problem.only(1 << item, bins).unwrap();
    }
    assert!(matches!(problem.plan(), Err(DealError::Contradiction(_))));
    assert!(matches!(
        problem.enumerate(10),
        Err(DealError::Contradiction(_))
    ));
}

#[test]
fn malformed_problems_are_typed_errors() {
    assert_eq!(
        Problem::numbered(65, &[65]),
        Err(DealError::TooManyItems { items: 65 })
    );
    assert_eq!(Problem::numbered(3, &[]), Err(DealError::Bins { bins: 0 }));
    assert_eq!(
        Problem::numbered(3, &[0; 17]),
        Err(DealError::Bins { bins: 17 })
    );
    assert_eq!(
        Problem::new(0b111, &[1, 1]),
        Err(DealError::Room { items: 3, room: 2 })
    );
    assert_eq!(
        Problem::new(0b111, &[255, 255]),
        Err(DealError::Room {
            items: 3,
            room: 510
        })
    );
    let mut problem = Problem::new(0b101, &[1, 1]).unwrap();
    let before = problem.clone();
    assert_eq!(
        problem.forbid(1, 0b100).err(),
        Some(DealError::NoSuchBin { bin: 2 })
    );
    assert_eq!(
        problem.only(1, 0b1010).err(),
        Some(DealError::NoSuchBin { bin: 3 })
    );
    assert_eq!(
        problem.weigh(1, 0, 1.0).err(),
        Some(DealError::NoSuchItem { item: 1 })
    );
    assert_eq!(
        problem.weigh(64, 0, 1.0).err(),
        Some(DealError::NoSuchItem { item: 64 })
    );
    assert_eq!(
        problem.weigh(0, 2, 1.0).err(),
        Some(DealError::NoSuchBin { bin: 2 })
    );
    for weight in [0.0, -1.0, f64::INFINITY, f64::NAN] {
        assert!(matches!(
            problem.weigh(0, 0, weight),
            Err(DealError::Weight { .. })
        ));
    }
    assert_eq!(problem, before, "a refused fact leaves no trace");
    // Bits that are not items are ignored.
    problem.forbid(0b110, 0b01).unwrap();
    assert!(problem.allows(0, 0) && !problem.allows(2, 0) && !problem.allows(1, 1));
}

#[test]
fn a_table_that_would_be_too_large_is_refused() {
    let mut problem = Problem::numbered(64, &[4; 16]).unwrap();
    for item in 0..64 {
        problem.weigh(item, item % 16, 2.0 + item as f64).unwrap();
    }
    let error = problem.plan().unwrap_err();
    assert_eq!(error, DealError::TooLarge { limit: MAX_TABLE });
    assert!(
        Contradiction::from(error)
            .reason
            .starts_with("worlds exist")
    );
}

#[test]
fn the_smallest_problems_are_dealt() {
    let mut rng = search_core::rng::Seed(1).simulation(0);
    let mut bins = [7_u64; 3];
    let plan = Problem::numbered(0, &[0, 0, 0]).unwrap().plan().unwrap();
    plan.deal(&mut rng, &mut bins);
    assert_eq!((bins, plan.count()), ([0; 3], Some(1)));
    let plan = Problem::new(1 << 63, &[0, 1, 0]).unwrap().plan().unwrap();
    plan.deal(&mut rng, &mut bins);
    assert_eq!((bins, plan.count()), ([0, 1 << 63, 0], Some(1)));
    assert_eq!(plan.marginal(63, 1), 1.0);
}

/// Where every world's weight is below what a plain number holds, their ratios still count.
#[test]
fn worlds_of_tiny_and_huge_weights_have_probabilities() {
    for weight in [1e-300, 1e-200, 1e200, 1e300] {
        let mut problem = Problem::numbered(4, &[2, 2]).unwrap();
        for item in 0..4 {
            problem.weigh(item, 0, weight).unwrap();
            problem.weigh(item, 1, weight.recip()).unwrap();
        }
        let worlds = problem.enumerate(10).unwrap();
        assert_eq!(worlds.len(), 6);
        for world in &worlds {
            assert!(
                (world.probability - 1.0 / 6.0).abs() < 1e-12,
                "{weight}: {world:?}"
            );
        }
    }
    // A bin without room is no place, however light the rest.
    let mut problem = Problem::numbered(4, &[0, 4]).unwrap();
    for item in 0..4 {
        problem.weigh(item, 1, 1e-300).unwrap();
    }
    assert_eq!(problem.enumerate(10).unwrap()[0].probability, 1.0);
}
