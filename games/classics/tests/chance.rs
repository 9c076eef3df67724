//! T-CN1 on Pig, whose exact values are known: drawn and listed throws come to the same values, and
//! listed ones come closer.

use classics::pig::PigAction;
use classics::solve::PigSolution;
use classics::{LeducPoker, Pig};
use search_core::budget::Budget;
use search_core::game::{ChanceOutcomes, Player};
use search_core::plugin::Plugin;
use search_core::rng::Seed;
use search_core::search::{Chance, Pimc, PimcSettings, Searcher, Uct};

#[test]
fn t_cn1_pig_drawn_and_listed() {
    let game = Pig::new(10, 2).unwrap();
    let solution = PigSolution::new(10);
    let (mut square, mut spread) = ([0.0; 2], [0.0; 2]);
    for (me, other, total) in [(0, 0, 0), (4, 6, 3), (2, 7, 2), (7, 3, 0), (6, 8, 0)] {
        let state = game.choice(&[me, other], 0, total).unwrap();
        let (roll, hold) = solution.action_values(me, other, total).unwrap();
        for (i, chance) in [Chance::Sampled, Chance::explicit()]
            .into_iter()
            .enumerate()
        {
            let runs: Vec<_> = (0..20)
                .map(|seed| {
                    let mut uct = Uct::default();
                    uct.chance = chance;
                    let budget = Budget::simulations(60_000);
                    uct.search(&game, &state, &budget, Seed(seed)).unwrap()
                })
                .collect();
            let best = match hold {
                Some(hold) if hold > roll => PigAction::Hold,
                _ => PigAction::Roll,
            };
            let value = 2.0 * hold.map_or(roll, |hold| hold.max(roll)) - 1.0;
            let means: Vec<f64> = runs
                .iter()
                .map(|run| run.candidate(best).unwrap().mean)
                .collect();
            let mean = means.iter().sum::<f64>() / 20.0;
            let sd = (means.iter().map(|m| (m - mean).powi(2)).sum::<f64>() / 19.0).sqrt();
            println!(
                "{me} {other} {total} {chance:?}: bias {:.5} sd {sd:.5}",
                mean - value
            );
            for run in &runs {
                assert_eq!(run.action, best, "{chance:?}");
                let found = run.candidate(best).unwrap();
                // What exploring the worse moves further down costs comes on top.
                let allowed = 5.0 * found.std_error + 0.02;
                assert!(
                    (found.mean - value).abs() < allowed,
                    "{chance:?}: {found:?} {value}"
                );
            }
            square[i] += means.iter().map(|m| (m - value).powi(2)).sum::<f64>();
            spread[i] += means.iter().map(|m| (m - mean).powi(2)).sum::<f64>();
        }
    }
    let ratio = |values: [f64; 2]| (values[1] / values[0]).sqrt();
    let (spread, error) = (ratio(spread), ratio(square));
    println!("across seeds {spread:.3}, error {error:.3}");
    // What is left of the error is what exploring costs.
    assert!(spread < 0.6 && error < 1.0);
}

/// The hook gives what the trait lists.
fn lists<G: Plugin + ChanceOutcomes>(game: &G, state: &G::State) {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    game.list_outcomes().unwrap()(game, state, &mut a);
    game.chance_outcomes(state, &mut b);
    assert_eq!(a, b);
}

#[test]
fn worlds_of_leduc_are_searched_with_the_public_card_in_its_shares() {
    use search_core::game::Game;
    let state = LeducPoker.initial_state(&mut Seed(3).simulation(0));
    lists(&LeducPoker, &state);
    let view = LeducPoker.observe(&state, Player::new(0));
    let run = |threads| {
        let mut settings = PimcSettings::default();
        settings.search.threads = threads;
        let mut pimc: Pimc<LeducPoker, _> = Pimc::new(settings, LeducPoker.determinizer());
        pimc.chance = Chance::Explicit(LeducPoker.list_outcomes().unwrap());
        let budget = Budget::simulations(4_000);
        pimc.search(&LeducPoker, &view, &budget, Seed(8)).unwrap()
    };
    let one = run(1);
    assert_eq!(one.effort.refused_expansions, 0);
    for threads in [2, 3, 7] {
        assert_eq!(format!("{:?}", run(threads)), format!("{one:?}"));
    }
}
