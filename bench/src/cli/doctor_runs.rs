//! The checks of `doctor` that play matches: identical agents, threads, replays, and a run that is killed.

use std::cell::{Cell, OnceCell};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use search_core::expr::Expr;
use serde_json::Value;

use super::text::shell;
use crate::error::{Error, Result};
use crate::experiment::block::{Block, Tally};
use crate::experiment::capture::standing::Script;
use crate::experiment::capture::{Cast, Step};
use crate::experiment::compare::{MakeReferee, play_blocks};
use crate::experiment::referee::Referee;
use crate::experiment::schedule::Schedule;
use crate::experiment::seeds::SeedRange;
use crate::experiment::summary::{Comparison, Summary, summarise};
use crate::game::{Finding, OpenGame};

/// A search that threads may share, so cheap that every game can afford it.
const SEARCHER: &str = "ismcts(sims=16, parallel=root, trees=4)";
/// Its rival.
const RIVAL: &str = "random";
/// How many threads are tried.
const THREADS: [usize; 4] = [1, 2, 3, 7];
/// The fewest seeds of a run that is to be killed.
const FEWEST_KILLED: u64 = 8;
/// How long a run is made that is to be killed.
const KILLED_RUN: f64 = 1.0;

/// Checks that play matches of one game.
pub(super) struct Runs<'a> {
    game: &'a dyn OpenGame,
    quick: bool,
    seeds: u64,
    /// Who plays: a search, unless it takes too long here.
    agent: OnceCell<&'static str>,
    /// The seeds of the run that was killed.
    killed: Cell<u64>,
}

impl<'a> Runs<'a> {
    pub(super) fn new(game: &'a dyn OpenGame, quick: bool) -> Self {
        Self {
            game,
            quick,
            seeds: if quick { 2 } else { 8 },
            agent: OnceCell::new(),
            killed: Cell::new(FEWEST_KILLED),
        }
    }

