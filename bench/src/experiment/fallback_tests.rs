//! Fallbacks: counted by event, failures and time-outs apart, over all decisions, with a gate.

use search_core::agent::Substitute;

use super::block::Tally;
use super::fixtures::{Play, blocks, comparison};
use super::match_driver::Made;
use super::summary::{FALLBACK_LIMIT, Summary, summarise};

fn summary(seeds: &str, script: Play) -> Summary {
    let comparison = comparison(2, seeds);
    summarise(&comparison, &blocks(&comparison, script))
}

fn count(tally: &mut Tally, substitute: Option<Substitute>) {
    let made = Made {
        round: 0,
        seat: search_core::game::Player::new(0),
        action: (),
        substitute,
        reason: None,
        deterministic: true,
        elapsed: std::time::Duration::from_micros(1),
    };
    tally.count(&made, None);
}

fn even(seed: u64, seating: &[usize]) -> Vec<f64> {
    let a = (seed % 5) as f64;
    seating
        .iter()
        .map(|who| if *who == 0 { a } else { -a })
        .collect()
}

/// L2.2: one slow decision in 2,300 is noise, every second one is not a's play.
#[test]
fn the_gate_lies_between_noise_and_structure() {
    let rare = summary("0..1", |seed, seating, tallies| {
        for i in 0..1150 {
            // Once in the two matches of the block.
            let late = i == 7 && seating[0] == 0;
            count(&mut tallies[0], late.then_some(Substitute::Timeout));
        }
        even(seed, seating)
    });
    let f = &rare.arms.a.fallbacks;
    assert_eq!((f.failure, f.timeout, f.of), (0, 1, 2300));
    assert!(rare.interpretable, "{:?}", rare.warnings);
    // Clopper and Pearson, one-sided: P(X <= 1) = 5 % for X ~ B(2300, upper).
    let miss = (1.0 - f.upper).powi(2300);
    let one = 2300.0 * f.upper * (1.0 - f.upper).powi(2299);
    assert!((miss + one - 0.05).abs() < 1e-9);
    let structural = summary("0..4", |seed, seating, tallies| {
        for i in 0..500 {
            count(&mut tallies[0], (i % 2 == 0).then_some(Substitute::Timeout));
            count(&mut tallies[1], None);
        }
        even(seed, seating)
    });
    assert!(!structural.interpretable);
    assert!(
        structural.warnings[0].starts_with("WITHHELD"),
        "{:?}",
        structural.warnings
    );
    assert!(structural.warnings[0].contains("50.0 % of 4000 decisions"));
    assert_eq!(structural.arms.b.fallbacks.timeout, 0);
}

/// L2.4: the limit is the package's constant, and it is a limit of the rate and not of the count.
#[test]
fn the_gate_is_the_constant() {
    let decisions = 20_000_u64;
    let at_the_limit = (FALLBACK_LIMIT * decisions as f64).floor() as u64;
    let interpretable = |substitutes: u64| {
        let comparison = comparison(2, "0..1");
        let mut blocks = blocks(&comparison, |seed, seating, _| even(seed, seating));
        blocks[0].arms[0].decisions = decisions;
        blocks[0].arms[0].failures = substitutes / 2;
        blocks[0].arms[0].timeouts = substitutes - substitutes / 2;
        summarise(&comparison, &blocks).interpretable
    };
    assert!(interpretable(at_the_limit));
    assert!(!interpretable(at_the_limit + 1));
    const { assert!(FALLBACK_LIMIT > 1.0 / 2300.0 && FALLBACK_LIMIT < 0.47) };
}

/// L2.5: what is reported does not depend on how long anything took.
#[test]
fn times_gate_nothing() {
    let compared = comparison(2, "0..10");
    let quick = blocks(&compared, |seed, seating, tallies| {
        count(&mut tallies[seating[0]], None);
        even(seed, seating)
    });
    let mut slow = quick.clone();
    for block in &mut slow {
        for arm in &mut block.arms {
            arm.times.add(std::time::Duration::from_secs(3600));
        }
    }
    let (quick, slow) = (summarise(&compared, &quick), summarise(&compared, &slow));
    assert_eq!(quick.digest, slow.digest);
    assert_eq!(quick.warnings, slow.warnings);
}

/// Failures and time-outs are apart, and the first failure keeps its words.
#[test]
fn failures_and_time_outs_are_counted_apart() {
    let mixed = summary("0..2", |seed, seating, tallies| {
        for substitute in [None, Some(Substitute::Failure), Some(Substitute::Timeout)] {
            count(&mut tallies[1], substitute);
        }
        count(&mut tallies[0], None);
        even(seed, seating)
    });
    let (a, b) = (&mixed.arms.a.fallbacks, &mixed.arms.b.fallbacks);
    assert_eq!((a.failure, a.timeout, a.of), (0, 0, 4));
    assert_eq!((b.failure, b.timeout, b.of), (4, 4, 12));
    assert!((b.rate - 2.0 / 3.0).abs() < 1e-12);
    // None of four is not none: 1 - 0.05^(1/4).
    assert!((a.upper - (1.0 - 0.05_f64.powf(0.25))).abs() < 1e-9);
}
