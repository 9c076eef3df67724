//! `replay`: a recorded match or a captured position, step by step, checked against the game.

mod check;
mod show;
mod words;

use std::fs;
use std::path::PathBuf;

use serde::Serialize;
use serde_json::Value;

use super::about_flag;
use super::console::Console;
use crate::error::{Error, Result};
use crate::experiment::capture::Step;
use crate::experiment::capture::file::{Captured, KIND as POSITION};
use crate::experiment::record::{KIND as MATCH, Record};
use crate::game::{Event, OpenGame, PlayReport, StandingReport};
use crate::registry::Registry;
use check::Checked;
use show::play;
use words::{foot, head, position};

/// Show a recorded match or a captured position step by step, and check that the game still makes the
/// same of it.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// What `play --record` or `capture --out` wrote.
    file: PathBuf,
    /// The first turn to show, counted from 0 over the match.
    #[arg(long, value_name = "N", default_value_t = 0)]
    from: usize,
    /// Show what this seat saw, and of the others' actions only what everybody sees; as text only.
    #[arg(long, value_name = "SEAT", conflicts_with = "json")]
    as_seen_by: Option<usize>,
    /// Show before every decision what the player to move sees.
    #[arg(long)]
    pictures: bool,
    /// Ask this agent at a captured position: it must choose the action under `want` in the file, and not
    /// the one under `avoid`.
    #[arg(long, value_name = "EXPR")]
    check: Option<String>,
    /// The action to want, in place of the file's.
    #[arg(
        long,
        value_name = "ACTION",
        requires = "check",
        allow_hyphen_values = true
    )]
    want: Option<String>,
    /// The action to avoid, in place of the file's.
    #[arg(
        long,
        value_name = "ACTION",
        requires = "check",
        allow_hyphen_values = true
    )]
    avoid: Option<String>,
    /// One object on standard output and nothing else.
    #[arg(long)]
    json: bool,
}

/// What is in the file.
enum Content {
    Match(Box<Record>),
    Position(Box<Captured>),
}

/// What both kinds of file have.
struct Tape {
    game: String,
    options: Value,
    seed: u64,
    agents: Vec<String>,
    steps: Vec<Step>,
}

#[derive(Serialize)]
struct Output<'a> {
    kind: &'a str,
    game: &'a str,
    seed: u64,
    agents: &'a [String],
    turns: usize,
    /// Always true: what does not replay is an error.
    verified: bool,
    events: Vec<Event>,
    result: Option<&'a PlayReport>,
    position: Option<&'a Captured>,
    check: Option<&'a Checked>,
}

pub(super) fn run(
    registry: &Registry,
    program: &str,
    args: &Args,
    console: &mut Console,
) -> Result<u8> {
    let name = args.file.display().to_string();
    let content = read(args)?;
    let tape = content.tape();
    let game = open(registry, &name, &tape)?;
    within(args, game.facts().players, tape.steps.len())?;
    let (mut show, report) =
        play(&*game, args, &content, &tape).map_err(|e| about_file(&name, e))?;
    let checked = match &content {
        Content::Position(captured) => {
            let standing = game.stand(&captured.script());
            let standing = standing.map_err(|e| about_file(&name, e))?;
            agree(captured, &standing).map_err(|e| Error::Failed(format!("{name}: {e}")))?;
            let said = position(captured, &standing, args, console);
            show.text.push_str(&said);
            let agent = args.check.as_deref();
            let checked = agent.map(|agent| ask(&*game, captured, agent, args));
            about_flag("--check", checked.transpose())?
        }
        Content::Match(_) if args.check.is_some() => {
            return Err(Error::input(
                "--check: this is a recorded match; only a captured position can be checked",
            ));
        }
        Content::Match(_) => None,
    };
    let holds = checked.as_ref().is_none_or(|c| c.holds);
    if args.json {
        console.json(&output(
            &content,
            &tape,
            std::mem::take(&mut show.events),
            checked.as_ref(),
        ))?;
    } else {
        let mut text = head(&tape);
        text.push_str(&show.text);
        let told = args.as_seen_by.is_none();
        text.push_str(&foot(
            &content,
            &tape,
            report.as_ref(),
            told.then_some((program, &name)),
        ));
        if let Some(checked) = &checked {
            text.push_str(&check::line(checked, console));
        }
        console.print(&text)?;
    }
    Ok(u8::from(!holds))
}

/// Refuses seats and turns that there are not.
fn within(args: &Args, players: usize, turns: usize) -> Result<()> {
    if let Some(seat) = args.as_seen_by.filter(|seat| *seat >= players) {
        return Err(Error::input(format!(
            "--as-seen-by: seat {seat} does not exist; seats are 0 to {}",
            players - 1
        )));
    }
    if args.from > turns {
        return Err(Error::input(format!(
            "--from: the file has {turns} turns; give 0 to {turns}"
        )));
    }
    Ok(())
}

