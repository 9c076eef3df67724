//! `calibrate`: the tables by which a game's estimators are calibrated, made and checked.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use search_core::calibration::{Calibrate, Calibration, Recipe};
use serde::Serialize;
use serde_json::{Map, Value};

use super::about_flag;
use super::console::Console;
use super::text::{shell, table, thousands};
use crate::error::{Error, Result};
use crate::registry::Registry;

/// Make a table of what an estimator of the game gets wrong, by class of situation; or check that a table
/// is one for these rules.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The game, with options as in `name(key=value)`.
    #[arg(long)]
    game: String,
    /// Which event's probability; with --check, the one that the table must be of.
    #[arg(long, value_name = "EVENT")]
    event: Option<String>,
    /// How many situations.
    #[arg(long, value_name = "N", conflicts_with = "check")]
    situations: Option<u64>,
    /// How many samples in each situation.
    #[arg(long, value_name = "N", conflicts_with = "check")]
    samples: Option<u32>,
    /// The seed of the situations and of the samples.
    #[arg(long, value_parser = super::seed, allow_hyphen_values = true, conflicts_with = "check")]
    seed: Option<u64>,
    /// Write the table to a new file.
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    out: Option<PathBuf>,
    /// Read this table and say whether it is one for these rules.
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
    /// Make the checked table again, from what it says it was made from: the same bytes must come out.
    #[arg(long, requires = "check")]
    regenerate: bool,
    /// Threads; all cores when not given. They change how long it takes, never what comes out.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// One object on standard output and nothing else.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Output<'a> {
    game: &'a str,
    event: &'a str,
    seed: u64,
    situations: u64,
    samples: u32,
    /// What the file says of itself beside that.
    facts: Map<String, Value>,
    bytes: usize,
    /// The BLAKE3 hash of the file.
    hash: String,
    /// Whether the same bytes came out again, where that was asked.
    regenerated: Option<bool>,
    columns: &'a [&'static str],
    rows: &'a [Vec<String>],
}

pub(super) fn run(
    registry: &Registry,
    program: &str,
    args: &Args,
    console: &mut Console,
) -> Result<u8> {
    let game = about_flag("--game", registry.open(&args.game))?;
    let name = &game.facts().game;
    let tables = game.calibration().ok_or_else(|| {
        Error::input(format!(
            "--game: {name} has no estimator that is calibrated"
        ))
    })?;
    work((name, tables), program, args, console)
}

/// The verb for a game by its name.
pub(super) fn work(
    (name, tables): (&str, &dyn Calibrate),
    program: &str,
    args: &Args,
    console: &mut Console,
) -> Result<u8> {
    let (made, regenerated) = match &args.check {
        Some(path) => {
            let made = read(tables, path, args)?;
            let again = args
                .regenerate
                .then(|| make(tables, &made.recipe, args, console));
            let again = again.transpose()?;
            let same = again.map(|again| again.text == made.text);
            (made, same)
        }
        None => {
            let recipe = recipe(tables, args)?;
            // Before the work, which may take long.
            if let Some(path) = args.out.as_ref().filter(|path| path.exists()) {
                return Err(Error::input(format!(
                    "--out: {} exists; an existing file is kept",
                    path.display()
                )));
            }
            let made = make(tables, &recipe, args, console)?;
            write(&made, args)?;
            (made, None)
        }
    };
    let output = output(name, &made, regenerated);
    if args.json {
        console.json(&output)?;
    } else {
        let text = page(&output, args, program, console);
        console.print(&text)?;
    }
    Ok(u8::from(regenerated == Some(false)))
}

fn recipe(tables: &dyn Calibrate, args: &Args) -> Result<Recipe> {
    let events = tables.events();
    let first = events.first().map_or("", |(name, _)| *name);
    let event = args.event.as_deref().unwrap_or(first);
    check_event(&events, event)?;
    let usual = tables.recipe(event);
    Ok(Recipe {
        seed: args.seed.unwrap_or(usual.seed),
        situations: args.situations.unwrap_or(usual.situations),
        samples: args.samples.unwrap_or(usual.samples),
        ..usual
    })
}