    /// Who plays, found by one match of the search.
    fn agent(&self) -> Result<&'static str> {
        if let Some(agent) = self.agent.get() {
            return Ok(agent);
        }
        let limit = match self.quick {
            true => Duration::from_millis(20),
            false => Duration::from_millis(150),
        };
        let arms: [Expr; 2] = [SEARCHER.parse()?, RIVAL.parse()?];
        let mut seating = vec![1; self.game.facts().players];
        seating[0] = 0;
        let started = Instant::now();
        let mut tallies = [Tally::default(), Tally::default()];
        self.game
            .referee(&arms, 1)?
            .play(&seating, 0, &mut tallies)?;
        let slow = started.elapsed() > limit;
        Ok(self
            .agent
            .get_or_init(|| if slow { RIVAL } else { SEARCHER }))
    }

    /// A command of another verb that shows a failure again.
    pub(super) fn again(&self, check: &str) -> Option<String> {
        let game = shell(&self.game.facts().game);
        let searcher = shell(self.agent().unwrap_or(SEARCHER));
        let compare = |b: &str, seeds: u64| {
            format!("compare --game {game} --a {searcher} --b {b} --seeds {seeds}")
        };
        match check {
            "self-match" => Some(compare(&searcher, self.seeds) + " --self-check"),
            "threads" => Some(compare(RIVAL, self.seeds) + " --threads 1   (and 2, 3, 7)"),
            "resume" => {
                Some(compare(RIVAL, self.killed.get()) + " --out FILE   (killed and again)")
            }
            _ => None,
        }
    }

    fn summary(&self, rival: &str, seeds: u64, threads: usize) -> Result<Summary> {
        let arms: [Expr; 2] = [self.agent()?.parse()?, rival.parse()?];
        let range: SeedRange = seeds.to_string().parse().map_err(Error::Failed)?;
        let facts = self.game.facts().clone();
        let comparison = Comparison {
            schedule: Schedule::duplicate(facts.players),
            game: facts.game,
            options: facts.options,
            a: arms[0].to_string(),
            b: arms[1].to_string(),
            unit: facts.unit,
            metrics: facts.metrics,
            seeds: range.clone(),
            level: 0.95,
            clock: false,
        };
        let mut blocks: Vec<Block> = Vec::new();
        let make = || -> Result<Box<dyn Referee + '_>> { self.game.referee(&arms, threads) };
        let make: &MakeReferee<'_> = &make;
        let seeds: Vec<u64> = range.seeds().collect();
        play_blocks(&comparison.schedule, &seeds, threads, make, &mut |block| {
            blocks.push(block);
            Ok(())
        })?;
        blocks.sort_by_key(|block| block.seed);
        Ok(summarise(&comparison, &blocks))
    }

    /// An agent against itself: the difference is exactly 0, and nothing that is played differs.
    pub(super) fn self_match(&self) -> Result<Finding> {
        let summary = self.summary(self.agent()?, self.seeds, 1)?;
        let largest = summary.per_seed.iter().fold(0.0_f64, |m, d| m.max(d.abs()));
        let seeds = self.seeds;
        Ok(if largest == 0.0 && summary.divergent_blocks == 0 {
            Finding::Passed(format!(
                "{} against itself differs by exactly 0 on {seeds} seeds",
                self.agent()?
            ))
        } else {
            Finding::Failed(format!(
                "{} against itself differs by {largest}, and {} of {seeds} blocks diverged",
                self.agent()?,
                summary.divergent_blocks
            ))
        })
    }

    /// The same digest for any number of threads, of the matches and of each search.
    pub(super) fn threads(&self) -> Result<Finding> {
        let mut digest: Option<String> = None;
        for threads in THREADS {
            let is = self.summary(RIVAL, self.seeds, threads)?.digest;
            let first = digest.get_or_insert_with(|| is.clone());
            if *first != is {
                return Ok(Finding::Failed(format!(
                    "the digest of {} seeds is {} with {threads} threads and {} with 1",
                    self.seeds,
                    short(&is),
                    short(first)
                )));
            }
        }
        Ok(Finding::Passed(format!(
            "digest {} of {} seeds with 1, 2, 3 and 7 threads",
            short(&digest.unwrap_or_default()),
            self.seeds
        )))
    }

    /// A random match, stood in again at every decision.
    pub(super) fn replay(&self) -> Result<Finding> {
        let random = Expr::word("random");
        let cast = Cast {
            a: random.clone(),
            b: random.clone(),
            others: random.clone(),
            by: random,
        };
        let mut watcher = self.game.watcher(&cast)?;
        let mut turns = 0;
        for seed in 0..self.seeds.min(3) {
            let trace = watcher.watch(seed, 0)?;
            let decision = |step: &&Step| matches!(step, Step::Decision { .. });
            let Some(last) = trace.steps.iter().rposition(|s| decision(&s)) else {
                continue;
            };
            let script = Script {
                seed,
                steps: &trace.steps[..last],
            };
            let standing = self.game.stand(&script);
            let standing = standing.map_err(|e| Error::Failed(format!("seed {seed}: {e}")))?;
            if standing.seen != trace.steps[last].seen() {
                return Ok(Finding::Failed(format!(
                    "seed {seed}: the position after {last} turns is another when it is replayed"
                )));
            }
            turns += last;
        }
        Ok(Finding::Passed(format!(
            "{turns} turns, each action read back, each state as it was"
        )))
    }

    /// A run that is killed and goes on has the digest of one that was left alone.
    pub(super) fn resume(&self) -> Result<Finding> {
        let started = Instant::now();
        self.summary(RIVAL, 2, 2)?;
        let each = started.elapsed().as_secs_f64() / 2.0;
        let seeds = ((KILLED_RUN / each.max(1e-4)) as u64).clamp(FEWEST_KILLED, 3000);
        self.killed.set(seeds);
        let whole = self.summary(RIVAL, seeds, 2)?.digest;
        let folder = Folder::new()?;
        let log = folder.0.join("log.jsonl");
        let state = self.kill(&log, seeds)?;
        let mut resumed = self.child(&log, seeds)?;
        let output = resumed.output().map_err(started_failed)?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Ok(Finding::Failed(format!(
                "the run does not go on after it was {state}: {}",
                said.trim()
            )));
        }
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let digest = report["digest"].as_str().unwrap_or_default();
        Ok(if digest == whole {
            Finding::Passed(format!("{state}, and the same digest after it went on"))
        } else {
            Finding::Failed(format!(
                "{state}; when it went on the digest was {}, and {} without",
                short(digest),
                short(&whole)
            ))
        })
    }

    /// This program once more, comparing.
    fn child(&self, log: &Path, seeds: u64) -> Result<Command> {
        let program = std::env::current_exe().map_err(started_failed)?;
        let mut command = Command::new(program);
        command.args(["compare", "--game", &self.game.facts().game]);
        command.args([
            "--a",
            self.agent()?,
            "--b",
            RIVAL,
            "--threads",
            "2",
            "--json",
        ]);
        command
            .args(["--seeds", &seeds.to_string()])
            .arg("--out")
            .arg(log);
        command.stdin(Stdio::null());
        Ok(command)
    }

    /// Starts a run and kills it after its first blocks; where it was faster, cuts its log in two in the
    /// middle of a line. Returns what was done.
    fn kill(&self, log: &Path, seeds: u64) -> Result<String> {
        let mut command = self.child(log, seeds)?;
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut running = command.spawn().map_err(started_failed)?;
        let patience = Instant::now();
        // The first line is the header.
        while lines(log) < 3 && patience.elapsed() < Duration::from_secs(600) {
            if running.try_wait().map_err(started_failed)?.is_some() {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        // SIGKILL: nothing is flushed, nothing is cleaned up.
        let _ = running.kill();
        running.wait().map_err(started_failed)?;
        let done = lines(log).saturating_sub(1) as u64;
        if done < seeds {
            return Ok(format!("killed after {done} of {seeds} seeds"));
        }
        let failed = |e| Error::file(format!("cutting {}", log.display()), e);
        let bytes = fs::read(log).map_err(failed)?;
        let half = bytes.len() / 2;
        fs::write(log, &bytes[..half]).map_err(failed)?;
        Ok(format!("cut off in the middle of {seeds} seeds"))
    }
}

#[allow(
    clippy::needless_pass_by_value,
    reason = "map_err hands the error over"
)]
fn started_failed(error: std::io::Error) -> Error {
    Error::Failed(format!("this program cannot be started again: {error}"))
}

fn short(digest: &str) -> &str {
    digest.get(..8).unwrap_or(digest)
}

/// Whole lines of a file.
fn lines(path: &Path) -> usize {
    let bytes = fs::read(path).unwrap_or_default();
    bytes.iter().filter(|b| **b == b'\n').count()
}

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self> {
        let id = std::process::id();
        let path =
            (0..1000).map(|n| std::env::temp_dir().join(format!("searchlab-doctor-{id}-{n}")));
        for path in path {
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(Error::file(format!("making {}", path.display()), e)),
            }
        }
        Err(Error::Failed("no temporary folder can be made".into()))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
