//! What the luck of the rolls takes off the variance of rollouts at 60 turns, and what it costs.
//! `cargo bench -p dice-chess --bench luck`

use dice_chess::survival::PolicyProcess;
use dice_chess::{DiceChess, Position};
use search_core::estimate::{Control, Rollouts};
use search_core::rng::Seed;
use std::time::Instant;

#[path = "common/mod.rs"]
mod common;

fn main() {
    let game = DiceChess::default();
    for (name, position) in common::positions() {
        let run = |process: PolicyProcess, control, position: &Position| {
            let limits = Rollouts {
                rollouts: 16_384,
                plies: 60,
                control,
                ..Rollouts::default()
            };
            let start = Instant::now();
            let found = limits
                .estimate(&game, &process, position, Seed(1), &mut |_| {})
                .expect("an estimate");
            (found, start.elapsed().as_secs_f64())
        };
        let (plain, time) = run(PolicyProcess::default(), Control::Off, &position);
        let process = PolicyProcess::default().with_luck();
        let (lucky, longer) = run(process, Control::Pilot(1_024), &position);
        println!(
            "luck/{name}: White wins {:.4} ± {:.4}, variance reduction {:.2}; with luck {:.4} ± {:.4}, \
             variance / {:.3} for time x {:.2}, coefficient {:.2}",
            plain.wins[0],
            plain.std_error,
            plain.variance_reduction,
            lucky.wins[0],
            lucky.std_error,
            plain.variance / lucky.variance,
            longer / time,
            lucky.control.map_or(0.0, |c| c.beta),
        );
    }
}
