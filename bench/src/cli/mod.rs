//! The command line: one file a verb.
//!
//! Exit status: 0 done; 1 what was asked for did not hold; 2 bad input.

mod bench;
mod calibrate;
#[cfg(test)]
mod calibrate_tests;
mod capture;
#[cfg(test)]
mod capture_cost_tests;
#[cfg(test)]
mod capture_tests;
mod compare;
mod compare_text;
mod conform;
mod console;
mod doctor;
mod doctor_runs;
#[cfg(test)]
mod doctor_tests;
mod equity;
mod events;
mod games;
mod perft;
mod play;
mod replay;
mod search;
#[cfg(test)]
mod testing;
mod text;

use std::ffi::OsString;
use std::path::Path;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use search_core::expr::Expr;

pub use console::Console;

use crate::error::{Error, Result};
use crate::game::OpenGame;
use crate::registry::Registry;

/// Compare search algorithms across games, with honest intervals.
#[derive(Debug, Parser)]
#[command(name = "searchlab", version)]
struct Cli {
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Games(games::Args),
    Play(play::Args),
    Search(search::Args),
    Equity(equity::Args),
    Compare(compare::Args),
    Capture(capture::Args),
    Replay(replay::Args),
    Calibrate(calibrate::Args),
    Perft(perft::Args),
    Conform(conform::Args),
    Doctor(doctor::Args),
    Bench(bench::Args),
}

/// Runs the command line and returns the exit status.
pub fn run(
    registry: &Registry,
    args: impl IntoIterator<Item = OsString>,
    console: &mut Console,
) -> u8 {
    let args: Vec<OsString> = args.into_iter().collect();
    let program = program_name(args.first());
    let outcome = dispatch(registry, &program, args, console);
    let outcome = outcome.and_then(|code| console.flush().map(|()| code));
    outcome.unwrap_or_else(|error| {
        let status = error.exit_status();
        if status > 0 {
            console.complain(&error.to_string());
        }
        status
    })
}

fn program_name(first: Option<&OsString>) -> String {
    let stem = first.and_then(|p| Path::new(p).file_stem());
    stem.and_then(|s| s.to_str()).unwrap_or("searchlab").into()
}

fn dispatch(
    registry: &Registry,
    program: &str,
    args: Vec<OsString>,
    console: &mut Console,
) -> Result<u8> {
    let parsed = command(registry, program)
        .try_get_matches_from(args)
        .and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return usage(&error, console),
    };
    match cli.verb {
        None => welcome(registry, program, console),
        Some(Verb::Games(args)) => games::run(registry, &args, console),
        Some(Verb::Play(args)) => play::run(registry, &args, console),
        Some(Verb::Search(args)) => search::run(registry, program, &args, console),
        Some(Verb::Equity(args)) => equity::run(registry, program, &args, console),
        Some(Verb::Compare(args)) => compare::run(registry, program, &args, console),
        Some(Verb::Capture(args)) => capture::run(registry, program, &args, console),
        Some(Verb::Replay(args)) => replay::run(registry, program, &args, console),
        Some(Verb::Calibrate(args)) => calibrate::run(registry, program, &args, console),
        Some(Verb::Perft(args)) => perft::run(registry, program, &args, console),
        Some(Verb::Conform(args)) => conform::run(registry, &args, console),
        Some(Verb::Doctor(args)) => doctor::run(registry, program, &args, console),
        Some(Verb::Bench(args)) => bench::run(registry, &args, console),
    }
}

/// Help, the version, or a usage error.
fn usage(error: &clap::Error, console: &mut Console) -> Result<u8> {
    let text = error.render();
    let shown = if console.colour(error.use_stderr()) {
        text.ansi().to_string()
    } else {
        text.to_string()
    };
    if error.use_stderr() {
        console.say(shown.trim_end());
        return Ok(2);
    }
    console.print(&shown)?;
    Ok(0)
}

/// The command with examples that work in this binary, whatever games it has.
fn command(registry: &Registry, program: &str) -> clap::Command {
    let Examples {
        game,
        agent,
        seats,
        rival,
        survivor,
        measured,
    } = Examples::of(registry);
    let examples = [
        ("games", format!("games {game}")),
        (
            "play",
            format!("play --game {game} --agents {seats} --seed 7"),
        ),
        (
            "search",
            format!("search --game {game} --agent {rival} --seed 1"),
        ),
        (
            "equity",
            format!("equity --game {survivor} --rollouts 1024"),
        ),
        (
            "compare",
            format!("compare --game {game} --a {agent} --b {rival} --seeds 32"),
        ),
        (
            "capture",
            format!("capture --game {game} --a {agent} --b {rival} --seeds 4 --keep 5"),
        ),
        (
            "replay",
            format!(
                "play --game {game} --seed 7 --record match.jsonl\n  {program} replay match.jsonl"
            ),
        ),
        (
            "calibrate",
            format!("calibrate --game {measured} --situations 500 --samples 20"),
        ),
        ("doctor", format!("doctor {game} --quick")),
        ("perft", format!("perft --game {game} --depth 2")),
        ("conform", "conform answers.jsonl".to_string()),
        ("bench", "bench trees --quick".to_string()),
    ];
    let mut command = Cli::command();
    for (verb, example) in examples {
        command = command.mut_subcommand(verb, |sub| {
            sub.after_help(format!("Example:\n  {program} {example}"))
        });
    }
    command
}

