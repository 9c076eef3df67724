//! Problems too large to enumerate, against exact conditional probabilities and fixtures.

use search_core::dealing::{Plan, Problem};
use search_core::rng::Seed;

/// Deals `draws` worlds and checks single and pair frequencies against the marginals of the
/// problem and of the problem given where one item is.
fn check(problem: &Problem, items: &[usize], draws: u32, seed: Seed) {
    let plan = problem.plan().unwrap();
    let bins = plan.bins();
    let n = f64::from(draws);
    let mut singles = vec![0_u32; 64 * bins];
    let mut pairs = vec![0_u32; bins * 64 * bins];
    let pivot = items[0];
    let mut world = [0_u8; 64];
    for i in 0..draws {
        plan.deal_bins(&mut seed.simulation(u64::from(i)), &mut world);
        let first = usize::from(world[pivot]);
        for &item in items {
            let bin = usize::from(world[item]);
            singles[item * bins + bin] += 1;
            pairs[(first * 64 + item) * bins + bin] += 1;
        }
    }
    let near = |count: u32, p: f64| {
        let bound = 5.5 * (n * p * (1.0 - p)).max(1.0).sqrt() + 1e-6;
        assert!(
            (f64::from(count) - n * p).abs() <= bound,
            "{count} of {n}, p = {p}"
        );
    };
    for first in 0..bins {
        let p = plan.marginal(pivot, first);
        let given: Option<Plan> = (p > 0.0).then(|| {
            let mut given = problem.clone();
            given.only(1 << pivot, 1 << first).unwrap();
            given.plan().unwrap()
        });
        for &item in items {
            for bin in 0..bins {
                near(singles[item * bins + bin], plan.marginal(item, bin));
                let both = given
                    .as_ref()
                    .map_or(0.0, |given| p * given.marginal(item, bin));
                near(pairs[(first * 64 + item) * bins + bin], both);
            }
        }
    }
}

#[test]
fn t_dt3_pairs_of_48_tiles() {
    let problem = Problem::numbered(48, &[12; 4]).unwrap();
    check(&problem, &[0, 1, 17, 30, 47], 60_000, Seed(90));
}

#[test]
fn t_dt3_pairs_with_facts_on_48_tiles() {
    let mut problem = Problem::numbered(48, &[12; 4]).unwrap();
    problem
        .forbid(0xFFF, 0b0001)
        .unwrap()
        .forbid(0xFFF_000, 0b0010)
        .unwrap();
    problem
        .forbid(0x3F << 24, 0b1100)
        .unwrap()
        .forbid(0xF << 30, 0b0100)
        .unwrap();
    assert!(problem.plan().unwrap().table_len() > 0);
    check(&problem, &[0, 12, 24, 30, 47, 5], 60_000, Seed(91));
}

#[test]
fn t_dt3_pairs_with_weights() {
    let mut problem = Problem::numbered(30, &[10, 7, 9, 4]).unwrap();
    for item in 0..30 {
        for bin in 0..4 {
            let weight = 1.0 + ((item * 13 + bin * 7) % 11) as f64;
            problem.weigh(item, bin, weight).unwrap();
        }
    }
    problem.forbid(0x7, 0b0001).unwrap();
    check(&problem, &[0, 3, 10, 29], 60_000, Seed(92));
}

/// 2^222 worlds: the floating form of the table, without weights.
#[test]
fn t_dt3_pairs_beyond_128_bits() {
    let mut problem = Problem::numbered(64, &[4; 16]).unwrap();
    problem
        .forbid(0b011, 0x00FF)
        .unwrap()
        .forbid(0b100, 0xFFF0)
        .unwrap();
    let plan = problem.plan().unwrap();
    assert!(plan.count().is_none() && plan.table_len() > 0);
    check(&problem, &[0, 1, 2, 63], 60_000, Seed(93));
}

/// Three 2s unseen among 26 cards; the seats hold 13 and 11 of them, 2 are dead. A seat can beat
/// a pair of aces with two 2s: the chance that one can is 1 - 310/2600.
#[test]
fn t_dt10_pigeonhole_fixture() {
    let plan = Problem::numbered(26, &[13, 11, 2]).unwrap().plan().unwrap();
    let twos = 0b111_u64 << 9;
    let draws = 400_000_u32;
    let mut beaten = 0_u32;
    let mut each = [0_u32; 2];
    for i in 0..draws {
        let mut bins = [0; 3];
        plan.deal(&mut Seed(100).simulation(u64::from(i)), &mut bins);
        let can = |seat: usize| (bins[seat] & twos).count_ones() >= 2;
        beaten += u32::from(can(0) || can(1));
        each[0] += u32::from(can(0));
        each[1] += u32::from(can(1));
    }
    let n = f64::from(draws);
    let exact = 1.0 - 310.0 / 2600.0;
    let sigma = (exact * (1.0 - exact) / n).sqrt();
    let sampled = f64::from(beaten) / n;
    assert!(
        (sampled - exact).abs() < 5.0 * sigma,
        "{sampled} for {exact}"
    );
    // Both at once would take four 2s, so the chances add; as if independent they give 0.6904.
    let [a, b] = each.map(|count| f64::from(count) / n);
    assert!((a + b - sampled).abs() < 1e-12);
    assert!((1.0 - (1.0 - a) * (1.0 - b) - 0.690_385).abs() < 0.005);
    // The same number by exact counting: fix where the 2s are and count worlds.
    let total = plan.count().unwrap() as f64;
    let mut sum = 0.0;
    for code in 0..27_usize {
        let at = [code % 3, code / 3 % 3, code / 9];
        if (0..2).any(|seat| at.iter().filter(|&&bin| bin == seat).count() >= 2) {
            let mut given = Problem::numbered(26, &[13, 11, 2]).unwrap();
            for (i, &bin) in at.iter().enumerate() {
                given.only(1 << (9 + i), 1 << bin).unwrap();
            }
            sum += given.plan().unwrap().count().unwrap() as f64 / total;
        }
    }
    assert!((sum - exact).abs() < 1e-12, "{sum}");
}
