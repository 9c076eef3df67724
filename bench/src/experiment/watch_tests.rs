//! A run that the data stop: at the same seed whatever the threads, and reported as what it is.

use std::ops::ControlFlow;

use serde_json::{Value, json};

use super::block::Tally;
use super::checks::{Checks, checks};
use super::fixtures::{blocks, comparison, noise, play};
use super::sequential::{NOT_AFTER_A_STOP, watched};
use super::stop::StopRule;
use super::summary::{Summary, summarise};
use super::watch::Watch;
use crate::statistics::confidence_sequence::KnownRange;
use crate::statistics::interval::mean_interval;
use crate::statistics::sequential::{Decision, empirical_llr};

/// a is better by 0.4 on average, and blocks take longer or shorter, so that threads overtake.
fn better(seed: u64, seating: &[usize], _: &mut [Tally]) -> Vec<f64> {
    let turns = (noise(seed ^ 0xabc) * 20_000.0) as u64;
    let waste = (0..turns).fold(seed, |x, i| x.wrapping_mul(31).wrapping_add(i));
    let luck = if waste == u64::MAX { 0.5 } else { noise(seed) };
    let a = 0.2 + 2.0 * (luck - 0.5);
    seating
        .iter()
        .map(|who| if *who == 0 { a } else { -a })
        .collect()
}

fn equal(seed: u64, seating: &[usize], _: &mut [Tally]) -> Vec<f64> {
    let a = noise(seed) - 0.5;
    seating
        .iter()
        .map(|who| if *who == 0 { a } else { -a })
        .collect()
}

fn range() -> Option<KnownRange> {
    KnownRange::new(-3.0, 3.0).ok()
}

/// The summary of a watched run, and how many blocks were left over.
fn run(
    seeds: &str,
    rule: &str,
    range: Option<KnownRange>,
    threads: usize,
    script: super::fixtures::Play,
) -> (Summary, usize) {
    let comparison = comparison(2, seeds);
    let rule = (!rule.is_empty()).then(|| rule.parse().unwrap());
    let mut watch = Watch::new(&comparison, rule, range).unwrap();
    let mut all = Vec::new();
    play(&comparison, threads, script, &mut |block| {
        let flow = watch.take(&block);
        all.push(block);
        flow
    });
    let played = all.len();
    all.retain(|b| b.seed < watch.next_seed());
    let left_over = played - all.len();
    (
        watched(summarise(&comparison, &all), &watch, true),
        left_over,
    )
}

#[test]
fn the_stop_and_the_report_are_the_same_for_any_number_of_threads() {
    for (rule, script) in [
        ("interval", better as super::fixtures::Play),
        ("h0=0,h1=0.4", better),
        ("h0=0,h1=0.4", equal),
        ("h0=0,h1=0.02", equal),
    ] {
        let (one, left_over) = run("100..400", rule, range(), 1, script);
        assert!(
            left_over <= 3,
            "a thread runs ahead by what the channel holds"
        );
        for threads in [2, 3, 7] {
            let (many, _) = run("100..400", rule, range(), threads, script);
            // Everything but the times is the same, the digest included.
            assert_eq!(many.digest, one.digest, "{rule}, {threads} threads");
            assert_eq!(many.per_seed, one.per_seed);
        }
    }
}

#[test]
fn blocks_in_any_order_are_taken_in_the_order_of_their_seeds() {
    let comparison = comparison(2, "0..200");
    let mut blocks = blocks(&comparison, better);
    let rule: StopRule = "h0=0,h1=0.4".parse().unwrap();
    let at = |blocks: &[super::block::Block]| {
        let mut watch = Watch::new(&comparison, Some(rule), range()).unwrap();
        let mut broke = false;
        for block in blocks {
            broke |= watch.take(block).unwrap().is_break();
        }
        assert!(broke && watch.stopped());
        (watch.seeds(), watch.progress())
    };
    let in_order = at(&blocks);
    assert!((30..200).contains(&in_order.0), "{in_order:?}");
    for shift in [1, 63, 150] {
        blocks.rotate_left(shift);
        assert_eq!(at(&blocks), in_order);
    }
    blocks.reverse();
    assert_eq!(at(&blocks), in_order);
    // While one is missing, those behind it wait.
    blocks.sort_by_key(|b| b.seed);
    let mut watch = Watch::new(&comparison, Some(rule), range()).unwrap();
    for block in blocks.iter().filter(|b| b.seed != 5) {
        assert!(watch.take(block).unwrap().is_continue());
    }
    assert_eq!((watch.seeds(), watch.next_seed()), (5, 5));
}

