//! How flat searches divide their budget: T-SH1, simple regret on bandits, and the policy improvement of
//! Gumbel planning.

use crate::common::{Bandit, Pull};
use rand::Rng;
use search_core::budget::{Budget, StopReason};
use search_core::decision::{Decision, SearchError};
use search_core::game::{Game, Player, Returns, Turn};
use search_core::observation::Identity;
use search_core::policy::{Priors, UniformPriors, UniformRandom};
use search_core::rng::{Draw, Seed};
use search_core::search::{
    Allocation, CommonNumbers, Flat, FlatSettings, Gumbel, GumbelSettings, Searcher,
};
use std::convert::Infallible;
use std::ops::RangeInclusive;
use std::time::Duration;

/// One decision; action `i` pays `values[i]`, always.
struct Fixed(Vec<f64>);

impl Game for Fixed {
    type State = Option<u8>;
    type Action = u8;
    type Chance = Infallible;
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
    fn legal_actions(&self, state: &Option<u8>, out: &mut Vec<u8>) {
        out.clear();
        if state.is_none() {
            out.extend(0..self.0.len() as u8);
        }
    }
    fn apply(&self, state: &mut Option<u8>, action: u8) {
        *state = Some(action);
    }
    fn returns(&self, state: &Option<u8>) -> Returns {
        Returns::splat(1, state.map_or(0.0, |action| self.0[action as usize]))
    }
    fn return_bounds(&self) -> RangeInclusive<f64> {
        0.0..=1.0
    }
    fn observe(&self, state: &Option<u8>, _: Player) -> Option<u8> {
        *state
    }
}

fn flat<G>(game: &G, root: &G::State, settings: FlatSettings, n: u64, seed: u64) -> Decision<u8>
where
    G: Game<Action = u8, Observation = <G as Game>::State>,
{
    Flat::new(settings, Identity)
        .search(game, root, &Budget::simulations(n), Seed(seed))
        .unwrap()
}

fn with(allocation: Allocation) -> FlatSettings {
    FlatSettings {
        allocation,
        ..FlatSettings::default()
    }
}

fn visits(decision: &Decision<u8>) -> Vec<u64> {
    decision.candidates.iter().map(|c| c.visits).collect()
}

/// T-SH1: no more pulls than the budget, whatever the number of arms: with 16 arms and 25 pulls, say,
/// rounds before the last one have taken more than their share.
#[test]
fn t_sh1_budgets_are_spent_exactly_with_any_number_of_arms() {
    for k in 1..=40 {
        let game = Fixed((0..k).map(|i| f64::from(i) / 40.0).collect());
        for n in (1..130).chain([500, 1_001]) {
            for allocation in [Allocation::SequentialHalving, Allocation::OCBA] {
                let decision = flat(&game, &None, with(allocation), n, 1);
                let visits = visits(&decision);
                let what = format!("{allocation:?}, {k} arms, {n} pulls: {visits:?}");
                assert_eq!(visits.iter().sum::<u64>(), n, "{what}");
                assert_eq!(decision.effort.simulations, n, "{what}");
                // Nobody is left out if there is a pull for each, and then the best is found.
                if n >= u64::from(k as u32) {
                    assert!(visits.iter().all(|n| *n > 0), "{what}");
                    assert_eq!(decision.action, k as u8 - 1, "{what}");
                }
            }
        }
    }
}

#[test]
fn t_sh1_survivors_halve() {
    for (k, n, expected) in [
        // 4 rounds of 512: 32 each, 64 each of eight, 128 each of four, 256 each of two.
        (16, 2_048, vec![(32, 8), (96, 4), (224, 2), (480, 2)]),
        // 3 rounds of 200: 40 each of five, 66 each of three, 101 each of two.
        (5, 600, vec![(40, 2), (106, 1), (207, 2)]),
    ] {
        let game = Fixed((0..k).map(|i| f64::from(i) / 16.0).collect());
        let decision = flat(&game, &None, with(Allocation::SequentialHalving), n, 1);
        let mut got = visits(&decision);
        got.sort_unstable();
        let expected: Vec<u64> = expected
            .into_iter()
            .flat_map(|(n, times)| std::iter::repeat_n(n, times))
            .collect();
        assert_eq!(got, expected);
    }
}

