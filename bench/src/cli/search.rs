//! `search`: one position, every candidate.

use serde::Serialize;

use super::console::Console;
use super::text::{decimals, indent, percent, seconds, shell, signed, table_of_text, thousands};
use super::{about_flag, agent_expr, position_text};
use crate::error::{Error, Result};
use crate::game::{CandidateRow, EffortRow, OpenGame, SearchReport, SearchRequest, TreeRow};
use crate::registry::Registry;

/// Analyse one position: a table of the candidates with visits, mean, standard error and effort.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The game, with options as in `name(key=value)`.
    #[arg(long)]
    game: String,
    /// The position as the game writes it, or its name in `games`, or a file that holds it;
    /// without it, the start of the match of --seed.
    #[arg(long, value_name = "TEXT|FILE", allow_hyphen_values = true)]
    position: Option<String>,
    /// Who analyses: a searcher with its settings, or an agent of the game; without it, the one that
    /// the game names for this.
    #[arg(long, value_name = "EXPR")]
    agent: Option<String>,
    /// The seed of the start and of the search.
    #[arg(long, default_value = "0", value_parser = super::seed, allow_hyphen_values = true)]
    seed: u64,
    /// Threads of the search. They change how long it takes, never what comes out.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Write the tree there: one node a line, as JSON.
    #[arg(long, value_name = "FILE")]
    tree: Option<std::path::PathBuf>,
    /// Write a drawing of the position with the candidates there.
    #[arg(long, value_name = "FILE")]
    svg: Option<std::path::PathBuf>,
    /// One object on standard output and nothing else.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Output<'a> {
    game: &'a str,
    agent: &'a str,
    seed: u64,
    #[serde(flatten)]
    report: SearchReport,
}

pub(super) fn run(
    registry: &Registry,
    program: &str,
    args: &Args,
    console: &mut Console,
) -> Result<u8> {
    let game = about_flag("--game", registry.open(&args.game))?;
    let agent = agent_expr("--agent", agent_text(args.agent.as_deref(), &*game)?)?;
    let position = args.position.as_deref();
    let position = position
        .map(|text| position_text(&*game, text))
        .transpose()?;
    let request = SearchRequest {
        position: position.as_deref(),
        agent: &agent,
        seed: args.seed,
        threads: args.threads.into(),
        keep_tree: args.tree.is_some(),
        draw: args.svg.is_some(),
    };
    about_flag("--agent", game.check_agent(&agent))?;
    let output = Output {
        game: &game.facts().game,
        agent: &agent.to_string(),
        seed: args.seed,
        report: game.search(&request)?,
    };
    if args.tree.is_some() && output.report.tree.is_none() {
        return Err(Error::input(
            "--tree: this agent keeps no tree; uct and ismcts do",
        ));
    }
    if args.json {
        console.json(&output)?;
    } else {
        let text = page(
            &output,
            &again(program, &output, position.as_deref()),
            console,
        );
        console.print(&text)?;
    }
    // Last, so that a file that cannot be written does not take the analysis with it.
    if let (Some(path), Some(rows)) = (&args.tree, &output.report.tree) {
        write_tree(path, rows)?;
    }
    if let (Some(path), Some(drawing)) = (&args.svg, &output.report.drawing) {
        let failed = |e| Error::file(format!("--svg: writing {}", path.display()), e);
        std::fs::write(path, drawing).map_err(failed)?;
    }
    Ok(0)
}

/// The agent that was asked for, or else the one that the game names.
fn agent_text<'a>(given: Option<&'a str>, game: &dyn OpenGame) -> Result<&'a str> {
    given.or_else(|| game.default_agent()).ok_or_else(|| {
        Error::input(format!(
            "--agent: {} names no agent for an analysis; give one: {}, or a searcher such as uct(sims=1000)",
            game.facts().game,
            game.agent_names().join(", ")
        ))
    })
}

/// One node a line.
fn write_tree(path: &std::path::Path, rows: &[TreeRow]) -> Result<()> {
    let failed = |e| Error::file(format!("--tree: writing {}", path.display()), e);
    let mut text = String::new();
    for row in rows {
        text.push_str(&serde_json::to_string(row).map_err(|e| failed(e.into()))?);
        text.push('\n');
    }
    std::fs::write(path, text).map_err(failed)
}

fn again(program: &str, output: &Output<'_>, position: Option<&str>) -> String {
    let mut command = format!(
        "{program} search --game {} --agent {} --seed {}",
        shell(output.game),
        shell(output.agent),
        output.seed
    );
    if let Some(text) = position {
        command.push_str(&format!(" --position {}", shell(text)));
    }
    command
}

