//! How near each search comes to its ceiling: `cargo bench --bench shares` prints a table.
//!
//! A ceiling moves by a quarter with what the compiler inlines, and a figure by as much with what
//! else the machine does: so every search is measured beside its ceiling, in the same process, in
//! turns, by processor time, and the median of the turns is shown. A name that is part of the
//! search's name selects rows.

#[path = "common/mod.rs"]
mod common;

use common::{Subject, processor_time, subjects};

/// Simulations a second of one run.
fn rate(simulations: u64, work: impl FnOnce()) -> f64 {
    let start = processor_time();
    work();
    simulations as f64 / (processor_time() - start).as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// `1,234,567`.
fn thousands(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test --benches` runs this too, and only wants to know that it works.
    let in_full = arguments.iter().any(|a| a == "--bench");
    let wanted: Vec<_> = arguments.iter().filter(|a| !a.starts_with('-')).collect();
    let (part, runs) = if in_full { (1, 7) } else { (100, 1) };
    let mut subjects: Vec<Subject> = subjects(part)
        .into_iter()
        .filter(|s| wanted.is_empty() || wanted.iter().any(|w| s.name.contains(*w)))
        .collect();
    let mut measured = vec![(Vec::new(), Vec::new(), Vec::new()); subjects.len()];
    let mut bytes = vec![0.0; subjects.len()];
    for run in 0..=runs {
        for (i, subject) in subjects.iter_mut().enumerate() {
            let rate_of_search = rate(subject.simulations, || bytes[i] = (subject.search)());
            let ceiling = rate(subject.simulations, || (subject.ceiling)());
            // The first run warms up.
            if run > 0 || runs == 1 {
                measured[i].0.push(rate_of_search);
                measured[i].1.push(ceiling);
                measured[i].2.push(rate_of_search / ceiling);
            }
        }
    }
    println!(
        "{:<28} {:>14} {:>14} {:>7} {:>10}",
        "search", "simulations/s", "ceiling", "share", "bytes/edge"
    );
    for ((subject, bytes), (search, ceiling, share)) in subjects.iter().zip(bytes).zip(measured) {
        println!(
            "{:<28} {:>14} {:>14} {:>6.1}% {bytes:>10.1}",
            subject.name,
            thousands(median(search)),
            thousands(median(ceiling)),
            100.0 * median(share),
        );
    }
}
