//! Noise as a game option: continuous, or a rule of a few points whose outcomes are listed.

use curling::noise::{Deviation, NoiseModel};
use curling::options::Noise;
use curling::{Curling, CurlingOptions, Ice, Phase, Spin};
use search_core::game::{ChanceOutcomes, Game};
use search_core::rng::Seed;
use search_core::testing::check_chance;

const ALL: [Noise; 5] = [
    Noise::Dc3,
    Noise::Uec,
    Noise::Gat,
    Noise::Student,
    Noise::None,
];

fn game(noise: Noise, noise_points: u8) -> Curling {
    Curling::new(CurlingOptions {
        ends: 1,
        ice: Ice::Uec,
        noise,
        noise_points,
        ..CurlingOptions::default()
    })
    .expect("the options are in range")
}

#[test]
fn a_discrete_game_draws_what_it_lists() {
    for noise in ALL {
        let seen = check_chance(&game(noise, 3), 2, Seed(4));
        assert!(seen >= 32, "{noise:?} {seen}");
    }
    check_chance(&game(Noise::None, 0), 1, Seed(5));
}

#[test]
fn continuous_noise_lists_nothing() {
    let game = game(Noise::Gat, 0);
    assert!(game.outcomes().is_empty());
    let rng = &mut Seed(6).stream();
    let mut state = game.initial_state(rng);
    let mut actions = Vec::new();
    game.legal_actions(&state, &mut actions);
    game.apply(&mut state, actions[0]);
    assert!(matches!(state.phase, Phase::Throw(_)));
    let mut outcomes = vec![(Deviation::NONE, 1.0)];
    game.chance_outcomes(&state, &mut outcomes);
    assert!(outcomes.is_empty());
    assert_ne!(
        game.sample_chance(&state, rng),
        game.sample_chance(&state, rng)
    );
}

#[test]
fn the_option_chooses_the_noise() {
    let models = ALL.map(|noise| *game(noise, 0).noise());
    assert_eq!(models[1], NoiseModel::UEC);
    assert_eq!(models[2], NoiseModel::Target { x: 0.0725, y: 0.29 });
    assert_eq!(models[4], NoiseModel::None);
    let dc3 = Curling::new(CurlingOptions::default()).expect("the defaults are in range");
    assert_eq!(*dc3.noise(), NoiseModel::DC3);
}

#[test]
fn noise_of_the_throw_is_as_large_on_the_ice_of_uec() {
    use curling::board::Point;
    let game = game(Noise::Dc3, 0);
    let (x, y) = game.noise().spread_at(game.model(), Point::TEE);
    // Along it is nearly the same share of the way; across the way is 36.4 m, not 38.4.
    assert!(
        (x - 0.0655).abs() < 0.001 && (y - 0.23).abs() < 0.01,
        "{x} {y}"
    );
}

#[test]
fn too_many_points_are_refused() {
    let options = CurlingOptions {
        noise_points: 16,
        ..CurlingOptions::default()
    };
    let error = Curling::new(options).expect_err("15 is the most");
    assert!(error.0.contains("noise_points=16"));
}

#[test]
fn the_paper_shot_is_moved_alike_wherever_it_is_aimed() {
    use curling::board::Point;
    use curling::physics::Simulator;
    let game = game(Noise::Uec, 0);
    let deviation = Deviation::new(0.1, -0.1);
    for (x, y) in [(0.0_f32, 38.405_f32), (1.0, 36.0), (-1.0, 39.5)] {
        let target = Point::new(x, y);
        let meant = game.model().stop_at(target, Spin::Ccw).expect("in reach");
        let thrown = game.noise().execute(game.model(), meant, deviation);
        let stop = game.model().stopping_point(thrown);
        assert!((stop.x - x + 0.1).abs() < 0.012, "{stop:?} for {target:?}");
        assert!((stop.y - y - 0.1).abs() < 0.012, "{stop:?} for {target:?}");
    }
}
