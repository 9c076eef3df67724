//! `compare` on the command line, with a game that costs no searcher its compilation.

use std::time::Duration;

use search_core::calibration::Calibrate;
use search_core::expr::Expr;
use serde_json::Value;

use super::testing::lab_on;
use crate::error::{Error, Result};
use crate::experiment::block::Tally;
use crate::experiment::capture::standing::Script;
use crate::experiment::capture::{Cast, Watcher};
use crate::experiment::fixtures::noise;
use crate::experiment::match_driver::MatchOutcome;
use crate::experiment::range::ReturnBounds;
use crate::experiment::referee::Referee;
use crate::game::{
    Answer, Audience, EquityReport, EquityRequest, EquityStep, Examination, Finding, GameEntry,
    GameFacts, GameInfo, OpenGame, Pace, PerftReport, PerftRequest, PlayReport, Scope,
    SearchReport, SearchRequest, StandingReport,
};
use crate::registry::Registry;
use crate::study::axis::Parameter;

/// Two players; `good` beats all others by 0.4 on average, and the deal decides the rest. Returns lie
/// within -1 and 1, which `wide` does not know.
struct Luck {
    facts: GameFacts,
}

struct LuckEntry;

fn not_here<T>() -> Result<T> {
    Err(Error::input("not in this game"))
}

impl GameEntry for LuckEntry {
    fn name(&self) -> &'static str {
        "luck"
    }

    fn about(&self) -> &'static str {
        "a game of the tests"
    }

    fn info(&self) -> Result<GameInfo> {
        not_here()
    }

    fn open(&self, expr: &Expr) -> Result<Box<dyn OpenGame>> {
        let most = if expr.args.is_empty() { 1.0 } else { 500.0 };
        Ok(Box::new(Luck {
            facts: GameFacts {
                game: expr.to_string(),
                options: Value::Null,
                players: 2,
                rounds: 1,
                unit: "points".into(),
                metrics: Vec::new(),
                public_actions: true,
                returns: ReturnBounds {
                    low: -most,
                    high: most,
                    sum: Some(0.0),
                    scale: 1.0,
                },
            },
        }))
    }
}

impl OpenGame for Luck {
    fn facts(&self) -> &GameFacts {
        &self.facts
    }

    fn default_agent(&self) -> Option<&'static str> {
        None
    }

    fn agent_names(&self) -> Vec<String> {
        vec!["good".into(), "plain".into()]
    }

    fn is_position(&self, _: &str) -> bool {
        false
    }

    fn check_agent(&self, _: &Expr) -> Result<()> {
        Ok(())
    }

    fn parameters(&self, _: &Expr) -> Result<Vec<Parameter>> {
        Ok(Vec::new())
    }

    fn watcher<'a>(&'a self, _: &Cast) -> Result<Box<dyn Watcher + 'a>> {
        not_here()
    }

    fn stand(&self, _: &Script<'_>) -> Result<StandingReport> {
        not_here()
    }

    fn answer(&self, _: &Script<'_>, _: &Expr, _: &[&str]) -> Result<Answer> {
        not_here()
    }

    fn calibration(&self) -> Option<&dyn Calibrate> {
        None
    }

    fn examine(&self, _: Examination, _: Scope) -> Finding {
        Finding::Skipped("no rules are here".into())
    }

    fn referee<'a>(&'a self, agents: &[Expr], _: usize) -> Result<Box<dyn Referee + 'a>> {
        let quality = agents
            .iter()
            .map(|a| if a.name == "good" { 0.2 } else { 0.0 });
        Ok(Box::new(Deal {
            quality: quality.collect(),
        }))
    }

    fn play(&self, _: &[Expr], _: u64, _: &mut dyn Audience) -> Result<PlayReport> {
        not_here()
    }

    fn search(&self, _: &SearchRequest<'_>) -> Result<SearchReport> {
        not_here()
    }

    fn equity(
        &self,
        _: &EquityRequest<'_>,
        _: &mut dyn FnMut(EquityStep<'_>) -> Result<()>,
    ) -> Result<EquityReport> {
        not_here()
    }

    fn perft(&self, _: &PerftRequest<'_>) -> Result<PerftReport> {
        not_here()
    }

    fn pace(&self, _: Duration) -> Result<Pace> {
        not_here()
    }
}

struct Deal {
    quality: Vec<f64>,
}

impl Referee for Deal {
    fn play(
        &mut self,
        seating: &[usize],
        seed: u64,
        tallies: &mut [Tally],
    ) -> Result<MatchOutcome> {
        for who in seating {
            tallies[*who].decisions += 1;
            tallies[*who].times.add(Duration::from_micros(3));
        }
        let luck = |who: usize| 0.7 * (noise(2 * seed + who as u64) - 0.5);
        let value = |seat: usize| self.quality[seating[seat]] + luck(seating[seat]);
        let first = value(0) - value(1);
        Ok(MatchOutcome {
            deal: seed.to_string(),
            history: format!("{first}"),
            scores: vec![first, -first],
            metrics: Vec::new(),
            cut_off: 0,
        })
    }
}

/// The exit status, standard output and standard error of `compare` with these arguments.
fn compare(game: &str, a: &str, b: &str, more: &[&str]) -> (u8, String, String) {
    let registry = Registry::new().with_entry(LuckEntry);
    let fixed = ["compare", "--game", game, "--a", a, "--b", b];
    let args: Vec<&str> = fixed.iter().chain(more).copied().collect();
    let ran = lab_on(&registry, &args);
    (ran.code, ran.out, ran.err)
}

