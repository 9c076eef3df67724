//! `play`: one match, shown; `human` asks at the terminal.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::PathBuf;

use search_core::expr::parse_list;
use serde::Serialize;

use super::about_flag;
use super::console::Console;
use super::events::{Viewer, by_seat, in_words};
use super::text::indent;
use crate::error::{Error, Result};
use crate::experiment::record::{End, Head};
use crate::game::{Audience, Event, PlayReport, Question};
use crate::registry::Registry;

/// Play one match and show it. `human` asks at the terminal, and works over a pipe.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The game, with options as in `name(key=value)`.
    #[arg(long)]
    game: String,
    /// One agent a seat, in the order of the seats; a single one takes every seat.
    #[arg(long, value_name = "A,B,…", default_value = "random")]
    agents: String,
    /// The seed of the deal, of chance and of every decision.
    #[arg(long, default_value = "0", value_parser = super::seed, allow_hyphen_values = true)]
    seed: u64,
    /// Write the match to a new file, one line of JSON an event.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// One object on standard output and nothing else; a human is asked on standard error.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(registry: &Registry, args: &Args, console: &mut Console) -> Result<u8> {
    let game = about_flag("--game", registry.open(&args.game))?;
    let facts = game.facts().clone();
    let list = parse_list(&args.agents).map_err(|e| Error::input(format!("--agents: {e}")))?;
    let list = match list.as_slice() {
        [one] => vec![one.clone(); facts.players],
        _ => list,
    };
    let agents: Vec<String> = list.iter().map(ToString::to_string).collect();
    let head = Head::new(&facts, agents.clone(), args.seed);
    for expr in &list {
        match expr.name.as_str() {
            "human" if expr.args.is_empty() => {}
            "human" => {
                return Err(Error::input(
                    "--agents: `human` has no settings; write human",
                ));
            }
            _ => about_flag("--agents", game.check_agent(expr))?,
        }
    }
    let mut table = Table::new(args, &agents, console);
    if list.len() == facts.players {
        table.begin(&head, args)?;
    }
    let report = about_flag("--agents", game.play(&list, args.seed, &mut table))?;
    table.finish(&report)?;
    if args.json {
        let events = std::mem::take(&mut table.events);
        console.json(&object(&head, events, &report)?)?;
    }
    Ok(0)
}

fn object(head: &Head, events: Vec<Event>, report: &PlayReport) -> Result<serde_json::Value> {
    let value =
        |x: serde_json::Result<serde_json::Value>| x.map_err(|e| Error::Failed(e.to_string()));
    let mut object = value(serde_json::to_value(head))?;
    object["events"] = value(serde_json::to_value(events))?;
    object["result"] = value(serde_json::to_value(report))?;
    object["left"] = report.scores.is_none().into();
    Ok(object)
}

/// The audience at the terminal.
struct Table<'a> {
    console: &'a mut Console,
    agents: &'a [String],
    humans: usize,
    json: bool,
    record: Option<File>,
    events: Vec<Event>,
    /// What a human may only see when the round is over.
    hidden: String,
    /// Whether everybody sees what the others do.
    public: bool,
}

impl<'a> Table<'a> {
    fn new(args: &Args, agents: &'a [String], console: &'a mut Console) -> Self {
        Self {
            console,
            agents,
            humans: agents.iter().filter(|a| *a == "human").count(),
            json: args.json,
            record: None,
            events: Vec::new(),
            hidden: String::new(),
            public: false,
        }
    }

    fn begin(&mut self, head: &Head, args: &Args) -> Result<()> {
        self.public = head.public_actions;
        if let Some(path) = &args.record {
            let file = OpenOptions::new().write(true).create_new(true).open(path);
            let what = format!(
                "--record: creating {} (an existing file is kept)",
                path.display()
            );
            self.record = Some(file.map_err(|e| Error::file(what, e))?);
            self.write(head)
                .map_err(|e| Error::file("--record: writing", e))?;
        }
        let seats = self.agents.iter().enumerate();
        let seats: Vec<String> = seats.map(|(i, a)| format!("seat {i} {a}")).collect();
        self.show(&format!(
            "{} · seed {} · {}\n",
            head.game,
            head.seed,
            seats.join(" · ")
        ))?;
        Ok(())
    }

