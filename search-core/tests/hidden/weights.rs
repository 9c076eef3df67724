//! Searches over worlds with weights.

use search_core::budget::Budget;
use search_core::decision::{Decision, SearchError};
use search_core::policy::UniformRandom;
use search_core::rng::Seed;
use search_core::search::{
    AlphaMu, AlphaMuSettings, Epimc, EpimcSettings, Flat, FlatSettings, Ismcts, Knowledge, Pimc,
    PimcSettings, RolloutImprovement, RolloutSettings, Searcher, TreeSettings,
};
use search_core::weights::Pool;

use super::common::{AnyWorld, At, Skewed, Veiled};

/// One guess among three worlds.
fn guess() -> Veiled {
    let mut game = Veiled::new(3, 1);
    let leaves: Vec<usize> = (0..3)
        .map(|w| {
            let mut values = [-1.0; 3];
            values[w] = 1.0;
            game.leaf(&values)
        })
        .collect();
    game.root(0, &leaves)
}

/// Worlds in the proportion 1 : 3 : 0.
fn skewed(worlds: u32) -> Skewed {
    Skewed {
        logs: vec![-700.0, -700.0 + 3.0_f64.ln(), f64::NEG_INFINITY],
        pool: Some(Pool { worlds, least: 0.1 }),
    }
}

const KEYS: Knowledge<Veiled> = Knowledge::Keys(|_, state: &At, _| state.node as u64);

type Any = Box<dyn Searcher<Veiled>>;

fn all(determinizer: &Skewed) -> Vec<(&'static str, Any)> {
    let d = || determinizer.clone();
    let pimc = PimcSettings {
        worlds: 300,
        ..PimcSettings::default()
    };
    let epimc = EpimcSettings { depth: 2, pimc };
    let rollout = RolloutSettings {
        samples: 1000,
        ..RolloutSettings::default()
    };
    let alpha_mu = AlphaMuSettings {
        worlds: 100,
        ..AlphaMuSettings::default()
    };
    vec![
        (
            "ismcts",
            Box::new(Ismcts::new(TreeSettings::default(), d())),
        ),
        ("pimc", Box::new(Pimc::<Veiled, _>::new(pimc, d()))),
        ("epimc", Box::new(Epimc::<Veiled, _>::new(epimc, KEYS, d()))),
        ("flat", Box::new(Flat::new(FlatSettings::default(), d()))),
        (
            "rollout",
            Box::new(RolloutImprovement::new(
                rollout,
                d(),
                UniformRandom,
                UniformRandom,
            )),
        ),
        (
            "alpha-mu",
            Box::new(AlphaMu::<Veiled, _>::new(alpha_mu, d(), None)),
        ),
    ]
}

fn decide(searcher: &mut dyn Searcher<Veiled>, seed: u64) -> Result<Decision<u8>, SearchError> {
    let game = guess();
    let budget = Budget::simulations(3_000);
    searcher.search(&game, &game.seen(), &budget, Seed(seed))
}

/// T-DT9: a known expectation within 5 sigma, and the effective sample size reported.
#[test]
fn t_dt9_weighted_worlds_count_by_their_weights() {
    // The pool has a third of each world; with weights 0, 1, 3 it is worth (4/3)^2 / (10/3) of its size.
    let worlds = 1_000_u32;
    let expected = f64::from(worlds) * (4.0_f64 / 3.0).powi(2) / (10.0 / 3.0);
    let sigma = (0.25 * 0.75 / expected).sqrt() * 2.0;
    for (name, mut searcher) in all(&skewed(worlds)) {
        let (mut sum, mut seeds) = (0.0, 0);
        for seed in 0..20 {
            let decision = decide(&mut *searcher, seed).unwrap();
            assert_eq!(decision.action, 1, "{name}");
            let effort = &decision.effort;
            assert_eq!(effort.worlds, u64::from(worlds), "{name}");
            assert_eq!(effort.flattened_weights, 0);
            let ess = effort.effective_sample_size;
            assert!((ess - expected).abs() < 0.15 * expected, "{name}: {ess}");
            // The share of worlds won, or the mean return of guessing the second world.
            let value = match name {
                "alpha-mu" => 2.0 * decision.chosen().mean - 1.0,
                _ => decision.chosen().mean,
            };
            sum += value;
            seeds += 1;
        }
        // Which of the pool's worlds a search takes adds to the error of the pool.
        let most = 5.0 * (sigma.powi(2) + 4.0 * 0.1875 / 100.0).sqrt() / f64::from(seeds).sqrt();
        let mean = sum / f64::from(seeds);
        assert!((mean - 0.5).abs() < most, "{name}: {mean} +- {most}");
    }
}