/// 16 arms that pay with probabilities drawn from Beta(4,4): the middle one of seven uniform draws.
fn beta_bandit(seed: u64) -> Bandit {
    let mut rng = Seed(seed).child("beta").simulation(0);
    let chances = (0..16).map(|_| {
        let mut draws: Vec<f64> = (0..7).map(|_| rng.unit()).collect();
        draws.sort_by(f64::total_cmp);
        draws[3]
    });
    Bandit {
        chances: chances.collect(),
    }
}

/// Mean and standard error of what the chosen arm lacks, over 3,000 bandits.
fn simple_regret(choose: impl Fn(&Bandit, u64) -> u8) -> (f64, f64) {
    let n = 3_000;
    let regrets = (0..n).map(|seed| {
        let game = beta_bandit(seed);
        let best = game.chances.iter().copied().fold(0.0, f64::max);
        best - game.chances[choose(&game, seed) as usize]
    });
    let (sum, squares) = regrets.fold((0.0, 0.0), |(s, q), r| (s + r, q + r * r));
    let mean = sum / n as f64;
    (mean, ((squares / n as f64 - mean * mean) / n as f64).sqrt())
}

/// Values measured by an independent implementation: 0.0853 for an even allocation, 0.0492 for
/// sequential halving, of 128 independent pulls.
#[test]
fn t_sh1_simple_regret_on_bandits() {
    let independent = |allocation| FlatSettings {
        numbers: CommonNumbers::Independent,
        ..with(allocation)
    };
    let regret = |settings: FlatSettings| {
        simple_regret(|game, seed| flat(game, &Pull::Choose, settings, 128, seed).action)
    };
    let even = regret(independent(Allocation::Even));
    let halving = regret(independent(Allocation::SequentialHalving));
    let ocba = regret(independent(Allocation::Ocba { warm_up: 4 }));
    println!("even {even:?}, halving {halving:?}, ocba {ocba:?}");
    for ((mean, error), expected) in [(even, 0.0853), (halving, 0.0492)] {
        // The given values have four digits and an error of their own, taken as ours.
        let tolerance = 5.0 * (2.0_f64.sqrt() * error) + 0.00005;
        assert!((mean - expected).abs() < tolerance, "{mean} for {expected}");
    }
    assert!(ocba.0 + 5.0 * ocba.1.hypot(even.1) < even.0, "{ocba:?}");
    // Arms that pay by the same draw are easier to tell apart.
    let common = regret(with(Allocation::SequentialHalving));
    assert!(common.0 + 5.0 * common.1.hypot(halving.1) < halving.0);
    let gumbel = simple_regret(|game, seed| {
        let settings = GumbelSettings {
            numbers: CommonNumbers::Independent,
            ..GumbelSettings::default()
        };
        gumbel(game, &Pull::Choose, settings, UniformPriors, 128, seed)
            .unwrap()
            .action
    });
    // With uniform priors it is sequential halving, a little noise apart.
    println!("gumbel {gumbel:?}");
    assert!((gumbel.0 - halving.0).abs() < 5.0 * gumbel.1.hypot(halving.1));
}

/// T-SH1: after many pulls the counts are in the ratio of the formula with the true moments.
#[test]
fn t_sh1_ocba_approaches_the_optimal_ratios() {
    let chances = vec![0.2, 0.5, 0.6, 0.7];
    let game = Bandit {
        chances: chances.clone(),
    };
    let settings = FlatSettings {
        numbers: CommonNumbers::Independent,
        ..with(Allocation::OCBA)
    };
    let counts = visits(&flat(&game, &Pull::Choose, settings, 400_000, 1));
    let variance = |p: f64| p * (1.0 - p);
    let ratio = |i: usize| variance(chances[i]) / (0.7 - chances[i]).powi(2);
    for i in [0, 1] {
        let expected = ratio(i) / ratio(2);
        let got = counts[i] as f64 / counts[2] as f64;
        assert!((got / expected - 1.0).abs() < 0.1, "{got} for {expected}");
    }
    let sum: f64 = (0..3)
        .map(|i| (counts[i] as f64).powi(2) / variance(chances[i]))
        .sum();
    let best = (variance(0.7) * sum).sqrt();
    assert!((counts[3] as f64 / best - 1.0).abs() < 0.05, "{counts:?}");
}

