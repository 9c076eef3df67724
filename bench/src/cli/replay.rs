//! `replay`: a recorded match or a captured position, step by step, checked against the game.

use std::fs;
use std::io;
use std::path::PathBuf;

use search_core::expr::Expr;
use serde::Serialize;
use serde_json::Value;

use super::about_flag;
use super::console::Console;
use super::events::{Viewer, by_seat, in_words};
use super::replay_check::{self, Checked};
use super::text::{indent, shell, signed};
use crate::error::{Error, Result};
use crate::experiment::capture::Step;
use crate::experiment::capture::file::{Captured, KIND as POSITION};
use crate::experiment::record::{KIND as MATCH, Record, step};
use crate::game::{Audience, Event, OpenGame, PlayReport, Question, StandingReport};
use crate::registry::Registry;

/// Show a recorded match or a captured position step by step, and check that the game still makes the
/// same of it.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// What `play --record` or `capture --out` wrote.
    file: PathBuf,
    /// The first turn to show, counted from 0 over the match.
    #[arg(long, value_name = "N", default_value_t = 0)]
    from: usize,
    /// Show what this seat saw, and of the others' actions only what everybody sees.
    #[arg(long, value_name = "SEAT")]
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
    Match(Record),
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
    let players = game.facts().players;
    if let Some(seat) = args.as_seen_by.filter(|seat| *seat >= players) {
        return Err(Error::input(format!(
            "--as-seen-by: seat {seat} does not exist; seats are 0 to {}",
            players - 1
        )));
    }
    if args.from > tape.steps.len() {
        return Err(Error::input(format!(
            "--from: the file has {} turns; give 0 to {}",
            tape.steps.len(),
            tape.steps.len()
        )));
    }
    let (mut show, report) =
        play(&*game, args, &content, &tape).map_err(|e| about_file(&name, e))?;
    let mut checked = None;
    if let Content::Position(captured) = &content {
        let standing = game.stand(&captured.script());
        let standing = standing.map_err(|e| about_file(&name, e))?;
        agree(captured, &standing).map_err(|e| Error::Failed(format!("{name}: {e}")))?;
        if let Some(agent) = &args.check {
            checked = Some(about_flag("--check", check(&*game, captured, agent, args))?);
        }
        show.text
            .push_str(&position(captured, &standing, args, console));
    } else if args.check.is_some() {
        return Err(Error::input(
            "--check: this is a recorded match; only a captured position can be checked",
        ));
    }
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
        text.push_str(&foot(&content, &tape, report.as_ref(), program, &name));
        if let Some(checked) = &checked {
            text.push_str(&replay_check::line(checked, console));
        }
        console.print(&text)?;
    }
    Ok(u8::from(!holds))
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
        Some(MATCH) => Ok(Content::Match(Record::parse(&text).map_err(bad)?)),
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

/// Plays the match with the file in every seat.
fn play<'a>(
    game: &dyn OpenGame,
    args: &'a Args,
    content: &'a Content,
    tape: &'a Tape,
) -> Result<(Show<'a>, Option<PlayReport>)> {
    let mut show = Show {
        tape,
        recorded: content.events(),
        viewer: args.as_seen_by.map_or(Viewer::All, Viewer::Seat),
        public: game.facts().public_actions,
        pictures: args.pictures,
        from: args.from,
        next: 0,
        text: String::new(),
        events: Vec::new(),
        problem: None,
    };
    let seats = vec![Expr::word("human"); game.facts().players];
    let outcome = game.play(&seats, tape.seed, &mut show);
    if let Some(problem) = show.problem.take() {
        return Err(Error::Failed(format!(
            "it does not replay: turn {}: {problem}",
            show.next
        )));
    }
    let report = outcome?;
    if show.next < tape.steps.len() {
        return Err(Error::Failed(format!(
            "it does not replay: the match is over after {} turns, and the file has {}",
            show.next,
            tape.steps.len()
        )));
    }
    let Content::Match(record) = content else {
        return Ok((show, None));
    };
    let recorded = record.result.as_ref().map(|r| &r.scores);
    if recorded.is_some_and(|scores| *scores != report.scores) {
        return Err(Error::Failed(format!(
            "it does not replay: the score is {:?}, and {:?} in the file",
            report.scores,
            recorded.unwrap_or(&None)
        )));
    }
    Ok((show, Some(report)))
}

