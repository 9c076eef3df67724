//! Chance turns against their declared distribution.

use std::collections::HashMap;

use super::walk;
use crate::game::{ChanceOutcomes, Turn};
use crate::rng::Seed;

/// How often a chance turn's outcomes are drawn for the histogram.
const DRAWS: u32 = 20_000;
/// At how many chance turns, evenly over the games, that is done.
const HISTOGRAMS: u32 = 5;

/// T-CH1 on `games` random games: at chance turns the probabilities are positive and sum to 1
/// within 1e-12, no outcome occurs twice, each applies, and `sample_chance` draws them with those
/// probabilities (chi-square, p < 1e-6). Returns how many chance turns it saw.
///
/// # Panics
/// At the first breach, naming the seed, the game and the ply.
pub fn check_chance<G: ChanceOutcomes>(game: &G, games: u32, seed: Seed) -> u64 {
    let mut outcomes = Vec::new();
    let (mut seen, mut histograms) = (0, 0);
    walk(game, games, seed, |state, rng, at| {
        if game.turn(state) != Turn::Chance {
            return;
        }
        seen += 1;
        game.chance_outcomes(state, &mut outcomes);
        let sum: f64 = outcomes.iter().map(|(_, p)| p).sum();
        assert!(
            (sum - 1.0).abs() <= 1e-12,
            "T-CH1: probabilities sum to {sum} ({at})"
        );
        let mut index = HashMap::new();
        for (i, (outcome, p)) in outcomes.iter().enumerate() {
            assert!(
                *p > 0.0,
                "T-CH1: {outcome:?} has probability {p}: leave it out ({at})"
            );
            let twice = index.insert(*outcome, i).is_some();
            assert!(!twice, "T-CH1: {outcome:?} occurs twice ({at})");
            let mut after = state.clone();
            game.apply_chance(&mut after, *outcome);
            let _ = game.turn(&after);
        }
        // Spread over the games, so that not only opening chance turns are drawn from.
        if histograms < HISTOGRAMS && u64::from(at.game) * 5 >= u64::from(histograms * games) {
            histograms += 1;
            let mut counts = vec![0_u64; outcomes.len()];
            for _ in 0..DRAWS {
                let outcome = game.sample_chance(state, rng);
                let Some(&i) = index.get(&outcome) else {
                    panic!("T-CH1: drew {outcome:?}, which chance_outcomes does not list ({at})");
                };
                counts[i] += 1;
            }
            let expected: Vec<f64> = outcomes.iter().map(|(_, p)| *p).collect();
            if let Err(message) = chi_square(&counts, &expected) {
                panic!("T-CH1: sample_chance: {message} ({at})");
            }
        }
    });
    seen
}

/// Whether counts fit probabilities (which need not be normalised): Pearson's chi-square against
/// its quantile at 1 - 1e-6, classes expecting fewer than five pooled.
///
/// # Errors
/// The statistic and the bound that it exceeds, or a count where the probability is 0.
pub fn chi_square(counts: &[u64], weights: &[f64]) -> Result<(), String> {
    assert_eq!(counts.len(), weights.len(), "one weight a count");
    let draws = counts.iter().sum::<u64>() as f64;
    let total: f64 = weights.iter().sum();
    let (mut statistic, mut classes) = (0.0, 0_u32);
    let (mut pooled_count, mut pooled_expected) = (0.0, 0.0);
    for (i, (&count, weight)) in counts.iter().zip(weights).enumerate() {
        let expected = draws * weight / total;
        if expected >= 5.0 {
            statistic += (count as f64 - expected).powi(2) / expected;
            classes += 1;
        } else if expected > 0.0 {
            pooled_count += count as f64;
            pooled_expected += expected;
        } else if count > 0 {
            return Err(format!(
                "class {i} has probability 0 and was drawn {count} times"
            ));
        }
    }
    if pooled_expected > 0.0 {
        statistic += (pooled_count - pooled_expected).powi(2) / pooled_expected;
        classes += 1;
    }
    if classes < 2 {
        return Ok(());
    }
    // Wilson & Hilferty 1931; 4.7534 is the normal quantile.
    let df = f64::from(classes - 1);
    let a = 2.0 / (9.0 * df);
    let bound = df * (1.0 - a + 4.7534 * a.sqrt()).powi(3);
    if statistic <= bound {
        Ok(())
    } else {
        Err(format!(
            "chi-square {statistic:.1} exceeds {bound:.1} with {df} degrees of freedom"
        ))
    }
}