#[test]
fn ocba_needs_two_values_of_an_arm() {
    let bandit = beta_bandit(1);
    for warm_up in [0, 1] {
        let error = Flat::new(with(Allocation::Ocba { warm_up }), Identity)
            .search(&bandit, &Pull::Choose, &Budget::simulations(9), Seed(1))
            .unwrap_err();
        assert!(matches!(error, SearchError::BadSetting { .. }), "{error}");
    }
    // A budget in time will do.
    let budget = Budget::time(Duration::from_millis(3));
    let decision = Flat::new(with(Allocation::OCBA), Identity)
        .search(&bandit, &Pull::Choose, &budget, Seed(1))
        .unwrap();
    assert_eq!(decision.effort.stop, StopReason::Time);
}

/// Priors that are given.
struct Given(Vec<f64>);

impl<G: Game> Priors<G> for Given {
    fn priors(&self, _: &G, _: &G::Observation, _: &[G::Action], out: &mut Vec<f64>) {
        out.clone_from(&self.0);
    }
}

fn gumbel<G>(
    game: &G,
    root: &G::State,
    settings: GumbelSettings,
    priors: impl Priors<G>,
    n: u64,
    seed: u64,
) -> Result<Decision<u8>, SearchError>
where
    G: Game<Action = u8, Observation = <G as Game>::State>,
{
    Gumbel {
        settings,
        determinizer: Identity,
        policy: UniformRandom,
        priors,
    }
    .search(game, root, &Budget::simulations(n), Seed(seed))
}

/// With equal values the action is a draw from the priors (the Gumbel-max trick).
#[test]
fn gumbel_draws_from_the_priors_where_values_are_equal() {
    let game = Fixed(vec![0.5; 4]);
    let priors = [0.5, 0.3, 0.15, 0.05];
    let mut counts = [0.0; 4];
    let draws = 20_000;
    for seed in 0..draws {
        let priors = Given(priors.to_vec());
        let decision = gumbel(&game, &None, GumbelSettings::default(), priors, 8, seed).unwrap();
        counts[decision.action as usize] += 1.0;
    }
    let chi2: f64 = counts
        .iter()
        .zip(priors)
        .map(|(c, p)| (c - p * draws as f64).powi(2) / (p * draws as f64))
        .sum();
    // 3 degrees of freedom: the 1 - 1e-6 quantile is 30.7.
    assert!(chi2 < 30.7, "{chi2}: {counts:?}");
}

/// Policy improvement (Danihelka et al. 2022, section 3): with exact values the action is never worse
/// than the one the same noise draws from the priors, so its expectation is no less than theirs.
#[test]
fn gumbel_improves_its_priors_with_as_few_as_two_simulations() {
    let (mut drawn, mut improved) = (0.0, 0.0);
    for seed in 0..400 {
        let mut rng = Seed(seed).child("bandit").simulation(0);
        let k = 2 + rng.below(30) as usize;
        let values: Vec<f64> = (0..k).map(|_| rng.unit()).collect();
        let priors: Vec<f64> = (0..k).map(|_| rng.unit().powi(4)).collect();
        let game = Fixed(values.clone());
        for n in 2..=16 {
            let of = |c_scale| {
                let settings = GumbelSettings {
                    c_scale,
                    ..GumbelSettings::default()
                };
                let priors = Given(priors.clone());
                let decision = gumbel(&game, &None, settings, priors, n, seed).unwrap();
                assert_eq!(decision.effort.simulations, n);
                values[decision.action as usize]
            };
            // Without weight on values it is the draw itself.
            let (prior, weighed) = (of(0.0), of(0.1));
            assert!(weighed >= prior, "{weighed} for {prior}: {n} simulations");
            assert!(of(1.0) >= prior);
            drawn += prior;
            improved += weighed;
        }
    }
    assert!(improved > 1.3 * drawn, "{improved} for {drawn}");
}

