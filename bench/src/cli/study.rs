//! `ablate`, `sweep` and `tune`: studies of one agent's settings.

use std::path::{Path, PathBuf};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use search_core::expr::Expr;

use super::compare::level;
use super::console::Console;
use super::text::shell;
use super::{about_flag, agent_expr, study_text};
use crate::error::{Error, Result};
use crate::experiment::seeds::SeedRange;
use crate::game::OpenGame;
use crate::registry::Registry;
use crate::study::axis::{self, Axis};
use crate::study::evaluate::{Evaluator, Progress};
use crate::study::file::StudyFile;
use crate::study::grid::{self, GridReport};
use crate::study::held_out::disjoint;
use crate::study::log::Log;
use crate::study::tune::{self, Accept, Method, Plan};
use crate::study::{Study, present_values};

/// Seeds when nobody says which.
const DEFAULT_SEEDS: &str = "0..32";
/// Evaluations when nobody says how many.
const DEFAULT_EVALUATIONS: u64 = 100;
/// Seeds of one trial of the bandit when nobody says how many.
const DEFAULT_TRIAL_SEEDS: usize = 4;

/// What every study needs.
#[derive(Debug, clap::Args)]
pub(super) struct Common {
    /// A study file (TOML); flags hold over what it says, its seeds apart. Its log is FILE with
    /// `.log.jsonl` at the end unless --out says otherwise.
    #[arg(long, value_name = "FILE")]
    study: Option<PathBuf>,
    /// The game, with options as in `name(key=value)`.
    #[arg(long)]
    game: Option<String>,
    /// The agent whose settings are studied.
    #[arg(long, value_name = "EXPR")]
    agent: Option<String>,
    /// Its opponent, the same for every variant.
    #[arg(long, value_name = "EXPR")]
    against: Option<String>,
    /// Settings and their values; without values they are chosen around the present one. Dots lead into
    /// nested agents: `base.weight=0,1`.
    #[arg(long, value_name = "KEY[=V1,V2,…]", num_args = 1..)]
    keys: Vec<Axis>,
    /// The seeds that choices are made on.
    #[arg(long, value_name = "N|A..B")]
    tuning: Option<SeedRange>,
    /// The seeds for the final choice, once: they may not be tuning seeds.
    #[arg(long, value_name = "A..B")]
    held_out: Option<SeedRange>,
    /// A game of which the held-out seeds are played, instead of --game; can be given several times.
    #[arg(long = "cell", value_name = "GAME")]
    cells: Vec<String>,
    /// Threads that play; all cores when not given. They change nothing but the time.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Keep what was played in this log, and go on from it when it exists.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The level of the intervals.
    #[arg(long, value_parser = level, allow_hyphen_values = true)]
    level: Option<f64>,
    /// One object on standard output and nothing else.
    #[arg(long)]
    json: bool,
}

/// Set the settings of an agent to 0, one at a time: what is each of them worth?
#[derive(Debug, clap::Args)]
pub(super) struct AblateArgs {
    #[command(flatten)]
    common: Common,
}

/// Vary one setting of an agent, or a few together: what is every value worth?
#[derive(Debug, clap::Args)]
pub(super) struct SweepArgs {
    #[command(flatten)]
    common: Common,
}

