//! How PIMC puts the answers of its worlds together.

use super::common::{AnyWorld, Veiled};
use search_core::budget::Budget;
use search_core::rng::Seed;
use search_core::search::{Aggregate, Pimc, PimcSettings, Searcher};

/// The first action is a little better in three worlds of five, the second much better in the two others:
/// votes are for the first, the mean is for the second (trap 30).
#[test]
fn votes_count_worlds_and_means_weigh_what_is_won() {
    let mut game = Veiled::new(5, 1);
    let little = game.leaf(&[0.1, 0.1, 0.1, -1.0, -1.0]);
    let much = game.leaf(&[0.0, 0.0, 0.0, 1.0, 1.0]);
    let game = game.root(0, &[little, much]);
    let ask = |aggregate, seed| {
        let settings = PimcSettings {
            worlds: 200,
            aggregate,
            ..PimcSettings::default()
        };
        let budget = Budget::simulations(200 * 50);
        Pimc::new(settings, AnyWorld)
            .search(&game, &game.seen(), &budget, Seed(seed))
            .unwrap()
    };
    for seed in 0..5 {
        let drawn = game.drawn(200, Seed(seed));
        let first = drawn.iter().filter(|world| **world < 3).count() as f64 / 200.0;
        assert!(first > 0.5);
        let votes = ask(Aggregate::Vote, seed);
        assert_eq!(votes.action, 0);
        let policies: Vec<f64> = votes.candidates.iter().map(|c| c.policy).collect();
        assert!((policies[0] - first).abs() < 1e-12, "{policies:?} {first}");
        assert!((policies[1] - (1.0 - first)).abs() < 1e-12);
        let mean = ask(Aggregate::Mean, seed);
        assert_eq!(mean.action, 1);
        let expected = [0.1 * first - (1.0 - first), 1.0 - first];
        for (candidate, expected) in mean.candidates.iter().zip(expected) {
            assert!((candidate.mean - expected).abs() < 1e-9, "{candidate:?}");
        }
    }
}