#[test]
fn the_test_stops_at_the_first_seed_whose_likelihood_decides() {
    let (summary, _) = run("0..400", "h0=0,h1=0.4", range(), 2, better);
    let test = summary.sequential.as_ref().unwrap();
    assert_eq!(test.decision, Some(Decision::H1));
    assert_eq!(test.seeds_used as usize, summary.seeds);
    let llr = |n: usize| empirical_llr(&summary.per_seed[..n], 0.0, 0.4).unwrap();
    let decides = |n: usize| llr(n).is_some_and(|l| l >= test.upper || l <= test.lower);
    assert!((30..summary.seeds).all(|n| !decides(n)) && decides(summary.seeds));
    assert!((test.llr.unwrap() - llr(summary.seeds).unwrap()).abs() < 1e-9);
    assert!((test.upper - 19.0_f64.ln()).abs() < 1e-12);
}

#[test]
fn a_rule_takes_the_fixed_n_interval_back() {
    let (stopped, _) = run("0..400", "interval", range(), 1, better);
    assert_eq!(stopped.difference.method, NOT_AFTER_A_STOP);
    assert!(
        stopped
            .directions
            .iter()
            .all(|d| d.difference.method == NOT_AFTER_A_STOP)
    );
    let any_time = stopped.any_time.as_ref().unwrap();
    assert!(any_time.low.unwrap() > 0.0 && any_time.looks as usize == stopped.seeds);
    // It stops at the first such seed.
    let (before, _) = run(
        &format!("0..{}", stopped.seeds - 1),
        "interval",
        range(),
        1,
        better,
    );
    let any_time = before.any_time.as_ref().unwrap();
    assert!(any_time.low.unwrap() <= 0.0 && before.seeds == stopped.seeds - 1);
    let compared = comparison(2, "0..400");
    assert!(checks(&compared, &[], &stopped, 0).bca.is_none());
    // Without a rule the t interval stands, and the any-time interval is wider.
    let (watched, _) = run("0..100", "", range(), 1, better);
    assert_eq!(watched.difference.method, "t over seeds");
    let t = mean_interval(&watched.per_seed, 0.95)
        .unwrap()
        .interval
        .unwrap();
    assert_eq!(watched.difference.low, Some(t.low));
    let any_time = watched.any_time.unwrap();
    assert!(any_time.low.unwrap() < t.low && any_time.high.unwrap() > t.high);
}

#[test]
fn without_a_rule_the_report_and_its_digest_are_what_they_were() {
    let comparison = comparison(2, "0..40");
    let summary = summarise(&comparison, &blocks(&comparison, better));
    let object = serde_json::to_value(&summary).unwrap();
    for key in ["any_time", "sequential", "stop", "checks"] {
        assert!(object.get(key).is_none(), "{key}");
    }
    let (asked, _) = run("0..40", "", range(), 1, better);
    assert_ne!(asked.digest, summary.digest);
    let object = serde_json::to_value(&asked).unwrap();
    assert_eq!(object["any_time"]["range"], json!([-3.0, 3.0]));
    assert_eq!(object["sequential"], Value::Null);
}

#[test]
fn scores_outside_the_range_are_clipped_and_said() {
    let narrow = KnownRange::new(-0.5, 0.5).ok();
    let (summary, _) = run("0..60", "", narrow, 1, better);
    let any_time = summary.any_time.as_ref().unwrap();
    assert!(any_time.clipped > 10 && any_time.low.is_some());
    let warning = format!(
        "{} of 60 block scores lie outside the declared range",
        any_time.clipped
    );
    assert!(
        summary.warnings.iter().any(|w| w.starts_with(&warning)),
        "{:?}",
        summary.warnings
    );
    // The same range as a promise of the rules is broken, and gives no interval.
    let comparison = comparison(2, "0..60");
    let mut watch = Watch::new(&comparison, Some(StopRule::Interval), narrow).unwrap();
    let blocks = blocks(&comparison, better);
    let taken: Vec<_> = blocks
        .into_iter()
        .take_while(|block| watch.take(block).unwrap() == ControlFlow::Continue(()))
        .collect();
    let summary = watched(summarise(&comparison, &taken), &watch, false);
    assert_eq!(summary.any_time.as_ref().unwrap().low, None);
    assert!(!summary.interpretable);
    assert!(
        summary
            .warnings
            .iter()
            .any(|w| w.contains("promise as bounds"))
    );
}

