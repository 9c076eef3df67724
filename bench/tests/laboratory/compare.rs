//! Comparisons: exactly zero for equals, the same digest everywhere, fallbacks that count.

use crate::common::{lab, registry};
use searchlab::experiment::block::{Block, Tally};
use searchlab::experiment::compare::play_blocks;
use searchlab::experiment::match_driver::MatchOutcome;
use searchlab::experiment::referee::Referee;
use searchlab::experiment::schedule::Schedule;
use searchlab::experiment::summary::{Comparison, summarise};
use serde_json::Value;

fn compare(game: &str, a: &str, b: &str, seeds: &str, more: &[&str]) -> crate::common::Ran {
    let mut args = vec![
        "compare", "--game", game, "--a", a, "--b", b, "--seeds", seeds, "--json",
    ];
    args.extend(more);
    lab(&args)
}

/// T-AR1, L1.11: every seat of every deal both ways round, and equal agents differ by nothing.
#[test]
fn t_ar1_equal_agents_differ_by_exactly_zero() {
    // T-AR1 with one agent: whatever the number of players and rounds, and whatever it draws.
    for game in [
        "tricks(players=1)",
        "tricks(players=2, rounds=3)",
        "tricks",
        "tricks(players=4, rounds=2)",
    ] {
        for agent in ["random", "highest", "flat(sims=60)", "moody"] {
            let report = compare(game, agent, agent, "12", &[]).json();
            let zero = report["per_seed"]
                .as_array()
                .unwrap()
                .iter()
                .all(|d| *d == 0.0);
            assert!(zero, "{game} {agent}: {report}");
            assert_eq!(report["difference"]["mean"], 0.0);
            assert_eq!(report["difference"]["low"], Value::Null);
            assert_eq!(report["variance_reduction"], Value::Null);
            assert_eq!(report["divergent_blocks"], 0);
            assert_eq!(report["arms"]["a"]["score"], report["arms"]["b"]["score"]);
            assert_eq!(
                report["arms"]["a"]["metrics"],
                report["arms"]["b"]["metrics"]
            );
        }
    }
}

#[test]
fn t_ar1_the_same_agent_with_other_numbers_is_told_apart_at_the_nominal_rate() {
    // T-AR1, the A/A test: 200 comparisons of 10 seeds; at 90 % about 20 exclude zero, and more
    // than 36 (3.8 sigma) would be a fault.
    let mut excluded = 0;
    for i in 0..200 {
        let seeds = format!("{}..{}", i * 10, i * 10 + 10);
        let more = ["--level", "0.9", "--threads", "2"];
        let report = compare("tricks", "random(seed=1)", "random(seed=2)", &seeds, &more).json();
        let (low, high) = (&report["difference"]["low"], &report["difference"]["high"]);
        excluded += usize::from(low.as_f64() > Some(0.0) || high.as_f64() < Some(0.0));
    }
    assert!((5..=36).contains(&excluded), "{excluded} of 200");
}

/// T-DE1, L1.13: what is reported does not depend on who played which seed.
#[test]
fn t_de1_the_digest_is_the_same_for_any_number_of_threads() {
    for (a, b) in [
        ("random", "highest"),
        ("flat(sims=40)", "random(seed=9)"),
        ("flat(sims=20, seed=4)", "moody"),
    ] {
        let run = |threads: &str| {
            let mut report = compare(
                "tricks(rounds=2)",
                a,
                b,
                "100..123",
                &["--threads", threads],
            )
            .json();
            for arm in ["a", "b"] {
                report["arms"][arm]["seconds_per_decision"] = Value::Null;
            }
            report["elapsed_seconds"] = Value::Null;
            report
        };
        let one = run("1");
        for threads in ["2", "3", "7"] {
            assert_eq!(run(threads), one, "{a} {b} on {threads} threads");
        }
        assert_eq!(one["digest"].as_str().unwrap().len(), 64);
    }
}