/// Look for better settings on tuning seeds, and hold them against seeds held out.
#[derive(Debug, clap::Args)]
pub(super) struct TuneArgs {
    #[command(flatten)]
    common: Common,
    /// `coordinate`: one setting at a time. `ntbea`: a bandit over combinations of values.
    #[arg(long)]
    method: Option<Method>,
    /// How often an agent may play all tuning seeds.
    #[arg(long, value_name = "N")]
    evals: Option<u64>,
    /// A step is taken when its `interval` is above 0, or already when its `mean` is.
    #[arg(long)]
    accept: Option<Accept>,
    /// Seeds of one trial of ntbea.
    #[arg(long, value_name = "N")]
    trial_seeds: Option<usize>,
    /// Seed of the random numbers of ntbea.
    #[arg(long, value_parser = super::seed)]
    seed: Option<u64>,
    /// Write the agent that was found to this file; `--a @FILE` reads it.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// Everything a study needs, read and checked.
struct Job {
    game: Box<dyn OpenGame>,
    cells: Vec<Box<dyn OpenGame>>,
    agent: Expr,
    against: Expr,
    axes: Vec<Axis>,
    tuning: SeedRange,
    held_out: Option<SeedRange>,
    level: f64,
    threads: usize,
    out: Option<PathBuf>,
    file: Option<StudyFile>,
}

impl Job {
    fn read(registry: &Registry, args: &Common) -> Result<Self> {
        let file = args.study.as_deref().map(read_file).transpose()?;
        let named = |flag: &str, given: &Option<String>, filed: Option<&String>| {
            let missing = || Error::input(format!("--{flag} is missing, and no --study says it"));
            given.as_ref().or(filed).cloned().ok_or_else(missing)
        };
        let filed = file.as_ref();
        let game = named("game", &args.game, filed.map(|f| &f.game))?;
        let agent = named("agent", &args.agent, filed.map(|f| &f.agent))?;
        let against = named("against", &args.against, filed.map(|f| &f.against))?;
        let game = about_flag("--game", registry.open(&game))?;
        let (agent, against) = (
            agent_expr("--agent", &agent)?,
            agent_expr("--against", &against)?,
        );
        about_flag("--agent", game.check_agent(&agent))?;
        about_flag("--against", game.check_agent(&against))?;
        let texts = match (args.cells.as_slice(), filed) {
            ([], Some(file)) => file.cells.as_slice(),
            (given, _) => given,
        };
        let cells: Result<Vec<_>> = texts
            .iter()
            .map(|text| about_flag("--cell", registry.open(text)))
            .collect();
        let axes = match (args.keys.as_slice(), filed) {
            ([], Some(file)) => file.axes().map_err(in_file(args))?,
            (given, _) => given.to_vec(),
        };
        let (tuning, held_out) = ranges(args, filed)?;
        let cores = std::thread::available_parallelism().map_or(1, Into::into);
        Ok(Self {
            game,
            cells: cells?,
            agent,
            against,
            axes: distinct(axes)?,
            tuning,
            held_out,
            level: checked_level(args, filed)?,
            threads: args.threads.map_or(cores, Into::into),
            out: args
                .out
                .clone()
                .or_else(|| log_beside(args.study.as_deref()?)),
            file,
        })
    }

    fn study(&self, axes: Vec<Axis>) -> Study<'_> {
        Study {
            game: &*self.game,
            cells: self.cells.iter().map(|cell| &**cell).collect(),
            agent: self.agent.clone(),
            axes,
            tuning: self.tuning.clone(),
            held_out: self.held_out.clone(),
        }
    }

    fn evaluator<'a>(&self, console: &'a mut Console) -> Result<Evaluator<'a>> {
        let log = match &self.out {
            None => Log::in_memory(),
            Some(path) => {
                let held_out = self.held_out.as_ref();
                about_flag("--out", Log::open(path, &self.tuning, held_out))?
            }
        };
        Ok(Evaluator {
            against: self.against.clone(),
            level: self.level,
            threads: self.threads,
            log,
            watch: watch(console),
        })
    }

    fn again(&self, program: &str, verb: &str, args: &Common) -> String {
        let mut command = match &args.study {
            Some(path) => format!(
                "{program} {verb} --study {}",
                shell(&path.display().to_string())
            ),
            None => format!("{program} {verb}"),
        };
        let mut flag = |name: &str, value: &str| {
            command.push_str(&format!(" --{name} {}", shell(value)));
        };
        let is_new = |given: &Option<String>| args.study.is_none() || given.is_some();
        if is_new(&args.game) {
            flag("game", &self.game.facts().game);
        }
        if is_new(&args.agent) {
            flag("agent", &self.agent.to_string());
        }
        if is_new(&args.against) {
            flag("against", &self.against.to_string());
        }
        for axis in &args.keys {
            flag("keys", &axis.to_string());
        }
        if args.study.is_none() {
            flag("tuning", &self.tuning.to_string());
            if let Some(seeds) = &self.held_out {
                flag("held-out", &seeds.to_string());
            }
        }
        for cell in &args.cells {
            flag("cell", cell);
        }
        if let Some(path) = &args.out {
            flag("out", &path.display().to_string());
        }
        command
    }
}

fn in_file(args: &Common) -> impl Fn(String) -> Error {
    let path = args.study.clone().unwrap_or_default();
    move |what| Error::input(format!("{}: {what}", path.display()))
}

