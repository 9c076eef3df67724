//! How often an experiment without any difference is called different when it is looked at after
//! every seed: the t interval against two confidence sequences.
//!
//! `cargo run --release --example peeking`

use searchlab::statistics::peeking::{Scores, peek};

/// Runs of each row.
const RUNS: u32 = 500;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("{RUNS} runs of two equal agents, looked at after every seed from the 10th on");
    println!(
        "called different at 95 %:      t, each      t, at  empirical            width over t"
    );
    println!(
        "scores      seeds                 look    the end  Bernstein   betting    EB betting"
    );
    for scores in Scores::ALL {
        for seeds in [100, 500, 2000] {
            let rates = peek(scores, RUNS, seeds, 10, 1)?;
            println!(
                "{:<9} {seeds:>7} {:>18.1} % {:>8.1} % {:>8.1} % {:>7.1} %  {:.2}    {:.2}",
                format!("{scores:?}"),
                100.0 * rates.t,
                100.0 * rates.t_once,
                100.0 * rates.bernstein,
                100.0 * rates.betting,
                rates.bernstein_width,
                rates.betting_width
            );
        }
    }
    Ok(())
}