/// The audience: answers from the file, and compares what happens with it.
struct Show<'a> {
    tape: &'a Tape,
    recorded: &'a [Event],
    viewer: Viewer,
    public: bool,
    pictures: bool,
    from: usize,
    next: usize,
    text: String,
    events: Vec<Event>,
    /// The first thing that is not as it is in the file.
    problem: Option<String>,
}

impl Show<'_> {
    fn refuse(&mut self, problem: String) -> io::Error {
        self.problem.get_or_insert(problem);
        io::Error::other("it does not replay")
    }

    /// Whether the turn is as it is in the file.
    fn compare(&self, event: &Event) -> std::result::Result<(), String> {
        if let Event::RoundEnd {
            round,
            returns,
            seen,
            ..
        } = event
        {
            let then = self.recorded.iter().find_map(|e| match e {
                Event::RoundEnd {
                    round: r,
                    returns,
                    seen,
                    ..
                } if r == round => Some((returns, seen)),
                _ => None,
            });
            return match then {
                Some(then) if then != (returns, seen) => Err(format!(
                    "round {} ends with {returns:?}, and with {:?} in the file",
                    round + 1,
                    then.0
                )),
                _ => Ok(()),
            };
        }
        let (Some(is), Some(then)) = (step(event), self.tape.steps.get(self.next)) else {
            return Ok(());
        };
        if is == *then {
            return Ok(());
        }
        Err(difference(&is, then))
    }

    /// The event as it was recorded, with what only the record knows: that a substitute decided.
    fn as_recorded(&self, event: Event) -> Event {
        let mut turns = self.recorded.iter().filter(|e| step(e).is_some());
        match (turns.nth(self.next), event) {
            (
                Some(Event::Decision {
                    substitute, reason, ..
                }),
                Event::Decision {
                    round,
                    seat,
                    action,
                    description,
                    seen,
                    ..
                },
            ) => Event::Decision {
                round,
                seat,
                action,
                description,
                substitute: substitute.clone(),
                reason: reason.clone(),
                seen,
            },
            (_, event) => event,
        }
    }

    fn hidden(&self, event: &Event) -> bool {
        match (self.viewer, event) {
            (Viewer::Seat(viewer), Event::Decision { seat, .. }) => !self.public && *seat != viewer,
            (Viewer::Seat(_), Event::Chance { .. }) => !self.public,
            _ => false,
        }
    }

    fn show(&mut self, event: &Event) {
        let turn = step(event).is_some();
        if self.next < self.from {
            return;
        }
        let number = if turn {
            format!("{:>4}", self.next)
        } else {
            String::new()
        };
        let words = match event {
            Event::Decision { seat, .. } if self.hidden(event) => format!(
                "  seat {seat} {}  (hidden)\n",
                self.tape.agents.get(*seat).map_or("", String::as_str)
            ),
            Event::Chance { .. } if self.hidden(event) => "  chance  (hidden)\n".to_string(),
            _ => in_words(event, &self.tape.agents, self.viewer),
        };
        self.text.push_str(&format!("{number}{words}"));
    }
}

/// What differs between a turn and the file.
fn difference(is: &Step, then: &Step) -> String {
    if is.seen() != then.seen() {
        return format!(
            "what the players see is not what they saw then (fingerprint {}, not {}): the rules or the \
             deal have changed, or the file",
            is.seen(),
            then.seen()
        );
    }
    let words = |step: &Step| match step {
        Step::Decision {
            round,
            seat,
            action,
            ..
        } => {
            format!("seat {seat} plays {action} in round {}", round + 1)
        }
        Step::Chance { round, outcome, .. } => {
            format!("chance draws {outcome} in round {}", round + 1)
        }
    };
    format!("{}, and {} in the file", words(is), words(then))
}

