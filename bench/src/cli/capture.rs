//! `capture`: positions where two agents differ, the worst first.

use std::path::{Path, PathBuf};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use search_core::expr::Expr;
use serde::Serialize;
use serde_json::Value;

use super::console::Console;
use super::text::{decimals, percent, shell, signed, table_of_text, thousands};
use super::{about_flag, agent_expr};
use crate::agents::uses_clock;
use crate::error::{Error, Result};
use crate::experiment::capture::continuation::Cost;
use crate::experiment::capture::file::{Captured, KIND, SCHEMA, fresh_folder, write_new};
use crate::experiment::capture::run::{Kept, Order, Plan, Totals, capture};
use crate::experiment::capture::{Cast, Watcher};
use crate::experiment::seeds::SeedRange;
use crate::game::{GameFacts, OpenGame};
use crate::registry::Registry;

/// Find the positions in which two agents decide differently, sorted by what they cost: a plays, b only
/// decides on the same observations with the same random numbers.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The game, with options as in `name(key=value)`.
    #[arg(long)]
    game: String,
    /// Who plays: in each seat in turn, a match each.
    #[arg(long, value_name = "EXPR")]
    a: String,
    /// Who decides there too, without playing.
    #[arg(long, value_name = "EXPR")]
    b: String,
    /// Who plays in the other seats; b unless given, as in the first direction of `compare`.
    #[arg(long, value_name = "EXPR")]
    others: Option<String>,
    /// How many seeds, or which.
    #[arg(
        long,
        value_name = "N|A..B",
        default_value = "32",
        allow_hyphen_values = true
    )]
    seeds: SeedRange,
    /// How many positions to keep.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    keep: u32,
    /// Which ones: `loss`, after which the round brought that seat least; or `cost`, whose choice cost most
    /// by --continue, for which all of them are played on from.
    #[arg(long, value_name = "ORDER", default_value = "loss", value_parser = ["loss", "cost"])]
    sort: String,
    /// Play on so many times after either choice, with the same random numbers, to see what it cost.
    #[arg(long = "continue", value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    continuations: u32,
    /// Who plays on, in every seat; a unless given.
    #[arg(long, value_name = "EXPR", requires = "continuations")]
    by: Option<String>,
    /// Write a file for each position there, and `index.json`; the folder must be new or empty.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Threads that play; all cores when not given. They change how long it takes, never what
    /// comes out.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// One object on standard output and nothing else.
    #[arg(long)]
    json: bool,
}

/// The list of a capture, in `index.json` and for `--json`.
#[derive(Serialize)]
struct Index<'a> {
    kind: &'static str,
    schema: u32,
    version: &'static str,
    game: &'a str,
    options: &'a Value,
    unit: &'a str,
    a: String,
    b: String,
    others: String,
    by: Option<String>,
    seeds: String,
    sort: Order,
    totals: &'a Totals,
    deterministic: bool,
    positions: Vec<Entry<'a>>,
}

/// One position in the list.
#[derive(Serialize)]
struct Entry<'a> {
    file: String,
    seed: u64,
    round: u32,
    seat: usize,
    ply: u32,
    a: &'a str,
    b: &'a str,
    round_return: f64,
    cost: Option<&'a Cost>,
    observation: Option<&'a str>,
}

pub(super) fn run(
    registry: &Registry,
    program: &str,
    args: &Args,
    console: &mut Console,
) -> Result<u8> {
    let game = about_flag("--game", registry.open(&args.game))?;
    let cast = cast(&*game, args)?;
    let plan = plan(&*game, args, &cast)?;
    if let Some(folder) = &args.out {
        about_flag("--out", fresh_folder(folder))?;
    }
    let bar = progress_bar(plan.seeds.len() * plan.players, console);
    let make = || -> Result<Box<dyn Watcher + '_>> { game.watcher(&cast) };
    let outcome = capture(&plan, &make, &mut || bar.inc(1));
    bar.finish_and_clear();
    let (totals, kept) = outcome?;
    let files: Vec<Captured> = kept
        .iter()
        .map(|k| captured(game.facts(), &cast, k))
        .collect();
    let index = index(game.facts(), &cast, args, &plan, &totals, &files);
    if let Some(folder) = &args.out {
        write(folder, &files, &index)?;
    }
    if args.json {
        console.json(&index)?;
    } else {
        let text = page(&index, args, program, console);
        console.print(&text)?;
    }
    Ok(0)
}

