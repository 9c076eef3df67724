//! `perft`: what follows a position, counted.

use search_core::plugin::PerftTable;
use serde::Serialize;

use super::about_flag;
use super::console::Console;
use super::position_text;
use super::text::{indent, shell, table, thousands};
use crate::error::Result;
use crate::game::{DepthRow, PerftReport, PerftRequest};
use crate::registry::Registry;

/// Count what follows a position: by depth, or what the game counts itself (dice chess: the legal
/// turns of every roll).
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The game, with options as in `name(key=value)`.
    #[arg(long)]
    game: String,
    /// The position as the game writes it, or its name in `games`, or a file that holds it;
    /// without it, the start of the match of --seed.
    #[arg(long, value_name = "TEXT|FILE", allow_hyphen_values = true)]
    position: Option<String>,
    /// Count sequences of so many plies: every action and every chance outcome is one, counted once
    /// whatever its probability.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=64))]
    depth: Option<u32>,
    /// Only this roll, as in PNB, or `all` of them where the position has dice already.
    #[arg(long, value_name = "DICE", conflicts_with = "depth")]
    dice: Option<String>,
    /// Show every roll, not only the totals.
    #[arg(long, conflicts_with = "depth")]
    rolls: bool,
    /// The seed of the start, where it is dealt.
    #[arg(long, default_value = "0", value_parser = super::seed, allow_hyphen_values = true)]
    seed: u64,
    /// One object on standard output and nothing else.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Output<'a> {
    game: &'a str,
    seed: u64,
    #[serde(flatten)]
    report: PerftReport,
}

pub(super) fn run(
    registry: &Registry,
    program: &str,
    args: &Args,
    console: &mut Console,
) -> Result<u8> {
    let game = about_flag("--game", registry.open(&args.game))?;
    let position = args.position.as_deref();
    let position = position
        .map(|text| position_text(&*game, text))
        .transpose()?;
    let report = game.perft(&PerftRequest {
        position: position.as_deref(),
        seed: args.seed,
        depth: args.depth,
        only: args.dice.as_deref(),
    })?;
    let output = Output {
        game: &game.facts().game,
        seed: args.seed,
        report,
    };
    if args.json {
        console.json(&output)?;
    } else {
        let again = again(program, args, &output, position.as_deref());
        let text = page(args, &output, &again, console);
        console.print(&text)?;
    }
    Ok(0)
}

fn again(program: &str, args: &Args, output: &Output<'_>, position: Option<&str>) -> String {
    let mut command = format!("{program} perft --game {}", shell(output.game));
    if let Some(text) = position {
        command.push_str(&format!(" --position {}", shell(text)));
    }
    if let Some(depth) = args.depth {
        command.push_str(&format!(" --depth {depth}"));
    }
    if let Some(dice) = &args.dice {
        command.push_str(&format!(" --dice {}", shell(dice)));
    }
    if args.rolls {
        command.push_str(" --rolls");
    }
    if args.seed != 0 {
        command.push_str(&format!(" --seed {}", args.seed));
    }
    command
}

fn page(args: &Args, output: &Output<'_>, again: &str, console: &Console) -> String {
    let report = &output.report;
    let mut text = format!("{}\n\n{}", output.game, indent(&report.picture, "  "));
    if let Some(position) = report.position.as_ref().filter(|p| !p.is_empty()) {
        text.push_str(&format!("\nposition  {position}\n"));
    }
    text.push('\n');
    if let Some(table) = &report.table {
        let few = table.rows.len() == 1;
        if args.rolls || few {
            text.push_str(&cases(table));
            text.push('\n');
        }
        if few && args.dice.is_none() {
            let hint = "these are the dice of the position; --dice all counts every roll";
            text.push_str(&format!("{}\n", console.dim(hint)));
        }
        if !few {
            text.push_str(&totals(table));
            if !args.rolls {
                text.push_str(&format!(
                    "\n{}\n",
                    console.dim(&format!(
                        "--rolls shows each of the {} {}s",
                        table.rows.len(),
                        table.case
                    ))
                ));
            }
        }
    } else {
        text.push_str(&by_depth(&report.depths));
    }
    text.push_str(&format!("again     {}\n", console.dim(again)));
    text
}

fn cases(counts: &PerftTable) -> String {
    let mut head = vec![counts.case];
    head.extend(&counts.columns);
    let rows: Vec<Vec<String>> = counts
        .rows
        .iter()
        .map(|(name, numbers)| {
            let numbers = numbers.iter().map(|n| thousands(*n));
            std::iter::once(name.clone()).chain(numbers).collect()
        })
        .collect();
    table(&head, &rows)
}

fn totals(counts: &PerftTable) -> String {
    let number = |x: f64| {
        if x.fract() == 0.0 {
            thousands(x as u64)
        } else {
            format!("{}.{:02}", thousands(x as u64), (100.0 * x.fract()).round())
        }
    };
    let rows: Vec<Vec<String>> = counts
        .totals
        .iter()
        .map(|(what, x)| vec![(*what).to_owned(), number(*x)])
        .collect();
    table(&["over all rolls", ""], &rows)
}

fn by_depth(depths: &[DepthRow]) -> String {
    let mut ended = 0;
    let rows: Vec<Vec<String>> = depths
        .iter()
        .skip(1)
        .map(|row| {
            ended += row.ended;
            let numbers = [row.depth.into(), row.nodes, row.ended, ended];
            numbers.map(thousands).to_vec()
        })
        .collect();
    let head = ["depth", "nodes", "games that end here", "games so far"];
    format!("{}\n", table(&head, &rows))
}
