//! `compare`: A against B, with an interval.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use search_core::expr::Expr;
use serde::Serialize;

use super::compare_live::live;
use super::console::Console;
use super::text::shell;
use super::{about_flag, agent_expr, compare_text};
use crate::agents::uses_clock;
use crate::error::{Error, Result};
use crate::experiment::block::Block;
use crate::experiment::checks::{Checks, checks};
use crate::experiment::compare::{MakeReferee, play_blocks_until};
use crate::experiment::referee::Referee;
use crate::experiment::schedule::Schedule;
use crate::experiment::seeds::SeedRange;
use crate::experiment::sequential::watched;
use crate::experiment::stop::{StopRule, parse_range};
use crate::experiment::summary::{Comparison, Summary, summarise};
use crate::experiment::watch::Watch;
use crate::game::OpenGame;
use crate::registry::Registry;
use crate::statistics::confidence_sequence::KnownRange;
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
    /// Stop before the last seed: `interval`, when the any-time interval of the difference excludes 0,
    /// or `h0=0,h1=0.25[,alpha=0.05,beta=0.05]`, when a sequential test (GSPRT over seeds, from the
    /// 30th on) accepts one of two differences.
    #[arg(long, value_name = "RULE", allow_hyphen_values = true)]
    stop: Option<StopRule>,
    /// The least and the greatest score of a block, known beforehand, for the any-time interval; by
    /// default what the rules of the game allow. Scores outside count as the nearer end.
    #[arg(long, value_name = "LO..HI", value_parser = parse_range, allow_hyphen_values = true)]
    range: Option<KnownRange>,
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
    /// Second opinions, not part of the digest.
    checks: &'a Checks,
    resumed_seeds: usize,
    /// Blocks beyond the seed at which the run stopped: played or in the log, and not counted.
    discarded_blocks: usize,
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
        finished: &mut dyn FnMut(Block) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        let make = || -> Result<Box<dyn Referee + '_>> { self.game.referee(arms, 1) };
        let make: &MakeReferee<'_> = &make;
        play_blocks_until(
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
    let mut watch = watch(&job, args, console)?;
    let played = blocks(&job, args, &mut watch, console)?;
    let mut summary = summarise(&job.comparison, &played.blocks);
    if args.stop.is_some() || args.range.is_some() {
        summary = watched(summary, &watch, args.range.is_some());
    }
    let checks = checks(&job.comparison, &played.blocks, &summary, played.resumed);
    let output = Output {
        summary: &summary,
        self_check,
        checks: &checks,
        resumed_seeds: played.resumed,
        discarded_blocks: played.discarded,
        elapsed_seconds: started.elapsed().as_secs_f64(),
        again: again(program, &job.comparison, args),
    };
    if args.json {
        console.json(&output)?;
    } else {
        let notes = compare_text::Notes {
            self_check: output.self_check.as_ref(),
            checks: &checks,
            discarded: played.discarded,
            again: &output.again,
        };
        let text = compare_text::page(&summary, &notes, console);
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

/// What follows the run: the range of the block scores is declared, or follows from the rules.
fn watch(job: &Job<'_>, args: &Args, console: &mut Console) -> Result<Watch> {
    let returns = job.game.facts().returns;
    let by_rules = returns.block_range(&job.comparison.schedule);
    let relied_on = by_rules.filter(|_| args.range.is_none() && args.stop.is_some());
    if let Some(range) = relied_on.filter(|_| returns.wide()) {
        console.say(&format!(
            "the rules bound the score of a block by {}..{} only, which makes a wide any-time \
             interval; declare what you expect with --range LO..HI",
            range.low(),
            range.high()
        ));
    }
    let watch = Watch::new(&job.comparison, args.stop, args.range.or(by_rules));
    about_flag("--stop", watch)
}

/// The blocks of a run.
struct Played {
    /// Those that count, by seed.
    blocks: Vec<Block>,
    /// How many of the seeds were in the log.
    resumed: usize,
    /// Blocks beyond the seed at which the run stopped.
    discarded: usize,
}

/// The blocks of every seed up to the stop: from the log where it has them, played where it has not.
fn blocks(job: &Job<'_>, args: &Args, watch: &mut Watch, console: &mut Console) -> Result<Played> {
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
    for block in done.values() {
        let _ = watch.take(block)?;
    }
    let mut todo: Vec<u64> = wanted.filter(|seed| !done.contains_key(seed)).collect();
    if watch.stopped() {
        todo.clear();
    }
    let bar = progress_bar(todo.len(), console);
    bar.set_message(live(&watch.progress(), watch.level()));
    let played = job.play(&job.arms, &todo, &mut |block| {
        if let Some(store) = &mut store {
            store.append(&block)?;
        }
        let flow = watch.take(&block)?;
        bar.inc(1);
        if !bar.is_hidden() {
            bar.set_message(live(&watch.progress(), watch.level()));
        }
        done.insert(block.seed, block);
        Ok(flow)
    });
    bar.finish_and_clear();
    played?;
    let before = done.len();
    if watch.stopped() {
        done.retain(|seed, _| *seed < watch.next_seed());
    }
    Ok(Played {
        discarded: before - done.len(),
        blocks: done.into_values().collect(),
        resumed,
    })
}

/// Progress with an estimate, when there is a terminal to show it.
fn progress_bar(seeds: usize, console: &Console) -> ProgressBar {
    let target = if console.shows_progress() && seeds > 1 {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let bar = ProgressBar::with_draw_target(Some(seeds as u64), target);
    let template = "{percent:>3}% {bar:24} {pos}/{len} seeds · {elapsed} · ETA {eta}\n {msg}";
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
        Ok(ControlFlow::Continue(()))
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
    if let Some(rule) = args.stop {
        command.push_str(&format!(" --stop {}", shell(&rule.to_string())));
    }
    if let Some(range) = args.range {
        command.push_str(&format!(" --range {}..{}", range.low(), range.high()));
    }
    if let Some(path) = &args.out {
        command.push_str(&format!(" --out {}", shell(&path.display().to_string())));
    }
    command
}
