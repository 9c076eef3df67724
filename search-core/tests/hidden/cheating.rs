//! T-IS10: who knows the world does no worse than who deals it, and who deals it no worse than chance.

use super::common::{AnyWorld, At, Veiled};
use search_core::budget::Budget;
use search_core::rng::{Draw, Seed, SimRng};
use search_core::search::{Pimc, PimcSettings, Searcher, Uct};

/// Of differences, the mean and its standard error.
fn moments(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    (mean, (squares / (n - 1.0) / n).sqrt())
}

/// The searcher decides once and the other player once: there is nothing to fuse. All three play the
/// same deals, and what an action is worth is exact: its value in the true world.
#[test]
fn t_is10_knowing_the_world_is_worth_more_than_dealing_it_and_that_more_than_chance() {
    let (mut cheating, mut dealing, mut lost) = (Vec::new(), Vec::new(), Vec::new());
    for deal in 0..400 {
        let mut rng = Seed(90).index(deal).simulation(0);
        let mut leaf = |rng: &mut SimRng| 2.0 * rng.unit() - 1.0;
        let game = Veiled::random(4, &[0, 1], 3, false, &mut rng, &mut leaf);
        let truth = At {
            world: rng.below(4) as usize,
            node: 0,
        };
        let budget = Budget::simulations(900);
        let mut cheat = Uct::default();
        let cheat = cheat.search_state(&game, &truth, &budget, Seed(deal));
        let settings = PimcSettings {
            worlds: 30,
            ..PimcSettings::default()
        };
        let mut pimc = Pimc::new(settings, AnyWorld);
        let pimc = pimc.search(&game, &game.seen(), &budget, Seed(deal));
        let worth: Vec<f64> = game
            .children(0)
            .iter()
            .map(|child| game.open(*child, truth.world))
            .collect();
        let [cheat, pimc] = [cheat, pimc].map(|d| worth[usize::from(d.unwrap().action)]);
        let random = worth.iter().sum::<f64>() / worth.len() as f64;
        let best = worth.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        cheating.push(cheat - pimc);
        dealing.push(pimc - random);
        lost.push(best - cheat);
    }
    for ahead in [&cheating, &dealing] {
        let (mean, error) = moments(ahead);
        assert!(mean > 5.0 * error, "{mean} with an error of {error}");
    }
    // What cheating falls short of the truth is of the search, not of the deal.
    let (mean, _) = moments(&lost);
    assert!(mean < 0.01, "{mean}");
}