fn read_file(path: &Path) -> Result<StudyFile> {
    let shown = path.display();
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|e| Error::file(format!("--study: reading {shown}"), e))?;
    text.parse()
        .map_err(|e| Error::input(format!("--study: {shown}: {e}")))
}

/// `study.toml` keeps its log in `study.log.jsonl`.
fn log_beside(study: &Path) -> Option<PathBuf> {
    study.file_name()?;
    Some(study.with_extension("log.jsonl"))
}

fn ranges(args: &Common, file: Option<&StudyFile>) -> Result<(SeedRange, Option<SeedRange>)> {
    let (tuning, held_out) = match file {
        None => {
            let default = DEFAULT_SEEDS.parse().map_err(Error::input)?;
            (
                args.tuning.clone().unwrap_or(default),
                args.held_out.clone(),
            )
        }
        Some(_) if args.tuning.is_some() || args.held_out.is_some() => {
            return Err(Error::input(
                "--tuning and --held-out: a study declares its seeds beforehand; change them in its file, \
                 under a new name",
            ));
        }
        Some(file) => file.ranges().map_err(in_file(args))?,
    };
    if let Some(held_out) = &held_out {
        disjoint(&tuning, held_out)?;
    }
    Ok((tuning, held_out))
}

fn checked_level(args: &Common, file: Option<&StudyFile>) -> Result<f64> {
    let filed = file.and_then(|f| f.level).map(|x| level(&x.to_string()));
    let filed = filed.transpose().map_err(in_file(args))?;
    Ok(args.level.or(filed).unwrap_or(0.95))
}

fn distinct(axes: Vec<Axis>) -> Result<Vec<Axis>> {
    for (i, axis) in axes.iter().enumerate() {
        if axes[..i].iter().any(|other| other.key == axis.key) {
            return Err(Error::input(format!("--keys: {} is given twice", axis.key)));
        }
    }
    Ok(axes)
}

/// Progress on standard error.
fn watch(console: &mut Console) -> Box<dyn FnMut(Progress<'_>) + '_> {
    let bar = if console.shows_progress() {
        ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())
    } else {
        ProgressBar::hidden()
    };
    let template = "{bar:24} {pos}/{len} seeds · {elapsed} · {msg}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    if !bar.is_hidden() {
        bar.enable_steady_tick(Duration::from_millis(250));
    }
    Box::new(move |progress| match progress {
        Progress::Begins { agent, seeds } => {
            bar.reset();
            bar.set_length(seeds as u64);
            bar.set_message(agent.to_string());
        }
        Progress::Seed => bar.inc(1),
        Progress::Note(text) => bar.suspend(|| console.say(text)),
    })
}

pub(super) fn ablate(
    registry: &Registry,
    program: &str,
    args: &AblateArgs,
    console: &mut Console,
) -> Result<u8> {
    let args = &args.common;
    let job = Job::read(registry, args)?;
    let axes = if job.axes.is_empty() {
        weights(&job)?
    } else {
        job.axes.clone()
    };
    let variants = grid::ablations(&job.agent, &axes)?;
    let again = job.again(program, "ablate", args);
    let report = {
        let mut evaluator = job.evaluator(console)?;
        grid::run("ablate", &job.study(axes), variants, &mut evaluator)?
    };
    show_grid(&report, &again, args.json, console)
}

/// The settings that can be ablated when nobody names them: numbers other than 0.
fn weights(job: &Job) -> Result<Vec<Axis>> {
    let parameters = job.game.parameters(&job.agent)?;
    let numbers = parameters.iter().filter(|p| {
        let value = p.value.as_ref().map(|v| Expr::word(v.clone()));
        value
            .as_ref()
            .and_then(axis::number)
            .is_some_and(|n| n != 0.0)
    });
    let axes: Vec<Axis> = numbers
        .filter_map(|p| Axis::new(&p.key, Vec::new()).ok())
        .collect();
    if axes.is_empty() {
        let names: Vec<&str> = parameters.iter().map(|p| p.key.as_str()).collect();
        return Err(Error::input(format!(
            "`{}` has no setting that is a number other than 0; name some with --keys{}",
            job.agent,
            if names.is_empty() {
                String::new()
            } else {
                format!(" (it has {})", names.join(", "))
            }
        )));
    }
    Ok(axes)
}