    fn finish(&mut self, report: &PlayReport) -> Result<()> {
        let end = End::new(report.clone());
        self.write(&end)
            .map_err(|e| Error::file("--record: writing", e))?;
        let Some(scores) = &report.scores else {
            return Ok(self.show("\nYou left; the match has no score.\n")?);
        };
        self.show(&format!("\nscore      {}\n", by_seat(scores, self.agents)))?;
        if report.failures + report.timeouts > 0 {
            let line = format!(
                "substitutes decided {} + {} of {} times (failures + time-outs)\n",
                report.failures, report.timeouts, report.decisions
            );
            self.show(&line)?;
        }
        Ok(())
    }

    fn write(&mut self, line: &impl Serialize) -> io::Result<()> {
        let Some(file) = &mut self.record else {
            return Ok(());
        };
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        file.write_all(text.as_bytes())
    }

    /// Text for a person: on standard error when standard output is kept for the object and
    /// somebody sits there.
    fn show(&mut self, text: &str) -> io::Result<()> {
        match (self.json, self.humans) {
            (false, _) => self.console.print(text).map_err(to_io),
            (true, 0) => Ok(()),
            (true, _) => {
                self.console.say(text.trim_end());
                Ok(())
            }
        }
    }
}

impl Audience for Table<'_> {
    fn event(&mut self, event: Event) -> io::Result<()> {
        self.write(&event)?;
        let viewer = match self.humans {
            0 => Viewer::All,
            _ => Viewer::Human,
        };
        let words = in_words(&event, self.agents, viewer);
        // Unless the game says otherwise, what others do is hidden from a human until the end.
        let secret = matches!(event, Event::Decision { .. } | Event::Chance { .. });
        if secret && self.humans > 0 && !self.public {
            self.hidden.push_str(&words);
        } else {
            let before = std::mem::take(&mut self.hidden);
            if !before.is_empty() {
                self.show(&format!("\nhow it went\n{before}"))?;
            }
            self.show(&words)?;
        }
        if self.json {
            self.events.push(event);
        }
        Ok(())
    }

    fn ask(&mut self, question: &Question<'_>) -> io::Result<Option<String>> {
        let is_action = |text: &str| {
            question
                .actions
                .iter()
                .any(|a| a.eq_ignore_ascii_case(text))
        };
        let mut text = match question.problem {
            Some(problem) => format!("  {problem}\n"),
            None => format!("\n{}{}", indent(question.picture, "  "), listed(question)),
        };
        loop {
            self.show(&text)?;
            let prompt = format!(
                "seat {}, your action (? for help, q to leave) > ",
                question.seat
            );
            let Some(answer) = self.console.ask(&prompt, self.json)? else {
                self.show("\nEnd of input.\n")?;
                return Ok(None);
            };
            match answer.to_ascii_lowercase().as_str() {
                "" => text = String::new(),
                "?" | "help" | "h" if !is_action(&answer) => {
                    let by_number = if question.numbered {
                        ", or its number"
                    } else {
                        ""
                    };
                    text = format!(
                        "{}{}  Type one of the actions{by_number}; q leaves the match.\n",
                        indent(question.picture, "  "),
                        listed(question)
                    );
                }
                "q" | "quit" | "exit" if !is_action(&answer) => return Ok(None),
                _ => return Ok(Some(answer)),
            }
        }
    }
}

/// The actions, as many a line as fit; with what they mean, one a line.
fn listed(question: &Question<'_>) -> String {
    if !question.descriptions.is_empty() {
        return described(question);
    }
    let mut text = String::from(" ");
    let mut width = 1;
    for (i, action) in question.actions.iter().enumerate() {
        let item = if question.numbered {
            format!(" {}) {action} ", i + 1)
        } else {
            format!(" {action} ")
        };
        if width + item.chars().count() > 78 && width > 1 {
            text.push_str("\n ");
            width = 1;
        }
        width += item.chars().count();
        text.push_str(&item);
    }
    text + "\n"
}

fn described(question: &Question<'_>) -> String {
    let width = question.actions.iter().map(|a| a.chars().count()).max();
    let width = width.unwrap_or(0);
    let each = question.actions.iter().zip(question.descriptions);
    let lines = each.enumerate().map(|(i, (action, meaning))| {
        let number = if question.numbered {
            format!("{:>4}) ", i + 1)
        } else {
            "  ".to_string()
        };
        let line = format!("{number}{action:width$}   {meaning}");
        format!("{}\n", line.trim_end())
    });
    lines.collect()
}

fn to_io(error: Error) -> io::Error {
    match error {
        Error::Output(error) => error,
        other => io::Error::other(other.to_string()),
    }
}
