//! `compare --stop` and `--range`, and that every agent's decisions are counted.

use std::io;

use crate::common::{lab, registry};
use searchlab::experiment::block::Tally;
use searchlab::game::{Audience, Event, Question};
use serde_json::Value;

fn compare(a: &str, b: &str, seeds: &str, more: &[&str]) -> crate::common::Ran {
    let mut args = vec!["compare", "--game", "tricks", "--a", a, "--b", b];
    args.extend(["--seeds", seeds]);
    args.extend(more);
    lab(&args)
}

/// The report without what depends on the machine, and what was left over at the stop.
fn report(a: &str, b: &str, seeds: &str, more: &[&str]) -> Value {
    let more: Vec<&str> = more.iter().copied().chain(["--json"]).collect();
    let mut report = compare(a, b, seeds, &more).json();
    for arm in ["a", "b"] {
        report["arms"][arm]["seconds_per_decision"] = Value::Null;
    }
    report["elapsed_seconds"] = Value::Null;
    report["discarded_blocks"] = Value::Null;
    report
}

#[test]
fn the_data_stop_a_run_at_the_same_seed_for_any_number_of_threads() {
    for rule in ["interval", "h0=0,h1=1"] {
        let run = |threads: &str| {
            let more = ["--stop", rule, "--threads", threads];
            report("highest", "lowest", "100..1100", &more)
        };
        let one = run("1");
        let used = one["seeds"].as_u64().unwrap();
        assert!((2..1000).contains(&used), "{one}");
        assert_eq!(one["any_time"]["looks"], used);
        assert_eq!(
            one["stop"].as_str().unwrap().split(',').next(),
            rule.split(',').next()
        );
        assert!(
            one["difference"]["method"]
                .as_str()
                .unwrap()
                .contains("not valid")
        );
        if rule == "interval" {
            let ends = [&one["any_time"]["low"], &one["any_time"]["high"]];
            let ends = ends.map(|end| end.as_f64().unwrap());
            assert!(ends[0] > 0.0 || ends[1] < 0.0, "{one}");
        } else {
            assert!(used >= 30);
            assert_eq!(one["sequential"]["seeds_used"], used);
            assert!(one["sequential"]["decision"].is_string(), "{one}");
        }
        for threads in ["2", "3", "7"] {
            assert_eq!(run(threads), one, "{rule}, {threads} threads");
        }
    }
}

#[test]
fn the_page_says_how_it_stopped_and_how_to_do_it_again() {
    let ran = compare("highest", "lowest", "1000", &["--stop", "h0=0,h1=1"]);
    assert_eq!(ran.code, 0);
    for part in [
        "accepted after",
        "any-time",
        "valid however often one looks",
        "by the rules",
        "alpha 0.05, beta 0.05 (nominal)",
        "seeds used of 0..1000",
        "not valid after a data-dependent stop",
        "--stop 'h0=0,h1=1,alpha=0.05,beta=0.05'",
    ] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
    let ran = compare("highest", "lowest", "20", &["--range", "-2..2"]);
    assert!(ran.out.contains("as declared"), "{}", ran.out);
    assert!(ran.out.contains("--range -2..2"), "{}", ran.out);
}

#[test]
fn a_log_that_goes_beyond_the_stop_is_cut_there() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("log.jsonl");
    let path = path.to_str().unwrap();
    let fresh = report("highest", "lowest", "1000", &["--stop", "h0=0,h1=1"]);
    let used = fresh["seeds"].as_u64().unwrap();
    let long = (used + 50).to_string();
    let whole = compare("highest", "lowest", &long, &["--out", path]);
    assert_eq!(whole.code, 0);
    let more = ["--out", path, "--stop", "h0=0,h1=1", "--json"];
    let stopped = compare("highest", "lowest", "1000", &more).json();
    assert_eq!(stopped["digest"], fresh["digest"]);
    assert_eq!(stopped["discarded_blocks"], 50);
}

#[test]
fn rules_and_ranges_that_cannot_be_are_bad_input() {
    for (more, part) in [
        (["--stop", "soon"], "write `interval`, or two hypotheses"),
        (["--stop", "h0=1,h1=0"], "h1 - h0"),
        (["--range", "2..-2"], "empty or not finite"),
        (["--range", "2"], "-2..2"),
    ] {
        let ran = compare("highest", "lowest", "10", &more);
        assert_eq!(ran.code, 2, "{more:?}");
        assert!(ran.err.contains(part), "{more:?}: {}", ran.err);
    }
}

/// Counts the decisions that are shown, which is another way to know them.
#[derive(Default)]
struct Count(u64);

impl Audience for Count {
    fn event(&mut self, event: Event) -> io::Result<()> {
        self.0 += u64::from(matches!(event, Event::Decision { .. }));
        Ok(())
    }

    fn ask(&mut self, _: &Question<'_>) -> io::Result<Option<String>> {
        Ok(None)
    }
}

/// L2.3: whatever makes the decisions, the denominator is how many were asked.
#[test]
fn every_agents_decisions_are_counted() {
    let registry = registry();
    let game = registry.open("tricks").unwrap();
    let searchers = [
        "pimc(worlds=2, sims=4)",
        "ismcts(sims=8)",
        "rollout(samples=2)",
    ];
    let own = game.agent_names();
    let mut counted = 0;
    for name in own.iter().map(String::as_str).chain(searchers) {
        let expr: search_core::expr::Expr = name.parse().unwrap();
        let mut referee = game.referee(&[expr.clone(), expr.clone()], 1).unwrap();
        let seats = game.facts().players;
        for seed in 0..3 {
            let mut tallies = [Tally::default(), Tally::default()];
            let seating: Vec<usize> = (0..seats).map(|seat| seat % 2).collect();
            referee.play(&seating, seed, &mut tallies).unwrap();
            let mut shown = Count::default();
            game.play(&vec![expr.clone(); seats], seed, &mut shown)
                .unwrap();
            let asked = tallies[0].decisions + tallies[1].decisions;
            assert_eq!(asked, shown.0, "{name}");
            assert!(asked > 0);
        }
        counted += 1;
    }
    assert!(counted > 8, "{counted}");
}

/// L2.1: with a limit of a microsecond nearly every decision of a search is late, and none fails.
#[test]
fn a_limit_of_a_microsecond_makes_time_outs_and_no_failures() {
    let report = report("pimc(worlds=20, sims=50, timeout=1us)", "lowest", "4", &[]);
    let f = &report["arms"]["a"]["fallbacks"];
    assert_eq!(f["failure"], 0, "{f}");
    assert!(
        f["timeout"].as_f64() > f["of"].as_f64().map(|of| 0.5 * of),
        "{f}"
    );
    assert_eq!(report["interpretable"], false);
}
