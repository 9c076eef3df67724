//! The errors of every estimator of answer probabilities: on rows of known answers, and on
//! positions of self-play against sampled deals.
//!
//! `cargo run --release -p lexio --example answer_errors -- [--positions N] [--samples N]
//! [--players N] [--situations N] [--steps N] [--table FILE]`
//!
//! `--situations` is the size of the calibration table, which is made here; `--table` writes it to
//! a file; `--steps` is the limit below which five tiles are exact. With `--positions 10000` it takes minutes.

use lexio::answer::{
    Answer, AnswerKind, AnswerProbabilities, CalibrationTable, Estimator, Event, STEPS, Seat,
    Situation, Unseen,
};
use lexio::{Kind, Lexio, Tiles, parse_tiles};
use search_core::rng::Seed;
use serde_json::Value;
use std::error::Error;
use std::sync::Arc;

/// Options by name, with their defaults.
struct Options {
    positions: u64,
    samples: u32,
    players: u8,
    situations: u64,
    steps: u64,
    table: Option<String>,
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options {
        positions: 300,
        samples: 20_000,
        players: 5,
        situations: 40_000,
        steps: STEPS,
        table: None,
    };
    let mut words = std::env::args().skip(1);
    while let Some(name) = words.next() {
        let value = words
            .next()
            .ok_or_else(|| format!("{name} needs a value"))?;
        match name.as_str() {
            "--positions" => options.positions = value.parse()?,
            "--samples" => options.samples = value.parse()?,
            "--players" => options.players = value.parse()?,
            "--situations" => options.situations = value.parse()?,
            "--steps" => options.steps = value.parse()?,
            "--table" => options.table = Some(value),
            other => return Err(format!("{other} is not an option").into()),
        }
    }
    Ok(options)
}

/// Errors of one estimator on the plays of one kind.
#[derive(Default, Clone, Copy)]
struct Errors {
    count: u64,
    sum: f64,
    squares: f64,
    max: f64,
}

impl Errors {
    fn add(&mut self, error: f64) {
        self.count += 1;
        self.sum += error.abs();
        self.squares += error * error;
        self.max = self.max.max(error.abs());
    }
}

struct Report {
    estimators: Vec<(&'static str, Estimator)>,
    errors: Vec<[Errors; 8]>,
    exact: [u64; 8],
}

impl Report {
    fn new(table: Option<&Arc<CalibrationTable>>) -> Self {
        let mut estimators = vec![
            ("product", Estimator::IndepCount),
            ("sum", Estimator::SumCount),
        ];
        if let Some(table) = table {
            estimators.push(("calibrated", Estimator::Calibrated(Arc::clone(table))));
        }
        estimators.push(("exact", Estimator::Exact));
        Self {
            errors: vec![[Errors::default(); 8]; estimators.len()],
            estimators,
            exact: [0; 8],
        }
    }

    fn add(&mut self, estimator: usize, kind: Kind, answer: Answer, truth: f64) {
        self.errors[estimator][kind as usize].add(answer.probability - truth);
        if estimator + 1 == self.estimators.len() && answer.kind == AnswerKind::Exact {
            self.exact[kind as usize] += 1;
        }
    }