fn cast(game: &dyn OpenGame, args: &Args) -> Result<Cast> {
    let read = |flag: &str, text: &str| -> Result<Expr> {
        let expr = agent_expr(flag, text)?;
        about_flag(flag, game.check_agent(&expr))?;
        Ok(expr)
    };
    Ok(Cast {
        a: read("--a", &args.a)?,
        b: read("--b", &args.b)?,
        others: read("--others", args.others.as_ref().unwrap_or(&args.b))?,
        by: read("--by", args.by.as_ref().unwrap_or(&args.a))?,
    })
}

fn plan(game: &dyn OpenGame, args: &Args, cast: &Cast) -> Result<Plan> {
    let order = if args.sort == "cost" {
        Order::Cost
    } else {
        Order::Loss
    };
    if order == Order::Cost && args.continuations == 0 {
        return Err(Error::input(
            "--sort cost needs the cost: give --continue too, 16 say",
        ));
    }
    let cores = std::thread::available_parallelism().map_or(1, Into::into);
    Ok(Plan {
        seeds: args.seeds.seeds().collect(),
        players: game.facts().players,
        keep: args.keep as usize,
        order,
        continuations: args.continuations,
        by: cast.by.to_string(),
        threads: args.threads.map_or(cores, Into::into),
    })
}

/// Progress with an estimate, when there is a terminal to show it.
fn progress_bar(matches: usize, console: &Console) -> ProgressBar {
    let target = match console.shows_progress() {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let bar = ProgressBar::with_draw_target(Some(matches as u64), target);
    let template = "{percent:>3}% {bar:24} {pos}/{len} matches · {elapsed} · ETA {eta}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    if !bar.is_hidden() {
        bar.enable_steady_tick(Duration::from_millis(250));
    }
    bar
}

fn captured(facts: &GameFacts, cast: &Cast, kept: &Kept) -> Captured {
    let found = &kept.trace.divergences[kept.index];
    Captured {
        kind: KIND.into(),
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION").into(),
        game: facts.game.clone(),
        options: facts.options.clone(),
        seed: kept.trace.seed,
        a: cast.a.to_string(),
        b: cast.b.to_string(),
        others: cast.others.to_string(),
        round: found.round,
        seat: kept.trace.seat,
        ply: found.ply,
        ordinal: found.ordinal,
        observation: found.observation.clone(),
        seen: found.seen.clone(),
        a_chose: found.a.clone(),
        b_chose: found.b.clone(),
        round_return: kept.round_return(),
        cost: kept.cost.clone(),
        want: None,
        avoid: None,
        steps: kept.trace.steps[..found.steps].to_vec(),
    }
}

fn index<'a>(
    facts: &'a GameFacts,
    cast: &Cast,
    args: &Args,
    plan: &Plan,
    totals: &'a Totals,
    files: &'a [Captured],
) -> Index<'a> {
    let entries = files.iter().enumerate().map(|(i, file)| Entry {
        file: file.file_name(i + 1),
        seed: file.seed,
        round: file.round,
        seat: file.seat,
        ply: file.ply,
        a: &file.a_chose.action,
        b: &file.b_chose.action,
        round_return: file.round_return,
        cost: file.cost.as_ref(),
        observation: file.observation.as_deref(),
    });
    let clock = [&cast.a, &cast.b, &cast.others, &cast.by];
    Index {
        kind: "captures",
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        game: &facts.game,
        options: &facts.options,
        unit: &facts.unit,
        a: cast.a.to_string(),
        b: cast.b.to_string(),
        others: cast.others.to_string(),
        by: (plan.continuations > 0).then(|| plan.by.clone()),
        seeds: args.seeds.to_string(),
        sort: plan.order,
        totals,
        deterministic: totals.unrepeatable == 0 && !clock.iter().any(|e| uses_clock(e)),
        positions: entries.collect(),
    }
}