/// The report without what depends on the moment.
fn report(a: &str, b: &str, more: &[&str]) -> Value {
    let more: Vec<&str> = more.iter().copied().chain(["--json"]).collect();
    let (_, out, err) = compare("luck", a, b, &more);
    let mut report: Value =
        serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}{err}"));
    for field in ["elapsed_seconds", "discarded_blocks"] {
        report[field] = Value::Null;
    }
    report
}

#[test]
fn the_data_stop_a_run_at_the_same_seed_for_any_number_of_threads() {
    for rule in ["interval", "h0=0,h1=0.4"] {
        for (a, b) in [("good", "plain"), ("plain", "good"), ("plain", "dull")] {
            let run = |threads| {
                let more = ["--seeds", "7..407", "--stop", rule, "--threads", threads];
                report(a, b, &more)
            };
            let one = run("1");
            let used = one["seeds"].as_u64().unwrap();
            assert_eq!(one["any_time"]["looks"], used);
            assert_eq!(one["any_time"]["range"], serde_json::json!([-2.0, 2.0]));
            if rule == "interval" {
                assert_eq!(used < 400, b != "dull", "{one}");
                assert_eq!(one["sequential"], Value::Null);
            } else {
                assert!((30..400).contains(&used), "{one}");
                assert_eq!(one["sequential"]["seeds_used"], used);
                let wanted = if a == "good" {
                    "H1 accepted"
                } else {
                    "H0 accepted"
                };
                assert_eq!(one["sequential"]["decision"], wanted);
            }
            for threads in ["2", "3", "7"] {
                assert_eq!(run(threads), one, "{rule}, {threads} threads");
            }
        }
    }
}

#[test]
fn the_page_says_how_it_stopped_and_how_to_do_it_again() {
    let more = ["--seeds", "400", "--stop", "h0=0,h1=0.4", "--threads", "1"];
    let (code, out, err) = compare("luck", "good", "plain", &more);
    assert_eq!((code, err.as_str()), (0, ""));
    for part in [
        "H1 accepted after ",
        "any-time    95 % [",
        "valid however often one looks",
        "block scores within -2..2 by the rules",
        "bounds -2.94 and +2.94; H0 0, H1 0.4, alpha 0.05, beta 0.05 (nominal)",
        "seeds used of 0..400",
        "not valid after a data-dependent stop",
        "--stop 'h0=0,h1=0.4,alpha=0.05,beta=0.05'",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let (_, out, _) = compare(
        "luck",
        "good",
        "plain",
        &["--seeds", "40", "--range", "-1.5..2"],
    );
    assert!(out.contains("within -1.5..2 as declared"), "{out}");
    assert!(
        out.contains("a is better than b") && out.contains("--range -1.5..2"),
        "{out}"
    );
    let few = ["--seeds", "20", "--stop", "h0=0,h1=0.4"];
    let (_, out, _) = compare("luck", "plain", "dull", &few);
    assert!(out.contains("decides nothing before 30"), "{out}");
}

#[test]
fn without_stop_and_range_nothing_is_added_to_the_digest() {
    let plain = report("good", "plain", &["--seeds", "40"]);
    for key in ["any_time", "sequential", "stop"] {
        assert_eq!(plain.get(key), None);
    }
    assert_eq!(plain["difference"]["method"], "t over seeds");
    assert!(plain["checks"]["bca"]["width_ratio"].is_number());
    let text: Vec<String> = {
        let (_, out, _) = compare("luck", "good", "plain", &["--seeds", "40"]);
        out.lines().map(Into::into).collect()
    };
    assert!(
        !text
            .iter()
            .any(|l| l.starts_with("any-time") || l.starts_with("stop"))
    );
}

#[test]
fn a_log_that_goes_beyond_the_stop_is_cut_there() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("log.jsonl");
    let path = path.to_str().unwrap();
    let stop = ["--seeds", "400", "--stop", "h0=0,h1=0.4"];
    let fresh = report("good", "plain", &stop);
    let used = fresh["seeds"].as_u64().unwrap();
    let long = (used + 50).to_string();
    let (code, _, _) = compare("luck", "good", "plain", &["--seeds", &long, "--out", path]);
    assert_eq!(code, 0);
    let more: Vec<&str> = stop.iter().copied().chain(["--out", path]).collect();
    let (_, out, err) = compare("luck", "good", "plain", &more);
    assert!(err.contains("seeds are done"), "{err}");
    assert!(out.contains("50 later blocks were already there"), "{out}");
    assert!(out.contains(&format!(
        "digest      {}",
        &fresh["digest"].as_str().unwrap()[..16]
    )));
}

#[test]
fn rules_and_ranges_that_cannot_be_are_bad_input() {
    for (more, part) in [
        (["--stop", "soon"], "write `interval`, or two hypotheses"),
        (["--stop", "h0=1,h1=0"], "h1 - h0"),
        (["--range", "2..-2"], "empty or not finite"),
        (["--range", "2"], "-2..2"),
    ] {
        let (code, _, err) = compare("luck", "good", "plain", &more);
        assert_eq!(code, 2, "{more:?}");
        assert!(err.contains(part), "{more:?}: {err}");
    }
}

#[test]
fn rules_that_bound_little_ask_for_a_range() {
    let stop = ["--seeds", "100", "--stop", "interval"];
    let (_, _, err) = compare("luck(wide=1)", "good", "plain", &stop);
    assert!(
        err.contains("-1000..1000 only") && err.contains("--range LO..HI"),
        "{err}"
    );
    let ranged: Vec<&str> = stop.iter().copied().chain(["--range", "-2..2"]).collect();
    let (_, out, err) = compare("luck(wide=1)", "good", "plain", &ranged);
    assert_eq!(err, "");
    assert!(out.contains("a is better than b"), "{out}");
}
