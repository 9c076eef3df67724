//! Curling for searches over a continuum of shots: [`ExecutedShots`].

use search_core::rng::SimRng;
use search_core::search::continuous::ContinuousActions;

use search_core::game::Game;

use crate::action::Action;
use crate::game::Curling;
use crate::noise::Deviation;
use crate::noise::kernel::Kernel;
use crate::physics::Simulator;
use crate::state::State;

/// Shots are alike as far as execution noise turns one into the other (kernel regression: Yee, Lisy
/// and Bowling 2016).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExecutedShots {
    kernel: Kernel,
}

impl ExecutedShots {
    /// For the ice and the noise of this game.
    #[must_use]
    pub fn new(game: &Curling) -> Self {
        Self {
            kernel: Kernel::new(*game.noise(), game.model()),
        }
    }
}

impl ContinuousActions<Curling> for ExecutedShots {
    /// The shot that is thrown when `action` is meant, at most as fast as a player can mean one; any
    /// other action as it is.
    fn execute(&self, game: &Curling, state: &State, action: Action, rng: &mut SimRng) -> Action {
        let deviation = game.sample_chance(state, rng);
        action.release().map_or(action, |meant| {
            let thrown = Action::shot(game.noise().execute(game.model(), meant, deviation));
            let speed = thrown.speed().min(game.model().max_speed());
            Action::polar(speed, thrown.angle(), thrown.spin())
        })
    }

    fn kernel(&self, _: &Curling, _: &State, a: Action, b: Action) -> f64 {
        self.kernel.between(a, b)
    }

    fn exactly(&self, _: &Curling, _: &State) -> Deviation {
        Deviation::NONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{CurlingOptions, Noise};
    use crate::physics::Ice;
    use crate::release::Spin;
    use crate::state::Phase;
    use search_core::rng::Seed;

    fn game(ice: Ice, noise: Noise) -> Curling {
        Curling::new(CurlingOptions {
            ice,
            noise,
            ..CurlingOptions::default()
        })
        .expect("the options are in range")
    }

    fn sim_rng(seed: u64) -> SimRng {
        SimRng::new(seed)
    }

    fn shots(game: &Curling, state: &State) -> Vec<Action> {
        let mut shots = Vec::new();
        game.legal_actions(state, &mut shots);
        shots
    }

    #[test]
    fn the_kernel_is_symmetric_and_one_at_equality() {
        for ice in [Ice::Fcv1, Ice::Uec] {
            for noise in [
                Noise::Dc3,
                Noise::Uec,
                Noise::Gat,
                Noise::Student,
                Noise::None,
            ] {
                let game = game(ice, noise);
                let like = ExecutedShots::new(&game);
                let state = game.initial_state(&mut Seed(1).stream());
                let rng = &mut sim_rng(2);
                for a in shots(&game, &state) {
                    let b = like.execute(&game, &state, a, rng);
                    let there = like.kernel(&game, &state, a, b);
                    assert_eq!(like.kernel(&game, &state, a, a), 1.0);
                    assert!((there - like.kernel(&game, &state, b, a)).abs() < 1e-12);
                    assert!(
                        (0.0..=1.0).contains(&there) && there > 1e-9,
                        "{noise:?} {there}"
                    );
                    assert_eq!(a.spin(), b.spin());
                    assert_eq!(like.kernel(&game, &state, a, Action::CONCEDE), 0.0);
                    assert_eq!(like.kernel(&game, &state, a, a.mirrored()), 0.0);
                }
                let concede = Action::CONCEDE;
                assert_eq!(like.execute(&game, &state, concede, rng), concede);
            }
        }
    }

    #[test]
    fn an_execution_is_a_shot_that_a_player_may_choose() {
        for ice in [Ice::Fast, Ice::Fcv1, Ice::Uec] {
            let game = game(ice, Noise::Dc3);
            let like = ExecutedShots::new(&game);
            let state = game.initial_state(&mut Seed(1).stream());
            let hard = Action::polar(game.model().max_speed(), 0.0, Spin::Cw);
            let mut rng = sim_rng(4);
            for _ in 0..200 {
                let thrown = like.execute(&game, &state, hard, &mut rng);
                assert!(game.accepts(&state, thrown), "{thrown:?}");
            }
        }
    }

    /// For normal noise in two dimensions the density ratio of a random execution is uniform.
    #[test]
    fn the_kernel_of_an_execution_is_distributed_as_its_density() {
        let cases = [
            (Ice::Fcv1, Noise::Dc3),
            (Ice::Uec, Noise::Uec),
            (Ice::Uec, Noise::Gat),
        ];
        for (ice, noise) in cases {
            let game = game(ice, noise);
            let like = ExecutedShots::new(&game);
            let state = game.initial_state(&mut Seed(1).stream());
            let rng = &mut sim_rng(3);
            let a = shots(&game, &state)[0];
            let n = 4000;
            let mut below = [0; 3];
            for _ in 0..n {
                let b = like.execute(&game, &state, a, rng);
                let k = like.kernel(&game, &state, a, b);
                for (count, edge) in below.iter_mut().zip([0.1, 0.5, 0.9]) {
                    *count += i32::from(k < edge);
                }
            }
            for (count, edge) in below.into_iter().zip([0.1, 0.5, 0.9]) {
                let (n, error) = (f64::from(n), (f64::from(n) * edge * (1.0 - edge)).sqrt());
                let off = (f64::from(count) - n * edge).abs();
                assert!(off < 5.0 * error, "{noise:?}: {count} of {n} below {edge}");
            }
        }
    }

    #[test]
    fn executing_is_the_chance_turn_as_an_action() {
        let game = game(Ice::Uec, Noise::Gat);
        let like = ExecutedShots::new(&game);
        let state = game.initial_state(&mut Seed(1).stream());
        let a = Action::polar(29.6, 0.03, Spin::Ccw);
        let thrown = like.execute(&game, &state, a, &mut sim_rng(4));
        let (mut meant, mut exact) = (state, state);
        game.apply(&mut meant, a);
        let luck = game.sample_chance(&meant, &mut sim_rng(4));
        game.apply_chance(&mut meant, luck);
        game.apply(&mut exact, thrown);
        assert!(matches!(exact.phase, Phase::Throw(_)));
        let exactly = like.exactly(&game, &exact);
        game.apply_chance(&mut exact, exactly);
        // An action rounds angles to a microradian.
        for (stone, point) in meant.board.stones() {
            let other = exact.board.get(stone).map(|p| p.distance(point));
            assert!(other.is_some_and(|d| d < 1e-3));
        }
    }
}