fn read(args: &Args) -> Result<Content> {
    let name = args.file.display();
    let text = fs::read_to_string(&args.file);
    let text = text.map_err(|e| Error::file(format!("reading {name}"), e))?;
    let bad = |e: String| Error::input(format!("{name}: {e}"));
    let whole: Option<Value> = serde_json::from_str(&text).ok();
    let first: Option<Value> = text
        .lines()
        .next()
        .and_then(|l| serde_json::from_str(l).ok());
    let value = whole.or(first).ok_or_else(|| {
        bad("neither a recorded match nor a captured position: it is not JSON".into())
    })?;
    match value.get("kind").and_then(Value::as_str) {
        Some(POSITION) => Ok(Content::Position(Box::new(
            Captured::parse(&text).map_err(bad)?,
        ))),
        Some(MATCH) => Ok(Content::Match(Box::new(Record::parse(&text).map_err(bad)?))),
        Some("captures") => Err(bad(
            "this is the list of a capture; replay one of the files that it names".into(),
        )),
        kind => Err(bad(format!(
            "neither a recorded match nor a captured position: its kind is {}",
            kind.map_or("missing".into(), |k| format!("`{k}`"))
        ))),
    }
}

impl Content {
    fn tape(&self) -> Tape {
        match self {
            Self::Match(record) => Tape {
                game: record.head.game.clone(),
                options: record.head.options.clone(),
                seed: record.head.seed,
                agents: record.head.agents.clone(),
                steps: record.steps(),
            },
            Self::Position(captured) => Tape {
                game: captured.game.clone(),
                options: captured.options.clone(),
                seed: captured.seed,
                agents: Vec::new(),
                steps: captured.steps.clone(),
            }
            .seated(captured),
        }
    }

    fn events(&self) -> &[Event] {
        match self {
            Self::Match(record) => &record.events,
            Self::Position(_) => &[],
        }
    }
}

impl Tape {
    /// Who sat where in the match of a captured position, as far as the seats are known from it.
    fn seated(mut self, captured: &Captured) -> Self {
        let seats = self.steps.iter().map(|step| match step {
            Step::Decision { seat, .. } => *seat,
            Step::Chance { .. } => 0,
        });
        let most = seats.chain([captured.seat]).max().unwrap_or(0);
        let most = most.min(search_core::game::MAX_PLAYERS);
        self.agents = vec![captured.others.clone(); most + 1];
        if let Some(agent) = self.agents.get_mut(captured.seat) {
            agent.clone_from(&captured.a);
        }
        self
    }
}

/// The game of the file, with the options that it had then.
fn open(registry: &Registry, name: &str, tape: &Tape) -> Result<Box<dyn OpenGame>> {
    let game = registry.open(&tape.game);
    let game = game.map_err(|e| about_file(name, e))?;
    let now = &game.facts().options;
    if *now != tape.options {
        return Err(Error::input(format!(
            "{name}: it is about other rules: {} had the options {} and has {now} here",
            tape.game, tape.options
        )));
    }
    Ok(game)
}

fn about_file(name: &str, error: Error) -> Error {
    match error {
        Error::Input(message) => Error::Input(format!("{name}: {message}")),
        Error::Failed(message) => Error::Failed(format!("{name}: {message}")),
        other => other,
    }
}

/// Whether the position is where the file says.
fn agree(captured: &Captured, is: &StandingReport) -> std::result::Result<(), String> {
    let place = (
        captured.round,
        captured.seat,
        captured.ply,
        captured.ordinal,
    );
    if place != (is.round, is.seat, is.ply, is.ordinal) {
        return Err(format!(
            "the turns lead to round {}, seat {}, ply {}, decision {} of that seat, and the file says round \
             {}, seat {}, ply {}, decision {}",
            is.round, is.seat, is.ply, is.ordinal, place.0, place.1, place.2, place.3
        ));
    }
    if captured.seen != is.seen || captured.observation != is.observation {
        return Err(format!(
            "what the players see at the position is not what is in the file (fingerprint {}, not {}): the \
             rules or the deal have changed, or the file",
            is.seen, captured.seen
        ));
    }
    Ok(())
}

fn ask(game: &dyn OpenGame, captured: &Captured, agent: &str, args: &Args) -> Result<Checked> {
    let asked = args.want.is_some() || args.avoid.is_some();
    let (want, avoid) = match asked {
        true => (args.want.as_deref(), args.avoid.as_deref()),
        false => (captured.want.as_deref(), captured.avoid.as_deref()),
    };
    check::check(game, captured, agent, want, avoid)
}

fn output<'a>(
    content: &'a Content,
    tape: &'a Tape,
    events: Vec<Event>,
    check: Option<&'a Checked>,
) -> Output<'a> {
    let (kind, result, position) = match content {
        Content::Match(record) => (MATCH, record.result.as_ref(), None),
        Content::Position(captured) => (POSITION, None, Some(&**captured)),
    };
    Output {
        kind,
        game: &tape.game,
        seed: tape.seed,
        agents: &tape.agents,
        turns: tape.steps.len(),
        verified: true,
        events,
        result,
        position,
        check,
    }
}
