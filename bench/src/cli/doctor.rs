//! `doctor`: is the instrument sound? Every game against its contracts, every promise about threads,
//! seeds and interruptions put to the test.

use std::time::Duration;

use serde::Serialize;

use super::about_flag;
use super::console::Console;
use super::doctor_runs::Runs;
use super::text::shell;
use crate::error::{Error, Result};
use crate::game::{Examination, Finding, OpenGame, Scope};
use crate::registry::Registry;

/// Check the laboratory and its games: contracts, samplers, replays, identical agents, threads, and a run
/// that is killed and goes on.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The games, with options as in `name(key=value)`; all of them when none is given.
    games: Vec<String>,
    /// A second or two a game rather than several.
    #[arg(long)]
    quick: bool,
    /// Only this check.
    #[arg(long, value_name = "CHECK", value_parser = NAMES)]
    only: Option<String>,
    /// Leave out the check that starts this program again and kills it.
    #[arg(long)]
    without_kill: bool,
    /// One object on standard output and nothing else.
    #[arg(long)]
    json: bool,
}

/// The checks in order.
const NAMES: [&str; 8] = [
    "contract",
    "notation",
    "sampler",
    "brute-force",
    "replay",
    "self-match",
    "threads",
    "resume",
];

/// One line.
#[derive(Debug, Serialize)]
struct Check {
    check: &'static str,
    #[serde(flatten)]
    finding: Finding,
    /// The command that shows a failure again.
    again: Option<String>,
}

/// The lines of a game.
#[derive(Debug, Serialize)]
struct Patient {
    game: String,
    checks: Vec<Check>,
}

/// The report.
#[derive(Debug, Serialize)]
struct Report {
    quick: bool,
    games: Vec<Patient>,
    passed: usize,
    failed: usize,
    skipped: usize,
}

pub(super) fn run(
    registry: &Registry,
    program: &str,
    args: &Args,
    console: &mut Console,
) -> Result<u8> {
    let games: Vec<String> = match args.games.is_empty() {
        true => registry.games().map(|g| g.name().to_string()).collect(),
        false => args.games.clone(),
    };
    // A slip in the last name is found before the first game is examined.
    let opened: Result<Vec<_>> = games
        .iter()
        .map(|text| about_flag("doctor", registry.open(text)))
        .collect();
    let mut report = Report {
        quick: args.quick,
        games: Vec::new(),
        passed: 0,
        failed: 0,
        skipped: 0,
    };
    for game in opened? {
        let name = game.facts().game.clone();
        if !args.json {
            let name = console.bold(&name);
            console.print(&format!("{name}\n"))?;
            console.flush()?;
        }
        let mut patient = Patient {
            game: name,
            checks: Vec::new(),
        };
        let runs = Runs::new(&*game, args.quick);
        for name in NAMES.into_iter().filter(|name| wanted(args, name)) {
            let check = check((&*game, &runs), name, args, program);
            match check.finding {
                Finding::Passed(_) => report.passed += 1,
                Finding::Failed(_) => report.failed += 1,
                Finding::Skipped(_) => report.skipped += 1,
            }
            if !args.json {
                let line = line(&check, console);
                console.print(&line)?;
                console.flush()?;
            }
            patient.checks.push(check);
        }
        report.games.push(patient);
    }
    if args.json {
        console.json(&report)?;
    } else {
        let verdict = format!(
            "{} passed, {} failed, {} skipped",
            report.passed, report.failed, report.skipped
        );
        let verdict = console.bold(&verdict);
        console.print(&format!("\n{verdict}\n"))?;
    }
    Ok(u8::from(report.failed > 0))
}

fn wanted(args: &Args, name: &str) -> bool {
    let named = args.only.as_deref().is_none_or(|only| only == name);
    named && !(args.without_kill && name == "resume")
}

fn check(
    (game, runs): (&dyn OpenGame, &Runs<'_>),
    name: &'static str,
    args: &Args,
    program: &str,
) -> Check {
    let scope = match args.quick {
        true => Scope {
            time: Duration::from_millis(100),
            deals: 3000,
        },
        false => Scope {
            time: Duration::from_millis(1000),
            deals: 20_000,
        },
    };
    let found: Result<Finding> = match name {
        "contract" => Ok(game.examine(Examination::Contract, scope)),
        "notation" => Ok(game.examine(Examination::Notation, scope)),
        "sampler" => Ok(game.examine(Examination::Sampler, scope)),
        "brute-force" => Ok(game.examine(Examination::BruteForce, scope)),
        "replay" => runs.replay(),
        "self-match" => runs.self_match(),
        "threads" => runs.threads(),
        _ => runs.resume(),
    };
    let finding = found.unwrap_or_else(|error| match error {
        Error::Input(what) => Finding::Skipped(what),
        other => Finding::Failed(other.to_string()),
    });
    let again = matches!(finding, Finding::Failed(_)).then(|| {
        let command = runs.again(name).unwrap_or_else(|| {
            let quick = if args.quick { " --quick" } else { "" };
            let game = shell(&game.facts().game);
            format!("doctor {game} --only {name}{quick}")
        });
        format!("{program} {command}")
    });
    Check {
        check: name,
        finding,
        again,
    }
}

fn line(check: &Check, console: &Console) -> String {
    let (mark, says) = match &check.finding {
        Finding::Passed(says) => ("✓".to_string(), says.clone()),
        Finding::Failed(says) => (console.yellow("✗"), says.clone()),
        Finding::Skipped(says) => ("–".to_string(), console.dim(&format!("skipped: {says}"))),
    };
    let mut text = format!("  {mark} {:<12} {says}\n", check.check);
    if let Some(again) = &check.again {
        text.push_str(&format!("{:17}again: {again}\n", ""));
    }
    text
}