fn write(folder: &Path, files: &[Captured], index: &Index<'_>) -> Result<()> {
    for (file, entry) in files.iter().zip(&index.positions) {
        about_flag("--out", write_new(&folder.join(&entry.file), file))?;
    }
    about_flag("--out", write_new(&folder.join("index.json"), index))
}

/// A cost with its standard error.
pub(super) fn cost_text(cost: &Cost) -> String {
    match cost.standard_error {
        Some(error) => {
            let d = decimals(error);
            format!("{} ± {error:.d$}", signed(cost.mean, d))
        }
        None => signed(cost.mean, 2),
    }
}

fn page(index: &Index<'_>, args: &Args, program: &str, console: &Console) -> String {
    let totals = index.totals;
    let mut text = format!(
        "{} · a {} · b {} · others {} · seeds {}, {} matches\n\n",
        index.game,
        index.a,
        index.b,
        index.others,
        index.seeds,
        thousands(totals.matches)
    );
    let share = match totals.decisions {
        0 => String::new(),
        n => format!(" ({})", percent(totals.differed as f64 / n as f64)),
    };
    text.push_str(&format!(
        "a and b both decided {} times and differed in {}{share}\n",
        thousands(totals.decisions),
        thousands(totals.differed)
    ));
    if let Some(cost) = &totals.cost {
        let interval = cost.interval.map_or(String::new(), |i| {
            format!(
                ", 95 % [{}, {}] over {} seeds",
                signed(i.low, 3),
                signed(i.high, 3),
                cost.seeds
            )
        });
        text.push_str(&format!(
            "a's choice cost {} {} on average over all of them{interval}\n",
            signed(cost.mean, 3),
            index.unit
        ));
    }
    for (who, count) in ["a", "b"].iter().zip(totals.substitutes) {
        if count > 0 {
            let line = format!(
                "a substitute decided for {who} {} of {} times",
                thousands(count),
                thousands(totals.decisions)
            );
            text.push_str(&format!("{}\n", console.yellow(&line)));
        }
    }
    if !index.deterministic {
        let line = "an agent reads the clock, or its threads share a tree: this cannot be repeated";
        text.push_str(&format!("{}\n", console.yellow(line)));
    }
    if index.positions.is_empty() {
        text.push_str("Nothing to keep.\n");
        return text;
    }
    text.push('\n');
    text.push_str(&positions(index));
    text.push_str(&foot(index, args, program));
    text
}

fn positions(index: &Index<'_>) -> String {
    let costs = index.by.is_some();
    let rows: Vec<Vec<String>> = index
        .positions
        .iter()
        .enumerate()
        .map(|(i, p)| {
            let mut row = vec![
                (i + 1).to_string(),
                p.seed.to_string(),
                p.round.to_string(),
                p.seat.to_string(),
                p.ply.to_string(),
                p.a.to_string(),
                p.b.to_string(),
                signed(p.round_return, 2),
            ];
            if costs {
                row.push(p.cost.map_or("–".into(), cost_text));
            }
            row
        })
        .collect();
    let mut head = vec![
        "",
        "seed",
        "round",
        "seat",
        "ply",
        "a played",
        "b chose",
        "the round brought",
    ];
    if costs {
        head.push("a's choice cost");
    }
    table_of_text(&head, &rows, 7)
}

fn foot(index: &Index<'_>, args: &Args, program: &str) -> String {
    let mut text = format!("\nunit       {}\n", index.unit);
    if let Some(folder) = &args.out {
        let first = folder.join(&index.positions[0].file);
        text.push_str(&format!(
            "files      {} in {}\nreplay     {program} replay {}\n",
            index.positions.len(),
            folder.display(),
            shell(&first.display().to_string())
        ));
    } else {
        text.push_str("files      none; --out DIR writes each position as a file that replays\n");
    }
    text
}
