//! Our searches and those of other crates, side by side: the same rules, the same processor, the
//! same minute.
//!
//! Every figure is the median of fresh processes; the list is gone through from end to end once a
//! round, so that a busy minute strikes all alike. `docs/src/experiments/speed.md` says more.

mod games;
#[path = "../../src/measure/heap.rs"]
mod heap;
mod measure;
mod ours;
mod peers;
mod report;
mod works;

use std::process::{Command, ExitCode};

use measure::Measured;
use works::Work;

#[global_allocator]
static HEAP: heap::Counting = heap::Counting;

const HELP: &str = "\
Compare our searches with those of other crates on the same games.

Usage: peers [--quick] [--json] [--rounds N] [NAME]...

  --quick     a tenth of the simulations, two rounds
  --json      one object on standard output and nothing else
  --rounds N  fresh processes a figure (5)
  NAME        only games whose name holds it
";

struct Arguments {
    quick: bool,
    json: bool,
    rounds: usize,
    names: Vec<String>,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_some_and(|w| w == "--child") {
        return child(&words[1..]);
    }
    if words.iter().any(|w| w == "--help" || w == "-h") {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    match parse(&words).and_then(|arguments| compare(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn parse(words: &[String]) -> Result<Arguments, String> {
    let mut arguments = Arguments {
        quick: false,
        json: false,
        rounds: 0,
        names: Vec::new(),
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--quick" => arguments.quick = true,
            "--json" => arguments.json = true,
            "--rounds" => {
                let rounds = words.next().and_then(|n| n.parse().ok());
                arguments.rounds = rounds
                    .filter(|n| *n > 0)
                    .ok_or("--rounds takes a number from 1 up")?;
            }
            flag if flag.starts_with('-') => return Err(format!("unknown flag {flag}\n\n{HELP}")),
            name => arguments.names.push(name.into()),
        }
    }
    if arguments.rounds == 0 {
        arguments.rounds = if arguments.quick { 2 } else { 5 };
    }
    Ok(arguments)
}

fn compare(arguments: &Arguments) -> Result<(), String> {
    let part = if arguments.quick { 10 } else { 1 };
    let mut works = works::all();
    works.retain(|work| {
        arguments.names.is_empty() || arguments.names.iter().any(|n| work.name.contains(n))
    });
    if works.is_empty() {
        let names: Vec<&str> = works::all().iter().map(|w| w.name).collect();
        return Err(format!("no such game; there are {}", names.join(", ")));
    }
    for work in &mut works {
        work.simulations /= part;
    }
    let mut runs: Vec<Vec<Vec<Measured>>> = works
        .iter()
        .map(|work| vec![Vec::new(); work.libraries.len()])
        .collect();
    for round in 0..=arguments.rounds {
        // The first round weighs, the others time.
        let how = if round == 0 { "weigh" } else { "time" };
        if !arguments.json {
            eprint!("\rround {round} of {} ", arguments.rounds);
        }
        for (work, runs) in works.iter().zip(&mut runs) {
            for (i, runs) in runs.iter_mut().enumerate() {
                runs.push(measure_in_child(work, i, how)?);
            }
        }
    }
    if !arguments.json {
        eprintln!();
    }
    let report = report::Report::of(&works, &runs);
    if arguments.json {
        println!("{}", serde_json::to_string(&report).expect("plain data"));
    } else {
        print!("{}", report.page());
    }
    Ok(())
}

/// A fresh process has no memory of earlier searches, neither the allocator's nor the processor's.
fn measure_in_child(work: &Work, library: usize, how: &str) -> Result<Measured, String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let name = work.libraries[library].name;
    let simulations = work.simulations.to_string();
    let words = ["--child", how, work.name, name, &simulations];
    let output = Command::new(program).args(words).output();
    let output = output.map_err(|e| e.to_string())?;
    let what = format!("{name} on {}", work.name);
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{what}: {}\n{said}", output.status));
    }
    serde_json::from_slice(&output.stdout).map_err(|e| format!("{what}: {e}"))
}

/// `how game library simulations`.
fn child(words: &[String]) -> ExitCode {
    let [how, game, name, simulations] = words else {
        return ExitCode::from(2);
    };
    let works = works::all();
    let work = works.iter().find(|w| w.name == game);
    let library = work.and_then(|w| w.libraries.iter().find(|l| l.name == name));
    let (Some(library), Ok(simulations)) = (library, simulations.parse::<u64>()) else {
        return ExitCode::from(2);
    };
    let search = || (library.search)(simulations);
    let measured = match how.as_str() {
        "weigh" => measure::weigh(search, || (library.search)(100)),
        _ => measure::time(search),
    };
    println!("{}", serde_json::to_string(&measured).expect("plain data"));
    ExitCode::SUCCESS
}