pub(super) fn sweep(
    registry: &Registry,
    program: &str,
    args: &SweepArgs,
    console: &mut Console,
) -> Result<u8> {
    let args = &args.common;
    let job = Job::read(registry, args)?;
    if job.axes.is_empty() {
        return Err(Error::input("nothing to vary: name a setting with --keys"));
    }
    let present = present_values(&*job.game, &job.agent)?;
    let mut axes = Vec::new();
    for axis in &job.axes {
        axes.push(axis.clone().filled(present(&axis.key).as_ref())?);
    }
    let variants = grid::combinations(&job.agent, &axes)?;
    let again = job.again(program, "sweep", args);
    let report = {
        let mut evaluator = job.evaluator(console)?;
        grid::run("sweep", &job.study(axes), variants, &mut evaluator)?
    };
    show_grid(&report, &again, args.json, console)
}

fn show_grid(report: &GridReport, again: &str, json: bool, console: &mut Console) -> Result<u8> {
    if json {
        console.json(&study_text::WithAgain { report, again })?;
    } else {
        let page = study_text::grid(report, again, console);
        console.print(&page)?;
    }
    let held_out = report.held_out.iter().flat_map(|h| &h.cells);
    let all = report.base.interpretable
        && report.rows.iter().all(|row| row.interpretable)
        && held_out.clone().all(|cell| cell.interpretable);
    Ok(u8::from(!all))
}

pub(super) fn tune(
    registry: &Registry,
    program: &str,
    args: &TuneArgs,
    console: &mut Console,
) -> Result<u8> {
    let common = &args.common;
    let job = Job::read(registry, common)?;
    let plan = plan(&job, args)?;
    let again = again_tuning(&job.again(program, "tune", common), args);
    let report = {
        let mut evaluator = job.evaluator(console)?;
        tune::run(&job.study(job.axes.clone()), &plan, &mut evaluator)?
    };
    if let Some(path) = &args.write {
        let text = format!("{}\n", report.best.agent);
        std::fs::write(path, text)
            .map_err(|e| Error::file(format!("--write: writing {}", path.display()), e))?;
    }
    if common.json {
        let report = &report;
        let again = again.as_str();
        console.json(&study_text::WithAgain { report, again })?;
    } else {
        let page = study_text::tuning(&report, &again, console);
        console.print(&page)?;
    }
    let mut held_out = report.held_out.iter().flat_map(|h| &h.cells);
    let all = report.base.interpretable
        && report.best.interpretable
        && held_out.all(|cell| cell.interpretable);
    Ok(u8::from(!all))
}

fn plan(job: &Job, args: &TuneArgs) -> Result<Plan> {
    let file = job.file.as_ref();
    let said = file.map(|f| f.tune.clone()).unwrap_or_default();
    let wrong = in_file(&args.common);
    let method = file.map(StudyFile::method).transpose().map_err(&wrong)?;
    let accept = file.map(StudyFile::accept).transpose().map_err(&wrong)?;
    Ok(Plan {
        method: args
            .method
            .or(method.flatten())
            .unwrap_or(Method::Coordinate),
        evaluations: args
            .evals
            .or(said.evaluations)
            .unwrap_or(DEFAULT_EVALUATIONS),
        accept: args.accept.or(accept.flatten()).unwrap_or(Accept::Interval),
        trial_seeds: args
            .trial_seeds
            .or(said.trial_seeds)
            .unwrap_or(DEFAULT_TRIAL_SEEDS),
        seed: args.seed.or(said.seed).unwrap_or(0),
    })
}

fn again_tuning(command: &str, args: &TuneArgs) -> String {
    let mut command = command.to_string();
    let mut flag = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            command.push_str(&format!(" --{name} {value}"));
        }
    };
    let word = |value: serde_json::Value| value.as_str().map(str::to_string);
    flag(
        "method",
        args.method.and_then(|m| word(serde_json::json!(m))),
    );
    flag("evals", args.evals.map(|n| n.to_string()));
    flag(
        "accept",
        args.accept.and_then(|a| word(serde_json::json!(a))),
    );
    flag("trial-seeds", args.trial_seeds.map(|n| n.to_string()));
    flag("seed", args.seed.map(|n| n.to_string()));
    command
}