impl Audience for Show<'_> {
    fn event(&mut self, event: Event) -> io::Result<()> {
        let turn = step(&event).is_some();
        // After the last turn of the file nothing is compared, nor shown; the next question ends it.
        if turn && self.next >= self.tape.steps.len() {
            return Ok(());
        }
        if let Err(problem) = self.compare(&event) {
            return Err(self.refuse(problem));
        }
        let event = self.as_recorded(event);
        self.show(&event);
        self.next += usize::from(turn);
        self.events.push(event);
        Ok(())
    }

    fn ask(&mut self, question: &Question<'_>) -> io::Result<Option<String>> {
        if let Some(problem) = question.problem {
            return Err(self.refuse(problem.to_string()));
        }
        let Some(due) = self.tape.steps.get(self.next) else {
            return Ok(None);
        };
        let Step::Decision { seat, action, .. } = due else {
            let problem = format!(
                "seat {} is to move, and chance is in the file",
                question.seat
            );
            return Err(self.refuse(problem));
        };
        if *seat != question.seat {
            let problem = format!(
                "seat {} is to move, and seat {seat} is in the file",
                question.seat
            );
            return Err(self.refuse(problem));
        }
        let mine = !matches!(self.viewer, Viewer::Seat(viewer) if viewer != question.seat);
        if self.pictures && mine && self.next >= self.from {
            self.text.push_str(&indent(question.picture, "       "));
        }
        Ok(Some(action.clone()))
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

fn check(game: &dyn OpenGame, captured: &Captured, agent: &str, args: &Args) -> Result<Checked> {
    let asked = args.want.is_some() || args.avoid.is_some();
    let (want, avoid) = match asked {
        true => (args.want.as_deref(), args.avoid.as_deref()),
        false => (captured.want.as_deref(), captured.avoid.as_deref()),
    };
    replay_check::check(game, captured, agent, want, avoid)
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

fn head(tape: &Tape) -> String {
    let seats = tape.agents.iter().enumerate();
    let seats: Vec<String> = seats.map(|(i, a)| format!("seat {i} {a}")).collect();
    format!(
        "{} · seed {} · {}\n",
        tape.game,
        tape.seed,
        seats.join(" · ")
    )
}

/// The position and both choices.
fn position(
    captured: &Captured,
    standing: &StandingReport,
    args: &Args,
    console: &Console,
) -> String {
    let mut text = format!(
        "\n{}\n",
        console.bold(&format!(
            "seat {} is to move: round {}, turn {}",
            captured.seat,
            captured.round + 1,
            captured.steps.len()
        ))
    );
    if args.as_seen_by.is_some_and(|seat| seat != captured.seat) {
        return text;
    }
    text.push_str(&indent(&standing.picture, "  "));
    let width = captured.a.chars().count().max(captured.b.chars().count());
    let choices = [
        ("a", &captured.a, &captured.a_chose),
        ("b", &captured.b, &captured.b_chose),
    ];
    for (letter, agent, chosen) in choices {
        let meaning = chosen.description.as_ref();
        let meaning = meaning.map(|d| format!("   {d}")).unwrap_or_default();
        let substitute = chosen.substitute.as_ref();
        let substitute = substitute.map(|s| format!("   (a substitute's, after a {s})"));
        text.push_str(&format!(
            "{letter}  {agent:width$}  {}{meaning}{}\n",
            chosen.action,
            substitute.unwrap_or_default()
        ));
    }
    let brought = signed(captured.round_return, 2);
    text.push_str(&format!("a played on; the round brought {brought}\n"));
    if let Some(cost) = &captured.cost {
        text.push_str(&format!(
            "a's choice cost {} in {} continuations by {}: {} after it, {} after b's\n",
            super::capture::cost_text(cost),
            cost.continuations,
            cost.by,
            signed(cost.after_a, 2),
            signed(cost.after_b, 2)
        ));
    }
    text
}

fn foot(
    content: &Content,
    tape: &Tape,
    report: Option<&PlayReport>,
    program: &str,
    name: &str,
) -> String {
    let turns = tape.steps.len();
    let mut text = String::new();
    match content {
        Content::Match(record) => {
            if let Some(scores) = report.and_then(|r| r.scores.as_ref()) {
                text.push_str(&format!("\nscore      {}\n", by_seat(scores, &tape.agents)));
            }
            if record.result.is_none() {
                text.push_str("\nThe record was interrupted: the match goes on after this.\n");
            } else if report.is_some_and(|r| r.scores.is_none()) {
                text.push_str("\nSomebody left here; the match has no score.\n");
            }
        }
        Content::Position(captured) => {
            let name = shell(name);
            text.push_str(&format!(
                "check      {program} replay {name} --check {} --want {}\n",
                shell(&captured.a),
                shell(&captured.b_chose.action)
            ));
        }
    }
    text.push_str(&format!(
        "verified   {turns} turns, each as it was recorded\n"
    ));
    text
}
