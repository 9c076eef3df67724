//! Prior probabilities of actions.

use rand::Rng;
use search_core::game::{Game, Player, Returns, Turn};
use search_core::policy::{Policy, Priors, Softened, UniformPriors, UniformRandom};
use search_core::rng::SimRng;
use std::sync::Arc;

/// Five ways to end the game.
struct Five;

impl Game for Five {
    type State = Option<u8>;
    type Action = u8;
    type Chance = std::convert::Infallible;
    type Observation = Option<u8>;
    fn num_players(&self) -> usize {
        1
    }
    fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> Option<u8> {
        None
    }
    fn turn(&self, state: &Option<u8>) -> Turn {
        state.map_or(Turn::Player(Player::new(0)), |_| Turn::Terminal)
    }
    fn legal_actions(&self, _: &Option<u8>, out: &mut Vec<u8>) {
        out.clear();
        out.extend(0..5);
    }
    fn apply(&self, state: &mut Option<u8>, action: u8) {
        *state = Some(action);
    }
    fn returns(&self, state: &Option<u8>) -> Returns {
        Returns::splat(1, f64::from(state.unwrap_or(0)))
    }
    fn return_bounds(&self) -> std::ops::RangeInclusive<f64> {
        0.0..=4.0
    }
    fn observe(&self, state: &Option<u8>, _: Player) -> Option<u8> {
        *state
    }
}

/// Always plays this, listed or not.
struct Plays(u8);

impl Policy<Five> for Plays {
    fn choose(&self, _: &Five, _: &Option<u8>, _: &[u8], _: &mut SimRng) -> u8 {
        self.0
    }
}

fn ask(priors: &dyn Priors<Five>) -> Vec<f64> {
    let mut out = vec![7.0; 9];
    priors.priors(&Five, &None, &[0, 1, 2, 3, 4], &mut out);
    out
}

fn softened(action: u8, epsilon: f64) -> Vec<f64> {
    ask(&Softened {
        policy: Plays(action),
        epsilon,
    })
}

#[test]
fn softened_priors_leave_something_to_every_action() {
    let expected = [0.05, 0.05, 0.05, 0.8, 0.05];
    for (got, expected) in softened(3, 0.25).iter().zip(expected) {
        assert!((got - expected).abs() < 1e-15, "{got} for {expected}");
    }
    assert_eq!(softened(3, 0.0), [0.0, 0.0, 0.0, 1.0, 0.0]);
}

#[test]
fn priors_sum_to_one_whatever_epsilon_is() {
    for epsilon in [-1.0, 0.0, 0.1, 1.0, 2.0, f64::NAN, f64::INFINITY] {
        for action in [0, 4, 77] {
            let priors = softened(action, epsilon);
            assert!((priors.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert!(priors.iter().all(|p| *p >= 0.0), "{priors:?}");
        }
    }
    // What is not listed says nothing about what is.
    assert_eq!(softened(77, 0.1), ask(&UniformPriors));
}

#[test]
fn priors_are_a_function_of_what_they_are_asked() {
    let random = Softened {
        policy: UniformRandom,
        epsilon: 0.5,
    };
    assert_eq!(ask(&random), ask(&random));
    let shared: Arc<dyn Priors<Five>> = Arc::new(random);
    assert_eq!(ask(&shared), ask(&random));
}