#[test]
fn the_digest_depends_on_everything_that_matters() {
    let digest = |game, a, seeds, more: &[&str]| {
        compare(game, a, "random", seeds, more).json()["digest"].to_string()
    };
    let base = digest("tricks", "highest", "10", &[]);
    assert_ne!(base, digest("tricks", "lowest", "10", &[]));
    assert_ne!(base, digest("tricks", "highest", "11", &[]));
    assert_ne!(base, digest("tricks", "highest", "1..11", &[]));
    assert_ne!(base, digest("tricks(rounds=2)", "highest", "10", &[]));
    assert_ne!(base, digest("tricks", "highest", "10", &["--level", "0.9"]));
    assert_eq!(base, digest("tricks", "highest", "10", &["--self-check"]));
}

#[test]
fn the_report_has_the_promised_shape() {
    let report = compare("tricks(players=3)", "highest", "lowest", "40", &[]).json();
    assert_eq!(report["game"], "tricks(players=3)");
    assert_eq!(report["seeds"], 40);
    assert_eq!(report["matches"], 240);
    assert_eq!(report["unit"], "points per round");
    assert_eq!(report["per_seed"].as_array().unwrap().len(), 40);
    assert_eq!(report["difference"]["method"], "t over seeds");
    assert_eq!(report["directions"].as_array().unwrap().len(), 2);
    assert_eq!(report["distinct_deals"], 40);
    let a = &report["arms"]["a"];
    // Nine decisions a match; one A in three matches, two in the other three.
    assert_eq!(a["decisions"], 40 * (3 * 3 + 3 * 6));
    assert_eq!(a["fallbacks"]["of"], a["decisions"]);
    assert!(a["seconds_per_decision"]["p99"].as_f64() >= a["seconds_per_decision"]["p50"].as_f64());
    let difference = a["score"].as_f64().unwrap() - report["arms"]["b"]["score"].as_f64().unwrap();
    assert!((difference - report["difference"]["mean"].as_f64().unwrap()).abs() < 1e-12);
    let mean = report["directions"].as_array().unwrap().iter();
    let mean: f64 = mean.map(|d| d["mean"].as_f64().unwrap()).sum::<f64>() / 2.0;
    assert!((difference - mean).abs() < 1e-12);
    assert_eq!(report["interpretable"], true);
    assert_eq!(report["deterministic"], true);
}

#[test]
fn t_fb1_fallbacks_are_counted_with_denominators_and_withhold_the_verdict() {
    // T-FB1: a broken agent, one that errs, and one that is late without any clock.
    let report = compare("tricks", "broken", "lowest", "10", &[]);
    assert_eq!(report.code, 1);
    let report = report.json();
    let f = &report["arms"]["a"]["fallbacks"];
    assert_eq!(report["interpretable"], false);
    assert_eq!(
        (&f["failure"], &f["of"]),
        (
            &report["arms"]["a"]["decisions"],
            &report["arms"]["a"]["decisions"]
        )
    );
    assert_eq!(f["first_failure"], "`c99` is not a legal action");
    assert_eq!(report["arms"]["b"]["fallbacks"]["failure"], 0);
    assert!(
        report["warnings"][0]
            .as_str()
            .unwrap()
            .starts_with("WITHHELD")
    );

    for (agent, kind, share) in [("moody", "failure", 1.0 / 3.0), ("late", "timeout", 0.2)] {
        let ran = compare("tricks", "lowest", agent, "40", &[]);
        assert_eq!(ran.code, 1, "{agent}");
        let report = ran.json();
        let f = &report["arms"]["b"]["fallbacks"];
        let (n, of) = (f[kind].as_f64().unwrap(), f["of"].as_f64().unwrap());
        let sigma = (share * (1.0 - share) / of).sqrt();
        assert!((n / of - share).abs() < 5.0 * sigma, "{agent}: {f}");
        assert!((f["rate"].as_f64().unwrap() - n / of).abs() < 1e-12);
        assert!(f["upper"].as_f64().unwrap() > n / of);
        assert_eq!(report["interpretable"], false);
    }
}

#[test]
fn a_few_fallbacks_do_not_withhold() {
    let clean = compare("tricks", "lowest", "random", "40", &[]);
    assert_eq!(clean.code, 0);
    let f = clean.json()["arms"]["a"]["fallbacks"].clone();
    // Nothing of n is not nothing: 1 - 0.05^(1/n).
    let n = f["of"].as_f64().unwrap();
    assert!((f["upper"].as_f64().unwrap() - (1.0 - 0.05_f64.powf(1.0 / n))).abs() < 1e-9);
}

