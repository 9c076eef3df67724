//! T-KR2 on the cliff, whose best aim is known in closed form: searches that smooth over the execution
//! noise stop short of the edge, a search without noise goes to it.

use classics::Cliff;
use classics::cliff::{AnyAim, CliffOptions, CliffState, best_aim, value};
use search_core::budget::Budget;
use search_core::rng::Seed;
use search_core::rollout::Rollout;
use search_core::search::{KrUct, KrUctSettings, Searcher, Smoothed, SmoothedSettings, Uct};
use std::sync::Arc;

/// The aims that a search chooses over some seeds.
fn aims(search: &mut dyn Searcher<Cliff>, game: &Cliff, n: u64) -> Vec<f64> {
    let start = CliffState::default();
    let decide = |seed| {
        let decision = search.search(game, &start, &Budget::simulations(n), Seed(seed));
        decision.unwrap().action.x()
    };
    (0..8).map(decide).collect()
}

fn kr_uct() -> KrUct<Cliff> {
    let settings = KrUctSettings::default();
    KrUct::new(settings, Arc::new(AnyAim), Rollout::random())
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[test]
fn t_kr2_kernel_regression_stops_short_of_the_edge() {
    let game = Cliff::default();
    let (best, sigma) = (best_aim(&game), game.sigma());
    let chosen = aims(&mut kr_uct(), &game, 1_600);
    // The edge is two standard deviations away.
    assert!(1.0 - best > 2.0 * sigma);
    assert!(
        (mean(&chosen) - best).abs() < 0.2 * sigma,
        "{best}: {chosen:?}"
    );
    assert!(
        chosen.iter().all(|aim| (aim - best).abs() < sigma),
        "{best}: {chosen:?}"
    );
    let between = chosen.iter().filter(|aim| (*aim * 10.0).fract() != 0.0);
    assert!(between.count() > 0, "only listed aims: {chosen:?}");
}

#[test]
fn t_kr2_without_noise_the_edge_is_best() {
    let game = Cliff::new(&CliffOptions {
        sigma: 0.0,
        ..CliffOptions::default()
    })
    .unwrap();
    for chosen in [
        aims(&mut Uct::default(), &game, 200),
        aims(&mut kr_uct(), &game, 200),
    ] {
        assert!(chosen.iter().all(|aim| *aim == 1.0), "{chosen:?}");
    }
}

#[test]
fn smoothing_finds_the_best_listed_aim() {
    let game = Cliff::default();
    let settings = SmoothedSettings::default();
    let mut search = Smoothed::new(settings, Arc::new(AnyAim), Rollout::random());
    let chosen = aims(&mut search, &game, 1_600);
    assert!(chosen.iter().all(|aim| *aim == 0.8), "{chosen:?}");
    // Executions of evenly spaced aims are spread evenly, so that their smoothed value is the true one
    // but for the ends of the range.
    let start = CliffState::default();
    let decision = search.search(&game, &start, &Budget::simulations(40_000), Seed(3));
    let found = decision.unwrap().chosen().mean;
    assert!((found - value(&game, 0.8)).abs() < 0.05, "{found}");
}

#[test]
fn kernel_regression_sees_through_the_shots_after_it() {
    let game = Cliff::new(&CliffOptions {
        players: 2,
        shots: 2,
        ..CliffOptions::default()
    })
    .unwrap();
    let chosen = aims(&mut kr_uct(), &game, 400);
    let loss = value(&game, best_aim(&game)) - value(&game, mean(&chosen));
    assert!(loss < 0.3 && mean(&chosen) < 0.97, "{loss}: {chosen:?}");
}