fn page(output: &Output<'_>, again: &str, console: &Console) -> String {
    let report = &output.report;
    let mut text = format!(
        "{} · {} · seed {}\n\n",
        output.game, output.agent, output.seed
    );
    text.push_str(&indent(&report.picture, "  "));
    if let Some(position) = &report.position {
        let shown = if position.is_empty() {
            "start"
        } else {
            position
        };
        text.push_str(&format!("\nposition  {shown}\n"));
    }
    text.push_str(&format!("to move   seat {}\n\n", report.seat));
    if report.candidates.is_empty() {
        text.push_str("This agent decides without a search: there are no figures to show.\n");
    } else {
        text.push_str(&shown(report));
    }
    let by_depth = unit(output.agent) == "positions" && !output.agent.starts_with("alpha-mu");
    if by_depth && report.candidates.iter().any(|c| c.visits == 0) {
        text.push_str(
            "\nAn action without visits leads only to positions that one with visits leads to as well.\n",
        );
    }
    let meaning = report.description.as_ref();
    let meaning = meaning.map_or_else(String::new, |d| format!("   {d}"));
    text.push_str(&format!(
        "\nchosen    {}{meaning}\n",
        console.bold(&report.action)
    ));
    if let Some(effort) = &report.effort {
        text.push_str(&format!(
            "effort    {}\n",
            in_words(effort, unit(output.agent), report.elapsed_seconds)
        ));
    }
    if !report.deterministic {
        text.push_str(&console.yellow("warning   another run may give another result\n"));
    }
    text.push_str(&format!("again     {}\n", console.dim(again)));
    text
}

/// More candidates than this are not all in the table.
const SHOWN: usize = 40;

/// The candidates, or the first of them and the chosen one, and how many more there are.
fn shown(report: &SearchReport) -> String {
    let all = &report.candidates;
    let (first, rest) = all.split_at(all.len().min(SHOWN));
    let mut list = first.to_vec();
    list.extend(rest.iter().find(|c| c.action == report.action).cloned());
    let left = all.len() - list.len();
    let mut text = candidates(&list);
    if left > 0 {
        text.push_str(&format!(
            "and {} more; --json lists them all\n",
            thousands(left as u64)
        ));
    }
    text
}

fn candidates(list: &[CandidateRow]) -> String {
    let finest = list
        .iter()
        .filter_map(|c| c.standard_error)
        .fold(f64::NAN, f64::min);
    let places = decimals(finest);
    let number = |x: Option<f64>, sign: bool| match x {
        None => "–".to_string(),
        Some(x) if sign => signed(x, places),
        Some(x) => format!("{x:.places$}"),
    };
    // Only what some search says of some candidate gets a column.
    let paired = list.iter().any(|c| c.versus_chosen.is_some());
    let described = list.iter().any(|c| c.description.is_some());
    let won = list.iter().any(|c| c.win.is_some());
    let mut head = vec!["action"];
    head.extend(described.then_some("meaning"));
    head.push("visits");
    head.extend(won.then_some("win"));
    head.extend(["mean", "std error", "policy"]);
    head.extend(paired.then_some("against chosen"));
    let rows: Vec<Vec<String>> = list
        .iter()
        .map(|c| {
            let mut row = vec![c.action.clone()];
            row.extend(described.then(|| c.description.clone().unwrap_or_default()));
            row.push(thousands(c.visits));
            row.extend(won.then(|| match c.win {
                Some(win) => format!("{:.1} %", 100.0 * win),
                None => "–".into(),
            }));
            row.extend([
                number(c.mean, true),
                number(c.standard_error, false),
                percent(c.policy),
            ]);
            row.extend(
                paired.then(|| match (c.versus_chosen, c.versus_chosen_error) {
                    (Some(d), Some(e)) => format!("{} ± {e:.places$}", signed(d, places)),
                    (Some(d), None) => signed(d, places),
                    _ => String::new(),
                }),
            );
            row
        })
        .collect();
    table_of_text(&head, &rows, 1 + usize::from(described))
}

/// What the effort of an agent is counted in: a depth-first search looks at positions.
fn unit(agent: &str) -> &'static str {
    match agent.split('(').next() {
        Some("expectimax" | "selective" | "alpha-mu") => "positions",
        _ => "simulations",
    }
}

fn in_words(effort: &EffortRow, unit: &str, elapsed: f64) -> String {
    let mut parts = vec![format!(
        "{} {unit} in {}",
        thousands(effort.simulations),
        seconds(elapsed)
    )];
    if effort.edges > 0 && effort.bytes == 0 {
        // Not kept: a search by depth.
        let inner = thousands(effort.edges);
        parts.push(format!("{inner} inner positions, depth {}", effort.depth));
    } else if effort.edges > 0 {
        parts.push(format!(
            "tree of {} edges, {} bytes, depth {}",
            thousands(effort.edges),
            thousands(effort.bytes),
            effort.depth
        ));
    }
    if effort.worlds > 1 {
        parts.push(format!(
            "{} worlds{}",
            thousands(effort.worlds),
            if effort.effective_sample_size < effort.worlds as f64 {
                format!(" (effective {:.0})", effort.effective_sample_size)
            } else {
                String::new()
            }
        ));
    }
    let substitutes = [
        (
            effort.flattened_weights,
            "pool of worlds with flattened weights",
        ),
        (effort.truncated_rollouts, "rollouts cut off"),
        (
            effort.refused_expansions,
            "expansions refused: the tree was full",
        ),
        (effort.unusable_priors, "priors unusable, taken as uniform"),
        (
            effort.failed_redeals,
            "redeals failed: the others decided in the searcher's world",
        ),
        (effort.lost_expansions, "expansions left to another thread"),
        (effort.inherited, "visits inherited"),
    ];
    for (count, what) in substitutes.iter().filter(|(n, _)| *n > 0) {
        parts.push(format!("{} {what}", thousands(*count)));
    }
    let stop = match effort.stop {
        "simulations" => unit,
        other => other,
    };
    parts.push(format!("stopped by {stop}"));
    parts.join(" · ")
}
