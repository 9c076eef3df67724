//! `bench`: speed and memory on this machine.

use clap::ValueEnum;

use super::console::Console;
use super::text::{percent, seconds, table, table_of_text, thousands};
use crate::error::Result;
use crate::measure::{self, Extent, Part, Report, playouts, searchers, threads, trees};
use crate::registry::Registry;

/// Measure speed and memory on this machine: the rules, the searchers, the four tree storages, and
/// what threads bring.
///
/// Times are processor time, medians of searches that take turns. Exit status 1 when searches that
/// must come to the same (on every storage, with any threads) do not.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// What to measure.
    #[arg(value_enum, default_value = "all")]
    what: What,
    /// Only rows whose name holds this text.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// A twentieth of the work, in one turn: to see that it works, not to quote.
    #[arg(long)]
    quick: bool,
    /// One object on standard output and nothing else.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum What {
    /// One search on every storage: speed, bytes, drop.
    Trees,
    /// Random playouts of every game.
    Playouts,
    /// Every searcher with its example.
    Searchers,
    /// One thread against two.
    Threads,
    /// All of it, in a minute or two.
    All,
}

impl What {
    fn parts(self) -> Vec<Part> {
        match self {
            Self::Trees => vec![Part::Trees],
            Self::Playouts => vec![Part::Playouts],
            Self::Searchers => vec![Part::Searchers],
            Self::Threads => vec![Part::Threads],
            Self::All => Part::ALL.to_vec(),
        }
    }
}

pub(super) fn run(registry: &Registry, args: &Args, console: &mut Console) -> Result<u8> {
    let extent = Extent {
        quick: args.quick,
        only: args.only.as_deref(),
    };
    let shows = console.shows_progress();
    let report = measure::measure(registry, &args.what.parts(), extent, |part| {
        if shows {
            console.say(match part {
                Part::Playouts => "playouts …",
                Part::Searchers => "searchers …",
                Part::Trees => "trees …",
                Part::Threads => "threads …",
            });
        }
    })?;
    if args.json {
        console.json(&report)?;
    } else {
        let text = page(&report, console);
        console.print(&text)?;
    }
    Ok(u8::from(!report.agrees()))
}

fn page(report: &Report, console: &Console) -> String {
    let mut parts = Vec::new();
    let mut part = |title: &str, text: String| {
        parts.push(format!("{}\n\n{text}", console.bold(title)));
    };
    if let Some(rows) = &report.playouts {
        part("Rules: random playouts from the start", of_playouts(rows));
    }
    if let Some(rows) = &report.searchers {
        part(
            "Searchers: the first decision of seed 0",
            of_searchers(rows),
        );
    }
    if let Some(rows) = &report.trees {
        part("Trees: the same search on every storage", of_trees(rows));
    }
    if let Some(rows) = &report.threads {
        part("Threads: one and two", of_threads(rows));
    }
    if !report.agrees() {
        part(
            "What must be the same is not",
            "see `differs` above\n".into(),
        );
    }
    parts.join("\n")
}

/// A rate: whole numbers from 100 on, three figures below.
fn rate(x: f64) -> String {
    match x {
        x if !x.is_finite() => "–".into(),
        x if x >= 100.0 => thousands(x.round() as u64),
        x if x >= 10.0 => format!("{x:.1}"),
        x => format!("{x:.2}"),
    }
}

fn optional<T>(value: Option<T>, show: impl Fn(T) -> String) -> String {
    value.map_or_else(|| "–".into(), show)
}

fn of_playouts(rows: &[playouts::Row]) -> String {
    let header = ["game", "playouts/s", "turns", "redeals and playouts/s"];
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            vec![
                row.game.clone(),
                rate(row.playouts_per_second),
                format!("{:.1}", row.turns),
                optional(row.redeals_and_playouts_per_second, rate),
            ]
        })
        .collect();
    table(&header, &rows)
}

fn of_searchers(rows: &[searchers::Row]) -> String {
    let header = [
        "agent",
        "game",
        "simulations",
        "edges",
        "a decision",
        "simulations/s",
    ];
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            vec![
                row.agent.into(),
                row.game.clone().unwrap_or("none here has it".into()),
                optional(row.simulations, thousands),
                optional(row.edges, thousands),
                optional(row.decision_ms, |ms| seconds(ms / 1000.0)),
                optional(row.simulations_per_second, rate),
            ]
        })
        .collect();
    table_of_text(&header, &rows, 2)
}

fn of_trees(rows: &[trees::Row]) -> String {
    let header = [
        "search",
        "storage",
        "tree",
        "simulations/s",
        "edges/s",
        "edges",
        "bytes/edge",
        "heap/edge",
        "peak",
        "drop",
    ];
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            vec![
                row.search.into(),
                row.storage.into(),
                if row.same_tree {
                    row.checksum.clone()
                } else {
                    format!("{} differs", row.checksum)
                },
                rate(row.simulations_per_second),
                rate(row.edges_per_second),
                thousands(row.edges),
                format!("{:.1}", row.bytes_per_edge),
                optional(row.heap_per_edge, |b| format!("{b:.1}")),
                optional(row.heap_peak, |b| format!("{:.1} MB", b as f64 / 1e6)),
                seconds(row.drop_ms / 1000.0),
            ]
        })
        .collect();
    table_of_text(&header, &rows, 3)
}

fn of_threads(rows: &[threads::Row]) -> String {
    let header = [
        "game",
        "agent",
        "threads",
        "wall",
        "processor",
        "speed-up",
        "processor/simulation",
        "result",
    ];
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            vec![
                row.game.into(),
                row.agent.clone(),
                row.threads.to_string(),
                seconds(row.wall_seconds),
                seconds(row.processor_seconds),
                format!("{:.2}", row.speed_up),
                percent(row.processor_ratio),
                if row.same_result { "same" } else { "differs" }.into(),
            ]
        })
        .collect();
    table_of_text(&header, &rows, 2)
}