/// Names for examples.
struct Examples {
    game: String,
    agent: String,
    rival: String,
    seats: String,
    survivor: String,
    measured: String,
}

impl Examples {
    fn of(registry: &Registry) -> Self {
        let info = registry.games().find_map(|g| g.info().ok());
        let named = info.as_ref().map_or_else(Vec::new, |i| i.agents.clone());
        let own = named
            .iter()
            .map(|a| a.name.as_str())
            .find(|n| *n != "random");
        let players = info.as_ref().map_or(2, |i| i.players);
        let survivor = survivors(registry).into_iter().next();
        Self {
            survivor: survivor.unwrap_or("GAME".into()),
            measured: measured(registry).unwrap_or("GAME".into()),
            game: info.map_or("GAME".into(), |i| i.name),
            agent: own.unwrap_or("random").into(),
            rival: "random".into(),
            seats: vec!["random"; players].join(","),
        }
    }
}

/// The games of which `equity` can be asked.
fn survivors(registry: &Registry) -> Vec<String> {
    let infos = registry.games().filter_map(|g| g.info().ok());
    infos
        .filter(|i| !i.equity.is_empty())
        .map(|i| i.name)
        .collect()
}

/// The first game with an estimator that is calibrated.
fn measured(registry: &Registry) -> Option<String> {
    let games = registry
        .games()
        .filter_map(|g| registry.open(g.name()).ok());
    let mut games = games.filter(|g| g.calibration().is_some());
    games.next().map(|g| g.facts().game.clone())
}

/// What is shown without arguments.
fn welcome(registry: &Registry, program: &str, console: &mut Console) -> Result<u8> {
    let verbs = [
        (
            "games",
            "what there is to play, with options, agents and positions",
        ),
        ("play", "one match; `human` asks you"),
        ("search", "analyse one position"),
        (
            "equity",
            "who will win from a position, by survival rollouts",
        ),
        ("compare", "a against b on the same deals, with an interval"),
        ("capture", "positions where a and b differ, the worst first"),
        ("replay", "a recorded match or captured position again"),
        (
            "calibrate",
            "a table of what an estimator of the game gets wrong",
        ),
        ("doctor", "check the games and the laboratory itself"),
        ("perft", "count what follows a position"),
        ("conform", "check a file of known answers"),
        ("bench", "speed and memory on this machine"),
    ];
    let mut page =
        String::from("Compare search algorithms across games, with honest intervals.\n\n");
    for (verb, about) in verbs {
        page.push_str(&format!(
            "  {}  {about}\n",
            console.bold(&format!("{verb:<9}"))
        ));
    }
    let examples = Examples::of(registry);
    page.push_str(&format!(
        "\nTry:   {program} compare --game {} --a {} --b {} --seeds 32\nMore:  {program} VERB --help\n",
        examples.game, examples.agent, examples.rival
    ));
    console.print(&page)?;
    Ok(0)
}

/// The text itself, or the content of the file behind `@`, or of a file of this name unless the game
/// can read the text.
fn position_text(game: &dyn OpenGame, text: &str) -> Result<String> {
    let file = match text.strip_prefix('@') {
        Some(path) => Some(path),
        None => Some(text).filter(|t| Path::new(t).is_file() && !game.is_position(t.trim())),
    };
    let Some(path) = file else {
        let text = text.trim();
        if Path::new(text).is_dir() && !game.is_position(text) {
            return Err(Error::input(format!(
                "--position: {text} is a directory; a file in it would be right, or the position itself"
            )));
        }
        return Ok(text.into());
    };
    let read = std::fs::read_to_string(path);
    let text = read.map_err(|e| Error::file(format!("--position: reading {path}"), e))?;
    Ok(text.trim().into())
}

/// A seed of the command line.
fn seed(text: &str) -> Result<u64, String> {
    let digits = text.trim().replace('_', "");
    let expected = |_| format!("a seed is a whole number from 0 to {}", u64::MAX);
    digits.parse().map_err(expected)
}

/// An agent expression of the command line, with the flag it came from in the message.
fn agent_expr(flag: &str, text: &str) -> Result<Expr> {
    text.parse()
        .map_err(|e| Error::input(format!("{flag}: {e}")))
}

/// The words of a flag in front of an error about its value.
fn about_flag<T>(flag: &str, result: Result<T>) -> Result<T> {
    result.map_err(|error| match error {
        Error::Input(message) => Error::Input(format!("{flag}: {message}")),
        Error::File { what, source } => Error::file(format!("{flag}: {what}"), source),
        other => other,
    })
}
