//! `conform`: files of known answers against the implementation.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use super::console::Console;
use super::text::{table, table_of_text, thousands};
use crate::conform::ConformReport;
use crate::error::{Error, Result};
use crate::registry::Registry;

/// Check files of known answers: lines of JSON, each with a `kind` that says who checks it.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The files.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// How many failures to show.
    #[arg(long, default_value_t = 10)]
    first: usize,
    /// One object on standard output and nothing else.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(registry: &Registry, args: &Args, console: &mut Console) -> Result<u8> {
    let mut report = ConformReport::default();
    for path in &args.files {
        let name = path.display().to_string();
        let file = File::open(path).map_err(|e| Error::file(format!("opening {name}"), e))?;
        report.check(registry.checkers(), &name, BufReader::new(file), args.first)?;
    }
    report.summarise(registry.checkers());
    if args.json {
        console.json(&report)?;
    } else {
        let text = page(&report, console);
        console.print(&text)?;
    }
    Ok(u8::from(!report.holds()))
}

fn page(report: &ConformReport, console: &Console) -> String {
    let mut text = String::new();
    let rows: Vec<Vec<String>> = report
        .kinds
        .iter()
        .map(|(kind, c)| {
            let counts = [c.passed, c.failed, c.skipped].map(thousands);
            std::iter::once(kind.clone()).chain(counts).collect()
        })
        .collect();
    if !rows.is_empty() {
        text.push_str(&table(&["kind", "passed", "failed", "skipped"], &rows));
    }
    for (kind, counts) in &report.kinds {
        for (reason, n) in &counts.skip_reasons {
            text.push_str(&format!("skipped {} {kind}: {reason}\n", thousands(*n)));
        }
    }
    if !report.failures.is_empty() {
        text.push_str(&format!(
            "\nfirst {} of {} failures\n",
            report.failures.len(),
            thousands(report.failed)
        ));
        for f in &report.failures {
            let id = f.id.as_ref().map(|id| format!(" {id}")).unwrap_or_default();
            text.push_str(&format!("  {}  {}{id}: {}\n", f.at, f.kind, f.message));
        }
    }
    text.push_str(&held(report));
    let mut verdict = format!(
        "{} passed, {} failed, {} skipped",
        thousands(report.passed),
        thousands(report.failed),
        thousands(report.skipped)
    );
    let all: usize = report.held.values().map(Vec::len).sum();
    if all > 0 {
        let holding = all as u64 - report.not_held;
        verdict.push_str(&format!(
            "; over all rows {} of {} hold",
            thousands(holding),
            thousands(all as u64)
        ));
    }
    text.push_str(&format!("\n{}\n", console.bold(&verdict)));
    if report.passed + report.failed == 0 && report.held.is_empty() {
        text.push_str(&format!("{}\n", console.yellow("nothing was checked")));
    }
    text
}

/// What was held over all rows of each kind.
fn held(report: &ConformReport) -> String {
    if report.held.is_empty() {
        return String::new();
    }
    let each = report.held.iter().flat_map(|(kind, list)| {
        list.iter().map(move |h| {
            let holds = if h.holds { "holds" } else { "DOES NOT HOLD" };
            vec![
                kind.clone(),
                h.what.clone(),
                h.asked.clone(),
                h.measured.clone(),
                holds.to_string(),
            ]
        })
    });
    let rows: Vec<Vec<String>> = each.collect();
    let head = ["over all rows of", "what", "asked", "measured", ""];
    format!("\n{}", table_of_text(&head, &rows, head.len()))
}