    fn print(&self, title: &str) {
        println!("{title}: mean / max absolute error, and how many of the last are exact");
        print!("{:<15}{:>8}", "kind", "plays");
        for (name, _) in &self.estimators {
            print!("{name:>18}");
        }
        println!("{:>9}", "exact");
        for kind in Kind::ALL {
            let place = kind as usize;
            let count = self.errors[0][place].count;
            if count == 0 {
                continue;
            }
            print!("{:<15}{count:>8}", kind.name());
            for errors in &self.errors {
                let errors = errors[place];
                let mean = errors.sum / count as f64;
                print!("{:>18}", format!("{mean:.4} / {:.4}", errors.max));
            }
            println!("{:>8.0}%", 100.0 * self.exact[place] as f64 / count as f64);
        }
        println!();
    }
}

fn tiles(value: &Value) -> Result<Tiles, Box<dyn Error>> {
    let words = value.as_array().ok_or("a list of tiles")?.iter();
    let words: Vec<_> = words.filter_map(Value::as_str).collect();
    Ok(parse_tiles(&words.join(" "))?)
}

/// The rows of known answers, of all numbers of players. The table is for one of them.
fn known(path: &str, table: &Arc<CalibrationTable>) -> Result<(), Box<dyn Error>> {
    let mut reports = [Report::new(None), Report::new(Some(table))];
    for line in std::fs::read_to_string(path)?.lines().skip(1) {
        let row: Value = serde_json::from_str(line)?;
        let players = row["players"].as_u64().ok_or("players")? as u8;
        let game = Lexio::for_players(players)?;
        let sizes = row["hand_sizes"].as_array().ok_or("hand_sizes")?.iter();
        let eligible = row["eligible"].as_array().ok_or("eligible")?;
        let seats: Vec<Seat> = sizes
            .zip(eligible)
            .map(|(n, may)| Seat::new(n.as_u64().unwrap_or(0) as u8, may == true))
            .collect();
        let unseen = Unseen::new(&game, tiles(&row["unseen"])?, &seats)?;
        let play = game.combination(tiles(&row["target"])?).ok_or("a play")?;
        let truth = row["p"].as_f64().ok_or("p")?;
        let own = usize::from(players == table.header.players);
        for report in &mut reports[..=own] {
            for i in 0..report.estimators.len() {
                let estimator = report.estimators[i].1.clone();
                let answer = AnswerProbabilities::with(estimator, unseen).of(play)?;
                report.add(i, play.kind(), answer, truth);
            }
        }
    }
    reports[0].print("known answers, 3 to 5 players");
    reports[1].print(&format!("known answers, {} players", table.header.players));
    Ok(())
}

/// What was measured of the sampled answers: their error beside the error they state.
#[derive(Default)]
struct Stated {
    count: u64,
    squares: f64,
    stated: f64,
}

fn self_play(
    game: &Lexio,
    options: &Options,
    table: &Arc<CalibrationTable>,
) -> Result<(), Box<dyn Error>> {
    let mut report = Report::new(Some(table));
    let mut stated = Stated::default();
    let seed = Seed(2).child("positions");
    for index in 0..options.positions {
        let situation = Situation::sample(game, seed, index);
        let unseen = Unseen::of(game, &situation.observation)?;
        let sampled = Estimator::Sampled {
            worlds: options.samples,
        };
        let with =
            |estimator| AnswerProbabilities::with(estimator, unseen).with_limit(options.steps);
        let mut truth = with(sampled).with_seed(seed.index(index));
        let estimators = report.estimators.clone();
        for (i, (_, estimator)) in estimators.into_iter().enumerate() {
            let mut answers = with(estimator);
            for &play in &situation.plays {
                let answer = answers.of(play)?;
                let truth = truth.of(play)?.probability;
                report.add(i, play.kind(), answer, truth);
                if i == 3 && answer.kind == AnswerKind::Estimated {
                    let error = answer.probability - truth;
                    stated.count += 1;
                    stated.squares += error * error;
                    stated.stated += answer.error.unwrap_or(0.0).powi(2);
                }
            }
        }
    }
    report.print(&format!(
        "{} positions of self-play, {} players; five tiles against {} samples, others exact",
        options.positions, options.players, options.samples
    ));
    let n = stated.count.max(1) as f64;
    println!(
        "sampled answers: error {:.4}, stated {:.4} (root mean squares of {} plays)",
        (stated.squares / n).sqrt(),
        (stated.stated / n).sqrt(),
        stated.count
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = options()?;
    let game = Lexio::for_players(options.players)?;
    let situations = options.situations;
    let table = CalibrationTable::build(&game, Event::Anyone, Seed(20_260_806), situations, 800)?;
    println!(
        "calibration table: {} rows from {situations} situations\n",
        table.rows().len()
    );
    if let Some(path) = &options.table {
        std::fs::write(path, table.to_json()?)?;
    }
    let table = Arc::new(table);
    known(
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/lexio_prob.jsonl"),
        &table,
    )?;
    self_play(&game, &options, &table)
}