#[test]
fn an_interval_rule_needs_a_range() {
    let comparison = comparison(2, "0..60");
    let error = Watch::new(&comparison, Some(StopRule::Interval), None).unwrap_err();
    assert_eq!(error.exit_status(), 2);
    assert!(error.to_string().contains("--range"), "{error}");
    // A test needs none.
    let rule = "h0=0,h1=1".parse().unwrap();
    let watch = Watch::new(&comparison, Some(rule), None).unwrap();
    assert_eq!(watch.progress().any_time, None);
}

#[test]
fn a_test_whose_hypotheses_the_data_never_straddle_waits_to_the_end() {
    let always = |_: u64, seating: &[usize], _: &mut [Tally]| {
        seating
            .iter()
            .map(|who| if *who == 0 { 1.0 } else { -1.0 })
            .collect()
    };
    let (summary, _) = run("0..60", "h0=0,h1=0.5", range(), 1, always);
    let test = summary.sequential.unwrap();
    assert_eq!((test.llr, test.decision, test.seeds_used), (None, None, 60));
    // The any-time interval decides what the test cannot.
    assert!(summary.any_time.unwrap().low.unwrap() > 0.0);
}

#[test]
fn bca_objects_to_skewed_seeds_and_not_to_even_ones() {
    let lottery = |seed: u64, seating: &[usize], _: &mut [Tally]| {
        let a = if seed == 3 { 50.0 } else { noise(seed) };
        seating
            .iter()
            .map(|who| if *who == 0 { a } else { -a })
            .collect()
    };
    let even = opinion("0..40", equal, 0);
    let bca = even.bca.unwrap();
    assert!(
        (bca.width_ratio - 1.0).abs() < 0.15 && even.warnings.is_empty(),
        "{even:?}"
    );
    let skewed = opinion("0..40", lottery, 0);
    let objection = skewed.warnings.first().is_some_and(|w| w.contains("BCa"));
    assert!(
        objection && skewed.bca.unwrap().width_ratio > 1.2,
        "{skewed:?}"
    );
    assert_eq!(opinion("0..40", lottery, 0), skewed, "the draws are seeded");
    // Below thirty seeds it is not asked.
    assert_eq!(opinion("0..29", lottery, 0).bca, None);
}

#[test]
fn going_on_from_a_log_is_a_second_look() {
    assert!(opinion("0..40", equal, 0).warnings.is_empty());
    assert!(opinion("0..40", equal, 40).warnings.is_empty());
    assert!(opinion("0..40", equal, 20).warnings[0].contains("--stop"));
}

/// The second opinions on a run.
fn opinion(seeds: &str, script: super::fixtures::Play, resumed: usize) -> Checks {
    let comparison = comparison(2, seeds);
    let blocks = blocks(&comparison, script);
    checks(
        &comparison,
        &blocks,
        &summarise(&comparison, &blocks),
        resumed,
    )
}

#[test]
fn a_drifting_speed_is_a_warning_where_a_clock_sets_the_budget() {
    let mut comparison = comparison(2, "0..20");
    let mut blocks = blocks(&comparison, equal);
    let mut warnings = |clock: bool, late: u64| {
        comparison.clock = clock;
        for block in &mut blocks {
            let simulations = if block.seed < 10 { 1000 } else { late };
            let second = std::time::Duration::from_secs(1);
            block.arms[1] = Tally {
                simulations,
                ..Tally::default()
            };
            block.arms[1].times.add(second);
        }
        checks(&comparison, &blocks, &summarise(&comparison, &blocks), 0).warnings
    };
    assert_eq!(warnings(true, 900), Vec::<String>::new());
    assert_eq!(warnings(false, 500), Vec::<String>::new());
    for (late, percent) in [(500, "50 %"), (1300, "130 %")] {
        let warning = &warnings(true, late)[0];
        assert!(
            warning.starts_with("b ran") && warning.contains(percent),
            "{warning}"
        );
    }
}
