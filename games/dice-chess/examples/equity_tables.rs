//! What survival rollouts give: variance reduction by position and horizon, and intervals by the number of
//! rollouts with their measured coverage. `--quick` takes far fewer rollouts.
//!
//! ```sh
//! cargo run --release -p dice-chess --example equity_tables -- --quick
//! ```

use dice_chess::survival::PolicyProcess;
use dice_chess::{DiceChess, Position};
use search_core::estimate::{Equity, Mode, Rollouts};
use search_core::rng::Seed;

/// The positions of the rules' figures: before the roll, White to move.
const POSITIONS: [(&str, &str); 6] = [
    (
        "start",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ),
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ),
    ("endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
    ("two knights", "4k3/2N5/8/8/8/8/2n5/4K3 w - - 0 1"),
    ("K+R v K", "4k3/8/8/8/8/8/8/R3K3 b - - 0 1"),
    ("K v K", "8/8/8/4k3/8/8/4K3/8 w - - 0 1"),
];

const HORIZONS: [u32; 6] = [1, 2, 3, 6, 20, 60];
const SIZES: [u64; 4] = [64, 250, 1000, 4000];

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let quick = std::env::args().any(|a| a == "--quick");
    let (plain, cell) = if quick {
        (1_000, 8_000)
    } else {
        (16_000, 200_000)
    };
    reductions(plain)?;
    intervals(cell)
}

fn run(
    position: &Position,
    rollouts: u64,
    plies: u32,
    mode: Mode,
    seed: u64,
) -> Result<Equity, Failure> {
    let rollouts = Rollouts {
        rollouts,
        plies,
        mode,
        threads: std::thread::available_parallelism()?.get(),
        ..Rollouts::default()
    };
    let (game, process) = (DiceChess::default(), PolicyProcess::default());
    Ok(rollouts.estimate(&game, &process, position, Seed(seed), &mut |_| ())?)
}

/// The variance of plain rollouts of the same policy over that of survival rollouts, both measured.
fn reductions(rollouts: u64) -> Result<(), Failure> {
    println!(
        "Variance of White's wins in {rollouts} plain rollouts over that in as many survival rollouts\n"
    );
    print!("{:<12}", "position");
    for plies in HORIZONS {
        print!("{:>9}", format!("{plies} plies"));
    }
    println!("{:>20}{:>11}", "White at 60", "undecided");
    for (name, dfen) in POSITIONS {
        let position: Position = dfen.parse()?;
        print!("{name:<12}");
        let mut last = None;
        for plies in HORIZONS {
            let ours = run(&position, rollouts, plies, Mode::Survival, 1)?;
            let plain = run(&position, rollouts, plies, Mode::Naive, 2)?;
            let ratio = plain.variance / ours.variance;
            print!(
                "{:>9}",
                if ours.variance == 0.0 {
                    "exact".to_owned()
                } else if plain.variance == 0.0 {
                    "unseen".to_owned()
                } else {
                    format!("{ratio:.1}")
                }
            );
            last = Some(ours);
        }
        if let Some(equity) = last {
            let (win, error) = (equity.wins[0], 1.96 * equity.std_error);
            print!("{:>20}", format!("{win:.4} ± {error:.4}"));
            println!("{:>11.5}", equity.undecided);
        }
    }
    println!("\nexact: the first roll decides; unseen: no plain rollout won.\n");
    Ok(())
}

/// Half the width of the 95 % interval, and how often it holds the value of a long run.
fn intervals(rollouts: u64) -> Result<(), Failure> {
    let long = rollouts / 2;
    println!(
        "Half the width of the 95 % interval at 60 plies, in percentage points; the share of intervals that hold\nthe value of {long} rollouts; and the root mean square error over the mean standard error. {rollouts} rollouts\na cell. 0/1: half the width for plain rollouts with p = 1/2\n"
    );
    print!("{:<12}", "rollouts");
    for size in SIZES {
        print!("{size:>22}");
    }
    print!("\n{:<12}", "0/1");
    for size in SIZES {
        print!("{:>22}", format!("{:.2}", 98.0 / (size as f64).sqrt()));
    }
    println!();
    for (name, dfen) in POSITIONS {
        let position: Position = dfen.parse()?;
        let truth = run(&position, long, 60, Mode::Survival, 3)?.wins[0];
        print!("{name:<12}");
        for size in SIZES {
            let repeats = rollouts / size;
            let (mut width, mut held, mut error, mut square) = (0.0, 0, 0.0, 0.0);
            for repeat in 0..repeats {
                let found = run(&position, size, 60, Mode::Survival, size << 32 | repeat)?;
                let (low, high) = found.interval();
                width += 50.0 * (high - low) / repeats as f64;
                held += u64::from((low..=high).contains(&truth));
                error += found.std_error / repeats as f64;
                square += (found.wins[0] - truth).powi(2) / repeats as f64;
            }
            let coverage = 100.0 * held as f64 / repeats as f64;
            let calibration = square.sqrt() / error;
            print!(
                "{:>22}",
                format!("{width:.2} {coverage:.1} % {calibration:.2}")
            );
        }
        println!();
    }
    Ok(())
}