#[test]
fn the_fallback_decides_what_is_played() {
    // An agent that always fails and falls back to `lowest` is `lowest`.
    let report = compare("tricks", "broken(fallback=lowest)", "lowest", "10", &[]).json();
    assert_eq!(report["divergent_blocks"], 0);
    assert_eq!(report["difference"]["mean"], 0.0);
    assert_eq!(report["interpretable"], false);
    assert_eq!(
        report["arms"]["a"]["fallbacks"]["failure"],
        report["arms"]["a"]["decisions"]
    );
}

#[test]
fn a_fallback_that_fails_too_is_counted_once() {
    let report = compare("tricks", "moody(fallback=broken)", "lowest", "20", &[]).json();
    let plain = compare("tricks", "moody", "lowest", "20", &[]).json();
    // The seeds of the decisions decide, and they are the same.
    let failures = |r: &Value| r["arms"]["a"]["fallbacks"]["failure"].clone();
    assert_eq!(failures(&report), failures(&plain));
    assert_eq!(report["arms"]["a"]["fallbacks"]["timeout"], 0);
}

#[test]
fn the_self_check_finds_memory() {
    let good = compare("tricks", "flat(sims=20)", "random", "10", &["--self-check"]);
    assert_eq!(good.json()["self_check"]["exact"], true);
    let bad = compare("tricks", "stateful", "random", "10", &["--self-check"]);
    assert_eq!(bad.code, 1);
    assert_eq!(bad.json()["interpretable"], false);
    let text = lab(&[
        "compare",
        "--game",
        "tricks",
        "--a",
        "stateful",
        "--b",
        "random",
        "--self-check",
    ]);
    assert!(
        text.err.contains("against itself is not exactly 0"),
        "{}",
        text.err
    );
    // Without the check, the same expression on both sides gives it away.
    let same = compare("tricks", "stateful", "stateful", "10", &[]);
    assert_eq!(same.code, 1);
}

#[test]
fn clocks_are_flagged() {
    let report = compare("tricks", "lowest(timeout=1min)", "random", "10", &[]).json();
    assert_eq!(report["deterministic"], false);
    assert!(report["warnings"].to_string().contains("wall-clock"));
}

/// The scores are whatever a test wants.
struct Fixed(fn(seed: u64, seating: &[usize]) -> Vec<f64>);

impl Referee for Fixed {
    fn play(
        &mut self,
        seating: &[usize],
        seed: u64,
        tallies: &mut [Tally],
    ) -> searchlab::Result<MatchOutcome> {
        for who in seating {
            tallies[*who].decisions += 1;
        }
        let scores = (self.0)(seed, seating);
        Ok(MatchOutcome {
            deal: seed.to_string(),
            history: format!("{scores:?}"),
            scores,
            metrics: Vec::new(),
            cut_off: 0,
        })
    }
}

fn fixed(
    players: usize,
    seeds: u64,
    scores: fn(u64, &[usize]) -> Vec<f64>,
) -> (Comparison, Vec<Block>) {
    let comparison = Comparison {
        game: "fixed".into(),
        options: Value::Null,
        a: "a".into(),
        b: "b".into(),
        unit: "points".into(),
        metrics: Vec::new(),
        schedule: Schedule::duplicate(players),
        seeds: seeds.to_string().parse().unwrap(),
        level: 0.95,
        clock: false,
    };
    let list: Vec<u64> = (0..seeds).collect();
    let mut blocks = Vec::new();
    let make = move || -> searchlab::Result<Box<dyn Referee>> { Ok(Box::new(Fixed(scores))) };
    play_blocks(&comparison.schedule, &list, 3, &make, &mut |block| {
        blocks.push(block);
        Ok(())
    })
    .unwrap();
    (comparison, blocks)
}