/// T-DT9: the effective sample size is the number of worlds when they are equal, and the search as good.
#[test]
fn t_dt9_equal_weights_are_no_weights() {
    let equal = Skewed {
        logs: vec![-3.0; 3],
        pool: Some(Pool::default()),
    };
    for (name, mut searcher) in all(&equal) {
        let decision = decide(&mut *searcher, 5).unwrap();
        assert_eq!(decision.effort.effective_sample_size, 256.0, "{name}");
        assert_eq!(decision.effort.worlds, 256, "{name}");
    }
    let mut flat = Flat::new(FlatSettings::default(), equal);
    let decision = decide(&mut flat, 6).unwrap();
    for candidate in &decision.candidates {
        // 1/3 - 2/3 over a pool of 256 worlds and 1000 draws from it.
        let most = 5.0 * 2.0 * (2.0 / 9.0_f64 * (1.0 / 256.0 + 1.0 / 1000.0)).sqrt();
        assert!((candidate.mean + 1.0 / 3.0).abs() < most, "{candidate:?}");
    }
}

#[test]
fn a_pool_is_no_larger_than_the_search() {
    let game = guess();
    let budget = Budget::simulations(10);
    for (name, mut searcher) in all(&skewed(10_000)) {
        if name == "alpha-mu" {
            continue;
        }
        let decision = searcher.search(&game, &game.seen(), &budget, Seed(1));
        assert_eq!(decision.unwrap().effort.worlds, 10, "{name}");
    }
}

#[test]
fn weights_of_few_worlds_are_flattened_and_that_is_counted() {
    let game = guess();
    let mut lonely = skewed(1_000);
    // One world in three, so the effective sample size cannot fall below a third; ask for half.
    lonely.logs = vec![0.0, -1e4, -1e4];
    lonely.pool = Some(Pool {
        worlds: 1_000,
        least: 0.5,
    });
    let mut flat = Flat::new(FlatSettings::default(), lonely.clone());
    let budget = Budget::simulations(3_000);
    let effort = flat.search(&game, &game.seen(), &budget, Seed(1)).unwrap();
    assert_eq!(effort.effort.flattened_weights, 1);
    assert!((effort.effort.effective_sample_size - 500.0).abs() < 1.0);
    lonely.pool = Some(Pool {
        worlds: 1_000,
        least: 0.0,
    });
    let mut flat = Flat::new(FlatSettings::default(), lonely);
    let effort = flat.search(&game, &game.seen(), &budget, Seed(1)).unwrap();
    assert_eq!(effort.effort.flattened_weights, 0);
    assert_eq!(effort.action, 0);
    assert_eq!(effort.candidates[0].mean, 1.0);
}

#[test]
fn weights_that_cannot_be_used_are_errors() {
    let with = |logs: [f64; 3], pool| Skewed {
        logs: logs.to_vec(),
        pool,
    };
    let pool = Some(Pool::default());
    for (name, mut searcher) in all(&with([f64::NEG_INFINITY; 3], pool)) {
        let error = decide(&mut *searcher, 1).unwrap_err();
        assert!(matches!(error, SearchError::NoWeight(_)), "{name}: {error}");
    }
    for (name, mut searcher) in all(&with([0.0, f64::NAN, 0.0], pool)) {
        let error = decide(&mut *searcher, 1).unwrap_err();
        assert!(matches!(error, SearchError::NoWeight(_)), "{name}: {error}");
    }
    for (name, mut searcher) in all(&with([1.0; 3], None)) {
        let error = decide(&mut *searcher, 1).unwrap_err();
        let unannounced = matches!(error, SearchError::WeightedWorlds { .. });
        assert!(unannounced, "{name}: {error}");
    }
    for bad in [
        Pool {
            worlds: 0,
            least: 0.1,
        },
        Pool {
            worlds: 9,
            least: f64::NAN,
        },
    ] {
        for (name, mut searcher) in all(&with([0.0; 3], Some(bad))) {
            let error = decide(&mut *searcher, 1).unwrap_err();
            let refused = matches!(error, SearchError::BadSetting { .. });
            assert!(refused, "{name}: {error}");
        }
    }
    // And without any weights all is as before.
    let game = guess();
    let mut flat = Flat::new(FlatSettings::default(), AnyWorld);
    let budget = Budget::simulations(30);
    let effort = flat.search(&game, &game.seen(), &budget, Seed(1)).unwrap();
    assert_eq!(effort.effort.worlds, 10);
}
