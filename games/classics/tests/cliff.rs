//! T-KR2 on the cliff, whose best aim is known in closed form: searches that smooth over the execution
//! noise stop short of the edge, a search without noise goes to it.

use classics::Cliff;
use classics::cliff::{AnyAim, CliffOptions, CliffState, best_aim, value};
use search_core::budget::Budget;
use search_core::game::Game;
use search_core::rng::Seed;
use search_core::rollout::Rollout;
use search_core::search::{
    KrUct, KrUctSettings, Parallel, Searcher, Smoothed, SmoothedSettings, Uct, UctPw,
    WideningSettings,
};
use std::sync::Arc;

fn game(options: CliffOptions) -> Cliff {
    Cliff::new(&options).unwrap()
}

/// The aims that a search chooses over some seeds.
fn aims(search: &mut dyn Searcher<Cliff>, game: &Cliff, n: u64) -> Vec<f64> {
    let start = CliffState::default();
    let decide = |seed| {
        let decision = search.search(game, &start, &Budget::simulations(n), Seed(seed));
        decision.unwrap().action.x()
    };
    (0..20).map(decide).collect()
}

fn kr_uct() -> KrUct<Cliff> {
    let settings = KrUctSettings::default();
    KrUct::new(settings, Arc::new(AnyAim), Rollout::random())
}

#[test]
fn t_kr2_kernel_regression_stops_short_of_the_edge() {
    for fall in [1.0, 3.0] {
        let game = game(CliffOptions {
            fall,
            ..CliffOptions::default()
        });
        let best = best_aim(&game);
        let chosen = aims(&mut kr_uct(), &game, 1_600);
        eprintln!("fall {fall}, best {best}: {chosen:?}");
        let smoothed = Smoothed::new(
            SmoothedSettings::default(),
            Arc::new(AnyAim),
            Rollout::random(),
        );
        eprintln!("smoothed {:?}", aims(&mut { smoothed }, &game, 1600));
        let pw = UctPw::new(
            WideningSettings::default(),
            Arc::new(AnyAim),
            Rollout::random(),
        );
        eprintln!("pw {:?}", aims(&mut { pw }, &game, 1600));
        for aim in chosen {
            assert!((aim - best).abs() < 0.2 * game.sigma(), "{aim}, not {best}");
        }
        let calm = self::game(CliffOptions {
            fall,
            sigma: 0.0,
            ..CliffOptions::default()
        });
        let edge = aims(&mut Uct::default(), &calm, 1_600);
        assert!(edge.iter().all(|aim| *aim == 1.0), "{edge:?}");
        assert!((1.0 - best) > 0.2 * game.sigma() && value(&game, best) > value(&game, 1.0) + 0.1);
    }
}

/// Twenty shots of a second player change nothing for the first: the tree has to see through them.
#[test]
fn the_best_aim_is_the_same_in_a_longer_game() {
    let game = game(CliffOptions {
        players: 2,
        shots: 2,
        ..CliffOptions::default()
    });
    let best = best_aim(&game);
    for parallel in [Parallel::Serial, Parallel::Root { trees: 4 }] {
        let mut search = kr_uct();
        search.settings.parallel = parallel;
        let chosen = aims(&mut search, &game, 1_600);
        eprintln!("{chosen:?}");
        let worth = |aim: &f64| value(&game, best) - value(&game, *aim);
        let loss = chosen.iter().map(worth).sum::<f64>() / chosen.len() as f64;
        assert!(loss < 0.05, "{loss}: {chosen:?}");
    }
}