#[test]
fn an_advantage_of_a_seat_cancels_and_one_of_an_arm_does_not() {
    // Seat 2 is worth 10, the deal s (0 to 6), and A is worth 1 more than B.
    let scores = |seed: u64, seating: &[usize]| {
        let score = |(seat, who): (usize, &usize)| {
            let seat = if seat == 2 { 10.0 } else { 0.0 };
            seat + (seed % 7) as f64 + if *who == 0 { 1.0 } else { 0.0 }
        };
        seating.iter().enumerate().map(score).collect()
    };
    let (comparison, blocks) = fixed(3, 14, scores);
    let summary = summarise(&comparison, &blocks);
    assert!(summary.per_seed.iter().all(|d| (d - 1.0).abs() < 1e-12));
    for direction in &summary.directions {
        assert!((direction.difference.mean - 1.0).abs() < 1e-12);
    }
}

#[test]
fn sharing_deals_pays_when_deals_matter() {
    // One player: the deal varies by far more than the arms' difference.
    let scores = |seed: u64, seating: &[usize]| {
        let deal = ((seed * 2_654_435_761) % 1000) as f64;
        vec![
            deal + if seating[0] == 0 {
                (seed % 3) as f64
            } else {
                0.0
            },
        ]
    };
    let (comparison, blocks) = fixed(1, 64, scores);
    let summary = summarise(&comparison, &blocks);
    assert!(summary.variance_reduction.unwrap() > 1000.0);
    assert!(!summary.warnings.iter().any(|w| w.contains("sharing deals")));
    assert_eq!(summary.difference.degrees_of_freedom, 63);
}

#[test]
fn red_flags_are_raised() {
    let outlier = |seed: u64, seating: &[usize]| {
        let x = if seed == 3 { 1000.0 } else { (seed % 5) as f64 };
        vec![if seating[0] == 0 { x } else { 0.0 }]
    };
    let (comparison, blocks) = fixed(1, 40, outlier);
    let text = summarise(&comparison, &blocks).warnings.join("\n");
    assert!(text.contains("one seed carries"), "{text}");
    let hurts = |seed: u64, seating: &[usize]| {
        let x = (seed % 5) as f64;
        vec![if seating[0] == 0 { x } else { -x }]
    };
    let (comparison, blocks) = fixed(1, 40, hurts);
    let text = summarise(&comparison, &blocks).warnings.join("\n");
    assert!(text.contains("sharing deals did not help"), "{text}");
    let (comparison, blocks) = fixed(1, 3, outlier);
    let text = summarise(&comparison, &blocks).warnings.join("\n");
    assert!(text.contains("only 3 seeds"), "{text}");
}

#[test]
fn the_order_of_the_blocks_does_not_matter() {
    let scores = |seed: u64, seating: &[usize]| {
        let x = |(i, who): (usize, &usize)| ((seed + 1) as f64).sqrt() * (i + 2 * who) as f64 / 3.0;
        seating.iter().enumerate().map(x).collect()
    };
    let (comparison, mut blocks) = fixed(4, 20, scores);
    let bytes = |blocks: &[Block]| serde_json::to_string(&summarise(&comparison, blocks)).unwrap();
    let first = bytes(&blocks);
    blocks.reverse();
    assert_eq!(bytes(&blocks), first);
    blocks.rotate_left(7);
    assert_eq!(bytes(&blocks), first);
}

#[test]
fn an_error_in_one_thread_is_the_error_of_the_run() {
    struct Failing;
    impl Referee for Failing {
        fn play(
            &mut self,
            _: &[usize],
            seed: u64,
            _: &mut [Tally],
        ) -> searchlab::Result<MatchOutcome> {
            Err(searchlab::Error::Failed(format!("seed {seed}")))
        }
    }
    let make = || -> searchlab::Result<Box<dyn Referee>> { Ok(Box::new(Failing)) };
    let error = play_blocks(&Schedule::duplicate(2), &[5, 6, 7], 3, &make, &mut |_| {
        Ok(())
    });
    assert!(error.unwrap_err().to_string().starts_with("seed "));
}

#[test]
fn a_registered_game_is_found_by_name() {
    let registry = registry();
    assert_eq!(
        registry.open("tricks(players=2)").unwrap().facts().players,
        2
    );
    assert_eq!(registry.games().count(), 1);
}
