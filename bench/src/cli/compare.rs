//! `compare`: A against B, with an interval.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use search_core::expr::Expr;
use serde::Serialize;

use super::console::Console;
use super::text::shell;
use super::{about_flag, agent_expr, compare_text};
use crate::agents::uses_clock;
use crate::error::{Error, Result};
use crate::experiment::block::Block;
use crate::experiment::compare::{MakeReferee, play_blocks};
use crate::experiment::referee::Referee;
use crate::experiment::schedule::Schedule;
use crate::experiment::seeds::SeedRange;
use crate::experiment::summary::{Comparison, Summary, summarise};
use crate::game::OpenGame;
use crate::registry::Registry;
use crate::store::{Header, Store};

/// Seeds of the self-check.
const SELF_CHECK_SEEDS: u64 = 8;

/// Compare two agents: every seating of the same deals, the difference with its interval.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The game, with options as in `name(key=value)`.
    #[arg(long)]
    game: String,
    /// The candidate: `random`, an agent of the game, or a searcher with its settings.
    #[arg(long, value_name = "EXPR")]
    a: String,
    /// What it is compared with.
    #[arg(long, value_name = "EXPR")]
    b: String,
    /// How many seeds, or which.
    #[arg(
        long,
        value_name = "N|A..B",
        default_value = "32",
        allow_hyphen_values = true
    )]
    seeds: SeedRange,
    /// Threads that play; all cores when not given. They change how long it takes, never what
    /// comes out.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Keep finished blocks in this log, and go on from it when it exists.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The level of the intervals.
    #[arg(long, default_value = "0.95", value_parser = level, allow_hyphen_values = true)]
    level: f64,
    /// First play a against itself: the difference must be exactly 0.
    #[arg(long)]
    self_check: bool,
    /// One object on standard output and nothing else.
    #[arg(long)]
    json: bool,
}

pub(super) fn level(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(level) if level > 0.0 && level < 1.0 => Ok(level),
        _ => Err("the level is between 0 and 1; 0.95 means 95 %".into()),
    }
}

/// The outcome of playing a against itself.
#[derive(Debug, Clone, Serialize)]
pub(super) struct SelfCheck {
    /// Seeds played.
    pub(super) seeds: usize,
    /// Whether every difference was exactly 0 and every seating played alike.
    pub(super) exact: bool,
    /// The largest difference.
    pub(super) largest: f64,
    /// Blocks whose seatings played differently.
    pub(super) divergent_blocks: usize,
}

#[derive(Serialize)]
struct Output<'a> {
    #[serde(flatten)]
    summary: &'a Summary,
    self_check: Option<SelfCheck>,
    resumed_seeds: usize,
    elapsed_seconds: f64,
    again: String,
}

/// What is played, and by whom.
struct Job<'a> {
    game: &'a dyn OpenGame,
    arms: [Expr; 2],
    comparison: Comparison,
    threads: usize,
}

impl Job<'_> {
    /// Plays these seeds, each finished block handed over.
    fn play(
        &self,
        arms: &[Expr; 2],
        seeds: &[u64],
        finished: &mut dyn FnMut(Block) -> Result<()>,
    ) -> Result<()> {
        let make = || -> Result<Box<dyn Referee + '_>> { self.game.referee(arms, 1) };
        let make: &MakeReferee<'_> = &make;
        play_blocks(
            &self.comparison.schedule,
            seeds,
            self.threads,
            make,
            finished,
        )
    }
}

pub(super) fn run(
    registry: &Registry,
    program: &str,
    args: &Args,
    console: &mut Console,
) -> Result<u8> {
    let started = Instant::now();
    let game = about_flag("--game", registry.open(&args.game))?;
    let job = job(&*game, args)?;
    let self_check = match args.self_check {
        true => Some(self_check(&job)?),
        false => None,
    };
    if let Some(check) = self_check.as_ref().filter(|c| !c.exact) {
        return failed_check(&job, check, args.json, console);
    }
    let (blocks, resumed) = blocks(&job, args, console)?;
    let summary = summarise(&job.comparison, &blocks);
    let output = Output {
        summary: &summary,
        self_check,
        resumed_seeds: resumed,
        elapsed_seconds: started.elapsed().as_secs_f64(),
        again: again(program, &job.comparison, args),
    };
    if args.json {
        console.json(&output)?;
    } else {
        let check = output.self_check.as_ref();
        let text = compare_text::page(&summary, check, &output.again, console);
        console.print(&text)?;
    }
    Ok(u8::from(!summary.interpretable))
}