#[test]
fn the_improved_policy_of_gumbel_is_that_of_the_paper() {
    // Two of three are tried, all of whose values are exact.
    let values = vec![0.25, 0.75, 0.5];
    let priors = [0.2, 0.3, 0.5];
    let settings = GumbelSettings {
        considered: 2,
        c_visit: 3.0,
        c_scale: 0.5,
        ..GumbelSettings::default()
    };
    let game = Fixed(values.clone());
    let mut seen = [0; 3];
    for seed in 0..40 {
        let decision = gumbel(&game, &None, settings, Given(priors.to_vec()), 7, seed).unwrap();
        let tried: Vec<bool> = decision.candidates.iter().map(|c| c.visits > 0).collect();
        assert_eq!(tried.iter().filter(|t| **t).count(), 2);
        let over = |f: &dyn Fn(usize) -> f64| -> f64 { (0..3).filter(|&i| tried[i]).map(f).sum() };
        let mixed = over(&|i| priors[i] * values[i]) / over(&|i| priors[i]);
        // 7 simulations of two: 4 and 3 visits, so sigma(q) = (3 + 4) q / 2.
        let weight = |i: usize| {
            let q = if tried[i] { values[i] } else { mixed };
            priors[i] * (3.5 * q).exp()
        };
        let sum: f64 = (0..3).map(weight).sum();
        for (i, candidate) in decision.candidates.iter().enumerate() {
            assert!((candidate.policy - weight(i) / sum).abs() < 1e-12);
            seen[i] += u64::from(!tried[i]);
        }
    }
    assert!(seen.iter().all(|n| *n > 0), "{seen:?}");
}

/// Trap 15: priors that are no distribution never lead to an illegal action, and are counted.
#[test]
fn unusable_priors_are_uniform_and_counted() {
    let game = Fixed(vec![0.1, 0.9, 0.2]);
    for (priors, unusable) in [
        (vec![0.2, 0.3, 0.5], 0),
        (vec![0.0; 3], 1),
        (vec![f64::NAN; 3], 1),
        (vec![1.0], 1),
        (vec![-1.0, 1.0, 1.0], 1),
    ] {
        for n in [1, 2, 3, 50] {
            let priors = Given(priors.clone());
            let decision = gumbel(&game, &None, GumbelSettings::default(), priors, n, 1).unwrap();
            assert_eq!(decision.effort.unusable_priors, unusable);
            assert!(decision.action < 3);
            let policy: f64 = decision.candidates.iter().map(|c| c.policy).sum();
            assert!((policy - 1.0).abs() < 1e-12);
        }
    }
    // What has no prior is not tried, however many simulations there are.
    let priors = Given(vec![0.5, 0.0, 0.5]);
    let decision = gumbel(&game, &None, GumbelSettings::default(), priors, 99, 1).unwrap();
    assert_eq!(decision.action, 2);
    assert_eq!(
        (decision.candidates[1].visits, decision.candidates[1].policy),
        (0, 0.0)
    );
}

#[test]
fn gumbel_refuses_what_makes_no_sense() {
    let default = GumbelSettings::default();
    for settings in [
        GumbelSettings {
            considered: 0,
            ..default
        },
        GumbelSettings {
            c_visit: f64::NAN,
            ..default
        },
        GumbelSettings {
            c_scale: -1.0,
            ..default
        },
    ] {
        let error = gumbel(&Fixed(vec![0.0; 2]), &None, settings, UniformPriors, 9, 1);
        assert!(matches!(error, Err(SearchError::BadSetting { .. })));
    }
    let budget = Budget::time(Duration::from_millis(1));
    let error =
        Gumbel::new(default, Identity).search(&Fixed(vec![0.0; 2]), &None, &budget, Seed(1));
    assert!(matches!(error, Err(SearchError::NeedsSimulations { .. })));
}