fn check_event(events: &[(&'static str, &'static str)], event: &str) -> Result<()> {
    if events.iter().any(|(name, _)| *name == event) {
        return Ok(());
    }
    let list: Vec<String> = events
        .iter()
        .map(|(name, about)| format!("\n  {name}: {about}"))
        .collect();
    Err(Error::input(format!(
        "--event: there is no event `{event}`; there are{}",
        list.concat()
    )))
}

fn read(tables: &dyn Calibrate, path: &Path, args: &Args) -> Result<Calibration> {
    if let Some(event) = &args.event {
        check_event(&tables.events(), event)?;
    }
    let shown = path.display();
    let text = fs::read_to_string(path);
    let text = text.map_err(|e| Error::file(format!("--check: reading {shown}"), e))?;
    let made = tables.read(&text, args.event.as_deref());
    let made = made.map_err(|e| Error::Failed(format!("--check: {shown}: {e}")))?;
    // Whatever else the file holds would be lost on the next writing.
    if made.text != text {
        return Err(Error::Failed(format!(
            "--check: {shown}: it is not as it was written: spaces, or digits, have changed"
        )));
    }
    Ok(made)
}

fn make(
    tables: &dyn Calibrate,
    recipe: &Recipe,
    args: &Args,
    console: &Console,
) -> Result<Calibration> {
    let target = match console.shows_progress() {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let bar = ProgressBar::with_draw_target(Some(recipe.situations), target);
    let template = "{percent:>3}% {bar:24} {pos}/{len} situations · {elapsed} · ETA {eta}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    if !bar.is_hidden() {
        bar.enable_steady_tick(Duration::from_millis(250));
    }
    let cores = std::thread::available_parallelism().map_or(1, Into::into);
    let threads = args.threads.map_or(cores, Into::into);
    let made = tables.calibrate(recipe, threads, &mut |done| bar.set_position(done));
    bar.finish_and_clear();
    Ok(made?)
}

fn write(made: &Calibration, args: &Args) -> Result<()> {
    let Some(path) = &args.out else {
        return Ok(());
    };
    let failed = |e| Error::file(format!("--out: writing {}", path.display()), e);
    let mut file = fs::File::create_new(path).map_err(failed)?;
    std::io::Write::write_all(&mut file, made.text.as_bytes()).map_err(failed)
}

fn output<'a>(game: &'a str, made: &'a Calibration, regenerated: Option<bool>) -> Output<'a> {
    let facts = made.facts.iter();
    let hash = blake3::hash(made.text.as_bytes()).to_hex();
    Output {
        game,
        event: &made.recipe.event,
        seed: made.recipe.seed,
        situations: made.recipe.situations,
        samples: made.recipe.samples,
        facts: facts
            .map(|(k, v)| (k.to_string(), v.clone().into()))
            .collect(),
        bytes: made.text.len(),
        hash: hash.to_string(),
        regenerated,
        columns: &made.columns,
        rows: &made.rows,
    }
}

fn page(output: &Output<'_>, args: &Args, program: &str, console: &Console) -> String {
    let mut text = format!(
        "{} · event {} · seed {} · {} situations, {} samples in each\n",
        output.game,
        output.event,
        output.seed,
        thousands(output.situations),
        thousands(output.samples.into())
    );
    let facts: Vec<String> = output
        .facts
        .iter()
        .map(|(name, value)| format!("{name} {}", value.as_str().unwrap_or_default()))
        .collect();
    text.push_str(&format!("{}\n\n", facts.join(" · ")));
    text.push_str(&table(output.columns, output.rows));
    text.push_str(&format!(
        "\nfile       {} bytes, BLAKE3 {}\n",
        thousands(output.bytes as u64),
        &output.hash[..16]
    ));
    let verdict = match (&args.check, output.regenerated) {
        (Some(path), None) => format!("{} is a table for these rules", path.display()),
        (Some(_), Some(true)) => "made again, it is the same to the last byte".into(),
        (Some(_), Some(false)) => "MADE AGAIN, IT IS ANOTHER: not made by this program".into(),
        (None, _) => match &args.out {
            Some(path) => format!("written to {}", path.display()),
            None => "not written; --out FILE writes it".into(),
        },
    };
    text.push_str(&format!("{}\n", console.bold(&verdict)));
    if let Some(path) = &args.out {
        let path = shell(&path.display().to_string());
        text.push_str(&format!(
            "check      {program} calibrate --game {} --check {path} --regenerate\n",
            shell(output.game)
        ));
    }
    text
}