fn job<'a>(game: &'a dyn OpenGame, args: &Args) -> Result<Job<'a>> {
    let a = agent_expr("--a", &args.a)?;
    let b = agent_expr("--b", &args.b)?;
    about_flag("--a", game.check_agent(&a))?;
    about_flag("--b", game.check_agent(&b))?;
    let facts = game.facts().clone();
    let cores = std::thread::available_parallelism().map_or(1, Into::into);
    Ok(Job {
        game,
        comparison: Comparison {
            schedule: Schedule::duplicate(facts.players),
            game: facts.game,
            options: facts.options,
            a: a.to_string(),
            b: b.to_string(),
            unit: facts.unit,
            metrics: facts.metrics,
            seeds: args.seeds.clone(),
            level: args.level,
            clock: uses_clock(&a) || uses_clock(&b),
        },
        arms: [a, b],
        threads: args.threads.map_or(cores, Into::into),
    })
}

/// The blocks of every seed: from the log where it has them, played where it has not.
fn blocks(job: &Job<'_>, args: &Args, console: &mut Console) -> Result<(Vec<Block>, usize)> {
    let mut done: BTreeMap<u64, Block> = BTreeMap::new();
    let mut store = None;
    if let Some(path) = &args.out {
        let header = Header::new(&job.comparison);
        let opened = about_flag(
            "--out",
            Store::open(path, &header, &job.comparison.schedule),
        )?;
        if opened.dropped > 0 {
            let path = path.display();
            console.say(&format!(
                "{path}: an unfinished last line was dropped; its seed is played again"
            ));
        }
        done = opened.blocks;
        store = Some(opened.store);
    }
    let wanted = args.seeds.seeds();
    done.retain(|seed, _| wanted.contains(seed));
    let resumed = done.len();
    if let Some(path) = args.out.as_ref().filter(|_| resumed > 0) {
        let total = args.seeds.len();
        console.say(&format!(
            "{}: {resumed} of {total} seeds are done",
            path.display()
        ));
    }
    let todo: Vec<u64> = wanted.filter(|seed| !done.contains_key(seed)).collect();
    let bar = progress_bar(todo.len(), console);
    let played = job.play(&job.arms, &todo, &mut |block| {
        if let Some(store) = &mut store {
            store.append(&block)?;
        }
        bar.inc(1);
        done.insert(block.seed, block);
        Ok(())
    });
    bar.finish_and_clear();
    played?;
    Ok((done.into_values().collect(), resumed))
}

/// Progress with an estimate, when there is a terminal to show it.
fn progress_bar(seeds: usize, console: &Console) -> ProgressBar {
    let target = if console.shows_progress() && seeds > 1 {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let bar = ProgressBar::with_draw_target(Some(seeds as u64), target);
    let template = "{percent:>3}% {bar:24} {pos}/{len} seeds · {elapsed} · ETA {eta}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    if !bar.is_hidden() {
        // A block may take minutes; the clock goes on meanwhile.
        bar.enable_steady_tick(Duration::from_millis(250));
    }
    bar
}

/// Plays a against itself on the first seeds.
fn self_check(job: &Job<'_>) -> Result<SelfCheck> {
    let mut comparison = job.comparison.clone();
    comparison.b.clone_from(&comparison.a);
    comparison.seeds = comparison.seeds.first(SELF_CHECK_SEEDS);
    let seeds: Vec<u64> = comparison.seeds.seeds().collect();
    let arms = [job.arms[0].clone(), job.arms[0].clone()];
    let mut blocks = Vec::new();
    job.play(&arms, &seeds, &mut |block| {
        blocks.push(block);
        Ok(())
    })?;
    let summary = summarise(&comparison, &blocks);
    let largest = summary.per_seed.iter().fold(0.0_f64, |m, d| m.max(d.abs()));
    Ok(SelfCheck {
        seeds: seeds.len(),
        exact: largest == 0.0 && summary.divergent_blocks == 0,
        largest,
        divergent_blocks: summary.divergent_blocks,
    })
}

/// An agent that differs from itself: nothing it is compared with would say anything.
fn failed_check(job: &Job<'_>, check: &SelfCheck, json: bool, console: &mut Console) -> Result<u8> {
    let c = &job.comparison;
    if json {
        console.json(&serde_json::json!({
            "game": c.game, "a": c.a, "b": c.b, "interpretable": false, "self_check": check,
        }))?;
        return Ok(1);
    }
    let why = if c.clock {
        "an agent reads the clock, or its threads share a tree"
    } else {
        "it remembers something between decisions, or draws from elsewhere than its seed"
    };
    Err(Error::Failed(format!(
        "self-check: {} against itself is not exactly 0: the largest difference is {}, and {} of \
         {} blocks diverged: {why}. Nothing was compared.",
        c.a, check.largest, check.divergent_blocks, check.seeds
    )))
}

fn again(program: &str, comparison: &Comparison, args: &Args) -> String {
    let mut command = format!(
        "{program} compare --game {} --a {} --b {} --seeds {}",
        shell(&comparison.game),
        shell(&comparison.a),
        shell(&comparison.b),
        comparison.seeds
    );
    if (comparison.level - 0.95).abs() > 1e-12 {
        command.push_str(&format!(" --level {}", comparison.level));
    }
    if let Some(path) = &args.out {
        command.push_str(&format!(" --out {}", shell(&path.display().to_string())));
    }
    command
}
